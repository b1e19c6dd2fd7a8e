"""Model files: what is kept, what is refused, and the models that are shipped."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.core import registry
from advisor.errors import AdvisorError
from advisor.learning import model as models
from advisor.learning._net import Net
from advisor.learning._value import Value
from tests.learning import FIRST, states, table

MADE = {"games": 12_000, "date": "2026-11-18", "spread": [1.5, 20.0], "note": "Ä ≠ ∅"}


def saved(net: Net | None = None, **changes: Any) -> bytes:
    """Return the bytes of a model file, entries of the archive replaced or left out."""
    stream = io.BytesIO()
    with np.load(io.BytesIO(models.save(net or Net(30, 2, seed=3), MADE))) as archive:
        entries = {name: archive[name] for name in archive.files} | changes
    np.savez_compressed(stream, **{k: v for k, v in entries.items() if v is not None})
    return stream.getvalue()


def test_a_saved_net_comes_back_within_half_precision(tmp_path: Path) -> None:
    net = Net(30, 2, seed=3)
    net.numbers[:] *= 7
    (tmp_path / "m.npz").write_bytes(models.save(net, MADE))
    found = models.load(tmp_path / "m.npz")
    assert (found.net.traits, found.net.chapters) == (30, 2)
    assert found.net.numbers == pytest.approx(net.numbers, rel=2**-10, abs=1e-4)
    traits = np.arange(0, 30, 3, dtype=np.uint16)
    assert found.net(traits, 1) == pytest.approx(net(traits, 1), rel=0.02, abs=0.1)
    again = models.save(found.net, found.provenance)
    (tmp_path / "again.npz").write_bytes(again)
    assert models.load(tmp_path / "again.npz").net.numbers.tobytes() == found.net.numbers.tobytes()


def test_where_a_model_comes_from_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(models.save(Net(30, 2), MADE))
    found = models.load(str(path))
    assert found.provenance == MADE
    assert found.label == f"{path}, 12,000 games of self-play, 2026-11-18"
    assert found.spread.tolist() == [1.5, 20.0]


def test_a_model_that_tells_nothing_of_itself_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(models.save(Net(30, 2), {}))
    assert models.load(path).spread.tolist() == [30.0]
    assert "0 games" in models.load(path).label


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"text",
        b"PK\x03\x04",
        saved()[:-30],
        saved()[: len(saved()) // 2],
        saved(numbers=None),
        saved(shape=None),
        saved(provenance=None),
        saved(shape=np.array([31, 2], np.int32)),
        saved(shape=np.array([30, 3], np.int32)),
        saved(shape=np.array([30], np.int32)),
        saved(shape=np.array([-30, 2], np.int64)),
        saved(shape=np.array([2**40, 2], np.int64)),
        saved(shape=np.array(["a", "b"])),
        saved(numbers=np.zeros(5, np.float16)),
        saved(numbers=np.array(["a"])),
        saved(provenance=np.frombuffer(b"{", np.uint8)),
        saved(provenance=np.frombuffer(b"[1]", np.uint8)),
        saved(provenance=np.frombuffer(b"\xff\xfe", np.uint8)),
        saved(numbers=np.full(Net(30, 2).numbers.size, np.nan, np.float16)),
        saved(numbers=np.full(Net(30, 2).numbers.size, np.inf, np.float16)),
    ],
)
def test_what_is_no_model_is_refused_in_a_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "wrong.npz"
    path.write_bytes(content)
    with pytest.raises(models.ModelError, match=r"wrong\.npz: this is no model, or it is damaged"):
        models.load(path)


def test_other_files_of_numpy_are_no_models(tmp_path: Path) -> None:
    np.save(tmp_path / "array.npy", np.zeros(3))
    np.savez(tmp_path / "objects.npz", numbers=np.array([{}], dtype=object), shape=[1, 1])
    for name in ("array.npy", "objects.npz"):
        with pytest.raises(models.ModelError, match=f"{name}: this is no model"):
            models.load(tmp_path / name)


def test_damage_anywhere_is_a_sentence_or_harmless(tmp_path: Path) -> None:
    """Single bytes changed at random: never another exception, never a net of another shape."""
    good, rng = saved(), random.Random(1)
    path, refused = tmp_path / "m.npz", 0
    for _ in range(400):
        damaged = bytearray(good)
        damaged[rng.randrange(len(good))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            found = models.load(path)
        except AdvisorError:
            refused += 1
        else:
            assert (found.net.traits, found.net.chapters) == (30, 2)
            assert np.isfinite(found.net.numbers).all()
    assert refused > 200


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(models.ModelError, match=r"none\.npz: cannot read the model: No such file"):
        models.load(tmp_path / "none.npz")
    with pytest.raises(models.ModelError, match="cannot read the model: Is a directory"):
        models.load(tmp_path)
    with pytest.raises(models.ModelError, match="cannot read the model"):
        models.load("nul\0l.npz")


def test_a_number_of_players_without_a_model_is_named() -> None:
    with pytest.raises(models.ModelError, match="no model is shipped for 9 players of burgundy"):
        models.shipped("burgundy", 9)


SHIPPED = [
    pytest.param(game, players, path, id=f"{game}-{players}p")
    for game in registry.names()
    for players in registry.find(game).PLAYERS
    if (
        path := Path(advisor.__file__).parent / "games" / game / "models" / f"{players}p.npz"
    ).is_file()
]


@pytest.mark.parametrize(("game", "players", "path"), SHIPPED)
def test_a_shipped_model_is_small_and_fits_its_game(game: str, players: int, path: Path) -> None:
    assert path.stat().st_size < 2_000_000
    found = models.shipped(game, players)
    assert found is models.shipped(game, players)  # read once
    position = advisor.new_game(game, players=players, seed=1)
    points = Value(position.rules, found.net).points(position.packed)
    assert all(50 < seat < 400 for seat in points)
    assert found.spread.ndim == 1
    assert (found.spread > 0).all()


@pytest.mark.parametrize(("game", "players", "path"), SHIPPED)
def test_sums_of_a_shipped_model_keep_far_from_their_bounds(
    game: str, players: int, path: Path
) -> None:
    """Beyond 128 units they would wrap around."""
    net = models.shipped(game, players).net
    rows = net.numbers[: net.traits * FIRST].reshape(-1, FIRST)
    bias = net.numbers[net.traits * FIRST :][:FIRST]
    rng = random.Random(players)
    for _ in range(3):
        position = table(rng, players)
        for state in states(position.rules, position.packed, rng, 0.9)[::5]:
            for seat in range(players):
                traits = [*position.rules.describe(state, seat, 0)]
                traits += position.rules.describe(state, seat, 1)
                assert np.abs(rows[traits].sum(axis=0) + bias).max() < 40


@pytest.mark.parametrize(("game", "players", "path"), SHIPPED)
def test_a_shipped_model_says_where_it_comes_from(game: str, players: int, path: Path) -> None:
    made = models.shipped(game, players).provenance
    assert made["game"] == game
    assert made["players"] == players
    assert made["games"] > 0
    assert {"version", "commit", "course", "validation", "proofs", "date"} <= set(made)
    assert made["course"]["seed"] >= 0
    assert made["proofs"][-1]["accepted"]
    assert json.dumps(made)


def test_the_models_are_part_of_the_package() -> None:
    """What is not package data is missing after installation."""
    import tomllib

    root = Path(advisor.__file__).parent.parent
    if not (root / "pyproject.toml").is_file():
        pytest.skip("no checkout")
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    assert "models/*.npz" in settings["tool"]["setuptools"]["package-data"]["*"]
