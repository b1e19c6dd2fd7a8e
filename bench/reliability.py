"""Are shares of wins what they say? `python -m bench.reliability [GAMES] [PLAYERS]`

Games of the agent `plans` against itself on random boards. After every turn the learned value says
how surely the first seat wins; the table sets that beside how often it won.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from advisor.learning import model as models
from advisor.learning._value import Value
from advisor.research.plan import make_plan
from advisor.research.tasks import deal_of, play_range

CHANCE, OVER = -1, -2
BINS = 10


def predictions(plan: Any, row: dict[str, Any], model: models.Model) -> list[tuple[int, float]]:
    """Return for each turn of a game the events to come and the share of wins of the first seat."""
    deal = deal_of(plan, row["deal"])
    rules, state = deal.position.rules, deal.start
    value = Value(rules, model.net)
    spread = model.spread
    found: list[tuple[int, float]] = []
    actions = iter(row["actions"])
    mover = CHANCE
    while True:
        now = rules.to_move(state)
        if mover >= 0 and now != mover and now != OVER:
            points = value.points(state)
            left = min(rules.chances(state), len(spread) - 1)
            found.append((left, value.odds(points, float(spread[left]))[0][0]))
        mover = now
        if now == OVER:
            return found
        state = (
            rules.chance(state, row["seed"]) if now == CHANCE else rules.apply(state, next(actions))
        )


def main(games: int = 300, players: int = 2) -> None:
    plan = make_plan(["plans"], players=players, boards="all", seed=2026)
    model = models.shipped(plan.game, players)
    part = play_range(plan, 0, games)
    won = part.players.filter(seat=1).sort("game")["won"].to_list()
    shares, results, late = [], [], []
    for row, win in zip(part.games.sort("game").to_dicts(), won, strict=True):
        for left, share in predictions(plan, row, model):
            shares.append(share)
            results.append(win)
            late.append(left)
    share, result = np.array(shares), np.array(results, dtype=float)
    print(f"{model.label}: {games} games, {len(share):,} predictions after turns")
    print("| said | predictions | mean said | won |\n|---|---|---|---|")
    for low in range(BINS):
        rows = (share >= low / BINS) & ((share < (low + 1) / BINS) | (low == BINS - 1))
        if rows.any():
            print(
                f"| {100 * low // BINS}-{100 * (low + 1) // BINS} % | {rows.sum():,} | "
                f"{100 * share[rows].mean():.1f} % | {100 * result[rows].mean():.1f} % |"
            )
    print(f"Brier score {((share - result) ** 2).mean():.4f}; always even {0.25:.4f}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
