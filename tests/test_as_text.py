"""The answer as text: what stands on the page, that nothing is claimed too surely, that it fits."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

import advisor
from advisor.report.advice import Advice, Estimate, Explanation, Ranked
from advisor.report.as_text import STOPPED, as_text, live

ROOT = Path(__file__).parent.parent
WIDTHS = (80, 90, 100, 120, 160)
LONG = "6>5 take monastery 14 from 5 discard monastery 24"


class Table:
    """A position of no game: it has only words."""

    def situation(self) -> str:
        return "Anna decides with dice 3 and 5"

    def narrate(self, turn: Sequence[str]) -> list[str]:
        return [f"do {text}" for text in turn]


def entry(action: str, behind: float = 0.0, **changes: Any) -> Ranked:
    """Return an action so many points behind the best, measured with an error of 0.3 points."""
    made = Ranked(
        action=action,
        turn=(action, "end"),
        costs={"workers": 0, "silver": 0},
        visits=30_211,
        win=Estimate(0.612 - behind / 50, 0.004),
        margin=Estimate(11.8 - behind, 0.4),
        score=Estimate(187.3 - behind, 0.3),
        difference={
            "win": Estimate(-behind / 50, 0.003),
            "margin": Estimate(-behind, 0.3),
            "score": Estimate(-behind, 0.3),
        },
        chance_best=0.62,
        equivalent=False,
    )
    return replace(made, **changes)


def answer(*actions: Ranked, **changes: Any) -> Advice:
    """Return an answer with these actions, stopped by the clock."""
    position: Any = Table()
    made = Advice(
        position=position,
        player="Anna",
        objective="margin",
        exact=False,
        actions=actions or (entry("3 workers"), entry("5 workers", 1.25), entry("end", 3)),
        turns=(),
        iterations=81_234,
        seconds=5.0,
        timed=True,
        threads=2,
        seed=7,
        stopped="seconds",
        engine="search",
        version="9.8.7",
        memory=1_000,
        memory_full=False,
    )
    return replace(made, **changes)


def explained(**changes: Any) -> Explanation:
    made = Explanation(
        best="3 workers",
        versus="5 workers",
        worlds=2_000,
        best_points={"regions": 40.1, "goods": 0.0, "animals": 3.0},
        versus_points={"regions": 38.0, "goods": 0.0, "animals": 3.5},
        difference={
            "regions": Estimate(2.1, 0.3),
            "goods": Estimate(0.0, 0.0),
            "animals": Estimate(-0.5, 0.1),
        },
        others={"Ben": Estimate(-0.4, 0.2), "Carla": Estimate(0.0, 0.0)},
        lines=("It fills a region.", "The animals wait."),
    )
    return replace(made, **changes)


def row(text: str, rank: int) -> str:
    """Return the line of the ranking that begins with a rank."""
    (found,) = re.findall(rf"^ *{rank}[ ≈] .*$", text, re.MULTILINE)
    return str(found)


WORST = [
    entry(
        LONG,
        123.4 * number,
        turn=(LONG, "load 4 keep red, orange then 5 keep pink", "buy castle from 2 discard mine"),
        costs={"workers": 2, "silver": 2},
        visits=1_234_567,
        win=Estimate(0.9999, 0.123),
        margin=Estimate(-111.1 - number, 22.2),
        score=Estimate(111.1, 22.2),
        difference={name: Estimate(-1.5, 0.2) for name in ("win", "margin", "score")},
        equivalent=number % 2 == 1,
    )
    for number in range(12)
]

ANSWERS = {
    "three actions": answer(),
    "by wins": answer(objective="win"),
    "with costs": answer(entry("3>5 take mine", costs={"workers": 2}), entry("buy", 1)),
    "long actions": answer(*[entry(LONG, number) for number in range(12)]),
    "everything at its widest": answer(*WORST, objective="win"),
    "whole turns": answer(*WORST, turns=tuple(WORST)),
    "exact": answer(exact=True, stopped="exact"),
    "forced": answer(entry("end", visits=0), stopped="forced", iterations=0, seconds=0.0),
    "explained": answer(explanation=explained(), notes=("the tree did not fit " * 9,)),
    "long names": answer(
        explanation=explained(others={"日本語" * 26: Estimate(1.0, 0.2)}, lines=("x" * 300,))
    ),
}


@pytest.fixture(params=ANSWERS.values(), ids=list(ANSWERS))
def advice(request: pytest.FixtureRequest) -> Advice:
    made: Advice = request.param
    return made


def columns(line: str) -> int:
    """Return the columns of a line in which the only wide letters are Japanese."""
    return len(line) + len(re.findall("[日本語]", line))


# --- The page


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("colour", [False, True])
def test_no_line_is_wider_than_the_page(advice: Advice, width: int, colour: bool) -> None:
    lines = click.unstyle(as_text(advice, width=width, colour=colour)).splitlines()
    assert max(map(columns, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def test_less_than_80_columns_count_as_80(advice: Advice) -> None:
    assert as_text(advice, width=20) == as_text(advice, width=80)


def test_colours_change_no_letter(advice: Advice) -> None:
    coloured = as_text(advice, colour=True)
    assert coloured != as_text(advice)
    assert click.unstyle(coloured) == as_text(advice)


@pytest.mark.parametrize("width", WIDTHS)
def test_actions_are_printed_whole_at_every_width(width: int) -> None:
    text = as_text(answer(*WORST), width=width, top=12)
    table = text[text.index("All 12 actions") : text.index("± is")]
    words = re.findall(r"[\w>]+", table)
    for word in ("6>5", "14", "5", "24"):
        assert words.count(word) >= 12
    assert not re.search(r"\bmonastery *$", table, re.MULTILINE)


def test_the_page_begins_with_situation_and_best_turn() -> None:
    lines = as_text(answer()).splitlines()
    assert lines[0] == "Anna decides with dice 3 and 5."
    assert lines[2] == "Best turn: do 3 workers; do end."
    assert lines[3] == 'To apply:  "3 workers" "end"'


@pytest.mark.parametrize("width", WIDTHS)
def test_the_turn_can_be_pasted_into_a_shell_however_it_is_wrapped(width: int) -> None:
    text = as_text(answer(*WORST), width=width)
    pasted = text[text.index("To apply:") + 9 : text.index("The first 10")]
    one_line = pasted.strip().replace("\\\n", "")  # as a shell reads it
    assert tuple(shlex.split(one_line)) == WORST[0].turn


def test_the_best_of_whole_turns_is_the_turn_on_top() -> None:
    turns = (entry("5 workers", turn=("5 workers", "3 workers")), entry("3 workers", 1))
    text = as_text(answer(turns=turns))
    assert "Best turn: do 5 workers; do 3 workers." in text
    assert "All 2 whole turns, ranked by margin:" in text
    assert "5 workers; 3 workers  " in row(text, 1)


def test_a_page_of_a_real_position_reads_in_words() -> None:
    position: Any = advisor.load(ROOT / "docs" / "example.yaml")
    turn = ("3>5 take mine from 5", "5 place ship d5")
    text = as_text(answer(entry(turn[0], turn=turn), entry("3 workers"), position=position))
    assert text.startswith("Anna decides in phase B, round 3, with dice 3 and 5, 2 workers")
    assert "use the 3 as a 5 with 2 workers: take the mine from depot 5; use the 5" in text


# --- The ranking


def test_every_figure_has_its_error() -> None:
    first, second = (row(as_text(answer(), width=160), rank).split() for rank in (1, 2))
    values = ["61.2", "%", "±0.4", "+11.8", "±0.4", "187.3", "±0.3"]
    assert first == ["1", "3", "workers", *values, "-", "62", "%", "30,211"]
    assert second[-5:] == ["-1.2", "±0.3", "62", "%", "30,211"]


def test_errors_stand_below_their_values_where_the_page_is_narrow() -> None:
    costly = entry("6>5 take monastery 14 from 5", costs={"workers": 1, "silver": 2})
    lines = as_text(answer(costly, entry("end", 1)), width=100).splitlines()
    (number,) = (n for n, line in enumerate(lines) if line.startswith("  1  6>5"))
    assert "±" not in lines[number]
    assert lines[number + 1].split() == ["±0.4", "±0.4", "±0.3"]


def test_the_difference_is_in_the_objectives_measure() -> None:
    assert "-2.5 ±0.3 " in row(as_text(answer(objective="win"), width=160), 2)
    assert "in percentage points of wins" in as_text(answer(objective="win"))
    assert "-1.2 ±0.3 " in row(as_text(answer(objective="score"), width=160), 2)
    assert "ranked by final score" in as_text(answer(objective="score"))


def test_only_the_first_actions_are_listed() -> None:
    text = as_text(answer(*[entry(f"{n} workers", n) for n in range(20)]), top=4)
    assert "The first 4 of 20 actions, ranked by margin:" in text
    assert "3 workers" in row(text, 4)
    assert not re.search(r"^ *5 ", text, re.MULTILINE)


def test_costs_have_columns_only_where_something_costs() -> None:
    assert not re.search("workers +silver|costs", as_text(answer(entry("a"), entry("b"))))
    costly = answer(entry("a", costs={"workers": 2, "silver": 0}), entry("b"))
    text = as_text(costly, width=120)
    assert re.search(r"visits +workers$", text, re.MULTILINE)
    assert row(text, 1).endswith("30,211        2")
    assert row(text, 2).endswith("30,211        -")


def test_costs_stand_behind_the_action_where_columns_do_not_fit() -> None:
    text = as_text(answer(*WORST), width=80)
    assert re.search(r"discard monastery 24\s+\(costs workers 2,\s+silver 2\)", text)


@pytest.mark.parametrize(
    ("share", "printed"), [(0.0, "<0.1 %"), (0.0003, "<0.1 %"), (1.0, ">99.9 %"), (0.5, "50.0 %")]
)
def test_a_sampled_share_is_never_certain(share: float, printed: str) -> None:
    sampled = entry("a", win=Estimate(share, 0.004), chance_best=share)
    text = as_text(answer(sampled, entry("b")), width=160)
    assert printed in row(text, 1)
    assert not re.search(r"(?<![\d.])(0|0\.0|100|100\.0) %", text)
    assert f" {printed}" in live(answer(sampled), width=80)[1]


def test_a_sampled_number_never_has_an_error_of_nothing() -> None:
    text = as_text(answer(entry("a", margin=Estimate(5, 0), score=Estimate(9, 0.0001))), width=160)
    assert "+5.0 ±<0.1" in text
    assert "9.00 ±<0.01" in text
    assert not re.search(r"±0\.0+\b", text)


def test_small_errors_get_a_second_digit() -> None:
    text = as_text(answer(entry("a", margin=Estimate(5.128, 0.034))), width=160)
    assert "+5.13 ±0.03" in text


def test_numbers_that_nobody_measured_are_left_open() -> None:
    unknown = Estimate(float("nan"), float("inf"))
    text = as_text(answer(entry("a"), entry("b", margin=unknown, visits=0)), width=160)
    assert "? ±?" in row(text, 2)
    assert "nan" not in text


def test_the_error_is_explained_once() -> None:
    assert as_text(answer()).count("one standard error") == 1
    assert "if the search were repeated with other luck" in as_text(answer())


# --- Equivalents


def test_leading_equivalents_are_marked_and_counted() -> None:
    close = {"margin": Estimate(-0.1, 0.18)}
    actions = [
        entry("a", equivalent=True),
        entry("b", equivalent=True, difference=close),
        entry("c", equivalent=True, difference={"margin": Estimate(0.0, 0.2)}),
        entry("d", 5),
    ]
    text = as_text(answer(*actions))
    assert [row(text, rank)[3] for rank in (1, 2, 3, 4)] == [" ", "≈", "≈", " "]
    expected = "The first 3 actions are equivalent: no difference above 0.5 points can be shown."
    assert expected in text


def test_equivalents_further_down_are_counted_too() -> None:
    text = as_text(answer(entry("a"), entry("b", 5), entry("c", 0.4, equivalent=True)))
    assert "The first action and another (marked ≈) are equivalent: " in text
    assert "no difference above 1.0 points can be shown" in text


def test_equivalents_by_wins_are_told_in_points_of_margin() -> None:
    close = {"win": Estimate(-0.02, 0.04), "margin": Estimate(-0.2, 0.1)}
    actions = (entry("a"), entry("b", equivalent=True, difference=close))
    text = as_text(answer(*actions, objective="win"))
    assert "All 2 actions are equivalent: no difference above 0.4 points can be shown." in text


def test_without_equivalents_nothing_is_said_of_them() -> None:
    assert "≈" not in as_text(answer())
    assert "equivalent" not in as_text(answer())


# --- Exact and forced answers


def test_exact_answers_have_neither_errors_nor_chances_nor_visits() -> None:
    sure = [
        entry("a", win=Estimate(1, 0), margin=Estimate(12, 0), score=Estimate(190, 0)),
        entry("b", 2, win=Estimate(0, 0), margin=Estimate(10, 0), score=Estimate(188, 0)),
    ]
    text = as_text(answer(*sure, exact=True, stopped="exact", explanation=explained(worlds=1)))
    assert "Exact: nothing is left to chance; every line of play was computed." in text
    assert not re.search("±|visits|is best|worlds|To repeat", text)
    assert row(text, 1).split() == ["1", "a", "100", "%", "+12", "190", "-"]
    assert row(text, 2).split() == ["2", "b", "0", "%", "+10", "188", "-2"]


def test_exact_equivalents_are_equally_good() -> None:
    same = {"margin": Estimate(0, 0)}
    text = as_text(
        answer(entry("a"), entry("b", equivalent=True, difference=same), entry("c"), exact=True)
    )
    assert "The first 2 actions are equally good." in text


def test_a_single_legal_action_is_said_to_be_the_only_one() -> None:
    text = as_text(ANSWERS["forced"])
    assert "Only one action is legal." in text
    assert not re.search("margin|±|a second|To repeat", text)
    assert "Only one action" not in as_text(answer())


def test_a_single_action_that_was_searched_shows_its_worth() -> None:
    text = as_text(answer(entry("end")), width=120)
    assert "Only one action is legal." in text
    assert "+11.8 ±0.4" in text
    assert not re.search("to best|is best", text)


# --- Why, notes and how it came about


def test_the_explanation_follows_with_its_sources() -> None:
    text = as_text(answer(explanation=explained()))
    assert "\nWhy: It fills a region.\n     The animals wait.\n" in text
    assert 'Points to come: "3 workers" versus "5 workers", in 2,000 worlds:' in text
    table = [line.split() for line in text.splitlines()]
    assert ["regions", "40.1", "38.0", "+2.1", "±0.3"] in table
    assert ["animals", "3.0", "3.5", "-0.5", "±0.1"] in table
    assert ["points", "of", "Ben", "-0.4", "±0.2"] in table
    assert "goods" not in text
    assert "Carla" not in text


def test_without_an_explanation_nothing_is_explained() -> None:
    assert not re.search("Why|Points to come", as_text(answer()))


def test_notes_are_printed() -> None:
    assert "\nNote: one\nNote: two\n" in as_text(answer(notes=("one", "two")))


def test_the_last_lines_say_how_to_repeat_it() -> None:
    lines = as_text(answer()).splitlines()
    took = "81,234 iterations in 5.00 s (16,247 a second), 2 threads, seed 7, version 9.8.7."
    assert lines[-3] == took
    assert lines[-2] == "Judged by engine search."
    options = "--iterations 81234 --threads 2 --seed 7 --objective margin"
    assert lines[-1] == f"Stopped: the time was up. To repeat it: {options}"


def test_the_last_lines_name_the_model_behind_the_numbers() -> None:
    text = as_text(answer(engine="plans", model="burgundy/2p.npz, 40,000 games"))
    assert "\nJudged by engine plans, model burgundy/2p.npz, 40,000 games.\n" in text
    assert "Judged by" not in as_text(answer(exact=True, engine="exact", stopped="exact"))


@pytest.mark.parametrize("stopped", list(STOPPED))
def test_every_reason_to_stop_has_words(stopped: Any) -> None:
    assert f"Stopped: {STOPPED[stopped]}." in as_text(answer(stopped=stopped))


def test_no_reason_to_stop_is_forgotten() -> None:
    from typing import get_args

    from advisor.report.advice import Stopped

    assert set(STOPPED) == set(get_args(Stopped))


# --- The live ranking


@pytest.mark.parametrize("width", [0, 1, 10, 24, 40, 60, 80, 200])
def test_live_lines_fit_any_terminal(advice: Advice, width: int) -> None:
    lines = live(advice, width=width)
    assert max(map(columns, lines)) <= width
    assert len(lines) == 1 + min(5, len(advice.actions))


def test_live_lines_show_the_ranking() -> None:
    lines = live(answer(), width=80, rows=2)
    assert lines[0] == "81,234 iterations, 5.0 s, by margin"
    assert re.fullmatch(r" 1  3 workers +\+11\.8 ±0\.4 +61\.2 % ±0\.4 +187\.3 ±0\.3", lines[1])
    assert len(lines) == 3


def test_narrow_live_lines_keep_the_objectives_figure() -> None:
    lines = live(answer(*WORST, objective="score"), width=45)
    assert lines[1] == " 1  6>5 take monastery 14 from…   111.1 ±22.2"
