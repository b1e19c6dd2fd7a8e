"""Golden games: whole games as readable transcripts that replay to the same scores.

A game is a start position `NAME.yaml` and its actions `NAME.txt`, one a line, in the format that
`advisor apply --file` reads. Comment lines `# scores A1: Anna 3, Ben 5` give the scores after each
round and the winner at the end; the test compares them.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from advisor.games.burgundy.components import phases
from advisor.games.burgundy.setup import new_game

FOLDER = Path(__file__).parent
GAMES: dict[str, dict[str, Any]] = {
    "two-players-2019": {"players": 2, "edition": 2019, "boards": [1, 1], "seed": 1},
    "two-players-2011": {"players": 2, "edition": 2011, "boards": [2, 7], "seed": 2},
    "three-players-2019": {"players": 3, "edition": 2019, "boards": [3, 4, 5], "seed": 3},
    "four-players-2019": {"players": 4, "edition": 2019, "boards": [6, 8, 9, 10], "seed": 4},
}
PREFERENCE = ("place castle", "place monastery", "place", "load", "buy", "sell", "take")


def choose(texts: list[str], rng: random.Random) -> str:
    """Choose as a beginner would: place what can be placed, then buy, sell and take."""
    if rng.random() < 0.85:
        for words in PREFERENCE:
            found = [text for text in texts if words in text]
            if found:
                return rng.choice(found)
    return rng.choice(texts)


def checkpoint(position: Any) -> str:
    """Return the scores of a position as a comment line."""
    scores = ", ".join(f"{name} {score}" for name, score in position.scores().items())
    if position.to_move is None:
        return f"# final: {scores}; {position.winner()} wins"
    return f"# before {phases()[position.phase]}{position.round + 1}: {scores}"


def play(settings: dict[str, Any]) -> tuple[Any, list[str]]:
    """Play a game; return its start and the lines of its transcript."""
    start = position = new_game(dealt=False, **settings)
    rng = random.Random(settings["seed"])
    lines = []
    while position.to_move is not None:
        if position.to_move == "chance":
            text = position.sample_chance(rng.getrandbits(64))
        else:
            text = choose([str(action) for action in position.actions()], rng)
        lines.append(text)
        before = position
        position = position.apply(text)
        if before.to_move != "chance" and position.to_move in ("chance", None):
            lines.append(checkpoint(position))
    return start, lines
