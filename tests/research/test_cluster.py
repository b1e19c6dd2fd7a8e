"""A match on a Dask cluster: a real scheduler and real workers on the loopback interface (issue 4).

What is played there equals what one machine plays, even when a worker is killed in mid-run; what
goes wrong on a cluster ends in a sentence instead of a wait without end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from advisor.agents.spec import AgentError
from advisor.research import match as module
from advisor.research import workers as workers_module
from advisor.research.match import Progress, match, run_match
from advisor.research.plan import make_plan
from advisor.research.store import read_players
from advisor.research.tasks import play_range
from advisor.research.workers import ClusterError, Workers

pytest.importorskip("distributed")

PATIENCE = 60
"""Seconds after which a cluster that does not come up fails its test."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int, **settings: str) -> None:
        """Start everything and wait until all workers are there."""
        from distributed import Client

        host = ["--host", "127.0.0.1", "--no-dashboard"]
        port = ["--port", str(self.port)]
        # Should the tests be killed, nobody stops these: they go by themselves when idle.
        idle = ["--idle-timeout", "300"]
        self.scheduler = self._run("scheduler", *host, *port, *idle, "--no-show", **settings)
        for number in range(workers):
            local = ["--local-directory", str(self.folder / f"worker-{number}")]
            alone = ["--nthreads", "1", "--no-nanny", "--death-timeout", str(PATIENCE)]
            self.workers.append(self._run("worker", self.address, *host, *alone, *local))
        with Client(self.address, timeout=PATIENCE, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers, timeout=PATIENCE)

    def _run(self, *words: str, **settings: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{words[0]}-{len(self.workers)}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                stdout=log,
                stderr=log,
                env=os.environ | settings,
            )

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            if process is not None:
                process.kill()
                process.wait(PATIENCE)


@contextlib.contextmanager
def running(folder: Path, workers: int, **settings: str) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        cluster.start(workers, **settings)
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Return a cluster of two workers that no test harms."""
    with running(tmp_path_factory.mktemp("cluster"), 2) as found:
        yield found


def same(one: pl.DataFrame, other: pl.DataFrame) -> None:
    clock = "seconds_per_decision"
    assert_frame_equal(one.drop(clock), other.drop(clock))


def busy(address: str) -> dict[str, int]:
    """Return how many tasks each worker is working on."""
    from distributed import Client

    with Client(address, timeout=PATIENCE, set_as_default=False) as client:
        return {worker: len(tasks) for worker, tasks in client.processing().items()}


def test_a_worker_killed_in_mid_run_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TASK_SECONDS", 0.3)
    plan = make_plan(["ismcts:iterations=24", "greedy"], seed=6, boards=[1, 5])
    games = 36
    killed_at: list[int] = []
    with running(tmp_path, 2) as cluster:

        def kill(progress: Progress) -> None:
            if progress.done < 6 or killed_at:
                return
            if all(tasks > 0 for tasks in busy(cluster.address).values()):
                cluster.workers[0].send_signal(signal.SIGKILL)
                cluster.workers[0].wait(PATIENCE)
                killed_at.append(progress.done)

        result = run_match(
            plan,
            games=games,
            cluster=cluster.address,
            folder=tmp_path / "r",
            progress=kill,
        )
        assert cluster.workers[0].returncode == -signal.SIGKILL
        assert cluster.workers[1].poll() is None
    assert 6 <= killed_at[0] < games - 6  # in the middle of the run and of a task
    assert result.new_games == games
    expected = play_range(plan, 0, games).players
    same(result.players, expected)
    same(read_players(tmp_path / "r"), expected)


def test_the_same_seeds_give_the_same_results_as_on_one_machine(cluster: Cluster) -> None:
    listed: list[Any] = ["greedy", "random", "ismcts:iterations=4"]
    given: dict[str, Any] = {"games": 24, "players": 2, "seed": 9, "boards": [3, 8]}
    same(match(listed, cluster=cluster.address, **given), match(listed, jobs=1, **given))


def test_all_workers_are_used_unless_fewer_are_asked_for(cluster: Cluster) -> None:
    for jobs, count in ((None, 2), (1, 1), (50, 2)):
        with Workers(cluster=cluster.address, jobs=jobs) as workers:
            assert workers.count == count


def test_an_agent_made_here_plays_there(cluster: Cluster) -> None:
    class Here:
        """Neither installed nor importable where the workers are."""

        def __init__(self, last: bool) -> None:
            self.last = last

        def decide(self, position: Any, luck: Any) -> Any:
            return position.actions()[-1 if self.last else 0]

    listed = [Here(last=True), "greedy"]
    same(
        match(listed, games=2, cluster=cluster.address),
        match(listed, games=2, jobs=1, backend="threads"),
    )


def test_an_agent_that_fails_there_is_named_here(cluster: Cluster) -> None:
    class Fails:
        def decide(self, position: Any, luck: Any) -> Any:
            raise LookupError("no idea")

    with pytest.raises(AgentError, match=r"agent Fails failed in <.*>: LookupError: no idea"):
        match([Fails(), "greedy"], games=4, cluster=cluster.address)


def test_an_agent_the_workers_do_not_have_is_said_to_be_missing(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text(
        "class Agent:\n    def decide(self, position, luck):\n        return 'end'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    sentence = r"cannot read its task: ModuleNotFoundError: .*only_here.*must be installed where"
    with pytest.raises(ClusterError, match=sentence):
        match(["only_here.Agent", "greedy"], games=4, cluster=cluster.address)


def test_a_run_on_a_cluster_ends_early_and_the_next_one_works(cluster: Cluster) -> None:
    plan = make_plan(["greedy", "random"], seed=2)
    result = run_match(plan, until_decided=True, cluster=cluster.address)
    assert result.test is not None
    assert result.test.verdict == "A"
    same(result.players, play_range(plan, 0, 2 * result.test.deals).players)
    assert match(["greedy", "random"], games=2, cluster=cluster.address).height == 4


def test_workers_of_another_version_are_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "__version__", "99.0")
    with pytest.raises(ClusterError, match=r"have advisor \d.*, and this is 99.0; start `dask"):
        Workers(cluster=cluster.address)


def test_a_task_the_cluster_gives_up_ends_the_match_with_a_sentence(tmp_path: Path) -> None:
    """A task that takes its worker down every time is given up by the scheduler.

    A single worker is a cluster, too: nothing is played here.
    """
    home = os.getpid()

    class Deadly:
        def decide(self, position: Any, luck: Any) -> Any:
            if os.getpid() == home:
                raise RuntimeError("played at home")
            os._exit(3)

    strict = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with (
        running(tmp_path, 1, **strict) as found,
        pytest.raises(ClusterError, match=r"the cluster gave a task up: KilledWorker"),
    ):
        match([Deadly(), "greedy"], games=2, cluster=found.address)


def test_nobody_at_the_address_is_said_within_the_time_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers_module, "CONNECT_SECONDS", 1)
    sentence = r"no Dask scheduler with a worker answers at '.*'.*; start `dask scheduler` and"
    for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense://1:2", "127.0.0.1:0"):
        with pytest.raises(ClusterError, match=sentence):
            match(["greedy", "random"], games=2, cluster=address)


def test_a_scheduler_without_workers_is_said_within_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "CONNECT_SECONDS", 1)
    with (
        running(tmp_path, 0) as found,
        pytest.raises(ClusterError, match="no Dask scheduler with a worker answers"),
    ):
        match(["greedy", "random"], games=2, cluster=found.address)
