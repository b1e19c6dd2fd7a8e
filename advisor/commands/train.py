"""`advisor train`: a learned value from nothing, by self-play."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from advisor.commands.match import read_boards
from advisor.errors import SettingError


@click.command("train")
@click.argument("game")
@click.option(
    "--players",
    default="2",
    show_default=True,
    metavar="N,N,...",
    help="At each table. Several: a model for each number, begun with the one before.",
)
@click.option(
    "--boards", default="all", show_default=True, metavar="N,N,...", help="Boards, or all."
)
@click.option(
    "--editions",
    default="2011,2019",
    show_default=True,
    metavar="YEAR,...",
    help="The deals take them in turn.",
)
@click.option(
    "--begin-with",
    metavar="MODEL",
    help="Let this model learn on, such as one for fewer players. [default: from nothing]",
)
@click.option(
    "--rounds",
    default="200",
    show_default=True,
    metavar="N,...",
    help="Of self-play and learning. One number for all models, or one for each; likewise:",
)
@click.option("--games", default="1000", show_default=True, metavar="N,...", help="Of each round.")
@click.option(
    "--compared-games",
    default="60",
    show_default=True,
    metavar="N,...",
    help="More of each round, in which the best turns are compared by rollouts.",
)
@click.option(
    "--compare-after",
    default="40",
    show_default=True,
    metavar="N,...",
    help="Rounds without such games.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The luck of everything.")
@click.option(
    "--threads",
    type=int,
    help="How many threads play; one more learns beside them. [default: all cores]",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FOLDER",
    help="Keep everything here; run again to continue.",
)
def command(
    game: str,
    players: str,
    boards: str,
    editions: str,
    begin_with: str | None,
    rounds: str,
    games: str,
    compared_games: str,
    compare_after: str,
    seed: int,
    threads: int | None,
    output: str,
) -> None:
    """Train models of GAME (burgundy) from nothing, by self-play.

    The net first learns from games of the greedy player, then from its own, and later also from
    games in which the best turns are compared by rollouts. Every ten rounds it meets the last
    accepted model in a match, and only a net that is clearly better is accepted: FOLDER/model.npz.
    Break it off at any time; the same command continues. More rounds extend it. With several
    numbers of players the models are in FOLDER/2p, FOLDER/3p and so on.

    \b
    Examples:
      advisor train burgundy --players 2 --rounds 200 -o training/2p
      advisor train burgundy --players 2,3,4 --rounds 200,100,100 --games 1000,600,400 -o training
    """
    from advisor.research.course import Course
    from advisor.research.training import Training

    tables = read_numbers("--players", players)
    if len(set(tables)) < len(tables):
        raise SettingError(f"--players {players}: a number is named twice; name each once")
    told = {
        "rounds": read_numbers("--rounds", rounds, len(tables)),
        "games": read_numbers("--games", games, len(tables)),
        "compared_games": read_numbers("--compared-games", compared_games, len(tables)),
        "compare_after": read_numbers("--compare-after", compare_after, len(tables)),
    }
    courses = [
        Course(
            game=game,
            players=table,
            seed=seed,
            settings={"boards": read_boards(boards)},
            editions=read_editions(editions),
            begin_with=str(Path(output, f"{tables[i - 1]}p", "model.npz")) if i else begin_with,
            **{name: numbers[i] for name, numbers in told.items()},
        )
        for i, table in enumerate(tables)
    ]
    for course in courses:
        folder = output if len(courses) == 1 else f"{output}/{course.players}p"
        training = Training(
            course, folder, threads=threads, tell=lambda line: click.echo(line, err=True)
        )
        try:
            model = training.run()
        except KeyboardInterrupt:
            click.echo(
                f"interrupted; what is finished is kept in {output}, the same command continues",
                err=True,
            )
            sys.exit(130)
        click.echo(curve(training.standing.log))
        if model is None:
            click.echo(
                f"no net has been accepted yet; more --rounds continue in {folder}", err=True
            )
            if waiting := tables[tables.index(course.players) + 1 :]:
                click.echo(
                    f"models for {', '.join(map(str, waiting))} players wait for it", err=True
                )
            break
        click.echo(f"{model}")


def read_numbers(option: str, text: str, count: int | None = None) -> list[int]:
    """Return the whole numbers that an option lists; where `count` says so, one for all or each."""
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise SettingError(f"{option} {text}: give whole numbers parted by commas") from None
    if count and len(numbers) not in (1, count):
        each = f", or {count}, one for each of --players" if count > 1 else ""
        raise SettingError(f"{option} {text}: give one number{each}")
    return numbers if len(numbers) == count or not count else numbers * count


def read_editions(text: str) -> tuple[int, ...]:
    """Return the editions that `--editions` lists."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise SettingError(
            f"--editions {text}: give years parted by commas, such as 2011,2019"
        ) from None


def curve(log: list[dict[str, float]], rows: int = 12, columns: int = 60) -> str:
    """Return the learning curve as text: mean points in self-play, round by round."""
    if not log:
        return "no round was played"
    scores = [entry["score"] for entry in log]
    low, high = min(scores), max(scores)
    step = max(1, -(-len(scores) // columns))
    shown = [
        sum(scores[i : i + step]) / len(scores[i : i + step]) for i in range(0, len(scores), step)
    ]
    lines = []
    for row in range(rows, -1, -1):
        level = low + (high - low) * row / rows
        marks = "".join("*" if score >= level else " " for score in shown)
        lines.append(f"{level:7.1f} |{marks}".rstrip())
    lines.append(f"        +{'-' * len(shown)} {len(scores)} rounds: mean points in self-play")
    return "\n".join(lines)
