"""Players frames made up for tests: the columns of a match, with the numbers a test wants."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

SCHEMA = {
    "game": pl.Int64,
    "deal": pl.Int64,
    "seating": pl.Int16,
    "seed": pl.Int64,
    "players": pl.Int8,
    "seat": pl.Int8,
    "agent": pl.String,
    "options": pl.String,
    "board": pl.Int16,
    "score": pl.Int32,
    "rank": pl.Int8,
    "won": pl.Boolean,
    "margin": pl.Int32,
    "points_regions": pl.Int32,
    "points_goods": pl.Int32,
    "decisions": pl.Int32,
    "seconds_per_decision": pl.Float64,
}


def game_rows(
    game: int,
    deal: int,
    seating: int,
    seats: Sequence[tuple[str, int]],
    *,
    boards: Sequence[int] = (1, 3, 1, 3),
) -> list[dict[str, object]]:
    """One game from each seat's agent and score; of equal scores the earlier seat wins."""
    scores = [score for _, score in seats]
    winner = scores.index(max(scores))
    rows: list[dict[str, object]] = []
    for place, (agent, score) in enumerate(seats):
        better = sum(other > score for other in scores)
        shared = place != winner and score == scores[winner]
        rows.append(
            {
                "game": game,
                "deal": deal,
                "seating": seating,
                "seed": 1000 + deal,
                "players": len(seats),
                "seat": place + 1,
                "agent": agent,
                "options": "{}",
                "board": boards[place],
                "score": score,
                "rank": 2 if shared else better + 1,
                "won": place == winner,
                "margin": score - max([*scores[:place], *scores[place + 1 :]], default=score),
                "points_regions": score - 10,
                "points_goods": 10,
                "decisions": 50,
                "seconds_per_decision": 0.001 * (1 + place),
            }
        )
    return rows


def frame(rows: Sequence[dict[str, object]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA)


def match(
    agents: Sequence[str],
    deals: int,
    strength: Callable[[str], float],
    *,
    seed: int = 1,
    first_deal: int = 0,
) -> pl.DataFrame:
    """A match in every order of seats, where the deal's luck favours seats, whoever sits there."""
    luck = np.random.default_rng(seed)
    seatings = list(dict.fromkeys(itertools.permutations(agents)))
    rows: list[dict[str, object]] = []
    for deal in range(first_deal, first_deal + deals):
        favour = luck.normal(0, 15, len(agents))
        for number, seated in enumerate(seatings):
            scores = [
                (agent, int(150 + favour[place] + strength(agent) + luck.normal(0, 10)))
                for place, agent in enumerate(seated)
            ]
            rows += game_rows(deal * len(seatings) + number, deal, number, scores)
    return frame(rows)
