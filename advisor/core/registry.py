"""The games: sub-packages of `advisor.games`, loaded when asked for.

Owns the questionnaire every game answers. A new game is a new folder with a module `game` that has
these functions; no line changes here.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from advisor.errors import UnknownGameError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from advisor._fastsim import Game
    from advisor.core.documents import Document
    from advisor.core.series import SeriesModule


class Action(Protocol):
    """One legal action; `str(action)` is its canonical text."""

    @property
    def code(self) -> int:
        """The kernel's number of the action."""


class Position(Protocol):
    """A position of any game: what the library, the commands and the search rely on."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def names(self) -> list[str]:
        """The players' names in seat order."""

    @property
    def to_move(self) -> str | None:
        """The deciding player's name, "chance", or None when the game is over."""

    @property
    def rules(self) -> Game:
        """The kernel's handle."""

    @property
    def packed(self) -> bytes:
        """The kernel's flat state."""

    def actions(self) -> Sequence[Action]:
        """Return every legal action."""

    def action(self, text: str) -> Action:
        """Return the legal action a text means."""

    def action_text(self, code: int) -> str:
        """Return the canonical text of one of the kernel's action numbers."""

    def apply(self, action: str | Any) -> Position:
        """Return the position after an action."""

    def sample_chance(self, seed: int) -> str:
        """Return the awaited chance event, drawn at random, as action text."""

    def chance_text(self, state: bytes) -> str:
        """Return the event, as action text, that leads from here to a kernel state."""

    def view(self, state: bytes) -> Position:
        """Return the position that a kernel state shows which follows from this one."""

    def scores(self) -> dict[str, int]:
        """Return everybody's points."""

    def winner(self) -> str | None:
        """Return who has won, None before the end."""

    def dump(self) -> str:
        """Return the position as YAML."""

    def situation(self) -> str:
        """Return one line that says who decides and with what."""

    def narrate(self, turn: Sequence[str]) -> list[str]:
        """Return one readable fragment for each action of a sequence played from here."""

    def costs(self, turn: Sequence[str]) -> dict[str, int]:
        """Return what a sequence of actions costs together, by the game's resources."""


class GameModule(Protocol):
    """What `advisor.games.NAME.game` offers."""

    NAME: str
    TITLE: str
    PLAYERS: tuple[int, ...]
    """For how many players."""
    SOURCES: tuple[str, ...]
    """Where points come from, in the kernel's order."""
    ACTION_FIELDS: tuple[str, ...]
    """What a packed action says, part by part."""
    POLICIES: tuple[str, ...]
    """Simple ways to play that the kernel knows, in its order; the first one is "uniform"."""

    def read(self, document: Document) -> Position:
        """Return the position of a document."""

    def new_game(self, *, players: int, seed: int, **settings: Any) -> Position:
        """Return a starting position."""

    def draw(self, position: Any, *, width: int) -> str:
        """Return the table as text, with ANSI colours."""

    def draw_html(self, position: Any) -> tuple[str, str]:
        """Return the table as a fragment of HTML, and its style sheet."""

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a position file."""

    def observe(self, position: Any, state: bytes, seat: int) -> NDArray[np.int16]:
        """Return what a seat sees in a state that follows from a position; nothing negative."""

    def observation_names(self, players: int) -> tuple[str, ...]:
        """Return the name of every entry of `observe`."""

    def action_fields(self, codes: Sequence[int]) -> NDArray[np.int16]:
        """Return packed actions taken apart, a row each, a column for each of `ACTION_FIELDS`."""


def new_game(
    game: str | None = None, *, players: int = 2, seed: int = 0, **settings: Any
) -> Position:
    """Return a starting position, dealt and rolled, the first player to decide.

    Args:
        game: the game's name; default the first of the collection.
        players: how many play.
        seed: the luck of the set-up.
        settings: what the game offers besides, such as `boards`, `edition`, `castles`, `names`.

    Raises:
        UnknownGameError: there is no such game.
        SettingError: a setting the game does not have.

    """
    return find(game or default()).new_game(players=players, seed=seed, **settings)


def default() -> str:
    """Return the game of a position file that names none."""
    import advisor.games

    return advisor.games.DEFAULT


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of all games."""
    import advisor.games

    return tuple(sorted(module.name for module in pkgutil.iter_modules(advisor.games.__path__)))


def find(name: str) -> GameModule:
    """Return a game by name.

    Raises:
        UnknownGameError: there is no such game.

    """
    if name not in names():
        raise UnknownGameError(f"no game is called '{name}'; the games are {', '.join(names())}")
    module: Any = importlib.import_module(f"advisor.games.{name}.game")
    return module  # type: ignore[no-any-return]


def find_series(name: str) -> SeriesModule:
    """Return what a game offers for series of games.

    Raises:
        UnknownGameError: there is no such game.

    """
    find(name)
    module: Any = importlib.import_module(f"advisor.games.{name}.series")
    return module  # type: ignore[no-any-return]
