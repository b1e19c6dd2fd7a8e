"""Games as PettingZoo environments, for reinforcement learning (`pip install "advisor[rl]"`).

Owns spaces, rewards and the agent cycle; the game itself runs in the kernel, and what an agent sees
comes from the game's module. Knows no game. docs/reinforcement.md explains the environment.
"""

from __future__ import annotations

import inspect
import operator
import random
import warnings
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from advisor.core import registry
from advisor.core.registry import Position
from advisor.errors import ActionError, AdvisorError, SettingError

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as missing:
    raise AdvisorError(
        f"reinforcement learning needs PettingZoo, which is not complete here ({missing}); "
        'install it with: pip install "advisor[rl]"'
    ) from missing

REWARDS = ("win", "margin", "score")
ILLEGAL_REWARD = -1.0
"""What `env()` gives an agent that plays an illegal action, as PettingZoo's classic games do."""
MARGIN_UNIT = 100.0
"""Points of margin that make a reward of 1."""
RENDER_WIDTH = 100
_METADATA: dict[str, Any] = {
    "render_modes": ["human", "ansi"],
    "name": "advisor_v0",
    "is_parallelizable": False,
    "render_fps": 1,
}
_CHANCE = -1
_OVER = -2
_OWN_ARGUMENTS = ("players", "seed", "dealt")
"""Arguments of a new game that the environment gives itself."""

Observation = dict[str, NDArray[Any]]


def env(
    game: str | None = None,
    *,
    players: int = 2,
    render_mode: str | None = None,
    reward: str = "win",
    **settings: Any,
) -> AECEnv:
    """Return the environment with PettingZoo's usual wrappers.

    They check the order of calls, and an illegal action ends the game: who played it is rewarded
    with -1, the others with 0. `raw_env` raises an error instead.

    Args:
        game: the game's name; default the first of the collection.
        players: how many play.
        render_mode: "human" prints the table after each step, "ansi" lets `render` return it.
        reward: "win", "margin" or "score"; docs/reinforcement.md says what they give.
        settings: what a new game offers besides, such as `boards`.

    Raises:
        UnknownGameError: there is no such game.
        SettingError: a setting that the game or the environment does not have.

    """
    wrapped = wrappers.TerminateIllegalWrapper(
        raw_env(game, players=players, render_mode=render_mode, reward=reward, **settings),
        illegal_reward=ILLEGAL_REWARD,
    )
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """The environment without wrappers; an illegal action raises `ActionError`.

    It may be copied and pickled in mid-game: the copy goes on with the same luck.
    """

    metadata = _METADATA

    def __init__(
        self,
        game: str | None = None,
        *,
        players: int = 2,
        render_mode: str | None = None,
        reward: str = "win",
        **settings: Any,
    ) -> None:
        super().__init__()
        self.game = game or registry.default()
        module = registry.find(self.game)
        if reward not in REWARDS:
            raise SettingError(f"no reward is called '{reward}'; choose {', '.join(REWARDS)}")
        modes = _METADATA["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise SettingError(f"no render mode '{render_mode}'; choose {' or '.join(modes)}")
        known = _settings_of(self.game)
        for name in settings:
            if name not in known:
                raise SettingError(
                    f"'{name}' is no setting of the environment; for {self.game} there are "
                    + ", ".join(known)
                )
        self.metadata = {**_METADATA, "name": f"{self.game}_v0"}
        self.render_mode = render_mode
        self.reward = reward
        self.settings = settings
        self._luck = random.Random()
        actions = module.new_game(
            players=players, dealt=False, seed=0, **settings
        ).rules.max_actions
        self.observation_names = module.observation_names(players)
        self.action_field_names = module.ACTION_FIELDS
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        most = np.iinfo(np.int16).max
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self._seats}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, most, (len(self.observation_names),), np.int16),
                    "actions": spaces.Box(
                        0, most, (actions, len(self.action_field_names)), np.int16
                    ),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self._seats
        }

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The position now; its `actions()` are the legal actions in the order of the mask."""
        return self._start.view(self._state)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: the luck of this game and of those begun after it without a seed. Without any, the
                luck is fresh.
            options: settings of the game, for this one game.

        Raises:
            SettingError: a value of a setting that the game does not have.

        """
        if seed is not None:
            self._luck = random.Random(int(seed))
        settings = {**self.settings, **self._known_options(options or {})}
        start = registry.new_game(
            self.game,
            players=len(self.possible_agents),
            seed=self._luck.getrandbits(63),
            dealt=False,
            **settings,
        )
        self._begin(start, world=self._luck.getrandbits(64))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[start.rules.to_move(self._state)]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; only the deciding agent has actions."""
        module = registry.find(self.game)
        legal = self._legal if agent == self.agent_selection else []
        most = self._start.rules.max_actions
        fields = np.zeros((most, len(self.action_field_names)), dtype=np.int16)
        mask = np.zeros(most, dtype=np.int8)
        if legal:
            fields[: len(legal)] = module.action_fields(legal)
            mask[: len(legal)] = 1
        return {
            "observation": module.observe(self._start, self._state, self._seats[agent]),
            "actions": fields,
            "action_mask": mask,
        }

    def step(self, action: Any) -> None:
        """Play the deciding agent's legal action of that number, and the luck that follows.

        Raises:
            ActionError: there is no legal action of that number.

        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = operator.index(action) if hasattr(action, "__index__") else -1
        if not 0 <= number < len(self._legal):
            raise ActionError(
                f"action {action} is not legal for {agent} now; its {len(self._legal)} legal "
                f"actions have the numbers 0 to {len(self._legal) - 1}, as the action mask shows"
            )
        rules = self._start.rules
        before, _ = rules.returns(self._state)
        self._arrive(rules.apply(self._state, self._legal[number]))
        points, wins = rules.returns(self._state)
        mover = rules.to_move(self._state)
        over = mover == _OVER
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {
                a: {"score": int(points[seat]), "won": bool(wins[seat])}
                for a, seat in self._seats.items()
            }
        else:
            self.agent_selection = self.possible_agents[mover]
        gained = [after - earlier for after, earlier in zip(points, before, strict=True)]
        rewards = self._rewards(gained, points, wins, over=over)
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Print the table ("human") or return it as text with ANSI colours ("ansi")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: the environment has no render mode.")
            return None
        table = registry.find(self.game).draw(self.position, width=RENDER_WIDTH)
        if self.render_mode == "ansi":
            return table
        click.echo(table)
        return None

    def close(self) -> None:
        """Release nothing: the environment holds no window and no file."""

    def _begin(self, start: Position, *, world: int) -> None:
        """Put a new game on the table; `world` is the luck of all its events."""
        self._start = start
        self._world = world
        self._arrive(start.packed)

    def _arrive(self, state: bytes) -> None:
        """Let chance fall, and keep what can be decided then."""
        rules = self._start.rules
        while rules.to_move(state) == _CHANCE:
            state = rules.chance(state, self._world)
        self._state = state
        self._legal = rules.legal(state)

    def _known_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the options that are settings; wrappers may have others, so those only warn."""
        known = _settings_of(self.game)
        for name in options:
            if name not in known:
                warnings.warn(
                    f"reset() does not know the option '{name}' and leaves it aside; "
                    f"for {self.game} there are {', '.join(known)}",
                    stacklevel=3,
                )
        return {name: value for name, value in options.items() if name in known}

    def _rewards(
        self, gained: list[float], points: list[float], wins: list[float], *, over: bool
    ) -> list[float]:
        """Return every seat's reward of one step."""
        if self.reward == "score":
            return gained
        if not over:
            return [0.0] * len(points)
        if self.reward == "win":
            loss = -1.0 / (len(wins) - 1)
            return [1.0 if won else loss for won in wins]
        return [
            (own - max(points[:seat] + points[seat + 1 :])) / MARGIN_UNIT
            for seat, own in enumerate(points)
        ]


def _settings_of(game: str) -> list[str]:
    """Return the names of the settings a user may give."""
    arguments = inspect.signature(registry.find(game).new_game).parameters
    return [name for name in arguments if name not in _OWN_ARGUMENTS]
