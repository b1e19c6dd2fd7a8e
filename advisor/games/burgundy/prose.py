"""A position and its actions in words: who decides, how a turn reads aloud, what an action costs.

Owns the sentences said to the people at the table and the price of an action. The notation itself
is that of `actions`; the rules are the kernel's, except for the price of changing a die, which is
worked out here once more so that asking for it needs no play (tests compare the two).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from advisor.errors import ActionError
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy.actions import Fields, describe, fields, parse
from advisor.games.burgundy.model import Player, Position

# --- The situation


def situation(position: Position) -> str:
    """Return one line that says who decides and with what."""
    phase = components.phases()[position.phase]
    if position.stage == "over":
        return f"The game is over: {position.winner()} has won"
    if position.stage == "deal":
        return f"Nobody decides: the deal of phase {phase} is awaited"
    if position.stage == "roll":
        return f"Nobody decides: the roll of phase {phase}, round {position.round + 1}, is awaited"
    player = position.players[position.mover]
    holdings = [
        _dice(position.dice),
        _count(player.workers, "worker", "workers"),
        _count(player.silver, "silver", "silver"),
    ]
    line = f"{player.name} decides in phase {phase}, round {position.round + 1}, with "
    line += _listed(holdings)
    if position.pending:
        line += f"; next: {', then '.join(_effect(tile) for tile in reversed(position.pending))}"
    return line


def _dice(dice: tuple[int, ...]) -> str:
    """Say which dice are unused."""
    if not dice:
        return "no die left"
    return f"dice {dice[0]} and {dice[1]}" if len(dice) == 2 else f"a {dice[0]} left"


def _effect(tile: int) -> str:
    return f"the {components.tile_name(tile)}'s effect"


def _count(number: int, one: str, many: str) -> str:
    """Return a number with its noun, such as `1 worker` or `no silver`."""
    return f"{number or 'no'} {one if number == 1 else many}"


def _listed(items: Sequence[str]) -> str:
    """Join with commas and a last `and`."""
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


# --- A turn read aloud


def narrate(position: Position, turn: Sequence[str]) -> list[str]:
    """Return one readable fragment for each action of a sequence played from a position.

    Raises:
        ActionError: one of them is not legal when its time comes.

    """
    fragments = []
    here, state = position, position.packed
    for text in turn:
        legal = {describe(code): code for code in position.rules.legal(state)}
        code = legal[text] if text in legal else parse(here, text).code
        state = position.rules.apply(state, code)
        after = position.view(state)
        fragments.append(_fragment(here, fields(code), after))
        here = after
    return fragments


def _fragment(before: Position, a: Fields, after: Position) -> str:
    """Say what one action does, with what it costs and brings at once."""
    if a.kind == k.END_TURN:
        return "end the turn"
    if a.kind == k.SKIP:
        return f"skip {_effect(before.pending[-1])}"
    if a.kind == k.LOAD:
        return _load(a)
    price = _price(_estate(before), _step_of_code(a))
    gains = _gains(before.players[before.mover], after.players[before.mover], price)
    if a.kind in (k.BUY, k.BUY_WITH_WORKERS):
        depot = f"depot {a.place}" if a.place else "the black depot"
        paid = f"{price.workers} workers" if price.workers else f"{price.silver} silver"
        return f"buy {_tile(a.tile)} from {depot} for {paid}{_discarding(a)}"
    source = _source(before, a, price)
    if a.kind in (k.TAKE, k.FREE_TAKE, k.EFFECT_TAKE):
        return f"{source}: take {_tile(a.tile)} from depot {a.place}{_discarding(a)}"
    if a.kind in (k.PLACE, k.FREE_PLACE, k.EFFECT_PLACE):
        placed = f"{source}: place {_tile(a.tile)} on {components.CELLS[a.place]}"
        # "For 2 silver" would read like a price, "for 6 points" does not.
        link = " for " if len(gains) == 1 and "point" in gains[0] else ", gaining "
        return placed + (link + _listed(gains) if gains else "")
    if a.kind in (k.SELL, k.FREE_SELL, k.EFFECT_SELL):
        return f"{source}: sell {components.goods()[a.value - 1]} for {_listed(gains)}"
    return f"{source}: take {_listed(gains)}"


def _source(before: Position, a: Fields, price: Price) -> str:
    """Say what allows the action: a die and what changes it, or the effect that is next."""
    if not a.die:
        return components.tile_name(before.pending[-1])
    if a.value in (0, a.die):
        return f"use the {a.die}"
    if not price.workers:
        return f"use the {a.die} as a {a.value} for free"
    return f"use the {a.die} as a {a.value} with {_count(price.workers, 'worker', 'workers')}"


def _gains(before: Player, after: Player, price: Price) -> list[str]:
    """Return what an action brings at once: points, workers and silver."""
    found = (
        (after.score - before.score, "point", "points"),
        (after.workers - before.workers + price.workers, "worker", "workers"),
        (after.silver - before.silver + price.silver, "silver", "silver"),
    )
    return [_count(*gain) for gain in found if gain[0]]


def _tile(tile: int) -> str:
    """Return a tile's name with the article where it has no number."""
    name = components.tile_name(tile)
    return name if tile >= k.FIRST_ANIMAL else f"the {name}"


def _discarding(a: Fields) -> str:
    if not a.discard:
        return ""
    if a.discard == a.tile:
        return f" (discarding the other {components.tile_name(a.discard)})"
    return f" (discarding {_tile(a.discard)})"


def _load(a: Fields) -> str:
    text = f"load the goods of depot {a.place}{_keeping(a.tile)}"
    if a.value:
        text += f", then of depot {a.value}{_keeping(a.discard)}"
    return text


def _keeping(colours: int) -> str:
    kept = [name for i, name in enumerate(components.goods()) if colours >> i & 1]
    return f", keeping {_listed(kept)}" if kept else ""


# --- Costs


class Price(NamedTuple):
    """What an action itself costs."""

    workers: int = 0
    silver: int = 0


class Step(NamedTuple):
    """What an action's price depends on; `die` is 0 where no die is used."""

    kind: int
    die: int
    value: int
    tile: int


def costs(position: Position, action: str | int) -> dict[str, int]:
    """Return what an action costs by itself, as canonical text or packed: workers and silver.

    Workers that change a die and what a purchase is paid with; gains are not set off. The action
    is trusted to be legal here.

    Raises:
        ActionError: the text is no action.

    """
    step = _step_of_text(action) if isinstance(action, str) else _step_of_code(fields(action))
    return _price(_estate(position), step)._asdict()


def costs_of(position: Position, turn: Sequence[str]) -> dict[str, int]:
    """Return what a sequence of canonical texts costs together, up to the end of the turn.

    Raises:
        ActionError: one of the texts is no action.

    """
    estate = set(_estate(position))
    workers = silver = 0
    for text in turn:
        if text == "end":
            break
        step = _step_of_text(text)
        price = _price(estate, step)
        workers += price.workers
        silver += price.silver
        if step.kind == k.PLACE:
            estate.add(step.tile)  # a monastery works from now on
    return {"workers": workers, "silver": silver}


def _estate(position: Position) -> tuple[int, ...]:
    return position.players[position.mover].estate


_FREE_STEP = {"building": 9, "animal": 10, "ship": 10, "monastery": 11, "castle": 11, "mine": 11}
"""The monastery that gives a free step for placing a tile of each colour (2019 p. 10)."""

_FREE_STEP_TO_TAKE = 12
_TWO_STEPS_A_WORKER = 8


@functools.cache
def _step_monasteries() -> dict[int, int]:
    """Return for each tile the monastery, as a tile, that makes placing it easier."""
    return {
        tile.number: _monastery(_FREE_STEP[components.COLOURS[tile.colour]])
        for tile in components.tiles().values()
    }


@functools.cache
def _purchase() -> int:
    return int(components.scoring()["purchase"])


def _monastery(number: int) -> int:
    return k.FIRST_MONASTERY + number - 1


def _price(estate: Container[int], step: Step) -> Price:
    """Return the fewest workers, or the silver, that an action needs with these tiles placed."""
    kind, die, value, tile = step
    if kind == k.BUY:
        return Price(silver=_purchase())
    if kind == k.BUY_WITH_WORKERS:
        return Price(workers=_purchase())
    if not die or value in (0, die):
        return Price()
    distance = abs(die - value)
    far = min(distance, 6 - distance)  # 6 and 1 are neighbours
    if kind == k.TAKE:
        far -= _monastery(_FREE_STEP_TO_TAKE) in estate
    elif kind == k.PLACE:
        far -= _step_monasteries()[tile] in estate
    if _monastery(_TWO_STEPS_A_WORKER) in estate:
        far = (far + 1) // 2
    return Price(workers=far)


def _step_of_code(a: Fields) -> Step:
    return Step(a.kind, a.die, a.value, a.tile)


_TEXT = re.compile(
    r"(?:(?P<die>[1-6])(?:>(?P<value>[1-6]))? |\* )?"
    r"(?:(?P<take>take) .+ from [1-6].*|place (?P<tile>.+) [a-g][1-7]|(?P<sell>sell) \w+"
    r"|(?P<buy>buy) .+|workers|load [1-6].*|skip|end)"
)


def _step_of_text(text: str) -> Step:
    """Read from a canonical text what its price depends on.

    The kinds are those of dice, whatever allows the action: without a die it costs nothing.
    """
    found = _TEXT.fullmatch(text)
    tile = components.tile_numbers().get(found["tile"], 0) if found and found["tile"] else 0
    if not found or (found["tile"] and not tile):
        raise ActionError(f"'{text}' is no action; write it as `advisor actions` prints it")
    kind = 0
    if found["take"]:
        kind = k.TAKE
    elif tile:
        kind = k.PLACE
    elif found["sell"]:
        kind = k.SELL
    elif found["buy"]:
        kind = k.BUY_WITH_WORKERS if " with workers" in text else k.BUY
    return Step(kind, int(found["die"] or 0), int(found["value"] or 0), tile)
