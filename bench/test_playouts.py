"""Playouts, copies and threads of the Burgundy kernel, with a peer in the same run.

One thread unless said. The peer is OpenSpiel's backgammon, its random bots playing whole games
inside its C++ (`pip install open_spiel`, the bench extra): the nearest game it has with dice and a
comparable number of decisions.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor

PLAYOUTS = 5_000
ROUNDS = 15
POSITIONS = Path(__file__).parent.parent / "positions" / "burgundy"


def player(position: Any, count: int, seed: int = 1) -> Any:
    """Return a function that plays `count` playouts in the calling thread."""
    rules = position.rules
    scores = np.zeros((count, rules.players), dtype=np.int32)
    wins = np.zeros((count, rules.players), dtype=np.uint8)
    points = np.zeros((count, rules.players, rules.sources), dtype=np.int32)
    decisions = np.zeros(count, dtype=np.int32)
    packed = position.packed

    def play() -> int:
        rules.playouts(packed, scores, wins, points, decisions, policy=0, seed=seed, first=0)
        return int(decisions.sum())

    return play


@pytest.mark.parametrize("players", [2, 3, 4])
def test_uniform_playouts_from_the_start(benchmark: Any, players: int) -> None:
    play = player(advisor.new_game("burgundy", players=players, seed=7), PLAYOUTS)
    decisions = benchmark.pedantic(play, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(
        per_round=PLAYOUTS,
        unit=f"playouts a second ({decisions / PLAYOUTS:.0f} decisions each)",
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_uniform_decisions_from_the_start(benchmark: Any, players: int) -> None:
    play = player(advisor.new_game("burgundy", players=players, seed=7), PLAYOUTS)
    decisions = benchmark.pedantic(play, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(per_round=decisions, unit="decisions a second")


@pytest.mark.parametrize("name", ["midgame", "three-players", "four-players", "last-round"])
def test_uniform_playouts_from_shipped_positions(benchmark: Any, name: str) -> None:
    """Mid-game positions pay for drawing the unknown backs in every world."""
    play = player(advisor.load(POSITIONS / f"{name}.yaml"), PLAYOUTS)
    benchmark.pedantic(play, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(per_round=PLAYOUTS, unit="playouts a second")


def test_state_copies(benchmark: Any) -> None:
    position = advisor.new_game("burgundy", players=4, seed=7)
    count = 1_000_000
    benchmark.pedantic(position.rules.copies, args=(position.packed, count), rounds=ROUNDS)
    benchmark.extra_info.update(per_round=count, unit="copies a second")


def test_two_threads_against_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Wall time of the same work alone and on two threads at once; the ratio is what counts."""
    position = advisor.new_game("burgundy", players=2, seed=7)
    ratios = []
    for _ in range(7):
        alone = player(position, 4 * PLAYOUTS)
        started = time.perf_counter()
        alone()
        one = time.perf_counter() - started
        threads = [threading.Thread(target=player(position, 4 * PLAYOUTS)) for _ in range(2)]
        started = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ratios.append(2 * one / (time.perf_counter() - started))
    with capsys.disabled():
        best, median = max(ratios), sorted(ratios)[3]
        print(f"\ntwo threads do {best:.2f} times the work of one (median {median:.2f})")


def test_peer_openspiel_backgammon_games(benchmark: Any) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the bench extra is not installed")
    game = pyspiel.load_game("backgammon")
    bots = [pyspiel.make_uniform_random_bot(seat, 1) for seat in range(2)]
    count = 100

    def play() -> None:
        for seed in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    benchmark.pedantic(play, rounds=5, warmup_rounds=1)
    benchmark.extra_info.update(per_round=count, unit="games a second")


def test_peer_openspiel_state_clones(benchmark: Any) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the bench extra is not installed")
    state = pyspiel.load_game("backgammon").new_initial_state()
    count = 100_000

    def clone() -> None:
        for _ in range(count):
            state.clone()

    benchmark.pedantic(clone, rounds=5)
    benchmark.extra_info.update(per_round=count, unit="clones a second (through Python)")
