"""Means, shares and differences with the deal as the unit, against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.research.statistics import (
    mean,
    mean_of_sums,
    paired_difference,
    share,
    share_of_sums,
    student,
)


def test_the_error_of_a_mean_comes_from_the_spread_between_deals() -> None:
    # Deals of 2 values: sums 2, 8, 14; mean 4; deviations of the sums -6, 0, 6.
    found = mean([1, 1, 3, 5, 7, 7], [0, 0, 1, 1, 2, 2])
    assert found.value == 4
    assert found.se == pytest.approx(math.sqrt(3 / 2 * 72 / 36))
    assert (found.count, found.clusters) == (6, 3)
    assert found.high - found.value == pytest.approx(4.303 * found.se)
    assert found.value - found.low == pytest.approx(4.303 * found.se)


def test_one_value_a_deal_gives_the_textbook_error() -> None:
    values = np.random.default_rng(3).normal(10, 4, 40)
    found = mean(values, np.arange(40))
    assert found.value == pytest.approx(values.mean())
    assert found.se == pytest.approx(values.std(ddof=1) / math.sqrt(40))


def test_deals_of_different_size_weigh_by_their_values() -> None:
    # Sums 2 (of 2) and 9 (of 1): mean 11/3, deviations -16/3 and 16/3, variance 2 · 2 · (16/9)².
    found = mean([1, 1, 9], [5, 5, 2])
    assert found.value == pytest.approx(11 / 3)
    assert found.se == pytest.approx(2 * 16 / 9)


def test_repeating_every_game_of_a_deal_adds_no_certainty() -> None:
    values = np.random.default_rng(4).normal(0, 1, 30)
    once = mean(values, np.arange(30))
    often = mean(np.repeat(values, 6), np.repeat(np.arange(30), 6))
    assert often.se == pytest.approx(once.se)
    assert often.clusters == 30


def test_one_deal_has_a_mean_but_no_error() -> None:
    found = mean([4, 6], [7, 7])
    assert found.value == 5
    assert math.isnan(found.se)
    assert math.isnan(found.low)
    assert found.to_dict() == {"value": 5.0, "se": None, "low": None, "high": None}
    alone = share([True, False], [7, 7])
    assert alone.value == 0.5
    assert alone.to_dict()["low"] is None


def test_without_values_nothing_is_known() -> None:
    assert math.isnan(mean([], []).value)
    assert math.isnan(share([], []).value)
    assert math.isnan(paired_difference([1], [0], [1], [1]).value)


def test_unknown_values_and_empty_deals_do_not_count() -> None:
    assert mean([1, math.nan, 3], [0, 1, 2]) == mean([1, 3], [0, 2])
    with_gap = mean_of_sums(np.array([2.0, 0.0, 2.0]), np.array([1.0, 0.0, 3.0]))
    assert with_gap == mean_of_sums(np.array([2.0, 2.0]), np.array([1.0, 3.0]))


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (8, 2.306), (15, 2.131), (60, 2.000)],
)
def test_students_quantile_is_within_one_per_cent(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.01)


def test_a_share_of_independent_cases_has_wilsons_interval() -> None:
    cases = np.arange(400) % 5 == 0
    found = share(cases, np.arange(400))
    z2, n, p = student(399) ** 2, 400, 0.2
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    assert found.low == pytest.approx(middle - half, abs=2e-4)
    assert found.high == pytest.approx(middle + half, abs=2e-4)


def test_cases_that_are_alike_within_a_deal_count_once() -> None:
    cases = np.arange(60) % 3 == 0
    alone = share(cases, np.arange(60))
    alike = share(np.repeat(cases, 8), np.repeat(np.arange(60), 8))
    assert alike.high - alike.low == pytest.approx(alone.high - alone.low, rel=0.02)


@pytest.mark.parametrize("all_won", [True, False])
def test_never_and_always_have_honest_intervals(all_won: bool) -> None:
    found = share(np.full(40, all_won), np.repeat(np.arange(20), 2))
    assert found.value == all_won
    assert found.se > 0
    # 20 deals without one success: about t² / (n + t²) = 18 % are still possible.
    away = 1 - found.low if all_won else found.high
    assert away == pytest.approx(2.093**2 / (20 + 2.093**2), rel=0.01)
    assert (found.high if all_won else found.low) == all_won


def test_deals_that_all_end_one_to_one_leave_less_doubt_the_more_they_are() -> None:
    few = share_of_sums(np.full(3, 2.0), np.full(3, 1.0))
    many = share_of_sums(np.full(300, 2.0), np.full(300, 1.0))
    assert few.high - few.low > 0.3
    assert 0 < many.high - many.low < 0.02


def test_the_luck_both_agents_share_in_a_deal_cancels() -> None:
    luck = np.random.default_rng(5).normal(0, 50, 30)
    deals = np.arange(30)
    ahead = np.where(deals % 2 == 0, 1.0, 3.0)
    found = paired_difference(luck + ahead, deals, luck, deals)
    assert found.value == pytest.approx(2)
    assert found.se == pytest.approx(math.sqrt(30 / 29 / 30))
    backwards = paired_difference(luck, deals, luck + ahead, deals)
    assert backwards.value == pytest.approx(-2)


def test_only_deals_of_both_agents_are_compared() -> None:
    found = paired_difference([5, 7, 9, 100], [0, 0, 1, 2], [1, 2, 50], [0, 1, 3])
    assert found.value == 6  # deal 0: 6 - 1, deal 1: 9 - 2
    assert found.clusters == 2


def test_intervals_of_means_cover_the_truth_where_games_of_a_deal_are_alike() -> None:
    luck = np.random.default_rng(11)
    deals, games, runs = 20, 4, 2000
    clusters = np.repeat(np.arange(deals), games)
    covered = naive = 0
    for _ in range(runs):
        values = np.repeat(luck.normal(0, 1, deals), games) + luck.normal(0, 1, deals * games)
        found = mean(values, clusters)
        covered += found.low <= 0 <= found.high
        naive += abs(values.mean()) <= 1.96 * values.std(ddof=1) / math.sqrt(deals * games)
    assert 0.935 <= covered / runs <= 0.965
    assert naive / runs < 0.85  # what the deals are for


@pytest.mark.parametrize(("deals", "chance"), [(15, 0.5), (40, 0.3), (40, 0.9), (150, 0.97)])
def test_intervals_of_shares_cover_the_truth_where_games_of_a_deal_are_alike(
    deals: int, chance: float
) -> None:
    luck = np.random.default_rng(12)
    runs, covered = 1500, 0
    counts = np.full(deals, 2.0)
    for _ in range(runs):
        by_deal = luck.beta(2 * chance, 2 * (1 - chance), deals)
        found = share_of_sums(counts, luck.binomial(2, by_deal).astype(np.float64))
        covered += found.low <= chance <= found.high
    assert 0.93 <= covered / runs <= 0.985
