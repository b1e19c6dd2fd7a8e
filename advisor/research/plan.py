"""What a match consists of: who plays whom, on which luck, in which order.

Owns the plan: line-ups, seatings, deals and their seeds. Everything follows from the settings and
the number of a game, so that any part of a match can be played anywhere and comes out the same.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from advisor._fastsim import substream
from advisor.agents.playing import AGENTS_LUCK
from advisor.agents.spec import AgentSpec, parse_all
from advisor.core import registry
from advisor.errors import SettingError

MOST_GAMES = 1_000_000_000
MOST_AGENTS = 64
MOST_SEATINGS = 30_000
"""Games of one deal at most; results number them with 16 bits."""

FORMAT = 1
"""Version of what the results folder holds; a part of a match's identity."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match before its first game.

    Game number g is game g % S of deal g // S, S being the number of seatings of a deal. Every deal
    is played in all rotations of its line-ups; who sits to whose left changes from deal to deal.
    """

    game: str
    agents: tuple[AgentSpec, ...]
    players: int
    seed: int
    settings: dict[str, Any]
    """The game's own settings, complete."""
    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    """Seatings (the number of the agent in each seat) of deal 0, 1, ...; then it begins anew."""
    random_turns: int
    """Everybody's first so many turns are played at random."""

    @property
    def labels(self) -> list[str]:
        """The agents' labels."""
        return [agent.label for agent in self.agents]

    @property
    def games_per_deal(self) -> int:
        """In how many seatings every deal is played."""
        return len(self.rounds[0])

    def seating(self, deal: int, number: int) -> tuple[int, ...]:
        """Return which agent sits in each seat in game `number` of a deal."""
        return self.rounds[deal % len(self.rounds)][number]

    def deal_seed(self, deal: int) -> int:
        """Return the luck of a deal, a number of 63 bits."""
        return substream(self.seed & (2**64 - 1), deal) >> 1

    def agents_luck(self, deal: int, seating: int) -> int:
        """Return the luck of the agents in a game; another one in every seating."""
        return substream(self.deal_seed(deal), AGENTS_LUCK + seating)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything the results depend on."""
        return {
            "format": FORMAT,
            "game": self.game,
            "agents": {agent.label: agent.options for agent in self.agents},
            "order": self.labels,  # seatings name agents by number, and objects have no order
            "players": self.players,
            "seed": self.seed,
            "settings": self.settings,
            "random_turns": self.random_turns,
            "rounds": [[list(seating) for seating in seatings] for seatings in self.rounds],
        }

    @property
    def in_kernel(self) -> bool:
        """Whether all agents play without the GIL."""
        return all(agent.in_kernel for agent in self.agents)

    @property
    def repeatable(self) -> bool:
        """Whether the same plan gives the same games."""
        return all(agent.repeatable for agent in self.agents)


def make_plan(
    agents: Sequence[Any],
    *,
    players: int | None = None,
    game: str | None = None,
    seed: int = 1,
    rotate: bool = True,
    random_turns: int = 0,
    **settings: Any,
) -> Plan:
    """Return the plan of a match.

    Args:
        agents: texts such as "greedy", classes or objects.
        players: at each table; default as many as there are agents, at least two.
        game: default the first of the collection.
        seed: the luck of all deals.
        rotate: play every deal in every seating; otherwise only as the agents are listed.
        random_turns: everybody's first so many turns are played at random.
        settings: of the game, such as boards and edition.

    Raises:
        SettingError: what cannot be played.

    """
    if isinstance(agents, str) or not agents:
        raise SettingError("a match needs a list of one agent or more")
    if len(agents) > MOST_AGENTS:
        raise SettingError(f"{len(agents)} agents; a match takes at most {MOST_AGENTS}")
    name = game or registry.default()
    module = registry.find(name)
    specs = tuple(parse_all(agents))
    count = players if players is not None else _players(len(specs), module.PLAYERS)
    if count not in module.PLAYERS:
        allowed = ", ".join(map(str, module.PLAYERS))
        raise SettingError(f"{count} players; {module.TITLE} is for {allowed}")
    if not 0 <= random_turns <= 100:
        raise SettingError(f"{random_turns} random turns; give 0 to 100")
    if not isinstance(seed, int) or isinstance(seed, bool) or not -(2**63) <= seed < 2**63:
        raise SettingError(f"seed {seed!r}; give a whole number of at most 63 bits")
    if rotate and count * math.comb(len(specs), count) > MOST_SEATINGS:
        raise SettingError(
            f"{len(specs)} agents at tables of {count} meet in "
            f"{count * math.comb(len(specs), count):,} seatings; at most {MOST_SEATINGS:,} are "
            "possible, so take fewer agents or smaller tables"
        )
    for spec in specs:
        spec.make(name)  # what cannot be made is refused before the first game
    try:
        checked = registry.find_series(name).check_settings(players=count, **settings)
    except TypeError as error:
        raise SettingError(f"a setting this game does not have: {error}") from None
    return Plan(
        game=name,
        agents=specs,
        players=count,
        seed=seed,
        settings=checked,
        rounds=_rounds(len(specs), count, rotate=rotate),
        random_turns=random_turns,
    )


def _players(agents: int, allowed: Sequence[int]) -> int:
    """Return how many sit at a table where nobody says: all agents, as far as there are chairs."""
    return min(max(agents, min(allowed)), max(allowed))


def _line_ups(agents: int, players: int) -> list[tuple[int, ...]]:
    """Return who meets whom: with too many agents every choice of them, with too few all are
    repeated as evenly as the chairs allow.
    """
    if agents >= players:
        return list(itertools.combinations(range(agents), players))
    each, extra = divmod(players, agents)
    return [
        tuple(agent for agent in range(agents) for _ in range(each + (1 if agent in lucky else 0)))
        for lucky in itertools.combinations(range(agents), extra)
    ]


def _rounds(agents: int, players: int, *, rotate: bool) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the seatings of consecutive deals.

    All rotations of a line-up put everybody in every seat equally often. That alone would leave
    everybody with the same neighbours in the whole match, which matters: who plays after a weak
    player finds more. So the order around the table changes from deal to deal.
    """
    line_ups = _line_ups(agents, players)
    if not rotate:
        return (tuple(line_ups),)
    orders = [
        [(first, *rest) for rest in sorted(set(itertools.permutations(others)))]
        for first, *others in line_ups
    ]
    rounds = []
    for number in range(max(map(len, orders))):
        seatings: list[tuple[int, ...]] = []
        for around in orders:
            order = around[number % len(around)]
            turns = 1 if len(set(order)) == 1 else players
            seatings += [order[turn:] + order[:turn] for turn in range(turns)]
        rounds.append(tuple(seatings))
    return tuple(rounds)
