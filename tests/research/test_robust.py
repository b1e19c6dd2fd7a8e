"""What goes wrong around a match: dying processes, agents that look alike, tiny groups."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.research.match import DEATHS
from advisor.research.store import StoreError, read_players
from advisor.research.tables import _Sums, difference
from advisor.research.workers import ClusterError, WorkerDiedError


class Mortal:
    """Kills its own process as often as there are files to take away."""

    def __init__(self, *, lives: str) -> None:
        self.lives = lives

    def decide(self, position: Any, luck: Any) -> Any:
        for life in Path(self.lives).glob("life-*"):
            life.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return position.actions()[0]


class Slow:
    def __init__(self, patience: float) -> None:
        self.patience = patience

    def decide(self, position: Any, luck: Any) -> Any:
        return luck.choice(position.actions())


def test_a_local_worker_that_dies_has_its_task_repeated(tmp_path: Path) -> None:
    (tmp_path / "life-1").touch()
    frame = advisor.match([f"{__name__}.Mortal:lives={tmp_path}", "random"], games=4, jobs=2)
    assert sorted(set(frame["game"].to_list())) == [0, 1, 2, 3]
    assert frame.height == 8
    assert not list(tmp_path.glob("life-*"))


def test_workers_that_die_again_and_again_end_in_a_sentence(tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    lives.mkdir()
    for number in range(8 * (DEATHS + 1)):
        (lives / f"life-{number}").touch()
    agents = [f"{__name__}.Mortal:lives={lives}", "random"]
    with pytest.raises(WorkerDiedError, match="the same command continues"):
        advisor.match(agents, games=2, jobs=1, backend="processes", folder=tmp_path / "r")
    for life in lives.iterdir():
        life.unlink()
    advisor.match(agents, games=2, jobs=1, backend="processes", folder=tmp_path / "r")
    assert read_players(tmp_path / "r")["game"].to_list() == [0, 0, 1, 1]


def test_objects_that_differ_inside_are_different_agents(tmp_path: Path) -> None:
    advisor.match([Slow(0.2), "random"], games=2, folder=tmp_path / "r", backend="threads")
    advisor.match([Slow(0.2), "random"], games=2, folder=tmp_path / "r", backend="threads")
    with pytest.raises(StoreError, match=r"patience is 0\.2 there and 0\.9 here"):
        advisor.match([Slow(0.9), "random"], games=2, folder=tmp_path / "r", backend="threads")


def test_a_single_deal_has_no_error_when_compared_with_all() -> None:
    one = _Sums(np.array([3]), np.array([1.0]), np.array([7.0]))
    all_deals = _Sums(np.arange(10), np.ones(10), np.arange(10.0))
    assert np.isnan(difference(one, all_deals).se)
    few = _Sums(np.array([3, 5]), np.ones(2), np.array([7.0, 2.0]))
    assert difference(few, all_deals).clusters == 2


def test_what_is_no_address_is_refused_at_once() -> None:
    with pytest.raises(ClusterError, match="write such as tcp://host:8786"):
        advisor.match(["greedy", "random"], games=2, cluster="nonsense")


def test_a_small_quick_match_does_not_fall_into_single_games(tmp_path: Path) -> None:
    advisor.match(["greedy", "random"], games=200, folder=tmp_path / "r", jobs=2)
    assert len(list((tmp_path / "r").glob("players-*"))) < 30
