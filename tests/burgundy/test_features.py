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
    "region": 864,
    "pasture": 112,
    "kind": 32,
    "frontier": 36,
    "stored": 128,
    "numbers": 42,
    "storage used": 4,
    "ability": 135,
    "mines": 30,
    "workers": 60,
    "silver": 60,
    "cargo": 8,
    "cargo kinds": 4,
    "empty": 38,
    "ships": 8,
    "offer": 192,
    "offered colour": 30,
    "black offer": 384,
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
}
OWN = list(GROUPS)[:15]
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
            assert sorted(trait // 2 for trait in told["stored"]) == sorted(stored)
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
            assert sorted(trait // 3 for trait in told["offer"]) == sorted(offered)


def test_the_same_board_under_another_number_has_the_same_traits() -> None:
    """The 2019 box renumbered: board 2 of 2011 is its board 10 (data/boards.yaml)."""
    for players in (2, 3, 4):
        old = new_game(players=players, edition=2011, boards=[2], seed=players, dealt=False)
        new = new_game(players=players, edition=2019, boards=[10], seed=players, dealt=False)
        assert old.rules is not new.rules
        for state in states(old.rules, old.packed, random.Random(1)):
            for seat in range(players):
                assert both(old.rules, state, seat) == both(new.rules, state, seat)


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
