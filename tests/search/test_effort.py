"""Tests of where the effort goes, and of the reasons to stop before the budget is spent.

No search stops early before its engine's patience is at an end; the tests have less of it.
"""

from __future__ import annotations

from typing import Any

import pytest

import advisor
from advisor.search.engines import choose
from advisor.search.race import WARM_UP
from tests.search import (
    FEW_ACTIONS,
    FORCED,
    HOPELESS,
    TWIN_SALES,
    answered,
    asked,
    shipped,
    with_engine,
)

ENGINES = ["plans", "ismcts"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    with_engine(monkeypatch, patience=1_500)


# Root effort.


@pytest.mark.parametrize(
    "name", ["opening", "midgame", "crowded-storage", "monastery-six-purchase"]
)
@pytest.mark.parametrize(
    ("engine", "iterations"), [("plans", 1), ("plans", 500), ("ismcts", 1), ("ismcts", 2_000)]
)
def test_every_action_has_at_least_five_visits(name: str, iterations: int, engine: str) -> None:
    advice = answered(name, iterations=iterations, engine=engine)
    assert len(advice.actions) == len(shipped(name).actions())
    assert min(ranked.visits for ranked in advice.actions) >= WARM_UP[0] == 5
    assert sum(ranked.visits for ranked in advice.actions) == advice.iterations
    assert advice.iterations == max(iterations, 5 * len(advice.actions))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_larger_budget_warms_up_longer(engine: str) -> None:
    for budget in ({"iterations": 1}, {"iterations": 100_000}, {"seconds": 1}):
        search = advisor.Search(shipped(FEW_ACTIONS), threads=1, engine=engine, **budget)
        assert search._warm_up(15, WARM_UP[0]).tolist() == 15 * [WARM_UP[0]]
    small = asked(shipped(FEW_ACTIONS), iterations=100, engine=engine)
    large = asked(shipped(FEW_ACTIONS), iterations=1_500, engine=engine)
    assert min(ranked.visits for ranked in small.actions) < sum(WARM_UP)
    assert min(ranked.visits for ranked in large.actions) >= sum(WARM_UP)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("objective", ["win", "margin", "score"])
def test_clearly_worse_actions_get_little_and_close_rivals_most(objective: str, seed: int) -> None:
    position = advisor.loads(TWIN_SALES)
    advice = asked(
        position, iterations=4_000, objective=objective, seed=seed, full=True, engine="ismcts"
    )
    visits = {ranked.action: ranked.visits for ranked in advice.actions}
    assert set(visits) == {"* sell pink", "* sell red", "* workers"}
    assert advice.actions[-1].action == "* workers"
    assert visits["* sell pink"] == pytest.approx(visits["* sell red"], rel=0.2)
    assert visits["* workers"] < 0.5 * visits["* sell pink"]


def test_effort_moves_to_the_open_question_as_it_grows() -> None:
    shares = []
    for iterations in (300, 3_000, 12_000):
        advice = asked(advisor.loads(TWIN_SALES), iterations=iterations, full=True, engine="ismcts")
        shares.append(advice.actions[-1].visits / iterations)
        assert advice.actions[-1].action == "* workers"
    assert shares[0] > 2 * max(shares[1:])
    assert shares[-1] < 0.1


def test_more_iterations_leave_a_smaller_error() -> None:
    few, many = (
        answered(FEW_ACTIONS, iterations=n, full=True, engine="ismcts") for n in (500, 8_000)
    )
    assert many.best.margin.se < few.best.margin.se


# Reasons to stop.


def test_a_clear_best_stops_the_search(impatient: None) -> None:
    position = advisor.loads(HOPELESS)
    advice = asked(position, iterations=20_000, engine="ismcts")
    assert advice.stopped == "decided"
    assert 1_500 <= advice.iterations < 20_000
    assert advice.best.action == "6 sell orange"
    assert advice.best.chance_best >= 0.95
    assert advice.iterations == sum(ranked.visits for ranked in advice.actions)


def test_rivals_within_the_indifference_margin_stop_the_search(impatient: None) -> None:
    position = advisor.loads(TWIN_SALES)
    advice = asked(position, iterations=20_000, engine="ismcts")
    assert advice.stopped == "equivalent"
    assert 1_500 <= advice.iterations < 20_000
    found = {ranked.action: ranked for ranked in advice.actions}
    assert [action for action, ranked in found.items() if not ranked.equivalent] == ["* workers"]
    assert max(ranked.chance_best for ranked in advice.actions) < 0.95
    apart = advice.actions[1].difference["margin"]
    assert abs(apart.value) + 1.96 * apart.se < 0.5


def test_a_narrow_indifference_margin_keeps_the_search_going(impatient: None) -> None:
    advice = asked(advisor.loads(TWIN_SALES), iterations=4_000, indifference=0.01, engine="ismcts")
    assert (advice.stopped, advice.iterations) == ("iterations", 4_000)


@pytest.mark.parametrize(("text", "indifference"), [(HOPELESS, 0.5), (TWIN_SALES, 1.0)])
def test_the_full_budget_is_used_where_asked_for(
    impatient: None, text: str, indifference: float
) -> None:
    position = advisor.loads(text)
    early = asked(position, iterations=9_000, indifference=indifference, engine="ismcts")
    assert early.stopped in ("decided", "equivalent")
    assert not early.full
    full = asked(position, iterations=9_000, indifference=indifference, full=True, engine="ismcts")
    assert (full.stopped, full.iterations) == ("iterations", 9_000)
    assert full.full


@pytest.mark.parametrize(("engine", "least"), [("plans", 1_000), ("ismcts", 10_000)])
def test_nobody_is_hasty(engine: str, least: int) -> None:
    position: Any = advisor.loads(HOPELESS)
    patience = choose(position, engine).patience
    advice = asked(position, iterations=patience - 1, engine=engine)
    assert (advice.stopped, advice.iterations) == ("iterations", patience - 1)
    assert patience >= least


@pytest.mark.parametrize("engine", ENGINES)
def test_iterations_are_kept_exactly(engine: str) -> None:
    for iterations in (100, 777, 1_501):
        advice = answered(FEW_ACTIONS, iterations=iterations, engine=engine)
        assert advice.iterations == iterations


# Forced moves.


@pytest.mark.parametrize("budget", [{"seconds": 60}, {"iterations": 10**9}])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_forced_action_needs_no_thought(budget: dict[str, Any], engine: str) -> None:
    position: Any = advisor.loads(FORCED)
    forced_visits = choose(position, engine).forced_visits
    advice = asked(position, engine=engine, **budget)
    assert advice.stopped == "forced"
    assert not advice.exact
    assert [ranked.action for ranked in advice.actions] == ["6 workers"]
    assert forced_visits <= advice.iterations < 2 * forced_visits
    assert advice.best.turn == ("6 workers", "end")
    assert advice.best.chance_best == 1
    assert 60 < advice.best.score.value < 70  # 67.3 with best play (burgundy/test_expectimax.py)


def test_a_forced_action_within_a_small_budget() -> None:
    advice = asked(advisor.loads(FORCED), iterations=40)
    assert (advice.stopped, advice.iterations) == ("iterations", 40)


def test_a_forced_action_has_nothing_to_be_compared_with() -> None:
    position = advisor.loads(FORCED)
    assert asked(position, iterations=40, explain=True).explanation is None
    assert asked(position, iterations=40, versus="6 workers").explanation is None
