"""The built-in agents: random, greedy and ismcts, each by its options.

Owns their options with defaults and bounds. A maker is called with the policies of the game and the
options, and returns an agent of the kernel; its keyword arguments are the agent's options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from advisor.agents._agent import KernelAgent, PolicyAgent
from advisor.errors import SettingError
from advisor.search.settings import MAX_ITERATIONS, MAX_SECONDS, MOST_MEMORY, Tree, read_memory

ITERATIONS = 1_000
LEAST_MEMORY = 1 << 20
_TREE = Tree()


def _policy(policies: Sequence[str], name: str, agent: str) -> int:
    if name not in policies:
        raise SettingError(
            f"agent {agent}: this game has no policy '{name}'; its policies are "
            + ", ".join(policies)
        )
    return policies.index(name)


def make_random(policies: Sequence[str], /) -> KernelAgent:
    """Every legal action equally likely."""
    return PolicyAgent(_policy(policies, "uniform", "random"))


def make_greedy(policies: Sequence[str], /) -> KernelAgent:
    """One-step rules: what brings most at once, by the weights of the game."""
    return PolicyAgent(_policy(policies, "greedy", "greedy"))


def make_ismcts(
    policies: Sequence[str],
    /,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    c: float = _TREE.explore,
    scale: float = _TREE.scale,
    playouts: str = "uniform",
    objective: str = "margin",
    memory: str = "64M",
) -> KernelAgent:
    """Plain information-set tree search: `iterations` a decision, or CPU `seconds` a turn."""
    from advisor.agents._ismcts import IsmctsAgent

    if iterations is not None and seconds is not None:
        raise SettingError("agent ismcts: iterations and seconds; give one of them")
    if iterations is not None and not 1 <= iterations <= MAX_ITERATIONS:
        raise SettingError(f"agent ismcts: {iterations:,} iterations; give 1 to {MAX_ITERATIONS:,}")
    if seconds is not None and not 0 < seconds <= MAX_SECONDS:
        raise SettingError(
            f"agent ismcts: {seconds:g} seconds; give more than 0 and at most {MAX_SECONDS:,.0f}"
        )
    if c < 0 or scale <= 0:
        raise SettingError("agent ismcts: c must not be negative, and scale must be above 0")
    if objective not in ("margin", "score"):
        raise SettingError(
            f"agent ismcts: no objective '{objective}'; the objectives are margin, score"
        )
    size = read_memory(memory)
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise SettingError(f"agent ismcts: memory={memory}; give at least 1M")
    return IsmctsAgent(
        iterations=0 if seconds is not None else iterations or ITERATIONS,
        seconds=seconds or 0.0,
        explore=c,
        scale=scale,
        own_score=objective == "score",
        policy=_policy(policies, playouts, "ismcts"),
        memory=size,
    )


Maker = Callable[..., KernelAgent]

AGENTS: dict[str, Maker] = {"random": make_random, "greedy": make_greedy, "ismcts": make_ismcts}


def is_timed(name: str, options: dict[str, Any]) -> bool:
    """Tell whether an agent decides by the clock, so that its games cannot be repeated."""
    return name == "ismcts" and options.get("seconds") is not None
