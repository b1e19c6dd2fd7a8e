"""The games, one sub-package each, loaded when asked for."""

DEFAULT = "burgundy"
"""The game of a position file that names none."""
