"""Every case of `tests/rulebook/*.yaml`: a position, actions, and what must hold after them.

A player can add a case without Python; `tests/rulebook/README.md` tells how. The independent
reference engine runs the same cases, so that a mistaken case and a mistaken kernel both show.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor.core.loading import loads
from advisor.errors import ActionError
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Position
from tests.burgundy.canonical import canonical
from tests.reference.engine import Game

FOLDER = Path(__file__).parent.parent / "rulebook"
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text("utf-8"))
]
CANONICAL = [param for param in CASES if not str(param.id).startswith("notation")]
KNOWN = {
    "score", "workers", "silver", "goods", "sold", "storage", "estate", "track", "bonuses",
    "turn_order", "next_order", "depots", "to_move", "pending", "winner", "legal", "illegal",
    "exactly",
}  # fmt: skip


def start(case: dict[str, Any]) -> Position:
    position = loads(yaml.safe_dump(case["position"], sort_keys=False), file=case["name"])
    assert isinstance(position, Position)
    return position


def check(expect: dict[str, Any], after: dict[str, Any], legal: list[str]) -> None:
    assert expect
    assert set(expect) <= KNOWN, f"unknown expectation: {set(expect) - KNOWN}"
    for key in ("score", "workers", "silver", "goods", "sold", "track", "bonuses"):
        for name, value in expect.get(key, {}).items():
            assert after["players"][name][key] == value, f"{key} of {name}"
    for name, tiles in expect.get("storage", {}).items():
        assert after["players"][name]["storage"] == sorted(tiles), f"storage of {name}"
    for name, cells in expect.get("estate", {}).items():
        for cell, tile in cells.items():
            assert after["players"][name]["estate"].get(cell) == tile, f"{cell} of {name}"
    for key in ("turn_order", "next_order"):
        if key in expect:
            assert after[key] == expect[key]
    for place, content in expect.get("depots", {}).items():
        if place == "black":
            assert after["depots"]["black"] == sorted(content)
        else:
            for key, value in content.items():
                assert after["depots"][place][key] == sorted(value), f"{key} of depot {place}"
    if "pending" in expect:
        turn = after["turn"]
        assert (turn["pending"] if isinstance(turn, dict) else []) == expect["pending"]
    assert set(expect.get("legal", [])) <= set(legal)
    assert not set(expect.get("illegal", [])) & set(legal)
    if "exactly" in expect:
        assert sorted(legal) == sorted(expect["exactly"])


@pytest.mark.parametrize("case", CASES)
def test_kernel_follows_the_rulebook(case: dict[str, Any]) -> None:
    position = start(case)
    for action in case.get("actions", []):
        position = position.apply(action)
    expect = case["expect"]
    check(expect, canonical(position), [str(action) for action in position.actions()])
    if "to_move" in expect:
        assert position.to_move == expect["to_move"]
    if "winner" in expect:
        assert position.winner() == expect["winner"]
    for text in expect.get("illegal", []):
        with pytest.raises(ActionError):
            position.apply(text)


@pytest.mark.parametrize("case", CANONICAL)
def test_reference_engine_follows_the_rulebook(case: dict[str, Any]) -> None:
    game = Game.from_dict(canonical(start(case)))
    for action in case.get("actions", []):
        game.apply(action)
    expect = case["expect"]
    check(expect, game.to_dict(), game.legal())
    if "to_move" in expect:
        assert game.to_move == expect["to_move"]
    if "winner" in expect:
        assert game.winner() == expect["winner"]


def test_every_building_and_monastery_has_a_case() -> None:
    """Every tile with an effect of its own is named in some case or placed in its actions."""
    cases = [param.values[0] for param in CASES]
    words = " ".join(f"{case['name']} {' '.join(case.get('actions', []))}" for case in cases)
    estates = " ".join(str(p["estate"]) for c in cases for p in c["position"]["players"].values())
    for name in components.tile_numbers():
        if name[-1].isdigit() and not name.startswith("monastery"):
            continue
        assert re.search(rf"\b{name}\b", f"{words} {estates}"), name
