"""The sample positions in `positions/burgundy`: all load, and each shows what it promises."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from advisor.core.loading import load, loads
from advisor.games.burgundy import components
from advisor.games.burgundy.draw import draw
from advisor.games.burgundy.model import Player, Position

FOLDER = Path(__file__).parents[2] / "positions" / "burgundy"
FILES = sorted(FOLDER.glob("*.yaml"))
README = (FOLDER / "README.md").read_text("utf-8")
ROW = re.compile(r"^\| \[(?P<file>[^]]+)\]\((?P<link>[^)]+)\) \| (?P<facts>.+) \|$", re.MULTILINE)


def sample(name: str) -> Position:
    position = load(FOLDER / f"{name}.yaml")
    assert isinstance(position, Position)
    return position


def texts(position: Position) -> list[str]:
    return [str(action) for action in position.actions()]


def decider(position: Position) -> Player:
    return position.players[position.mover]


def names(tiles: tuple[int, ...]) -> list[str]:
    return [components.tile_name(tile) for tile in tiles if tile]


def moment(position: Position) -> str:
    return f"{components.phases()[position.phase]}{position.round + 1}"


def opening_comment(path: Path) -> list[str]:
    """Return the comment lines before the first line of the position."""
    head = re.match(r"(?:# .*\n)*", path.read_text("utf-8"))
    assert head is not None
    return head[0].splitlines()


@pytest.fixture(params=FILES, ids=[path.stem for path in FILES])
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture
def position(path: Path) -> Position:
    return sample(path.stem)


# --- Every file


def test_there_are_at_least_ten_sample_positions() -> None:
    assert len(FILES) >= 10


def test_a_dumped_position_loads_back_to_an_equal_one(position: Position) -> None:
    assert loads(position.dump()) == position


def test_there_is_something_to_decide_unless_chance_is_awaited(position: Position) -> None:
    assert bool(position.actions()) == (position.to_move != "chance")


def test_every_legal_action_can_be_applied(position: Position) -> None:
    for action in texts(position):
        assert position.apply(action) != position, action


def test_after_every_legal_action_the_game_goes_on_or_is_over(position: Position) -> None:
    for action in texts(position):
        after = position.apply(action)
        assert after.to_move in (None, "chance") or after.actions(), action


@pytest.mark.parametrize("width", [80, 100])
def test_the_drawing_fits_the_width(position: Position, width: int) -> None:
    drawing = click.unstyle(draw(position, width=width))
    assert max(map(len, drawing.splitlines())) <= width


def test_a_comment_of_a_few_lines_explains_the_situation(path: Path) -> None:
    assert 3 <= len(opening_comment(path)) <= 6


def test_the_comment_asks_the_question_of_the_player(path: Path) -> None:
    assert re.search(r"^# Question: [^?]+\?", "\n".join(opening_comment(path)), re.MULTILINE)


# --- Realistic in every detail


def test_the_track_counts_the_ships_placed(position: Position) -> None:
    for player in position.players:
        assert player.track == names(player.estate).count("ship"), player.name


def test_nobody_placed_more_tiles_than_his_turns_and_castles_allow(position: Position) -> None:
    turns = 5 * position.phase + position.round + 1
    for player in position.players:
        extra = sum(names(player.estate).count(tile) for tile in ("castle", "city hall"))
        assert len(names(player.estate)) <= 2 * turns + extra, player.name


def test_every_tile_ever_dealt_is_in_sight_or_removed(position: Position) -> None:
    seats, phases = len(position.players), position.phase + 1
    dealt = {2: 12 + 4, 3: 18 + 6, 4: 24 + 8}[seats] * phases
    assert position.tiles_in_sight().total() == dealt + seats


def test_every_good_of_the_phases_so_far_is_in_sight(position: Position) -> None:
    seats, phases = len(position.players), position.phase + 1
    assert sum(position.goods_in_sight()) == 3 * seats + 5 * phases


# --- The index


def test_the_readme_lists_exactly_the_files() -> None:
    assert sorted(row["file"] for row in ROW.finditer(README)) == [path.name for path in FILES]


def test_the_readme_links_to_the_file_it_names(path: Path) -> None:
    assert [row["link"] for row in ROW.finditer(README) if row["file"] == path.name] == [path.name]


def test_the_readme_states_the_facts_of_the_file(path: Path, position: Position) -> None:
    row = next(row for row in ROW.finditer(README) if row["file"] == path.name)
    players, edition, round_, decides, actions, shows = row["facts"].split(" | ")
    assert (int(players), int(edition)) == (len(position.players), position.edition)
    assert (round_, decides) == (moment(position), position.to_move)
    assert int(actions) == len(position.actions())
    assert shows


# --- The situations


def test_the_opening_is_the_first_decision_of_a_game() -> None:
    position = sample("opening")
    assert moment(position) == "A1"
    assert position.mover == position.turn_order[0]
    assert [names(player.estate) for player in position.players] == [["castle"], ["castle"]]


def test_in_the_second_turn_of_the_round_the_other_has_moved() -> None:
    position = sample("second-turn-of-the-round")
    assert position.mover == position.turn_order[-1]
    assert len(position.dice) == 2


def test_the_midgame_is_a_close_game_in_phase_c() -> None:
    position = sample("midgame")
    assert moment(position)[0] == "C"
    assert abs(position.players[0].score - position.players[1].score) <= 5


def test_at_the_end_of_the_phase_two_regions_can_be_closed() -> None:
    position = sample("end-of-phase")
    before = decider(position).score
    castle = position.apply("4 place castle a3")
    both = castle.apply("* place chicken 4 f5")
    assert moment(position) == "B5"
    assert decider(castle).score == before + 1 + 8
    assert decider(both).score == before + 1 + 8 + 3 + 8 + 4


def test_with_crowded_storage_every_take_is_a_discard() -> None:
    position = sample("crowded-storage")
    takes = [text for text in texts(position) if " take " in text]
    assert len(decider(position).storage) == 3
    assert takes
    assert all(" discard " in text for text in takes)


def test_in_the_castle_chain_one_castle_places_the_next() -> None:
    position = sample("castle-chain")
    first = position.apply("6 place castle b3")
    assert names(first.pending) == ["castle"]
    assert "* place castle a2" in texts(first)
    assert names(first.apply("* place castle a2").pending) == ["castle"]


def test_the_purchase_may_come_inside_the_effect_of_the_castle() -> None:
    position = sample("purchase")
    assert names(position.pending) == ["castle"]
    bought = position.apply("buy boarding house")
    assert names(bought.pending) == ["castle"]
    assert any(text.startswith("* place boarding house ") for text in texts(bought))


def test_monastery_six_buys_from_every_depot_with_silver_or_workers() -> None:
    position = sample("monastery-six-purchase")
    legal = set(texts(position))
    assert "monastery 6" in names(decider(position).estate)
    assert {"buy castle from 2", "buy castle from 2 with workers", "buy pig 4"} <= legal


def test_the_ship_must_choose_a_colour_and_may_load_a_second_depot() -> None:
    position = sample("ship-with-full-hold")
    assert names(position.pending) == ["ship"]
    assert "monastery 5" in names(decider(position).estate)
    assert any(" keep " in text for text in texts(position))
    assert any(" then " in text for text in texts(position))


@pytest.mark.parametrize(("name", "players"), [("three-players", 3), ("four-players", 4)])
def test_larger_tables_play_different_boards(name: str, players: int) -> None:
    assert len({player.board for player in sample(name).players}) == players


def test_after_the_last_round_the_game_is_over_without_a_roll() -> None:
    position = sample("last-round")
    assert moment(position) == "E5"
    assert position.mover == position.turn_order[0]
    while position.to_move is not None:
        assert position.to_move != "chance"
        position = position.apply(texts(position)[-1])
    assert position.stage == "over"


def test_the_edition_of_2011_has_its_own_board_numbers() -> None:
    position = sample("edition-2011")
    keys = components.boards_of(2011)
    assert position.edition == 2011
    assert [player.board for player in position.players] == [keys[2], keys[7]]


def test_in_the_edition_of_2011_a_sale_pays_for_the_castle_in_the_black_depot() -> None:
    position = sample("edition-2011")
    assert "buy castle" not in texts(position)
    assert "buy castle" in texts(position.apply("5 sell brown"))


def test_before_the_roll_nobody_decides_and_the_roll_of_the_table_goes_on() -> None:
    position = sample("waiting-for-the-roll")
    assert position.stage == "roll"
    comment = "\n".join(opening_comment(FOLDER / "waiting-for-the-roll.yaml"))
    roll = re.search(r"`(roll [^`]+)`", comment)
    assert roll is not None
    assert position.apply(roll[1]).to_move == "Dario"


def test_the_samples_show_at_least_eight_different_boards() -> None:
    boards = {player.board for path in FILES for player in sample(path.stem).players}
    assert len(boards) >= 8
