"""Between a `Position` and the kernel's packed state, and the cache of rules handles.

Owns the only code that fills or reads the packed struct's fields from Python. `pack` may trust its
input: positions come from `reading` (checked) or from the kernel itself.
"""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import replace

import numpy as np

from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy._kernel import BurgundyGame
from advisor.games.burgundy.model import Player, Position, Stage

_STAGES: tuple[Stage, ...] = ("play", "roll", "deal", "over")
_STACKS = {k.BUILDING: "buildings", k.ANIMAL: "animals", k.MONASTERY: "monastery_tiles"}


@functools.lru_cache(maxsize=1024)
def rules_for(edition: int, tie_break: str, boards: tuple[int, ...]) -> BurgundyGame:
    """Return the kernel's rules handle for an edition and one board a seat."""
    players = len(boards)
    scoring = components.scoring()
    capabilities = components.editions()[edition]
    bonus = scoring["colour_bonus"]
    game = BurgundyGame(
        boards=[
            [
                (board.colours[cell], board.die_numbers[cell], near, board.regions[cell])
                for cell, near in enumerate(components.NEIGHBOURS)
            ]
            for board in (components.boards()[key] for key in boards)
        ],
        slot_colours=components.slot_colours(players),
        black_slots=components.black_slots(players),
        tiles={t.number: (t.colour, t.coloured, t.black) for t in components.tiles().values()},
        region_points=list(scoring["region_points"].values()),
        phase_points=list(scoring["phase_points"].values()),
        values={
            "large_bonus": bonus["large"][players],
            "small_bonus": bonus["small"][players],
            "sale_points": scoring["sale_points"][players],
            "purchase_during_effects": capabilities["purchase_during_effects"],
            "purchase_with_workers": capabilities["purchase_with_workers"],
            "monastery_15_points": capabilities["monastery_15_points"],
            "monastery_26_points": capabilities["monastery_26_points"],
            "most_empty_wins": tie_break == "most",
        },
    )
    game.set_weights(*components.greedy_weights())
    return game


def _nibbles(counts: tuple[int, ...]) -> int:
    return sum(count << (4 * colour) for colour, count in enumerate(counts))


def _counts(nibbles: int) -> tuple[int, ...]:
    return tuple((int(nibbles) >> (4 * colour)) & 15 for colour in range(6))


def _bits(members: frozenset[int]) -> int:
    return sum(1 << member for member in members)


def _members(bits: int) -> frozenset[int]:
    return frozenset(i for i in range(k.COLOURS) if int(bits) >> i & 1)


def pack(position: Position) -> bytes:
    """Return the kernel's flat state of a position."""
    array = np.zeros(1, dtype=k.STATE_DTYPE)
    s = array[0]
    for seat, player in enumerate(position.players):
        _pack_player(s, seat, player)
    for depot, tiles in enumerate(position.depots):
        _pack_depot(s, depot, tiles, position)
        s["depot_goods"][depot] = _nibbles(position.depot_goods[depot])
    s["slots"][k.BLACK_SLOT : k.BLACK_SLOT + len(position.black)] = position.black
    for i, seat in enumerate(position.turn_order):
        s["order"][i] = seat
        s["next_order"][i] = position.next_order[i]
    s["stage"] = _STAGES.index(position.stage)
    s["phase"] = position.phase
    s["round"] = position.round
    if position.stage == "play":
        s["turn"] = position.turn_order.index(position.mover)
        s["dice_left"] = _dice_left(s["dice"][position.mover], position.dice)
        s["bought"] = position.bought
        for effect in position.pending:
            s["pending"] = (int(s["pending"]) << 8) | effect
    s["goods_coming"] = len(position.goods_to_come)
    s["goods_to_come"][: len(position.goods_to_come)] = position.goods_to_come[::-1]
    _pack_supply(s, position)
    return position.rules.offer(array.tobytes())


def _pack_player(s: np.void, seat: int, player: Player) -> None:
    board = components.boards()[player.board]
    filled = frontier = 0
    for cell, tile in enumerate(player.estate):
        if not tile:
            continue
        filled |= 1 << cell
        for near in components.NEIGHBOURS[cell]:
            frontier |= 1 << near
        if tile >= k.FIRST_MONASTERY:
            s["monasteries"][seat] |= 1 << (tile - k.FIRST_MONASTERY + 1)
        elif k.WAREHOUSE <= tile <= k.CITY_HALL:
            s["cities"][seat][tile - k.WAREHOUSE] |= _city_bit(board, cell)
    s["filled"][seat] = filled
    s["frontier"][seat] = frontier & ~filled
    s["estate"][seat] = player.estate
    s["goods"][seat] = _nibbles(player.goods)
    s["sold"][seat] = _nibbles(player.sold)
    s["score"][seat] = player.score
    s["workers"][seat] = player.workers
    s["silver"][seat] = player.silver
    s["storage"][seat][: len(player.storage)] = player.storage
    s["dice"][seat][: len(player.dice)] = player.dice
    s["track"][seat] = player.track
    s["large"][seat] = _bits(player.large)
    s["small"][seat] = _bits(player.small)


def _city_bit(board: components.Board, cell: int) -> int:
    """Number the cities of a board as the kernel does: by region, ascending."""
    cities = sorted({board.regions[other] for other in board.cells_of(k.BUILDING)})
    return 1 << cities.index(board.regions[cell])


def _pack_depot(s: np.void, depot: int, tiles: tuple[int, ...], position: Position) -> None:
    """Give each tile of a numbered depot a slot of its colour."""
    colours = components.slot_colours(len(position.players))[position.phase]
    left = list(tiles)
    for slot in range(4 * depot, 4 * depot + 4):
        for tile in left:
            if components.tiles()[tile].colour == colours[slot]:
                s["slots"][slot] = tile
                left.remove(tile)
                break


def _dice_left(rolled: np.ndarray, unused: tuple[int, ...]) -> int:
    """Return the bits of the unused dice; the roll itself stays in the state."""
    left = Counter(unused)
    bits = 0
    for i, die in enumerate(int(d) for d in rolled):
        if left[die]:
            left[die] -= 1
            bits |= 1 << i
    return bits


def black_range(
    position: Position,
    tile: components.Tile,
    unseen: int,
    numbered: Counter[int],
    black_depot: Counter[int],
) -> tuple[int, int]:
    """Return how many of the unseen copies of a tile have a black back: at least, at most.

    Copies that lie in a depot show their back by where they lie; starting castles are coloured.
    """
    start = len(position.players) if tile.number == k.CASTLE else 0
    coloured = max(0, tile.coloured - start - numbered[tile.number])
    black = max(0, tile.black - black_depot[tile.number])
    fewest = max(0, unseen - coloured)
    return fewest, max(fewest, min(black, unseen))


def _pack_supply(s: np.void, position: Position) -> None:
    """Put what is out of sight on the stacks, in the one split that is certain or in any.

    `backs_known` says which; the kernel's `determinize` draws the split where it is not certain.
    """
    seen = position.tiles_in_sight()
    numbered = Counter(tile for depot in position.depots for tile in depot)
    black_depot = Counter(position.black)
    stacks: dict[str, list[int]] = {name: [] for name in (*_STACKS.values(), "black")}
    known = True
    for tile in components.tiles().values():
        unseen = tile.coloured + tile.black - seen[tile.number]
        fewest_black, most_black = black_range(position, tile, unseen, numbered, black_depot)
        known = known and fewest_black == most_black
        stacks["black"] += [tile.number] * fewest_black
        if tile.colour in _STACKS:
            stacks[_STACKS[tile.colour]] += [tile.number] * (unseen - fewest_black)
        else:
            s["plain"][tile.colour - k.RIVER] = unseen - fewest_black
    for index, (name, stack) in enumerate(stacks.items()):
        s[name][: len(stack)] = stack
        s["stack_size"][index] = len(stack)
    s["backs_known"] = known
    copies = components.scoring()["goods"]["copies"]
    hidden = [
        colour + 1
        for colour, count in enumerate(position.goods_in_sight())
        for _ in range(copies - count)
    ]
    s["hidden_goods"][: len(hidden)] = hidden
    s["goods_size"] = len(hidden)


def unpack(state: bytes, before: Position) -> Position:
    """Return the position of a state that follows from `before` (names, boards, edition)."""
    s = np.frombuffer(state, dtype=k.STATE_DTYPE)[0]
    stage = _STAGES[int(s["stage"])]
    order = tuple(int(seat) for seat in s["order"][: len(before.players)])
    mover = order[int(s["turn"])] if stage == "play" else 0
    after = replace(
        before,
        phase=int(s["phase"]),
        round=int(s["round"]),
        players=tuple(_unpack_player(s, seat, p) for seat, p in enumerate(before.players)),
        turn_order=order,
        next_order=tuple(int(seat) for seat in s["next_order"][: len(before.players)]),
        depots=tuple(_tiles(s["slots"][4 * depot : 4 * depot + 4]) for depot in range(6)),
        depot_goods=tuple(_counts(goods) for goods in s["depot_goods"]),
        black=_tiles(s["slots"][k.BLACK_SLOT :]),
        goods_to_come=tuple(int(g) for g in s["goods_to_come"][: int(s["goods_coming"])][::-1]),
        stage=stage,
        mover=mover,
        dice=_unused_dice(s, mover) if stage == "play" else (),
        bought=bool(s["bought"]),
        pending=_pending(int(s["pending"])),
        removed=(),
    )
    return replace(after, removed=_removed(s, after))


def _unpack_player(s: np.void, seat: int, before: Player) -> Player:
    return replace(
        before,
        estate=tuple(int(tile) for tile in s["estate"][seat]),
        score=int(s["score"][seat]),
        workers=int(s["workers"][seat]),
        silver=int(s["silver"][seat]),
        goods=_counts(s["goods"][seat]),
        sold=_counts(s["sold"][seat]),
        storage=_tiles(s["storage"][seat]),
        track=int(s["track"][seat]),
        dice=tuple(sorted(int(die) for die in s["dice"][seat] if die)),
        large=_members(s["large"][seat]),
        small=_members(s["small"][seat]),
    )


def _tiles(numbers: np.ndarray) -> tuple[int, ...]:
    return tuple(sorted(int(tile) for tile in numbers if tile))


def _unused_dice(s: np.void, seat: int) -> tuple[int, ...]:
    left = int(s["dice_left"])
    return tuple(sorted(int(s["dice"][seat][i]) for i in range(2) if left >> i & 1))


def _pending(stack: int) -> tuple[int, ...]:
    effects = []
    while stack:
        effects.append(stack & 0xFF)
        stack >>= 8
    return tuple(reversed(effects))


def _removed(s: np.void, visible: Position) -> tuple[int, ...]:
    """Return the tiles out of the game: what is neither visible nor face down."""
    unseen: Counter[int] = Counter()
    for index, name in enumerate((*_STACKS.values(), "black")):
        unseen.update(int(tile) for tile in s[name][: int(s["stack_size"][index])])
    for plain in range(3):
        unseen[k.SHIP + plain] += int(s["plain"][plain])
    seen = visible.tiles_in_sight()
    return tuple(
        tile.number
        for tile in components.tiles().values()
        for _ in range(tile.coloured + tile.black - unseen[tile.number] - seen[tile.number])
    )
