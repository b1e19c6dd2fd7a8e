"""Positions one roll before the last round, with their exact expected values.

Owns an expectimax on the reference engine: the decisions left in round E4, then every roll with
its weight, then the last round by brute force (`lastround.Solver`). The positions are made by
hand and kept tiny; their values lie in `expectimax.json`.

    python -m tests.burgundy.expectimax        # writes expectimax.json anew; takes minutes
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import NamedTuple

from tests.burgundy.canonical import canonical
from tests.burgundy.lastround import Solver, mover, order, position_of
from tests.reference.engine import Game

FILE = Path(__file__).with_name("expectimax.json")

# --- Positions: the last player of round E4 has one die left; then both roll for the last time.

# Nothing lies on the table, nobody can take anything from anybody: only Anna's own dice matter.
# The mine on g1 fills a region of 3 (6 + 2 points), takes the bonus for all mines (5) and brings 1
# more silver at the end. A later 3 could place it too, but there are no workers to help it.
NOW_OR_LATER = """
game: burgundy
phase: E
round: 4
depots: {}
goods_to_come: [red]
players:
  Anna:
    board: 1
    score: 60
    goods: {pink: 2}
    storage: [mine, watchtower]
    estate: {d4: castle, c3: church, e3: mine, f2: mine}
  Ben:
    board: 1
    score: 75
    goods: {violet: 1}
    storage: [watchtower]
    estate: {d4: castle}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [3]}
"""

# Both lack one mine and there is one, in depot 5. Ben begins the last round. Anna's die is a 5: she
# can take the mine and hope for a 3, or leave it to whoever rolls better.
ONE_MINE_FOR_TWO = """
game: burgundy
phase: E
round: 4
depots:
  5: {tiles: [mine]}
goods_to_come: [red]
players:
  Anna:
    board: 1
    score: 70
    workers: 1
    goods: {brown: 2}
    estate: {d4: castle, e3: mine, f2: mine}
  Ben:
    board: 1
    score: 76
    workers: 1
    estate: {d4: castle, e3: mine, f2: mine}
    track: 1
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [5]}
"""

# A ship loads the goods of one depot, and the white die brings one more orange somewhere. Ben
# has a ship as well and moves first: what Anna loads now he cannot load then.
SHIPS_AND_GOODS = """
game: burgundy
edition: 2011
phase: E
round: 4
depots:
  1: {goods: [red, red, pink]}
  2: {goods: [brown, orange, orange]}
goods_to_come: [orange]
players:
  Anna:
    board: 1
    score: 37
    goods: {violet: 2}
    storage: [ship]
    estate: {d4: castle}
  Ben:
    board: 1
    score: 41
    storage: [ship]
    estate: {d4: castle}
    track: 2
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [2]}
"""

POSITIONS = {
    "the mine now or later": NOW_OR_LATER,
    "one mine for two": ONE_MINE_FOR_TWO,
    "ships and goods": SHIPS_AND_GOODS,
}
QUICK = "one mine for two"
"""The position that is recomputed by the tests themselves."""


# --- Expectimax


class Value(NamedTuple):
    """What an action is worth to the one who decides, on average over the rolls."""

    margin: float
    win: float
    score: float


@dataclass(frozen=True, slots=True)
class _Expected:
    """Averages by seat."""

    margins: tuple[float, ...]
    wins: tuple[float, ...]
    scores: tuple[float, ...]

    def of(self, seat: int) -> Value:
        return Value(self.margins[seat], self.wins[seat], self.scores[seat])


PAIRS = [((a, b), 1 if a == b else 2) for a, b in combinations_with_replacement(range(1, 7), 2)]
"""What two dice can show, with the number of ways out of 36."""


def rolls(game: Game) -> Iterator[tuple[str, int]]:
    """Yield every roll with its weight; one white die for all where no good can be loaded."""
    position = game.position
    tiles = [*position.black, *(tile for depot in position.depot_tiles.values() for tile in depot)]
    for player in position.players.values():
        tiles += player.storage
    whites = range(1, 7) if "ship" in tiles else range(1, 2)
    for throw in product(PAIRS, repeat=len(position.players)):
        weight, words = 1, "roll"
        for name, ((first, second), ways) in zip(position.players, throw, strict=True):
            weight *= ways
            words += f" {name} {first} {second}"
        for white in whites:
            yield f"{words} white {white}", weight


class Expectimax:
    """The average outcome of best play: margins count, then wins."""

    def __init__(self) -> None:
        self.solver = Solver(limit=sys.maxsize)

    def actions(self, game: Game) -> dict[str, Value]:
        """Return what each action is worth to the one who decides."""
        return {text: e.of(mover(game)) for text, e in self._actions(game).items()}

    def _actions(self, game: Game) -> dict[str, _Expected]:
        found = {}
        for text in sorted(game.legal(), key=order):
            after = Game.from_dict(game.to_dict())
            after.apply(text)
            found[text] = self._expected(after)
        return found

    def _expected(self, game: Game) -> _Expected:
        if game.to_move != "chance":
            seat = mover(game)
            return max(self._actions(game).values(), key=lambda expected: expected.of(seat)[:2])
        seats = range(len(game.position.players))
        total = 0
        margins, wins, scores = ([0 for _ in seats] for _ in range(3))
        for text, weight in rolls(game):
            after = Game.from_dict(game.to_dict())
            after.apply(text)
            outcome = self.solver.outcome(after)
            total += weight
            for seat in seats:
                margins[seat] += weight * outcome.margin(seat)
                wins[seat] += weight * outcome.win(seat)
                scores[seat] += weight * outcome.scores[seat]
        return _Expected(
            tuple(sum_ / total for sum_ in margins),
            tuple(sum_ / total for sum_ in wins),
            tuple(sum_ / total for sum_ in scores),
        )


def truth(name: str) -> dict[str, Value]:
    """Compute what each action of a position is worth."""
    return Expectimax().actions(Game.from_dict(canonical(position_of(POSITIONS[name]))))


def read() -> dict[str, dict[str, Value]]:
    """Return the stored values of all positions."""
    return {
        name: {text: Value(*value) for text, value in values.items()}
        for name, values in json.loads(FILE.read_text("utf-8")).items()
    }


def write() -> None:
    """Write the stored values anew."""
    FILE.write_text(json.dumps({name: truth(name) for name in POSITIONS}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    write()
