"""A position as the fully explicit dictionary that the reference engine speaks.

Owns the translation only; the comparison of the two engines is in `test_differential.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from advisor.games.burgundy.components import CELLS, COLOURS, boards, goods, phases, tile_name
from advisor.games.burgundy.model import Player, Position


def _tiles(numbers: Iterable[int]) -> list[str]:
    return sorted(tile_name(number) for number in numbers)


def _counts(counts: tuple[int, ...]) -> dict[str, int]:
    return {name: count for name, count in zip(goods(), counts, strict=True) if count}


def _player(player: Player, position: Position) -> dict[str, Any]:
    waiting = position.stage == "play" and player.name != position.to_move
    return {
        "board": boards()[player.board].numbers[position.edition],
        "score": player.score,
        "workers": player.workers,
        "silver": player.silver,
        "goods": _counts(player.goods),
        "sold": _counts(player.sold),
        "storage": _tiles(player.storage),
        "estate": {CELLS[cell]: tile_name(t) for cell, t in enumerate(player.estate) if t},
        "track": player.track,
        "bonuses": {
            **{COLOURS[colour]: "large" for colour in player.large},
            **{COLOURS[colour]: "small" for colour in player.small},
        },
        "dice": list(player.dice) if waiting else [],
    }


def canonical(position: Position) -> dict[str, Any]:
    """Return everything a position says, with nothing left out."""
    names = position.names
    depots: dict[Any, Any] = {
        depot + 1: {
            "tiles": _tiles(position.depots[depot]),
            "goods": sorted(
                n for n, c in _counts(position.depot_goods[depot]).items() for _ in range(c)
            ),
        }
        for depot in range(6)
    }
    depots["black"] = _tiles(position.black)
    turn: Any = position.stage
    if position.stage == "play":
        turn = {
            "player": position.to_move,
            "dice": list(position.dice),
            "bought": position.bought,
            "pending": [tile_name(effect) for effect in position.pending],
        }
    return {
        "edition": position.edition,
        "phase": phases()[position.phase],
        "round": position.round + 1,
        "depots": depots,
        "goods_to_come": [goods()[good - 1] for good in position.goods_to_come],
        "players": {player.name: _player(player, position) for player in position.players},
        "turn_order": [names[seat] for seat in position.turn_order],
        "next_order": [names[seat] for seat in position.next_order],
        "turn": turn,
        "removed": _tiles(position.removed),
    }
