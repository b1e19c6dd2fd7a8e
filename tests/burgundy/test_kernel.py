"""The kernel's own promises: playouts, worlds, stacks, sizes, conservation."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.games.burgundy import components
from advisor.games.burgundy._state import STATE_DTYPE
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.setup import new_game

POSITIONS = Path(__file__).parent.parent.parent / "positions" / "burgundy"


def random_positions(seed: int, *, players: int, edition: int = 2019) -> list[Position]:
    """Return the positions of one game in which tiles are placed whenever possible."""
    rng = random.Random(seed)
    numbers = list(components.boards_of(edition))
    position = new_game(
        players=players,
        boards=[rng.choice(numbers) for _ in range(players)],
        edition=edition,
        seed=seed,
        dealt=False,
    )
    found = [position]
    while position.to_move is not None:
        if position.to_move == "chance":
            position = position.apply(position.sample_chance(rng.getrandbits(64)))
        else:
            texts = [str(action) for action in position.actions()]
            places = [text for text in texts if "place" in text]
            position = position.apply(
                rng.choice(places if places and rng.random() < 0.8 else texts)
            )
        found.append(position)
    return found


GAMES = [(1, 2, 2019), (2, 3, 2011), (3, 4, 2019), (4, 4, 2011), (5, 3, 2019)]


def test_a_packed_state_for_four_players_stays_below_768_bytes() -> None:
    assert STATE_DTYPE.itemsize <= 768
    assert new_game(players=4).rules.state_size == STATE_DTYPE.itemsize


@pytest.mark.parametrize(("seed", "players", "edition"), GAMES)
def test_no_tile_and_no_good_is_ever_lost_or_made(seed: int, players: int, edition: int) -> None:
    box = Counter({tile.number: tile.coloured + tile.black for tile in components.tiles().values()})
    for position in random_positions(seed, players=players, edition=edition):
        s = np.frombuffer(position.packed, dtype=STATE_DTYPE)[0]
        count = position.tiles_in_sight()
        for index, stack in enumerate(("buildings", "animals", "monastery_tiles", "black")):
            count.update(int(tile) for tile in s[stack][: s["stack_size"][index]])
        for plain in range(3):
            count[1 + plain] += int(s["plain"][plain])
        assert count == box
        hidden = Counter(int(good) for good in s["hidden_goods"][: s["goods_size"]])
        seen = position.goods_in_sight()
        assert [seen[colour] + hidden[colour + 1] for colour in range(6)] == [7] * 6


@pytest.mark.parametrize(("seed", "players", "edition"), GAMES)
def test_playouts_play_every_option_as_apply_does(seed: int, players: int, edition: int) -> None:
    compared = 0
    for position in random_positions(seed, players=players, edition=edition):
        rules: Any = position.rules
        played = rules.options(position.packed)
        if played:
            applied = [rules.apply(position.packed, code) for code in rules.legal(position.packed)]
            assert Counter(played) == Counter(applied), position.dump()
            compared += len(played)
    assert compared > 1000


def test_playouts_choose_uniformly_among_the_legal_actions() -> None:
    """Count which last action uniform playouts choose by what it does to the final scores.

    In the last turn of the game every action of the last player is a known final position, so the
    distribution over final positions is known exactly.
    """
    position: Any = advisor.load(POSITIONS / "last-round.yaml")
    rng = random.Random(3)
    while position.turn_order.index(position.mover) != len(position.players) - 1:
        position = position.apply(rng.choice(position.actions()))
    exact: defaultdict[tuple[int, ...], float] = defaultdict(float)

    def expand(here: Any, probability: float) -> None:
        if here.to_move is None:
            exact[tuple(here.scores().values())] += probability
            return
        actions = here.actions()
        for action in actions:
            expand(here.apply(action), probability / len(actions))

    while len(position.dice) > 1:
        position = position.apply(position.actions()[-1])
    expand(position, 1.0)
    playouts = 40_000
    scores = advisor.simulate(position, playouts, seed=11).scores
    seen = Counter(tuple(int(x) for x in row) for row in scores)
    assert set(seen) <= set(exact)
    assert len(exact) > 3
    chi2 = sum((seen[o] - playouts * p) ** 2 / (playouts * p) for o, p in exact.items())
    freedom = len(exact) - 1
    assert chi2 < freedom + 5 * (2 * freedom) ** 0.5


def test_dice_are_fair_and_independent_of_the_seat() -> None:
    position = new_game(players=4, seed=1, dealt=False)
    position = position.apply(position.sample_chance(1))
    rules, worlds = position.rules, 12_000
    counts = np.zeros((4, 7, 7), dtype=int)
    for world in range(worlds):
        s = np.frombuffer(rules.chance(position.packed, world), dtype=STATE_DTYPE)[0]
        for seat in range(4):
            counts[seat][tuple(s["dice"][seat])] += 1
    for seat in range(4):
        for low in range(1, 7):
            for high in range(low, 7):
                p = (1 if low == high else 2) / 36
                expected, sd = worlds * p, (worlds * p * (1 - p)) ** 0.5
                assert abs(counts[seat][low][high] - expected) < 4.5 * sd


def test_unseen_backs_are_drawn_with_their_probabilities() -> None:
    """A bank in storage was one of 5 coloured or 2 black copies; nobody says which.

    Much of what left the game is not listed, so nothing else is known of the backs.
    """
    text = """
game: burgundy
phase: B
round: 5
players:
  Anna: {board: 1, estate: {d4: castle}, storage: [bank, watchtower], dice: [1, 2]}
  Ben: {board: 1, estate: {d4: castle}, dice: [1, 2]}
"""
    position: Any = advisor.loads(text)
    rules = position.rules
    bank = components.tile_numbers()["bank"]
    worlds = 20_000
    black: Counter[int] = Counter()
    for world in range(worlds):
        s = np.frombuffer(rules.determinize(position.packed, 0, world), dtype=STATE_DTYPE)[0]
        stack = s["black"][: s["stack_size"][3]]
        black[int((stack == bank).sum())] += 1
        coloured = s["buildings"][: s["stack_size"][0]]
        assert int((stack == bank).sum() + (coloured == bank).sum()) == 6
    share = black[1] / worlds
    assert set(black) == {1, 2}
    assert abs(share - 2 / 7) < 4.5 * (2 / 7 * 5 / 7 / worlds) ** 0.5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stacks_have_their_known_heights_in_every_world(players: int) -> None:
    """With all removed tiles known, every stack is exactly as high as the phase says."""
    positions = random_positions(7, players=players)
    rng = random.Random(1)
    for position in rng.sample(positions, 25):
        dealt = position.phase + (position.stage != "deal")
        for world in range(4):
            state = position.rules.determinize(position.packed, 0, world)
            s = np.frombuffer(state, dtype=STATE_DTYPE)[0]
            assert s["stack_size"][3] == 40 - components.black_slots(players) * dealt
            slots = [c for phase in range(dealt) for c in components.slot_colours(players)[phase]]
            assert s["stack_size"][0] == 40 - slots.count(0)
            assert s["stack_size"][1] == 20 - slots.count(1)
            assert s["stack_size"][2] == 20 - slots.count(2)
            assert s["plain"].tolist() == [
                20 - slots.count(3),
                14 - players - slots.count(4),
                10 - slots.count(5),
            ]


def test_points_by_source_add_up_to_the_points_gained() -> None:
    for players in (2, 3, 4):
        position = new_game(players=players, seed=players)
        result = advisor.simulate(position, 2_000, seed=3)
        gained = result.scores.sum(axis=0)
        assert (result.source_sums.sum(axis=1) == gained).all()


def test_a_state_of_the_wrong_size_is_refused() -> None:
    rules = new_game().rules
    with pytest.raises(ValueError, match="bytes"):
        rules.legal(b"short")
