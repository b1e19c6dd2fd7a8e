"""What a match says: every number of the report, computed once from the players frame.

Owns `Summary` and its parts, and their JSON (each class says its fields). All errors take the deal
as the unit (`advisor/research/statistics.py`). Knows no game: sources of points are the columns
`points_...`, and the columns of the set-up to group by are named by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.errors import SettingError
from advisor.research.ratings import Rating, rate
from advisor.research.running import Headline, Standing
from advisor.research.statistics import Mean, Share, mean_of_sums, plain, share_of_sums

if TYPE_CHECKING:
    import polars as pl

SOURCE = "points_"
"""What the columns of points by source begin with."""

GROUPS = ("board",)
"""Columns of the set-up by which scores are told, where the frame has them."""


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What one agent reached, over all its seats."""

    label: str
    games: int
    """Games with at least one seat of the agent."""
    seats: int
    """Seats played: more than games where the agent had several seats of a table."""
    even: float
    """The share of wins that falls to everybody alike: 1 / players."""
    win: Share
    """Share of the seats played that won."""
    score: Mean
    margin: Mean
    """Points ahead of the best other player."""
    rank: Mean
    points: Mapping[str, Mean]
    """Points by source."""
    decisions: float
    """Decisions of one seat in a game."""
    seconds: float
    """Mean wall time of a decision."""
    rating: Rating | None
    """None where the agent met no other one."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of `agents` in JSON, fields as in the class."""
        return {
            "agent": self.label,
            "games": self.games,
            "seats": self.seats,
            "even": plain(self.even, 4),
            "win": self.win.to_dict(),
            "score": self.score.to_dict(),
            "margin": self.margin.to_dict(),
            "rank": self.rank.to_dict(),
            "points": {source: points.to_dict() for source, points in self.points.items()},
            "decisions": plain(self.decisions, 2),
            "seconds_per_decision": plain(self.seconds, 9),
            "rating": None if self.rating is None else self.rating.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Cell:
    """What one agent reached in one group of seats; `label` is None for all agents together."""

    label: str | None
    seats: int
    even: float
    win: Share
    score: Mean

    def to_dict(self) -> dict[str, Any]:
        """Return the cell for JSON; `agent` is null for all agents together."""
        return {
            "agent": self.label,
            "seats": self.seats,
            "even": plain(self.even, 4),
            "win": self.win.to_dict(),
            "score": self.score.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Group:
    """The seats with one value in a column, such as board 3 or seat 1."""

    column: str
    value: int | float | str | bool
    cells: tuple[Cell, ...]
    """One for each agent, then one for all together."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of `groups` in JSON."""
        return {
            "column": self.column,
            "value": self.value,
            "agents": [cell.to_dict() for cell in self.cells],
        }


@dataclass(frozen=True, slots=True)
class Pairing:
    """One agent against another, in the games where both had a seat.

    Every seat of the one and every seat of the other in a game are one pairing.
    """

    label: str
    other: str
    games: int
    pairings: int
    ahead: Share
    """Share of pairings in which `label` had the better rank."""
    tied: float
    """Share of pairings in which both had the same rank."""
    difference: Mean
    """The score of `label` minus that of `other`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of `head_to_head` in JSON."""
        return {
            "agent": self.label,
            "other": self.other,
            "games": self.games,
            "pairings": self.pairings,
            "ahead": self.ahead.to_dict(),
            "tied": plain(self.tied, 4),
            "difference": self.difference.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything the report of a match tells."""

    games: int
    deals: int
    incomplete: int
    """Deals with fewer games than the others at tables of the same size."""
    seatings: int
    """Different seatings played."""
    players: tuple[int, ...]
    """Sizes of the tables."""
    agents: tuple[AgentResult, ...]
    groups: tuple[Group, ...]
    """By the columns asked for, then by seat."""
    head_to_head: tuple[Pairing, ...]
    """Ordered pairs of agents that met."""

    def headline(self) -> Headline:
        """Return the result in the few numbers of the live line."""
        first = next(iter(self.head_to_head), None)
        return Headline(
            games=self.games,
            deals=self.deals,
            agents=tuple(Standing(agent.label, agent.win, agent.score) for agent in self.agents),
            difference=first.difference if first and len(self.agents) == 2 else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for JSON.

        Each estimate is an object of `value`, `se` (standard error), `low` and `high` (95 %
        interval); numbers that are unknown, such as the error from a single deal, are null.
        """
        return {
            "games": self.games,
            "deals": self.deals,
            "incomplete_deals": self.incomplete,
            "seatings": self.seatings,
            "players": list(self.players),
            "agents": [agent.to_dict() for agent in self.agents],
            "groups": [group.to_dict() for group in self.groups],
            "head_to_head": [pairing.to_dict() for pairing in self.head_to_head],
        }


def summarize(
    players: pl.DataFrame,
    *,
    agents: Sequence[str] | None = None,
    groups: Sequence[str] = GROUPS,
) -> Summary:
    """Return what a match says.

    Args:
        players: the players frame: one row a player and game. Games are told apart by `game` and
            deals by `deal`, so frames put together must not use the same numbers.
        agents: labels in the order wanted; default, and for labels not listed, that of their first
            games. A listed agent without a game is reported without numbers.
        groups: columns of the set-up by which scores are told; those the frame lacks are left out.

    Raises:
        SettingError: a seat of a game occurs twice.

    """
    frame = players.sort("game", "seat")
    _refuse_repeated(frame)
    found = frame["agent"].unique(maintain_order=True).to_list()
    labels = list(dict.fromkeys([*(agents or ()), *found]))
    columns = [name for name in dict.fromkeys([*groups, "seat"]) if name in frame.columns]
    by_table = frame.group_by("players", "deal").agg(_unique("game").alias("games"))
    return Summary(
        games=frame["game"].n_unique(),
        deals=frame["deal"].n_unique(),
        incomplete=by_table.filter(_below_most("games", "players")).height,
        seatings=frame["seating"].n_unique(),
        players=tuple(frame["players"].unique().sort().to_list()),
        agents=_agents(frame, labels),
        groups=tuple(group for column in columns for group in _groups(frame, column, labels)),
        head_to_head=_head_to_head(frame, labels),
    )


def _unique(column: str) -> pl.Expr:
    import polars as pl

    return pl.col(column).n_unique()


def _below_most(column: str, group: str) -> pl.Expr:
    import polars as pl

    return pl.col(column) < pl.col(column).max().over(group)


def _refuse_repeated(frame: pl.DataFrame) -> None:
    game, seat = frame["game"].to_numpy(), frame["seat"].to_numpy()
    again = (game[1:] == game[:-1]) & (seat[1:] == seat[:-1])
    if again.any():
        row = int(np.argmax(again))
        raise SettingError(
            f"game {game[row]} has seat {seat[row]} twice; each game must appear once, and frames "
            "put together must not use the same game numbers"
        )


# --- Agents


def _agents(frame: pl.DataFrame, labels: Sequence[str]) -> tuple[AgentResult, ...]:
    import polars as pl

    sources = [name for name in frame.columns if name.startswith(SOURCE)]
    measures = ["won", "score", "margin", "rank", *sources]
    time = pl.col("seconds_per_decision").fill_nan(None) * pl.col("decisions")
    totals = frame.group_by("agent").agg(
        pl.len().alias("seats"),
        pl.col("game").n_unique().alias("games"),
        (1 / pl.col("players")).mean().alias("even"),
        pl.col("decisions").mean(),
        (time.sum() / pl.col("decisions").filter(time.is_not_null()).sum()).alias("seconds"),
    )
    about = {row["agent"]: row for row in totals.to_dicts()}
    sums = _sums(frame, ["agent", "deal"], measures)
    by_agent = _split(sums, "agent")
    ratings = rate(frame)
    results = []
    for label in labels:
        own = by_agent.get(label, sums.clear())
        means = {name: _mean(own, name) for name in measures[1:]}
        row = about.get(label, {})
        results.append(
            AgentResult(
                label=label,
                games=row.get("games", 0),
                seats=row.get("seats", 0),
                even=_number(row.get("even")),
                win=_share(own, "won"),
                score=means["score"],
                margin=means["margin"],
                rank=means["rank"],
                points={name.removeprefix(SOURCE): means[name] for name in sources},
                decisions=_number(row.get("decisions")),
                seconds=_number(row.get("seconds")),
                rating=ratings.get(label),
            )
        )
    return tuple(results)


def _sums(frame: pl.DataFrame, keys: Sequence[str], measures: Sequence[str]) -> pl.DataFrame:
    """Return, for each value of the keys, how many numbers each measure has and their sum.

    In the order of the frame, so that rounding errors are the same every time.
    """
    import polars as pl

    return frame.group_by(keys, maintain_order=True).agg(
        *(pl.col(name).count().alias(f"{name}:count") for name in measures),
        *(pl.col(name).cast(pl.Float64).sum().alias(f"{name}:sum") for name in measures),
    )


def _split(frame: pl.DataFrame, column: str) -> dict[Any, pl.DataFrame]:
    parts = frame.partition_by(column, as_dict=True)
    return {key[0]: part for key, part in parts.items()}


def _mean(sums: pl.DataFrame, measure: str) -> Mean:
    return mean_of_sums(sums[f"{measure}:count"].to_numpy(), sums[f"{measure}:sum"].to_numpy())


def _share(sums: pl.DataFrame, measure: str) -> Share:
    return share_of_sums(sums[f"{measure}:count"].to_numpy(), sums[f"{measure}:sum"].to_numpy())


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


# --- Groups


def _groups(frame: pl.DataFrame, column: str, labels: Sequence[str]) -> list[Group]:
    """Return one group for each value of a column, in ascending order; rows without one are out."""
    import polars as pl

    known = frame.filter(pl.col(column).is_not_null()).with_columns(even=1 / pl.col("players"))
    keys = [column, "agent", "deal"]
    sums = _sums(known, keys, ["won", "score", "even"])
    found = []
    for value, part in sorted(_split(sums, column).items(), key=lambda item: item[0]):
        by_agent = _split(part, "agent")
        cells = [_cell(label, by_agent.get(label, part.clear())) for label in labels]
        together = part.group_by("deal", maintain_order=True).agg(pl.exclude(keys).sum())
        found.append(Group(column, value, (*cells, _cell(None, together))))
    return found


def _cell(label: str | None, sums: pl.DataFrame) -> Cell:
    win = _share(sums, "won")
    return Cell(label, win.count, _mean(sums, "even").value, win, _mean(sums, "score"))


# --- Head to head


def _head_to_head(frame: pl.DataFrame, labels: Sequence[str]) -> tuple[Pairing, ...]:
    """Return both directions of every pair of agents that met."""
    import polars as pl

    meetings = _meetings(frame, labels)
    sums = meetings.group_by("first", "second", "deal", maintain_order=True).agg(
        pl.len().alias("count"),
        pl.col("ahead", "behind", "apart").cast(pl.Float64).sum(),
        pl.col("game").n_unique().alias("games"),
    )
    found: dict[tuple[int, int], Pairing] = {}
    for (first, second), part in sums.partition_by("first", "second", as_dict=True).items():
        count = part["count"].to_numpy()
        ahead, behind = part["ahead"].to_numpy(), part["behind"].to_numpy()
        apart = part["apart"].to_numpy()
        pairings, games = int(count.sum()), int(part["games"].sum())
        tied = 1 - float(ahead.sum() + behind.sum()) / pairings
        for one, other, better, points in (
            (first, second, ahead, apart),
            (second, first, behind, -apart),
        ):
            found[one, other] = Pairing(
                label=labels[one],
                other=labels[other],
                games=games,
                pairings=pairings,
                ahead=share_of_sums(count, better),
                tied=tied,
                difference=mean_of_sums(count, points),
            )
    return tuple(found[key] for key in sorted(found))


def _meetings(frame: pl.DataFrame, labels: Sequence[str]) -> pl.DataFrame:
    """Return one row for every two seats of a game held by different agents.

    `first` and `second` are the agents' places in `labels`, the smaller one first; `ahead` and
    `behind` say who had the better rank, and `apart` the first one's score minus the second's. The
    frame must be sorted by game, so that the seats of a game stand together.
    """
    import polars as pl

    places = list(range(len(labels)))
    code = frame["agent"].replace_strict(list(labels), places, return_dtype=pl.Int64)
    agent, game = code.to_numpy(), frame["game"].to_numpy()
    deal, rank = frame["deal"].to_numpy(), frame["rank"].to_numpy().astype(np.int64)
    score = frame["score"].to_numpy().astype(np.int64)
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    for step in range(1, int(frame["players"].to_numpy().max(initial=0))):
        left = np.flatnonzero((game[step:] == game[:-step]) & (agent[step:] != agent[:-step]))
        right = left + step
        in_order = agent[left] < agent[right]
        pairs.append(np.where(in_order, (left, right), (right, left)))
    one, two = np.concatenate(pairs, axis=1)
    return pl.DataFrame(
        {
            "first": agent[one],
            "second": agent[two],
            "deal": deal[one],
            "game": game[one],
            "ahead": rank[one] < rank[two],
            "behind": rank[one] > rank[two],
            "apart": score[one] - score[two],
        }
    )
