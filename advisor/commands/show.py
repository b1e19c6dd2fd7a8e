"""`advisor show`: the table drawn in the terminal."""

from __future__ import annotations

import os
import shutil

import click

from advisor.commands.shared import as_data, as_json, format_option, position_argument


@click.command("show")
@position_argument
@click.option(
    "--width",
    type=click.IntRange(80, 1000),
    help="Columns to use. [default: the terminal's, at most 140]",
)
@click.option(
    "--color/--no-color", default=None, help="Colours on or off. [default: on in a terminal]"
)
@format_option
def command(position: str, width: int | None, color: bool | None, format_: str) -> None:
    """Draw POSITION: estates as hexagons, depots, goods, track and scores.

    \b
    Example:
      advisor show positions/burgundy/opening.yaml
    """
    from advisor.core import registry
    from advisor.core.loading import load

    here = load(position)
    if format_ == "json":
        click.echo(as_json(as_data(here.dump())))
        return
    if color is None and (os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"):
        color = False
    columns = width or max(80, min(140, shutil.get_terminal_size((100, 40)).columns))
    click.echo(registry.find(here.game).draw(here, width=columns), color=color)
