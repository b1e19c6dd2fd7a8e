"""The agents of the kernel, and the loop that plays whole games between them."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import advisor
from advisor._fastsim import substream
from advisor.agents._table import Stopped, play_games, stop
from advisor.agents.spec import AgentError, parse
from advisor.games.burgundy.setup import new_game

TEXTS = [
    "random",
    "greedy",
    "ismcts:iterations=8",
    "ismcts:iterations=8,playouts=greedy,objective=score,c=0.2,memory=1M",
]


def make(agent: Any, position: Any) -> Any:
    made = parse(agent).make(position.game)
    made.prepare(position.rules, position)
    return made


def arrays(position: Any, games: int, seed: int = 1) -> dict[str, Any]:
    """Return everything `play_games` fills in or reads, for games from one start."""
    rules, players = position.rules, len(position.names)
    start = np.frombuffer(position.packed, np.uint8)
    return {
        "starts": np.ascontiguousarray(np.tile(start, (games, 1))),
        "seatings": np.tile(np.arange(players, dtype=np.int8), (games, 1)),
        "worlds": np.array([substream(seed, 2 * g) for g in range(games)], np.uint64),
        "lucks": np.array([substream(seed, 2 * g + 1) for g in range(games)], np.uint64),
        "random_turns": 0,
        "scores": np.zeros((games, players), np.int32),
        "wins": np.zeros((games, players), np.uint8),
        "points": np.zeros((games, players, rules.sources), np.int32),
        "decisions": np.zeros((games, players), np.int32),
        "nanos": np.zeros((games, players), np.int64),
        "ends": np.zeros(games, np.int64),
        "finals": np.zeros((games, rules.state_size), np.uint8),
    }


def table(players: int = 2, edition: int = 2019) -> Any:
    return new_game(players=players, edition=edition, dealt=False)


def play(listed: list[Any], games: int, **given: Any) -> dict[str, Any]:
    position = table(len(listed))
    made = [make(agent, position) for agent in listed]
    found = arrays(position, games) | given
    found["actions"] = play_games(position.rules, made, **found)
    return found


def decisions(position: Any, seed: int) -> Iterator[tuple[bytes, int, bool]]:
    """Yield (state, seat, whether a turn begins) of a game of random players."""
    rules, state = position.rules, position.packed
    rng, last = random.Random(seed), -1
    world = rng.getrandbits(64)
    while (mover := rules.to_move(state)) != -2:
        if mover < 0:
            state, last = rules.chance(state, world), -1
            continue
        yield state, mover, mover != last
        last = mover
        state = rules.apply(state, rules.choose(state, 0, rng.getrandbits(64)))


# --- One decision


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("players", "edition"), [(2, 2019), (3, 2011), (4, 2019)])
def test_an_agent_always_does_what_is_legal(text: str, players: int, edition: int) -> None:
    position = table(players, edition)
    agent = make(text, position)
    rng = random.Random(9)
    for state, seat, fresh in decisions(position, seed=5):
        assert agent.choose(state, seat, fresh, rng.getrandbits(64)) in position.rules.legal(state)


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_luck_leads_to_the_same_actions(text: str) -> None:
    position = table()
    first, second = make(text, position), make(text, position)
    rng = random.Random(2)
    for state, seat, fresh in decisions(position, seed=6):
        luck = rng.getrandbits(64)
        assert first.choose(state, seat, fresh, luck) == second.choose(state, seat, fresh, luck)


def test_another_luck_leads_to_other_actions() -> None:
    position = table()
    state, seat, _ = next(decisions(position, seed=1))
    agent = make("random", position)
    chosen = {agent.choose(state, seat, True, luck) for luck in range(200)}
    assert len(chosen) == len(position.rules.legal(state))


@pytest.mark.parametrize("text", TEXTS)
def test_choosing_changes_neither_the_state_nor_the_position(text: str) -> None:
    position = table()
    agent = make(text, position)
    packed = bytes(bytearray(position.packed))
    for state, seat, fresh in decisions(position, seed=7):
        before = bytes(bytearray(state))
        agent.choose(state, seat, fresh, 1)
        assert state == before
    assert position.packed == packed


def test_a_forced_action_costs_no_thought() -> None:
    position = table()
    agent = make("ismcts:iterations=16", position)
    forced = 0
    for state, seat, fresh in decisions(position, seed=8):
        before = agent.thoughts
        alone = len(position.rules.legal(state)) == 1
        agent.choose(state, seat, fresh, 3)
        assert agent.thoughts - before == (0 if alone else 16)
        forced += alone
    assert forced > 5


def test_thinking_time_is_for_the_turn_and_counted_in_cpu_time() -> None:
    """Half of what is left goes to each decision, so the later ones of a turn get less."""
    position = table()
    agent = make("ismcts:seconds=0.05", position)
    state, seat, _ = next(decisions(position, seed=1))
    first = agent.choose(state, seat, True, 1)
    early = agent.thoughts
    assert early > 0
    state = position.rules.apply(state, first)
    thoughts = []
    for _ in range(6):  # asked again and again within the same turn
        before = agent.thoughts
        agent.choose(state, seat, False, 1)
        thoughts.append(agent.thoughts - before)
    assert 0 < thoughts[-1] < early
    agent.choose(state, seat, True, 1)
    assert agent.thoughts - before - thoughts[-1] > thoughts[-1]


def test_a_game_at_a_thousandth_of_a_second_a_turn_comes_to_its_end() -> None:
    found = play(["ismcts:seconds=0.001", "random"], games=1)
    assert found["scores"].min() > 0
    assert found["wins"].sum() == 1


def test_the_tree_is_kept_within_a_turn() -> None:
    """With one iteration a decision only a tree that is kept can have seen all actions."""
    position = table()
    state, seat, _ = next(decisions(position, seed=1))
    legal = position.rules.legal(state)
    assert len(legal) > 4
    keeping, forgetting = (make("ismcts:iterations=1", position) for _ in range(2))
    forgetting_chose, keeping_chose = [], []
    for luck in range(40):
        keeping_chose.append(keeping.choose(state, seat, luck == 0, luck))
        forgetting_chose.append(forgetting.choose(state, seat, True, luck))
    # Alone, one visit decides: whatever is tried is played. Kept, the visits add up to a favourite.
    assert len(set(forgetting_chose[-12:])) > 3
    assert len(set(keeping_chose[-12:])) <= 3


def test_an_agent_must_be_told_the_game_first() -> None:
    position = table()
    with pytest.raises(ValueError, match="not been told which game"):
        parse("greedy").make("burgundy").choose(position.packed, 0, True, 1)
    with pytest.raises(ValueError, match="a packed state has"):
        make("greedy", position).choose(b"short", 0, True, 1)


# --- Strength


def share(first: str, second: str, games: int, seed: int = 3) -> float:
    from advisor.research.match import match

    frame = match([first, second], games=games, jobs=1, seed=seed)
    mean = frame.filter(agent=first)["won"].mean()
    assert isinstance(mean, float)
    return mean


def test_greedy_beats_random_in_nearly_all_games() -> None:
    assert share("greedy", "random", games=400) > 0.97


def test_ismcts_beats_random() -> None:
    assert share("ismcts:iterations=60", "random", games=20) > 0.8


def test_more_iterations_beat_few() -> None:
    assert share("ismcts:iterations=150", "ismcts:iterations=4", games=16) > 0.8


# --- Whole games


def test_games_can_be_played_in_any_portions() -> None:
    listed = ["greedy", "random", "greedy"]
    whole = play(listed, games=4)
    begin = 0
    for game in range(4):
        position = table(3)
        made = [make(agent, position) for agent in listed]
        alone = {
            name: value[game : game + 1].copy() if isinstance(value, np.ndarray) else value
            for name, value in arrays(position, 4).items()
        }
        actions = play_games(position.rules, made, **alone)
        assert actions.tolist() == whole["actions"][begin : whole["ends"][game]].tolist()
        assert alone["finals"].tobytes() == whole["finals"][game].tobytes()
        begin = whole["ends"][game]


def test_what_is_noted_of_a_game_is_what_its_actions_lead_to() -> None:
    found = play(["greedy", "random", "greedy"], games=5)
    position = table(3)
    rules, begin = position.rules, 0
    for game in range(5):
        state, count = position.packed, [0, 0, 0]
        codes = iter(found["actions"][begin : found["ends"][game]].tolist())
        begin = found["ends"][game]
        while (mover := rules.to_move(state)) != -2:
            if mover < 0:
                state = rules.chance(state, int(found["worlds"][game]))
                continue
            state = rules.apply(state, next(codes))
            count[mover] += 1
        assert next(codes, None) is None
        points, wins = rules.returns(state)
        assert found["scores"][game].tolist() == points
        assert found["wins"][game].tolist() == wins
        assert found["points"][game].tolist() == rules.points(state)
        assert found["decisions"][game].tolist() == count
        assert found["finals"][game].tobytes() == state
        assert (found["nanos"][game] > 0).all()


def test_random_turns_are_played_at_random_and_then_the_agents_take_over() -> None:
    usual = play(["greedy", "greedy"], games=60)
    opened = play(["greedy", "greedy"], games=60, random_turns=3)
    chance = play(["random", "random"], games=60)
    always = play(["greedy", "greedy"], games=60, random_turns=100)
    assert always["actions"].tolist() == chance["actions"].tolist()
    assert opened["actions"].tolist() != usual["actions"].tolist()
    assert chance["scores"].mean() < opened["scores"].mean() < usual["scores"].mean()


def test_agents_play_in_threads_at_the_same_time_without_touching_each_other() -> None:
    listed = ["ismcts:iterations=6", "greedy"]
    alone = play(listed, games=4)
    with ThreadPoolExecutor(4) as pool:
        together = [found.result() for found in [pool.submit(play, listed, 4) for _ in range(8)]]
    for found in together:
        assert found["actions"].tolist() == alone["actions"].tolist()
        assert found["finals"].tobytes() == alone["finals"].tobytes()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("starts", lambda a: np.ascontiguousarray(a[:, :-1])),
        ("starts", lambda a: a[:-1]),
        ("seatings", lambda a: np.ascontiguousarray(a[:, :1])),
        ("seatings", lambda a: a[:-1]),
        ("seatings", lambda a: a + 1),
        ("seatings", lambda a: a - 1),
        ("worlds", lambda a: a[:-1]),
        ("lucks", lambda a: a[:-1]),
        ("scores", lambda a: a[:-1]),
        ("scores", lambda a: np.ascontiguousarray(a[:, :1])),
        ("wins", lambda a: a[:-1]),
        ("points", lambda a: a[:-1]),
        ("points", lambda a: np.ascontiguousarray(a[:, :, :-1])),
        ("points", lambda a: np.ascontiguousarray(a[:, :1])),
        ("decisions", lambda a: a[:-1]),
        ("nanos", lambda a: a[:-1]),
        ("ends", lambda a: a[:-1]),
        ("finals", lambda a: a[:-1]),
        ("finals", lambda a: np.ascontiguousarray(a[:, :-1])),
        ("scores", lambda a: a.astype(np.int64)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name: str, wrong: Any) -> None:
    position = table()
    made = [make("greedy", position), make("random", position)]
    given = arrays(position, 3)
    with pytest.raises(ValueError, match=r"\w+"):
        play_games(position.rules, made, **given | {name: wrong(given[name])})
    play_games(position.rules, made, **given)


def test_agents_of_another_table_are_refused() -> None:
    position, other = table(2), table(2, 2011)
    given = arrays(position, 1)
    with pytest.raises(ValueError, match="has not begun a game under these rules"):
        play_games(position.rules, [make("greedy", other)] * 2, **given)
    with pytest.raises(TypeError):
        play_games(position.rules, ["greedy", "greedy"], **given)


# --- Agents written in Python


class Own:
    """Does as it is told in its fifth decision, before that the first legal action."""

    def __init__(self, deed: Any) -> None:
        self.deed = deed
        self.asked = 0

    def decide(self, position: Any, luck: random.Random) -> Any:
        self.asked += 1
        return self.deed(position) if self.asked == 5 else position.actions()[0]


def fail(position: Any) -> Any:
    raise KeyError("lost my map")


def break_rules(position: Any) -> Any:
    return position.apply("9 workers")


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        (fail, r"agent Own failed in <.*phase A round \d, Anna to move>: KeyError: 'lost my map'"),
        (break_rules, r"agent Own failed in <.*Anna to move>: ActionError: "),
        (
            lambda position: "dance",
            r"agent Own does what is not legal in <.*Anna to move>: .*dance",
        ),
        (lambda position: None, r"agent Own does what is not legal in <.*Anna to move>: .*None"),
        (lambda position: 17, r"agent Own does what is not legal in <.*Anna to move>: .*17"),
        (lambda position: b"\xff", r"agent Own does what is not legal in <.*Anna to move>"),
        (lambda position: "buy castle from 6", r"does what is not legal in <.*Anna to move>"),
    ],
)
def test_an_agent_that_fails_is_named_with_the_position(deed: Any, sentence: str) -> None:
    with pytest.raises(AgentError, match=sentence):
        play([Own(deed), "greedy"], games=2)
    with pytest.raises(AgentError, match=sentence):
        list(advisor.agents.play(table(), [Own(deed), "greedy"]))


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_no_error_of_the_agent_passes_through(error: type[BaseException]) -> None:
    def leave(position: Any) -> Any:
        raise error

    with pytest.raises(error):
        play([Own(leave), "greedy"], games=1)


def test_an_agent_of_python_plays_by_texts_and_actions_alike() -> None:
    class ByText:
        def decide(self, position: Any, luck: random.Random) -> Any:
            return f" {str(luck.choice(position.actions())).upper()} "

    class ByAction:
        def decide(self, position: Any, luck: random.Random) -> Any:
            return luck.choice(position.actions())

    one = play([ByText(), "greedy"], games=1)
    other = play([ByAction(), "greedy"], games=1)
    assert one["actions"].tolist() == other["actions"].tolist()


# --- Stopping


def test_stop_ends_games_under_way_and_can_be_taken_back() -> None:
    begun = threading.Event()

    class Slow:
        def decide(self, position: Any, luck: random.Random) -> Any:
            begun.set()
            return position.actions()[0]

    outcome: list[BaseException | None] = []

    def run() -> None:
        try:
            play([Slow(), "ismcts:iterations=50"], games=10_000)
            outcome.append(None)
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert begun.wait(30)
    try:
        stop(True)
        thread.join(30)
        assert not thread.is_alive()
        assert isinstance(outcome[0], Stopped)
        with pytest.raises(Stopped):
            play(["greedy", "greedy"], games=1)
    finally:
        stop(False)
    assert play(["greedy", "greedy"], games=1)["wins"].sum() == 1
