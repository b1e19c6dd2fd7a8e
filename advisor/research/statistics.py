"""The few formulas behind every number of a match: means, shares and differences with their errors.

Owns the treatment of the deal as the unit: the games of one deal share their luck, so only the
spread between deals tells the error. Everything follows from two numbers a deal, how many values
it gave and their sum, so that running totals serve as well as whole columns. Knows no game and no
frame.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from advisor.core.student import NORMAL, widening
from advisor.report.advice import Estimate

Floats = NDArray[np.float64]

_FEW = (12.706, 4.303, 3.182, 2.776)
"""Student's 97.5 % quantiles for 1 to 4 degrees of freedom, where the expansion is too rough."""


@dataclass(frozen=True, slots=True)
class Mean(Estimate):
    """A mean with its standard error from the spread between clusters.

    With fewer than two clusters the error is unknown: `se`, `low` and `high` are NaN. Without any
    number the value is NaN too.
    """

    count: int
    """Numbers behind it."""
    clusters: int
    """Independent groups of numbers behind it: deals."""

    @property
    def half(self) -> float:
        """Half the width of the 95 % interval."""
        return student(self.clusters - 1) * self.se

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.value + self.half

    def to_dict(self, digits: int = 3) -> dict[str, Any]:
        """Return value, standard error and 95 % interval for JSON; unknown numbers are null."""
        return {
            "value": plain(self.value, digits),
            "se": plain(self.se, digits + 1),
            "low": plain(self.low, digits),
            "high": plain(self.high, digits),
        }


@dataclass(frozen=True, slots=True)
class Share(Estimate):
    """A share of 0..1 with a 95 % interval that is honest at both ends, also at 0 and 1.

    `se` is the interval's half width in standard errors. With fewer than two clusters the error is
    unknown: `se`, `low` and `high` are NaN.
    """

    count: int
    """Cases behind it."""
    clusters: int
    """Independent groups of cases behind it: deals."""
    low: float
    high: float

    def to_dict(self, digits: int = 4) -> dict[str, Any]:
        """Return value, standard error and 95 % interval for JSON; unknown numbers are null."""
        return {
            "value": plain(self.value, digits),
            "se": plain(self.se, digits + 1),
            "low": plain(self.low, digits),
            "high": plain(self.high, digits),
        }


def plain(number: float, digits: int) -> float | None:
    """Return a number rounded for JSON, or nothing where it is unknown."""
    return round(float(number), digits) if math.isfinite(number) else None


def student(freedom: int) -> float:
    """Return Student's 97.5 % quantile; NaN without a degree of freedom."""
    if freedom < 1:
        return math.nan
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    return NORMAL * float(widening(np.array([freedom]))[0])


# --- From the values themselves


def mean(values: ArrayLike, clusters: ArrayLike) -> Mean:
    """Return the mean of values with its cluster-robust standard error.

    Args:
        values: the numbers; NaN counts as no number.
        clusters: for each, which cluster (deal) it belongs to.

    """
    return mean_of_sums(*by_cluster(values, clusters))


def share(cases: ArrayLike, clusters: ArrayLike) -> Share:
    """Return the share of true cases with its interval; arguments as for `mean`."""
    counts, sums = by_cluster(cases, clusters)
    return share_of_sums(counts, sums)


def paired_difference(
    first: ArrayLike, first_clusters: ArrayLike, second: ArrayLike, second_clusters: ArrayLike
) -> Mean:
    """Return the mean of `first` minus the mean of `second`, compared deal by deal.

    Each deal in which both have values gives one difference of means; deals weigh the same, and
    other deals do not count. Luck that both share in a deal cancels.
    """
    one = _known(first, first_clusters)
    two = _known(second, second_clusters)
    shared = np.intersect1d(one[1], two[1])
    means = []
    for values, clusters in (one, two):
        inside = np.isin(clusters, shared)
        counts, sums = by_cluster(values[inside], clusters[inside])
        means.append(sums / counts)
    difference: Floats = means[0] - means[1]
    return mean_of_sums(np.ones(len(difference)), difference)


def by_cluster(values: ArrayLike, clusters: ArrayLike) -> tuple[Floats, Floats]:
    """Return how many values each cluster has, and their sum, clusters in ascending order."""
    known, names = _known(values, clusters)
    found, place = np.unique(names, return_inverse=True)
    counts = np.bincount(place, minlength=len(found)).astype(np.float64)
    sums = np.bincount(place, weights=known, minlength=len(found)).astype(np.float64)
    return counts, sums


def _known(values: ArrayLike, clusters: ArrayLike) -> tuple[Floats, NDArray[Any]]:
    numbers = np.asarray(values, dtype=np.float64)
    names = np.asarray(clusters)
    known = ~np.isnan(numbers)
    return numbers[known], names[known]


# --- From two numbers a cluster


def mean_of_sums(counts: Floats, sums: Floats) -> Mean:
    """Return the mean over all values, given each cluster's number of values and their sum.

    The mean is a ratio, all points over all values, so clusters may differ in size. Its variance is
    that of the clusters' deviations from it, with the factor k / (k - 1) for k clusters.
    """
    counts, sums = _filled(counts, sums)
    clusters, count = len(counts), float(counts.sum())
    if not clusters:
        return Mean(math.nan, math.nan, 0, 0)
    value = float(sums.sum()) / count
    return Mean(value, math.sqrt(_variance(counts, sums, value)), int(count), clusters)


def share_of_sums(counts: Floats, sums: Floats) -> Share:
    """Return the share of true cases, given each cluster's number of cases and of true ones.

    Wilson's interval, with Student's quantile, for the number of independent cases that would be as
    telling (the cases over the design effect). The design effect is estimated from the clusters and
    drawn towards 1 by the weight of one cluster, since the spread of a few equal clusters is 0 by
    chance. Where all cases are alike it cannot be seen, and every cluster counts as one case.
    """
    counts, sums = _filled(counts, sums)
    clusters, count = len(counts), float(counts.sum())
    if not clusters:
        return Share(math.nan, math.nan, 0, 0, math.nan, math.nan)
    value = float(sums.sum()) / count
    if clusters < 2:
        return Share(value, math.nan, int(count), clusters, math.nan, math.nan)
    independent = value * (1 - value) / count
    if independent > 0:
        effect = _variance(counts, sums, value) / independent
        effect = (clusters * effect + 1) / (clusters + 1)
    else:
        effect = float((counts**2).sum()) / count
    t = student(clusters - 1)
    cases = count / effect
    middle = (value + t * t / (2 * cases)) / (1 + t * t / cases)
    spread = value * (1 - value) / cases + t * t / (4 * cases * cases)
    half = t * math.sqrt(spread) / (1 + t * t / cases)
    # Rounding errors must not leave the true share's bounds, nor the share its own interval.
    low = min(max(middle - half, 0.0), value)
    high = max(min(middle + half, 1.0), value)
    return Share(value, half / t, int(count), clusters, low, high)


def _filled(counts: Floats, sums: Floats) -> tuple[Floats, Floats]:
    """Leave out clusters without values."""
    filled = counts > 0
    return counts[filled].astype(np.float64), sums[filled].astype(np.float64)


def _variance(counts: Floats, sums: Floats, value: float) -> float:
    """Return the variance of a ratio mean from the spread between clusters; NaN for one cluster."""
    clusters = len(counts)
    if clusters < 2:
        return math.nan
    apart = sums - value * counts
    total = float(counts.sum())
    return clusters / (clusters - 1) * float(apart @ apart) / total**2
