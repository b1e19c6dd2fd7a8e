"""The built-in agents by their options, and levels for people to play against.

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
ROLLOUTS = 200
MAX_ROLLOUTS = 1_000_000_000
MOST_PLANS = 64
MOST_WIDTH = 10_000
MOST_TURNS = 25
MOST_REPLIES = 8
MOST_POSITIONS = 100_000
"""Of one turn; each takes about a kilobyte."""

OBJECTIVES = ("margin", "score")
SHIPPED = "shipped"
MASTER_SECONDS = 0.2
LEAST_MEMORY = 1 << 20
_TREE = Tree()


def _policy(policies: Sequence[str], name: str, agent: str) -> int:
    if name not in policies:
        raise SettingError(
            f"agent {agent}: this game has no policy '{name}'; its policies are "
            + ", ".join(policies)
        )
    return policies.index(name)


def _own_score(agent: str, objective: str) -> bool:
    if objective not in OBJECTIVES:
        raise SettingError(
            f"agent {agent}: no objective '{objective}'; the objectives are {', '.join(OBJECTIVES)}"
        )
    return objective == "score"


def make_random(policies: Sequence[str], /) -> KernelAgent:
    """Every legal action equally likely."""
    return PolicyAgent(_policy(policies, "uniform", "random"))


def make_greedy(policies: Sequence[str], /, *, slips: float = 0.0) -> KernelAgent:
    """One-step rules: what brings most at once; `slips` is the chance of any other action."""
    if not 0 <= slips <= 1:
        raise SettingError(f"agent greedy: slips={slips:g}; give a chance of 0 to 1")
    return PolicyAgent(_policy(policies, "greedy", "greedy"), slips)


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
    size = read_memory(memory)
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise SettingError(f"agent ismcts: memory={memory}; give 1M to {MOST_MEMORY >> 40}T")
    return IsmctsAgent(
        iterations=0 if seconds is not None else iterations or ITERATIONS,
        seconds=seconds or 0.0,
        explore=c,
        scale=scale,
        own_score=_own_score("ismcts", objective),
        policy=_policy(policies, playouts, "ismcts"),
        memory=size,
    )


def _net_for(model: str) -> Callable[[str, int], Any]:
    """Return what finds the net for a game and a number of players: a file, or what is shipped."""

    def find(game: str, players: int) -> Any:
        from advisor.learning import model as models

        if model == SHIPPED:
            return models.shipped(game, players).net
        found = models.load(model.replace("{players}", str(players)))
        made_for = found.provenance.get("players", players)
        if made_for != players:
            raise SettingError(
                f"{found.name}: a model for {made_for} players, and {players} are at the table"
            )
        return found.net

    return find


def _check_counts(agent: str, **bounds: tuple[int, int]) -> None:
    """Refuse options that are not 1 to their bound."""
    for name, (given, most) in bounds.items():
        if not 1 <= given <= most:
            raise SettingError(f"agent {agent}: {name}={given}; give 1 to {most:,}")


def make_plans(
    policies: Sequence[str],
    /,
    *,
    model: str = SHIPPED,
    width: int = 12,
    limit: int = 3_000,
    objective: str = "margin",
) -> KernelAgent:
    """Every whole turn valued by what was learnt, the best one played."""
    from advisor.agents._plans import PlansAgent

    _check_counts("plans", width=(width, MOST_WIDTH), limit=(limit, MOST_POSITIONS))
    return PlansAgent(
        _net_for(model), width=width, limit=limit, own_score=_own_score("plans", objective)
    )


def make_advisor(
    policies: Sequence[str],
    /,
    *,
    seconds: float | None = None,
    rollouts: int | None = None,
    model: str = SHIPPED,
    plans: int = 32,
    width: int = 12,
    limit: int = 3_000,
    narrow_width: int = 6,
    narrow_limit: int = 100,
    turns: int | None = None,
    replies: int | None = None,
    objective: str = "margin",
) -> KernelAgent:
    """Value and search: the best plans, compared by `rollouts` a turn, or CPU `seconds` a turn."""
    from advisor.agents._advisor import AdvisorAgent

    if rollouts is not None and seconds is not None:
        raise SettingError("agent advisor: rollouts and seconds; give one of them")
    if rollouts is not None and not 1 <= rollouts <= MAX_ROLLOUTS:
        raise SettingError(f"agent advisor: {rollouts:,} rollouts; give 1 to {MAX_ROLLOUTS:,}")
    if seconds is not None and not 0 < seconds <= MAX_SECONDS:
        raise SettingError(
            f"agent advisor: {seconds:g} seconds; give more than 0 and at most {MAX_SECONDS:,.0f}"
        )
    _check_counts(
        "advisor",
        plans=(plans, MOST_PLANS),
        width=(width, MOST_WIDTH),
        limit=(limit, MOST_POSITIONS),
        narrow_width=(narrow_width, MOST_WIDTH),
        narrow_limit=(narrow_limit, MOST_POSITIONS),
        turns=(1 if turns is None else turns, MOST_TURNS),
        replies=(1 if replies is None else replies, MOST_REPLIES),
    )
    return AdvisorAgent(
        _net_for(model),
        rollouts=0 if seconds is not None else rollouts or ROLLOUTS,
        seconds=seconds or 0.0,
        plans=plans,
        width=width,
        limit=limit,
        narrow_width=narrow_width,
        narrow_limit=narrow_limit,
        turns=turns or 0,
        replies=replies or 0,
        own_score=_own_score("advisor", objective),
    )


def make_novice(policies: Sequence[str], /) -> KernelAgent:
    """Somebody who has played a few times: greedy, and every third action is any legal one."""
    return make_greedy(policies, slips=1 / 3)


def make_club(policies: Sequence[str], /) -> KernelAgent:
    """Somebody who plays now and then: greedy."""
    return make_greedy(policies)


def make_expert(policies: Sequence[str], /) -> KernelAgent:
    """Somebody who plays much: whole turns by the learned value."""
    return make_plans(policies)


def make_master(policies: Sequence[str], /) -> KernelAgent:
    """As good as the program gets in a moment: value and search, 0.2 seconds a turn."""
    return make_advisor(policies, seconds=MASTER_SECONDS)


Maker = Callable[..., KernelAgent]

AGENTS: dict[str, Maker] = {
    "random": make_random,
    "greedy": make_greedy,
    "ismcts": make_ismcts,
    "plans": make_plans,
    "advisor": make_advisor,
    "novice": make_novice,
    "club": make_club,
    "expert": make_expert,
    "master": make_master,
}


def is_timed(name: str, options: dict[str, Any]) -> bool:
    """Tell whether an agent decides by the clock, so that its games cannot be repeated."""
    timed = name in ("ismcts", "advisor") and options.get("seconds") is not None
    return timed or name == "master"
