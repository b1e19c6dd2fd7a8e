"""The box of The Castles of Burgundy as Python tables, read once from `data/*.yaml`.

Owns names and geometry: tiles, goods, cells, boards, depot slots, editions. Tile and colour numbers
are the kernel's own. Knows nothing of positions.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

from advisor.games.burgundy import _state as k

COLOURS = ("building", "animal", "monastery", "ship", "castle", "mine")
"""Colours of cells in kernel order."""

_BOARD_LETTERS = {"B": 0, "A": 1, "K": 2, "S": 3, "C": 4, "M": 5}


def _data(name: str) -> Any:
    text = resources.files(__package__).joinpath("data", f"{name}.yaml").read_text("utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


# --- Cells

ROW_LENGTHS = (4, 5, 6, 7, 6, 5, 4)
CELLS: tuple[str, ...] = tuple(
    f"{row}{place + 1}"
    for row, length in zip("abcdefg", ROW_LENGTHS, strict=True)
    for place in range(length)
)
CELL_INDEX: dict[str, int] = {name: index for index, name in enumerate(CELLS)}


def _neighbours() -> tuple[tuple[int, ...], ...]:
    """Work out the neighbours of each cell from the places of the hexagons' centres."""
    centre = {}
    for name in CELLS:
        row = "abcdefg".index(name[0])
        # Half-hexagon units: a row one longer starts half a hexagon further left.
        centre[name] = (row, 2 * int(name[1:]) - ROW_LENGTHS[row])
    near = {(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)}
    return tuple(
        tuple(
            CELL_INDEX[other]
            for other in CELLS
            if (centre[other][0] - centre[name][0], centre[other][1] - centre[name][1]) in near
        )
        for name in CELLS
    )


NEIGHBOURS = _neighbours()


# --- Tiles


@dataclass(frozen=True, slots=True)
class Tile:
    """One kind of hex tile: what it is called, where it goes and how many the box holds."""

    number: int
    name: str
    colour: int
    coloured: int
    black: int
    effect: str


@functools.cache
def tiles() -> dict[int, Tile]:
    """Return every kind of hex tile by its kernel number, in the order of the numbers."""
    data = _data("tiles")
    found: list[Tile] = []

    def add(number: int, name: str, colour: str, copies: Mapping[str, Any], effect: str) -> None:
        index = COLOURS.index(colour)
        found.append(Tile(number, name, index, copies["coloured"], copies["black"], effect))

    for name, entry in data["others"].items():
        add(getattr(k, name.upper()), name, entry["colour"], entry, entry["effect"])
    for name, entry in data["buildings"]["kinds"].items():
        number = getattr(k, name.upper().replace(" ", "_"))
        add(number, name, data["buildings"]["colour"], entry, entry["effect"])
    animals = data["animals"]
    for index, species in enumerate(animals["species"]):
        for count, copies in animals["copies"].items():
            number = k.FIRST_ANIMAL + 3 * index + count - 2
            add(number, f"{species} {count}", animals["colour"], copies, f"{count} animals")
    monasteries = data["monasteries"]
    effects = _data("monasteries")
    for number in range(1, monasteries["numbers"] + 1):
        black = number in monasteries["black_backs"]
        copies = {"coloured": int(not black), "black": int(black)}
        tile = k.FIRST_MONASTERY + number - 1
        name = f"monastery {number}"
        add(tile, name, monasteries["colour"], copies, effects[number]["effect"])
    return {tile.number: tile for tile in sorted(found, key=lambda tile: tile.number)}


@functools.cache
def tile_numbers() -> dict[str, int]:
    """Return the kernel number of each canonical tile name."""
    return {tile.name: tile.number for tile in tiles().values()}


def tile_name(number: int) -> str:
    """Return the canonical name of a tile."""
    return tiles()[number].name


_SHORT_MONASTERY = re.compile(r"m ?(\d+)")


def plain_words(text: str) -> str:
    """Lower the case and make `_`, `-` and runs of blanks one blank each."""
    return re.sub(r"[\s_-]+", " ", text).strip().lower()


@functools.cache
def _species_synonyms() -> dict[str, str]:
    return dict(_data("tiles")["animals"]["synonyms"])


def canonical_tile(text: str) -> str:
    """Return the canonical spelling of a tile name, whether or not such a tile exists."""
    words = plain_words(text)
    if match := _SHORT_MONASTERY.fullmatch(words):
        words = f"monastery {match[1]}"
    first, _, rest = words.partition(" ")
    first = _species_synonyms().get(first, first)
    return f"{first} {rest}" if rest else first


def find_tile(text: str) -> int | None:
    """Return the number of a tile by any accepted spelling, None where there is no such tile."""
    return tile_numbers().get(canonical_tile(text))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like a mistyped one."""
    close = difflib.get_close_matches(plain_words(word), list(known), n=1, cutoff=0.6)
    return close[0] if close else None


# --- Goods


@functools.cache
def goods() -> tuple[str, ...]:
    """Return the goods colours in the order of their die numbers 1..6."""
    return tuple(_data("scoring")["goods"]["colours"].values())


def find_good(word: str | int) -> int | None:
    """Return the die number of a goods colour given by name or number."""
    if isinstance(word, int):
        return word if 1 <= word <= 6 else None
    plain = plain_words(word)
    if plain in ("1", "2", "3", "4", "5", "6"):
        return int(plain)
    return goods().index(plain) + 1 if plain in goods() else None


# --- Boards


@dataclass(frozen=True, slots=True)
class Board:
    """An estate board: for each cell its colour, die number and region."""

    key: int
    numbers: Mapping[int, int | None]
    colours: tuple[int, ...]
    die_numbers: tuple[int, ...]
    regions: tuple[int, ...]
    confidence: str

    def cells_of(self, colour: int) -> list[int]:
        """Return the cells of one colour."""
        return [cell for cell in range(len(CELLS)) if self.colours[cell] == colour]

    def region_sizes(self, colour: int) -> list[int]:
        """Return the sizes of the regions of one colour, largest first."""
        regions = [self.regions[cell] for cell in self.cells_of(colour)]
        return sorted((regions.count(region) for region in set(regions)), reverse=True)


def _regions(colours: tuple[int, ...]) -> tuple[int, ...]:
    """Number the connected areas of one colour."""
    region = [-1] * len(CELLS)
    number = 0
    for start in range(len(CELLS)):
        if region[start] >= 0:
            continue
        reached = [start]
        while reached:
            cell = reached.pop()
            region[cell] = number
            reached += [
                other
                for other in NEIGHBOURS[cell]
                if region[other] < 0 and colours[other] == colours[start]
            ]
        number += 1
    return tuple(region)


@functools.cache
def boards() -> dict[int, Board]:
    """Return the boards by their 2019 number, which serves as their key everywhere."""
    data = _data("boards")
    numbers = tuple(int(digit) for row in data["die_numbers"] for digit in row)
    found = {}
    for entry in data["boards"]:
        colours = tuple(_BOARD_LETTERS[letter] for row in entry["rows"] for letter in row)
        key = entry["number"][2019]
        found[key] = Board(
            key, entry["number"], colours, numbers, _regions(colours), entry["confidence"]
        )
    return found


@functools.cache
def boards_of(edition: int) -> dict[int, int]:
    """Return board keys by the number printed in an edition's box."""
    printed = ((board.numbers[edition], board.key) for board in boards().values())
    return dict(sorted((number, key) for number, key in printed if number is not None))


# --- Depots


@functools.cache
def slot_colours(players: int) -> tuple[tuple[int, ...], ...]:
    """Return for each phase the colours of the 24 numbered slots, `k.COLOURS` where unused."""
    data = _data("depots")
    swap = data["mine_instead_of_castle"]
    result = []
    for phase in phases():
        colours = []
        for depot, slots in data["numbered"].items():
            for slot in slots:
                colour = COLOURS.index(slot["colour"])
                if slot["players"] > players:
                    colour = k.COLOURS
                elif (
                    players == swap["players"]
                    and depot == swap["depot"]
                    and slot["colour"] == "castle"
                    and phase in swap["phases"]
                ):
                    colour = COLOURS.index("mine")
                colours.append(colour)
        result.append(tuple(colours))
    return tuple(result)


def depot_colours(players: int, phase: int, depot: int) -> list[int]:
    """Return the colours of the slots in play in a numbered depot, in slot order."""
    row = slot_colours(players)[phase][4 * (depot - 1) : 4 * depot]
    return [colour for colour in row if colour != k.COLOURS]


@functools.cache
def black_slots(players: int) -> int:
    """Return the number of tiles the black depot holds."""
    return int(_data("depots")["black"][players])


# --- Scoring, set-up, editions


@functools.cache
def scoring() -> Mapping[str, Any]:
    """Return the set-up values and point tables of `scoring.yaml`."""
    found: Mapping[str, Any] = _data("scoring")
    return found


def phases() -> tuple[str, ...]:
    """Return the letters of the phases."""
    return tuple(scoring()["phases"])


@functools.cache
def editions() -> dict[int, Mapping[str, Any]]:
    """Return the capabilities of each edition."""
    found: dict[int, Mapping[str, Any]] = _data("editions")
    return found


# --- The greedy player


@functools.cache
def greedy_weights() -> tuple[list[dict[int, float]], dict[str, float]]:
    """Return what the greedy player thinks: each tile's worth by phase, and the rest by name."""
    weights = _data("greedy")
    ends = weights.pop("placed")
    last = len(phases()) - 1
    placed: list[dict[int, float]] = []
    for phase in range(last + 1):
        worth = {}
        for number, tile in tiles().items():
            first, final = ends["animal" if tile.colour == k.ANIMAL else tile.name]
            worth[number] = first + (final - first) * phase / last
        placed.append(worth)
    return placed, {name: float(value) for name, value in weights.items()}
