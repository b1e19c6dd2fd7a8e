"""A position as the fully explicit dictionary that the reference engine speaks.

Owns the translation only; the comparison of the two engines is in `test_differential.py`.
"""

from __future__ import annotations

from typing import Any

import yaml

from advisor.games.burgundy.components import goods
from advisor.games.burgundy.dump import default_next_order
from advisor.games.burgundy.model import Position

_NOTHING: dict[str, Any] = {
    "score": 0,
    "workers": 0,
    "silver": 0,
    "goods": {},
    "sold": {},
    "storage": [],
    "track": 0,
    "bonuses": {},
}


def canonical(position: Position) -> dict[str, Any]:
    """Return the position's own YAML with everything that was left out filled in."""
    data = yaml.safe_load(position.dump())
    depots = data.get("depots", {})
    full: dict[Any, Any] = {
        number: {
            "tiles": sorted(depots.get(number, {}).get("tiles", [])),
            "goods": sorted(depots.get(number, {}).get("goods", [])),
        }
        for number in range(1, 7)
    }
    full["black"] = sorted(depots.get("black", []))
    names = list(data["players"])
    turn = data.get("turn", {"player": data["turn_order"][0]})
    if isinstance(turn, dict):
        dice = sorted(turn.get("dice", data["players"][turn["player"]].get("dice", [])))
        turn = {"player": turn["player"], "dice": dice, "bought": turn.get("bought", False)}
        turn["pending"] = data.get("turn", {}).get("pending", [])
    players = {}
    for name, stated in data["players"].items():
        player = {**_NOTHING, **stated}
        player["storage"] = sorted(player["storage"])
        waiting = isinstance(turn, dict) and turn["player"] != name
        player["dice"] = sorted(player.get("dice", [])) if waiting else []
        players[name] = player
    order = data.get("next_order", [names[seat] for seat in default_next_order(position)])
    return {
        "edition": data["edition"],
        "phase": data["phase"],
        "round": data["round"],
        "depots": full,
        "goods_to_come": data.get("goods_to_come", []),
        "players": players,
        "turn_order": data["turn_order"],
        "next_order": order,
        "turn": turn,
        "removed": sorted(data.get("removed", [])),
    }


def goods_in_game(position: Position) -> dict[str, int]:
    """Return how many goods of each colour are in sight."""
    return dict(zip(goods(), position.goods_in_sight(), strict=True))
