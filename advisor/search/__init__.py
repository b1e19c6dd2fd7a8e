"""The search: from a position to counts and sums over its candidates, and on to the ranking.

Knows only `GameVT`. `_tree` samples candidates (ISMCTS), `_exact` solves what has no chance left,
`race` spends the effort, `ranking` judges, `engine` conducts.
"""
