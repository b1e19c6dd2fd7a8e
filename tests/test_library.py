"""Tests of the library's face: what a Python user types and relies on."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.core import simulation

POSITIONS = Path(__file__).parent.parent / "positions" / "burgundy"

EXAMPLE = (Path(__file__).parent.parent / "docs" / "example.yaml").read_text("utf-8")


@pytest.fixture(scope="module")
def position() -> Any:
    return advisor.loads(EXAMPLE)


@pytest.fixture(scope="module")
def over() -> Any:
    """Return the end of a game in which everybody always does the first legal thing."""
    here: Any = advisor.new_game("burgundy", players=3, seed=11)
    while here.to_move is not None:
        chance = here.to_move == "chance"
        here = here.apply(here.sample_chance(3) if chance else here.actions()[0])
    return here


def assert_same(one: Any, other: Any) -> None:
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.wins, other.wins)
    np.testing.assert_array_equal(one.source_sums, other.source_sums)
    assert one.decisions == other.decisions


# What a first script does.


def test_the_snippet_of_the_contract_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("position.yaml").write_text(EXAMPLE, encoding="utf-8")

    position = advisor.load("position.yaml")
    assert position == advisor.load(Path("position.yaml")) == advisor.loads(EXAMPLE)
    assert position.to_move == "Anna"
    actions = position.actions()
    assert isinstance(actions, list)
    assert "3 workers" in [str(action) for action in actions]
    after = position.apply("3 workers")
    assert after != position
    assert advisor.loads(after.dump()) == after
    assert position.scores() == {"Anna": 41, "Ben": 38}
    result = advisor.simulate(position, playouts=10_000, seed=1)
    assert isinstance(result.scores, np.ndarray)
    assert result.scores.shape == (10_000, 2)
    assert 0 < result.win_rate("Anna") < 1
    start = advisor.new_game("burgundy", players=2, boards=[1, 1], seed=7)
    assert start.to_move == start.names[0]


def test_every_name_the_package_offers_resolves() -> None:
    for name in advisor.__all__:
        assert getattr(advisor, name) is not None
    assert set(advisor.__all__) <= set(dir(advisor))
    assert sorted(advisor.__all__) == advisor.__all__
    assert isinstance(advisor.__version__, str)
    with pytest.raises(AttributeError, match="frobnicate"):
        _ = advisor.frobnicate


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = "import sys, advisor; print(*{'numpy', 'yaml', 'pydantic', 'click'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_error_is_an_advisor_error() -> None:
    for kind in (advisor.PositionError, advisor.ActionError, advisor.SettingError):
        assert issubclass(kind, advisor.AdvisorError)
    assert issubclass(advisor.UnknownGameError, advisor.SettingError)
    assert issubclass(advisor.SettingError, ValueError)


# Positions.


def test_a_bad_position_lists_every_problem_with_its_place() -> None:
    text = EXAMPLE.replace("phase: B ", "phase: X ").replace("[2, 2]", "[2, 7]")
    with pytest.raises(advisor.PositionError) as caught:
        advisor.loads(text, file="mine.yaml")
    problems = caught.value.problems
    assert [(problem.line, problem.where.split(".")[0]) for problem in problems] == [
        (6, "phase"),
        (35, "players"),
    ]
    assert all(isinstance(problem, advisor.Problem) for problem in problems)
    assert str(caught.value).splitlines() == [str(problem) for problem in problems]
    assert str(problems[0]).startswith("mine.yaml:6:1: phase: ")
    assert set(problems[0].to_dict()) == {"file", "line", "column", "field", "message"}


def test_a_missing_file_is_a_position_error(tmp_path: Path) -> None:
    with pytest.raises(advisor.PositionError, match=r"nowhere\.yaml") as caught:
        advisor.load(tmp_path / "nowhere.yaml")
    assert len(caught.value.problems) == 1


def test_an_unknown_game_is_a_position_error_in_a_file_and_a_setting_error_in_a_call() -> None:
    with pytest.raises(advisor.PositionError, match="no game is called 'chess'"):
        advisor.loads("game: chess")
    with pytest.raises(advisor.UnknownGameError, match="no game is called 'chess'"):
        advisor.new_game("chess")


@pytest.mark.parametrize("game", ["[burgundy]", "{a: b}", "7", "../burgundy", "burgundy.game"])
def test_only_a_games_name_finds_a_game(game: str) -> None:
    with pytest.raises(advisor.PositionError, match="no game is called"):
        advisor.loads(EXAMPLE.replace("game: burgundy", f"game: {game}"))


@pytest.mark.parametrize("line", ["", "game:", "game: ~"])
def test_a_game_left_out_or_left_empty_is_burgundy(position: Any, line: str) -> None:
    assert advisor.loads(EXAMPLE.replace("game: burgundy", line)) == position


@pytest.mark.parametrize("field", ["phase", "players", "game", "to_move", "packed", "invented"])
def test_positions_cannot_be_changed(position: Any, field: str) -> None:
    before = position.dump()
    with pytest.raises(AttributeError):
        setattr(position, field, 1)
    assert position.dump() == before


def test_the_players_of_a_position_cannot_be_changed(position: Any) -> None:
    with pytest.raises(AttributeError):
        position.players[0].score = 100
    with pytest.raises(TypeError):
        position.players[0] = None


def test_results_handed_out_are_the_callers_own(position: Any) -> None:
    before = position.dump()
    position.scores()["Anna"] = 1_000
    position.names.clear()
    position.actions().clear()
    assert position.dump() == before
    assert position.actions()
    assert position.scores()["Anna"] == 41


def test_applying_leaves_the_position_as_it_was(position: Any) -> None:
    before, number = position.dump(), hash(position)
    for action in position.actions():
        position.apply(action)
    advisor.simulate(position, 10)
    assert (position.dump(), hash(position)) == (before, number)


DIFFERENTLY_WRITTEN = {
    "order of the keys": (
        "depots:                  #",
        "turn_order: [Anna, Ben]\ndepots: #",
    ),
    "order of a player's keys": (
        "    score: 38\n    workers: 4\n",
        "    workers: 4\n    score: 38\n",
    ),
    "order of the dice": ("dice: [3, 5]", "dice: [5, 3]"),
    "order of the storage": ("storage: [ship, church]", "storage: [church, ship]"),
    "order of the estate": (
        "{d4: castle, d3: ship, c3: bank}",
        "{c3: bank, d3: ship, d4: castle}",
    ),
    "order in a depot": ("tiles: [bank, ship]", "tiles: [ship, bank]"),
    "case": ("tiles: [bank, ship]", "tiles: [BANK, Ship]"),
    "case of a cell": ("d3: ship", "D3: SHIP"),
    "short monastery": ("monastery 14", "m14"),
    "joined words": ("monastery 9", "Monastery_9"),
    "goods by number": ("goods: [red]", "goods: [4]"),
    "edition left out": ("edition: 2019  ", "#"),
    "nothing left out": ("    silver: 0\n", ""),
    "order left out": ("turn_order: [Anna, Ben]", "#"),
    "turn written out": (
        "turn_order",
        "turn: {player: Anna, dice: [5, 3], bought: false}\nturn_order",
    ),
}


@pytest.mark.parametrize("way", DIFFERENTLY_WRITTEN)
def test_positions_written_differently_are_equal(position: Any, way: str) -> None:
    old, new = DIFFERENTLY_WRITTEN[way]
    assert old in EXAMPLE
    head, _, tail = EXAMPLE.partition(old)
    if way == "order of the keys":  # moved, not repeated
        tail = tail.replace("turn_order: [Anna, Ben]", "")
    same: Any = advisor.loads(head + new + tail)
    assert same == position
    assert hash(same) == hash(position)
    assert same.dump() == position.dump()
    assert len({same, position}) == 1


def test_goats_are_chickens() -> None:
    goats = advisor.loads(EXAMPLE.replace("cattle", "goat"))
    assert goats == advisor.loads(EXAMPLE.replace("cattle", "chicken"))
    assert "goat" not in goats.dump()
    assert goats.apply("3 take GOAT 3 from 3") == goats.apply("3 take chicken 3 from 3")


def test_positions_that_differ_are_not_equal(position: Any) -> None:
    for old, new in (("score: 38", "score: 39"), ("[2, 2]", "[2, 3]"), ("Ben", "Bea")):
        assert advisor.loads(EXAMPLE.replace(old, new)) != position
    assert position != "a position"


@pytest.mark.parametrize("path", sorted(POSITIONS.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_positions_come_back_from_their_dump(path: Path) -> None:
    here = advisor.load(path)
    again = advisor.loads(here.dump())
    assert again == here
    assert hash(again) == hash(here)
    assert again.dump() == here.dump()


# Actions.


def test_an_action_is_applied_as_object_and_as_text_however_it_is_typed(position: Any) -> None:
    (action,) = [one for one in position.actions() if str(one) == "3>5 take mine from 5"]
    after = position.apply(action)
    for typed in ("3>5 take mine from 5", " 3 > 5  TAKE Mine from 5 ", "3>5 take_mine from 5"):
        assert position.apply(typed) == after


def test_an_illegal_action_names_legal_ones_nearby(position: Any) -> None:
    with pytest.raises(advisor.ActionError, match="4 take mine from 5") as caught:
        position.apply("4 take mine from 5")
    legal = {str(action) for action in position.actions()}
    assert "5 take mine from 5" in caught.value.nearby
    assert set(caught.value.nearby) <= legal
    assert all(text in str(caught.value) for text in caught.value.nearby)


@pytest.mark.parametrize("text", ["", "   ", "xyzzy", "\x00", "end", "9" * 5_000, "roll Anna 1 1"])
def test_nonsense_is_an_action_error_with_legal_ones(position: Any, text: str) -> None:
    with pytest.raises(advisor.ActionError) as caught:
        position.apply(text)
    assert caught.value.nearby


def test_nobody_decides_while_chance_is_awaited() -> None:
    waiting = advisor.load(POSITIONS / "waiting-for-the-roll.yaml")
    assert waiting.to_move == "chance"
    assert waiting.actions() == []
    with pytest.raises(advisor.ActionError, match="roll"):
        waiting.apply("3 workers")
    assert waiting.apply("roll Clara 2 5 Dario 3 6 white 4").to_move == "Dario"
    assert waiting.apply(waiting.sample_chance(1)).to_move == "Dario"


def test_nobody_decides_after_the_end(over: Any) -> None:
    assert over.to_move is None
    assert over.actions() == []
    assert over.winner() in over.scores()
    assert advisor.loads(over.dump()) == over
    with pytest.raises(advisor.ActionError, match="over"):
        over.apply("end")


# New games.


def test_the_same_seed_gives_the_same_start() -> None:
    starts = [advisor.new_game("burgundy", players=3, seed=seed) for seed in (1, 1, 2)]
    assert starts[0] == starts[1] != starts[2]


def test_a_new_game_has_the_settings_asked_for() -> None:
    start: Any = advisor.new_game(
        "burgundy", players=2, boards=[1, 2], edition=2011, castles=["a2", "a4"], names=["Ö", "No"]
    )
    assert start.names == ["Ö", "No"]
    text = start.dump()
    assert "edition: 2011" in text
    assert "{a2: castle}" in text
    assert "{a4: castle}" in text
    assert advisor.loads(text) == start


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 1},
        {"players": 5},
        {"boards": [1, 2, 3]},
        {"boards": [99]},
        {"edition": 1999},
        {"castles": ["a1", "a1"]},
        {"names": ["Anna"]},
        {"names": ["Anna", "anna"]},
        {"names": ["Anna", "white"]},
        {"names": ["Anna", "Ben 2"]},
        {"names": ["Anna", ""]},
    ],
    ids=str,
)
def test_a_wrong_setting_is_a_setting_error(settings: dict[str, Any]) -> None:
    with pytest.raises(advisor.SettingError):
        advisor.new_game("burgundy", **settings)


# Simulations.


def test_the_results_of_a_simulation_fit_together(position: Any) -> None:
    result = advisor.simulate(position, 500, seed=3, threads=2)
    assert (result.playouts, result.names, result.seed) == (500, ["Anna", "Ben"], 3)
    assert result.wins.shape == result.scores.shape == (500, 2)
    assert (result.wins.sum(axis=1) == 1).all()
    assert result.win_rate("Anna") + result.win_rate("Ben") == pytest.approx(1)
    assert (result.scores >= [41, 38]).all()
    for name, now in position.scores().items():
        assert now + sum(result.points(name).values()) == pytest.approx(result.mean(name))
        assert list(result.quantiles(name).values()) == sorted(result.quantiles(name).values())
    assert set(result.to_dict()) == {"playouts", "decisions", "seed", "threads", "players"}


def test_asking_for_somebody_who_does_not_play_is_a_setting_error(position: Any) -> None:
    result = advisor.simulate(position, 10)
    with pytest.raises(advisor.SettingError, match=r"nobody is called 'Zoe'.*Anna, Ben"):
        result.win_rate("Zoe")


@pytest.mark.parametrize(
    "settings",
    [
        {"playouts": 0},
        {"playouts": -1},
        {"playouts": 10**12},
        {"threads": 0},
        {"threads": -1},
        {"threads": 10**6},
        {"policy": "clever"},
    ],
    ids=str,
)
def test_a_number_out_of_bounds_is_a_setting_error(position: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(advisor.SettingError):
        advisor.simulate(position, **settings)


def test_the_same_seed_gives_the_same_playouts(position: Any) -> None:
    first = advisor.simulate(position, 3_000, seed=5, threads=2)
    assert_same(first, advisor.simulate(position, 3_000, seed=5, threads=2))
    other = advisor.simulate(position, 3_000, seed=6, threads=2)
    assert (first.scores != other.scores).any()


@pytest.mark.parametrize("seed", [0, -1, 2**64, 10**30])
def test_any_whole_number_is_a_seed(position: Any, seed: int) -> None:
    first = advisor.simulate(position, 20, seed=seed)
    assert_same(first, advisor.simulate(position, 20, seed=seed))


@pytest.mark.parametrize("threads", [1, 2, 3, 7, None])
def test_threads_do_not_change_the_results(position: Any, threads: int | None) -> None:
    alone = advisor.simulate(position, 4_321, seed=2, threads=1)
    assert_same(alone, advisor.simulate(position, 4_321, seed=2, threads=threads))


@pytest.mark.parametrize("batch", [1, 7, 256, 10**6])
def test_cutting_into_batches_does_not_change_the_results(
    position: Any, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = advisor.simulate(position, 1_000, seed=2, threads=2)
    monkeypatch.setattr(simulation, "BATCH", batch)
    assert_same(usual, advisor.simulate(position, 1_000, seed=2, threads=2))


def test_fewer_playouts_are_the_first_of_more(position: Any) -> None:
    few, many = advisor.simulate(position, 100, seed=4), advisor.simulate(position, 2_500, seed=4)
    np.testing.assert_array_equal(few.scores, many.scores[:100])


def test_simulations_at_the_same_time_give_the_same_as_alone(position: Any) -> None:
    other = advisor.load(POSITIONS / "four-players.yaml")
    tasks = [(position, 1), (other, 2), (position, 3)]
    alone = [advisor.simulate(here, 3_000, seed=seed, threads=1) for here, seed in tasks]
    together: list[Any] = [None] * len(tasks)

    def run(number: int) -> None:
        here, seed = tasks[number]
        together[number] = advisor.simulate(here, 3_000, seed=seed, threads=2)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other_one in zip(alone, together, strict=True):
        assert_same(one, other_one)


def test_the_gil_is_released_while_the_kernel_plays(
    position: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One call of the kernel; while it plays, another thread wakes again and again. Were the GIL
    # held, that thread could wake only just before and after the call.
    monkeypatch.setattr(simulation, "BATCH", simulation.MAX_PLAYOUTS)
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            time.sleep(0.001)
            ticks += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        for playouts in (20_000, 100_000, 400_000):  # more on machines that are too fast
            before = ticks
            advisor.simulate(position, playouts, threads=1)
            during = ticks - before
            if during >= 30:
                break
    finally:
        stop.set()
        ticker.join()
    assert during >= 30


def test_a_game_that_is_over_simulates_to_its_final_scores(over: Any) -> None:
    result = advisor.simulate(over, 50)
    assert (result.scores == list(over.scores().values())).all()
    assert result.decisions == 0
    assert result.win_rate(over.winner()) == 1.0
    for name in over.names:
        assert result.win_se(name) == result.sd(name) == 0.0
        assert set(result.points(name).values()) == {0.0}


def test_a_position_that_waits_for_chance_is_simulated_too() -> None:
    waiting = advisor.load(POSITIONS / "waiting-for-the-roll.yaml")
    result = advisor.simulate(waiting, 200)
    assert len(set(result.scores[:, 0].tolist())) > 1


def test_a_single_playout_has_no_spread(position: Any) -> None:
    result = advisor.simulate(position, 1)
    assert result.sd("Anna") == 0.0
    assert result.mean("Anna") == result.scores[0, 0]


def test_progress_adds_up_to_all_playouts(position: Any) -> None:
    steps: list[int] = []
    advisor.simulate(position, 7_001, threads=2, progress=steps.append)
    assert sum(steps) == 7_001
    assert len(steps) > 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_error_in_the_middle_comes_through_and_leaves_no_thread(
    position: Any, error: type[BaseException]
) -> None:
    def interrupt(done: int) -> None:
        raise error

    before = set(threading.enumerate())
    with pytest.raises(error):
        advisor.simulate(position, simulation.MAX_PLAYOUTS // 4, threads=2, progress=interrupt)
    assert set(threading.enumerate()) == before
    assert_same(advisor.simulate(position, 50), advisor.simulate(position, 50))
