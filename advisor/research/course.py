"""A training's course, and how far it has come.

Owns what a training is told and the record of its rounds and matches, which stands in its folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from advisor.core import registry
from advisor.errors import SettingError

MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Course:
    """What a training is told.

    Raises:
        SettingError: a number out of bounds.

    """

    game: str
    players: int
    rounds: int = 200
    games: int = 1_000
    """Of each round."""
    first_games: int = 12_000
    """Of the quick policy, to begin with."""
    compared_games: int = 60
    """Of each later round: games in which the best turns are compared by rollouts."""
    compare_after: int = 40
    """Rounds without such games."""
    proof_every: int = 10
    """Rounds between two matches against the last accepted model."""
    seed: int = 1
    settings: dict[str, Any] = field(default_factory=dict)
    """Of the game, such as its boards."""
    editions: tuple[int, ...] = ()
    """Of the game, which the deals take in turn; none: the game's default."""
    begin_with: str | None = None
    """A model that learns on, instead of a new net that learns from the quick policy first."""

    def __post_init__(self) -> None:
        for name in ("rounds", "games", "first_games", "proof_every"):
            if not 1 <= getattr(self, name) <= 10_000_000:
                raise SettingError(f"{name} is {getattr(self, name)}; give 1 to 10,000,000")
        for name in ("compared_games", "compare_after"):
            if not 0 <= getattr(self, name) <= 10_000_000:
                raise SettingError(f"{name} is {getattr(self, name)}; give 0 to 10,000,000")
        if not 0 <= self.seed <= MAX_SEED:
            raise SettingError(f"seed is {self.seed}; give 0 to {MAX_SEED:,}")
        if len(set(self.editions)) < len(self.editions):  # the same games would count twice
            listed = ", ".join(map(str, self.editions))
            raise SettingError(f"editions {listed}: one is named twice; name each once")
        module = registry.find(self.game)
        if self.players not in module.PLAYERS:
            allowed = ", ".join(map(str, module.PLAYERS))
            raise SettingError(f"{self.players} players; {module.TITLE} is for {allowed}")


@dataclass(slots=True)
class Standing:
    """How far a training has come."""

    course: dict[str, Any]
    round: int = 0
    games: int = 0
    accepted: int | None = None
    """Round of the last accepted model."""
    log: list[dict[str, Any]] = field(default_factory=list)
    proofs: list[dict[str, Any]] = field(default_factory=list)
    started: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    seconds: float = 0.0

    def check(self) -> None:
        """Make sure that a file has told what it should.

        Raises:
            ValueError: it has not.

        """
        counts = (self.round, self.games, 0 if self.accepted is None else self.accepted)
        if not isinstance(self.course, dict) or not all(
            isinstance(count, int) and count >= 0 for count in counts
        ):
            raise ValueError("it does not say which course it is and how far it has come")
        entries = [*self.log, *self.proofs]
        if not all(isinstance(entry, dict) and "round" in entry for entry in entries):
            raise ValueError("its records of rounds and matches are none")
        if not isinstance(self.seconds, int | float):
            raise ValueError("it does not say how long it has taken")
