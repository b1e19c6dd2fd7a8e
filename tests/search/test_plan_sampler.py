"""Tests of the sampler of plans: its worlds, its groups, what it hands out, what it refuses.

They hold for any model: what the value thinks of a position is not checked here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from advisor.learning import model as models
from advisor.learning._planner import Planner
from advisor.learning._value import Value
from advisor.search import engines
from advisor.search._plan_sampler import PlanSampler
from tests.search import FEW_ACTIONS, over, plan_sampler, shipped
from tests.search.test_symmetry import mirror

Floats = NDArray[np.float64]


def visit(made: PlanSampler, times: int, count: int) -> None:
    """Visit the first candidates so often."""
    made.run(np.arange(count, dtype=np.int32), np.full(count, times, dtype=np.int32))


def moments(made: PlanSampler, count: int, reference: int = 0) -> Floats:
    out = np.zeros((count, made.trees, 2, 4))
    made.moments(reference, out)
    return out


def visited(made: PlanSampler, count: int) -> list[int]:
    out = np.zeros(count, dtype=np.int64)
    made.visits(out)
    return [int(number) for number in out]


def best_ends(position: Any) -> list[bytes]:
    """Return for each legal action where the best turn through it ends, by the value."""
    rules, root = position.rules, position.packed
    model = models.shipped(position.game, len(position.names))
    planner = Planner(rules, Value(rules, model.net), limit=engines.PLANS["limit"])
    ends = []
    for code in rules.legal(root):
        state = rules.apply(root, code)
        if rules.to_move(state) != rules.to_move(root):
            ends.append(rules.tidy(state))
            continue
        found = planner.turns(state, width=engines.PLANS["width"], limit=engines.PLANS["limit"])
        ends.append(max(found, key=lambda turn: turn[0])[1])
    return ends


def test_visits_add_up_and_go_to_the_groups_in_turn() -> None:
    made = plan_sampler(shipped(FEW_ACTIONS))
    made.run(np.array([3, 5], dtype=np.int32), np.array([4 * 6, 3], dtype=np.int32))
    made.run(np.array([5], dtype=np.int32), np.array([4], dtype=np.int32))
    assert visited(made, 15) == [24 if i == 3 else 7 if i == 5 else 0 for i in range(15)]
    samples = moments(made, 15)[:, :, 0, 0]
    assert samples[3].tolist() == [3] * 4  # six visits each, three of them samples
    assert samples[5].tolist() == [1] * 4  # two or one, of which the first is a sample
    assert samples.sum() == 16


def test_the_same_seed_gives_the_same_samples_and_another_one_others() -> None:
    found = []
    for seed in (7, 7, 8):
        made = plan_sampler(shipped(FEW_ACTIONS), seed=seed)
        visit(made, 16, 15)
        found.append(moments(made, 15))
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0][:, :, 0, 3] != found[2][:, :, 0, 3]).mean() > 0.9


def test_it_does_not_matter_in_which_portions_visits_are_handed_out() -> None:
    at_once, one_by_one = (plan_sampler(shipped(FEW_ACTIONS)) for _ in range(2))
    visit(at_once, 24, 15)
    for _ in range(8):
        visit(one_by_one, 3, 15)
    np.testing.assert_array_equal(moments(at_once, 15), moments(one_by_one, 15))


def test_candidates_that_lead_to_the_same_best_turn_meet_the_same_worlds() -> None:
    """The first visit of every group follows the turn the value likes best."""
    position = shipped("opening")
    ends = best_ends(position)
    twins = [(i, j) for i in range(len(ends)) for j in range(i) if ends[i] == ends[j]]
    assert twins
    made = plan_sampler(position, trees=8)
    visit(made, 8, len(ends))
    found = moments(made, len(ends))[:, :, 0, 1:]
    for i, j in twins:
        np.testing.assert_array_equal(found[i], found[j])
    others = [(i, j) for i in range(len(ends)) for j in range(i) if ends[i] != ends[j]]
    assert any((found[i] != found[j]).any() for i, j in others)


def test_two_orders_of_the_same_turns_are_judged_alike_however_often_visited() -> None:
    """A single candidate twice: nothing but its own visits decides about its samples."""
    position = shipped("opening")
    code = position.rules.legal(position.packed)[0]
    made = plan_sampler(position, ways=[[code], [code]])
    visit(made, 40, 2)
    found = moments(made, 2)
    np.testing.assert_array_equal(found[0, :, 0], found[1, :, 0])
    assert (found[1, :, 1, 1:] == 0).all()


def test_a_difference_to_itself_is_nothing_and_a_swapped_one_its_opposite() -> None:
    made = plan_sampler(shipped(FEW_ACTIONS))
    visit(made, 32, 15)
    first, second = moments(made, 15, 2), moments(made, 15, 9)
    assert (first[2, :, 1, 1:] == 0).all()
    np.testing.assert_allclose(first[9, :, 1, 1:], -second[2, :, 1, 1:])
    np.testing.assert_array_equal(first[:, :, 0], second[:, :, 0])


def test_differences_in_the_same_worlds_vary_less_than_independent_ones() -> None:
    count = len(shipped("opening").actions())
    made = plan_sampler(shipped("opening"), trees=48)
    visit(made, 48 * 2, count)
    found = moments(made, count)
    alone = found[:, :, 0, 2].var(axis=1, ddof=1)
    paired = found[1:, :, 1, 2].var(axis=1, ddof=1)
    assert paired.mean() < (alone[1:] + alone[0]).mean()


def test_win_shares_rise_with_the_margin_and_are_chances() -> None:
    """One visit for each of many groups: every mean is a single sample."""
    made = plan_sampler(shipped("opening"), trees=64)
    count = len(shipped("opening").actions())
    visit(made, 64, count)
    found = moments(made, count)[:, :, 0, 1:].reshape(-1, 3)
    shares, margins = found[:, 0], found[:, 1]
    assert ((shares > 0) & (shares < 1)).all()
    order = np.argsort(margins)
    assert (np.diff(shares[order]) >= 0).all()
    assert shares[order[-1]] > shares[order[0]]
    assert ((shares > 0.5) == (margins > 0)).all()


def test_a_wider_spread_makes_win_shares_less_sure() -> None:
    position = shipped("opening")
    model = engines.choose(position, "plans").model
    assert model is not None
    shares = []
    for factor in (0.5, 1.0, 2.0):
        made = plan_sampler(
            position,
            ways=[[position.rules.legal(position.packed)[0]]],
            trees=32,
            spread=factor * model.spread,
        )
        visit(made, 32, 1)
        shares.append(np.abs(moments(made, 1)[0, :, 0, 1] - 0.5))
    assert (shares[0] > shares[1]).all()
    assert (shares[1] > shares[2]).all()


def test_children_lead_step_by_step_to_the_end_of_the_turn() -> None:
    position = shipped("midgame")
    rules, root = position.rules, position.packed
    made = plan_sampler(position)
    codes = rules.legal(root)
    visit(made, 12, len(codes))
    for candidate, code in enumerate(codes):
        state = rules.apply(root, code)
        way: list[int] = []
        while rules.to_move(state) == rules.to_move(root):
            children = made.children(candidate, way)
            assert children == sorted(children)
            assert {action for action, _ in children} <= set(rules.legal(state))
            if not way:
                assert sum(visits for _, visits in children) == 12
            action = max(children, key=lambda child: child[1])[0]
            way.append(action)
            state = rules.apply(state, action)
        assert made.children(candidate, way) == []
    assert made.children(0, [2**31]) == []


def test_points_by_source_add_up_to_the_final_scores_and_teach_nothing() -> None:
    position = shipped(FEW_ACTIONS)
    now = np.array(list(position.scores().values()))
    made = plan_sampler(position)
    visit(made, 16, 15)
    before = moments(made, 15)
    for candidate in range(0, 15, 5):
        points, scores = np.zeros((20, 2, 8)), np.zeros((20, 2))
        made.observe(candidate, 7, points, scores)
        np.testing.assert_array_equal(points.sum(axis=2) + now, scores)
        again = np.zeros((20, 2, 8))
        made.observe(candidate, 7, again, scores)
        np.testing.assert_array_equal(again, points)
    np.testing.assert_array_equal(moments(made, 15), before)


def test_what_is_recalled_of_the_end_of_a_turn_is_what_the_value_thinks() -> None:
    position = shipped("opening")
    model = engines.choose(position, "plans").model
    assert model is not None
    value = Value(position.rules, model.net)
    found = Planner(position.rules, value).turns(position.packed, limit=500)
    recalled = np.zeros((len(found), 2))
    plan_sampler(position).recall([end for _, end, _ in found], recalled)
    assert (recalled[:, 0] == 1).all()
    np.testing.assert_allclose(recalled[:, 1], [worth for worth, _, _ in found], rtol=1e-6)


def test_who_plays_for_points_alone_recalls_points() -> None:
    position = shipped("opening")
    end = best_ends(position)[:1]
    margin, points = np.zeros((1, 2)), np.zeros((1, 2))
    plan_sampler(position).recall(end, margin)
    plan_sampler(position, own_score=True).recall(end, points)
    assert points[0, 1] > 50 > abs(margin[0, 1])


def test_a_candidate_that_ends_the_game_has_its_final_score() -> None:
    position = over()
    made = plan_sampler(position, ways=[[]], seat=0)
    visit(made, 8, 1)
    points, wins = position.rules.returns(position.packed)
    assert points[0] != points[1]
    found = moments(made, 1)
    assert (found[0, :, 0, 1] == wins[0]).all()
    assert (found[0, :, 0, 2] == points[0] - points[1]).all()
    assert (found[0, :, 0, 3] == points[0]).all()


def test_seats_do_not_matter_where_visits_are_equal() -> None:
    one, two = mirror("Anna", "Ben", round=4), mirror("Ben", "Anna", round=4)
    texts = [[str(action) for action in position.actions()] for position in (one, two)]
    assert texts[0] == texts[1]
    count = len(texts[0])
    means, errors = [], []
    for position in (one, two):
        made = plan_sampler(position, trees=16)
        visit(made, 16 * 8, count)
        found = moments(made, count)[:, :, 0, 2:]
        means.append(found.mean(axis=1))
        errors.append(found.std(axis=1, ddof=1) / 4)
    apart = np.abs(means[0] - means[1])
    assert (apart <= 4 * np.hypot(*errors)).all()


@pytest.mark.parametrize("number", [-1, 15, 2**31 - 1])
def test_a_candidate_that_does_not_exist_is_refused(number: int) -> None:
    made = plan_sampler(shipped(FEW_ACTIONS))
    with pytest.raises(IndexError, match="no such candidate"):
        made.moments(number, np.zeros((15, 4, 2, 4)))
    with pytest.raises(IndexError, match="no such candidate"):
        made.run(np.array([0, number], dtype=np.int32), np.array([1, 1], dtype=np.int32))
    with pytest.raises(IndexError, match="no such candidate"):
        made.observe(number, 0, np.zeros((1, 2, 8)), np.zeros((1, 2)))
    with pytest.raises(IndexError, match="no such candidate"):
        made.children(number, [])
    assert visited(made, 15) == [0] * 15  # a plan with a fault is not begun


def test_arrays_that_do_not_fit_are_refused() -> None:
    made = plan_sampler(shipped(FEW_ACTIONS))
    with pytest.raises(ValueError, match="differ in length"):
        made.run(np.arange(3, dtype=np.int32), np.ones(2, dtype=np.int32))
    with pytest.raises(ValueError, match="a number for each candidate"):
        made.visits(np.zeros(14, dtype=np.int64))
    with pytest.raises(ValueError, match="moments need"):
        made.moments(0, np.zeros((15, 3, 2, 4)))
    with pytest.raises(ValueError, match="the result arrays"):
        made.observe(0, 0, np.zeros((5, 2, 8)), np.zeros((4, 2)))
    with pytest.raises(ValueError, match="two numbers for each state"):
        made.recall([], np.zeros((1, 2)))


@pytest.mark.parametrize(
    "wrong", [{"trees": 0}, {"trees": -1}, {"ways": []}, {"seat": -1}, {"seat": 2}]
)
def test_a_sampler_without_groups_candidates_or_a_seat_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="there must be"):
        plan_sampler(shipped(FEW_ACTIONS), **wrong)
    with pytest.raises(ValueError, match="a packed state has"):
        plan_sampler(shipped(FEW_ACTIONS), root=b"short")
