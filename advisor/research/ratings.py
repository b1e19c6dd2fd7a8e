"""Ratings of all agents from the ranks they reached: one number for each, comparable across tables.

Owns the choice of games, the model and the scale. The model is Plackett and Luce's for several
players with ranks, updated game by game (Weng and Lin 2011, algorithm 4), as `openskill` does it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.research.statistics import plain

if TYPE_CHECKING:
    import polars as pl

MOST_GAMES = 5_000
"""Games rated at most: more move no rating visibly and take minutes."""

MU = 25.0
SIGMA = MU / 3
BETA = MU / 6
"""The model's usual start: what is believed of an agent before its first game."""

MIDDLE = 1500.0
SCALE = 400 / math.log(10) / (math.sqrt(2) * BETA)
"""Points for one unit of `mu`, so that they read as in chess: see `Rating.points`."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What the ranks say of one agent.

    `mu`, `sigma` and `ordinal` (mu - 3 sigma) are the model's own; everybody starts at mu 25 and
    sigma 25 / 3, and at the end the agents' mean is put back to 25. `sigma` is the model's caution,
    not a standard error: it does not know that the games of a deal are alike.
    """

    mu: float
    sigma: float
    games: int
    """Games rated in which the agent met another one."""

    @property
    def ordinal(self) -> float:
        """A strength the agent very probably has at least."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> float:
        """The rating as in chess: 1500 is the agents' mean, 400 ahead means winning 10 : 1."""
        return MIDDLE + SCALE * (self.mu - MU)

    @property
    def points_sigma(self) -> float:
        """`sigma` in the same points."""
        return SCALE * self.sigma

    def to_dict(self) -> dict[str, Any]:
        """Return the rating for JSON."""
        return {
            "points": plain(self.points, 1),
            "points_sigma": plain(self.points_sigma, 1),
            "mu": plain(self.mu, 4),
            "sigma": plain(self.sigma, 4),
            "ordinal": plain(self.ordinal, 4),
            "games": self.games,
        }


def rate(players: pl.DataFrame, *, most_games: int = MOST_GAMES) -> dict[str, Rating]:
    """Return the rating of every agent that met another one, by label.

    Games count in the order of their numbers, equal ranks as ties. Every seat is a player with its
    agent's rating of that moment; an agent in several seats of a game then takes the mean of what
    its seats would get. A game of one agent against itself says nothing and is left out. Agents do
    not learn during a match, so the model's drift (tau) is off and ratings settle.

    Args:
        players: the players frame (columns game, deal, seat, agent, rank).
        most_games: with more games, whole deals spread evenly over the match are rated, so that
            every seating counts the same.

    """
    import polars as pl
    from openskill.models import PlackettLuce

    frame = players.select("game", "deal", "seat", "agent", "rank").filter(
        pl.col("agent").n_unique().over("game") > 1
    )
    if not frame.height:
        return {}
    frame = _spread(frame, most_games).sort("game", "seat")
    numbers = frame["game"].to_numpy()
    agents = frame["agent"].to_list()
    ranks = frame["rank"].cast(pl.Float64).to_list()
    starts = np.flatnonzero(np.diff(numbers, prepend=-1)).tolist()
    # Luck is shared out over the table, so that 400 points mean the same at tables of any size.
    models = {
        size: PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA * math.sqrt(2 / size), tau=0.0)
        for size in set(np.diff([*starts, len(numbers)]).tolist())
    }
    current = dict.fromkeys(agents, (MU, SIGMA))
    played = dict.fromkeys(current, 0)
    for start, end in zip(starts, [*starts[1:], len(numbers)], strict=True):
        seated = agents[start:end]
        model = models[end - start]
        table = [[model.rating(*current[label])] for label in seated]
        after = model.rate(table, ranks=ranks[start:end])
        for label in dict.fromkeys(seated):
            own = [team[0] for team, name in zip(after, seated, strict=True) if name == label]
            current[label] = (
                sum(rating.mu for rating in own) / len(own),
                sum(rating.sigma for rating in own) / len(own),
            )
            played[label] += 1
    shift = MU - sum(mu for mu, _ in current.values()) / len(current)
    return {
        label: Rating(mu=mu + shift, sigma=sigma, games=played[label])
        for label, (mu, sigma) in current.items()
    }


def _spread(frame: pl.DataFrame, most_games: int) -> pl.DataFrame:
    """Return the games of as many whole deals as the limit allows, one from each equal stretch.

    Which deal of a stretch is drawn by lot (always the same): a fixed step could fall in with the
    rotation of boards.
    """
    import polars as pl

    games = frame["game"].n_unique()
    if games <= most_games:
        return frame
    deals = frame["deal"].unique().sort().to_numpy()
    wanted = max(1, len(deals) * most_games // games)
    edges = np.arange(wanted + 1) * len(deals) // wanted
    lot = np.random.default_rng(0).random(wanted)
    chosen = edges[:-1] + (lot * np.diff(edges)).astype(np.int64)
    kept = pl.DataFrame({"deal": deals[chosen]})
    return frame.join(kept, on="deal", how="semi")
