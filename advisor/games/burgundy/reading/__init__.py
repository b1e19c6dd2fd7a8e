"""From a checked structure to a `Position`: what the words mean and whether they fit together.

Owns every fault that needs knowledge of the game. All faults are collected; where one value is
damaged, the checks that depend on it stay silent instead of guessing. The parts: `words` (tiles,
goods, names), `players`, `table` (depots and the box), `turn`.
"""

from __future__ import annotations

from dataclasses import replace

from advisor.core.documents import Document
from advisor.games.burgundy import components, names
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.reading.players import PlayersReader
from advisor.games.burgundy.reading.table import TableReader
from advisor.games.burgundy.reading.turn import TurnReader
from advisor.games.burgundy.schema import structure


def read(document: Document) -> Position:
    """Return the position of a document.

    Raises:
        PositionError: listing every fault of the file.

    """
    section, damaged = structure(document)
    position = _Reader(document, section, damaged).position()
    document.check()
    assert position is not None  # without problems there is one
    _check_pending(document, position)
    document.check()
    return position


def _check_pending(document: Document, position: Position) -> None:
    """Refuse a pending effect that has no option besides `skip`: it would be over already."""
    if position.pending and all(str(action) == "skip" for action in position.actions()):
        effect = components.tile_name(position.pending[-1])
        message = f"the pending {effect} has no option, so it is over already; leave it out"
        document.report(("turn", "pending"), message)


class _Reader(PlayersReader, TableReader, TurnReader):
    """Puts the parts together."""

    def position(self) -> Position | None:
        file = self.file
        self.require(file, ())
        self.check_rooms()
        self.check_names()
        players = [self.player(name, section) for name, section in file.players.items()]
        depots = [
            self.tiles(file.depots.numbered(d).tiles, ("depots", str(d), "tiles"))
            for d in range(1, 7)
        ]
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
        next_order = self.next_order(order)
        mover = self.mover(turn, order)
        dice = self.dice(stage, turn, order, mover)
        if None in players or order is None or next_order is None or mover is None or dice is None:
            return None
        if not enough or self.document.problems:
            return None
        rolls, unused = dice
        return Position(
            edition=file.edition,
            tie_break=file.tie_break or components.editions()[file.edition]["tie_break"],
            phase=components.phases().index(file.phase or "A"),
            round=(file.round or 1) - 1,
            players=tuple(
                replace(player, dice=rolls[seat], large=bonuses[seat][0], small=bonuses[seat][1])
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
            self.report(
                ("expansions", index), f"the expansion '{name}' is not supported yet; leave it out"
            )
        if self.file.mode is not None:
            self.report(
                ("mode",), f"the mode '{self.file.mode}' is not supported yet; leave it out"
            )

    def check_names(self) -> None:
        stated = "players" in self.file.model_fields_set and not self.lost_players()
        if stated and len(self.names) not in (2, 3, 4):
            self.report(("players",), f"{len(self.names)} player(s); the game is for 2 to 4")
        for index, name in enumerate(self.names):
            wrong = names.fault(name, self.names[:index])
            if wrong:
                self.report(("players", name), wrong)
