"""Batch research: matches between agents, their results on disk, and what they say."""
