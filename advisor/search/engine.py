"""The search as one call: a position and settings in, an `Advice` out.

Owns the conduct: exact where that is possible, otherwise rounds of sampling with a look at the
standing between them, the clock, cancelling, and early stopping. The rounds follow from counts
alone; the clock only says after which of them to stop, so that a timed answer can be repeated by
its number of iterations.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from advisor.core.registry import Position
from advisor.errors import SettingError
from advisor.report.advice import Advice, Stopped
from advisor.search import answer, exact
from advisor.search.candidates import legal_actions
from advisor.search.crew import Crew
from advisor.search.engines import Samples, choose
from advisor.search.explain import worlds
from advisor.search.race import (
    TREES,
    WARM_UP,
    Counts,
    Race,
    Standing,
    next_visits,
    rounded,
)
from advisor.search.ranking import Judgement, believed_best, judge, measure_of
from advisor.search.settings import Settings, cores
from advisor.search.whole_turns import end_of, promising

WORK = 200_000
"""Decisions between two looks at the clock, for each thread: some 20 ms."""

GROWTH = 0.2
"""The standing is looked at anew when the iterations have grown by this share."""

EXACT_SHARE = 0.75
"""Share of the time left that an exact solution may take before sampling must begin."""

KNOWN = 10
"""The best turns through so many of the best actions take part in the comparison of turns."""

CLOSING = 0.06
"""Seconds kept for putting the answer together."""

REPORT = 0.2
"""Seconds between two reports of progress."""


class Search:
    """One search: `run()` returns the advice, `cancel()` ends it early from anywhere.

    Args:
        position: where a player decides.
        turns: rank whole turns, too; each ranking gets half of the budget.
        explain: compare the best with the runner-up, by source of points.
        versus: an action to compare the best with instead.
        progress: called with this object a few times a second; only there `glance` and `advice`
            may be asked for while `run` works.
        settings: the fields of `Settings`.

    Raises:
        ActionError: nobody decides here, or `versus` is not legal.
        SettingError: a setting out of bounds.

    """

    def __init__(
        self,
        position: Position,
        *,
        turns: bool = False,
        explain: bool = False,
        versus: str | None = None,
        progress: Callable[[Search], None] | None = None,
        **settings: Any,
    ) -> None:
        self._started = time.monotonic()
        self.position = position
        self.settings = Settings(**settings)
        self.engine = choose(position, self.settings.engine)
        self.candidates = legal_actions(position)
        self.turns = turns
        self.explain = explain or versus is not None
        self.versus = self.candidates.index(versus) if versus is not None else None
        self.progress = progress
        self.notes: list[str] = []
        if self.settings.workers > cores():
            self.notes.append(
                f"{self.settings.workers} threads share {cores()} "
                f"core{'s' if cores() > 1 else ''}: more threads than cores do not think faster"
            )
        self.solutions: list[exact.Solution] | None = None
        self.race: Race | None = None
        self.gave_up = False
        """An exact answer was tried and did not fit."""
        self.stopped: Stopped = "interrupted"
        self.second: Search | None = None
        """The search among whole turns, where they are asked for."""
        self.shares_memory = turns  # two searches stay within one bound
        self._cancelled = threading.Event()
        self._reported = self._started

    def count_from(self, moment: float) -> None:
        """Let the clock have started at a moment of `time.monotonic` before now.

        For those who wait for more than the search: what they have waited counts, as long as half
        of the time is left for thinking.
        """
        limit = self.settings.thinking_time
        if limit is not None:
            self._started = min(self._started, max(moment, self._started - limit / 2))

    def cancel(self) -> None:
        """End the search soon; `run` then returns the answer so far."""
        self._cancelled.set()

    @property
    def seconds(self) -> float:
        """Time since the search began."""
        return time.monotonic() - self._started

    @property
    def iterations(self) -> int:
        """Iterations so far."""
        own = int(self.race.visits.sum()) if self.race is not None else 0
        return own + (self.second.iterations if self.second is not None else 0)

    @property
    def has_answer(self) -> bool:
        """Whether every candidate has been looked at."""
        return answer.possible(self)

    @property
    def advice(self) -> Advice:
        """The answer so far.

        Raises:
            SettingError: there is none yet.

        """
        return answer.compose(self)

    def glance(self, rows: int = 5) -> Advice:
        """Return the first few of the answer so far, quickly; for showing progress."""
        return answer.compose(self, rows)

    def run(self) -> Advice:
        """Search until the budget is spent or the answer is clear.

        Raises:
            KeyboardInterrupt: Ctrl-C; `advice` is the answer so far.

        """
        try:
            self._search()
        except RuntimeError as error:
            if "new thread" not in str(error):
                raise
            raise SettingError(
                f"{self.settings.workers} threads cannot be started here ({error}); ask for fewer"
            ) from None
        return self.advice

    def _search(self) -> None:
        whole = self.settings
        self._solve()
        if self.solutions is None:
            if self.turns:
                self.settings = whole.half(self.seconds)
            self._sample()
        if self.turns and not self._cancelled.is_set():
            second = self.second = self._among_turns(whole)
            if self.solutions is not None:
                second._solve()
            if second.solutions is None:
                second._sample()

    def answer_now(self) -> Advice:
        """Return the answer so far after an interrupted `run`; where there is none, a quick one."""
        if not self.has_answer:
            self.cancel()
            self._sample()
            self.stopped = "interrupted"
        return self.advice

    def _among_turns(self, whole: Settings) -> Search:
        """Return the search that compares whole turns, with what is left of the budget."""
        left = whole.without(self.seconds, self.iterations)
        second = Search(self.position, explain=self.explain)
        if self.progress is not None:
            tell = self.progress
            second.progress = lambda _: tell(self)
        second.settings = left
        second.engine = self.engine
        second.shares_memory = True
        rows = answer.ranking(self)
        wanted = [row.turn for row in rows if row.candidate == self.versus]
        known = rows if self.solutions is not None else rows[:KNOWN]
        second.candidates = promising(self, [*(row.turn for row in known), *wanted])
        if wanted:
            second.versus = second.candidates.states.index(end_of(self.position, wanted[0]))
        second.notes = [*second.candidates.notes]
        second._cancelled = self._cancelled
        return second

    def _solve(self) -> None:
        """Compute the answer, where no chance is left and the budget allows it."""
        limit = self.settings.thinking_time
        deadline = None
        if limit is not None:
            deadline = time.monotonic() + EXACT_SHARE * max(0.0, limit - self.seconds)
        self.solutions, chance = exact.solve(
            self.position.rules,
            self.candidates.states,
            own_score=self.settings.objective == "score",
            threads=self.settings.workers,
            memory=self.settings.bytes,
            iterations=self.settings.iterations,
            deadline=deadline,
            cancelled=self._cancelled.is_set,
        )
        if self.solutions is not None:
            self.stopped = "exact"
        elif not chance and not self._cancelled.is_set():
            self.gave_up = True
            self.notes.append(
                "nothing is left to chance here, but the exact answer did not fit the budget: "
                "the numbers are sampled"
            )

    def _samplers(self) -> list[Samples]:
        try:
            return self.engine.samplers(self, TREES)
        except MemoryError:
            raise SettingError(
                f"{self.settings.bytes:,} bytes of memory cannot hold the search; give more memory "
                "or fewer threads"
            ) from None

    def _sample(self) -> None:
        """Sample the candidates in rounds until there is a reason to stop."""
        count = self.candidates.count
        race = self.race = Race(self._samplers(), count)
        with Crew(race.samplers) as crew:
            for visits in WARM_UP:
                crew.hand_out(race.share(self._warm_up(count, visits)))
                crew.finish()
                self._report(crew)
                if self._spent(crew, 0):
                    return
            while True:
                values, standing = self._standings()
                if reason := self._clear(values, standing):
                    self.stopped = reason
                    return
                if self._rounds(crew, standing):
                    return

    def _rounds(self, crew: Crew, standing: Standing) -> bool:
        """Sample by what the standing says until it is time for the next look; True: to the end."""
        race = self.race
        assert race is not None
        longest = self._longest_round()
        spent = False
        enough = race.total * (1 + GROWTH)
        while race.total < enough and not spent:
            chunk = self.settings.workers * min(
                longest, max(256, race.total // (8 * self.settings.workers))
            )
            if self.settings.iterations is not None:
                chunk = min(chunk, self.settings.iterations - race.total)
            spent = self._spent(crew, chunk)
            if not spent:
                counts = next_visits(
                    standing,
                    race.planned,
                    chunk,
                    measure_of(self.settings.objective),
                    self.settings.indifference,
                )
                crew.hand_out(race.share(counts))
                self._report(crew)
        crew.finish()
        return spent

    def _report(self, crew: Crew) -> None:
        """Tell how it goes, now and then."""
        now = time.monotonic()
        if self.progress is not None and now - self._reported > REPORT:
            self._reported = now
            crew.finish()
            self.progress(self)

    def _warm_up(self, count: int, visits: int) -> Counts:
        """Return the visits of every candidate in one of the first rounds."""
        left = visits * count
        if self.settings.iterations is not None:
            done = self.iterations
            left = min(left, self.settings.iterations - done)
            if done == 0:
                left = visits * count
        return rounded(np.ones(count), left)

    def _longest_round(self) -> int:
        """Return how many iterations of one thread are some 20 ms of work, by what they decide."""
        assert self.race is not None
        decisions = sum(sampler.decisions for sampler in self.race.samplers)
        return max(16, WORK * self.race.total // max(1, decisions))

    def _spent(self, crew: Crew, chunk: int) -> bool:
        """Tell whether the budget leaves no room for another round, and remember why."""
        assert self.race is not None
        total = self.race.total
        limit = self.settings.thinking_time
        ahead = 0.6 * chunk + crew.iterations_ahead
        if self.explain:
            ahead += 2 * worlds(self.engine, total)
        if self._cancelled.is_set():
            self.stopped = "cancelled"
        elif limit is not None and self.seconds + ahead * crew.pace + CLOSING > limit:
            self.stopped = "seconds"
        elif self.settings.iterations is not None and total >= self.settings.iterations:
            self.stopped = "iterations"
        elif self._is_forced and total >= self.engine.forced_visits:
            self.stopped = "forced"
        else:
            return False
        return True

    @property
    def _is_forced(self) -> bool:
        return self.candidates.count == 1 and not self.settings.full

    def _clear(self, values: Standing, standing: Standing) -> Stopped | None:
        """Return the reason to stop early, if there is one."""
        assert self.race is not None
        if (
            self.settings.full
            or self.race.total < self.engine.patience
            or self.candidates.count == 1
        ):
            return None
        judgement = judge(values, standing, self.settings.objective, self.settings.indifference)
        if judgement.decided:
            return "decided"
        return "equivalent" if judgement.settled else None

    def judge(self) -> Judgement:
        """Judge the candidates by all samples. Changes nothing: who watches does not disturb."""
        values, standing = self._standings()
        return judge(values, standing, self.settings.objective, self.settings.indifference)

    def _standings(self) -> tuple[Standing, Standing]:
        """Return what all samples say: first of everybody's worth, then of the way to the best."""
        assert self.race is not None
        values = self.race.look(self.race.most_visited)
        best = believed_best(values, self.settings.objective)
        return values, values if best == values.reference else self.race.look(best)


def suggest(position: Position, **settings: Any) -> Advice:
    """Return the legal actions of a position ranked, with the best whole turn.

    The GIL is released while the kernel searches; several threads may search at once.

    Args:
        position: where a player decides.
        settings: the budget `seconds` (default 5) or `iterations`; `threads` (default all cores),
            `seed`, `memory` (bytes or such as "1GiB"), `objective` ("win", "margin", "score"),
            `full`, `indifference`, `engine` ("plans", "ismcts"), `turns`, `explain`, `versus`,
            `progress`; see `Search`.

    Raises:
        ActionError: nobody decides here: the game is over, or chance is awaited.
        SettingError: a setting out of bounds.

    """
    return Search(position, **settings).run()
