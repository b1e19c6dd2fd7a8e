"""The threads of a search: each works on its own trees, with a round of work in reserve.

Owns the threads and the order of their work. While a round runs the next may already be handed out,
so that no thread waits for a slower one; who wants to look at the trees calls `finish` first.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from advisor.search.engines import Samples

Share = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Which candidates one thread visits, and how often."""

RESERVE = 1
"""Rounds handed out before the last one is done."""


class Crew:
    """One thread for each sampler."""

    def __init__(self, samplers: list[Samples]) -> None:
        self._samplers = samplers
        self._pools = [ThreadPoolExecutor(max_workers=1) for _ in samplers]
        self._rounds: deque[tuple[int, list[Future[None]]]] = deque()
        self._marked = time.monotonic()
        self.pace = 0.0
        """Seconds an iteration of the last finished round took."""

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools:
            pool.shutdown(wait=True)

    @property
    def iterations_ahead(self) -> int:
        """Iterations handed out and not known to be done."""
        return sum(count for count, _ in self._rounds)

    def hand_out(self, shares: list[Share]) -> None:
        """Give every thread its share of a round; wait while more than the reserve is undone."""
        if not self._rounds:
            self._marked = time.monotonic()
        count = sum(int(counts.sum()) for _, counts in shares)
        work = zip(self._pools, self._samplers, shares, strict=True)
        running = [pool.submit(sampler.run, *share) for pool, sampler, share in work]
        self._rounds.append((count, running))
        while len(self._rounds) > RESERVE:
            self._wait()

    def finish(self) -> None:
        """Wait until all rounds are done."""
        while self._rounds:
            self._wait()

    def _wait(self) -> None:
        count, running = self._rounds[0]
        for future in running:
            future.result()
        self._rounds.popleft()
        now = time.monotonic()
        self.pace = (now - self._marked) / max(1, count)
        self._marked = now
