"""One estate as 37 hexagons of text, and the colours and short names that the drawing uses.

Owns the look of cells and tiles. What is filled stands in capitals between bars, what is empty in
small letters under its die number, so that the drawing reads the same without colours. Knows
nothing of depots, scores or whose turn it is.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import click

from advisor.games.burgundy import components

LABEL = 2
PITCH = 6
WIDTH = LABEL + PITCH * max(components.ROW_LENGTHS) + 1
"""Columns of a drawn estate: the row letters, then the seven hexagons of the middle row."""
HEIGHT = 3 * len(components.ROW_LENGTHS) + 2
"""Lines of a drawn estate: three a row and the lower tips of the last one."""

EMPTY_WORDS = ("build", "anim", "monas", "ship", "castl", "mine")
"""What an empty cell of each colour says."""

_SHORT = {
    "ship": "SHIP",
    "castle": "CASTL",
    "mine": "MINE",
    "warehouse": "WAREH",
    "watchtower": "WATCH",
    "carpenter": "CARPN",
    "church": "CHRCH",
    "market": "MARKT",
    "boarding house": "BOARD",
    "bank": "BANK",
    "city hall": "HALL",
    "cattle": "COW",
    "sheep": "LAMB",
    "pig": "PIG",
    "chicken": "HEN",
    "monastery": "M",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """A style of `click.style`; the numbers are those of the 256-colour palette."""

    fg: int | None = None
    bg: int | None = None
    bold: bool | None = None

    def __call__(self, text: str) -> str:
        """Return the text with the escape codes of this style."""
        return click.style(text, fg=self.fg, bg=self.bg, bold=self.bold) if text else text


PLAIN = Paint()
BOLD = Paint(bold=True)
FAINT = Paint(fg=244)
"""Lines and labels: a grey that reads on dark and on light terminals."""

# In the order of components.COLOURS. The colours of text are middling ones, for the same reason.
TEXT_PAINTS = tuple(Paint(fg=colour) for colour in (173, 70, 178, 39, 35, 246))
_BACKGROUNDS = (180, 113, 220, 26, 22, 248)
_TILE_PAINTS = tuple(
    Paint(fg=fg, bg=bg, bold=True)
    for fg, bg in zip((16, 16, 16, 231, 231, 16), _BACKGROUNDS, strict=True)
)
_BAR_PAINTS = tuple(
    Paint(fg=fg, bg=bg) for fg, bg in zip((137, 65, 136, 75, 71, 241), _BACKGROUNDS, strict=True)
)


def abbreviation(tile: int) -> str:
    """Return the short name a tile bears in an estate, such as CASTL, COW3 or M12."""
    kind, number = kind_of(tile)
    return _SHORT[kind] + number


def kind_of(tile: int) -> tuple[str, str]:
    """Return a tile's name without its number, and the number or nothing."""
    name = components.tile_name(tile)
    kind, _, number = name.rpartition(" ")
    return (kind, number) if number.isdigit() else (name, "")


def explanation(tile: int) -> tuple[str, str]:
    """Return what the legend says of a tile: its short name, with # for a number, and its kind."""
    kind, number = kind_of(tile)
    return _SHORT[kind] + "#" * bool(number), "chicken or goat" if kind == "chicken" else kind


@functools.cache
def _corners() -> tuple[tuple[int, int], ...]:
    """Return for each cell the line of its upright sides and the column of the left one."""
    longest = max(components.ROW_LENGTHS)
    return tuple(
        (3 * row + 2, LABEL + PITCH // 2 * (longest - length) + PITCH * place)
        for row, length in enumerate(components.ROW_LENGTHS)
        for place in range(length)
    )


class _Canvas:
    """A grid of characters, each with its paint."""

    def __init__(self) -> None:
        self.spots = [[(" ", PLAIN)] * WIDTH for _ in range(HEIGHT)]

    def write(self, line: int, column: int, text: str, paint: Paint) -> None:
        for offset, character in enumerate(text):
            self.spots[line][column + offset] = (character, paint)

    def lines(self) -> list[str]:
        """Return the lines, without blanks at their ends."""
        return [self._line(row) for row in self.spots]

    @staticmethod
    def _line(row: list[tuple[str, Paint]]) -> str:
        length = len("".join(character for character, _ in row).rstrip())
        runs = groupby(row[:length], key=lambda spot: spot[1])
        return "".join(paint("".join(c for c, _ in run)) for paint, run in runs)


# The outline of a hexagon: lines from its upright sides, columns from the left one, text.
_OUTLINE = (
    (-2, 2, "/"), (-2, 4, "\\"), (-1, 1, "/"), (-1, 5, "\\"), (0, 0, "|"), (0, 6, "|"),
    (1, 1, "\\"), (1, 5, "/"), (2, 2, "\\"), (2, 4, "/"),
)  # fmt: skip


def estate_lines(board: int, estate: Sequence[int]) -> list[str]:
    """Return the lines of an estate; no line has blanks at its end."""
    canvas = _Canvas()
    for line, left in _corners():
        for down, right, text in _OUTLINE:
            canvas.write(line + down, left + right, text, FAINT)
    # The outlines come first: hexagons share their sides, and a tile covers its own.
    layout = components.boards()[board]
    for cell, (line, left) in enumerate(_corners()):
        colour = layout.colours[cell]
        if estate[cell]:
            _filled(canvas, cell, estate[cell], colour)
        else:
            _empty(canvas, cell, layout.die_numbers[cell], colour)
        row, place = components.CELLS[cell][0], components.CELLS[cell][1:]
        if place == "1":
            canvas.write(line, left - LABEL, row, BOLD)
    return canvas.lines()


def _filled(canvas: _Canvas, cell: int, tile: int, colour: int) -> None:
    """Fill a hexagon, its slanting sides included: bars above and below the tile's short name."""
    line, left = _corners()[cell]
    canvas.write(line - 1, left + 1, "/===\\", _BAR_PAINTS[colour])
    canvas.write(line, left + 1, f"{abbreviation(tile):^5}", _TILE_PAINTS[colour])
    canvas.write(line + 1, left + 1, "\\===/", _BAR_PAINTS[colour])


def _empty(canvas: _Canvas, cell: int, die: int, colour: int) -> None:
    """Write an empty cell's die number, colour and name one below the other."""
    line, left = _corners()[cell]
    paint = TEXT_PAINTS[colour]
    canvas.write(line - 1, left + 3, str(die), Paint(fg=paint.fg, bold=True))
    canvas.write(line, left + 1, f"{EMPTY_WORDS[colour]:^5}", paint)
    canvas.write(line + 1, left + 2, components.CELLS[cell], FAINT)
