"""The value: certain points plus what the net adds, the same however it was looked up."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from advisor.learning._net import Net
from advisor.learning._planner import Planner
from advisor.learning._value import Value
from tests.learning import (
    OVER,
    TABLES,
    field,
    margin,
    random_net,
    states,
    table,
    turn_starts,
    zero_net,
)


def literal(rules: Any, net: Net, state: bytes) -> list[float]:
    """Return everybody's expected points, put together from their parts."""
    points = []
    for seat in range(rules.players):
        found = rules.certain(state, seat)
        if rules.to_move(state) != OVER:
            traits = rules.describe(state, seat, 0) + rules.describe(state, seat, 1)
            found += net(np.array(traits, np.uint16), int(field(state, "phase")))
        points.append(found)
    return points


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_the_value_is_what_is_certain_and_what_the_net_adds(players: int, edition: int) -> None:
    rng = random.Random(players * edition)
    position = table(rng, players, edition)
    rules = position.rules
    net = random_net(rules, scale=3)
    value = Value(rules, net)
    seen = set()
    for state in states(rules, position.packed, rng):
        found = value.points(state)
        assert found == pytest.approx(literal(rules, net, state), rel=1e-4, abs=1e-3)
        seen.update(found)
    assert len(seen) > 300


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_a_net_of_zeros_leaves_the_certain_points(players: int, edition: int) -> None:
    rng = random.Random(players + edition)
    position = table(rng, players, edition)
    rules = position.rules
    value = Value(rules, zero_net(rules))
    for state in states(rules, position.packed, rng):
        assert value.points(state) == [rules.certain(state, seat) for seat in range(players)]


def test_a_finished_game_is_worth_its_score_whatever_the_net_says() -> None:
    rng = random.Random(1)
    for players in (2, 3, 4):
        position = table(rng, players)
        end = states(position.rules, position.packed, rng)[-1]
        value = Value(position.rules, random_net(position.rules, scale=9))
        assert value.points(end) == position.rules.returns(end)[0]


def test_what_was_looked_at_before_does_not_matter() -> None:
    """A value keeps sums of the position it watched; the next question starts anew."""
    rng = random.Random(2)
    position = table(rng, 3)
    rules = position.rules
    net = random_net(rules)
    kept = Value(rules, net)
    walk = states(rules, position.packed, rng)
    for state in rng.sample(walk, len(walk) // 3):
        assert kept.points(state) == Value(rules, net).points(state)


@pytest.mark.parametrize(("players", "edition"), TABLES)
@pytest.mark.parametrize("own_score", [False, True])
def test_an_end_of_a_turn_is_worth_what_a_fresh_look_says(
    players: int, edition: int, own_score: bool
) -> None:
    """Within a turn only the mover's own part is described anew; nothing else may go stale."""
    rng = random.Random(players * edition + own_score)
    position = table(rng, players, edition)
    rules = position.rules
    net = random_net(rules)
    planner = Planner(rules, Value(rules, net), 400, own_score=own_score)
    fresh = Value(rules, net)
    judged = 0
    for start in rng.sample(turn_starts(rules, position.packed, rng), 20):
        seat = rules.to_move(start)
        for worth, end, _ in planner.turns(start, limit=400):
            points = fresh.points(end)
            wanted = points[seat] if own_score else margin(points, seat)
            assert worth == pytest.approx(wanted, rel=1e-5, abs=1e-3)
            judged += 1
    assert judged > 2_000
    assert planner.leaves == judged


def test_a_net_of_another_game_is_refused() -> None:
    rules = table(random.Random(3), 2).rules
    for net in (Net(rules.traits + 1, rules.chapters), Net(rules.traits, rules.chapters - 1)):
        with pytest.raises(ValueError, match="not made for this game"):
            Value(rules, net)


def test_a_state_of_another_length_is_refused() -> None:
    rules = table(random.Random(3), 2).rules
    with pytest.raises(ValueError, match="a packed state has"):
        Value(rules, zero_net(rules)).points(b"short")
