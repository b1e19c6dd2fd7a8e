"""The ways to load a ship: which depots, and which new colours when not all of them fit.

This module owns the `load` texts and what each of them takes (2011 p. 5, 2019 p. 5; monastery 5:
2011 p. 10, 2019 p. 9).
"""

from itertools import combinations

from . import box
from .position import Player, Position

# One half of a load: the depot and the colours taken from it, all goods of each.
Half = tuple[int, tuple[str, ...]]


def _choices(goods: dict[str, int], lying: list[str]) -> list[tuple[str, tuple[str, ...]]]:
    """What a player with these goods can take from one depot: (` keep ...` or ``, colours taken).

    Goods of owned colours are always taken; of new colours as many as there are free spaces, the
    player choosing which; what does not fit stays. A choice that takes nothing is not listed.
    """
    present = [colour for colour in box.GOODS if colour in lying]  # die order
    owned = [colour for colour in present if goods.get(colour, 0) > 0]
    new = [colour for colour in present if colour not in owned]
    free = box.GOODS_SPACES - sum(1 for number in goods.values() if number > 0)
    choices = []
    if len(new) <= free:
        choices.append(("", (*owned, *new)))
    elif free <= 0:
        choices.append(("", tuple(owned)))
    else:
        for kept in combinations(new, free):
            choices.append((" keep " + ", ".join(kept), (*owned, *kept)))
    return [(keep, taken) for keep, taken in choices if taken]


def _take(
    goods: dict[str, int], depots: dict[int, list[str]], half: Half
) -> tuple[dict[str, int], dict[int, list[str]]]:
    """The player's goods and the depots' goods after one half of a load."""
    depot, taken = half
    goods = dict(goods)
    for colour in taken:
        goods[colour] = goods.get(colour, 0) + depots[depot].count(colour)
    left = [colour for colour in depots[depot] if colour not in taken]
    return goods, {**depots, depot: left}


def ring_neighbours(depot: int) -> list[int]:
    """The two depots next to a depot on the ring 1-2-3-4-5-6-1."""
    return [6 if depot == 1 else depot - 1, 1 if depot == 6 else depot + 1]


def loads(position: Position, player: Player) -> dict[str, tuple[Half, ...]]:
    """Every distinct load by its text; equal results only as the text that sorts first."""
    found: dict[str, tuple[Half, ...]] = {}
    for first in box.DEPOTS:
        for keep, taken in _choices(player.goods, position.depot_goods[first]):
            half = (first, taken)
            text = f"load {first}{keep}"
            found[text] = (half,)
            if player.has_monastery(5):
                goods, depots = _take(player.goods, position.depot_goods, half)
                for second in ring_neighbours(first):
                    for keep_second, taken_second in _choices(goods, depots[second]):
                        full_text = f"{text} then {second}{keep_second}"
                        found[full_text] = (half, (second, taken_second))
    distinct: dict[str, tuple[Half, ...]] = {}
    results = []
    for text in sorted(found):
        goods, depots = player.goods, position.depot_goods
        for half in found[text]:
            goods, depots = _take(goods, depots, half)
        result = (goods, depots)
        if result not in results:
            results.append(result)
            distinct[text] = found[text]
    return distinct


def some_depot_gives_nothing(position: Position, player: Player) -> bool:
    """Whether a depot could be chosen that gives no good, so that the load may be skipped."""
    return any(not _choices(player.goods, position.depot_goods[depot]) for depot in box.DEPOTS)


def carry_out(position: Position, player: Player, halves: tuple[Half, ...]) -> None:
    """Move the goods of a load from the depots to the player."""
    for half in halves:
        player.goods, position.depot_goods = _take(player.goods, position.depot_goods, half)
