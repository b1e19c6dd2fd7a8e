"""Tests of the compiled sampler: its arguments, its worlds, its memory, what it hands out."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from advisor.search._tree import Sampler
from tests.search import FEW_ACTIONS, over, sampler, shipped

SCRIPT = """
import numpy as np
from tests.search import FEW_ACTIONS, sampler, shipped
try:
    made = sampler(shipped(FEW_ACTIONS), {arguments})
    count = 15 if "ways" not in "{arguments}" else 0
    made.run(np.arange(count, dtype=np.int32), np.full(count, 10, dtype=np.int32))
except (ValueError, IndexError, MemoryError, OverflowError):
    pass
"""


def visit(made: Sampler, times: int, count: int | None = None) -> None:
    """Visit all candidates, or the first few, so often."""
    if count is None:
        count = len(shipped(FEW_ACTIONS).actions())
    made.run(np.arange(count, dtype=np.int32), np.full(count, times, dtype=np.int32))


def moments(made: Sampler, count: int, reference: int = 0) -> NDArray[np.float64]:
    out = np.zeros((count, made.trees, 2, 4))
    made.moments(reference, out)
    return out


@pytest.fixture
def made() -> Sampler:
    return sampler(shipped(FEW_ACTIONS))


COUNT = 15
"""Legal actions of the position."""


# What does not fit is refused, and never brings the process down.


def test_the_position_has_the_actions_counted_here() -> None:
    assert len(shipped(FEW_ACTIONS).actions()) == COUNT


@pytest.mark.parametrize("shape", [(COUNT - 1,), (COUNT + 1,), (0,)])
def test_visits_need_a_number_for_each_candidate(made: Sampler, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="a number for each candidate"):
        made.visits(np.zeros(shape, dtype=np.int64))


@pytest.mark.parametrize(
    "shape",
    [(COUNT - 1, 4, 2, 4), (COUNT, 3, 2, 4), (COUNT, 4, 1, 4), (COUNT, 4, 2, 3), (COUNT, 5, 2, 4)],
)
def test_moments_need_the_right_shape(made: Sampler, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="moments need"):
        made.moments(0, np.zeros(shape))


@pytest.mark.parametrize("number", [-1, COUNT, 2**31 - 1])
def test_a_candidate_that_does_not_exist_is_refused(made: Sampler, number: int) -> None:
    with pytest.raises(IndexError, match="no such candidate"):
        made.moments(number, np.zeros((COUNT, 4, 2, 4)))
    with pytest.raises(IndexError, match="no such candidate"):
        made.run(np.array([0, number], dtype=np.int32), np.array([1, 1], dtype=np.int32))
    with pytest.raises(IndexError, match="no such candidate"):
        made.observe(number, 0, np.zeros((1, 2, 8)), np.zeros((1, 2)))
    with pytest.raises(IndexError, match="no such candidate"):
        made.children(number, [])
    visits = np.zeros(COUNT, dtype=np.int64)
    made.visits(visits)
    assert not visits.any()  # a plan with a fault is not begun


def test_a_plan_has_a_count_for_each_candidate(made: Sampler) -> None:
    with pytest.raises(ValueError, match="differ in length"):
        made.run(np.arange(3, dtype=np.int32), np.ones(2, dtype=np.int32))


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        ((5, 2, 8), (4, 2)),
        ((5, 3, 8), (5, 2)),
        ((5, 2, 7), (5, 2)),
        ((5, 2, 8), (5, 3)),
        ((5, 1, 8), (5, 1)),
    ],
)
def test_observations_need_the_right_shapes(
    made: Sampler, points: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="the result arrays"):
        made.observe(0, 0, np.zeros(points), np.zeros(scores))


def test_numbers_of_another_kind_are_refused(made: Sampler) -> None:
    wrong: Any = np.zeros(COUNT, dtype=np.int32)
    with pytest.raises(ValueError, match="dtype"):
        made.visits(wrong)
    wrong = np.zeros(3, dtype=np.int64)
    with pytest.raises(ValueError, match="dtype"):
        made.run(wrong, wrong)
    with pytest.raises(ValueError, match="contiguous"):
        made.visits(np.zeros(2 * COUNT, dtype=np.int64)[::2])
    with pytest.raises(ValueError, match="dimensions"):
        made.visits(np.zeros((COUNT, 1), dtype=np.int64))


def test_a_state_of_another_size_is_refused() -> None:
    position = shipped(FEW_ACTIONS)
    for root in (b"", position.packed[:-1], position.packed + b"\0"):
        with pytest.raises(ValueError, match="a packed state has"):
            sampler(position, root=root)


def test_a_way_is_a_list_of_actions() -> None:
    for way in (["6 workers"], [None], [-1], 7, None):
        with pytest.raises((TypeError, OverflowError, ValueError)):
            sampler(shipped(FEW_ACTIONS), ways=[way])


@pytest.mark.parametrize(
    "arguments",
    [
        "trees=0",
        "trees=-1",
        "ways=[]",
        "ways=[], own_score=True",
        "seat=-1",
        "seat=100_000",
        "memory=-1",
    ],
)
def test_arguments_out_of_bounds_never_crash(arguments: str) -> None:
    script = SCRIPT.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-300:]


def test_a_seat_that_nobody_has_is_refused() -> None:
    for seat in (-1, 2):
        with pytest.raises((ValueError, IndexError)):
            sampler(shipped(FEW_ACTIONS), seat=seat)


def test_a_candidate_that_ends_the_game_has_its_final_score() -> None:
    position = over()
    made = sampler(position, ways=[[]], seat=0)
    visit(made, 8, count=1)
    points, wins = position.rules.returns(position.packed)
    found = moments(made, 1)
    assert (found[0, :, 0, 0] == 1).all()  # the first visit of each tree is a sample
    assert (found[0, :, 0, 1] == wins[0]).all()
    assert (found[0, :, 0, 2] == points[0] - points[1]).all()
    assert (found[0, :, 0, 3] == points[0]).all()


# What is handed out.


def test_visits_go_to_the_trees_in_turn_and_every_second_one_is_a_sample(made: Sampler) -> None:
    made.run(np.array([3, 5], dtype=np.int32), np.array([4 * 6, 3], dtype=np.int32))
    visits = np.zeros(COUNT, dtype=np.int64)
    made.visits(visits)
    assert visits.tolist() == [24 if i == 3 else 3 if i == 5 else 0 for i in range(COUNT)]
    samples = moments(made, COUNT)[:, :, 0, 0]
    assert samples[3].tolist() == [3] * 4  # six visits each, three of them samples
    assert samples[5].tolist() == [1, 1, 1, 0]
    assert samples.sum() == 15


def test_a_difference_to_itself_is_nothing_and_a_swapped_one_its_opposite(made: Sampler) -> None:
    visit(made, 80)
    first, second = moments(made, COUNT, 2), moments(made, COUNT, 9)
    assert (first[2, :, 1, 1:] == 0).all()
    np.testing.assert_allclose(first[9, :, 1, 1:], -second[2, :, 1, 1:])
    np.testing.assert_array_equal(first[:, :, 0], second[:, :, 0])


def test_with_equal_visits_the_difference_is_that_of_the_means(made: Sampler) -> None:
    visit(made, 80)
    found = moments(made, COUNT, 4)
    apart = found[:, :, 0, 1:] - found[4, None, :, 0, 1:]
    np.testing.assert_allclose(found[:, :, 1, 1:], apart, atol=1e-5)


def test_a_longer_log_keeps_its_mean() -> None:
    """Logs add up neighbours when they are full; the mean is still that of the later half."""
    position = over()
    made = sampler(position, ways=[[]], seat=0, trees=1)
    score = position.rules.returns(position.packed)[0][0]
    for times in (2_000, 1_000, 5_001):
        visit(made, times, count=1)
        found = moments(made, 1)[0, 0, 0]
        assert found[3] == pytest.approx(score)
    assert 1_900 <= found[0] <= 2_100  # 8,001 visits, every second a sample, half of them late


def test_children_are_the_visits_of_the_next_decision(made: Sampler) -> None:
    position = shipped(FEW_ACTIONS)
    visit(made, 400)
    for number, action in enumerate(position.actions()[:4]):
        after = position.apply(action)
        legal = {following.code for following in after.actions()}
        children = made.children(number, [])
        assert {code for code, _ in children} <= legal
        assert children == sorted(children)
        assert sum(visits for _, visits in children) > 0
    assert made.children(0, [2**31]) == []


def test_observations_teach_nothing_and_repeat(made: Sampler) -> None:
    visit(made, 100)
    before = (made.edges, made.memory, moments(made, COUNT).tolist())
    seen = []
    for _ in range(2):
        points, scores = np.zeros((40, 2, 8)), np.zeros((40, 2))
        made.observe(1, 10**6, points, scores)
        seen.append((points, scores))
    assert (made.edges, made.memory, moments(made, COUNT).tolist()) == before
    np.testing.assert_array_equal(seen[0][0], seen[1][0])
    np.testing.assert_array_equal(seen[0][1], seen[1][1])


def test_points_by_source_add_up_to_the_final_scores(made: Sampler) -> None:
    position = shipped(FEW_ACTIONS)
    visit(made, 50)
    now = np.array(list(position.scores().values()))
    for candidate in range(0, COUNT, 3):
        points, scores = np.zeros((100, 2, 8)), np.zeros((100, 2))
        made.observe(candidate, 7, points, scores)
        np.testing.assert_array_equal(points.sum(axis=2) + now, scores)
        assert (scores > 0).all()


# The same worlds for all candidates.


def test_the_same_seed_gives_the_same_samples_and_another_one_others() -> None:
    found = []
    for seed in (7, 7, 8):
        made = sampler(shipped(FEW_ACTIONS), seed=seed)
        visit(made, 60)
        found.append(moments(made, COUNT))
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0][:, :, 0, 3] != found[2][:, :, 0, 3]).mean() > 0.9


def test_who_plays_for_points_alone_plays_another_game() -> None:
    found = []
    for own_score in (False, True):
        made = sampler(shipped(FEW_ACTIONS), own_score=own_score)
        visit(made, 400)
        found.append(moments(made, COUNT)[:, :, 0])
    assert (found[0][:, :, 0] == found[1][:, :, 0]).all()  # as many samples
    assert (found[0][:, :, 3] != found[1][:, :, 3]).mean() > 0.5


def test_trees_are_independent_of_each_other(made: Sampler) -> None:
    visit(made, 4)
    scores = moments(made, COUNT)[:, :, 0, 3]
    assert all(len(set(row)) > 1 for row in scores.tolist())


@pytest.mark.parametrize(("name", "share"), [(FEW_ACTIONS, 0.7), ("end-of-phase", 1.0)])
def test_differences_in_the_same_worlds_vary_less_than_independent_ones(
    name: str, share: float
) -> None:
    """Common random numbers: the spread over many trees, on average over the candidates."""
    count = len(shipped(name).actions())
    made = sampler(shipped(name), trees=48)
    visit(made, 48 * 8, count)
    found = moments(made, count)
    alone = found[:, :, 0, 1:].var(axis=1, ddof=1)
    paired = found[1:, :, 1, 1:].var(axis=1, ddof=1)
    independent = alone[1:] + alone[0]
    assert paired[:, 1].mean() < share * independent[:, 1].mean()  # margin
    assert paired[:, 2].mean() < share * independent[:, 2].mean()  # score


# The bound of the memory.


@pytest.mark.parametrize("memory", [300_000, 400_000, 600_000, 900_000, 1_300_000])
def test_trees_keep_within_their_memory_and_stay_usable(memory: int) -> None:
    made = sampler(shipped("midgame"), memory=memory)
    count = len(shipped("midgame").actions())
    while not made.full:
        visit(made, 40, count)
        assert made.memory < 10 * memory, "the bound is never reached"
    edges = made.edges
    before = np.zeros(count, dtype=np.int64)
    made.visits(before)
    visit(made, 40, count)
    after = np.zeros(count, dtype=np.int64)
    made.visits(after)
    assert (after - before == 40).all()  # sampling goes on
    assert made.edges == edges  # in trees that do not grow
    assert made.memory <= memory


def test_without_a_bound_in_reach_the_trees_grow(made: Sampler) -> None:
    sizes = []
    for _ in range(3):
        visit(made, 40)
        sizes.append((made.edges, made.memory))
    assert sizes == sorted(set(sizes))
    assert not made.full
