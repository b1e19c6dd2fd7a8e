"""Points: animals, regions, colour bonuses, sales, the final count and the winner.

This module owns every number of victory points and the tie-breaks; it changes no position.
"""

from . import box
from .position import Player, Position


def animal_points(player: Player, cell: str) -> int:
    """Points for the animal tile just placed on a cell (2011 p. 6, 2019 p. 6).

    The new tile and every tile of the same species in the same pasture score their animals;
    with monastery 7 each of these tiles scores one more (2011 p. 10, 2019 p. 10).
    """
    species = player.estate[cell].split()[0]
    points = 0
    for other in player.board.region[cell]:
        tile = player.estate.get(other)
        if tile is not None and tile.split()[0] == species:
            points += int(tile.split()[1])
            if player.has_monastery(7):
                points += 1
    return points


def region_points(player: Player, cell: str, phase: str) -> int:
    """Points for the region of a cell just filled: size and phase, 0 if cells are still empty.

    2011 p. 8, 2019 p. 8.
    """
    region = player.board.region[cell]
    if any(other not in player.estate for other in region):
        return 0
    return box.REGION_POINTS[len(region)] + box.PHASE_POINTS[phase]


def colour_bonus(position: Position, player: Player, colour: str) -> str | None:
    """The bonus tile for filling all cells of a colour, if one is earned and left.

    The first player takes the large tile, the second the small one (2011 p. 8, 2019 p. 8).
    """
    if any(cell not in player.estate for cell in player.board.cells_of[colour]):
        return None
    taken = [p.bonuses[colour] for p in position.players.values() if colour in p.bonuses]
    if "large" not in taken:
        return "large"
    if "small" not in taken:
        return "small"
    return None


def bonus_points(bonus: str, players: int) -> int:
    """Points printed on a bonus tile for this number of players."""
    return box.LARGE_BONUS[players] if bonus == "large" else box.SMALL_BONUS[players]


def monastery_points(player: Player, edition: int) -> int:
    """Points of monasteries 15-26 in the estate (2011 p. 11, 2019 pp. 10-11)."""
    points = 0
    if player.has_monastery(15):
        points += box.POINTS_PER_SOLD_COLOUR[edition] * sum(
            1 for number in player.sold.values() if number > 0
        )
    for monastery, building in box.MONASTERY_COUNTS_BUILDING.items():
        if player.has_monastery(monastery):
            points += 4 * player.count(building)
    if player.has_monastery(24):
        kinds = {tile.split()[0] for tile in player.estate.values()}
        points += 4 * sum(1 for species in box.SPECIES if species in kinds)
    if player.has_monastery(25):
        points += sum(player.sold.values())
    if player.has_monastery(26):
        points += box.POINTS_PER_BONUS_TILE[edition] * len(player.bonuses)
    return points


def final_points(player: Player, edition: int) -> int:
    """Points added when the game ends (2011 p. 9, 2019 p. 9)."""
    points = sum(player.goods.values())
    points += player.silver
    points += player.workers // 2
    points += monastery_points(player, edition)
    return points


def empty_cells(player: Player) -> int:
    """Cells of the estate without a tile."""
    return len(player.board.colour) - len(player.estate)


def winner(position: Position) -> str:
    """The winner of a finished game.

    Most points; then 2011 the fewest and 2019 the most empty cells; then the marker further back
    on the turn-order track (2011 p. 9, 2019 p. 9; rulings, section 1).
    """

    def rank(name: str) -> tuple[int, int, int]:
        player = position.players[name]
        empty = empty_cells(player)
        return (
            player.score,
            -empty if position.edition == 2011 else empty,
            position.next_order.index(name),
        )

    return max(position.players, key=rank)
