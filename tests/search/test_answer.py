"""Tests of the answer: its fields, objectives, shares, whole turns and explanation."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

import advisor
from advisor.report.advice import Estimate, Explanation
from advisor.search import engines
from tests.search import FEW_ACTIONS, HOPELESS, LAST_DIE, POSITIONS, answered, asked, shipped

TOP_FIELDS = ["game", "player", "exact", "iterations", "seconds", "threads", "seed"]
"""The contract's fields of an answer, in its order."""

ACTION_FIELDS = {
    "action": str,
    "workers": int,
    "visits": int,
    "win": float,
    "win_se": float,
    "margin": float,
    "margin_se": float,
    "score": float,
    "score_se": float,
    "turn": list,
}
"""The contract's fields of an action."""

SAMPLED = [
    path.stem
    for path in sorted(POSITIONS.glob("*.yaml"))
    if path.stem not in ("last-round", "waiting-for-the-roll")
]


# JSON.


@pytest.mark.parametrize("name", SAMPLED)
def test_every_action_has_every_field_of_the_contract(name: str) -> None:
    position = shipped(name)
    advice = answered(name, iterations=1_500)
    data = json.loads(json.dumps(advice.to_dict()))
    assert list(data)[:7] == TOP_FIELDS
    assert (data["game"], data["player"], data["exact"]) == ("burgundy", position.to_move, False)
    assert (data["iterations"], data["threads"], data["seed"]) == (1_500, 1, 1)
    assert sorted(entry["action"] for entry in data["actions"]) == sorted(
        str(action) for action in position.actions()
    )
    for entry in data["actions"]:
        for field, kind in ACTION_FIELDS.items():
            assert type(entry[field]) is kind, field
        assert 0 < entry["win"] < 1
        assert entry["win_se"] > 0
        assert entry["margin_se"] > 0
        assert entry["score_se"] > 0
        assert entry["workers"] >= 0


@pytest.mark.parametrize("name", SAMPLED)
def test_every_turn_begins_with_its_action_and_ends_the_turn(name: str) -> None:
    position = shipped(name)
    for ranked in answered(name, iterations=1_500).actions:
        assert ranked.turn[0] == ranked.action
        here = position
        for text in ranked.turn:
            assert here.to_move == position.to_move
            here = here.apply(text)
        assert here.to_move != position.to_move


def test_workers_are_what_the_action_costs() -> None:
    advice = answered("midgame", iterations=1_500)
    for ranked in advice.actions:
        before = shipped("midgame").players[0].workers
        after = shipped("midgame").apply(ranked.action).players[0].workers
        if "workers" not in ranked.action and ">" in ranked.action:
            assert ranked.costs["workers"] >= max(1, before - after)
        assert ranked.to_dict()["workers"] == ranked.costs["workers"]


def test_top_lists_fewer_and_changes_nothing_else() -> None:
    advice = asked(shipped("opening"), turns=True, explain=True)
    whole, few = advice.to_dict(), advice.to_dict(2)
    assert few["actions"] == whole["actions"][:2]
    assert few["turns"] == whole["turns"][:2]
    for field in set(whole) - {"actions", "turns"}:
        assert few[field] == whole[field]


def test_the_order_is_best_first_and_differences_are_to_the_best() -> None:
    for name in SAMPLED:
        advice = answered(name, iterations=1_500)
        assert advice.best is advice.actions[0]
        assert set(advice.best.difference.values()) == {Estimate(0.0, 0.0)}
        assert sum(ranked.chance_best for ranked in advice.actions) == pytest.approx(1)
        for ranked in advice.actions[1:]:
            apart = ranked.difference["margin"].value
            if ranked.visits < 8:  # fewer than there are trees: the best has more to go by
                continue
            assert ranked.margin.value - advice.best.margin.value == pytest.approx(apart)


def test_an_advice_cannot_be_changed() -> None:
    advice: Any = answered("opening", iterations=1_500)
    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.best.visits = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.actions = ()


# Objectives.


def test_every_objective_ranks_by_its_own_measure() -> None:
    for objective in ("win", "margin", "score"):
        advice = answered(FEW_ACTIONS, iterations=3_000, objective=objective)
        assert advice.objective == advice.to_dict()["objective"] == objective
        measure: Any = objective
        values = [ranked.difference[measure].value for ranked in advice.actions]
        half = len(values) // 2
        assert sum(values[:half]) / half > sum(values[half:]) / (len(values) - half)
    by_score = answered(FEW_ACTIONS, iterations=3_000, objective="score")
    by_margin = answered(FEW_ACTIONS, iterations=3_000, objective="margin")
    assert by_score.actions != by_margin.actions


@pytest.mark.parametrize("objective", ["win", "margin", "score"])
@pytest.mark.parametrize(("name", "kind"), [("plans", "PlanSampler"), ("ismcts", "Sampler")])
def test_only_for_the_score_everybody_plays_for_their_own_points(
    objective: str, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    plain: Any = getattr(engines, kind)

    class Noted(plain):  # type: ignore[misc]
        def __init__(self, *args: Any, own_score: bool, **more: Any) -> None:
            told.append(own_score)

    monkeypatch.setattr(engines, kind, Noted)
    asked(shipped(FEW_ACTIONS), iterations=100, threads=2, objective=objective, engine=name)
    assert told == [objective == "score"] * 2


def test_who_plays_for_points_alone_gets_more_of_them() -> None:
    """Ben has 50 points. Anna wins by a tie-break; 3 points more are worth nothing but points."""
    wins = asked(advisor.loads(LAST_DIE), objective="win")
    scores = asked(advisor.loads(LAST_DIE), objective="score")
    for advice in (wins, scores):
        assert advice.exact
        assert advice.best.action == "4 sell red"
        assert advice.best.score == Estimate(53, 0)
        assert advice.best.win == Estimate(1, 0)
        assert advice.stopped == "exact"
        assert advice.engine == "exact"


# Shares from sampling are never certain.


@pytest.mark.parametrize("name", ["plans", "ismcts"])
def test_a_win_that_never_failed_is_still_not_certain(name: str) -> None:
    for iterations in (10, 1_000, 8_000):
        advice = asked(advisor.loads(HOPELESS), iterations=iterations, full=True, engine=name)
        for ranked in advice.actions:
            assert 0.5 < ranked.win.value < 1
            assert ranked.win.se > 0
            assert 0 < ranked.to_dict()["win"] < 1
            assert ranked.to_dict()["win_se"] > 0


@pytest.mark.parametrize("name", ["plans", "ismcts"])
def test_a_defeat_that_never_failed_is_still_not_certain(name: str) -> None:
    text = HOPELESS.replace("score: 250", "score: 0").replace("score: 10", "score: 250")
    for ranked in asked(advisor.loads(text), engine=name).actions:
        assert 0 < ranked.win.value < 0.5
        assert ranked.win.se > 0


@pytest.mark.parametrize(
    "win", [Estimate(0.99998, 1.3e-5), Estimate(2e-5, 1e-5), Estimate(0.5, 4e-5)]
)
def test_rounding_for_json_makes_nothing_certain(win: Estimate) -> None:
    ranked = dataclasses.replace(answered("opening", iterations=1_500).best, win=win)
    assert 0 < ranked.to_dict()["win"] < 1
    assert ranked.to_dict()["win_se"] > 0


def test_exact_shares_are_certain() -> None:
    entry = asked(advisor.loads(LAST_DIE)).to_dict()["actions"][0]
    assert (entry["win"], entry["win_se"], entry["visits"]) == (1, 0, 0)


# The explanation.


def explanation(position: Any, **settings: Any) -> Explanation:
    found = asked(position, **settings).explanation
    assert found is not None
    return found


def test_the_explanation_compares_the_best_with_the_runner_up() -> None:
    advice = answered(FEW_ACTIONS, iterations=3_000, explain=True)
    found = advice.explanation
    assert found is not None
    assert (found.best, found.versus) == (advice.actions[0].action, advice.actions[1].action)
    assert found.worlds >= 100
    assert 2 <= len(found.lines) <= 5
    assert all(line.endswith(".") for line in found.lines)
    assert set(found.others) == set(shipped(FEW_ACTIONS).names) - {advice.player}
    assert answered(FEW_ACTIONS, iterations=3_000).explanation is None


def test_the_sources_differ_by_what_both_sides_get() -> None:
    found = explanation(shipped(FEW_ACTIONS), iterations=3_000, explain=True)
    assert list(found.best_points) == list(found.versus_points) == list(found.difference)
    assert len(found.difference) == 8
    for source, apart in found.difference.items():
        both = found.best_points[source] - found.versus_points[source]
        assert apart.value == pytest.approx(both)
        assert apart.se >= 0
    assert sum(apart.se for apart in found.difference.values()) > 0


def test_the_sources_add_up_to_the_final_score() -> None:
    """Points so far and points to come, sampled in other worlds than the ranking's own.

    Of the trees, whose ranking plays games out just so; plans are ranked by the value instead.
    """
    advice = answered(FEW_ACTIONS, iterations=3_000, explain=True, engine="ismcts")
    assert advice.explanation is not None
    now = shipped(FEW_ACTIONS).scores()[advice.player]
    final = now + sum(advice.explanation.best_points.values())
    assert abs(final - advice.best.score.value) < 5 * advice.best.score.se


def test_the_total_in_words_is_the_sum_of_the_sources() -> None:
    found = explanation(shipped(FEW_ACTIONS), iterations=3_000, versus="load 2")
    total = sum(apart.value for apart in found.difference.values())
    word = "more" if total > 0 else "fewer"
    amount = f"{abs(total):.1f}"
    assert f"brings Ines {amount} ± " in found.lines[0]
    assert f"points {word} than 'load 2'" in found.lines[0]


def test_an_exact_explanation_adds_up_exactly() -> None:
    """4 sell red: 6 points and 1 silver; 4 workers: 3 unsold goods and 2 workers."""
    position = advisor.loads(LAST_DIE)
    found = explanation(position, explain=True)
    assert (found.best, found.versus, found.worlds) == ("4 sell red", "4 workers", 1)
    assert found.best_points["goods"] == 6
    assert found.best_points["leftovers"] == 1
    assert found.versus_points["leftovers"] == 4
    assert sum(apart.value for apart in found.difference.values()) == 53 - 50
    assert {apart.se for apart in found.difference.values()} == {0}
    assert found.others == {"Ben": Estimate(0, 0)}
    assert "3 points more than '4 workers'" in found.lines[0]


def test_the_best_is_compared_with_the_action_asked_about() -> None:
    position = shipped(FEW_ACTIONS)
    texts = [str(action) for action in position.actions()]
    for text in (texts[0], texts[-1]):
        for typed in (text, f"  {text.upper()} ", text.replace(" ", "   ")):
            advice = asked(position, iterations=500, versus=typed)
            found = advice.explanation
            assert found is not None
            assert found.best == advice.best.action
            assert found.versus == (text if text != found.best else advice.actions[1].action)


def test_the_best_itself_is_compared_with_the_runner_up() -> None:
    best = answered(FEW_ACTIONS, iterations=3_000).best.action
    advice = answered(FEW_ACTIONS, iterations=3_000, versus=best)
    assert advice.explanation is not None
    assert advice.best.action == advice.explanation.best == best
    assert advice.explanation.versus == advice.actions[1].action


@pytest.mark.parametrize("text", ["6 take castle from 6", "load 7", "", "nonsense"])
def test_an_illegal_action_to_compare_with_is_refused_before_thinking(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisor.Search, "run", lambda _: pytest.fail("it has begun to think"))
    with pytest.raises(advisor.ActionError) as caught:
        asked(shipped(FEW_ACTIONS), versus=text)
    legal = {str(action) for action in shipped(FEW_ACTIONS).actions()}
    assert set(caught.value.nearby) <= legal
    assert caught.value.nearby or not text


def test_the_explanation_in_json_has_every_source_and_player() -> None:
    advice = answered(FEW_ACTIONS, iterations=3_000, explain=True)
    data = json.loads(json.dumps(advice.to_dict()))["explanation"]
    assert list(data) == ["best", "versus", "worlds", "sources", "others", "text"]
    assert len(data["sources"]) == 8
    for entry in data["sources"].values():
        assert list(entry) == ["best", "versus", "difference", "difference_se"]
        assert entry["best"] - entry["versus"] == pytest.approx(entry["difference"], abs=0.011)


def test_explaining_does_not_change_the_ranking() -> None:
    plain = answered(FEW_ACTIONS, iterations=3_000)
    explained = answered(FEW_ACTIONS, iterations=3_000, explain=True)
    assert explained.actions == plain.actions
