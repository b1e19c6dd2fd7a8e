"""From a checked structure to a `Position`: what the words mean and whether they fit together.

Owns every fault that needs knowledge of the game (formats.md §1, "Bad files never reach the
search"). All faults are collected; where one value is damaged, the checks that depend on it stay
silent instead of guessing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from advisor.core.documents import Document, Path_
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy.dump import default_next_order
from advisor.games.burgundy.model import Player, Position, Stage
from advisor.games.burgundy.schema import (
    PlayerSection,
    PositionSection,
    TurnSection,
    structure,
)

_EFFECTS = ("ship", "castle", "warehouse", "carpenter", "church", "market", "city hall")
_MAX_PENDING = 4


def read(document: Document) -> Position:
    """Return the position of a document.

    Raises:
        PositionError: listing every fault of the file.

    """
    section, damaged = structure(document)
    position = _Reader(document, section, damaged).position()
    document.check()
    assert position is not None  # noqa: S101 - without problems there is a position
    _check_pending(document, position)
    document.check()
    return position


def _check_pending(document: Document, position: Position) -> None:
    """Refuse a pending effect that has no option besides `skip`: it would be over already."""
    if position.pending and all(str(action) == "skip" for action in position.actions()):
        effect = components.tile_name(position.pending[-1])
        message = f"the pending {effect} has no option, so it is over already; leave it out"
        document.report(("turn", "pending"), message)


class _Reader:
    """Reads one file; `report` collects the faults, None stands for what could not be read."""

    def __init__(self, document: Document, file: PositionSection, damaged: set[Path_]) -> None:
        self.document = document
        self.file = file
        self.damaged = damaged
        self.names = list(file.players)

    # --- Helpers

    def report(self, path: Path_, message: str) -> None:
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
            if getattr(section, key) in (None, {}) and key not in section.model_fields_set:
                if not self.is_damaged(*here):
                    self.document.report(here, f"the key '{key}' is missing; add it")
                    self.damaged.add(here)

    def tile(self, word: str, path: Path_) -> int | None:
        number = components.find_tile(word)
        if number is None:
            self.fault(path, f"no tile is called '{word}'; {_tile_remedy(word)}")
        return number

    def tiles(self, words: Sequence[str], path: Path_) -> tuple[int, ...]:
        found = [self.tile(word, (*path, index)) for index, word in enumerate(words)]
        return tuple(sorted(tile for tile in found if tile is not None))

    def good(self, word: str | int, path: Path_) -> int | None:
        number = components.find_good(word)
        if number is None:
            hint = components.nearest(str(word), components.goods())
            remedy = f"did you mean '{hint}'?" if hint else f"write {', '.join(components.goods())}"
            self.fault(path, f"no goods colour is called '{word}'; {remedy}")
        return number

    def goods_map(self, counts: dict[str, int], path: Path_) -> tuple[int, ...]:
        result = [0] * 6
        for word, count in counts.items():
            number = self.good(word, (*path, word))
            if number is not None:
                if result[number - 1]:
                    self.report((*path, word), f"{components.goods()[number - 1]} is given twice; give it once")
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
            self.report(path, f"every player stands here once; write {', '.join(self.names)} in order")
            return None
        return tuple(seats)

    def lost_players(self) -> bool:
        """Tell whether a whole player could not be read."""
        return any(path[:1] == ("players",) and len(path) <= 2 for path in self.damaged)

    def unknown_player(self, name: str, path: Path_) -> None:
        if self.lost_players():
            return
        near = {known.casefold(): known for known in self.names}
        hint = components.nearest(name, near)
        remedy = f"did you mean '{near[hint]}'?" if hint else f"the players are {', '.join(self.names)}"
        self.report(path, f"nobody is called '{name}'; {remedy}")

    # --- The whole position

    def position(self) -> Position | None:
        file = self.file
        self.require(file, ())
        self.check_rooms()
        self.check_names()
        players = [self.player(name, section) for name, section in file.players.items()]
        depots = [self.tiles(file.depots.numbered(d).tiles, ("depots", str(d), "tiles")) for d in range(1, 7)]
        black = self.tiles(file.depots.black, ("depots", "black"))
        depot_goods = [self.depot_goods(d) for d in range(1, 7)]
        coming = tuple(
            good
            for index, word in enumerate(file.goods_to_come)
            if (good := self.good(word, ("goods_to_come", index))) is not None
        )
        removed = self.tiles(file.removed, ("removed",))
        enough = 2 <= len(self.names) <= 4
        if enough and file.phase:
            self.check_depots(depots, black)
        self.check_box(players, depots, black, removed, depot_goods, coming)
        bonuses = self.bonuses(players)
        stage, turn = self.stage()
        order = self.turn_order(players)
        pending = self.pending(turn)
        if ("turn",) not in self.damaged:
            self.check_stage(stage, depots, black, coming)
        if not enough or order is None:
            return None
        next_order = self.next_order(players, order)
        mover = self.mover(turn, order)
        dice = self.dice(stage, turn, order, mover)
        if None in players or next_order is None or mover is None or dice is None or self.document.problems:
            return None
        rolls, unused = dice
        return Position(
            edition=file.edition,
            tie_break=file.tie_break or components.editions()[file.edition]["tie_break"],
            phase=components.phases().index(file.phase or "A"),
            round=(file.round or 1) - 1,
            players=tuple(
                _with(player, dice=rolls[seat], large=bonuses[seat][0], small=bonuses[seat][1])
                for seat, player in enumerate(players)
                if player is not None
            ),
            turn_order=order,
            next_order=next_order,
            depots=tuple(depots),
            depot_goods=tuple(depot_goods),
            black=black,
            goods_to_come=coming,
            stage=stage,
            mover=mover if stage == "play" else 0,
            dice=unused,
            bought=turn.bought if turn else False,
            pending=pending,
            removed=removed,
        )

    def check_rooms(self) -> None:
        """Refuse expansions and modes that are not built."""
        for index, name in enumerate(self.file.expansions):
            self.report(("expansions", index), f"the expansion '{name}' is not supported yet; leave it out")
        if self.file.mode is not None:
            self.report(("mode",), f"the mode '{self.file.mode}' is not supported yet; leave it out")

    def check_names(self) -> None:
        if len(self.names) not in (2, 3, 4) and "players" in self.file.model_fields_set:
            if not self.lost_players():
                self.report(("players",), f"{len(self.names)} player(s); the game is for 2 to 4")
        seen: dict[str, str] = {}
        for name in self.names:
            path = ("players", name)
            if not name.strip() or name != name.strip():
                self.report(path, "a name is empty or has blanks at its ends; remove them")
            elif any(not c.isprintable() for c in name):
                self.report(path, "a name has a character that cannot be printed; remove it")
            elif name.casefold() in ("white", "chance"):
                self.report(path, f"a player may not be called '{name}'; choose another name")
            elif name[-1].isdigit():
                self.report(path, "a name may not end in a number; write it as a word")
            like = " ".join(name.casefold().split())
            if like in seen:
                self.report(path, f"the name is too like '{seen[like]}'; choose another")
            seen.setdefault(like, name)

    # --- One player

    def player(self, name: str, section: PlayerSection) -> Player | None:
        path = ("players", name)
        self.require(section, path)
        board = self.board(section, path)
        estate = self.estate(section, board, path)
        goods = self.goods_map(section.goods, (*path, "goods"))
        spaces = components.scoring()["goods"]["spaces"]
        if sum(1 for count in goods if count) > spaces:
            self.report((*path, "goods"), f"goods of more than {spaces} colours; a player has spaces for {spaces}")
        storage = self.tiles(section.storage, (*path, "storage"))
        if len(section.storage) > k.STORAGE:
            self.report((*path, "storage"), f"{len(section.storage)} tiles; storage holds at most {k.STORAGE}")
        sold = self.goods_map(section.sold, (*path, "sold"))
        if section.dice and len(section.dice) != 2 and not self.is_damaged(*path, "dice"):
            self.report((*path, "dice"), f"{len(section.dice)} dice; a roll has two, such as [3, 5]")
        if board is None or estate is None:
            return None
        return Player(
            name=name,
            board=board.key,
            estate=estate,
            score=section.score,
            workers=section.workers,
            silver=section.silver,
            goods=goods,
            sold=sold,
            storage=storage,
            track=section.track,
            dice=tuple(sorted(section.dice)),
        )

    def board(self, section: PlayerSection, path: Path_) -> components.Board | None:
        if section.board is None:
            return None
        known = components.boards_of(self.file.edition)
        number = section.board
        if isinstance(number, str) and number.isascii() and number.isdigit():
            number = int(number)
        if number not in known:
            if self.is_damaged("edition"):
                return None
            numbers = ", ".join(map(str, known))
            self.report((*path, "board"), f"no board {section.board} in the {self.file.edition} box; write {numbers}")
            return None
        return components.boards()[known[int(number)]]

    def estate(
        self, section: PlayerSection, board: components.Board | None, path: Path_
    ) -> tuple[int, ...] | None:
        if section.estate is None:
            return None
        path = (*path, "estate")
        cells = [0] * len(components.CELLS)
        words: dict[int, str] = {}  # the cells as the file spells them
        sound = not self.is_damaged(*path)
        for word, tile_word in section.estate.items():
            cell = components.CELL_INDEX.get(word.strip().lower())
            tile = self.tile(tile_word, (*path, word))
            if cell is None:
                self.fault((*path, word), f"there is no cell {word}; cells are a1..a4, b1..b5, c1..c6, d1..d7, e1..e6, f1..f5, g1..g4")
            if cell is None or tile is None:
                sound = False
                continue
            if cells[cell]:
                self.report((*path, word), f"the cell {components.CELLS[cell]} is given twice; give it once")
            cells[cell] = tile
            words[cell] = word
            colour = components.tiles()[tile].colour
            if board and colour != board.colours[cell]:
                wanted = components.COLOURS[board.colours[cell]]
                places = ", ".join(components.CELLS[place] for place in board.cells_of(colour))
                self.fault(
                    (*path, word),
                    f"{components.tile_name(tile)} on a {wanted} cell; its cells on board "
                    f"{section.board} are {places}",
                )
        if sound and board:
            self.check_connected(cells, path)
            self.check_cities(cells, words, board, path)
        return tuple(cells)

    def check_connected(self, cells: list[int], path: Path_) -> None:
        castles = [cell for cell, tile in enumerate(cells) if tile == k.CASTLE]
        if not castles:
            self.report(path, "there is no castle; every estate begins with one, such as d4: castle")
            return
        reached = {castles[0]}
        frontier = [castles[0]]
        while frontier:
            for near in components.NEIGHBOURS[frontier.pop()]:
                if cells[near] and near not in reached:
                    reached.add(near)
                    frontier.append(near)
        apart = [cell for cell, tile in enumerate(cells) if tile and cell not in reached]
        if apart:
            names = ", ".join(components.CELLS[cell] for cell in apart)
            start = components.CELLS[castles[0]]
            self.report(path, f"{names} not connected to the castle on {start}; every tile lies next to another one")

    def check_cities(
        self, cells: list[int], words: dict[int, str], board: components.Board, path: Path_
    ) -> None:
        if k.FIRST_MONASTERY in cells:  # monastery 1
            return
        seen: dict[tuple[int, int], int] = {}
        for cell, tile in enumerate(cells):
            if k.WAREHOUSE <= tile <= k.CITY_HALL:
                first = seen.setdefault((board.regions[cell], tile), cell)
                if first != cell:
                    name, there = components.tile_name(tile), components.CELLS[first]
                    self.report(
                        (*path, words[cell]),
                        f"a second {name} in the city of {there}; without monastery 1 a city has one of a kind",
                    )

    # --- The table

    def depot_goods(self, depot: int) -> tuple[int, ...]:
        path = ("depots", str(depot), "goods")
        counts = [0] * 6
        for index, word in enumerate(self.file.depots.numbered(depot).goods):
            number = self.good(word, (*path, index))
            if number is not None:
                counts[number - 1] += 1
        return tuple(counts)

    def check_depots(self, depots: list[tuple[int, ...]], black: tuple[int, ...]) -> None:
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
                        f"{count} {components.COLOURS[colour]} tile(s) where there is room for {room}; with "
                        f"{players} players in phase {self.file.phase} depot {depot} holds one each of: {wanted}",
                    )
        size = components.black_slots(players)
        if len(black) > size:
            self.report(("depots", "black"), f"{len(black)} tiles; with {players} players the black depot holds {size}")

    def check_box(
        self,
        players: list[Player | None],
        depots: list[tuple[int, ...]],
        black: tuple[int, ...],
        removed: tuple[int, ...],
        depot_goods: list[tuple[int, ...]],
        coming: tuple[int, ...],
    ) -> None:
        """Refuse more copies of a tile or good than the box holds, by back where it is known."""
        numbered = Counter(tile for depot in depots for tile in depot)
        in_black = Counter(black)
        total: Counter[int] = numbered + in_black + Counter(removed)
        for player in players:
            if player:
                total.update(player.storage)
                total.update(tile for tile in player.estate if tile)
        for tile in components.tiles().values():
            name, copies = tile.name, tile.coloured + tile.black
            coloured = tile.coloured - (len(self.names) if tile.number == k.CASTLE else 0)
            if total[tile.number] > copies:
                self.report(
                    self.place_of(tile.number),
                    f"{total[tile.number]} {name} tiles in all; the box holds {copies}",
                )
            elif numbered[tile.number] > coloured:
                self.report(
                    self.place_of(tile.number, "depots"),
                    f"{numbered[tile.number]} {name} in numbered depots; the box holds {coloured} with a "
                    "coloured back for them" + (" besides the starting castles" if tile.number == k.CASTLE else ""),
                )
            elif in_black[tile.number] > tile.black:
                self.report(
                    ("depots", "black"),
                    f"{in_black[tile.number]} {name} in the black depot; the box holds {tile.black} with a black back",
                )
        copies = components.scoring()["goods"]["copies"]
        for colour, name in enumerate(components.goods()):
            count = sum(goods[colour] for goods in depot_goods) + coming.count(colour + 1)
            count += sum(p.goods[colour] + p.sold[colour] for p in players if p)
            if count > copies:
                self.report(self.place_of_good(colour + 1), f"{count} {name} goods in all; the box holds {copies}")

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
            elif isinstance(value, str) and components.find_tile(value) == tile and path[:1] != ("turn",):
                if self.document.marks.get(path, (0, 0)) >= self.document.marks.get(found, (0, 0)):
                    found = path
        return found

    def bonuses(self, players: list[Player | None]) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Read the colour bonuses and deduce those that follow."""
        large: list[set[int]] = [set() for _ in players]
        small: list[set[int]] = [set() for _ in players]
        for seat, (name, section) in enumerate(self.file.players.items()):
            for word, size in section.bonuses.items():
                path = ("players", name, "bonuses", word)
                if components.plain_words(word) not in components.COLOURS:
                    self.fault(path, f"no colour is called '{word}'; write {', '.join(components.COLOURS)}")
                elif size not in ("large", "small"):
                    self.fault(path, f"'{size}' is no bonus; write large or small")
                else:
                    held = large if size == "large" else small
                    colour = components.COLOURS.index(components.plain_words(word))
                    if colour in large[seat] | small[seat]:
                        self.fault(path, f"the {components.COLOURS[colour]} bonus is given twice; give it once")
                    held[seat].add(colour)
        stated = not any(self.is_damaged("players", n, key) for n in self.names for key in ("estate", "bonuses"))
        if all(players) and stated:
            for colour in range(k.COLOURS):
                self.deduce_bonus(colour, [p for p in players if p], large, small)
        return [(frozenset(a), frozenset(b)) for a, b in zip(large, small, strict=True)]

    def deduce_bonus(
        self, colour: int, players: list[Player], large: list[set[int]], small: list[set[int]]
    ) -> None:
        word = components.COLOURS[colour]
        full = [
            seat
            for seat, player in enumerate(players)
            if all(player.estate[cell] for cell in components.boards()[player.board].cells_of(colour))
        ]
        firsts = [seat for seat in range(len(players)) if colour in large[seat]]
        seconds = [seat for seat in range(len(players)) if colour in small[seat]]
        for seat in {*firsts, *seconds} - set(full):
            path = ("players", self.names[seat], "bonuses", word)
            self.report(path, f"{self.names[seat]} has not filled all {word} cells; remove the bonus")
            return
        if len(firsts) > 1 or len(seconds) > 1:
            seat = (firsts if len(firsts) > 1 else seconds)[-1]
            self.report(("players", self.names[seat], "bonuses", word), f"two players hold the same {word} bonus; one took the large, the next the small one")
            return
        rest = [seat for seat in full if seat not in firsts + seconds]
        if not firsts and len(rest) == 1 and len(full) <= 2:
            large[rest.pop()].add(colour)
        elif firsts and not seconds and len(rest) == 1:
            small[rest.pop()].add(colour)
        elif rest and not (firsts and seconds):
            names = " and ".join(self.names[seat] for seat in full)
            self.report(
                ("players", self.names[rest[0]]),
                f"{names} have filled all {word} cells; say who was first: add 'bonuses: {{{word}: large}}' to "
                f"him and 'bonuses: {{{word}: small}}' to the second",
            )
        elif full and not firsts:
            self.report(
                ("players", self.names[full[0]], "bonuses", word),
                f"the small {word} bonus is taken and the large one is not; the first to fill a colour takes the large one",
            )

    # --- Turn and order

    def stage(self) -> tuple[Stage, TurnSection | None]:
        turn = self.file.turn
        if turn is None:
            return "play", None
        if isinstance(turn, TurnSection):
            self.require(turn, ("turn",))
            return "play", turn
        return turn, None

    def turn_order(self, players: list[Player | None]) -> tuple[int, ...] | None:
        if self.file.turn_order is not None:
            return self.seats(self.file.turn_order, ("turn_order",))
        if self.is_damaged("turn_order"):
            return None
        tracks = [section.track for section in self.file.players.values()]
        return tuple(sorted(range(len(players)), key=lambda seat: -tracks[seat]))

    def next_order(self, players: list[Player | None], order: tuple[int, ...]) -> tuple[int, ...] | None:
        tracks = [section.track for section in self.file.players.values()]
        if self.file.next_order is None:
            return tuple(sorted(order, key=lambda seat: -tracks[seat]))
        found = self.seats(self.file.next_order, ("next_order",))
        if found is not None:
            for front, behind in zip(found, found[1:], strict=False):
                if tracks[front] < tracks[behind]:
                    self.report(
                        ("next_order",),
                        f"{self.names[front]} (track {tracks[front]}) stands before {self.names[behind]} (track "
                        f"{tracks[behind]}); the marker further on the track comes first",
                    )
                    return None
        return found

    def mover(self, turn: TurnSection | None, order: tuple[int, ...]) -> int | None:
        if turn is None:
            return None if ("turn",) in self.damaged else order[0]
        if turn.player is None:
            return None
        if turn.player not in self.names:
            self.unknown_player(turn.player, ("turn", "player"))
            return None
        return self.names.index(turn.player)

    def pending(self, turn: TurnSection | None) -> tuple[int, ...]:
        effects = []
        for index, word in enumerate(turn.pending if turn else []):
            name = components.canonical_tile(word)
            if name not in _EFFECTS:
                hint = components.nearest(name, _EFFECTS)
                remedy = f"did you mean '{hint}'?" if hint else f"write {', '.join(_EFFECTS)}"
                self.fault(("turn", "pending", index), f"'{word}' is no effect with a choice; {remedy}")
            else:
                effects.append(components.tile_numbers()[name])
        if len(effects) > _MAX_PENDING:
            self.report(("turn", "pending"), f"{len(effects)} effects; at most {_MAX_PENDING} can wait")
        return tuple(effects)

    def dice(
        self,
        stage: Stage,
        turn: TurnSection | None,
        order: tuple[int, ...],
        mover: int | None,
    ) -> tuple[list[tuple[int, ...]], tuple[int, ...]] | None:
        """Return everybody's roll (empty for those who have moved) and the mover's unused dice."""
        rolls = [tuple(sorted(section.dice)) for section in self.file.players.values()]
        if stage != "play":
            for seat, roll in enumerate(rolls):
                if roll:
                    path = ("players", self.names[seat], "dice")
                    self.report(path, f"nobody has dice while the turn is '{stage}'; remove them")
            return [() for _ in rolls], ()
        if mover is None:
            return None
        for seat in order[: order.index(mover)]:
            rolls[seat] = ()
        complete = True
        for seat in order[order.index(mover) :]:
            stated = turn is not None and turn.dice is not None and seat == mover
            if not rolls[seat] and not stated:
                path = ("players", self.names[seat], "dice")
                if not self.is_damaged(*path):
                    self.report(path, f"{self.names[seat]} has yet to move this round; add this round's roll, such as dice: [3, 5]")
                complete = False
        if turn is None or turn.dice is None:
            return (rolls, rolls[mover]) if complete else None
        unused = tuple(sorted(turn.dice))
        if len(unused) > 2:
            self.report(("turn", "dice"), f"{len(unused)} unused dice; a player has two")
            return None
        if self.is_damaged("players", self.names[mover], "dice") or self.is_damaged("turn", "dice"):
            return None
        if rolls[mover] and Counter(unused) - Counter(rolls[mover]):
            shown = ", ".join(map(str, rolls[mover]))
            self.report(("turn", "dice"), f"{self.names[mover]} rolled {shown}; the unused dice must be among these")
            return None
        if not rolls[mover]:
            rolls[mover] = unused
        return (rolls, unused) if complete else None

    def check_stage(
        self, stage: Stage, depots: list[tuple[int, ...]], black: tuple[int, ...], coming: tuple[int, ...]
    ) -> None:
        phase, number = self.file.phase, self.file.round
        if stage == "deal":
            if number not in (None, 1):
                self.report(("round",), f"a deal comes before round 1, not round {number}; write round: 1")
            if black or any(depots):
                self.report(("depots",), "hex tiles lie in the depots; they are gone before a deal")
        if stage == "over" and ((phase or "E") != "E" or (number or 5) != 5):
            self.report(("turn",), "the game is over only in phase E, round 5; write them or leave the turn out")
        left = {"play": 5, "roll": 6, "deal": 0, "over": 5}[stage]
        if number is not None:
            most = max(0, left - number)
            if len(coming) > most:
                self.report(
                    ("goods_to_come",), f"{len(coming)} goods to come; at most {most} can be left in round {number}"
                )


def _tile_remedy(word: str) -> str:
    """Return what would be right instead of an unknown tile."""
    first, _, rest = components.canonical_tile(word).partition(" ")
    kinds = [name for name in components.tile_numbers() if name.partition(" ")[0] == first]
    if first == "monastery" and not rest.isalpha():
        return "monasteries have numbers: monastery 1 to monastery 26"
    if len(kinds) == 3 and not rest.isalpha():
        return f"animals have numbers: {', '.join(kinds)}"
    hint = components.nearest(f"{first} {rest}", components.tile_numbers())
    return f"did you mean '{hint}'?" if hint else "tiles are called as in the README, such as bank or pig 3"


def _with(player: Player, **changes: Any) -> Player:
    from dataclasses import replace

    return replace(player, **changes)


__all__ = ["default_next_order", "read"]
