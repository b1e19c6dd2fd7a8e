"""`advisor match`: agents against each other, many games, results in a folder."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from advisor.commands.shared import as_json, format_option
from advisor.errors import SettingError

if TYPE_CHECKING:
    from advisor.research.match import MatchResult

F = TypeVar("F", bound=Callable[..., Any])


class ListingCommand(click.Command):
    """A command whose option `--agents` takes all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write `--agents a b` as `--agents a --agents b`."""
        spelled: list[str] = []
        listing = False
        for word in args:
            if word.startswith("-") and word != "-":
                listing = word == "--agents"
                if not listing:
                    spelled.append(word)
            elif listing:
                spelled += ["--agents", word]
            else:
                spelled.append(word)
        return super().parse_args(ctx, spelled)


def worker_options(command: F) -> F:
    """Add `--jobs`, `--backend` and `--cluster`."""
    for option in (
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on the Dask cluster of this scheduler, such as tcp://host:8786.",
        ),
        click.option(
            "--backend",
            type=click.Choice(["threads", "processes"]),
            help="Local workers. [default: threads, for agents written in Python processes]",
        ),
        click.option("--jobs", type=int, help="Workers. [default: all cores]"),
    ):
        command = option(command)
    return command


@click.command("match", cls=ListingCommand)
@click.option(
    "--agents",
    multiple=True,
    required=True,
    metavar="AGENT AGENT ...",
    help="Who plays: random, greedy, ismcts:iterations=1000, plans, advisor:seconds=0.05, "
    "novice, club, expert, master, my.module.Class.",
)
@click.option("--games", type=int, help="How many, rounded up to whole deals. [default: 1000]")
@click.option("--players", type=int, help="At each table. [default: as many as there are agents]")
@click.option("--boards", metavar="N,N,...", default="1", show_default=True, help="Boards, or all.")
@click.option("--same-board", is_flag=True, help="Everybody at a table has the same board.")
@click.option("--edition", type=int, default=2019, show_default=True, help="2011 or 2019.")
@click.option(
    "--castles",
    metavar="CELL",
    default="default",
    show_default=True,
    help="Where everybody starts: default (the centre, else the first castle), random, a cell.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The luck of all deals.")
@click.option("--fixed-seats", is_flag=True, help="Seat the agents as listed, in every game.")
@click.option(
    "--random-turns",
    type=int,
    default=0,
    help="Everybody's first so many turns are played at random.",
)
@click.option("--until-decided", is_flag=True, help="Stop when a sequential test has decided.")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Chance of a wrong verdict of that test, for either agent.",
)
@click.option(
    "--difference",
    type=float,
    default=0.1,
    show_default=True,
    help="Difference of win shares that the test is built for.",
)
@worker_options
@click.option(
    "-o", "--output", metavar="FOLDER", help="Keep the results here; run again to continue."
)
@format_option
def command(
    agents: tuple[str, ...],
    games: int | None,
    boards: str,
    fixed_seats: bool,
    output: str | None,
    format_: str,
    until_decided: bool,
    alpha: float,
    difference: float,
    jobs: int | None,
    backend: Any,
    cluster: str | None,
    **settings: Any,
) -> None:
    """Let agents play against each other and report who is better, by how much, and how surely.

    Every deal, with the same boards, tiles and dice, is played in every seating. The boards are
    dealt out evenly to the seats. With -o, finished games are kept whatever happens, and the same
    command goes on where it stopped.

    \b
    Examples:
      advisor match --agents ismcts:iterations=1000 greedy --games 200 -o results/
      advisor match --agents greedy random --players 4 --boards all --games 10000
      advisor match --agents ismcts:seconds=0.05 ismcts:seconds=0.1 --until-decided -o results/
    """
    from advisor.commands.progress import MatchProgress
    from advisor.research.match import run_match
    from advisor.research.plan import make_plan

    plan = make_plan(list(agents), boards=read_boards(boards), rotate=not fixed_seats, **settings)
    shown = MatchProgress()
    try:
        result = run_match(
            plan,
            games=games,
            folder=output,
            until_decided=until_decided,
            alpha=alpha,
            difference=difference,
            jobs=jobs,
            backend=backend,
            cluster=cluster,
            command=shlex.join(["advisor", *sys.argv[1:]]),
            progress=shown,
        )
    except KeyboardInterrupt:
        shown.clear()
        click.echo(interrupted(output), err=True)
        sys.exit(130)
    shown.clear()
    click.echo(_printed(result, format_, output), nl=False)


def interrupted(folder: str | None) -> str:
    """Return the sentence for Ctrl-C in the middle of games."""
    if folder is None:
        return "interrupted; no results were kept, as no folder was given with -o"
    return f"interrupted; what is finished is kept in {folder}, the same command continues"


def read_boards(text: str) -> list[int] | str:
    """Return the boards that `--boards` lists, or "all"."""
    if text.strip().lower() == "all":
        return "all"
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise SettingError(
            f"--boards {text}: give numbers parted by commas, such as 1,3,8, or all"
        ) from None


def _printed(result: MatchResult, format_: str, folder: str | None) -> str:
    from advisor.research.report import as_text
    from advisor.research.summary import summarize

    summary = summarize(result.players, agents=result.plan.labels)
    if format_ == "json":
        return (
            as_json(
                {
                    "game": result.plan.game,
                    "seed": result.plan.seed,
                    "settings": result.plan.settings,
                    "repeatable": result.plan.repeatable,
                    "folder": folder,
                    "test": result.test.to_dict() if result.test else None,
                    **summary.to_dict(),
                }
            )
            + "\n"
        )
    width = shutil.get_terminal_size((100, 24)).columns
    colour = sys.stdout is not None and sys.stdout.isatty()
    return as_text(summary, width=width, colour=colour) + "\n" + _closing(result, folder)


def _closing(result: MatchResult, folder: str | None) -> str:
    from advisor.commands.progress import clock

    lines = []
    if result.test is not None:
        lines.append(_verdict(result))
    rate = result.new_games / max(1e-9, result.seconds)
    kept = f" Kept in {folder}." if folder else ""
    lines.append(
        f"{result.new_games:,} games played now in {clock(result.seconds)} "
        f"({rate:,.1f} a second), seed {result.plan.seed}.{kept}"
    )
    counted = int(result.players["game"].n_unique())
    if result.test is not None and result.test.verdict is not None:
        lines.append(
            f"Counted are the {counted:,} games up to the verdict, later ones are dropped; as it "
            "stopped on success, the numbers above are a little more extreme than the truth."
        )
    elif result.kept_games is not None and result.kept_games > counted:
        lines.append(
            f"The folder holds {result.kept_games:,} games; the first {counted:,} were asked for."
        )
    if not result.plan.repeatable:
        lines.append("An agent decides by the clock: another run gives other games.")
    return "\n".join(lines) + "\n"


def _verdict(result: MatchResult) -> str:
    test = result.test
    assert test is not None
    built = (
        f"a sequential test for {100 * test.difference:g} points of win share, "
        f"error rate {100 * test.alpha:g} %"
    )
    if test.verdict is None:
        return f"Not decided after {test.deals:,} deals ({built})."
    first, second = result.plan.labels
    better, other = (first, second) if test.verdict == "A" else (second, first)
    return f"Decided after {test.deals:,} deals: {better} is better than {other} ({built})."
