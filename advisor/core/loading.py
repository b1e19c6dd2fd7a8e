"""From a file or text to a position of whatever game it names."""

from __future__ import annotations

from pathlib import Path

from advisor.core import documents, registry
from advisor.core.registry import Position


def load(path: str | Path) -> Position:
    """Return the position of a file, `-` for standard input.

    Raises:
        PositionError: listing every fault of the file.

    """
    name = "<stdin>" if str(path) == "-" else str(path)
    return _read(documents.parse(documents.read_file(path), name))


def loads(text: str, *, file: str = "<text>") -> Position:
    """Return the position of a YAML text.

    Raises:
        PositionError: listing every fault of the text.

    """
    return _read(documents.parse(text, file))


def _read(document: documents.Document) -> Position:
    game = registry.default()
    if isinstance(document.data, dict) and document.data.get("game") is not None:
        game = document.data["game"]
        if game not in registry.names():
            known = ", ".join(registry.names())
            document.report(("game",), f"no game is called {game!r}; the games are {known}")
            document.check()
    return registry.find(game).read(document)
