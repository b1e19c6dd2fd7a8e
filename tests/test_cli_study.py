"""Tests of `advisor study`: what is typed, printed, written and returned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from advisor.cli import main

COMMAND = [sys.executable, "-c", "from advisor.cli import main; main(prog_name='advisor')"]
STUDY = """\
study: mine
question: Is greedy better than random?
agents: [greedy, random]
games: 6
tables:
  - {title: Agents, rows: agent, measures: [win, score]}
figure: {kind: bars, x: agent, y: score}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(STUDY)
    return tmp_path


def run(*args: str) -> Result:
    result = CliRunner().invoke(main, ["study", *args], catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def test_the_shipped_studies_are_listed_with_their_questions() -> None:
    result = run("--list")
    assert result.exit_code == 0
    assert "seats" in result.stdout
    assert "Does going first pay?" in result.stdout
    listed = json.loads(run("--list", "--format", "json").stdout)
    assert {"study": "seats", "question": "Does going first pay?"} in listed


def test_a_study_prints_its_tables_and_writes_its_files(here: Path) -> None:
    result = run("mine.yaml", "--jobs", "1")
    assert result.exit_code == 0, result.stderr
    assert "Is greedy better than random?" in result.stdout
    assert "| greedy " in result.stdout
    assert "12 games" not in result.stdout
    assert "6 games; agents: greedy against random; seed 1." in result.stdout
    for end in ("parquet", "md", "svg", "png"):
        assert (here / "study-mine" / f"mine.{end}").stat().st_size > 100
        assert f"mine.{end}" in result.stdout
    assert "| greedy " in (here / "study-mine" / "mine.md").read_text()


def test_the_same_command_continues_and_json_is_one_object(here: Path) -> None:
    run("mine.yaml", "-o", "out", "--games", "4", "--jobs", "1")
    again = run("mine.yaml", "-o", "out", "--jobs", "1", "--format", "json")
    told = json.loads(again.stdout)
    assert told["games"] == 6
    assert told["new_games"] == 2
    rows = told["tables"][0]["rows"]
    assert [row["agent"] for row in rows] == ["greedy", "greedy", "random", "random"]
    assert told["files"][0] == str(Path("out") / "mine.parquet")
    frame = pl.read_parquet(here / "out" / "mine.parquet")
    assert frame["value"].to_list() == [row["value"] for row in rows]


def test_a_faulty_file_is_refused_with_its_places(here: Path) -> None:
    (here / "mine.yaml").write_text(STUDY.replace("score]", "scor]").replace("games: 6", "gams: 6"))
    result = run("mine.yaml")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "mine.yaml:4:1: gams: 'gams' is not known here; did you mean 'games'?" in result.stderr
    assert not (here / "study-mine").exists()


@pytest.mark.parametrize(
    ("args", "status", "sentence"),
    [
        (["bords"], 2, "did you mean 'boards'?"),
        ([], 2, "which study?"),
        (["nothing.yaml"], 1, "nothing.yaml: cannot read the file"),
        (["mine.yaml", "--games", "0"], 2, "0 games; ask for 1 to"),
        (["mine.yaml", "--jobs", "0"], 2, "0 jobs"),
    ],
)
def test_wrong_usage_ends_in_a_sentence(
    here: Path, args: list[str], status: int, sentence: str
) -> None:
    result = run(*args)
    assert result.exit_code == status
    assert sentence in result.stderr
    assert result.stdout == ""


def test_a_folder_of_another_seed_is_refused(here: Path) -> None:
    run("mine.yaml", "--jobs", "1")
    result = run("mine.yaml", "--seed", "2")
    assert result.exit_code == 1
    assert "seed is 1 there and 2 here" in result.stderr


def test_ctrl_c_says_that_the_same_command_continues(here: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "study", "mine.yaml", "--games", "1000000", "--jobs", "1"],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 30
    while not list((here / "study-mine").glob("all/players-*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert "study-mine" in err
    assert "the same command continues" in err
    assert run("mine.yaml", "--jobs", "1").exit_code == 0
