"""Tests of the advice a user gets by plans: its numbers, its turns, its conduct, its errors.

They hold for any model: what the value thinks of a position is not checked here, but that the
numbers come about as they should.
"""

from __future__ import annotations

import functools
import json
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import advisor
from advisor.learning import model as models
from advisor.report.advice import Advice
from advisor.search import engine
from advisor.search.engine import Search
from tests.search import (
    FEW_ACTIONS,
    LAST_DIE,
    POSITIONS,
    TWIN_SALES,
    asked,
    plan_sampler,
    shipped,
)
from tests.search.test_plan_sampler import best_ends, visit

Floats = NDArray[np.float64]

MODELS = Path(models.__file__).parent.parent / "games" / "burgundy" / "models"

SAMPLED = [
    path.stem
    for path in sorted(POSITIONS.glob("*.yaml"))
    if path.stem not in ("last-round", "waiting-for-the-roll")
]

QUICK = 500
"""Iterations of a quick search."""


def played(name: str, *texts: str) -> Any:
    """Return a shipped position after some actions of its player."""
    position = shipped(name)
    for text in texts:
        position = position.apply(text)
    return position


@functools.cache
def answered(name: str, **settings: Any) -> Advice:
    """Return the advice on a shipped position by plans."""
    return asked(
        shipped(name), **{"iterations": QUICK, "engine": "plans", "full": True, **settings}
    )


def check_turns(position: Any, advice: Advice) -> None:
    """Check that every legal action is ranked with a legal whole turn that begins with it."""
    legal = sorted(str(action) for action in position.actions())
    assert sorted(ranked.action for ranked in advice.actions) == legal
    for ranked in advice.actions:
        assert ranked.turn[0] == ranked.action
        here = position
        for text in ranked.turn:
            assert here.to_move == position.to_move
            here = here.apply(text)
        assert here.to_move != position.to_move


# The advice.


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_of_players_has_a_model(players: int) -> None:
    assert (MODELS / f"{players}p.npz").is_file()


@pytest.mark.parametrize("name", SAMPLED)
def test_shipped_positions_are_answered_by_plans(name: str) -> None:
    position = shipped(name)
    advice = asked(position, iterations=QUICK)
    assert advice.iterations == max(QUICK, 5 * len(position.actions()))
    assert advice.engine == "plans"
    assert advice.model is not None
    assert advice.model.startswith(f"burgundy/{len(position.names)}p.npz")
    assert advice.to_dict()["model"] == advice.model
    assert sum(ranked.visits for ranked in advice.actions) == advice.iterations
    check_turns(position, advice)
    for ranked in advice.actions:
        assert 0 < ranked.win.value < 1
        assert ranked.win.se > 0
        assert ranked.margin.se > 0
        assert ranked.score.se > 0


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("opening", ["4 workers"]),
        ("midgame", ["1 workers", "5 workers"]),
        ("purchase", []),
        (FEW_ACTIONS, []),
    ],
    ids=["one die left", "purchase left", "a castle's action pending", "a ship's goods pending"],
)
@pytest.mark.parametrize("objective", ["win", "margin", "score"])
def test_from_the_middle_of_a_turn_every_action_has_a_turn(
    name: str, texts: list[str], objective: str
) -> None:
    position = played(name, *texts)
    advice = asked(position, iterations=300, objective=objective)
    assert advice.engine == "plans"
    assert len(advice.actions) > 1
    check_turns(position, advice)
    assert all(ranked.margin.se > 0 for ranked in advice.actions)


def test_margins_of_actions_that_share_their_best_plan_are_equal() -> None:
    """As long as every action is visited so little that the value alone has chosen."""
    position = shipped("opening")
    ends = best_ends(position)
    texts = [str(action) for action in position.actions()]
    found = {ranked.action: ranked for ranked in asked(position, iterations=1).actions}
    twins = [(i, j) for i in range(len(ends)) for j in range(i) if ends[i] == ends[j]]
    assert twins
    for i, j in twins:
        one, two = found[texts[i]], found[texts[j]]
        assert (one.visits, two.visits) == (5, 5)
        assert one.margin.value == pytest.approx(two.margin.value, abs=1e-9)
        assert one.score.value == pytest.approx(two.score.value, abs=1e-9)


def test_an_action_little_visited_is_shown_with_the_turn_its_numbers_are_of() -> None:
    position = shipped("opening")
    ends = best_ends(position)
    index = [str(action) for action in position.actions()].index
    for ranked in asked(position, iterations=1, engine="plans").actions:
        here = position
        for text in ranked.turn:
            here = here.apply(text)
        assert here == position.view(ends[index(ranked.action)])


def test_errors_shrink_with_the_iterations() -> None:
    few, many = answered("opening"), answered("opening", iterations=4_000)
    small = {ranked.action: ranked for ranked in few.actions}
    top = sorted(many.actions, key=lambda ranked: -ranked.visits)[:5]
    ratios = [ranked.margin.se / small[ranked.action].margin.se for ranked in top]
    assert np.mean(ratios) < 0.75


def test_win_shares_of_the_answer_rise_with_the_margin() -> None:
    ranked = answered("opening", iterations=2_000).actions
    wins, margins = (np.array([getattr(r, m).value for r in ranked]) for m in ("win", "margin"))
    assert np.corrcoef(wins, margins)[0, 1] > 0.95


@pytest.mark.parametrize("objective", ["margin", "score"])
def test_every_objective_ranks_by_its_own_measure(objective: Any) -> None:
    advice = answered("opening", objective=objective)
    values = [ranked.difference[objective].value for ranked in advice.actions]
    half = len(values) // 2
    assert sum(values[:half]) / half > sum(values[half:]) / (len(values) - half)
    assert advice.objective == objective


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_threads_and_iterations_give_the_same_json(threads: int) -> None:
    one, two = (
        json.dumps(asked(shipped("midgame"), iterations=QUICK, threads=threads, seed=5).to_dict())
        for _ in range(2)
    )
    assert one == two


def test_whole_turns_are_distinct_legal_and_come_with_every_action() -> None:
    position = shipped("midgame")
    advice = asked(position, iterations=2 * QUICK, turns=True)
    check_turns(position, advice)
    assert advice.best is advice.turns[0]
    ends = set()
    for ranked in advice.turns:
        here = position
        for text in ranked.turn:
            here = here.apply(text)
        assert here.to_move != position.to_move
        assert ranked.visits >= 5
        ends.add(here)
    assert len(ends) == len(advice.turns) > 10
    assert [note for note in advice.notes if "most promising" in note]


def test_the_best_is_explained_against_the_runner_up_or_any_other() -> None:
    plain = answered(FEW_ACTIONS)
    explained = answered(FEW_ACTIONS, explain=True)
    assert explained.actions == plain.actions
    assert explained.explanation is not None
    assert explained.explanation.versus == plain.actions[1].action
    assert explained.explanation.worlds >= 100
    other = plain.actions[-1].action
    found = answered(FEW_ACTIONS, versus=other).explanation
    assert found is not None
    assert (found.best, found.versus) == (plain.best.action, other)
    total = sum(apart.value for apart in found.difference.values())
    assert (f"{abs(total):.1f}" in found.lines[0]) != ("about the same" in found.lines[0])


def test_the_last_round_is_still_exact() -> None:
    advice = asked(advisor.loads(LAST_DIE), engine="plans")
    assert advice.exact
    assert (advice.engine, advice.model, advice.iterations) == ("exact", None, 0)
    assert advice.best.action == "4 sell red"


# Which engine.


@pytest.mark.parametrize("wanted", ["mcts", "", "Plans", "exact"])
def test_an_engine_nobody_knows_is_refused_in_a_sentence(wanted: str) -> None:
    with pytest.raises(advisor.SettingError) as caught:
        asked(shipped(FEW_ACTIONS), engine=wanted)
    assert str(caught.value) == (f"no engine is called '{wanted}'; the engines are plans, ismcts")


def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(game: str, players: int) -> models.Model:
        raise models.NoModelError(f"no model is shipped for {players} players of {game}")

    monkeypatch.setattr(models, "shipped", none)


def test_without_a_model_the_trees_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    without_models(monkeypatch)
    advice = asked(shipped(FEW_ACTIONS), iterations=300)
    assert (advice.engine, advice.model) == ("ismcts", None)
    assert advice.actions == asked(shipped(FEW_ACTIONS), iterations=300, engine="ismcts").actions


def test_plans_without_a_model_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    without_models(monkeypatch)
    with pytest.raises(advisor.AdvisorError, match="no model is shipped for 2 players of burgundy"):
        asked(shipped(FEW_ACTIONS), iterations=300, engine="plans")


def test_an_engine_asked_for_is_part_of_the_options_that_repeat_the_answer() -> None:
    assert answered(FEW_ACTIONS, engine="plans").further_options == ("--engine plans",)
    assert asked(shipped(FEW_ACTIONS), iterations=QUICK).further_options == ()


# While it runs.


@pytest.fixture
def talkative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every round be reported."""
    monkeypatch.setattr(engine, "REPORT", -1.0)


def test_the_gil_is_released_while_plans_are_compared() -> None:
    # One call of the kernel; while it runs, another thread wakes again and again. Were the GIL
    # held, that thread could wake only just before and after the call.
    made = plan_sampler(shipped("opening"))
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            time.sleep(0.001)
            ticks += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        for times in (40, 200, 1_000):  # more on machines that are too fast
            before = ticks
            visit(made, times, 17)
            during = ticks - before
            if during >= 30:
                break
    finally:
        stop.set()
        ticker.join()
    assert during >= 30


def test_progress_tells_more_and_more_iterations(talkative: None) -> None:
    seen: list[tuple[int, str]] = []

    def progress(search: Search) -> None:
        seen.append((search.iterations, search.glance(3).best.action))

    advice = asked(shipped(FEW_ACTIONS), iterations=700, engine="plans", progress=progress)
    counts = [iterations for iterations, _ in seen]
    assert len(seen) > 3
    assert counts == sorted(set(counts))
    assert seen[-1] == (advice.iterations, advice.best.action)


def test_a_search_is_cancelled_and_answers_with_what_it_has(talkative: None) -> None:
    def progress(search: Search) -> None:
        if search.iterations > 300:
            search.cancel()

    advice = asked(shipped(FEW_ACTIONS), iterations=10**9, engine="plans", progress=progress)
    assert advice.stopped == "cancelled"
    counted = asked(shipped(FEW_ACTIONS), iterations=advice.iterations, engine="plans")
    assert counted.actions == advice.actions


def test_ctrl_c_leaves_the_answer_so_far(talkative: None) -> None:
    def progress(search: Search) -> None:
        if search.iterations > 300:
            signal.raise_signal(signal.SIGINT)

    search = Search(
        shipped(FEW_ACTIONS), iterations=10**9, threads=2, engine="plans", progress=progress
    )
    with pytest.raises(KeyboardInterrupt):
        search.run()
    advice = search.answer_now()
    assert advice.stopped == "interrupted"
    assert advice.engine == "plans"
    check_turns(shipped(FEW_ACTIONS), advice)


def test_a_clear_best_stops_the_search_early() -> None:
    """One sale is clearly worth more than workers; both sales are worth about the same."""
    advice = asked(advisor.loads(TWIN_SALES), iterations=50_000, indifference=5)
    assert advice.stopped in ("decided", "equivalent")
    assert 2_000 <= advice.iterations < 50_000


# The errors.

SEEDS = 40
BUDGET = 400


@functools.cache
def repeated(name: str) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return margins, their errors and who is most visited, a row a seed and a column an action."""
    values, errors, top = [], [], []
    for seed in range(1, SEEDS + 1):
        advice = asked(shipped(name), iterations=BUDGET, seed=seed, engine="plans", full=True)
        ranked = sorted(advice.actions, key=lambda entry: entry.action)
        fifth = sorted((entry.visits for entry in ranked), reverse=True)[4]
        values.append([entry.margin.value for entry in ranked])
        errors.append([entry.margin.se for entry in ranked])
        top.append([entry.visits >= fifth for entry in ranked])
    return np.array(values), np.array(errors), np.array(top)


@pytest.mark.parametrize("name", ["opening", "end-of-phase"])
def test_intervals_of_95_percent_contain_the_mean_about_as_often(name: str) -> None:
    """Of the actions that were visited most in each search."""
    values, errors, top = repeated(name)
    covered = np.abs(values - values.mean(axis=0)) <= 1.96 * errors
    assert covered[top].mean() >= 0.88


@pytest.mark.parametrize("name", ["opening", "end-of-phase"])
def test_errors_are_not_absurdly_wide(name: str) -> None:
    values, errors, top = repeated(name)
    scores = (values - values.mean(axis=0)) / errors
    assert scores[top].std() > 0.5
