"""What a seat sees and may do, as arrays for learning programs.

Owns the observation vector. It holds what is open on the table, and of the face-down tiles what a
player with a good memory knows: which are still to come, never in which order. Most entries are a
few bits of the packed state; each block of entries has its names and its bits side by side, and
both lists are made from the same blocks, so that names and numbers cannot drift apart. Knows no
rules.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Position

ACTION_FIELDS = ("kind", "die", "value", "place", "tile", "discard")
"""The parts of a packed action in the order of `action_fields`; `_state.pxd` explains them."""

_FIELD_SHIFTS = np.array(
    [k.KIND_SHIFT, k.DIE_SHIFT, k.VALUE_SHIFT, k.PLACE_SHIFT, k.TILE_SHIFT, k.DISCARD_SHIFT],
    dtype=np.uint32,
)
_FIELD_MASKS = np.array([31, 7, 7, 63, 63, 63], dtype=np.uint32)


def action_fields(codes: Sequence[int]) -> NDArray[np.int16]:
    """Return packed actions taken apart, a row each, a column for each of `ACTION_FIELDS`."""
    packed = np.array(codes, dtype=np.uint32).reshape(-1, 1)
    return ((packed >> _FIELD_SHIFTS) & _FIELD_MASKS).astype(np.int16)


# --- Where the entries stand in the packed state

_Bits = tuple[int, int, int]
"""Byte of the state, shift, mask."""

_DEPOTS = 6
_DEPOT_SLOTS = 4
_BLACK_SLOTS = 8
_PENDING = 4
_STACKS = ("buildings", "animals", "monastery_tiles", "black")
_STACK_BLACK = 3
_SHAPES = {name: k.STATE_DTYPE[name].shape for name in k.STATE_DTYPE.names or ()}
_OFFSETS = {name: int(field[1]) for name, field in (k.STATE_DTYPE.fields or {}).items()}


@dataclass(frozen=True, slots=True)
class _Block:
    """Consecutive entries: their names, and their bits in the state by seat.

    `bits` is None where the entries are more than bits: `observe` works them out.
    """

    label: str
    names: tuple[str, ...]
    bits: Callable[[int], list[_Bits]] | None = None


def _bytes(field: str, count: int) -> Callable[[int], list[_Bits]]:
    stride = _SHAPES[field][1] if len(_SHAPES[field]) > 1 else 1
    return lambda seat: [(_OFFSETS[field] + seat * stride + i, 0, 0xFF) for i in range(count)]


def _words(*fields: str) -> Callable[[int], list[_Bits]]:
    return lambda seat: [(_OFFSETS[field] + 2 * seat, 0, 0xFFFF) for field in fields]


def _goods(field: str) -> Callable[[int], list[_Bits]]:
    return lambda owner: [
        (_OFFSETS[field] + 4 * owner + colour // 2, 4 * (colour % 2), 15) for colour in range(6)
    ]


def _flags(field: str) -> Callable[[int], list[_Bits]]:
    return lambda seat: [(_OFFSETS[field] + seat, colour, 1) for colour in range(k.COLOURS)]


def _depot_goods(_: int) -> list[_Bits]:
    return [bits for depot in range(_DEPOTS) for bits in _goods("depot_goods")(depot)]


def _named(word: str, things: Sequence[object]) -> tuple[str, ...]:
    return tuple(f"{word} {thing}" for thing in things)


@functools.cache
def _seat_blocks() -> tuple[_Block, ...]:
    """Return the blocks that every seat has."""
    cells, goods, colours = components.CELLS, components.goods(), components.COLOURS
    return (
        _Block("layout", (*_named("colour", cells), *_named("number", cells))),
        _Block("estate", _named("tile", cells), _bytes("estate", len(cells))),
        _Block("storage", _named("storage", range(1, k.STORAGE + 1)), _bytes("storage", k.STORAGE)),
        _Block("amounts", ("score", "workers", "silver"), _words("score", "workers", "silver")),
        _Block("track", ("track",), _bytes("track", 1)),
        _Block("goods", _named("goods", goods), _goods("goods")),
        _Block("sold", _named("sold", goods), _goods("sold")),
        _Block("large", _named("large", colours), _flags("large")),
        _Block("small", _named("small", colours), _flags("small")),
        _Block("dice", ("die 1", "die 2"), _bytes("dice", 2)),
        _Block("places", ("place this round", "place next round")),
        _Block("decides", ("decides",)),
    )


@functools.cache
def _shared_blocks() -> tuple[_Block, ...]:
    """Return the blocks that stand once in the vector."""
    tiles, goods = components.tiles(), components.goods()
    black = k.BLACK_SLOT
    depots = range(1, _DEPOTS + 1)
    return (
        _Block(
            "depots",
            tuple(name for d in depots for name in _named(f"depot {d} tile", range(1, 5))),
            _bytes("slots", black),
        ),
        _Block(
            "black depot",
            _named("black depot tile", range(1, _BLACK_SLOTS + 1)),
            lambda _: _bytes("slots", black + _BLACK_SLOTS)(0)[black:],
        ),
        _Block(
            "depot goods",
            tuple(name for d in depots for name in _named(f"depot {d} goods", goods)),
            _depot_goods,
        ),
        _Block("goods to come", _named("good to come", range(1, k.ROUNDS + 1))),
        _Block("stage", ("stage",), _bytes("stage", 1)),
        _Block("phase", ("phase",), _bytes("phase", 1)),
        _Block("round", ("round",), _bytes("round", 1)),
        _Block("dice left", ("dice left",)),
        _Block("bought", ("bought",), _bytes("bought", 1)),
        _Block("pending", _named("pending", range(1, _PENDING + 1)), _bytes("pending", _PENDING)),
        _Block("unseen", _named("unseen", [tile.name for tile in tiles.values()])),
        _Block(
            "unseen black",
            _named("unseen black", [tile.name for tile in tiles.values() if tile.black]),
        ),
        _Block("backs known", ("backs known",), _bytes("backs_known", 1)),
        _Block("unseen goods", _named("unseen goods", goods)),
        _Block("rules", ("edition", "most empty cells win ties")),
    )


@functools.cache
def names(players: int) -> tuple[str, ...]:
    """Return the name of every entry of the vector at a table of so many players."""
    owners = ["own", *_named("opponent", range(1, players))]
    by_seat = [name for block in _seat_blocks() for name in block.names]
    shared = [name for block in _shared_blocks() for name in block.names]
    return (*(f"{owner} {name}" for owner in owners for name in by_seat), *shared)


# --- Reading them


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where one seat at a table of some size finds its entries."""

    words: NDArray[np.intp]
    """For each entry the 16-bit word of the state that holds it."""
    shifts: NDArray[np.uint16]
    masks: NDArray[np.uint16]
    """0 for entries that are worked out."""
    seat_entries: int
    """How many entries each seat has."""
    by_seat: dict[str, slice]
    """Where a block stands within a seat's entries."""
    shared: dict[str, slice]
    """Where a shared block stands in the vector."""


def _slices(blocks: Sequence[_Block], start: int) -> dict[str, slice]:
    found = {}
    for block in blocks:
        found[block.label] = slice(start, start + len(block.names))
        start += len(block.names)
    return found


@functools.cache
def _plan(players: int, seat: int) -> _Plan:
    bits: list[_Bits] = []
    for owner in _clockwise(players, seat):
        for block in _seat_blocks():
            bits += block.bits(owner) if block.bits else [(0, 0, 0)] * len(block.names)
    width = len(bits) // players
    for block in _shared_blocks():
        bits += block.bits(0) if block.bits else [(0, 0, 0)] * len(block.names)
    # The state is in the machine's order, and all machines we build for put the low byte first.
    return _Plan(
        words=np.array([byte // 2 for byte, _, _ in bits], dtype=np.intp),
        shifts=np.array([8 * (byte % 2) + shift for byte, shift, _ in bits], dtype=np.uint16),
        masks=np.array([mask for _, _, mask in bits], dtype=np.uint16),
        seat_entries=width,
        by_seat=_slices(_seat_blocks(), 0),
        shared=_slices(_shared_blocks(), players * width),
    )


def observe(position: Position, state: bytes, seat: int) -> NDArray[np.int16]:
    """Return what a seat sees in a state that follows from `position`.

    Nothing depends on the seat but the order: the observer comes first, then clockwise. Entry by
    entry, `names` says what it is; no entry is negative.
    """
    players = len(position.players)
    plan = _plan(players, seat)
    read = np.frombuffer(state, dtype=np.uint16)[plan.words]
    vector = ((read >> plan.shifts) & plan.masks).view(np.int16)
    rows = vector[: players * plan.seat_entries].reshape(players, plan.seat_entries)
    _fill_seats(position, state, seat, rows, plan.by_seat)
    _fill_shared(position, state, vector, plan.shared)
    return vector


def _fill_seats(
    position: Position, state: bytes, seat: int, rows: NDArray[np.int16], at: dict[str, slice]
) -> None:
    players = len(rows)
    boards = tuple([player.board for player in position.players])
    rows[:, at["layout"]] = _layouts(boards[seat:] + boards[:seat])
    _tidy(rows[:, at["storage"]])
    for column, field in enumerate(("order", "next_order"), start=at["places"].start):
        for place in range(players):
            rows[(state[_OFFSETS[field] + place] - seat) % players, column] = place
    if state[_OFFSETS["stage"]] == 0:
        mover = state[_OFFSETS["order"] + state[_OFFSETS["turn"]]]
        row = rows[(mover - seat) % players]
        row[at["decides"]] = 1
        left = state[_OFFSETS["dice_left"]]
        dice = [int(die) * (left >> i & 1) for i, die in enumerate(row[at["dice"]])]
        row[at["dice"]] = dice if dice[0] else dice[::-1]


def _fill_shared(
    position: Position, state: bytes, vector: NDArray[np.int16], at: dict[str, slice]
) -> None:
    _tidy(vector[at["depots"]].reshape(_DEPOTS, _DEPOT_SLOTS))
    _tidy(vector[at["black depot"]])
    coming = state[_OFFSETS["goods_coming"]]
    first = at["goods to come"].start
    vector[first : first + coming] = list(_run(state, "goods_to_come", coming)[::-1])
    vector[at["dice left"]] = state[_OFFSETS["dice_left"]].bit_count()
    sizes = _run(state, "stack_size", len(_STACKS))
    stacks = [_run(state, name, size) for name, size in zip(_STACKS, sizes, strict=True)]
    unseen = vector[at["unseen"]]
    unseen[:] = _count(b"".join(stacks))[1:]
    unseen[k.SHIP - 1 : k.SHIP + 2] += np.frombuffer(_run(state, "plain", 3), dtype=np.uint8)
    if state[_OFFSETS["backs_known"]]:
        vector[at["unseen black"]] = _count(stacks[_STACK_BLACK])[_black_kinds()]
    hidden = _run(state, "hidden_goods", state[_OFFSETS["goods_size"]])
    vector[at["unseen goods"]] = [hidden.count(good) for good in range(1, 7)]
    vector[at["rules"]] = _rules(position.edition, position.tie_break)


def _clockwise(players: int, seat: int) -> list[int]:
    return [(seat + step) % players for step in range(players)]


def _run(state: bytes, field: str, count: int) -> bytes:
    """Return the first bytes of a field."""
    return state[_OFFSETS[field] : _OFFSETS[field] + count]


def _tidy(tiles: NDArray[np.int16]) -> None:
    """Sort each row in place, empty places (0) last: where a tile lies in its row says nothing."""
    wrapped = tiles.view(np.uint16)
    wrapped -= 1  # empty places become the greatest number
    wrapped.sort(axis=-1)
    wrapped += 1


def _count(tiles: bytes) -> NDArray[np.intp]:
    return np.bincount(np.frombuffer(tiles, dtype=np.uint8), minlength=len(components.tiles()) + 1)


@functools.cache
def _black_kinds() -> NDArray[np.intp]:
    return np.array([tile.number for tile in components.tiles().values() if tile.black])


@functools.lru_cache(maxsize=1024)
def _layouts(boards: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the colours and die numbers of all cells, a row for each board."""
    found = [components.boards()[key] for key in boards]
    return np.array([(*board.colours, *board.die_numbers) for board in found], dtype=np.int16)


@functools.cache
def _rules(edition: int, tie_break: str) -> tuple[int, int]:
    """Return what tells the rules of this table from others."""
    return sorted(components.editions()).index(edition), int(tie_break == "most")
