"""Positions for the tests: a table for two to four with only what a test names.

This module owns the defaults: boards 1, castles on d4, nothing lying anywhere. On board 1 the
cells around d4 are c3 building 3, c4 monastery 1, d3 ship 2, d5 ship 5, e3 mine 4, e4 building 3.
"""

from typing import Any

from .engine import Game

NAMES = ("Anna", "Ben", "Cara", "Dan")


def table(
    *,
    anna: dict[str, Any] | None = None,
    ben: dict[str, Any] | None = None,
    tiles: dict[int, list[str]] | None = None,
    goods: dict[int, list[str]] | None = None,
    black: list[str] | None = None,
    dice: list[int] | None = None,
    pending: list[str] | None = None,
    bought: bool = False,
    turn: Any = None,
    edition: int = 2019,
    phase: str = "B",
    round_number: int = 3,
    players: int = 2,
    next_order: list[str] | None = None,
    goods_to_come: list[str] | None = None,
    monasteries: tuple[int, ...] = (),
) -> Game:
    """A game in which Anna is to decide; `monasteries` go to cells c4, b4, a4 of hers."""
    names = list(NAMES[:players])
    people: dict[str, Any] = {
        name: {
            "board": 1,
            "score": 0,
            "workers": 0,
            "silver": 0,
            "goods": {},
            "sold": {},
            "storage": [],
            "estate": {"d4": "castle"},
            "track": 0,
            "bonuses": {},
            "dice": [1, 1],
        }
        for name in names
    }
    people["Anna"]["dice"] = []
    people["Anna"].update(anna or {})
    people["Ben"].update(ben or {})
    people["Anna"]["estate"] = dict(people["Anna"]["estate"])
    for cell, number in zip(("c4", "b4", "a4"), monasteries, strict=False):
        people["Anna"]["estate"][cell] = f"monastery {number}"
    depots: dict[Any, Any] = {
        n: {"tiles": (tiles or {}).get(n, []), "goods": (goods or {}).get(n, [])}
        for n in range(1, 7)
    }
    depots["black"] = black or []
    if turn is None:
        turn = {
            "player": "Anna",
            "dice": [3, 5] if dice is None else dice,
            "bought": bought,
            "pending": pending or [],
        }
    if isinstance(turn, str):
        for person in people.values():
            person["dice"] = []
    return Game.from_dict(
        {
            "edition": edition,
            "phase": phase,
            "round": round_number,
            "depots": depots,
            "goods_to_come": goods_to_come or [],
            "players": people,
            "turn_order": names,
            "next_order": next_order or names,
            "turn": turn,
            "removed": [],
        }
    )
