"""What a match says: every number of a small frame by hand, and the frames that are not tidy."""

from __future__ import annotations

import json
import math

import numpy as np
import polars as pl
import pytest

from advisor.errors import SettingError
from advisor.research import statistics
from advisor.research.ratings import rate
from advisor.research.summary import Summary, summarize
from tests.research.frames import frame, game_rows, match

SMALL = frame(
    [
        *game_rows(0, 0, 0, [("a", 100), ("b", 90)]),
        *game_rows(1, 0, 1, [("b", 80), ("a", 110)]),
        *game_rows(2, 1, 0, [("a", 70), ("b", 95)]),
        *game_rows(3, 1, 1, [("b", 85), ("a", 95)]),
    ]
)


def agent(summary: Summary, label: str):  # type: ignore[no-untyped-def]
    return next(result for result in summary.agents if result.label == label)


def test_totals_and_means_of_a_small_match() -> None:
    found = summarize(SMALL)
    assert (found.games, found.deals, found.seatings, found.players) == (4, 2, 2, (2,))
    assert found.incomplete == 0
    a = agent(found, "a")
    assert (a.games, a.seats, a.even) == (4, 4, 0.5)
    assert a.win.value == 0.75
    assert a.score.value == 93.75
    # Deal sums 210 and 165 of two games each: off the mean by 22.5 either way.
    assert a.score.se == pytest.approx(math.sqrt(2 * 2 * 22.5**2 / 16))
    assert a.margin.value == pytest.approx((10 + 30 - 25 + 10) / 4)
    assert a.rank.value == 1.25
    assert {source: mean.value for source, mean in a.points.items()} == {
        "regions": 83.75,
        "goods": 10,
    }
    assert a.decisions == 50
    assert a.seconds == pytest.approx(0.0015)


def test_head_to_head_of_a_small_match() -> None:
    ab, ba = summarize(SMALL).head_to_head
    assert (ab.label, ab.other, ab.games, ab.pairings) == ("a", "b", 4, 4)
    assert ab.ahead.value == 0.75
    assert ba.ahead.value == 0.25
    assert ab.tied == 0
    assert ab.difference.value == 6.25
    assert ba.difference.value == -6.25
    # Deal sums 40 and -15: off twice the mean by 27.5 either way.
    assert ab.difference.se == pytest.approx(math.sqrt(2 * 2 * 27.5**2 / 16))


def test_scores_by_board_and_seat() -> None:
    found = summarize(SMALL)
    scores = {
        (group.column, group.value, cell.label): (cell.seats, cell.score.value)
        for group in found.groups
        for cell in group.cells
    }
    assert scores["seat", 1, "a"] == (2, 85)
    assert scores["seat", 2, "a"] == (2, 102.5)
    assert scores["seat", 1, None] == (4, 83.75)
    assert scores["board", 3, "b"] == (2, 92.5)
    assert [group.column for group in found.groups] == ["board", "board", "seat", "seat"]
    only_seats = summarize(SMALL, groups=("castle",))
    assert [group.column for group in only_seats.groups] == ["seat", "seat"]


def test_errors_agree_with_the_formulas_on_the_columns() -> None:
    players = match(["a", "b", "c"], 40, lambda label: 3.0 * (label == "b"))
    found = agent(summarize(players), "b")
    own = players.filter(pl.col("agent") == "b")
    assert found.score == statistics.mean(own["score"].to_numpy(), own["deal"].to_numpy())
    win = statistics.share(own["won"].to_numpy(), own["deal"].to_numpy())
    assert found.win == win


def test_agents_stand_in_the_order_asked_for() -> None:
    assert [result.label for result in summarize(SMALL).agents] == ["a", "b"]
    found = summarize(SMALL, agents=["absent", "b"])
    assert [result.label for result in found.agents] == ["absent", "b", "a"]
    absent = found.agents[0]
    assert absent.seats == 0
    assert math.isnan(absent.score.value)
    assert absent.to_dict()["win"]["value"] is None
    assert found.head_to_head[0].label == "b"


def test_the_order_of_rows_does_not_matter() -> None:
    players = match(["a", "b"], 30, lambda label: 2.0 * (label == "a"))
    shuffled = players.sample(fraction=1, shuffle=True, seed=3)
    assert summarize(shuffled, agents=["a", "b"]) == summarize(players, agents=["a", "b"])


def test_an_agent_alone_meets_nobody() -> None:
    players = match(["greedy", "greedy"], 20, lambda _: 0)
    found = summarize(players)
    (greedy,) = found.agents
    assert greedy.games * 2 == greedy.seats == 40
    assert greedy.win.value == 0.5
    assert greedy.rating is None
    assert found.head_to_head == ()
    assert found.headline().difference is None


def test_every_two_seats_of_a_game_are_a_pairing() -> None:
    players = frame(
        [
            *game_rows(0, 0, 0, [("a", 100), ("a", 80), ("b", 90)]),
            *game_rows(1, 1, 0, [("b", 70), ("a", 70), ("b", 60)]),
        ]
    )
    found = summarize(players)
    ab = found.head_to_head[0]
    assert (ab.games, ab.pairings) == (2, 4)
    # 100 : 90 ahead, 80 : 90 behind, 70 : 70 behind by the rank of the winner, 70 : 60 ahead.
    assert ab.ahead.value == 0.5
    assert ab.difference.value == pytest.approx((10 - 10 + 0 + 10) / 4)
    a = agent(found, "a")
    assert (a.games, a.seats) == (2, 3)
    assert a.win.value == pytest.approx(1 / 3)


def test_equal_ranks_count_as_ties() -> None:
    rows = game_rows(0, 0, 0, [("a", 100), ("b", 80), ("c", 80)])
    pairs = {(p.label, p.other): p for p in summarize(frame(rows)).head_to_head}
    assert pairs["b", "c"].tied == 1
    assert pairs["b", "c"].ahead.value == 0
    assert pairs["a", "c"].tied == 0


def test_an_incomplete_last_deal_is_counted_and_told() -> None:
    whole = match(["a", "b"], 10, lambda _: 0)
    found = summarize(whole.filter(pl.col("game") < 19))
    assert (found.games, found.deals, found.incomplete) == (19, 10, 1)
    assert agent(found, "a").seats == 19


def test_one_game_has_results_without_errors() -> None:
    found = summarize(SMALL.head(2))
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    a = data["agents"][0]
    assert a["score"] == {"value": 100.0, "se": None, "low": None, "high": None}
    assert a["win"]["value"] == 1
    assert a["win"]["low"] is None
    assert data["head_to_head"][0]["difference"]["value"] == 10


def test_no_games_at_all_are_no_error() -> None:
    found = summarize(SMALL.clear(), agents=["a"])
    assert found.games == 0
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["agents"][0]["seats"] == 0


def test_tables_of_different_sizes_share_a_frame() -> None:
    two = match(["a", "b"], 4, lambda _: 0)
    four = match(["a", "b", "c", "d"], 1, lambda _: 0, first_deal=4)
    found = summarize(pl.concat([two, four.with_columns(pl.col("game") + 100)]))
    assert found.players == (2, 4)
    assert found.incomplete == 0
    assert agent(found, "a").even == pytest.approx((8 * 0.5 + 24 * 0.25) / 32)
    assert agent(found, "d").even == 0.25


def test_labels_may_hold_any_characters() -> None:
    odd = ["", 'x" OR 1', "greedy:count", "日本\n"]
    found = summarize(match(odd, 2, lambda _: 0))
    assert [result.label for result in found.agents] == odd
    assert len(found.head_to_head) == 12


def test_missing_numbers_are_left_out() -> None:
    gaps = SMALL.with_columns(
        margin=pl.lit(None, dtype=pl.Int32),
        board=pl.when(pl.col("seat") == 1).then(pl.col("board")),
        decisions=pl.when(pl.col("game") < 3).then(50).otherwise(0),
        seconds_per_decision=pl.when(pl.col("game") < 3).then(0.25).otherwise(float("nan")),
    )
    found = summarize(gaps)
    assert math.isnan(found.agents[0].margin.value)
    assert found.agents[0].seconds == 0.25
    assert [group.value for group in found.groups if group.column == "board"] == [1]


def test_a_game_that_appears_twice_is_refused() -> None:
    with pytest.raises(SettingError, match="game 0 has seat 1 twice"):
        summarize(pl.concat([SMALL, SMALL]))


# --- Ratings


def games_by_rating(
    points: dict[str, float], games: int, seats: int, *, seed: int = 1
) -> pl.DataFrame:
    """Games whose ranks follow the rating model exactly, with every agent at random seats."""
    luck = np.random.default_rng(seed)
    labels = list(points)
    rows: list[dict[str, object]] = []
    for game in range(games):
        seated = luck.permutation(len(labels))[:seats]
        strength = np.array([points[labels[k]] for k in seated]) * math.log(10) / 400
        result = strength + luck.gumbel(size=seats)
        scores = [(labels[k], int(1000 * r)) for k, r in zip(seated, result, strict=True)]
        rows += game_rows(game, game // 2, game % 2, scores)
    return frame(rows)


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_find_the_strengths_that_made_the_games(seats: int) -> None:
    true = {"a": 1300.0, "b": 1450.0, "c": 1550.0, "d": 1700.0}
    found = rate(games_by_rating(true, 2000, seats))
    for label, points in true.items():
        assert found[label].points == pytest.approx(points, abs=45)
    assert found["d"].ordinal > found["a"].ordinal
    mu, sigma = found["a"].mu, found["a"].sigma
    assert found["a"].to_dict()["ordinal"] == pytest.approx(mu - 3 * sigma, abs=1e-3)


def test_many_games_are_thinned_by_whole_deals() -> None:
    players = games_by_rating({"a": 1400.0, "b": 1600.0}, 1000, 2)
    found = rate(players, most_games=300)
    assert found["a"].games == 300
    assert found["b"].points > found["a"].points
    assert found == rate(players.sample(fraction=1, shuffle=True, seed=1), most_games=300)


def test_an_agent_in_several_seats_is_rated_by_the_mean_of_its_seats() -> None:
    two = rate(frame(game_rows(0, 0, 0, [("a", 9), ("b", 8), ("b", 7), ("a", 6)])))
    four = rate(frame(game_rows(0, 0, 0, [("a", 9), ("b", 8), ("b+", 7), ("a+", 6)])))
    assert two["a"].mu == pytest.approx((four["a"].mu + four["a+"].mu) / 2)
    assert two["b"].sigma == pytest.approx((four["b"].sigma + four["b+"].sigma) / 2)
    better = rate(frame(game_rows(0, 0, 0, [("a", 9), ("a", 8), ("b", 7), ("b", 6)])))
    assert better["a"].points > better["b"].points
    assert better["a"].games == 1


def test_games_of_one_agent_against_itself_say_nothing() -> None:
    alone = game_rows(5, 5, 0, [("a", 9), ("a", 8)])
    assert rate(frame(alone)) == {}
    assert rate(pl.concat([SMALL, frame(alone)])) == rate(SMALL)
