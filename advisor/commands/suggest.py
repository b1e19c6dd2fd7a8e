"""`advisor suggest`: the legal actions ranked, and the best whole turn."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from advisor.commands.shared import as_json, emit, format_option, position_argument
from advisor.errors import AdvisorError

if TYPE_CHECKING:
    from advisor.report.advice import Advice
    from advisor.search.engine import Search

TOP = 10
"""Rows of the table where nobody asks for more."""

LIVE_ROWS = 5


@click.command("suggest")
@position_argument
@click.option("--seconds", type=float, help="How long it may take. [default: 5]")
@click.option("--iterations", type=int, help="How many iterations instead: repeatable anywhere.")
@click.option("--threads", type=int, help="How many threads. [default: all cores]")
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The luck; same seed, same answer."
)
@click.option("--top", type=click.IntRange(min=1), help="How many rows to list. [text: 10]")
@click.option(
    "--objective",
    type=click.Choice(["win", "margin", "score"]),
    default="win",
    show_default=True,
    help="What to rank by; of equal win shares the better margin.",
)
@click.option("--turns", is_flag=True, help="Rank whole turns, not single actions.")
@click.option("--explain", is_flag=True, help="Compare the best with the runner-up.")
@click.option("--versus", metavar="ACTION", help="Compare the best with ACTION.")
@click.option("--full", is_flag=True, help="Use the whole budget even when the answer is clear.")
@click.option(
    "--indifference",
    type=float,
    default=0.5,
    show_default=True,
    help="Points of difference that do not matter.",
)
@click.option(
    "--engine",
    type=click.Choice(["plans", "ismcts"]),
    help="How to judge: plans by a learned value, or plain tree search. [default: plans]",
)
@click.option(
    "--memory", default="1GiB", show_default=True, help="Bound of the search trees, such as 512M."
)
@format_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write FILE, too: a page if it ends in .html, JSON if in .json, else the text.",
)
def command(
    position: str, top: int | None, format_: str, output: str | None, **settings: Any
) -> None:
    """Rank the legal actions of POSITION and spell out the best whole turn.

    Thinks for --seconds (or --iterations), stops early when the answer is clear, and solves the
    last round exactly. Ctrl-C gives the answer so far.

    \b
    Examples:
      advisor suggest positions/burgundy/midgame.yaml
      advisor suggest game.yaml --seconds 20 --explain -o report.html
      advisor suggest game.yaml --iterations 200000 --format json
    """
    began = time.monotonic()
    from advisor.core.loading import load
    from advisor.search.engine import Search

    here = load(position)
    page = output is not None and output.lower().endswith((".html", ".htm"))
    _check_output(output)
    settings["explain"] = settings["explain"] or page
    live = Live() if sys.stderr is not None and sys.stderr.isatty() else None
    search = Search(here, progress=live, **settings)
    search.count_from(began)
    try:
        advice = search.run()
    except KeyboardInterrupt:
        advice = search.answer_now()
    finally:
        if live is not None:
            live.clear()
    colour = sys.stdout is not None and sys.stdout.isatty()
    click.echo(_printed(advice, format_, top, colour=colour), nl=False)
    if output is not None and output != "-":
        kind = "json" if output.lower().endswith(".json") else "text"
        emit(_page(advice, top) if page else _printed(advice, kind, top, colour=False), output)


def _check_output(output: str | None) -> None:
    """Make sure before thinking that the answer can be written afterwards."""
    if output is None or output == "-":
        return
    if Path(output).is_dir():
        raise AdvisorError(f"{output}: cannot write the file: it is a directory")
    if not Path(output).absolute().parent.is_dir():
        raise AdvisorError(f"{output}: cannot write the file: its directory does not exist")


def _printed(advice: Advice, format_: str, top: int | None, *, colour: bool) -> str:
    if format_ == "json":
        return as_json(advice.to_dict(top)) + "\n"
    from advisor.report.as_text import as_text

    width = shutil.get_terminal_size((100, 24)).columns
    return as_text(advice, top=top or TOP, width=width, colour=colour)


def _page(advice: Advice, top: int | None) -> str:
    from advisor.core import registry
    from advisor.report.as_html import as_html

    table, css = registry.find(advice.position.game).draw_html(advice.position)
    return as_html(advice, table=table, css=css, top=top)


class Live:
    """The ranking on the terminal while the search runs, drawn over itself."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, search: Search) -> None:
        """Draw the ranking as it stands."""
        from advisor.report.as_text import live

        width = shutil.get_terminal_size((100, 24)).columns
        lines = live(search.glance(LIVE_ROWS), width=width - 1, rows=LIVE_ROWS)
        self.clear()
        self.drawn = len(lines)
        click.echo("\n".join(lines), err=True)

    def clear(self) -> None:
        """Take away what was drawn last."""
        if self.drawn:
            click.echo(f"\x1b[{self.drawn}F\x1b[J", nl=False, err=True)
        self.drawn = 0
