"""Numbers of the answer as a page shows them: shares in per cent, points with their sign, errors.

Owns rounding and the honesty of it: a sampled share is never printed as impossible or certain, an
error never as none. Knows nothing of pages.
"""

from __future__ import annotations

import math

from advisor.report.advice import Estimate, Objective

UNKNOWN = "–"
MINUS = "−"


def share(value: float, *, exact: bool, digits: int = 1) -> str:
    """Return a share in per cent; a sampled one is never 0 % or 100 %."""
    if not math.isfinite(value):
        return UNKNOWN
    if exact:
        return f"{_short(f'{100 * value:.{digits}f}')} %"
    if value < 0.0005:
        return "<0.1 %"
    return ">99.9 %" if value >= 0.9995 else f"{100 * value:.{digits}f} %"


def points(value: float, *, exact: bool, signed: bool = False, digits: int = 1) -> str:
    """Return points; whole ones without a decimal point where they are exact."""
    if not math.isfinite(value):
        return UNKNOWN
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return (_short(text) if exact else text).replace("-", MINUS)


def estimate(objective: Objective, found: Estimate, *, exact: bool) -> str:
    """Return a measure with its standard error, such as `61.3 % ± 0.8`."""
    if objective != "win":
        return _with_error(found, exact=exact, signed=objective == "margin")
    digits = _digits(100 * found.se, exact=exact)
    text = share(found.value, exact=exact, digits=digits)
    # Where hardly any game was won or lost, the error of the sample says nothing.
    bare = exact or text == UNKNOWN or text[0] in "<>"
    return text if bare else text + _error(100 * found.se, digits)


def difference(objective: Objective, found: Estimate, *, exact: bool) -> str:
    """Return how far a measure is from another, in points or percentage points."""
    factor = 100 if objective == "win" else 1
    return _with_error(Estimate(factor * found.value, factor * found.se), exact=exact, signed=True)


def count(value: int) -> str:
    """Return a whole number with its thousands apart."""
    return f"{value:,}"


def _with_error(found: Estimate, *, exact: bool, signed: bool) -> str:
    digits = _digits(found.se, exact=exact)
    text = points(found.value, exact=exact, signed=signed, digits=digits)
    return text if exact or text == UNKNOWN else text + _error(found.se, digits)


def _digits(se: float, *, exact: bool) -> int:
    """Return how many digits after the point are worth printing."""
    return 2 if not exact and 0 < se < 0.05 else 1


def _error(se: float, digits: int) -> str:
    if not math.isfinite(se):
        return " ± ?"
    text = f"{se:.{digits}f}"
    return f" ± {text}" if float(text) else f" ± <{10**-digits:.{digits}f}"


def _short(text: str) -> str:
    return text.removesuffix(".0")
