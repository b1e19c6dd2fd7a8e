"""docs/research.md: its agent plays, its Python runs and prints its comments, its queries work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import advisor

PAGE = (Path(__file__).parent.parent / "docs" / "research.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def block(beginning: str) -> str:
    (found,) = [text for text in BLOCKS if text.startswith(beginning)]
    return found


def test_every_python_block_is_tested_here() -> None:
    starts = [text.splitlines()[0] for text in BLOCKS]
    assert starts == [
        '"""An agent that fills its storage first and places what it can."""',
        "import polars as pl",
        "import duckdb",
        "import advisor",
    ]


def test_the_example_of_an_agent_plays_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = block('"""An agent')
    assert len(text.splitlines()) <= 32
    (tmp_path / "my_agents.py").write_text(text, "utf-8")
    command = [sys.executable, "-m", "advisor", "match", "--agents", "my_agents.Builder"]
    command += ["my_agents.Builder:patience=0.5", "random", "--games", "6", "--jobs", "1"]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "my_agents.Builder:patience=0.5" in done.stdout


@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_results_can_be_read_as_shown(
    library: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    advisor.match(["greedy", "random"], games=8, boards=[1, 3], folder=tmp_path / "results")
    monkeypatch.chdir(tmp_path)
    exec(block(f"import {library}"), {})  # noqa: S102 - our own page
    printed = capsys.readouterr().out
    assert "greedy" in printed
    assert "random" in printed


def test_the_library_does_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    text = block("import advisor")
    exec(text, {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*#\s*(.*)", text)


def test_every_column_of_the_results_is_explained() -> None:
    columns = advisor.match(["random"], games=1, players=2).columns
    explained = PAGE[PAGE.index("| column | meaning |") :]
    for name in columns:
        if not name.startswith("points_"):
            assert f"`{name}`" in explained, name
