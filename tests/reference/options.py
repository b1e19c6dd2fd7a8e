"""The decisions a player has: every legal action with its canonical text.

This module owns what may be done and what it costs. It changes nothing; carrying an action out is
the engine's business.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from . import box
from .loads import Half, loads, some_depot_gives_nothing
from .position import Player, Position, Turn


@dataclass(frozen=True)
class Action:
    """One decision: what it spends and what it does."""

    kind: str  # take, place, sell, workers, buy, load, skip, end
    die: int | None = None  # the unused die it spends
    resolves: bool = False  # it resolves the last pending effect
    pay_workers: int = 0
    pay_silver: int = 0
    tile: str = ""  # taken, bought or placed
    depot: int | None = None  # where the tile comes from; None is the black depot
    discard: str | None = None  # stored tile given up for it
    cell: str = ""
    good: str = ""
    halves: tuple[Half, ...] = ()


Actions = dict[str, Action]


def legal_actions(position: Position) -> Actions:
    """All legal actions of the player whose turn it is, by text."""
    turn = position.turn
    assert isinstance(turn, Turn)
    player = position.players[turn.player]
    if turn.pending:
        found = effect_actions(position, player, turn)
    else:
        found = die_actions(position, player, turn)
        if not turn.dice:
            found["end"] = Action("end")
    return found


# --- building blocks -------------------------------------------------------------------------


def worker_cost(player: Player, die: int, value: int, free_step: bool) -> int:
    """Workers needed to make a die count as another value.

    One worker is a step of 1 on the ring of six (2011 p. 4, 2019 p. 4), with monastery 8 of up
    to 2; the free step of monasteries 9-12 is always 1 (2011 p. 10, 2019 p. 10; rulings 3.3-3.4).
    """
    steps = min((value - die) % 6, (die - value) % 6)
    if free_step and steps > 0:
        steps -= 1
    if player.has_monastery(8):
        return (steps + 1) // 2
    return steps


def die_text(die: int, value: int) -> str:
    """`3`, or `3>5` where the die counts as another value."""
    return str(die) if die == value else f"{die}>{value}"


def discards(player: Player) -> Iterator[tuple[str, str | None]]:
    """(text, tile) of the ways to find room for a tile: a full storage gives one up first.

    2011 p. 5, 2019 p. 4; for purchases and buildings alike (rulings 4.1-4.3).
    """
    if len(player.storage) < box.STORAGE_SPACES:
        yield "", None
    else:
        for tile in sorted(set(player.storage)):
            yield f" discard {tile}", tile


def can_place(player: Player, tile: str, cell: str) -> bool:
    """Whether a tile fits on a cell, the die aside (2011 pp. 5-6, 2019 pp. 5-6)."""
    board = player.board
    if cell in player.estate or board.colour[cell] != box.TILE_COLOUR[tile]:
        return False
    if not any(other in player.estate for other in board.neighbours[cell]):
        return False
    # One building of a kind per city, unless monastery 1 lies in the estate.
    if tile in box.BUILDINGS and not player.has_monastery(1):
        return all(player.estate.get(other) != tile for other in board.region[cell])
    return True


def placements(player: Player) -> list[tuple[str, str]]:
    """(tile, cell) of every stored tile on every cell it fits, the die aside."""
    return [
        (tile, cell)
        for tile in sorted(set(player.storage))
        for cell in player.board.cells_of[box.TILE_COLOUR[tile]]
        if can_place(player, tile, cell)
    ]


def free_step_for_placing(player: Player, tile: str) -> bool:
    """Whether a monastery gives the die a free step for placing this tile.

    9 building, 10 ship or animal, 11 castle, mine or monastery (2011 p. 10, 2019 p. 10).
    """
    colour = box.TILE_COLOUR[tile]
    if colour == "building":
        return player.has_monastery(9)
    if colour in ("ship", "animal"):
        return player.has_monastery(10)
    return player.has_monastery(11)


# --- dice ------------------------------------------------------------------------------------


def die_actions(position: Position, player: Player, turn: Turn) -> Actions:
    """The actions while nothing is pending: use a die or buy."""
    found: Actions = {}
    for die in sorted(set(turn.dice)):
        # Take a tile from the depot of the die (2011 p. 5, 2019 p. 4).
        for depot in box.DEPOTS:
            cost = worker_cost(player, die, depot, player.has_monastery(12))
            if cost > player.workers:
                continue
            for tile in sorted(set(position.depot_tiles[depot])):
                for suffix, discard in discards(player):
                    text = f"{die_text(die, depot)} take {tile} from {depot}{suffix}"
                    found[text] = Action(
                        "take", die=die, pay_workers=cost, tile=tile, depot=depot, discard=discard
                    )
        # Place a stored tile on a cell with the die's value (2011 p. 5, 2019 p. 5).
        for tile, cell in placements(player):
            value = player.board.die[cell]
            cost = worker_cost(player, die, value, free_step_for_placing(player, tile))
            if cost <= player.workers:
                text = f"{die_text(die, value)} place {tile} {cell}"
                found[text] = Action("place", die=die, pay_workers=cost, tile=tile, cell=cell)
        # Sell the goods of the die's colour (2011 p. 8, 2019 p. 8).
        for value, good in enumerate(box.GOODS, start=1):
            cost = worker_cost(player, die, value, False)
            if player.goods.get(good, 0) > 0 and cost <= player.workers:
                text = f"{die_text(die, value)} sell {good}"
                found[text] = Action("sell", die=die, pay_workers=cost, good=good)
        # Take workers with any die (2011 p. 9, 2019 p. 8).
        found[f"{die} workers"] = Action("workers", die=die)
    found.update(purchases(position, player, turn))
    return found


# --- purchases -------------------------------------------------------------------------------


def purchases(position: Position, player: Player, turn: Turn) -> Actions:
    """The purchases possible now: one per turn (2011 p. 9, 2019 p. 8).

    2011 between dice actions only; 2019 also while a castle or city hall is to be resolved.
    Monastery 6 opens the numbered depots, in 2019 for 2 silver or 2 workers, which then buy from
    the black depot too (2011 p. 10, 2019 p. 9; rulings 5.3).
    """
    if turn.bought:
        return {}
    if turn.pending and position.edition == 2011:
        return {}
    if turn.pending and turn.pending[-1] not in ("castle", "city hall"):
        return {}
    offers: list[tuple[str, int | None, str]] = [("", None, tile) for tile in position.black]
    if player.has_monastery(6):
        for depot in box.DEPOTS:
            for tile in position.depot_tiles[depot]:
                offers.append((f" from {depot}", depot, tile))
    payments: list[tuple[str, int, int]] = []  # text, silver, workers
    if player.silver >= box.PURCHASE_PRICE:
        payments.append(("", box.PURCHASE_PRICE, 0))
    if (
        player.has_monastery(6)
        and position.edition == 2019
        and player.workers >= box.PURCHASE_PRICE
    ):
        payments.append((" with workers", 0, box.PURCHASE_PRICE))
    found: Actions = {}
    for source, depot, tile in offers:
        for means, silver, workers in payments:
            for suffix, discard in discards(player):
                found[f"buy {tile}{source}{means}{suffix}"] = Action(
                    "buy",
                    pay_silver=silver,
                    pay_workers=workers,
                    tile=tile,
                    depot=depot,
                    discard=discard,
                )
    return found


# --- pending effects -------------------------------------------------------------------------


def effect_actions(position: Position, player: Player, turn: Turn) -> Actions:
    """The actions while an effect is pending: resolve the last one, or skip it where optional."""
    effect = turn.pending[-1]
    found = effect_options(position, player, turn)
    if effect == "castle":
        return found  # workers can always be taken: never skipped
    if effect == "ship" and not some_depot_gives_nothing(position, player):
        return found  # every depot gives something, and one must be chosen
    found["skip"] = Action("skip", resolves=True)
    return found


def effect_options(position: Position, player: Player, turn: Turn) -> Actions:
    """What can be done about the last pending effect, `skip` aside."""
    effect = turn.pending[-1]
    if effect == "castle":
        return castle_options(position, player) | purchases(position, player, turn)
    if effect == "city hall":
        return city_hall_options(player) | purchases(position, player, turn)
    if effect == "ship":
        return {
            text: Action("load", resolves=True, halves=halves)
            for text, halves in loads(position, player).items()
        }
    if effect == "warehouse":
        return sales_without_die(player, "")
    return takes_without_die(position, player, "", box.TAKEN_BY_BUILDING[effect])


def castle_options(position: Position, player: Player) -> Actions:
    """One action as with one more die of any value (2011 p. 6, 2019 p. 5)."""
    found = takes_without_die(position, player, "* ", tuple(box.COLOURS.values()))
    for tile, cell in placements(player):
        found[f"* place {tile} {cell}"] = Action("place", resolves=True, tile=tile, cell=cell)
    found.update(sales_without_die(player, "* "))
    found["* workers"] = Action("workers", resolves=True)
    return found


def city_hall_options(player: Player) -> Actions:
    """Place one more stored tile, whatever the die of the cell (2011 p. 7, 2019 p. 7)."""
    return {
        f"place {tile} {cell}": Action("place", resolves=True, tile=tile, cell=cell)
        for tile, cell in placements(player)
    }


def sales_without_die(player: Player, prefix: str) -> Actions:
    """Sell the goods of any one colour (warehouse: 2011 p. 7, 2019 p. 7)."""
    return {
        f"{prefix}sell {good}": Action("sell", resolves=True, good=good)
        for good in box.GOODS
        if player.goods.get(good, 0) > 0
    }


def takes_without_die(
    position: Position, player: Player, prefix: str, colours: tuple[str, ...]
) -> Actions:
    """Take a tile of these colours from any numbered depot (2011 p. 7, 2019 p. 6)."""
    found: Actions = {}
    for depot in box.DEPOTS:
        for tile in position.depot_tiles[depot]:
            if box.TILE_COLOUR[tile] in colours:
                for suffix, discard in discards(player):
                    found[f"{prefix}take {tile} from {depot}{suffix}"] = Action(
                        "take", resolves=True, tile=tile, depot=depot, discard=discard
                    )
    return found
