"""The tables of a study: groups of seats, what is measured of each, and how it is written.

Owns the long form (one row a group and measure) and its Markdown. Errors take the deal as the unit;
the same deal in several combinations is one unit as well, since its luck is the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.research.statistics import Floats, Mean, Share, mean_of_sums, share_of_sums
from advisor.research.study_model import WIN, Study, Table

if TYPE_CHECKING:
    import polars as pl

NUMBER = "agent_number"
"""Column: the place of a seat's agent in the list of agents, from 1."""

MEASURES = ("measure", "value", "se", "low", "high", "seats", "deals", "even")
"""Columns of the long form after the table and its keys."""

EVEN = "even"
"""What falls to everybody alike of all wins: 1 / players."""

LOPSIDED = 0.25
"""An interval whose middle is off its value by this part of its half width is written out."""

ALL = "all"
UNKNOWN = "-"
_LABELS = {
    "score": "score",
    "win": "wins",
    "margin": "margin",
    "rank": "rank",
    "gain": "gain",
    "margin_gain": "gain in margin",
    "win_gain": "gain in wins",
    "first_turn": "first turn",
    "seconds_per_decision": "seconds a decision",
}
_UNITS = {
    "score": "points",
    "win": "%",
    "margin": "points",
    "gain": "points",
    "margin_gain": "points",
    "win_gain": "percentage points",
}
_SHARES = (WIN, "win_gain")
"""Measures told in per cent."""


def label_of(study: Study, name: str) -> str:
    """Return what a column or measure is called."""
    if name in study.labels:
        return " ".join(study.labels[name].replace("{}", " ").split())
    if name.startswith("points_"):
        return name.removeprefix("points_").replace("_", " ")
    return _LABELS.get(name, name.replace("_", " "))


def value_label(study: Study, name: str, value: Any, *, short: bool = False) -> str:
    """Return what a value of a column is called: "4 players" where its label is "{} players".

    In short, a value that says what it is stands alone.
    """
    label = study.labels.get(name, "")
    if "{}" in label:
        return label.replace("{}", f"{value}")
    return f"{value}" if short else f"{label_of(study, name)} {value}"


def unit_of(name: str, *, relative: bool = False) -> str:
    """Return the unit of a measure, or of its differences; empty where it has none."""
    unit = "points" if name.startswith("points_") else _UNITS.get(name, "")
    return "percentage points" if relative and unit == "%" else unit


def scale_of(measure: str) -> float:
    """Return what the numbers of a measure are multiplied by where people read them."""
    return 100.0 if measure in _SHARES else 1.0


# --- Measuring


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the deals of one group gave."""

    deals: Floats
    counts: Floats
    sums: Floats


def measure(frame: pl.DataFrame, table: Table, number: int) -> pl.DataFrame:
    """Return a table in long form.

    Args:
        frame: one row a seat (or event), with the columns the table names.
        table: what to tell.
        number: of the table, from 1.

    """
    import polars as pl

    if table.agent is not None:
        frame = frame.filter(pl.col(NUMBER) == table.agent)
    chosen = _where(frame, table.where)
    for name in table.keys:
        chosen = chosen.filter(pl.col(name).is_not_null())
    levels = [table.keys, *([table.rows] if table.total else [])]
    rows: list[dict[str, Any]] = []
    for keys in levels:
        base = _baseline(frame, table, keys)
        for key, groups in _grouped(chosen, keys, table.measures).items():
            named = dict(zip(keys, key, strict=True))
            for name in table.measures:
                found = _estimate(groups[name], name, base, named, table)
                if name == WIN and not table.is_relative:
                    found["even"] = mean_of_sums(groups[EVEN].counts, groups[EVEN].sums).value
                rows.append({**named, "measure": name, **found})
    kinds = {name: chosen.schema[name] for name in table.keys}
    schema: dict[str, Any] = {
        "table": pl.Int16,
        "title": pl.String,
        **kinds,
        "measure": pl.String,
        **dict.fromkeys(("value", "se", "low", "high"), pl.Float64),
        **dict.fromkeys(("seats", "deals"), pl.Int64),
        "even": pl.Float64,
    }
    rows = _arranged(rows, table)
    full = [{"table": number, "title": table.title, **row} for row in rows]
    data = {name: [row.get(name) for row in full] for name in schema}
    return pl.DataFrame(data, schema=schema).with_columns(
        pl.col("value", "se", "low", "high", "even").fill_nan(None)
    )


def _where(frame: pl.DataFrame, wanted: Mapping[str, Sequence[Any]]) -> pl.DataFrame:
    """Return the rows that have one of the values wanted in every column named."""
    import polars as pl

    for name, values in wanted.items():
        if frame.schema[name] == pl.String:
            frame = frame.filter(pl.col(name).is_in([str(value) for value in values]))
        else:
            frame = frame.filter(pl.col(name).cast(pl.Float64).is_in([float(v) for v in values]))
    return frame


def _source(measure: str) -> str:
    return "won" if measure == WIN else measure


def _grouped(
    frame: pl.DataFrame, keys: Sequence[str], measures: Sequence[str]
) -> dict[tuple[Any, ...], dict[str, _Sums]]:
    """Return, for each value of the keys, what each deal gave of each measure."""
    import polars as pl

    columns = {name: _source(name) for name in (*measures, EVEN)}
    names = set(columns.values())
    sums = (
        frame.with_columns((1 / pl.col("players")).alias(EVEN))
        .group_by(*keys, "deal", maintain_order=True)
        .agg(
            *(pl.col(name).count().alias(f"{name}:count") for name in names),
            *(pl.col(name).cast(pl.Float64).sum().alias(f"{name}:sum") for name in names),
        )
        .sort("deal", maintain_order=True)
    )
    parts = sums.partition_by(*keys, as_dict=True, maintain_order=True) if keys else {(): sums}
    return {
        key: {
            name: _Sums(
                part["deal"].to_numpy(),
                part[f"{column}:count"].to_numpy().astype(np.float64),
                part[f"{column}:sum"].to_numpy(),
            )
            for name, column in columns.items()
        }
        for key, part in parts.items()
        if part.height
    }


def _baseline(
    frame: pl.DataFrame, table: Table, keys: Sequence[str]
) -> tuple[tuple[str, ...], dict[tuple[Any, ...], dict[str, _Sums]]]:
    """Return what groups are measured against, and by which of their keys it is found."""
    if not table.is_relative:
        return (), {}
    where = {name: values for name, values in table.where.items() if name not in table.baseline}
    frame = _where(frame, where | {name: (value,) for name, value in table.baseline.items()})
    wanted = keys if table.relative is None else table.relative
    alike = tuple(name for name in wanted if name in keys and name not in table.baseline)
    return alike, _grouped(frame, alike, table.measures)


def _estimate(
    group: _Sums,
    name: str,
    base: tuple[tuple[str, ...], dict[tuple[Any, ...], dict[str, _Sums]]],
    named: Mapping[str, Any],
    table: Table,
) -> dict[str, Any]:
    found: Mean | Share
    if table.is_relative:
        alike, groups = base
        others = groups.get(tuple(named[key] for key in alike), {}).get(name)
        found = difference(group, others) if others is not None else Mean(math.nan, math.nan, 0, 0)
    elif name == WIN:
        found = share_of_sums(group.counts, group.sums)
    else:
        found = mean_of_sums(group.counts, group.sums)
    return {
        "value": found.value,
        "se": found.se,
        "low": found.low,
        "high": found.high,
        "seats": int(group.counts.sum()),
        "deals": len(group.deals),
    }


def difference(one: _Sums, other: _Sums) -> Mean:
    """Return the mean of one group minus that of another, which may share deals or contain it.

    Each deal's part in either mean is known, so what both have in common cancels where it does.
    """
    first, second = mean_of_sums(one.counts, one.sums), mean_of_sums(other.counts, other.sums)
    deals = np.union1d(one.deals, other.deals)
    apart = np.zeros(len(deals))
    for sign, group, mean in ((1, one, first), (-1, other, second)):
        share = (group.sums - mean.value * group.counts) / group.counts.sum()
        apart[np.searchsorted(deals, group.deals)] += sign * share
    # As sure as the smaller of the two groups allows; of a single deal nothing can be said.
    clusters = min(len(one.deals), len(other.deals))
    error = (
        math.sqrt(clusters / (clusters - 1) * float(apart @ apart)) if clusters > 1 else math.nan
    )
    return Mean(first.value - second.value, error, first.count, clusters)


def natural(value: Any) -> tuple[Any, ...]:
    """Return a key that sorts as people do: numbers by size, also within words."""
    if isinstance(value, int | float):
        return (0, float(value), ())
    words = re.split(r"(\d+)", str(value))
    return (1, 0.0, tuple((int(w), "") if w.isdigit() else (-1, w) for w in words))


def _arranged(rows: list[dict[str, Any]], table: Table) -> list[dict[str, Any]]:
    """Return the rows in the order in which they are shown, as many as are shown."""

    def row_key(row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row[name] for name in table.rows)

    seats: dict[tuple[Any, ...], int] = {}
    values: dict[tuple[Any, ...], list[tuple[float, int]]] = {}
    for row in rows:
        key = row_key(row)
        if table.columns is None or table.columns in row:
            seats[key] = seats.get(key, 0) + row["seats"]
            if row["measure"] == table.sort:
                values.setdefault(key, []).append((row["value"], row["seats"]))
    order = sorted(seats, key=lambda key: [natural(part) for part in key])
    if table.most is not None:
        common = sorted(order, key=lambda key: -seats[key])[: table.most]
        order = [key for key in order if key in set(common)]
    if table.sort is not None:
        order.sort(key=lambda key: -_weighted(values.get(key, [])))
    place = {key: at for at, key in enumerate(order)}
    columns = {row.get(table.columns) for row in rows} if table.columns else set()
    across = {value: at for at, value in enumerate(sorted(columns - {None}, key=natural))}
    which = {name: at for at, name in enumerate(table.measures)}

    def position(row: Mapping[str, Any]) -> tuple[int, int, int]:
        column = across.get(row.get(table.columns or ""), len(across))
        return place[row_key(row)], column, which[row["measure"]]

    return sorted((row for row in rows if row_key(row) in place), key=position)


def _weighted(values: Iterable[tuple[float, int]]) -> float:
    """Return the mean of a row over its columns; rows without a number come last."""
    known = [(value, seats) for value, seats in values if math.isfinite(value)]
    total = sum(seats for _, seats in known)
    return sum(value * seats for value, seats in known) / total if total else -math.inf


# --- Writing


def as_markdown(study: Study, table: Table, long: pl.DataFrame) -> str:
    """Return a table as Markdown that is readable as it stands, too."""
    lines = [f"## {table.title}", ""]
    if not long.height:
        return "\n".join([*lines, "No seats of this kind were played.", ""])
    rows = long.to_dicts()
    if table.columns is None and table.rows:
        lines += _flat(study, table, rows)
    elif not table.rows:
        lines += _measures_as_rows(study, table, rows)
    else:
        for name in table.measures:
            if len(table.measures) > 1:
                lines += [f"### {_heading(study, name, table)}", ""]
            lines += _crossed(study, table, [row for row in rows if row["measure"] == name])
    return "\n".join(lines)


def _heading(study: Study, name: str, table: Table) -> str:
    unit = unit_of(name, relative=table.is_relative)
    words = label_of(study, name) + (f" ({unit})" if unit else "")
    return words[0].upper() + words[1:]


def _flat(study: Study, table: Table, rows: list[dict[str, Any]]) -> list[str]:
    """One row a group, a column for each measure."""
    head = [label_of(study, name) for name in table.rows]
    head += [_heading(study, name, table).lower() for name in table.measures] + ["seats"]
    body: dict[tuple[Any, ...], list[str]] = {}
    for row in rows:
        key = tuple(row[name] for name in table.rows)
        body.setdefault(key, [f"{part}" for part in key])
        body[key].append(_cell(row, rows, sign=table.is_relative))
    for row in rows:
        key = tuple(row[name] for name in table.rows)
        if len(body[key]) < len(head):
            body[key].append(f"{row['seats']:,}")
    return _grid(head, list(body.values()), left=len(table.rows))


def _measures_as_rows(study: Study, table: Table, rows: list[dict[str, Any]]) -> list[str]:
    head = ["", "difference" if table.is_relative else ALL]
    if table.columns is not None:
        head = ["", *_column_heads(study, table.columns, [row[table.columns] for row in rows])]
    body = []
    for name in table.measures:
        own = [row for row in rows if row["measure"] == name]
        cells = [_cell(row, own, sign=table.is_relative) for row in own]
        body.append([_heading(study, name, table), *cells])
    return _grid(head, body, left=1)


def _crossed(study: Study, table: Table, rows: list[dict[str, Any]]) -> list[str]:
    """Rows by columns, for one measure."""
    assert table.columns is not None
    columns = list(dict.fromkeys(row[table.columns] for row in rows))
    columns.sort(key=lambda value: (value is None, natural(value)))
    head = [label_of(study, name) for name in table.rows]
    head += _column_heads(study, table.columns, columns)
    body: dict[tuple[Any, ...], dict[Any, str]] = {}
    for row in rows:
        key = tuple(row[name] for name in table.rows)
        cell = _cell(row, rows, sign=table.is_relative)
        body.setdefault(key, {})[row[table.columns]] = cell
    lines = [
        [*(f"{part}" for part in key), *(cells.get(value, UNKNOWN) for value in columns)]
        for key, cells in body.items()
    ]
    return _grid(head, lines, left=len(table.rows))


def _column_heads(study: Study, column: str, values: Iterable[Any]) -> list[str]:
    unique = dict.fromkeys(values)
    return [ALL if value is None else value_label(study, column, value) for value in unique]


def _cell(row: Mapping[str, Any], alike: Sequence[Mapping[str, Any]], *, sign: bool) -> str:
    """Return a value and half its 95 % interval, all of a measure with the same digits.

    Intervals of shares near 0 or 1 reach further to one side; then all are written out.
    """
    name = row["measure"]
    scale = scale_of(name)
    if row["value"] is None:
        return UNKNOWN
    plus = "+" if sign or name == "margin" or name.endswith("gain") else ""
    halves = [_half(other) * scale for other in alike if other["measure"] == name]
    known = [half for half in halves if math.isfinite(half) and half > 0]
    digits = min(9, max(1, -math.floor(math.log10(np.median(known))))) if known else 1
    half = _half(row) * scale
    value = f"{row['value'] * scale:{plus}.{digits}f}"
    if not math.isfinite(half):
        return value
    if any(_is_lopsided(other) for other in alike if other["measure"] == name):
        return f"{value} [{row['low'] * scale:.{digits}f}, {row['high'] * scale:.{digits}f}]"
    return f"{value} ± {half:.{digits}f}"


def _is_lopsided(row: Mapping[str, Any]) -> bool:
    half = _half(row)
    return half > 0 and abs(row["high"] - row["value"] - half) > LOPSIDED * half


def _half(row: Mapping[str, Any]) -> float:
    if row["low"] is None or row["high"] is None:
        return math.nan
    return float(row["high"] - row["low"]) / 2


def _grid(head: list[str], body: list[list[str]], *, left: int) -> list[str]:
    """Return a Markdown table whose columns stand under each other."""
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in [head, *body]]
    widths = [max(3, *(len(line[at]) for line in escaped)) for at in range(len(head))]

    def row(cells: list[str]) -> str:
        padded = [
            f"{cell:<{width}}" if at < left else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rule = [
        "-" * width if at < left else "-" * (width - 1) + ":" for at, width in enumerate(widths)
    ]
    return [row(escaped[0]), row(rule), *map(row, escaped[1:]), ""]
