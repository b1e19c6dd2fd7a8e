"""Tests of the attempt at an exact answer: its limits, and what happens when they are reached.

The exact numbers themselves are checked in tests/burgundy/test_exact.py.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest

import advisor
from advisor.search import exact
from advisor.search._exact import Solver
from advisor.search.candidates import legal_actions
from tests.search import LAST_DIE, asked, shipped

NOTE = "nothing is left to chance here, but the exact answer did not fit the budget"


def attempt(position: Any, **settings: Any) -> tuple[list[exact.Solution] | None, bool]:
    arguments: dict[str, Any] = {
        "own_score": False,
        "threads": 1,
        "memory": 1 << 24,
        "deadline": None,
        "cancelled": lambda: False,
        **settings,
    }
    return exact.solve(position.rules, legal_actions(position).states, **arguments)


def test_the_last_decision_is_solved() -> None:
    solutions, chance = attempt(advisor.loads(LAST_DIE))
    assert solutions is not None
    assert not chance
    assert [solution.points for solution in solutions] == [[53, 50], [50, 50]]


def test_chance_is_met_at_once_and_told() -> None:
    for name in ("opening", "midgame", "ship-with-full-hold"):
        assert attempt(shipped(name)) == (None, True)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_too_many_positions_end_the_attempt(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(exact, "NODES", (2_000, 0, 2_000))
    assert attempt(shipped("last-round"), threads=threads) == (None, False)
    solutions, _ = attempt(advisor.loads(LAST_DIE), threads=threads)
    assert solutions is not None  # a small one fits


@pytest.mark.parametrize("name", ["plans", "ismcts"])
def test_a_tree_too_large_is_sampled_with_a_note(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(exact, "NODES", (2_000, 0, 2_000))
    advice = asked(shipped("last-round"), iterations=1_000, engine=name)
    assert not advice.exact
    assert advice.engine == name
    assert advice.stopped == "iterations"
    assert [note for note in advice.notes if NOTE in note]
    assert all(0 < ranked.win.value < 1 and ranked.win.se > 0 for ranked in advice.actions)
    again = asked(shipped("last-round"), iterations=1_000, engine=name)
    assert again.to_dict() == advice.to_dict()


def test_where_chance_remains_there_is_no_such_note() -> None:
    assert asked(shipped("ship-with-full-hold"), iterations=100).notes == ()


def test_a_deadline_that_has_passed_ends_the_attempt() -> None:
    assert attempt(shipped("last-round"), deadline=0.0) == (None, False)


def test_somebody_who_cancels_ends_the_attempt() -> None:
    asked_for = threading.Event()

    def cancelled() -> bool:
        asked_for.set()
        return True

    assert attempt(shipped("last-round"), cancelled=cancelled) == (None, False)
    assert asked_for.is_set()


def test_an_exception_while_waiting_ends_the_attempt_and_is_passed_on() -> None:
    def interrupted() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt(shipped("last-round"), cancelled=interrupted)


def test_a_solver_counts_what_it_looks_at_and_keeps_to_its_limit() -> None:
    position = shipped("last-round")
    solver = Solver(position.rules, memory=1 << 20)
    for attempts in (1, 2):
        assert solver.line(position.packed, 500) is None
        assert solver.nodes == attempts * 501


def test_a_solver_that_was_cancelled_stays_so() -> None:
    position: Any = advisor.loads(LAST_DIE)
    solver = Solver(position.rules)
    found = solver.line(position.packed, 1_000)
    assert found is not None
    assert found[0] == ([53, 50], [1, 0])
    solver.cancel()
    assert solver.line(position.packed, 1_000) is None


def test_a_line_of_play_leads_to_its_outcome() -> None:
    position: Any = advisor.loads(LAST_DIE)
    found = Solver(position.rules).line(position.packed, 1_000)
    assert found is not None
    (points, wins), line = found
    here = position
    for code in line:
        here = here.apply(here.action_text(code))
    assert here.to_move is None
    assert list(here.scores().values()) == points
    assert position.names[wins.index(1)] == here.winner()


def test_a_state_of_another_size_is_refused() -> None:
    position = shipped("last-round")
    with pytest.raises(ValueError, match="a packed state has"):
        Solver(position.rules).line(b"short", 10)
