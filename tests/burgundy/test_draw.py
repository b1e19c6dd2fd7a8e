"""What `advisor show` draws: everything on the table, in letters, within the terminal's width."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable
from dataclasses import replace

import click
import pytest

from advisor.games.burgundy import components, draw_estate
from advisor.games.burgundy.draw import draw
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.setup import new_game

BOARDS = (1, 3, 8, 10)


def play_until(position: Position, reached: Callable[[Position], bool], seed: int) -> Position:
    """Play at random, tiles before workers, until a condition holds or the game is over."""
    rng = random.Random(seed)
    while position.to_move is not None and not reached(position):
        if position.to_move == "chance":
            position = position.apply(position.sample_chance(rng.getrandbits(32)))
            continue
        actions = position.actions()
        tiles = [action for action in actions if re.search("take|place", str(action))]
        position = position.apply(rng.choice(tiles or actions))
    return position


def start(players: int) -> Position:
    return new_game(players=players, boards=BOARDS[:players], seed=players)


@functools.cache
def middle(players: int) -> Position:
    return play_until(start(players), lambda p: p.phase == 2 and p.stage == "play", players)


@functools.cache
def finished(players: int) -> Position:
    return play_until(start(players), lambda p: False, players)


def plain(position: Position, width: int = 100) -> str:
    return click.unstyle(draw(position, width=width))


POSITIONS = {
    "start of 2": lambda: start(2),
    "start of 4": lambda: start(4),
    "middle of 2": lambda: middle(2),
    "middle of 3": lambda: middle(3),
    "middle of 4": lambda: middle(4),
    "end of 2": lambda: finished(2),
    "end of 3": lambda: finished(3),
    "nothing dealt": lambda: new_game(players=4, boards=BOARDS, dealt=False),
}


@pytest.fixture(params=POSITIONS.values(), ids=list(POSITIONS))
def position(request: pytest.FixtureRequest) -> Position:
    made: Position = request.param()
    return made


# --- The page


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_every_line_fits_the_width(position: Position, width: int) -> None:
    assert max(map(len, plain(position, width).splitlines())) <= width


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_ends_in_blanks(position: Position, width: int) -> None:
    assert [line for line in plain(position, width).splitlines() if line != line.rstrip()] == []


def test_the_drawing_has_colours(position: Position) -> None:
    assert draw(position) != plain(position)


def test_two_estates_stand_side_by_side_at_100_columns() -> None:
    assert re.search(r"^d \|.*  d \|", plain(middle(2), 100), re.MULTILINE)


def test_estates_stand_one_below_the_other_at_80_columns() -> None:
    assert len(re.findall(r"^d \|", plain(middle(2), 80), re.MULTILINE)) == 2


def test_four_players_take_fewer_than_90_lines_at_100_columns() -> None:
    assert len(plain(middle(4), 100).splitlines()) < 90


@pytest.mark.parametrize("width", [80, 100])
def test_very_long_names_are_cut_to_fit(width: int) -> None:
    position = middle(4)
    players = tuple(replace(p, name=p.name * 30) for p in position.players)
    long = replace(position, players=players)
    assert max(map(len, plain(long, width).splitlines())) <= width


def test_wide_letters_do_not_shift_the_neighbouring_estate() -> None:
    position = middle(2)
    renamed = replace(position.players[0], name="安娜")
    text = plain(replace(position, players=(renamed, position.players[1])))
    line = next(line for line in text.splitlines() if " points " in line)
    other = next(line for line in plain(position).splitlines() if " points " in line)
    assert line.index("Ben") + len("安娜") == other.index("Ben")


@pytest.mark.parametrize("width", [80, 100])
def test_many_pending_effects_fit_the_width(width: int) -> None:
    crowded = replace(middle(2), pending=(components.tile_numbers()["warehouse"],) * 8)
    assert max(map(len, plain(crowded, width).splitlines())) <= width


# --- The moment


def test_the_header_names_phase_round_and_edition() -> None:
    assert "2019 edition   phase A, round 1" in plain(start(2))


def test_the_header_names_the_deciding_player_and_his_unused_dice() -> None:
    position = replace(start(2), dice=(4,))
    assert "> Anna decides   unused dice [4]" in plain(position)


def test_the_header_says_when_both_dice_are_used() -> None:
    assert "both dice used" in plain(replace(start(2), dice=()))


def test_the_purchase_is_open_at_the_start() -> None:
    assert "purchase open" in plain(start(2))


def test_a_purchase_made_is_spent() -> None:
    assert "purchase spent" in plain(replace(start(2), bought=True))


def test_pending_effects_stand_in_the_order_of_their_resolution() -> None:
    numbers = components.tile_numbers()
    waiting = replace(start(2), pending=(numbers["city hall"], numbers["castle"]))
    assert "pending: castle, then city hall" in plain(waiting)


def test_a_position_waiting_for_the_deal_says_so() -> None:
    position = new_game(players=2, dealt=False)
    assert "> waiting for the deal of phase A" in plain(position)


def test_a_position_waiting_for_the_roll_says_so() -> None:
    position = new_game(players=2, dealt=False)
    assert "> waiting for the roll of round A1" in plain(position.apply(position.sample_chance(1)))


def test_a_finished_game_names_the_winner_and_his_points() -> None:
    position = finished(2)
    winner = position.winner()
    assert winner is not None
    assert f"> the game is over: {winner} wins with {position.scores()[winner]}" in plain(position)


# --- The table


def depot_line(text: str, label: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(label))


@pytest.mark.parametrize("depot", range(6))
def test_each_depot_lists_its_tiles(depot: int) -> None:
    position = start(4)
    line = depot_line(plain(position, 140), f"depot {depot + 1}")
    assert all(components.tile_name(tile) in line for tile in position.depots[depot])


def test_the_goods_of_a_depot_are_counted_by_colour() -> None:
    goods = ((0, 0, 2, 0, 0, 1), *((0,) * 6,) * 5)
    line = depot_line(plain(replace(start(2), depot_goods=goods)), "depot 1")
    assert line.endswith("goods 2 pink, 1 orange")


def test_the_black_depot_lists_its_tiles() -> None:
    position = start(3)
    line = depot_line(plain(position), "black")
    assert all(components.tile_name(tile) in line for tile in position.black)


def test_goods_to_come_stand_in_their_order() -> None:
    line = depot_line(plain(replace(start(2), goods_to_come=(4, 1))), "to come")
    assert line.endswith("red, then turquoise")


def test_every_goods_number_has_its_colour() -> None:
    line = depot_line(plain(start(2)), "goods no.")
    assert line.endswith("1 turquoise, 2 violet, 3 pink, 4 red, 5 brown, 6 orange")


def test_the_order_of_this_round_is_shown() -> None:
    order = replace(start(3), turn_order=(2, 0, 1), next_order=(2, 0, 1))
    assert "this round Clara, Anna, Ben" in plain(order)


def test_an_equal_order_of_the_next_round_is_not_repeated() -> None:
    assert "next round" not in plain(start(3))


def test_a_changed_order_of_the_next_round_is_shown() -> None:
    assert "next round Ben, Clara, Anna" in plain(replace(start(3), next_order=(1, 2, 0)))


# --- The players


def test_every_player_is_shown_with_points_and_board(position: Position) -> None:
    text = plain(position)
    for player, board in zip(position.players, BOARDS, strict=False):
        assert f"{player.name}   {player.score} points   board {board}" in text


def test_the_board_bears_the_number_of_its_edition() -> None:
    position = new_game(players=2, boards=[2, 1], edition=2011)
    assert "Anna   0 points   board 2" in plain(position)


def test_workers_silver_and_track_of_everybody_are_shown(position: Position) -> None:
    text = plain(position)
    for player in position.players:
        counts = f"workers {player.workers}   silver {player.silver}   track {player.track}"
        assert counts in text


def test_stored_tiles_are_shown() -> None:
    numbers = components.tile_numbers()
    storage = (numbers["ship"], numbers["ship"], numbers["sheep 4"])
    anna, ben = start(2).players
    text = plain(replace(start(2), players=(replace(anna, storage=storage), ben)))
    assert "storage ship x2, sheep 4" in text


def test_unsold_goods_are_counted_by_colour() -> None:
    anna, ben = start(2).players
    text = plain(replace(start(2), players=(replace(anna, goods=(1, 0, 0, 3, 0, 0)), ben)))
    assert "  goods   1 turquoise, 3 red" in text


def test_sold_goods_are_counted_by_colour() -> None:
    anna, ben = start(2).players
    text = plain(replace(start(2), players=(replace(anna, sold=(0, 2, 0, 0, 1, 0)), ben)))
    assert "  sold    2 violet, 1 brown" in text


def test_bonuses_are_shown_with_their_size() -> None:
    anna, ben = start(2).players
    lucky = replace(anna, large=frozenset({5}), small=frozenset({3}))
    assert "bonuses small ship, large mine" in plain(replace(start(2), players=(lucky, ben)))


def test_the_dice_of_those_still_to_move_are_shown() -> None:
    position = start(2)
    first, second = position.players[1].dice
    assert f"dice [{first}] [{second}]" in plain(position)


def test_a_used_die_is_told_from_an_unused_one() -> None:
    position = start(2)
    anna, ben = position.players
    turn = replace(position, players=(replace(anna, dice=(2, 5)), ben), dice=(5,))
    assert "dice [5] 2 used" in plain(turn)


def test_who_has_moved_this_round_is_said() -> None:
    assert "has moved" in plain(replace(start(2), mover=1, dice=start(2).players[1].dice))


# --- The estates


def estate_text(position: Position, seat: int) -> list[str]:
    player = position.players[seat]
    return [click.unstyle(line) for line in draw_estate.estate_lines(player.board, player.estate)]


def inside(lines: list[str], cell: str) -> tuple[str, str, str]:
    """Return what stands in the three lines of a hexagon, found by the row letter at its side."""
    row = next(n for n, line in enumerate(lines) if line.lstrip().startswith(f"{cell[0]} |"))
    left = lines[row].index("|") + 6 * (int(cell[1:]) - 1)
    padded = [line.ljust(60) for line in lines]
    top, middle_line, bottom = padded[row - 1 : row + 2]
    return top[left + 2 : left + 5], middle_line[left + 1 : left + 6], bottom[left + 2 : left + 5]


def test_every_filled_cell_shows_its_tile_between_bars(position: Position) -> None:
    for seat, player in enumerate(position.players):
        lines = estate_text(position, seat)
        for cell, tile in zip(components.CELLS, player.estate, strict=True):
            if tile:
                short = draw_estate.abbreviation(tile)
                assert inside(lines, cell) == ("===", f"{short:^5}", "==="), cell


def test_every_empty_cell_shows_die_colour_and_name(position: Position) -> None:
    for seat, player in enumerate(position.players):
        lines, board = estate_text(position, seat), components.boards()[player.board]
        for index, cell in enumerate(components.CELLS):
            if not player.estate[index]:
                word = draw_estate.EMPTY_WORDS[board.colours[index]]
                expected = (str(board.die_numbers[index]), word, cell)
                assert tuple(part.strip() for part in inside(lines, cell)) == expected


def test_the_drawing_holds_every_line_of_every_estate(position: Position) -> None:
    text = plain(position)
    for seat in range(len(position.players)):
        assert all(line.strip() in text for line in estate_text(position, seat))


def test_no_two_tiles_share_a_short_name() -> None:
    shorts = [draw_estate.abbreviation(tile) for tile in components.tiles()]
    assert len(set(shorts)) == len(components.tiles())


def test_short_names_have_two_to_five_letters() -> None:
    shorts = [draw_estate.abbreviation(tile) for tile in components.tiles()]
    assert all(2 <= len(short) <= 5 for short in shorts)


def test_a_hexagon_is_drawn_with_six_sides() -> None:
    lines = estate_text(start(2), 0)[9:14]
    centre = [line[cut : 47 - cut] for line, cut in zip(lines, (22, 21, 20, 21, 22), strict=True)]
    assert centre == ["/ \\", "/===\\", "|CASTL|", "\\===/", "\\ /"]


# --- The legend


def legend(position: Position) -> str:
    return plain(position, 140).rpartition("short for")[2]


def test_the_legend_explains_short_names_in_use() -> None:
    assert "CASTL castle" in legend(start(2))


def test_the_legend_leaves_out_short_names_not_in_use() -> None:
    assert "WAREH" not in legend(start(2))
