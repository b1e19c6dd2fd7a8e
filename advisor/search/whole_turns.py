"""Which whole turns are worth comparing, after a search among the single actions.

Owns the choice: there can be tens of thousands of whole turns, most of them senseless, and the
trees of the first search have learnt much about them already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.core.registry import Position
from advisor.learning._planner import Planner
from advisor.search.candidates import Candidates
from advisor.search.race import Floats

if TYPE_CHECKING:
    from advisor.search.engine import Search

POSITIONS = 50_000
"""Positions of a turn that are looked at."""

DOUBT = 8.0
"""Visits that the average of all turns counts for in the promise of each."""


def promising(search: Search, known: list[list[int]]) -> Candidates:
    """Return the whole turns to compare.

    Args:
        search: a finished search among the actions of the position.
        known: ways of turns it has found good, which must be among them.

    """
    position = search.position
    rules, root = position.rules, position.packed
    planner = Planner(rules, limit=POSITIONS)
    turns = planner.turns(root, limit=POSITIONS)
    chosen: dict[bytes, list[int]] = {}
    for way in known:
        chosen.setdefault(end_of(position, way), way)
    promise = _promise(search, [end for _, end, _ in turns])
    for turn in np.argsort(-promise, kind="stable")[: search.engine.whole_turns]:
        _, end, way = turns[turn]
        chosen.setdefault(end, way)
    notes = []
    if len(chosen) < len(turns):
        total = f"{len(turns):,}" + ("" if planner.complete else " or more")
        notes.append(f"the {len(chosen)} most promising of {total} whole turns were compared")
    seat = search.candidates.seat
    return Candidates(position, seat, list(chosen), list(chosen.values()), True, tuple(notes))


def end_of(position: Position, way: list[int]) -> bytes:
    """Return the tidy packed state that a sequence of actions leads to."""
    state = position.packed
    for action in way:
        state = position.rules.apply(state, action)
    return position.rules.tidy(state)


def _promise(search: Search, ends: list[bytes]) -> Floats:
    """Return a number for each turn that is the higher the more it promises."""
    if search.race is None:  # solved: nothing but points are left to make
        seat = search.candidates.seat
        rules = search.position.rules
        return np.array([rules.returns(state)[0][seat] for state in ends])
    seen = np.zeros((len(ends), 2))
    for sampler in search.race.samplers:
        sampler.recall(ends, seen)
    visits, utility = seen.T
    mean = utility.sum() / max(1.0, visits.sum())
    promise: Floats = (utility + DOUBT * mean) / (visits + DOUBT)
    return promise
