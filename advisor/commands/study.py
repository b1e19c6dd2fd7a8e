"""`advisor study`: a research question from its file to table, figure and Parquet."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from advisor.commands.match import worker_options
from advisor.commands.shared import as_json, format_option
from advisor.errors import SettingError

if TYPE_CHECKING:
    from advisor.research.study import StudyResult


@click.command("study")
@click.argument("name", metavar="NAME_OR_FILE", required=False)
@click.option("--list", "listing", is_flag=True, help="List the shipped studies and end.")
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    help="Keep games, tables and figures here; run again to continue. [default: study-NAME]",
)
@click.option("--games", type=int, help="Games of each combination. [default: the study's own]")
@click.option("--seed", type=int, help="The luck of all deals. [default: the study's own]")
@worker_options
@format_option
def command(
    name: str | None,
    listing: bool,
    output: str | None,
    games: int | None,
    seed: int | None,
    format_: str,
    **workers: Any,
) -> None:
    """Run a study: the shipped one of that name, or your own from a YAML file.

    A study plays one match for each combination of what varies and ends in tables, figures and a
    Parquet file in FOLDER. Finished games are kept whatever happens; the same command goes on where
    it stopped.

    \b
    Examples:
      advisor study --list
      advisor study boards --games 5000 -o results/boards
      advisor study my-study.yaml
    """
    if listing:
        click.echo(_listed(format_), nl=False)
        return
    if name is None:
        raise SettingError("which study? name one or its YAML file; advisor study --list names all")
    from advisor.commands.match import interrupted
    from advisor.commands.progress import MatchProgress
    from advisor.research.study import run_study
    from advisor.research.study_file import load_study

    study = load_study(name)
    folder = output or f"study-{study.name}"
    shown = MatchProgress()

    def tell(title: str, progress: Any) -> None:
        shown.title = title
        shown(progress)

    try:
        result = run_study(
            study,
            folder=folder,
            games=games,
            seed=seed,
            command=shlex.join(["advisor", *sys.argv[1:]]),
            progress=tell,
            **workers,
        )
    except KeyboardInterrupt:
        shown.clear()
        click.echo(interrupted(folder), err=True)
        sys.exit(130)
    shown.clear()
    click.echo(_printed(result, format_), nl=False)
    if result.note:
        click.echo(result.note, err=True)


def _listed(format_: str) -> str:
    from advisor.research.study_file import shipped

    studies = shipped()
    if format_ == "json":
        return as_json([{"study": name, "question": told} for name, told in studies.items()]) + "\n"
    wide = max(map(len, studies))
    return "".join(f"{name:{wide}}  {question}\n" for name, question in studies.items())


def _printed(result: StudyResult, format_: str) -> str:
    files = [str(path) for path in result.files]
    if format_ == "json":
        return as_json({**result.to_dict(), "files": files}) + "\n"
    from advisor.commands.progress import clock

    rate = result.new_games / max(1e-9, result.seconds)
    lines = [
        result.text(),
        f"{result.new_games:,} games played now in {clock(result.seconds)} ({rate:,.0f} a second). "
        "Written:",
        *(f"  {name}" for name in files),
    ]
    return "\n".join(lines) + "\n"
