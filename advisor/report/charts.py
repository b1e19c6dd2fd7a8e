"""Small charts as SVG that stretch with the page: bars, dots, and their axes.

Owns scales and shapes. Places along a scale are percentages of the drawing's width, so a chart is
as sharp on a telephone as on a wide screen and its text keeps its size. Knows neither the answer
nor what is measured: it gets estimates, and words for those who do not see the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from advisor.report.advice import Estimate

INTERVAL = 1.96
"""Standard errors on either side of a value that hold the true one in 95 of 100 cases."""
ANYTHING = (-math.inf, math.inf)

_HEIGHT = 22
_MIDDLE = _HEIGHT // 2
_CAP = 4
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """A range of values across the width of a chart, and the values its axis names."""

    ticks: tuple[float, ...]
    """Round values from one end of the range to the other."""
    whiskers: bool
    """Values are drawn with their 95 % intervals."""
    within: tuple[float, float] = ANYTHING
    """The values that are possible at all: no interval reaches beyond."""

    def at(self, value: float) -> float:
        """Return where a value stands, in per cent of the width."""
        return 100 * (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])

    @property
    def base(self) -> float:
        """The value that bars grow from: zero, or the end of the range nearest to it."""
        return min(max(0.0, self.ticks[0]), self.ticks[-1])

    def interval(self, estimate: Estimate) -> tuple[float, float]:
        """Return the ends of what is drawn of an estimate."""
        return _interval(estimate, whiskers=self.whiskers, within=self.within)


def scale(
    estimates: Iterable[Estimate],
    *,
    whiskers: bool,
    zero: bool = False,
    within: tuple[float, float] = ANYTHING,
) -> Scale:
    """Return a scale of round numbers that holds all estimates, with their intervals if drawn.

    Args:
        estimates: what is to be drawn; those that are not finite numbers are left out.
        whiskers: the intervals are drawn too.
        zero: zero is in the range, as bars need it.
        within: the values that are possible at all.

    """
    known = [e for e in estimates if math.isfinite(e.value)]
    ends = [end for e in known for end in _interval(e, whiskers=whiskers, within=within)]
    ends += [0.0] if zero or not ends else []
    low, high = min(ends), max(ends)
    if high - low < 1e-9:
        low, high = (low - 1, high) if high + 1 > within[1] else (low, high + 1)
    step = _step((high - low) / 4)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(number * step, 10) for number in range(first, last + 1))
    return Scale(ticks, whiskers, within)


def _interval(
    estimate: Estimate, *, whiskers: bool, within: tuple[float, float]
) -> tuple[float, float]:
    reach = INTERVAL * estimate.se if whiskers and math.isfinite(estimate.se) else 0.0
    return max(estimate.value - reach, within[0]), min(estimate.value + reach, within[1])


def _step(least: float) -> float:
    """Return the smallest round step that is not below another."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * step for step in _STEPS if power * step >= least * 0.999)


# --- Charts


def bar(estimate: Estimate, along: Scale, *, words: str, kind: str = "") -> str:
    """Return a bar from zero to a value; `kind` is a class of the style sheet."""
    if not math.isfinite(estimate.value):
        return _drawing(along, "", words)
    start, end = sorted((along.at(along.base), along.at(estimate.value)))
    shape = (
        f'<rect class="{f"bar {kind}".strip()}" x="{start:.3f}%" y="4" width="{end - start:.3f}%"'
        f' height="{_HEIGHT - 8}"/>'
    )
    return _drawing(along, shape + _whisker(estimate, along), words)


def dot(estimate: Estimate, along: Scale, *, words: str, kind: str = "") -> str:
    """Return a dot at a value; `kind` is a class of the style sheet."""
    if not math.isfinite(estimate.value):
        return _drawing(along, "", words)
    shape = (
        f'<circle class="{f"dot {kind}".strip()}" cx="{along.at(estimate.value):.3f}%"'
        f' cy="{_MIDDLE}" r="4.5"/>'
    )
    return _drawing(along, _whisker(estimate, along) + shape, words)


def axis(along: Scale, *, factor: float = 1.0, words: str) -> str:
    """Return the numbers of a scale, multiplied by a factor such as 100 for per cent."""
    texts = "".join(_tick(along.at(value), _number(value * factor)) for value in along.ticks)
    return (
        f'<svg class="axis" width="100%" height="16" role="img"><title>{escape(words)}</title>'
        f"{texts}</svg>"
    )


def _tick(place: float, text: str) -> str:
    anchor = "start" if place < 3 else "end" if place > 97 else "middle"
    return f'<text x="{place:.3f}%" y="12" text-anchor="{anchor}">{text}</text>'


def _number(value: float) -> str:
    return f"{value:.10g}".replace("-", "−")


def _drawing(along: Scale, shapes: str, words: str) -> str:
    """Return a chart of one line on its grid."""
    grid = "".join(
        f'<line class="{"zero" if value == along.base else "grid"}" x1="{along.at(value):.3f}%"'
        f' x2="{along.at(value):.3f}%" y1="0" y2="{_HEIGHT}"/>'
        for value in along.ticks
    )
    return (
        f'<svg class="chart" width="100%" height="{_HEIGHT}" role="img">'
        f"<title>{escape(words)}</title>{grid}{shapes}</svg>"
    )


def _whisker(estimate: Estimate, along: Scale) -> str:
    """Return the error bar from one end of the interval to the other, with caps."""
    if not along.whiskers or not math.isfinite(estimate.se):
        return ""
    left, right = map(along.at, along.interval(estimate))
    along_it = f'x1="{left:.3f}%" x2="{right:.3f}%" y1="{_MIDDLE}" y2="{_MIDDLE}"'
    # The halo parts the line from a dark bar under it.
    return (
        f'<g class="whisker"><line class="halo" {along_it}/><line class="span" {along_it}/>'
        f"{_cap(left)}{_cap(right)}</g>"
    )


def _cap(place: float) -> str:
    top, bottom = _MIDDLE - _CAP, _MIDDLE + _CAP
    return f'<line x1="{place:.3f}%" x2="{place:.3f}%" y1="{top}" y2="{bottom}"/>'
