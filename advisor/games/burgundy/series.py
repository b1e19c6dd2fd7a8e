"""Many games of The Castles of Burgundy: what varies from deal to deal, and what is noted of each.

Owns the settings of a series (boards, castles, edition), how boards and castles are dealt out
evenly, quick start states, the result columns of the game, and what the studies ask for.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.core.series import Deal
from advisor.errors import SettingError
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import actions, components
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.setup import castle_cells, draw_goods, new_game

ALL = "all"
DEFAULT = "default"
RANDOM = "random"


def check_settings(
    *,
    players: int,
    edition: int = 2019,
    boards: Sequence[int] | int | str = (1,),
    castles: str = DEFAULT,
    same_board: bool = False,
) -> dict[str, Any]:
    """Return the settings of a series, complete and in one spelling.

    Args:
        players: at the table.
        edition: 2011 or 2019.
        boards: the boards to deal out to the seats, or "all".
        castles: "default" starts everybody from the centre where there is a castle cell, "random"
            deals the board's castle cells out evenly, a cell such as "d4" is everybody's.
        same_board: everybody at a table has the same board.

    Raises:
        SettingError: a setting the game does not have.

    """
    known = components.editions()
    if edition not in known:
        raise SettingError(f"no edition {edition}; the editions are {', '.join(map(str, known))}")
    printed = components.boards_of(edition)
    given: Any = printed if boards == ALL else [boards] if isinstance(boards, int) else boards
    pool = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
    if not pool:
        raise SettingError(f"boards: {boards!r} is not possible; give numbers such as 1,3,8 or all")
    for number in pool:
        if not isinstance(number, int):
            raise SettingError(f"boards: {number!r} is no number; give such as 1,3,8 or all")
        if number not in printed:
            listed = ", ".join(map(str, printed))
            raise SettingError(f"no board {number} in the {edition} box; its boards are {listed}")
    if not isinstance(castles, str):
        raise SettingError(
            f"castles: {castles!r} is not possible; give default, random or one cell such as d4"
        )
    cell = castles.strip().lower()
    if cell not in (DEFAULT, RANDOM):
        for number in pool:
            if cell not in castle_cells(printed[number]):
                raise SettingError(
                    f"castles: '{castles}' is no castle cell of board {number}; give default, "
                    f"random or one of {', '.join(castle_cells(printed[number]))}"
                )
    _template(players, edition, (pool[0],) * players, None)
    return {
        "edition": edition,
        "boards": [int(number) for number in pool],
        "castles": cell,
        "same_board": bool(same_board),
    }


@functools.lru_cache(maxsize=4096)
def _template(
    players: int, edition: int, boards: tuple[int, ...], castles: tuple[str, ...] | None
) -> Position:
    """Return a table before the first deal; its goods are those of seed 0."""
    return new_game(
        players=players, edition=edition, boards=boards, castles=castles, seed=0, dealt=False
    )


def deal(*, players: int, number: int, luck: int, seed: int, settings: dict[str, Any]) -> Deal:
    """Return deal `number` of a series.

    Args:
        players: at the table.
        number: counts the deals from 0.
        luck: the seed of the series; boards and castles are dealt out by it.
        seed: the luck of this deal: first goods here, dice and tiles later.
        settings: from `check_settings`.

    """
    pool = settings["boards"]
    seats = [0] * players if settings["same_board"] else range(players)
    boards = tuple(_dealt(pool, number, luck, f"board {seat}") for seat in seats)
    castles: tuple[str, ...] | None = None
    if settings["castles"] != DEFAULT:
        castles = tuple(
            _castle(settings, board, number, luck, seat) for seat, board in enumerate(boards)
        )
    position = _template(players, settings["edition"], boards, castles)
    return Deal(
        position=position,
        start=_with_goods(position, seed),
        seats=tuple(
            {
                "edition": settings["edition"],
                "board": board,
                "castle": components.CELLS[player.estate.index(k.CASTLE)],
            }
            for board, player in zip(boards, position.players, strict=True)
        ),
    )


def _castle(settings: dict[str, Any], board: int, number: int, luck: int, seat: int) -> str:
    if settings["castles"] != RANDOM:
        return str(settings["castles"])
    cells = castle_cells(components.boards_of(settings["edition"])[board])
    return str(_dealt(cells, number, luck, f"castle {seat}"))


def _dealt(pool: Sequence[Any], number: int, luck: int, what: str) -> Any:
    """Return what deal `number` gets of a pool: in every run of its length each member once."""
    if len(pool) == 1:
        return pool[0]
    block, place = divmod(number, len(pool))
    return _shuffled(tuple(pool), f"{luck} {what} {block}")[place]


@functools.lru_cache(maxsize=256)
def _shuffled(pool: tuple[Any, ...], luck: str) -> list[Any]:
    return random.Random(luck).sample(pool, len(pool))


def _writable(state: bytes) -> NDArray[np.void]:
    """Return a copy of a state with its fields to write to.

    The bytes are copied, not the array: numpy would leave whatever lies in memory between the
    fields, and the search tells positions apart by all bytes.
    """
    return np.frombuffer(bytearray(state), dtype=k.STATE_DTYPE)


def _with_goods(position: Position, seed: int) -> bytes:
    """Return the packed start with the first goods of a seed, as `new_game` would draw them."""
    state = _writable(position.packed)
    left = [components.scoring()["goods"]["copies"]] * 6
    for seat, goods in enumerate(draw_goods(random.Random(seed), len(position.players))):
        state["goods"][0, seat] = sum(count << (4 * colour) for colour, count in enumerate(goods))
        left = [have - count for have, count in zip(left, goods, strict=True)]
    hidden = [colour + 1 for colour, count in enumerate(left) for _ in range(count)]
    state["hidden_goods"][0, : len(hidden)] = hidden
    return state.tobytes()


def start(*, players: int, seed: int, settings: dict[str, Any], seats: Sequence[Any]) -> Position:
    """Return the position a recorded game began with.

    Args:
        players: at the table.
        seed: of the deal.
        settings: from `check_settings`.
        seats: the columns `board` and `castle` of each seat.

    """
    return new_game(
        players=players,
        edition=settings["edition"],
        boards=[seat["board"] for seat in seats],
        castles=[seat["castle"] for seat in seats],
        seed=seed,
        dealt=False,
    )


def outcomes(states: NDArray[np.uint8], players: int) -> dict[str, NDArray[np.int16]]:
    """Return what else is noted of finished games, by game and seat."""
    s = states.view(k.STATE_DTYPE)[:, 0]
    seats = slice(0, players)
    filled = s["filled"][:, seats]
    goods = s["goods"][:, seats]
    return {
        "empty_cells": (len(components.CELLS) - np.bitwise_count(filled)).astype(np.int16),
        "workers": s["workers"][:, seats].astype(np.int16),
        "silver": s["silver"][:, seats].astype(np.int16),
        "unsold_goods": np.sum([(goods >> (4 * c)) & 15 for c in range(6)], axis=0).astype(
            np.int16
        ),
        "ships": s["track"][:, seats].astype(np.int16),
        "monasteries": np.bitwise_count(s["monasteries"][:, seats]).astype(np.int16),
    }


# --- What the studies ask


def turn_kind(codes: Sequence[int]) -> str:
    """Return in a few words what a turn did, places and dice left out."""
    words = []
    for code in codes:
        a = actions.fields(code)
        if a.kind in (k.END_TURN, k.SKIP):
            continue
        words.append(_VERBS[a.kind] + (f" {_sort(a.tile)}" if a.kind in _OF_TILES else ""))
    return ", ".join(words) or "nothing"


_VERBS = {
    **dict.fromkeys((k.TAKE, k.FREE_TAKE, k.EFFECT_TAKE), "take"),
    **dict.fromkeys((k.PLACE, k.FREE_PLACE, k.EFFECT_PLACE), "place"),
    **dict.fromkeys((k.SELL, k.FREE_SELL, k.EFFECT_SELL), "sell"),
    **dict.fromkeys((k.WORKERS, k.FREE_WORKERS), "workers"),
    **dict.fromkeys((k.BUY, k.BUY_WITH_WORKERS), "buy"),
    k.LOAD: "load",
}
_OF_TILES = {kind for kind, verb in _VERBS.items() if verb in ("take", "place", "buy")}


def _sort(tile: int) -> str:
    """Return the sort of a tile: its colour, for ships, castles and mines the same as its name."""
    return components.COLOURS[components.tiles()[tile].colour]


def advantage(code: int) -> str | None:
    """Return what lasting ability an action gives its player, None for most actions."""
    a = actions.fields(code)
    if a.kind in (k.PLACE, k.FREE_PLACE, k.EFFECT_PLACE) and a.tile >= k.FIRST_MONASTERY:
        return components.tile_name(a.tile)
    return None


def without(state: bytes, seat: int, name: str) -> bytes:
    """Return a state in which a seat's tile stays where it is and has lost its ability."""
    changed = _writable(state)
    number = components.tile_numbers()[name] - k.FIRST_MONASTERY + 1
    changed["monasteries"][0, seat] &= ~np.uint32(1 << number)
    return changed.tobytes()


def stage_of(state: bytes) -> str:
    """Return the part of the game a state is in: the letter of its phase."""
    return str(components.phases()[int(np.frombuffer(state, dtype=k.STATE_DTYPE)["phase"][0])])
