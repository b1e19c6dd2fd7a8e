"""From a text such as "ismcts:iterations=2000,c=0.5" to a player.

Owns the names: the built-in agents, entry points of the group `advisor.agents`, and classes by
their dotted path (`my_package.MyAgent`). A class of the user's own has a method

    decide(self, position, luck)

that returns a legal action or its text; `luck` is a `random.Random` made anew for every decision,
so that games can be repeated. Its keyword arguments are its options.
"""

from __future__ import annotations

import copy
import difflib
import importlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from typing import Any

from advisor.agents import builtin
from advisor.agents._agent import KernelAgent, PythonAgent
from advisor.agents.options import complete, options_of, read_options
from advisor.core import registry
from advisor.errors import ActionError, AdvisorError, SettingError

GROUP = "advisor.agents"


class AgentError(AdvisorError):
    """An agent of the user's own cannot be made, or does what it must not."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent that can be made anew for every game, in any process."""

    label: str
    """How it is called in a match."""
    name: str
    options: dict[str, Any]
    """All options, defaults included."""
    maker: Any
    """What makes it: a built-in's maker, a class of the user's own, or an object to copy."""
    in_kernel: bool
    """It plays without the GIL."""
    repeatable: bool
    """With the same luck it decides the same."""

    def make(self, game: str) -> KernelAgent:
        """Return a player of a game.

        Raises:
            SettingError: options out of bounds, or the game lacks what it needs.
            AgentError: a class of the user's own cannot be made.

        """
        if self.in_kernel:
            agent: KernelAgent = self.maker(registry.find(game).POLICIES, **self.options)
            return agent
        return PythonAgent(_Bridge(self._own(), self.label))

    def _own(self) -> Any:
        if not isinstance(self.maker, type):
            return copy.deepcopy(self.maker)
        try:
            return self.maker(**self.options)
        except AdvisorError:
            raise
        except Exception as error:
            raise AgentError(
                f"agent {self.label} cannot be made: {type(error).__name__}: {error}"
            ) from error

    def called(self, label: str) -> AgentSpec:
        """Return the same agent under another label."""
        return replace(self, label=label)


class _Bridge:
    """Asks an agent written in Python and checks what it answers."""

    def __init__(self, agent: Any, label: str) -> None:
        self.agent = agent
        self.label = label

    def __call__(self, position: Any, luck: int) -> int:
        try:
            answer = self.agent.decide(position, random.Random(luck))
        except Exception as error:
            raise AgentError(
                f"agent {self.label} failed in {position}: {type(error).__name__}: {error}"
            ) from error
        try:
            return int(position.action(str(answer)).code)
        except ActionError as error:
            raise AgentError(
                f"agent {self.label} does what is not legal in {position}: {error}"
            ) from None


def names() -> list[str]:
    """Return the names of all agents: the built-in ones and those of entry points."""
    return [*builtin.AGENTS, *sorted(point.name for point in entry_points(group=GROUP))]


def parse(agent: str | type | AgentSpec | object) -> AgentSpec:
    """Return the agent that a text, a class or an object means.

    Raises:
        SettingError: no agent is called that, or its options cannot be.
        AgentError: a class of the user's own cannot be used.

    """
    if isinstance(agent, AgentSpec):
        return agent
    if not isinstance(agent, str):
        return _of_object(agent)
    name, _, text = (part.strip() for part in agent.partition(":"))
    if name in builtin.AGENTS:
        return _built_in(name, text)
    return _of_class(_find_class(name), name, text)


def parse_all(agents: Sequence[Any]) -> list[AgentSpec]:
    """Return the agents of a match, equal labels told apart by a number."""
    found: list[AgentSpec] = []
    for agent in agents:
        spec = parse(agent)
        taken = {other.label for other in found}
        number, label = 1, spec.label
        while label in taken:
            number += 1
            label = f"{spec.label} ({number})"
        found.append(spec.called(label))
    return found


def _label(name: str, given: dict[str, Any]) -> str:
    words = ",".join(f"{key}={_word(value)}" for key, value in given.items())
    return f"{name}:{words}" if words else name


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def _built_in(name: str, text: str) -> AgentSpec:
    maker = builtin.AGENTS[name]
    known = options_of(maker)
    given = read_options(text, known, name)
    options = complete(given, known, name)
    maker(("uniform", "greedy"), **options)  # refuses what is out of bounds, here and not later
    return AgentSpec(
        label=_label(name, given),
        name=name,
        options=options,
        maker=maker,
        in_kernel=True,
        repeatable=not builtin.is_timed(name, options),
    )


def _of_class(found: type, name: str, text: str) -> AgentSpec:
    if not callable(getattr(found, "decide", None)):
        raise AgentError(
            f"{name} is no agent: it has no method decide(self, position, luck); "
            "docs/research.md shows one"
        )
    known = options_of(found)
    given = read_options(text, known, name)
    return AgentSpec(
        label=_label(name, given),
        name=name,
        options=complete(given, known, name),
        maker=found,
        in_kernel=False,
        repeatable=True,
    )


def _of_object(agent: object) -> AgentSpec:
    if isinstance(agent, type):
        return _of_class(agent, agent.__name__, "")
    if not callable(getattr(agent, "decide", None)):
        raise SettingError(
            f"{agent!r} is no agent; give a text such as 'greedy', or an object with a method "
            "decide(position, luck)"
        )
    return AgentSpec(
        label=type(agent).__name__,
        name=type(agent).__name__,
        options=_inside(agent),
        maker=agent,
        in_kernel=False,
        repeatable=True,
    )


def _inside(agent: object) -> dict[str, Any]:
    """Return what tells an object from others of its class: its attributes, or else its address."""
    try:
        found: dict[str, Any] = json.loads(json.dumps(vars(agent)))
    except (TypeError, ValueError):
        return {"object": repr(agent)}
    return found


def _find_class(name: str) -> type:
    for point in entry_points(group=GROUP):
        if point.name == name:
            return _loaded(name, point.load)
    module, dot, attribute = name.rpartition(".")
    if not dot:
        known = names()
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise SettingError(
            f"no agent is called '{name}'; {hint}the agents are {', '.join(known)}, and classes of "
            "your own by their dotted path"
        )
    return _loaded(name, lambda: getattr(importlib.import_module(module), attribute))


def _loaded(name: str, load: Any) -> type:
    try:
        found = load()
    except Exception as error:
        raise AgentError(
            f"agent {name} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(found, type):
        raise AgentError(f"{name} is no class; an agent is a class with a method decide")
    return found
