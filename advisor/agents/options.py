"""The options of an agent: which there are, how they are written, what they may be.

Owns the reading of `key=value,key=value` and the sentences for what cannot be read. The options of
an agent are the keyword arguments of the function or class that makes it.
"""

from __future__ import annotations

import difflib
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.errors import SettingError

Value = int | float | bool | str | None
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an agent."""

    name: str
    kind: type
    default: Value
    required: bool = False


def options_of(maker: Callable[..., Any]) -> dict[str, Option]:
    """Return the options of whatever makes an agent: its keyword arguments, by name."""
    found = {}
    try:
        signature = inspect.signature(maker)
    except (TypeError, ValueError):  # a class without a readable constructor takes none
        return {}
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        required = parameter.default is parameter.empty
        default = None if required else parameter.default
        if not isinstance(default, Value):  # no text can say it; its maker knows the default
            continue
        found[name] = Option(name, _kind(parameter.annotation, default), default, required)
    return found


def _kind(annotation: Any, default: Any) -> type:
    """Return how an option is read: by its default, else by its annotation, else as a word."""
    if default is not None:
        return type(default)
    words = str(annotation)
    for kind in (bool, float, int):
        if annotation is kind or re.search(rf"\b{kind.__name__}\b", words):
            return kind
    return str


def read_options(text: str, known: Mapping[str, Option], agent: str) -> dict[str, Value]:
    """Return the options a text gives.

    Raises:
        SettingError: the text cannot be read, or names what is not there.

    """
    given: dict[str, Value] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, word = (piece.strip() for piece in part.partition("="))
        if not equals or not word:
            raise SettingError(
                f"agent {agent}: cannot read '{part}'; write options as key=value, parted by commas"
            )
        if name not in known:
            raise SettingError(f"agent {agent} has no option '{name}'; {_known(name, known)}")
        if name in given:
            raise SettingError(f"agent {agent}: option {name} is given twice; give it once")
        given[name] = _value(word, known[name], agent)
    return given


def complete(given: Mapping[str, Value], known: Mapping[str, Option], agent: str) -> dict[str, Any]:
    """Return all options: those given, the others at their defaults.

    Raises:
        SettingError: one without a default is missing.

    """
    missing = [name for name, option in known.items() if option.required and name not in given]
    if missing:
        raise SettingError(f"agent {agent} needs the option {missing[0]}; write {missing[0]}=...")
    return {name: given.get(name, option.default) for name, option in known.items()}


def _known(name: str, known: Mapping[str, Option]) -> str:
    if not known:
        return "it has none"
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"{hint}its options are {', '.join(known)}"


def _value(word: str, option: Option, agent: str) -> Value:
    try:
        if option.kind is bool:
            return _TRUTH[word.lower()]
        if option.kind is int:
            return int(word.replace("_", ""))
        if option.kind is float:
            number = float(word)
            if not math.isfinite(number):
                raise ValueError
            return number
    except (KeyError, ValueError):
        wanted = {bool: "yes or no", int: "a whole number", float: "a number"}[option.kind]
        raise SettingError(
            f"agent {agent}: {option.name}={word} is not possible; give {wanted}"
        ) from None
    return word
