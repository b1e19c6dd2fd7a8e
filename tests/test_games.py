"""Tests that every registered game must pass; a new game gets them for nothing.

Walks random games through the kernel's verbs and the library: legal actions sorted and unique, text
and pack round trips, clones that do not share memory, bounds, determinization that keeps the
observer's view, the same seed giving the same answer.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import advisor
from advisor.core import registry

WALKS = [
    pytest.param(game, players, seed, id=f"{game}-{players}p-{seed}")
    for game in registry.names()
    for players in registry.find(game).PLAYERS
    for seed in (1, 2)
]
MOST_POINTS = 600
MOST_STEPS = 2_000


def walk(game: str, players: int, seed: int) -> Iterator[Any]:
    """Yield every position of a random game."""
    rng = random.Random(seed)
    position: Any = advisor.new_game(game, players=players, seed=seed)
    for _ in range(MOST_STEPS):
        yield position
        if position.to_move is None:
            return
        if position.to_move == "chance":
            position = position.apply(position.sample_chance(rng.getrandbits(64)))
        else:
            position = position.apply(rng.choice(position.actions()))
    pytest.fail("the game does not end")


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_legal_actions_are_sorted_unique_and_bounded(game: str, players: int, seed: int) -> None:
    for position in walk(game, players, seed):
        codes = position.rules.legal(position.packed)
        assert codes == sorted(set(codes))
        assert len(codes) <= position.rules.max_actions
        assert bool(codes) == (position.to_move not in (None, "chance"))
        texts = [str(action) for action in position.actions()]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_action_texts_lead_to_the_same_position_as_their_codes(
    game: str, players: int, seed: int
) -> None:
    rng = random.Random(seed)
    for position in walk(game, players, seed):
        for action in rng.sample(position.actions(), min(3, len(position.actions()))):
            by_code = position.rules.apply(position.packed, action.code)
            after = position.apply(str(action).upper().replace(" ", "  "))
            assert after == position.apply(action)
            assert position.rules.to_move(by_code) == position.rules.to_move(after.packed)


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_text_and_pack_round_trips_keep_the_position(game: str, players: int, seed: int) -> None:
    for number, position in enumerate(walk(game, players, seed)):
        if number % 7 == 0:
            again: Any = advisor.loads(position.dump())
            assert again == position
            assert hash(again) == hash(position)
            assert again.packed == position.packed
            assert again.rules.legal(again.packed) == position.rules.legal(position.packed)


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_playing_on_leaves_the_earlier_state_untouched(game: str, players: int, seed: int) -> None:
    past = []
    for position in walk(game, players, seed):
        past.append((position, bytes(position.packed), hash(position)))
    for position, packed, hashed in past:
        assert position.packed == packed
        assert hash(position) == hashed


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_determinizing_keeps_what_everybody_sees(game: str, players: int, seed: int) -> None:
    for number, position in enumerate(walk(game, players, seed)):
        if number % 11 == 0 and position.to_move not in (None, "chance"):
            for world in range(3):
                state = position.rules.determinize(position.packed, world % players, world)
                assert position.rules.legal(state) == position.rules.legal(position.packed)
                assert position.rules.returns(state) == position.rules.returns(position.packed)
                action = position.actions()[0]
                after = position.rules.apply(state, action.code)
                assert position.view(after) == position.apply(action)


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_chance_depends_on_the_world_and_not_on_what_was_played(
    game: str, players: int, seed: int
) -> None:
    """Two different games in the same world meet the same luck."""
    met = []
    for choice in (0, -1):
        position: Any = advisor.new_game(game, players=players, seed=seed)
        texts = []
        while position.to_move is not None:
            if position.to_move == "chance":
                texts.append(position.sample_chance(99))
                position = position.apply(texts[-1])
            else:
                position = position.apply(position.actions()[choice])
        met.append(texts)
    assert met[0] == met[1]
    assert len(set(met[0])) > 5


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_scores_stay_within_bounds_and_the_end_has_one_winner(
    game: str, players: int, seed: int
) -> None:
    last: Any = None
    for position in walk(game, players, seed):
        assert all(0 <= score <= MOST_POINTS for score in position.scores().values())
        last = position
    assert last.to_move is None
    assert last.actions() == []
    assert last.winner() in last.names
    with pytest.raises(advisor.ActionError, match="over"):
        last.apply("end")


@pytest.mark.parametrize(("game", "players", "seed"), WALKS)
def test_the_same_seed_gives_the_same_playouts(game: str, players: int, seed: int) -> None:
    position = advisor.new_game(game, players=players, seed=seed)
    one = advisor.simulate(position, 500, seed=seed, threads=1)
    two = advisor.simulate(position, 500, seed=seed, threads=3)
    other = advisor.simulate(position, 500, seed=seed + 1)
    assert (one.scores == two.scores).all()
    assert (one.wins == two.wins).all()
    assert (one.scores != other.scores).any()
    assert (one.wins.sum(axis=1) == 1).all()


@pytest.mark.parametrize("game", registry.names())
def test_a_new_game_is_the_same_for_the_same_seed(game: str) -> None:
    assert advisor.new_game(game, seed=5) == advisor.new_game(game, seed=5)
    assert advisor.new_game(game, seed=5) != advisor.new_game(game, seed=6)
