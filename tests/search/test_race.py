"""Tests of how effort is shared out and how the trees' numbers are merged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from advisor.search import race
from advisor.search.race import MARGIN, Race, Standing, mean_over_trees, next_visits, rounded
from advisor.search.settings import Settings
from tests.search import shipped

STUDENT = {4: 2.776, 7: 2.365, 15: 2.131}
"""Quantiles of 97.5 % by degrees of freedom, from a printed table."""


def standing(difference: list[float], error: list[float], *, reference: int = 0) -> Standing:
    """Return a standing in which every measure differs by the same."""
    differences = np.repeat(np.array(difference)[:, None], 3, axis=1)
    variances = np.repeat(np.array(error)[:, None] ** 2, 3, axis=1)
    samples = np.full(len(difference), 1000.0)
    return Standing(reference, samples, differences, variances, samples, differences, variances)


def counts(*numbers: int) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


# Rounding.


@pytest.mark.parametrize(
    ("wanted", "total", "expected"),
    [
        ([1, 1, 1], 9, [3, 3, 3]),
        ([1, 2, 3], 12, [2, 4, 6]),
        ([1, 1, 1], 10, [4, 3, 3]),  # equal claims: the first
        ([0.1, 0.1, 2.8], 1, [0, 0, 1]),  # the largest remainder
        ([2.5, 1.0, 0.5], 4, [3, 1, 0]),
        ([0, 0, 0], 7, [3, 2, 2]),  # nobody wants any: all alike
        ([0, 5, 0], 3, [0, 3, 0]),
        ([1, 2], 0, [0, 0]),
    ],
)
def test_rounding_gives_whole_numbers_in_proportion(
    wanted: list[float], total: int, expected: list[int]
) -> None:
    assert rounded(np.array(wanted, float), total).tolist() == expected


def test_rounded_numbers_always_add_up_and_are_off_by_less_than_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        wanted = rng.exponential(size=rng.integers(1, 90)) * 10.0 ** rng.integers(-6, 6)
        total = int(rng.integers(0, 5_000))
        found = rounded(wanted, total)
        assert found.sum() == total
        assert (np.abs(found - wanted * total / wanted.sum()) < 1 + 1e-9).all()


# Where the next visits go.


def test_the_next_visits_add_up_to_the_chunk() -> None:
    now = standing([-3, 0, -1, -20], [1, 0, 0.5, 2], reference=1)
    for chunk in (1, 7, 64, 1_000):
        found = next_visits(now, counts(40, 40, 40, 40), chunk, MARGIN, 0.5)
        assert found.sum() == chunk
        assert (found >= 0).all()


def test_the_best_and_its_nearest_rival_get_the_most() -> None:
    now = standing([-3, 0, -1, -2], [0.1, 0, 0.1, 0.1], reference=1)
    far, best, near, middle = next_visits(now, counts(0, 0, 0, 0), 10_000, MARGIN, 1.0).tolist()
    assert best >= near
    assert near > middle > far > 0
    assert middle / far == pytest.approx((2.8 / 1.8) ** 2, rel=0.01)  # the square of the distance


def test_a_clearly_worse_candidate_keeps_its_least_share() -> None:
    now = standing([0, -0.1, -500], [0, 0.1, 0.1])
    best, _, worst = next_visits(now, counts(0, 0, 0), 21_000, MARGIN, 0.5).tolist()
    assert worst == pytest.approx(race.LEAST_SHARE * best, rel=0.01)


def test_a_candidate_that_has_had_its_share_waits() -> None:
    now = standing([0, -0.1, -500], [0, 0.1, 0.1])
    found = next_visits(now, counts(100, 100, 100), 300, MARGIN, 0.5)
    assert found[2] == 0
    assert found[0] == pytest.approx(found[1], abs=1)


def test_an_uncertain_candidate_gets_more_than_an_equal_one_that_is_certain() -> None:
    now = standing([0, -5, -5], [0, 2, 0.1])
    found = next_visits(now, counts(0, 0, 0), 1_000, MARGIN, 0.5)
    assert found[1] > 2 * found[2]


def test_differences_below_the_indifference_margin_are_all_alike() -> None:
    now = standing([0, -0.3, -1.9], [0, 0.01, 0.01])
    found = next_visits(now, counts(0, 0, 0), 900, MARGIN, 2.0)
    assert found.tolist() == [300, 300, 300]
    found = next_visits(now, counts(0, 0, 0), 900, MARGIN, 0.5)
    assert found[1] > 4 * found[2]


# Several threads.


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_stay_level_on_every_candidate(threads: int) -> None:
    class Counted:
        """Stands for a sampler: remembers its visits."""

        def __init__(self) -> None:
            self.done = np.zeros(4, dtype=np.int64)

        def visits(self, out: NDArray[np.int64]) -> None:
            out[:] = self.done

    samplers = [Counted() for _ in range(threads)]
    together = Race(samplers, 4)  # type: ignore[arg-type]
    rng = np.random.default_rng(threads)
    planned = np.zeros(4, dtype=np.int64)
    for _ in range(20):
        more = rng.integers(0, 12, size=4)
        planned += more
        for sampler, (candidates, numbers) in zip(samplers, together.share(more), strict=True):
            assert (numbers > 0).all()
            sampler.done[candidates] += numbers
        done = np.array([sampler.done for sampler in samplers])
        assert (together.visits == planned).all()
        assert (done.sum(axis=0) == planned).all()
        assert (done.max(axis=0) - done.min(axis=0) <= 1).all()
    assert together.total == planned.sum()


# Merging trees.


def test_the_mean_over_trees_is_that_of_the_known_ones() -> None:
    numbers = np.array([[[1.0], [2.0], [6.0], [99.0]], [[4.0], [4.0], [4.0], [8.0]]])
    known = np.array([[True, True, True, False], [True, True, True, True]])
    mean, variance = mean_over_trees(numbers, known)
    assert mean[:, 0].tolist() == [3, 5]
    # 1, 2, 6: squares 4 + 1 + 9 = 14, over 2 degrees of freedom 7, of the mean of three 7 / 3;
    # 4, 4, 4, 8: squares 1 + 1 + 1 + 9 = 12, over 3 degrees 4, of the mean of four 1.
    z2 = 1.96**2
    for row, (freedom, plain) in enumerate([(2, 7 / 3), (3, 1.0)]):
        wider = 1 + (z2 + 1) / (4 * freedom) + (5 * z2**2 + 16 * z2 + 3) / (96 * freedom**2)
        assert variance[row, 0] == pytest.approx(plain * (race.ADAPTED * wider) ** 2)


@pytest.mark.parametrize("freedom", STUDENT)
def test_errors_are_as_wide_as_students_distribution_demands(freedom: int) -> None:
    numbers = np.random.default_rng(freedom).normal(size=(1, freedom + 1, 1))
    _, variance = mean_over_trees(numbers, np.ones((1, freedom + 1), dtype=bool))
    plain = numbers.var(ddof=1) / (freedom + 1)
    widened = math.sqrt(variance[0, 0] / plain) / race.ADAPTED
    assert 1.96 * widened == pytest.approx(STUDENT[freedom], rel=0.02)


def test_trees_that_all_agree_leave_no_error() -> None:
    _, variance = mean_over_trees(np.full((2, 8, 3), 7.0), np.ones((2, 8), dtype=bool))
    assert (variance == 0).all()


def test_two_trees_are_too_few_to_tell_an_error() -> None:
    numbers = np.array([[[5.0], [5.0], [0.0], [0.0]], [[1.0], [2.0], [3.0], [4.0]]])
    known = np.array([[True, True, False, False], [True, True, True, True]])
    mean, variance = mean_over_trees(numbers, known)
    assert mean[0, 0] == 5
    assert variance[0, 0] == pytest.approx(variance[1, 0] * 4 / 2)  # as wide as the widest other


def test_the_reference_differs_from_itself_by_nothing() -> None:
    from advisor.search.engine import Search

    search = Search(shipped("opening"), iterations=300, threads=1, engine="ismcts")
    search.run()
    assert search.race is not None
    found = search.race.look(3)
    assert found.reference == 3
    assert (found.difference[3] == 0).all()
    assert (found.difference_variance[3] == 0).all()
    assert (found.difference_variance[:3] > 0).any()
    np.testing.assert_allclose(found.value - found.value[3], found.difference, atol=1e-9)


def test_the_number_of_trees_does_not_fall_with_the_threads() -> None:
    from advisor.search.engine import Search

    for threads in (1, 2, 3, 8, 9):
        search = Search(shipped("opening"), iterations=1, threads=threads)
        search.run()
        assert search.race is not None
        assert sum(sampler.trees for sampler in search.race.samplers) >= race.TREES
        assert len(search.race.samplers) == Settings(threads=threads).workers
