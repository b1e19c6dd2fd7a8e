"""A series of games: what is dealt out, how a deal becomes a state, what is noted at its end."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from advisor.errors import SettingError
from advisor.games.burgundy import components, series
from advisor.games.burgundy.setup import castle_cells, new_game


def settings(players: int = 2, **given: Any) -> dict[str, Any]:
    return series.check_settings(players=players, **given)


def deals(count: int, *, players: int = 2, luck: int = 1, **given: Any) -> list[series.Deal]:
    checked = settings(players, **given)
    return [
        series.deal(players=players, number=n, luck=luck, seed=1000 + n, settings=checked)
        for n in range(count)
    ]


def test_every_block_of_deals_gives_each_seat_every_board_once() -> None:
    boards = [1, 3, 8, 9, 10]
    dealt = deals(15, players=4, boards=boards)
    for seat in range(4):
        given = [deal.seats[seat]["board"] for deal in dealt]
        for block in range(3):
            assert sorted(given[5 * block : 5 * block + 5]) == boards


def test_the_seats_of_a_table_get_their_boards_independently() -> None:
    dealt = deals(400, boards="all")
    pairs = Counter((d.seats[0]["board"], d.seats[1]["board"]) for d in dealt)
    assert len(pairs) > 80  # of 100
    assert max(pairs.values()) < 15


def test_one_board_for_the_whole_table_is_dealt_out_as_evenly() -> None:
    dealt = deals(9, players=3, boards=[2, 5, 7], same_board=True)
    tables = [{seat["board"] for seat in deal.seats} for deal in dealt]
    assert all(len(boards) == 1 for boards in tables)
    assert Counter(board for boards in tables for board in boards) == {2: 3, 5: 3, 7: 3}


def test_another_luck_of_the_series_deals_the_boards_in_another_order() -> None:
    orders = [
        [deal.seats[0]["board"] for deal in deals(12, luck=n, boards="all")] for n in (1, 2, 1)
    ]
    assert orders[0] == orders[2] != orders[1]


@pytest.mark.parametrize("edition", [2011, 2019])
def test_random_castles_are_castle_cells_dealt_out_evenly(edition: int) -> None:
    board = 5
    cells = castle_cells(components.boards_of(edition)[board])
    dealt = deals(3 * len(cells), edition=edition, boards=[board], castles="random")
    for seat in range(2):
        assert Counter(deal.seats[seat]["castle"] for deal in dealt) == dict.fromkeys(cells, 3)
    for deal in deals(60, edition=edition, boards="all", castles="random", players=3):
        for seat in deal.seats:
            assert seat["castle"] in castle_cells(components.boards_of(edition)[seat["board"]])


def test_a_named_castle_is_everybodys() -> None:
    for deal in deals(3, boards=[1], castles=" D4 "):
        assert [seat["castle"] for seat in deal.seats] == ["d4", "d4"]


@pytest.mark.parametrize(("players", "edition"), [(2, 2019), (3, 2011), (4, 2019)])
@pytest.mark.parametrize("castles", ["default", "random"])
def test_a_quick_start_is_byte_for_byte_the_new_game_of_its_seed(
    players: int, edition: int, castles: str
) -> None:
    """Every byte counts, those between the fields too: the search tells positions apart by them."""
    checked = settings(players, edition=edition, boards="all", castles=castles)
    rng = random.Random(7)
    for number in range(60):
        litter = [rng.random() for _ in range(200)]  # so that memory is not fresh
        seed = rng.getrandbits(63)
        deal = series.deal(players=players, number=number, luck=3, seed=seed, settings=checked)
        del litter
        fresh = new_game(
            players=players,
            edition=edition,
            boards=[seat["board"] for seat in deal.seats],
            castles=[seat["castle"] for seat in deal.seats],
            seed=seed,
            dealt=False,
        )
        assert deal.start == fresh.packed
        again = series.start(players=players, seed=seed, settings=checked, seats=deal.seats)
        assert again == fresh
        assert again.packed == deal.start
        assert deal.position.rules is fresh.rules


def test_seats_note_edition_board_and_castle_of_the_position() -> None:
    for deal in deals(12, players=3, edition=2011, boards="all"):
        position = series.start(
            players=3, seed=1, settings=settings(3, edition=2011), seats=deal.seats
        )
        for seat, player in zip(deal.seats, position.players, strict=True):
            assert seat["edition"] == 2011
            assert components.boards_of(2011)[seat["board"]] == player.board
            assert player.estate[components.CELL_INDEX[seat["castle"]]] != 0


def test_settings_come_out_complete_and_in_one_spelling() -> None:
    assert settings() == {
        "edition": 2019,
        "boards": [1],
        "castles": "default",
        "same_board": False,
    }
    assert settings(boards=3)["boards"] == [3]
    assert settings(boards=iter([3, 8]))["boards"] == [3, 8]
    assert settings(boards="all")["boards"] == list(components.boards_of(2019))
    assert settings(castles="Random")["castles"] == "random"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"edition": 2015}, r"no edition 2015; the editions are 2011, 2019"),
        ({"boards": [1, 99]}, r"no board 99 in the 2019 box; its boards are 1, 2, "),
        ({"boards": [10], "edition": 2011}, r"no board 10 in the 2011 box"),
        ({"boards": []}, r"boards: \[\] is not possible; give numbers such as 1,3,8 or all"),
        ({"boards": "some"}, r"boards: 'some' is not possible; give numbers such as 1,3,8 or all"),
        ({"boards": 1.5}, r"boards: 1.5 is not possible; give numbers"),
        ({"boards": None}, r"boards: None is not possible; give numbers"),
        ({"boards": ["1"]}, r"boards: '1' is no number"),
        ({"boards": [[1]]}, r"boards: \[1\] is no number"),
        ({"castles": "a1"}, r"'a1' is no castle cell of board 1; give default, random or one of"),
        ({"castles": ["d4", "d4"]}, r"castles: \['d4', 'd4'\] is not possible; give default"),
        ({"players": 5}, r"5 players; the game is for 2 to 4"),
    ],
)
def test_what_the_game_does_not_have_is_refused_in_a_sentence(
    given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(SettingError, match=sentence):
        series.check_settings(**({"players": 2} | given))


def test_the_2011_box_has_no_board_10_and_all_means_what_is_printed() -> None:
    assert 10 not in settings(edition=2011, boards="all")["boards"]
    assert 10 in settings(edition=2019, boards="all")["boards"]


@pytest.mark.parametrize(("players", "edition"), [(2, 2019), (3, 2019), (4, 2011)])
def test_outcomes_are_what_the_final_position_shows(players: int, edition: int) -> None:
    finals, positions = [], []
    for deal in deals(6, players=players, edition=edition, boards="all", castles="random"):
        rules = deal.position.rules
        state, world = deal.start, 17
        rng = random.Random(world)
        while (mover := rules.to_move(state)) != -2:
            if mover < 0:
                state = rules.chance(state, world)
            else:
                policy = int(rng.random() < 0.8)
                state = rules.apply(state, rules.choose(state, policy, rng.getrandbits(64)))
        finals.append(np.frombuffer(state, np.uint8))
        positions.append(deal.position.view(state))
    found = series.outcomes(np.stack(finals), players)
    for game, position in enumerate(positions):
        for seat, player in enumerate(position.players):
            names = [components.tile_name(tile) for tile in player.estate if tile]
            assert {name: int(values[game, seat]) for name, values in found.items()} == {
                "empty_cells": position.empty_cells(seat),
                "workers": player.workers,
                "silver": player.silver,
                "unsold_goods": sum(player.goods),
                "ships": player.track,
                "monasteries": sum(name.startswith("monastery") for name in names),
            }


def test_losing_an_ability_changes_nothing_else() -> None:
    deal = deals(1, players=2)[0]
    rules, state = deal.position.rules, deal.start
    given = None
    while given is None:
        mover = rules.to_move(state)
        if mover == -1:
            state = rules.chance(state, 5)
            continue
        action = rules.choose(state, 1, 0)
        given = series.advantage(action)
        state = rules.apply(state, action)
    poorer = series.without(state, mover, given)
    assert poorer != state
    assert sum(a != b for a, b in zip(state, poorer, strict=True)) == 1
    assert deal.position.view(poorer) is not None
    assert series.stage_of(state) in "ABCDE"
