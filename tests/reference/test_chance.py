"""Tests of the reference engine: rolls and deals, possible and impossible ones."""

import random

import pytest

from . import box
from .tables import table


def test_roll_brings_the_good_and_hands_out_dice() -> None:
    game = table(turn="roll", goods_to_come=["red", "pink", "pink"])
    assert game.to_move == "chance"
    for text in ("roll Anna 3 7 Ben 1 1 white 1", "roll Anna 3 3 white 1", "3 workers"):
        with pytest.raises(ValueError, match="not a roll"):
            game.apply(text)
    game.apply("roll Anna 5 3 Ben 2 2 white 4")
    d = game.to_dict()
    assert d["turn"] == {"player": "Anna", "dice": [3, 5], "bought": False, "pending": []}
    assert d["players"]["Anna"]["dice"] == []
    assert d["players"]["Ben"]["dice"] == [2, 2]
    assert d["depots"][4]["goods"] == ["red"]
    assert d["goods_to_come"] == ["pink", "pink"]


DEAL = (
    "deal 1: bank, ship; 2: monastery 3, castle; 3: pig 2, church; 4: ship, bank; "
    "5: mine, monastery 4; 6: market, pig 3; black: mine, ship, pig 4, bank; "
    "goods: red, pink, red, brown, orange"
)


def test_deal() -> None:
    game = table(turn="deal", round_number=1)
    game.apply(DEAL)
    d = game.to_dict()
    assert d["turn"] == "roll"
    assert d["goods_to_come"] == ["red", "pink", "red", "brown", "orange"]
    assert d["depots"][2]["tiles"] == ["castle", "monastery 3"]
    assert d["depots"]["black"] == ["bank", "mine", "pig 4", "ship"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("monastery 3", "monastery 7", "with that back"),  # has a black back
        ("monastery 3", "monastery 4", "with that back"),  # one copy only
        ("monastery 3", "bank", "depot 2 is dealt"),  # wrong colour
        ("black: mine", "black: monastery 1", "with that back"),  # has a colour back
        ("black: mine, ", "black: ", "is dealt 4 tiles"),  # too few
        ("orange", "green", "not enough goods"),
        ("; 6: market, pig 3", "", "names depots 1 to 6"),
    ],
)
def test_impossible_deals_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table(turn="deal", round_number=1).apply(DEAL.replace(old, new))


def test_three_players_alternate_castle_and_mine() -> None:
    for phase in box.PHASES:
        game = table(players=3, phase=phase, turn="deal", round_number=1)
        game.apply(game.random_deal(random.Random(phase)))
        sixth = {box.TILE_COLOUR[tile] for tile in game.position.depot_tiles[6]}
        assert sixth == {"building", "animal", "castle" if phase in "ACE" else "mine"}


def test_a_deal_never_exceeds_what_is_left() -> None:
    banks = {"c3": "bank", "b5": "bank", "e1": "bank", "e4": "bank"}
    game = table(turn="deal", round_number=1, anna={"estate": {"d4": "castle", **banks}})
    game.apply(DEAL)  # three more: seven in all
    game = table(
        turn="deal",
        round_number=1,
        anna={"estate": {"d4": "castle", **banks}, "storage": ["bank"]},
    )
    with pytest.raises(ValueError, match="not enough of 'bank'"):
        game.apply(DEAL)
