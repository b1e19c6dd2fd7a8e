"""What a match says, as text: the tables of `advisor match` and the one line of its live progress.

Owns the layout: which numbers stand where, that tables fit the terminal, and short names for long
labels. All numbers come from `Summary` or `Running`; nothing is computed here.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import click

from advisor.research.running import Headline
from advisor.research.running import Running as Running
from advisor.research.statistics import Mean, Share
from advisor.research.summary import Cell, Summary

MIN_WIDTH = 80
_GAP = "  "
UNKNOWN = "-"

LONGEST_LABEL = 28
SHORTEST_LABEL = 10
"""Columns for a label: as many as the tables leave, within these."""

_BESIDE = 4
_AROUND = 24
"""So many agents should stand side by side, with so many columns for the rest of the row."""

LEGEND = (
    "[ ] is the 95 % interval of a share, ± half the 95 % interval of a mean; both from the spread "
    "between deals, as the games of a deal share their luck."
)
RATING = (
    "Rating: by ranks, as in chess; 1500 is the mean of the agents, 400 points ahead means winning "
    "ten times as often."
)
TOO_FEW = f"{UNKNOWN} is unknown: no games, or for an error fewer than two deals."


def as_text(summary: Summary, *, width: int = 100, colour: bool = False) -> str:
    """Return the whole report of a match.

    Args:
        summary: the result.
        width: columns of the terminal; less than 80 counts as 80.
        colour: add ANSI bold and faint, green for win shares surely above an even share and red for
            those below.

    """
    page = _Page(max(width, MIN_WIDTH), colour)
    page.add(_totals(summary), bold=True)
    if not summary.games:
        return page.text()
    names = _short_names(
        [agent.label for agent in summary.agents], _label_room(summary, page.width)
    )
    _add_agents(page, summary, names)
    _add_points(page, summary, names)
    _add_groups(page, summary, names)
    _add_head_to_head(page, summary, names)
    _add_legend(page, summary, names)
    return page.text()


def one_line(result: Summary | Running | Headline, *, width: int | None = None) -> str:
    """Return the result so far in one line.

    Two agents: the first one's share of wins, and its points ahead of the second. More agents: the
    shares of wins, best first. One agent: its mean score. With a width, labels are shortened and
    then the end of the line is left out until it fits.
    """
    headline = result if isinstance(result, Headline) else result.headline()
    if not headline.games:
        return "no game finished yet"
    line = _headline(headline, LONGEST_LABEL * 10)
    if width is None:
        return line
    for room in range(LONGEST_LABEL, SHORTEST_LABEL - 1, -1):
        if _columns(line) <= width:
            return line
        line = _headline(headline, room)
    return _cut(line, width)


def _headline(headline: Headline, room: int) -> str:
    names = _short_names([agent.label for agent in headline.agents], room)
    agents = headline.agents
    if len(agents) == 1:
        return f"{names[agents[0].label]} {_with_error(agents[0].score)} points"
    if headline.difference is not None and len(agents) == 2:
        first, second = agents
        ahead = _with_error(headline.difference, sign=True)
        return (
            f"{names[first.label]} {_with_interval(first.win)}, {ahead} points against "
            f"{names[second.label]}"
        )
    known = [agent for agent in agents if agent.win.count]
    ranked = sorted(known, key=lambda agent: -agent.win.value)
    return ", ".join(f"{names[agent.label]} {_with_interval(agent.win)}" for agent in ranked)


def _with_interval(share: Share) -> str:
    value = f"{_percent(share.value)} %"
    if math.isnan(share.low):
        return value
    return f"{value} [{_percent(share.low)}, {_percent(share.high)}]"


def _with_error(mean: Mean, *, sign: bool = False) -> str:
    value = _decimal(mean.value, sign=sign)
    return value if math.isnan(mean.half) else f"{value} ±{_decimal(mean.half)}"


# --- The page


class _Page:
    """Lines that fit a width, coloured where asked for."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = width
        self.colour = colour
        self.lines: list[str] = []
        self.unknown = False
        """Some table has a number that is not known."""

    def text(self) -> str:
        """Return the page."""
        return "\n".join(self.lines) + "\n"

    def add(self, text: str, *, indent: int = 0, bold: bool = False, faint: bool = False) -> None:
        """Add a sentence, wrapped; further lines are indented."""
        line = ""
        for word in (part for wide in text.split(" ") for part in self._parts(wide, indent)):
            longer = f"{line} {word}" if line.strip() else line + word
            if line.strip() and _columns(longer) > self.width:
                self._put(line, bold=bold, faint=faint)
                longer = " " * indent + word
            line = longer
        self._put(line, bold=bold, faint=faint)

    def heading(self, text: str) -> None:
        """Begin a part of the report."""
        self.lines.append("")
        self.add(text, bold=True)

    def table(self, columns: Sequence[_Column]) -> None:
        """Add a table; columns that do not fit follow below, beside the first one again."""
        rows, *rest = columns
        cells = [cell.split() for column in rest for cell in column.cells]
        self.unknown |= any(UNKNOWN in words or f"±{UNKNOWN}" in words for words in cells)
        while True:
            block, used = [rows], rows.width
            while rest and (len(block) == 1 or used + len(_GAP) + rest[0].width <= self.width):
                used += len(_GAP) + rest[0].width
                block.append(rest.pop(0))
            head = _GAP.join(column.padded(column.head) for column in block)
            self._put(head, faint=True)
            for row in range(len(rows.cells)):
                line = _GAP.join(self._cell(column, row) for column in block)
                self.lines.append(line.rstrip())
            if not rest:
                return
            self.lines.append("")

    def _cell(self, column: _Column, row: int) -> str:
        text = column.padded(column.cells[row])
        paint = column.paint[row] if column.paint else None
        return click.style(text, fg=paint) if paint and self.colour else text

    def _put(self, line: str, *, bold: bool = False, faint: bool = False) -> None:
        line = line.rstrip()
        if self.colour and line and (bold or faint):
            line = click.style(line, bold=bold or None, dim=faint or None)
        self.lines.append(line)

    def _parts(self, word: str, indent: int) -> Iterable[str]:
        """Break a word that is wider than a line."""
        room = self.width - indent
        while _columns(word) > room:
            fits = _cut(word, room + 1)[:-1] or word[0]
            yield fits
            word = word[len(fits) :]
        yield word


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of a table: numbers to the right, words to the left."""

    head: str
    cells: Sequence[str]
    left: bool = False
    paint: Sequence[str | None] = ()

    @property
    def width(self) -> int:
        return max(map(_columns, [self.head, *self.cells]))

    def padded(self, text: str) -> str:
        """Return a text as wide as the column."""
        blanks = " " * (self.width - _columns(text))
        return text + blanks if self.left else blanks + text


# --- Parts of the report


def _totals(summary: Summary) -> str:
    if not summary.games:
        return "No games."
    sizes = " or ".join(map(str, summary.players))
    text = (
        f"{_counted(summary.games, 'game')} of {sizes} "
        f"player{'s' if summary.players != (1,) else ''}: {_counted(summary.deals, 'deal')} in "
        f"{_counted(summary.seatings, 'seating')}"
    )
    if summary.incomplete:
        are = "is" if summary.incomplete == 1 else "are"
        text += f"; {_counted(summary.incomplete, 'deal')} {are} incomplete"
    return text + "."


def _add_agents(page: _Page, summary: Summary, names: dict[str, str]) -> None:
    evens = _evens(summary)
    page.heading("Agents" if len(evens) > 1 else f"Agents (an even share of wins is {evens[0]})")
    labels = _Column("agent", [names[agent.label] for agent in summary.agents], left=True)
    page.table([labels, *_agent_columns(summary)])


def _evens(summary: Summary) -> list[str]:
    """Return what is an even share for the agents: one number, unless they sat at other tables."""
    evens = (f"{_percent(agent.even)} %" for agent in summary.agents if agent.seats)
    return list(dict.fromkeys(evens))


def _agent_columns(summary: Summary) -> list[_Column]:
    agents = summary.agents
    columns = [
        _Column("seats", [f"{agent.seats:,}" for agent in agents]),
        _Column(
            "wins",
            [_shown(agent.win.value, _percent, " %") for agent in agents],
            paint=[_paint(agent.win, agent.even) for agent in agents],
        ),
        _Column("95 %", _intervals([agent.win for agent in agents])),
    ]
    if len(_evens(summary)) > 1:
        columns.append(_Column("even", [_shown(agent.even, _percent, " %") for agent in agents]))
    columns += [
        _Column("score", _means([agent.score for agent in agents])),
        _Column("margin", _means([agent.margin for agent in agents], sign=True)),
        _Column("rank", [_shown(agent.rank.value, _decimal, digits=2) for agent in agents]),
    ]
    if any(agent.rating for agent in agents):
        points = [agent.rating.points if agent.rating else math.nan for agent in agents]
        columns.append(_Column("rating", [_shown(value, _decimal, digits=0) for value in points]))
    return columns


def _add_points(page: _Page, summary: Summary, names: dict[str, str]) -> None:
    agents = summary.agents
    page.heading("Mean points by source, and pace")
    sources = list(agents[0].points)
    words = [source.replace("_", " ") for source in sources]
    columns = [_Column("", [*words, "decisions a game", "time a decision"], left=True)]
    for agent in agents:
        cells = _means([agent.points[source] for source in sources])
        # The numbers below stand under the means, not under their errors.
        error = max(
            (_columns(cell[cell.find(" ±") :]) for cell in cells if " ±" in cell), default=0
        )
        pace = [_shown(agent.decisions, _decimal), _time(agent.seconds)]
        cells += [text + " " * error for text in pace]
        columns.append(_Column(names[agent.label], cells))
    page.table(columns)


def _add_groups(page: _Page, summary: Summary, names: dict[str, str]) -> None:
    columns = dict.fromkeys(group.column for group in summary.groups)
    for name in columns:
        groups = [group for group in summary.groups if group.column == name]
        word = name.replace("_", " ")
        page.heading(f"Score and wins by {word}")
        table = [_Column(word, [_word(str(group.value)) for group in groups], left=True)]
        for number, agent in enumerate(summary.agents):
            cells = [group.cells[number] for group in groups]
            table.append(_Column(names[agent.label], _scores(cells)))
        if len(summary.agents) > 1:
            table.append(_Column("all agents", _scores([group.cells[-1] for group in groups])))
        page.table(table)


def _add_head_to_head(page: _Page, summary: Summary, names: dict[str, str]) -> None:
    if not summary.head_to_head:
        return
    met = {(pairing.label, pairing.other): pairing for pairing in summary.head_to_head}
    page.heading("Head to head: how often the agent of the row was ahead, and by how many points")
    labels = [agent.label for agent in summary.agents]
    table = [_Column("", [names[label] for label in labels], left=True)]
    for other in labels:
        pairings = [met.get((label, other)) for label in labels]
        ahead = _right([_shown(p.ahead.value, _percent, " %") if p else UNKNOWN for p in pairings])
        points = _means([p.difference if p else None for p in pairings], sign=True)
        cells = [
            f"{share} {point}" if pairing else ("·" if label == other else UNKNOWN)
            for label, pairing, share, point in zip(labels, pairings, ahead, points, strict=True)
        ]
        paint = [_paint(p.ahead, (1 - p.tied) / 2) if p else None for p in pairings]
        table.append(_Column(names[other], cells, paint=paint))
    page.table(table)


def _add_legend(page: _Page, summary: Summary, names: dict[str, str]) -> None:
    shortened = {short: label for label, short in names.items() if short != _word(label)}
    if shortened:
        page.heading("Short names")
        wide = max(map(_columns, shortened))
        for short, label in shortened.items():
            blanks = " " * (wide - _columns(short))
            page.add(f"{short}{blanks}{_GAP}{_word(label)}", indent=wide + len(_GAP))
    page.lines.append("")
    page.add(LEGEND, faint=True)
    if any(agent.rating for agent in summary.agents):
        page.add(RATING, faint=True)
    if page.unknown:
        page.add(TOO_FEW, faint=True)


# --- Labels


def _label_room(summary: Summary, width: int) -> int:
    """Return how wide labels may be, for the first table and a few agents side by side to fit."""
    first = width - sum(column.width + len(_GAP) for column in _agent_columns(summary))
    beside = (width - _AROUND) // min(len(summary.agents), _BESIDE) - len(_GAP)
    return max(min(first, beside, LONGEST_LABEL), SHORTEST_LABEL)


def _short_names(labels: Sequence[str], room: int) -> dict[str, str]:
    """Return a name for each label that takes at most `room` columns, all of them different.

    Labels of one family differ at their ends, so they are shortened in the middle; where that makes
    two alike, they are numbered.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for label in sorted(labels, key=lambda label: _columns(_word(label)) > room):
        name, number = _middle(_word(label), room), 2
        while name in taken:
            tail = f" ({number})"
            name, number = _middle(_word(label), room - len(tail)) + tail, number + 1
        taken.add(name)
        names[label] = name
    return names


def _word(text: str) -> str:
    """Return a text without what would disturb a line: control characters are written out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _middle(text: str, room: int) -> str:
    """Return a text within a width, with an ellipsis where its middle is missing."""
    if _columns(text) <= room:
        return text
    head, tail = _cut(text, (room + 1) // 2), ""
    while text and _columns(head) + _columns(text[-1] + tail) <= room:
        text, tail = text[:-1], text[-1] + tail
    return head + tail


# --- Numbers


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _decimal(value: float, *, digits: int = 1, sign: bool = False) -> str:
    text = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
    # A rounded nothing has no sign.
    return text.lstrip("+-") if not float(text) else text


def _shown(value: float, form: Callable[..., str], unit: str = "", **options: int) -> str:
    return UNKNOWN if math.isnan(value) else form(value, **options) + unit


def _means(means: Sequence[Mean | None], *, sign: bool = False) -> list[str]:
    """Return means with their errors, the errors below each other."""
    halves = [mean.half for mean in means if mean is not None and mean.half > 0]
    digits = 2 if halves and max(halves) < 0.1 else 1
    values, errors = [], []
    for mean in means:
        value = math.nan if mean is None else mean.value
        half = math.nan if mean is None else mean.half
        values.append(UNKNOWN if math.isnan(value) else _decimal(value, digits=digits, sign=sign))
        errors.append("" if math.isnan(value) else f"±{_shown(half, _decimal, digits=digits)}")
    wide = max(map(len, errors), default=0)
    padded = [f"{error:{wide}}" for error in errors]
    return [f"{v} {e}" if wide else v for v, e in zip(_right(values), padded, strict=True)]


def _intervals(shares: Sequence[Share]) -> list[str]:
    lows = _right([_percent(share.low) for share in shares if not math.isnan(share.low)])
    highs = _right([_percent(share.high) for share in shares if not math.isnan(share.low)])
    known = iter(zip(lows, highs, strict=True))
    texts = []
    for share in shares:
        if math.isnan(share.low):
            texts.append(UNKNOWN)
        else:
            low, high = next(known)
            texts.append(f"[{low}, {high}]")
    return texts


def _scores(cells: Sequence[Cell]) -> list[str]:
    """Return the score and the share of wins of cells that stand below each other."""
    scores = _means([cell.score for cell in cells])
    wins = _right([_shown(cell.win.value, _percent, " %") for cell in cells])
    return [
        f"{score} {win}" if cell.seats else UNKNOWN
        for cell, score, win in zip(cells, scores, wins, strict=True)
    ]


def _time(seconds: float) -> str:
    if math.isnan(seconds):
        return UNKNOWN
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.2g} µs"


def _paint(share: Share, even: float) -> str | None:
    """Return green or red where a share is surely above or below what is even."""
    return "green" if share.low > even else "red" if share.high < even else None


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def _right(texts: Sequence[str]) -> list[str]:
    wide = max(map(len, texts), default=0)
    return [f"{text:>{wide}}" for text in texts]


def _columns(text: str) -> int:
    """Return how many columns a text takes: combining marks none, wide letters two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _cut(text: str, width: int) -> str:
    """Return a text within a width, with an ellipsis where its end is missing."""
    if _columns(text) <= width:
        return text
    while text and _columns(text) > width - 1:
        text = text[:-1]
    return text + "…"
