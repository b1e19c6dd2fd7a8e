"""A position of The Castles of Burgundy as one immutable value.

Owns the class `Position`, the library's face of the game: who decides, the legal
actions, the position after an action. The rules live in the kernel; here a position is packed,
played and unpacked. Tiles, boards and goods are the numbers of `components`.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from advisor.games.burgundy import components

if TYPE_CHECKING:
    from advisor.games.burgundy._kernel import BurgundyGame
    from advisor.games.burgundy.actions import Action

Stage = Literal["play", "roll", "deal", "over"]


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: its estate board and everything on it."""

    name: str
    board: int
    estate: tuple[int, ...]
    score: int = 0
    workers: int = 0
    silver: int = 0
    goods: tuple[int, ...] = (0,) * 6
    sold: tuple[int, ...] = (0,) * 6
    storage: tuple[int, ...] = ()
    track: int = 0
    dice: tuple[int, ...] = ()
    large: frozenset[int] = frozenset()
    small: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Position:
    """One moment of one game, as seen by everybody at the table.

    Collections without an order of their own (depots, storage, removed tiles, dice) are kept
    sorted, so that equal positions are equal.
    """

    edition: int
    tie_break: str
    phase: int
    round: int
    players: tuple[Player, ...]
    turn_order: tuple[int, ...]
    next_order: tuple[int, ...]
    depots: tuple[tuple[int, ...], ...] = ((),) * 6
    depot_goods: tuple[tuple[int, ...], ...] = ((0,) * 6,) * 6
    black: tuple[int, ...] = ()
    goods_to_come: tuple[int, ...] = ()
    stage: Stage = "play"
    mover: int = 0
    dice: tuple[int, ...] = ()
    bought: bool = False
    pending: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()

    game = "burgundy"

    @property
    def names(self) -> list[str]:
        """The players' names in seat order."""
        return [player.name for player in self.players]

    @property
    def to_move(self) -> str | None:
        """The deciding player's name, "chance" while dice or tiles are awaited, None at the end."""
        if self.stage == "play":
            return self.players[self.mover].name
        return None if self.stage == "over" else "chance"

    @property
    def rules(self) -> BurgundyGame:
        """The kernel's handle for this position's boards and edition."""
        from advisor.games.burgundy.pack import rules_for

        return rules_for(self.edition, self.tie_break, tuple(p.board for p in self.players))

    @functools.cached_property
    def packed(self) -> bytes:
        """The position as the kernel's flat state."""
        from advisor.games.burgundy.pack import pack

        return pack(self)

    def actions(self) -> list[Action]:
        """Return every legal action; none while chance is awaited and after the end."""
        from advisor.games.burgundy.actions import Action, describe

        return [Action(describe(code), code) for code in self.rules.legal(self.packed)]

    def action(self, text: str) -> Action:
        """Return the legal action a text means, lenient on case and blanks.

        Raises:
            ActionError: no legal action reads like this; the message names the nearest ones.

        """
        from advisor.games.burgundy.actions import parse

        return parse(self, text)

    def action_text(self, code: int) -> str:
        """Return the canonical text of one of the kernel's action numbers."""
        from advisor.games.burgundy.actions import describe

        return describe(code)

    def apply(self, action: str | Action) -> Position:
        """Return the position after an action, a roll or a deal.

        Raises:
            ActionError: it is not legal here; the message names legal ones nearby.

        """
        from advisor.games.burgundy import chance

        text = str(action)
        if self.stage in ("roll", "deal"):
            return chance.apply(self, text)
        return self.view(self.rules.apply(self.packed, self.action(text).code))

    def view(self, state: bytes) -> Position:
        """Return the position that a kernel state shows which follows from this one."""
        from advisor.games.burgundy.pack import unpack

        return unpack(state, self)

    def sample_chance(self, seed: int) -> str:
        """Return the roll or deal that is awaited here, drawn at random, as action text.

        Raises:
            ActionError: nothing is left to chance here.

        """
        from advisor.games.burgundy import chance

        return chance.sample(self, seed)

    def chance_text(self, state: bytes) -> str:
        """Return the roll or deal, as action text, that leads from here to a kernel state."""
        from advisor.games.burgundy import chance

        return chance.describe(self, state)

    def scores(self) -> dict[str, int]:
        """Return everybody's points; the final ones once the game is over."""
        return {player.name: player.score for player in self.players}

    def winner(self) -> str | None:
        """Return who has won, tie-breaks included; None before the end."""
        if self.stage != "over":
            return None
        _, wins = self.rules.returns(self.packed)
        return self.players[wins.index(1.0)].name

    def dump(self) -> str:
        """Return the position as YAML text that loads back to an equal position."""
        from advisor.games.burgundy.dump import dump

        return dump(self)

    def situation(self) -> str:
        """Return one line that says who decides and with what."""
        from advisor.games.burgundy import prose

        return prose.situation(self)

    def narrate(self, turn: Sequence[str]) -> list[str]:
        """Return one readable fragment for each action of a sequence played from here.

        Raises:
            ActionError: one of them is not legal when its time comes.

        """
        from advisor.games.burgundy import prose

        return prose.narrate(self, turn)

    def costs(self, turn: Sequence[str]) -> dict[str, int]:
        """Return the workers and silver that a sequence of canonical texts costs together.

        Raises:
            ActionError: one of the texts is no action.

        """
        from advisor.games.burgundy import prose

        return prose.costs_of(self, turn)

    def tiles_in_sight(self) -> Counter[int]:
        """Count the hex tiles that lie face up somewhere or are known to be out of the game."""
        count: Counter[int] = Counter(self.removed)
        count.update(self.black)
        for depot in self.depots:
            count.update(depot)
        for player in self.players:
            count.update(player.storage)
            count.update(tile for tile in player.estate if tile)
        return count

    def goods_in_sight(self) -> list[int]:
        """Count the goods of each colour that lie face up somewhere or were sold."""
        count = [0] * 6
        for colour in range(6):
            count[colour] += sum(goods[colour] for goods in self.depot_goods)
            count[colour] += sum(p.goods[colour] + p.sold[colour] for p in self.players)
        for good in self.goods_to_come:
            count[good - 1] += 1
        return count

    def empty_cells(self, seat: int) -> int:
        """Return the number of cells without a tile in a seat's estate."""
        return self.players[seat].estate.count(0)

    def __str__(self) -> str:
        who = self.to_move or "nobody"
        letter = components.phases()[self.phase]
        return f"<burgundy {self.edition}, phase {letter} round {self.round + 1}, {who} to move>"
