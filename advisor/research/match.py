"""A match from its first game to its last: `advisor.match` and the command run this.

Owns the conduct: which games are still missing, how large the tasks are, writing what is finished,
the sequential test, progress. Results depend on the plan alone, never on who played what where.
"""

from __future__ import annotations

import platform
import sys
import time
from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import __version__
from advisor.core.extras import require
from advisor.errors import SettingError
from advisor.research.plan import MOST_GAMES, Plan, make_plan
from advisor.research.running import Running
from advisor.research.sequential import ALPHA, DIFFERENCE, SequentialTest
from advisor.research.store import Finished, Store, read_players
from advisor.research.store import Part as StoredPart
from advisor.research.tasks import Part, play_range
from advisor.research.workers import Backend, WorkerDiedError, Workers

if TYPE_CHECKING:
    import polars as pl

GAMES = 1_000
UNDECIDED_GAMES = 100_000
"""The most games of a match that ends when it is decided, where nobody says."""

TASK_SECONDS = 1.5
"""Length of a task to aim at: long enough to hide its overhead, short enough to lose little."""

DEATHS = 3
"""So often a dead worker process is replaced and what it played is played again."""

MOST_IN_TASK = 20_000
"""Games of a task at most: their results must fit in memory many times over."""

Task = Callable[[Plan, int, int], Part]
LIBRARIES = ("numpy", "polars", "joblib")


@dataclass(slots=True)
class Progress:
    """How far a match has come; handed to those who show it."""

    running: Running
    asked: int
    """Games asked for, at most."""
    kept: int
    """Games that were finished before this run."""
    test: SequentialTest | None
    started: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """Games finished, earlier runs included."""
        return self.running.games

    @property
    def rate(self) -> float:
        """Games a second in this run."""
        return (self.done - self.kept) / max(1e-9, time.monotonic() - self.started)

    @property
    def seconds_left(self) -> float | None:
        """The time left at this rate; None before anything is known."""
        return (self.asked - self.done) / self.rate if self.done > self.kept else None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that has ended."""

    plan: Plan
    players: pl.DataFrame
    """One row a player and game, by game and seat."""
    asked: int
    seconds: float
    """Of this run."""
    new_games: int
    test: SequentialTest | None
    kept_games: int | None = None
    """Games in the folder, also those beyond what was asked for."""


def run_match(
    plan: Plan,
    *,
    games: int | None = None,
    folder: str | Path | None = None,
    until_decided: bool = False,
    alpha: float = ALPHA,
    difference: float = DIFFERENCE,
    jobs: int | None = None,
    backend: Backend | None = None,
    cluster: str | None = None,
    command: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    task: Task = play_range,
    noted: Mapping[str, Any] | None = None,
) -> MatchResult:
    """Play a match, or what is missing of it.

    Args:
        plan: who plays whom, from `make_plan`.
        games: how many; default 1,000, or at most 100,000 where it ends when decided. Rounded up to
            whole deals.
        folder: where results are kept and continued; default nowhere.
        until_decided: end as soon as a sequential test says which of two agents is better.
        alpha: chance of a wrong verdict of that test.
        difference: difference of win shares it is built for.
        jobs: workers; default one a core.
        backend: "threads" (default where all agents play in the kernel) or "processes".
        cluster: the address of a Dask scheduler.
        command: how the match was called, for the manifest.
        progress: called after every finished task.
        task: plays a run of games; another one may note more of them (`noting.py`).
        noted: what it notes, as entries of the match's identity.

    Raises:
        SettingError: a setting out of bounds.
        StoreError: the folder cannot be used.
        AgentError: an agent of the user's own fails.
        KeyboardInterrupt: Ctrl-C; what is finished is kept.

    """
    for library in ("polars", "openskill"):  # before hours of play, not after
        require(library, "research")
    test = SequentialTest(alpha, difference) if until_decided else None
    if test is not None and len(plan.agents) != 2:
        raise SettingError(
            f"{len(plan.agents)} agents; a match until decided is between two of them"
        )
    wanted = games if games is not None else UNDECIDED_GAMES if until_decided else GAMES
    if not isinstance(wanted, int) or not 1 <= wanted <= MOST_GAMES:
        raise SettingError(f"{wanted} games; ask for 1 to {MOST_GAMES:,}")
    asked = -(-wanted // plan.games_per_deal) * plan.games_per_deal
    chosen: Backend = backend or ("threads" if plan.in_kernel else "processes")
    with Workers(jobs=jobs, backend=chosen, cluster=cluster) as workers:
        if folder is None:
            return _Match(plan, asked, workers, None, test, progress, task).run()
        manifest = _manifest(plan, asked, command, workers, test)
        manifest["identity"] |= dict(noted or {})
        with Store.open(folder, manifest) as store:
            return _Match(plan, asked, workers, store, test, progress, task).run()


def _manifest(
    plan: Plan,
    asked: int,
    command: str | None,
    workers: Workers,
    test: SequentialTest | None,
) -> dict[str, Any]:
    """Return what is written about a match beside its results.

    A match until decided is another one than a match of so many games: it drops the games after its
    verdict, which must never happen to games that somebody asked for.
    """
    decided = None if test is None else {"alpha": test.alpha, "difference": test.difference}
    return {
        "identity": plan.identity | {"until_decided": decided},
        "repeatable": plan.repeatable,
        "games": asked,
        "run": {
            "command": command or "advisor.match",
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "workers": workers.count,
            "backend": "dask" if workers.cluster else workers.backend,
            "versions": {
                "advisor": __version__,
                "python": platform.python_version(),
                **{name: _version(name) for name in LIBRARIES},
            },
            "system": sys.platform,
        },
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


class _Match:
    """One run of a match."""

    def __init__(
        self,
        plan: Plan,
        asked: int,
        workers: Workers,
        store: Store | None,
        test: SequentialTest | None,
        tell: Callable[[Progress], None] | None,
        task: Task,
    ) -> None:
        self.plan = plan
        self.task = task
        self.asked = asked
        self.workers = workers
        self.store = store
        self.tell = tell
        self.frames: list[pl.DataFrame] = []
        running = Running(plan.labels, seatings=plan.games_per_deal)
        if store is not None and store.finished.count:
            self.frames.append(read_players(store.folder, asked))
            running.add(self.frames[0])
        self.progress = Progress(running, asked, running.games, test)
        self.finished = store.finished if store is not None else Finished([])
        self.pace: float | None = None
        """Seconds a game takes one worker, by the latest tasks."""
        self.handed_out = 0
        """Tasks so far."""

    def run(self) -> MatchResult:
        began = time.monotonic()
        self._look()
        for deaths in range(DEATHS + 1):
            try:
                self._play()
                break
            except WorkerDiedError:
                if deaths == DEATHS:
                    raise
        players = self._finish()
        test = self.progress.test
        return MatchResult(
            plan=self.plan,
            players=players,
            asked=self.asked,
            seconds=time.monotonic() - began,
            new_games=self.progress.done - self.progress.kept,
            test=test,
            kept_games=self.store.finished.count if self.store is not None else None,
        )

    def _play(self) -> None:
        """Play what is missing, until it is all there or the test has decided."""
        if self._decided:
            return
        results = self.workers.run(self.task, self._tasks())
        for part in results:
            self._take(part)
            if self._decided:
                results.close()
                break

    @property
    def _decided(self) -> bool:
        return self.progress.test is not None and self.progress.test.verdict is not None

    def _tasks(self) -> Iterator[tuple[Plan, int, int]]:
        """Yield the next run of games each time a worker will soon be free."""
        missing = self.finished.missing(0, self.asked)
        left = sum(len(gap) for gap in missing)
        for gap in missing:
            first = gap.start
            while first < gap.stop:
                count = min(self._size(left), gap.stop - first)
                self.handed_out += 1
                yield self.plan, first, count
                first += count
                left -= count

    def _size(self, left: int) -> int:
        """Return how many games the next task has; towards the end all workers get a share."""
        if self.pace is None:  # the quicker they come back, the more go out
            size = 1 << max(0, min(self.handed_out - self.workers.count, 10))
            return max(1, min(size, left // (2 * self.workers.count)))
        size = min(int(TASK_SECONDS / max(self.pace, 1e-9)), MOST_IN_TASK)
        return max(1, min(size, max(left // (2 * self.workers.count), size // 3)))

    def _take(self, part: Part) -> None:
        if self.store is not None:
            self.store.write(part.first, part.players, part.games)
        else:
            insort(self.finished.parts, StoredPart(part.first, part.first + part.count - 1))
        self.frames.append(part.players)
        self.progress.running.add(part.players)
        self.pace = part.seconds / part.count
        self._look()

    def _look(self) -> None:
        """Let the test see the deals that are new, and the caller how far it has come."""
        if self.progress.test is not None:
            self.progress.running.feed(self.progress.test)
        if self.tell is not None:
            self.tell(self.progress)

    def _finish(self) -> pl.DataFrame:
        """Return all results; what was played beyond the verdict of the test is dropped."""
        import polars as pl

        last = self.asked
        if self._decided:
            assert self.progress.test is not None
            last = self.progress.test.deals * self.plan.games_per_deal
            if self.store is not None:
                self.store.drop_from(last)
                self.store.note(decided=self.progress.test.to_dict())
        players = pl.concat(self.frames).sort("game", "seat")
        return players.filter(pl.col("game") < last)


def match(
    agents: Sequence[Any],
    *,
    games: int | None = None,
    players: int | None = None,
    game: str | None = None,
    seed: int = 1,
    rotate: bool = True,
    random_turns: int = 0,
    folder: str | Path | None = None,
    until_decided: bool = False,
    alpha: float = ALPHA,
    difference: float = DIFFERENCE,
    jobs: int | None = None,
    backend: Backend | None = None,
    cluster: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> pl.DataFrame:
    """Let agents play a match and return a frame of one row a player and game.

    The same deals and dice are played in every seating. `advisor.research.summary.summarize` says
    what the frame means.

    Args:
        agents: texts such as "greedy" or "ismcts:iterations=500", classes or objects with a method
            `decide(position, luck)`.
        games: how many, rounded up to whole deals.
        players: at each table; default as many as there are agents.
        game: default the first of the collection.
        seed: the luck of all deals.
        rotate: play every deal in every seating.
        random_turns: everybody's first so many turns are played at random.
        folder: where results are kept; a match that was broken off is continued there.
        until_decided, alpha, difference: end when a sequential test has decided between two agents.
        jobs, backend, cluster: who works; see `run_match`.
        progress: called after every finished task with a `Progress`.
        settings: of the game, such as `boards=[1, 3, 8]`, `edition=2019`, `castles="random"`.

    Raises:
        SettingError: a setting out of bounds.
        StoreError: the folder cannot be used.
        AgentError: an agent of the user's own fails.

    """
    plan = make_plan(
        agents,
        players=players,
        game=game,
        seed=seed,
        rotate=rotate,
        random_turns=random_turns,
        **settings,
    )
    return run_match(
        plan,
        games=games,
        folder=folder,
        until_decided=until_decided,
        alpha=alpha,
        difference=difference,
        jobs=jobs,
        backend=backend,
        cluster=cluster,
        progress=progress,
    ).players
