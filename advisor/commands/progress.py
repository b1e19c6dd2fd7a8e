"""How a match goes, on the terminal: a bar, games a second, the result so far, the time left.

Owns the display. On a terminal two lines are drawn over themselves a few times a second; elsewhere
a line is written now and then, so that logs of long runs tell how far they are.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from advisor.research.match import Progress

REDRAW = 0.25
"""Seconds between two drawings on a terminal."""

LOGGED = 30.0
"""Seconds between two lines where nobody watches."""


class MatchProgress:
    """Called with the progress of a match after every task; shows it on stderr.

    Args:
        title: what is being played, where there are several matches.

    """

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.watched = sys.stderr is not None and sys.stderr.isatty()
        self._shown = time.monotonic()
        self._drawn = 0

    def __call__(self, progress: Progress) -> None:
        """Show the progress, if it is time to."""
        now = time.monotonic()
        if now - self._shown < (REDRAW if self.watched else LOGGED):
            return
        self._shown = now
        lines = self.lines(progress)
        if not self.watched:
            click.echo("; ".join(line.strip() for line in lines), err=True)
            return
        self.clear()
        self._drawn = len(lines)
        click.echo("\n".join(lines), err=True)

    def lines(self, progress: Progress) -> list[str]:
        """Return the two lines that say how it goes."""
        from advisor.research.report import one_line

        width = shutil.get_terminal_size((100, 24)).columns - 1 if self.watched else 200
        share = progress.done / progress.asked
        words = [f"{progress.done:,} of {progress.asked:,} games"]
        if progress.seconds_left is not None:
            words += [f"{_rate(progress.rate)} a second", f"{clock(progress.seconds_left)} left"]
        if progress.test is not None:
            low, high = progress.test.bounds
            words.append(f"evidence {progress.test.llr:+.2f} of {low:.2f} .. {high:+.2f}")
        text = ", ".join(words)
        start = f"{self.title}  " if self.title else ""
        if self.watched:
            room = max(4, min(30, width - len(start) - len(text) - 4))
            filled = round(room * share)
            start += f"[{'#' * filled}{'.' * (room - filled)}] "
        return [(start + text)[:width], one_line(progress.running, width=width)]

    def clear(self) -> None:
        """Take away what was drawn last."""
        if self._drawn:
            click.echo(f"\x1b[{self._drawn}F\x1b[J", nl=False, err=True)
        self._drawn = 0


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def clock(seconds: float) -> str:
    """Return a length of time as people say it."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
