"""Tests of what is compared at the root: legal actions, or distinct whole turns.

Whole turns are checked against an enumeration that plays every action through `Position.apply`.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

import advisor
from advisor.learning._planner import Planner
from advisor.search.candidates import legal_actions
from tests.search import FORCED, asked, over, shipped, waiting_for_the_deal, with_engine

SMALL = ["opening", "end-of-phase"]
"""Shipped positions with few whole turns."""


@functools.cache
def brute_force(name: str) -> dict[Any, int]:
    """Return every position a whole turn ends in, with the fewest actions to get there."""
    position = shipped(name)
    player = position.to_move
    ends: dict[Any, int] = {}
    front, steps = {position}, 0
    while front:
        steps += 1
        reached = {here.apply(action) for here in front for action in here.actions()}
        for here in reached:
            if here.to_move != player:
                ends.setdefault(here, steps)
        front = {here for here in reached if here.to_move == player}
    return ends


def after(position: Any, way: list[int]) -> Any:
    """Return the position after actions, played by their texts."""
    for code in way:
        position = position.apply(position.action_text(code))
    return position


def played(position: Any, texts: Sequence[str]) -> Any:
    """Return the position after actions."""
    for text in texts:
        position = position.apply(text)
    return position


# Single actions.


def test_candidates_are_the_legal_actions_each_with_its_state() -> None:
    position = shipped("midgame")
    found = legal_actions(position)
    assert found.seat == position.names.index(position.to_move)
    assert found.ways == [[action.code] for action in position.actions()]
    assert not found.whole_turns
    assert found.count == len(found.ways)
    for action, state in zip(position.actions(), found.states, strict=True):
        assert position.view(state) == position.apply(action)


def test_a_candidate_is_found_by_its_text_however_it_is_typed() -> None:
    position = shipped("midgame")
    found = legal_actions(position)
    for number, action in enumerate(position.actions()):
        assert found.index(str(action).upper().replace(" ", "  ")) == number


def test_an_illegal_text_is_refused_with_legal_ones_nearby() -> None:
    found = legal_actions(shipped("opening"))
    with pytest.raises(advisor.ActionError) as caught:
        found.index("4 take castle from 9")
    assert caught.value.nearby
    assert set(caught.value.nearby) <= {str(action) for action in shipped("opening").actions()}


# Nobody decides.


def test_where_the_game_is_over_there_is_nothing_to_decide() -> None:
    with pytest.raises(advisor.ActionError, match="the game is over"):
        advisor.suggest(over(), iterations=10)


@pytest.mark.parametrize("word", ["roll", "deal"])
def test_where_chance_is_awaited_the_remedy_is_told_in_its_notation(word: str) -> None:
    position = waiting_for_the_deal() if word == "deal" else shipped("waiting-for-the-roll")
    with pytest.raises(advisor.ActionError, match=f"waits for chance: {word} first") as caught:
        advisor.suggest(position, iterations=10)
    example = str(caught.value).rpartition("written like '")[2].rstrip("'")
    assert example.startswith(f"{word} ")
    assert position.apply(example) != position


# Whole turns.


@pytest.mark.parametrize("name", SMALL)
def test_whole_turns_are_those_of_brute_force_with_equal_ends_merged(name: str) -> None:
    position = shipped(name)
    planner = Planner(position.rules)
    found = planner.turns(position.packed)
    assert planner.complete
    expected = brute_force(name)
    assert len(found) == len(expected)
    ends = [after(position, way) for _, _, way in found]
    assert len(set(ends)) == len(ends)
    assert set(ends) == set(expected)
    for end, (_, state, way) in zip(ends, found, strict=True):
        assert position.view(state) == end
        assert len(way) == expected[end]  # one of the shortest
        assert end.to_move != position.to_move


def test_a_turn_of_one_way_is_one_turn() -> None:
    position: Any = advisor.loads(FORCED)
    ways = [way for _, _, way in Planner(position.rules).turns(position.packed)]
    assert [[position.action_text(code) for code in way[:1]] for way in ways] == [["6 workers"]]
    assert [len(way) for way in ways] == [2]  # and end


def test_a_limit_that_does_not_suffice_is_told() -> None:
    position = shipped("opening")
    planner = Planner(position.rules)
    everything = planner.turns(position.packed)
    assert planner.complete
    few = planner.turns(position.packed, limit=150)
    assert not planner.complete
    assert {end for _, end, _ in few} < {end for _, end, _ in everything}
    for _, end, way in few:
        assert position.view(end) == after(position, way)


@pytest.mark.parametrize("limit", [20, 150])
def test_a_limit_never_swallows_a_beginning(limit: int) -> None:
    """Every position that is left when the limit is reached is played on to the end of the turn."""
    position = shipped("opening")
    rules, root = position.rules, position.packed
    planner = Planner(rules, limit=limit)
    found = {end for _, end, _ in planner.turns(root, limit=limit)}
    assert not planner.complete
    for action in rules.legal(root):
        ends = {end for _, end, _ in Planner(rules).turns(rules.apply(root, action))}
        assert ends & found


def test_a_narrow_look_finds_some_of_the_turns() -> None:
    position = shipped("end-of-phase")
    planner = Planner(position.rules)
    everything = {end for _, end, _ in planner.turns(position.packed)}
    seen = 0
    for width in (1, 3, 6):
        some = planner.turns(position.packed, width=width)
        assert planner.complete  # of what it looks at
        assert {end for _, end, _ in some} < everything
        assert len(some) > seen
        seen = len(some)


def test_without_a_value_all_turns_are_worth_the_same() -> None:
    position = shipped("opening")
    assert {worth for worth, _, _ in Planner(position.rules).turns(position.packed)} == {0}


def test_turns_of_nobody_are_refused() -> None:
    for position in (over(), shipped("waiting-for-the-roll")):
        with pytest.raises(ValueError, match="nobody decides"):
            Planner(position.rules).turns(position.packed)
    with pytest.raises(ValueError, match="a packed state has"):
        Planner(over().rules).turns(b"short")


@pytest.mark.parametrize("limit", [0, -5])
def test_a_limit_that_allows_nothing_never_crashes(limit: int) -> None:
    script = f"""
from tests.search import shipped
from advisor.learning._planner import Planner
position = shipped("opening")
planner = Planner(position.rules)
for _ in range(50):
    assert len(planner.turns(position.packed, limit={limit})) == 1
    assert not planner.complete
try:
    Planner(position.rules, limit={limit})
except ValueError:
    pass
else:
    raise AssertionError("no room for a turn")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("name", SMALL)
def test_ranked_turns_are_distinct_and_end_the_turn(name: str) -> None:
    position = shipped(name)
    advice = asked(position, turns=True, iterations=600)
    ends = []
    for ranked in advice.turns:
        assert ranked.action == ranked.turn[0]
        assert ranked.costs == position.costs(ranked.turn)
        assert ranked.visits >= 5
        ends.append(played(position, ranked.turn))
        assert ends[-1].to_move != position.to_move
        assert played(position, ranked.turn[:-1]).to_move == position.to_move
    assert len(set(ends)) == len(ends)
    assert set(ends) <= set(brute_force(name))
    assert advice.best is advice.turns[0]


@pytest.mark.parametrize("name", SMALL)
def test_beside_turns_every_legal_action_is_ranked_with_a_turn_through_it(name: str) -> None:
    position = shipped(name)
    advice = asked(position, turns=True, iterations=600)
    legal = sorted(str(action) for action in position.actions())
    assert sorted(ranked.action for ranked in advice.actions) == legal
    for ranked in advice.actions:
        assert ranked.turn[0] == ranked.action
        assert played(position, ranked.turn) in brute_force(name)
    best = played(position, advice.actions[0].turn)
    assert best in {played(position, ranked.turn) for ranked in advice.turns}


@pytest.mark.parametrize("engine", ["plans", "ismcts"])
def test_of_many_turns_the_most_promising_are_compared_with_a_note(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_engine(monkeypatch, whole_turns=20)
    total = len(brute_force("opening"))
    advice = asked(shipped("opening"), turns=True, iterations=1_000, engine=engine)
    assert 20 <= len(advice.turns) < total
    note = f"the {len(advice.turns)} most promising of {total} whole turns were compared"
    assert advice.notes == (note,)
    with_engine(monkeypatch, whole_turns=1_000)
    advice = asked(shipped("opening"), turns=True, iterations=1_000, engine=engine)
    assert len(advice.turns) == total
    assert advice.notes == ()


def test_a_few_turns_are_all_compared() -> None:
    advice = asked(advisor.loads(FORCED), turns=True, iterations=200)
    assert [ranked.turn for ranked in advice.turns] == [("6 workers", "end")]
    assert advice.notes == ()


@pytest.mark.parametrize("name", SMALL)
def test_the_best_turn_can_be_compared_with_every_legal_action(name: str) -> None:
    for action in shipped(name).actions():
        advice = asked(shipped(name), turns=True, iterations=200, versus=str(action))
        assert advice.explanation is not None
        assert advice.explanation.best == "; ".join(advice.best.turn)
        assert advice.explanation.versus != advice.explanation.best
