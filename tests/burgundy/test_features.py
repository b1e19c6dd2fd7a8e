"""What the learned value sees of a position: traits in bounds, of the layout, not of its number.

And the points that are certain: never lost again except by paying, and exactly what remains to
whoever does nothing more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from advisor.games.burgundy import _state as k
from advisor.games.burgundy import components
from advisor.games.burgundy import pack as packing
from advisor.games.burgundy._kernel import BurgundyGame
from advisor.games.burgundy.setup import new_game
from tests.learning import (
    CHANCE,
    OVER,
    TABLES,
    field,
    states,
    steps,
    table,
)

WALKS = [(*at, share) for at in TABLES for share in (0.0, 0.5, 1.0)]
MOST = 192
"""Traits of one part of one seat: the room that the kernel has for them."""

GROUPS = {
    "nothing": 1,
    "region": 864,
    "pasture": 112,
    "kind": 32,
    "frontier": 36,
    "stored": 256,
    "numbers": 42,
    "gain": 120,
    "storage used": 4,
    "ability": 135,
    "mines": 30,
    "workers": 60,
    "silver": 60,
    "cargo": 8,
    "cargo kinds": 4,
    "empty": 38,
    "ships": 8,
    "offer": 2048,
    "offered colour": 30,
    "offered gain": 24,
    "black offer": 512,
    "best load": 8,
    "lying": 12,
    "bonus": 162,
    "race": 150,
    "die places": 4,
    "die takes": 5,
    "die sells": 8,
    "waiting": 5,
    "next place": 4,
    "rivals": 24,
    "time": 50,
    "edition": 2,
    "die number": 36,
}
OWN = list(GROUPS)[:17]
NEVER, LATER, NOW, COMPLETES = range(4)
"""What a seat can do with a tile."""
WAITS, FAR_OFF, WITH_WORKERS, AT_ONCE = range(4)
"""How far off a tile in a depot is."""
PLAYING = 0
"""The stage in which somebody decides."""
IDLE = (k.END_TURN, k.SKIP, k.WORKERS, k.FREE_WORKERS)
"""Actions that score nothing, those that do least first."""


def grouped(traits: list[int]) -> dict[str, list[int]]:
    """Return the traits by group, counted from where the group begins."""
    found: dict[str, list[int]] = {name: [] for name in GROUPS}
    for trait in traits:
        for name, size in GROUPS.items():
            if trait < size:
                found[name].append(trait)
                break
            trait -= size
        else:
            pytest.fail("a trait beyond all groups")
    return found


def both(rules: Any, state: bytes, seat: int) -> tuple[list[int], list[int]]:
    return rules.describe(state, seat, 0), rules.describe(state, seat, 1)


def changed(state: bytes, change: Callable[[Any], None]) -> bytes:
    """Return a state with some fields changed."""
    copy = np.frombuffer(bytearray(state), k.STATE_DTYPE)
    change(copy[0])
    return copy.tobytes()


# --- Traits


@pytest.mark.parametrize(("players", "edition", "greedy"), WALKS)
def test_traits_stay_within_their_bounds(players: int, edition: int, greedy: float) -> None:
    rng = random.Random(f"{players} {edition} {greedy}")
    for _ in range(3):
        position = table(rng, players, edition)
        rules = position.rules
        assert rules.traits == sum(GROUPS.values())
        for state in states(rules, position.packed, rng, greedy)[::2]:
            for seat in range(players):
                own, around = both(rules, state, seat)
                assert len(own) <= MOST
                assert len(around) <= MOST
                border = sum(GROUPS[name] for name in OWN)
                assert 0 <= min(own) <= max(own) < border <= min(around) <= max(around)
                assert max(around) < rules.traits


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_traits_say_what_the_position_shows(players: int, edition: int) -> None:
    rng = random.Random(players * edition)
    position = table(rng, players, edition)
    rules = position.rules
    for state in states(rules, position.packed, rng, 0.7)[::3]:
        s = np.frombuffer(state, k.STATE_DTYPE)[0]
        phase = int(s["phase"])
        for seat, board in enumerate(player.board for player in position.players):
            own, around = both(rules, state, seat)
            told = grouped(own + around)
            layout = components.boards()[board]
            estate = s["estate"][seat]
            filled = {cell for cell in range(37) if estate[cell]}
            assert filled == {cell for cell in range(37) if int(s["filled"][seat]) >> cell & 1}
            mines = sum(estate[cell] == k.MINE for cell in range(37))
            goods = [(int(s["goods"][seat]) >> (4 * i)) & 15 for i in range(6)]
            stored = [int(tile) for tile in s["storage"][seat] if tile]
            assert told["mines"] == [min(mines, 5) * 5 + phase]
            assert told["workers"] == [min(int(s["workers"][seat]), 11) * 5 + phase]
            assert told["silver"] == [min(int(s["silver"][seat]), 11) * 5 + phase]
            assert told["cargo"] == [min(count, 7) for count in goods if count]
            assert told["cargo kinds"] == [sum(count > 0 for count in goods)]
            assert told["empty"] == [37 - len(filled)]
            assert told["ships"] == [min(int(s["track"][seat]), 7)]
            assert told["storage used"] == [len(stored)]
            assert sorted(trait // 4 for trait in told["stored"]) == sorted(stored)
            abilities = [n for n in range(27) if int(s["monasteries"][seat]) >> n & 1]
            assert told["ability"] == [n * 5 + phase for n in abilities]
            regions = Counter(layout.regions)
            still_open = {
                region: sum(layout.regions[cell] == region for cell in filled)
                for region in {layout.regions[cell] for cell in set(range(37)) - filled}
            }
            colour_of = dict(zip(layout.regions, layout.colours, strict=True))
            assert sorted(trait // 2 for trait in told["region"]) == sorted(
                (colour_of[region] * 8 + regions[region] - 1) * 9 + count
                for region, count in still_open.items()
            )
            assert len(told["frontier"]) == len(told["rivals"]) == len(told["race"]) == 6
            assert told["next place"] == [s["next_order"][:players].tolist().index(seat)]
            playing = int(s["stage"]) == 0
            assert told["time"] == [(phase * 5 + int(s["round"])) * 2 + (not playing)]
            order = s["order"][:players].tolist()
            to_come = playing and order.index(seat) >= s["turn"]
            assert told["waiting"] == [order.index(seat) - int(s["turn"]) if to_come else 4]
            assert len(told["die places"]) == len(told["die takes"]) == (2 if to_come else 0)
            offered = [int(s["slots"][i]) for i in range(24) if int(s["offered"]) >> i & 1]
            assert sorted(trait // 4 // 2 // 4 for trait in told["offer"]) == sorted(offered)
            black = [int(s["slots"][i]) for i in range(24, 32) if int(s["offered"]) >> i & 1]
            assert sorted(trait // 2 // 4 for trait in told["black offer"]) == sorted(black)
            assert told["nothing"] == []
            assert told["edition"] == [int(edition == 2019)]


class Estate:
    """What a seat could do with tiles, worked out from its board and the rulebook, cell by cell."""

    def __init__(self, s: Any, seat: int, board: int) -> None:
        self.s, self.seat = s, seat
        self.layout = components.boards()[board]
        self.tiles = [int(tile) for tile in s["estate"][seat]]
        self.empty = {cell for cell in range(37) if not self.tiles[cell]}
        self.near = {
            cell
            for cell in self.empty
            if any(self.tiles[other] for other in components.NEIGHBOURS[cell])
        }

    def owns(self, monastery: int) -> bool:
        return k.FIRST_MONASTERY + monastery - 1 in self.tiles

    def region(self, cell: int) -> set[int]:
        number = self.layout.regions[cell]
        return {other for other in range(37) if self.layout.regions[other] == number}

    def cells(self, tile: int) -> set[int]:
        """Return where a tile may go, whatever the die: colour, neighbours, city limit (p. 5-6)."""
        kind = components.tiles()[tile]
        return {
            cell
            for cell in self.near
            if self.layout.colours[cell] == kind.colour
            and not (
                kind.colour == k.BUILDING
                and not self.owns(1)
                and any(self.tiles[other] == tile for other in self.region(cell))
            )
        }

    def completes(self, cell: int) -> bool:
        return self.region(cell) & self.empty == {cell}

    def use(self, tile: int) -> int:
        colour = components.tiles()[tile].colour
        if not any(self.layout.colours[cell] == colour for cell in self.empty):
            return NEVER
        cells = self.cells(tile)
        return LATER if not cells else COMPLETES if any(map(self.completes, cells)) else NOW

    def region_gain(self, cell: int) -> int:
        """Return the points for the region that a tile on a cell would complete."""
        if not self.completes(cell):
            return 0
        points = components.scoring()
        phase = list(points["phase_points"].values())[int(self.s["phase"])]
        return int(points["region_points"][len(self.region(cell))] + phase)

    def herd(self, tile: int, cell: int) -> int:
        """Return the animals of the tile's species that stand in the pasture of a cell."""
        found = [self.tiles[other] for other in self.region(cell) - self.empty]
        first = tile - (tile - k.FIRST_ANIMAL) % 3
        return sum(other - first + 2 for other in found if first <= other < first + 3)

    def gain(self, tile: int) -> tuple[int, int]:
        """Return the least and the most that may be told as the points of placing a tile.

        These are exact unless several pastures are within reach: the best herd and the best region
        may then be different places. Bonuses for colours, the watchtower's points and monastery 7
        are told by other traits.
        """
        cells = self.cells(tile)
        if not cells:
            return 0, 0
        regions = max(map(self.region_gain, cells))
        if not k.FIRST_ANIMAL <= tile < k.FIRST_MONASTERY:
            return regions, regions
        own = (tile - k.FIRST_ANIMAL) % 3 + 2
        herds = max(self.herd(tile, cell) for cell in cells)
        if len({self.layout.regions[cell] for cell in cells}) == 1:
            exact = max(own + self.herd(tile, cell) + self.region_gain(cell) for cell in cells)
            return exact, exact
        return own + max(herds, regions), own + herds + regions

    def distance(self, depot: int) -> int:
        """Return how far off a numbered depot is: for who moves next, by his dice of the round."""
        s, seat = self.s, self.seat
        if s["order"][int(s["turn"])] != seat:
            return WAITS
        if s["stage"] != PLAYING:
            return FAR_OFF
        ways = [abs(int(die) - depot) for die in s["dice"][seat] if die]
        nearest = min((min(way, 6 - way) for way in ways), default=9)
        reach = int(s["workers"][seat]) * (2 if self.owns(8) else 1) + self.owns(12)
        return AT_ONCE if nearest == 0 else WITH_WORKERS if nearest <= reach else FAR_OFF


def in_bounds(told: int, gain: tuple[int, int]) -> bool:
    return min(gain[0], 23) <= told <= min(gain[1], 23)


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_traits_of_tiles_say_what_could_be_done_with_them(players: int, edition: int) -> None:
    rng = random.Random(players + edition)
    uses: Counter[int] = Counter()
    distances: Counter[int] = Counter()
    gains: Counter[int] = Counter()
    vague = 0
    for _ in range(2):
        position = table(rng, players, edition)
        rules = position.rules
        for state in states(rules, position.packed, rng, 0.8)[:-1:3]:  # nobody asks at the end
            s = np.frombuffer(state, k.STATE_DTYPE)[0]
            seats = [Estate(s, i, player.board) for i, player in enumerate(position.players)]
            for seat, estate in enumerate(seats):
                told = grouped([*rules.describe(state, seat, 0), *rules.describe(state, seat, 1)])
                stored = [int(tile) for tile in s["storage"][seat] if tile]
                assert told["stored"] == [tile * 4 + estate.use(tile) for tile in stored]
                colours = components.tiles()
                assert told["numbers"] == [
                    colours[tile].colour * 7
                    + len({estate.layout.die_numbers[cell] for cell in estate.cells(tile)})
                    for tile in stored
                ]
                assert [gain % 5 for gain in told["gain"]] == [s["phase"]] * len(stored)
                for gain, tile in zip(told["gain"], stored, strict=True):
                    bounds = estate.gain(tile)
                    assert in_bounds(gain // 5, bounds)
                    gains[gain // 5] += 1
                    vague += bounds[0] != bounds[1]
                slots = [i for i in range(24) if int(s["offered"]) >> i & 1]
                offered = [int(s["slots"][i]) for i in slots]
                assert told["offer"] == [
                    (
                        (tile * 4 + estate.use(tile)) * 2
                        + any(other.cells(tile) for other in seats if other is not estate)
                    )
                    * 4
                    + estate.distance(slot // 4 + 1)
                    for slot, tile in zip(slots, offered, strict=True)
                ]
                uses.update(estate.use(tile) for tile in offered)
                distances.update(trait % 4 for trait in told["offer"])
                assert told["offered colour"] == [
                    colour * 5
                    + min(
                        4,
                        sum(
                            colours[tile].colour == colour and estate.use(tile) >= NOW
                            for tile in offered
                        ),
                    )
                    for colour in range(6)
                ]
                animals = [
                    estate.gain(tile)
                    for tile in offered
                    if k.FIRST_ANIMAL <= tile < k.FIRST_MONASTERY and estate.cells(tile)
                ]
                (best,) = told["offered gain"]
                least, most = (max((gain[i] for gain in animals), default=0) for i in (0, 1))
                assert in_bounds(best, (least, most))
                black = [int(s["slots"][i]) for i in range(24, 32) if int(s["offered"]) >> i & 1]
                price = components.scoring()["purchase"]
                with_workers = edition == 2019 and estate.owns(6)  # 2019 p. 9
                pays = s["silver"][seat] >= price or (with_workers and s["workers"][seat] >= price)
                assert told["black offer"] == [
                    (tile * 4 + estate.use(tile)) * 2 + int(pays) for tile in black
                ]
    assert min(uses[use] for use in (NEVER, LATER, NOW, COMPLETES)) > 20
    assert min(distances[way] for way in (WAITS, FAR_OFF, WITH_WORKERS, AT_ONCE)) > 20
    assert len(gains) > 8
    assert vague < sum(gains.values()) / 10


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_traits_of_dice_say_what_each_could_do(players: int, edition: int) -> None:
    rng = random.Random(players - edition)
    position = table(rng, players, edition)
    rules = position.rules
    asked = 0
    uses: Counter[int] = Counter()
    for state in states(rules, position.packed, rng, 0.7)[::4]:
        s = np.frombuffer(state, k.STATE_DTYPE)[0]
        order = s["order"][:players].tolist()
        for seat, player in enumerate(position.players):
            estate = Estate(s, seat, player.board)
            told = grouped(rules.describe(state, seat, 1))
            rolled = s["stage"] == PLAYING and order.index(seat) >= s["turn"]
            dice = [int(die) for die in s["dice"][seat]] if rolled else []
            stored = [int(tile) for tile in s["storage"][seat] if tile]
            numbers = estate.layout.die_numbers
            assert told["die places"] == [
                sum(any(numbers[cell] == die for cell in estate.cells(tile)) for tile in stored)
                for die in dice
            ]
            assert told["die takes"] == [
                min(4, sum(bool(estate.cells(int(s["slots"][i]))) for i in slots_of(s, die)))
                for die in dice
            ]
            goods = int(s["goods"][seat])
            assert told["die sells"] == [min(7, goods >> 4 * (die - 1) & 15) for die in dice]
            asked += len(dice)
            cells = {cell for tile in stored for cell in estate.cells(tile)}
            assert told["die number"] == [
                (placing(estate, cells, die) * 3 + taking(estate, die)) * 4
                + min(3, goods >> 4 * (die - 1) & 15)
                for die in (range(1, 7) if not rolled else ())
            ]
            uses.update(told["die number"])
    assert asked > 100
    assert len(uses) > 12


def placing(estate: Estate, cells: set[int], die: int) -> int:
    """Return what a die could place in some cells: 0 nothing, 1 a tile, 2 the last of a region."""
    fitting = [cell for cell in cells if estate.layout.die_numbers[cell] == die]
    return 0 if not fitting else 1 + any(map(estate.completes, fitting))


def taking(estate: Estate, die: int) -> int:
    """Return what a depot offers: 0 no tile to place, 1 one, 2 several or the last of a region."""
    tiles = [int(estate.s["slots"][i]) for i in slots_of(estate.s, die)]
    uses = [use for use in map(estate.use, tiles) if use >= NOW]
    return 2 if COMPLETES in uses else min(2, len(uses))


def slots_of(s: Any, depot: int) -> list[int]:
    """Return the slots of a depot that offer a tile."""
    return [i for i in range(4 * depot - 4, 4 * depot) if int(s["offered"]) >> i & 1]


def test_the_same_board_under_another_number_has_the_same_traits() -> None:
    """The 2019 box renumbered: board 2 of 2011 is its board 10 (data/boards.yaml).

    Only the last trait says by which rules purchases are paid.
    """
    for players in (2, 3, 4):
        old = new_game(players=players, edition=2011, boards=[2], seed=players, dealt=False)
        new = new_game(players=players, edition=2019, boards=[10], seed=players, dealt=False)
        assert old.rules is not new.rules
        for state in states(old.rules, old.packed, random.Random(1)):
            for seat in range(players):
                (own, around), (same, also) = (both(at.rules, state, seat) for at in (old, new))
                assert own == same
                assert around[:-1] == also[:-1]
                assert grouped(around[-1:])["edition"] == [0]
                assert grouped(also[-1:])["edition"] == [1]


def turned_rules(board: int, monkeypatch: pytest.MonkeyPatch) -> BurgundyGame:
    """Return the rules of a board that lies upside down: cell 0 is cell 36, and so on."""
    layout = components.boards()[board]
    cells = [
        (
            layout.colours[36 - cell],
            layout.die_numbers[36 - cell],
            tuple(36 - other for other in components.NEIGHBOURS[36 - cell]),
            layout.regions[36 - cell],
        )
        for cell in range(37)
    ]

    def turned(**given: Any) -> BurgundyGame:
        return BurgundyGame(**(given | {"boards": [cells, cells]}))

    with monkeypatch.context() as patched:
        patched.setattr(packing, "BurgundyGame", turned)
        rules = packing.rules_for.__wrapped__(2019, "2019", (board, board))
    assert isinstance(rules, BurgundyGame)
    return rules


def upside_down(bits: int) -> int:
    return sum(1 << (36 - cell) for cell in range(37) if bits >> cell & 1)


@pytest.mark.parametrize("board", [1, 2, 7, 10])
def test_an_estate_upside_down_has_the_same_traits(
    board: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Traits tell regions and what borders on what, not where on the board a cell lies."""
    position = new_game(boards=[board, board], seed=board, dealt=False)
    other = turned_rules(components.boards_of(2019)[board], monkeypatch)

    def turn(s: Any) -> None:
        for seat in range(2):
            s["estate"][seat] = s["estate"][seat][::-1].copy()
            s["filled"][seat] = upside_down(int(s["filled"][seat]))
            s["frontier"][seat] = upside_down(int(s["frontier"][seat]))

    for state in states(position.rules, position.packed, random.Random(board))[::3]:
        turned = changed(state, turn)
        for seat in range(2):
            here = [sorted(part) for part in both(position.rules, state, seat)]
            assert here == [sorted(part) for part in both(other, turned, seat)]
            assert other.certain(turned, seat) == position.rules.certain(state, seat)


def test_the_order_of_stored_tiles_and_of_face_down_stacks_does_not_matter() -> None:
    rng = random.Random(5)
    position = table(rng, 3)
    rules = position.rules

    def shuffle(s: Any) -> None:
        for seat in range(3):
            tiles = [tile for tile in s["storage"][seat] if tile]
            s["storage"][seat, : len(tiles)] = rng.sample(tiles, len(tiles))
        for name, size in zip(
            ("buildings", "animals", "monastery_tiles", "black"), s["stack_size"], strict=True
        ):
            s[name][:size] = rng.sample(s[name][:size].tolist(), int(size))
        size = int(s["goods_size"])
        s["hidden_goods"][:size] = rng.sample(s["hidden_goods"][:size].tolist(), size)

    stirred = 0
    for state in states(rules, position.packed, rng):
        tidy, shuffled = rules.tidy(state), changed(state, shuffle)
        stirred += rules.tidy(shuffled) != shuffled
        for seat in range(3):
            told = [sorted(part) for part in both(rules, state, seat)]
            assert told == [sorted(part) for part in both(rules, shuffled, seat)]
            assert both(rules, tidy, seat) == both(rules, rules.tidy(shuffled), seat)
            assert rules.certain(shuffled, seat) == rules.certain(state, seat)
    assert stirred > 20


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_a_turn_leaves_the_own_things_of_the_others_alone(players: int, edition: int) -> None:
    """The value keeps their part within a turn, unless a phase closes, which pays everybody."""
    rng = random.Random(players + edition)
    compared = closing = 0
    for _ in range(4):
        position = table(rng, players, edition)
        rules, last, start = position.rules, CHANCE, b""
        for before, mover, after in steps(rules, position.packed, rng):
            if mover >= 0 and mover != last:
                start = before
            last = mover
            if mover < 0 or rules.to_move(after) == OVER:
                continue
            if field(start, "phase") != field(after, "phase"):
                closing += 1
                continue
            for seat in set(range(players)) - {mover}:
                assert rules.describe(start, seat, 0) == rules.describe(after, seat, 0)
                compared += 1
    assert compared > 500
    assert closing == 4 * 4


# --- Certain points


def gained(before: bytes, after: bytes, seat: int, over: bool) -> tuple[int, int]:
    """Return the silver and the workers that a step brought a seat, besides the income of mines."""
    mines = field(after, "estate")[seat].tolist().count(k.MINE)
    income = mines if over or field(before, "phase") != field(after, "phase") else 0
    helped = income if int(field(after, "monasteries")[seat]) >> 2 & 1 else 0
    silver, workers = (
        int(field(after, name)[seat]) - int(field(before, name)[seat])
        for name in ("silver", "workers")
    )
    return silver - income, workers - helped


@pytest.mark.parametrize(("players", "edition", "greedy"), WALKS)
def test_certain_points_are_lost_by_paying_and_by_nothing_else(
    players: int, edition: int, greedy: float
) -> None:
    """A silverling or two workers paid are a point less; at the end an odd worker is worth none."""
    rng = random.Random(f"{greedy} {edition} {players}")
    for _ in range(4):
        position = table(rng, players, edition)
        rules = position.rules
        for before, mover, after in steps(rules, position.packed, rng, greedy):
            over = rules.to_move(after) == OVER
            for seat in range(players):
                lost = rules.certain(before, seat) - rules.certain(after, seat)
                silver, workers = gained(before, after, seat, over)
                paid = max(-silver, 0) + max(-workers, 0) / 2
                assert seat == mover or not paid
                assert lost <= paid + (0.5 if over else 0)


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_who_pays_for_nothing_ends_with_no_less_than_was_certain(
    players: int, edition: int
) -> None:
    rng = random.Random(edition - players)
    for _ in range(3):
        position = table(rng, players, edition)
        rules, state, world = position.rules, position.packed, rng.getrandbits(64)
        most = [0.0] * players
        while (mover := rules.to_move(state)) != OVER:
            most = [max(most[seat], rules.certain(state, seat)) for seat in range(players)]
            if mover == CHANCE:
                state = rules.chance(state, world)
                continue
            legal = rules.legal(state)
            for action in rng.sample(legal, len(legal)):
                after = rules.apply(state, action)
                if all(
                    field(after, name)[mover] >= field(state, name)[mover]
                    for name in ("silver", "workers")
                ):
                    break
            else:
                pytest.fail("nothing can be done without paying")
            state = after
        final = rules.returns(state)[0]
        assert all(final[seat] >= most[seat] - 0.5 for seat in range(players))


@pytest.mark.parametrize(("players", "edition"), TABLES)
def test_who_only_takes_workers_ends_with_what_was_certain_and_those(
    players: int, edition: int
) -> None:
    """Taking workers is the least a die can do; nothing else scores, so the sum must be exact."""
    rng = random.Random(edition + 7 * players)
    position = table(rng, players, edition)
    rules = position.rules
    walk = states(rules, position.packed, rng, 0.8)
    for start in walk[:: len(walk) // 15]:
        state = start
        wanted = [rules.certain(start, seat) for seat in range(players)]
        while (mover := rules.to_move(state)) != OVER:
            if mover == CHANCE:
                state = rules.chance(state, 3)
                continue
            kinds = {action >> k.KIND_SHIFT: action for action in rules.legal(state)}
            kind = next(kind for kind in IDLE if kind in kinds)
            after = rules.apply(state, kinds[kind])
            silver, workers = gained(state, after, mover, rules.to_move(after) == OVER)
            wanted[mover] += silver + workers / 2
            state = after
        for seat, points in enumerate(rules.returns(state)[0]):
            odd = int(field(state, "workers")[seat]) % 2
            assert points == wanted[seat] - odd / 2


def test_at_the_end_the_certain_points_are_the_score() -> None:
    rng = random.Random(3)
    for players, edition in TABLES:
        position = table(rng, players, edition)
        end = states(position.rules, position.packed, rng)[-1]
        certain = [position.rules.certain(end, seat) for seat in range(players)]
        assert certain == position.rules.returns(end)[0]
