"""Whole turns: all of them, each once, replayable, and never swallowed by a bound."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.games.burgundy import _state as k
from advisor.learning._planner import Planner
from advisor.learning._value import Value
from tests.learning import (
    CHANCE,
    OVER,
    POSITIONS,
    TABLES,
    field,
    random_net,
    steps,
    table,
    turn_starts,
    zero_net,
)

SMALL = [
    "crowded-storage",
    "edition-2011",
    "end-of-phase",
    "four-players",
    "opening",
    "ship-with-full-hold",
]
"""Shipped positions whose turns are few enough to be followed one by one in Python."""
LARGE = [
    "castle-chain",
    "last-round",
    "midgame",
    "monastery-six-purchase",
    "purchase",
    "second-turn-of-the-round",
    "three-players",
]


def shipped(name: str) -> tuple[Any, bytes]:
    position = advisor.load(POSITIONS / f"{name}.yaml")
    return position.rules, position.packed


def literal_ends(rules: Any, state: bytes) -> set[bytes]:
    """Follow every sequence of actions to the end of the turn; return where they lead, tidy."""
    seat, met, ends = rules.to_move(state), {state}, set()
    left = [state]
    while left:
        here = left.pop()
        if rules.to_move(here) != seat:
            ends.add(rules.tidy(here))
            continue
        for action in rules.legal(here):
            after = rules.apply(here, action)
            if after not in met:
                met.add(after)
                left.append(after)
    return ends


def replayed(rules: Any, state: bytes, way: list[int]) -> bytes:
    """Play the actions one by one, all of them legal; return where they lead, tidy."""
    seat = rules.to_move(state)
    for action in way:
        assert rules.to_move(state) == seat
        assert action in rules.legal(state)
        state = rules.apply(state, action)
    return bytes(rules.tidy(state))


@pytest.mark.parametrize("name", SMALL)
def test_the_turns_are_those_that_single_actions_lead_to(name: str) -> None:
    rules, start = shipped(name)
    planner = Planner(rules)
    ends = [end for _, end, _ in planner.turns(start)]
    assert planner.complete
    assert len(set(ends)) == len(ends)
    assert set(ends) == literal_ends(rules, start)


@pytest.mark.parametrize("name", SMALL + LARGE)
def test_a_turn_can_be_replayed_and_stops_before_any_chance(name: str) -> None:
    rules, start = shipped(name)
    seat, events = rules.to_move(start), rules.chances(start)
    turns = Planner(rules).turns(start)
    assert turns
    for _, end, way in random.Random(1).sample(turns, min(len(turns), 150)):
        assert replayed(rules, start, way) == end
        assert rules.to_move(end) != seat
        assert rules.chances(end) == events or rules.to_move(end) == OVER


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_turns_go_on_from_the_middle_and_from_pending_effects(players: int, edition: int) -> None:
    rng = random.Random(players + edition)
    seen = {"start": 0, "middle": 0, "effect": 0}
    while min(seen.values()) < 4:
        position = table(rng, players, edition)
        rules, last = position.rules, CHANCE
        for state, mover, _ in steps(rules, position.packed, rng):
            kind = "effect" if field(state, "pending") else "middle"
            kind = "start" if mover != last else kind
            last = mover
            if mover < 0 or seen[kind] >= 4 or rng.random() < 0.8:
                continue
            planner = Planner(rules, limit=600)
            ends = [end for _, end, _ in planner.turns(state, limit=600)]
            if planner.complete:
                assert set(ends) == literal_ends(rules, state)
                assert len(set(ends)) == len(ends)
                seen[kind] += 1


def test_the_last_turn_of_a_game_leads_to_its_end() -> None:
    rng = random.Random(4)
    for players, edition in TABLES:
        position = table(rng, players, edition)
        rules = position.rules
        start = turn_starts(rules, position.packed, rng)[-1]
        turns = Planner(rules, Value(rules, zero_net(rules)), 2_000).turns(start, limit=2_000)
        assert turns
        seat = rules.to_move(start)
        for worth, end, _ in turns:
            assert rules.to_move(end) == OVER
            points = rules.returns(end)[0]
            assert worth == points[seat] - max(points[:seat] + points[seat + 1 :])


def test_the_way_to_an_end_is_one_of_the_shortest() -> None:
    rules, start = shipped("end-of-phase")
    seat, level, length = rules.to_move(start), {rules.tidy(start)}, 0
    shortest: dict[bytes, int] = {}
    while level:
        length += 1
        after = {rules.tidy(rules.apply(s, action)) for s in level for action in rules.legal(s)}
        for end in after:
            if rules.to_move(end) != seat:
                shortest.setdefault(end, length)
        level = {s for s in after if rules.to_move(s) == seat}
    found = {end: len(way) for _, end, way in Planner(rules).turns(start)}
    assert found == shortest


# --- Forced actions


def forced_in(rules: Any, state: bytes, way: list[int]) -> list[int]:
    """Return the actions of a turn, but for its first, that were the only legal ones."""
    found = []
    for number, action in enumerate(way):
        if number and rules.legal(state) == [action]:
            found.append(action)
        state = rules.apply(state, action)
    return found


def check_turns(rules: Any, state: bytes, limit: int) -> tuple[int, list[int]]:
    """Compare the turns with what single actions lead to; return their number and what was forced.

    Nothing is compared where the limit is reached.
    """
    planner = Planner(rules, limit=limit)
    turns = planner.turns(state, limit=limit)
    if not planner.complete:
        return 0, []
    seat = rules.to_move(state)
    ends = [end for _, end, _ in turns]
    assert len(set(ends)) == len(ends)
    assert set(ends) == literal_ends(rules, state)
    forced = []
    for _, end, way in turns:
        assert replayed(rules, state, way) == end
        assert rules.to_move(end) != seat
        forced += forced_in(rules, state, way)
    return len(turns), forced


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_actions_without_a_choice_are_listed_like_all_others(players: int, edition: int) -> None:
    """Most often it is the end of the turn that is the only legal action."""
    rng = random.Random(7 * players + edition)
    checked = leaving = taken = 0
    while checked < 12:
        position = table(rng, players, edition)
        rules = position.rules
        for state, mover, _ in steps(rules, position.packed, rng):
            if mover >= 0 and rng.random() < 0.1:
                turns, forced = check_turns(rules, state, 250)
                checked += turns > 1
                leaving += sum(action >> k.KIND_SHIFT == k.END_TURN for action in forced)
                taken += turns
    assert 0 < leaving <= taken


def bare(state: bytes, seat: int) -> bytes:
    """Return a state with empty depots, in which a seat has nothing to place or to sell."""
    copy = np.frombuffer(bytearray(state), k.STATE_DTYPE)
    for name in ("slots", "depot_goods", "offered"):
        copy[0][name] = 0
    for name in ("storage", "goods"):
        copy[0][name][seat] = 0
    return copy.tobytes()


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_a_turn_may_be_forced_from_its_first_action_to_its_last(players: int, edition: int) -> None:
    """With nothing to take, place or sell, dice are good for workers only (2019 p. 8)."""
    rng = random.Random(players + 5 * edition)
    position = table(rng, players, edition)
    rules = position.rules
    lengths = []
    for start in rng.sample(turn_starts(rules, position.packed, rng), 15):
        seat = rules.to_move(start)
        state = bare(start, seat)
        ((_, end, way),) = Planner(rules).turns(state)
        assert {end} == literal_ends(rules, state)
        assert replayed(rules, state, way) == end
        kinds = [action >> k.KIND_SHIFT for action in way]
        assert kinds == [k.WORKERS, k.WORKERS, k.END_TURN]
        lengths.append(len(forced_in(rules, state, way)))
    assert set(lengths) == {2}


def test_a_castle_that_only_gives_workers_is_forced_in_the_midst_of_a_turn() -> None:
    """What is forced is followed by a choice again: the die that is left, if it can do anything."""
    rng = random.Random(9)
    found: list[int] = []
    compared = 0
    for players, edition in TABLES * 3:
        position = table(rng, players, edition)
        rules = position.rules
        for state, mover, _ in steps(rules, position.packed, rng, 0.9):
            if mover < 0 or rng.random() < 0.7:
                continue
            copy = np.frombuffer(bytearray(bare(state, mover)), k.STATE_DTYPE)
            copy[0]["pending"] = 0
            copy[0]["storage"][mover][:2] = [k.CASTLE, k.MINE]
            turns, forced = check_turns(rules, copy.tobytes(), 250)
            compared += turns
            found += [action >> k.KIND_SHIFT for action in forced]
    assert compared > 500
    assert found.count(k.FREE_WORKERS) > 20
    assert found.count(k.WORKERS) > 20


def test_a_forced_action_does_not_swallow_a_bound() -> None:
    rng = random.Random(10)
    position = table(rng, 2)
    rules = position.rules
    for start in rng.sample(turn_starts(rules, position.packed, rng), 12):
        everything = {end for _, end, _ in Planner(rules, limit=60_000).turns(start, limit=60_000)}
        for limit in (1, 2, 5, 30, 200):
            turns = Planner(rules, limit=limit).turns(start, limit=limit)
            assert turns
            for _, end, way in turns:
                assert end in everything
                assert replayed(rules, start, way) == end


# --- Bounds


def reachable(rules: Any, start: bytes) -> dict[int, set[bytes]]:
    """Return for every first action the ends it can lead to."""
    return {
        action: literal_ends(rules, after)
        if rules.to_move(after := rules.apply(start, action)) == rules.to_move(start)
        else {rules.tidy(after)}
        for action in rules.legal(start)
    }


@pytest.mark.parametrize("name", ["end-of-phase", "opening", "ship-with-full-hold"])
def test_a_bound_swallows_no_beginning(name: str) -> None:
    rules, start = shipped(name)
    first = reachable(rules, start)
    for limit in (2, 3, 5, 20, 100, 300, 1_000):
        planner = Planner(rules, limit=limit)
        ends = {end for _, end, _ in planner.turns(start, limit=limit)}
        assert ends
        assert all(ends & led for led in first.values()), limit


@pytest.mark.parametrize(
    ("name", "limit", "texts"),
    [
        ("purchase", 6_000, ["* place city hall a3", "* place city hall e5"]),
        ("monastery-six-purchase", 6_000, ["1>3 take carpenter from 3", "1>4 take ship from 4"]),
    ],
)
def test_a_bound_reached_in_long_turns_swallows_no_beginning(
    name: str, limit: int, texts: list[str]
) -> None:
    """Thousands of positions are left when the bound is reached; each must be played to its end."""
    position: Any = advisor.load(POSITIONS / f"{name}.yaml")
    rules = position.rules
    planner = Planner(rules, limit=limit)
    ends = {end for _, end, _ in planner.turns(position.packed, limit=limit)}
    assert not planner.complete
    for text in texts:
        after = position.apply(text).packed
        led = {end for _, end, _ in Planner(rules, limit=60_000).turns(after, limit=60_000)}
        assert ends & led, text


@pytest.mark.parametrize("name", LARGE)
def test_a_bound_leaves_turns_that_can_be_played(name: str) -> None:
    rules, start = shipped(name)
    everything = {end for _, end, _ in Planner(rules, limit=150_000).turns(start, limit=150_000)}
    before = 0
    for limit in (1, 50, 1_000):
        planner = Planner(rules, limit=limit)
        turns = planner.turns(start, limit=limit)
        assert not planner.complete
        assert {end for _, end, _ in turns} <= everything
        assert len(turns) > before
        before = len(turns)
        for _, end, way in turns[::20]:
            assert replayed(rules, start, way) == end


def test_the_least_bound_plays_the_turn_of_the_best_policy() -> None:
    rules, start = shipped("midgame")
    ((_, end, way),) = Planner(rules, limit=1).turns(start, limit=1)
    state = start
    for action in way:
        assert action == rules.choose(state, rules.policies - 1, 0)
        state = rules.tidy(rules.apply(state, action))
    assert state == end


@pytest.mark.parametrize("name", SMALL + LARGE)
def test_a_wider_look_keeps_what_a_narrow_one_follows(name: str) -> None:
    rules, start = shipped(name)
    planner = Planner(rules)
    before: set[bytes] = set()
    for width in (1, 2, 4):
        turns = planner.turns(start, width=width)
        assert planner.complete
        ends = {end for _, end, _ in turns}
        assert before <= ends
        assert len({way[0] for _, _, way in turns}) <= width
        before = ends
    assert len(planner.turns(start, width=1)) == 1


def test_a_narrow_look_follows_what_the_quick_judgement_likes() -> None:
    """The greedy player plays by the same judgement: nearly always it plays the only one kept."""
    rng = random.Random(6)
    agreed = asked = 0
    for players, edition in TABLES:
        position = table(rng, players, edition)
        rules = position.rules
        planner = Planner(rules, limit=100)
        for start in turn_starts(rules, position.packed, rng, greedy=1.0):
            if len(rules.legal(start)) > 4:
                ((_, _, way),) = planner.turns(start, width=1)
                agreed += way[0] == rules.choose(start, 1, 0)
                asked += 1
    assert asked > 200
    assert agreed > 0.9 * asked


# --- Worths


def test_the_best_turn_of_a_wide_look_is_at_least_as_good_as_that_of_a_narrow_one() -> None:
    rng = random.Random(7)
    position = table(rng, 2)
    rules = position.rules
    planner = Planner(rules, Value(rules, random_net(rules)), 2_000)
    starts = turn_starts(rules, position.packed, rng)
    better = 0
    for start in starts[::4]:
        narrow = max(worth for worth, _, _ in planner.turns(start, width=3, limit=2_000))
        wide = max(worth for worth, _, _ in planner.turns(start, limit=2_000))
        if planner.complete:
            assert wide >= narrow
            better += wide > narrow
    assert better > 3


def test_the_best_turn_alone_is_the_best_of_all() -> None:
    rng = random.Random(8)
    position = table(rng, 3)
    rules = position.rules
    planner = Planner(rules, Value(rules, random_net(rules)), 500)
    for start in turn_starts(rules, position.packed, rng)[::6]:
        turns = planner.turns(start, width=5, limit=500)
        worth, way = planner.best(start, width=5, limit=500)
        assert worth == max(other for other, _, _ in turns)
        assert replayed(rules, start, way) in {end for other, end, _ in turns if other == worth}


def test_without_a_value_turns_are_found_and_not_judged() -> None:
    rules, start = shipped("opening")
    planner = Planner(rules)
    assert {worth for worth, _, _ in planner.turns(start)} == {0.0}
    assert planner.leaves == 0


# --- What is refused


def test_where_nobody_decides_there_are_no_turns() -> None:
    rules, start = shipped("waiting-for-the-roll")
    with pytest.raises(ValueError, match="nobody decides"):
        Planner(rules).turns(start)
    with pytest.raises(ValueError, match="nobody decides"):
        Planner(rules).best(start)
    with pytest.raises(ValueError, match="a packed state has"):
        Planner(rules).turns(start[:-1])


def test_a_bound_must_leave_room_for_a_turn() -> None:
    rules, _ = shipped("opening")
    with pytest.raises(ValueError, match="room for a turn"):
        Planner(rules, limit=0)
