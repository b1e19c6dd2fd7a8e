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
    TABLES,
    field,
    fresh_points,
    margin,
    random_net,
    states,
    table,
    turn_starts,
    zero_net,
)


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
        assert found == fresh_points(rules, net, state)
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
    planner = Planner(rules, kept, 100)
    walk = states(rules, position.packed, rng)
    for state in rng.sample(walk, len(walk) // 3):
        assert kept.points(state) == Value(rules, net).points(state)
        if rules.to_move(state) >= 0:
            turns = planner.turns(state, limit=20)
            assert turns == Planner(rules, Value(rules, net), 100).turns(state, limit=20)


# --- Turns are judged by what they change


def worth_of(rules: Any, points: list[float], seat: int, own_score: bool) -> float:
    """Return what an end of a turn is worth to a seat, in the planner's single precision."""
    return float(np.float32(points[seat] if own_score else margin(points, seat)))


def interesting(rules: Any, starts: list[bytes], rng: random.Random) -> list[bytes]:
    """Return some turns, among them every one that ends a phase or the game."""
    last = [s for s in starts if field(s, "round") == 4 and field(s, "turn") == rules.players - 1]
    assert len(last) == 5
    return last + rng.sample(starts, 20)


@pytest.mark.parametrize(("players", "edition"), TABLES)
@pytest.mark.parametrize("own_score", [False, True])
def test_an_end_of_a_turn_is_worth_what_a_fresh_look_says(
    players: int, edition: int, own_score: bool
) -> None:
    """Only what a turn changes is looked at anew; nothing else may go stale, to the last digit."""
    rng = random.Random(players * edition + own_score)
    position = table(rng, players, edition)
    rules = position.rules
    net = random_net(rules)
    planner = Planner(rules, Value(rules, net, own_score=own_score), 400)
    fresh = Value(rules, net, own_score=own_score)
    judged = closing = 0
    starts = turn_starts(rules, position.packed, rng)
    for start in interesting(rules, starts, rng):
        seat = rules.to_move(start)
        turns = planner.turns(start, limit=400)
        for worth, end, _ in turns:
            assert worth == worth_of(rules, fresh.points(end), seat, own_score)
        for worth, end, _ in rng.sample(turns, min(len(turns), 25)):
            points = fresh_points(rules, net, end, own_score=own_score)
            assert worth == worth_of(rules, points, seat, own_score)
            closing += field(end, "phase") != field(start, "phase")
        judged += len(turns)
    assert judged > 2_000
    assert planner.leaves == judged
    assert closing > 20


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_it_does_not_matter_from_where_a_turn_is_watched(players: int, edition: int) -> None:
    """The first end that is found is watched: another one from every position and every width."""
    rng = random.Random(players + 3 * edition)
    position = table(rng, players, edition)
    rules = position.rules
    net = random_net(rules, scale=2)
    value = Value(rules, net)
    planner = Planner(rules, value, 300)
    compared = firsts = 0
    for start in interesting(rules, turn_starts(rules, position.packed, rng), rng):
        seat = rules.to_move(start)
        turns = planner.turns(start, limit=300)
        worths = {end: worth for worth, end, _ in turns}
        watched = {turns[0][1]}
        for _, _, way in rng.sample(turns, min(len(turns), 4)):
            state = start
            for action in way[:-1]:
                state = rules.apply(state, action)
                found = planner.turns(state, width=rng.randint(1, 9), limit=80)
                watched.add(found[0][1])
                for worth, end, _ in found:
                    if end not in worths:
                        points = fresh_points(rules, net, end)
                        worths[end] = worth_of(rules, points, seat, own_score=False)
                    else:
                        compared += 1
                    assert worth == worths[end]
        firsts += len(watched)
    assert compared > 1_000
    assert firsts > 80


def test_the_others_are_judged_anew_where_a_turn_changes_what_they_see() -> None:
    """What the net said of the others is kept within a turn, as long as they see the same."""
    rng = random.Random(12)
    differing = alike = 0
    for players, edition in TABLES:
        position = table(rng, players, edition)
        rules = position.rules
        net = random_net(rules, seed=edition, scale=2)
        planner = Planner(rules, Value(rules, net), 1_500)
        for start in rng.sample(turn_starts(rules, position.packed, rng), 12):
            seat = rules.to_move(start)
            turns = planner.turns(start, limit=1_500)
            seen: set[tuple[float, ...]] = set()
            for worth, end, _ in rng.sample(turns, min(len(turns), 50)):
                points = fresh_points(rules, net, end)
                assert worth == worth_of(rules, points, seat, own_score=False)
                told = tuple(p - rules.certain(end, i) for i, p in enumerate(points) if i != seat)
                alike += told in seen
                seen.add(told)
            differing += len(seen) - 1
    assert differing > 500
    assert alike > 500


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_who_plays_for_his_own_points_has_a_trait_of_that(players: int, edition: int) -> None:
    rng = random.Random(players + edition)
    position = table(rng, players, edition)
    rules = position.rules
    net = random_net(rules)
    margins, own = Value(rules, net), Value(rules, net, own_score=True)
    assert (margins.own_score, own.own_score) == (False, True)
    differing = 0
    for state in rng.sample(states(rules, position.packed, rng), 60):
        assert margins.points(state) == fresh_points(rules, net, state)
        assert own.points(state) == fresh_points(rules, net, state, own_score=True)
        differing += margins.points(state) != own.points(state)
    assert differing > 55


def test_a_net_of_another_game_is_refused() -> None:
    rules = table(random.Random(3), 2).rules
    shapes = [(0, 0), (2, 0), (1, -1), (1, 1)]
    for net in (Net(rules.traits + more, rules.chapters + other) for more, other in shapes):
        with pytest.raises(ValueError, match="not made for this game"):
            Value(rules, net)


def test_a_state_of_another_length_is_refused() -> None:
    rules = table(random.Random(3), 2).rules
    with pytest.raises(ValueError, match="a packed state has"):
        Value(rules, zero_net(rules)).points(b"short")
