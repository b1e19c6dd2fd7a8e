"""`advisor games`: single games of a results folder."""

from __future__ import annotations

import click

from advisor.commands.shared import as_data, as_json, emit, format_option


@click.group("games")
def command() -> None:
    """Single games out of the results of a match.

    \b
    Example:
      advisor games replay results/ --game 17 -o game17.txt
    """


@command.command("replay")
@click.argument("results", metavar="RESULTS")
@click.option("--game", "number", type=int, required=True, help="The number of the game, from 0.")
@click.option(
    "--start",
    metavar="FILE",
    help="Write the starting position here. [default: beside -o, ending in .yaml]",
)
@click.option("-o", "--output", metavar="FILE", help="Write the transcript to FILE, not to stdout.")
@format_option
def replay(results: str, number: int, start: str | None, output: str | None, format_: str) -> None:
    """Write a game of RESULTS as a transcript: its actions, rolls and deals, one a line.

    The transcript has been replayed and leads to the recorded scores. `advisor apply` reads it:

    \b
    Example:
      advisor games replay results/ --game 17 -o game17.txt
      advisor apply game17.yaml --file game17.txt
    """
    from pathlib import Path

    from advisor.research.transcript import transcript

    told = transcript(results, number)
    if output is not None and output != "-" and start is None:
        start = str(Path(output).with_suffix(".yaml"))
    if start is not None:
        emit(told.start.dump(), start)
    if format_ == "json":
        emit(as_json({**told.to_dict(), "start": as_data(told.start.dump())}), output)
        return
    emit(told.text(start), output)
