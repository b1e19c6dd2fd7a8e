"""Chance: the texts of rolls and deals, what is possible, and random ones.

This module owns reading, checking and drawing `roll` and `deal`; the engine puts the result on
the table. A deal is judged by what is in sight: no tile beyond its copies in the box, in numbered
depots only copies that can have a colour back, in the black depot only copies that can have a
black back.
"""

import random
import re
from collections import Counter
from dataclasses import dataclass

from . import box
from .position import Position


@dataclass(frozen=True)
class Roll:
    """One round's dice."""

    dice: dict[str, list[int]]
    white: int


@dataclass(frozen=True)
class Deal:
    """One phase's tiles and goods."""

    depots: dict[int, list[str]]
    black: list[str]
    goods: list[str]


# --- rolls -----------------------------------------------------------------------------------


def read_roll(position: Position, text: str) -> Roll:
    """`roll Anna 3 5 Ben 2 2 white 4`, in seat order; ValueError if it is anything else."""
    pattern = "roll"
    for name in position.players:
        pattern += f" {re.escape(name)} ([1-6]) ([1-6])"
    match = re.fullmatch(pattern + " white ([1-6])", text)
    if match is None:
        raise ValueError(f"not a roll of this table: {text!r}")
    values = [int(value) for value in match.groups()]
    dice = {name: sorted(values[2 * i : 2 * i + 2]) for i, name in enumerate(position.players)}
    return Roll(dice, values[-1])


def random_roll(position: Position, rng: random.Random) -> str:
    """All dice at once (2011 p. 4, 2019 p. 4)."""
    words = ["roll"]
    for name in position.players:
        first, second = sorted((rng.randint(1, 6), rng.randint(1, 6)))
        words.append(f"{name} {first} {second}")
    words.append(f"white {rng.randint(1, 6)}")
    return " ".join(words)


# --- deals -----------------------------------------------------------------------------------


def unseen_tiles(position: Position) -> Counter[str]:
    """Hex tiles of the box that are neither in sight nor known to be out of the game."""
    unseen = Counter({tile: sum(copies) for tile, copies in box.TILE_COPIES.items()})
    unseen.subtract(position.tiles_in_sight())
    return unseen


def unseen_goods(position: Position) -> Counter[str]:
    """Goods tiles of the box that are not in sight."""
    unseen = Counter(dict.fromkeys(box.GOODS, box.GOODS_PER_COLOUR))
    unseen.subtract(position.goods_in_sight())
    return unseen


def read_deal(position: Position, text: str) -> Deal:
    """`deal 1: bank, ship; ...; black: ...; goods: ...`; ValueError if malformed or impossible."""
    if not text.startswith("deal "):
        raise ValueError(f"not a deal: {text!r}")
    parts: dict[str, list[str]] = {}
    for part in text.removeprefix("deal ").split("; "):
        place, colon, tiles = part.partition(": ")
        if not colon or place in parts:
            raise ValueError(f"not a deal: {part!r}")
        parts[place] = tiles.split(", ")
    if set(parts) != {"1", "2", "3", "4", "5", "6", "black", "goods"}:
        raise ValueError(f"a deal names depots 1 to 6, black and goods: {text!r}")
    deal = Deal({n: parts[str(n)] for n in box.DEPOTS}, parts["black"], parts["goods"])
    _check_deal(position, deal)
    return deal


def _check_deal(position: Position, deal: Deal) -> None:
    """Raise ValueError if this deal cannot happen (2011 pp. 3-4, 2019 pp. 3, 11)."""
    players = len(position.players)
    numbered = [tile for tiles in deal.depots.values() for tile in tiles]
    for tile in numbered + deal.black:
        if tile not in box.TILE_COPIES:
            raise ValueError(f"no such tile: {tile!r}")
    for depot, slots in box.depot_slots(players, position.phase).items():
        colours = sorted(box.TILE_COLOUR[tile] for tile in deal.depots[depot])
        if colours != sorted(slots):
            raise ValueError(f"depot {depot} is dealt {sorted(slots)}, not {colours}")
    if len(deal.black) != box.BLACK_SLOTS[players]:
        raise ValueError(f"the black depot is dealt {box.BLACK_SLOTS[players]} tiles")
    unseen = unseen_tiles(position)
    for tile, (colour_backs, black_backs) in box.TILE_COPIES.items():
        from_colour = numbered.count(tile)
        from_black = deal.black.count(tile)
        if from_colour > colour_backs or from_black > black_backs:
            raise ValueError(f"the box has not so many of {tile!r} with that back")
        if from_colour + from_black > unseen[tile]:
            raise ValueError(f"not enough of {tile!r} left")
    if len(deal.goods) != box.ROUNDS:
        raise ValueError(f"a deal brings {box.ROUNDS} goods")
    goods = unseen_goods(position)
    for colour in deal.goods:
        if colour not in box.GOODS or deal.goods.count(colour) > goods[colour]:
            raise ValueError(f"not enough goods of {colour!r} left")


def random_deal(position: Position, rng: random.Random) -> str:
    """A deal drawn from what is unseen, leaving enough for the deals of the later phases."""
    stacks, black = _split_by_back(position, rng)
    for stack in [*stacks.values(), black]:
        rng.shuffle(stack)
    players = len(position.players)
    parts = []
    for depot, slots in box.depot_slots(players, position.phase).items():
        parts.append(f"{depot}: " + ", ".join(stacks[colour].pop() for colour in slots))
    parts.append("black: " + ", ".join(black.pop() for _ in range(box.BLACK_SLOTS[players])))
    goods = list(unseen_goods(position).elements())
    parts.append("goods: " + ", ".join(rng.sample(goods, box.ROUNDS)))
    return "deal " + "; ".join(parts)


def _split_by_back(
    position: Position, rng: random.Random
) -> tuple[dict[str, list[str]], list[str]]:
    """Some split of the unseen tiles into stacks by back that can fill the depots to the end.

    Backs of placed, stored and removed tiles are not known, so a tile left over may have either
    back within its copies. Where no split lasts to the end of the game, one for this phase.
    """
    first = box.PHASES.index(position.phase)
    for phases in (box.PHASES[first:], box.PHASES[first : first + 1]):
        split = _split_for(position, phases, rng)
        if split is not None:
            return split
    raise ValueError("too few tiles left for a deal")


def _split_for(
    position: Position, phases: tuple[str, ...], rng: random.Random
) -> tuple[dict[str, list[str]], list[str]] | None:
    players = len(position.players)
    needed: Counter[str] = Counter()
    for phase in phases:
        for slots in box.depot_slots(players, phase).values():
            needed.update(slots)
    unseen = unseen_tiles(position)
    stacks: dict[str, list[str]] = {colour: [] for colour in box.COLOURS.values()}
    either: dict[str, list[str]] = {colour: [] for colour in box.COLOURS.values()}
    for tile, (colour_backs, black_backs) in box.TILE_COPIES.items():
        surely_colour = max(0, unseen[tile] - black_backs)
        perhaps_colour = min(unseen[tile], colour_backs) - surely_colour
        stacks[box.TILE_COLOUR[tile]] += [tile] * surely_colour
        either[box.TILE_COLOUR[tile]] += [tile] * perhaps_colour
    for colour, stack in stacks.items():
        missing = needed[colour] - len(stack)
        if missing > len(either[colour]):
            return None
        if missing > 0:
            stack += rng.sample(either[colour], missing)
    rest = +unseen
    for stack in stacks.values():
        rest.subtract(stack)
    black = list((+rest).elements())
    if len(black) < box.BLACK_SLOTS[players] * len(phases):
        return None
    return stacks, black
