"""The greedy player of the kernel: always legal, the same everywhere, moved by its weights."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from advisor.games.burgundy import components
from advisor.games.burgundy import pack as packing
from advisor.games.burgundy.setup import castle_cells, new_game

UNIFORM, GREEDY = 0, 1
WALKS = [
    (players, edition, share)
    for players in (2, 3, 4)
    for edition in (2011, 2019)
    for share in (0.0, 0.5, 1.0)
]


def start(rng: random.Random, players: int, edition: int) -> Any:
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


def decisions(rules: Any, state: bytes, rng: random.Random, greedy: float) -> Iterator[bytes]:
    """Yield the states in which somebody decides, of a game in which a share plays greedily."""
    world = rng.getrandbits(64)
    while (mover := rules.to_move(state)) != -2:
        if mover < 0:
            state = rules.chance(state, world)
            continue
        yield state
        policy = GREEDY if rng.random() < greedy else UNIFORM
        state = rules.apply(state, rules.choose(state, policy, rng.getrandbits(64)))


@pytest.mark.parametrize(("players", "edition", "share"), WALKS)
def test_what_greedy_chooses_is_always_legal(players: int, edition: int, share: float) -> None:
    rng = random.Random(f"{players} {edition} {share}")
    asked = 0
    for _ in range(8):
        position = start(rng, players, edition)
        rules = position.rules
        for state in decisions(rules, position.packed, rng, share):
            assert rules.choose(state, GREEDY, rng.getrandbits(64)) in rules.legal(state), (
                position.view(state).dump()
            )
            asked += 1
    assert asked > 500


def test_greedy_needs_no_luck_and_leaves_the_state_alone() -> None:
    rng = random.Random(3)
    position = start(rng, 3, 2019)
    for state in decisions(position.rules, position.packed, rng, 0.7):
        before = bytes(bytearray(state))
        chosen = {position.rules.choose(state, GREEDY, seed) for seed in range(5)}
        assert len(chosen) == 1
        assert state == before


def playouts(rules: Any, state: bytes, count: int, *, policy: int, seed: int) -> dict[str, Any]:
    found = {
        "scores": np.zeros((count, rules.players), np.int32),
        "wins": np.zeros((count, rules.players), np.uint8),
        "points": np.zeros((count, rules.players, rules.sources), np.int32),
        "decisions": np.zeros(count, np.int32),
    }
    rules.playouts(state, *found.values(), policy=policy, seed=seed, first=0)
    return found


@pytest.mark.parametrize(("players", "edition"), [(2, 2019), (3, 2011), (4, 2019)])
def test_a_greedy_playout_is_choosing_and_applying_again_and_again(
    players: int, edition: int
) -> None:
    from advisor._fastsim import substream

    rng = random.Random(players)
    for seed in range(12):
        position = start(rng, players, edition)
        rules = position.rules
        played = playouts(rules, position.packed, 3, policy=GREEDY, seed=seed)
        for row in range(3):
            world = substream(seed, row)
            state, count = rules.determinize(position.packed, 0, world), 0
            while (mover := rules.to_move(state)) != -2:
                if mover < 0:
                    state = rules.chance(state, world)
                else:
                    state = rules.apply(state, rules.choose(state, GREEDY, 0))
                    count += 1
            points, wins = rules.returns(state)
            assert played["scores"][row].tolist() == points
            assert played["wins"][row].tolist() == wins
            assert played["points"][row].tolist() == rules.points(state)
            assert played["decisions"][row] == count


def test_greedy_scores_far_more_than_chance() -> None:
    rules = new_game(players=2, dealt=False).rules
    state = new_game(players=2, dealt=False).packed
    greedy = playouts(rules, state, 300, policy=GREEDY, seed=1)["scores"].mean()
    random_ = playouts(rules, state, 300, policy=UNIFORM, seed=1)["scores"].mean()
    assert greedy > random_ + 60


def test_every_tile_has_a_weight_in_every_phase() -> None:
    placed, others = components.greedy_weights()
    assert len(placed) == len(components.phases())
    for weights in placed:
        assert weights.keys() == components.tiles().keys()
        assert all(np.isfinite(value) for value in weights.values())
    assert all(np.isfinite(value) for value in others.values())


def fresh_rules() -> Any:
    """Return rules of their own: the shared ones must keep their weights."""
    template = new_game(players=2, dealt=False)
    boards = tuple(player.board for player in template.players)
    return packing.rules_for.__wrapped__(template.edition, template.tie_break, boards)


def choices(rules: Any) -> list[int]:
    """Return what greedy would do in the decisions of some games, which do not depend on it."""
    plain = new_game(players=2, dealt=False)
    rng = random.Random(5)
    found = []
    for _ in range(6):
        for state in decisions(plain.rules, plain.packed, rng, 0.6):
            found.append(rules.choose(state, GREEDY, 0))
    return found


def test_a_changed_weight_changes_what_greedy_does() -> None:
    placed, others = components.greedy_weights()
    usual = choices(fresh_rules())
    same = fresh_rules()
    same.set_weights(placed, others)
    assert choices(same) == usual
    for name in others:
        more, less = fresh_rules(), fresh_rules()
        more.set_weights(placed, others | {name: others[name] + 20.0})
        less.set_weights(placed, others | {name: others[name] - 20.0})
        assert usual != choices(more) or usual != choices(less), name
    mine = components.tile_numbers()["mine"]
    changed = fresh_rules()
    changed.set_weights([weights | {mine: 50.0} for weights in placed], others)
    assert choices(changed) != usual


def test_a_weight_that_is_missing_is_an_error_and_not_a_zero() -> None:
    placed, others = components.greedy_weights()
    for name in others:
        rest = {other: value for other, value in others.items() if other != name}
        with pytest.raises(KeyError, match=name):
            fresh_rules().set_weights(placed, rest)
