"""The PettingZoo environment: PettingZoo's own tests, masks, rewards, and what an agent may see."""

from __future__ import annotations

import copy
import importlib
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.core import registry
from advisor.games.burgundy import _state as k
from advisor.games.burgundy import actions, components, observation

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test

from advisor import rl

PAGE = (Path(__file__).parent.parent / "docs" / "reinforcement.md").read_text("utf-8")
TABLES = (2, 3, 4)


def play(env: Any, *, seed: int, luck: int = 0) -> Iterator[tuple[str, Any, float, Any]]:
    """Play a random game; yield agent, observation, reward and action of every step."""
    rng = np.random.default_rng(luck)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        yield agent, seen, reward, action
        env.step(action)


def states(players: int, *, seed: int, **settings: Any) -> Iterator[tuple[Any, bytes]]:
    """Yield the start and every state of a random game in the kernel."""
    rng = np.random.default_rng(seed)
    start: Any = advisor.new_game(players=players, seed=seed, dealt=False, **settings)
    state = start.packed
    while True:
        yield start, state
        mover = start.rules.to_move(state)
        if mover == -2:
            return
        if mover == -1:
            state = start.rules.chance(state, seed)
        else:
            state = start.rules.apply(state, int(rng.choice(start.rules.legal(state))))


def entries(players: int, vector: Any) -> dict[str, int]:
    return dict(zip(observation.names(players), map(int, vector), strict=True))


# --- PettingZoo's own tests


@pytest.mark.parametrize("reward", rl.REWARDS)
@pytest.mark.parametrize("players", TABLES)
def test_the_environment_passes_the_api_test(players: int, reward: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the test warns of every observation that is a dict
        api_test(rl.env(players=players, reward=reward), num_cycles=40)


def test_a_whole_game_passes_the_api_test() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(rl.env(reward="score"), num_cycles=1000)


@pytest.mark.parametrize("players", TABLES)
def test_the_environment_passes_the_seed_test(players: int) -> None:
    seed_test(lambda: rl.env(players=players), num_cycles=60)


def test_the_environment_passes_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(rl.env)
    assert "decides" in capsys.readouterr().out


# --- Games


@pytest.mark.parametrize("game", registry.names())
def test_a_game_ends_with_the_scores_of_a_replay_in_the_kernel(game: str) -> None:
    for players in registry.find(game).PLAYERS:
        env = rl.raw_env(game, players=players)
        played = [action for _, _, _, action in play(env, seed=players) if action is not None]
        env.reset(seed=players)
        start, world = env._start, env._world
        rules, state = start.rules, start.packed
        for action in played:
            while rules.to_move(state) == -1:
                state = rules.chance(state, world)
            state = rules.apply(state, rules.legal(state)[action])
        assert rules.to_move(state) == -2
        points, wins = rules.returns(state)
        for action in played:
            env.step(action)
        assert [info["score"] for info in env.infos.values()] == points
        assert [info["won"] for info in env.infos.values()] == wins
        assert list(env.position.scores().values()) == points


def test_the_mask_marks_exactly_the_legal_actions() -> None:
    env = rl.raw_env(players=3)
    for agent, seen, _, action in play(env, seed=5):
        position = env.position
        legal = position.rules.legal(env._state)
        assert [each.code for each in position.actions()] == legal
        assert list(np.flatnonzero(seen["action_mask"])) == list(range(len(legal)))
        assert not seen["actions"][len(legal) :].any()
        if action is None:
            assert legal == []
            continue
        assert position.names[env._seats[agent]] == position.to_move
        a = actions.fields(legal[action])
        expected = (a.kind, a.die, a.value, a.place, a.tile, a.discard)
        assert tuple(seen["actions"][action]) == expected
        waiting = env.observe(env.possible_agents[env._seats[agent] - 1])
        assert not waiting["action_mask"].any()
        assert not waiting["actions"].any()


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    one = [(a, r, act) for a, _, r, act in play(rl.env(reward="score"), seed=3)]
    two = [(a, r, act) for a, _, r, act in play(rl.env(reward="score"), seed=np.int64(3))]
    other = [(a, r, act) for a, _, r, act in play(rl.env(reward="score"), seed=4)]
    assert one == two
    assert one != other


def test_games_without_a_seed_differ_and_follow_the_last_seed() -> None:
    def deals(env: Any, seed: int | None) -> list[bytes]:
        found = []
        for number in range(3):
            env.reset(seed=seed if number == 0 else None)
            found.append(env.unwrapped._state)
        return found

    env = rl.env()
    assert len(set(deals(env, 1))) == 3
    assert deals(env, 1) == deals(rl.env(), 1)
    assert deals(rl.env(), None) != deals(rl.env(), None)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_alike(duplicate: Any) -> None:
    env = rl.raw_env(reward="score")
    env.reset(seed=8)
    for _ in range(30):
        env.step(0)
    twin = duplicate(env)
    for _ in range(60):
        env.step(0)
        twin.step(0)
    assert twin._state == env._state
    assert twin.rewards == env.rewards
    assert twin.agent_selection == env.agent_selection


def test_settings_go_to_the_game_and_options_change_them_once() -> None:
    env = rl.env(boards=[3, 5], edition=2019, castles=["d4", "c2"])
    assert_boards(env, None, [3, 5])
    assert_boards(env, {"boards": [1], "castles": None}, [1, 1])
    assert_boards(env, None, [3, 5])


def assert_boards(env: Any, options: dict[str, Any] | None, boards: list[int]) -> None:
    env.reset(seed=1, options=options)
    assert [player.board for player in env.unwrapped.position.players] == boards


def test_an_option_that_is_no_setting_is_named_in_a_warning() -> None:
    with pytest.warns(UserWarning, match="'bords'.*boards"):
        rl.env().reset(options={"bords": [1]})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reward": "gold"}, "'gold'; choose win, margin, score"),
        ({"render_mode": "rgb_array"}, "'rgb_array'; choose human or ansi"),
        ({"bords": [1]}, "'bords'.*boards"),
        ({"seed": 1}, "'seed'"),
        ({"players": 5}, "5 players"),
        ({"game": "chess"}, "no game is called 'chess'"),
        ({"boards": [999]}, "no board 999"),
    ],
)
def test_what_the_environment_does_not_have_is_refused(
    arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(advisor.SettingError, match=message):
        rl.env(**arguments)


# --- Illegal actions


@pytest.mark.parametrize("action", [511, -1, None])
def test_the_raw_environment_explains_an_illegal_action(action: int | None) -> None:
    env = rl.raw_env()
    env.reset(seed=1)
    before = env._state
    with pytest.raises(advisor.ActionError, match=f"action {action} is not legal for player_0"):
        env.step(action)
    assert env._state == before


def test_the_wrapped_environment_ends_the_game_at_an_illegal_action() -> None:
    env = rl.env(players=3)
    env.reset(seed=1)
    env.step(511)
    assert env.rewards == {"player_0": -1.0, "player_1": 0, "player_2": 0}
    assert all(env.terminations.values())


# --- Rewards


def totals(players: int, reward: str) -> tuple[list[float], list[int], list[bool]]:
    """Return of a random game all rewards added up, the scores and who won."""
    env = rl.env(players=players, reward=reward)
    total = dict.fromkeys(env.possible_agents, 0.0)
    scores, won = [0] * players, [False] * players
    for agent, _, gained, action in play(env, seed=6):
        total[agent] += gained
        if action is None:
            seat = env.possible_agents.index(agent)
            scores[seat] = env.infos[agent]["score"]
            won[seat] = env.infos[agent]["won"]
        elif reward != "score":
            assert gained == 0
    return list(total.values()), scores, won


@pytest.mark.parametrize("players", TABLES)
def test_the_winner_gets_one_and_the_others_pay_it(players: int) -> None:
    total, scores, won = totals(players, "win")
    assert sum(won) == 1
    assert total[won.index(True)] == 1
    assert scores[won.index(True)] == max(scores)
    assert sum(total) == pytest.approx(0)
    assert sorted(total)[:-1] == [pytest.approx(-1 / (players - 1))] * (players - 1)


@pytest.mark.parametrize("players", TABLES)
def test_the_margin_is_that_to_the_best_other(players: int) -> None:
    total, scores, _ = totals(players, "margin")
    for seat, own in enumerate(scores):
        others = scores[:seat] + scores[seat + 1 :]
        assert total[seat] == pytest.approx((own - max(others)) / 100)


@pytest.mark.parametrize("players", TABLES)
def test_points_gained_add_up_to_the_final_score(players: int) -> None:
    total, scores, _ = totals(players, "score")
    assert total == scores


# --- What an agent sees


@pytest.mark.parametrize("players", TABLES)
def test_every_entry_of_the_vector_has_its_own_name(players: int) -> None:
    names = observation.names(players)
    start: Any = advisor.new_game(players=players)
    assert len(set(names)) == len(names)
    assert observation.observe(start, start.packed, 0).shape == (len(names),)


@pytest.mark.parametrize("players", TABLES)
def test_the_vector_says_what_the_position_says(players: int) -> None:
    """Compare with `Position`, which reads the state in another way."""
    boards = [1, 3, 5, 8][:players]
    for number, (start, state) in enumerate(states(players, seed=2, boards=boards)):
        if number % 5:
            continue
        position = start.view(state)
        seat = number % players
        seen = entries(players, observation.observe(start, state, seat))
        for relative in range(players):
            index = (seat + relative) % players
            player = position.players[index]
            board = components.boards()[player.board]
            owner = f"opponent {relative}" if relative else "own"
            for cell, name in enumerate(components.CELLS):
                assert seen[f"{owner} colour {name}"] == board.colours[cell]
                assert seen[f"{owner} number {name}"] == board.die_numbers[cell]
                assert seen[f"{owner} tile {name}"] == player.estate[cell]
            stored = [seen[f"{owner} storage {place}"] for place in (1, 2, 3)]
            assert stored == [*player.storage, 0, 0, 0][:3]
            for what in ("score", "workers", "silver", "track"):
                assert seen[f"{owner} {what}"] == getattr(player, what)
            for colour, good in enumerate(components.goods()):
                assert seen[f"{owner} goods {good}"] == player.goods[colour]
                assert seen[f"{owner} sold {good}"] == player.sold[colour]
            for colour, name in enumerate(components.COLOURS):
                assert seen[f"{owner} large {name}"] == (colour in player.large)
                assert seen[f"{owner} small {name}"] == (colour in player.small)
            decides = position.stage == "play" and position.mover == index
            unused = position.dice if decides else player.dice
            assert [seen[f"{owner} die {die}"] for die in (1, 2)] == [*unused, 0, 0][:2]
            assert seen[f"{owner} decides"] == decides
            assert seen[f"{owner} place this round"] == position.turn_order.index(index)
            assert seen[f"{owner} place next round"] == position.next_order.index(index)
        for depot, tiles in enumerate(position.depots, start=1):
            lying = [seen[f"depot {depot} tile {place}"] for place in (1, 2, 3, 4)]
            assert lying == [*tiles, 0, 0, 0, 0][:4]
            for colour, good in enumerate(components.goods()):
                assert (
                    seen[f"depot {depot} goods {good}"] == position.depot_goods[depot - 1][colour]
                )
        black = [seen[f"black depot tile {place}"] for place in range(1, 9)]
        assert black == [*position.black, *[0] * 8][:8]
        coming = [seen[f"good to come {place}"] for place in range(1, 6)]
        assert coming == [*position.goods_to_come, *[0] * 5][:5]
        waiting = [seen[f"pending {place}"] for place in range(1, 5)]
        assert waiting == [*position.pending[::-1], 0, 0, 0, 0][:4]
        assert seen["stage"] == ["play", "roll", "deal", "over"].index(position.stage)
        assert (seen["phase"], seen["round"]) == (position.phase, position.round)
        assert seen["dice left"] == len(position.dice)
        assert seen["bought"] == position.bought
        in_sight = position.tiles_in_sight()
        for tile in components.tiles().values():
            face_down = tile.coloured + tile.black - in_sight[tile.number]
            assert seen[f"unseen {tile.name}"] == face_down
            assert 0 <= seen.get(f"unseen black {tile.name}", 0) <= min(face_down, tile.black)
        deals = position.phase + (position.stage != "deal")
        black_backs = sum(tile.black for tile in components.tiles().values())
        left = sum(count for name, count in seen.items() if name.startswith("unseen black"))
        assert left == black_backs - deals * components.black_slots(players)
        copies = components.scoring()["goods"]["copies"]
        for good, visible in zip(components.goods(), position.goods_in_sight(), strict=True):
            assert seen[f"unseen goods {good}"] == copies - visible
        assert seen["edition"] == 1


@pytest.mark.parametrize("players", TABLES)
def test_all_seats_see_the_same_table_each_from_its_side(players: int) -> None:
    width = sum(name.startswith("own ") for name in observation.names(players))
    for number, (start, state) in enumerate(states(players, seed=3, boards=[1, 3, 5, 8][:players])):
        if number % 10 == 0:
            first = observation.observe(start, state, 0)
            rows = first[: players * width].reshape(players, width)
            for seat in range(players):
                other = observation.observe(start, state, seat)
                turned = other[: players * width].reshape(players, width)
                assert (turned == np.roll(rows, -seat, axis=0)).all()
                assert (other[players * width :] == first[players * width :]).all()


def shuffled(state: bytes, rng: np.random.Generator, players: int) -> bytes:
    """Put what has no order at the table into another order: stacks, slots of equal colour."""
    s = np.frombuffer(bytearray(state), dtype=k.STATE_DTYPE)
    for index, name in enumerate(("buildings", "animals", "monastery_tiles", "black")):
        size = int(s["stack_size"][0][index])
        s[name][0][:size] = rng.permutation(s[name][0][:size])
        s[name][0][size:] = rng.integers(1, 50, len(s[name][0]) - size)  # what was drawn long ago
    size = int(s["goods_size"][0])
    s["hidden_goods"][0][:size] = rng.permutation(s["hidden_goods"][0][:size])
    for depot in range(6):
        slots = s["slots"][0][4 * depot : 4 * depot + 4]
        slots[:] = rng.permutation(slots)
    s["slots"][0][k.BLACK_SLOT :] = rng.permutation(s["slots"][0][k.BLACK_SLOT :])
    for seat in range(players):
        stored = s["storage"][0][seat]
        stored[: k.STORAGE] = rng.permutation(stored[: k.STORAGE])
    return s.tobytes()


@pytest.mark.parametrize("players", TABLES)
def test_nobody_sees_the_order_of_what_lies_face_down(players: int) -> None:
    rng = np.random.default_rng(1)
    changed = 0
    for number, (start, state) in enumerate(states(players, seed=4)):
        if number % 4 == 0:
            other = shuffled(state, rng, players)
            changed += other != state
            for seat in range(players):
                assert (
                    observation.observe(start, state, seat)
                    == observation.observe(start, other, seat)
                ).all()
    assert changed > 20


def test_black_backs_are_told_only_where_they_are_known() -> None:
    unknown = 0
    for start, state in states(2, seed=5):
        seen = entries(2, observation.observe(start, state, 0))
        assert seen["backs known"] == 1
        read: Any = start.view(state)  # as from a file: it does not say where a tile came from
        again = entries(2, observation.observe(read, read.packed, 0))
        black = [value for name, value in again.items() if name.startswith("unseen black")]
        if not again["backs known"]:
            unknown += 1
            assert not any(black)
    assert unknown


def test_edition_and_tie_break_are_in_the_vector() -> None:
    first: Any = advisor.new_game(edition=2011)
    seen = entries(2, observation.observe(first, first.packed, 0))
    assert seen["edition"] == 0
    assert seen["most empty cells win ties"] == (first.tie_break == "most")


# --- Around it


def test_ansi_rendering_is_the_table_of_show() -> None:
    env = rl.env(render_mode="ansi")
    env.reset(seed=1)
    position = env.unwrapped.position
    assert env.render() == registry.find(position.game).draw(position, width=rl.RENDER_WIDTH)


def test_without_pettingzoo_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "advisor.rl")
    with pytest.raises(advisor.AdvisorError, match=r'pip install "advisor\[rl\]"'):
        importlib.import_module("advisor.rl")


def test_the_library_does_not_import_pettingzoo_by_itself() -> None:
    code = (
        "import sys, advisor, advisor.cli; advisor.new_game();"
        "sys.exit(any(name in sys.modules for name in ('pettingzoo', 'gymnasium')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    block = re.search(r"```python\n(.*?)```", PAGE, re.S)
    assert block
    exec(block[1], {})  # noqa: S102 - our own page
    printed = sorted(capsys.readouterr().out.split("\n")[:-1])
    assert [line.split()[0] for line in printed] == ["player_0", "player_1"]
    assert sorted(line.split()[1] for line in printed) == ["-1.0", "1.0"]


def test_the_page_gives_the_shapes_and_names_of_the_entries() -> None:
    for players in TABLES:
        assert f"`({len(observation.names(players))},)` for {players}" in PAGE
    env = rl.raw_env()
    most = env.action_space("player_0").n
    assert f"`Discrete({most})`" in PAGE
    assert f"`({most}, {len(env.action_field_names)})`" in PAGE
    assert all(f"`{name}`" in PAGE for name in env.action_field_names)
    table = PAGE.partition("## What is in the vector")[2]
    explained = {re.sub(r" (N|\d).*", "", word) for word in re.findall(r"`([^`]+)`", table)}
    for name in env.observation_names:
        words = name.removeprefix("own ").removeprefix("opponent 1 ").split()
        openings = {" ".join(words[:length]) for length in range(1, len(words) + 1)}
        assert openings & explained, name
