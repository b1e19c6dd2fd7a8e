"""The search: iterations, threads, memory, the exact solver and the command, with peers in one run.

One thread unless said. The peers are OpenSpiel's own C++ searches with one random playout a leaf:
MCTS on backgammon, the nearest game it has with dice, and ISMCTS on hearts, its fastest large game
with hidden cards (`pip install open_spiel`, the bench extra).
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.search import exact
from advisor.search._exact import Solver

CHANCE, OVER = -1, -2
STRIDE = 4
SIMULATIONS = 1_000
POSITIONS = Path(__file__).parent.parent / "positions" / "burgundy"


def shipped(name: str) -> Any:
    """Return a shipped position."""
    return advisor.load(POSITIONS / f"{name}.yaml")


def decisions(position: Any, seed: int) -> Iterator[Any]:
    """Play a game at random and yield its positions that leave a choice."""
    rules = position.rules
    luck = random.Random(seed)
    world = luck.getrandbits(64)
    state = rules.determinize(position.packed, 0, world)
    while (mover := rules.to_move(state)) != OVER:
        if mover == CHANCE:
            state = rules.chance(state, world)
            continue
        legal = rules.legal(state)
        if len(legal) > 1:
            yield position.view(state)
        state = rules.apply(state, luck.choice(legal))


def prepared(position: Any, iterations: int, *, threads: int = 1, seed: int = 1) -> Any:
    """Return a search that has not begun."""
    return advisor.Search(
        position, iterations=iterations, threads=threads, seed=seed, full=True, engine="ismcts"
    )


def measure(benchmark: Any, positions: list[Any], iterations: int, rounds: int) -> None:
    """Time searches, the sampling only: neither the exact attempt nor the answer's wording."""

    def sample(searches: list[Any]) -> None:
        for search in searches:
            search._sample()

    def setup() -> tuple[tuple[list[Any]], dict[str, Any]]:
        return ([prepared(position, iterations) for position in positions],), {}

    benchmark.pedantic(sample, setup=setup, rounds=rounds, warmup_rounds=1)
    benchmark.extra_info.update(
        per_round=iterations * len(positions),
        unit=f"iterations a second ({len(positions)} positions)",
    )


def recorded(*, late: bool = False) -> list[Any]:
    """Return every fourth decision of a random two-player game on board 1.

    The last two rounds are apart (`late`): there the trees solve the rest, not play it out.
    """
    game = list(decisions(advisor.new_game("burgundy", players=2, seed=7), 1))[::STRIDE]
    return [position for position in game if (5 * position.phase + position.round >= 23) == late]


@pytest.mark.parametrize("iterations", [1_000, 5_000])
def test_iterations_over_a_game(benchmark: Any, iterations: int) -> None:
    """Searches as `suggest` does them, with the judging between the rounds."""
    measure(benchmark, recorded(), iterations, rounds=7)


@pytest.mark.parametrize("iterations", [1_000, 5_000])
def test_tree_iterations_over_a_game(benchmark: Any, iterations: int) -> None:
    """The trees alone: every candidate is visited equally often, nobody judges."""
    game = recorded()
    counts = [len(position.actions()) for position in game]
    plans = [
        (np.arange(count, dtype=np.int32), np.full(count, iterations // count, dtype=np.int32))
        for count in counts
    ]

    def setup() -> tuple[tuple[list[Any]], dict[str, Any]]:
        return ([prepared(position, iterations)._samplers()[0] for position in game],), {}

    def run(samplers: list[Any]) -> None:
        for sampler, plan in zip(samplers, plans, strict=True):
            sampler.run(*plan)

    benchmark.pedantic(run, setup=setup, rounds=7, warmup_rounds=1)
    done = sum(iterations // count * count for count in counts)
    benchmark.extra_info.update(per_round=done, unit="iterations a second")


def test_iterations_in_the_last_rounds(benchmark: Any) -> None:
    measure(benchmark, recorded(late=True), 1_000, rounds=5)


@pytest.mark.parametrize("iterations", [1_000, 5_000, 100_000])
@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_iterations_from_shipped_positions(benchmark: Any, name: str, iterations: int) -> None:
    measure(benchmark, [shipped(name)], iterations, rounds=5)


def test_tree_memory(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("opening", "midgame"):
        search = prepared(shipped(name), 100_000)
        search._sample()
        (sampler,) = search.race.samplers
        with capsys.disabled():
            print(
                f"\n{name}: {sampler.memory / sampler.edges:.1f} bytes a node-action "
                f"({sampler.edges:,} after 100,000 iterations)"
            )


@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_two_threads_against_one(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wall time of the same number of iterations, in turn on one thread and on two."""
    position = shipped(name)
    ratios = []
    for _ in range(7):
        seconds = []
        for threads in (1, 2):
            search = prepared(position, 50_000, threads=threads)
            started = time.perf_counter()
            search._sample()
            seconds.append(time.perf_counter() - started)
        ratios.append(seconds[0] / seconds[1])
    with capsys.disabled():
        best, median = max(ratios), statistics.median(ratios)
        print(f"\n{name}: two threads are {best:.2f} times as fast as one (median {median:.2f})")


def test_exact_solver(benchmark: Any) -> None:
    """All candidates of the shipped last round with their lines of play, as `suggest` does it."""
    candidates = prepared(shipped("last-round"), 1).candidates

    def solve() -> int:
        solver = Solver(candidates.position.rules, memory=exact.TABLE)
        for state in candidates.states:
            if solver.line(state, 1 << 40) is None:
                raise AssertionError("the last round could not be solved")
        return solver.nodes

    nodes = benchmark.pedantic(solve, rounds=7, warmup_rounds=1)
    benchmark.extra_info.update(
        per_round=nodes, unit=f"positions a second ({nodes:,} for {len(candidates.states)} actions)"
    )


def test_exact_answer_in_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """Wall time of the whole answer, on all cores, with time enough for a busy machine."""
    answers = [advisor.suggest(shipped("last-round"), seconds=60) for _ in range(7)]
    assert all(advice.exact for advice in answers)
    seconds = [advice.seconds for advice in answers]
    with capsys.disabled():
        best, median = min(seconds), statistics.median(seconds)
        print(f"\nlast-round: exact in {best:.2f} s (median {median:.2f} s)")


@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_suggest_from_the_shell(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Wall time of the process, from its start to its end."""
    command = [sys.executable, "-m", "advisor", "suggest", str(POSITIONS / f"{name}.yaml")]
    walls = []
    for _ in range(7):
        started = time.perf_counter()
        subprocess.run([*command, "--seconds", "1"], check=True, stdout=subprocess.DEVNULL)
        walls.append(time.perf_counter() - started)
    with capsys.disabled():
        best, median = min(walls), statistics.median(walls)
        print(f"\n{name}: suggest --seconds 1 takes {best:.2f} s (median {median:.2f} s)")


# --- Peers


def peer_decisions(name: str, stride: int) -> list[Any]:
    """Return every so-manieth position with a choice of a random game of OpenSpiel."""
    pyspiel = pytest.importorskip("pyspiel", reason="the bench extra is not installed")
    state = pyspiel.load_game(name).new_initial_state()
    luck = random.Random(1)
    if name == "hearts":  # hold: passing cards crashes the ISMCTS of OpenSpiel 2.0.2
        state.apply_action(0)
    found = []
    while not state.is_terminal():
        if state.is_chance_node():
            events, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(events, weights)[0])
            continue
        if len(state.legal_actions()) > 1:
            found.append(state.clone())
        state.apply_action(luck.choice(state.legal_actions()))
    return found[::stride]


def measure_peer(benchmark: Any, bot: Any, states: list[Any]) -> None:
    """Time the steps of a bot with a fixed number of simulations each."""

    def step() -> None:
        for state in states:
            bot.step(state)

    benchmark.pedantic(step, rounds=5, warmup_rounds=1)
    benchmark.extra_info.update(
        per_round=SIMULATIONS * len(states),
        unit=f"simulations a second ({len(states)} positions)",
    )


@pytest.mark.parametrize("part", ["opening", "game"])
def test_peer_openspiel_mcts_backgammon(benchmark: Any, part: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the bench extra is not installed")
    states = peer_decisions("backgammon", 16)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    game = pyspiel.load_game("backgammon")
    # uct_c, simulations, megabytes, solve, seed, verbose
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1_000, False, 1, False)
    measure_peer(benchmark, bot, states[:1] if part == "opening" else states)


@pytest.mark.parametrize("part", ["opening", "game"])
def test_peer_openspiel_ismcts_hearts(benchmark: Any, part: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the bench extra is not installed")
    states = peer_decisions("hearts", STRIDE)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.ISMCTSBot(1, evaluator, 2.0, SIMULATIONS)
    measure_peer(benchmark, bot, states[:1] if part == "opening" else states)
