"""The result of a match while it runs: totals by deal, added to as games finish.

Owns the running totals, and the few numbers a live line shows (`Headline`), which a finished match
gives as well. Frames are looked at once, when they come in; the result is then a few sums over the
deals, however many games were played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.errors import SettingError
from advisor.research.sequential import SequentialTest
from advisor.research.statistics import Floats, Mean, Share, mean_of_sums, share_of_sums

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's result so far."""

    label: str
    win: Share
    """Share of wins per seat played."""
    score: Mean


@dataclass(frozen=True, slots=True)
class Headline:
    """The result of a match in a few numbers."""

    games: int
    deals: int
    agents: tuple[Standing, ...]
    """In the order of the match."""
    difference: Mean | None
    """The first agent's score minus the second's, in the same games; only where there are two."""


class Running:
    """The current result of a match, from finished games in any order.

    Args:
        agents: the labels, in the order of the match.
        seatings: games a deal consists of; needed for `results` and `feed` only.

    """

    def __init__(self, agents: Sequence[str], *, seatings: int | None = None) -> None:
        self.agents = tuple(agents)
        self.seatings = seatings
        self.games = 0
        # By agent and deal.
        self._seats: Floats = np.zeros((len(self.agents), 0))
        self._wins: Floats = np.zeros((len(self.agents), 0))
        self._scores: Floats = np.zeros((len(self.agents), 0))
        # By deal: games; pairings of the first two agents, and the points between them.
        self._games: Floats = np.zeros(0)
        self._pairings: Floats = np.zeros(0)
        self._apart: Floats = np.zeros(0)

    @property
    def deals(self) -> int:
        """Deals with at least one finished game."""
        return int(np.count_nonzero(self._games))

    def add(self, players: pl.DataFrame) -> None:
        """Count finished games, given as rows of the players frame; each game once and whole.

        Raises:
            SettingError: a row names an agent that is not in the match.

        """
        if not players.height:
            return
        names = players["agent"]
        code = np.full(players.height, -1, dtype=np.int64)
        for number, label in enumerate(self.agents):
            code[(names == label).to_numpy()] = number
        if (code < 0).any():
            raise SettingError(
                f"the results name the agent '{names[int(np.argmax(code < 0))]}', which does not "
                f"take part; the agents of the match are {', '.join(self.agents)}"
            )
        deal = players["deal"].to_numpy()
        score = players["score"].to_numpy().astype(np.float64)
        self._reserve(int(deal.max()) + 1)
        np.add.at(self._seats, (code, deal), 1.0)
        np.add.at(self._wins, (code, deal), players["won"].to_numpy().astype(np.float64))
        np.add.at(self._scores, (code, deal), score)
        found, first, game = np.unique(
            players["game"].to_numpy(), return_index=True, return_inverse=True
        )
        self.games += len(found)
        deal_of_game = deal[first]
        np.add.at(self._games, deal_of_game, 1.0)
        if len(self.agents) == 2:
            seats, points = np.zeros((2, 2, len(found)))
            np.add.at(seats, (code, game), 1.0)
            np.add.at(points, (code, game), score)
            apart = points[0] * seats[1] - points[1] * seats[0]
            np.add.at(self._pairings, deal_of_game, seats[0] * seats[1])
            np.add.at(self._apart, deal_of_game, apart)

    def headline(self) -> Headline:
        """Return the result of all games counted so far."""
        agents = tuple(
            Standing(
                label,
                share_of_sums(self._seats[number], self._wins[number]),
                mean_of_sums(self._seats[number], self._scores[number]),
            )
            for number, label in enumerate(self.agents)
        )
        two = len(agents) == 2
        difference = mean_of_sums(self._pairings, self._apart) if two else None
        return Headline(self.games, self.deals, agents, difference)

    def results(self, first: int = 0, second: int = 1) -> Floats:
        """Return what each deal says of two agents, for the sequential test.

        One number a deal, from deal 0 up to the first one that is not finished: the first agent's
        share of wins per seat in the deal minus the second's. A deal in which one of them has no
        seat gives none. Which games finished early therefore never matters.
        """
        if self.seatings is None or not len(self._games):
            return np.zeros(0)
        unfinished = self._games < self.seatings
        until = int(np.argmax(unfinished)) if unfinished.any() else len(unfinished)
        seats, wins = self._seats[:, :until], self._wins[:, :until]
        both = (seats[first] > 0) & (seats[second] > 0)
        results: Floats = (
            wins[first, both] / seats[first, both] - wins[second, both] / seats[second, both]
        )
        return results

    def feed(self, test: SequentialTest) -> None:
        """Give a test of the first two agents the deals it has not counted yet, until it decides.

        The test must have been fed by this match only.
        """
        for result in self.results()[test.deals :]:
            if test.verdict is not None:
                return
            test.add(float(result))

    def _reserve(self, deals: int) -> None:
        """Make room for so many deals, and for as many again, so that growing stays cheap."""
        missing = deals - self._seats.shape[1]
        if missing <= 0:
            return
        more = max(missing, self._seats.shape[1], 64)
        for name in ("_seats", "_wins", "_scores", "_games", "_pairings", "_apart"):
            array = getattr(self, name)
            room = [(0, 0)] * (array.ndim - 1) + [(0, more)]
            setattr(self, name, np.pad(array, room))
