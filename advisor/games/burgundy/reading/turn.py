"""Reading whose turn it is in a position file: orders, dice, pending effects, what is awaited."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from advisor.games.burgundy import components
from advisor.games.burgundy.model import Player, Stage
from advisor.games.burgundy.reading.words import Words
from advisor.games.burgundy.schema import EFFECTS, TurnSection

_MAX_PENDING = 4


class TurnReader(Words):
    """Reads where the round and the turn stand."""

    def stage(self) -> tuple[Stage, TurnSection | None]:
        """Tell what is awaited, and the turn as far as it is stated."""
        turn = self.file.turn
        if turn is None:
            return "play", None
        if isinstance(turn, TurnSection):
            return "play", turn
        return turn, None

    def turn_order(self, players: list[Player | None]) -> tuple[int, ...] | None:
        """Read this round's order."""
        if self.file.turn_order is not None:
            return self.seats(self.file.turn_order, ("turn_order",))
        if self.is_damaged("turn_order"):
            return None
        tracks = [section.track for section in self.file.players.values()]
        return tuple(sorted(range(len(players)), key=lambda seat: -tracks[seat]))

    def next_order(self, order: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """Read the markers on the track, front first."""
        tracks = [section.track for section in self.file.players.values()]
        if self.file.next_order is None:
            return order and tuple(sorted(order, key=lambda seat: -tracks[seat]))
        found = self.seats(self.file.next_order, ("next_order",))
        if found is not None:
            for front, behind in pairwise(found):
                if tracks[front] < tracks[behind]:
                    self.report(
                        ("next_order",),
                        f"{self.names[front]} (track {tracks[front]}) stands before "
                        f"{self.names[behind]} (track "
                        f"{tracks[behind]}); the marker further on the track comes first",
                    )
                    return None
        return found

    def mover(self, turn: TurnSection | None, order: tuple[int, ...] | None) -> int | None:
        """Read who decides."""
        if turn is None or (turn.player is None and not self.is_damaged("turn", "player")):
            return None if ("turn",) in self.damaged or not order else order[0]
        if turn.player is None:
            return None
        if turn.player not in self.names:
            self.unknown_player(turn.player, ("turn", "player"))
            return None
        return self.names.index(turn.player)

    def pending(self, turn: TurnSection | None) -> tuple[int, ...]:
        """Read the effects still to resolve."""
        effects = []
        for index, word in enumerate(turn.pending if turn else []):
            name = components.canonical_tile(word)
            if name not in EFFECTS:
                hint = components.nearest(name, EFFECTS)
                remedy = f"did you mean '{hint}'?" if hint else f"write {', '.join(EFFECTS)}"
                self.fault(
                    ("turn", "pending", index), f"'{word}' is no effect with a choice; {remedy}"
                )
            else:
                effects.append(components.tile_numbers()[name])
        if len(effects) > _MAX_PENDING:
            self.report(
                ("turn", "pending"), f"{len(effects)} effects; at most {_MAX_PENDING} can wait"
            )
        return tuple(effects)

    def dice(
        self,
        stage: Stage,
        turn: TurnSection | None,
        order: tuple[int, ...] | None,
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
        unused = tuple(sorted(turn.dice or ())) if turn else ()
        if len(unused) > 2:
            self.report(("turn", "dice"), f"{len(unused)} unused dice; a player has two")
        if mover is None or order is None:
            return None
        for seat in order[: order.index(mover)]:
            rolls[seat] = ()
        complete = True
        for seat in order[order.index(mover) :]:
            stated = turn is not None and turn.dice is not None and seat == mover
            if not rolls[seat] and not stated:
                path = ("players", self.names[seat], "dice")
                if not self.is_damaged(*path):
                    self.report(
                        path,
                        f"{self.names[seat]} has yet to move this round; add this round's "
                        "roll, such as dice: [3, 5]",
                    )
                complete = False
        if turn is None or turn.dice is None:
            return (rolls, rolls[mover]) if complete else None
        if (
            len(unused) > 2
            or self.is_damaged("players", self.names[mover], "dice")
            or self.is_damaged("turn", "dice")
        ):
            return None
        if rolls[mover] and Counter(unused) - Counter(rolls[mover]):
            shown = ", ".join(map(str, rolls[mover]))
            self.report(
                ("turn", "dice"),
                f"{self.names[mover]} rolled {shown}; the unused dice must be among these",
            )
            return None
        if not rolls[mover]:
            rolls[mover] = unused
        return (rolls, unused) if complete else None

    def check_stage(
        self,
        stage: Stage,
        depots: list[tuple[int, ...]],
        black: tuple[int, ...],
        coming: tuple[int, ...],
    ) -> None:
        """Refuse what cannot be while a roll, a deal or nothing is awaited."""
        phase, number = self.file.phase, self.file.round
        if stage == "deal":
            if number not in (None, 1):
                self.report(
                    ("round",), f"a deal comes before round 1, not round {number}; write round: 1"
                )
            if black or any(depots):
                self.report(("depots",), "hex tiles lie in the depots; they are gone before a deal")
        if stage == "over" and ((phase or "E") != "E" or (number or 5) != 5):
            self.report(
                ("turn",),
                "the game is over only in phase E, round 5; write them or leave the turn out",
            )
        left = {"play": 5, "roll": 6, "deal": 0, "over": 5}[stage]
        if number is not None:
            most = max(0, left - number)
            if len(coming) > most:
                self.report(
                    ("goods_to_come",),
                    f"{len(coming)} goods to come; at most {most} can be left in round {number}",
                )
