"""`advisor simulate`: play a position out at random and report the distribution."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING

import click

from advisor.commands.shared import as_json, format_option, position_argument

if TYPE_CHECKING:
    from advisor.core.simulation import Simulation

LONG = 200_000
"""From so many playouts on a progress bar is shown."""


@click.command("simulate")
@position_argument
@click.option(
    "--playouts", type=int, default=10_000, show_default=True, help="How many games to play out."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The luck; same seed, same result."
)
@click.option("--threads", type=int, help="How many threads. [default: all cores]")
@format_option
def command(position: str, playouts: int, seed: int, threads: int | None, format_: str) -> None:
    """Play POSITION out many times, every legal action equally likely, and report scores and wins.

    The players here play at random: this measures the position for random players, it is not
    advice.

    \b
    Example:
      advisor simulate positions/burgundy/midgame.yaml --playouts 100000
    """
    from advisor.core.loading import load
    from advisor.core.simulation import simulate

    here = load(position)
    started = time.perf_counter()
    if playouts >= LONG and sys.stderr.isatty():
        with click.progressbar(length=playouts, label="playing", file=sys.stderr) as bar:
            result = simulate(here, playouts, seed=seed, threads=threads, progress=bar.update)
    else:
        result = simulate(here, playouts, seed=seed, threads=threads)
    seconds = time.perf_counter() - started
    if format_ == "json":
        click.echo(as_json({"game": here.game, **result.to_dict(), "seconds": round(seconds, 3)}))
    else:
        click.echo(report(result, seconds))


def report(result: Simulation, seconds: float) -> str:
    """Return the results as text."""
    wide = max(8, *(len(name) for name in result.names))
    lines = [
        f"{'':{wide}}   wins            mean score      sd     5 %   25 %   50 %   75 %   95 %"
    ]
    for name in result.names:
        win = f"{100 * result.win_rate(name):5.1f} % ± {100 * result.win_se(name):.1f}"
        se = result.sd(name) / math.sqrt(result.playouts)
        score = f"{result.mean(name):6.1f} ± {se:.2f}"
        quantiles = "".join(f"{value:7.0f}" for value in result.quantiles(name).values())
        lines.append(f"{name:{wide}}   {win:14}  {score:14} {result.sd(name):5.1f} {quantiles}")
    lines += ["", "mean points to come, by source"]
    long = max(len(source) for source in result.sources)
    lines.append(" " * (long + 2) + "".join(f"{name[:12]:>14}" for name in result.names))
    points = [result.points(name) for name in result.names]
    for source in result.sources:
        lines.append(f"  {source:{long}}" + "".join(f"{by[source]:14.1f}" for by in points))
    lines.append(f"  {'together':{long}}" + "".join(f"{sum(by.values()):14.1f}" for by in points))
    if result.certain:
        return "\n".join(
            [*lines, "", "the game is over: nothing is left to play, the scores are final"]
        )
    rate = result.playouts / seconds if seconds > 0 else 0
    lines += [
        "",
        f"{result.playouts:,} playouts at random, {result.decisions:,} decisions, "
        f"seed {result.seed}, {result.threads} thread{'s' if result.threads > 1 else ''}, "
        f"{seconds:.2f} s ({rate:,.0f} a second)",
        "± is one standard error; 5 % to 95 %: so many of the playouts score at most this",
    ]
    return "\n".join(lines)
