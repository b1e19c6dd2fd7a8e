"""Games of which more is noted than a match does: first turns, and twins.

Owns the further columns of the players frame and the task that fills them. Everything else, such as
the results folder and going on after a crash, is that of a match.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.core import registry
from advisor.research.match import MatchResult, Progress, run_match
from advisor.research.plan import Plan
from advisor.research.tasks import Part, deal_of, play_range
from advisor.research.twins import EVENT, EVENTS, add_twins
from advisor.research.workers import Backend

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
    light = plan.in_kernel and not notes.twins
    return run_match(
        plan,
        games=games,
        folder=folder,
        jobs=jobs,
        backend=backend or ("threads" if light else "processes"),
        cluster=cluster,
        command=command,
        progress=progress,
        task=functools.partial(play_noted, notes=notes),
        noted={"notes": {"first_turn": notes.first_turn, "twins": notes.twins}},
    )
