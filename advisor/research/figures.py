"""The figures of a study: dots, lines, bars and heat maps with 95 % intervals, as SVG and PNG.

Owns how a table in long form is drawn. Needs matplotlib, an extra, which is imported when a figure
is drawn; no display is needed. Colours can be told apart by colour-blind readers, and series differ
in their markers, too.
"""

from __future__ import annotations

import importlib.util
import io
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from advisor.research.study_model import MEASURE, WIN, FigureSpec, Study, Table
from advisor.research.tables import ALL, label_of, natural, scale_of, unit_of, value_label

if TYPE_CHECKING:
    import polars as pl

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
INK = "#222222"
FAINT = "#777777"
GRID = "#E3E3E3"
WIDTH = 8.0
"""Inches."""

DOTS_PER_INCH = 160
PALETTE = 200
"""Colours of a PNG."""

ACROSS = 5
"""Panels side by side at most."""

_STYLE = {
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.labelsize": 9.5,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "svg.hashsalt": "advisor",
    "svg.fonttype": "path",
}
Row = Mapping[str, Any]


def is_installed() -> bool:
    """Return whether figures can be drawn."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(
    study: Study, spec: FigureSpec, long: pl.DataFrame, *, caption: str = ""
) -> dict[str, bytes]:
    """Return a figure as files: "svg" and "png".

    Args:
        study: what the figure is of.
        spec: what to draw.
        long: the table it shows, in long form.
        caption: who played how many games; stands below.

    """
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(_STYLE):
        sheet = _Sheet(study, spec, long.to_dicts())
        layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06)
        figure = Figure(figsize=sheet.size(), layout=layout)
        sheet.draw(figure)
        title = "\n".join(textwrap.wrap(spec.title or study.question, round(9 * sheet.size()[0])))
        figure.suptitle(title, x=0.01, ha="left", fontsize=12.5, fontweight="bold", color=INK)
        words = f"{sheet.remark()} {caption}.".strip()
        lines = "\n".join(textwrap.wrap(words, round(17.5 * sheet.size()[0])))
        figure.supxlabel(lines, x=0.01, ha="left", fontsize=7.5, color=FAINT)
        files = {}
        for kind, options in (
            ("svg", {"metadata": {"Date": None, "Creator": "advisor"}}),
            ("png", {"dpi": DOTS_PER_INCH, "metadata": {"Software": "advisor"}}),
        ):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=kind, facecolor="white", **options)
            files[kind] = buffer.getvalue() if kind == "svg" else _small(buffer)
    return files


def _small(image: io.BytesIO) -> bytes:
    """Return a PNG with as many colours as a figure needs: a third of the bytes."""
    from PIL import Image  # matplotlib needs it, too

    buffer = io.BytesIO()
    with Image.open(image) as full:
        full.convert("RGB").quantize(PALETTE, method=Image.Quantize.MEDIANCUT).save(
            buffer, format="png", optimize=True
        )
    return buffer.getvalue()


class _Sheet:
    """One figure: which rows stand in which panel, and how they are drawn."""

    def __init__(self, study: Study, spec: FigureSpec, rows: Sequence[Row]) -> None:
        self.study = study
        self.spec = spec
        self.table: Table = study.tables[spec.table]
        shown = self._measures()
        total = self.table.columns is not None and spec.kind != "heat"
        self.rows = [
            row
            for row in rows
            if row["measure"] in shown
            and row["value"] is not None
            and not (total and row.get(self.table.columns or "") is None)
        ]
        self.panels = self._values(spec.panels) if spec.panels else [None]
        self.series = self._values(spec.series) if spec.series else [None]

    # --- What stands where

    def _measures(self) -> tuple[str, ...]:
        spec = self.spec
        if spec.kind == "heat":
            return (spec.measure,) if spec.measure else ()
        return spec.x if spec.kind == "dots" else spec.y

    @property
    def _names(self) -> tuple[str, ...]:
        """The columns laid out along the axis of names."""
        return self.spec.y if self.spec.kind == "dots" else self.spec.x

    def _values(self, column: str) -> list[Any]:
        """Return the values of a column in the order of the table, numbers by size."""
        found = list(dict.fromkeys(row[column] for row in self.rows))
        if column == self.table.columns or (column != MEASURE and column not in self._names):
            found.sort(key=lambda value: (value is None, natural(value)))
        return found

    def _grid(self) -> tuple[int, int]:
        """Return how many panels stand below and beside each other."""
        if self.spec.panels:
            across = min(ACROSS, len(self.panels))
            return -(-len(self.panels) // across), across
        return 1, len(self._drawn())

    def _drawn(self) -> list[tuple[str, ...]]:
        """Return the measures of each panel: one each, unless they are the names of an axis."""
        measures = self._measures()
        if self.spec.kind == "heat" or MEASURE in self._names:
            return [measures]
        return [(name,) for name in measures]

    def _cases(self) -> list[tuple[tuple[str, ...], Any]]:
        """Return what each panel shows: measures, and the value of the column of panels."""
        return [(measures, panel) for measures in self._drawn() for panel in self.panels]

    def _in_panel(self, measures: tuple[str, ...], panel: Any) -> list[Row]:
        return [
            row
            for row in self.rows
            if row["measure"] in measures
            and (self.spec.panels is None or row[self.spec.panels] == panel)
        ]

    def _key(self, row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in self._names)

    def _spoken(self, key: tuple[Any, ...]) -> str:
        if MEASURE in self._names:
            return label_of(self.study, str(key[0]))
        return " ".join(ALL if part is None else f"{part}" for part in key)

    def size(self) -> tuple[float, float]:
        """Return width and height in inches."""
        down, _ = self._grid()
        cases = [self._in_panel(*case) for case in self._cases()] or [[]]
        longest = max(len({self._key(row) for row in rows}) for rows in cases)
        if self.spec.kind == "dots":
            each = 0.7 + 0.24 * longest * max(1, 0.55 * len(self.series))
            return WIDTH, 1.2 + down * max(1.3, each)
        if self.spec.kind == "heat":
            tall = len(self._values(self.spec.y[0]))
            wide = len(self._values(self.spec.x[0]))
            return min(WIDTH, 3.0 + 0.85 * wide), 1.4 + 0.3 * tall
        return WIDTH, 1.2 + down * 3.0

    def remark(self) -> str:
        """Return the words of the caption that say what is drawn."""
        words = []
        if self.spec.kind == "heat":
            words.append("± is half the 95 % interval; grey: it includes 0.")
        else:
            words.append("Error bars: 95 % intervals, from the spread between deals.")
        if WIN in self._measures() and not self.table.is_relative:
            words.append("Dashed: an even share.")
        return " ".join(words)

    # --- Drawing

    def draw(self, figure: Any) -> None:
        """Draw all panels."""
        if not self.rows:
            figure.text(0.5, 0.5, "nothing of this kind was played", ha="center", color=FAINT)
            return
        down, across = self._grid()
        cases = self._cases()
        axes = figure.subplots(down, across, squeeze=False).ravel()
        draw: Callable[..., None] = getattr(self, f"_{self.spec.kind}")
        for ax in axes[len(cases) :]:
            ax.remove()
        for at, (ax, (measures, panel)) in enumerate(zip(axes, cases, strict=False)):
            rows = self._in_panel(measures, panel)
            draw(ax, rows, measures)
            if self.spec.panels:
                ax.set_title(value_label(self.study, self.spec.panels, panel), color=INK)
                if at != (down - 1) * across + (len(cases) - (down - 1) * across) // 2:
                    ax.set_xlabel("")  # once is enough, and several would not fit
            elif self.spec.kind == "dots" and at:
                ax.tick_params(labelleft=False)
        if self.spec.panels and self.spec.kind == "dots":
            self._same_range(axes[: len(cases)])
        if self.spec.series:
            handles, labels = axes[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside upper right", ncols=len(labels))

    def _same_range(self, axes: Sequence[Any]) -> None:
        from matplotlib.ticker import MaxNLocator

        limits = [ax.get_xlim() for ax in axes]
        for ax in axes:
            ax.xaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 5, 10]))
            ax.set_xlim(min(low for low, _ in limits), max(high for _, high in limits))

    def _words(self, measure: str) -> str:
        """Return the label of an axis of numbers."""
        unit = unit_of(measure, relative=self.table.is_relative)
        name = label_of(self.study, measure)
        if self.table.relative is not None:
            alike = " and ".join(label_of(self.study, each) for each in self.table.relative)
            name += f" above the mean of {f'its {alike}' if alike else 'all'}"
        elif self.table.is_relative:
            name += " difference"
        return "\n".join(textwrap.wrap(f"{name} ({unit})" if unit else name, 44))

    def _of_series(self, rows: list[Row], value: Any) -> list[Row]:
        if self.spec.series is None:
            return rows
        return [row for row in rows if row[self.spec.series] == value]

    def _look(self, at: int, value: Any) -> dict[str, Any]:
        look: dict[str, Any] = {
            "color": COLOURS[at % len(COLOURS)],
            "marker": MARKERS[at % len(MARKERS)],
            "markersize": 4.8,
            "elinewidth": 1.3,
            "capsize": 2.2,
        }
        if self.spec.series:
            look["label"] = value_label(self.study, self.spec.series, value)
        return look

    def _reference(self, line: Callable[..., Any], rows: list[Row], colour: str) -> None:
        """Draw what would be expected: an even share of wins, or no difference."""
        signed = all(row["measure"] == "margin" or row["measure"].endswith("gain") for row in rows)
        if self.table.is_relative or signed:
            line(0, color=FAINT, linewidth=1, zorder=1)
        shares = {row["even"] for row in self.rows if row["even"] is not None}
        for even in {row["even"] for row in rows if row["even"] is not None}:
            own = colour if len(shares) > 1 else FAINT
            line(100 * even, color=own, linewidth=1, linestyle=(0, (4, 3)), zorder=1)

    def _dots(self, ax: Any, rows: list[Row], measures: tuple[str, ...]) -> None:
        keys = list(dict.fromkeys(self._key(row) for row in rows))
        place = {key: at for at, key in enumerate(keys)}
        for at, value in enumerate(self.series):
            own = self._of_series(rows, value)
            shift = 0.22 * (at - (len(self.series) - 1) / 2)
            values, errors = _numbers(own)
            spots = [place[self._key(row)] + shift for row in own]
            look = self._look(at, value)
            ax.errorbar(values, spots, xerr=errors, linestyle="none", **look)
            self._reference(ax.axvline, own, look["color"])
        ax.set_yticks(range(len(keys)), [self._spoken(key) for key in keys])
        ax.set_ylim(len(keys) - 0.4, -0.6)
        if len(self.series) > 1:
            for at in range(1, len(keys)):
                ax.axhline(at - 0.5, color=GRID, linewidth=0.8, zorder=0)
        ax.set_xlabel(self._words(measures[0]))
        if len(self._names) == 1 and ax.get_subplotspec().is_first_col() and not self.spec.panels:
            ax.set_ylabel(label_of(self.study, self._names[0]))
        ax.grid(visible=False, axis="y")

    def _lines(self, ax: Any, rows: list[Row], measures: tuple[str, ...]) -> None:
        keys = sorted({self._key(row) for row in rows}, key=lambda key: [natural(k) for k in key])
        numeric = len(self._names) == 1 and all(isinstance(key[0], int | float) for key in keys)
        spot = {key: key[0] if numeric else at for at, key in enumerate(keys)}
        apart = min((b - a for a, b in pairwise(sorted(spot.values()))), default=1)
        for at, value in enumerate(self.series):
            own = sorted(self._of_series(rows, value), key=lambda row: keys.index(self._key(row)))
            values, errors = _numbers(own)
            look = self._look(at, value)
            side = at - (len(self.series) - 1) / 2  # so that error bars stand beside each other
            spots = [
                spot[self._key(row)] * 1.03**side
                if self.spec.log
                else spot[self._key(row)] + 0.03 * apart * side
                for row in own
            ]
            ax.errorbar(spots, values, yerr=errors, linewidth=1.4, **look)
            self._reference(ax.axhline, own, look["color"])
        if self.spec.log:
            ax.set_xscale("log")
            ax.minorticks_off()
        ax.set_xticks([spot[key] for key in keys], [self._spoken(key) for key in keys])
        ax.set_xlabel(label_of(self.study, self._names[0]))
        ax.set_ylabel(self._words(measures[0]))

    def _bars(self, ax: Any, rows: list[Row], measures: tuple[str, ...]) -> None:
        keys = list(dict.fromkeys(self._key(row) for row in rows))
        wide = 0.75 / len(self.series)
        for at, value in enumerate(self.series):
            own = self._of_series(rows, value)
            shift = wide * (at - (len(self.series) - 1) / 2)
            values, errors = _numbers(own)
            label = {"label": value_label(self.study, self.spec.series, value)} if self.spec.series else {}  # fmt: skip  # noqa: E501
            ax.bar(
                [keys.index(self._key(row)) + shift for row in own],
                values,
                width=wide * 0.92,
                yerr=errors,
                color=COLOURS[at % len(COLOURS)],
                error_kw={"elinewidth": 1.2, "capsize": 2.5, "ecolor": INK},
                **label,
            )
        ax.axhline(0, color=FAINT, linewidth=1)
        names = [
            "\n".join(textwrap.wrap(self._spoken(key), 10, break_long_words=False)) for key in keys
        ]
        ax.set_xticks(range(len(keys)), names, fontsize=8 if len(keys) > 7 else None)
        if MEASURE in self._names:
            ax.set_ylabel("difference (points)" if self.table.is_relative else unit_of(measures[0]))
        else:
            ax.set_xlabel(label_of(self.study, self._names[0]))
            ax.set_ylabel(self._words(measures[0]))
        ax.grid(visible=False, axis="x")

    def _heat(self, ax: Any, rows: list[Row], measures: tuple[str, ...]) -> None:
        across, down = self.spec.x[0], self.spec.y[0]
        columns, lines = self._values(across), self._values(down)
        columns.sort(key=lambda value: (value is None, natural(value)))
        cells = {(row[down], row[across]): row for row in rows}
        scale = scale_of(measures[0])
        grid = [[_value(cells.get((line, column)), scale) for column in columns] for line in lines]
        known = [value for line in grid for value in line if math.isfinite(value)]
        most = max((abs(value) for value in known), default=1.0) or 1.0
        signed = self.table.is_relative or measures[0].endswith("gain")
        least = min(0.0, *known) if signed else min(known)
        look: dict[str, Any] = {"cmap": "Blues", "vmin": least, "vmax": max(known)}
        if least < -most / 5:  # else a few numbers just below 0 would take half the colours
            look = {"cmap": "RdBu", "vmin": -most, "vmax": most}
        image = ax.imshow(grid, aspect="auto", **look)
        for y, line in enumerate(lines):
            for x, column in enumerate(columns):
                row = cells.get((line, column))
                if row is not None:
                    part = (grid[y][x] - look["vmin"]) / ((look["vmax"] - look["vmin"]) or 1)
                    dark = abs(part - 0.5) > 0.35 if look["cmap"] == "RdBu" else part > 0.6
                    self._write(ax, x, y, row, scale, dark=dark)
        ax.set_xticks(range(len(columns)), [self._heading(across, value) for value in columns])
        ax.set_yticks(range(len(lines)), [self._heading(down, value) for value in lines])
        ax.tick_params(length=0, labeltop=True, labelbottom=False)
        ax.spines[:].set_visible(False)
        ax.grid(visible=False)
        if None in columns:
            ax.axvline(columns.index(None) - 0.5, color="white", linewidth=4)
        ax.figure.colorbar(image, ax=ax, label=self._words(measures[0]), shrink=0.6, aspect=30)

    def _heading(self, column: str, value: Any) -> str:
        return ALL if value is None else value_label(self.study, column, value, short=True)

    def _write(self, ax: Any, x: int, y: int, row: Row, scale: float, *, dark: bool) -> None:
        """Write a value into its cell, faintly where it may be nothing."""
        low, high = row["low"], row["high"]
        unsure = low is None or low <= 0 <= high
        colour = "white" if dark else FAINT if unsure else INK
        half = math.nan if low is None else scale * (high - low) / 2
        text = f"{scale * row['value']:.1f}"
        ax.text(x - 0.04, y, text, ha="right", va="center", color=colour, fontsize=8.5)
        if math.isfinite(half):
            ax.text(x, y, f"±{half:.1f}", ha="left", va="center", color=colour, fontsize=6.5)


def _value(row: Row | None, scale: float) -> float:
    return math.nan if row is None else scale * row["value"]


def _numbers(rows: list[Row]) -> tuple[list[float], list[list[float]]]:
    """Return the values, and how far the intervals reach below and above them."""
    values, below, above = [], [], []
    for row in rows:
        scale = scale_of(row["measure"])
        known = row["low"] is not None and row["high"] is not None
        values.append(scale * row["value"])
        below.append(max(0.0, scale * (row["value"] - row["low"])) if known else 0.0)
        above.append(max(0.0, scale * (row["high"] - row["value"])) if known else 0.0)
    return values, [below, above]
