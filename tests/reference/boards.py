"""The geometry of an estate board: cells, their colours and dice, neighbours and regions.

This module owns nothing but the map; which tiles lie on it is the position's business.
"""

from dataclasses import dataclass
from functools import cache

from . import box


def _cell_name(row: int, column: int) -> str:
    return f"{box.ROW_NAMES[row]}{column + 1}"


def _neighbours(row: int, column: int) -> list[tuple[int, int]]:
    """The cells around one cell of the hexagon with rows of 4, 5, 6, 7, 6, 5 and 4 cells."""
    around = [(row, column - 1), (row, column + 1)]
    for other in (row - 1, row + 1):
        if 0 <= other < len(box.DIE_ROWS):
            if len(box.DIE_ROWS[other]) > len(box.DIE_ROWS[row]):
                around += [(other, column), (other, column + 1)]
            else:
                around += [(other, column - 1), (other, column)]
    return [(r, c) for r, c in around if 0 <= c < len(box.DIE_ROWS[r])]


@dataclass(frozen=True)
class Board:
    """One printed board."""

    colour: dict[str, str]  # cell -> colour
    die: dict[str, int]  # cell -> printed die
    neighbours: dict[str, list[str]]  # cell -> cells around it
    region: dict[str, frozenset[str]]  # cell -> all cells of its region, itself included
    cells_of: dict[str, list[str]]  # colour -> its cells


@cache
def board(edition: int, number: int) -> Board:
    """The board with this number in the box of this edition; ValueError if there is none."""
    if number not in box.BOARDS_BY_EDITION[edition]:
        raise ValueError(f"the {edition} edition has no board {number}")
    rows = box.BOARD_ROWS[box.BOARDS_BY_EDITION[edition][number]]
    colour: dict[str, str] = {}
    die: dict[str, int] = {}
    neighbours: dict[str, list[str]] = {}
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            cell = _cell_name(row, column)
            colour[cell] = box.COLOURS[letter]
            die[cell] = int(box.DIE_ROWS[row][column])
            neighbours[cell] = [_cell_name(r, c) for r, c in _neighbours(row, column)]
    region = {cell: _region(cell, colour, neighbours) for cell in colour}
    cells_of = {
        name: [cell for cell in colour if colour[cell] == name] for name in box.COLOURS.values()
    }
    return Board(colour, die, neighbours, region, cells_of)


def _region(start: str, colour: dict[str, str], neighbours: dict[str, list[str]]) -> frozenset[str]:
    """All connected cells of one colour (2011 p. 8, 2019 p. 8)."""
    found = {start}
    to_visit = [start]
    while to_visit:
        for cell in neighbours[to_visit.pop()]:
            if colour[cell] == colour[start] and cell not in found:
                found.add(cell)
                to_visit.append(cell)
    return frozenset(found)
