"""Figures: drawn without a display, the same every time, small enough to keep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from advisor.research.figures import draw
from advisor.research.study import run_study
from advisor.research.study_file import load_study, read_study
from advisor.research.study_model import Study
from tests.research.test_study import SHIPPED, SMALL, changed


def made_up(study: Study, number: int) -> pl.DataFrame:
    """A table in long form as if it had been measured, of a study too slow to be played here."""
    table = study.tables[number]
    rows = []
    for combination in study.combinations:
        for at, name in enumerate(table.measures):
            value = 0.5 + 0.1 * at
            row = {key: combination.values[key] for key in table.keys}
            even = {"even": 0.5 if name == "win" else None}
            rows.append(
                row
                | {"measure": name, "value": value, "se": 0.1, "low": 0.3, "high": 0.8}
                | {"seats": 10, "deals": 5}
                | even
            )
    return pl.DataFrame(rows)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_figures_of_every_shipped_study_can_be_drawn(name: str) -> None:
    study = load_study(name)
    result = None
    if name != "time":
        result = run_study(study, games=40, jobs=1, backend="threads")
    for spec in study.figures:
        long = result.table(spec.table + 1) if result else made_up(study, spec.table)
        files = draw(study, spec, long, caption="40 games")
        assert files["png"].startswith(b"\x89PNG")
        assert len(files["png"]) < 150_000
        assert files["svg"].startswith(b"<?xml")


def test_the_same_numbers_give_the_same_file() -> None:
    study = read_study(SMALL)
    long = run_study(study, games=10, jobs=1).table(1)
    assert draw(study, study.figures[0], long) == draw(study, study.figures[0], long)


@pytest.mark.parametrize("kind", ["dots", "lines", "bars", "heat"])
def test_a_figure_of_nothing_is_no_failure(kind: str) -> None:
    axes = {
        "dots": "x: score, y: seat, series: players",
        "heat": "x: seat, y: players, measure: score",
    }.get(kind, "x: seat, y: score, series: players")
    study = read_study(
        changed("kind: lines, x: seat, y: score, series: players", f"kind: {kind}, {axes}")
    )
    long = run_study(study, games=4, jobs=1).table(1)
    assert draw(study, study.figures[0], long)["png"]
    assert draw(study, study.figures[0], long.clear())["png"]


def test_values_without_an_interval_are_drawn_without_one() -> None:
    study = read_study(SMALL)
    long = run_study(study, games=1, jobs=1).table(1)
    assert long["low"].null_count() == long.height
    assert draw(study, study.figures[0], long)["svg"]


def test_no_display_and_no_pyplot_is_needed(tmp_path: Path) -> None:
    code = (
        "import sys; from advisor.research.figures import draw;"
        "from advisor.research.study_file import read_study;"
        "from advisor.research.study import run_study;"
        f"study = read_study({SMALL!r});"
        "draw(study, study.figures[0], run_study(study, games=2, jobs=1).table(1));"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"HOME": str(tmp_path)},
    )
    assert done.stdout == "False\n"
