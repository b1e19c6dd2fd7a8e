"""The learned value: time for each end of a turn, all included, and turns played in self-play.

One thread. All included means: the turns are found, positions met twice are told, every end is
judged for all seats, and the best is known. Half-way positions are not counted.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import advisor
from advisor.learning import model as models
from advisor.learning._planner import Planner
from advisor.learning._value import Value

CHANCE, OVER = -1, -2
WIDTH, LIMIT = 12, 3_000
"""Of the agents `plans` and `advisor`."""


def turns(position: Any, planner: Planner, seed: int) -> list[bytes]:
    """Play a game by the planner and return the states in which its turns begin."""
    rules = position.rules
    world = random.Random(seed).getrandbits(64)
    state = rules.determinize(position.packed, 0, world)
    found = []
    while (mover := rules.to_move(state)) != OVER:
        if mover == CHANCE:
            state = rules.chance(state, world)
            continue
        found.append(state)
        for action in planner.best(state, width=WIDTH, limit=LIMIT)[1]:
            state = rules.apply(state, action)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ends_of_turns_judged(benchmark: Any, players: int) -> None:
    """Every turn of a game that the learned value plays on board 1."""
    position = advisor.new_game("burgundy", players=players, boards=[1] * players, seed=7)
    net = models.shipped("burgundy", players).net
    planner = Planner(position.rules, Value(position.rules, net), LIMIT)
    game = turns(position, planner, 1)

    def judge() -> None:
        for state in game:
            planner.best(state, width=WIDTH, limit=LIMIT)

    before = planner.leaves
    judge()
    ends = planner.leaves - before
    benchmark.pedantic(judge, rounds=15, warmup_rounds=2)
    benchmark.extra_info.update(
        per_round=ends, unit=f"ends a second ({ends // len(game)} a turn, {len(game)} turns)"
    )
