"""The exceptions of the library. Every message is a sentence a player can act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class AdvisorError(Exception):
    """Base of all errors that advisor raises on purpose."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a position file: where it is, what is wrong, what would be right."""

    where: str
    message: str
    line: int = 0
    column: int = 0
    file: str = "<text>"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return ": ".join(part for part in (place, self.where, self.message) if part)

    def to_dict(self) -> dict[str, object]:
        """Return the problem for JSON."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "field": self.where,
            "message": self.message,
        }


class PositionError(AdvisorError):
    """A position file cannot be used. `problems` lists every fault found, in file order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class ActionError(AdvisorError):
    """An action is not legal in its position. `nearby` lists legal actions most like it."""

    def __init__(self, message: str, nearby: Sequence[str] = ()) -> None:
        self.nearby = list(nearby)
        super().__init__(message)


class SettingError(AdvisorError, ValueError):
    """A setting is outside what the game or the program can do."""


class UnknownGameError(SettingError):
    """There is no such game."""
