"""Whether the reported errors are true, and what equal worlds are worth.

    python -m bench.calibration [--positions NAME ...] [--seeds 60] [--iterations 5000 20000]
                                [--engine ismcts]

Repeats searches with many seeds. A value ± 1.96 standard errors ought to contain what the search
says on the average over all seeds in 95 % of the searches, and the z-scores ought to have the
standard deviation 1. That average is no truth about the game: a bias that all seeds share does not
show here. The factor of common random numbers is by how much the variance of a difference to the
best action grows where both see independent worlds instead of the same ones.

Two processes, one thread each. Tables in Markdown on stdout, progress on stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

import advisor
from advisor.search.race import MARGIN, TREES
from bench.test_search import shipped

POSITIONS = ["opening", "midgame", "second-turn-of-the-round", "three-players", "end-of-phase"]
MEASURES = ("margin", "win")
TOP = 5
VISITS = 32 * TREES
"""Visits of every candidate where worlds are compared: half of them are samples."""

Floats = NDArray[np.float64]


def searched(task: tuple[str, str, int, int]) -> tuple[Floats, Floats, list[int]]:
    """Search once; values and errors by action and measure, and the most visited actions."""
    name, engine, iterations, seed = task
    position = shipped(name)
    advice = advisor.suggest(
        position, engine=engine, iterations=iterations, threads=1, seed=seed, full=True
    )
    index = {str(action): i for i, action in enumerate(position.actions())}
    values = np.zeros((len(index), len(MEASURES)))
    errors = np.zeros_like(values)
    for ranked in advice.actions:
        for column, measure in enumerate(MEASURES):
            estimate = getattr(ranked, measure)
            values[index[ranked.action], column] = estimate.value
            errors[index[ranked.action], column] = estimate.se
    top = sorted(advice.actions, key=lambda ranked: -ranked.visits)[:TOP]
    return values, errors, [index[ranked.action] for ranked in top]


def coverage(runs: list[tuple[Floats, Floats, list[int]]]) -> list[str]:
    """Return the cells of a row: shares covered and spreads of z, for all actions and the top."""
    values = np.array([run[0] for run in runs])
    errors = np.array([run[1] for run in runs])
    z = (values - values.mean(axis=0)) / np.maximum(errors, 1e-9)
    top = np.array([z[i, run[2]] for i, run in enumerate(runs)])
    cells = []
    for column in range(len(MEASURES)):
        for scores in (z[:, :, column], top[:, :, column]):
            cells.append(f"{(np.abs(scores) <= 1.96).mean():.1%}")
            cells.append(f"{np.sqrt((scores**2).mean()):.2f}")
    return cells


def evenly(task: tuple[str, str, int]) -> Floats:
    """Visit all candidates equally often; the mean margin of each."""
    name, engine, seed = task
    search = advisor.Search(shipped(name), engine=engine, iterations=1, threads=1, seed=seed)
    (sampler,) = search._samplers()
    count = len(search.candidates.states)
    everybody = np.arange(count, dtype=np.int32)
    for _ in range(VISITS // TREES):  # in small rounds, as a search does
        sampler.run(everybody, np.full(count, TREES, dtype=np.int32))
    found = np.zeros((count, TREES, 2, 4))
    sampler.moments(0, found)
    margins: Floats = found[:, :, 0, 1 + MARGIN].mean(axis=1)
    return margins


def equal_worlds(margins: Floats) -> tuple[float, float, float]:
    """Return the factor of common random numbers: its median and quartiles over the actions.

    Args:
        margins: by seed and action; all actions of one seed met the same worlds. Actions of
            different seeds are independent, so the variance of their difference is the sum of
            both variances.

    """
    best = int(margins.mean(axis=0).argmax())
    others = np.delete(np.arange(margins.shape[1]), best)
    variance = margins.var(axis=0, ddof=1)
    same = (margins[:, others] - margins[:, [best]]).var(axis=0, ddof=1)
    known = same > 1e-12  # other orders of the same turn share everything
    factors = (variance[others] + variance[best])[known] / same[known]
    low, median, high = np.quantile(factors, [0.25, 0.5, 0.75])
    return float(median), float(low), float(high)


def report(options: argparse.Namespace, pool: ProcessPoolExecutor) -> Iterator[str]:
    """Yield the lines of both tables."""
    seeds = range(1, options.seeds + 1)
    yield f"Coverage of value ± 1.96 standard errors and spread of z, {options.seeds} seeds:"
    yield ""
    parts = [f"{m}, {which}" for m in MEASURES for which in ("all", f"top {TOP}")]
    head = " | ".join(f"{part} | z" for part in parts)
    yield f"| position | actions | iterations | {head} |"
    yield "|---" * (3 + 2 * len(parts)) + "|"
    for iterations in options.iterations:
        every = []
        for name in options.positions:
            tasks = [(name, options.engine, iterations, seed) for seed in seeds]
            runs = list(pool.map(searched, tasks))
            print(f"{name} at {iterations:,}", file=sys.stderr)
            row = coverage(runs)
            every.append([float(cell.rstrip("%")) for cell in row])
            yield f"| {name} | {len(runs[0][0])} | {iterations:,} | {' | '.join(row)} |"
        mean = np.array(every).mean(axis=0)
        cells = [f"{x:.1f}%" if i % 2 == 0 else f"{x:.2f}" for i, x in enumerate(mean)]
        yield f"| **mean** | | {iterations:,} | {' | '.join(cells)} |"
    yield ""
    yield f"Common random numbers: variance of a difference in margin, {VISITS} visits an action:"
    yield ""
    yield "| position | independent / same worlds, median over actions | quartiles |"
    yield "|---|---|---|"
    for name in options.positions:
        tasks_of_worlds = [(name, options.engine, seed) for seed in seeds]
        margins = np.array(list(pool.map(evenly, tasks_of_worlds)))
        median, low, high = equal_worlds(margins)
        yield f"| {name} | {median:.2f} | {low:.2f} to {high:.2f} |"


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench.calibration")
    parser.add_argument("--positions", nargs="+", default=POSITIONS, help="shipped ones")
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--iterations", type=int, nargs="+", default=[5_000, 20_000])
    parser.add_argument("--engine", choices=["ismcts", "plans"], default="ismcts")
    options: Any = parser.parse_args(arguments)
    with ProcessPoolExecutor(max_workers=2) as pool:
        for line in report(options, pool):
            print(line, flush=True)


if __name__ == "__main__":
    main()
