"""The pieces of the box as SVG: hexagons with symbols, whole estates, dice and goods tiles.

Owns shapes, symbols and what a piece says in words to those who do not see its colour. Colours are
classes (`cob-c0` to `cob-c5` by cell colour, `cob-g1` to `cob-g6` by goods number) that the style
sheet of `draw_html` paints. Knows nothing of depots, scores or whose turn it is.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from html import escape
from math import sqrt

from advisor.games.burgundy import components
from advisor.games.burgundy.draw_estate import kind_of

RADIUS = 30.0
"""From the centre of an estate's hexagon to its corners, in the units of the drawing."""
HALF_WIDTH = RADIUS * sqrt(3) / 2
_MARGIN = 4.0
_TILE = 0.87
"""The size of a tile beside that of its cell: the rim of the cell stays in sight."""

# Filled shapes in a square of 24, holes by the even-odd rule.
SYMBOLS = {
    "ship": "M2 15h20l-4 6H6z M11 2v11.5H3.5z M13 5l7 8.5h-7z",
    "castle": "M4 21V5h3.2v3h3.2V5h3.2v3h3.2V5H20v16h-5.5v-4a2.5 2.5 0 0 0-5 0v4z",
    "mine": "M1 21 8.5 6l3 5L15 4l8 17h-7.5v-3a3.5 3.5 0 0 0-7 0v3z",
    "monastery": (
        "M11 1h2v2h2.2v2H13v3l6 4.5V22h-4.5v-4.5a2.5 2.5 0 0 0-5 0V22H5v-9.5L11 8V5H8.8V3H11z"
    ),
    "building": "M12 3l10 8.5h-3V21h-5v-6h-4v6H5v-9.5H2z",
    "animal": (
        "M12 11c3 0 6.5 3.5 6.5 7 0 2-1.5 3-3 3-1.3 0-2.2-.6-3.5-.6S9.8 21 8.5 21c"
        "-1.5 0-3-1-3-3 0-3.5 3.5-7 6.5-7z M8.8 3.2a2.2 2.9 0 1 0 .01 0z"
        " M15.2 3.2a2.2 2.9 0 1 0 .01 0z M4.3 8a2 2.7 0 1 0 .01 0z"
        " M19.7 8a2 2.7 0 1 0 .01 0z"
    ),
    "warehouse": "M2 9l10-6 10 6v12h-4v-9H6v9H2z M8 14h8v2.8H8z M8 18.2h8V21H8z",
    "watchtower": "M11 1l6 2.2-4.5 2.2V7H17v5h-1.8l1.6 10H7.2l1.6-10H7V7h4z",
    "carpenter": "M4 3.5h9.5c3.5 0 6 1.8 7 4.8-1.6-1.2-3.3-1.5-5-1.3H13V22H9.5V9H4z",
    "church": "M6 1h2v2h1.8v1.8H8V7l3 4h11v11h-6.5v-4h-3v4H3V11l3-4V4.8H4.2V3H6z",
    "market": (
        "M4 3h16l2 6c0 1.7-1.3 3-2.9 3-1.4 0-2.2-.7-2.7-1.5-.7 1-1.5 1.5-2.6 1.5-.8 0-1.3-.3"
        "-1.8-.7-.5.4-1 .7-1.8.7-1.1 0-1.9-.5-2.6-1.5C7.1 11.3 6.3 12 4.9 12 3.3 12 2 10.7 2 9z"
        " M4 14h16v7H4z M6.5 15.8h5v3.4h-5z"
    ),
    "boarding house": (
        "M1.5 5H4v8.5h18.5V20H20v-2.5H4V20H1.5z M7.5 7.2a2.4 2.4 0 1 0 .01 0z"
        " M11.5 7.5H18a4.5 4.5 0 0 1 4.5 4.5h-11z"
    ),
    "bank": (
        "M9 2.5a6.5 6.5 0 1 0 .01 0z M8 5.5h2v7H8z M16.9 8.6a6.5 6.5 0 1 1-8.3 8.3"
        " 8.3 8.3 0 0 0 8.3-8.3z"
    ),
    "city hall": (
        "M12 2l10 6v2H2V8z M4 11.5h3v6H4z M10.5 11.5h3v6h-3z M17 11.5h3v6h-3z M2 19h20v3H2z"
    ),
    "cattle": (
        "M2.5 2.5c0 2.7 1.5 3.7 4 3.7h11c2.5 0 4-1 4-3.7 2 3.8.6 7.2-3.3 7.5L17 16.5c-.4"
        " 3-2.3 5-5 5s-4.6-2-5-5L5.8 10C1.9 9.7.5 6.3 2.5 2.5z M9 9.5a1.3 1.3 0 1 0 .01 0z"
        " M15 9.5a1.3 1.3 0 1 0 .01 0z"
    ),
    "sheep": (
        "M6 6a3.6 3.6 0 0 1 6-1.6A3.6 3.6 0 0 1 18 6a3.4 3.4 0 0 1 3 5.5A3.4 3.4 0 0 1 18 17h-1v5"
        "h-2.5v-4.5h-5V22H7v-5H6a3.4 3.4 0 0 1-3-5.5A3.4 3.4 0 0 1 6 6z M12 8c-2 0-3.5.8-3.5 2s1.5"
        " 5 3.5 5 3.5-3.8 3.5-5-1.5-2-3.5-2z"
    ),
    "pig": (
        "M3 3.5l5.5 1.7a10 10 0 0 1 7 0L21 3.5l-1 5.8a8.5 8.5 0 1 1-16 0z"
        " M12 12.5c-2.8 0-4.5 1.4-4.5 3.2S9.2 19 12 19s4.5-1.5 4.5-3.3-1.7-3.2-4.5-3.2z"
        " M10.3 14.4a1.2 1.4 0 1 0 .01 0z M13.7 14.4a1.2 1.4 0 1 0 .01 0z"
    ),
    "chicken": (
        "M2 7.5c2.2.2 3.6 1.5 4.8 3.3 2 1.5 4.9 1.3 6.7-.8.1-3 .9-5 2.5-6.2l.4-2 1.3 1.3L19.3 2"
        "l.2 2c.8.5 1.3 1.2 1.5 2.1l2 1.2-2 1.2c.2 5.7-2.6 8.9-6.5 9.8V22h-1.8v-3.5h-2V22H8.9v-3.9C"
        "4.3 17 1.4 13 2 7.5z M17.8 5a.9.9 0 1 0 .01 0z"
    ),
}  # fmt: skip
"""What is drawn on tiles and, for the six colours, on empty cells."""

_BROKEN = {"warehouse": ("ware-", "house"), "watchtower": ("watch-", "tower")}
"""Names too wide for a hexagon and without a blank to break at."""
_ROOM = 8
"""Letters that fit a tile in any font; longer words are squeezed."""
_SQUEEZED = ' textLength="40" lengthAdjust="spacingAndGlyphs"'

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


# --- Small pieces


def symbols() -> str:
    """Return the hidden drawing that holds each symbol once; the others refer to it."""
    shapes = "".join(
        f'<symbol id="{_symbol_id(name)}" viewBox="0 0 24 24">'
        f'<path fill-rule="evenodd" d="{path}"/></symbol>'
        for name, path in SYMBOLS.items()
    )
    return f'<svg class="cob-symbols" width="0" height="0" aria-hidden="true">{shapes}</svg>'


def tile(number: int) -> str:
    """Return a tile on its own: a small hexagon with its symbol."""
    found = components.tiles()[number]
    return (
        f'<svg class="cob-tile" viewBox="-27 -31 54 62" width="27" height="31" role="img">'
        f"<title>{escape(found.name)}, a {components.COLOURS[found.colour]} tile</title>"
        f'<path class="cob-c{found.colour} cob-hex" d="{_hexagon(29)}"/>'
        f"{_use(kind_of(number)[0], 0, 0, 34, found.colour)}</svg>"
    )


def die(value: int, *, used: bool = False) -> str:
    """Return a die with its pips; a used one is crossed out."""
    words = f"die {value}, used" if used else f"die {value}"
    pips = "".join(
        f'<circle cx="{16 + 7.5 * right:g}" cy="{16 + 7.5 * down:g}" r="2.9"/>'
        for right, down in _PIPS[value]
    )
    cross = '<path class="cob-cross" d="M4 28 28 4"/>' if used else ""
    return (
        f'<svg class="cob-die{" cob-used" if used else ""}" viewBox="0 0 32 32" width="28"'
        f' height="28" role="img"><title>{words}</title>'
        f'<rect x="1.5" y="1.5" width="29" height="29" rx="6.5"/>{pips}{cross}</svg>'
    )


def good(number: int) -> str:
    """Return a goods tile with its die number."""
    return (
        f'<svg class="cob-good" viewBox="0 0 22 22" width="22" height="22" role="img">'
        f"<title>goods number {number}, {components.goods()[number - 1]}</title>"
        f'<rect class="cob-g{number}" x="1" y="1" width="20" height="20" rx="4"/>'
        f'<text x="11" y="15.5">{number}</text></svg>'
    )


def _symbol_id(name: str) -> str:
    return f"cob-{name.replace(' ', '-')}"


def _use(name: str, x: float, y: float, size: float, colour: int) -> str:
    """Return a symbol around a point, in the ink that reads on a cell colour."""
    return (
        f'<use class="cob-ink{colour}" href="#{_symbol_id(name)}" x="{x - size / 2:g}"'
        f' y="{y - size / 2:g}" width="{size:g}" height="{size:g}"/>'
    )


# --- Estates


@functools.cache
def _corners(radius: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a hexagon that stands on its tip, clockwise from the top."""
    side = radius * sqrt(3) / 2
    return (
        (0, -radius),
        (side, -radius / 2),
        (side, radius / 2),
        (0, radius),
        (-side, radius / 2),
        (-side, -radius / 2),
    )


def _hexagon(radius: float) -> str:
    return "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in _corners(radius)) + "Z"


@functools.cache
def centres() -> tuple[tuple[float, float], ...]:
    """Return the centre of each cell in the units of the drawing."""
    longest = max(components.ROW_LENGTHS)
    return tuple(
        (
            _MARGIN + HALF_WIDTH * (longest - length + 2 * place + 1),
            _MARGIN + RADIUS * (1 + 1.5 * row),
        )
        for row, length in enumerate(components.ROW_LENGTHS)
        for place in range(length)
    )


def size() -> tuple[float, float]:
    """Return the width and the height of an estate in the units of the drawing."""
    rows = len(components.ROW_LENGTHS)
    width = 2 * HALF_WIDTH * max(components.ROW_LENGTHS)
    return width + 2 * _MARGIN, RADIUS * (1.5 * rows + 0.5) + 2 * _MARGIN


def cell_words(board: int, cell: int, tile_number: int) -> str:
    """Return what a cell holds, in words."""
    layout = components.boards()[board]
    name, colour = components.CELLS[cell], components.COLOURS[layout.colours[cell]]
    if tile_number:
        return f"{name}: {components.tile_name(tile_number)}"
    return f"{name}: empty {colour} cell, die number {layout.die_numbers[cell]}"


def estate(board: int, tiles: Sequence[int], *, label: str) -> str:
    """Return an estate: hexagons in the colours of their regions, tiles lying on them."""
    width, height = size()
    cells = "".join(_cell(board, cell, number) for cell, number in enumerate(tiles))
    return (
        f'<svg class="cob-estate" viewBox="0 0 {width:.1f} {height:.1f}" role="group"'
        f' aria-label="{escape(label)}">{cells}'
        f'<path class="cob-border" d="{_borders(board)}"/></svg>'
    )


def _cell(board: int, cell: int, number: int) -> str:
    layout = components.boards()[board]
    x, y = centres()[cell]
    colour = layout.colours[cell]
    inside = (
        _filled(number, colour)
        if number
        else _empty(components.CELLS[cell], layout.die_numbers[cell], colour)
    )
    return (
        f'<g role="img" transform="translate({x:.2f} {y:.2f})">'
        f"<title>{cell_words(board, cell, number)}</title>"
        f'<path class="cob-e{colour} cob-cell" d="{_hexagon(RADIUS)}"/>{inside}</g>'
    )


def _filled(number: int, colour: int) -> str:
    """Return a tile on its cell: its symbol above its name."""
    kind, count = kind_of(number)
    lines = _BROKEN.get(kind) or tuple(kind.split()) + ((count,) if count else ())
    up = -11.5 if len(lines) > 1 else -7
    text = "".join(
        f'<text class="cob-ink{colour} {"cob-count" if line == count else "cob-name"}"'
        f'{_SQUEEZED if len(line) > _ROOM else ""} y="{up + 19 + 8.7 * place:g}">{line}</text>'
        for place, line in enumerate(lines)
    )
    return (
        f'<path class="cob-c{colour} cob-hex" d="{_hexagon(RADIUS * _TILE)}"/>'
        f"{_use(kind, 0, up, 19, colour)}{text}"
    )


def _empty(name: str, die_number: int, colour: int) -> str:
    """Return the print on an empty cell: die number, symbol of the colour and name of the cell."""
    return (
        '<rect class="cob-number" x="-9" y="-19.5" width="18" height="18" rx="4"/>'
        f'<text class="cob-digit" y="-5.5">{die_number}</text>'
        f"{_use(components.COLOURS[colour], -8, 8.5, 13, 6)}"
        f'<text class="cob-where" x="8" y="12">{name}</text>'
    )


def _borders(board: int) -> str:
    """Return the lines between regions and around the estate."""
    regions = components.boards()[board].regions
    places = {(round(x), round(y)): cell for cell, (x, y) in enumerate(centres())}
    corners = _corners(RADIUS)
    lines = []
    for cell, (x, y) in enumerate(centres()):
        for side in range(6):
            (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % 6]
            # The centre beyond a side is as far as the sum of the vectors to its two corners.
            other = places.get((round(x + x1 + x2), round(y + y1 + y2)))
            # Two cells share a side: the earlier one draws it.
            if other is None or (other > cell and regions[other] != regions[cell]):
                lines.append(f"M{x + x1:.1f} {y + y1:.1f}L{x + x2:.1f} {y + y2:.1f}")
    return "".join(lines)
