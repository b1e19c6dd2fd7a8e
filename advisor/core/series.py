"""A series of games as every game offers it: deals, settings, results.

Owns the value `Deal` and the part of the questionnaire that research asks. Knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from advisor.core.registry import Position


@dataclass(frozen=True, slots=True)
class Deal:
    """The start of a game in a series, before its first chance event."""

    position: Position
    """The table: names, boards, rules; equal for many deals."""
    start: bytes
    """The kernel's state."""
    seats: tuple[Mapping[str, Any], ...]
    """What is noted of each seat before the game: result columns by name."""


class SeriesModule(Protocol):
    """What `advisor.games.NAME.series` offers."""

    def check_settings(self, *, players: int, **settings: Any) -> dict[str, Any]:
        """Return the settings of a series, complete and in one spelling."""

    def deal(
        self, *, players: int, number: int, luck: int, seed: int, settings: dict[str, Any]
    ) -> Deal:
        """Return one deal of a series."""

    def start(
        self, *, players: int, seed: int, settings: dict[str, Any], seats: Sequence[Any]
    ) -> Position:
        """Return the position a recorded game began with."""

    def outcomes(self, states: NDArray[np.uint8], players: int) -> Mapping[str, NDArray[np.int16]]:
        """Return what else is noted of finished games, by game and seat."""

    def turn_kind(self, codes: Sequence[int]) -> str:
        """Return in a few words what a turn did."""

    def advantage(self, code: int) -> str | None:
        """Return what lasting ability an action gives its player."""

    def without(self, state: bytes, seat: int, name: str) -> bytes:
        """Return a state in which a seat has lost an ability it was given."""

    def stage_of(self, state: bytes) -> str:
        """Return the part of the game a state is in."""
