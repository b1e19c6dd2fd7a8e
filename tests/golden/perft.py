"""Perft: counts of what can be reached from fixed positions, a fingerprint of the whole rules.

Owns the counting. Sequences stop at chance and at the end of the game.
"""

from __future__ import annotations

from pathlib import Path

import advisor

ROOT = Path(__file__).parent.parent.parent
COUNTS = Path(__file__).parent / "perft.yaml"


def count(name: str, depth: int) -> tuple[int, int]:
    """Return the number of action sequences and of different positions after `depth` actions."""
    position = advisor.load(ROOT / "positions" / "burgundy" / name)
    rules = position.rules
    level: dict[bytes, int] = {position.packed: 1}
    for _ in range(depth):
        after: dict[bytes, int] = {}
        for state, ways in level.items():
            if rules.to_move(state) < 0:
                after[state] = after.get(state, 0) + ways
                continue
            for action in rules.legal(state):
                child = rules.apply(state, action)
                after[child] = after.get(child, 0) + ways
        level = after
    return sum(level.values()), len(level)


def divide(name: str, depth: int) -> dict[str, int]:
    """Return the number of sequences behind each first action: how one finds a wrong rule."""
    position = advisor.load(ROOT / "positions" / "burgundy" / name)
    rules = position.rules
    found = {}
    for action in position.actions():
        level = [rules.apply(position.packed, action.code)]
        for _ in range(depth - 1):
            level = [rules.apply(state, code) for state in level for code in rules.legal(state)] + [
                state for state in level if rules.to_move(state) < 0
            ]
        found[str(action)] = len(level)
    return found
