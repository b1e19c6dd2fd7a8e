"""Tests of `advisor suggest` (docs/cli.md): what is typed, printed, drawn, written and returned.

In one process where possible; real processes where signals and terminals matter.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
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
from advisor.learning import model
from advisor.search import engine

POSITIONS = Path(__file__).parent.parent / "positions" / "burgundy"
SHIP = POSITIONS / "ship-with-full-hold.yaml"
OPENING = POSITIONS / "opening.yaml"
LAST = POSITIONS / "last-round.yaml"
COMMAND = [sys.executable, "-c", "from advisor.cli import main; main(prog_name='advisor')"]
PATIENCE = 60
"""Seconds after which a process that hangs fails its test."""

QUICK = ("--iterations", "500", "--threads", "1")


def run(*args: str | Path, stdin: str | None = None) -> Result:
    """Run the command in this process; an exception it does not turn into a sentence fails."""
    result = CliRunner().invoke(
        main, ["suggest", *map(str, args)], input=stdin, catch_exceptions=False
    )
    assert "Traceback" not in result.output
    return result


def answer(*args: str | Path, stdin: str | None = None) -> str:
    """Return what a command prints that succeeds; it says nothing on stderr."""
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def assert_refused(result: Result, status: int) -> None:
    """Check that a command ended in one sentence on stderr and printed no result."""
    assert result.exit_code == status
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) > 20


@pytest.fixture
def thoughtless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search that begins fail the test."""

    def run(search: Any) -> None:
        pytest.fail("it has begun to think")

    monkeypatch.setattr(engine.Search, "run", run)


def over() -> str:
    """Return a game that has just ended, as YAML."""
    here: Any = advisor.load(LAST)
    while here.to_move is not None:
        here = here.apply(here.actions()[0])
    text: str = here.dump()
    return text


# What is printed.


def test_the_text_names_the_best_turn_and_ranks_the_actions() -> None:
    text = answer(SHIP, *QUICK)
    data = json.loads(answer(SHIP, *QUICK, "--format", "json"))
    best = data["actions"][0]
    assert "Ines" in text.splitlines()[0]
    for action in best["turn"]:
        assert f'"{action}"' in text
    rows = re.findall(r"^ +(\d+)  (\S.*?)  ", text, flags=re.MULTILINE)
    assert [int(number) for number, _ in rows[:10]] == list(range(1, 11))
    assert [action for _, action in rows[:10]] == [a["action"] for a in data["actions"][:10]]
    assert "\x1b" not in text
    assert "500 iterations" in text
    assert "--iterations 500 --threads 1 --seed 1" in text


def test_the_actions_of_the_best_turn_can_be_applied_as_printed() -> None:
    line = next(line for line in answer(SHIP, *QUICK).splitlines() if "To apply" in line)
    position: Any = advisor.load(SHIP)
    here = position
    for text in re.findall(r'"(.*?)"', line):
        here = here.apply(text)
    assert here.to_move != position.to_move


def test_json_is_one_object_and_that_of_the_library() -> None:
    text = answer(SHIP, *QUICK, "--seed", "4", "--objective", "margin", "--format", "json")
    position = advisor.load(SHIP)
    advice = advisor.suggest(position, iterations=500, threads=1, seed=4, objective="margin")
    assert json.loads(text) == json.loads(json.dumps(advice.to_dict()))


@pytest.mark.parametrize("more", ["", "--turns", "--explain", "--threads 2"])
def test_json_repeats_byte_for_byte(more: str) -> None:
    args = [str(OPENING), *QUICK, "--seed", "9", *more.split(), "--format", "json"]
    assert answer(*args) == answer(*args)


def test_another_process_prints_the_same_bytes() -> None:
    args = ["suggest", str(SHIP), "--iterations", "1000", "--threads", "2", "--format", "json"]
    done = subprocess.run(
        [*COMMAND, *args], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stdout == answer(*args[1:])
    assert done.stderr == ""


def test_standard_input_is_read() -> None:
    text = SHIP.read_text("utf-8")
    assert answer("-", *QUICK, "--format", "json", stdin=text) == answer(
        SHIP, *QUICK, "--format", "json"
    )


def test_top_lists_so_many() -> None:
    data = json.loads(answer(SHIP, *QUICK, "--top", "3", "--format", "json"))
    assert len(data["actions"]) == 3
    assert "The first 3 of 15 actions" in answer(SHIP, *QUICK, "--top", "3")
    assert len(json.loads(answer(SHIP, *QUICK, "--format", "json"))["actions"]) == 15


def test_whole_turns_are_ranked_where_asked_for() -> None:
    data = json.loads(answer(OPENING, *QUICK, "--turns", "--format", "json"))
    assert len(data["turns"]) > len(data["actions"])
    assert all(turn["turn"][-1] == "end" for turn in data["turns"])
    assert len(data["actions"]) == 17
    assert '"end"' in answer(OPENING, *QUICK, "--turns")


@pytest.mark.parametrize("typed", ["load 2", "LOAD  2"])
def test_a_comparison_is_printed(typed: str) -> None:
    data = json.loads(answer(SHIP, *QUICK, "--versus", typed, "--format", "json"))
    assert data["explanation"]["versus"] == "load 2"
    text = answer(SHIP, *QUICK, "--versus", typed)
    first = data["explanation"]["text"][0]
    assert first in " ".join(text.split())


def test_an_exact_answer_says_so(tmp_path: Path) -> None:
    end = tmp_path / "end.yaml"
    end.write_text(
        """
phase: E
round: 5
players:
  Anna: {board: 1, score: 46, goods: {red: 3}, estate: {d4: castle}}
  Ben: {board: 1, score: 50, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [4]}
""",
        encoding="utf-8",
    )
    data = json.loads(answer(end, "--seconds", "60", "--format", "json"))
    assert (data["exact"], data["stopped"], data["iterations"]) == (True, "exact", 0)
    assert [(a["action"], a["score"]) for a in data["actions"]] == [
        ("4 sell red", 53),
        ("4 workers", 50),
    ]
    assert "everything was computed" in answer(end, "--seconds", "60")


def test_more_threads_than_cores_are_noted() -> None:
    text = answer(SHIP, "--iterations", "300", "--threads", "200")
    assert re.search(r"200 threads share \d+ cores?: more threads", " ".join(text.split()))


def test_reached_memory_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.search.settings.LEAST_MEMORY", 1 << 16)
    args = (OPENING, "--iterations", "10000", "--threads", "1", "--memory", "240K", "--full")
    data = json.loads(answer(*args, "--engine", "ismcts", "--format", "json"))
    assert data["memory_full"] is True
    assert len(data["actions"]) == 17
    assert any("memory bound" in note for note in data["notes"])


@pytest.mark.parametrize("wanted", ["plans", "ismcts"])
def test_the_engine_asked_for_answers_and_is_named(wanted: str) -> None:
    data = json.loads(answer(SHIP, *QUICK, "--engine", wanted, "--format", "json"))
    assert data["engine"] == wanted
    assert (data["model"] is not None) == (wanted == "plans")
    text = " ".join(answer(SHIP, *QUICK, "--engine", wanted).split())
    assert f"Judged by engine {wanted}" in text
    assert ("model burgundy/2p.npz" in text) == (wanted == "plans")
    assert f"--seed 1 --engine {wanted}" in text


def test_by_default_plans_answer_where_there_is_a_model() -> None:
    data = json.loads(answer(SHIP, *QUICK, "--format", "json"))
    assert data["engine"] == "plans"
    assert data["model"].startswith("burgundy/2p.npz")


def test_without_a_model_the_trees_answer_and_plans_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(game: str, players: int) -> Any:
        raise model.NoModelError(f"no model is shipped for {players} players of {game}")

    monkeypatch.setattr(model, "shipped", none)
    assert json.loads(answer(SHIP, *QUICK, "--format", "json"))["engine"] == "ismcts"
    refused = run(SHIP, *QUICK, "--engine", "plans")
    assert_refused(refused, 1)
    assert "no model is shipped for 2 players of burgundy" in refused.stderr


def test_nothing_is_drawn_where_stderr_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "REPORT", -1.0)
    assert run(SHIP, *QUICK).stderr == ""


# What is refused.


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("--seconds 0", "0 seconds"),
        ("--seconds -3", "-3 seconds"),
        ("--seconds nan", "nan seconds"),
        ("--seconds inf", "inf seconds"),
        ("--seconds 1e12", "at most 10,800"),
        ("--iterations 0", "0 iterations"),
        ("--iterations -1", "-1 iterations"),
        ("--iterations 99999999999999999999", "iterations; ask for 1 to"),
        ("--seconds 1 --iterations 100", "give one of them"),
        ("--threads 0", "0 threads"),
        ("--threads -2", "-2 threads"),
        ("--threads 100000", "100000 threads"),
        ("--memory 5K", "too few"),
        ("--memory 0", "too few"),
        ("--memory plenty", "'plenty' is no amount of memory"),
        ("--memory -1G", "no amount of memory"),
        ("--indifference -1", "indifference of -1"),
        ("--indifference nan", "indifference of nan"),
    ],
)
def test_settings_out_of_bounds_are_status_2_with_one_sentence(
    thoughtless: None, wrong: str, sentence: str
) -> None:
    result = run(SHIP, *wrong.split())
    assert_refused(result, 2)
    assert sentence in result.stderr


@pytest.mark.parametrize("memory", ["99999999999T", "9" * 400])
def test_more_memory_than_there_is_anywhere_is_no_traceback(memory: str) -> None:
    result = run(SHIP, *QUICK, "--memory", memory)
    assert result.exit_code in (0, 2)
    if result.exit_code:
        assert_refused(result, 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits are for children")
@pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer itself reserves terabytes"
)
def test_memory_the_machine_does_not_have_is_one_sentence() -> None:
    """A machine with 3 GB, told that 64 may be used, at a position that is solved exactly."""
    import resource

    done = subprocess.run(
        [*COMMAND, "suggest", str(LAST), "--seconds", "0.5", "--threads", "2", "--memory", "64G"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)),
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)
    assert bool(done.stdout) == (done.returncode == 0)


@pytest.mark.parametrize(
    "wrong",
    [
        "--seconds soon",
        "--iterations 1.5",
        "--iterations many",
        "--threads x",
        "--seed x",
        "--top 0",
        "--objective glory",
        "--engine glory",
        "--format xml",
        "--frob",
        "extra",
    ],
)
def test_wrong_usage_is_status_2_and_says_so(thoughtless: None, wrong: str) -> None:
    result = run(SHIP, *wrong.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Usage: ")
    assert "Error: " in result.stderr


def test_a_game_that_is_over_is_refused() -> None:
    result = run("-", stdin=over())
    assert_refused(result, 1)
    assert "the game is over" in result.stderr


@pytest.mark.parametrize("word", ["roll", "deal"])
def test_a_position_that_waits_for_chance_is_refused_with_the_notation(word: str) -> None:
    here: Any = advisor.load(POSITIONS / "end-of-phase.yaml")
    if word == "roll":
        here = advisor.load(POSITIONS / "waiting-for-the-roll.yaml")
    while here.to_move != "chance":
        here = here.apply(here.actions()[-1])
    result = run("-", stdin=here.dump())
    assert_refused(result, 1)
    assert f"waits for chance: {word} first" in result.stderr
    assert f"written like '{word} " in result.stderr


def test_an_illegal_action_to_compare_with_is_refused_with_legal_ones(thoughtless: None) -> None:
    result = run(SHIP, "--versus", "load 9")
    assert_refused(result, 1)
    assert "'load 9'" in result.stderr
    assert "load 2" in result.stderr


@pytest.mark.parametrize("text", ["", "phase: [A", "phase: X\nround: 1\n"])
def test_a_bad_position_is_status_1(thoughtless: None, text: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(text, encoding="utf-8")
    result = run(bad)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert all(line.startswith(f"{bad}:") for line in result.stderr.splitlines())


def test_a_missing_position_is_status_1(thoughtless: None, tmp_path: Path) -> None:
    assert_refused(run(tmp_path / "nowhere.yaml"), 1)


# What is written.


def test_files_are_written_beside_the_answer(tmp_path: Path) -> None:
    plain = answer(SHIP, *QUICK)
    for name in ("answer.json", "answer.txt", "answer"):
        printed = answer(SHIP, *QUICK, "-o", tmp_path / name)
        assert _timeless(printed) == _timeless(plain)
    assert json.loads((tmp_path / "answer.json").read_text("utf-8")) == json.loads(
        answer(SHIP, *QUICK, "--format", "json")
    )
    for name in ("answer.txt", "answer"):
        assert _timeless((tmp_path / name).read_text("utf-8")) == _timeless(plain)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "answer",
        "answer.json",
        "answer.txt",
    ]


def _timeless(text: str) -> str:
    """Return an answer in text without what the clock says."""
    return re.sub(r"in [\d.]+ s \([\d,]+ a second\)", "", text)


@pytest.mark.parametrize("name", ["report.html", "REPORT.HTM"])
def test_a_page_is_written_with_the_table_and_the_explanation(tmp_path: Path, name: str) -> None:
    printed = answer(SHIP, *QUICK, "-o", tmp_path / name, "--format", "json")
    page = (tmp_path / name).read_text("utf-8")
    data = json.loads(printed)
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert "explanation" in data
    for word in ("Ines", data["actions"][0]["action"], data["explanation"]["versus"], "<svg"):
        assert word in page


def test_a_directory_is_refused_before_thinking(thoughtless: None, tmp_path: Path) -> None:
    result = run(SHIP, *QUICK, "-o", tmp_path)
    assert_refused(result, 1)
    assert "it is a directory" in result.stderr


def test_a_missing_folder_is_refused_before_thinking(thoughtless: None, tmp_path: Path) -> None:
    result = run(SHIP, *QUICK, "-o", tmp_path / "nowhere" / "answer.html")
    assert_refused(result, 1)
    assert "its directory does not exist" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["answer.json", "answer.html", "answer.txt"])
def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / name
    target.write_text("as it was", encoding="utf-8")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        result = run(SHIP, *QUICK, "-o", target)
    assert result.exit_code == 1
    assert "nothing was written" in result.stderr
    assert "No space left on device" in result.stderr
    assert target.read_text("utf-8") == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    answer(SHIP, *QUICK, "-o", target)
    assert len(target.read_text("utf-8")) > 500


def test_a_refused_setting_leaves_the_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "answer.json"
    target.write_text("as it was", encoding="utf-8")
    assert_refused(run(SHIP, "--seconds", "0", "-o", target), 2)
    assert target.read_text("utf-8") == "as it was"


# Terminals and signals.


class Terminal:
    """A command whose stdout or stderr is a terminal, and what it showed there."""

    def __init__(self, *args: str | Path, stream: str) -> None:
        self.shown = b""
        self.reading, writing = pty.openpty()
        streams: dict[str, int] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        streams[stream] = writing
        self.child = subprocess.Popen(
            [*COMMAND, "suggest", *map(str, args)],
            **streams,  # type: ignore[call-overload]
            env={**os.environ, "COLUMNS": "100", "TERM": "xterm"},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(writing)

    def read_until(self, wanted: bytes | None) -> None:
        """Read the terminal until it shows something; None: until it is closed."""
        deadline = time.monotonic() + PATIENCE
        while wanted is None or wanted not in self.shown:
            assert time.monotonic() < deadline, "it shows nothing"
            if select.select([self.reading], [], [], 0.1)[0]:
                try:
                    more = os.read(self.reading, 65536)
                except OSError:  # closed at the other end
                    more = b""
                if not more:
                    assert wanted is None, self.shown
                    return
                self.shown += more

    def end(self) -> bytes:
        """Wait for the end; return what came through the pipe."""
        pipe = self.child.stdout or self.child.stderr
        assert pipe is not None
        self.read_until(None)
        piped: bytes = pipe.read()
        self.child.wait(timeout=PATIENCE)
        return piped

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        self.child.wait()
        for pipe in (self.child.stdout, self.child.stderr):
            if pipe is not None:
                pipe.close()
        os.close(self.reading)


def test_ctrl_c_at_a_terminal_gives_the_answer_so_far() -> None:
    args = ("--seconds", "600", "--full", "--threads", "2", "--format", "json")
    with Terminal(SHIP, *args, stream="stderr") as terminal:
        terminal.read_until(b" iterations, ")  # the live ranking
        terminal.child.send_signal(signal.SIGINT)
        printed = terminal.end()
    assert terminal.child.returncode == 0
    data = json.loads(printed)
    assert data["stopped"] == "interrupted"
    assert len(data["actions"]) == 15
    assert min(entry["visits"] for entry in data["actions"]) >= 5
    assert b"Traceback" not in terminal.shown


def test_ctrl_c_says_in_words_that_the_answer_is_not_complete(tmp_path: Path) -> None:
    target = tmp_path / "answer.txt"
    args = ("--iterations", "100000000", "--full", "--threads", "1", "-o", str(target))
    with Terminal(SHIP, *args, stream="stderr") as terminal:
        terminal.read_until(b" iterations, ")
        terminal.child.send_signal(signal.SIGINT)
        printed = terminal.end().decode()
    assert terminal.child.returncode == 0
    assert "it was interrupted" in printed
    assert "Best turn" in printed
    assert "it was interrupted" in target.read_text("utf-8")


def test_the_live_ranking_is_on_stderr_and_drawn_over_itself() -> None:
    args = ("--iterations", "4000", "--full", "--threads", "1")
    with Terminal(SHIP, *args, stream="stderr") as terminal:
        printed = terminal.end().decode()
    assert terminal.child.returncode == 0
    shown = terminal.shown.decode()
    assert shown.count(" iterations, ") >= 2
    assert re.search(r"\x1b\[6F\x1b\[J", shown)  # a head and five rows
    assert shown.endswith("\x1b[J")  # at last it is taken away
    assert "load " in shown
    assert "\x1b" not in printed
    assert "Best turn" in printed


def test_a_file_has_no_colours_although_the_terminal_has(tmp_path: Path) -> None:
    target = tmp_path / "answer.txt"
    with Terminal(SHIP, *QUICK, "-o", target, stream="stdout") as terminal:
        said = terminal.end()
    assert (terminal.child.returncode, said) == (0, b"")
    assert b"\x1b[1m" in terminal.shown
    assert "\x1b" not in target.read_text("utf-8")
