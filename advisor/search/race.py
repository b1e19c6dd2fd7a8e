"""How effort is spent on the candidates at the root, and what their samples say together.

Owns the plan of visits (a warm-up for everybody, then most where the decision is open) and the
merging of the threads' statistics. Every number here follows from counts, never from the clock, so
that the same seed, threads and iterations give the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.core.student import widening
from advisor.search.crew import Share
from advisor.search.engines import Samples

WARM_UP = (5, 3, 8)
"""Visits of every candidate in the first rounds, before any is preferred.

The first round is done whatever the budget."""

TREES = 8
"""Independent trees over all threads, at least: their spread is the error reported."""

ADAPTED = 1.2
"""Errors are wider by this factor than independent trees say, as effort follows the results: an
unlucky candidate is left with its bad luck. Measured (bench/RESULTS.md, calibration)."""

WIN, MARGIN, SCORE = range(3)
"""Columns of the measures."""

OPTIMISM = 2.0
"""Standard errors by which a candidate may be better than it looks when effort is shared out."""

LEAST_SHARE = 0.05
"""What a clearly worse candidate still gets, as a share of the most visited one's visits."""

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Standing:
    """What all samples say: one row a candidate, one column a measure (win, margin, score)."""

    reference: int
    """The candidate all differences are taken to."""
    samples: Floats
    """Samples behind each candidate."""
    value: Floats
    """The reference's mean plus the difference to it."""
    variance: Floats
    pairs: Floats
    """Samples behind the difference."""
    difference: Floats
    """To the reference, in the same worlds."""
    difference_variance: Floats


class Race:
    """The candidates of one search and the threads that sample them."""

    def __init__(self, samplers: list[Samples], candidates: int) -> None:
        self.samplers = samplers
        self.candidates = candidates
        self.planned: Counts = np.zeros(candidates, dtype=np.int64)
        """Visits of each candidate handed out so far."""

    @property
    def visits(self) -> Counts:
        """Visits of each candidate; while threads work, ask `planned` instead."""
        visits: Counts = np.zeros(self.candidates, dtype=np.int64)
        own = np.zeros_like(visits)
        for sampler in self.samplers:
            sampler.visits(own)
            visits += own
        return visits

    @property
    def most_visited(self) -> int:
        """The candidate to compare all with before the best is known."""
        return int(np.argmax(self.planned))

    @property
    def total(self) -> int:
        """Iterations handed out so far."""
        return int(self.planned.sum())

    def share(self, counts: Counts) -> list[Share]:
        """Split planned visits over the threads; for each, which candidates how often."""
        threads = len(self.samplers)
        shares = []
        for thread in range(threads):  # so that after every round the threads are level
            late = threads - 1 - thread
            own = (self.planned + counts + late) // threads - (self.planned + late) // threads
            chosen = np.flatnonzero(own)
            shares.append((chosen.astype(np.int32), own[chosen].astype(np.int32)))
        self.planned = self.planned + counts
        return shares

    def look(self, reference: int) -> Standing:
        """Merge what all trees say, with differences to a reference."""
        parts = []
        for sampler in self.samplers:
            part = np.zeros((self.candidates, sampler.trees, 2, 4))
            sampler.moments(reference, part)
            parts.append(part)
        found = np.concatenate(parts, axis=1)
        known = found[:, :, 1, 0] > 0
        differences = found[:, :, 1, 1:]
        values = found[reference, None, :, 0, 1:] + differences
        difference, difference_variance = mean_over_trees(differences, known)
        value, variance = mean_over_trees(values, known)
        difference_variance[reference] = 0
        return Standing(
            reference=reference,
            samples=found[:, :, 0, 0].sum(axis=1),
            value=value,
            variance=variance,
            pairs=found[:, :, 1, 0].sum(axis=1),
            difference=difference,
            difference_variance=difference_variance,
        )


def mean_over_trees(numbers: Floats, known: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the mean over trees for each candidate and measure, and the variance of that mean.

    Trees are independent, so their spread tells the error, whatever it comes from. With few trees
    the spread itself is uncertain; the variance is widened so that 1.96 standard errors to both
    sides cover 95 %, as Student's distribution demands.

    Args:
        numbers: by candidate, tree and measure.
        known: by candidate and tree, whether there is a number.

    """
    count = known.sum(axis=1)[:, None]
    some = np.maximum(count, 1)
    mean = np.where(known[:, :, None], numbers, 0).sum(axis=1) / some
    apart = np.where(known[:, :, None], (numbers - mean[:, None]) ** 2, 0).sum(axis=1)
    free = np.maximum(count - 1, 1)
    variance = apart / free / some * (ADAPTED * widening(free)) ** 2
    few = count[:, 0] < 3  # no spread to speak of: as wide as the widest of the others
    if few.any() and not few.all():
        variance[few] = (variance * some)[~few].max(axis=0) / some[few]
    return mean, variance


def next_visits(
    standing: Standing, visits: Counts, chunk: int, measure: int, indifference: float
) -> Counts:
    """Return how often to visit each candidate in the next `chunk` iterations, after `visits`.

    Effort falls with the square of the distance to the best, as in optimal budget allocation. A
    candidate counts as nearer than it looks by its error, and distances below the indifference
    margin, or below what can be told at this stage, are all alike. The best takes part in every
    comparison and gets as much as the nearest.
    """
    reference = standing.reference
    error = np.sqrt(standing.difference_variance[:, measure])
    optimistic = standing.difference[:, measure] + OPTIMISM * error
    middle = float(np.sort(error)[len(error) // 2])
    least = max(indifference, 0.5 * middle, 0.1)
    weight = np.maximum(-optimistic, least) ** -2
    weight[reference] = np.delete(weight, reference).max(initial=0) or 1
    weight = np.maximum(weight, LEAST_SHARE * weight.max())
    target = weight / weight.sum() * (visits.sum() + chunk)
    return rounded(np.maximum(target - visits, 0), chunk)


def rounded(wanted: Floats, total: int) -> Counts:
    """Return whole numbers in proportion to `wanted` that add up to `total`."""
    if not wanted.sum() > 0:
        wanted = np.ones_like(wanted)
    exact = wanted * (total / wanted.sum())
    counts: Counts = np.floor(exact).astype(np.int64)
    missing = total - int(counts.sum())
    order = np.argsort(-(exact - counts), kind="stable")
    counts[order[:missing]] += 1
    return counts
