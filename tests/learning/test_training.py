"""Training from nothing to a model: rounds, proofs, resuming after anything, and provenance."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.agents.spec import parse
from advisor.errors import SettingError
from advisor.games.burgundy import components
from advisor.learning import model as models
from advisor.learning._net import Net
from advisor.learning._trainer import Trainer
from advisor.research import training
from advisor.research.course import Course
from advisor.research.training import Training, TrainingError
from tests.learning import FIRST

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
    assert made["course"] == json.loads(json.dumps(dataclasses.asdict(COURSE)))
    assert [settings["boards"] for settings in made["settings"]] == [[1]]
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


def test_the_number_of_threads_changes_nothing(finished: Any, tmp_path: Path) -> None:
    folder, _ = finished
    Training(COURSE, tmp_path, threads=3).run()
    assert state(tmp_path)["log"] == state(folder)["log"]
    first, second = (models.load(at / "model.npz").net.numbers for at in (folder, tmp_path))
    assert first.tobytes() == second.tobytes()


def test_a_net_that_is_not_better_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SURE", 2.0)
    told: list[str] = []
    course = dataclasses.replace(COURSE, rounds=1)
    assert Training(course, tmp_path, threads=1, tell=told.append).run() is None
    assert not state(tmp_path)["proofs"][0]["accepted"]
    assert told[-1].endswith("not accepted")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".lock",
        "learner.npz",
        "net.npz",
        "state.json",
    ]


def test_the_last_round_is_proven_whatever_the_interval(tmp_path: Path) -> None:
    trained(tmp_path, dataclasses.replace(COURSE, proof_every=7))
    assert [proof["round"] for proof in state(tmp_path)["proofs"]] == [2]


def test_other_boards_players_and_editions_can_be_trained(tmp_path: Path) -> None:
    course = dataclasses.replace(
        COURSE, players=3, rounds=1, games=2, settings={"boards": "all", "edition": 2011}
    )
    run, _ = trained(tmp_path, course)
    (settings,) = run.provenance()["settings"]
    assert (settings["boards"], settings["edition"]) == (list(range(1, 10)), 2011)
    assert state(tmp_path)["proofs"][0]["games"] == 6


# --- What is played


EDITIONS = dataclasses.replace(COURSE, editions=(2011, 2019))


def edition_of(rules: Any, start: bytes) -> int:
    """Return the edition of some rules, which the last trait written of all surroundings tells."""
    return 2011 if rules.describe(start, 0, 1)[-1] == rules.traits - 38 else 2019


@pytest.mark.parametrize("editions", [(), (2011,), (2011, 2019), (2019, 2011)])
def test_deals_take_the_editions_in_turn(editions: tuple[int, ...], tmp_path: Path) -> None:
    course = dataclasses.replace(COURSE, editions=editions, settings={"boards": "all"})
    run = Training(course, tmp_path, threads=1)
    turn = editions or (2019,)
    assert [settings["edition"] for settings in run.variants] == list(turn)
    assert [len(settings["boards"]) for settings in run.variants] == [
        len(components.boards_of(edition)) for edition in turn
    ]
    for count in (1, 2, 12):
        found = Counter(
            edition_of(rules, start.state)
            for rules, starts in run._deals(2, count)
            for start in starts
        )
        assert found == Counter(turn[number % len(turn)] for number in range(count))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_fourth_game_of_each_edition_is_played_for_own_points(
    players: int, tmp_path: Path
) -> None:
    """With a step as long as there are editions, one of them would have all of those games."""
    course = dataclasses.replace(EDITIONS, players=players)
    run = Training(course, tmp_path, threads=1)
    tables = run._deals(5, 24)
    assert [edition_of(rules, starts[0].state) for rules, starts in tables] == [2011, 2019]
    for rules, starts in tables:
        assert [start.own_score for start in starts] == [False, False, False, True] * 3
        assert {len(start.state) for start in starts} == {rules.state_size}
    seeds = [start.seed for _, starts in tables for start in starts]
    assert len(set(seeds)) == 24
    assert not set(seeds) & {start.seed for _, starts in run._deals(6, 24) for start in starts}
    assert run._deals(5, 24) == tables


def test_the_points_that_are_told_are_those_of_games_for_the_margin(tmp_path: Path) -> None:
    """Games for own points have higher scores, and margins that nobody cared for; all teach."""
    run = Training(EDITIONS, tmp_path, threads=2)
    played = run._play(1, 16, run.net, policy=-1)
    assert played.scores.shape == (12, 2)
    games = played.errors[1][0]  # the last turn but one of every game has no chance ahead
    assert 0 < games <= 12 * 2
    policy = run._play(0, 16, run.net, policy=1)
    assert policy.scores.shape == (12, 2)
    turns = policy.lessons.count / 2
    assert turns == pytest.approx(16 * 50, rel=0.02)  # of both players, 25 rounds, no last one
    assert policy.errors[1].sum() == pytest.approx(turns * 12 / 16)


def test_games_for_own_points_teach_the_trait_of_that(finished: Any) -> None:
    folder, _ = finished
    net = models.load(folder / "net.npz").net
    new = Net(net.traits, net.chapters, seed=COURSE.seed)
    first, last = (slice(row * FIRST, (row + 1) * FIRST) for row in (0, net.traits - 1))
    assert not net.numbers[first].any()
    assert np.abs(net.numbers[last] - new.numbers[last]).max() > 1e-3


def test_the_next_round_is_played_by_what_was_known_before_learning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a round is learnt from, the next one is played by a copy of the net."""
    knew: dict[int, bytes] = {}
    play = Training._play_round

    def noted(self: Training, number: int, net: Net) -> Any:
        knew[number] = net.numbers.tobytes()
        played = play(self, number, net)
        assert net.numbers.tobytes() == knew[number]  # nobody learns meanwhile
        return played

    learnt: list[bytes] = []
    save = Training._save

    def kept(self: Training) -> None:
        if len(learnt) < self.standing.round:
            learnt.append(self.net.numbers.tobytes())
        save(self)

    monkeypatch.setattr(Training, "_play_round", noted)
    monkeypatch.setattr(Training, "_save", kept)
    trained(tmp_path, dataclasses.replace(EDITIONS, rounds=4, proof_every=9))
    assert sorted(knew) == [1, 2, 3, 4]
    assert knew[1] == knew[2]
    assert (knew[3], knew[4]) == (learnt[0], learnt[1])
    assert len({*knew.values(), *learnt}) == 5


def test_what_plays_is_the_mean_of_what_the_learner_has_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evenly at first, with more weight on the latest rounds later on."""
    been: list[Any] = []
    save = Training._save

    def kept(self: Training) -> None:
        if len(been) < self.standing.round:
            been.append(self.trainer.net.numbers.copy())
        save(self)

    monkeypatch.setattr(Training, "_save", kept)
    trained(tmp_path, dataclasses.replace(COURSE, rounds=2, proof_every=9))
    run, _ = trained(tmp_path, dataclasses.replace(COURSE, rounds=7, proof_every=9))
    shares = [0.8 / 5] * 5 + [0.2]  # of six rounds
    shares = [0.8 * share for share in shares] + [0.2]
    mean = sum(share * numbers for share, numbers in zip(shares, been, strict=True))
    assert run.net.numbers == pytest.approx(mean, abs=2e-3)  # files keep half the digits
    assert np.abs(run.net.numbers - been[-1]).max() > 1e-2


def test_a_proof_is_played_in_all_editions(tmp_path: Path) -> None:
    run, _ = trained(tmp_path, dataclasses.replace(EDITIONS, rounds=1))
    (proof,) = state(tmp_path)["proofs"]
    assert proof["games"] == 4
    assert [settings["edition"] for settings in run.provenance()["settings"]] == [2011, 2019]


# --- Games in which turns are compared


def test_later_rounds_also_compare_turns(tmp_path: Path) -> None:
    """They teach far more, and leave what is told of the other games alone."""
    course = dataclasses.replace(COURSE, rounds=3, compared_games=8, compare_after=2, proof_every=9)
    run = Training(course, tmp_path, threads=2)
    plain = run._play(3, 4, run.net)
    early, late = (run._play_round(number, run.net) for number in (2, 3))
    assert early.lessons.count <= plain.lessons.count + 10
    assert late.lessons.count > plain.lessons.count + 8 * 40 * 2
    assert late.scores.tolist() == plain.scores.tolist()
    assert late.errors.tolist() == plain.errors.tolist()
    run.run()
    assert state(tmp_path)["games"] == 3 * 4 + 8


def test_compared_games_are_games_of_their_own(tmp_path: Path) -> None:
    run = Training(EDITIONS, tmp_path, threads=1)
    seeds = [
        {game.seed for _, games in run._deals(number, 8) for game in games}
        for number in (5, 5 + training.COMPARED)
    ]
    assert not seeds[0] & seeds[1]


# --- Beginning with a model


def test_a_model_learns_on_without_games_of_the_policy(finished: Any, tmp_path: Path) -> None:
    folder, _ = finished
    course = dataclasses.replace(COURSE, begin_with=str(folder / "model.npz"), rounds=1)
    before = models.load(folder / "model.npz").net.numbers
    run = Training(course, tmp_path / "new", threads=1)
    assert run.net.numbers.tobytes() == before.tobytes()
    _, told = trained(tmp_path / "new", course)
    assert not any("of the policy" in line for line in told)
    assert "round 1 against round 0:" in "\n".join(told)
    after = models.load(tmp_path / "new" / "net.npz").net.numbers
    assert np.abs(after - before).max() > 1e-4
    assert np.abs(after - before).mean() < 0.05  # it has learnt on, not anew
    assert models.load(folder / "model.npz").net.numbers.tobytes() == before.tobytes()


def test_a_model_for_fewer_players_can_be_begun_with(
    finished: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "PROOF_DEALS", 4)
    folder, _ = finished
    course = dataclasses.replace(
        COURSE, begin_with=str(folder / "model.npz"), rounds=1, players=3, games=2
    )
    trained(tmp_path, course)
    assert models.load(tmp_path / "model.npz").provenance["players"] == 3


def test_a_training_begun_with_a_model_goes_on_with_its_own_net(
    finished: Any, tmp_path: Path
) -> None:
    folder, _ = finished
    (tmp_path / "begin.npz").write_bytes((folder / "model.npz").read_bytes())
    course = dataclasses.replace(COURSE, begin_with=str(tmp_path / "begin.npz"), rounds=1)
    trained(tmp_path / "new", course)
    (tmp_path / "begin.npz").unlink()  # not needed any more
    trained(tmp_path / "new", dataclasses.replace(course, rounds=2))
    assert [entry["round"] for entry in state(tmp_path / "new")["log"]] == [1, 2]
    with pytest.raises(TrainingError, match=r"holds another training: begin_with is .* and None"):
        Training(COURSE, tmp_path / "new")


def test_what_cannot_be_begun_with_is_named(tmp_path: Path) -> None:
    course = dataclasses.replace(COURSE, begin_with=str(tmp_path / "none.npz"))
    with pytest.raises(models.ModelError, match=r"none\.npz: cannot read the model: No such file"):
        Training(course, tmp_path)
    net = Training(COURSE, tmp_path).net
    for other in (Net(net.traits - 1, net.chapters), Net(net.traits, net.chapters + 1)):
        (tmp_path / "other.npz").write_bytes(models.save(other, {}))
        course = dataclasses.replace(COURSE, begin_with=str(tmp_path / "other.npz"))
        with pytest.raises(TrainingError, match=r"other\.npz: made for another version"):
            Training(course, tmp_path)


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


def test_a_training_broken_off_does_not_play_its_round_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces: list[int] = []
    play = training.self_play

    def counted(*args: Any, **settings: Any) -> None:
        pieces.append(0)
        play(*args, **settings)

    after: list[int] = []

    def broken_off(_: Training) -> None:
        after.append(len(pieces))
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "self_play", counted)
    monkeypatch.setattr(training, "PIECE", 1)
    monkeypatch.setattr(Training, "_save", broken_off)
    run = Training(dataclasses.replace(COURSE, games=300, rounds=2), tmp_path, threads=1)
    with pytest.raises(KeyboardInterrupt):
        run.run()
    assert 320 <= after[0] <= 620  # the next round was being played
    assert len(pieces) <= after[0] + 2
    with pytest.raises(KeyboardInterrupt):  # and it can be gone on with
        run.run()
    assert len(after) == 2


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
from advisor.research.course import Course
training.PROOF_DEALS, training.SURE = 2, -1e6
course = Course(
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
    assert left == {"state.json", "net.npz", "learner.npz", "model.npz"} | rounds


# --- What is refused


@pytest.mark.parametrize(
    "change",
    [
        {"players": 3},
        {"games": 5},
        {"compared_games": 5},
        {"compare_after": 5},
        {"seed": 4},
        {"settings": {"boards": [1, 3]}},
        {"editions": (2011, 2019)},
        {"begin_with": "model.npz"},
    ],
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


def test_an_edition_counts_once() -> None:
    """In proofs its games would otherwise count twice."""
    with pytest.raises(SettingError, match="editions 2019, 2011, 2019: one is named twice"):
        dataclasses.replace(COURSE, editions=(2019, 2011, 2019))


def test_a_folder_with_a_comma_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="without a comma"):
        Training(COURSE, tmp_path / "a,b")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"course": 1}',
        b'{"course": {}, "x": 1}',
        b'{"course": {}, "round": -1}',
        b'{"course": {}, "games": "x"}',
        b'{"course": {}, "accepted": "x"}',
        b'{"course": {}, "log": null}',
        b'{"course": {}, "proofs": [1]}',
        b'{"course": {}, "seconds": []}',
    ],
)
def test_a_damaged_state_is_named(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_bytes(text)
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
        ({"compared_games": -1}, "compared_games is -1; give 0 to 10,000,000"),
        ({"compare_after": 10**7 + 1}, "compare_after is 10000001; give 0 to"),
        ({"seed": -1}, "seed is -1; give 0 to"),
        ({"seed": 2**31}, "seed is 2147483648; give 0 to"),
        ({"players": 5}, "5 players; The Castles of Burgundy is for 2, 3, 4"),
        ({"game": "chess"}, "no game is called 'chess'"),
    ],
)
def test_a_course_out_of_bounds_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        dataclasses.replace(COURSE, **change)


@pytest.mark.parametrize("edition", [2010, 0, -1])
def test_an_edition_there_is_not_is_refused(edition: int, tmp_path: Path) -> None:
    course = dataclasses.replace(COURSE, editions=(2019, edition))
    with pytest.raises(SettingError, match=f"no edition {edition}; the editions are 2011, 2019"):
        Training(course, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_settings_the_game_does_not_have_are_refused(tmp_path: Path) -> None:
    course = dataclasses.replace(COURSE, settings={"boards": [77]})
    with pytest.raises(SettingError, match="no board 77"):
        Training(course, tmp_path)
    for threads in (0, -1, 10**6):
        with pytest.raises(SettingError, match=f"{threads} threads; ask for 1 to"):
            Training(COURSE, tmp_path, threads=threads)
