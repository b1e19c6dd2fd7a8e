"""The exact answer of the last round against brute force on the reference engine.

In round E5 nothing is left to chance, so `suggest` computes the rest of the game. Here its numbers
are compared with those of `lastround.Solver`, which shares nothing with it. The positions and
their values lie in `lastround.json`; some of them are solved anew in every run, all of them with
ADVISOR_EXACT=all.
"""

from __future__ import annotations

import functools
import os
import random
from dataclasses import dataclass
from typing import Any

import pytest

import advisor
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Position
from advisor.report.advice import Advice, Ranked
from tests.burgundy import lastround
from tests.burgundy.canonical import canonical
from tests.burgundy.lastround import Objective, Outcome, Solved, Solver, position_of
from tests.reference.engine import Game

PARTS = 10
SAMPLE = 40
SAMPLE_WORK = 5_000  # larger trees are solved anew only with ADVISOR_EXACT=all
ALL = os.environ.get("ADVISOR_EXACT") == "all"


@functools.cache
def solved() -> list[Solved]:
    return lastround.read()


def sample(count: int = SAMPLE) -> list[int]:
    """Return the places in the file of the positions that are solved anew."""
    if ALL:
        return list(range(len(solved())))
    small = [index for index, entry in enumerate(solved()) if entry.work <= SAMPLE_WORK]
    return sorted(random.Random(20_260_501).sample(small, count))


def exact(position: Position, **options: Any) -> Advice:
    """Ask for advice; counted iterations keep the clock out of it."""
    options = {"iterations": 1_000, "threads": 1, **options}
    advice: Advice = advisor.suggest(position, **options)
    assert advice.exact, position.dump()
    return advice


def part(number: int, count: int = PARTS) -> list[Solved]:
    return solved()[number::count]


# --- The brute force itself, and its file


@dataclass(frozen=True, slots=True)
class Case:
    """A position whose values were counted by hand: action -> (margin, win, score) of the mover."""

    name: str
    position: str
    values: dict[str, tuple[int, int, int]]


def one_die(players: int) -> str:
    """Return a position in which Anna, the last player, has one die left and 3 red goods."""
    others = ["Ben", "Clara", "Dario"][: players - 1]
    people = "".join(
        f"  {name}: {{board: 1, score: {50 - seat}, estate: {{d4: castle}}}}\n"
        for seat, name in enumerate(others)
    )
    return f"""
game: burgundy
phase: E
round: 5
depots: {{}}
players:
  Anna: {{board: 1, score: 46, goods: {{red: 3}}, estate: {{d4: castle}}}}
{people}turn_order: [{", ".join([*others, "Anna"])}]
turn: {{player: Anna, dice: [4]}}
"""


# Anna (46 points) sells or keeps 3 goods; the best other player has 50 points.
# Selling brings as many points a good as there are players, and 1 silver (2019 p. 8), which is
# 1 point at the end. Otherwise each unsold good is 1 point and 2 workers are 1 (2019 p. 9).
SALES = [
    Case(
        f"three goods with {players} players",
        one_die(players),
        {
            # 46 + 3 * players + 1: 53, 56, 59
            "4 sell red": (3 * players - 3, 1, 47 + 3 * players),
            # 46 + 3 + 1 = 50: a tie in points and in empty cells; Anna's marker is the last of
            # the turn-order track, and the one further back wins (2019 p. 9).
            "4 workers": (0, 1, 50),
        },
    )
    for players in (2, 3, 4)
]

REGION = Case(
    "the third mine",
    # Board 1 has its only mines on e3, f2 and g1; g1 shows a 3.
    """
game: burgundy
phase: E
round: 5
depots: {}
players:
  Anna: {board: 1, score: 30, storage: [mine], estate: {d4: castle, e3: mine, f2: mine}}
  Ben: {board: 1, score: 40, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [3]}
""",
    {
        # A region of 3 is 6 points, phase E 2 (2019 p. 8), all mines first the large bonus, 5 for
        # two players; each mine brings 1 silver at the end of the phase (p. 9): 30 + 13 + 3.
        "3 place mine g1": (6, 1, 46),
        # 2 workers are 1 point, two mines 2 silver.
        "3 workers": (-7, 0, 33),
    },
)


def tie(edition: int, order: str) -> str:
    return f"""
game: burgundy
edition: {edition}
phase: E
round: 5
depots: {{}}
players:
  Anna: {{board: 1, score: 20, goods: {{pink: 1}}, storage: [bank], estate: {{d4: castle}}}}
  Ben: {{board: 1, score: 23, estate: {{d4: castle}}}}
turn_order: [Ben, Anna]
next_order: {order}
turn: {{player: Anna, dice: [3]}}
"""


# The bank is 2 silver (p. 7), with the unsold good 3 points. It completes c3, a city of one cell,
# for 1 + 2 points more, but no other city. A sale is 2 points and 1 silver: 3 as well.
# Points equal, the 2019 edition prefers the estate with more empty cells, the 2011 edition the one
# with fewer (both p. 9); those equal, too, the marker further back on the turn-order track wins.
TIES = [
    Case(
        "2019: more empty cells, then the marker behind",
        tie(2019, "[Ben, Anna]"),
        {
            "3 place bank c3": (3, 1, 26),
            "3 place bank e4": (0, 0, 23),  # 35 empty cells against Ben's 36
            "3 sell pink": (0, 1, 23),  # 36 each; Anna's marker is behind
            "3 workers": (-1, 0, 22),
        },
    ),
    Case(
        "2011: fewer empty cells, then the marker behind",
        tie(2011, "[Anna, Ben]"),
        {
            "3 place bank c3": (3, 1, 26),
            "3 place bank e4": (0, 1, 23),
            "3 sell pink": (0, 0, 23),  # 36 each; Ben's marker is behind
            "3 workers": (-1, 0, 22),
        },
    ),
]

DENIAL = Case(
    "taking what the other needs",
    # Both dice of Ben would take the mine (5) and place it on g1 (3).
    """
game: burgundy
phase: E
round: 5
depots:
  5: {tiles: [mine]}
players:
  Anna: {board: 1, score: 50, estate: {d4: castle}}
  Ben: {board: 1, score: 40, estate: {d4: castle, e3: mine, f2: mine}, dice: [3, 5]}
turn_order: [Anna, Ben]
turn: {player: Anna, dice: [5]}
""",
    {
        # Ben is left with 4 workers, 2 points, and the silver of two mines: 44.
        "5 take mine from 5": (6, 1, 50),
        # Anna has 51. Ben: region 6 + 2, bonus 5, three silver (pp. 8-9): 40 + 16.
        "5 workers": (-5, 0, 51),
    },
)


def equal_loads(first: str, second: str) -> str:
    return f"""
game: burgundy
phase: E
round: 5
depots:
  1: {{goods: [{first}, {first}]}}
  2: {{goods: [{second}, {second}]}}
players:
  Anna: {{board: 1, score: 100, goods: {{red: 1}}, estate: {{d4: castle}}}}
  Ben: {{board: 1, score: 20, storage: [ship], estate: {{d4: castle}}, dice: [2, 2]}}
  Clara: {{board: 1, score: 60, storage: [ship], estate: {{d4: castle}}, dice: [2, 3]}}
turn_order: [Anna, Ben, Clara]
turn: {{player: Anna, dice: [4]}}
"""


# Ben's ship loads two goods, 2 points from either depot, and his other die is 1 point: 23. He is
# far behind Anna whatever Clara does, so both depots are equal to him and he takes the first.
# Clara's ship loads what is left. Two pinks she sells with her 3 for 6 points and 1 silver
# (2019 p. 8): 67. Two browns stay 2 points, and the 3 takes workers for 1: 63.
# Anna sells 1 good for 3 points and 1 silver: 104; or keeps it and takes workers: 102.
LOADS = [
    Case(
        "of equal actions the first: it leaves the browns",
        equal_loads("pink", "brown"),
        {"4 sell red": (104 - 63, 1, 104), "4 workers": (102 - 63, 1, 102)},
    ),
    Case(
        "of equal actions the first: it leaves the pinks",
        equal_loads("brown", "pink"),
        {"4 sell red": (104 - 67, 1, 104), "4 workers": (102 - 67, 1, 102)},
    ),
]

CASES = [*SALES, REGION, *TIES, DENIAL, *LOADS]
cases = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


@cases
def test_brute_force_counts_as_a_person_does(case: Case) -> None:
    game = Game.from_dict(canonical(position_of(case.position)))
    seat = lastround.mover(game)
    found = {
        text: (outcome.margin(seat), outcome.win(seat), outcome.scores[seat])
        for text, outcome in Solver().actions(game).items()
    }
    assert found == case.values


def test_a_seat_that_plays_for_its_own_score_does_not_deny() -> None:
    game = Game.from_dict(canonical(position_of(DENIAL.position)))
    assert Solver(objective="margin").outcome(game).scores == (50, 44)
    assert Solver(objective="score").outcome(game).scores == (51, 56)


def test_brute_force_gives_up_at_its_limit() -> None:
    game = Game.from_dict(canonical(position_of(DENIAL.position)))
    solver = Solver()
    solver.actions(game)
    Solver(limit=solver.applied).actions(game)
    with pytest.raises(lastround.TooLargeError):
        Solver(limit=solver.applied - 1).actions(game)


def test_the_order_of_the_actions_is_read_off_their_texts() -> None:
    for entry in solved():
        texts = [str(action) for action in entry.position.actions()]
        assert sorted(sorted(texts), key=lastround.order) == texts, entry.position.dump()
        for outcomes in entry.outcomes.values():
            assert list(outcomes) == texts


def test_the_file_holds_last_rounds_of_every_kind() -> None:
    positions = [entry.position for entry in solved()]
    assert len(positions) == len(set(positions)) == lastround.COUNT
    assert all((position.phase, position.round) == (4, 4) for position in positions)
    for players in (2, 3, 4):
        assert sum(len(position.players) == players for position in positions) >= 60
    for edition in (2011, 2019):
        assert sum(position.edition == edition for position in positions) >= 100
    boards = {player.board for position in positions for player in position.players}
    assert boards == set(components.boards())
    pending = {components.tile_name(p.pending[-1]) for p in positions if p.pending}
    assert {"castle", "ship", "market"} < pending
    texts = [{str(action) for action in position.actions()} for position in positions]
    for word in ("buy ", "take ", "place ", "sell ", "load ", "discard ", ">"):
        assert sum(any(word in text for text in some) for some in texts) >= 10, word
    for dice in (0, 1, 2):
        assert sum(len(position.dice) == dice for position in positions) >= 30
    several = [entry for entry in solved() if entry.choosing > 1]
    assert len(several) >= 60
    for players in (2, 3, 4):
        assert sum(len(entry.position.players) == players for entry in several) >= 20
    # What others do matters: playing for one's own score alone would lead elsewhere.
    assert sum(e.outcomes["margin"] != e.outcomes["score"] for e in several) >= 30
    for win in (0, 1):
        tied = (0, win)
        assert sum(tied == best(entry) for entry in solved()) >= 20, tied


def best(entry: Solved) -> tuple[int, int]:
    """Return margin and win of the best action."""
    outcomes = entry.outcomes["margin"].values()
    return max(seat_values(outcome, entry.position.mover)[:2] for outcome in outcomes)


# --- The file solved anew


@functools.cache
def anew(index: int) -> tuple[Solved, dict[Objective, Solver]]:
    """Solve a position of the file; the solvers then know every state below it."""
    return lastround.solve(solved()[index].position)


@pytest.mark.parametrize("number", range(PARTS))
def test_brute_force_repeats_the_values_of_the_file(number: int) -> None:
    for index in sample()[number::PARTS]:
        assert anew(index)[0] == solved()[index]


# --- The search against brute force


def seat_values(outcome: Outcome, seat: int) -> tuple[int, int, int]:
    return outcome.margin(seat), outcome.win(seat), outcome.scores[seat]


def values(ranked: Ranked) -> tuple[float, float, float]:
    return ranked.margin.value, ranked.win.value, ranked.score.value


def check(position: Position, advice: Advice, outcomes: dict[str, Outcome]) -> None:
    """Compare an answer with the outcomes of brute force, number by number."""
    seat = position.mover
    assert advice.player == position.to_move
    assert sorted(ranked.action for ranked in advice.actions) == sorted(outcomes)
    found, expected = [], []
    for ranked in advice.actions:
        margin, win, score = seat_values(outcomes[ranked.action], seat)
        # Two players who play for the margin: of best lines with different scores any will do.
        if len(position.players) == 2 and advice.objective != "score":
            score = int(ranked.score.value)
        expected.append((ranked.action, (margin, win, score)))
        found.append((ranked.action, values(ranked)))
    assert found == expected, position.dump()
    first = advice.actions[0]
    for ranked in advice.actions:
        assert [ranked.margin.se, ranked.win.se, ranked.score.se] == [0, 0, 0]
        assert {name: (d.value, d.se) for name, d in ranked.difference.items()} == {
            "margin": (ranked.margin.value - first.margin.value, 0),
            "win": (ranked.win.value - first.win.value, 0),
            "score": (ranked.score.value - first.score.value, 0),
        }
    objective: Objective = "score" if advice.objective == "score" else "margin"
    preferences = [outcomes[r.action].preference(seat, objective) for r in advice.actions]
    assert preferences == sorted(preferences, reverse=True), position.dump()


def attained(position: Position, ranked: Ranked, solver: Solver) -> bool:
    """Tell whether best play after a whole turn leads to the value it is given."""
    rest = Game.from_dict(canonical(after_turn(position, ranked)))
    return seat_values(solver.outcome(rest), position.mover)[:2] == values(ranked)[:2]


def after_turn(position: Position, ranked: Ranked) -> Position:
    """Play a whole turn; every action must be legal for the one who decided, up to `end`."""
    assert ranked.turn[0] == ranked.action
    assert "end" not in ranked.turn[:-1]
    assert ranked.turn[-1] == "end"
    mover = position.to_move
    for text in ranked.turn:
        assert position.to_move == mover
        position = position.apply(text)  # refuses what is not legal
    return position


@cases
def test_the_search_counts_as_a_person_does(case: Case) -> None:
    position = position_of(case.position)
    advice = exact(position)
    assert {ranked.action: values(ranked) for ranked in advice.actions} == case.values
    best = max(case.values.values(), key=lambda value: value[:2])
    assert values(advice.actions[0])[:2] == best[:2]


@pytest.mark.parametrize("objective", ["win", "margin", "score"])
@pytest.mark.parametrize("number", range(PARTS))
def test_the_search_agrees_with_brute_force_on_every_action(number: int, objective: str) -> None:
    for entry in part(number):
        advice = exact(entry.position, objective=objective)
        check(entry.position, advice, entry.outcomes["score" if objective == "score" else "margin"])


@pytest.mark.parametrize("number", range(PARTS))
def test_each_whole_turn_is_legal_and_the_last_players_ends_the_game_with_its_value(
    number: int,
) -> None:
    for entry in part(number):
        seat = entry.position.mover
        for ranked in exact(entry.position).actions:
            position = after_turn(entry.position, ranked)
            if position.to_move is None:
                names = position.names
                winner = position.winner()
                assert winner is not None
                outcome = Outcome(tuple(position.scores().values()), names.index(winner))
                assert seat_values(outcome, seat) == values(ranked), entry.position.dump()


@pytest.mark.parametrize("objective", ["win", "score"])
@pytest.mark.parametrize("number", range(PARTS))
def test_after_each_whole_turn_brute_force_still_attains_its_value(
    number: int, objective: str
) -> None:
    for index in sample()[number::PARTS]:
        position = solved()[index].position
        solver = anew(index)[1]["score" if objective == "score" else "margin"]
        for ranked in exact(position, objective=objective).actions:
            assert attained(position, ranked, solver), f"{ranked.turn}\n{position.dump()}"


@pytest.mark.parametrize("number", range(PARTS))
def test_the_score_of_two_players_is_that_of_some_best_line(number: int) -> None:
    for index in sample()[number::PARTS]:
        position = solved()[index].position
        if len(position.players) > 2:
            continue
        solver = anew(index)[1]["margin"]
        for ranked in exact(position).actions:
            game = Game.from_dict(canonical(position))
            game.apply(ranked.action)
            ends = {end.scores[position.mover] for end in solver.best_ends(game)}
            assert ranked.score.value in ends, f"{ranked.action}\n{position.dump()}"


def test_one_thread_and_two_find_the_same() -> None:
    for index in sample():
        entry = solved()[index]
        one, two = (exact(entry.position, threads=threads) for threads in (1, 2))
        check(entry.position, two, entry.outcomes["margin"])
        # Of two players' lines with equal margin and win any will do, and so will its score.
        if len(entry.position.players) > 2:
            assert one.to_dict()["actions"] == two.to_dict()["actions"], entry.position.dump()
        else:
            assert {r.action: values(r)[:2] for r in one.actions} == {
                r.action: values(r)[:2] for r in two.actions
            }, entry.position.dump()


def test_a_small_table_of_positions_finds_the_same() -> None:
    for entry in solved():
        if entry.work > SAMPLE_WORK or ALL:
            advice = exact(entry.position, memory="1M")
            check(entry.position, advice, entry.outcomes["margin"])


def test_the_best_whole_turn_is_worth_as_much_as_the_best_action() -> None:
    for index in sample():
        position = solved()[index].position
        advice = exact(position, turns=True)
        single = exact(position)
        assert advice.turns
        for first in (advice.best, advice.turns[0], advice.actions[0]):
            assert values(first)[:2] == values(single.actions[0])[:2], position.dump()
        ranks = [values(ranked)[:2] for ranked in advice.turns]
        assert ranks == sorted(ranks, reverse=True), position.dump()
        solver = anew(index)[1]["margin"]
        for ranked in advice.turns:
            assert attained(position, ranked, solver), f"{ranked.turn}\n{position.dump()}"


def test_asking_for_whole_turns_leaves_the_ranking_of_actions_as_it_is() -> None:
    for index in sample():
        entry = solved()[index]
        check(entry.position, exact(entry.position, turns=True), entry.outcomes["margin"])
