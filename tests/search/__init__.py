"""Tests of the search: its parts, its conduct, its answer. Positions that several of them use."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from typing import Any

import pytest

import advisor
from advisor.report.advice import Advice
from advisor.search import engine, engines
from advisor.search._plan_sampler import PlanSampler
from advisor.search._tree import Sampler
from advisor.search.settings import Tree

POSITIONS = Path(__file__).parent.parent.parent / "positions" / "burgundy"

FEW_ACTIONS = "ship-with-full-hold"
"""A shipped position with few actions and short games: quick to search."""

TWIN_DEPOTS = """
game: burgundy
phase: B
round: 5
depots:
  1: {tiles: [ship]}
  4: {tiles: [ship]}
players:
  Anna: {board: 1, estate: {d4: castle}}
  Ben: {board: 1, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [], pending: [castle]}
"""
"""The last turn of a phase: whichever ship Anna takes, the other one is gone."""

FORCED = """
game: burgundy
phase: E
round: 4
depots: {}
goods_to_come: [red]
players:
  Anna: {board: 1, score: 50, storage: [mine], estate: {d4: castle, e3: mine, f2: mine}}
  Ben: {board: 1, score: 60, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [6]}
"""
"""Anna's mine belongs on a 3, too far from her 6 without workers: she can only take some."""

HOPELESS = """
game: burgundy
phase: E
round: 4
depots: {}
goods_to_come: [red]
players:
  Anna: {board: 1, score: 250, goods: {orange: 1}, estate: {d4: castle, e3: mine}}
  Ben: {board: 1, score: 10, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [6]}
"""
"""Anna wins whatever happens; selling her good is worth a little more than keeping it."""

TWIN_SALES = """
game: burgundy
phase: E
round: 4
depots: {}
goods_to_come: [orange]
players:
  Anna: {board: 1, score: 50, goods: {pink: 6, red: 6}, estate: {d4: castle}}
  Ben: {board: 1, score: 60, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [], pending: [castle]}
"""
"""Selling goods of a 3 or of a 4 is worth the same, whatever will be rolled; workers are some 3
points worse."""

LAST_DIE = """
game: burgundy
phase: E
round: 5
depots: {}
players:
  Anna: {board: 1, score: 46, goods: {red: 3}, estate: {d4: castle}}
  Ben: {board: 1, score: 50, estate: {d4: castle}}
turn_order: [Ben, Anna]
turn: {player: Anna, dice: [4]}
"""
"""The last decision of a game: sell 3 goods (53 points in the end) or take workers (50)."""


@functools.cache
def shipped(name: str) -> Any:
    """Return a shipped position."""
    return advisor.load(POSITIONS / f"{name}.yaml")


def asked(position: Any, **settings: Any) -> Advice:
    """Ask for advice: on one thread and by counted iterations unless told otherwise."""
    if "seconds" not in settings:
        settings = {"iterations": 2_000, **settings}
    return advisor.suggest(position, **{"threads": 1, **settings})


@functools.cache
def answered(name: str, **settings: Any) -> Advice:
    """Return the advice on a shipped position; asked for once, however many tests look at it."""
    return asked(shipped(name), **settings)


def with_engine(monkeypatch: pytest.MonkeyPatch, **fields: Any) -> None:
    """Let every engine have other fields than its own, such as less patience."""

    def choose(position: Any, wanted: str | None) -> engines.Engine:
        return dataclasses.replace(engines.choose(position, wanted), **fields)

    monkeypatch.setattr(engine, "choose", choose)


def waiting_for_the_deal() -> Any:
    """Return a position after the last turn of a phase."""
    here = shipped("end-of-phase")
    while here.to_move != "chance":
        here = here.apply(here.actions()[-1])
    return here


def over() -> Any:
    """Return a game that has just ended."""
    here = shipped("last-round")
    while here.to_move is not None:
        here = here.apply(here.actions()[0])
    return here


def sampler(position: Any, **settings: Any) -> Sampler:
    """Return a sampler of a position's actions."""
    rules, root, tree = position.rules, position.packed, Tree()
    arguments: dict[str, Any] = {
        "root": root,
        "ways": [[code] for code in rules.legal(root)],
        "trees": 4,
        "seat": rules.to_move(root),
        "seed": 1,
        "memory": 1 << 24,
        "explore": tree.explore,
        "caution": tree.caution,
        "scale": tree.scale,
        **settings,
    }
    return Sampler(rules, **arguments)


def plan_sampler(position: Any, **settings: Any) -> PlanSampler:
    """Return a sampler of the plans through a position's actions."""
    rules, root = position.rules, position.packed
    model = engines.choose(position, "plans").model
    assert model is not None
    arguments: dict[str, Any] = {
        "spread": model.spread,
        "root": root,
        "ways": [[code] for code in rules.legal(root)],
        "trees": 4,
        "seat": rules.to_move(root),
        "seed": 1,
        **engines.PLANS,
        **settings,
    }
    return PlanSampler(rules, model.net, **arguments)
