"""The best whole turn through each candidate action.

Owns the way from a candidate to the end of the deciding player's turn: by what the trees have
learnt as far as they reach, and beyond that by the ranking itself, whose better actions are mostly
still there for the second die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from advisor._fastsim import Game
from advisor.search._tree import Sampler
from advisor.search.engines import Samples
from advisor.search.settings import Tree

QUICK_VISITS = 8
"""Visits of each action where neither tree nor ranking helps."""

LONGEST = 64
"""Actions of a turn; more would be a fault of the rules."""


def best_turn(
    game: Game,
    samplers: list[Samples],
    candidate: int,
    state: bytes,
    seat: int,
    merit: Mapping[int, float],
    trusted: int,
) -> list[int]:
    """Return the actions that complete the turn after a candidate, whose state is `state`.

    Args:
        game: the rules.
        samplers: the trees of all threads.
        candidate: its number there.
        state: the packed state after it.
        seat: whose turn it is.
        merit: what the actions legal at the root are worth.
        trusted: visits below which the most visited action of a node says little.

    """
    way: list[int] = []
    while game.to_move(state) == seat and len(way) < LONGEST:
        legal = game.legal(state)
        action = legal[0]
        if len(legal) > 1:
            visited = _most_visited(samplers, candidate, way, legal, trusted)
            action = visited or _best_known(game, state, seat, legal, merit)
        way.append(action)
        state = game.apply(state, action)
    return way


def _most_visited(
    samplers: list[Samples], candidate: int, way: list[int], legal: list[int], trusted: int
) -> int | None:
    visits: Counter[int] = Counter()
    for sampler in samplers:
        for action, count in sampler.children(candidate, way):
            visits[action] += count
    known = [action for action in legal if action in visits]
    best = max(known, key=lambda action: visits[action], default=None)
    return best if best is not None and visits[best] >= trusted else None


def _best_known(
    game: Game, state: bytes, seat: int, legal: list[int], merit: Mapping[int, float]
) -> int:
    ranked = [action for action in legal if action in merit]
    if ranked:
        return max(ranked, key=lambda action: merit[action])
    tree = Tree()
    sampler = Sampler(
        game,
        state,
        [[action] for action in legal],
        trees=1,
        seat=seat,
        seed=0,
        memory=1 << 20,
        explore=tree.explore,
        caution=tree.caution,
        scale=tree.scale,
    )
    count = len(legal)
    sampler.run(np.arange(count, dtype=np.int32), np.full(count, QUICK_VISITS, dtype=np.int32))
    moments = np.zeros((count, 1, 2, 4))
    sampler.moments(0, moments)
    return legal[int(np.argmax(moments[:, 0, 0, 2]))]
