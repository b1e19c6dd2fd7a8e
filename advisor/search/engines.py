"""The two ways to judge candidates: by plans and a learned value, or by plain tree search.

Owns the choice between them and what differs: who samples, how many visits are enough for what, and
in how many worlds an explanation is played out. Everything else is shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from advisor.core.registry import Position
from advisor.errors import SettingError
from advisor.learning import model as models
from advisor.search._plan_sampler import PlanSampler
from advisor.search._tree import Sampler
from advisor.search.settings import ENGINES

if TYPE_CHECKING:
    from advisor.search.engine import Search

PLANS = {"width": 12, "limit": 3_000, "narrow_width": 6, "narrow_limit": 100, "turns_ahead": 2}
"""How wide and how far plans look, settled by matches (bench/RESULTS.md)."""


class Samples(Protocol):
    """What every sampler offers; `_tree.pyx` explains it."""

    decisions: int
    trees: int
    memory: int
    edges: int
    full: bool

    def run(self, candidates: NDArray[np.int32], counts: NDArray[np.int32]) -> None:
        """Visit candidates."""

    def visits(self, out: NDArray[np.int64]) -> None:
        """Fill in the visits of each candidate."""

    def moments(self, reference: int, out: NDArray[np.float64]) -> None:
        """Fill in what each tree says."""

    def observe(
        self,
        candidate: int,
        first: int,
        points: NDArray[np.float64],
        scores: NDArray[np.float64],
    ) -> None:
        """Play a candidate out."""

    def recall(self, states: list[bytes], out: NDArray[np.float64]) -> None:
        """Add what is known of the ends of turns."""

    def children(self, candidate: int, actions: list[int]) -> list[tuple[int, int]]:
        """Return the visits of the actions after some actions."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One way to judge candidates."""

    name: str
    model: models.Model | None
    patience: int
    """Iterations before which no search stops early."""
    forced_visits: int
    """Iterations that show what a forced action leads to."""
    worlds: tuple[int, int]
    """Fewest and most worlds of an explanation, over all threads."""
    worlds_share: int
    """One of them for so many iterations, within those bounds."""
    whole_turns: int
    """So many of the most promising turns are compared, besides those already found good."""
    trusted: int
    """Visits below which the most visited way on from an action says little."""

    def samplers(self, search: Search, trees: int) -> list[Samples]:
        """Return a sampler for each thread of a search.

        Raises:
            MemoryError: the memory bound is too small.

        """
        settings = search.settings
        threads = settings.workers
        found: list[Samples] = []
        for thread in range(threads):
            seed = ((settings.seed << 16) + (thread << 8)) & (2**64 - 1)
            found.append(self._sampler(search, -(-trees // threads), seed))
        return found

    def _sampler(self, search: Search, trees: int, seed: int) -> Samples:
        position, candidates, settings = search.position, search.candidates, search.settings
        own_score = settings.objective == "score"
        if self.model is not None:
            return PlanSampler(
                position.rules,
                self.model.net,
                self.model.spread,
                position.packed,
                candidates.ways,
                trees=trees,
                seat=candidates.seat,
                seed=seed,
                own_score=own_score,
                **PLANS,
            )
        return Sampler(
            position.rules,
            position.packed,
            candidates.ways,
            trees=trees,
            seat=candidates.seat,
            seed=seed,
            memory=settings.bytes // settings.workers // (2 if search.shares_memory else 1),
            explore=settings.tree.explore,
            caution=settings.tree.caution,
            scale=settings.tree.scale,
            own_score=own_score,
        )


def choose(position: Position, wanted: str | None) -> Engine:
    """Return the engine asked for; by default plans, where there is a model for the table.

    Raises:
        SettingError: no engine is called that.
        ModelError: plans were asked for, and there is no model.

    """
    if wanted not in (None, *ENGINES):
        raise SettingError(f"no engine is called '{wanted}'; the engines are {', '.join(ENGINES)}")
    if wanted != "ismcts":
        try:
            model = models.shipped(position.game, len(position.names))
        except models.NoModelError:
            if wanted == "plans":
                raise
        else:
            return Engine("plans", model, 2_000, 200, (100, 1_000), 4, 24, trusted=1)
    return Engine("ismcts", None, 20_000, 2_000, (400, 4_000), 20, 100, trusted=16)
