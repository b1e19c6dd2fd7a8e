"""The sequential test of `--until-decided`: play deal by deal until one of two agents is better.

Owns the test, its bounds and its error rates; who plays, and how deals become numbers, is told by
`advisor/research/running.py`. Numbers here follow from the results in deal order alone, so that the
same match ends at the same deal on any machine.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from advisor.errors import SettingError

Verdict = Literal["A", "B"]

ALPHA = 0.05
DIFFERENCE = 0.1
"""Difference of win shares the test is built for: 55 % to 45 % at a table of two."""

LEAST_DEALS = 16
"""No decision before: the spread between deals is not known from fewer."""

_PRIOR_DEALS = 2.0
"""Pretended deals, as far apart as deals can be (variance 1), which the estimate of the variance
starts from: without them a few equal deals would look like certainty."""


class SequentialTest:
    """A generalised sequential probability ratio test between two agents, A and B.

    Each deal gives one number: A's share of wins per seat minus B's, in -1..1. The test weighs
    "the mean is +difference" against "the mean is -difference" by the logarithm of their likelihood
    ratio, in the normal approximation with the variance estimated from the deals so far:
    2 · difference · sum / variance. It decides when the ratio leaves the bounds
    ±log((1 - alpha) / alpha).

    If one agent is better by `difference` or more, the other one is declared better with a chance
    of about alpha at most. If they are closer, the verdict is a weaker statement, and between equal
    agents it falls to either; it only takes longer. Stopping on success also means that the win
    share seen at that moment is, on average, a little more extreme than the truth.

    Once there is a verdict it stands: later deals are not counted.

    Raises:
        SettingError: alpha not between 0 and 0.5, or a difference not between 0 and 1.

    """

    def __init__(self, alpha: float = ALPHA, difference: float = DIFFERENCE) -> None:
        if not 0 < alpha < 0.5:
            raise SettingError(
                f"alpha is {alpha}; give the accepted chance of a wrong verdict, above 0 and "
                f"below 0.5, such as {ALPHA}"
            )
        if not 0 < difference < 1:
            raise SettingError(
                f"difference is {difference}; give a difference of win shares above 0 and below 1, "
                f"such as {DIFFERENCE}"
            )
        self.alpha = alpha
        self.difference = difference
        self.deals = 0
        """Deals counted."""
        self.verdict: Verdict | None = None
        """Who is better, once decided."""
        self._sum = 0.0
        self._squares = 0.0

    def add(self, result: float) -> None:
        """Count the next deal, in the order of the deals.

        Args:
            result: A's share of wins per seat in the deal minus B's.

        Raises:
            SettingError: the number is not in -1..1.

        """
        if not -1 <= result <= 1:
            raise SettingError(
                f"deal {self.deals} has the result {result}; it is a difference of two shares and "
                "lies in -1..1"
            )
        if self.verdict is not None:
            return
        self.deals += 1
        self._sum += result
        self._squares += result * result
        if self.deals >= LEAST_DEALS:
            low, high = self.bounds
            llr = self.llr
            self.verdict = "A" if llr >= high else "B" if llr <= low else None

    @property
    def mean(self) -> float:
        """A's share of wins minus B's over the deals counted; NaN before the first."""
        return self._sum / self.deals if self.deals else math.nan

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio: positive where A looks better."""
        if not self.deals:
            return 0.0
        apart = self._squares - self._sum * self._sum / self.deals
        variance = (apart + _PRIOR_DEALS) / (self.deals - 1 + _PRIOR_DEALS)
        return 2 * self.difference * self._sum / variance

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which B, and A, is declared better."""
        bound = math.log((1 - self.alpha) / self.alpha)
        return -bound, bound

    def to_dict(self) -> dict[str, Any]:
        """Return the state of the test for JSON.

        `alpha`, `difference` and `least_deals` are the settings; `deals`, `mean`, `llr`, `bounds`
        and `verdict` ("A", "B" or null) where it stands.
        """
        return {
            "alpha": self.alpha,
            "difference": self.difference,
            "least_deals": LEAST_DEALS,
            "deals": self.deals,
            "mean": round(self.mean, 4) if self.deals else None,
            "llr": round(self.llr, 4),
            "bounds": [round(bound, 4) for bound in self.bounds],
            "verdict": self.verdict,
        }
