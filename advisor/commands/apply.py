"""`advisor apply`: the position after some actions."""

from __future__ import annotations

import re

import click

from advisor.commands.shared import (
    as_data,
    as_json,
    emit,
    format_option,
    output_option,
    position_argument,
)
from advisor.errors import ActionError


@click.command("apply")
@position_argument
@click.argument("actions", metavar="ACTION...", nargs=-1)
@click.option(
    "-f",
    "--file",
    "transcript",
    metavar="FILE",
    help="Read further actions from FILE (- for standard input), one a line; # begins a comment.",
)
@output_option
@format_option
def command(
    position: str,
    actions: tuple[str, ...],
    transcript: str | None,
    output: str | None,
    format_: str,
) -> None:
    """Print POSITION after the ACTIONs, as YAML.

    Rolls and deals are actions too, so a whole game can be replayed.

    \b
    Examples:
      advisor apply game.yaml "3 workers" "5 take mine from 5" end -o game.yaml
      advisor apply game.yaml "roll Anna 3 5 Ben 2 2 white 4"
      advisor apply start.yaml --file transcript.txt
    """
    from advisor.core.documents import read_file
    from advisor.core.loading import load

    steps = list(actions)
    if transcript is not None:
        if position == transcript == "-":
            raise click.UsageError("position and actions cannot both come from standard input")
        # A comment begins a line or stands between blanks: a player may be called #b.
        lines = (re.sub(r"^\s*#.*|\s#(\s.*)?$", "", x) for x in read_file(transcript).splitlines())
        steps += [line.strip() for line in lines if line.strip()]
    if not steps:
        raise click.UsageError("name at least one action, or a file of actions with --file")
    here = load(position)
    for number, text in enumerate(steps, start=1):
        try:
            here = here.apply(text)
        except ActionError as error:
            where = f"action {number} of {len(steps)}: " if len(steps) > 1 else ""
            raise ActionError(f"{where}{error}", error.nearby) from None
    text = here.dump()
    emit(text if format_ == "text" else as_json(as_data(text)), output)
