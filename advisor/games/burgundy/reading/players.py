"""Reading the players of a position file: boards, estates, storage, goods, colour bonuses."""

from __future__ import annotations

from advisor.core.documents import Path_
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Player
from advisor.games.burgundy.reading.words import Words
from advisor.games.burgundy.schema import PlayerSection, TurnSection


class PlayersReader(Words):
    """Reads what lies before each player."""

    def player(self, name: str, section: PlayerSection) -> Player | None:
        """Read one player."""
        path = ("players", name)
        self.require(section, path)
        board = self.board(section, path)
        estate = self.estate(section, board, path)
        goods = self.goods_map(section.goods, (*path, "goods"))
        spaces = components.scoring()["goods"]["spaces"]
        if sum(1 for count in goods if count) > spaces:
            self.report(
                (*path, "goods"),
                f"goods of more than {spaces} colours; a player has spaces for {spaces}",
            )
        storage = self.tiles(section.storage, (*path, "storage"))
        if len(section.storage) > k.STORAGE:
            self.report(
                (*path, "storage"),
                f"{len(section.storage)} tiles; storage holds at most {k.STORAGE}",
            )
        sold = self.goods_map(section.sold, (*path, "sold"))
        turn = self.file.turn  # states the unused dice where only one die of a roll is known
        known = isinstance(turn, TurnSection) and turn.player == name and turn.dice is not None
        sizes = (0, 1, 2) if known else (0, 2)
        if len(section.dice) not in sizes and not self.is_damaged(*path, "dice"):
            self.report(
                (*path, "dice"), f"{len(section.dice)} dice; a roll has two, such as [3, 5]"
            )
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
        """Read the number of a board, as printed in the edition's box."""
        if section.board is None:
            return None
        known = components.boards_of(self.file.edition)
        number = section.board
        if isinstance(number, str) and number.isascii() and number.isdigit():
            number = int(number)
        if number not in known:
            if self.is_damaged("edition"):
                return None
            numbers = ", ".join(map(str, sorted(known)))
            self.report(
                (*path, "board"),
                f"no board {section.board} in the {self.file.edition} box; write {numbers}",
            )
            return None
        return components.boards()[known[int(number)]]

    def estate(
        self, section: PlayerSection, board: components.Board | None, path: Path_
    ) -> tuple[int, ...] | None:
        """Read the placed tiles and check each against its cell."""
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
                self.fault(
                    (*path, word),
                    f"there is no cell {word}; cells are a1..a4, b1..b5, c1..c6, d1..d7, "
                    "e1..e6, f1..f5, g1..g4",
                )
            if cell is None or tile is None:
                sound = False
                continue
            if cells[cell]:
                self.report(
                    (*path, word), f"the cell {components.CELLS[cell]} is given twice; give it once"
                )
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
        """Refuse tiles that do not hang together with a castle (2019 p. 5)."""
        castles = [cell for cell, tile in enumerate(cells) if tile == k.CASTLE]
        if not castles:
            self.report(
                path, "there is no castle; every estate begins with one, such as d4: castle"
            )
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
            self.report(
                path,
                f"{names} not connected to the castle on {start}; every tile lies next to "
                "another one",
            )

    def check_cities(
        self, cells: list[int], words: dict[int, str], board: components.Board, path: Path_
    ) -> None:
        """Refuse two buildings of a kind in a city without monastery 1 (2019 p. 6)."""
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
                        f"a second {name} in the city of {there}; without monastery 1 a "
                        "city has one of a kind",
                    )

    def bonuses(self, players: list[Player | None]) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Read the colour bonuses and deduce those that follow."""
        large: list[set[int]] = [set() for _ in players]
        small: list[set[int]] = [set() for _ in players]
        for seat, (name, section) in enumerate(self.file.players.items()):
            for word, size in section.bonuses.items():
                path = ("players", name, "bonuses", word)
                if components.plain_words(word) not in components.COLOURS:
                    self.fault(
                        path, f"no colour is called '{word}'; write {', '.join(components.COLOURS)}"
                    )
                elif size not in ("large", "small"):
                    self.fault(path, f"'{size}' is no bonus; write large or small")
                else:
                    held = large if size == "large" else small
                    colour = components.COLOURS.index(components.plain_words(word))
                    if colour in large[seat] | small[seat]:
                        self.fault(
                            path,
                            f"the {components.COLOURS[colour]} bonus is given twice; give it once",
                        )
                    held[seat].add(colour)
        stated = not any(
            self.is_damaged("players", n, key) for n in self.names for key in ("estate", "bonuses")
        )
        if all(players) and stated:
            for colour in range(k.COLOURS):
                self.deduce_bonus(colour, [p for p in players if p], large, small)
        return [(frozenset(a), frozenset(b)) for a, b in zip(large, small, strict=True)]

    def deduce_bonus(
        self, colour: int, players: list[Player], large: list[set[int]], small: list[set[int]]
    ) -> None:
        """Work out who holds the bonuses of one colour, or say what is missing."""
        word = components.COLOURS[colour]
        full = [
            seat
            for seat, player in enumerate(players)
            if all(
                player.estate[cell] for cell in components.boards()[player.board].cells_of(colour)
            )
        ]
        firsts = [seat for seat in range(len(players)) if colour in large[seat]]
        seconds = [seat for seat in range(len(players)) if colour in small[seat]]
        for seat in {*firsts, *seconds} - set(full):
            path = ("players", self.names[seat], "bonuses", word)
            self.report(
                path, f"{self.names[seat]} has not filled all {word} cells; remove the bonus"
            )
            return
        if len(firsts) > 1 or len(seconds) > 1:
            seat = (firsts if len(firsts) > 1 else seconds)[-1]
            self.report(
                ("players", self.names[seat], "bonuses", word),
                f"two players hold the same {word} bonus; one took the large, the next the "
                "small one",
            )
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
                f"{names} have filled all {word} cells; say who was first: add 'bonuses: "
                f"{{{word}: large}}' to "
                f"him and 'bonuses: {{{word}: small}}' to the second",
            )
        elif full and not firsts:
            self.report(
                ("players", self.names[full[0]], "bonuses", word),
                f"the small {word} bonus is taken and the large one is not; the first to "
                "fill a colour takes the large one",
            )
