"""The kernel against the literal reference engine: equal legal sets and equal positions.

Both engines play the same random games, the reference drawing the luck; after every action the
legal sets and the whole positions must be equal. Games go over 2-4 players, both editions, all
boards and castle cells. A run can be biased to place tiles, or random games would rarely fill an
estate.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

from advisor.core.loading import loads
from advisor.games.burgundy import components
from advisor.games.burgundy.setup import NAMES, new_game
from tests.burgundy.canonical import canonical
from tests.reference.engine import Game

DECISIONS = int(os.environ.get("ADVISOR_WALK_DECISIONS", "24000"))
PARTS = 24


def uniform(legal: list[str], rng: random.Random) -> str:
    return rng.choice(legal)


def builder(legal: list[str], rng: random.Random) -> str:
    """Prefer placing, then buying and taking: estates fill, effects chain, regions complete."""
    places = [text for text in legal if "place " in text]
    if places and rng.random() < 0.9:
        return rng.choice(places)
    gains = [text for text in legal if "take " in text or text.startswith(("buy", "load"))]
    if gains and rng.random() < 0.75:
        return rng.choice(gains)
    return rng.choice(legal)


CHOOSERS: list[Callable[[list[str], random.Random], str]] = [uniform, builder]


def walk(rng: random.Random, *, choose: Callable[[list[str], random.Random], str]) -> int:
    """Play one game in both engines; return the number of decisions compared."""
    players = rng.choice([2, 3, 4])
    edition = rng.choice([2011, 2019])
    printed = components.boards_of(edition)
    numbers = [rng.choice(list(printed)) for _ in range(players)]
    castles = [
        components.CELLS[rng.choice(components.boards()[printed[number]].cells_of(4))]
        for number in numbers
    ]
    position = new_game(
        players=players,
        boards=numbers,
        edition=edition,
        castles=castles,
        seed=rng.getrandbits(32),
        dealt=False,
    )
    assert position.names == list(NAMES[:players])
    game = Game.from_dict(canonical(position))
    decisions = 0
    while True:
        assert game.to_move == position.to_move
        if position.to_move is None:
            break
        if position.to_move == "chance":
            roll = position.stage == "roll"
            text = game.random_roll(rng) if roll else game.random_deal(rng)
        else:
            legal = [str(action) for action in position.actions()]
            assert sorted(legal) == game.legal(), position.dump()
            text = choose(legal, rng)
            decisions += 1
        before = position
        position = position.apply(text)
        game.apply(text)
        assert canonical(position) == game.to_dict(), f"{text}\n{before.dump()}"
        if rng.random() < 0.02:
            assert loads(position.dump()) == position
    assert position.scores() == game.scores()
    assert position.winner() == game.winner()
    return decisions


@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_reference_agree_on_random_games(part: int) -> None:
    rng = random.Random(20260000 + part)
    decisions = 0
    while decisions < DECISIONS / PARTS:
        decisions += walk(rng, choose=CHOOSERS[decisions % 2])
    assert decisions >= DECISIONS / PARTS
