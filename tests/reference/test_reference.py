"""Tests of the reference engine: the box, whole random games, dice, purchases, flow and ties."""

import random
from collections import Counter

import pytest

from . import box
from .boards import board
from .engine import Game, new_game
from .tables import NAMES, table

REGION_SIZES = {
    1: "B5331 A51 K33 S33 C31 M3",
    2: "B5322 A42 K321 S222 C1111 M111",
    3: "B5511 A42 K6 S321 C1111 M21",
    4: "B552 A33 K33 S411 C1111 M21",
    5: "B33321 A33 K321 S321 C1111 M21",
    6: "B642 A42 K33 S6 C1111 M111",
    7: "B732 A33 K222 S222 C22 M111",
    8: "B222222 A6 K42 S111111 C1111 M21",
    9: "B66 A42 K3111 S42 C1111 M21",
    10: "B822 A42 K222 S222 C1111 M21",
}


# --- the box ---------------------------------------------------------------------------------


def test_box_holds_164_tiles_40_of_them_black() -> None:
    assert sum(colour + black for colour, black in box.TILE_COPIES.values()) == 164
    assert sum(black for _, black in box.TILE_COPIES.values()) == 40


def test_four_players_use_every_tile() -> None:
    used: Counter[str] = Counter({"castle": 4})
    for phase in box.PHASES:
        for slots in box.depot_slots(4, phase).values():
            used.update(slots)
    for colour in box.COLOURS.values():
        tiles = [tile for tile in box.TILE_COPIES if box.TILE_COLOUR[tile] == colour]
        assert used[colour] == sum(box.TILE_COPIES[tile][0] for tile in tiles)
    assert box.BLACK_SLOTS[4] * 5 == 40


@pytest.mark.parametrize("number", box.BOARD_ROWS)
def test_region_sizes(number: int) -> None:
    printed = board(2019, number)
    found = []
    for letter, colour in box.COLOURS.items():
        sizes = sorted(len(r) for r in {printed.region[c] for c in printed.cells_of[colour]})
        found.append(letter + "".join(str(size) for size in reversed(sizes)))
    assert " ".join(found) == REGION_SIZES[number]
    assert len(printed.colour) == 37


def test_board_numbers_by_edition() -> None:
    assert board(2011, 2).colour == board(2019, 10).colour
    with pytest.raises(ValueError, match="no board 10"):
        board(2011, 10)


def test_neighbours() -> None:
    assert set(board(2019, 1).neighbours["d4"]) == {"c3", "c4", "d3", "d5", "e3", "e4"}
    assert set(board(2019, 1).neighbours["a1"]) == {"a2", "b1", "b2"}


# --- whole games -----------------------------------------------------------------------------


def start(players: int, edition: int, rng: random.Random) -> Game:
    numbers = [rng.choice(list(box.BOARDS_BY_EDITION[edition])) for _ in range(players)]
    castles = [rng.choice(board(edition, n).cells_of["castle"]) for n in numbers]
    return new_game(list(NAMES[:players]), numbers, edition, castles, rng)


def chance_text(game: Game, rng: random.Random) -> str:
    return game.random_roll(rng) if game.position.turn == "roll" else game.random_deal(rng)


def check_conservation(game: Game) -> None:
    position = game.position
    players = len(position.players)
    slots = sum(len(s) for s in box.depot_slots(players, "A").values()) + box.BLACK_SLOTS[players]
    deals = box.PHASES.index(position.phase) + (position.turn != "deal")
    tiles = Counter(position.tiles_in_sight())
    assert tiles.total() == players + deals * slots
    assert all(tiles[tile] <= sum(box.TILE_COPIES[tile]) for tile in tiles)
    goods = Counter(position.goods_in_sight())
    assert goods.total() == 3 * players + 5 * deals
    assert all(goods[colour] <= 7 for colour in goods)
    assert len(position.goods_to_come) == (
        0 if position.turn == "deal" else 5 - position.round + (position.turn == "roll")
    )
    for player in position.players.values():
        assert len(player.storage) <= 3
        assert len(player.goods) <= 3
        assert player.workers >= 0
        assert player.silver >= 0
        for cell, tile in player.estate.items():
            assert player.board.colour[cell] == box.TILE_COLOUR[tile]
        assert player.track == player.count("ship")


@pytest.mark.parametrize("edition", [2011, 2019])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_random_games(seed: int, players: int, edition: int) -> None:
    rng = random.Random(f"{seed} {players} {edition}")
    game = start(players, edition, rng)
    while game.to_move is not None:
        if game.to_move == "chance":
            assert game.legal() == []
            game.apply(chance_text(game, rng))
        else:
            legal = game.legal()
            assert legal
            assert legal == sorted(set(legal))
            # Placing and taking more often than chance would makes the games go deeper.
            deep = [text for text in legal if " place " in text or text.startswith("place")]
            game.apply(rng.choice(deep if deep and rng.random() < 0.7 else legal))
        check_conservation(game)
        again = Game.from_dict(game.to_dict())
        assert again.to_dict() == game.to_dict()
        assert again.legal() == game.legal()
    assert (game.position.phase, game.position.round) == ("E", 5)
    assert game.legal() == []
    assert game.winner() in game.scores()


@pytest.mark.parametrize("edition", [2011, 2019])
def test_from_dict_continues_equally(edition: int) -> None:
    rng = random.Random(edition)
    game = start(3, edition, rng)
    while game.to_move is not None:
        chance = game.to_move == "chance"
        text = chance_text(game, rng) if chance else rng.choice(game.legal())
        again = Game.from_dict(game.to_dict())
        game.apply(text)
        again.apply(text)
        assert again.to_dict() == game.to_dict()


def test_set_up() -> None:
    game = new_game(["Anna", "Ben", "Cara"], [1, 2, 10], 2019, ["d4", "a4", "g1"], random.Random(1))
    d = game.to_dict()
    assert d["turn"] == "deal"
    assert (d["phase"], d["round"]) == ("A", 1)
    assert d["turn_order"] == d["next_order"] == ["Anna", "Ben", "Cara"]
    assert [p["workers"] for p in d["players"].values()] == [1, 2, 3]
    assert [p["silver"] for p in d["players"].values()] == [1, 1, 1]
    assert [sum(p["goods"].values()) for p in d["players"].values()] == [3, 3, 3]
    assert d["players"]["Cara"]["estate"] == {"g1": "castle"}
    with pytest.raises(ValueError, match="no castle cell"):
        new_game(["Anna", "Ben"], [1, 1], 2019, ["d4", "d5"], random.Random(1))


# --- dice ------------------------------------------------------------------------------------


def test_die_actions_and_worker_costs() -> None:
    game = table(
        anna={"workers": 1, "goods": {"pink": 1, "red": 2}, "storage": ["ship"]},
        tiles={3: ["bank", "bank"], 4: ["mine"], 5: ["castle"], 1: ["ship"], 6: ["pig 4"]},
    )
    assert game.legal() == sorted(
        [
            "3 take bank from 3", "3>4 take mine from 4", "5 take castle from 5",
            "5>4 take mine from 4", "5>6 take pig 4 from 6",
            "3>2 place ship d3", "5 place ship d5",
            "3 sell pink", "3>4 sell red", "5>4 sell red", "3 workers", "5 workers",
        ]
    )  # fmt: skip
    game.apply("5>4 sell red")
    d = game.to_dict()["players"]["Anna"]
    assert (d["workers"], d["silver"], d["score"], d["sold"]) == (0, 1, 4, {"red": 2})
    assert game.to_dict()["turn"]["dice"] == [3]


def test_six_and_one_are_neighbours() -> None:
    game = table(anna={"workers": 2}, dice=[2], tiles={6: ["mine"]})
    game.apply("2>6 take mine from 6")
    assert game.position.players["Anna"].workers == 0
    assert game.legal() == ["end"]


def test_equal_dice_give_one_action_and_end_needs_both_used() -> None:
    game = table(dice=[2, 2])
    assert game.legal() == ["2 workers"]
    game.apply("2 workers")
    assert game.legal() == ["2 workers"]
    game.apply("2 workers")
    assert game.legal() == ["end"]
    assert game.position.players["Anna"].workers == 4


def test_illegal_texts_are_refused() -> None:
    game = table()
    for text in ("4 workers", "end", "skip", "3 take ship from 3", "roll Anna 1 1 Ben 1 1 white 1"):
        with pytest.raises(ValueError, match="not legal now"):
            game.apply(text)


def test_full_storage_must_discard() -> None:
    game = table(
        anna={"storage": ["mine", "castle", "mine"]}, dice=[3], tiles={3: ["mine", "bank"]}
    )
    assert [text for text in game.legal() if "take" in text] == [
        "3 take bank from 3 discard castle",
        "3 take bank from 3 discard mine",
        "3 take mine from 3 discard castle",
        "3 take mine from 3 discard mine",
    ]
    game.apply("3 take mine from 3 discard castle")
    assert game.to_dict()["players"]["Anna"]["storage"] == ["mine", "mine", "mine"]
    assert game.to_dict()["removed"] == ["castle"]


def test_placing_needs_colour_and_neighbour() -> None:
    game = table(anna={"storage": ["castle", "pig 2"], "workers": 9})
    assert not [text for text in game.legal() if "place" in text]


# --- purchases -------------------------------------------------------------------------------


def test_one_purchase_per_turn() -> None:
    game = table(anna={"silver": 4}, dice=[], black=["mine", "mine", "ship"])
    assert game.legal() == ["buy mine", "buy ship", "end"]
    game.apply("buy mine")
    assert game.legal() == ["end"]
    d = game.to_dict()
    assert d["players"]["Anna"]["silver"] == 2
    assert d["turn"]["bought"] is True
    assert d["depots"]["black"] == ["mine", "ship"]


def test_purchase_needs_two_silver_and_discards_from_full_storage() -> None:
    assert table(anna={"silver": 1}, dice=[], black=["mine"]).legal() == ["end"]
    game = table(anna={"silver": 2, "storage": ["ship"] * 3}, dice=[], black=["mine"])
    assert game.legal() == ["buy mine discard ship", "end"]


@pytest.mark.parametrize("effect", ["castle", "city hall", "church", "warehouse", "ship"])
def test_purchase_while_an_effect_is_pending(effect: str) -> None:
    for edition in (2011, 2019):
        game = table(
            edition=edition, pending=[effect], black=["mine"], tiles={2: ["castle"]},
            goods={1: ["red"]}, anna={"silver": 2, "goods": {"pink": 1}, "storage": ["ship"]},
        )  # fmt: skip
        may_buy = edition == 2019 and effect in ("castle", "city hall")
        assert ("buy mine" in game.legal()) is may_buy


# --- ships and the turn-order track ----------------------------------------------------------


def test_load_takes_owned_and_fitting_colours() -> None:
    game = table(
        pending=["ship"], anna={"goods": {"turquoise": 1, "red": 1}},
        goods={4: ["turquoise", "pink", "brown", "pink"], 2: ["red"]},
    )  # fmt: skip
    assert game.legal() == ["load 2", "load 4 keep brown", "load 4 keep pink", "skip"]
    game.apply("load 4 keep pink")
    d = game.to_dict()
    assert d["players"]["Anna"]["goods"] == {"turquoise": 2, "red": 1, "pink": 2}
    assert d["depots"][4]["goods"] == ["brown"]
    assert d["turn"]["pending"] == []


def test_load_without_room_takes_owned_colours_only() -> None:
    held = {"red": 1, "pink": 1, "brown": 1}
    game = table(
        pending=["ship"], anna={"goods": held}, goods={1: ["red", "orange"], 2: ["orange"]}
    )
    assert game.legal() == ["load 1", "skip"]
    game.apply("load 1")
    assert game.to_dict()["depots"][1]["goods"] == ["orange"]


def test_no_skip_when_every_depot_gives() -> None:
    game = table(pending=["ship"], goods={n: ["red"] for n in range(1, 7)})
    assert game.legal() == [f"load {n}" for n in range(1, 7)]


def test_keep_names_are_in_die_order() -> None:
    game = table(
        pending=["ship"], anna={"goods": {"red": 1}}, goods={1: ["orange", "pink", "turquoise"]}
    )
    assert game.legal() == [
        "load 1 keep pink, orange", "load 1 keep turquoise, orange",
        "load 1 keep turquoise, pink", "skip",
    ]  # fmt: skip


def test_ship_moves_the_marker_and_waits_only_for_goods() -> None:
    game = table(anna={"storage": ["ship", "ship"]}, dice=[2, 5])
    game.apply("2 place ship d3")
    d = game.to_dict()
    assert d["turn"]["pending"] == []
    assert d["players"]["Anna"]["track"] == 1
    game = table(anna={"storage": ["ship"]}, dice=[2, 5], goods={6: ["red"]})
    game.apply("2 place ship d3")
    d = game.to_dict()
    assert d["turn"]["pending"] == ["ship"]
    assert d["players"]["Anna"]["track"] == 1
    assert game.legal() == ["load 6", "skip"]


def test_markers_stack_with_the_last_arrival_on_top() -> None:
    game = table(
        players=4,
        round_number=2,
        goods_to_come=["red", "red", "red"],
        turn="roll",
        anna={"storage": ["ship"]},
        ben={"storage": ["ship"]},
    )
    game.apply("roll Anna 2 5 Ben 2 5 Cara 1 1 Dan 1 1 white 1")
    game.apply("2 place ship d3")
    game.apply("skip")
    game.apply("5 workers")
    assert game.to_dict()["next_order"] == ["Anna", "Ben", "Cara", "Dan"]
    game.apply("end")
    game.apply("5 place ship d5")
    game.apply("load 1")
    assert game.to_dict()["next_order"] == ["Ben", "Anna", "Cara", "Dan"]
    assert game.to_dict()["turn_order"] == ["Anna", "Ben", "Cara", "Dan"]
    game.apply("2 workers")
    game.apply("end")
    assert game.to_move == "Cara"
    for _ in range(2):
        game.apply("1 workers")
        game.apply("1 workers")
        game.apply("end")
    assert game.to_dict()["turn_order"] == ["Ben", "Anna", "Cara", "Dan"]
    assert game.to_dict()["turn"] == "roll"
    assert game.to_dict()["round"] == 3


def test_marker_passes_others_but_not_those_ahead() -> None:
    game = table(
        players=3,
        anna={"storage": ["ship"], "track": 0},
        ben={"track": 2},
        dice=[2],
        next_order=["Ben", "Cara", "Anna"],
    )
    game.apply("2 place ship d3")
    assert game.to_dict()["next_order"] == ["Ben", "Anna", "Cara"]


# --- regions, bonuses, phases, the end -------------------------------------------------------


def test_region_points_and_phase_points() -> None:
    game = table(anna={"storage": ["bank"]}, dice=[3], phase="C")
    game.apply("3 place bank c3")
    assert game.scores()["Anna"] == 1 + 6


@pytest.mark.parametrize(("players", "large", "small"), [(2, 5, 2), (3, 6, 3), (4, 7, 4)])
def test_colour_bonuses(players: int, large: int, small: int) -> None:
    mines = {"d4": "castle", "e3": "mine", "f2": "mine"}
    for others, bonus, points in (({}, "large", large), ({"mine": "large"}, "small", small)):
        game = table(
            players=players,
            anna={"storage": ["mine"], "estate": mines},
            dice=[3],
            ben={"bonuses": others},
            phase="E",
        )
        game.apply("3 place mine g1")
        assert game.to_dict()["players"]["Anna"]["bonuses"] == {"mine": bonus}
        assert game.scores()["Anna"] == 6 + 2 + points


def test_third_player_gets_no_bonus() -> None:
    game = table(
        players=3,
        anna={
            "storage": ["mine"],
            "bonuses": {},
            "estate": {"d4": "castle", "e3": "mine", "f2": "mine"},
        },
        dice=[3],
    )
    game.position.players["Ben"].bonuses["mine"] = "large"
    game.position.players["Cara"].bonuses["mine"] = "small"
    game.apply("3 place mine g1")
    assert game.position.players["Anna"].bonuses == {}


def test_start_castle_counts_for_the_colour() -> None:
    estate = {"d4": "castle", "b3": "castle", "a3": "castle"}
    game = table(anna={"storage": ["castle"], "estate": estate}, dice=[5], phase="A")
    game.apply("5 place castle a2")
    assert game.position.players["Anna"].bonuses == {"castle": "large"}
    assert game.scores()["Anna"] == 6 + 10 + 5


def test_animals_of_a_species_score_again_in_their_pasture() -> None:
    estate = {"d4": "castle", "c3": "bank", "c2": "cattle 3", "b1": "sheep 2", "e6": "cattle 2"}
    game = table(anna={"storage": ["cattle 4"], "estate": estate}, dice=[1])
    game.apply("1 place cattle 4 b2")
    assert game.scores()["Anna"] == 7


def test_end_of_phase_pays_mines_and_clears_hex_tiles() -> None:
    game = table(
        round_number=5, dice=[], tiles={1: ["bank"]}, black=["ship"], goods={2: ["red"]},
        anna={"estate": {"d4": "castle", "e3": "mine", "f2": "mine"}},
        next_order=["Ben", "Anna"],
    )  # fmt: skip
    game.apply("end")
    game.apply("1 workers")
    game.apply("1 workers")
    game.apply("end")
    d = game.to_dict()
    assert (d["phase"], d["round"], d["turn"]) == ("C", 1, "deal")
    assert d["turn_order"] == ["Ben", "Anna"]
    assert d["players"]["Anna"]["silver"] == 2
    assert d["removed"] == ["bank", "ship"]
    assert d["depots"]["black"] == []
    assert d["depots"][1]["tiles"] == []
    assert d["depots"][2]["goods"] == ["red"]


def test_end_of_game_keeps_the_table() -> None:
    game = table(
        phase="E", round_number=5, dice=[], tiles={1: ["bank"]}, black=["ship"],
        anna={"estate": {"d4": "castle", "e3": "mine"}, "workers": 3, "goods": {"red": 2},
              "silver": 1, "score": 10, "storage": ["mine"]},
        next_order=["Ben", "Anna"],
    )  # fmt: skip
    for text in ("end", "1 workers", "1 workers", "end"):
        game.apply(text)
    d = game.to_dict()
    assert (d["phase"], d["round"], d["turn"]) == ("E", 5, "over")
    assert d["turn_order"] == ["Anna", "Ben"]
    assert d["depots"][1]["tiles"] == ["bank"]
    assert d["players"]["Anna"]["silver"] == 2
    assert d["players"]["Anna"]["workers"] == 3
    assert game.scores() == {"Anna": 10 + 2 + 2 + 1, "Ben": 2}
    assert game.to_move is None
    assert game.winner() == "Anna"


def test_ties() -> None:
    more = {"d4": "castle", "e3": "mine"}
    for edition, winner in ((2011, "Anna"), (2019, "Ben")):
        game = table(
            turn="over",
            edition=edition,
            phase="E",
            round_number=5,
            anna={"score": 50, "estate": more},
            ben={"score": 50},
        )
        assert game.winner() == winner
    for order in (["Anna", "Ben"], ["Ben", "Anna"]):
        game = table(turn="over", phase="E", round_number=5, next_order=order)
        assert game.winner() == order[-1]
