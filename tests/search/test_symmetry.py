"""Tests that equal positions are judged alike: names, seats and depots do not matter."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import advisor
from advisor.report.advice import Advice, Estimate
from tests.search import TWIN_DEPOTS, TWIN_SALES, asked, shipped

ESTATE = "{d4: castle, d3: ship, c3: bank, e3: mine}"

MIRROR = """
game: burgundy
phase: E
round: ROUND
depots:
  1: {tiles: [ship], goods: [red]}
  3: {tiles: [cattle 3]}
  5: {tiles: [mine]}
  black: [ship]
goods_to_come: [GOODS]
players:
PLAYERS
turn_order: [Anna, Ben]
"""

SEAT = "  NAME: {board: 1, score: 40, workers: 2, silver: 1, goods: {pink: 2}, "
SEAT += "storage: [mine, ship], estate: ESTATE, dice: [3, 5]}"


def mirror(*seats: str, round: int) -> Any:
    """Return a position in which both have the same and Anna moves first, wherever she sits."""
    lines = "\n".join(SEAT.replace("NAME", name).replace("ESTATE", ESTATE) for name in seats)
    text = MIRROR.replace("PLAYERS", lines).replace("ROUND", str(round))
    return advisor.loads(text.replace("GOODS", "brown" if round == 4 else ""))


def near(one: Estimate, other: Estimate, errors: float = 4) -> bool:
    return abs(one.value - other.value) <= errors * math.hypot(one.se, other.se)


def by_action(advice: Advice) -> dict[str, Any]:
    return {ranked.action: ranked for ranked in advice.actions}


@pytest.mark.parametrize("name", ["opening", "three-players", "ship-with-full-hold"])
def test_names_do_not_change_a_digit(name: str) -> None:
    position = shipped(name)
    text = position.dump()
    for old, new in zip(position.names, ["Zoë", "a b", "X"], strict=False):
        text = text.replace(old, new)
    renamed = advisor.loads(text)
    assert renamed != position
    plain = asked(position, iterations=500, explain=True).to_dict()
    other = asked(renamed, iterations=500, explain=True).to_dict()
    assert other["actions"] == plain["actions"]
    sources = [data["explanation"]["sources"] for data in (plain, other)]
    assert sources[0] == sources[1]
    assert other["player"] in ("Zoë", "a b", "X")


def test_seats_do_not_change_an_exact_answer() -> None:
    one, two = mirror("Anna", "Ben", round=5), mirror("Ben", "Anna", round=5)
    assert one.names != two.names
    answers = [asked(position) for position in (one, two)]
    assert all(advice.exact for advice in answers)
    numbers = [
        {action: (r.win, r.margin, r.score) for action, r in by_action(advice).items()}
        for advice in answers
    ]
    assert numbers[0] == numbers[1]
    assert len({ranked.margin for ranked in answers[0].actions}) > 3


@pytest.mark.parametrize("objective", ["win", "score"])
def test_seats_change_a_sampled_answer_by_no_more_than_its_error(objective: str) -> None:
    seats = [("Anna", "Ben"), ("Ben", "Anna")]
    one, two = (
        by_action(
            asked(mirror(*names, round=4), iterations=1_500, objective=objective, engine="ismcts")
        )
        for names in seats
    )
    assert set(one) == set(two)
    for action, ranked in one.items():
        for measure in ("win", "margin", "score"):
            assert near(getattr(ranked, measure), getattr(two[action], measure)), action


def test_whoever_is_called_what_the_mover_is_judged() -> None:
    """Anna moves first from the first seat, Ben from the second: the same role."""
    first = mirror("Anna", "Ben", round=5)
    text = first.dump().replace("Anna", "?").replace("Ben", "Anna").replace("?", "Ben")
    second = advisor.loads(text)
    assert (first.to_move, second.to_move) == ("Anna", "Ben")
    one, two = asked(first).to_dict(), asked(second).to_dict()
    assert json.dumps(one["actions"]) == json.dumps(two["actions"])


def test_the_same_tile_from_two_depots_is_worth_the_same() -> None:
    advice = asked(advisor.loads(TWIN_DEPOTS), iterations=8_000, full=True)
    found = by_action(advice)
    one, two = found["* take ship from 1"], found["* take ship from 4"]
    for measure in ("win", "margin", "score"):
        assert near(getattr(one, measure), getattr(two, measure), 3)


def test_goods_of_a_3_and_of_a_4_sell_alike() -> None:
    """Dice show 3 and 4 equally often, and both are as far from all other numbers."""
    found = by_action(asked(advisor.loads(TWIN_SALES), iterations=4_000, full=True))
    for measure in ("win", "margin", "score"):
        pink, red = (getattr(found[f"* sell {good}"], measure) for good in ("pink", "red"))
        assert near(pink, red, 3)
    assert not near(found["* sell pink"].score, found["* workers"].score)


def test_the_same_tile_from_two_depots_is_worth_the_same_exactly_at_the_end() -> None:
    advice = asked(advisor.loads(TWIN_DEPOTS.replace("phase: B", "phase: E")))
    assert advice.exact
    found = by_action(advice)
    one, two = found["* take ship from 1"], found["* take ship from 4"]
    assert (one.win, one.margin, one.score) == (two.win, two.margin, two.score)
    assert one.equivalent == two.equivalent


def test_as_whole_turns_the_same_tile_from_two_depots_is_one_turn() -> None:
    """At the end of a phase the tiles left are gone, so both turns end in the same position."""
    advice = asked(advisor.loads(TWIN_DEPOTS), turns=True, iterations=300)
    assert len(advice.turns) == 2
    assert sorted(ranked.turn[0][:11] for ranked in advice.turns) == ["* take ship", "* workers"]
