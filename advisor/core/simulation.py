"""Playing a position out many times, and what the results say.

Owns the batches, threads and statistics of `simulate`; the playouts themselves run in the kernel
without the GIL. Knows no game.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.core import registry
from advisor.core.registry import Position
from advisor.errors import SettingError

MAX_PLAYOUTS = 20_000_000
MAX_THREADS = 256
BATCH = 2_000
"""Playouts between two looks at the clock: some 20 ms."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Simulation:
    """The results of many playouts of one position.

    `scores` has one row a playout and one column a seat; `wins` likewise, 1 for the winner.
    """

    names: list[str]
    scores: NDArray[np.int32]
    wins: NDArray[np.uint8]
    sources: tuple[str, ...]
    source_sums: NDArray[np.int64]
    """Points from each source, gained after the position, added up over all playouts."""
    decisions: int
    seed: int
    threads: int
    certain: bool
    """The game was over already: nothing was sampled."""

    @property
    def playouts(self) -> int:
        """The number of playouts."""
        return int(self.scores.shape[0])

    def seat(self, name: str) -> int:
        """Return the seat of a player.

        Raises:
            SettingError: nobody is called that.

        """
        if name not in self.names:
            raise SettingError(
                f"nobody is called '{name}'; the players are {', '.join(self.names)}"
            )
        return self.names.index(name)

    def win_rate(self, name: str) -> float:
        """Return the share of playouts a player won."""
        return float(self.wins[:, self.seat(name)].mean())

    def win_se(self, name: str) -> float:
        """Return the standard error of `win_rate`; never 0 from sampling, even at 0 % or 100 %."""
        if self.certain:
            return 0.0
        n = self.playouts + 2
        p = (float(self.wins[:, self.seat(name)].sum()) + 1) / n
        return math.sqrt(p * (1 - p) / n)

    def mean(self, name: str) -> float:
        """Return a player's mean final score."""
        return float(self.scores[:, self.seat(name)].mean())

    def sd(self, name: str) -> float:
        """Return the standard deviation of a player's final score."""
        column = self.scores[:, self.seat(name)]
        return float(column.std(ddof=1)) if len(column) > 1 else 0.0

    def quantiles(self, name: str) -> dict[str, float]:
        """Return the quantiles of a player's final score."""
        values = np.quantile(self.scores[:, self.seat(name)], QUANTILES)
        return {f"{q:.2f}": float(v) for q, v in zip(QUANTILES, values, strict=True)}

    def points(self, name: str) -> dict[str, float]:
        """Return a player's mean points by source, gained from the position on."""
        sums = self.source_sums[self.seat(name)]
        return {
            source: float(total) / self.playouts
            for source, total in zip(self.sources, sums, strict=True)
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the single playouts, for JSON."""
        players = {}
        for name in self.names:
            sd = self.sd(name)
            players[name] = {
                "win": self.win_rate(name),
                "win_se": self.win_se(name),
                "score": self.mean(name),
                "score_se": sd / math.sqrt(self.playouts),
                "score_sd": sd,
                "quantiles": self.quantiles(name),
                "points": self.points(name),
            }
        return {
            "playouts": self.playouts,
            "decisions": self.decisions,
            "seed": self.seed,
            "threads": self.threads,
            "players": players,
        }


@dataclass
class _Batch:
    """The result arrays of a run of consecutive playouts."""

    first: int
    scores: NDArray[np.int32]
    wins: NDArray[np.uint8]
    sums: NDArray[np.int64]
    decisions: int


def _play(position: Position, seed: int, policy: int, first: int, count: int) -> _Batch:
    rules = position.rules
    scores = np.zeros((count, rules.players), dtype=np.int32)
    wins = np.zeros((count, rules.players), dtype=np.uint8)
    points = np.zeros((count, rules.players, rules.sources), dtype=np.int32)
    decisions = np.zeros(count, dtype=np.int32)
    rules.playouts(
        position.packed, scores, wins, points, decisions, policy=policy, seed=seed, first=first
    )
    return _Batch(first, scores, wins, points.sum(axis=0, dtype=np.int64), int(decisions.sum()))


def simulate(
    position: Position,
    playouts: int = 10_000,
    *,
    seed: int = 1,
    threads: int | None = None,
    policy: str = "uniform",
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play a position to the end many times and return the results.

    The same seed gives the same playouts, whatever the number of threads. The GIL is released while
    the kernel plays; Ctrl-C stops within some 20 ms.

    Args:
        position: any position, also one that waits for chance or is over.
        playouts: how many.
        seed: the luck of all playouts.
        threads: default all cores.
        policy: how the players decide, by one of the game's policies: "uniform" chooses each legal
            action equally often, "greedy" takes what brings most at once.
        progress: called now and then with the number of playouts finished since the last call.

    Raises:
        SettingError: a number out of bounds or an unknown policy.

    """
    if not 1 <= playouts <= MAX_PLAYOUTS:
        raise SettingError(f"{playouts:,} playouts; ask for 1 to {MAX_PLAYOUTS:,}")
    policies = registry.find(position.game).POLICIES
    if policy not in policies:
        raise SettingError(
            f"no policy is called '{policy}'; the policies are {', '.join(policies)}"
        )
    cores = os.cpu_count() or 1
    workers = cores if threads is None else threads
    if not 1 <= workers <= MAX_THREADS:
        raise SettingError(f"{workers} threads; ask for 1 to {MAX_THREADS}, best {cores} here")
    rules = position.rules
    scores = np.zeros((playouts, rules.players), dtype=np.int32)
    wins = np.zeros((playouts, rules.players), dtype=np.uint8)
    sums = np.zeros((rules.players, rules.sources), dtype=np.int64)
    decisions = 0
    position.packed  # noqa: B018 - packed here once, not in every thread
    starts = iter(range(0, playouts, BATCH))
    pool = ThreadPoolExecutor(max_workers=workers)
    running: set[Future[_Batch]] = set()

    def start_next() -> None:
        first = next(starts, None)
        if first is not None:
            count = min(BATCH, playouts - first)
            running.add(
                pool.submit(
                    _play, position, seed & (2**64 - 1), policies.index(policy), first, count
                )
            )

    try:
        for _ in range(workers + 1):  # one more than run, so that no thread waits for Python
            start_next()
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running.discard(future)
                batch = future.result()
                rows = slice(batch.first, batch.first + len(batch.scores))
                scores[rows] = batch.scores
                wins[rows] = batch.wins
                sums += batch.sums
                decisions += batch.decisions
                start_next()
                if progress is not None:
                    progress(len(batch.scores))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return Simulation(
        names=position.names,
        scores=scores,
        wins=wins,
        sources=registry.find(position.game).SOURCES,
        source_sums=sums,
        decisions=decisions,
        seed=seed,
        threads=workers,
        certain=position.to_move is None,
    )
