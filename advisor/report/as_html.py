"""The answer as one page of HTML that needs nothing else: no network, no scripts, no fonts.

Owns what the page says and in which order: the best turn, why, the position, the rankings with
their charts, notes, and how the answer came about. The look is `html_style`, the charts are
`charts`, the numbers `figures`. Knows no game: the drawing of the position is handed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from advisor.report import charts, figures
from advisor.report.advice import Advice, Estimate, Explanation, Objective, Ranked
from advisor.report.as_text import MEASURE, STOPPED, UNIT
from advisor.report.html_style import CSS

_MEASURES: tuple[Objective, ...] = ("win", "margin", "score")
_SECOND: dict[Objective, Objective] = {"win": "margin", "margin": "win", "score": "margin"}
"""What stands beside the objective in the chart."""
_POSSIBLE: dict[Objective, tuple[float, float]] = {
    "win": (0.0, 1.0),
    "margin": charts.ANYTHING,
    "score": charts.ANYTHING,
}


def as_html(advice: Advice, *, table: str, css: str = "", top: int | None = None) -> str:
    """Return the answer as a complete page.

    Args:
        advice: the answer.
        table: the position as the game draws it, a fragment of HTML.
        css: the style sheet of that fragment.
        top: how many actions and turns are listed; default all.

    """
    title = escape(f"{advice.player}: {advice.best.action}")
    sections = [
        _heading(advice),
        _best(advice),
        _why(advice.explanation) if advice.explanation else "",
        f'<section class="position"><h2>The position</h2>{table}</section>',
        _ranking(advice, "whole turns", advice.turns, top) if advice.turns else "",
        _ranking(advice, "actions", advice.actions, top) if _computed(advice) else "",
        _notes(advice.notes),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        '<meta name="color-scheme" content="light dark"/>'
        f"<title>{title}</title><style>{CSS}{css}</style></head>\n"
        f"<body><main>\n{chr(10).join(filter(None, sections))}\n{_closing(advice)}\n"
        "</main></body></html>\n"
    )


# --- The best turn


def _heading(advice: Advice) -> str:
    return (
        f'<header><p class="who">{escape(advice.player)} decides</p>'
        f"<h1>{escape(advice.best.action)}</h1>"
        f'<p class="verdict">{_verdict(advice)}</p></header>'
    )


def _verdict(advice: Advice) -> str:
    """Say how sure the answer is and what is as good."""
    if len(advice.actions) == 1 and len(advice.turns) <= 1:
        return "The only legal action."
    kind, ranked = ("turn", advice.turns) if advice.turns else ("action", advice.actions)
    chance = figures.share(advice.best.chance_best, exact=advice.exact)
    sure = (
        "Computed to the end of the game: every number is exact."
        if advice.exact
        else f"The best {kind} with a chance of {escape(chance)}."
    )
    equals = [other for other in ranked[1:] if other.equivalent]
    if not equals:
        return sure
    verb = "is" if len(equals) == 1 else "are"
    return f"{sure} {len(equals)} more {kind}{'s' * (len(equals) > 1)} {verb} as good."


def _best(advice: Advice) -> str:
    turn = advice.best.turn or (advice.best.action,)
    steps = "".join(
        f"<li><span>{escape(words)}</span> <code>{escape(action)}</code></li>"
        for words, action in zip(advice.position.narrate(turn), turn, strict=True)
    )
    return (
        '<section class="best"><div><h2>The best turn</h2>'
        f'<ol class="steps">{steps}</ol></div><dl class="figures">{_figures(advice)}</dl></section>'
    )


def _figures(advice: Advice) -> str:
    """Return what the best turn is worth, the objective first."""
    best = advice.best
    measures: list[Objective] = sorted(_MEASURES, key=lambda name: name != advice.objective)
    facts = [
        (MEASURE[name], figures.estimate(name, _value(best, name), exact=advice.exact))
        for name in (measures if _computed(advice) else [])
    ]
    facts.append(("costs", _costs(best.costs)))
    return "".join(f"<div><dt>{name}</dt><dd>{escape(text)}</dd></div>" for name, text in facts)


def _computed(advice: Advice) -> bool:
    """Whether there are numbers at all: a forced action may not have been looked into."""
    return advice.exact or any(ranked.visits for ranked in advice.actions)


def _value(ranked: Ranked, objective: Objective) -> Estimate:
    return {"win": ranked.win, "margin": ranked.margin, "score": ranked.score}[objective]


def _costs(costs: Mapping[str, int]) -> str:
    # A number stays on the line of its resource.
    parts = [f"{name}\N{NO-BREAK SPACE}{number}" for name, number in costs.items() if number]
    return ", ".join(parts) or "nothing"


# --- Why


def _why(explanation: Explanation) -> str:
    """Return the explanation: its sentences, then the points by source."""
    sampled = explanation.worlds > 1
    along = charts.scale(
        [*explanation.difference.values(), *explanation.others.values()],
        whiskers=sampled,
        zero=True,
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in explanation.lines)
    source_rows = "".join(
        _source_row(
            source,
            found,
            along,
            points=(explanation.best_points[source], explanation.versus_points[source]),
        )
        for source, found in explanation.difference.items()
        if explanation.best_points[source] or explanation.versus_points[source]
    )
    other_rows = "".join(
        _source_row(name, found, along, against=True) for name, found in explanation.others.items()
    )
    others = (
        '<li class="row group"><span>points of the others: the fewer, the better</span></li>'
        + other_rows
        if other_rows
        else ""
    )
    worlds = f" in {figures.count(explanation.worlds)} worlds" if sampled else ""
    return (
        f'<section class="why"><h2>Why</h2>{lines}'
        f"<figure><figcaption>Points to come{worlds}: <code>{escape(explanation.best)}</code> "
        f"minus <code>{escape(explanation.versus)}</code>."
        f"{_WHISKERS if sampled else ''}</figcaption>"
        f'<ol class="sources"><li class="row head"><span>source</span>'
        f"{charts.axis(along, words='points more, from left to right')}"
        f"<span>difference</span></li>{source_rows}{others}</ol></figure></section>"
    )


_WHISKERS = " The whiskers span the 95 % interval."


def _source_row(
    name: str,
    found: Estimate,
    along: charts.Scale,
    *,
    points: tuple[float, float] | None = None,
    against: bool = False,
) -> str:
    """Return one source: a bar to the right where the best action brings more."""
    text = figures.difference("score", found, exact=not along.whiskers)
    good = (found.value < 0) == against
    detail = (
        f" <small>{points[0]:.1f} against {points[1]:.1f}</small>".replace("-", figures.MINUS)
        if points
        else ""
    )
    chart = charts.bar(found, along, words=f"{name}: {text}", kind="gain" if good else "loss")
    return (
        f'<li class="row"><span class="name">{escape(name)}{detail}</span>{chart}'
        f'<span class="value">{escape(text)}</span></li>'
    )


# --- Rankings


@dataclass(frozen=True, slots=True)
class _Column:
    """One measure in the chart of a ranking."""

    objective: Objective
    along: charts.Scale
    exact: bool
    bars: bool

    def chart(self, ranked: Ranked, kind: str) -> str:
        """Return the chart of one entry and its number beside it."""
        found = _value(ranked, self.objective)
        text = figures.estimate(self.objective, found, exact=self.exact)
        words = f"{MEASURE[self.objective]}: {text}"
        draw = charts.bar if self.bars else charts.dot
        return (
            f"{draw(found, self.along, words=words, kind=kind)}"
            f'<span class="value">{escape(text)}</span>'
        )

    def axis(self) -> str:
        """Return the axis and the name of the measure."""
        share = self.objective == "win"
        name = MEASURE[self.objective] + (", %" if share else "")
        axis = charts.axis(self.along, factor=100.0 if share else 1.0, words=f"axis of the {name}")
        return f'<span class="measure">{name}</span>{axis}'


def _column(
    advice: Advice, ranked: Sequence[Ranked], objective: Objective, *, bars: bool
) -> _Column:
    along = charts.scale(
        [_value(entry, objective) for entry in ranked],
        whiskers=not advice.exact,
        zero=bars,
        within=_POSSIBLE[objective],
    )
    return _Column(objective, along, advice.exact, bars)


def _ranking(advice: Advice, name: str, ranked: Sequence[Ranked], top: int | None) -> str:
    """Return the chart and the table of the actions or of the whole turns."""
    shown = ranked[:top]
    whole = name != "actions"
    columns = (
        _column(advice, shown, advice.objective, bars=True),
        _column(advice, shown, _SECOND[advice.objective], bars=False),
    )
    rows = "".join(
        f'<li class="row{_mark(place, entry)}"><span class="place">{place}</span>'
        f'<span class="name">{_label(entry, whole=whole)}{_badge(place, entry)}</span>'
        f"{''.join(column.chart(entry, _mark(place, entry).strip()) for column in columns)}</li>"
        for place, entry in enumerate(shown, start=1)
    )
    axes = "".join(column.axis() for column in columns)
    every = f"All {len(ranked)} {name}" if len(ranked) > 1 else f"The only one of the {name}"
    few = f"The best {len(shown)} of {len(ranked)} {name}" if len(shown) < len(ranked) else every
    errors = "" if advice.exact else _WHISKERS
    return (
        f'<section class="ranking"><h2>Ranked {name}</h2>'
        f"<figure><figcaption>{few}, best first.{errors}</figcaption>"
        f'<ol class="rank"><li class="row head">{axes}</li>{rows}</ol></figure>'
        f"{_table(advice, shown, whole=whole)}</section>"
    )


def _mark(place: int, ranked: Ranked) -> str:
    return " first" if place == 1 else " equal" if ranked.equivalent else ""


def _badge(place: int, ranked: Ranked) -> str:
    words = "best" if place == 1 else "as good" if ranked.equivalent else ""
    return f' <span class="badge">{words}</span>' if words else ""


def _label(ranked: Ranked, *, whole: bool) -> str:
    return _turn(ranked.turn) if whole else f"<code>{escape(ranked.action)}</code>"


def _turn(actions: Sequence[str]) -> str:
    return ' <span class="then">then</span> '.join(
        f"<code>{escape(action)}</code>" for action in actions
    )


_HEADS = (*(MEASURE[name] for name in _MEASURES), "to best", "is best", "visits", "costs")


def _table(advice: Advice, shown: Sequence[Ranked], *, whole: bool) -> str:
    """Return every number of the ranked entries."""
    heads = "".join(f'<th scope="col" class="number">{head}</th>' for head in _HEADS)
    turn = "" if whole else '<th scope="col">best turn with it</th>'
    rows = "".join(
        f'<tr class="{_mark(place, entry).strip()}"><td class="place">{place}</td>'
        f'<th scope="row">{_label(entry, whole=whole)}{_badge(place, entry)}</th>'
        f"{_cells(advice, place, entry)}"
        f"{'' if whole else _cell('best turn with it', _turn(entry.turn), 'turn')}</tr>"
        for place, entry in enumerate(shown, start=1)
    )
    errors = "" if advice.exact else " ± is one standard error."
    return (
        f'<p class="caption">What each is worth to {escape(advice.player)}.{errors} To best: '
        f"difference to the first, in {UNIT[advice.objective]}. Is best: chance of being the "
        "best.</p>"
        f'<table class="numbers"><thead><tr><th scope="col">#</th>'
        f'<th scope="col">{"turn" if whole else "action"}</th>{heads}{turn}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _cells(advice: Advice, place: int, ranked: Ranked) -> str:
    exact = advice.exact
    away = ranked.difference[advice.objective]
    texts = (
        figures.estimate("win", ranked.win, exact=exact),
        figures.estimate("margin", ranked.margin, exact=exact),
        figures.estimate("score", ranked.score, exact=exact),
        figures.UNKNOWN if place == 1 else figures.difference(advice.objective, away, exact=exact),
        figures.share(ranked.chance_best, exact=exact),
        figures.count(ranked.visits),
        _costs(ranked.costs),
    )
    return "".join(
        _cell(head, escape(text), "number costs" if head == "costs" else "number")
        for head, text in zip(_HEADS, texts, strict=True)
    )


def _cell(head: str, content: str, kind: str) -> str:
    """Return a cell that bears its heading, for screens too narrow for a table."""
    return f'<td class="{kind}" data-head="{head}">{content}</td>'


# --- The end of the page


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f'<section class="notes"><h2>Notes</h2><ul>{items}</ul></section>'


def _closing(advice: Advice) -> str:
    facts = [
        f"{figures.count(advice.iterations)} iterations",
        f"{advice.seconds:.1f} s",
        f"{advice.threads} thread{'s' * (advice.threads != 1)}",
        f"seed {advice.seed}",
        f"ranked by {MEASURE[advice.objective]}",
        f"stopped because {STOPPED[advice.stopped]}",
        *(["the memory bound was reached"] if advice.memory_full else []),
        f"engine {advice.engine}" + (f", model {advice.model}" if advice.model is not None else ""),
        f"advisor {advice.version}",
    ]
    return f'<footer class="closing">{" · ".join(escape(fact) for fact in facts)}</footer>'
