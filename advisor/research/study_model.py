"""What a study consists of, once its file has been read.

Owns the values: tables, figures, combinations of what varies. How they are written in YAML stands
in `study_file`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from advisor.research.noting import Notes
from advisor.research.plan import Plan

WIN = "win"
MEASURE = "measure"
"""In a figure: the measures of a table stand side by side."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a study: groups of seats, and what is measured of each."""

    title: str
    rows: tuple[str, ...]
    """Columns whose values make the rows; none: one row a measure."""
    columns: str | None
    """Column whose values stand side by side."""
    measures: tuple[str, ...]
    where: Mapping[str, tuple[Any, ...]]
    """Only seats with one of these values."""
    agent: int | None
    """Only seats of this agent, by its place in the list of agents, from 1."""
    relative: tuple[str, ...] | None
    """Measured against the mean of all seats that are alike in these columns, maybe in none."""
    baseline: Mapping[str, Any]
    """Or: against the seats that differ from the row in having these values."""
    sort: str | None
    """Measure by which rows are sorted, the greatest first; None: by their names."""
    most: int | None
    """Rows shown at most: those with most seats."""
    total: bool
    """Add a column for all together."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell the cells apart."""
        return self.rows if self.columns is None else (*self.rows, self.columns)

    @property
    def is_relative(self) -> bool:
        """Whether numbers are differences."""
        return self.relative is not None or bool(self.baseline)


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """One figure of a study; axes as a reader sees them."""

    kind: str
    table: int
    """The number of the table it shows, from 0."""
    x: tuple[str, ...]
    y: tuple[str, ...]
    measure: str | None
    """What colour tells in a heat map."""
    series: str | None
    """Column told by colour."""
    panels: str | None
    """Column with a panel for each value."""
    log: bool
    title: str | None


@dataclass(frozen=True, slots=True)
class Combination:
    """One value of everything that varies: a match of its own."""

    name: str
    values: Mapping[str, Any]
    plan: Plan


@dataclass(frozen=True, slots=True)
class Study:
    """A study that can be run."""

    name: str
    question: str
    kind: str
    games: int
    """In each combination."""
    seed: int
    notes: Notes
    """What is noted besides the results."""
    combinations: tuple[Combination, ...]
    tables: tuple[Table, ...]
    figures: tuple[FigureSpec, ...]
    labels: Mapping[str, str]
    """Words for columns and measures."""
    agents: tuple[str, ...]
    """As they are written in the file."""

    def with_seed(self, seed: int) -> Study:
        """Return the same study on other luck."""
        combinations = tuple(
            replace(each, plan=replace(each.plan, seed=seed)) for each in self.combinations
        )
        return replace(self, seed=seed, combinations=combinations)
