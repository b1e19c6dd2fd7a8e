"""`advisor check`: only the verdict on each file."""

from __future__ import annotations

import click

from advisor.commands.shared import as_json, format_option


@click.command("check")
@click.argument("positions", metavar="POSITION...", nargs=-1, required=True)
@format_option
@click.pass_context
def command(ctx: click.Context, positions: tuple[str, ...], format_: str) -> None:
    """Say for each POSITION whether it is sound; if not, every fault with line and remedy.

    Faults go to stderr; the exit status is 1 if any file has one.

    \b
    Example:
      advisor check positions/burgundy/*.yaml
    """
    from advisor.core.loading import load
    from advisor.errors import PositionError

    verdicts = []
    for name in positions:
        problems: list[dict[str, object]] = []
        try:
            here = load(name)
        except PositionError as error:
            problems = [problem.to_dict() for problem in error.problems]
            if format_ == "text":
                click.echo(str(error), err=True)
        else:
            if format_ == "text":
                click.echo(f"{name}: sound, {_standing(here.to_move)}")
        verdicts.append({"file": name, "sound": not problems, "problems": problems})
    if format_ == "json":
        click.echo(as_json({"files": verdicts}))
    if not all(verdict["sound"] for verdict in verdicts):
        ctx.exit(1)


def _standing(to_move: str | None) -> str:
    """Say who decides."""
    if to_move is None:
        return "the game is over"
    return "waiting for chance" if to_move == "chance" else f"{to_move} to move"
