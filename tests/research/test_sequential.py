"""The sequential test: its error rates by simulation, and that it says the same every time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.errors import SettingError
from advisor.research.sequential import LEAST_DEALS, SequentialTest


def run(results: np.ndarray, *, alpha: float = 0.05, difference: float = 0.1) -> SequentialTest:
    test = SequentialTest(alpha=alpha, difference=difference)
    for result in results.tolist():
        test.add(result)
        if test.verdict is not None:
            break
    return test


def deals(
    mean: float, equal: float, count: int, luck: np.random.Generator, runs: int
) -> np.ndarray:
    """Results of pairs of games: A wins both, one each (with the chance `equal`), B wins both."""
    chances = [(1 - equal - mean) / 2, equal, (1 - equal + mean) / 2]
    return luck.choice([-1.0, 0.0, 1.0], p=chances, size=(runs, count))


@pytest.mark.parametrize("equal", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("better", ["A", "B"])
def test_wrong_verdicts_are_as_rare_as_promised(better: str, equal: float) -> None:
    luck = np.random.default_rng(21)
    mean = 0.1 if better == "A" else -0.1
    verdicts = [run(row).verdict for row in deals(mean, equal, 1500, luck, 1500)]
    assert None not in verdicts
    wrong = sum(verdict != better for verdict in verdicts) / len(verdicts)
    assert wrong <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / len(verdicts))


def test_a_stricter_test_errs_less_and_takes_longer() -> None:
    games = deals(0.1, 0.4, 2500, np.random.default_rng(22), 300)
    usual = [run(row) for row in games]
    strict = [run(row, alpha=0.01) for row in games]
    assert sum(test.verdict != "A" for test in strict) <= 8
    assert np.mean([test.deals for test in strict]) > 1.3 * np.mean([t.deals for t in usual])


def test_a_large_difference_is_found_early() -> None:
    large = deals(0.6, 0.3, 300, np.random.default_rng(23), 200)
    found = [run(row) for row in large]
    assert {test.verdict for test in found} == {"A"}
    assert max(test.deals for test in found) < 60
    assert np.mean([test.deals for test in found]) < 20


def test_nothing_is_decided_before_enough_deals() -> None:
    test = SequentialTest()
    for _ in range(LEAST_DEALS - 1):
        test.add(1.0)
        assert test.verdict is None
    test.add(1.0)
    assert test.verdict == "A"


def test_equal_deals_decide_nothing_and_one_win_among_them_does_not_either() -> None:
    test = run(np.zeros(500))
    assert test.verdict is None
    assert test.llr == 0
    assert run(np.array([*np.zeros(15), 1.0])).verdict is None


def test_swapping_the_agents_swaps_the_verdict() -> None:
    for row in deals(0.05, 0.4, 1000, np.random.default_rng(24), 20):
        there, back = run(row), run(-row)
        assert there.deals == back.deals
        assert there.llr == -back.llr
        assert {there.verdict, back.verdict} in ({"A", "B"}, {None})


def test_a_verdict_stands_whatever_comes_later() -> None:
    test = run(np.ones(50))
    before = test.to_dict()
    for _ in range(200):
        test.add(-1.0)
    assert test.to_dict() == before


def test_the_ratio_is_the_formula() -> None:
    test = SequentialTest(difference=0.2)
    for result in (1.0, 0.0, -1.0, 1.0):
        test.add(result)
    # Sum 1, squares 3: deviations 3 - 1/4; two pretended deals of variance 1.
    assert test.llr == pytest.approx(2 * 0.2 * 1 / ((2.75 + 2) / (3 + 2)))
    assert test.mean == 0.25
    assert test.bounds == pytest.approx((-math.log(19), math.log(19)))


def test_the_state_is_ready_for_json() -> None:
    test = SequentialTest()
    assert test.to_dict()["mean"] is None
    test.add(0.5)
    assert test.to_dict() == {
        "alpha": 0.05,
        "difference": 0.1,
        "least_deals": 16,
        "deals": 1,
        "mean": 0.5,
        "llr": pytest.approx(0.1),
        "bounds": [pytest.approx(-2.9444), pytest.approx(2.9444)],
        "verdict": None,
    }


@pytest.mark.parametrize(
    "settings", [{"alpha": 0}, {"alpha": 0.5}, {"difference": 0}, {"difference": 1}]
)
def test_settings_out_of_bounds_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(SettingError, match=f"{next(iter(settings))} is"):
        SequentialTest(**settings)


@pytest.mark.parametrize("result", [1.5, -1.01, math.nan])
def test_a_result_that_is_no_difference_of_shares_is_refused(result: float) -> None:
    with pytest.raises(SettingError, match=r"lies in -1\.\.1"):
        SequentialTest().add(result)
