"""Matches: games a second inside the kernel, the overhead of the harness, two workers against one.

Two players on board 1. The kernel's rates are CPU time of one thread; what compares runs of a match
is wall time, in turn in one run, as ratios.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
import pytest

from advisor.agents._table import play_games
from advisor.research.match import run_match
from advisor.research.plan import make_plan
from advisor.research.tasks import Played, deal_of, play_range

GAMES = 2_000
ROUNDS = 7


def prepared(agent: str, players: int) -> tuple[Any, Any, dict[str, Any]]:
    """Return the kernel's loop for games of an agent against itself, everything ready."""
    plan = make_plan([agent], players=players)
    deals = [deal_of(plan, number) for number in range(GAMES)]
    rules = deals[0].position.rules
    player = plan.agents[0].make(plan.game)
    player.prepare(rules, deals[0].position)
    room = Played.empty(GAMES, players, rules.sources, rules.state_size)
    seeds = np.array([plan.deal_seed(number) for number in range(GAMES)], np.uint64)
    arrays = {
        "starts": np.frombuffer(b"".join(d.start for d in deals), np.uint8).reshape(GAMES, -1),
        "seatings": np.zeros((GAMES, players), np.int8),
        "worlds": seeds,
        "lucks": seeds,
        "ends": np.zeros(GAMES, np.int64),
        "random_turns": 0,
    }
    for name in ("scores", "wins", "points", "decisions", "nanos", "finals"):
        arrays[name] = getattr(room, name)
    return rules, [player], arrays


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_complete_games_inside_the_kernel(benchmark: Any, agent: str, players: int) -> None:
    rules, agents, arrays = prepared(agent, players)
    benchmark.pedantic(play_games, (rules, agents), arrays, rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(per_round=GAMES, unit=f"games a second ({players} players)")


def test_a_task_of_greedy_games(benchmark: Any) -> None:
    """With deals, frames and all that a results folder needs."""
    plan = make_plan(["greedy", "greedy"])
    benchmark.pedantic(play_range, (plan, 0, GAMES), rounds=ROUNDS, warmup_rounds=1)
    benchmark.extra_info.update(per_round=GAMES, unit="games a second, as a task of a match")


@pytest.mark.parametrize("iterations", [150, 1000])
def test_overhead_of_the_harness(
    iterations: int, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wall time of a match with one worker and a folder over the time inside decisions."""
    plan = make_plan([f"ismcts:iterations={iterations}", f"ismcts:iterations={iterations + 1}"])
    shares, per_decision = [], []
    for number in range(5):
        games = 16 if iterations < 500 else 4
        result = run_match(plan, games=games, folder=tmp_path / f"{iterations}-{number}", jobs=1)
        frame = result.players
        inside = float((frame["decisions"] * frame["seconds_per_decision"]).sum())
        per_decision.append(inside / float(frame["decisions"].sum()))
        shares.append(result.seconds / inside - 1)
    with capsys.disabled():
        print(
            f"\n{1e3 * statistics.median(per_decision):.2f} ms a decision: the harness adds "
            f"{100 * min(shares):.1f} % (median {100 * statistics.median(shares):.1f} %)"
        )


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_two_workers_against_one(backend: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Wall time of the same match, in turn with one worker and with two."""
    plan = make_plan(["ismcts:iterations=300", "greedy"])
    run_match(plan, games=4, jobs=2, backend=backend)  # starts the processes
    ratios = []
    for _ in range(5):
        seconds = []
        for jobs in (1, 2):
            began = time.perf_counter()
            run_match(plan, games=64, jobs=jobs, backend=backend)
            seconds.append(time.perf_counter() - began)
        ratios.append(seconds[0] / seconds[1])
    with capsys.disabled():
        best, median = max(ratios), statistics.median(ratios)
        print(f"\n{backend}: two workers are {best:.2f} times one (median {median:.2f})")
