"""Tests of the judgement: what to believe, who is best, and when that is settled."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from advisor.report.advice import Objective
from advisor.search.race import MARGIN, SCORE, WIN, Standing
from advisor.search.ranking import (
    ENOUGH,
    RIVALS,
    Judgement,
    believed_best,
    judge,
    measure_of,
    merit,
    shrunken,
)

Pairs = list[tuple[float, float]]
"""A difference to the reference and its standard error, for each candidate."""


def standing(
    margins: Pairs, wins: Pairs | None = None, *, reference: int = 0, samples: float = 1_000
) -> Standing:
    """Return a standing; where the win shares do not matter none differs from another."""
    columns = {MARGIN: margins, SCORE: margins, WIN: wins or [(0, 0.1)] * len(margins)}
    difference = np.array([[columns[m][i][0] for m in range(3)] for i in range(len(margins))])
    error = np.array([[columns[m][i][1] for m in range(3)] for i in range(len(margins))])
    difference[reference] = error[reference] = 0
    number = np.full(len(margins), float(samples))
    own = error.copy()
    own[reference] = np.delete(error, reference, axis=0).min(axis=0)
    return Standing(reference, number, difference, own**2, number, difference, error**2)


def judged(now: Standing, objective: Objective, indifference: float) -> Judgement:
    return judge(now, now, objective, indifference)


def floats(*numbers: float) -> NDArray[np.float64]:
    return np.array(numbers, dtype=np.float64)


# What to believe.


def test_a_lucky_outlier_with_a_large_error_does_not_win() -> None:
    value, error = floats(0, -1, -2, -3, 3), floats(0, 0.3, 0.3, 0.3, 8)
    belief, _ = shrunken(value, error)
    assert int(np.argmax(belief)) == 0
    assert belief[4] < belief[0] - 0.5
    belief, _ = shrunken(value, floats(0, 0.3, 0.3, 0.3, 0.3))
    assert int(np.argmax(belief)) == 4  # as certain as the others, it is the best


def test_equal_errors_keep_the_order() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        value = rng.normal(size=12)
        value -= value[0]
        belief, doubt = shrunken(value, np.full(12, 0.7))
        assert np.argsort(belief).tolist() == np.argsort(value).tolist()
        np.testing.assert_allclose(doubt, doubt[0])


def test_numbers_are_drawn_together_and_never_past_each_other() -> None:
    value, error = floats(0, -2, -4, -9), floats(0, 2, 2, 2)
    belief, doubt = shrunken(value, error)
    assert belief.max() - belief.min() < 9
    assert (np.diff(belief) < 0).all()
    assert (doubt < 2).all()
    assert (error == floats(0, 2, 2, 2)).all()  # what was handed in stays as it was


def test_certain_numbers_are_believed_as_they_are() -> None:
    value = floats(0, -2, -4, -9)
    belief, doubt = shrunken(value, floats(0, 0.001, 0.001, 0.001))
    np.testing.assert_allclose(belief, value, atol=0.001)
    assert (doubt <= 0.001).all()


def test_one_candidate_has_nobody_to_be_compared_with() -> None:
    belief, doubt = shrunken(floats(0), floats(0))
    assert (belief.tolist(), doubt.tolist()) == ([0], [0])


# What an objective compares by.


def test_objectives_compare_points_by_margin_or_score() -> None:
    assert (measure_of("win"), measure_of("margin"), measure_of("score")) == (MARGIN, MARGIN, SCORE)


def test_win_shares_decide_as_far_as_they_are_more_than_noise() -> None:
    margins: Pairs = [(0, 1), (4, 1), (2, 1)]
    clear = standing(margins, [(0, 0.001), (-0.2, 0.001), (-0.1, 0.001)])
    value, error = merit(clear, "win")
    np.testing.assert_allclose(value, [0, -0.2, -0.1], atol=0.01)  # whatever the margins
    assert (error < 0.01).all()
    noisy = standing(margins, [(0, 0.5), (-0.02, 0.5), (0.01, 0.5)])
    value, _ = merit(noisy, "win")
    assert np.argsort(value).tolist() == [0, 2, 1]  # the margins tell
    assert merit(clear, "margin")[0].tolist() == [0, 4, 2]


def test_the_best_is_the_one_believed_best() -> None:
    now = standing([(0, 0), (-1, 0.3), (-2, 0.3), (3, 9)])
    assert believed_best(now, "margin") == 0
    now = standing([(0, 0), (-1, 0.3), (-2, 0.3), (3, 0.5)])
    assert believed_best(now, "margin") == 3


# The judgement.


def test_a_clear_lead_is_decided() -> None:
    found = judged(standing([(-6, 0.3), (0, 0), (-5, 0.3)], reference=1), "margin", 0.5)
    assert found.order == [1, 2, 0]
    assert found.decided
    assert not found.settled
    assert found.equivalent.tolist() == [False, True, False]
    assert found.chance_best[1] > 0.95


def test_rivals_within_the_indifference_margin_are_settled_and_not_decided() -> None:
    now = standing([(0, 0), (-0.05, 0.15), (-8, 0.3), (-9, 0.3)])
    found = judged(now, "margin", 0.5)
    assert found.settled
    assert not found.decided
    assert found.equivalent.tolist() == [True, True, False, False]
    assert found.order[:2] == [0, 1]
    narrow = judged(now, "margin", 0.1)  # for somebody who minds a tenth of a point
    assert not narrow.settled
    assert narrow.equivalent.tolist() == [True, False, False, False]


def test_a_rival_that_may_be_better_by_more_than_the_margin_keeps_the_question_open() -> None:
    found = judged(standing([(0, 0), (-0.2, 1.0), (-8, 0.3)]), "margin", 0.5)
    assert not found.decided
    assert not found.settled
    assert not found.equivalent[1]


def test_a_clear_difference_in_wins_matters_even_where_the_points_are_equal() -> None:
    now = standing([(0, 0), (-0.05, 0.1)], [(0, 0), (-0.06, 0.02)])
    assert not judged(now, "win", 0.5).equivalent[1]
    assert judged(now, "margin", 0.5).equivalent[1]
    unclear = standing([(0, 0), (-0.05, 0.1)], [(0, 0), (-0.03, 0.02)])
    assert judged(unclear, "win", 0.5).equivalent[1]


def test_nothing_is_settled_by_a_handful_of_samples() -> None:
    for margins in ([(0.0, 0.0), (-5.0, 0.1)], [(0.0, 0.0), (-0.05, 0.1)]):
        few = judged(standing(margins, samples=ENOUGH - 1), "margin", 0.5)
        assert not few.decided
        assert not few.settled
        many = judged(standing(margins, samples=ENOUGH), "margin", 0.5)
        assert many.decided or many.settled


@pytest.mark.parametrize("objective", ["win", "margin", "score"])
@pytest.mark.parametrize("count", [2, 5, RIVALS + 30])
def test_chances_of_being_best_are_shares_and_never_certain(
    objective: Objective, count: int
) -> None:
    margins = [(-3.0 * i, 0.5) for i in range(count)]
    wins = [(-0.02 * i, 0.01) for i in range(count)]
    found = judged(standing(margins, wins), objective, 0.5)
    assert found.chance_best.sum() == pytest.approx(1)
    assert ((found.chance_best > 0) & (found.chance_best < 1)).all()
    assert (np.diff(found.chance_best[:3]) <= 0).all()
    assert found.order == list(range(count))
    again = judged(standing(margins, wins), objective, 0.5)
    assert (again.chance_best == found.chance_best).all()


def test_equal_candidates_share_the_chance() -> None:
    found = judged(standing([(0, 0), (0, 0.5), (0, 0.5), (0, 0.5)]), "margin", 0.5)
    assert found.order[0] == 0
    np.testing.assert_allclose(found.chance_best, 0.25, atol=0.06)
