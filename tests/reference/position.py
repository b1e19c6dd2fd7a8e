"""The table at one moment: who has what, what lies where, whose decision it is.

This module owns the shape of a position and its canonical dict form. It knows no rule.
"""

from dataclasses import dataclass, field
from typing import Any

from . import box
from .boards import Board, board


@dataclass
class Player:
    """One player's board, storage, goods, money and markers."""

    board: Board
    board_number: int
    score: int
    workers: int
    silver: int
    goods: dict[str, int]  # unsold, by colour, non-zero
    sold: dict[str, int]  # sold, by colour, non-zero
    storage: list[str]
    estate: dict[str, str]  # cell -> tile
    track: int  # steps of the turn-order marker
    bonuses: dict[str, str]  # colour -> large or small
    dice: list[int]  # rolled and still waiting for this player's turn

    def has_monastery(self, number: int) -> bool:
        """Whether this monastery lies in the estate; it works from then on (2019 p. 9)."""
        return f"monastery {number}" in self.estate.values()

    def count(self, tile: str) -> int:
        """How many copies of a tile lie in the estate."""
        return list(self.estate.values()).count(tile)


@dataclass
class Turn:
    """The turn being played."""

    player: str
    dice: list[int]  # unused
    bought: bool  # the one purchase of the turn is spent
    pending: list[str]  # effects to resolve, the last one first


@dataclass
class Position:
    """Everything visible at the table."""

    edition: int
    phase: str
    round: int
    depot_tiles: dict[int, list[str]]
    depot_goods: dict[int, list[str]]
    black: list[str]
    goods_to_come: list[str]
    players: dict[str, Player]  # seat order
    turn_order: list[str]
    next_order: list[str]
    turn: Turn | str  # "roll", "deal", "over" or a turn being played
    removed: list[str] = field(default_factory=list)

    def tiles_in_sight(self) -> list[str]:
        """Every hex tile that is face up or known to be out of the game."""
        tiles = [*self.black, *self.removed]
        for depot in box.DEPOTS:
            tiles += self.depot_tiles[depot]
        for player in self.players.values():
            tiles += player.storage
            tiles += player.estate.values()
        return tiles

    def goods_in_sight(self) -> list[str]:
        """Every goods tile that is face up or sold."""
        goods = list(self.goods_to_come)
        for depot in box.DEPOTS:
            goods += self.depot_goods[depot]
        for player in self.players.values():
            for held in (player.goods, player.sold):
                for colour, number in held.items():
                    goods += [colour] * number
        return goods


def position_from_dict(d: dict[str, Any]) -> Position:
    """A position from its canonical dict; nothing of the dict is shared."""
    turn = d["turn"]
    return Position(
        edition=d["edition"],
        phase=d["phase"],
        round=d["round"],
        depot_tiles={n: list(d["depots"][n]["tiles"]) for n in box.DEPOTS},
        depot_goods={n: list(d["depots"][n]["goods"]) for n in box.DEPOTS},
        black=list(d["depots"]["black"]),
        goods_to_come=list(d["goods_to_come"]),
        players={
            name: Player(
                board=board(d["edition"], p["board"]),
                board_number=p["board"],
                score=p["score"],
                workers=p["workers"],
                silver=p["silver"],
                goods=dict(p["goods"]),
                sold=dict(p["sold"]),
                storage=list(p["storage"]),
                estate=dict(p["estate"]),
                track=p["track"],
                bonuses=dict(p["bonuses"]),
                dice=list(p["dice"]),
            )
            for name, p in d["players"].items()
        },
        turn_order=list(d["turn_order"]),
        next_order=list(d["next_order"]),
        turn=turn
        if isinstance(turn, str)
        else Turn(turn["player"], list(turn["dice"]), turn["bought"], list(turn["pending"])),
        removed=list(d["removed"]),
    )


def position_to_dict(position: Position) -> dict[str, Any]:
    """The canonical dict of a position; nothing of the position is shared."""
    depots: dict[Any, Any] = {
        n: {
            "tiles": sorted(position.depot_tiles[n]),
            "goods": sorted(position.depot_goods[n]),
        }
        for n in box.DEPOTS
    }
    depots["black"] = sorted(position.black)
    turn = position.turn
    return {
        "edition": position.edition,
        "phase": position.phase,
        "round": position.round,
        "depots": depots,
        "goods_to_come": list(position.goods_to_come),
        "players": {
            name: {
                "board": p.board_number,
                "score": p.score,
                "workers": p.workers,
                "silver": p.silver,
                "goods": {colour: n for colour, n in p.goods.items() if n},
                "sold": {colour: n for colour, n in p.sold.items() if n},
                "storage": sorted(p.storage),
                "estate": dict(p.estate),
                "track": p.track,
                "bonuses": dict(p.bonuses),
                "dice": sorted(p.dice),
            }
            for name, p in position.players.items()
        },
        "turn_order": list(position.turn_order),
        "next_order": list(position.next_order),
        "turn": turn
        if isinstance(turn, str)
        else {
            "player": turn.player,
            "dice": sorted(turn.dice),
            "bought": turn.bought,
            "pending": list(turn.pending),
        },
        "removed": sorted(position.removed),
    }
