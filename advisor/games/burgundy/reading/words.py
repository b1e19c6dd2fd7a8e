"""Reading single words of a position file: tiles, goods, names.

Owns the class `Words`, on which the readers of players, table and turn build: it holds the file,
collects the faults and knows which places are damaged already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from advisor.core.documents import Document, Path_
from advisor.games.burgundy import components
from advisor.games.burgundy.schema import PositionSection


class Words:
    """Reads one file; `report` collects the faults, None stands for what could not be read."""

    def __init__(self, document: Document, file: PositionSection, damaged: set[Path_]) -> None:
        self.document = document
        self.file = file
        self.damaged = damaged
        self.names = list(file.players)

    def report(self, path: Path_, message: str) -> None:
        """Note a fault."""
        self.document.report(path, message)

    def fault(self, path: Path_, message: str) -> None:
        """Report a fault and remember that what stands at the path cannot be relied on."""
        self.report(path, message)
        self.damaged.add(path)

    def is_damaged(self, *path: str | int) -> bool:
        """Tell whether something at or below a path was faulty."""
        return any(found[: len(path)] == path for found in self.damaged)

    def require(self, section: Any, path: Path_) -> None:
        """Report the required keys that are not in the file."""
        for key in section.REQUIRED:
            here = (*path, key)
            left_out = getattr(section, key) in (None, {}) and key not in section.model_fields_set
            if left_out and not self.is_damaged(*here):
                self.fault(here, f"the key '{key}' is missing; add it")

    def tile(self, word: str, path: Path_) -> int | None:
        """Read the name of a tile."""
        number = components.find_tile(word)
        if number is None:
            self.fault(path, f"no tile is called '{word}'; {_tile_remedy(word)}")
        return number

    def tiles(self, words: Sequence[str], path: Path_) -> tuple[int, ...]:
        """Read a list of tiles."""
        found = [self.tile(word, (*path, index)) for index, word in enumerate(words)]
        return tuple(sorted(tile for tile in found if tile is not None))

    def good(self, word: str | int, path: Path_) -> int | None:
        """Read a goods colour, by name or die number."""
        number = components.find_good(word)
        if number is None:
            hint = components.nearest(str(word), components.goods())
            remedy = f"did you mean '{hint}'?" if hint else f"write {', '.join(components.goods())}"
            self.fault(path, f"no goods colour is called '{word}'; {remedy}")
        return number

    def goods_map(self, counts: dict[str, int], path: Path_) -> tuple[int, ...]:
        """Read goods by colour."""
        result = [0] * 6
        for word, count in counts.items():
            number = self.good(word, (*path, word))
            if number is not None:
                if result[number - 1]:
                    self.report(
                        (*path, word),
                        f"{components.goods()[number - 1]} is given twice; give it once",
                    )
                result[number - 1] += count
        return tuple(result)

    def seats(self, names: Iterable[str], path: Path_) -> tuple[int, ...] | None:
        """Read an order of all players."""
        seats = []
        for index, name in enumerate(names):
            if name in self.names:
                seats.append(self.names.index(name))
            else:
                self.unknown_player(name, (*path, index))
                return None
        if sorted(seats) != list(range(len(self.names))):
            if self.is_damaged(*path) or self.lost_players():
                return None
            self.report(
                path, f"every player stands here once; write {', '.join(self.names)} in order"
            )
            return None
        return tuple(seats)

    def lost_players(self) -> bool:
        """Tell whether a whole player could not be read."""
        return any(path[:1] == ("players",) and len(path) <= 2 for path in self.damaged)

    def unknown_player(self, name: str, path: Path_) -> None:
        """Note a name that no player has."""
        if self.lost_players():
            return
        near = {known.casefold(): known for known in self.names}
        hint = components.nearest(name, near)
        remedy = (
            f"did you mean '{near[hint]}'?" if hint else f"the players are {', '.join(self.names)}"
        )
        self.report(path, f"nobody is called '{name}'; {remedy}")


def _tile_remedy(word: str) -> str:
    """Return what would be right instead of an unknown tile."""
    first, _, rest = components.canonical_tile(word).partition(" ")
    kinds = [name for name in components.tile_numbers() if name.partition(" ")[0] == first]
    if first == "monastery" and not rest.isalpha():
        return "monasteries have numbers: monastery 1 to monastery 26"
    if len(kinds) == 3 and not rest.isalpha():
        return f"animals have numbers: {', '.join(kinds)}"
    hint = components.nearest(f"{first} {rest}", components.tile_numbers())
    return (
        f"did you mean '{hint}'?"
        if hint
        else "tiles are called as in docs/positions.md, such as bank or pig 3"
    )
