"""The answer as text: what `advisor suggest` prints, and the few lines of the live ranking.

Owns the page and its layout: what is said in which order, and that no line is wider than the
terminal. Knows no game: the sentences about the position and the turn are the position's own.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import click

from advisor.report.advice import Advice, Estimate, Explanation, Objective, Ranked

MIN_WIDTH = 80
_GAP = "  "

NARROWEST_ACTION = 30
"""An action stands beside its figures if so many columns are left for it, or all it needs."""

SURE = 1.96
"""Standard errors within which a difference is possible, in the word on equivalents: 95 %."""

STOPPED = {
    "exact": "everything was computed",
    "forced": "only one action is legal",
    "decided": "the best action was clear",
    "equivalent": "the leading actions were found equivalent",
    "seconds": "the time was up",
    "iterations": "the iterations asked for were done",
    "cancelled": "it was cancelled",
    "interrupted": "it was interrupted",
}

MEASURE = {"win": "share of wins", "margin": "margin", "score": "final score"}

UNIT = {"win": "percentage points of wins", "margin": "points of margin", "score": "points"}

IS_BEST = "is best: chance of being the best."
LEGEND = "± is one standard error, if the search were repeated with other luck."


def as_text(advice: Advice, *, top: int = 10, width: int = 100, colour: bool = False) -> str:
    """Return the whole answer for a person at the table.

    Args:
        advice: the answer.
        top: how many actions, or whole turns, the table lists.
        width: columns of the terminal; less than 80 counts as 80.
        colour: add ANSI bold and faint.

    """
    page = _Page(max(width, MIN_WIDTH), colour)
    page.add(f"{advice.position.situation()}.", bold=True)
    _add_best_turn(page, advice)
    entries = advice.turns or advice.actions
    if len(advice.actions) == 1:
        page.gap()
        page.add("Only one action is legal.")
    if len(advice.actions) > 1 or _computed(advice):
        _add_ranking(page, advice, entries, max(top, 1))
    if advice.explanation is not None:
        _add_explanation(page, advice, advice.explanation)
    if advice.notes:
        page.gap()
    for note in advice.notes:
        page.add(note, label="Note:")
    _add_closing(page, advice)
    return "\n".join(page.lines) + "\n"


def live(advice: Advice, *, width: int, rows: int = 5) -> list[str]:
    """Return a few lines for the ranking while the search runs, none longer than `width`."""
    shown = (advice.turns or advice.actions)[:rows]
    texts = [_typed(ranked, whole=bool(advice.turns)) for ranked in shown]
    columns = _measures(advice, shown)[:3]
    columns.insert(0, columns.pop(list(MEASURE).index(advice.objective)))
    layout = _Layout(beside=True, stacked=False)
    room = width - 4 - layout.taken(columns)
    while columns and room < min(_widest(texts), NARROWEST_ACTION if len(columns) > 1 else 12):
        columns.pop()
        room = width - 4 - layout.taken(columns)
    room = max(0, min(room, _widest(texts)))
    figures = [column.cells(stacked=False) for column in columns]
    head = (
        f"{advice.iterations:,} iterations, {advice.seconds:.1f} s, by {MEASURE[advice.objective]}"
    )
    lines = [_cut(head, width)]
    for row, text in enumerate(texts):
        cells = [f"{row + 1:2}  {_padded(_cut(text, room), room)}", *(c[row][0] for c in figures)]
        lines.append(_cut(_GAP.join(cells).rstrip(), width))
    return lines


# --- The page


class _Page:
    """Lines that fit a width, bold or faint where asked for."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self.colour = colour
        self.lines: list[str] = []

    def gap(self) -> None:
        """Leave a line empty."""
        self.lines.append("")

    def add(self, text: str, *, label: str = "", bold: bool = False, faint: bool = False) -> None:
        """Add a sentence, wrapped; what follows its label is indented by the label's width."""
        indent = " " * (_columns(label) + 1) if label else ""
        lines = _wrapped(_words(text), self.width - len(indent))
        for number, line in enumerate(lines):
            self.put((f"{label} " if number == 0 and label else indent) + line, bold, faint)

    def put(self, line: str, bold: bool = False, faint: bool = False) -> None:
        """Add a line that is known to fit."""
        line = line.rstrip()
        if self.colour and line and (bold or faint):
            line = click.style(line, bold=bold or None, dim=faint or None)
        self.lines.append(line)


def _columns(text: str) -> int:
    """Return how many columns a text takes: combining marks none, wide letters two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _right(text: str, width: int) -> str:
    return " " * (width - _columns(text)) + text


def _widest(texts: Sequence[str]) -> int:
    return max(map(_columns, texts), default=0)


def _cut(text: str, width: int) -> str:
    """Return a text within a width, with an ellipsis where its end is missing."""
    if _columns(text) <= width:
        return text
    while text and _columns(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "…" if width > 0 else ""


_BETWEEN_WORDS = re.compile(r"(?<=[;:,.]) |(?<!\d) (?!\d)")


def _words(text: str) -> list[str]:
    """Split a text where a line may end: a number stays with the words beside it."""
    return _BETWEEN_WORDS.split(text)


def _wrapped(words: Sequence[str], width: int, tail: str = "") -> list[str]:
    """Put words on as few lines as they need, `tail` at the end of each line but the last."""
    room = width - len(tail)
    lines = [""]
    for word in (part for wide in words for part in _parts(wide, room)):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if _columns(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line + tail for line in lines[:-1]] + lines[-1:]


def _parts(text: str, room: int) -> list[str]:
    """Break what is wider than a line, such as a very long name, at blanks or anywhere."""
    if _columns(text) <= room:
        return [text]
    if " " in text:
        return [part for word in text.split(" ") for part in _parts(word, room)]
    fits = text
    while _columns(fits) > room:
        fits = fits[:-1]
    return [fits, *_parts(text[len(fits) :], room)]


# --- The best turn


def _add_best_turn(page: _Page, advice: Advice) -> None:
    """Say the best turn in words, and as arguments that can be pasted into a shell."""
    turn = advice.best.turn or (advice.best.action,)
    page.gap()
    page.add("; ".join(advice.position.narrate(turn)) + ".", label="Best turn:", bold=True)
    # A backslash at the line's end lets a wrapped command be pasted as a whole.
    words = [f'"{text}"' for text in turn]
    for number, line in enumerate(_wrapped(words, page.width - 11, tail=" \\")):
        page.put(("To apply:  " if number == 0 else " " * 11) + line)


# --- Numbers


def _computed(advice: Advice) -> bool:
    return advice.exact or any(ranked.visits for ranked in advice.actions)


def _digits(estimates: Sequence[Estimate]) -> int:
    """Return how many digits after the point errors need: two where one would say nothing."""
    return 2 if any(0 < estimate.se < 0.05 for estimate in estimates) else 1


def _error(se: float, digits: int) -> str:
    """Return a standard error; a sampled number is never printed as certain."""
    if not math.isfinite(se):
        return "±?"
    if round(se, digits) == 0:
        return f"±<{10**-digits:.{digits}f}"
    return f"±{se:.{digits}f}"


def _share(value: float, digits: int, *, exact: bool) -> str:
    """Return a share in percent; a sampled one is never printed as 0 % or 100 %."""
    if not exact and value < 0.0005:
        return "<0.1 %"
    if not exact and value >= 0.9995:
        return ">99.9 %"
    return f"{100 * value:.{digits}f} %"


def _chance(value: float) -> str:
    """Return a chance in whole percent, with a digit more near 0 and 1."""
    return _share(value, 0 if 0.0095 <= value < 0.99 else 1, exact=False)


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def _percent(estimate: Estimate) -> Estimate:
    return Estimate(100 * estimate.value, 100 * estimate.se)


def _difference(ranked: Ranked, advice: Advice) -> Estimate:
    """Return the difference to the best in the objective's measure: points, or percent of wins."""
    estimate = ranked.difference[advice.objective]
    return _percent(estimate) if advice.objective == "win" else estimate


# --- The ranking


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of figures: its heading, and for each row a value and an error or nothing."""

    heading: str
    values: list[str]
    errors: list[str]

    def cells(self, *, stacked: bool) -> list[list[str]]:
        """Return each row's lines, all equally wide: the error beside the value or below it."""
        if stacked:
            rows = [
                # Below "61.2 %" the error's digits are to stand below the digits.
                [value, f"{error}  " if error and value.endswith(" %") else error]
                for value, error in zip(self.values, self.errors, strict=True)
            ]
        elif any(self.errors):
            wide = _widest(self.errors)
            rows = [
                [f"{value} {_padded(error, wide)}"]
                for value, error in zip(self.values, self.errors, strict=True)
            ]
        else:
            rows = [[value] for value in self.values]
        width = _widest([self.heading, *(line for lines in rows for line in lines)])
        return [[_right(line, width) for line in lines] for lines in rows]

    def width(self, *, stacked: bool) -> int:
        """Return how wide the column is."""
        return _widest([self.heading, *(row[0] for row in self.cells(stacked=stacked))])

    def title(self, *, stacked: bool) -> str:
        """Return the heading, as wide as the column."""
        return _right(self.heading, self.width(stacked=stacked))


def _add_ranking(page: _Page, advice: Advice, entries: tuple[Ranked, ...], top: int) -> None:
    shown = entries[:top]
    what = _what(advice)
    by = MEASURE[advice.objective]
    page.gap()
    if len(entries) == 1:
        page.add("What it is worth:")
    elif len(shown) < len(entries):
        page.add(f"The first {len(shown)} of {len(entries)} {what}, ranked by {by}:")
    else:
        page.add(f"All {len(entries)} {what}, ranked by {by}:")
    page.gap()
    _add_table(page, advice, shown)
    page.gap()
    if word := _word_on_equivalents(advice, entries):
        page.add(word)
    if advice.exact:
        page.add("Exact: nothing is left to chance; every line of play was computed.")
        return
    page.add(LEGEND, faint=True)
    if len(shown) > 1:
        page.add(
            f"to best: difference to the first, in {UNIT[advice.objective]}; {IS_BEST}", faint=True
        )


def _what(advice: Advice) -> str:
    return "whole turns" if advice.turns else "actions"


def _typed(ranked: Ranked, *, whole: bool) -> str:
    """Return what a row of the ranking is called: canonical texts, never shortened."""
    return "; ".join(ranked.turn) if whole else ranked.action


@dataclass(frozen=True, slots=True)
class _Layout:
    """Actions beside their figures or above them, errors beside the values or below them."""

    beside: bool
    stacked: bool
    costs: bool = True
    """What it costs has columns; else it stands behind the action."""

    def taken(self, columns: Sequence[_Column]) -> int:
        """Return how much of the page's width the figures take."""
        return sum(len(_GAP) + column.width(stacked=self.stacked) for column in columns)


_LAYOUTS = (
    _Layout(beside=True, stacked=False),
    _Layout(beside=True, stacked=True),
    _Layout(beside=False, stacked=False),
    _Layout(beside=False, stacked=False, costs=False),
    _Layout(beside=False, stacked=True, costs=False),
)
"""From the easiest to read to the narrowest."""


def _add_table(page: _Page, advice: Advice, shown: Sequence[Ranked]) -> None:
    """Add the rows in the first layout that fits the page."""
    whole = bool(advice.turns)
    texts = [_typed(ranked, whole=whole) for ranked in shown]
    measures, costs = _measures(advice, shown), _costs(shown)
    lead = len(str(len(shown))) + 4
    # Whole turns are long: they stand beside their figures only where none needs a second line.
    needed = _widest(texts) if whole else min(_widest(texts), NARROWEST_ACTION)
    for layout in _LAYOUTS:
        columns = [*measures, *costs] if layout.costs else measures
        room = page.width - lead - layout.taken(columns)
        if room >= (needed if layout.beside else 0):
            break
    if layout.beside:
        room = min(_widest(texts), room)
        title = _padded("turn" if whole else "action", room)
    else:
        room = page.width - lead
        title = ""
    if not layout.costs:
        texts = [text + _costing(ranked) for text, ranked in zip(texts, shown, strict=True)]
    titles = [title, *(column.title(stacked=layout.stacked) for column in columns)]
    page.put(" " * lead + _GAP.join(titles), faint=True)
    figures = [column.cells(stacked=layout.stacked) for column in columns]
    for row, (text, ranked) in enumerate(zip(texts, shown, strict=True)):
        mark = "≈" if row and ranked.equivalent else " "
        first = f"{_right(str(row + 1), lead - 2)}{mark} "
        words = _wrapped(_words(text), room)
        numbers = [_GAP.join(line) for line in zip(*(cells[row] for cells in figures), strict=True)]
        if layout.beside:
            pairs = zip_longest(words, numbers, fillvalue="")
            lines = [_padded(word, room) + _GAP + line for word, line in pairs]
        else:
            lines = [*words, *(_GAP + line for line in numbers)]
        for number, line in enumerate(lines):
            page.put((" " * lead if number else first) + line, bold=row == 0)


def _costing(ranked: Ranked) -> str:
    """Return what a row costs, to stand behind its action."""
    costs = ", ".join(f"{name} {count}" for name, count in ranked.costs.items() if count)
    return f" (costs {costs})" if costs else ""


def _measures(advice: Advice, shown: Sequence[Ranked]) -> list[_Column]:
    """Return the columns of figures that every game has."""
    columns = [
        _sampled(
            "win",
            [_percent(ranked.win) for ranked in shown],
            lambda e, digits: _share(e.value / 100, digits, exact=advice.exact),
            exact=advice.exact,
        ),
        _sampled(
            "margin",
            [ranked.margin for ranked in shown],
            lambda e, digits: _signed(e.value, digits),
            exact=advice.exact,
        ),
        _sampled(
            "score",
            [ranked.score for ranked in shown],
            lambda e, digits: f"{e.value:.{digits}f}",
            exact=advice.exact,
        ),
    ]
    if len(shown) > 1:
        # The first row is the best itself: nothing is to be said of it.
        behind = _sampled(
            "to best",
            [_difference(ranked, advice) for ranked in shown[1:]],
            lambda e, digits: _signed(e.value, digits),
            exact=advice.exact,
        )
        columns.append(_Column(behind.heading, ["-", *behind.values], ["", *behind.errors]))
    if advice.exact:
        return columns
    blank = [""] * len(shown)
    if len(shown) > 1:
        chances = [_chance(ranked.chance_best) for ranked in shown]
        columns.append(_Column("is best", chances, blank))
    return [*columns, _Column("visits", [f"{ranked.visits:,}" for ranked in shown], blank)]


def _sampled(
    heading: str,
    estimates: Sequence[Estimate],
    value: Callable[[Estimate, int], str],
    *,
    exact: bool,
) -> _Column:
    """Return a column of estimates, all with the same digits."""
    if exact:
        whole = all(estimate.value == round(estimate.value) for estimate in estimates)
        values = [value(estimate, 0 if whole else 1) for estimate in estimates]
        return _Column(heading, values, [""] * len(values))
    digits = _digits(estimates)
    return _Column(
        heading,
        [value(e, digits) if math.isfinite(e.value) else "?" for e in estimates],
        [_error(estimate.se, digits) for estimate in estimates],
    )


def _costs(shown: Sequence[Ranked]) -> list[_Column]:
    """Return a column for each resource that any of the rows costs."""
    names = dict.fromkeys(name for ranked in shown for name, n in ranked.costs.items() if n)
    return [
        _Column(name, [str(ranked.costs.get(name) or "-") for ranked in shown], [""] * len(shown))
        for name in names
    ]


def _word_on_equivalents(advice: Advice, entries: Sequence[Ranked]) -> str:
    """Say which of the ranking are as good as the first, as far as one can tell."""
    same = [row for row, ranked in enumerate(entries) if row and ranked.equivalent]
    if not same:
        return ""
    if len(same) == len(entries) - 1:
        who = f"All {len(entries)} {_what(advice)} are"
    elif same == list(range(1, len(same) + 1)):
        who = f"The first {len(same) + 1} {_what(advice)} are"
    else:
        others = f"{len(same)} others" if len(same) > 1 else "another"
        who = f"The first {'turn' if advice.turns else 'action'} and {others} (marked ≈) are"
    if advice.exact:
        return f"{who} equally good."
    # Shares of wins are coarse: that two actions are equivalent is a matter of points.
    measure: Objective = "score" if advice.objective == "score" else "margin"
    differences = [entries[row].difference[measure] for row in same]
    most = max(abs(difference.value) + SURE * difference.se for difference in differences)
    if not math.isfinite(most):
        return f"{who} equivalent: no difference can be shown."
    above = max(1, math.ceil(10 * most - 1e-9)) / 10
    return f"{who} equivalent: no difference above {above:.1f} points can be shown."


# --- Why


def _add_explanation(page: _Page, advice: Advice, explanation: Explanation) -> None:
    """Add the sentences, then the points by source."""
    page.gap()
    for number, line in enumerate(explanation.lines):
        page.add(line, label="    " if number else "Why:")
    exact = advice.exact or explanation.worlds == 1
    rows = [
        (source, explanation.best_points[source], explanation.versus_points[source], difference)
        for source, difference in explanation.difference.items()
    ]
    rows = [row for row in rows if any(round(n, 1) for n in (row[1], row[2], row[3].value))]
    others = [
        (f"points of {name}", difference)
        for name, difference in explanation.others.items()
        if round(difference.value, 1)
    ]
    differences = [*(row[3] for row in rows), *(difference for _, difference in others)]
    if not differences:
        return
    blank = [""] * len(differences)
    values = [[f"{row[column]:.1f}" for row in rows] + [""] * len(others) for column in (1, 2)]
    columns = [
        _Column("best", values[0], blank),
        _Column("versus", values[1], blank),
        _Column(
            "difference",
            [_signed(difference.value, 1) for difference in differences],
            blank if exact else [_error(difference.se, 1) for difference in differences],
        ),
    ]
    layout = _Layout(beside=True, stacked=False)
    room = page.width - 2 - layout.taken(columns)
    labels = [_cut(label, room) for label in (*(row[0] for row in rows), *(o[0] for o in others))]
    worlds = "" if exact else f", in {explanation.worlds:,} worlds"
    page.gap()
    page.add(f'Points to come: "{explanation.best}" versus "{explanation.versus}"{worlds}:')
    blank_label = " " * _widest(labels)
    page.put(
        "  " + _GAP.join([blank_label, *(c.title(stacked=False) for c in columns)]), faint=True
    )
    figures = [column.cells(stacked=False) for column in columns]
    for row, label in enumerate(labels):
        cells = [_padded(label, len(blank_label)), *(column[row][0] for column in figures)]
        page.put("  " + _GAP.join(cells))


# --- How it came about


def _add_closing(page: _Page, advice: Advice) -> None:
    """Say how long it took, who judged, why it stopped and how to repeat it."""
    threads = f"{advice.threads} thread{'' if advice.threads == 1 else 's'}"
    took = f"{advice.iterations:,} iterations in {advice.seconds:.2f} s"
    if advice.iterations and advice.seconds > 0:
        took += f" ({advice.iterations / advice.seconds:,.0f} a second)"
    parts = [took, threads, f"seed {advice.seed}", f"version {advice.version}"]
    page.gap()
    page.add(f"{', '.join(parts)}.", faint=True)
    if not advice.exact:
        model = f", model {advice.model}" if advice.model is not None else ""
        page.add(f"Judged by engine {advice.engine}{model}.", faint=True)
    stopped = f"Stopped: {STOPPED[advice.stopped]}."
    cut_off = advice.stopped in ("exact", "cancelled", "interrupted")
    if advice.iterations and advice.repeatable and not cut_off:
        options = (
            f"--iterations {advice.iterations} --threads {advice.threads} --seed {advice.seed}"
        )
        options += f" --objective {advice.objective}" if advice.objective != "win" else ""
        options += " --turns" if advice.turns else ""
        options += " --full" if advice.full else ""
        options += "".join(f" {option}" for option in advice.further_options)
        stopped += f" To repeat it: {options}"
    page.add(stopped, faint=True)
