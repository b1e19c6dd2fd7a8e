"""The inventory of the box: counts per kind and back, boards, region sizes, supply arithmetic."""

from __future__ import annotations

from collections import Counter

import pytest

from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components

COLOURS = components.COLOURS
REGIONS = {  # by board, in the order of COLOURS; board 1 as printed in the rulebook
    1: [[5, 3, 3, 1], [5, 1], [3, 3], [3, 3], [3, 1], [3]],
    2: [[5, 3, 2, 2], [4, 2], [3, 2, 1], [2, 2, 2], [1] * 4, [1] * 3],
    3: [[5, 5, 1, 1], [4, 2], [6], [3, 2, 1], [1] * 4, [2, 1]],
    4: [[5, 5, 2], [3, 3], [3, 3], [4, 1, 1], [1] * 4, [2, 1]],
    5: [[3, 3, 3, 2, 1], [3, 3], [3, 2, 1], [3, 2, 1], [1] * 4, [2, 1]],
    6: [[6, 4, 2], [4, 2], [3, 3], [6], [1] * 4, [1] * 3],
    7: [[7, 3, 2], [3, 3], [2] * 3, [2] * 3, [2, 2], [1] * 3],
    8: [[2] * 6, [6], [4, 2], [1] * 6, [1] * 4, [2, 1]],
    9: [[6, 6], [4, 2], [3, 1, 1, 1], [4, 2], [1] * 4, [2, 1]],
    10: [[8, 2, 2], [4, 2], [2] * 3, [2] * 3, [1] * 4, [2, 1]],
}


def copies(colour: str, back: str) -> int:
    wanted = COLOURS.index(colour)
    return sum(getattr(tile, back) for tile in components.tiles().values() if tile.colour == wanted)


def test_the_box_holds_164_hex_tiles() -> None:
    assert sum(tile.coloured + tile.black for tile in components.tiles().values()) == 164


@pytest.mark.parametrize(
    ("colour", "coloured", "black"),
    [
        ("building", 40, 16),
        ("animal", 20, 8),
        ("monastery", 20, 6),
        ("castle", 14, 2),
        ("mine", 10, 2),
        ("ship", 20, 6),
    ],
)
def test_each_colour_has_its_printed_number_of_tiles_and_backs(
    colour: str, coloured: int, black: int
) -> None:
    assert copies(colour, "coloured") == coloured
    assert copies(colour, "black") == black


def test_seven_copies_of_each_building_and_of_each_species() -> None:
    buildings = [t for t in components.tiles().values() if t.colour == k.BUILDING]
    assert len(buildings) == 8
    assert {t.coloured + t.black for t in buildings} == {7}
    species: Counter[str] = Counter()
    for tile in components.tiles().values():
        if tile.colour == k.ANIMAL:
            species[tile.name.split()[0]] += tile.coloured + tile.black
    assert species == {"cattle": 7, "sheep": 7, "pig": 7, "chicken": 7}


def test_monasteries_16_to_23_name_the_eight_buildings_in_kernel_order() -> None:
    effects = components._data("monasteries")
    named = [effects[number]["building"] for number in range(16, 24)]
    assert [components.tile_numbers()[name] for name in named] == list(
        range(k.WAREHOUSE, k.CITY_HALL + 1)
    )


def test_every_monastery_tells_its_effect() -> None:
    effects = components._data("monasteries")
    assert list(effects) == list(range(1, 27))
    assert all(effect["effect"] and effect["when"] for effect in effects.values())


def test_42_goods_of_six_colours_fill_five_stacks_and_leave_17() -> None:
    goods = components.scoring()["goods"]
    total = goods["copies"] * len(goods["colours"])
    assert total == 42
    assert total - 5 * components.scoring()["rounds"] == 17


@pytest.mark.parametrize("number", sorted(REGIONS))
def test_boards_have_12_6_6_6_4_3_cells_and_their_regions(number: int) -> None:
    board = components.boards()[number]
    counts = [len(board.cells_of(colour)) for colour in range(6)]
    assert counts == [12, 6, 6, 6, 4, 3]
    for colour, sizes in enumerate(REGIONS[number]):
        assert board.region_sizes(colour) == sizes, COLOURS[colour]


def test_every_cell_has_up_to_six_neighbours_and_the_relation_is_symmetric() -> None:
    for cell, near in enumerate(components.NEIGHBOURS):
        assert all(cell in components.NEIGHBOURS[other] for other in near)
    degrees = Counter(len(near) for near in components.NEIGHBOURS)
    assert degrees == {3: 6, 4: 12, 6: 19}
    centre = components.NEIGHBOURS[components.CELL_INDEX["d4"]]
    assert {components.CELLS[cell] for cell in centre} == {"c3", "c4", "d3", "d5", "e3", "e4"}


def test_boards_1_and_2_start_on_the_central_castle_with_a_six() -> None:
    centre = components.CELL_INDEX["d4"]
    for number in (1, 2):
        board = components.boards()[number]
        assert board.colours[centre] == COLOURS.index("castle")
        assert board.die_numbers[centre] == 6


def test_2011_numbers_its_boards_otherwise() -> None:
    assert components.boards_of(2011) == {1: 1, 2: 10, **{n: n for n in range(3, 10)}}
    assert components.boards_of(2019) == {n: n for n in range(1, 11)}


@pytest.mark.parametrize(("players", "numbered", "black"), [(2, 12, 4), (3, 18, 6), (4, 24, 8)])
def test_depots_have_their_slots_by_players(players: int, numbered: int, black: int) -> None:
    for phase in range(5):
        row = components.slot_colours(players)[phase]
        assert sum(colour != k.COLOURS for colour in row) == numbered
    assert components.black_slots(players) == black


def test_four_players_use_up_every_tile_in_exactly_five_refills() -> None:
    needed: Counter[int] = Counter()
    for phase in range(5):
        needed.update(c for c in components.slot_colours(4)[phase] if c != k.COLOURS)
    needed[COLOURS.index("castle")] += 4  # the starting castles
    for colour in COLOURS:
        assert needed[COLOURS.index(colour)] == copies(colour, "coloured"), colour
    assert 5 * components.black_slots(4) == sum(t.black for t in components.tiles().values()) == 40


@pytest.mark.parametrize("players", [2, 3])
def test_fewer_players_never_need_more_tiles_than_there_are(players: int) -> None:
    needed: Counter[int] = Counter()
    for phase in range(5):
        needed.update(c for c in components.slot_colours(players)[phase] if c != k.COLOURS)
    needed[COLOURS.index("castle")] += players
    for colour in COLOURS:
        assert needed[COLOURS.index(colour)] <= copies(colour, "coloured"), colour


def test_with_three_players_depot_6_alternates_castle_and_mine() -> None:
    mine, castle = COLOURS.index("mine"), COLOURS.index("castle")
    for phase, colour in enumerate((castle, mine, castle, mine, castle)):
        assert colour in components.depot_colours(3, phase, 6)
        assert castle in components.depot_colours(4, phase, 6)


def test_point_tables_are_the_printed_ones() -> None:
    scoring = components.scoring()
    assert list(scoring["region_points"].values()) == [1, 3, 6, 10, 15, 21, 28, 36]
    assert list(scoring["phase_points"].values()) == [10, 8, 6, 4, 2]
    assert scoring["colour_bonus"] == {"large": {2: 5, 3: 6, 4: 7}, "small": {2: 2, 3: 3, 4: 4}}
    assert scoring["sale_points"] == {2: 2, 3: 3, 4: 4}
