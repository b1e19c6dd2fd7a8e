"""From statistics to a judgement: values with errors, the order, and whether it is settled.

Owns what "better" means under an objective, the chance of being the best, and the two reasons to
stop early: the best is decided, or what is left does not matter.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.report.advice import Objective
from advisor.search.race import MARGIN, SCORE, WIN, Floats, Standing

SURE = 0.95
Z = 1.96
"""Standard errors of a 95 % interval."""

RIVALS = 40
"""So many of the best are held against each other for the chance of being the best."""

EQUALLY_LIKELY = 64
"""So many values stand for a normal variable."""

SMALLEST = 1e-4
"""No sampled chance is below this: never 0, and so never 1."""

ENOUGH = 100
"""Samples that the best and a rival need before anything is called decided."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The candidates judged: values, beliefs, order, chances, and differences to the best."""

    standing: Standing
    """Values, and differences to the best."""
    order: list[int]
    belief: Floats
    """What to believe of each, in the objective's measure."""
    chance_best: Floats
    equivalent: NDArray[np.bool_]
    """Within the indifference margin of the best, for all one can tell."""
    decided: bool
    settled: bool
    """Every rival of the best is equivalent to it."""


def measure_of(objective: Objective) -> int:
    """Return the measure in points that an objective compares by."""
    return SCORE if objective == "score" else MARGIN


def merit(standing: Standing, objective: Objective) -> tuple[Floats, Floats]:
    """Return what each candidate is worth under an objective, and the standard error.

    For the objective win: the win share as far as the differences in win shares are more than
    noise, and for the rest the margin, a point of it counting for so much win share as it brings
    over all candidates.
    """
    error = np.sqrt(standing.variance)
    if objective != "win":
        measure = measure_of(objective)
        return standing.value[:, measure], error[:, measure]
    wins = standing.value[:, WIN]
    margins = standing.value[:, MARGIN] - standing.value[:, MARGIN].mean()
    seen = float(wins.var())
    real = max(0.0, seen - float((error[:, WIN] ** 2).mean())) / seen if seen > 0 else 0.0
    spread = float((margins**2).sum())
    slope = float((wins * margins).sum()) / spread if spread > 0 else 0.01
    slope = min(max(slope, 1e-4), 0.05)
    return (
        real * wins + (1 - real) * (wins.mean() + slope * margins),
        np.hypot(real * error[:, WIN], (1 - real) * slope * error[:, MARGIN]),
    )


def shrunken(value: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Return what to believe of each candidate, and how firmly, given how all of them turned out.

    The highest of many uncertain numbers is high by luck more often than not. So every number is
    drawn towards the mean of all, the more the larger its error and the less the candidates really
    differ (empirical Bayes with a normal prior).
    """
    if len(value) == 1:
        return value, error
    variance = np.maximum(error**2, 1e-12)
    mean, spread = float(value.mean()), float(value.var())
    for _ in range(6):  # close to the fixed point of both
        weight = 1 / (variance + spread)
        mean = float((weight * value).sum() / weight.sum())
        apart = weight**2 * ((value - mean) ** 2 - variance)
        spread = max(float(apart.sum() / (weight**2).sum()), 1e-9)
    precision = 1 / variance + 1 / spread
    return (value / variance + mean / spread) / precision, np.sqrt(1 / precision)


def believed_best(values: Standing, objective: Objective) -> int:
    """Return the candidate believed best, not just lucky."""
    belief, _ = shrunken(*merit(values, objective))
    return int(np.argmax(belief))


def judge(
    values: Standing, standing: Standing, objective: Objective, indifference: float
) -> Judgement:
    """Judge all candidates.

    Args:
        values: what they are worth.
        standing: their differences to the best of them.
        objective: what is ranked by.
        indifference: points of difference that do not matter.

    """
    best = standing.reference
    belief, doubt = shrunken(*merit(values, objective))
    order = [best, *(int(i) for i in np.argsort(-belief, kind="stable") if i != best)]
    chance = _chance_best(belief, doubt, best)
    measure = measure_of(objective)
    points = standing.difference[:, measure]
    points_error = np.sqrt(standing.difference_variance[:, measure])
    wins, wins_error = standing.difference[:, WIN], np.sqrt(standing.difference_variance[:, WIN])
    enough = standing.pairs >= ENOUGH
    close = (np.abs(points) + Z * points_error < indifference) & enough
    if objective == "win":  # a win share that differs clearly is a difference that matters
        close &= np.abs(wins) <= Z * wins_error
    close[best] = True
    rivals = chance > (1 - SURE) / max(1, len(order) - 1)
    rivals[best] = False
    ready = bool(standing.samples[best] >= ENOUGH)
    return Judgement(
        standing=standing,
        order=order,
        belief=belief,
        chance_best=chance,
        equivalent=close,
        decided=ready and bool(chance[best] >= SURE) and bool(enough[rivals].all()),
        settled=ready and bool(rivals.any()) and bool(close[rivals].all()),
    )


def _chance_best(belief: Floats, doubt: Floats, best: int) -> Floats:
    """Return each candidate's chance of being the best, each one's true merit being normal.

    For so many equally likely merits of a candidate: the chance that all others are below.
    """
    top = np.argsort(-(belief + Z * doubt), kind="stable")[:RIVALS]
    if best not in top:
        top[-1] = best
    center, width = belief[top], np.maximum(doubt[top], 1e-12)
    merits = center[:, None] + width[:, None] * _quantiles()
    below = _normal((merits[:, :, None] - center) / width)
    own = np.arange(len(top))
    below[own, :, own] = 1
    chance: Floats = np.zeros(len(belief))
    chance[top] = below.prod(axis=2).mean(axis=1)
    chance = np.maximum(chance, SMALLEST)
    chance /= chance.sum()
    return chance


@functools.cache
def _quantiles() -> Floats:
    """Return equally likely values of a normal variable."""
    values = np.linspace(-4, 4, 4001)
    shares = (np.arange(EQUALLY_LIKELY) + 0.5) / EQUALLY_LIKELY
    quantiles: Floats = np.interp(shares, _normal(values), values)
    return quantiles


def _normal(z: Floats) -> Floats:
    """Return the normal distribution function (Abramowitz and Stegun 26.2.17; error below 1e-7)."""
    t = 1 / (1 + 0.2316419 * np.abs(z))
    tail = np.exp(-z * z / 2) * 0.3989422804 * t
    tail *= 0.319381530 + t * (
        -0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))
    )
    distribution: Floats = np.where(z > 0, 1 - tail, tail)
    return distribution
