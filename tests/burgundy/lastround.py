"""The last round of the game solved by brute force, and positions to try it on.

Owns a solver written on the reference engine alone (plain max^n over every line of play, each
state once), the generator of last-round positions, and the file `lastround.json` with both.
Nothing of the kernel and nothing of the search decides a value here.

    python -m tests.burgundy.lastround        # writes lastround.json anew; takes minutes
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from advisor.core.loading import loads
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.setup import new_game
from tests.burgundy.canonical import canonical
from tests.reference import box
from tests.reference import position as reference
from tests.reference.engine import Game

FILE = Path(__file__).with_name("lastround.json")

Objective = Literal["margin", "score"]


# --- The value of a finished game


class Outcome(NamedTuple):
    """How a game ended."""

    scores: tuple[int, ...]  # by seat
    winner: int  # seat

    def margin(self, seat: int) -> int:
        """Points ahead of the best other player."""
        return self.scores[seat] - max(s for other, s in enumerate(self.scores) if other != seat)

    def win(self, seat: int) -> int:
        """1 for the winner, tie-breaks included, 0 for the others."""
        return int(seat == self.winner)

    def preference(self, seat: int, objective: Objective) -> tuple[int, ...]:
        """What a seat compares outcomes by: the greater, the better."""
        value = (self.margin(seat), self.win(seat))
        return (self.scores[seat], *value) if objective == "score" else value


# --- The order of actions, which decides between outcomes equal to the mover

TILES = [
    *("ship", "castle", "mine", *box.BUILDINGS),
    *(f"{species} {animals}" for species in box.SPECIES for animals in (2, 3, 4)),
    *(f"monastery {number}" for number in range(1, 27)),
]
KINDS = ("take", "place", "sell", "workers", "buy")
_ACTION = re.compile(
    r"(?:(?P<die>\d)(?:>(?P<value>\d))? |(?P<free>\* ))?"
    r"(?P<kind>take|place|sell|workers|buy)(?: (?P<what>.+?))??"
    r"(?: from (?P<depot>\d)| (?P<cell>[a-g]\d))?(?P<paid> with workers)?(?: discard (?P<out>.+))?"
)
_LOAD = re.compile(
    r"load (?P<first>\d)(?: keep (?P<keep>.+?))?(?: then (?P<second>\d)(?: keep (?P<more>.+))?)?"
)


def order(text: str) -> tuple[int, ...]:
    """Return the place of an action among the legal ones, read off its text.

    Kinds in the order of the rules (with a die, purchases, with a castle's free die, by a
    building, loads, leaving), then die, value, place, tile and discarded tile.
    """
    if text in ("skip", "end"):
        return (15 if text == "skip" else 16,)
    if match := _LOAD.fullmatch(text):
        return (
            14,
            *(0, int(match["second"] or 0), int(match["first"])),
            *(_colours(match["keep"]), _colours(match["more"])),
        )
    match = _ACTION.fullmatch(text)
    assert match is not None, text
    kind = KINDS.index(match["kind"]) + 1
    if kind == 5:
        kind = 6 if match["paid"] else 5
    elif not match["die"]:
        kind += 6 if match["free"] else 10
    value = int(match["value"] or match["die"] or 0)
    if match["kind"] == "sell":
        return kind, int(match["die"] or 0), box.GOODS.index(match["what"]) + 1
    tile = TILES.index(match["what"]) if match["what"] else 0
    place = int(match["depot"] or 0)
    if match["cell"]:
        place = components.CELL_INDEX[match["cell"]]
    out = TILES.index(match["out"]) + 1 if match["out"] else 0
    return kind, int(match["die"] or 0), value, place, tile, out


def _colours(kept: str | None) -> int:
    return sum(1 << box.GOODS.index(colour) for colour in kept.split(", ")) if kept else 0


# --- Brute force


class TooLargeError(Exception):
    """The limit of work was reached."""


class Solver:
    """Max^n over every line of play to the end of the game; each state is solved once.

    Every seat takes the action whose outcome it prefers, and the first of equals in the order of
    the actions.
    """

    def __init__(self, *, objective: Objective = "margin", limit: int = 1_000_000) -> None:
        self.objective = objective
        self.limit = limit
        self.applied = 0  # actions carried out so far
        self.choosing: set[int] = set()  # seats that had more than one action somewhere
        self._known: dict[Any, Outcome] = {}
        self._ends: dict[Any, frozenset[Outcome]] = {}

    def outcome(self, game: Game) -> Outcome:
        """Return how a game ends from here.

        Raises:
            TooLargeError: more than `limit` actions had to be carried out.

        """
        if game.to_move is None:
            names = list(game.position.players)
            return Outcome(tuple(game.scores().values()), names.index(game.winner()))
        key = _key(game.position)
        if key not in self._known:
            self._known[key] = self._best(game, self.actions(game))
        return self._known[key]

    def actions(self, game: Game) -> dict[str, Outcome]:
        """Return how the game ends after each legal action, in the order of the actions."""
        found = {}
        legal = sorted(game.legal(), key=order)
        if len(legal) > 1:
            self.choosing.add(mover(game))
        for text in legal:
            self.applied += 1
            if self.applied > self.limit:
                raise TooLargeError
            after = Game(_copy(game.position))
            after.apply(text)
            found[text] = self.outcome(after)
        return found

    def best_ends(self, game: Game) -> frozenset[Outcome]:
        """Return how the game can end if nobody ever takes an action worse for him."""
        if game.to_move is None:
            return frozenset([self.outcome(game)])
        key = _key(game.position)
        if key not in self._ends:
            seat, outcomes = mover(game), self.actions(game)
            best = max(o.preference(seat, self.objective) for o in outcomes.values())
            ends: set[Outcome] = set()
            for text, outcome in outcomes.items():
                if outcome.preference(seat, self.objective) == best:
                    after = Game(_copy(game.position))
                    after.apply(text)
                    ends |= self.best_ends(after)
            self._ends[key] = frozenset(ends)
        return self._ends[key]

    def _best(self, game: Game, outcomes: dict[str, Outcome]) -> Outcome:
        seat = mover(game)
        # `max` keeps the first of equals.
        return max(outcomes.values(), key=lambda o: o.preference(seat, self.objective))


def mover(game: Game) -> int:
    """Return the seat that decides."""
    assert game.to_move is not None
    return list(game.position.players).index(game.to_move)


def _copy(position: reference.Position) -> reference.Position:
    """Return a position that shares nothing that an action changes."""
    turn = position.turn
    assert isinstance(turn, reference.Turn)
    return replace(
        position,
        depot_tiles={n: list(tiles) for n, tiles in position.depot_tiles.items()},
        depot_goods={n: list(goods) for n, goods in position.depot_goods.items()},
        black=list(position.black),
        players={
            name: replace(
                player,
                goods=dict(player.goods),
                sold=dict(player.sold),
                storage=list(player.storage),
                estate=dict(player.estate),
                bonuses=dict(player.bonuses),
                dice=list(player.dice),
            )
            for name, player in position.players.items()
        },
        next_order=list(position.next_order),
        turn=replace(turn, dice=list(turn.dice), pending=list(turn.pending)),
        removed=list(position.removed),
    )


def _key(position: reference.Position) -> tuple[Any, ...]:
    """Return all that can still matter: no deal and no roll follows, so removed tiles do not."""
    turn = position.turn
    assert isinstance(turn, reference.Turn)
    return (
        (turn.player, *sorted(turn.dice), turn.bought, *turn.pending),
        tuple(tuple(sorted(tiles)) for tiles in position.depot_tiles.values()),
        tuple(tuple(sorted(goods)) for goods in position.depot_goods.values()),
        tuple(sorted(position.black)),
        tuple(position.next_order),
        tuple(
            (
                player.score,
                player.workers,
                player.silver,
                frozenset(player.goods.items()),
                frozenset(player.sold.items()),
                tuple(sorted(player.storage)),
                frozenset(player.estate.items()),
                frozenset(player.bonuses.items()),
                tuple(player.dice),
            )
            for player in position.players.values()
        ),
    )


# --- Positions

COUNT = 300
SEATS = (2, 3, 2, 4)  # in turn
LIMITS = (400, 1_500, 5_000)  # actions to carry out in the whole tree, in turn
LARGE = 30_000  # for every 25th position
SMALL = 12  # fewer are no test
FIRST_SEED = 20_260_500


def plays(position: Position, rng: random.Random, *, eager: float) -> str:
    """Choose an action at random, with a leaning of 0..1 to placing and then to gaining tiles."""
    texts = [str(action) for action in position.actions()]
    for wanted in (("place ",), ("take ", "buy ", "load ")):
        some = [text for text in texts if any(word in text for word in wanted)]
        if some and rng.random() < eager:
            return rng.choice(some)
    return rng.choice(texts)


def to_last_round(rng: random.Random, *, players: int) -> Position:
    """Play a random game up to the first decision of round E5."""
    edition = rng.choice([2011, 2019])
    printed = components.boards_of(edition)
    numbers = [rng.choice(list(printed)) for _ in range(players)]
    castles = [
        components.CELLS[rng.choice(components.boards()[printed[number]].cells_of(4))]
        for number in numbers
    ]
    position = new_game(
        players=players,
        boards=numbers,
        edition=edition,
        castles=castles,
        seed=rng.getrandbits(32),
        dealt=False,
    )
    eager = rng.choice([0.0, 0.5, 0.9])
    while (position.phase, position.round, position.stage) != (4, 4, "play"):
        if position.to_move == "chance":
            position = position.apply(position.sample_chance(rng.getrandbits(64)))
        else:
            position = position.apply(plays(position, rng, eager=eager))
    # What is out of the game no longer matters.
    return replace(position, removed=())


def furnish(position: Position, rng: random.Random) -> Position:
    """Vary what random games leave behind: tiles in depots and storage, money, narrow scores."""
    keep = rng.choice([1.0, 0.6, 0.35])
    depots = [[tile for tile in depot if rng.random() < keep] for depot in position.depots]
    black = tuple(tile for tile in position.black if rng.random() < keep)
    stocked, rich, narrow = (rng.random() < share for share in (0.4, 0.5, 0.6))
    players = []
    for player in position.players:
        storage = list(player.storage)
        if stocked:
            for depot in rng.sample(depots, 3):
                if depot and len(storage) < 3 and rng.random() < 0.6:
                    storage.append(depot.pop(rng.randrange(len(depot))))
        if rich:
            player = replace(player, workers=rng.randrange(5), silver=rng.randrange(5))
        if narrow:
            player = replace(player, score=100 + rng.randrange(12))
        players.append(replace(player, storage=tuple(sorted(storage))))
    return replace(
        position,
        depots=tuple(tuple(depot) for depot in depots),
        black=black,
        players=tuple(players),
    )


def crowd(position: Position, rng: random.Random) -> Position:
    """Leave few tiles, within everybody's reach: what one takes, another may have wanted."""
    keep = rng.choice([0.5, 0.3, 0.2])
    return replace(
        position,
        depots=tuple(tuple(t for t in depot if rng.random() < keep) for depot in position.depots),
        black=tuple(tile for tile in position.black if rng.random() < 0.6),
        players=tuple(
            replace(
                player,
                workers=rng.randrange(2, 6),
                silver=rng.randrange(1, 5),
                score=100 + rng.randrange(12),
                goods=tuple(min(number, 1) for number in player.goods),
            )
            for player in position.players
        ),
    )


def lines(position: Position, *, limit: int) -> int:
    """Count the actions of all states that can follow, each state once; stop above the limit."""
    rules, seen, todo, count = position.rules, {position.packed}, [position.packed], 0
    while todo and count <= limit:
        state = todo.pop()
        for code in rules.legal(state):
            count += 1
            after = rules.apply(state, code)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return count


WISHES: dict[str, Callable[[Position], bool]] = {
    "any decision": lambda position: True,
    "a pending effect": lambda position: bool(position.pending),
    "a purchase": lambda position: any(str(a).startswith("buy") for a in position.actions()),
    "a ship": lambda position: any("ship" in str(a) for a in position.actions()),
    "others to come": lambda position: position.mover != position.turn_order[-1],
}


def earliest(position: Position, rng: random.Random, *, limit: int, wish: str) -> Position | None:
    """Play on at random to the first decision that fits the wish and the limit."""
    while position.to_move is not None:
        if (
            len(position.actions()) > 1
            and WISHES[wish](position)
            and SMALL <= lines(position, limit=limit) <= limit
        ):
            return position
        position = position.apply(plays(position, rng, eager=0.6))
    return None


def levelled(position: Position, best: Outcome) -> Position:
    """Return the position with points added so that the best line of two players ends in a tie."""
    margin = best.margin(position.mover)
    return replace(
        position,
        players=tuple(
            replace(player, score=player.score + max(0, -margin if own else margin))
            for seat, player in enumerate(position.players)
            for own in (seat == position.mover,)
        ),
    )


def candidate(index: int, rng: random.Random) -> Position | None:
    """Return a position of the kind that place `index` of the file asks for, if chance will."""
    wish = list(WISHES)[index % len(WISHES)]
    others = wish == "others to come"
    start = to_last_round(rng, players=SEATS[index % len(SEATS)])
    start = crowd(start, rng) if others else furnish(start, rng)
    large = index % 25 == 24
    limit = LARGE if large else LIMITS[index % len(LIMITS)]
    position = earliest(start, rng, limit=limit, wish=wish)
    if position is None:
        return None
    game = Game.from_dict(canonical(position))
    if others and index % 2 == 0 and not large:
        # The others must matter: who plays for his own score alone would play otherwise.
        margin, score = (Solver(objective=o).actions(game) for o in ("margin", "score"))
        if margin == score:
            return None
    if index % 7 in (0, 3):
        position = levelled(position, Solver().outcome(game))
    assert loads(position.dump()) == position
    return position


def positions() -> Iterator[Position]:
    """Yield last-round positions, the same ones every time."""
    seed = FIRST_SEED
    for index in range(COUNT):
        position = None
        while position is None:
            position = candidate(index, random.Random(seed))
            seed += 1
        yield position


# --- The file


@dataclass(frozen=True, slots=True)
class Solved:
    """A position and how it ends after each action."""

    position: Position
    work: int  # actions carried out to solve it
    choosing: int  # seats that have a choice somewhere in the tree
    outcomes: dict[Objective, dict[str, Outcome]]


def solve(position: Position) -> tuple[Solved, dict[Objective, Solver]]:
    """Solve a position for both objectives; the solvers still know every state below it."""
    game = Game.from_dict(canonical(position))
    solvers: dict[Objective, Solver] = {
        "margin": Solver(objective="margin"),
        "score": Solver(objective="score"),
    }
    outcomes = {objective: solver.actions(game) for objective, solver in solvers.items()}
    solver = solvers["margin"]
    return Solved(position, solver.applied, len(solver.choosing), outcomes), solvers


def position_of(text: str) -> Position:
    """Return the position that a YAML text describes."""
    position = loads(text)
    assert isinstance(position, Position)
    return position


def read() -> list[Solved]:
    """Return the positions of the file."""
    return [
        Solved(
            position=position_of(entry["position"]),
            work=entry["work"],
            choosing=entry["choosing"],
            outcomes={
                objective: {
                    text: Outcome(tuple(scores), winner)
                    for text, (*scores, winner) in entry[objective].items()
                }
                for objective in ("margin", "score")
            },
        )
        for entry in json.loads(FILE.read_text("utf-8"))
    ]


def write() -> None:
    """Write the file anew."""
    entries = []
    total: Counter[str] = Counter()
    for position in positions():
        solved, _ = solve(position)
        entry: dict[str, Any] = {"work": solved.work, "choosing": solved.choosing}
        for objective, outcomes in solved.outcomes.items():
            entry[objective] = {text: [*o.scores, o.winner] for text, o in outcomes.items()}
        entries.append(json.dumps({"position": position.dump(), **entry}))
        total.update(work=solved.work, several=solved.choosing > 1)
        if len(entries) % 25 == 0:
            sys.stderr.write(f"{len(entries)} of {COUNT}, {dict(total)}\n")
    FILE.write_text("[\n" + ",\n".join(entries) + "\n]\n", "utf-8")


if __name__ == "__main__":
    write()
