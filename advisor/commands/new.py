"""`advisor new`: a starting position."""

from __future__ import annotations

import secrets

import click

from advisor.commands.shared import as_data, as_json, emit, format_option, output_option
from advisor.errors import SettingError


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",")]


@click.command("new")
@click.argument("game")
@click.option("--players", type=int, default=2, show_default=True, help="How many play.")
@click.option(
    "--boards", metavar="N,N,...", help="Each player's board; one number for all. [default: 1]"
)
@click.option("--edition", type=int, default=2019, show_default=True, help="2011 or 2019.")
@click.option(
    "--castles",
    metavar="CELL,CELL,...",
    help="Each player's starting castle. [default: the centre, else the first castle cell]",
)
@click.option(
    "--names", metavar="NAME,NAME,...", help="The players' names in seat order; the first begins."
)
@click.option(
    "--seed",
    type=int,
    help="The luck of the set-up; the same seed gives the same start. [default: random]",
)
@output_option
@format_option
def command(
    game: str,
    players: int,
    boards: str | None,
    edition: int,
    castles: str | None,
    names: str | None,
    seed: int | None,
    output: str | None,
    format_: str,
) -> None:
    """Print a starting position of GAME (burgundy), dealt and rolled, the first player to decide.

    \b
    Example:
      advisor new burgundy --players 2 --boards 1,1 --seed 7 -o game.yaml
    """
    from advisor.core.registry import new_game

    chosen = secrets.randbelow(10**6) if seed is None else seed
    try:
        numbers = None if boards is None else [int(part) for part in boards.split(",")]
    except ValueError:
        raise SettingError(
            f"no boards '{boards}'; write numbers parted by commas, such as 1,3"
        ) from None
    position = new_game(
        game,
        players=players,
        seed=chosen,
        boards=numbers,
        edition=edition,
        castles=_listed(castles),
        names=_listed(names),
    )
    if seed is None:
        click.echo(f"seed {chosen}", err=True)
    text = position.dump()
    emit(text if format_ == "text" else as_json(as_data(text)), output)
