"""Tests that answers repeat: by seed, threads and iterations, and side by side."""

from __future__ import annotations

import json
import threading
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.report.advice import Advice
from tests.search import FEW_ACTIONS, asked, shipped, with_engine
from tests.search.test_conduct import with_clock


def as_json(advice: Advice) -> str:
    return json.dumps(advice.to_dict())


BUDGETS = {"plans": 500, "ismcts": 2_000}
"""Iterations that each engine does in a moment."""


@pytest.mark.parametrize("engine", BUDGETS)
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    "settings",
    [{}, {"turns": True}, {"explain": True}, {"objective": "score"}],
    ids=lambda settings: " ".join(settings) or "plain",
)
def test_the_same_seed_threads_and_iterations_give_the_same_json(
    engine: str, threads: int, settings: dict[str, Any]
) -> None:
    settings = {"iterations": BUDGETS[engine], "engine": engine, "seed": 5, **settings}
    one = asked(shipped("opening"), threads=threads, **settings)
    two = asked(shipped("opening"), threads=threads, **settings)
    assert as_json(one) == as_json(two)
    assert json.loads(as_json(one))["seconds"] == 0


@pytest.mark.parametrize("name", ["three-players", "four-players", "edition-2011"])
def test_any_number_of_players_repeats(name: str) -> None:
    advices = [asked(shipped(name), threads=2, iterations=1_500) for _ in range(2)]
    assert as_json(advices[0]) == as_json(advices[1])


def test_a_position_loaded_anew_gets_the_same_answer() -> None:
    position = shipped(FEW_ACTIONS)
    again = advisor.loads(position.dump())
    for engine, iterations in BUDGETS.items():
        settings: dict[str, Any] = {"engine": engine, "iterations": iterations}
        assert as_json(asked(position, **settings)) == as_json(asked(again, **settings))


@pytest.mark.parametrize("engine", BUDGETS)
def test_another_seed_or_number_of_threads_gives_other_numbers(engine: str) -> None:
    numbers = set()
    for seed, threads in ((1, 1), (2, 1), (1, 2), (257, 1)):
        advice = asked(
            shipped(FEW_ACTIONS),
            seed=seed,
            threads=threads,
            engine=engine,
            iterations=BUDGETS[engine],
        )
        numbers.add(tuple(ranked.margin.value for ranked in advice.actions))
    assert len(numbers) == 4


@pytest.mark.parametrize("engine", BUDGETS)
def test_every_thread_has_luck_of_its_own(engine: str) -> None:
    search = advisor.Search(
        shipped(FEW_ACTIONS), iterations=BUDGETS[engine], threads=3, engine=engine
    )
    search.run()
    assert search.race is not None
    means = set()
    for sampler in search.race.samplers:
        found = np.zeros((15, sampler.trees, 2, 4))
        sampler.moments(0, found)
        means |= {tuple(tree) for tree in found[:, :, 0, 3].T.tolist()}
    assert len(means) == sum(sampler.trees for sampler in search.race.samplers) >= 8


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", [FEW_ACTIONS, "opening", "midgame"])
def test_a_timed_answer_is_repeated_by_its_iterations(name: str, threads: int) -> None:
    timed = asked(shipped(name), seconds=0.3, threads=threads, seed=3)
    assert timed.timed
    counted = asked(shipped(name), iterations=timed.iterations, threads=threads, seed=3)
    assert counted.iterations == timed.iterations
    assert counted.to_dict()["actions"] == timed.to_dict()["actions"]
    assert counted.actions == timed.actions  # to the last digit


@pytest.mark.parametrize("seconds", [0.001, 0.1, 0.2, 0.4, 0.8])
@pytest.mark.parametrize("name", ["opening", "midgame"])
@pytest.mark.parametrize("engine", BUDGETS)
def test_however_early_the_time_is_up_the_answer_is_repeated(
    engine: str, name: str, seconds: float
) -> None:
    """On a clock that an iteration moves on by a tenth of a millisecond, or ten times as much."""
    cost = {"plans": 1e-3, "ismcts": 1e-4}[engine]
    with pytest.MonkeyPatch.context() as patch:
        with_clock(patch, cost)
        timed = asked(shipped(name), seconds=seconds, engine=engine)
    assert timed.stopped == "seconds"
    counted = asked(shipped(name), iterations=timed.iterations, engine=engine)
    assert counted.iterations == timed.iterations
    assert counted.actions == timed.actions


@pytest.mark.parametrize("engine", BUDGETS)
def test_a_search_that_stopped_early_is_repeated_by_its_iterations(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_engine(monkeypatch, patience=1_500)
    monkeypatch.setattr("advisor.search.ranking.SURE", 0.3)
    early = asked(shipped(FEW_ACTIONS), iterations=50_000, engine=engine)
    assert early.stopped == "decided"
    again = asked(shipped(FEW_ACTIONS), iterations=early.iterations, engine=engine)
    assert again.actions == early.actions


def test_two_searches_at_once_answer_as_one_after_the_other() -> None:
    settings = [
        ("opening", {"threads": 2, "seed": 1, "iterations": 500}),
        (FEW_ACTIONS, {"threads": 1, "seed": 2, "iterations": 500, "explain": True}),
        ("opening", {"threads": 2, "seed": 3, "iterations": 500, "turns": True}),
        ("opening", {"threads": 2, "seed": 3, "turns": True, "engine": "ismcts"}),
    ]
    alone = [as_json(asked(shipped(name), **more)) for name, more in settings]
    together = [""] * len(settings)

    def work(number: int) -> None:
        name, more = settings[number]
        together[number] = as_json(asked(shipped(name), **more))

    workers = [threading.Thread(target=work, args=(number,)) for number in range(len(settings))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert together == alone
