"""The answer as a page: complete, honest about its errors, in need of nothing from outside."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

from advisor.report import charts, figures
from advisor.report.advice import Advice, Estimate, Explanation, Objective, Ranked, Stopped
from advisor.report.as_html import as_html

HOSTILE = '<b>&"Eve'
TABLE = '<div class="mine">the table</div>'
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)


# --- Answers made by hand


class Table:
    """A position of no game: all that the page asks of it."""

    game = "none"

    def narrate(self, turn: Sequence[str]) -> list[str]:
        return [f"in words, {action}" for action in turn]


def ranked(action: str = "take a", place: int = 0, **changes: Any) -> Ranked:
    made = Ranked(
        action=action,
        turn=(action, f"then {action} again"),
        costs={"workers": place, "silver": 0},
        visits=1000 * (place + 2),
        win=Estimate(0.6 - 0.05 * place, 0.01 + 0.002 * place),
        margin=Estimate(4.0 - 3.0 * place, 0.5),
        score=Estimate(180.0 - place, 0.7),
        difference={
            "win": Estimate(-0.05 * place, 0.011),
            "margin": Estimate(-3.0 * place, 0.4),
            "score": Estimate(-1.0 * place, 0.6),
        },
        chance_best=0.9 / (place + 1),
        equivalent=False,
    )
    return replace(made, **changes)


def answer(*actions: Ranked, **changes: Any) -> Advice:
    made = Advice(
        position=Table(),  # type: ignore[arg-type]
        player="Anna",
        objective="win",
        exact=False,
        actions=actions or tuple(ranked(f"take {letter}", n) for n, letter in enumerate("abcd")),
        turns=(),
        iterations=123_456,
        seconds=4.98,
        timed=True,
        threads=2,
        seed=17,
        stopped="decided",
        engine="tree",
        version="9.8.7",
        memory=0,
        memory_full=False,
    )
    return replace(made, **changes)


WHY = Explanation(
    best="take a",
    versus="take b",
    worlds=400,
    best_points={"regions": 22.1, "goods": 4.0, "nothing": 0.0},
    versus_points={"regions": 18.1, "goods": 5.5, "nothing": 0.0},
    difference={
        "regions": Estimate(4.0, 0.4),
        "goods": Estimate(-1.5, 0.2),
        "nothing": Estimate(0.0, 0.0),
    },
    others={"Ben": Estimate(-1.25, 0.3)},
    lines=("It completes a region.", "It sells < 2 goods."),
)


def page(advice: Advice | None = None, **options: Any) -> str:
    return as_html(advice or answer(), table=TABLE, **options)


def parsed(advice: Advice | None = None, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(page(advice, **options).partition("\n")[2])


def words(element: ElementTree.Element) -> str:
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def parts(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in element.iter() if name in part.get("class", "").split()]


def part(element: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = parts(element, name)
    return found


def rows(element: ElementTree.Element, name: str = "rank") -> list[ElementTree.Element]:
    """Return the lines of a chart without its axis and its sub-headings."""
    (chart,) = parts(element, name)
    return [row for row in chart if not set(row.get("class", "").split()) & {"head", "group"}]


def texts(element: ElementTree.Element, tag: str) -> list[str]:
    return [words(found) for found in element.iter(tag)]


# --- The page as a whole


class Balanced(HTMLParser):
    """Notes tags that are closed in another order than they were opened in."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


FULL = {
    "plain": answer(),
    "exact": answer(exact=True, stopped="exact"),
    "with turns": answer(turns=(ranked(), ranked("take b", 1))),
    "explained": answer(explanation=WHY, notes=("a < b",)),
    "hostile": answer(ranked(HOSTILE), player=HOSTILE, notes=(HOSTILE,)),
    "forced": answer(ranked(visits=0), stopped="forced"),
}


@pytest.mark.parametrize("advice", FULL.values(), ids=list(FULL))
def test_the_page_is_well_formed(advice: Advice) -> None:
    assert parsed(advice).tag == "html"
    reader = Balanced()
    reader.feed(page(advice))
    assert (reader.open, reader.wrong) == ([], [])


@pytest.mark.parametrize("advice", FULL.values(), ids=list(FULL))
def test_the_page_needs_nothing_from_outside(advice: Advice) -> None:
    assert not re.search(r"http|src=|href=|url\(|<script|<link|@import", page(advice), re.I)


def test_names_actions_and_notes_never_become_markup() -> None:
    why = replace(WHY, best=HOSTILE, others={HOSTILE: Estimate(1, 1)}, lines=(HOSTILE,))
    evil = ranked(HOSTILE, costs={HOSTILE: 1})
    advice = answer(evil, evil, turns=(evil,), player=HOSTILE, notes=(HOSTILE,), explanation=why)
    root = parsed(advice)
    assert list(root.iter("b")) == []
    assert f"{HOSTILE} decides" in words(root)
    assert HOSTILE in texts(root, "h1")


def test_the_drawing_and_its_style_sheet_are_taken_over() -> None:
    text = page(css=".mine { color: red }")
    assert TABLE in text
    assert ".mine { color: red }</style>" in text


def test_the_page_serves_dark_screens_narrow_screens_and_paper() -> None:
    text = page()
    for query in ("prefers-color-scheme: dark", "max-width: 720px", "@media print"):
        assert query in text
    assert 'name="viewport"' in text


# --- The best turn


def test_the_heading_says_who_decides_and_the_best_action() -> None:
    root = parsed()
    assert texts(root, "h1") == ["take a"]
    assert words(part(root, "who")) == "Anna decides"


def test_the_steps_of_the_best_turn_are_told_in_words_and_as_typed() -> None:
    assert texts(part(parsed(), "steps"), "li") == [
        "in words, take a take a",
        "in words, then take a again then take a again",
    ]


def test_the_best_of_the_whole_turns_is_the_best_turn() -> None:
    advice = answer(turns=(ranked("take z"), ranked("take y", 1)))
    assert texts(parsed(advice), "h1") == ["take z"]


def test_the_verdict_gives_the_chance_of_being_the_best() -> None:
    assert words(part(parsed(), "verdict")) == "The best action with a chance of 90.0 %."


def test_the_verdict_counts_what_is_as_good() -> None:
    others = [ranked(f"take {n}", n, equivalent=n < 3) for n in range(1, 5)]
    verdict = words(part(parsed(answer(ranked(equivalent=True), *others)), "verdict"))
    assert verdict.endswith("2 more actions are as good.")


def test_the_verdict_of_an_exact_answer_says_so() -> None:
    assert "every number is exact" in words(part(parsed(answer(exact=True)), "verdict"))


def test_a_forced_action_without_numbers_has_no_ranking() -> None:
    root = parsed(answer(ranked(visits=0), stopped="forced"))
    assert words(part(root, "verdict")) == "The only legal action."
    assert parts(root, "ranking") == []
    assert "60.0" not in words(root)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_objective_stands_first_among_the_figures(objective: Objective) -> None:
    first = texts(part(parsed(answer(objective=objective)), "figures"), "dd")[0]
    expected = {"win": "60.0 % ± 1.0", "margin": "+4.0 ± 0.5", "score": "180.0 ± 0.7"}
    assert first == expected[objective]


# --- Rankings


def test_every_action_is_listed_in_the_chart_and_in_the_table() -> None:
    advice = answer(*(ranked(f"take {n}", 1 + n % 3) for n in range(90)))
    root = parsed(advice)
    expected = [f"take {n}" for n in range(90)]
    assert [next(iter(texts(row, "code"))) for row in rows(root)] == expected
    body = next(root.iter("tbody"))
    assert [next(iter(texts(row, "code"))) for row in body] == expected


def test_top_shortens_chart_and_table_and_says_so() -> None:
    root = parsed(top=3)
    assert (len(rows(root)), len(next(root.iter("tbody")))) == (3, 3)
    assert "The best 3 of 4 actions" in words(root)


def test_whole_turns_are_ranked_before_the_actions() -> None:
    root = parsed(answer(turns=(ranked("take z"), ranked("take y", 1))))
    assert [texts(section, "h2") for section in parts(root, "ranking")] == [
        ["Ranked whole turns"],
        ["Ranked actions"],
    ]
    row, *_ = parts(root, "rank")[0].iter("li")
    names = [words(name) for name in parts(parts(root, "rank")[0], "name")]
    assert row.get("class") == "row head"
    assert names == ["take z then then take z again best", "take y then then take y again"]


def test_only_equivalents_are_marked_as_good() -> None:
    others = [ranked(f"take {n}", n, equivalent=n == 2) for n in range(1, 4)]
    root = parsed(answer(ranked(equivalent=True), *others))
    marks = [[words(badge) for badge in parts(row, "badge")] for row in rows(root)]
    assert marks == [["best"], [], ["as good"], []]
    body = next(root.iter("tbody"))
    assert [[words(badge) for badge in parts(row, "badge")] for row in body] == marks


def test_the_table_holds_every_number_of_an_action() -> None:
    place, action, *cells = list(next(parsed().iter("tbody")))[1]
    assert (words(place), words(action)) == ("2", "take b")
    assert {cell.get("data-head"): words(cell) for cell in cells} == {
        "share of wins": "55.0 % ± 1.2",
        "margin": "+1.0 ± 0.5",
        "final score": "179.0 ± 0.7",
        "to best": "−5.0 ± 1.1",
        "is best": "45.0 %",
        "visits": "3,000",
        "costs": "workers 1",
        "best turn with it": "take b then then take b again",
    }


def test_the_difference_is_that_of_the_objective() -> None:
    body = next(parsed(answer(objective="margin")).iter("tbody"))
    assert "−3.0 ± 0.4" in words(list(body)[1])


# --- Charts: places are read off the axis that is drawn


def reader(head: ElementTree.Element, number: int, factor: float) -> Any:
    """Return the function from per cent of the width to values that an axis shows."""
    ticks = [
        (percent(text.get("x")), float((text.text or "").replace("−", "-")) / factor)
        for text in parts(head, "axis")[number].iter("text")
    ]
    (x1, v1), (x2, v2) = ticks[0], ticks[-1]
    assert (x1, x2) == (0, 100)
    return lambda place: v1 + (v2 - v1) * place / 100


def percent(text: str | None) -> float:
    assert text is not None
    assert text.endswith("%")
    return float(text[:-1])


def head_of(root: ElementTree.Element, name: str = "rank") -> ElementTree.Element:
    return next(row for row in parts(root, name)[0] if "head" in row.get("class", ""))


def ends(chart: ElementTree.Element) -> tuple[float, float]:
    span = part(chart, "span")
    return percent(span.get("x1")), percent(span.get("x2"))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_bars_reach_from_zero_to_the_value_of_the_objective(objective: Objective) -> None:
    advice = answer(objective=objective)
    root = parsed(advice)
    value_at = reader(head_of(root), 0, 100 if objective == "win" else 1)
    for row, entry in zip(rows(root), advice.actions, strict=True):
        bar = part(row, "bar")
        left = percent(bar.get("x"))
        found = sorted((value_at(left), value_at(left + percent(bar.get("width")))))
        value = getattr(entry, objective).value
        assert found == pytest.approx(sorted((0, value)), abs=0.01)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_error_bars_reach_1_96_standard_errors_to_either_side(objective: Objective) -> None:
    advice = answer(objective=objective)
    second = {"win": "margin", "margin": "win", "score": "margin"}[objective]
    root = parsed(advice)
    for number, measure in enumerate((objective, second)):
        value_at = reader(head_of(root), number, 100 if measure == "win" else 1)
        for row, entry in zip(rows(root), advice.actions, strict=True):
            estimate = getattr(entry, measure)
            low, high = ends(parts(row, "chart")[number])
            assert value_at(low) == pytest.approx(estimate.value - 1.96 * estimate.se, abs=0.002)
            assert value_at(high) == pytest.approx(estimate.value + 1.96 * estimate.se, abs=0.002)


def test_dots_stand_at_the_margin() -> None:
    root = parsed()
    value_at = reader(head_of(root), 1, 1)
    found = [value_at(percent(part(row, "dot").get("cx"))) for row in rows(root)]
    assert found == pytest.approx([4, 1, -2, -5], abs=0.002)


def test_caps_close_the_error_bars_at_both_ends() -> None:
    for row in rows(parsed()):
        for whisker in parts(row, "whisker"):
            caps = [line.get("x1") for line in whisker if line.get("x1") == line.get("x2")]
            span = part(whisker, "span")
            assert caps == [span.get("x1"), span.get("x2")]


def test_no_error_bar_of_a_share_reaches_beyond_0_or_100_per_cent() -> None:
    advice = answer(
        ranked(win=Estimate(0.99, 0.02)),
        ranked("take b", 1, win=Estimate(0.01, 0.02)),
    )
    root = parsed(advice)
    value_at = reader(head_of(root), 0, 100)
    first, second = (ends(parts(row, "chart")[0]) for row in rows(root))
    assert value_at(first[1]) == pytest.approx(1)
    assert value_at(second[0]) == pytest.approx(0)


def test_an_exact_answer_has_no_error_bars_and_no_errors() -> None:
    exact = page(answer(exact=True, stopped="exact"))
    assert 'class="whisker"' not in exact
    assert "±" not in exact
    assert 'class="whisker"' in page()


@pytest.mark.parametrize("advice", FULL.values(), ids=list(FULL))
def test_every_chart_is_told_in_words(advice: Advice) -> None:
    for chart in parsed(advice).iter("svg"):
        assert chart.get("role") == "img"
        assert words(next(chart.iter("title")))


@pytest.mark.parametrize(
    ("values", "zero"),
    [
        ([0.61, 0.6, 0.12], True),
        ([4.2, -20.4], False),
        ([-3.0, -9.0], True),
        ([187.31, 187.32], False),
        ([5.0], False),
        ([0.0], True),
        ([], True),
        ([math.nan, 2.0], True),
        ([12_345.0, -0.001], False),
    ],
)
def test_a_scale_of_few_round_numbers_holds_all_values(values: list[float], zero: bool) -> None:
    along = charts.scale([Estimate(v, 0.001) for v in values], whiskers=True, zero=zero)
    known = [v for v in values if not math.isnan(v)] + [0.0] * zero
    places = [along.at(end) for v in known for end in along.interval(Estimate(v, 0.0))]
    assert all(-1e-6 <= place <= 100 + 1e-6 for place in places)
    assert 2 <= len(along.ticks) <= 7
    assert list(along.ticks) == sorted(set(along.ticks))


def test_a_scale_of_shares_never_goes_beyond_100_per_cent() -> None:
    along = charts.scale(
        [Estimate(1.0, 0.1), Estimate(0.97, 0.3)], whiskers=True, zero=True, within=(0, 1)
    )
    assert (along.ticks[0], along.ticks[-1]) == (0, 1)


# --- Numbers


NEVER = re.compile(r"(?<![\d.])(0|0\.0+|100|100\.0+) ?%")


@pytest.mark.parametrize("value", [0.0, 0.0004, 0.9996, 1.0])
def test_a_sampled_share_is_never_printed_as_impossible_or_certain(value: float) -> None:
    entry = ranked(win=Estimate(value, 0.0), chance_best=value)
    root = parsed(answer(entry, replace(entry, action="take b")))
    printed = list(next(root.iter("main")).itertext())
    assert [text for text in printed if NEVER.search(text)] == []
    expected = "<0.1 %" if value < 0.5 else ">99.9 %"
    assert sum(expected in text for text in printed) >= 5


def test_an_exact_share_may_be_certain() -> None:
    won = ranked(win=Estimate(1.0, 0.0), chance_best=1.0)
    lost = ranked("take b", 1, win=Estimate(0.0, 0.0), chance_best=0.0)
    body = next(parsed(answer(won, lost, exact=True)).iter("tbody"))
    printed = [[words(cell) for cell in row if "%" in words(cell)] for row in body]
    assert printed == [["100 %", "100 %"], ["0 %", "0 %"]]


@pytest.mark.parametrize(
    ("objective", "estimate", "text"),
    [
        ("win", Estimate(0.6134, 0.0081), "61.3 % ± 0.8"),
        ("win", Estimate(0.6134, 0.0003), "61.34 % ± 0.03"),
        ("win", Estimate(math.nan, 0.0), "–"),
        ("margin", Estimate(4.24, 0.31), "+4.2 ± 0.3"),
        ("margin", Estimate(-4.24, 0.31), "−4.2 ± 0.3"),
        ("margin", Estimate(-0.01, 0.31), "0.0 ± 0.3"),
        ("score", Estimate(187.31, 0.0), "187.3 ± <0.1"),
        ("score", Estimate(187.31, math.nan), "187.3 ± ?"),
    ],
)
def test_sampled_numbers_carry_their_standard_error(
    objective: Objective, estimate: Estimate, text: str
) -> None:
    assert figures.estimate(objective, estimate, exact=False) == text


@pytest.mark.parametrize(
    ("objective", "value", "text"),
    [
        ("win", 0.5, "50 %"),
        ("margin", 4.0, "+4"),
        ("margin", -0.5, "−0.5"),
        ("score", 187.0, "187"),
    ],
)
def test_exact_numbers_are_printed_bare(objective: Objective, value: float, text: str) -> None:
    assert figures.estimate(objective, Estimate(value, 0.0), exact=True) == text


def test_numbers_that_are_not_known_are_left_out_of_the_charts() -> None:
    unknown = ranked("take b", 1, win=Estimate(math.nan, math.nan))
    root = parsed(answer(ranked(), unknown))
    assert [len(parts(row, "bar")) for row in rows(root)] == [1, 0]


# --- Why, notes, the closing line


def test_the_explanation_is_given_in_its_own_words() -> None:
    section = part(parsed(answer(explanation=WHY)), "why")
    assert texts(section, "p") == list(WHY.lines)
    assert "take a minus take b" in words(section)
    assert "400 worlds" in words(section)


def test_without_an_explanation_there_is_no_such_section() -> None:
    assert parts(parsed(), "why") == []


def test_the_sources_diverge_from_zero_with_their_intervals() -> None:
    root = parsed(answer(explanation=WHY))
    value_at = reader(head_of(root, "sources"), 0, 1)
    found = []
    for row in rows(root, "sources"):
        bar = part(row, "bar")
        left = percent(bar.get("x"))
        bar_ends = value_at(left), value_at(left + percent(bar.get("width")))
        found.append((*bar_ends, *map(value_at, ends(row))))
    expected = [(0, 4, 3.216, 4.784), (-1.5, 0, -1.892, -1.108), (-1.25, 0, -1.838, -0.662)]
    assert [value for line in found for value in line] == pytest.approx(
        [value for line in expected for value in line], abs=0.002
    )


def test_sources_that_bring_nothing_either_way_are_left_out() -> None:
    names = [words(part(row, "name")) for row in rows(parsed(answer(explanation=WHY)), "sources")]
    assert names == ["regions 22.1 against 18.1", "goods 4.0 against 5.5", "Ben"]


def test_fewer_points_for_the_others_count_as_a_gain() -> None:
    kinds = [
        part(row, "bar").get("class") for row in rows(parsed(answer(explanation=WHY)), "sources")
    ]
    assert kinds == ["bar gain", "bar loss", "bar gain"]


def test_an_exact_line_of_play_is_explained_without_error_bars() -> None:
    section = part(parsed(answer(explanation=replace(WHY, worlds=1))), "why")
    assert parts(section, "whisker") == []
    assert "±" not in words(section)


def test_notes_are_listed() -> None:
    notes = part(parsed(answer(notes=("one < two", "three"))), "notes")
    assert texts(notes, "li") == ["one < two", "three"]


def test_without_notes_there_is_no_such_section() -> None:
    assert parts(parsed(), "notes") == []


def test_the_closing_line_tells_how_the_answer_came_about() -> None:
    closing = words(part(parsed(), "closing"))
    for fact in ("123,456 iterations", "5.0 s", "2 threads", "seed 17", "9.8.7", "tree"):
        assert fact in closing


def test_the_closing_line_names_the_model_behind_the_numbers() -> None:
    made = answer(engine="plans", model="burgundy/2p.npz, <40,000> games")
    assert "engine plans, model burgundy/2p.npz, <40,000> games ·" in words(
        part(parsed(made), "closing")
    )
    assert "model" not in words(part(parsed(), "closing"))


def test_a_single_thread_is_not_several() -> None:
    assert "1 thread ·" in words(part(parsed(answer(threads=1)), "closing"))


@pytest.mark.parametrize("stopped", get_args(Stopped))
def test_the_closing_line_says_why_the_search_ended(stopped: Stopped) -> None:
    closing = words(part(parsed(answer(stopped=stopped)), "closing"))
    assert re.search(r"stopped because \w+ \w+", closing)


def test_the_closing_line_says_when_the_memory_was_full() -> None:
    assert "memory" in words(part(parsed(answer(memory_full=True)), "closing"))
    assert "memory" not in words(part(parsed(), "closing"))
