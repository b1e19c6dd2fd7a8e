"""Tests of the reference engine: every building, the castle, every monastery."""

import pytest

from .engine import Game
from .tables import table


def takes(game: Game) -> list[str]:
    return [text for text in game.legal() if "take " in text]


def placed(building: str, **more: object) -> Game:
    """Anna has just placed a building on c3."""
    anna = {"storage": [building], **more.pop("anna", {})}  # type: ignore[dict-item]
    game = table(anna=anna, dice=[3, 6], phase="E", **more)  # type: ignore[arg-type]
    game.apply(f"3 place {building} c3")
    return game


# --- buildings -------------------------------------------------------------------------------

SHELF = {1: ["bank", "ship"], 2: ["castle", "monastery 3"], 5: ["mine", "pig 2"]}


@pytest.mark.parametrize(
    ("building", "options"),
    [
        ("carpenter", ["take bank from 1"]),
        ("church", ["take castle from 2", "take mine from 5", "take monastery 3 from 2"]),
        ("market", ["take pig 2 from 5", "take ship from 1"]),
    ],
)
def test_taking_buildings(building: str, options: list[str]) -> None:
    game = placed(building, tiles=SHELF, black=["bank", "mine", "ship"], anna={"silver": 5})
    assert game.legal() == sorted([*options, "skip"])
    game.apply(options[0])
    assert len(game.position.players["Anna"].storage) == 1
    assert game.to_dict()["turn"]["pending"] == []
    game = placed(building, black=["bank", "mine", "ship"])
    assert game.to_dict()["turn"]["pending"] == []


def test_warehouse() -> None:
    game = placed("warehouse", anna={"goods": {"red": 3, "pink": 1}})
    assert game.legal() == ["sell pink", "sell red", "skip"]
    before = game.scores()["Anna"]
    game.apply("sell red")
    assert game.scores()["Anna"] == before + 6
    assert game.position.players["Anna"].silver == 1
    assert placed("warehouse").to_dict()["turn"]["pending"] == []


def test_buildings_without_choice() -> None:
    assert placed("watchtower").scores()["Anna"] == 4 + 3
    assert placed("boarding house").position.players["Anna"].workers == 4
    assert placed("bank").position.players["Anna"].silver == 2
    assert placed("bank").scores()["Anna"] == 3
    # The boarding house is not the action of taking workers.
    game = placed("boarding house", monasteries=(13, 14))
    assert (game.position.players["Anna"].workers, game.position.players["Anna"].silver) == (4, 0)


def test_city_hall_places_without_die_and_chains() -> None:
    game = table(anna={"storage": ["city hall", "castle", "ship"]}, dice=[3], edition=2011)
    game.apply("3 place city hall c3")
    assert game.legal() == ["place castle b3", "place ship d3", "place ship d5", "skip"]
    game.apply("place castle b3")
    assert game.to_dict()["turn"]["pending"] == ["castle"]
    assert game.legal() == ["* place ship d3", "* place ship d5", "* workers"]


def test_city_hall_waits_for_a_purchase_in_2019_only() -> None:
    for edition, pending in ((2011, []), (2019, ["city hall"])):
        game = placed("city hall", edition=edition, anna={"silver": 2}, black=["pig 4", "mine"])
        assert game.to_dict()["turn"]["pending"] == pending
    assert game.legal() == ["buy mine", "buy pig 4", "skip"]
    game.apply("buy pig 4")
    assert game.to_dict()["turn"]["pending"] == ["city hall"]
    game = table(pending=["city hall"], anna={"silver": 2}, black=["pig 4", "mine"])
    game.apply("buy pig 4")  # no neighbour cell for animals: over
    assert game.to_dict()["turn"]["pending"] == []
    game = table(pending=["city hall"], anna={"silver": 2}, black=["pig 4", "mine"])
    game.apply("buy mine")
    assert game.legal() == ["place mine e3", "skip"]


def test_skip_ends_an_effect() -> None:
    game = placed("carpenter", tiles=SHELF)
    game.apply("skip")
    assert game.to_dict()["turn"]["pending"] == []
    assert "6 workers" in game.legal()


def test_castle_is_a_free_die() -> None:
    game = table(
        pending=["castle"], dice=[4],
        tiles={1: ["ship"], 6: ["mine"]}, black=["bank"], monasteries=(11, 12),
        anna={"silver": 2, "goods": {"orange": 1}, "storage": ["mine"]},
    )  # fmt: skip
    assert game.legal() == [
        "* place mine e3", "* sell orange", "* take mine from 6", "* take ship from 1",
        "* workers", "buy bank",
    ]  # fmt: skip
    game.apply("buy bank")
    assert game.to_dict()["turn"]["pending"] == ["castle"]
    game.apply("* take mine from 6")
    assert game.to_dict()["turn"] == {
        "player": "Anna", "dice": [4], "bought": True, "pending": [],
    }  # fmt: skip


def test_free_die_with_full_storage() -> None:
    game = table(pending=["castle"], tiles={1: ["ship"]}, anna={"storage": ["pig 2"] * 3})
    assert takes(game) == ["* take ship from 1 discard pig 2"]
    game = table(pending=["market"], tiles={1: ["ship"]}, anna={"storage": ["pig 2"] * 3})
    assert game.legal() == ["skip", "take ship from 1 discard pig 2"]


def test_pending_stack_resolves_last_first() -> None:
    game = table(pending=["warehouse", "castle"], anna={"goods": {"red": 1}})
    game.apply("* sell red")  # nothing is left for the warehouse
    assert game.to_dict()["turn"]["pending"] == []


def test_pending_without_option_is_refused() -> None:
    with pytest.raises(ValueError, match="has no option"):
        table(pending=["warehouse"])


# --- monasteries -----------------------------------------------------------------------------


def test_monastery_1_allows_equal_buildings() -> None:
    estate = {"d4": "castle", "e4": "bank"}
    for monasteries, cells in (((), ["c3"]), ((1,), ["c3", "c5", "e5", "f4"])):
        game = table(
            anna={"estate": estate, "storage": ["bank"], "workers": 9},
            dice=[3],
            monasteries=monasteries,
        )
        assert sorted(t[-2:] for t in game.legal() if "place" in t) == cells


def test_monastery_2_pays_workers() -> None:
    estate = {"d4": "castle", "e3": "mine", "f2": "mine"}
    game = table(round_number=5, dice=[], anna={"estate": estate}, monasteries=(2,))
    for text in ("end", "1 workers", "1 workers", "end"):
        game.apply(text)
    anna = game.position.players["Anna"]
    assert (anna.silver, anna.workers) == (2, 2)


def test_monasteries_3_and_4_with_sales() -> None:
    for die, text in (([4], "4 sell red"), ([], "sell red")):
        pending = [] if die else ["warehouse"]
        game = table(dice=die, pending=pending, anna={"goods": {"red": 2}}, monasteries=(3, 4))
        game.apply(text)
        anna = game.position.players["Anna"]
        assert (anna.silver, anna.workers, anna.score) == (2, 1, 4)


def test_monastery_5_loads_two_neighbours() -> None:
    game = table(pending=["ship"], goods={1: ["red"], 2: ["pink"], 6: ["red"]}, monasteries=(5,))
    assert game.legal() == [
        "load 1", "load 1 then 2", "load 1 then 6", "load 2", "load 6", "skip",
    ]  # fmt: skip
    game.apply("load 1 then 6")
    assert game.position.players["Anna"].goods == {"red": 2}


def test_monastery_5_keeps_in_each_half() -> None:
    game = table(
        pending=["ship"], monasteries=(5,), anna={"goods": {"violet": 1, "turquoise": 1}},
        goods={4: ["red", "brown"], 5: ["pink", "red"]},
    )  # fmt: skip
    assert game.legal() == [
        "load 4 keep brown",
        "load 4 keep red",
        "load 4 keep red then 5",  # the same as `load 5 keep red then 4`
        "load 5 keep pink",
        "load 5 keep red",
        "skip",
    ]
    game = table(
        pending=["ship"],
        monasteries=(5,),
        anna={"goods": {"violet": 1}},
        goods={4: ["red"], 5: ["pink", "orange"]},
    )
    assert game.legal() == [
        "load 4", "load 4 then 5 keep orange", "load 4 then 5 keep pink", "load 5", "skip",
    ]  # fmt: skip


def test_monastery_6_by_edition() -> None:
    for edition, workers, expected in (
        (2011, 2, ["buy castle from 2", "buy mine"]),
        (2019, 0, ["buy castle from 2", "buy mine"]),
        (2019, 2, ["buy castle from 2", "buy castle from 2 with workers", "buy mine",
                   "buy mine with workers"]),
    ):  # fmt: skip
        game = table(
            edition=edition,
            dice=[],
            black=["mine"],
            tiles={2: ["castle"]},
            anna={"silver": 2, "workers": workers},
            monasteries=(6,),
        )
        assert game.legal() == [*expected, "end"]
    game = table(
        dice=[],
        tiles={2: ["castle"]},
        anna={"workers": 2, "storage": ["mine"] * 3},
        monasteries=(6,),
    )
    assert game.legal() == ["buy castle from 2 with workers discard mine", "end"]
    game.apply("buy castle from 2 with workers discard mine")
    assert game.position.players["Anna"].workers == 0
    assert game.to_dict()["depots"][2]["tiles"] == []


def test_monastery_7_scores_per_tile() -> None:
    estate = {"d4": "castle", "c3": "bank", "c2": "sheep 4"}
    game = table(
        anna={"storage": ["sheep 3", "pig 2"], "estate": estate}, dice=[1, 5], monasteries=(7,)
    )
    game.apply("1 place sheep 3 b2")
    assert game.scores()["Anna"] == 9
    game.apply("5 place pig 2 c1")
    assert game.scores()["Anna"] == 12


def test_monastery_8_changes_a_die_by_two_per_worker() -> None:
    game = table(anna={"workers": 2}, dice=[3], tiles={6: ["mine"]}, monasteries=(8,))
    game.apply("3>6 take mine from 6")
    assert game.position.players["Anna"].workers == 0
    game = table(
        anna={"workers": 1}, dice=[3], tiles={n: ["mine"] for n in range(1, 7)}, monasteries=(8,)
    )
    assert [text[-1] for text in takes(game)] == ["3", "1", "2", "4", "5"]


@pytest.mark.parametrize(
    ("monastery", "tile", "cell", "value"),
    [
        (9, "bank", "c3", 3),
        (10, "ship", "d3", 2),
        (10, "pig 2", "b2", 1),
        (11, "castle", "b3", 6),
        (11, "mine", "e3", 4),
        (11, "monastery 22", "b4", 5),
    ],
)
def test_monasteries_9_to_11_give_a_free_step(
    monastery: int, tile: str, cell: str, value: int
) -> None:
    die = value % 6 + 1
    estate = {"d4": "castle", "c5": "church"}
    if tile in ("castle", "pig 2"):
        estate["c3"] = "market"
    for number, legal in ((monastery, True), (12, False), (9 if monastery != 9 else 10, False)):
        game = table(anna={"storage": [tile], "estate": estate}, dice=[die], monasteries=(number,))
        assert (f"{die}>{value} place {tile} {cell}" in game.legal()) is legal
    far = (value + 2) % 6 + 1  # three steps away
    for others, workers in (((), 2), ((8,), 1)):
        game = table(
            anna={"storage": [tile], "estate": estate, "workers": workers},
            dice=[far],
            monasteries=(monastery, *others) if cell != "b4" else (monastery,),
        )
        if others and cell == "b4":
            continue
        game.apply(f"{far}>{value} place {tile} {cell}")
        assert game.position.players["Anna"].workers == 0


def test_monastery_12_gives_a_free_step_for_taking_only() -> None:
    game = table(
        dice=[3],
        monasteries=(12,),
        tiles={n: ["mine"] for n in range(1, 7)},
        anna={"goods": {"violet": 1}, "storage": ["mine"]},
    )
    assert game.legal() == [
        "3 take mine from 3", "3 workers", "3>2 take mine from 2", "3>4 take mine from 4",
    ]  # fmt: skip


def test_monasteries_13_and_14_with_the_action_of_taking_workers() -> None:
    for pending, text in (([], "3 workers"), (["castle"], "* workers")):
        for monasteries, expected in (
            ((), (2, 0)), ((13,), (2, 1)), ((14,), (4, 0)), ((13, 14), (4, 1)),
        ):  # fmt: skip
            game = table(pending=pending, monasteries=monasteries)
            game.apply(text)
            anna = game.position.players["Anna"]
            assert (anna.workers, anna.silver) == expected


def final_score(edition: int, monastery: int, **anna: object) -> int:
    game = table(
        edition=edition, phase="E", round_number=5, dice=[], monasteries=(monastery,), anna=anna
    )
    for text in ("end", "1 workers", "1 workers", "end"):
        game.apply(text)
    return game.scores()["Anna"]


def test_monasteries_15_and_25_count_sold_goods() -> None:
    sold = {"red": 4, "violet": 3, "pink": 3, "orange": 1}
    assert final_score(2011, 15, sold=sold) == 12
    assert final_score(2019, 15, sold=sold) == 8
    assert final_score(2019, 25, sold=sold, goods={"brown": 2}) == 11 + 2


BUILDINGS = {
    16: "warehouse", 17: "watchtower", 18: "carpenter", 19: "church", 20: "market",
    21: "boarding house", 22: "bank", 23: "city hall",
}  # fmt: skip


@pytest.mark.parametrize("monastery", BUILDINGS)
def test_monasteries_16_to_23_count_buildings(monastery: int) -> None:
    for counted, building in BUILDINGS.items():
        estate = {"d4": "castle", "c3": building, "e4": building}
        expected = 8 if counted == monastery else 0
        assert final_score(2019, monastery, estate=estate) == expected


def test_monastery_24_counts_species() -> None:
    estate = {
        "d4": "castle",
        "c3": "bank",
        "c2": "sheep 2",
        "b2": "sheep 3",
        "b1": "cattle 2",
        "e6": "chicken 3",
    }
    assert final_score(2019, 24, estate=estate) == 12


def test_monastery_26_counts_bonus_tiles() -> None:
    bonuses = {"mine": "large", "ship": "small"}
    assert final_score(2011, 26, bonuses=bonuses) == 4
    assert final_score(2019, 26, bonuses=bonuses) == 6


def test_a_monastery_works_for_the_second_die_of_the_turn() -> None:
    game = table(dice=[1, 3], anna={"storage": ["monastery 14"]})
    game.apply("1 place monastery 14 c4")
    game.apply("3 workers")
    assert game.position.players["Anna"].workers == 4
