"""The notation of player actions (docs/positions.md): packed code to canonical text and back.

Owns every word of the notation except `roll` and `deal` (`chance.py`).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.errors import ActionError
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components

if TYPE_CHECKING:
    from advisor.games.burgundy.model import Position


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """One legal action: `str(action)` is its canonical text, `code` the kernel's number."""

    text: str
    code: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Fields:
    """A packed action taken apart; `_state.pxd` draws the bits."""

    kind: int
    die: int
    value: int
    place: int
    tile: int
    discard: int


def fields(code: int) -> Fields:
    """Take a packed action apart."""
    return Fields(
        kind=code >> k.KIND_SHIFT,
        die=code >> k.DIE_SHIFT & 7,
        value=code >> k.VALUE_SHIFT & 7,
        place=code >> k.PLACE_SHIFT & 63,
        tile=code >> k.TILE_SHIFT & 63,
        discard=code >> k.DISCARD_SHIFT & 63,
    )


_PREFIX = {k.FREE_TAKE: "* ", k.FREE_PLACE: "* ", k.FREE_SELL: "* ", k.FREE_WORKERS: "* "}
_TAKES = {k.TAKE, k.FREE_TAKE, k.EFFECT_TAKE}
_PLACES = {k.PLACE, k.FREE_PLACE, k.EFFECT_PLACE}
_SELLS = {k.SELL, k.FREE_SELL, k.EFFECT_SELL}
_BUYS = {k.BUY, k.BUY_WITH_WORKERS}


def describe(code: int) -> str:
    """Return the canonical text of a packed action."""
    a = fields(code)
    if a.kind == k.LOAD:
        return _describe_load(a)
    if a.kind == k.SKIP:
        return "skip"
    if a.kind == k.END_TURN:
        return "end"
    text = _PREFIX.get(a.kind, "")
    if a.die:
        text = f"{a.die}>{a.value} " if a.value not in (0, a.die) else f"{a.die} "
    if a.kind in _TAKES:
        text += f"take {components.tile_name(a.tile)} from {a.place}"
    elif a.kind in _PLACES:
        text += f"place {components.tile_name(a.tile)} {components.CELLS[a.place]}"
    elif a.kind in _SELLS:
        text += f"sell {components.goods()[a.value - 1]}"
    elif a.kind in _BUYS:
        text += f"buy {components.tile_name(a.tile)}"
        text += f" from {a.place}" if a.place else ""
        text += " with workers" if a.kind == k.BUY_WITH_WORKERS else ""
    else:
        text += "workers"
    if a.discard:
        text += f" discard {components.tile_name(a.discard)}"
    return text


def _describe_load(a: Fields) -> str:
    text = f"load {a.place}{_describe_keep(a.tile)}"
    if a.value:
        text += f" then {a.value}{_describe_keep(a.discard)}"
    return text


def _describe_keep(colours: int) -> str:
    kept = [name for i, name in enumerate(components.goods()) if colours >> i & 1]
    return f" keep {', '.join(kept)}" if kept else ""


_MONASTERY = re.compile(r"\bm ?(\d+)\b")
_GOAT = re.compile(r"\bgoat\b")
_LOAD = re.compile(r"load ([1-6])(?: keep ([a-z, ]+?))?(?: then ([1-6])(?: keep ([a-z, ]+))?)?")


def _normal(text: str) -> str:
    """Bring a typed action to the spelling of canonical texts as far as blanks and case go."""
    text = components.plain_words(text)
    text = re.sub(r"\s*>\s*", ">", text)
    text = re.sub(r"\s*,\s*", ", ", text)
    text = re.sub(r"^\*\s*", "* ", text)
    return _GOAT.sub("chicken", _MONASTERY.sub(r"monastery \1", text))


def parse(position: Position, text: str) -> Action:
    """Return the legal action a text means, lenient on case and blanks.

    Raises:
        ActionError: no legal action reads like this; the message names the nearest ones.

    """
    if position.stage == "over":
        raise ActionError(f"'{text}' is not possible: the game is over")
    legal = {action.text: action for action in position.actions()}
    normal = _normal(text)
    if normal in legal:
        return legal[normal]
    if match := _LOAD.fullmatch(normal):
        wanted = _load_result(position, match)
        for action in legal.values():
            other = _LOAD.fullmatch(action.text)
            if wanted and other and _load_result(position, other) == wanted:
                return action
    nearby = difflib.get_close_matches(normal, list(legal), n=4, cutoff=0.3)
    if not nearby:
        nearby = list(legal)[:4]
    raise ActionError(
        f"'{text}' is not legal for {position.to_move} now; legal and nearest: "
        + " | ".join(nearby)
        + (f" ({len(legal)} legal actions in all)" if len(legal) > len(nearby) else ""),
        nearby,
    )


def _load_result(position: Position, match: re.Match[str]) -> dict[int, frozenset[int]] | None:
    """Return which colours a load text takes from each depot, None where it is not allowed."""
    owned = {i for i, count in enumerate(position.players[position.mover].goods) if count}
    result: dict[int, frozenset[int]] = {}
    for depot_text, keep_text in ((match[1], match[2]), (match[3], match[4])):
        if depot_text is None:
            continue
        depot = int(depot_text)
        lying = {i for i, count in enumerate(position.depot_goods[depot - 1]) if count}
        new = lying - owned
        free = components.scoring()["goods"]["spaces"] - len(owned)
        if keep_text is not None:
            words = [word.strip() for word in keep_text.split(",")]
            keep = {components.goods().index(w) for w in words if w in components.goods()}
            if len(keep) != len(words) or not keep <= new or len(keep) != min(free, len(new)):
                return None
            new = keep
        elif len(new) > free:
            if free:
                return None
            new = set()
        got = (lying & owned) | new
        if got:
            result[depot] = frozenset(got)
        owned |= got
    if match[3] and (int(match[3]) - int(match[1])) % 6 not in (1, 5):
        return None
    return result or None
