"""Position files (docs/positions.md): what is accepted, and each fault with place and remedy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest

from advisor.core.documents import parse
from advisor.core.loading import load, loads
from advisor.errors import PositionError, Problem
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.schema import json_schema

ROOT = Path(__file__).parent.parent.parent

EXAMPLE = """\
game: burgundy
edition: 2019            # 2019 (default) or 2011
phase: B                 # A..E
round: 3                 # 1..5, the round being played
depots:                  # numbered depots: hex tiles face up, goods lying there
  1: {tiles: [bank, ship], goods: [red]}
  2: {tiles: [castle]}
  3: {tiles: [cattle 3]}
  4: {goods: [pink, pink]}
  5: {tiles: [mine, monastery 9]}
  6: {tiles: [church]}
  black: [ship, cattle 4, monastery 14]
goods_to_come: [violet, brown]      # face up on the round spaces of this phase, next round first
players:                            # seat order, clockwise
  Anna:
    board: 1
    score: 41
    workers: 2
    silver: 3
    goods: {red: 2, violet: 1}      # unsold
    sold: {brown: 3}                # sold, by colour
    storage: [ship, church]
    estate: {d4: castle, d3: ship, c3: bank}
    track: 1                        # steps advanced on the turn-order track
    dice: [3, 5]                    # this round's roll
  Ben:
    board: 1
    score: 38
    workers: 4
    silver: 0
    estate: {d4: castle}
    dice: [2, 2]
turn_order: [Anna, Ben]             # this round's order, first player first
"""

SMALL = """\
phase: A
round: 1
players:
  Anna: {board: 1, estate: {d4: castle}, dice: [1, 2]}
  Ben: {board: 1, estate: {d4: castle}, dice: [3, 4]}
"""


def changed(old: str, new: str, text: str = EXAMPLE) -> str:
    assert old in text
    return text.replace(old, new, 1)


def faults(text: str) -> list[Problem]:
    with pytest.raises(PositionError) as refused:
        loads(text, file="p.yaml")
    problems = refused.value.problems
    assert problems == sorted(problems, key=lambda p: (p.line, p.column))
    for problem in problems:
        assert problem.file == "p.yaml"
        assert problem.line >= 1
        assert problem.column >= 1
        assert "; " in problem.message, "every fault says what would be right"
    return problems


def only_fault(text: str) -> Problem:
    problems = faults(text)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


# --- What is accepted


def test_the_complete_example_of_the_contract_loads() -> None:
    position = loads(EXAMPLE)
    assert position.to_move == "Anna"
    assert position.scores() == {"Anna": 41, "Ben": 38}
    assert loads(position.dump()) == position


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("game: burgundy\n", ""),
        ("edition: 2019", "edition:"),
        ("tiles: [bank, ship]", "tiles: [ship, bank]"),
        ("tiles: [bank, ship]", "tiles: [BANK, Ship]"),
        ("[ship, church]", "\n      - ship\n      - church"),
        ("monastery 9", "m9"),
        ("monastery 9", "M 9"),
        ("monastery 9", "Monastery_9"),
        ("monastery 14", "monastery-14"),
        ("cattle 3", "Cattle-3"),
        ("cattle 3", '"cattle  3"'),
        ("goods: [red]", "goods: [4]"),
        ("goods: [red]", 'goods: ["4"]'),
        ("goods: [red]", "goods: [Red]"),
        ("{red: 2, violet: 1}", "{4: 2, 2: 1}"),
        ("{red: 2, violet: 1}", "{violet: 1, red: 2, pink: 0}"),
        ("board: 1\n", "board: '1'\n"),
        ("{d4: castle, d3: ship, c3: bank}", "{C3: bank, D3: ship, D4: castle}"),
        ("dice: [3, 5]", "dice: [5, 3]"),
        ("    silver: 0\n", ""),
        ("    silver: 0\n", "    silver:\n"),
        ("turn_order: [Anna, Ben]", ""),
        ("turn_order: [Anna, Ben]", "turn_order: [Anna, Ben]\nturn: {player: Anna}"),
        ("turn_order: [Anna, Ben]", "turn_order: [Anna, Ben]\nturn: {player: Anna, dice: [5, 3]}"),
        ("turn_order: [Anna, Ben]", "turn_order: [Anna, Ben]\nnext_order: [Anna, Ben]"),
        ("turn_order: [Anna, Ben]", "turn_order: [Anna, Ben]\nremoved: []"),
        ("turn_order: [Anna, Ben]", "turn_order: [Anna, Ben]\ntie_break: most"),
        ("turn_order: [Anna, Ben]", "turn_order: [Anna, Ben]\nexpansions: []"),
        ("game: burgundy", "---\ngame: burgundy"),
        ("game: burgundy", "\ufeffgame: burgundy"),
    ],
)
def test_other_spellings_mean_the_same_position(old: str, new: str) -> None:
    assert loads(changed(old, new)) == loads(EXAMPLE)


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n\n"])
def test_any_line_ending_is_read(ending: str) -> None:
    assert loads(EXAMPLE.replace("\n", ending)) == loads(EXAMPLE)


def test_a_goat_is_a_chicken() -> None:
    goats = changed("cattle 3", "goat 3")
    assert loads(goats) == loads(changed("cattle 3", "chicken 3"))


def test_what_is_left_out_is_not_there() -> None:
    position = loads(SMALL)
    anna = position.players[0]
    assert (anna.score, anna.workers, anna.silver, anna.track) == (0, 0, 0, 0)
    assert (anna.storage, sum(anna.goods), sum(anna.sold)) == ((), 0, 0)
    assert position.edition == 2019
    assert position.to_move == "Anna"


def test_without_turn_order_the_furthest_marker_starts() -> None:
    text = changed("Ben: {board: 1,", "Ben: {board: 1, track: 2,", SMALL)
    assert loads(text).to_move == "Ben"
    assert loads(SMALL).to_move == "Anna"


def test_a_player_who_has_moved_needs_no_dice_and_those_given_are_ignored() -> None:
    with_dice = SMALL + "turn: {player: Ben}\n"
    without = changed(", dice: [1, 2]", "", with_dice)
    assert loads(with_dice) == loads(without)


def test_the_unused_dice_of_a_turn_are_enough() -> None:
    text = changed(", dice: [1, 2]", "", SMALL) + "turn: {player: Anna, dice: [2], bought: true}\n"
    position = loads(text)
    assert position.dice == (2,)
    assert position.bought
    after = position.apply("2 workers")
    assert loads(after.dump()) == after


@pytest.mark.parametrize(
    "word", ["No", "null", "true", "on", "~x", "B 3 C", "Jürgen", "李", "a: b", "🎲"]
)
def test_a_player_may_be_called_what_yaml_gives_another_meaning(word: str) -> None:
    position = loads(SMALL.replace("Ben:", f'"{word}":') + f'turn_order: ["{word}", Anna]\n')
    assert position.to_move == word
    assert loads(position.dump()) == position


def test_the_boards_are_numbered_as_in_the_box() -> None:
    old = loads(
        "edition: 2011\n"
        + SMALL.replace("d4", "c7").replace("c7", "a4").replace("board: 1", "board: 2")
    )
    new = loads(SMALL.replace("d4", "a4").replace("board: 1", "board: 10"))
    assert [p.board for p in old.players] == [p.board for p in new.players]


@pytest.mark.parametrize("stage", ["roll", "deal"])
def test_a_position_may_wait_for_chance(stage: str) -> None:
    text = SMALL.replace(", dice: [1, 2]", "").replace(", dice: [3, 4]", "") + f"turn: {stage}\n"
    assert loads(text).to_move == "chance"
    assert loads(text).actions() == []


def test_a_finished_game_is_read_with_its_final_score() -> None:
    text = SMALL.replace(", dice: [1, 2]", ", score: 99").replace(", dice: [3, 4]", "")
    text = text.replace("phase: A", "phase: E").replace("round: 1", "round: 5") + "turn: over\n"
    assert loads(text).to_move is None
    assert loads(text).scores() == {"Anna": 99, "Ben": 0}


MINES = "{d4: castle, e3: mine, f2: mine, g1: mine}"


def test_who_alone_has_filled_a_colour_holds_the_large_bonus() -> None:
    position = loads(changed("{d4: castle}", MINES, SMALL))
    assert position.players[0].large == {5}
    assert position.players[1].large == frozenset()


def test_who_filled_a_colour_second_holds_the_small_bonus_once_the_first_is_named() -> None:
    text = SMALL.replace("{d4: castle}", MINES)
    position = loads(changed("Ben: {", "Ben: {bonuses: {mine: large}, ", text))
    assert position.players[1].large == {5}
    assert position.players[0].small == {5}


def test_two_equal_buildings_may_share_a_city_with_monastery_1() -> None:
    city = "{d4: castle, e4: bank, e5: bank, c4: monastery 1}"
    assert loads(changed("{d4: castle}", city, SMALL))


def test_files_are_read_from_disk_and_named_in_faults(tmp_path: Path) -> None:
    path = tmp_path / "position.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.encode())
    position = load(path)
    assert isinstance(position, Position)
    path.write_text(changed("bank", "bnak"))
    with pytest.raises(
        PositionError, match=r"position\.yaml:6:15: depots\.1\.tiles\[1\]: .*'bank'"
    ):
        load(path)


@pytest.mark.parametrize("name", ["missing.yaml", ".", "nul\0.yaml"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PositionError) as refused:
        load(f"{tmp_path}/{name}")
    assert "; name a" in str(refused.value)


# --- One fault at a time: change, line and column, place, words of the message

FAULTS: Sequence[tuple[str, str, str, str, str]] = [
    # YAML
    ("[violet, brown]", "[violet, brown", "14:1", "", "close the list with ]"),
    ("{red: 2, violet: 1}", "{red: 2, violet: 1", "21:5", "", "close them with }"),
    ("    silver: 3", "\tsilver: 3", "19:1", "", "blanks instead of tabs"),
    ("    silver: 3", "  silver: 3", "20:10", "", "indent this line like its neighbours"),
    ("silver: 3", "silver:3", "20:5", "", "with a blank after the colon"),
    ("score: 41", 'score: "41', "34:1", "", "close the quotation mark"),
    ("score: 41", "score: 4\x01", "17:13", "", "#x0001 is not allowed; remove"),
    ("[ship, church]", '["\\e[31m"]', "22:15", "players.Anna.storage[1]", "#x001b"),
    ("score: 41", "score: !!int 41", "17:12", "players.Anna.score", "tags"),
    ("score: 41", "score: *one", "17:12", "players.Anna.score", "aliases (*one)"),
    ("game: burgundy", "[a]: 1\ngame: burgundy", "1:1", "", "a key is a word or a number"),
    ("turn_order: [Anna, Ben]", "...\n---\nphase: A", "34:1", "", "keep one position a file"),
    # Keys
    ("workers: 2", "worker: 2", "18:5", "players.Anna.worker", "did you mean 'workers'?"),
    ("goods: [red]", "god: [red]", "6:28", "depots.1.god", "did you mean 'goods'?"),
    ("  2: {tiles", "  7: {tiles", "7:3", "depots.7", "known keys: 1, 2, 3, 4, 5, 6, black"),
    ("turn_order", "turn_ordre", "33:1", "turn_ordre", "did you mean 'turn_order'?"),
    (
        "silver: 3",
        "silver: 3\n    silver: 4",
        "20:5",
        "players.Anna.silver",
        "duplicate key, first given in line 19",
    ),
    ("  Ben:", "  Anna:", "26:3", "players.Anna", "duplicate key, first given in line 15"),
    ("c3: bank", "c3: bank, c3: church", "23:46", "players.Anna.estate.c3", "duplicate key"),
    ("c3: bank", "c3: bank, C3: bank", "23:46", "players.Anna.estate.C3", "given twice"),
    ("{red: 2, violet: 1}", "{red: 2, 4: 1}", "20:21", "players.Anna.goods.4", "given twice"),
    (
        "    board: 1\n    score: 41",
        "    score: 41",
        "15:3",
        "players.Anna.board",
        "'board' is missing; add",
    ),
    ("    estate: {d4: castle}\n", "", "26:3", "players.Ben.estate", "'estate' is missing; add"),
    ("phase: B", "", "1:1", "phase", "'phase' is missing; add"),
    ("round: 3", "round:", "4:1", "round", "'round' is missing; add"),
    # Types
    ("score: 41", "score: many", "17:5", "players.Anna.score", "write a whole number"),
    ("score: 41", "score: 4.5", "17:5", "players.Anna.score", "write a whole number"),
    ("score: 41", "score: true", "17:5", "players.Anna.score", "write a whole number"),
    ("score: 41", "score: -1", "17:5", "players.Anna.score", "outside 0..999"),
    ("score: 41", "score: 99999", "17:5", "players.Anna.score", "outside 0..999"),
    ("sold: {brown: 3}", "sold: {brown: 8}", "21:12", "players.Anna.sold.brown", "outside 0..7"),
    ("sold: {brown: 3}", "sold: 3", "21:5", "players.Anna.sold", "such as {red: 2}"),
    ("tiles: [bank, ship]", "tiles: bank", "6:7", "depots.1.tiles", "in brackets, such as [bank]"),
    ("dice: [3, 5]", "dice: 3 5", "25:5", "players.Anna.dice", "in brackets, such as [3, 5]"),
    ("goods: [red]", "goods: [[red]]", "6:36", "depots.1.goods[1]", "is no goods colour"),
    (
        "board: 1\n    score: 41",
        "board: [1]\n    score: 41",
        "16:5",
        "players.Anna.board",
        "is no board",
    ),
    (
        "storage: [ship, church]",
        "storage: [ship, 3]",
        "22:21",
        "players.Anna.storage[2]",
        "3 is not a word",
    ),
    # Words
    ("game: burgundy", "game: chess", "1:1", "game", "the games are burgundy"),
    ("edition: 2019", "edition: 2018", "2:1", "edition", "write 2011 or 2019"),
    ("phase: B", "phase: F", "3:1", "phase", "write 'A', 'B', 'C', 'D' or 'E'"),
    ("round: 3", "round: 6", "4:1", "round", "outside 1..5"),
    ("[bank, ship]", "[bnak, ship]", "6:15", "depots.1.tiles[1]", "did you mean 'bank'?"),
    ("church]\n", "curch]\n", "22:21", "players.Anna.storage[2]", "did you mean 'church'?"),
    ("cattle 3", "cattle 5", "8:15", "depots.3.tiles[1]", "cattle 2, cattle 3, cattle 4"),
    ("cattle 3", "goat", "8:15", "depots.3.tiles[1]", "chicken 2, chicken 3, chicken 4"),
    ("monastery 9", "monastery 27", "10:21", "depots.5.tiles[2]", "monastery 1 to monastery 26"),
    ("goods: [red]", "goods: [blue]", "6:36", "depots.1.goods[1]", "turquoise, violet, pink, red"),
    ("[violet, brown]", "[violet, bron]", "13:25", "goods_to_come[2]", "did you mean 'brown'?"),
    ("{brown: 3}", "{bron: 3}", "21:12", "players.Anna.sold.bron", "did you mean 'brown'?"),
    ("d3: ship", "d8: ship", "23:26", "players.Anna.estate.d8", "d1..d7"),
    (
        "board: 1\n    score: 41",
        "board: 11\n    score: 41",
        "16:5",
        "players.Anna.board",
        "write 1, 2, 3",
    ),
    (
        "track: 1",
        "bonuses: {mine: big}",
        "24:15",
        "players.Anna.bonuses.mine",
        "write large or small",
    ),
    ("track: 1", "bonuses: {sea: small}", "24:15", "players.Anna.bonuses.sea", "building, animal"),
    ("track: 1", "track: 7", "24:5", "players.Anna.track", "outside 0..6"),
    # The estate
    (
        "c3: bank",
        "c3: pig 3",
        "23:36",
        "players.Anna.estate.c3",
        "pig 3 on a building cell; its cells on",
    ),
    ("c3: bank", "a4: m3", "23:5", "players.Anna.estate", "a4 not connected to the castle on d4"),
    (
        "{d4: castle}",
        "{d3: ship}",
        "31:5",
        "players.Ben.estate",
        "no castle; every estate begins with",
    ),
    (
        "{d4: castle}",
        "{d4: castle, e4: bank, E5: Bank}",
        "31:36",
        "players.Ben.estate.E5",
        "without monastery 1",
    ),
    (
        "track: 1",
        "bonuses: {mine: large}",
        "24:15",
        "players.Anna.bonuses.mine",
        "not filled all mine",
    ),
    # Storage, goods, dice
    (
        "[ship, church]",
        "[ship, church, bank, bank]",
        "22:5",
        "players.Anna.storage",
        "holds at most 3",
    ),
    (
        "{red: 2, violet: 1}",
        "{red: 1, violet: 1, pink: 1, 6: 1}",
        "20:5",
        "players.Anna.goods",
        "3 colours",
    ),
    ("dice: [3, 5]", "dice: [3, 7]", "25:15", "players.Anna.dice[2]", "outside 1..6"),
    ("dice: [3, 5]", "dice: [0, 5]", "25:12", "players.Anna.dice[1]", "outside 1..6"),
    ("dice: [3, 5]", "dice: [3]", "25:5", "players.Anna.dice", "a roll has two"),
    ("    dice: [3, 5]", "", "15:3", "players.Anna.dice", "add this round's roll"),
    # The box and the depots
    (
        "monastery 14]",
        "monastery 9]",
        "12:27",
        "depots.black[3]",
        "2 monastery 9 tiles in all; the box holds 1",
    ),
    ("monastery 9]", "monastery 14]", "12:27", "depots.black[3]", "the box holds 1"),
    (
        "{brown: 3}",
        "{brown: 7}",
        "21:12",
        "players.Anna.sold.brown",
        "8 brown goods in all; the box holds 7",
    ),
    (
        "[castle]",
        "[castle, castle]",
        "7:7",
        "depots.2.tiles",
        "room for 1; with 2 players in phase B",
    ),
    (
        "[castle]",
        "[castle, ship]",
        "7:7",
        "depots.2.tiles",
        "depot 2 holds one each of: monastery, castle",
    ),
    ("[ship, cattle 4,", "[ship, mine, bank, cattle 4,", "12:3", "depots.black", "holds 4"),
    ("[violet, brown]", "[violet, brown, red]", "13:1", "goods_to_come", "at most 2 can be left"),
    # Players and turns
    ("[Anna, Ben]", "[Ana, Ben]", "33:14", "turn_order[1]", "did you mean 'Anna'?"),
    ("[Anna, Ben]", "[Anna]", "33:1", "turn_order", "every player stands here once"),
    ("[Anna, Ben]", "[Anna, Anna]", "33:1", "turn_order", "every player stands here once"),
    (
        "turn_order",
        "next_order: [Ben, Anna]\nturn_order",
        "33:1",
        "next_order",
        "further on the track",
    ),
    (
        "turn_order",
        "turn: rol\nturn_order",
        "33:1",
        "turn",
        "write roll, deal, over or a turn such as",
    ),
    (
        "turn_order",
        "turn: 5\nturn_order",
        "33:1",
        "turn",
        "write roll, deal, over or a turn such as",
    ),
    ("turn_order", "turn: {player: Bn}\nturn_order", "33:8", "turn.player", "did you mean 'Ben'?"),
    (
        "turn_order",
        "turn: {player: Anna, dice: [4]}\nturn_order",
        "33:22",
        "turn.dice",
        "Anna rolled 3, 5",
    ),
    (
        "turn_order",
        "turn: {player: Anna, dice: [3, 3]}\nturn_order",
        "33:22",
        "turn.dice",
        "among these",
    ),
    (
        "turn_order",
        "turn: {player: Anna, dice: [3, 5, 5]}\nturn_order",
        "33:22",
        "turn.dice",
        "has two",
    ),
    (
        "turn_order",
        "turn: {player: Anna, bought: 3}\nturn_order",
        "33:22",
        "turn.bought",
        "true or false",
    ),
    (
        "turn_order",
        "turn: {player: Anna, pending: [bank]}\nturn_order",
        "33:32",
        "turn.pending[1]",
        "no effect",
    ),
    (
        "turn_order",
        "turn: {player: Ben, pending: [warehouse]}\nturn_order",
        "33:21",
        "turn.pending",
        "over already",
    ),
    ("turn_order", "expansions: [inns]\nturn_order", "33:14", "expansions[1]", "not supported yet"),
    ("turn_order", "mode: solo\nturn_order", "33:1", "mode", "not supported yet"),
]


@pytest.mark.parametrize(("old", "new", "at", "where", "words"), FAULTS)
def test_a_fault_is_found_with_its_place_and_remedy(
    old: str, new: str, at: str, where: str, words: str
) -> None:
    fault = only_fault(changed(old, new))
    assert (f"{fault.line}:{fault.column}", fault.where) == (at, where)
    assert words in fault.message
    assert str(fault) == ": ".join(filter(None, (f"p.yaml:{at}", where, fault.message)))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("White", "may not be called"),
        ("chance", "may not be called"),
        ("Ben 2", "ends in a number"),
        ("Ben2", "ends in a number"),
        ("ANNA", "too like 'Anna'"),
        (" Ben", "blanks at its ends"),
        ("", "empty"),
        ("B\u200bn", "cannot be printed"),
    ],
)
def test_a_name_that_could_be_misread_is_refused(name: str, words: str) -> None:
    fault = only_fault(SMALL.replace("Ben:", f'"{name}":'))
    assert (fault.line, fault.column) == (5, 3)
    assert words in fault.message


@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_game_is_for_two_to_four(count: int) -> None:
    seats = [f"  {name}: {{board: 1, estate: {{d4: castle}}, dice: [1, 2]}}\n" for name in "PQRST"]
    players = "players:\n" + "".join(seats[:count]) if count else "players: {}\n"
    fault = only_fault("phase: A\nround: 1\n" + players)
    assert (fault.line, fault.where) == (3, "players")
    assert "2 to 4" in fault.message


def test_who_filled_a_colour_first_must_be_said_where_it_does_not_follow() -> None:
    fault = only_fault(SMALL.replace("{d4: castle}", MINES))
    assert (fault.line, fault.where) == (4, "players.Anna")
    assert "add 'bonuses: {mine: large}'" in fault.message


@pytest.mark.parametrize("size", ["large", "small"])
def test_two_players_cannot_hold_the_same_bonus(size: str) -> None:
    text = SMALL.replace("{d4: castle}", f"{MINES}, bonuses: {{mine: {size}}}")
    fault = only_fault(text)
    assert fault.where == "players.Ben.bonuses.mine"
    assert "same mine bonus" in fault.message


def test_the_small_bonus_is_not_taken_before_the_large_one() -> None:
    text = changed("{d4: castle}", f"{MINES}, bonuses: {{mine: small}}", SMALL)
    assert "the first to fill a colour takes the large one" in only_fault(text).message


def test_dice_while_a_roll_is_awaited_are_refused_for_each_player() -> None:
    found = faults(SMALL + "turn: roll\n")
    assert [fault.where for fault in found] == ["players.Anna.dice", "players.Ben.dice"]


def test_a_deal_comes_before_round_1_and_with_empty_depots() -> None:
    text = (
        SMALL.replace(", dice: [1, 2]", "")
        .replace(", dice: [3, 4]", "")
        .replace("round: 1", "round: 2")
    )
    found = faults(text + "depots: {black: [ship]}\nturn: deal\n")
    assert [(fault.line, fault.where) for fault in found] == [(2, "round"), (6, "depots")]


def test_the_game_is_over_only_at_the_end() -> None:
    text = SMALL.replace(", dice: [1, 2]", "").replace(", dice: [3, 4]", "")
    assert "only in phase E, round 5" in only_fault(text + "turn: over\n").message


def test_castles_in_depots_leave_the_starting_castles_to_the_players() -> None:
    fault = only_fault(SMALL + f"removed: [{', '.join(['castle'] * 15)}]\n")
    assert (fault.line, fault.where) == (6, "removed[15]")
    assert "17 castle tiles in all; the box holds 16" in fault.message


@pytest.mark.parametrize("text", ["", "~", "5", "[]", "- a\n- b", "burgundy", "# nothing"])
def test_what_is_no_mapping_is_no_position(text: str) -> None:
    assert "this is no position; write keys such as" in only_fault(text).message


# --- All faults in one pass


def test_all_faults_of_a_file_are_found_in_one_pass() -> None:
    text = EXAMPLE
    for old, new in (
        ("phase: B", "phase: X"),
        ("round: 3", "round: 9"),
        ("[bank, ship]", "[bnak, shp]"),
        ("[pink, pink]", "[pnk, pink]"),
        ("[mine, monastery 9]", "[mine, monastery 99]"),
        ("[violet, brown]", "[violet, bron]"),
        ("workers: 2", "worker: 2"),
        ("silver: 3", "silver: 3\n    silver: 4"),
        ("{red: 2, violet: 1}", "{red: 1, violet: 1, pink: 1, orange: 1}"),
        ("[ship, church]", "[ship, church, ship, ship]"),
        ("d3: ship", "d9: ship"),
        ("c3: bank", "c3: pig 2"),
        ("dice: [3, 5]", "dice: [3, 8]"),
        ("score: 38", "score: !!int many"),
        ("estate: {d4: castle}", "estate: {d4: castle, a1: cattle 2}"),
        ("dice: [2, 2]", "dice: [2]"),
        ("[Anna, Ben]", "[Anna, Bn]\nturn: {player: An, dice: [3, 3, 3], pending: [bakn]}"),
    ):
        text = changed(old, new, text)
    found = [(fault.line, fault.where) for fault in faults(text)]
    assert found == [
        (3, "phase"),
        (4, "round"),
        (6, "depots.1.tiles[1]"),
        (6, "depots.1.tiles[2]"),
        (9, "depots.4.goods[1]"),
        (10, "depots.5.tiles[2]"),
        (13, "goods_to_come[2]"),
        (18, "players.Anna.worker"),
        (20, "players.Anna.silver"),
        (21, "players.Anna.goods"),
        (23, "players.Anna.storage"),
        (24, "players.Anna.estate.d9"),
        (24, "players.Anna.estate.c3"),
        (26, "players.Anna.dice[2]"),
        (29, "players.Ben.score"),
        (32, "players.Ben.estate"),
        (33, "players.Ben.dice"),
        (34, "turn_order[2]"),
        (35, "turn.player"),
        (35, "turn.dice"),
        (35, "turn.pending[1]"),
    ]


def test_items_behind_a_damaged_one_keep_their_places() -> None:
    items = ", ".join(["1", "2", "shp", "3", "4", "5", "6", "7", "8", "9", "10", "11", "bnak"])
    found = faults(SMALL + f"removed: [{items}]\n")
    assert [fault.where for fault in found] == [f"removed[{place}]" for place in range(1, 14)]
    assert "'ship'" in found[2].message
    assert "'bank'" in found[12].message


def test_the_second_of_two_equal_keys_does_not_move_the_faults_of_the_first() -> None:
    text = SMALL + "depots: {1: {tiles: [bnak]}}\ndepots: {1: {tiles: [ship]}}\n"
    found = [(fault.line, fault.where) for fault in faults(text)]
    assert found == [(6, "depots.1.tiles[1]"), (7, "depots")]


def test_a_hundred_faults_are_listed_and_the_others_counted() -> None:
    found = faults(SMALL + f"removed: [{', '.join(['x'] * 500)}]\n")
    assert len(found) == 101
    assert found[-1].message.startswith("and 400 more; ")


def test_a_turn_without_a_player_is_the_first_players() -> None:
    position = loads(EXAMPLE + "turn: {dice: [5]}\n")
    assert (position.to_move, position.dice) == ("Anna", (5,))
    assert loads(EXAMPLE + "turn: {bought: true}\n").bought


def test_a_tile_may_lie_where_its_back_does_not_belong() -> None:
    """The contract limits copies and slots; the back of a tile is not asked for."""
    text = EXAMPLE.replace("monastery 9]", "m7]").replace("monastery 14]", "cattle 2]")
    position = loads(text)
    assert position.apply("5 take monastery 7 from 5").apply("buy cattle 2 discard ship")


def test_a_position_at_the_limit_can_be_played_on_and_written() -> None:
    after = loads(EXAMPLE.replace("workers: 2", "workers: 999")).apply("3 workers")
    assert loads(after.dump()) == after


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("phase: A", "phase: A\nphase: B\nphase: C"),
        SMALL.replace("Anna:", "? [Anna]\n  :"),
        SMALL.replace("board: 1", "board: !!int 1"),
    ],
)
def test_faults_of_yaml_that_hide_nothing_are_reported_with_the_others(text: str) -> None:
    found = faults(text + "removed: [shp]\n")
    assert len(found) >= 2
    assert found[-1].where == "removed[1]"


# The JSON Schema agrees with the reader on every shipped position.


@pytest.mark.parametrize(
    "path", sorted((ROOT / "positions" / "burgundy").glob("*.yaml")), ids=lambda path: path.stem
)
def test_the_json_schema_accepts_every_shipped_position(path: Path) -> None:
    jsonschema.Draft202012Validator(json_schema()).validate(parse(path.read_text("utf-8")).data)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("bank, ship", "bnak, ship"),
        ("phase: B", "phase: F"),
        ("storage: [ship, church]", "storage: [ship, church, mine, ship]"),
        ("d3: ship", "z3: ship"),
        ("    silver: 3", "    sliver: 3"),
        ("goods: {red: 2", "goods: {rde: 2"),
        ("board: 1", "board: 77"),
        ("dice: [3, 5]", "dice: [3, 7]"),
    ],
)
def test_the_json_schema_refuses_typing_mistakes(right: str, wrong: str) -> None:
    text = (ROOT / "docs" / "example.yaml").read_text("utf-8")
    schema = jsonschema.Draft202012Validator(json_schema())
    assert not list(schema.iter_errors(parse(text).data))
    assert right in text
    assert list(schema.iter_errors(parse(text.replace(right, wrong, 1)).data))
