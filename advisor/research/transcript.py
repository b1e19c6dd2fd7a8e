"""A recorded game as a transcript that a player can read and `advisor apply` can replay.

Owns the way from the recorded decisions to canonical texts. Dice and deals are not recorded: they
follow from the deal's seed. The texts are played through the library, and the scores must be those
of the results folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.core import registry
from advisor.core.registry import Position
from advisor.research.store import StoreError, read_game, read_manifest, read_players

CHANCE, OVER = -1, -2


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game of a match."""

    number: int
    start: Position
    lines: tuple[tuple[str, str], ...]
    """Who acted ("chance" for dice and deals), and the action's text."""
    agents: dict[str, str]
    """The agent of each player."""
    scores: dict[str, int]
    winner: str

    def text(self, start: str | None = None) -> str:
        """Return the transcript; comments tell who played and how it ended.

        Args:
            start: the file of the starting position, named in the first line.

        """
        begins = start or f"written by --start FILE; {self.start}"
        lines = [f"# game {self.number}, start: {begins}"]
        lines += [f"# {player}: {agent}" for player, agent in self.agents.items()]
        before = ""
        for player, action in self.lines:
            if player != before and player != "chance":
                lines.append(f"# {player}")
            before = player
            lines.append(action)
        scores = ", ".join(f"{player} {score}" for player, score in self.scores.items())
        return "\n".join([*lines, f"# final: {scores}; {self.winner} wins"]) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the game for JSON, without its start."""
        return {
            "game": self.number,
            "agents": self.agents,
            "actions": [action for _, action in self.lines],
            "scores": self.scores,
            "winner": self.winner,
        }


def transcript(folder: str | Path, number: int) -> Transcript:
    """Return a game of a results folder, replayed.

    Raises:
        StoreError: there is no such game, or it does not replay to its recorded scores.

    """
    identity = read_manifest(folder)["identity"]
    row = read_game(folder, number)
    seats = read_players(folder, number + 1).filter(game=number).sort("seat").to_dicts()
    series = registry.find_series(identity["game"])
    start = series.start(
        players=len(seats), seed=row["seed"], settings=identity["settings"], seats=seats
    )
    lines, end = _replay(folder, start, row)
    recorded = [seat["score"] for seat in seats]
    if list(end.scores().values()) != recorded:
        raise StoreError(
            f"{folder}: game {number} replays to {list(end.scores().values())} points, and "
            f"{recorded} are recorded; it was played under other rules than those of this version"
        )
    return Transcript(
        number=number,
        start=start,
        lines=tuple(lines),
        agents={name: seat["agent"] for name, seat in zip(start.names, seats, strict=True)},
        scores=end.scores(),
        winner=end.winner() or "nobody",
    )


def _replay(
    folder: str | Path, start: Position, row: dict[str, Any]
) -> tuple[list[tuple[str, str]], Position]:
    """Play the recorded decisions in the kernel and, as texts, in the library."""
    rules, state, here = start.rules, start.packed, start
    lines: list[tuple[str, str]] = []
    decisions = iter(row["actions"])
    while (mover := rules.to_move(state)) != OVER:
        if mover == CHANCE:
            state = rules.chance(state, row["seed"])
            lines.append(("chance", here.chance_text(state)))
        else:
            code = next(decisions, None)
            if code is None or code not in rules.legal(state):
                raise StoreError(
                    f"{folder}: game {row['game']} holds an action that is not legal; it was "
                    "played under other rules than those of this version"
                )
            lines.append((here.names[mover], here.action_text(code)))
            state = rules.apply(state, code)
        here = here.apply(lines[-1][1])
    return lines, here
