"""Setting up a new game (2019 pp. 2-3 and, for experts, p. 16).

Owns the starting position: boards, starting castles, goods, silver and workers. The first seat is
the first player, as if it had won the roll for it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from advisor.errors import SettingError
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy import names as names_
from advisor.games.burgundy.model import Player, Position

NAMES = ("Anna", "Ben", "Clara", "Dario")


def new_game(
    *,
    players: int = 2,
    boards: Sequence[int] | None = None,
    edition: int = 2019,
    castles: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    seed: int = 0,
    dealt: bool = True,
) -> Position:
    """Return a starting position, dealt and rolled unless `dealt` is False.

    Args:
        players: 2 to 4.
        boards: the number printed on each seat's board; default board 1 for all.
        edition: 2011 or 2019.
        castles: each seat's starting castle cell; default d4 where the board has a castle there,
            otherwise its first castle cell.
        names: the players' names in seat order.
        seed: the luck of goods, tiles and dice.
        dealt: False leaves the first deal and roll to the caller.

    Raises:
        SettingError: a setting the game does not have.

    """
    _check(players in (2, 3, 4), f"{players} players; the game is for 2 to 4")
    known = components.editions()
    _check(edition in known, f"no edition {edition}; the editions are {', '.join(map(str, known))}")
    numbers = list(boards) if boards is not None else [1] * players
    if len(numbers) == 1:
        numbers *= players
    _check(
        len(numbers) == players, f"{len(numbers)} boards for {players} players; give one a player"
    )
    printed = components.boards_of(edition)
    for number in numbers:
        listed = ", ".join(map(str, printed))
        _check(
            number in printed, f"no board {number} in the {edition} box; its boards are {listed}"
        )
    keys = [printed[number] for number in numbers]
    cells = _castle_cells(keys, castles)
    called = list(names) if names is not None else list(NAMES[:players])
    _check_count(len(called), "names", players)
    for index, name in enumerate(called):
        wrong = names_.fault(name, called[:index])
        _check(wrong is None, wrong or "")
    scoring = components.scoring()
    rng = random.Random(seed)
    goods = draw_goods(rng, players)
    seats = []
    for seat in range(players):
        estate = [0] * len(components.CELLS)
        estate[cells[seat]] = k.CASTLE
        seats.append(
            Player(
                name=called[seat],
                board=keys[seat],
                estate=tuple(estate),
                workers=scoring["setup"]["workers"][seat],
                silver=scoring["setup"]["silver"],
                goods=goods[seat],
            )
        )
    order = tuple(range(players))
    position = Position(
        edition=edition,
        tie_break=known[edition]["tie_break"],
        phase=0,
        round=0,
        players=tuple(seats),
        turn_order=order,
        next_order=order,
        stage="deal",
    )
    if dealt:
        position = position.apply(position.sample_chance(rng.getrandbits(64)))
        position = position.apply(position.sample_chance(rng.getrandbits(64)))
    return position


def draw_goods(rng: random.Random, players: int) -> list[tuple[int, ...]]:
    """Draw everybody's first goods (2019 p. 3), counted by colour."""
    scoring = components.scoring()
    pile = [colour for colour in range(6) for _ in range(scoring["goods"]["copies"])]
    rng.shuffle(pile)
    each = scoring["setup"]["goods"]
    drawn = [
        pile[len(pile) - each * (seat + 1) : len(pile) - each * seat] for seat in range(players)
    ]
    return [tuple(hand.count(colour) for colour in range(6)) for hand in drawn]


def castle_cells(board: int) -> list[str]:
    """Return the cells a board may start from, by the board's key."""
    possible = components.boards()[board].cells_of(components.COLOURS.index("castle"))
    return [components.CELLS[cell] for cell in possible]


def _castle_cells(keys: Sequence[int], castles: Sequence[str] | None) -> list[int]:
    beginner = components.CELL_INDEX[components.scoring()["setup"]["beginner_castle"]]
    if castles is not None:
        if len(castles) == 1:
            castles = list(castles) * len(keys)
        _check(
            len(castles) == len(keys),
            f"{len(castles)} castles for {len(keys)} players; give one a player",
        )
    cells = []
    for seat, key in enumerate(keys):
        possible = components.boards()[key].cells_of(components.COLOURS.index("castle"))
        listed = ", ".join(components.CELLS[cell] for cell in possible)
        if castles is None:
            cells.append(beginner if beginner in possible else possible[0])
            continue
        cell = components.CELL_INDEX.get(castles[seat].strip().lower(), -1)
        _check(
            cell in possible,
            f"no castle cell {castles[seat]} on that board; its castle cells are {listed}",
        )
        cells.append(cell)
    return cells


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise SettingError(message)


def _check_count(given: int, what: str, players: int) -> None:
    _check(given == players, f"{players} players need {players} {what}, not {given}")
