"""Trained nets as files, with where they come from.

Owns the file format (a NumPy archive: the numbers in half precision, and a JSON text of provenance)
and the models that are shipped with a game, one for each number of players.
"""

from __future__ import annotations

import functools
import io
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor.errors import AdvisorError
from advisor.learning._net import Net


class ModelError(AdvisorError):
    """A model file cannot be used."""


class NoModelError(ModelError):
    """No model is shipped for a table."""


@dataclass(frozen=True, slots=True)
class Model:
    """A net and its provenance."""

    net: Net
    name: str
    provenance: dict[str, Any]

    @property
    def label(self) -> str:
        """The model's name and version, in a few words."""
        made = self.provenance
        return f"{self.name}, {made.get('games', 0):,} games of self-play, {made.get('date', '')}"

    @property
    def spread(self) -> NDArray[np.float64]:
        """How far the difference of two seats' final points scatters around the judged one.

        Standard deviation, by the chance events to come.
        """
        return np.array(self.provenance.get("spread") or [30.0], dtype=np.float64)


def save(net: Net, provenance: dict[str, Any]) -> bytes:
    """Return a model file's bytes."""
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        numbers=net.numbers.astype(np.float16),
        shape=np.array([net.traits, net.chapters], np.int32),
        provenance=np.frombuffer(json.dumps(provenance).encode(), np.uint8),
    )
    return stream.getvalue()


def load(path: str | Path) -> Model:
    """Return the model of a file.

    Raises:
        ModelError: the file is missing, damaged, or no model.

    """
    try:
        return _read(Path(path).read_bytes(), str(path))
    except (OSError, ValueError) as error:  # a path may be one that no file can have
        why = getattr(error, "strerror", None) or error
        raise ModelError(f"{path}: cannot read the model: {why}") from None


def _read(raw: bytes, name: str) -> Model:
    try:
        with np.load(io.BytesIO(raw), allow_pickle=False) as archive:
            traits, chapters = (int(number) for number in archive["shape"])
            numbers = archive["numbers"].astype(np.float32)
            provenance = json.loads(archive["provenance"].tobytes())
        if not np.isfinite(numbers).all():
            raise ValueError("some of its weights are no numbers")
        if not isinstance(provenance, dict):
            raise ValueError("it does not say where it comes from")
        return Model(Net(traits, chapters, numbers=numbers), name, provenance)
    except Exception as error:  # NumPy, JSON and the archive have many ways to say it
        raise ModelError(f"{name}: this is no model, or it is damaged: {error}") from None


@functools.cache
def shipped(game: str, players: int) -> Model:
    """Return the model that is shipped for a game and a number of players.

    Raises:
        NoModelError: there is none.
        ModelError: it is damaged.

    """
    name = f"{players}p.npz"
    file = resources.files(f"advisor.games.{game}").joinpath("models", name)
    if not file.is_file():
        raise NoModelError(
            f"no model is shipped for {players} players of {game}; train one with "
            "`advisor train`, and name it as an agent's option model=FILE"
        )
    return _read(file.read_bytes(), f"{game}/{name}")
