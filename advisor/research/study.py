"""Studies from their file to table, figure and Parquet: `advisor.study` and the command run this.

Owns the conduct: one match for each combination of what varies, each in a folder of its own that is
continued after a crash, and the files a study ends in. What a study may say stands in `study_file`,
how its numbers come about in `tables`, how they are drawn in `figures`.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.errors import SettingError
from advisor.research.match import MatchResult, Progress, run_match
from advisor.research.noting import run_noted
from advisor.research.plan import MOST_GAMES
from advisor.research.store import Store, write_file
from advisor.research.study_file import load_study
from advisor.research.study_model import Combination, Study
from advisor.research.tables import NUMBER, as_markdown, measure
from advisor.research.twins import events_frame
from advisor.research.workers import Backend

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
NO_FIGURE = 'no figure was drawn: matplotlib is not installed; pip install "advisor[plots]"'


@dataclass(frozen=True, slots=True)
class StudyResult:
    """A study that has ended."""

    study: Study
    frame: pl.DataFrame
    """All tables in long form."""
    games: int
    """Games behind them."""
    new_games: int
    """Of these, played in this run."""
    seconds: float
    """Spent playing, in this run."""
    repeatable: bool
    """Whether another run gives the same numbers."""
    files: tuple[Path, ...]
    """What was written, figures last."""
    note: str | None
    """What the reader should know besides, such as that no figure could be drawn."""

    def table(self, number: int) -> pl.DataFrame:
        """Return one table in long form, counted from 1, without the columns of the others."""
        import polars as pl

        table = self.study.tables[number - 1]
        others = {name for other in self.study.tables for name in other.keys} - {*table.keys}
        return self.frame.filter(pl.col("table") == number).drop(*others)

    def caption(self) -> str:
        """Return who played how many games."""
        agents = " against ".join(self.study.agents)
        parts = len(self.study.combinations)
        words = [
            f"{self.games:,} games" + (f" in {parts} series" if parts > 1 else ""),
            f"agents: {agents}" if agents else "several agents",
            f"seed {self.study.seed}",
        ]
        return "; ".join(words)

    def markdown(self) -> str:
        """Return question, tables and figures as a page of Markdown."""
        lines = [f"# Study: {self.study.name}", "", self.text()]
        for path in self.files:
            if path.suffix == ".svg":
                lines += [f"![{self.study.question}]({path.name})", ""]
        return "\n".join(lines).rstrip() + "\n"

    def text(self) -> str:
        """Return the question, the tables and what their numbers are."""
        lines = [f"**{self.study.question}**", ""]
        for number, table in enumerate(self.study.tables, 1):
            lines.append(as_markdown(self.study, table, self.table(number)))
        lines += [
            f"{self.caption()}.",
            "± is half the 95 % interval, [ ] the interval itself, from the spread between deals.",
        ]
        if not self.repeatable:
            lines.append("An agent decides by the clock: another run gives other games.")
        return "\n".join([*lines, ""])

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: each table as a list of its rows in long form."""
        tables = [
            {"title": table.title, "rows": self.table(number).drop("table", "title").to_dicts()}
            for number, table in enumerate(self.study.tables, 1)
        ]
        return {
            "study": self.study.name,
            "question": self.study.question,
            "agents": list(self.study.agents),
            "seed": self.study.seed,
            "games": self.games,
            "new_games": self.new_games,
            "repeatable": self.repeatable,
            "tables": tables,
            "note": self.note,
        }


def run_study(
    study: Study,
    *,
    folder: str | Path | None = None,
    games: int | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    backend: Backend | None = None,
    cluster: str | None = None,
    command: str | None = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> StudyResult:
    """Run a study, or what is missing of it.

    Args:
        study: from `load_study`.
        folder: where games, tables and figures are kept; default nowhere.
        games: in each combination, instead of the study's own number.
        seed: the luck of all deals, instead of the study's own.
        jobs, backend, cluster: who works; see `run_match`.
        command: how the study was called, for the manifest.
        progress: called with the name of a combination and its progress after every task.

    Raises:
        SettingError: a setting out of bounds.
        StoreError: the folder is of another study, or cannot be used.
        AgentError: an agent of the user's own fails.
        KeyboardInterrupt: Ctrl-C; what is finished is kept.

    """
    wanted = games if games is not None else study.games
    if not 1 <= wanted <= MOST_GAMES:
        raise SettingError(f"{wanted:,} games; ask for 1 to {MOST_GAMES:,}")
    if seed is not None:
        if not -(2**63) <= seed < 2**63:
            raise SettingError(f"seed {seed}; give a whole number of at most 63 bits")
        study = study.with_seed(seed)
    root = Path(folder) if folder is not None else None
    with ExitStack() as stack:
        if root is not None:
            stack.enter_context(Store.open(root, _manifest(study, wanted, command)))
        results = []
        for combination in study.combinations:
            tell = None
            if progress is not None:
                tell = _teller(progress, study, combination)
            options: dict[str, Any] = {
                "games": wanted,
                "folder": None if root is None else root / combination.name,
                "jobs": jobs,
                "backend": backend,
                "cluster": cluster,
                "command": command or "advisor.study",
                "progress": tell,
            }
            if study.notes.any:
                result = run_noted(combination.plan, study.notes, **options)
            else:
                result = run_match(combination.plan, **options)
            results.append(result)
        return _told(study, results, root)


def _teller(
    progress: Callable[[str, Progress], None], study: Study, combination: Combination
) -> Callable[[Progress], None]:
    name = study.name if len(study.combinations) == 1 else f"{study.name} {combination.name}"
    return lambda progressed: progress(name, progressed)


def _manifest(study: Study, games: int, command: str | None) -> dict[str, Any]:
    """Return what is written about a study; each combination has a manifest of its own.

    More values may be added to what varies, so the combinations are no part of its identity.
    """
    identity = {
        "format": FORMAT,
        "study": study.name,
        "kind": study.kind,
        "seed": study.seed,
        "game": study.combinations[0].plan.game,
    }
    run = {"command": command or "advisor.study"}
    return {"identity": identity, "games": games * len(study.combinations), "run": run}


def _told(study: Study, results: list[MatchResult], root: Path | None) -> StudyResult:
    """Measure what was played, and write it."""
    import polars as pl

    frame = _joined(study, results)
    tables = [measure(frame, table, at) for at, table in enumerate(study.tables, 1)]
    first = ["table", "title"]
    keys = list(dict.fromkeys(key for table in study.tables for key in table.keys))
    long = pl.concat(tables, how="diagonal_relaxed")
    rest = [name for name in long.columns if name not in (*first, *keys)]
    result = StudyResult(
        study=study,
        frame=long.select(*first, *keys, *rest),
        games=sum(each.players["game"].n_unique() for each in results),
        new_games=sum(each.new_games for each in results),
        seconds=sum(each.seconds for each in results),
        repeatable=all(each.plan.repeatable for each in results),
        files=(),
        note=None,
    )
    return result if root is None else _written(result, root)


def _joined(study: Study, results: list[MatchResult]) -> pl.DataFrame:
    """Return the seats (or events) of all combinations, with what varies as columns."""
    import polars as pl

    frames = []
    for combination, result in zip(study.combinations, results, strict=True):
        frame = events_frame(result.players) if study.notes.twins else result.players
        labels = combination.plan.labels
        number = pl.col("agent").replace_strict(
            labels, list(range(1, len(labels) + 1)), return_dtype=pl.Int16
        )
        varied = [
            pl.lit(value).alias(name)
            for name, value in combination.values.items()
            if name not in frame.columns
        ]
        frames.append(frame.with_columns(number.alias(NUMBER), *varied))
    return pl.concat(frames, how="diagonal_relaxed")


def _written(result: StudyResult, root: Path) -> StudyResult:
    """Write Parquet, figures and page; each file comes into being whole."""
    from dataclasses import replace

    study = result.study
    parquet = root / f"{study.name}.parquet"
    buffer = io.BytesIO()
    result.frame.write_parquet(buffer)
    write_file(parquet, buffer.getvalue())
    figures: list[Path] = []
    note = None
    if study.figures:
        from advisor.research.figures import draw, is_installed

        if is_installed():
            for at, spec in enumerate(study.figures, 1):
                end = "" if at == 1 else f"-{at}"
                drawn = draw(study, spec, result.table(spec.table + 1), caption=result.caption())
                for kind, raw in drawn.items():
                    path = root / f"{study.name}{end}.{kind}"
                    write_file(path, raw)
                    figures.append(path)
        else:
            note = NO_FIGURE
    page = root / f"{study.name}.md"
    result = replace(result, files=(parquet, page, *figures), note=note)
    write_file(page, result.markdown().encode())
    return result


def study(
    name: str | Path,
    *,
    games: int | None = None,
    seed: int | None = None,
    folder: str | Path | None = None,
    jobs: int | None = None,
    backend: Backend | None = None,
    cluster: str | None = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> pl.DataFrame:
    """Run a study and return all its tables in long form: one row a group and measure.

    Args:
        name: of a shipped study such as "boards", or the path of a study file.
        games: in each combination, instead of the study's own number.
        seed: the luck of all deals, instead of the study's own.
        folder: where games, tables and figures are kept; a study that was broken off is continued
            there.
        jobs, backend, cluster: who works; see `advisor.match`.
        progress: called with the name of a combination and its progress after every task.

    Raises:
        SettingError: no such study, or a setting out of bounds.
        StudyError: the study file cannot be used.
        StoreError: the folder cannot be used.
        AgentError: an agent of the user's own fails.

    """
    return run_study(
        load_study(name),
        folder=folder,
        games=games,
        seed=seed,
        jobs=jobs,
        backend=backend,
        cluster=cluster,
        progress=progress,
    ).frame
