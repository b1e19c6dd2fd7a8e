"""What a search may be told: budget, threads, memory, objective, and the constants of the tree.

Owns the bounds of every setting and the sentences for what lies outside them.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, replace

from advisor.core.simulation import MAX_THREADS
from advisor.errors import SettingError
from advisor.report.advice import Objective

SECONDS = 5.0
"""The budget where none is given."""

INDIFFERENCE = 0.5
MAX_SECONDS = 3 * 3600.0
MAX_ITERATIONS = 4_000_000_000
"""Visits are counted in 32 bits."""

GIBIBYTE = 1 << 30
MOST_MEMORY = 1 << 46
LEAST_MEMORY = 1 << 20
"""Bytes for each thread below which a tree is not worth its name."""

ENGINES = ("plans", "ismcts")
OBJECTIVES: tuple[Objective, ...] = ("win", "margin", "score")
_KINDS: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("seconds", (int, float, type(None)), "a number"),
    ("iterations", (int, type(None)), "a whole number"),
    ("threads", (int, type(None)), "a whole number"),
    ("seed", (int,), "a whole number"),
    ("memory", (int, str), "bytes, or a text such as 512M"),
    ("objective", (str,), "win, margin or score"),
    ("indifference", (int, float), "a number"),
)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@dataclass(frozen=True, slots=True)
class Tree:
    """The constants of the tree, settled by matches (bench/RESULTS.md)."""

    explore: float = 0.5
    """Weight of an action's uncertainty while the tree learns."""
    caution: float = 0.5
    """Weight of the same against an action when the best known play is followed."""
    scale: float = 15.0
    """Points of margin at which the utility is half-way to its bound."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a search is told besides the position.

    Raises:
        SettingError: a value out of bounds, or a budget of both kinds.

    """

    seconds: float | None = None
    iterations: int | None = None
    threads: int | None = None
    seed: int = 1
    memory: int | str = GIBIBYTE
    objective: Objective = "win"
    full: bool = False
    """Use the whole budget even when the answer is clear."""
    indifference: float = INDIFFERENCE
    """Points of difference that do not matter."""
    tree: Tree = Tree()
    engine: str | None = None
    """"plans" or "ismcts"; default plans where there is a model for the table."""

    def __post_init__(self) -> None:
        for name, kinds, words in _KINDS:
            value = getattr(self, name)
            if not isinstance(value, kinds) or isinstance(value, bool):
                raise SettingError(f"{name} is {value!r}; give {words}")
        if self.seconds is not None and self.iterations is not None:
            raise SettingError("a budget in seconds and one in iterations; give one of them")
        if self.seconds is not None and not 0 < self.seconds <= MAX_SECONDS:
            raise SettingError(
                f"{self.seconds:g} seconds; ask for more than 0 and at most {MAX_SECONDS:,.0f}"
            )
        if self.iterations is not None and not 0 < self.iterations <= MAX_ITERATIONS:
            raise SettingError(f"{self.iterations:,} iterations; ask for 1 to {MAX_ITERATIONS:,}")
        if self.threads is not None and not 1 <= self.threads <= MAX_THREADS:
            raise SettingError(
                f"{self.threads} threads; ask for 1 to {MAX_THREADS}, best {cores()} here"
            )
        if self.objective not in OBJECTIVES:
            raise SettingError(
                f"no objective is called '{self.objective}'; the objectives are "
                + ", ".join(OBJECTIVES)
            )
        if not (math.isfinite(self.indifference) and self.indifference >= 0):
            raise SettingError(f"an indifference of {self.indifference} points; ask for 0 or more")
        if self.bytes > MOST_MEMORY:
            raise SettingError(f"{self.memory} is more memory than any machine has")
        need = LEAST_MEMORY * self.workers
        if self.bytes < need:
            raise SettingError(
                f"{self.bytes:,} bytes of memory are too few for {self.workers} "
                f"thread{'s' if self.workers > 1 else ''}; give at least {need >> 20} MiB"
            )

    @property
    def workers(self) -> int:
        """The number of threads; by default one a core."""
        return self.threads if self.threads is not None else min(cores(), MAX_THREADS)

    @property
    def bytes(self) -> int:
        """The memory bound in bytes."""
        return read_memory(self.memory)

    def half(self, spent: float) -> Settings:
        """Return the same with half of the budget, after so many seconds are spent already."""
        if self.iterations is not None:
            return replace(self, iterations=max(1, self.iterations // 2))
        return replace(self, seconds=(spent + (self.seconds or SECONDS)) / 2)

    def without(self, seconds: float, iterations: int) -> Settings:
        """Return the same with what is left of the budget, at least a little."""
        if self.iterations is not None:
            return replace(self, iterations=max(1, self.iterations - iterations))
        return replace(self, seconds=max(0.01, (self.seconds or SECONDS) - seconds))

    @property
    def further_options(self) -> tuple[str, ...]:
        """What `--seed`, `--threads`, `--objective` and `--full` leave unsaid."""
        options = []
        if self.indifference != INDIFFERENCE:
            options.append(f"--indifference {self.indifference:g}")
        if self.bytes != GIBIBYTE:
            options.append(f"--memory {self.bytes}")
        if self.engine is not None:
            options.append(f"--engine {self.engine}")
        return tuple(options)

    @property
    def thinking_time(self) -> float | None:
        """The budget in seconds, None where iterations are counted."""
        if self.seconds is None and self.iterations is None:
            return SECONDS
        return self.seconds


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_memory(memory: int | str) -> int:
    """Return an amount of memory in bytes: a number, or a text such as "512M" or "1GiB".

    Raises:
        SettingError: no amount reads like this.

    """
    if isinstance(memory, int):
        return memory
    match = re.fullmatch(r"\s*(\d{1,20}(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", memory.lower())
    if not match:
        raise SettingError(f"'{memory}' is no amount of memory; write such as 512M or 1GiB")
    return int(float(match[1]) * _UNITS[match[2]])
