"""The answer of a search, as one immutable value that every face prints and nothing parses back.

Owns `Advice`, `Ranked` and `Explanation`, and their JSON (docs/advice.md tells it field by field).
Knows no game: what an action costs or how it reads in words is asked of the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from advisor.core.registry import Position

Objective = Literal["win", "margin", "score"]

Stopped = Literal[
    "exact", "forced", "decided", "equivalent", "seconds", "iterations", "cancelled", "interrupted"
]
"""Why the search ended."""

DIGITS = {"win": 4, "margin": 2, "score": 2}
"""Digits after the point in JSON: far below any error, and equal answers print equally."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its standard error (0 where the number is exact)."""

    value: float
    se: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """One action, or one whole turn, with what it is worth to the deciding player."""

    action: str
    """The action, or the first one of the turn."""
    turn: tuple[str, ...]
    """The best whole turn that begins with the action."""
    costs: Mapping[str, int]
    """What it costs by the game's resources, such as workers and silver; of a turn: all of it."""
    visits: int
    """Iterations spent on it."""
    win: Estimate
    """Share of wins."""
    margin: Estimate
    """Points ahead of the best other player at the end."""
    score: Estimate
    """Final points."""
    difference: Mapping[Objective, Estimate]
    """To the best, from the same worlds; 0 for the best itself."""
    chance_best: float
    """The chance that it is the best one."""
    equivalent: bool
    """Not told apart from the best: both are good."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of `actions` in JSON."""
        data: dict[str, Any] = {"action": self.action, **self.costs, "visits": self.visits}
        data |= _flat({"win": self.win, "margin": self.margin, "score": self.score})
        chance = self.chance_best
        if self.win.se:
            data["win"] = _uncertain(self.win.value, DIGITS["win"])
            chance = _uncertain(chance, 3)
        return data | {
            "turn": list(self.turn),
            "difference": _flat(self.difference),
            "chance_best": chance,
            "equivalent": self.equivalent,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the best action is better than another: points to come by source, in the same worlds."""

    best: str
    versus: str
    worlds: int
    """How many worlds both were played out in; 1 where the line of play is exact."""
    best_points: Mapping[str, float]
    """The deciding player's expected points from here on by source, after `best`."""
    versus_points: Mapping[str, float]
    difference: Mapping[str, Estimate]
    """`best` minus `versus` for each source."""
    others: Mapping[str, Estimate]
    """What the other players' points differ by: positive where they get more after `best`."""
    lines: tuple[str, ...]
    """The same in two to five sentences."""

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation for JSON."""
        return {
            "best": self.best,
            "versus": self.versus,
            "worlds": self.worlds,
            "sources": {
                source: {
                    "best": round(self.best_points[source], 2),
                    "versus": round(self.versus_points[source], 2),
                    "difference": round(estimate.value, 2),
                    "difference_se": round(estimate.se, 2),
                }
                for source, estimate in self.difference.items()
            },
            "others": {
                name: {"difference": round(e.value, 2), "difference_se": round(e.se, 2)}
                for name, e in self.others.items()
            },
            "text": list(self.lines),
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """The ranked answer to a position: `.best`, `.actions`, `.to_dict()`."""

    position: Position
    player: str
    objective: Objective
    exact: bool
    """Computed to the end of the game, not sampled: no number has an error."""
    actions: tuple[Ranked, ...]
    """Every legal action, best first."""
    turns: tuple[Ranked, ...]
    """Whole turns, best first; empty unless asked for."""
    iterations: int
    seconds: float
    """How long it took."""
    timed: bool
    """The clock decided when to stop, not a number of iterations."""
    threads: int
    seed: int
    stopped: Stopped
    engine: str
    """"plans", "ismcts", or "exact"."""
    version: str
    memory: int
    """Bytes of the search trees."""
    memory_full: bool
    """The memory bound was reached: the trees stopped growing, sampling went on."""
    full: bool = False
    """Early stopping was switched off."""
    further_options: tuple[str, ...] = ()
    """Settings besides those named here that were not the usual ones, as command-line options."""
    repeatable: bool = True
    """The number of iterations repeats it; not where the clock decided about more than the end."""
    notes: tuple[str, ...] = ()
    """What the reader should know, such as that the exact tree did not fit the time."""
    explanation: Explanation | None = field(default=None)
    model: str | None = None
    """The learned value behind the numbers, and its version."""

    @property
    def best(self) -> Ranked:
        """The first of the ranking."""
        return self.turns[0] if self.turns else self.actions[0]

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """Return everything for JSON; `top` limits how many actions and turns are listed."""
        data: dict[str, Any] = {
            "game": self.position.game,
            "player": self.player,
            "exact": self.exact,
            "iterations": self.iterations,
            # Counted iterations give the same answer byte for byte, whatever the clock says.
            "seconds": round(self.seconds, 2) if self.timed else 0.0,
            "threads": self.threads,
            "seed": self.seed,
            "objective": self.objective,
            "stopped": self.stopped,
            "full": self.full,
            "engine": self.engine,
            "model": self.model,
            "version": self.version,
            "memory": self.memory,
            "memory_full": self.memory_full,
            "notes": list(self.notes),
            "actions": [ranked.to_dict() for ranked in self.actions[:top]],
        }
        if self.turns:
            data["turns"] = [ranked.to_dict() for ranked in self.turns[:top]]
        if self.explanation is not None:
            data["explanation"] = self.explanation.to_dict()
        return data


def _flat(estimates: Mapping[Any, Estimate]) -> dict[str, float]:
    """Return each estimate as two entries: `win` and `win_se`."""
    data = {}
    for name, estimate in estimates.items():
        digits = DIGITS[name]
        data[name] = round(estimate.value, digits)
        # Rounding must not make a sampled number certain.
        data[f"{name}_se"] = max(round(estimate.se, digits), 10**-digits if estimate.se else 0.0)
    return data


def _uncertain(share: float, digits: int) -> float:
    """Return a sampled share rounded, but never to 0 or 1."""
    least: float = 10**-digits
    return min(max(round(share, digits), least), 1 - least)
