"""The words said of a position and its actions, and that the prices in them are the kernel's."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components, prose
from advisor.games.burgundy.actions import fields
from advisor.games.burgundy.model import Position

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "positions" / "burgundy").glob("*.yaml"))
LONGEST_WALK = 160

PAGE = """
phase: B
round: 3
depots:
  1: {tiles: [ship, bank], goods: [red, orange]}
  2: {tiles: [castle], goods: [pink]}
  5: {tiles: [mine, monastery 7]}
  black: [ship, cattle 4]
goods_to_come: [violet, brown]
players:
  Anna:
    board: 1
    workers: 4
    silver: 3
    goods: {red: 2, violet: 1}
    storage: %(storage)s
    estate: %(estate)s
    dice: %(dice)s
  Ben: {board: 1, estate: {d4: castle}, dice: [2, 2]}
turn_order: [Anna, Ben]
"""


def position(
    storage: str = "[]", estate: str = "{d4: castle}", dice: str = "[3, 5]", more: str = ""
) -> Position:
    """Return a position in which Anna decides."""
    text = PAGE % {"storage": storage, "estate": estate, "dice": dice} + more
    found: Any = advisor.loads(text)
    return found


def example() -> Position:
    found: Any = advisor.load(ROOT / "docs" / "example.yaml")
    return found


def tile(name: str) -> int:
    return components.tile_numbers()[name]


def with_monasteries(position: Position, *numbers: int) -> Position:
    """Return a position whose deciding player owns monasteries, on whatever cells are empty."""
    player = position.players[position.mover]
    estate = list(player.estate)
    for number in numbers:
        if tile(f"monastery {number}") not in estate:
            estate[len(estate) - 1 - estate[::-1].index(0)] = tile(f"monastery {number}")
    players = list(position.players)
    players[position.mover] = replace(player, estate=tuple(estate))
    return replace(position, players=tuple(players))


def walk(position: Position, seed: int) -> Iterator[Position]:
    """Yield the positions of a random game in which tiles are preferred to workers."""
    rng = random.Random(seed)
    for _ in range(LONGEST_WALK):
        if position.to_move is None:
            return
        if position.to_move == "chance":
            position = position.apply(position.sample_chance(rng.getrandbits(32)))
            continue
        yield position
        actions = position.actions()
        tiles = [action for action in actions if re.search("take|place|buy|load", str(action))]
        position = position.apply(rng.choice(tiles or actions))


STARTS = [
    *(pytest.param(lambda path=path: advisor.load(path), id=path.stem) for path in FILES),
    *(
        pytest.param(lambda n=n: advisor.new_game(players=n, seed=n), id=f"new game of {n}")
        for n in (2, 3, 4)
    ),
]


# --- The situation


def test_the_situation_names_player_moment_dice_and_means() -> None:
    expected = "Anna decides in phase B, round 3, with dice 3 and 5, 2 workers and 3 silver"
    assert example().situation() == expected


def test_the_situation_after_one_die_says_which_is_left() -> None:
    assert (
        "round 3, with a 5 left, 4 workers and 3 silver" in example().apply("3 workers").situation()
    )


def test_the_situation_counts_one_worker_and_nothing_in_words() -> None:
    there = example().apply("3>4 sell red")
    assert there.situation().endswith("with a 5 left, 1 worker and 4 silver")
    assert (
        example()
        .apply("5 workers")
        .apply("3 workers")
        .situation()
        .endswith("with no die left, 6 workers and 3 silver")
    )
    anna, ben = example().players
    poor = replace(example(), players=(replace(anna, workers=0, silver=0), ben))
    assert poor.situation().endswith("with dice 3 and 5, no workers and no silver")


def test_the_situation_says_which_effect_is_next() -> None:
    there: Any = advisor.load(ROOT / "positions" / "burgundy" / "purchase.yaml")
    assert there.situation().endswith("; next: the castle's effect")
    two = replace(there, pending=(tile("city hall"), tile("castle")))
    assert two.situation().endswith("; next: the castle's effect, then the city hall's effect")


def test_the_situation_says_what_is_awaited_and_who_has_won() -> None:
    rolling: Any = advisor.load(ROOT / "positions" / "burgundy" / "waiting-for-the-roll.yaml")
    assert rolling.situation() == "Nobody decides: the roll of phase D, round 3, is awaited"
    dealing = replace(rolling, stage="deal")
    assert dealing.situation() == "Nobody decides: the deal of phase D is awaited"
    over = replace(rolling, stage="over")
    assert over.situation() == f"The game is over: {over.winner()} has won"


# --- Turns in words


def test_a_changed_die_is_told_with_its_workers() -> None:
    assert example().narrate(["3>5 take mine from 5", "5 place ship d5"]) == [
        "use the 3 as a 5 with 2 workers: take the mine from depot 5",
        "use the 5: place the ship on d5",
    ]


def test_one_worker_is_not_called_workers() -> None:
    assert example().narrate(["3>4 sell red"]) == [
        "use the 3 as a 4 with 1 worker: sell red for 4 points and 1 silver"
    ]


def test_purchases_name_the_depot_and_the_price() -> None:
    assert position().narrate(["buy ship"]) == ["buy the ship from the black depot for 2 silver"]
    rich = position(estate="{d4: castle, c4: monastery 6}")
    assert rich.narrate(["buy castle from 2 with workers"]) == [
        "buy the castle from depot 2 for 2 workers"
    ]
    assert rich.narrate(["buy cattle 4"]) == ["buy cattle 4 from the black depot for 2 silver"]


def test_discards_are_told_last() -> None:
    full = position(storage="[mine, mine, monastery 2]")
    taken = "use the 5: take the mine from depot 5"
    assert full.narrate(["5 take mine from 5 discard mine"]) == [
        f"{taken} (discarding the other mine)"
    ]
    assert full.narrate(["5 take mine from 5 discard monastery 2"]) == [
        f"{taken} (discarding monastery 2)"
    ]
    assert full.narrate(["buy ship discard mine"]) == [
        "buy the ship from the black depot for 2 silver (discarding the mine)"
    ]


def test_gained_silver_and_workers_do_not_read_like_a_price() -> None:
    there = position(storage="[bank, boarding house]", dice="[3, 3]")
    assert there.narrate(["3 place bank e4"]) == [
        "use the 3: place the bank on e4, gaining 2 silver"
    ]
    assert there.narrate(["3 place boarding house e4"]) == [
        "use the 3: place the boarding house on e4, gaining 4 workers"
    ]


def test_points_gained_by_placing_are_told() -> None:
    there = position(storage="[watchtower]", dice="[3, 3]")
    assert there.narrate(["3 place watchtower e4"]) == [
        "use the 3: place the watchtower on e4 for 4 points"
    ]


@pytest.mark.parametrize(
    ("effect", "action", "words"),
    [
        ("castle", "* take ship from 1", "castle: take the ship from depot 1"),
        ("castle", "* place mine e3", "castle: place the mine on e3"),
        ("castle", "* sell red", "castle: sell red for 4 points and 1 silver"),
        ("castle", "* workers", "castle: take 2 workers"),
        ("carpenter", "take bank from 1", "carpenter: take the bank from depot 1"),
        ("church", "take monastery 7 from 5", "church: take monastery 7 from depot 5"),
        ("market", "take ship from 1", "market: take the ship from depot 1"),
        ("city hall", "place mine e3", "city hall: place the mine on e3"),
        ("warehouse", "sell violet", "warehouse: sell violet for 2 points and 1 silver"),
        ("warehouse", "skip", "skip the warehouse's effect"),
        ("ship", "load 2", "load the goods of depot 2"),
        ("ship", "load 1 keep orange", "load the goods of depot 1, keeping orange"),
        ("ship", "skip", "skip the ship's effect"),
    ],
)
def test_effects_are_told_by_the_name_of_their_tile(effect: str, action: str, words: str) -> None:
    there = replace(position(storage="[mine]"), pending=(tile(effect),))
    if "keep" in action:
        depots = ((1, 0, 0, 0, 0, 2), *there.depot_goods[1:])
        there = replace(there, depot_goods=depots)
    assert there.narrate([action]) == [words]


def test_a_load_of_two_depots_names_both() -> None:
    there = position(estate="{d4: castle, c4: monastery 5}")
    depots = ((1, 0, 0, 0, 0, 2), *there.depot_goods[1:])
    there = replace(there, depot_goods=depots, pending=(k.SHIP,))
    assert "load 1 keep orange then 2" not in [str(action) for action in there.actions()]
    anna, ben = there.players
    there = replace(there, players=(replace(anna, goods=(0, 0, 1, 2, 0, 0)), ben))
    assert there.narrate(["load 1 keep orange then 2"]) == [
        "load the goods of depot 1, keeping orange, then of depot 2"
    ]


def test_taking_workers_tells_what_the_monasteries_add() -> None:
    assert position().narrate(["3 workers"]) == ["use the 3: take 2 workers"]
    rich = position(estate="{d4: castle, c4: monastery 13, b4: monastery 14}")
    assert rich.narrate(["3 workers"]) == ["use the 3: take 4 workers and 1 silver"]


def test_the_end_of_the_turn_is_told_without_points() -> None:
    """The last turn of the game ends with points for silver and workers."""
    there: Any = advisor.load(ROOT / "positions" / "burgundy" / "last-round.yaml")
    last = None
    while there.to_move is not None:
        last, there = there, there.apply(there.actions()[-1])
    assert there.scores() != last.scores()
    assert last.narrate(["end"]) == ["end the turn"]


def test_an_illegal_action_is_refused_with_those_nearby() -> None:
    with pytest.raises(advisor.ActionError, match="'3 take mine from 3' is not legal"):
        example().narrate(["5 workers", "3 take mine from 3"])


KINDS = {
    "TAKE": r"use the .*: take .* from depot \d",
    "PLACE": r"use the .*: place .* on [a-g]\d",
    "SELL": r"use the .*: sell \w+ for \d+ points?.* silver",
    "WORKERS": r"use the \d: take \d workers",
    "BUY": r"buy .* from (depot \d|the black depot) for 2 silver",
    "BUY_WITH_WORKERS": r"buy .* from (depot \d|the black depot) for 2 workers",
    "FREE_TAKE": r"castle: take .* from depot \d",
    "FREE_PLACE": r"castle: place .* on [a-g]\d",
    "FREE_SELL": r"castle: sell \w+ for \d+ points?.* silver",
    "FREE_WORKERS": r"castle: take \d workers",
    "EFFECT_TAKE": r"(carpenter|church|market): take .* from depot \d",
    "EFFECT_PLACE": r"city hall: place .* on [a-g]\d",
    "EFFECT_SELL": r"warehouse: sell \w+ for \d+ points?.* silver",
    "LOAD": r"load the goods of depot \d",
    "SKIP": r"skip the (carpenter|church|market|warehouse|city hall|ship)'s effect",
    "END_TURN": r"end the turn$",
}


def test_every_kind_of_action_has_its_own_words() -> None:
    told = set()
    for seed in (1, 2, 3):
        game: Any = advisor.new_game(players=2, seed=seed)
        assert not game.tiles_in_sight()[tile("monastery 6")]
        for here in walk(with_monasteries(game, 6), seed):
            one_of_each = {fields(action.code).kind: action for action in here.actions()}
            for kind, action in one_of_each.items():
                name = next(name for name in KINDS if getattr(k, name) == kind)
                (words,) = here.narrate([str(action)])
                assert re.match(KINDS[name], words), (str(action), words)
                told.add(name)
    assert told == set(KINDS)


# --- Costs


def holdings(state: bytes, seat: int) -> tuple[int, int]:
    """Return a seat's workers and silver."""
    s = np.frombuffer(state, dtype=k.STATE_DTYPE)[0]
    return int(s["workers"][seat]), int(s["silver"][seat])


def brings_workers(here: Position, code: int) -> bool:
    a = fields(code)
    sells = a.kind in (k.SELL, k.FREE_SELL, k.EFFECT_SELL)
    owned = here.players[here.mover].estate
    return (
        a.kind in (k.WORKERS, k.FREE_WORKERS, k.END_TURN)
        or (a.kind in (k.PLACE, k.FREE_PLACE, k.EFFECT_PLACE) and a.tile == k.BOARDING_HOUSE)
        or (sells and tile("monastery 4") in owned)
    )


def brings_silver(code: int) -> bool:
    a = fields(code)
    sells = a.kind in (k.SELL, k.FREE_SELL, k.EFFECT_SELL)
    places = a.kind in (k.PLACE, k.FREE_PLACE, k.EFFECT_PLACE)
    takes_workers = a.kind in (k.WORKERS, k.FREE_WORKERS)
    return sells or takes_workers or a.kind == k.END_TURN or (places and a.tile == k.BANK)


@pytest.mark.parametrize("monasteries", [(), (8,), (9, 12), (10,), (8, 11, 12, 6)], ids=str)
@pytest.mark.parametrize("start", STARTS)
def test_costs_are_what_the_kernel_takes(start: Any, monasteries: tuple[int, ...]) -> None:
    compared = paid = 0
    for number, reached in enumerate(walk(start(), seed=len(monasteries))):
        if number % 4 or reached.players[reached.mover].estate.count(0) < len(monasteries):
            continue
        here = with_monasteries(reached, *monasteries)
        before = holdings(here.packed, here.mover)
        for action in here.actions():
            after = holdings(here.rules.apply(here.packed, action.code), here.mover)
            costs = prose.costs(here, action.code)
            assert prose.costs(here, str(action)) == costs
            assert here.costs([str(action)]) == costs
            assert list(costs) == ["workers", "silver"]
            if not brings_workers(here, action.code):
                assert costs["workers"] == before[0] - after[0], str(action)
                compared += 1
                paid += costs["workers"] > 0
            if not brings_silver(action.code):
                assert costs["silver"] == before[1] - after[1], str(action)
    assert compared > 30
    assert paid > 5


@pytest.mark.parametrize(
    ("monastery", "storage", "dice", "then", "alone", "after"),
    [
        (8, "[monastery 8]", "[1, 2]", "2>5 take mine from 5", 3, 2),
        (9, "[monastery 9, bank]", "[1, 4]", "4>3 place bank e4", 1, 0),
        (9, "[monastery 9, bank]", "[1, 5]", "5>3 place bank e4", 2, 1),
        (10, "[monastery 10, ship]", "[1, 4]", "4>2 place ship d3", 2, 1),
        (11, "[monastery 11, mine]", "[1, 3]", "3>4 place mine e3", 1, 0),
        (12, "[monastery 12]", "[1, 4]", "4>5 take mine from 5", 1, 0),
        (12, "[monastery 12]", "[1, 4]", "4>2 take castle from 2", 2, 1),
        (12, "[monastery 12]", "[1, 3]", "3>4 sell red", 1, 1),
    ],
)
def test_a_monastery_placed_this_turn_changes_the_price_of_the_next_die(
    monastery: int, storage: str, dice: str, then: str, alone: int, after: int
) -> None:
    there = position(storage=storage, dice=dice)
    turn = [f"1 place monastery {monastery} c4", then]
    assert there.costs([then]) == {"workers": alone, "silver": 0}
    assert there.costs(turn) == {"workers": after, "silver": 0}
    middle = there.apply(turn[0])
    assert prose.costs(middle, then) == {"workers": after, "silver": 0}
    told = {0: "for free", 1: "with 1 worker"}.get(after, f"with {after} workers")
    assert f" {told}: " in there.narrate(turn)[1]
    spent = middle.players[0].workers - middle.apply(then).players[0].workers
    assert spent == after


def test_a_monastery_placed_by_an_effect_changes_the_price_too() -> None:
    there = replace(position(storage="[monastery 8]", dice="[2, 2]"), pending=(tile("city hall"),))
    turn = ["place monastery 8 c4", "2>5 take mine from 5"]
    assert there.costs(turn) == {"workers": 2, "silver": 0}


def test_the_costs_of_a_turn_add_up_and_gains_are_not_set_off() -> None:
    there = example()
    turn = ["3>4 sell red", "buy ship", "5>4 take cattle 4 from 4"]
    assert there.costs(turn[:2]) == {"workers": 1, "silver": 2}
    assert there.costs(turn) == {"workers": 2, "silver": 2}
    assert there.costs(["3 workers"]) == {"workers": 0, "silver": 0}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_costs_of_a_turn_are_the_sum_of_what_its_actions_cost_on_the_way(players: int) -> None:
    game: Any = advisor.new_game(players=players, seed=players)
    rng = random.Random(players)
    turns = 0
    while game.to_move is not None:
        if game.to_move == "chance":
            game = game.apply(game.sample_chance(rng.getrandbits(32)))
            continue
        start, turn, total = game, [""], {"workers": 0, "silver": 0}
        while turn[-1] != "end":
            action = rng.choice(game.actions())
            for resource, count in prose.costs(game, action.code).items():
                total[resource] += count
            turn.append(str(action))
            game = game.apply(action)
        assert start.costs(turn[1:]) == total
        turns += 1
    assert turns == 25 * players


def test_what_comes_after_the_end_of_the_turn_is_not_counted() -> None:
    assert example().costs(["3>5 take mine from 5", "5 workers", "end", "2>3 workers"]) == {
        "workers": 2,
        "silver": 0,
    }


@pytest.mark.parametrize("text", ["", "3 place palace d3", "7 workers", "3 takes mine", "buy"])
def test_the_costs_of_what_is_no_action_are_refused(text: str) -> None:
    with pytest.raises(advisor.ActionError, match="is no action"):
        prose.costs(example(), text)
