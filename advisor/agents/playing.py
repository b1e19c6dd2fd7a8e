"""A game step by step, for those who want to watch.

Owns `play`. It plays the same games as the kernel's loop (`_table.pyx`): the same luck gives the
same actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor._fastsim import nth_draw, substream
from advisor.agents.spec import parse
from advisor.core.registry import Position
from advisor.errors import SettingError

CHANCE = "chance"

AGENTS_LUCK = 1_000
"""Number of the first stream of a seed for the agents; the seed itself is for dice and deals."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a game: who did what, and the position after it."""

    player: str
    """Who acted; "chance" for dice and deals."""
    action: str
    """The action's canonical text."""
    position: Position


def play(
    position: Position, agents: Sequence[Any] | Mapping[str, Any], seed: int = 1
) -> Iterator[Step]:
    """Play a position to its end and yield every step.

    Args:
        position: where to begin.
        agents: a player for each seat in seat order, or by the players' names: texts such as
            "greedy" or "ismcts:iterations=500", classes or objects with a method `decide`.
        seed: the luck of dice, deals and agents; the same seed gives the same game, unless an agent
            decides by the clock.

    Raises:
        SettingError: too many or too few agents, or an agent that cannot be.
        AgentError: an agent of the user's own fails or does what is not legal.

    """
    seats = _seated(position, agents)
    return _steps(position, seats, seed)


def _seated(position: Position, agents: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
    if isinstance(agents, Mapping):
        unknown = [name for name in agents if name not in position.names]
        missing = [name for name in position.names if name not in agents]
        if unknown or missing:
            raise SettingError(
                f"agents for {', '.join(map(str, agents))}; the players are "
                + ", ".join(position.names)
            )
        return [parse(agents[name]) for name in position.names]
    if isinstance(agents, str) or len(agents) != len(position.names):
        given = 1 if isinstance(agents, str) else len(agents)
        raise SettingError(
            f"{given} agents for {len(position.names)} players; give one for each seat"
        )
    return [parse(agent) for agent in agents]


def _steps(position: Position, seats: list[Any], seed: int) -> Iterator[Step]:
    rules = position.rules
    players = [spec.make(position.game) for spec in seats]
    for player in players:
        player.prepare(rules, position)
    world = seed & (2**64 - 1)
    luck = substream(world, AGENTS_LUCK)
    state = rules.determinize(position.packed, 0, world)
    here, last, draws = position, -1, 0
    while (mover := rules.to_move(state)) != -2:
        if mover < 0:
            state = rules.chance(state, world)
            event = here.chance_text(state)
            here, last = here.view(state), -1
            yield Step(CHANCE, event, here)
            continue
        fresh = mover != last
        draws = 1 if fresh else draws + 1
        last = mover
        turn = substream(substream(luck, mover), rules.chances(state))
        code = players[mover].choose(state, mover, fresh, nth_draw(turn, draws))
        text = here.action_text(code)
        state = rules.apply(state, code)
        here = here.view(state)
        yield Step(position.names[mover], text, here)
