"""Whether more iterations help: how often short searches agree with a far longer one.

    python -m bench.agreement [--reference 1000000] [--seeds 5] [--cache FILE] [--svg]

A search's best action agrees where it is the reference's best, or equivalent to it: called so by
the reference, or worse by no more than half a point of margin in its eyes. It is not told apart
where the reference's own 95 % intervals of both differences, in wins and in margin, contain 0. Its
loss is how far below its own best the reference puts it; as the best is the one with the most
wins, a loss of margin may be negative. The reference has its own error and picks its best by it, so
some disagreement and some loss remain at any budget.

Positions: the shipped ones with a sampled decision, and decisions of random games. Two processes,
one thread each. Table in Markdown and curve on stdout; `--svg` writes bench/agreement.svg, too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import advisor
from bench.test_search import POSITIONS, decisions, shipped

BUDGETS = [1_000, 3_000, 10_000, 30_000]
WALKS = [(2 + walk % 3 // 2, 11 + walk, 9 + 11 * walk) for walk in range(10)]
"""Players, seed and number of the decision of each position from a random game."""

REFERENCE_SEED = 999
INDIFFERENCE = 0.5
Verdict = dict[str, tuple[bool, bool, float, float]]
"""By action: equivalent to the best, not told apart from it, loss of margin, loss of win share."""


def positions() -> list[str]:
    """Return the names of all positions."""
    names = []
    for path in sorted(POSITIONS.glob("*.yaml")):
        position = advisor.load(path)
        if position.to_move not in (None, "chance") and path.stem != "last-round":  # that is exact
            names.append(path.stem)
    return [*names, *(f"walk {walk}" for walk in range(len(WALKS)))]


def position_of(name: str) -> Any:
    """Return a position by its name."""
    if not name.startswith("walk "):
        return shipped(name)
    players, seed, number = WALKS[int(name.split()[1])]
    start = advisor.new_game("burgundy", players=players, seed=seed)
    return next(islice(decisions(start, seed), number, None))


def verdict(task: tuple[str, int]) -> tuple[str, Verdict]:
    """Search long and say what is thought of every action."""
    name, iterations = task
    advice = advisor.suggest(
        position_of(name),
        engine="ismcts",
        iterations=iterations,
        threads=1,
        seed=REFERENCE_SEED,
        full=True,
    )
    print(f"reference: {name}", file=sys.stderr, flush=True)
    found = {}
    for ranked in advice.actions:
        margin, win = ranked.difference["margin"], ranked.difference["win"]
        found[ranked.action] = (
            ranked.equivalent or -margin.value <= INDIFFERENCE,
            all(abs(part.value) <= 1.96 * part.se for part in (margin, win)),
            -margin.value,
            -win.value,
        )
    return name, found


def choice(task: tuple[str, int, int]) -> str:
    """Search and return the best action."""
    name, iterations, seed = task
    position = position_of(name)
    advice = advisor.suggest(
        position, engine="ismcts", iterations=iterations, threads=1, seed=seed, full=True
    )
    return advice.best.action


def references(pool: ProcessPoolExecutor, options: argparse.Namespace) -> dict[str, Verdict]:
    """Return the verdicts of the long searches, from the cache where they are there."""
    cached: dict[str, Any] = {}
    if options.cache and options.cache.exists():
        cached = json.loads(options.cache.read_text())
    found = cached.setdefault(f"{advisor.__version__} {options.reference}", {})
    missing = [(name, options.reference) for name in positions() if name not in found]
    found.update(pool.map(verdict, missing))
    if options.cache:
        options.cache.write_text(json.dumps(cached))
    verdicts: dict[str, Verdict] = found
    return verdicts


def curve(budgets: Sequence[int], shares: Sequence[float]) -> str:
    """Return the agreement as bars of text."""
    bars = []
    for budget, share in zip(budgets, shares, strict=True):
        bars.append(f"{budget:>9,} {'#' * round(50 * share):50} {share:.0%}")
    return "\n".join(bars)


def svg(budgets: Sequence[int], shares: Sequence[float], losses: Sequence[float]) -> str:
    """Return both curves over the logarithm of the budget."""
    width, height, edge = 480, 240, 40
    across = np.log(budgets)
    x = edge + (across - across[0]) / (across[-1] - across[0]) * (width - 2 * edge)
    most = max(*losses, 0.1)
    lines = []
    for numbers, scale, colour in ((shares, 1.0, "#1f5fa8"), (losses, most, "#b5482a")):
        y = height - edge - np.array(numbers) / scale * (height - 2 * edge)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
    for a, budget in zip(x, budgets, strict=True):
        lines.append(
            f'<text x="{a:.1f}" y="{height - edge / 2}" text-anchor="middle">{budget:,}</text>'
        )
    lines.append(f'<text x="{edge}" y="14" fill="#1f5fa8">agreement, 0 to 100 %</text>')
    lines.append(f'<text x="{edge}" y="30" fill="#b5482a">loss in points, 0 to {most:.1f}</text>')
    body = "\n".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'
    )


def mean_and_error(numbers: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of numbers by position and seed, and its error over the positions."""
    means = numbers.mean(axis=1)
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench.agreement")
    parser.add_argument("--reference", type=int, default=1_000_000, help="its iterations")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--cache", type=Path, help="file that keeps the long searches")
    parser.add_argument("--svg", action="store_true", help="write bench/agreement.svg")
    options = parser.parse_args(arguments)
    shares, losses = [], []
    with ProcessPoolExecutor(max_workers=2) as pool:
        known = references(pool, options)
        names = positions()
        print(
            f"{len(names)} positions, {options.seeds} seeds, "
            f"against {options.reference:,} iterations:\n"
        )
        head = ("iterations", "same best", "or equivalent", "not told apart", "margin", "wins")
        print(f"| {' | '.join(head[:4])} | loss of {' | loss of '.join(head[4:])} |")
        print("|---" * len(head) + "|")
        for budget in options.budgets:
            tasks = [(n, budget, seed) for n in names for seed in range(1, options.seeds + 1)]
            chosen = list(zip(tasks, pool.map(choice, tasks), strict=True))
            rows = []
            for (name, _, _), action in chosen:
                equal, close, margin, win = known[name][action]
                rows.append((action == next(iter(known[name])), equal, close, margin, 100 * win))
            table = np.array(rows, dtype=np.float64).reshape(len(names), options.seeds, -1)
            (same, _), (agree, spread), (apart, _), (margin, off), (win, win_off) = (
                mean_and_error(table[:, :, column]) for column in range(table.shape[2])
            )
            shares.append(agree)
            losses.append(margin)
            print(
                f"| {budget:,} | {same:.0%} | {agree:.0%} ± {spread:.0%} | {apart:.0%} "
                f"| {margin:.2f} ± {off:.2f} points | {win:.1f} ± {win_off:.1f} % |",
                flush=True,
            )
    print(f"\n{curve(options.budgets, shares)}")
    if options.svg:
        Path(__file__).with_name("agreement.svg").write_text(
            svg(options.budgets, shares, losses), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
