"""The game itself: carrying out actions, effects of placed tiles, rounds, phases and the end.

This module owns the flow of play. What may be done is listed by `options`, points are counted by
`scoring`, dice and deals are read by `chance`.
"""

import random
from typing import Any

from . import box, chance, loads, scoring
from .boards import board
from .options import Action, Actions, effect_options, legal_actions
from .position import Player, Position, Turn, position_from_dict, position_to_dict


class Game:
    """One game, changed by `apply`."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._actions: Actions | None = None  # of the present moment, once asked for

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> "Game":
        """The game at the moment described by a canonical dict."""
        game = cls(position_from_dict(d))
        turn = game.position.turn
        if isinstance(turn, Turn) and turn.pending and not game._has_option(turn):
            raise ValueError(f"the pending {turn.pending[-1]} has no option")
        return game

    def to_dict(self) -> dict[str, Any]:
        """The canonical dict of this moment."""
        return position_to_dict(self.position)

    @property
    def to_move(self) -> str | None:
        """Who decides: a player, `chance`, or None when the game is over."""
        turn = self.position.turn
        if isinstance(turn, Turn):
            return turn.player
        return None if turn == "over" else "chance"

    def scores(self) -> dict[str, int]:
        """Points now; the final ones once the game is over."""
        return {name: player.score for name, player in self.position.players.items()}

    def winner(self) -> str:
        """The winner, once the game is over."""
        if self.position.turn != "over":
            raise ValueError("the game is not over")
        return scoring.winner(self.position)

    def legal(self) -> list[str]:
        """The canonical texts of all legal actions, sorted; none while chance is awaited."""
        return sorted(self._legal_actions())

    def random_roll(self, rng: random.Random) -> str:
        """A roll for the round about to start."""
        return chance.random_roll(self.position, rng)

    def random_deal(self, rng: random.Random) -> str:
        """A deal for the phase about to start."""
        return chance.random_deal(self.position, rng)

    def apply(self, text: str) -> None:
        """Carry out one action, roll or deal; ValueError if it is not possible now."""
        turn = self.position.turn
        if turn == "roll":
            self._roll(chance.read_roll(self.position, text))
        elif turn == "deal":
            self._deal(chance.read_deal(self.position, text))
        else:
            action = self._legal_actions().get(text)
            if action is None:
                raise ValueError(f"not legal now: {text!r}")
            self._carry_out(action)
        self._actions = None

    def _legal_actions(self) -> Actions:
        if self._actions is None:
            playing = isinstance(self.position.turn, Turn)
            self._actions = legal_actions(self.position) if playing else {}
        return self._actions

    # --- actions -----------------------------------------------------------------------------

    def _carry_out(self, action: Action) -> None:
        turn = self.position.turn
        assert isinstance(turn, Turn)
        player = self.position.players[turn.player]
        if action.kind == "end":
            self._end_turn(turn)
            return
        if action.die is not None:
            turn.dice.remove(action.die)
        if action.resolves:
            turn.pending.pop()
        player.workers -= action.pay_workers
        player.silver -= action.pay_silver
        if action.kind == "take":
            self._store(player, action)
        elif action.kind == "buy":
            turn.bought = True
            self._store(player, action)
        elif action.kind == "place":
            self._place(turn, player, action.tile, action.cell)
        elif action.kind == "sell":
            self._sell(player, action.good)
        elif action.kind == "workers":
            self._take_workers(player)
        elif action.kind == "load":
            loads.carry_out(self.position, player, action.halves)
        # An effect without any option left is over (formats, section 2).
        while turn.pending and not self._has_option(turn):
            turn.pending.pop()

    def _has_option(self, turn: Turn) -> bool:
        player = self.position.players[turn.player]
        return bool(effect_options(self.position, player, turn))

    def _store(self, player: Player, action: Action) -> None:
        """Move a tile from a depot to the storage (2011 p. 5, 2019 p. 4)."""
        if action.discard is not None:
            player.storage.remove(action.discard)
            self.position.removed.append(action.discard)
        if action.depot is None:
            self.position.black.remove(action.tile)
        else:
            self.position.depot_tiles[action.depot].remove(action.tile)
        player.storage.append(action.tile)

    def _sell(self, player: Player, good: str) -> None:
        """Sell all goods of a colour (2011 p. 8, 2019 p. 8).

        Monastery 3 pays 2 silver instead of 1, monastery 4 a worker besides.
        """
        number = player.goods.pop(good)
        player.sold[good] = player.sold.get(good, 0) + number
        player.score += number * box.POINTS_PER_SOLD_GOOD[len(self.position.players)]
        player.silver += 2 if player.has_monastery(3) else 1
        if player.has_monastery(4):
            player.workers += 1

    def _take_workers(self, player: Player) -> None:
        """The action of taking workers (2011 p. 9, 2019 p. 8); monasteries 13 and 14 add to it."""
        player.workers += 4 if player.has_monastery(14) else 2
        if player.has_monastery(13):
            player.silver += 1

    def _place(self, turn: Turn, player: Player, tile: str, cell: str) -> None:
        """Place a stored tile and trigger what it does (2011 pp. 5-8, 2019 pp. 5-8)."""
        player.storage.remove(tile)
        player.estate[cell] = tile
        colour = box.TILE_COLOUR[tile]
        if colour == "animal":
            player.score += scoring.animal_points(player, cell)
        player.score += scoring.region_points(player, cell, self.position.phase)
        bonus = scoring.colour_bonus(self.position, player, colour)
        if bonus is not None:
            player.bonuses[colour] = bonus
            player.score += scoring.bonus_points(bonus, len(self.position.players))
        if tile == "watchtower":
            player.score += 4
        elif tile == "boarding house":
            player.workers += 4
        elif tile == "bank":
            player.silver += 2
        elif tile == "ship":
            self._advance_marker(turn.player)
            turn.pending.append(tile)
        elif tile == "castle" or tile in box.BUILDINGS:
            turn.pending.append(tile)

    def _advance_marker(self, name: str) -> None:
        """Move a marker one space on, on top of the markers there (2011 p. 6, 2019 p. 5).

        The order of the round being played does not change (2019 p. 5; rulings 2.5).
        """
        players = self.position.players
        order = self.position.next_order
        players[name].track += 1
        order.remove(name)
        ahead = [other for other in order if players[other].track > players[name].track]
        order.insert(len(ahead), name)

    # --- turns, rounds, phases ---------------------------------------------------------------

    def _start_turn(self, name: str) -> None:
        player = self.position.players[name]
        self.position.turn = Turn(name, player.dice, False, [])
        player.dice = []

    def _end_turn(self, turn: Turn) -> None:
        """Hand over to the next player of the round, or end the round (2011 p. 4, 2019 p. 4)."""
        order = self.position.turn_order
        place = order.index(turn.player)
        if place + 1 < len(order):
            self._start_turn(order[place + 1])
        else:
            self._end_round()

    def _end_round(self) -> None:
        position = self.position
        if position.round < box.ROUNDS:
            position.round += 1
            position.turn_order = list(position.next_order)
            position.turn = "roll"
            return
        self._pay_mines()
        if position.phase == box.PHASES[-1]:
            for player in position.players.values():
                player.score += scoring.final_points(player, position.edition)
            position.turn = "over"
            return
        # Hex tiles left in all depots leave the game, goods stay (2011 p. 3, 2019 p. 3).
        for depot in box.DEPOTS:
            position.removed += position.depot_tiles[depot]
            position.depot_tiles[depot] = []
        position.removed += position.black
        position.black = []
        position.phase = box.PHASES[box.PHASES.index(position.phase) + 1]
        position.round = 1
        position.turn_order = list(position.next_order)
        position.turn = "deal"

    def _pay_mines(self) -> None:
        """1 silver per mine, with monastery 2 also 1 worker (2011 pp. 9-10, 2019 p. 9)."""
        for player in self.position.players.values():
            mines = player.count("mine")
            player.silver += mines
            if player.has_monastery(2):
                player.workers += mines

    # --- chance ------------------------------------------------------------------------------

    def _deal(self, deal: chance.Deal) -> None:
        """Fill the depots and lay out the goods of the phase (2011 pp. 3-4, 2019 p. 3)."""
        self.position.depot_tiles = {depot: list(tiles) for depot, tiles in deal.depots.items()}
        self.position.black = list(deal.black)
        self.position.goods_to_come = list(deal.goods)
        self.position.turn = "roll"

    def _roll(self, roll: chance.Roll) -> None:
        """Take the dice; the round's good goes to the white die's depot (2011 p. 4, 2019 p. 4)."""
        position = self.position
        if not position.goods_to_come:
            raise ValueError("no good lies ready for this round")
        for name, dice in roll.dice.items():
            position.players[name].dice = list(dice)
        position.depot_goods[roll.white].append(position.goods_to_come.pop(0))
        self._start_turn(position.turn_order[0])


def new_game(
    names: list[str], boards: list[int], edition: int, castles: list[str], rng: random.Random
) -> Game:
    """A game set up and waiting for its first deal (2011 pp. 2-3, 2019 pp. 2-3).

    `names` in seat order, the first player first; `boards` by the numbers of the edition;
    `castles` the start cells.
    """
    if not 2 <= len(names) <= 4 or not len(names) == len(boards) == len(castles):
        raise ValueError("two to four players, each with a board and a castle cell")
    goods = [colour for colour in box.GOODS for _ in range(box.GOODS_PER_COLOUR)]
    rng.shuffle(goods)
    players: dict[str, Player] = {}
    for place, (name, number, cell) in enumerate(zip(names, boards, castles, strict=True)):
        if cell not in board(edition, number).cells_of["castle"]:
            raise ValueError(f"{cell} is no castle cell of board {number}")
        own: dict[str, int] = {}
        for _ in range(box.START_GOODS):
            colour = goods.pop()
            own[colour] = own.get(colour, 0) + 1
        players[name] = Player(
            board=board(edition, number),
            board_number=number,
            score=0,
            workers=place + 1,
            silver=box.START_SILVER,
            goods=own,
            sold={},
            storage=[],
            estate={cell: "castle"},
            track=0,
            bonuses={},
            dice=[],
        )
    return Game(
        Position(
            edition=edition,
            phase=box.PHASES[0],
            round=1,
            depot_tiles={depot: [] for depot in box.DEPOTS},
            depot_goods={depot: [] for depot in box.DEPOTS},
            black=[],
            goods_to_come=[],
            players=players,
            turn_order=list(names),
            next_order=list(names),
            turn="deal",
        )
    )
