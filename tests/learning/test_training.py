"""Training from nothing to a model: rounds, proofs, resuming after anything, and provenance."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.agents.spec import parse
from advisor.errors import SettingError
from advisor.learning import model as models
from advisor.learning._net import Net
from advisor.learning._trainer import Trainer
from advisor.research import training
from advisor.research.training import Course, Training, TrainingError

COURSE = Course(
    game="burgundy",
    players=2,
    rounds=2,
    games=4,
    first_games=20,
    proof_every=1,
    seed=3,
    settings={"boards": [1]},
)
PATIENCE = 120
"""Seconds after which a process that hangs fails its test."""


@pytest.fixture(autouse=True)
def _lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept every net, by a few games: nets of so short a training lose to the greedy player."""
    monkeypatch.setattr(training, "PROOF_DEALS", 2)
    monkeypatch.setattr(training, "SURE", -1e6)


def trained(folder: Path, course: Course = COURSE, **settings: Any) -> tuple[Training, list[str]]:
    told: list[str] = []
    run = Training(course, folder, threads=1, tell=told.append, **settings)
    run.run()
    return run, told


def state(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "state.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of a finished training, and what it told."""
    folder = tmp_path_factory.mktemp("training") / "2p"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(training, "PROOF_DEALS", 2)
        patched.setattr(training, "SURE", -1e6)
        _, told = trained(folder)
    return folder, told


# --- From nothing to a model


def test_a_course_leads_to_a_model_that_plays(finished: Any) -> None:
    folder, _ = finished
    position = advisor.new_game("burgundy", players=2, seed=1)
    agent = parse(f"plans:model={folder}/model.npz").make("burgundy")
    agent.prepare(position.rules, position)
    action = agent.choose(position.packed, 0, True, 1)
    assert action in position.rules.legal(position.packed)


def test_every_round_and_proof_is_told_and_written_down(finished: Any) -> None:
    folder, told = finished
    written = state(folder)
    assert [entry["round"] for entry in written["log"]] == [1, 2]
    assert [proof["round"] for proof in written["proofs"]] == [1, 2]
    assert [proof["against"] for proof in written["proofs"]] == [None, 1]
    assert all(proof["games"] == 4 and proof["se"] >= 0 for proof in written["proofs"])
    assert written["round"] == written["accepted"] == 2
    assert written["games"] == 8
    for entry in written["log"]:
        assert 0 < entry["score"] <= entry["best"] < 400
        assert 0 < entry["learnt"] < 100
        assert 0 < entry["unseen"] < 100
    lines = "\n".join(told)
    assert "20 games of the policy greedy" in lines
    assert "pass 4: error" in lines
    assert "round 2 of 2:" in lines
    assert "round 1 against greedy:" in lines
    assert "round 2 against round 1:" in lines


def test_a_model_carries_its_provenance(finished: Any) -> None:
    folder, _ = finished
    made = models.load(folder / "model.npz").provenance
    assert made["game"] == "burgundy"
    assert made["players"] == 2
    assert made["version"] == advisor.__version__
    assert made["commit"] is None or len(made["commit"]) >= 7
    assert made["course"] == dataclasses.asdict(COURSE)
    assert made["settings"]["boards"] == [1]
    assert (made["round"], made["games"]) == (2, 8)
    assert made["validation"] == state(folder)["log"][-1]
    assert made["proofs"] == state(folder)["proofs"]
    assert made["hours"] >= 0
    assert made["date"]
    assert len(made["spread"]) > 20
    assert all(0.5 <= spread < 200 for spread in made["spread"])


def test_the_same_course_trains_the_same_net(finished: Any, tmp_path: Path) -> None:
    folder, _ = finished
    trained(tmp_path)
    first, second = (models.load(at / "model.npz").net.numbers for at in (folder, tmp_path))
    assert first.tobytes() == second.tobytes()


def test_threads_change_neither_the_games_nor_their_number(finished: Any, tmp_path: Path) -> None:
    folder, _ = finished
    Training(COURSE, tmp_path, threads=3).run()
    assert state(tmp_path)["log"][0]["score"] == state(folder)["log"][0]["score"]
    assert state(tmp_path)["games"] == 8


def test_a_net_that_is_not_better_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SURE", 2.0)
    told: list[str] = []
    course = dataclasses.replace(COURSE, rounds=1)
    assert Training(course, tmp_path, threads=1, tell=told.append).run() is None
    assert not state(tmp_path)["proofs"][0]["accepted"]
    assert told[-1].endswith("not accepted")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "net.npz", "state.json"]


def test_the_last_round_is_proven_whatever_the_interval(tmp_path: Path) -> None:
    trained(tmp_path, dataclasses.replace(COURSE, proof_every=7))
    assert [proof["round"] for proof in state(tmp_path)["proofs"]] == [2]


def test_other_boards_players_and_editions_can_be_trained(tmp_path: Path) -> None:
    course = dataclasses.replace(
        COURSE, players=3, rounds=1, games=2, settings={"boards": "all", "edition": 2011}
    )
    run, _ = trained(tmp_path, course)
    assert run.provenance()["settings"]["boards"] == list(range(1, 10))
    assert state(tmp_path)["proofs"][0]["games"] == 6


# --- Going on


def test_a_finished_training_is_left_as_it_is(finished: Any) -> None:
    folder, _ = finished
    before = (folder / "state.json").read_bytes()
    run, told = trained(folder)
    assert told == []
    assert run.run() == folder / "model.npz"
    assert (folder / "state.json").read_bytes() == before


def test_more_rounds_extend_a_training(tmp_path: Path) -> None:
    trained(tmp_path, dataclasses.replace(COURSE, rounds=1))
    trained(tmp_path, dataclasses.replace(COURSE, rounds=3))
    written = state(tmp_path)
    assert [entry["round"] for entry in written["log"]] == [1, 2, 3]
    assert [proof["against"] for proof in written["proofs"]] == [None, 1, 2]
    assert written["course"]["rounds"] == 3
    assert models.load(tmp_path / "model.npz").provenance["round"] == 3


def test_a_proof_that_was_broken_off_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spread of the last rounds is part of the model, so it must survive as well."""
    with monkeypatch.context() as patched:
        patched.setattr(Training, "_prove", interrupt)
        with pytest.raises(KeyboardInterrupt):
            trained(tmp_path, dataclasses.replace(COURSE, rounds=1))
    assert state(tmp_path)["round"] == 1
    assert not (tmp_path / "model.npz").exists()
    trained(tmp_path, dataclasses.replace(COURSE, rounds=1))
    assert len(models.load(tmp_path / "model.npz").provenance["spread"]) > 20


def interrupt(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def test_a_training_without_the_errors_of_its_rounds_still_gives_a_model(tmp_path: Path) -> None:
    """As folders look that were written before the errors were kept."""
    course = dataclasses.replace(COURSE, rounds=1)
    trained(tmp_path, course)
    written = state(tmp_path) | {"proofs": [], "accepted": None}
    (tmp_path / "state.json").write_text(json.dumps(written), "utf-8")
    (tmp_path / "net.npz").write_bytes(models.save(models.load(tmp_path / "net.npz").net, {}))
    trained(tmp_path, course)
    found = models.load(tmp_path / "model.npz")
    assert found.provenance["spread"] == []
    assert found.spread.tolist() == [30.0]


CHILD = """
import sys
from advisor.research import training
training.PROOF_DEALS, training.SURE = 2, -1e6
course = training.Course(
    game="burgundy", players=2, rounds=3, games=4, first_games=20, proof_every=1, seed=3,
    settings={"boards": [1]},
)
training.Training(
    course, sys.argv[1], threads=1, tell=lambda line: print(line, flush=True)
).run()
"""


def run_until(folder: Path, words: str | None) -> int:
    """Train in a process of its own; kill it when it tells something. Return its exit status."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)], stdout=subprocess.PIPE, text=True
    ) as child:
        watchdog = threading.Timer(PATIENCE, child.kill)
        watchdog.start()
        assert child.stdout is not None
        for line in child.stdout:
            if words is not None and words in line:
                child.send_signal(signal.SIGKILL)
                break
        status = child.wait()
        watchdog.cancel()
    return status


def test_a_training_killed_again_and_again_comes_to_the_same_rounds(tmp_path: Path) -> None:
    moments = ("games of the policy", "round 1 of 3", "round 2 of 3", "round 2 against")
    for words in moments:
        assert run_until(tmp_path, words) == -signal.SIGKILL
    assert run_until(tmp_path, None) == 0
    written = state(tmp_path)
    assert [entry["round"] for entry in written["log"]] == [1, 2, 3]
    assert [proof["round"] for proof in written["proofs"]] == [1, 2, 3]
    assert written["games"] == 12
    found = models.load(tmp_path / "model.npz")
    assert found.provenance["round"] == 3
    assert np.isfinite(found.net.numbers).all()
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")}
    rounds = {f"round-{number}.npz" for number in (1, 2, 3)}
    assert left == {"state.json", "net.npz", "model.npz"} | rounds


# --- What is refused


@pytest.mark.parametrize(
    "change",
    [{"players": 3}, {"games": 5}, {"seed": 4}, {"settings": {"boards": [1, 3]}}],
)
def test_the_folder_of_another_course_is_refused(finished: Any, change: dict[str, Any]) -> None:
    folder, _ = finished
    (name,) = change
    with pytest.raises(TrainingError, match=f"holds another training: {name} is .* there and"):
        Training(dataclasses.replace(COURSE, **change), folder)


def test_boards_given_as_a_tuple_are_the_same_course(finished: Any) -> None:
    folder, _ = finished
    Training(dataclasses.replace(COURSE, settings={"boards": (1,)}), folder)


def test_two_trainings_at_once_in_one_folder_are_refused(tmp_path: Path) -> None:
    refused = []

    def meanwhile(_: str) -> None:
        with pytest.raises(TrainingError, match="another training is at work in") as caught:
            Training(COURSE, tmp_path, threads=1).run()
        refused.append(caught.value)

    course = dataclasses.replace(COURSE, rounds=1)
    Training(course, tmp_path, threads=1, tell=meanwhile).run()
    assert len(refused) > 3
    trained(tmp_path, course)  # and afterwards the folder is free again


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file" / "within"):
        with pytest.raises(TrainingError, match="cannot be used for a training"):
            Training(COURSE, folder)


def test_a_folder_with_a_comma_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="without a comma"):
        Training(COURSE, tmp_path / "a,b")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"course": 1}', '{"course": {}, "x": 1}'])
def test_a_damaged_state_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(TrainingError, match=r"state\.json: damaged: "):
        Training(COURSE, tmp_path)


def test_a_damaged_net_is_named(finished: Any, tmp_path: Path) -> None:
    folder, _ = finished
    (tmp_path / "state.json").write_bytes((folder / "state.json").read_bytes())
    with pytest.raises(models.ModelError, match=r"net\.npz: cannot read the model"):
        Training(COURSE, tmp_path)
    (tmp_path / "net.npz").write_bytes((folder / "net.npz").read_bytes()[:-99])
    with pytest.raises(models.ModelError, match=r"net\.npz: this is no model, or it is damaged"):
        Training(COURSE, tmp_path)
    (tmp_path / "net.npz").write_bytes(models.save(Net(7, 1), {}))
    with pytest.raises(TrainingError, match=r"net\.npz: made for another version of the game"):
        Training(COURSE, tmp_path)


def test_a_net_gone_astray_stops_the_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained(tmp_path, dataclasses.replace(COURSE, rounds=1))
    before = (tmp_path / "net.npz").read_bytes()

    class Astray(Trainer):
        def learn(self, *args: Any, **settings: Any) -> float:
            super().learn(*args, **settings)
            return float("nan")

    monkeypatch.setattr(training, "Trainer", Astray)
    with pytest.raises(TrainingError, match="the net has gone astray in round 2"):
        trained(tmp_path)
    assert (tmp_path / "net.npz").read_bytes() == before
    assert state(tmp_path)["round"] == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rounds": 0}, "rounds is 0; give 1 to 10,000,000"),
        ({"games": -1}, "games is -1; give 1 to"),
        ({"first_games": 0}, "first_games is 0"),
        ({"proof_every": 0}, "proof_every is 0"),
        ({"seed": -1}, "seed is -1; give 0 to"),
        ({"seed": 2**31}, "seed is 2147483648; give 0 to"),
        ({"players": 5}, "5 players; The Castles of Burgundy is for 2, 3, 4"),
        ({"game": "chess"}, "no game is called 'chess'"),
    ],
)
def test_a_course_out_of_bounds_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        dataclasses.replace(COURSE, **change)


def test_settings_the_game_does_not_have_are_refused(tmp_path: Path) -> None:
    course = dataclasses.replace(COURSE, settings={"boards": [77]})
    with pytest.raises(SettingError, match="no board 77"):
        Training(course, tmp_path)
    for threads in (0, -1, 10**6):
        with pytest.raises(SettingError, match=f"{threads} threads; ask for 1 to"):
            Training(COURSE, tmp_path, threads=threads)
