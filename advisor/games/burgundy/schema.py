"""The structure of a Burgundy position file, and its JSON Schema.

Owns which keys exist and what types their values have; pydantic checks them, and everything it
finds is reported with its place. What the values mean together is read in `reading`. Every field
is optional for pydantic, so that one missing key never hides other faults; `REQUIRED` names those
that must be there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    WithJsonSchema,
)

from advisor.core.documents import Document, Path_
from advisor.games.burgundy import components

MOST = 9_999
"""The largest score, number of workers or of silver a file may state; no real game comes near."""


def _any_case(words: str) -> str:
    """Return a pattern for some words in any case, with `_`, `-` or blank between them."""
    letters = (f"[{c.upper()}{c}]" if c.isalpha() else "[ _-]+" if c == " " else c for c in words)
    return "".join(letters)


@functools.cache
def _tile_schema() -> dict[str, Any]:
    names = list(components.tile_numbers())
    words = [_any_case(name) for name in names if not name.startswith("monastery")]
    words += [f"{_any_case('goat')}[ _-]+{n}" for n in (2, 3, 4)]
    numbers = "([1-9]|1[0-9]|2[0-6])"
    words.append(f"({_any_case('monastery')}[ _-]+|[Mm][ _-]*){numbers}")
    return {"anyOf": [{"enum": names}, {"type": "string", "pattern": f"^({'|'.join(words)})$"}]}


def _good_pattern() -> str:
    return "|".join([*map(_any_case, components.goods()), "[1-6]"])


def _good_schema() -> dict[str, Any]:
    names = list(components.goods())
    return {
        "anyOf": [
            {"enum": names},
            {"type": "string", "pattern": f"^({_good_pattern()})$"},
            {"type": "integer", "minimum": 1, "maximum": 6},
        ]
    }


def _board_schema() -> dict[str, Any]:
    numbers = sorted(components.boards_of(2019).keys() | components.boards_of(2011).keys())
    return {"enum": [*numbers, *map(str, numbers)]}


def _effect_schema() -> dict[str, Any]:
    return {
        "anyOf": [
            {"enum": list(EFFECTS)},
            {"type": "string", "pattern": f"^({'|'.join(map(_any_case, EFFECTS))})$"},
        ]
    }


def _keyed(
    keys: Sequence[str], value: dict[str, Any], pattern: str | None = None
) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": dict.fromkeys(keys, value),
        "additionalProperties": False,
    }
    if pattern:
        schema["patternProperties"] = {pattern: value}
    return schema


_COUNT = {"type": "integer", "minimum": 0, "maximum": 7}
TileWord = Annotated[str, WithJsonSchema(_tile_schema())]
GoodWord = Annotated[int | str, WithJsonSchema(_good_schema())]
GoodsMap = Annotated[
    dict[str, Annotated[int, Field(ge=0, le=7)]],
    WithJsonSchema(_keyed(components.goods(), _COUNT, f"^({_good_pattern()})$")),
]
Estate = Annotated[
    dict[str, TileWord],
    WithJsonSchema(_keyed(components.CELLS, _tile_schema(), "^[A-Ga-g][1-7]$")),
]
Bonuses = Annotated[
    dict[str, str],
    WithJsonSchema(_keyed(components.COLOURS, {"enum": ["large", "small"]})),
]
EFFECTS = ("ship", "castle", "warehouse", "carpenter", "church", "market", "city hall")
"""The tiles whose effect has a choice and can wait."""
Effect = Annotated[str, WithJsonSchema(_effect_schema())]
Die = Annotated[int, Field(ge=1, le=6)]
Amount = Annotated[int, Field(ge=0, le=MOST)]


class _Section(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=False)
    REQUIRED: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        schema: dict[str, Any] = handler.resolve_ref_schema(handler(core))
        if cls.REQUIRED:
            schema["required"] = list(cls.REQUIRED)
        return schema


class DepotSection(_Section):
    """A numbered depot."""

    tiles: list[TileWord] = Field([], description="Hex tiles lying face up")
    goods: list[GoodWord] = Field([], description="Goods lying there, by colour or die number")


class DepotsSection(_Section):
    """The six numbered depots and the black one."""

    depot_1: DepotSection | None = Field(None, alias="1")
    depot_2: DepotSection | None = Field(None, alias="2")
    depot_3: DepotSection | None = Field(None, alias="3")
    depot_4: DepotSection | None = Field(None, alias="4")
    depot_5: DepotSection | None = Field(None, alias="5")
    depot_6: DepotSection | None = Field(None, alias="6")
    black: list[TileWord] = Field([], description="Hex tiles of the black depot")

    def numbered(self, depot: int) -> DepotSection:
        """Return the content of a numbered depot."""
        section: DepotSection | None = getattr(self, f"depot_{depot}")
        return section or DepotSection()


class PlayerSection(_Section):
    """One player; left out means nothing there."""

    REQUIRED = ("board", "estate")
    board: Annotated[int | str, WithJsonSchema(_board_schema())] | None = Field(
        None, description="The number printed in that edition's box"
    )
    score: Amount = 0
    workers: Amount = 0
    silver: Amount = 0
    goods: GoodsMap = Field({}, description="Unsold goods by colour")
    sold: GoodsMap = Field({}, description="Sold goods by colour")
    storage: list[TileWord] = Field(
        [], description="At most three tiles", json_schema_extra={"maxItems": 3}
    )
    estate: Estate | None = Field(None, description="Placed tiles by cell, a1 to g4")
    track: Annotated[int, Field(ge=0, le=6)] = Field(0, description="Steps on the turn-order track")
    bonuses: Bonuses = Field({}, description="Colour bonuses held")
    dice: list[Die] = Field([], description="This round's roll", json_schema_extra={"maxItems": 2})


class TurnSection(_Section):
    """Where a turn stands."""

    player: str | None = Field(None, description="Who decides; left out: the first player")
    dice: list[Die] | None = Field(None, description="His unused dice; left out: both")
    bought: bool = Field(False, description="This turn's purchase is spent")
    pending: list[Effect] = Field([], description="Effects to resolve, the last one first")


TurnWord = Literal["roll", "deal", "over"]


class PositionSection(_Section):
    """A position of The Castles of Burgundy."""

    REQUIRED = ("phase", "round", "players")
    game: Literal["burgundy"] = "burgundy"
    edition: Literal[2011, 2019] = 2019
    tie_break: Literal["most", "fewest"] | None = Field(
        None,
        description="Equal points: who has most or fewest empty cells wins; default by edition",
    )
    expansions: list[str] = []
    mode: str | None = None
    phase: Literal["A", "B", "C", "D", "E"] | None = None
    round: Annotated[int, Field(ge=1, le=5)] | None = None
    depots: DepotsSection = DepotsSection()
    goods_to_come: list[GoodWord] = Field(
        [], description="Goods on the round spaces, next round first"
    )
    players: dict[str, PlayerSection] = Field({}, description="By name, in seat order")
    turn_order: list[str] | None = Field(None, description="This round's order, first player first")
    next_order: list[str] | None = Field(None, description="Markers on the track now, front first")
    turn: (
        Annotated[
            Annotated[TurnWord, Tag("word")] | Annotated[TurnSection, Tag("turn")],
            Discriminator(lambda value: "word" if isinstance(value, str) else "turn"),
        ]
        | None
    ) = None
    removed: list[TileWord] = Field([], description="Tiles out of the game")


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a position file, for editors that complete and check."""
    schema = PositionSection.model_json_schema(by_alias=True)
    _strip_nulls(schema)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Position of The Castles of Burgundy (advisor)"
    return schema


def _strip_nulls(schema: Any) -> None:
    """Do not offer `null` to editors: what is not there is left out."""
    if isinstance(schema, list):
        for item in schema:
            _strip_nulls(item)
    elif isinstance(schema, dict):
        if schema.get("default", 0) is None:
            del schema["default"]
        if "anyOf" in schema:
            kept = [item for item in schema["anyOf"] if item != {"type": "null"}]
            if len(kept) == 1:
                del schema["anyOf"]
                schema.update(kept[0])
            else:
                schema["anyOf"] = kept
        for value in schema.values():
            _strip_nulls(value)


def structure(document: Document) -> tuple[PositionSection, set[Path_]]:
    """Check the structure; report every fault and return what is left, with the damaged paths."""
    damaged: set[Path_] = set(document.damaged)
    if not isinstance(document.data, dict):
        if () not in damaged:
            document.report((), "this is no position; write keys such as phase, round and players")
        document.check()
    players = document.data.get("players")
    if isinstance(players, dict):  # a name without anything lacks a board, not a player
        players.update({name: {} for name, value in players.items() if value is None})
    _drop_nulls(document.data)
    while True:
        try:
            return PositionSection.model_validate(document.data), damaged
        except ValidationError as found:
            paths = []
            for error in found.errors(include_url=False):
                path = _path_of(error["loc"], document.data)
                document.report(path, _sentence(error, path))
                paths.append(path)
            for path in sorted(set(paths), key=_in_order, reverse=True):  # later list items first
                damaged.add(path)
                document.drop(path)


def _in_order(path: Path_) -> list[tuple[bool, str | int]]:
    return [(isinstance(part, int), part) for part in path]


def _drop_nulls(data: Any) -> None:
    """Treat `key:` without a value like a key left out."""
    if isinstance(data, dict):
        for key in [key for key, value in data.items() if value is None]:
            del data[key]
        for value in data.values():
            _drop_nulls(value)


def _path_of(loc: tuple[Any, ...], data: Any) -> Path_:
    """Return the part of a pydantic location (it also names union members) that is in the file."""
    path: list[str | int] = []
    for part in loc:
        if isinstance(data, dict) and str(part) in data:
            path.append(str(part))
            data = data[str(part)]
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            path.append(part)
            data = data[part]
    return tuple(path)


_KINDS = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "a word",
    "bool_type": "true or false",
}


def _sentence(error: Any, path: Path_) -> str:
    """Put one pydantic error into words a player understands."""
    kind, context, value = error["type"], error.get("ctx", {}), error["input"]
    shown = repr(value) if len(repr(value)) <= 40 else repr(value)[:37] + "..."
    if kind == "extra_forbidden":
        known = _known_keys(path)
        hint = components.nearest(str(path[-1]), known)
        return "unknown key" + (
            f"; did you mean '{hint}'?" if hint else f"; known keys: {', '.join(known)}"
        )
    if path[-1] == "turn":
        example = "{player: Anna, dice: [5]}"
        return f"{shown} is no turn; write roll, deal, over or a turn such as {example}"
    if kind in ("int_type", "string_type") and path[-1] == "board":
        return f"{shown} is no board; write the number printed on it"
    if kind in ("int_type", "string_type") and _is_good(path):
        return f"{shown} is no goods colour; write {', '.join(components.goods())}"
    if kind == "list_type":
        return f"{shown} is not a list; write it in brackets, such as [{_example(value, path)}]"
    if kind in ("dict_type", "model_type", "model_attributes_type"):
        return f"{shown} does not fit here; write entries in braces, such as {_entries(path)}"
    if kind in _KINDS:
        return f"{shown} is not {_KINDS[kind]}; write {_KINDS[kind]}"
    if kind == "literal_error":
        hint = components.nearest(str(value), re.findall(r"'(\w+)'", context["expected"]))
        asked = f"did you mean '{hint}'? Write" if hint else "write"
        return f"{shown} is unknown; {asked} {context['expected']}"
    if kind in ("greater_than_equal", "less_than_equal"):
        low, high = _bounds(path)
        return f"{shown} is outside {low}..{high}; write a whole number of {low} to {high}"
    return f"{shown} does not fit here; {error['msg'].lower()}"


def _example(value: Any, path: Path_) -> str:
    """Return the items of a list that somebody may have meant."""
    if isinstance(value, str) and 0 < len(value) <= 40 and not set(value) & set("[]{}:"):
        return ", ".join(value.replace(",", " ").split()) if path[-1] == "dice" else value
    return "3, 5" if path[-1] == "dice" else "first, second"


def _entries(path: Path_) -> str:
    """Return an example of the mapping that belongs to a path."""
    examples = {
        "goods": "{red: 2}",
        "sold": "{red: 2}",
        "estate": "{d4: castle}",
        "bonuses": "{mine: large}",
        "depots": "{1: {tiles: [bank]}}",
    }
    if path[0] == "depots" and len(path) > 1:
        return "{tiles: [bank, ship], goods: [red]}"
    return examples.get(
        str(path[-1]),
        "{Anna: {board: 1, estate: {d4: castle}}}"
        if len(path) == 1
        else "{board: 1, estate: {d4: castle}}",
    )


def _is_good(path: Path_) -> bool:
    """Tell whether a path is an item of a list of goods."""
    return isinstance(path[-1], int) and path[-2] in ("goods", "goods_to_come")


def _bounds(path: Path_) -> tuple[int, int]:
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    if path[-2:-1] in (("goods",), ("sold",)):
        return 0, 7
    return {"dice": (1, 6), "round": (1, 5), "track": (0, 6)}.get(key, (0, MOST))


def _known_keys(path: Path_) -> list[str]:
    section: type[_Section] = PositionSection
    if len(path) > 1:
        if path[0] == "players":
            section = PlayerSection
        elif path[0] == "turn":
            section = TurnSection
        elif path[0] == "depots":
            section = DepotsSection if len(path) == 2 else DepotSection
    return [info.alias or name for name, info in section.model_fields.items()]
