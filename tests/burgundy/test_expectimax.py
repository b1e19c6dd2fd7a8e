"""The sampled answer against exact expected values, one roll before the last round.

`expectimax.py` counts every roll and solves every last round; here `suggest` samples the same
positions, and its margins must be right within their own errors.
"""

from __future__ import annotations

import functools

import pytest

import advisor
from advisor.report.advice import Advice
from tests.burgundy import expectimax
from tests.burgundy.canonical import canonical
from tests.burgundy.expectimax import POSITIONS, QUICK, Expectimax
from tests.burgundy.lastround import Solver, position_of
from tests.reference.engine import Game

ITERATIONS = 60_000
SEEDS = (1, 2)

ERRORS = 4
"""Standard errors that a margin may be off by."""
BIAS = 0.3
"""Points that it may be off by besides: the tree still learns while it is sampled."""
LEAD = 1.0
"""Points by which the best action must lead for its first place to be demanded."""


@functools.cache
def advice_on(name: str, seed: int, objective: str, engine: str) -> Advice:
    position = position_of(POSITIONS[name])
    options = {"iterations": ITERATIONS, "seed": seed, "threads": 1, "objective": objective}
    advice: Advice = advisor.suggest(position, engine=engine, **options)
    return advice


def test_every_roll_is_counted_once_and_the_weights_fill_all_of_them() -> None:
    game = Game.from_dict(canonical(position_of(POSITIONS["ships and goods"])))
    for text in ("2 workers", "end"):
        game.apply(text)
    texts = dict(expectimax.rolls(game))
    assert len(texts) == 21 * 21 * 6
    assert sum(texts.values()) == 6**5
    assert texts["roll Anna 1 1 Ben 2 2 white 3"] == 1
    assert texts["roll Anna 1 2 Ben 3 4 white 3"] == 4


def test_without_ships_one_white_die_stands_for_all() -> None:
    game = Game.from_dict(canonical(position_of(POSITIONS[QUICK])))
    for text in ("5 workers", "end"):
        game.apply(text)
    texts = dict(expectimax.rolls(game))
    assert len(texts) == 21 * 21
    assert sum(texts.values()) == 6**4
    outcomes = set()
    for white in range(1, 7):
        after = Game.from_dict(game.to_dict())
        after.apply(f"roll Anna 1 5 Ben 3 6 white {white}")
        outcomes.add(Solver().outcome(after))
    assert len(outcomes) == 1


def test_expectimax_counts_as_a_person_does() -> None:
    """Anna will place her mine on g1, a cell of die 3, with the better of two dice.

    She has 2 workers from now and takes 2 with the other die; the mine costs as many as the die is
    away from 3. The chance of a 3 among two dice is 11/36 (4 workers left, 2 points), that of two
    sixes 1/36 (1 left, none), otherwise 2 or 3 are left (1 point): 46/36 on average. The mine is 13
    points (6 + 2 + 5, 2019 p. 8), three mines are 3 silver: 50 + 16 + 46/36. Ben takes 4 workers:
    62.
    """
    text = """
game: burgundy
phase: E
round: 4
depots: {}
goods_to_come: [red]
players:
  Anna: {board: 1, score: 50, storage: [mine], estate: {d4: castle, e3: mine, f2: mine}}
  Ben: {board: 1, score: 60, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [6]}
"""
    found = Expectimax().actions(Game.from_dict(canonical(position_of(text))))
    assert list(found) == ["6 workers"]
    assert found["6 workers"] == pytest.approx((4 + 46 / 36, 1, 66 + 46 / 36))


def test_expectimax_repeats_the_stored_values() -> None:
    stored = expectimax.read()
    assert list(stored) == list(POSITIONS)
    assert expectimax.truth(QUICK) == stored[QUICK]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize("name", POSITIONS)
def test_sampled_margins_are_right_within_their_errors(
    name: str, objective: str, seed: int
) -> None:
    truth = expectimax.read()[name]
    advice = advice_on(name, seed, objective, "ismcts")
    assert not advice.exact
    assert sorted(ranked.action for ranked in advice.actions) == sorted(truth)
    for ranked in advice.actions:
        off = abs(ranked.margin.value - truth[ranked.action].margin)
        assert off <= ERRORS * ranked.margin.se + BIAS, (ranked, truth[ranked.action])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("engine", ["plans", "ismcts"])
def test_an_action_that_leads_clearly_is_ranked_first(
    name: str, objective: str, seed: int, engine: str
) -> None:
    truth = expectimax.read()[name]
    first, second = sorted(truth, key=lambda text: truth[text].margin, reverse=True)[:2]
    if truth[first].margin - truth[second].margin > LEAD:
        assert advice_on(name, seed, objective, engine).actions[0].action == first
