"""Reading the table of a position file: depots, goods, and the inventory of the whole box."""

from __future__ import annotations

from collections import Counter
from typing import Any

from advisor.core.documents import Path_
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Player
from advisor.games.burgundy.reading.words import Words


class TableReader(Words):
    """Reads what lies in the middle and counts what the box holds."""

    def depot_goods(self, depot: int) -> tuple[int, ...]:
        """Read the goods lying in a numbered depot."""
        path = ("depots", str(depot), "goods")
        counts = [0] * 6
        for index, word in enumerate(self.file.depots.numbered(depot).goods):
            number = self.good(word, (*path, index))
            if number is not None:
                counts[number - 1] += 1
        return tuple(counts)

    def check_depots(self, depots: list[tuple[int, ...]], black: tuple[int, ...]) -> None:
        """Refuse tiles that a depot has no slot for."""
        players = len(self.names)
        phase = components.phases().index(self.file.phase or "A")
        for depot, tiles in enumerate(depots, start=1):
            slots = components.depot_colours(players, phase, depot)
            held = Counter(components.tiles()[tile].colour for tile in tiles)
            for colour, count in held.items():
                room = slots.count(colour)
                if count > room:
                    wanted = ", ".join(components.COLOURS[slot] for slot in slots)
                    self.report(
                        ("depots", str(depot), "tiles"),
                        f"{count} {components.COLOURS[colour]} tile(s) where there is room "
                        f"for {room}; with "
                        f"{players} players in phase {self.file.phase} depot {depot} holds "
                        f"one each of: {wanted}",
                    )
        size = components.black_slots(players)
        if len(black) > size:
            self.report(
                ("depots", "black"),
                f"{len(black)} tiles; with {players} players the black depot holds {size}",
            )

    def check_box(
        self,
        players: list[Player | None],
        depots: list[tuple[int, ...]],
        black: tuple[int, ...],
        removed: tuple[int, ...],
        depot_goods: list[tuple[int, ...]],
        coming: tuple[int, ...],
    ) -> None:
        """Refuse more copies of a tile or good than the box holds."""
        total = Counter([*black, *removed, *(tile for depot in depots for tile in depot)])
        for player in players:
            if player:
                total.update(player.storage)
                total.update(tile for tile in player.estate if tile)
        for tile in components.tiles().values():
            name, copies = tile.name, tile.coloured + tile.black
            if total[tile.number] > copies:
                self.report(
                    self.place_of(tile.number),
                    f"{total[tile.number]} {name} tiles in all; the box holds {copies}",
                )
        copies = components.scoring()["goods"]["copies"]
        for colour, name in enumerate(components.goods()):
            count = sum(goods[colour] for goods in depot_goods) + coming.count(colour + 1)
            count += sum(p.goods[colour] + p.sold[colour] for p in players if p)
            if count > copies:
                self.report(
                    self.place_of_good(colour + 1),
                    f"{count} {name} goods in all; the box holds {copies}",
                )

    def place_of_good(self, good: int) -> Path_:
        """Return the last place in the file that names a goods colour."""
        found: Path_ = ()
        for path, mark in self.document.marks.items():
            if path[-2:-1] in (("goods",), ("sold",), ("goods_to_come",)):
                word: Any = path[-1]
                if isinstance(word, int):
                    items: Any = self.document.data
                    for part in path[:-1]:
                        items = items.get(part, ()) if isinstance(items, dict) else ()
                    word = items[word] if isinstance(items, list) and word < len(items) else None
                named = isinstance(word, int | str) and components.find_good(word) == good
                if named and mark >= self.document.marks.get(found, (0, 0)):
                    found = path
        return found

    def place_of(self, tile: int, *prefix: str) -> Path_:
        """Return the last place in the file that names a tile."""
        data: Any = self.document.data
        found: Path_ = prefix
        for part in prefix:
            data = data.get(part, {})
        stack: list[tuple[Path_, Any]] = [(prefix, data)]
        while stack:
            path, value = stack.pop()
            if isinstance(value, dict):
                stack += [((*path, key), item) for key, item in value.items()]
            elif isinstance(value, list):
                stack += [((*path, index), item) for index, item in enumerate(value)]
            elif isinstance(value, str) and path[:1] != ("turn",):
                marks = self.document.marks
                later = marks.get(path, (0, 0)) >= marks.get(found, (0, 0))
                if later and components.find_tile(value) == tile:
                    found = path
        return found
