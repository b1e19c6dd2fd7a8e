"""Twins: the same game with and without an ability, and nothing else that differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from advisor._fastsim import nth_draw, substream
from advisor.core import registry
from advisor.research.noting import Notes, play_noted, run_noted
from advisor.research.plan import make_plan
from advisor.research.store import StoreError, read_players
from advisor.research.study import run_study
from advisor.research.study_file import load_study
from advisor.research.tasks import deal_of
from advisor.research.twins import EVENT, events_frame

GAME = registry.default()
PLAN = make_plan(["greedy"], players=2, boards=[1, 8])


@pytest.fixture(scope="module")
def events() -> pl.DataFrame:
    return events_frame(play_noted(PLAN, 0, 40, Notes(twins=4)).players)


def test_events_are_gains_of_a_seat_in_a_part_of_the_game(events: pl.DataFrame) -> None:
    assert {*EVENT} <= {*events.columns}
    assert events["advantage"].str.starts_with("monastery ").all()
    assert {*events["stage"]} <= {*"ABCDE"}
    assert events["game"].n_unique() > 30
    assert events.group_by("game").len()["len"].max() == 4


def test_taking_nothing_away_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    series: Any = registry.find_series(GAME)
    monkeypatch.setattr(series, "without", lambda state, seat, name: state)
    same = events_frame(play_noted(PLAN, 0, 20, Notes(twins=100)).players)
    assert same.height > 100
    for name in ("gain", "margin_gain", "win_gain"):
        assert same[name].to_list() == [0] * same.height


def test_points_at_the_end_for_an_ability_are_what_it_gains(events: pl.DataFrame) -> None:
    """Monasteries 16 to 23 pay four points a building at the end and change nothing before it."""
    at_end = events.filter(pl.col("advantage").is_in([f"monastery {n}" for n in range(16, 24)]))
    assert at_end.height > 20
    assert (at_end["gain"] % 4 == 0).all()
    assert at_end["gain"].min() >= 0  # type: ignore[operator]


def ending(deal: int, state: bytes) -> list[float]:
    """Play a state of a deal on, decision by decision; the scores."""
    rules = deal_of(PLAN, deal).position.rules
    agent = PLAN.agents[0].make(GAME)
    agent.prepare(rules, deal_of(PLAN, deal).position)
    luck, last, draws = PLAN.agents_luck(deal, 0), -1, 0
    while (mover := rules.to_move(state)) != -2:
        if mover < 0:
            state, last = rules.chance(state, PLAN.deal_seed(deal)), -1
            continue
        draws = 1 if mover != last else draws + 1
        turn = substream(substream(luck, mover), rules.chances(state))
        state = rules.apply(state, agent.choose(state, mover, mover != last, nth_draw(turn, draws)))
        last = mover
    return rules.returns(state)[0]


def test_a_gain_is_the_difference_of_two_games_played_on_from_the_event() -> None:
    part = play_noted(PLAN, 0, 3, Notes(twins=3))
    series = registry.find_series(GAME)
    found = events_frame(part.players)
    assert found.height == 9
    for event in found.iter_rows(named=True):
        actions = part.games["actions"][event["game"]].to_list()
        start = deal_of(PLAN, event["deal"])
        state, rules = start.start, start.position.rules
        for code in actions[: event["step"] + 1]:
            while rules.to_move(state) < 0:
                state = rules.chance(state, event["seed"])
            mover = rules.to_move(state)
            state = rules.apply(state, code)
        seat = event["seat"] - 1
        assert seat == mover
        lost = series.without(state, seat, event["advantage"])
        assert lost != state
        with_it, without_it = ending(event["deal"], state), ending(event["deal"], lost)
        assert event["gain"] == with_it[seat] - without_it[seat]
        margins = [ends[seat] - ends[1 - seat] for ends in (with_it, without_it)]
        assert event["margin_gain"] == margins[0] - margins[1]
        assert event["stage"] == series.stage_of(state)


def test_games_without_an_event_keep_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    series: Any = registry.find_series(GAME)
    monkeypatch.setattr(series, "advantage", lambda code: None)
    players = play_noted(PLAN, 0, 3, Notes(twins=4)).players
    assert players.height == 6
    assert players["events"].list.len().sum() == 0
    assert players.schema["events"] == pl.List(
        pl.Struct({name: pl.String if kind == "word" else pl.Int32 for name, kind in EVENT.items()})
    )
    assert events_frame(players).height == 0


def test_where_a_game_is_played_does_not_matter(events: pl.DataFrame) -> None:
    parts = [play_noted(PLAN, first, 10, Notes(twins=4)).players for first in (20, 0, 10, 30)]
    apart = events_frame(pl.concat(parts)).sort("game", "seat", "step")
    drop = "seconds_per_decision"
    assert apart.drop(drop).equals(events.sort("game", "seat", "step").drop(drop))


def test_events_are_kept_and_continued_with_the_games(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run_noted(PLAN, Notes(twins=2), games=10, folder=folder, jobs=1, backend="threads")
    more = run_noted(PLAN, Notes(twins=2), games=14, folder=folder, jobs=1, backend="threads")
    assert more.new_games == 4
    stored = read_players(folder)
    assert stored.drop("seconds_per_decision").equals(more.players.drop("seconds_per_decision"))
    with pytest.raises(StoreError, match=r"notes\.twins is 2 there and 3 here"):
        run_noted(PLAN, Notes(twins=3), games=14, folder=folder, jobs=1, backend="threads")


def test_the_study_of_monasteries_tells_gains_by_phase_and_in_total() -> None:
    study = load_study("monasteries")
    result = run_study(study, games=60, jobs=1, backend="threads")
    frame = result.table(1)
    total = frame.filter(pl.col("stage").is_null())
    by_phase = frame.filter(pl.col("stage").is_not_null())
    assert total["seats"].sum() == by_phase["seats"].sum()
    assert total["value"].is_sorted(descending=True)
    for row in total.iter_rows(named=True):
        parts = by_phase.filter(pl.col("advantage") == row["advantage"])
        mean = (parts["value"] * parts["seats"]).sum() / parts["seats"].sum()
        assert row["value"] == pytest.approx(mean)
