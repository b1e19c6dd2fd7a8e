"""The command `advisor train`: what is typed, printed, kept and refused."""

from __future__ import annotations

import functools
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from advisor.cli import main
from advisor.commands.train import curve
from advisor.learning import model as models
from advisor.learning._net import Net
from advisor.research import course, training

SMALL = ("--rounds", "2", "--games", "3", "--boards", "1", "--seed", "5", "--threads", "1")
PATIENCE = 120
"""Seconds after which a process that hangs fails its test."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games before the first round and in the matches, and every net is accepted."""
    monkeypatch.setattr(training, "PROOF_DEALS", 2)
    monkeypatch.setattr(training, "SURE", -1e6)
    short = functools.partial(course.Course, first_games=10, proof_every=1)
    monkeypatch.setattr(course, "Course", short)


def run(*args: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def refused(status: int, *args: str | Path) -> str:
    result = run(*args)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    return result.stderr.strip()


def test_help_has_an_example_and_every_option() -> None:
    text = run("train", "--help").stdout
    assert "Examples:\n    advisor train burgundy" in text
    for option in ("--players", "--boards", "--rounds", "--games", "--seed", "--threads", "-o"):
        assert option in text
    for option in ("--editions YEAR,...", "--begin-with MODEL"):
        assert option in text
    assert "[default: 2011,2019]" in " ".join(text.split())
    assert "[default: from nothing]" in " ".join(text.split())


def test_the_learning_curve_and_the_model_are_printed(tmp_path: Path) -> None:
    result = run("train", "burgundy", *SMALL, "-o", tmp_path)
    assert result.exit_code == 0, result.stderr
    *drawn, model = result.stdout.splitlines()
    assert model == f"{tmp_path}/model.npz"
    assert drawn[-1].endswith("2 rounds: mean points in self-play")
    assert sum("|" in line for line in drawn) == 13
    assert models.load(model).provenance["course"]["seed"] == 5
    assert "round 2 of 2:" in result.stderr
    assert "round 2 against round 1:" in result.stderr
    again = run("train", "burgundy", *SMALL, "-o", tmp_path)
    assert again.stdout == result.stdout
    assert again.stderr == ""


def test_where_nothing_was_accepted_no_model_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SURE", 2.0)
    result = run("train", "burgundy", *SMALL, "--rounds", "1", "-o", tmp_path)
    assert result.exit_code == 0
    assert "no net has been accepted yet" in result.stderr
    assert "model.npz" not in result.stdout


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = training.Training._round

    def broken_off(self: training.Training) -> None:
        if self.standing.round == 1:
            raise KeyboardInterrupt
        rounds(self)

    with monkeypatch.context() as patched:
        patched.setattr(training.Training, "_round", broken_off)
        result = run("train", "burgundy", *SMALL, "-o", tmp_path)
    assert result.exit_code == 130
    assert f"interrupted; what is finished is kept in {tmp_path}" in result.stderr
    assert result.stdout == ""
    assert json.loads((tmp_path / "state.json").read_text("utf-8"))["round"] == 1
    result = run("train", "burgundy", *SMALL, "-o", tmp_path)
    assert result.exit_code == 0
    assert "round 1 of 2" not in result.stderr
    assert "round 2 of 2" in result.stderr


CHILD = """
import functools, sys
from advisor.research import course, training
training.PROOF_DEALS, training.SURE = 2, -1e6
course.Course = functools.partial(course.Course, first_games=10, proof_every=1)
from advisor.cli import main
main(sys.argv[1:], prog_name="advisor")
"""


def test_a_real_ctrl_c_ends_in_a_sentence(tmp_path: Path) -> None:
    words = ["train", "burgundy", *SMALL, "--rounds", "500", "-o", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, *words], stderr=subprocess.PIPE, text=True
    ) as child:
        watchdog = threading.Timer(PATIENCE, child.kill)
        watchdog.start()
        assert child.stderr is not None
        lines = []
        for line in child.stderr:
            lines.append(line)
            if "round 1 of 500" in line:
                child.send_signal(signal.SIGINT)
        status = child.wait()
        watchdog.cancel()
    assert status == 130, lines
    assert lines[-1].startswith(f"interrupted; what is finished is kept in {tmp_path}")
    assert not any("Traceback" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "no game is called 'chess'; the games are burgundy"),
        (["burgundy", "--players", "7"], "7 players; The Castles of Burgundy is for 2, 3, 4"),
        (["burgundy", "--boards", "x"], "--boards x: give numbers parted by commas"),
        (["burgundy", "--boards", "99"], "no board 99 in the 2011 box"),
        (["burgundy", "--boards", "99", "--editions", "2019"], "no board 99 in the 2019 box"),
        (["burgundy", "--boards", "10"], "no board 10 in the 2011 box"),
        (
            ["burgundy", "--editions", "old"],
            "--editions old: give years parted by commas, such as 2011,2019",
        ),
        (["burgundy", "--editions", "2011,"], "--editions 2011,: give years parted by commas"),
        (["burgundy", "--editions", ""], "--editions : give years parted by commas"),
        (
            ["burgundy", "--editions", "2011;2019"],
            "--editions 2011;2019: give years parted by commas",
        ),
        (
            ["burgundy", "--editions", "2019,2015"],
            "no edition 2015; the editions are 2011, 2019",
        ),
        (["burgundy", "--rounds", "0"], "rounds is 0; give 1 to 10,000,000"),
        (["burgundy", "--games", "-4"], "games is -4; give 1 to 10,000,000"),
        (["burgundy", "--players", "2,x"], "--players 2,x: give whole numbers parted by commas"),
        (["burgundy", "--players", "2,3,2"], "--players 2,3,2: a number is named twice"),
        (["burgundy", "--players", "2,7"], "7 players; The Castles of Burgundy is for 2, 3, 4"),
        (
            ["burgundy", "--players", "2,3,4", "--games", "5,6"],
            "--games 5,6: give one number, or 3, one for each of --players",
        ),
        (
            ["burgundy", "--compared-games", "5,6"],
            "--compared-games 5,6: give one number",
        ),
        (["burgundy", "--compare-after", "-1"], "compare_after is -1; give 0 to 10,000,000"),
        (["burgundy", "--rounds", "1.5"], "--rounds 1.5: give whole numbers parted by commas"),
        (["burgundy", "--seed", "-1"], "seed is -1; give 0 to 2,147,483,647"),
        (["burgundy", "--threads", "0"], "0 threads; ask for 1 to"),
    ],
)
def test_settings_that_cannot_be_are_wrong_usage(
    words: list[str], sentence: str, tmp_path: Path
) -> None:
    assert refused(2, "train", *words, "-o", tmp_path / "new").startswith(sentence)
    assert not (tmp_path / "new").exists()


def test_a_folder_must_be_named() -> None:
    assert "Missing option '-o'" in refused(2, "train", "burgundy")


def test_the_folder_of_another_course_is_refused(tmp_path: Path) -> None:
    run("train", "burgundy", *SMALL, "--rounds", "1", "-o", tmp_path)
    told = refused(1, "train", "burgundy", *SMALL, "--games", "9", "-o", tmp_path)
    assert told.startswith(f"{tmp_path} holds another training: games is 3 there and 9 here")


def test_a_damaged_folder_is_named(tmp_path: Path) -> None:
    run("train", "burgundy", *SMALL, "--rounds", "1", "-o", tmp_path)
    (tmp_path / "net.npz").write_bytes(b"damaged")
    told = refused(1, "train", "burgundy", *SMALL, "-o", tmp_path)
    assert told.startswith(f"{tmp_path}/net.npz: this is no model, or it is damaged")
    (tmp_path / "state.json").write_text("damaged")
    told = refused(1, "train", "burgundy", *SMALL, "-o", tmp_path)
    assert told.startswith(f"{tmp_path}/state.json: damaged")


# --- Editions, and a model to begin with


def course_in(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "state.json").read_text("utf-8"))["course"]
    return found


@pytest.mark.parametrize(
    ("words", "editions"),
    [
        ((), [2011, 2019]),
        (("--editions", "2019"), [2019]),
        (("--editions", "2019,2011"), [2019, 2011]),
        (("--editions", " 2011, 2019 "), [2011, 2019]),
    ],
)
def test_the_editions_asked_for_are_trained(
    words: tuple[str, ...], editions: list[int], tmp_path: Path
) -> None:
    result = run("train", "burgundy", *SMALL, "--rounds", "1", *words, "-o", tmp_path)
    assert result.exit_code == 0, result.stderr
    assert course_in(tmp_path)["editions"] == editions
    made = models.load(tmp_path / "model.npz").provenance
    assert [settings["edition"] for settings in made["settings"]] == editions
    assert course_in(tmp_path)["begin_with"] is None


def test_the_folder_of_other_editions_is_refused(tmp_path: Path) -> None:
    run("train", "burgundy", *SMALL, "--rounds", "1", "-o", tmp_path)
    told = refused(1, "train", "burgundy", *SMALL, "--editions", "2019", "-o", tmp_path)
    assert told.startswith(f"{tmp_path} holds another training: editions is [2011, 2019] there and")


def test_a_model_learns_on(tmp_path: Path) -> None:
    first, second = tmp_path / "2p", tmp_path / "3p"
    run("train", "burgundy", *SMALL, "--rounds", "1", "-o", first)
    words = ("train", "burgundy", *SMALL, "--rounds", "1", "--begin-with", first / "model.npz")
    result = run(*words, "--players", "3", "-o", second)
    assert result.exit_code == 0, result.stderr
    assert "games of the policy" not in result.stderr
    assert "round 1 of 1:" in result.stderr
    assert course_in(second)["begin_with"] == f"{first}/model.npz"
    again = run(*words, "--players", "3", "-o", second)
    assert (again.exit_code, again.stdout) == (0, result.stdout)


SEVERAL = ("--players", "2,3", "--rounds", "2,1", "--compared-games", "2", "--compare-after", "1")


def test_models_for_several_tables_begin_with_the_one_before(tmp_path: Path) -> None:
    result = run("train", "burgundy", *SMALL, *SEVERAL, "-o", tmp_path)
    assert result.exit_code == 0, result.stderr
    made = [line for line in result.stdout.splitlines() if line.endswith("model.npz")]
    assert made == [f"{tmp_path}/2p/model.npz", f"{tmp_path}/3p/model.npz"]
    two, three = (models.load(model).provenance for model in made)
    assert (two["players"], two["round"], two["games"]) == (2, 2, 3 + 3 + 2)
    assert (three["players"], three["round"], three["games"]) == (3, 1, 3)
    assert two["course"]["begin_with"] is None
    assert three["course"]["begin_with"] == made[0]
    again = run("train", "burgundy", *SMALL, *SEVERAL, "-o", f"{tmp_path}/")
    assert (again.stdout, again.stderr) == (result.stdout, "")


def test_without_a_model_to_begin_with_no_other_table_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SURE", 2.0)
    result = run("train", "burgundy", *SMALL, *SEVERAL, "--rounds", "1", "-o", tmp_path)
    assert result.exit_code == 0
    assert f"no net has been accepted yet; more --rounds continue in {tmp_path}/2p" in result.stderr
    assert result.stderr.endswith("models for 3 players wait for it\n")
    assert not (tmp_path / "3p").exists()


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    words = ("train", "burgundy", *SMALL, "--begin-with", tmp_path / "none.npz")
    told = refused(1, *words, "-o", tmp_path / "new")
    assert told == f"{tmp_path}/none.npz: cannot read the model: No such file or directory"
    (tmp_path / "none.npz").write_bytes(b"damaged")
    told = refused(1, *words, "-o", tmp_path / "new")
    assert told.startswith(f"{tmp_path}/none.npz: this is no model, or it is damaged")


@pytest.mark.parametrize(("traits", "chapters"), [(7, 1), (7, 5), (4_000, 5)])
def test_a_model_of_another_shape_cannot_be_begun_with(
    traits: int, chapters: int, tmp_path: Path
) -> None:
    (tmp_path / "other.npz").write_bytes(models.save(Net(traits, chapters), {}))
    told = refused(
        1, "train", "burgundy", *SMALL, "--begin-with", tmp_path / "other.npz", "-o", tmp_path
    )
    assert told.startswith(f"{tmp_path}/other.npz: made for another version of the game")
    assert not (tmp_path / "state.json").exists()


# --- The curve


def test_the_curve_rises_from_the_lowest_to_the_highest_score() -> None:
    lines = curve([{"score": 100.0 + number} for number in range(13)]).splitlines()
    assert lines[0] == "  112.0 |            *"
    assert lines[12] == "  100.0 |*************"
    assert lines[13] == "        +------------- 13 rounds: mean points in self-play"


def test_a_long_training_is_drawn_in_a_narrow_curve() -> None:
    lines = curve([{"score": float(number)} for number in range(1_000)]).splitlines()
    assert max(map(len, lines)) < 120
    assert lines[-1].count("-") <= 60
    assert "1000 rounds" in lines[-1]


def test_a_flat_curve_and_none_at_all_can_be_drawn() -> None:
    assert curve([]) == "no round was played"
    assert curve([{"score": 150.0}]).splitlines()[0] == "  150.0 |*"
