"""The Castles of Burgundy as the registry sees it."""

from __future__ import annotations

from typing import Any

from advisor.core.documents import Document
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.observation import ACTION_FIELDS, action_fields, observe
from advisor.games.burgundy.observation import names as observation_names
from advisor.games.burgundy.setup import new_game

NAME = "burgundy"
TITLE = "The Castles of Burgundy"
PLAYERS = (2, 3, 4)
SOURCES = (
    "regions",
    "phase bonus",
    "animals",
    "goods",
    "colour bonuses",
    "monasteries",
    "watchtowers",
    "leftovers",
)
POLICIES = ("uniform", "greedy")


def read(document: Document) -> Position:
    """Return the position of a document."""
    from advisor.games.burgundy.reading import read

    return read(document)


def draw(position: Position, *, width: int) -> str:
    """Return the table as text, with ANSI colours."""
    from advisor.games.burgundy.draw import draw

    return draw(position, width=width)


def draw_html(position: Position) -> tuple[str, str]:
    """Return the table as a fragment of HTML, and its style sheet."""
    from advisor.games.burgundy import draw_html

    return draw_html.draw_html(position), draw_html.CSS


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a position file."""
    from advisor.games.burgundy.schema import json_schema

    return json_schema()


__all__ = [
    "ACTION_FIELDS",
    "NAME",
    "PLAYERS",
    "POLICIES",
    "SOURCES",
    "TITLE",
    "action_fields",
    "draw",
    "draw_html",
    "json_schema",
    "new_game",
    "observation_names",
    "observe",
    "read",
]
