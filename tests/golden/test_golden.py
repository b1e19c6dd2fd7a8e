"""Golden games replay to the same scores; perft counts stand, in both engines."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import advisor
from tests.burgundy.canonical import canonical
from tests.golden.perft import COUNTS, ROOT, count, divide
from tests.golden.transcript import FOLDER, GAMES, checkpoint
from tests.reference.engine import Game

PERFT = yaml.safe_load(COUNTS.read_text("utf-8"))


@pytest.mark.parametrize("name", GAMES)
def test_golden_game_replays_to_the_same_scores(name: str) -> None:
    position: Any = advisor.load(FOLDER / f"{name}.yaml")
    checked = 0
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            assert checkpoint(position) == line
            checked += 1
        else:
            position = position.apply(line)
    assert position.to_move is None
    assert checked == 25


@pytest.mark.parametrize("name", GAMES)
def test_golden_game_replays_in_the_reference_engine(name: str) -> None:
    position: Any = advisor.load(FOLDER / f"{name}.yaml")
    game = Game.from_dict(canonical(position))
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    for line in lines:
        if not line.startswith("#"):
            game.apply(line)
    scores = ", ".join(f"{player} {score}" for player, score in game.scores().items())
    assert lines[-1] == f"# final: {scores}; {game.winner()} wins"


@pytest.mark.parametrize("case", PERFT, ids=lambda case: f"{case['position']}-{case['depth']}")
def test_perft_counts_stand(case: dict[str, Any]) -> None:
    found = count(case["position"], case["depth"])
    expected = (case["sequences"], case["positions"])
    assert found == expected, divide(case["position"], case["depth"])


@pytest.mark.parametrize("case", PERFT, ids=lambda case: case["position"])
def test_perft_of_two_agrees_with_the_reference_engine(case: dict[str, Any]) -> None:
    position: Any = advisor.load(ROOT / "positions" / "burgundy" / case["position"])
    sequences = 0
    for text in Game.from_dict(canonical(position)).legal():
        game = Game.from_dict(canonical(position))
        game.apply(text)
        sequences += len(game.legal()) or 1
    assert count(case["position"], 2)[0] == sequences
