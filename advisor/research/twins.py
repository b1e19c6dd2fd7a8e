"""Twins: the same game played on twice, once with a lasting ability and once without it.

Owns how such pairs are found and played. Whenever a player's action gives a lasting ability, the
game is played on from the state after that action: once as it is, and once with the ability taken
away, while whatever gave it stays where it is. Everything else is equal: the state, the deals and
dice to come, the agents and their luck. What the first game ends better by is what the ability
gained "over the same player without it"; what the action itself brought is in both and cancels.

The limits of this: an ability is measured where these agents chose to take it, and in their hands.
An agent that does not use an ability well gains little by it, and one that took it late, or because
it fitted, tells nothing about taking it early. The twin without the ability knows that it has none,
and so do its opponents. Of each game only so many actions are followed, chosen by lot: that bounds
the work, and games with many of them weigh no more than others.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.agents._table import play_games
from advisor.core import registry
from advisor.core.series import Deal
from advisor.research.plan import Plan
from advisor.research.tasks import Played, deal_of, margins, who_sits

if TYPE_CHECKING:
    import polars as pl

EVENTS = "events"
"""Column of the players frame: what befell this seat, a list."""

EVENT = {
    "advantage": "word",
    "stage": "word",
    "step": "number",
    "gain": "number",
    "margin_gain": "number",
    "win_gain": "number",
}
"""The fields of an event: what was gained, in which part of the game, by which action of the game
(counted from 0); then what the player with it is ahead of the one without it, in points, in points
of margin and in games won (-1, 0 or 1)."""

CHANCE = -1


@dataclass(frozen=True, slots=True)
class _Event:
    row: int
    """Of the games frame."""
    seat: int
    step: int
    advantage: str
    stage: str
    state: bytes
    """After the action that gave it."""


def add_twins(plan: Plan, players: pl.DataFrame, games: pl.DataFrame, *, most: int) -> pl.DataFrame:
    """Return the players frame with the column `events`.

    Args:
        plan: what the games are of.
        players: one row a player and game, by game and seat.
        games: one row a game, with its actions.
        most: events of a game that are followed; of more, as many by lot.

    """
    import polars as pl

    deals = {int(number): deal_of(plan, int(number)) for number in games["deal"].unique()}
    events = _events(plan, games, deals, most)
    ends = _play_on(plan, games, deals, events)
    found = pl.DataFrame(
        {
            "game": games["game"].gather([event.row for event in events]),
            "seat": [event.seat + 1 for event in events],
            "advantage": [event.advantage for event in events],
            "stage": [event.stage for event in events],
            "step": [event.step for event in events],
            **ends,
        },
        schema_overrides={"game": pl.Int64, "seat": pl.Int8, **_schema()},
    )
    listed = found.group_by("game", "seat", maintain_order=True).agg(
        pl.struct(*EVENT).alias(EVENTS)
    )
    kind = pl.List(pl.Struct(_schema()))
    joined = players.join(listed, on=["game", "seat"], how="left", maintain_order="left")
    return joined.with_columns(pl.col(EVENTS).fill_null([]).cast(kind))


def _schema() -> dict[str, Any]:
    import polars as pl

    return {name: pl.String if kind == "word" else pl.Int32 for name, kind in EVENT.items()}


def events_frame(players: pl.DataFrame) -> pl.DataFrame:
    """Return one row an event, with the columns of its player and game."""
    import polars as pl

    return players.filter(pl.col(EVENTS).list.len() > 0).explode(EVENTS).unnest(EVENTS)


def _events(plan: Plan, games: pl.DataFrame, deals: dict[int, Deal], most: int) -> list[_Event]:
    """Walk the games and return what is followed, in the order of the games."""
    series = registry.find_series(plan.game)
    codes = games["actions"].explode().unique().drop_nulls().to_list()
    names = {code: name for code in codes if (name := series.advantage(code)) is not None}
    found: list[_Event] = []
    columns = games.select("game", "deal", "seed", "actions")
    for row, (game, number, seed, actions) in enumerate(columns.iter_rows()):
        steps = [step for step, code in enumerate(actions) if code in names]
        if len(steps) > most:
            steps = random.Random(f"{plan.seed} twins {game}").sample(steps, most)
        wanted = set(steps)
        deal = deals[number]
        rules, state = deal.position.rules, deal.start
        for step, code in enumerate(actions[: max(wanted, default=-1) + 1]):
            while (mover := rules.to_move(state)) == CHANCE:
                state = rules.chance(state, seed)
            state = rules.apply(state, code)
            if step in wanted:
                stage = series.stage_of(state)
                found.append(_Event(row, mover, step, names[code], stage, state))
    return found


def _play_on(
    plan: Plan, games: pl.DataFrame, deals: dict[int, Deal], events: list[_Event]
) -> dict[str, list[int]]:
    """Play both twins of every event; return what the one is ahead of the other."""
    series = registry.find_series(plan.game)
    agents = [agent.make(plan.game) for agent in plan.agents]
    numbers, seatings = games["deal"].to_numpy(), games["seating"].to_numpy()
    seats = who_sits(plan, numbers, seatings)
    worlds = games["seed"].to_numpy().astype(np.uint64)
    lucks = [plan.agents_luck(int(d), int(s)) for d, s in zip(numbers, seatings, strict=True)]
    ahead = {name: [0] * len(events) for name in ("gain", "margin_gain", "win_gain")}
    tables: dict[int, list[int]] = {}
    for at, event in enumerate(events):
        tables.setdefault(id(deals[int(numbers[event.row])].position), []).append(at)
    for places in tables.values():
        own = [events[at] for at in places]
        rows = [event.row for event in own]
        position = deals[int(numbers[rows[0]])].position
        for agent in agents:
            agent.prepare(position.rules, position)
        branches = []
        for states in (
            [event.state for event in own],
            [series.without(event.state, event.seat, event.advantage) for event in own],
        ):
            rules = position.rules
            end = Played.empty(len(own), plan.players, rules.sources, rules.state_size)
            play_games(
                rules,
                agents,
                starts=np.frombuffer(b"".join(states), np.uint8).reshape(len(own), -1),
                seatings=np.ascontiguousarray(seats[rows]),
                worlds=np.ascontiguousarray(worlds[rows]),
                lucks=np.array([lucks[row] for row in rows], dtype=np.uint64),
                random_turns=0,
                scores=end.scores,
                wins=end.wins,
                points=end.points,
                decisions=end.decisions,
                nanos=end.nanos,
                ends=np.zeros(len(own), np.int64),
                finals=end.finals,
            )
            branches.append((end.scores, margins(end.scores), end.wins.astype(np.int32)))
        who = np.array([event.seat for event in own])
        each = np.arange(len(own))
        for name, one, other in zip(ahead, *branches, strict=True):
            for at, value in zip(places, (one - other)[each, who].tolist(), strict=True):
                ahead[name][at] = value
    return ahead
