"""The commands `advisor match` and `advisor games`: what is typed, printed, kept and refused."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import advisor
from advisor.cli import main
from advisor.commands.progress import MatchProgress, clock
from advisor.research import store
from advisor.research.match import Progress
from advisor.research.plan import make_plan
from advisor.research.running import Running
from advisor.research.sequential import SequentialTest
from advisor.research.tasks import play_range

PATIENCE = 60
"""Seconds after which a process that hangs fails its test."""


def run(*args: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def answer(*args: str | Path) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def refused(status: int, *args: str | Path) -> str:
    result = run(*args)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    return result.stderr.strip()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small match."""
    folder = tmp_path_factory.mktemp("match") / "results"
    agents = ["ismcts:iterations=10", "greedy"]
    answer("match", "--agents", *agents, "--games", "8", "--boards", "1,3,8", "-o", folder)
    return folder


# Matches.


def test_agents_are_listed_behind_one_option_up_to_the_next() -> None:
    options = ["--games", "4", "--seed", "3", "--format", "json"]
    listed = json.loads(answer("match", "--agents", "greedy", "random", *options))
    assert [agent["agent"] for agent in listed["agents"]] == ["greedy", "random"]
    assert listed["seed"] == 3
    repeated = json.loads(answer("match", "--agents", "greedy", "--agents", "random", *options))
    for agent in (*listed["agents"], *repeated["agents"]):
        agent.pop("seconds_per_decision")
    assert repeated == listed


def test_the_report_as_json_has_every_agent_with_intervals(results: Path) -> None:
    agents = ["ismcts:iterations=10", "greedy"]
    options = ["--games", "8", "--boards", "1,3,8", "-o", results, "--format", "json"]
    told = json.loads(answer("match", "--agents", *agents, *options))
    assert [agent["agent"] for agent in told["agents"]] == agents
    assert told["games"] == 8
    assert told["repeatable"] is True
    share = told["agents"][1]["win"]
    assert share["low"] <= share["value"] <= share["high"]


def test_a_finished_match_is_only_reported_when_run_again(results: Path) -> None:
    before = sorted(path.name for path in results.iterdir())
    options = ["--games", "8", "--boards", "1,3,8", "-o", results]
    text = answer("match", "--agents", "ismcts:iterations=10", "greedy", *options)
    assert "0 games played now" in text
    assert sorted(path.name for path in results.iterdir()) == before


def test_a_folder_of_another_match_is_refused_and_left_alone(results: Path) -> None:
    before = {path: path.read_bytes() for path in results.iterdir()}
    sentence = refused(1, "match", "--agents", "greedy", "random", "-o", results)
    assert str(results) in sentence
    assert "agents" in sentence
    assert {path: path.read_bytes() for path in results.iterdir()} == before


def test_a_match_until_decided_says_who_is_better_and_how_surely() -> None:
    text = answer("match", "--agents", "random", "greedy", "--until-decided", "--alpha", "0.01")
    assert "Decided after 16 deals: greedy is better than random" in text
    assert "error rate 1 %" in text


def test_an_undecided_match_says_so() -> None:
    options = ["--until-decided", "--games", "4"]
    assert "Not decided after 2 deals" in answer("match", "--agents", "greedy", "greedy", *options)


def test_agents_that_decide_by_the_clock_are_said_not_to_be_repeatable() -> None:
    agents = ["ismcts:seconds=0.0001", "random"]
    assert "decides by the clock" in answer("match", "--agents", *agents, "--games", "2")


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["--agents", "gredy", "random"], 2, "did you mean 'greedy'"),
        (["--agents", "ismcts:iteration=5"], 2, "did you mean 'iterations'"),
        (["--agents", "greedy", "random", "--players", "7"], 2, "2, 3, 4"),
        (["--agents", "greedy", "random", "--boards", "1,x"], 2, "such as 1,3,8"),
        (["--agents", "greedy", "random", "--boards", "11"], 2, "its boards are 1, 2"),
        (["--agents", "greedy", "random", "--edition", "2020"], 2, "2011, 2019"),
        (["--agents", "greedy", "random", "--castles", "a1"], 2, "d4"),
        (["--agents", "greedy", "random", "--games", "0"], 2, "1 to"),
        (["--agents", "greedy", "random", "--jobs", "0"], 2, "1 to 4096"),
        (["--agents", "greedy", "--until-decided"], 2, "between two"),
        (["--agents", "a.b.C", "random"], 1, "cannot be imported"),
        (["--agents", "json.JSONDecoder", "random"], 1, "no method decide"),
        (
            ["--agents", "greedy", "random", "--cluster", "tcp://127.0.0.1:1"],
            1,
            "no Dask scheduler",
        ),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(
    args: list[str], status: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.research.workers.CONNECT_SECONDS", 1)
    assert words in refused(status, "match", *args).splitlines()[-1]


def test_a_match_without_agents_is_wrong_usage() -> None:
    assert "--agents" in refused(2, "match", "--games", "3")


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    sentence = refused(1, "match", "--agents", "greedy", "random", "--games", "2")
    assert 'polars is not installed; it comes with: pip install "advisor[research]"' in sentence


def test_a_full_disk_ends_in_a_sentence_and_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = ["match", "--agents", "greedy", "random", "--games", "4", "-o", tmp_path / "results"]
    answer(*args)
    real = os.fsync

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "fsync", full)
    sentence = refused(1, *args[:4], "--games", "400", *args[6:])
    assert "No space left on device" in sentence
    monkeypatch.setattr(store.os, "fsync", real)
    assert "4 games of 2 players" in answer(*args)


def test_ctrl_c_keeps_finished_games_and_the_same_command_continues(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    options = ["--agents", "ismcts:iterations=60", "greedy", "--games", "60", "-o", str(folder)]
    command = [sys.executable, "-m", "advisor", "match", *options, "--jobs", "1"]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE
    while not list(folder.glob("players-*")) and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=PATIENCE)
    if child.returncode == 0:
        pytest.skip("the match was over before it could be interrupted")
    assert child.returncode == 130
    assert "the same command continues" in err
    assert "Traceback" not in err
    assert out == ""
    kept = store.read_players(folder)["game"].n_unique()
    assert 0 < kept < 60
    text = answer("match", *options)
    assert f"{60 - kept} games played now" in text


# The display.


def test_progress_tells_games_rate_result_and_time_left() -> None:
    plan = make_plan(["greedy", "random"])
    running = Running(plan.labels, seatings=2)
    running.add(play_range(plan, 0, 10).players)
    progress = Progress(running, asked=100, kept=0, test=SequentialTest())
    progress.started = time.monotonic() - 5
    first, second = MatchProgress("title").lines(progress)
    assert first.startswith("title  10 of 100 games, 2 a second, 4")
    assert "s left, evidence" in first
    assert second.startswith("greedy 100.0 % [")


def test_lengths_of_time_read_well() -> None:
    assert [clock(s) for s in (4.4, 61, 3_725)] == ["4 s", "1 min 01 s", "1 h 02 min"]


# Single games.


@pytest.mark.parametrize("number", range(8))
def test_every_game_replays_to_its_recorded_scores(
    number: int, results: Path, tmp_path: Path
) -> None:
    answer("games", "replay", results, "--game", str(number), "-o", tmp_path / "game.txt")
    after = answer("apply", tmp_path / "game.yaml", "--file", tmp_path / "game.txt")
    rows = store.read_players(results).filter(game=number).sort("seat")
    end: Any = advisor.loads(after)
    assert end.to_move is None
    assert list(end.scores().values()) == rows["score"].to_list()
    seats = [name == end.winner() for name in end.names]
    assert seats == rows["won"].to_list()


def test_a_transcript_names_agents_and_the_end(results: Path, tmp_path: Path) -> None:
    text = answer("games", "replay", results, "--game", "1", "--start", tmp_path / "start.yaml")
    assert "# Anna: greedy" in text
    assert "# Ben: ismcts:iterations=10" in text
    assert re.search(r"# final: Anna \d+, Ben \d+; (Anna|Ben) wins\n$", text)
    assert (tmp_path / "start.yaml").exists()
    told = json.loads(answer("games", "replay", results, "--game", "1", "--format", "json"))
    assert told["actions"] == [line for line in text.splitlines() if not line.startswith("#")]
    assert told["start"]["game"]


def test_a_game_that_is_not_there_is_refused(results: Path, tmp_path: Path) -> None:
    assert "8" in refused(1, "games", "replay", results, "--game", "8")
    assert "no results folder" in refused(1, "games", "replay", tmp_path, "--game", "0")
