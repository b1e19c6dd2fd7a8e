"""Playing a run of consecutive games: the unit of work on every machine.

Owns the way from a plan and a range of games to the two frames of results. A task depends on
nothing but its arguments, so it may be repeated anywhere.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from advisor.agents._agent import KernelAgent, PolicyAgent
from advisor.agents._table import play_games
from advisor.core import registry
from advisor.core.series import Deal
from advisor.research.plan import Plan

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Part:
    """The results of the games `first` .. `first + count - 1`."""

    first: int
    count: int
    players: pl.DataFrame
    games: pl.DataFrame
    seconds: float
    """How long it took."""


@dataclass(frozen=True, slots=True)
class Played:
    """What the kernel noted of some games, by game and seat."""

    scores: NDArray[np.int32]
    wins: NDArray[np.uint8]
    points: NDArray[np.int32]
    decisions: NDArray[np.int32]
    nanos: NDArray[np.int64]
    finals: NDArray[np.uint8]
    actions: list[NDArray[np.uint32]]

    @classmethod
    def empty(cls, games: int, players: int, sources: int, state_size: int) -> Played:
        """Return room for so many games."""
        return cls(
            scores=np.zeros((games, players), np.int32),
            wins=np.zeros((games, players), np.uint8),
            points=np.zeros((games, players, sources), np.int32),
            decisions=np.zeros((games, players), np.int32),
            nanos=np.zeros((games, players), np.int64),
            finals=np.zeros((games, state_size), np.uint8),
            actions=[np.empty(0, np.uint32)] * games,
        )


def play_range(plan: Plan, first: int, count: int) -> Part:
    """Play a run of games of a plan.

    Raises:
        Stopped: the games were stopped.
        AgentError: an agent of the user's own fails.

    """
    began = time.perf_counter()
    numbers = np.arange(first, first + count, dtype=np.int64)
    deals = numbers // plan.games_per_deal
    seatings = (numbers % plan.games_per_deal).astype(np.int16)
    dealt = {int(deal): deal_of(plan, int(deal)) for deal in np.unique(deals)}
    starts = [dealt[int(deal)] for deal in deals]
    played = _play(plan, starts, deals, seatings)
    players = _players_frame(plan, numbers, deals, seatings, starts, played)
    games = _games_frame(plan, numbers, deals, seatings, played)
    return Part(first, count, players, games, time.perf_counter() - began)


def deal_of(plan: Plan, number: int) -> Deal:
    """Return a deal of a plan."""
    return registry.find_series(plan.game).deal(
        players=plan.players,
        number=number,
        luck=plan.seed,
        seed=plan.deal_seed(number),
        settings=plan.settings,
    )


def _play(
    plan: Plan, starts: list[Deal], deals: NDArray[np.int64], seatings: NDArray[np.int16]
) -> Played:
    """Play all games, as many as possible in one go."""
    rules = starts[0].position.rules
    played = Played.empty(len(starts), plan.players, rules.sources, rules.state_size)
    seats = who_sits(plan, deals, seatings)
    worlds = np.array([plan.deal_seed(int(deal)) for deal in deals], dtype=np.uint64)
    lucks = np.array(
        [plan.agents_luck(int(d), int(s)) for d, s in zip(deals, seatings, strict=True)],
        dtype=np.uint64,
    )
    for rows, agents, chairs in _sessions(plan, starts, seats):
        position = starts[rows[0]].position
        for agent in agents:
            agent.prepare(position.rules, position)
        part = Played.empty(len(rows), plan.players, rules.sources, rules.state_size)
        ends = np.zeros(len(rows), np.int64)
        packed = b"".join(starts[row].start for row in rows)
        actions = play_games(
            position.rules,
            agents,
            starts=np.frombuffer(packed, np.uint8).reshape(len(rows), -1),
            seatings=np.ascontiguousarray(chairs),
            worlds=np.ascontiguousarray(worlds[rows]),
            lucks=np.ascontiguousarray(lucks[rows]),
            random_turns=plan.random_turns,
            scores=part.scores,
            wins=part.wins,
            points=part.points,
            decisions=part.decisions,
            nanos=part.nanos,
            ends=ends,
            finals=part.finals,
        )
        for name in ("scores", "wins", "points", "decisions", "nanos", "finals"):
            getattr(played, name)[rows] = getattr(part, name)
        for row, own in zip(rows, np.split(actions, ends[:-1]), strict=True):
            played.actions[row] = own
    return played


def _sessions(
    plan: Plan, starts: list[Deal], seats: NDArray[np.int8]
) -> Iterator[tuple[list[int], list[KernelAgent], NDArray[np.int8]]]:
    """Yield games to play in one go: their rows, the agents, and who of these sits where.

    An agent that only follows a policy plays all games under the same rules. Others may remember
    what they saw, so every seat of every game gets one of its own: otherwise a game would depend on
    those that happened to be played before it.
    """
    agents = [agent.make(plan.game) for agent in plan.agents]
    if all(isinstance(agent, PolicyAgent) for agent in agents):
        tables: dict[int, list[int]] = {}
        for row, start in enumerate(starts):
            tables.setdefault(id(start.position), []).append(row)
        for rows in tables.values():
            yield rows, agents, seats[rows]
        return
    chairs = np.arange(plan.players, dtype=np.int8)[None, :]
    for row in range(len(starts)):
        yield [row], [plan.agents[number].make(plan.game) for number in seats[row]], chairs


def who_sits(plan: Plan, deals: NDArray[np.int64], seatings: NDArray[np.int16]) -> NDArray[np.int8]:
    """Return the number of the agent in each seat, by game."""
    rounds = np.array(plan.rounds, dtype=np.int8)
    found: NDArray[np.int8] = rounds[deals % len(rounds), seatings]
    return found


def margins(scores: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return how far each seat is ahead of the best other one."""
    ahead = np.empty_like(scores)
    for seat in range(scores.shape[1]):
        ahead[:, seat] = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
    return ahead


def ranks(scores: NDArray[np.int32], wins: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the places: by score, equal scores sharing one, except that the winner alone is 1."""
    better = (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    tied_with_winner = (better == 0) & (wins == 0)
    found: NDArray[np.int8] = (1 + better + tied_with_winner).astype(np.int8)
    return found


def _players_frame(
    plan: Plan,
    numbers: NDArray[np.int64],
    deals: NDArray[np.int64],
    seatings: NDArray[np.int16],
    starts: list[Deal],
    played: Played,
) -> pl.DataFrame:
    import polars as pl

    module = registry.find(plan.game)
    games, players = played.scores.shape
    labels = np.array(plan.labels, dtype=object)
    options = np.array([json.dumps(a.options) for a in plan.agents], dtype=object)
    who = who_sits(plan, deals, seatings).ravel()
    seeds = np.array([plan.deal_seed(int(deal)) for deal in deals], dtype=np.int64)
    columns: dict[str, Any] = {
        "game": numbers.repeat(players),
        "deal": deals.repeat(players),
        "seating": seatings.repeat(players),
        "seed": seeds.repeat(players),
        "players": np.full(games * players, players, np.int8),
        "seat": np.tile(np.arange(1, players + 1, dtype=np.int8), games),
        "agent": labels[who].tolist(),
        "options": options[who].tolist(),
    }
    for name in starts[0].seats[0]:
        columns[name] = [seat[name] for start in starts for seat in start.seats]
    columns |= {
        "score": played.scores.ravel(),
        "rank": ranks(played.scores, played.wins).ravel(),
        "won": played.wins.ravel().astype(bool),
        "margin": margins(played.scores).ravel(),
    }
    for source, name in enumerate(module.SOURCES):
        columns[f"points_{name.replace(' ', '_')}"] = played.points[:, :, source].ravel()
    outcomes = registry.find_series(plan.game).outcomes(played.finals, players)
    columns |= {name: values.ravel() for name, values in outcomes.items()}
    decisions = played.decisions.ravel()
    columns["decisions"] = decisions
    columns["seconds_per_decision"] = played.nanos.ravel() / np.maximum(decisions, 1) / 1e9
    return pl.DataFrame(columns)


def _games_frame(
    plan: Plan,
    numbers: NDArray[np.int64],
    deals: NDArray[np.int64],
    seatings: NDArray[np.int16],
    played: Played,
) -> pl.DataFrame:
    import polars as pl

    lengths = [len(own) for own in played.actions]
    flat = pl.DataFrame(
        {"game": numbers.repeat(lengths), "actions": np.concatenate(played.actions)}
    )
    games = pl.DataFrame(
        {
            "game": numbers,
            "deal": deals,
            "seating": seatings,
            "seed": np.array([plan.deal_seed(int(deal)) for deal in deals], dtype=np.int64),
        }
    )
    listed = flat.group_by("game", maintain_order=True).agg("actions")
    return games.with_columns(listed["actions"])
