"""Tests of a running search: the clock, progress, cancelling, Ctrl-C, and the memory bound.

The clock of the tests is a counter that every iteration moves on, so that nothing depends on the
speed of the machine; real times are measured in bench/.
"""

from __future__ import annotations

import itertools
import signal
import threading
from types import SimpleNamespace
from typing import Any

import pytest

import advisor
from advisor.search import crew, engine, engines, settings
from advisor.search.engine import Search
from advisor.search.race import Counts, Race
from tests.search import FEW_ACTIONS, asked, shipped

SPEEDS = {"plans": 5e-4, "ismcts": 2e-5}
"""Seconds an iteration of each engine takes on a machine of some years."""

ENOUGH = 600
"""Iterations of a search that is then stopped."""


class Clock:
    """Seconds that pass only while candidates are visited."""

    def __init__(self, cost: float) -> None:
        self.now = 100.0
        self.cost = cost
        self.rounds: list[float] = []
        """When each round ended."""

    def monotonic(self) -> float:
        return self.now


def with_clock(monkeypatch: pytest.MonkeyPatch, cost: float) -> Clock:
    """Put a clock into the engine that an iteration moves on by `cost` seconds."""
    clock = Clock(cost)
    share = Race.share

    def slow(race: Race, counts: Counts) -> Any:
        clock.now += clock.cost * int(counts.sum())
        clock.rounds.append(clock.now - 100)
        return share(race, counts)

    for module in (engine, crew):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock.monotonic))
    monkeypatch.setattr(Race, "share", slow)
    return clock


@pytest.fixture
def talkative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every round be reported."""
    monkeypatch.setattr(engine, "REPORT", -1.0)


# The clock.


@pytest.mark.parametrize("seconds", [0.15, 0.3, 0.6])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SPEEDS)
def test_rounds_stop_within_a_tenth_of_the_limit(
    monkeypatch: pytest.MonkeyPatch, seconds: float, threads: int, name: str
) -> None:
    speed = SPEEDS[name]
    clock = with_clock(monkeypatch, speed)
    advice = advisor.suggest(
        shipped(FEW_ACTIONS), seconds=seconds, threads=threads, full=True, engine=name
    )
    assert advice.stopped == "seconds"
    assert abs(clock.rounds[-1] - seconds) < 0.1
    assert advice.iterations == pytest.approx(clock.rounds[-1] / speed)
    assert advice.seconds == pytest.approx(clock.rounds[-1])


def test_a_round_that_would_mostly_lie_behind_the_limit_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = with_clock(monkeypatch, 1e-3)  # a slow machine: the rounds are long
    advisor.suggest(shipped(FEW_ACTIONS), seconds=2, threads=1, full=True, engine="ismcts")
    last, before = clock.rounds[-1], clock.rounds[-2]
    assert 2 - before > 0.5 * (last - before)


@pytest.mark.parametrize("name", SPEEDS)
def test_a_machine_that_slows_down_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    clock = with_clock(monkeypatch, SPEEDS[name])
    share = Race.share

    def tired(race: Race, counts: Counts) -> Any:
        if clock.now > 100.2:
            clock.cost = 2 * SPEEDS[name]
        return share(race, counts)

    monkeypatch.setattr(Race, "share", tired)
    advisor.suggest(shipped(FEW_ACTIONS), seconds=0.5, threads=1, full=True, engine=name)
    assert abs(clock.rounds[-1] - 0.5) < 0.1


def test_the_shortest_of_times_still_shows_every_action(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = with_clock(monkeypatch, 1e-3)
    advice = advisor.suggest(shipped(FEW_ACTIONS), seconds=0.001, threads=1)
    assert advice.stopped == "seconds"
    assert len(clock.rounds) == 1
    assert {ranked.visits for ranked in advice.actions} == {5}


def test_counted_iterations_do_not_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = with_clock(monkeypatch, 1.0)  # an iteration takes a second
    advice = asked(shipped(FEW_ACTIONS), iterations=500)
    assert (advice.stopped, advice.iterations) == ("iterations", 500)
    assert clock.rounds[-1] == pytest.approx(500)
    assert advice.seconds == pytest.approx(500)
    assert advice.to_dict()["seconds"] == 0  # so that equal answers print equally


def test_the_rounds_of_a_timed_search_follow_from_counts_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twice as fast a machine does the same rounds, and more of them."""
    iterations = []
    for cost in (6e-4, 3e-4):
        with pytest.MonkeyPatch.context() as patch:
            clock = with_clock(patch, cost)
            advisor.suggest(shipped(FEW_ACTIONS), seconds=0.3, threads=2, full=True)
            iterations.append([round(at / cost) for at in clock.rounds])
    slow, fast = iterations
    assert len(fast) > len(slow)
    assert fast[: len(slow)] == slow


# Progress.


def test_progress_is_told_with_a_search_whose_glance_works(talkative: None) -> None:
    seen: list[tuple[int, int, str, bool]] = []

    def progress(search: Search) -> None:
        assert search.has_answer
        few = search.glance(3)
        assert few.explanation is None
        seen.append(
            (search.iterations, len(few.actions), few.best.action, search.seconds >= few.seconds)
        )

    position = shipped(FEW_ACTIONS)
    advice = asked(position, progress=progress, explain=True)
    counts = [iterations for iterations, *_ in seen]
    assert len(seen) > 3
    assert counts == sorted(set(counts))
    assert counts[-1] == advice.iterations
    assert {rows for _, rows, _, _ in seen} == {3}
    assert all(later for *_, later in seen)
    assert seen[-1][2] == advice.best.action


def test_looking_at_the_answer_does_not_change_it(talkative: None) -> None:
    position = shipped(FEW_ACTIONS)
    watched = asked(position, progress=lambda search: search.glance() and None)
    assert watched.to_dict() == asked(position).to_dict()


def test_progress_is_told_a_few_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = with_clock(monkeypatch, 1e-4)
    told: list[float] = []
    advisor.suggest(
        shipped(FEW_ACTIONS),
        seconds=1,
        threads=1,
        full=True,
        engine="ismcts",
        progress=lambda search: told.append(clock.now),
    )
    assert 2 <= len(told) <= 5
    assert all(b - a > engine.REPORT for a, b in itertools.pairwise(told))


def test_whole_turns_are_reported_too(talkative: None) -> None:
    seen = []
    asked(
        shipped("opening"), turns=True, progress=lambda search: seen.append(search.glance(4).turns)
    )
    assert {len(turns) for turns in seen} == {0, 4}  # first the actions, then the turns


def test_before_every_action_was_seen_there_is_no_answer() -> None:
    search = Search(shipped(FEW_ACTIONS), iterations=100)
    assert not search.has_answer
    assert search.iterations == 0
    with pytest.raises(advisor.SettingError, match="no answer yet"):
        _ = search.advice


# Cancelling.


def test_a_search_cancelled_by_its_progress_answers_at_once(talkative: None) -> None:
    told = []

    def progress(search: Search) -> None:
        told.append(search.iterations)
        if search.iterations > ENOUGH:
            search.cancel()

    advice = asked(shipped(FEW_ACTIONS), iterations=10**9, progress=progress)
    assert advice.stopped == "cancelled"
    assert len(told) > 3
    assert advice.iterations == told[-1]
    assert len(advice.actions) == len(shipped(FEW_ACTIONS).actions())
    counted = asked(shipped(FEW_ACTIONS), iterations=advice.iterations)
    assert counted.actions == advice.actions


def test_a_search_is_cancelled_from_another_thread(talkative: None) -> None:
    begun = threading.Event()
    search = Search(
        shipped(FEW_ACTIONS), iterations=10**9, threads=2, progress=lambda _: begun.set()
    )

    def cancel() -> None:
        begun.wait()
        search.cancel()

    other = threading.Thread(target=cancel)
    other.start()
    advice = search.run()
    other.join()
    assert advice.stopped == "cancelled"
    assert 0 < advice.iterations < 10**9
    assert advice.best.turn


def test_a_search_cancelled_before_it_began_has_still_seen_every_action() -> None:
    budgets: list[dict[str, Any]] = [{"iterations": 10**9}, {"seconds": 600}]
    for budget in budgets:
        search = Search(shipped(FEW_ACTIONS), threads=1, **budget)
        search.cancel()
        advice = search.run()
        assert advice.stopped == "cancelled"
        assert min(ranked.visits for ranked in advice.actions) >= 5


def test_an_exact_solution_can_be_cancelled() -> None:
    search = Search(shipped("last-round"), seconds=600, threads=2)
    search.cancel()
    advice = search.run()
    assert advice.stopped == "cancelled"
    assert not advice.exact
    assert len(advice.actions) == len(shipped("last-round").actions())


# Ctrl-C.


def test_ctrl_c_reaches_the_caller_and_the_answer_so_far_is_there(talkative: None) -> None:
    told = []

    def progress(search: Search) -> None:
        told.append(search.iterations)
        if search.iterations > ENOUGH:
            signal.raise_signal(signal.SIGINT)

    search = Search(
        shipped(FEW_ACTIONS), iterations=10**9, threads=2, progress=progress, explain=True
    )
    with pytest.raises(KeyboardInterrupt):
        search.run()
    assert search.has_answer
    advice = search.advice
    assert advice.stopped == "interrupted"
    assert advice.iterations == told[-1]
    assert len(advice.actions) == len(shipped(FEW_ACTIONS).actions())
    assert advice.explanation is not None
    assert advice.to_dict()["stopped"] == "interrupted"
    counted = asked(shipped(FEW_ACTIONS), iterations=advice.iterations, threads=2)
    assert counted.actions == advice.actions


def test_a_fault_in_the_callers_progress_is_the_callers(talkative: None) -> None:
    def progress(search: Search) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        asked(shipped(FEW_ACTIONS), progress=progress)


def test_no_thread_outlives_its_search(talkative: None) -> None:
    before = threading.active_count()
    asked(shipped(FEW_ACTIONS), threads=4, iterations=300)

    def progress(search: Search) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(shipped(FEW_ACTIONS), threads=4, progress=progress)
    assert threading.active_count() == before


# The memory bound.


@pytest.mark.parametrize("kibibytes", [300, 500, 1024])
def test_a_search_keeps_within_its_memory_and_says_so(
    kibibytes: int, talkative: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "LEAST_MEMORY", 1 << 16)
    filled = []

    def progress(search: Search) -> None:
        assert search.race is not None
        if search.race.samplers[0].full:
            filled.append(search.iterations)
        if len(filled) == 3:  # and it goes on
            search.cancel()

    position = shipped("midgame")
    advice = asked(
        position,
        engine="ismcts",
        iterations=10**6,
        memory=f"{kibibytes}K",
        full=True,
        progress=progress,
    )
    assert filled[0] < filled[1] < filled[2] == advice.iterations
    assert advice.memory_full
    assert [note for note in advice.notes if "the memory bound was reached" in note]
    assert len(advice.actions) == len(position.actions())
    for ranked in advice.actions:
        here = position
        for text in ranked.turn:
            here = here.apply(text)
        assert here.to_move != position.to_move
    assert advice.to_dict()["memory_full"] is True
    assert 0 < advice.memory <= kibibytes << 10


def test_enough_memory_needs_no_note() -> None:
    advice = asked(shipped(FEW_ACTIONS))
    assert not advice.memory_full
    assert advice.notes == ()
    assert 0 < advice.memory < 1 << 30


@pytest.mark.parametrize(("name", "kind"), [("plans", "PlanSampler"), ("ismcts", "Sampler")])
def test_memory_that_cannot_be_had_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    def poor(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(engines, kind, poor)
    with pytest.raises(advisor.SettingError, match="give more memory or fewer threads"):
        asked(shipped(FEW_ACTIONS), iterations=100, engine=name)


def test_whole_turns_keep_within_the_same_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LEAST_MEMORY", 1 << 16)
    advice = asked(
        shipped("opening"),
        engine="ismcts",
        turns=True,
        memory="400K",
        iterations=20_000,
        full=True,
    )
    assert advice.memory <= 400 << 10
