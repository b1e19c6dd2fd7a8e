"""How strong the program plays, in matches: `python -m bench.strength [ROW ...] [--scale 1.0]`.

Every row of the table in RESULTS.md is one match: the same deals in every seating, fresh luck from
`--seed`, one worker. Seconds of agents are CPU time for each turn. A row whose two agents are the
same is self-play; its mean score is what counts. Rows are told by their numbers; without any, all
are played. `--scale` makes all matches longer or shorter.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from advisor.research.match import run_match
from advisor.research.plan import make_plan
from advisor.research.summary import Summary, summarize

RULE = "ismcts:seconds=0.05,playouts=greedy"
FAST = "advisor:seconds=0.05"


@dataclass(frozen=True, slots=True)
class Row:
    """One match."""

    agent: str
    other: str
    games: int
    players: int = 2
    boards: str = "all"
    edition: int = 2019


ROWS = [
    Row(FAST, "ismcts:seconds=0.05", 200, boards="1"),
    Row(FAST, RULE, 200, boards="1"),
    Row("plans", RULE, 200, boards="1"),
    Row(FAST, RULE, 100),
    Row("plans", RULE, 100),
    Row(FAST, RULE, 100, edition=2011),
    Row(FAST, RULE, 60, players=3),
    Row("plans", RULE, 90, players=3),
    Row(FAST, RULE, 60, players=4),
    Row("plans", RULE, 80, players=4),
    Row("advisor:seconds=0.5", FAST, 60),
    Row(FAST, "plans", 200),
    Row(FAST, "plans", 60, players=3),
    Row(FAST, "plans", 60, players=4),
    Row("plans", "greedy", 2_000),
    Row("plans", "greedy", 900, players=3),
    Row("plans", "greedy", 800, players=4),
    Row("club", "novice", 2_000),
    Row("expert", "club", 1_000),
    Row("master", "expert", 60),
    Row("plans:objective=score", "plans:objective=score", 400, boards="1"),
    Row("plans:objective=score", "plans:objective=score", 200, players=4),
    Row("plans", "plans", 400, boards="1"),
    Row(f"{FAST},objective=score", f"{FAST},objective=score", 40, boards="1"),
    Row(f"{FAST},objective=score", f"{FAST},objective=score", 24, players=4),
    Row(FAST, FAST, 60, boards="1"),
]


def words(row: Row, found: Summary, seconds: float) -> str:
    """Return a row of the table."""
    first = found.agents[0]
    at = f"{row.players} players, " + ("random boards" if row.boards == "all" else "board 1")
    at += "" if row.edition == 2019 else f", {row.edition}"
    if row.agent == row.other:
        score = first.score
        match = f"`{row.agent}` against itself | {at} | {found.games}"
        return f"| {match} | {score.value:.1f} ± {1.96 * score.se:.1f} | | | {seconds:,.0f} s |"
    pairing = found.head_to_head[0]
    apart, ahead = pairing.difference, pairing.ahead
    scores = " : ".join(f"{agent.score.value:.1f}" for agent in found.agents)
    return (
        f"| `{row.agent}` against `{row.other}` | {at} | {found.games} | {scores} | "
        f"{apart.value:+.1f} ± {1.96 * apart.se:.1f} | {100 * ahead.value:.0f} % "
        f"[{100 * ahead.low:.0f}, {100 * ahead.high:.0f}] | {seconds:,.0f} s |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("rows", nargs="*", type=int, metavar="ROW")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=2026)
    asked = parser.parse_args()
    if any(not 1 <= number <= len(ROWS) for number in asked.rows):
        parser.error(f"rows are 1 to {len(ROWS)}")
    print(
        "| match | table | games | score | difference | ahead | time |",
        "|---" * 7,
        sep="\n",
        end="|\n",
    )
    for number in asked.rows or range(1, len(ROWS) + 1):
        row = ROWS[number - 1]
        plan = make_plan(
            [row.agent, row.other],
            players=row.players,
            boards="all" if row.boards == "all" else [int(row.boards)],
            edition=row.edition,
            seed=asked.seed + number,
        )
        began = time.monotonic()
        result = run_match(plan, games=max(2, int(asked.scale * row.games)), jobs=1)
        found = summarize(result.players, agents=plan.labels)
        print(words(row, found, time.monotonic() - began), flush=True)


if __name__ == "__main__":
    main()
