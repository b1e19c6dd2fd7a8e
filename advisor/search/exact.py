"""The exact answer: every candidate solved to the end of the game, spread over threads.

Owns the attempt and its limits. It gives up at the first sign of chance, when the time is over, or
after a number of positions that depends on the settings alone, so that counted searches repeat.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from advisor._fastsim import Game
from advisor.search._exact import Solver

NODES = (1_000_000, 50, 20_000_000)
"""Positions looked at in all where iterations are counted: so many, for each iteration so many
more, and at most so many."""

TABLE = 1 << 26
"""Bytes of a thread's table of positions: a larger one costs more time to fill than it saves."""

LOOK = 0.02
"""Seconds between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Solution:
    """How a candidate ends with best play by everybody."""

    points: list[float]
    wins: list[float]
    line: list[int]
    """The actions of a best line of play from the candidate on."""


def nodes_for(iterations: int | None) -> int:
    """Return how many positions a budget of iterations is worth."""
    least, each, most = NODES
    return min(least + each * (iterations or 0), most)


def solve(
    game: Game,
    starts: list[bytes],
    *,
    own_score: bool,
    threads: int,
    memory: int,
    iterations: int | None = None,
    deadline: float | None,
    cancelled: Callable[[], bool],
) -> tuple[list[Solution] | None, bool]:
    """Solve all candidates, or None; and whether chance was what made it impossible.

    Args:
        game: the rules.
        starts: the packed state of each candidate.
        own_score: seats play for their own score.
        threads: candidates are dealt out to so many.
        memory: bytes for the tables of positions.
        iterations: the budget, where no clock limits the attempt.
        deadline: of `time.monotonic`, where the clock limits the attempt.
        cancelled: asked now and then whether to give up.

    """
    if game.chances(starts[0]):
        return None, True
    threads = min(threads, len(starts))
    table = min(memory // threads, TABLE)
    try:
        solvers = [Solver(game, own_score=own_score, memory=table) for _ in range(threads)]
    except MemoryError:
        return None, False
    found: list[Solution | None] = [None] * len(starts)

    def work(thread: int) -> None:
        solver = solvers[thread]
        for index in range(thread, len(starts), threads):
            left = nodes_for(iterations) // threads - solver.nodes if deadline is None else 1 << 60
            result = solver.line(starts[index], left)
            if result is None:
                for other in solvers if deadline is not None else [solver]:
                    other.cancel()
                return
            (points, wins), line = result
            found[index] = Solution(points, wins, line)

    with ThreadPoolExecutor(max_workers=threads) as pool:
        running = [pool.submit(work, thread) for thread in range(threads)]
        try:
            while wait(running, timeout=LOOK).not_done:
                if cancelled() or (deadline is not None and time.monotonic() > deadline):
                    for solver in solvers:
                        solver.cancel()
        except BaseException:
            for solver in solvers:
                solver.cancel()
            raise
        for future in running:
            future.result()
    solutions = [solution for solution in found if solution is not None]
    return (solutions if len(solutions) == len(starts) else None), False
