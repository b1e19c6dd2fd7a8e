"""The report as text and the live line: what stands there, and that it fits."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from advisor.errors import SettingError
from advisor.research.report import LEGEND, Running, _columns, as_text, one_line
from advisor.research.sequential import SequentialTest
from advisor.research.summary import summarize
from tests.research.frames import frame, game_rows, match

LONG = "ismcts:iterations=1000,explore=0.5,caution=0.5"
MATCH = match([LONG, "greedy"], 150, lambda label: 8.0 * (label == LONG))
SUMMARY = summarize(MATCH)


def line_of(text: str, start: str, *, after: str) -> str:
    part = text[text.index(after) :]
    return next(line for line in part.splitlines() if line.startswith(start))


def test_the_agents_table_tells_each_agents_numbers() -> None:
    greedy = SUMMARY.agents[1]
    line = line_of(as_text(SUMMARY), "greedy", after="Agents")
    assert re.split(r"\s{2,}", line) == [
        "greedy",
        "300",
        f"{100 * greedy.win.value:.1f} %",
        f"[{100 * greedy.win.low:.1f}, {100 * greedy.win.high:.1f}]",
        f"{greedy.score.value:.1f} ±{greedy.score.half:.1f}",
        f"{greedy.margin.value:+.1f} ±{greedy.margin.half:.1f}",
        f"{greedy.rank.value:.2f}",
        f"{greedy.rating.points:.0f}" if greedy.rating else "",
    ]


def test_every_part_is_there_and_explained() -> None:
    text = as_text(SUMMARY)
    assert text.startswith("300 games of 2 players: 150 deals in 2 seatings.\n")
    for heading in ("Agents (an even share of wins is 50.0 %)", "points by source", "by board"):
        assert heading in text
    assert "by seat" in text
    assert "Head to head" in text
    assert "regions" in text
    assert "1.5 ms" in text
    assert LEGEND in " ".join(text.split())
    assert "is unknown" not in text


def test_the_head_to_head_matrix_reads_from_the_row() -> None:
    ahead = SUMMARY.head_to_head[1]
    line = line_of(as_text(SUMMARY), "greedy", after="Head to head")
    share, points = f"{100 * ahead.ahead.value:.1f} %", f"{ahead.difference.value:+.1f}"
    assert re.search(rf"{re.escape(share)} {re.escape(points)} ±\d", line)
    assert line.endswith("·")


def test_long_labels_are_shortened_in_the_middle_and_explained() -> None:
    text = as_text(SUMMARY)
    short = line_of(text, "ismcts", after="Agents").split()[0]
    assert "…" in short
    assert short.startswith("ismcts:")
    assert short.endswith("=0.5")
    explained = line_of(text, short, after="Short names")
    assert explained.split() == [short, LONG]
    assert "Short names" not in as_text(summarize(match(["a", "b"], 3, lambda _: 0)))


def test_labels_that_shorten_alike_stay_apart() -> None:
    alike = [f"{'x' * 30}{number}{'y' * 30}" for number in range(3)]
    text = as_text(summarize(match(alike, 2, lambda _: 0)))
    names = [line.split("  ")[0] for line in text[text.index("Short names") :].splitlines()[1:4]]
    assert len(set(names)) == 3


@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("agents", [1, 2, 4, 7])
def test_no_line_is_wider_than_the_terminal(agents: int, width: int) -> None:
    rows: list[dict[str, object]] = []
    labels = [f"ismcts:iterations={10**k},explore=0.{k},日本" for k in range(agents)]
    luck = np.random.default_rng(2)
    for game in range(40):
        seated = [labels[k] for k in luck.integers(0, agents, 4)]
        scores = [(label, int(luck.integers(80, 300))) for label in seated]
        rows += game_rows(game, game // 2, game % 2, scores)
    text = as_text(summarize(frame(rows)), width=width)
    assert max(map(_columns, text.splitlines())) <= width


def test_colour_adds_only_colour() -> None:
    coloured = as_text(SUMMARY, colour=True)
    assert "\x1b[32m" in coloured  # the better agent is surely above an even share
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured) == as_text(SUMMARY)


def test_control_characters_of_a_label_do_not_reach_the_terminal() -> None:
    text = as_text(summarize(match(["evil\x1b[2J\n", "b"], 2, lambda _: 0)))
    assert "\x1b" not in text
    assert "evil\\x1b[2J\\n" in text


def test_unknown_errors_are_dashes_and_explained() -> None:
    text = as_text(summarize(MATCH.head(2)))
    assert "1 game of 2 players: 1 deal in 1 seating." in text
    assert "±-" in text
    assert "nan" not in text
    assert "- is unknown" in text
    assert "nan" not in as_text(summarize(MATCH, agents=["nobody"]))


def test_tables_of_different_sizes_have_a_column_of_even_shares() -> None:
    four = match(["a", "b", "c", "d"], 2, lambda _: 0)
    two = match(["a", "b"], 2, lambda _: 0, first_deal=2).with_columns(pl.col("game") + 100)
    text = as_text(summarize(pl.concat([four, two])))
    assert "games of 2 or 4 players" in text
    assert "even" in line_of(text, "agent", after="Agents")


def test_an_agent_alone_and_no_games_are_reported_too() -> None:
    alone = summarize(match(["greedy", "greedy"], 5, lambda _: 0))
    assert "Head to head" not in as_text(alone)
    assert re.fullmatch(r"greedy \d+\.\d ±\d+\.\d points", one_line(alone))
    nothing = summarize(MATCH.clear(), agents=["greedy"])
    assert as_text(nothing) == "No games.\n"
    assert one_line(nothing) == "no game finished yet"


# --- The live line


def test_the_live_line_says_who_leads_and_by_how_much() -> None:
    first, ahead = SUMMARY.agents[0].win, SUMMARY.head_to_head[0].difference
    assert one_line(SUMMARY) == (
        f"{LONG} {100 * first.value:.1f} % [{100 * first.low:.1f}, {100 * first.high:.1f}], "
        f"{ahead.value:+.1f} ±{ahead.half:.1f} points against greedy"
    )
    assert one_line(summarize(MATCH.head(2))).count("[") == 0


def test_the_live_line_fits_a_width() -> None:
    for width in (40, 60, 80):
        assert _columns(one_line(SUMMARY, width=width)) <= width
    assert one_line(SUMMARY, width=80).endswith("against greedy")


def test_with_more_agents_the_live_line_lists_them_best_first() -> None:
    players = match(["a", "b", "c"], 30, lambda label: {"a": 0.0, "b": 20.0, "c": 10.0}[label])
    assert re.findall(r"([abc]) \d", one_line(summarize(players))) == ["b", "c", "a"]


def chunks(players: pl.DataFrame, games: int, seed: int) -> list[pl.DataFrame]:
    """The frame in parts of a few games, in a random order."""
    parts = players.with_columns(part=pl.col("game") // games).partition_by("part")
    order = np.random.default_rng(seed).permutation(len(parts))
    return [parts[k].drop("part") for k in order]


@pytest.mark.parametrize("labels", [["a", "b"], ["a", "a", "b"], ["a", "b", "c"], ["a", "a"]])
def test_running_totals_say_the_same_as_the_whole_frame(labels: list[str]) -> None:
    agents = list(dict.fromkeys(labels))
    players = match(labels, 90, lambda label: 5.0 * (label == "a"))
    players = players.filter(pl.col("game") < players["game"].max())  # the last deal is incomplete
    running = Running(agents)
    assert one_line(running) == "no game finished yet"
    for part in chunks(players, 7, seed=5):
        running.add(part)
    whole, live = summarize(players, agents=agents).headline(), running.headline()
    assert (live.games, live.deals) == (whole.games, whole.deals)
    for one, other in zip(live.agents, whole.agents, strict=True):
        assert one.win.value == pytest.approx(other.win.value)
        assert (one.win.low, one.win.high) == pytest.approx((other.win.low, other.win.high))
        assert (one.score.value, one.score.se) == pytest.approx((other.score.value, other.score.se))
    assert (live.difference is None) == (whole.difference is None)
    assert one_line(running) == one_line(summarize(players, agents=agents))


def test_running_totals_refuse_an_agent_from_elsewhere() -> None:
    with pytest.raises(SettingError, match="'greedy', which does not take part"):
        Running([LONG]).add(MATCH)


def test_what_a_deal_says_is_the_difference_of_win_shares() -> None:
    players = frame(
        [
            *game_rows(0, 0, 0, [("a", 9), ("b", 8)]),
            *game_rows(1, 0, 1, [("b", 7), ("a", 8)]),
            *game_rows(2, 1, 0, [("a", 5), ("b", 8)]),
            *game_rows(3, 1, 1, [("b", 5), ("a", 8)]),
            *game_rows(4, 2, 0, [("a", 5), ("b", 8)]),
        ]
    )
    running = Running(["a", "b"], seatings=2)
    running.add(players)
    assert running.results().tolist() == [1, 0]  # deal 2 is not finished


def test_the_test_ends_at_the_same_deal_in_whatever_order_games_finish() -> None:
    ends = []
    for seed in range(4):
        running, test = Running([LONG, "greedy"], seatings=2), SequentialTest()
        for part in chunks(MATCH, 5, seed):
            running.add(part)
            running.feed(test)
        ends.append(test.to_dict())
    assert ends[0]["verdict"] == "A"
    assert ends[0]["deals"] < 150
    assert ends == ends[:1] * 4


def test_heavy_libraries_wait_until_they_are_needed() -> None:
    code = (
        "import sys, advisor.research.report, advisor.research.ratings;"
        "sys.exit(bool({'polars', 'openskill'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
