"""Walks through games for the tests of the learned value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from advisor.games.burgundy import components
from advisor.games.burgundy._state import STATE_DTYPE
from advisor.games.burgundy.setup import castle_cells, new_game
from advisor.learning._net import Net
from advisor.learning._planner import Planner

POSITIONS = Path(__file__).parent.parent.parent / "positions" / "burgundy"
CHANCE, OVER = -1, -2
FIRST = 96
"""Units of a net's first layer; its first row is of the trait 0, which says nothing."""
UNIFORM, GREEDY = 0, 1
TABLES = [(players, edition) for players in (2, 3, 4) for edition in (2011, 2019)]


def table(rng: random.Random, players: int, edition: int = 2019) -> Any:
    """Return a table before the first deal, boards and castles drawn."""
    printed = components.boards_of(edition)
    boards = [rng.choice(list(printed)) for _ in range(players)]
    return new_game(
        players=players,
        edition=edition,
        boards=boards,
        castles=[rng.choice(castle_cells(printed[board])) for board in boards],
        seed=rng.getrandbits(32),
        dealt=False,
    )


def steps(
    rules: Any, state: bytes, rng: random.Random, greedy: float = 0.5
) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield (state, who moves, state after) to the end; a share of the actions is greedy."""
    world = rng.getrandbits(64)
    while (mover := rules.to_move(state)) != OVER:
        if mover == CHANCE:
            after = rules.chance(state, world)
        else:
            policy = GREEDY if rng.random() < greedy else UNIFORM
            after = rules.apply(state, rules.choose(state, policy, rng.getrandbits(64)))
        yield state, mover, after
        state = after


def states(rules: Any, state: bytes, rng: random.Random, greedy: float = 0.5) -> list[bytes]:
    """Return every state of a game, the first and the last included."""
    return [state, *(after for _, _, after in steps(rules, state, rng, greedy))]


def turn_starts(rules: Any, state: bytes, rng: random.Random, greedy: float = 0.5) -> list[bytes]:
    """Return the states in which a turn begins."""
    found, last = [], CHANCE
    for before, mover, _ in steps(rules, state, rng, greedy):
        if mover >= 0 and mover != last:
            found.append(before)
        last = mover
    return found


def field(state: bytes, name: str) -> Any:
    """Return a field of a packed state."""
    return np.frombuffer(state, STATE_DTYPE)[0][name]


def random_net(rules: Any, seed: int = 1, scale: float = 1.0) -> Net:
    """Return a net that says something else about every position, chapters told apart."""
    net = Net(rules.traits + 1, rules.chapters)
    rng = np.random.default_rng(seed)
    numbers = rng.normal(0, 0.1 * scale, net.numbers.size).astype(np.float32)
    numbers[:FIRST] = 0
    return Net(rules.traits + 1, rules.chapters, numbers=numbers)


def zero_net(rules: Any) -> Net:
    """Return a net that adds nothing to what is certain."""
    size = Net(rules.traits + 1, rules.chapters).numbers.size
    return Net(rules.traits + 1, rules.chapters, numbers=np.zeros(size, np.float32))


def ranked(planner: Planner, state: bytes, bounds: tuple[int, int]) -> list[bytes]:
    """Return the ends of the turns from a state, best first."""
    turns = planner.turns(state, width=bounds[0], limit=bounds[1])
    return [end for _, end, _ in sorted(turns, key=lambda turn: -turn[0])]


def margin(points: list[float], seat: int) -> float:
    """Return how far a seat is ahead of the best other one."""
    return points[seat] - max(points[:seat] + points[seat + 1 :])


def fresh_points(rules: Any, net: Net, state: bytes, *, own_score: bool = False) -> list[float]:
    """Return everybody's expected points, put together from their parts and from nothing else."""
    points = []
    for seat in range(rules.players):
        found = rules.certain(state, seat)
        if rules.to_move(state) != OVER:
            traits = rules.describe(state, seat, 0) + rules.describe(state, seat, 1)
            if own_score:
                traits.append(rules.traits)
            found += net(np.array(traits, np.uint16), int(field(state, "phase")))
        points.append(found)
    return points
