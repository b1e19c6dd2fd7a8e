"""Tasks: any cut of a match gives the same rows, and the rows are what the games say."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from advisor.agents.playing import CHANCE, play
from advisor.core import registry
from advisor.research.plan import Plan, make_plan
from advisor.research.store import Store
from advisor.research.tasks import deal_of, margins, play_range, ranks

CLOCK = "seconds_per_decision"


class Moody:
    """Plays by what it remembers; it must not remember other games or other seats."""

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, position: Any, luck: random.Random) -> Any:
        actions = position.actions()
        self.asked += 1
        return actions[self.asked % len(actions)]


def played(plan: Plan, cuts: list[int]) -> tuple[pl.DataFrame, pl.DataFrame]:
    parts = [play_range(plan, a, b - a) for a, b in itertools.pairwise(cuts)]
    players = pl.concat([part.players.drop(CLOCK) for part in parts])
    return players, pl.concat([part.games for part in parts])


@pytest.mark.parametrize(
    ("listed", "given", "games"),
    [
        (["greedy", "random"], {"boards": "all", "castles": "random"}, 60),
        (["greedy", "random", "random"], {"players": 4, "edition": 2011}, 48),
        (["ismcts:iterations=12", "greedy"], {"boards": [1, 3]}, 14),
        (["ismcts:iterations=20,memory=1M"], {"players": 3}, 8),
        ([Moody, "greedy"], {}, 6),
        ([Moody], {"players": 3, "random_turns": 2}, 4),
    ],
)
def test_any_cut_of_a_match_gives_the_same_rows(
    listed: list[Any], given: dict[str, Any], games: int
) -> None:
    plan = make_plan(listed, seed=21, **given)
    players, actions = played(plan, [0, games])
    rng = random.Random(1)
    some = sorted(rng.sample(range(1, games), min(4, games - 2)))
    for cuts in ([*range(games + 1)], [0, *some, games]):
        again, actions_again = played(plan, cuts)
        assert again.equals(players)
        assert actions_again.equals(actions)


def test_columns_and_types_are_those_of_the_results_format() -> None:
    part = play_range(make_plan(["greedy", "random"], boards=[3, 8]), 0, 4)
    schema = part.players.schema
    types = {
        "game": pl.Int64,
        "deal": pl.Int64,
        "seating": pl.Int16,
        "seed": pl.Int64,
        "players": pl.Int8,
        "seat": pl.Int8,
        "agent": pl.String,
        "options": pl.String,
        "score": pl.Int32,
        "rank": pl.Int8,
        "won": pl.Boolean,
        "margin": pl.Int32,
        "points_phase_bonus": pl.Int32,
        "empty_cells": pl.Int16,
        "decisions": pl.Int32,
        CLOCK: pl.Float64,
    }
    assert {name: schema[name] for name in types} == types
    assert {"edition", "board", "castle"} <= schema.keys()
    assert part.games.schema == {
        "game": pl.Int64,
        "deal": pl.Int64,
        "seating": pl.Int16,
        "seed": pl.Int64,
        "actions": pl.List(pl.UInt32),
    }
    assert (part.first, part.count, part.games.height, part.players.height) == (0, 4, 4, 8)
    assert part.seconds > 0
    assert part.players.null_count().sum_horizontal().item() == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_rows_are_what_the_recorded_actions_lead_to(players: int) -> None:
    plan = make_plan(["greedy", "random"], players=players, seed=5, boards="all", castles="random")
    part = play_range(plan, 0, 2 * plan.games_per_deal)
    sources = registry.find(plan.game).SOURCES
    for row in part.games.iter_rows(named=True):
        rows = part.players.filter(game=row["game"]).sort("seat").to_dicts()
        start = registry.find_series(plan.game).start(
            players=players, seed=row["seed"], settings=plan.settings, seats=rows
        )
        rules, state = start.rules, start.packed
        assert state == deal_of(plan, row["deal"]).start
        codes, count = iter(row["actions"]), [0] * players
        while (mover := rules.to_move(state)) != -2:
            if mover == -1:
                state = rules.chance(state, row["seed"])
                continue
            code = next(codes)
            assert code in rules.legal(state)
            state = rules.apply(state, code)
            count[mover] += 1
        assert next(codes, None) is None
        end: Any = start.view(state)
        assert [seat["score"] for seat in rows] == list(end.scores().values())
        assert [end.names[i] for i, seat in enumerate(rows) if seat["won"]] == [end.winner()]
        assert [seat["decisions"] for seat in rows] == count
        for seat, points in zip(rows, rules.points(state), strict=True):
            named = {
                f"points_{name.replace(' ', '_')}": n
                for name, n in zip(sources, points, strict=True)
            }
            assert {name: seat[name] for name in named} == named
        assert [seat["empty_cells"] for seat in rows] == [
            end.empty_cells(i) for i in range(players)
        ]


def test_the_rows_are_what_the_game_step_by_step_ends_with() -> None:
    plan = make_plan(["greedy", "random", "greedy"], seed=6, boards=[5, 9])
    part = play_range(plan, 0, 1)
    dealt = deal_of(plan, 0)
    start = dealt.position.view(dealt.start)
    seated = [plan.agents[number] for number in plan.seating(0, 0)]
    steps = list(play(start, seated, plan.deal_seed(0)))
    rows = part.players.sort("seat")
    assert list(steps[-1].position.scores().values()) == rows["score"].to_list()
    counted = [sum(step.player == name for step in steps) for name in start.names]
    assert counted == rows["decisions"].to_list()
    assert sum(step.player != CHANCE for step in steps) == part.games["actions"].list.len()[0]


@pytest.mark.parametrize(("listed", "players"), [(["greedy", "random"], 2), (["random"], 4)])
def test_points_by_source_add_up_to_the_score(listed: list[str], players: int) -> None:
    frame = play_range(make_plan(listed, players=players, seed=2, boards="all"), 0, 200).players
    sources = [name for name in frame.columns if name.startswith("points_")]
    assert len(sources) == len(registry.find("burgundy").SOURCES)
    assert (frame.select(total=pl.sum_horizontal(sources))["total"] == frame["score"]).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rank_win_and_margin_agree_with_the_scores(players: int) -> None:
    frame = play_range(make_plan(["random"], players=players, seed=4), 0, 300).players
    for _, game in frame.sort("game", "seat").group_by("game", maintain_order=True):
        scores, rows = game["score"].to_list(), game["rank"].to_list()
        assert game["won"].sum() == 1
        winner = game["won"].to_list().index(True)
        assert scores[winner] == max(scores)
        for seat, score in enumerate(scores):
            others = scores[:seat] + scores[seat + 1 :]
            assert game["margin"][seat] == score - max(others)
            better = sum(other > score for other in others)
            shared = seat != winner and score == scores[winner]
            assert rows[seat] == 1 + better + shared
        assert rows.count(1) == 1


def test_ties_share_a_rank_except_that_the_winner_alone_is_first() -> None:
    scores = np.array([[50, 50, 40, 50], [10, 30, 30, 20], [7, 7, 7, 7]], np.int32)
    wins = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]], np.uint8)
    assert ranks(scores, wins).tolist() == [[2, 1, 4, 2], [4, 2, 1, 3], [1, 2, 2, 2]]
    assert margins(scores).tolist() == [[0, 0, -10, 0], [-20, 0, 0, -10], [0, 0, 0, 0]]


def test_agents_are_noted_with_label_and_all_options() -> None:
    plan = make_plan(["ismcts:iterations=3", "ismcts:iterations=3"], seed=1)
    frame = play_range(plan, 0, 2).players
    assert set(frame["agent"]) == {"ismcts:iterations=3", "ismcts:iterations=3 (2)"}
    for options in frame["options"]:
        assert json.loads(options) == plan.agents[0].options
    assert (frame[CLOCK] > 0).all()


def test_a_recorded_game_becomes_a_transcript_that_replays(tmp_path: Path) -> None:
    from advisor.research.transcript import transcript

    plan = make_plan(["greedy", "random", "greedy"], seed=9, boards="all", castles="random")
    with Store.open(tmp_path / "r", {"identity": plan.identity, "games": 6}) as store:
        part = play_range(plan, 0, 6)
        store.write(0, part.players, part.games)
    for number in (0, 5):
        found = transcript(tmp_path / "r", number)
        rows = part.players.filter(game=number).sort("seat")
        here: Any = found.start
        for player, text in found.lines:
            assert player == here.to_move
            here = here.apply(text)
        assert list(here.scores().values()) == rows["score"].to_list()
        assert list(found.agents.values()) == rows["agent"].to_list()
        assert here.winner() == found.winner
