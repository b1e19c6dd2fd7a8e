"""`advisor actions`: every legal action now."""

from __future__ import annotations

import click

from advisor.commands.shared import as_json, format_option, position_argument


@click.command("actions")
@position_argument
@format_option
def command(position: str, format_: str) -> None:
    """Print every legal action in POSITION (a file, or - for standard input), one a line.

    \b
    Example:
      advisor actions positions/burgundy/opening.yaml
    """
    from advisor.core.loading import load

    here = load(position)
    texts = [str(action) for action in here.actions()]
    if format_ == "json":
        click.echo(as_json({"player": here.to_move, "actions": texts}))
        return
    if texts:
        click.echo("\n".join(texts))
    elif here.to_move == "chance":
        example = here.sample_chance(1)
        click.echo(f"nobody decides: the position waits for chance, such as '{example}'", err=True)
    else:
        click.echo("nobody decides: the game is over", err=True)
