"""Tests that the errors of the trees are right: many seeds of a small budget, and their spread.

The seeds are fixed, so the shares are, too. What an interval should contain is what a search of
this size says on average over all luck, taken as the mean over the seeds.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.search import FEW_ACTIONS, answered

SEEDS = 30
ITERATIONS = 1_200


@functools.cache
def sampled(name: str, measure: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return values and standard errors, one row a seed and one column an action."""
    rows = []
    for seed in range(1, SEEDS + 1):
        advice = answered(name, iterations=ITERATIONS, seed=seed, engine="ismcts")
        ranked = sorted(advice.actions, key=lambda entry: entry.action)
        rows.append([(getattr(r, measure).value, getattr(r, measure).se) for r in ranked])
    values, errors = np.moveaxis(np.array(rows), 2, 0)
    return values, errors


@pytest.mark.parametrize("name", [FEW_ACTIONS, "opening"])
@pytest.mark.parametrize("measure", ["win", "margin", "score"])
def test_intervals_of_95_percent_contain_the_mean_about_as_often(name: str, measure: str) -> None:
    values, errors = sampled(name, measure)
    covered = np.abs(values - values.mean(axis=0)) <= 1.96 * errors
    assert 0.85 <= covered.mean() <= 1.0


@pytest.mark.parametrize("name", [FEW_ACTIONS, "opening"])
@pytest.mark.parametrize("measure", ["win", "margin", "score"])
def test_errors_are_not_absurdly_wide(name: str, measure: str) -> None:
    values, errors = sampled(name, measure)
    scores = (values - values.mean(axis=0)) / errors
    assert scores.std() > 0.5


@pytest.mark.parametrize("name", [FEW_ACTIONS, "opening"])
def test_chances_of_being_best_mean_what_they_say(name: str) -> None:
    """The one called best is best by the mean of all seeds about as often as claimed, or more.

    Best to a point: that mean does not know the order of closer ones either.
    """
    values, _ = sampled(name, "margin")
    truth = values.mean(axis=0)
    claimed, right = [], []
    for seed in range(1, SEEDS + 1):
        advice = answered(name, iterations=ITERATIONS, seed=seed, engine="ismcts")
        texts = sorted(ranked.action for ranked in advice.actions)
        claimed.append(advice.best.chance_best)
        right.append(truth[texts.index(advice.best.action)] > truth.max() - 1.0)
    assert np.mean(right) >= 0.5 * np.mean(claimed)
