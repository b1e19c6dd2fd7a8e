"""What a report draws: everything on the table, in words as well as in colours."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import advisor
from advisor.core import registry
from advisor.games.burgundy import components, draw_pieces, draw_style
from advisor.games.burgundy.draw_html import CSS, draw_html
from advisor.games.burgundy.model import Player, Position
from advisor.games.burgundy.setup import new_game
from tests.burgundy.test_draw import POSITIONS, finished, middle, start

SAMPLES = sorted((Path(__file__).parents[2] / "positions" / "burgundy").glob("*.yaml"))
HOSTILE = '<b>&"Eve'


@pytest.fixture(params=POSITIONS.values(), ids=list(POSITIONS))
def position(request: pytest.FixtureRequest) -> Position:
    made: Position = request.param()
    return made


def parsed(position: Position) -> ElementTree.Element:
    return ElementTree.fromstring(draw_html(position))


def words(element: ElementTree.Element) -> str:
    """Return the text that is seen, blanks made one; titles are only heard."""

    def seen(part: ElementTree.Element) -> str:
        inner = "" if part.tag == "title" else part.text or ""
        return inner + "".join(f" {seen(child)} {child.tail or ''}" for child in part)

    return re.sub(r"\s+", " ", seen(element)).strip()


def parts(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [part for part in element.iter() if name in part.get("class", "").split()]


def part(element: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = parts(element, name)
    return found


def titles(element: ElementTree.Element) -> list[str]:
    return [title.text or "" for title in element.iter("title")]


def panel(position: Position, seat: int) -> ElementTree.Element:
    return parts(parsed(position), "cob-player")[seat]


def with_first(position: Position, **changes: object) -> Position:
    first, *others = position.players
    changed: Player = replace(first, **changes)  # type: ignore[arg-type]
    return replace(position, players=(changed, *others))


# --- The fragment


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_position_is_drawn_well_formed(path: Path) -> None:
    position = advisor.load(path)
    assert isinstance(position, Position)
    assert len(parts(parsed(position), "cob-player")) == len(position.players)


def test_the_samples_are_found() -> None:
    assert SAMPLES


def test_the_drawing_refers_to_nothing_outside(position: Position) -> None:
    drawn = draw_html(position) + CSS
    assert not re.search(r"http|src=|url\(|<script|<link|@import|javascript:", drawn, re.I)


def test_every_symbol_referred_to_is_in_the_drawing(position: Position) -> None:
    root = parsed(position)
    known = {f"#{symbol.get('id')}" for symbol in root.iter("symbol")}
    assert {use.get("href") for use in root.iter("use")} <= known


def test_no_name_of_a_player_becomes_markup() -> None:
    plain = middle(4)
    players = tuple(replace(player, name=HOSTILE) for player in plain.players)
    hostile = replace(plain, players=players)
    assert "<b>&" not in draw_html(hostile)
    assert [who.text for who in parts(parsed(hostile), "cob-who")].count(HOSTILE) >= 9
    assert part(panel(hostile, 2), "cob-estate").get("aria-label") == (
        f"Estate of {HOSTILE}, board 8"
    )


def test_every_class_of_the_drawing_has_the_prefix(position: Position) -> None:
    used = {name for e in parsed(position).iter() for name in e.get("class", "").split()}
    assert [name for name in used if not re.fullmatch(r"cob(-\w+)?", name)] == []


def test_every_rule_of_the_style_sheet_keeps_to_the_drawing() -> None:
    body = re.sub(r"@media[^{]*\{|\{[^{}]*\}", ",", CSS)
    selectors = [text.strip() for text in re.split(r"[,}]", body) if text.strip()]
    assert selectors
    assert [text for text in selectors if not text.startswith(".cob")] == []


def test_the_style_sheet_has_a_dark_scheme() -> None:
    assert "prefers-color-scheme: dark" in CSS


def test_the_registry_hands_over_drawing_and_style_sheet() -> None:
    assert registry.find("burgundy").draw_html(start(2)) == (draw_html(start(2)), CSS)


# --- The moment


def moment(position: Position) -> ElementTree.Element:
    return part(parsed(position), "cob-head")


def test_the_header_names_edition_phase_and_round() -> None:
    assert "2019 edition phase A, round 1" in words(moment(start(2)))


def test_the_header_shows_who_decides_with_which_dice() -> None:
    head = moment(replace(start(2), dice=(2, 4)))
    assert "Anna decides unused dice" in words(head)
    assert titles(head) == ["die 2", "die 4"]


def test_the_header_says_when_both_dice_are_used() -> None:
    assert "both dice used" in words(moment(replace(start(2), dice=())))


@pytest.mark.parametrize(("bought", "word"), [(False, "open"), (True, "spent")])
def test_the_header_says_whether_the_purchase_is_open(bought: bool, word: str) -> None:
    assert f"purchase {word}" in words(moment(replace(start(2), bought=bought)))


def test_pending_effects_stand_in_the_order_of_their_resolution() -> None:
    numbers = components.tile_numbers()
    waiting = replace(start(2), pending=(numbers["city hall"], numbers["castle"]))
    assert "pending: castle , then city hall" in words(moment(waiting))


def test_nothing_pending_is_said() -> None:
    assert "nothing pending" in words(moment(start(2)))


def test_what_is_awaited_is_said() -> None:
    position = new_game(players=2, dealt=False)
    assert "waiting for the deal of phase A" in words(moment(position))
    dealt = position.apply(position.sample_chance(1))
    assert "waiting for the roll of round A1" in words(moment(dealt))


def test_a_finished_game_names_the_winner_and_his_points() -> None:
    position = finished(2)
    winner = position.winner()
    assert winner is not None
    said = words(moment(position))
    assert f"the game is over: {winner} wins with {position.scores()[winner]}" in said


# --- The table


def depots(position: Position) -> list[ElementTree.Element]:
    return list(part(parsed(position), "cob-depots"))


def test_the_six_depots_stand_in_order_with_their_tiles() -> None:
    position = middle(4)
    drawn = depots(position)
    assert len(drawn) == 6
    for number, (element, tiles) in enumerate(zip(drawn, position.depots, strict=True), start=1):
        assert words(element).startswith(f"depot {number}")
        listed = titles(element)
        for tile in tiles:
            kind = components.tiles()[tile]
            colour = components.COLOURS[kind.colour]
            assert f"{kind.name}, a {colour} tile" in listed
            assert kind.name in words(element)


def test_equal_tiles_are_counted() -> None:
    ship = components.tile_numbers()["ship"]
    position = replace(start(2), depots=((ship, ship), *start(2).depots[1:]))
    assert "ship ×2" in words(depots(position)[0])


def test_the_goods_of_a_depot_are_counted_by_colour() -> None:
    goods = ((0, 0, 2, 0, 0, 1), *((0,) * 6,) * 5)
    first, second, *_ = depots(replace(start(2), depot_goods=goods))
    assert words(first).endswith("goods 3 2 pink 6 1 orange")
    assert "goods" not in words(second)


def test_the_black_depot_lists_its_tiles() -> None:
    position = start(3)
    text = words(part(parsed(position), "cob-black"))
    assert all(components.tile_name(tile) in text for tile in position.black)


def beside(position: Position) -> str:
    return words(part(parsed(position), "cob-sides"))


def test_goods_to_come_stand_in_their_order() -> None:
    assert "goods to come 4 red 1 turquoise" in beside(replace(start(2), goods_to_come=(4, 1)))


def test_the_order_of_this_round_is_shown() -> None:
    order = replace(start(3), turn_order=(2, 0, 1), next_order=(2, 0, 1))
    assert beside(order).endswith("order this round Clara Anna Ben")


def test_another_order_on_the_track_is_shown() -> None:
    changed = replace(start(3), next_order=(1, 2, 0))
    assert beside(changed).endswith("turn-order track Ben Clara Anna")


def test_an_equal_order_on_the_track_is_not_repeated() -> None:
    assert "track" not in beside(start(3))


def test_every_colour_of_cells_and_goods_is_named_in_the_legend() -> None:
    legend = words(part(parsed(start(2)), "cob-legend"))
    assert all(word in legend for word in (*components.COLOURS, *components.goods()))


# --- The players


def test_every_player_has_name_points_board_and_counts(position: Position) -> None:
    for seat, player in enumerate(position.players):
        text = words(panel(position, seat))
        assert player.name in text
        assert f"{player.score} points" in text
        number = components.boards()[player.board].numbers[position.edition]
        counts = f"workers {player.workers} silver {player.silver} track {player.track}"
        assert f"board {number} {counts}" in text


def test_only_the_deciding_player_is_marked() -> None:
    position = replace(middle(4), mover=2, turn_order=(2, 0, 1, 3))
    marked = [bool(parts(panel(position, seat), "cob-badge")) for seat in range(4)]
    assert marked == [False, False, True, False]


def test_nobody_is_marked_when_the_game_is_over() -> None:
    assert parts(parsed(finished(2)), "cob-badge") == []


def test_storage_goods_and_sold_goods_are_shown_with_their_counts() -> None:
    numbers = components.tile_numbers()
    position = with_first(
        start(2),
        storage=(numbers["ship"], numbers["ship"], numbers["sheep 4"]),
        goods=(1, 0, 0, 3, 0, 0),
        sold=(0, 2, 0, 0, 1, 0),
    )
    text = words(panel(position, 0))
    assert "storage ship ×2 sheep 4 goods 1 1 turquoise 4 3 red sold 2 2 violet 5 1 brown" in text


def test_what_a_player_does_not_have_is_said() -> None:
    bare = with_first(start(2), storage=(), goods=(0,) * 6, sold=(0,) * 6)
    assert "storage none goods none sold none bonuses none" in words(panel(bare, 0))


def test_bonuses_are_shown_with_their_size() -> None:
    lucky = with_first(start(2), large=frozenset({5}), small=frozenset({3}))
    assert "bonuses small ship, large mine" in words(panel(lucky, 0))


def counts_of(position: Position, seat: int) -> ElementTree.Element:
    return part(panel(position, seat), "cob-counts")


def test_a_used_die_is_told_from_an_unused_one() -> None:
    turn = replace(with_first(start(2), dice=(2, 5)), dice=(5,))
    assert titles(counts_of(turn, 0)) == ["die 5", "die 2, used"]


def test_the_dice_of_those_still_to_move_are_shown() -> None:
    position = start(2)
    assert titles(counts_of(position, 1)) == [f"die {die}" for die in position.players[1].dice]


def test_who_has_moved_this_round_is_said() -> None:
    position = replace(start(2), mover=1, dice=start(2).players[1].dice)
    assert "has moved" in words(counts_of(position, 0))


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_as_many_pips_as_its_number(value: int) -> None:
    assert len(list(ElementTree.fromstring(draw_pieces.die(value)).iter("circle"))) == value


# --- The estates


def cells(position: Position, seat: int) -> list[ElementTree.Element]:
    return list(part(panel(position, seat), "cob-estate").iter("g"))


def test_every_cell_says_what_it_holds(position: Position) -> None:
    for seat, player in enumerate(position.players):
        board = components.boards()[player.board]
        said = [title for cell in cells(position, seat) for title in titles(cell)]
        assert len(said) == len(components.CELLS)
        for index, (name, text) in enumerate(zip(components.CELLS, said, strict=True)):
            colour, die = components.COLOURS[board.colours[index]], board.die_numbers[index]
            tile = player.estate[index]
            holds = components.tile_name(tile) if tile else f"empty {colour} cell, die number {die}"
            assert text == f"{name}: {holds}"


def test_an_empty_cell_shows_die_number_symbol_and_name() -> None:
    position = start(2)
    (cell,) = [c for c in cells(position, 0) if titles(c)[0].startswith("a1: empty")]
    board = components.boards()[position.players[0].board]
    assert words(cell) == f"{board.die_numbers[0]} a1"
    (use,) = cell.iter("use")
    assert use.get("href") == f"#cob-{components.COLOURS[board.colours[0]]}"


def test_a_filled_cell_shows_symbol_and_name_of_its_tile() -> None:
    for name, href, text in (
        ("cattle 3", "#cob-cattle", "cattle 3"),
        ("monastery 12", "#cob-monastery", "monastery 12"),
        ("boarding house", "#cob-boarding-house", "boarding house"),
        ("watchtower", "#cob-watchtower", "watch- tower"),
        ("ship", "#cob-ship", "ship"),
    ):
        estate = (components.tile_numbers()[name], *start(2).players[0].estate[1:])
        cell = cells(with_first(start(2), estate=estate), 0)[0]
        (use,) = cell.iter("use")
        assert (use.get("href"), words(cell)) == (href, text)


def test_every_cell_bears_the_colour_of_its_region(position: Position) -> None:
    for seat, player in enumerate(position.players):
        colours = components.boards()[player.board].colours
        for cell, colour in zip(cells(position, seat), colours, strict=True):
            assert parts(cell, f"cob-e{colour}")


@pytest.mark.parametrize("tile", components.tiles())
def test_every_tile_has_a_symbol(tile: int) -> None:
    (use,) = ElementTree.fromstring(draw_pieces.tile(tile)).iter("use")
    assert (use.get("href") or "").removeprefix("#cob-").replace("-", " ") in draw_pieces.SYMBOLS


def test_neighbouring_cells_touch_and_others_do_not() -> None:
    for cell, (x, y) in enumerate(draw_pieces.centres()):
        for other, (x2, y2) in enumerate(draw_pieces.centres()):
            if other != cell:
                touches = math.dist((x, y), (x2, y2)) < 2.01 * draw_pieces.HALF_WIDTH
                assert touches == (other in components.NEIGHBOURS[cell])


def test_every_hexagon_lies_within_the_drawing() -> None:
    width, height = draw_pieces.size()
    for x, y in draw_pieces.centres():
        assert draw_pieces.HALF_WIDTH <= x <= width - draw_pieces.HALF_WIDTH
        assert draw_pieces.RADIUS <= y <= height - draw_pieces.RADIUS


@pytest.mark.parametrize("board", components.boards())
def test_lines_part_the_regions_and_surround_the_estate(board: int) -> None:
    regions = components.boards()[board].regions
    near = [(a, b) for a in range(37) for b in components.NEIGHBOURS[a]]
    inner = sum(a < b and regions[a] != regions[b] for a, b in near)
    outer = 6 * len(components.CELLS) - len(near)
    drawn = ElementTree.fromstring(draw_pieces.estate(board, (0,) * 37, label=""))
    path = part(drawn, "cob-border").get("d") or ""
    assert path.count("M") == inner + outer


# --- Colours


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink(scheme: str) -> str:
    light, dark = re.findall(r"--cob-ink: (#\w{6})", CSS)
    return {"light": light, "dark": dark}[scheme]


def test_text_reads_on_every_tile_and_on_every_goods_tile() -> None:
    for tile, text in zip(draw_style.TILES, draw_style.INK_ON_TILES, strict=True):
        assert contrast(tile, text) >= 4.5, tile
    for goods in draw_style.GOODS:
        assert contrast(goods, "#ffffff") >= 4.5, goods


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_reads_on_every_empty_cell(scheme: str) -> None:
    paper = {"light": draw_style.CELLS_LIGHT, "dark": draw_style.CELLS_DARK}[scheme]
    for colour in paper:
        assert contrast(colour, ink(scheme)) >= 4.5, colour


def test_a_tile_stands_out_from_the_cells_of_its_colour_in_both_schemes() -> None:
    for paper in (draw_style.CELLS_LIGHT, draw_style.CELLS_DARK):
        for tile, cell in zip(draw_style.TILES, paper, strict=True):
            assert contrast(tile, cell) >= 1.25, (tile, cell)
