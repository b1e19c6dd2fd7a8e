"""A match from its first game to its last: the same results whoever plays what where, and nothing
finished is lost, whatever ends a run (issue 4).
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from advisor.agents.spec import AgentError
from advisor.errors import SettingError
from advisor.research import match as module
from advisor.research.match import Progress, match, run_match
from advisor.research.plan import make_plan
from advisor.research.store import StoreError, read_manifest, read_players
from advisor.research.tasks import play_range
from advisor.research.workers import Workers

CLOCK = "seconds_per_decision"
PATIENCE = 60
"""Seconds after which a process that hangs fails its test."""

PLAN: dict[str, Any] = {"seed": 5, "boards": [1, 3, 8], "castles": "random"}
AGENTS = ["ismcts:iterations=6", "greedy"]


class Own:
    """An agent of the user's own that any process can import."""

    def decide(self, position: Any, luck: Any) -> Any:
        return luck.choice(position.actions())


class Fails:
    """Fails in the last phase of the games of one deal."""

    def decide(self, position: Any, luck: Any) -> Any:
        if "phase E" in str(position) and position.players[0].board == 8:
            raise LookupError("no more ideas")
        return position.actions()[0]


def same(one: pl.DataFrame, other: pl.DataFrame) -> None:
    assert_frame_equal(one.drop(CLOCK), other.drop(CLOCK))


MOST = 40


@functools.cache
def all_games() -> pl.DataFrame:
    return play_range(make_plan(AGENTS, **PLAN), 0, MOST).players


def unbroken(games: int) -> pl.DataFrame:
    """Return what a match must come to: all its games in one go."""
    assert games <= MOST
    return all_games().filter(pl.col("game") < games)


# --- Whoever plays


@pytest.mark.parametrize(
    "how",
    [
        {"jobs": 1},
        {"jobs": 3},
        {"jobs": 2, "backend": "processes"},
        {"jobs": 1, "backend": "processes"},
    ],
)
def test_results_do_not_depend_on_who_works(how: dict[str, Any], tmp_path: Path) -> None:
    frame = match(AGENTS, games=24, folder=tmp_path / "r", **PLAN, **how)
    same(frame, unbroken(24))
    same(read_players(tmp_path / "r"), frame)
    assert match(AGENTS, games=2, **PLAN, **how).height == 4


def test_agents_written_in_python_give_the_same_in_threads_and_processes() -> None:
    plan = make_plan([Own, "greedy"], seed=3)
    one, two, three = (
        run_match(plan, games=4, jobs=jobs, backend=backend).players
        for jobs, backend in ((1, "threads"), (2, "threads"), (2, "processes"))
    )
    same(one, two)
    same(one, three)


def test_games_are_rounded_up_to_whole_deals() -> None:
    frame = match(["greedy", "random", "random"], games=4, jobs=1)
    assert sorted(frame["game"].unique()) == [*range(6)]
    result = run_match(make_plan(["greedy", "random"]), games=3, jobs=1)
    assert (result.asked, result.new_games) == (4, 4)


class Left(Exception):
    """Raised to leave a match early."""


def leave(progress: Progress) -> None:
    if progress.done:
        raise Left


def test_a_match_that_ends_early_does_not_disturb_another_one_in_the_same_process() -> None:
    """The end of one tells its own threads to stop; the kernel can only stop all of them."""
    found: list[pl.DataFrame] = []

    def play() -> None:
        found.append(match(AGENTS, games=30, jobs=1, **PLAN))

    thread = threading.Thread(target=play)
    thread.start()
    for _ in range(5):
        with pytest.raises(Left):
            match(["ismcts:iterations=10", "greedy"], games=500, jobs=2, progress=leave)
    assert thread.is_alive()
    thread.join(PATIENCE)
    same(found[0], unbroken(30))


def test_a_run_that_ends_early_leaves_no_games_under_way() -> None:
    for _ in range(3):
        with pytest.raises(Left):
            match(["ismcts:iterations=300", "greedy"], games=500, jobs=2, progress=leave)
        busy = time.process_time()
        time.sleep(0.3)
        assert time.process_time() - busy < 0.2
    assert match(["greedy", "random"], games=2, jobs=2).height == 4


def test_progress_tells_how_far_it_has_come(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int]] = []

    def look(progress: Progress) -> None:
        seen.append((progress.done, progress.kept, progress.asked))
        assert progress.rate >= 0
        assert (progress.seconds_left is None) == (progress.done == progress.kept)

    match(["greedy", "random"], games=200, jobs=2, folder=tmp_path / "r", progress=look)
    assert seen[0] == (0, 0, 200)
    assert seen[-1] == (200, 0, 200)
    assert seen == sorted(seen)
    seen.clear()
    match(["greedy", "random"], games=220, jobs=2, folder=tmp_path / "r", progress=look)
    assert seen[0] == (200, 200, 220)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"games": 0}, "0 games; ask for 1 to"),
        ({"jobs": 0}, "0 jobs; ask for 1 to 4096"),
        ({"backend": "steam"}, "no backend is called 'steam'; the backends are threads, processes"),
        ({"until_decided": True, "alpha": 0.7}, "alpha is 0.7"),
    ],
)
def test_settings_out_of_bounds_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        match(["greedy", "random"], **given)
    with pytest.raises(SettingError, match="3 agents; a match until decided is between two"):
        match(["greedy", "random", "random"], until_decided=True)


# --- Folders


def test_a_match_is_extended_by_more_games(tmp_path: Path) -> None:
    match(AGENTS, games=10, folder=tmp_path / "r", jobs=2, **PLAN)
    result = run_match(make_plan(AGENTS, **PLAN), games=24, folder=tmp_path / "r", jobs=2)
    assert result.new_games == 14
    same(result.players, unbroken(24))
    fewer = run_match(make_plan(AGENTS, **PLAN), games=6, folder=tmp_path / "r", jobs=2)
    assert fewer.new_games == 0
    same(fewer.players, unbroken(6))
    same(read_players(tmp_path / "r"), unbroken(24))
    manifest = read_manifest(tmp_path / "r")
    assert manifest["games"] == 24
    assert len(manifest["runs"]) == 3


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 6},
        {"boards": [1]},
        {"random_turns": 1},
        {"agents": ["greedy", "ismcts:iterations=6"]},
        {"agents": ["ismcts:iterations=7", "greedy"]},
        {"players": 3},
        {"until_decided": True},
    ],
)
def test_the_folder_of_another_match_is_refused_and_stays_as_it_is(
    other: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "r"
    match(AGENTS, games=4, folder=folder, jobs=1, **PLAN)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(StoreError, match=r"another"):
        match(**({"agents": AGENTS, "games": 4, "folder": folder, "jobs": 1} | PLAN | other))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_match_of_so_many_games_never_loses_any_to_a_later_verdict(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    match(["greedy", "random"], games=200, folder=folder, jobs=1)
    with pytest.raises(StoreError):
        match(["greedy", "random"], games=200, folder=folder, jobs=1, until_decided=True)
    assert read_players(folder)["game"].n_unique() == 200


# --- Until decided


@pytest.mark.parametrize("how", [{"jobs": 1}, {"jobs": 2}, {"jobs": 2, "backend": "processes"}])
def test_a_clear_case_ends_early_with_the_same_games_kept_whoever_works(
    how: dict[str, Any], tmp_path: Path
) -> None:
    plan = make_plan(["greedy", "random"], seed=2)
    result = run_match(plan, folder=tmp_path / "r", until_decided=True, **how)
    assert result.test is not None
    assert result.test.verdict == "A"
    assert result.test.deals == 16
    games = 2 * result.test.deals
    same(result.players, play_range(plan, 0, games).players)
    same(read_players(tmp_path / "r"), result.players)
    assert read_manifest(tmp_path / "r")["decided"]["verdict"] == "A"
    again = run_match(plan, folder=tmp_path / "r", until_decided=True, **how)
    assert again.new_games == 0
    same(again.players, result.players)


def test_an_undecided_match_ends_with_the_games_asked_for() -> None:
    result = run_match(make_plan(["random", "random"]), games=40, until_decided=True, jobs=2)
    assert result.test is not None
    assert result.test.verdict is None
    assert result.players["game"].n_unique() == 40


# --- Whatever ends a run


def test_an_agent_that_fails_ends_the_match_and_the_finished_parts_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TASK_SECONDS", 0.01)
    folder = tmp_path / "r"
    plan = make_plan([Fails, "greedy"], seed=1, boards=[1, 2, 3, 8], same_board=True)
    with pytest.raises(AgentError, match=r"agent Fails failed in <.*phase E.*LookupError: no more"):
        run_match(plan, games=40, folder=folder, jobs=2, backend="processes")
    kept = read_players(folder)
    if kept.height:
        assert 8 not in set(kept["board"])
        for game in kept["game"].unique():
            same(kept.filter(game=game), play_range(plan, game, 1).players)


SCRIPT = """
import sys
from advisor.research import match as module
module.TASK_SECONDS = 0.05
folder, games, jobs, backend = sys.argv[1:]
def told(progress):
    print(progress.done, flush=True)
try:
    module.match({agents!r}, games=int(games), folder=folder, jobs=int(jobs), backend=backend,
                 progress=told, **{plan!r})
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(130)
"""


def start(folder: Path, games: int, *, jobs: int = 2, backend: str = "threads") -> Any:
    script = SCRIPT.format(agents=AGENTS, plan=PLAN)
    return subprocess.Popen(
        [sys.executable, "-c", script, str(folder), str(games), str(jobs), backend],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_games(child: Any, least: int) -> None:
    for line in child.stdout:
        if int(line) >= least:
            return


def end(child: Any) -> None:
    """Make sure that a child and its workers are gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_a_match_killed_again_and_again_comes_out_as_if_nothing_had_happened(
    tmp_path: Path, backend: str
) -> None:
    folder, games = tmp_path / "r", MOST
    done = 0
    for delay in (0.0, 0.03, 0.11) if backend == "threads" else (0.05,):
        child = start(folder, games, backend=backend)
        try:
            wait_for_games(child, done + 2)
            time.sleep(delay)
            assert child.poll() is None  # it is in mid-run
        finally:
            end(child)
        kept = read_players(folder)
        assert not kept.select("game", "seat").is_duplicated().any()
        assert done < kept["game"].n_unique() < games
        done = kept["game"].n_unique()
    result = run_match(make_plan(AGENTS, **PLAN), games=games, folder=folder, jobs=2)
    assert result.new_games == games - done
    same(result.players, unbroken(games))
    same(read_players(folder), unbroken(games))


def interrupt(child: Any) -> None:
    child.send_signal(signal.SIGINT)


def interrupt_all(child: Any) -> None:
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does


@pytest.mark.parametrize(
    ("jobs", "backend", "how"),
    [
        (1, "threads", interrupt),
        (2, "threads", interrupt_all),
        (2, "processes", interrupt_all),
    ],
)
def test_ctrl_c_ends_a_match_soon_and_keeps_what_is_finished(
    tmp_path: Path, jobs: int, backend: str, how: Callable[[Any], None]
) -> None:
    folder = tmp_path / "r"
    child = start(folder, 100_000, jobs=jobs, backend=backend)
    try:
        wait_for_games(child, 6)
        how(child)
        out, err = child.communicate(timeout=PATIENCE)
    finally:
        end(child)
    assert child.returncode == 130, err
    assert out.endswith("interrupted\n")
    kept = read_players(folder)
    games = kept["game"].unique().sort().to_list()
    assert len(games) >= 6
    assert kept.height == 2 * len(games)
    known = pl.col("game").is_in(games) & (pl.col("game") < MOST)
    same(kept.filter(known), unbroken(MOST).filter(known))


def test_ctrl_c_is_heard_in_the_middle_of_a_long_game(tmp_path: Path) -> None:
    """One worker that thinks for seconds about each decision: the run still ends at once."""
    script = (
        "import os, signal, threading\n"
        "from advisor.research.match import match\n"
        "threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    match(['ismcts:iterations=20000', 'greedy'], games=50, jobs=1)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    began = time.monotonic()
    child = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE
    )
    assert child.stdout == "interrupted\n", child.stderr
    assert time.monotonic() - began < PATIENCE / 2


# --- The workers themselves


def double(number: int) -> int:
    time.sleep(0.02)  # so that the next one is not asked for at once
    return 2 * number


def explode(number: int) -> int:
    raise ZeroDivisionError(f"in task {number}")


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_do_every_task_once_and_take_no_more_than_they_need(
    backend: Any, jobs: int
) -> None:
    asked: list[int] = []

    def calls() -> Any:
        for number in range(30):
            asked.append(number)
            yield (number,)

    with Workers(jobs=jobs, backend=backend) as workers:
        results = workers.run(double, calls())
        first = next(results)
        assert len(asked) < 20
        assert sorted([first, *results]) == [2 * number for number in range(30)]
    assert asked == [*range(30)]


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_what_a_task_raises_comes_out(backend: Any) -> None:
    with (
        Workers(jobs=2, backend=backend) as workers,
        pytest.raises(ZeroDivisionError, match="in task 0"),
    ):
        list(workers.run(explode, iter([(0,)])))
