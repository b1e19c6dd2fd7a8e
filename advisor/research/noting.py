"""Games of which more is noted than a match does: first turns, and twins.

Owns the further columns of the players frame and the conduct of a match that has them. Everything
else, such as tasks, the results folder and going on after a crash, is that of a match.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.core import registry
from advisor.errors import SettingError
from advisor.research.match import MatchResult, Progress, _manifest, _Match
from advisor.research.plan import MOST_GAMES, Plan
from advisor.research.store import Store
from advisor.research.tasks import Part, deal_of, play_range
from advisor.research.twins import EVENT, EVENTS, add_twins
from advisor.research.workers import Backend, Workers

if TYPE_CHECKING:
    import polars as pl

__all__ = ["EVENT", "EVENTS", "FIRST_TURN", "Notes", "play_noted", "run_noted"]

FIRST_TURN = "first_turn"
CHANCE = -1


@dataclass(frozen=True, slots=True)
class Notes:
    """What is noted of every game besides its results."""

    first_turn: bool = False
    """The column `first_turn`: in a few words what each seat did in its first turn."""
    twins: int = 0
    """So many twins of a game at most, in the column `events`; see `advisor/research/twins.py`."""

    @property
    def any(self) -> bool:
        """Whether there is anything to note."""
        return self.first_turn or self.twins > 0


def play_noted(plan: Plan, first: int, count: int, notes: Notes) -> Part:
    """Play a run of games of a plan, as `play_range` does, and note more of them.

    Raises:
        Stopped: the games were stopped.
        AgentError: an agent of the user's own fails.

    """
    began = time.perf_counter()
    part = play_range(plan, first, count)
    players = part.players
    if notes.first_turn:
        players = add_first_turns(plan, players, part.games)
    if notes.twins:
        players = add_twins(plan, players, part.games, most=notes.twins)
    return replace(part, players=players, seconds=time.perf_counter() - began)


def add_first_turns(plan: Plan, players: pl.DataFrame, games: pl.DataFrame) -> pl.DataFrame:
    """Return the players frame with the column `first_turn`.

    Only the beginning of each game is walked, until everybody has had a turn.
    """
    import polars as pl

    kind = functools.cache(registry.find_series(plan.game).turn_kind)
    found: list[str] = []
    for deal, seed, actions in games.select("deal", "seed", "actions").iter_rows():
        turns = _first_turns(plan, deal, seed, actions)
        found += [kind(turn) for turn in turns]
    return players.with_columns(pl.Series(FIRST_TURN, found, pl.String))


def _first_turns(plan: Plan, number: int, seed: int, actions: list[int]) -> list[tuple[int, ...]]:
    deal = deal_of(plan, number)
    rules, state = deal.position.rules, deal.start
    turns: dict[int, list[int]] = {}
    last = CHANCE
    for code in actions:
        while (mover := rules.to_move(state)) == CHANCE:
            state = rules.chance(state, seed)
            last = CHANCE
        if mover != last:
            if mover in turns or len(turns) == plan.players:
                break
            turns[mover] = []
            last = mover
        turns[mover].append(code)
        state = rules.apply(state, code)
    return [tuple(turns.get(seat, ())) for seat in range(plan.players)]


def run_noted(
    plan: Plan,
    notes: Notes,
    *,
    games: int,
    folder: str | Path | None = None,
    jobs: int | None = None,
    backend: Backend | None = None,
    cluster: str | None = None,
    command: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> MatchResult:
    """Play a match of which more is noted, or what is missing of it; see `run_match`.

    Twins are found by walking games in Python, so they run in processes where nobody says.

    Raises:
        SettingError: a setting out of bounds.
        StoreError: the folder cannot be used.
        AgentError: an agent of the user's own fails.
        KeyboardInterrupt: Ctrl-C; what is finished is kept.

    """
    if not 1 <= games <= MOST_GAMES:
        raise SettingError(f"{games:,} games; ask for 1 to {MOST_GAMES:,}")
    asked = -(-games // plan.games_per_deal) * plan.games_per_deal
    light = plan.in_kernel and not notes.twins
    chosen: Backend = backend or ("threads" if light else "processes")
    with Workers(jobs=jobs, backend=chosen, cluster=cluster) as workers:
        if folder is None:
            return _Noted(plan, asked, workers, None, progress, notes).run()
        manifest = _manifest(plan, asked, command, workers)
        manifest["identity"]["notes"] = {"first_turn": notes.first_turn, "twins": notes.twins}
        with Store.open(folder, manifest) as store:
            return _Noted(plan, asked, workers, store, progress, notes).run()


class _Noted(_Match):
    """One run of a match of which more is noted."""

    def __init__(
        self,
        plan: Plan,
        asked: int,
        workers: Workers,
        store: Store | None,
        tell: Callable[[Progress], None] | None,
        notes: Notes,
    ) -> None:
        super().__init__(plan, asked, workers, store, None, tell)
        self.notes = notes

    def run(self) -> MatchResult:
        began = time.monotonic()
        self._look()
        calls: Any = ((*call, self.notes) for call in self._tasks())
        for part in self.workers.run(play_noted, calls):
            self._take(part)
        return MatchResult(
            plan=self.plan,
            players=self._finish(),
            asked=self.asked,
            seconds=time.monotonic() - began,
            new_games=self.progress.done - self.progress.kept,
            test=None,
        )
