"""Rolls and deals as texts: drawing them, reading them, carrying them out (docs/positions.md).

Owns the words `roll` and `deal`. Everything typed is checked: names, dice, slots, colours, and
that the box still holds the tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.errors import ActionError
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy.pack import black_range, pack

if TYPE_CHECKING:
    from advisor.games.burgundy.model import Position

_FACES = ("1", "2", "3", "4", "5", "6")


def sample(position: Position, seed: int) -> str:
    """Draw the awaited roll or deal and return its canonical text."""
    if position.stage not in ("roll", "deal"):
        raise ActionError("nothing is left to chance in this position")
    rules = position.rules
    state = rules.determinize(position.packed, 0, seed & (2**64 - 1))
    return describe(position, rules.chance(state, seed & (2**64 - 1)))


def describe(position: Position, state: bytes) -> str:
    """Return the canonical text of the roll or deal that led from a position to a packed state."""
    after = np.frombuffer(state, dtype=k.STATE_DTYPE)[0]
    if position.stage == "deal":
        return _deal_text(after)
    white = 1  # where no good was due the white die means nothing
    for depot, before in enumerate(position.depot_goods):
        lying = int(after["depot_goods"][depot])
        if any(lying >> (4 * colour) & 15 != count for colour, count in enumerate(before)):
            white = depot + 1
    words = [
        f"{p.name} {d[0]} {d[1]}" for p, d in zip(position.players, after["dice"], strict=False)
    ]
    return f"roll {' '.join(words)} white {white}"


def _deal_text(s: np.void) -> str:
    parts = []
    for depot in range(6):
        tiles = [int(t) for t in s["slots"][4 * depot : 4 * depot + 4] if t]
        parts.append(f"{depot + 1}: {', '.join(map(components.tile_name, tiles))}")
    black = [components.tile_name(int(t)) for t in s["slots"][k.BLACK_SLOT :] if t]
    coming = s["goods_to_come"][: int(s["goods_coming"])][::-1]
    goods = [components.goods()[int(g) - 1] for g in coming]
    return "deal " + "; ".join([*parts, f"black: {', '.join(black)}", f"goods: {', '.join(goods)}"])


def apply(position: Position, text: str) -> Position:
    """Carry out a roll or a deal.

    Raises:
        ActionError: the text is something else, or names what cannot be.

    """
    word, rest = [*text.split(None, 1), "", ""][:2]
    awaited = position.stage
    if word.lower() != awaited:
        raise ActionError(
            f"'{text}' is not possible: the position waits for a {awaited}, such as "
            f"'{sample(position, 1)}'"
        )
    return _roll(position, rest) if awaited == "roll" else _deal(position, rest)


def _roll(position: Position, text: str) -> Position:
    names = {" ".join(name.casefold().split()): seat for seat, name in enumerate(position.names)}
    rolled: dict[int, tuple[int, int]] = {}
    white = 0
    words = text.split()
    while words:
        who, numbers = _next_roll(words, names)
        words = words[len(who.split()) + len(numbers) :]
        if not numbers:
            left = " ".join((who, *words))
            raise ActionError(f"cannot read '{left}' in the roll; write '{sample(position, 1)}'")
        if any(number not in _FACES for number in numbers):
            raise ActionError(f"{who} rolled {' '.join(numbers)}; dice show 1 to 6")
        dice = [_FACES.index(number) + 1 for number in numbers]
        if who.casefold() == "white":
            if len(dice) != 1 or white:
                raise ActionError("the white die is rolled once: 'white 4'")
            white = dice[0]
        elif who.casefold() not in names:
            raise ActionError(
                f"nobody is called '{who}'; the players are {', '.join(position.names)}"
            )
        elif len(dice) != 2 or names[who.casefold()] in rolled:
            raise ActionError(f"{who} rolls two dice, once: '{who} 3 5'")
        else:
            rolled[names[who.casefold()]] = (min(dice), max(dice))
    missing = [name for seat, name in enumerate(position.names) if seat not in rolled]
    if missing or not white:
        raise ActionError(
            f"the roll lacks {', '.join(missing) or 'the white die'}; write '{sample(position, 1)}'"
        )
    players = tuple(replace(p, dice=rolled[seat]) for seat, p in enumerate(position.players))
    rolled_position = pack(replace(position, players=players))
    return position.view(position.rules.start_round(rolled_position, white))


def _next_roll(words: list[str], names: Iterable[str]) -> tuple[str, list[str]]:
    """Return who rolls first and the numbers behind; a player's own name may hold numbers."""
    size = next((i for i, word in enumerate(words) if i and word.isdecimal()), len(words))
    for name in names:
        length = name.count(" ") + 1
        if length > size and " ".join(words[:length]).casefold() == name:
            size = length
    known = " ".join(words[:size]).casefold() in names
    most = 2 if known else len(words)
    numbers: list[str] = []
    for word in words[size:]:
        if not word.isdecimal() or len(numbers) == most:
            break
        numbers.append(word)
    return " ".join(words[:size]), numbers


def _deal(position: Position, text: str) -> Position:
    sections: dict[str, list[str]] = {}
    for part in filter(str.strip, text.split(";")):
        place, colon, words = part.partition(":")
        place = place.strip().lower()
        if not colon or place not in {"1", "2", "3", "4", "5", "6", "black", "goods"}:
            raise ActionError(
                f"cannot read '{part.strip()}' in the deal; write 'PLACE: tile, tile' with places "
                "1 to 6, black and goods, parted by semicolons"
            )
        if place in sections:
            raise ActionError(f"the deal names {place} twice; list each place once")
        sections[place] = [word.strip() for word in words.split(",") if word.strip()]
    short = _supply_is_short(position)
    depots = [
        _dealt_depot(position, depot, sections.get(str(depot), []), short=short)
        for depot in range(1, 7)
    ]
    black = _tiles(sections.get("black", []), "black")
    size = components.black_slots(len(position.players))
    if len(black) != size and not (short and len(black) < size):
        raise ActionError(f"the black depot gets {size} tiles, not {len(black)}")
    goods = _goods(sections.get("goods", []), position)
    after = replace(
        position,
        depots=tuple(tuple(sorted(depot)) for depot in depots),
        black=tuple(sorted(black)),
        goods_to_come=tuple(goods),
        stage="roll",
    )
    _check_supply(after)
    return after


def _tiles(words: list[str], place: str) -> list[int]:
    found = []
    for word in words:
        tile = components.find_tile(word)
        if tile is None:
            hint = components.nearest(word, components.tile_numbers())
            raise ActionError(
                f"{place}: no tile is called '{word}'"
                + (f"; did you mean '{hint}'?" if hint else "")
            )
        found.append(tile)
    return found


def _supply_is_short(position: Position) -> bool:
    """Tell whether the unseen tiles cannot fill the slots of this deal.

    No game gets there, but a hand-made position may; then slots that cannot be filled stay empty.
    """
    players = len(position.players)
    slots = Counter(components.slot_colours(players)[position.phase])
    seen = position.tiles_in_sight()
    nothing: Counter[int] = Counter()
    spare_black = 0
    for colour in range(k.COLOURS):
        unseen = least = most = 0
        for tile in components.tiles().values():
            if tile.colour == colour:
                copies = tile.coloured + tile.black - seen[tile.number]
                low, high = black_range(position, tile, copies, nothing, nothing)
                unseen, least, most = unseen + copies, least + low, most + high
        if unseen - least < slots[colour]:
            return True
        spare_black += min(most, unseen - slots[colour])
    return spare_black < components.black_slots(players)


def _dealt_depot(position: Position, depot: int, words: list[str], *, short: bool) -> list[int]:
    tiles = _tiles(words, f"depot {depot}")
    slots = components.depot_colours(len(position.players), position.phase, depot)
    empty = Counter(slots)
    empty.subtract(components.tiles()[tile].colour for tile in tiles)
    if any(count < 0 or (count > 0 and not short) for count in empty.values()):
        wanted = ", ".join(components.COLOURS[colour] for colour in slots)
        got = ", ".join(words) or "nothing"
        raise ActionError(
            f"depot {depot} gets one tile for each of its slots ({wanted}), not {got}"
        )
    return tiles


def _goods(words: list[str], position: Position) -> list[int]:
    found = []
    for word in words:
        good = components.find_good(word)
        if good is None:
            raise ActionError(
                f"goods: no goods colour is called '{word}'; the colours are "
                f"{', '.join(components.goods())}"
            )
        found.append(good)
    scoring = components.scoring()["goods"]
    hidden = scoring["copies"] * len(scoring["colours"]) - sum(position.goods_in_sight())
    due = min(k.ROUNDS, hidden)
    if len(found) != due:
        raise ActionError(f"a phase has {due} goods, one a round, not {len(found)}")
    return found


def _check_supply(after: Position) -> None:
    """Refuse a deal with more copies of anything than the box can still give."""
    seen = after.tiles_in_sight()
    for tile in components.tiles().values():
        copies = tile.coloured + tile.black
        if seen[tile.number] > copies:
            raise ActionError(
                f"with this deal {seen[tile.number]} {tile.name} tiles are in sight or removed; "
                f"the box holds {copies}"
            )
    copies = components.scoring()["goods"]["copies"]
    for name, count in zip(components.goods(), after.goods_in_sight(), strict=True):
        if count > copies:
            raise ActionError(f"the deal has more {name} goods than the {copies} of the box")
