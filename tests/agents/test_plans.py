"""The agents `plans` and `advisor`: whole turns, legal, repeatable, bounded by their options."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from advisor.agents import play
from advisor.agents.spec import parse
from advisor.errors import AdvisorError, SettingError
from advisor.learning import model as models
from advisor.learning._net import Net
from advisor.learning._planner import Planner
from advisor.learning._value import Value
from tests.learning import CHANCE, OVER, TABLES, random_net, table, turn_starts

SMALL = "width=4,limit=60"
FEW = "plans=4,width=4,limit=60,narrow_width=2,narrow_limit=10"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a net that nobody has taught."""
    path = tmp_path_factory.mktemp("models") / "random.npz"
    path.write_bytes(models.save(random_net(table(random.Random(1), 2).rules), {}))
    return path


def texts(model: Path) -> list[str]:
    return [
        f"plans:model={model},{SMALL}",
        f"advisor:model={model},rollouts=8,{FEW}",
        f"advisor:model={model},seconds=0.0002,{FEW}",
    ]


def made(text: str, position: Any) -> Any:
    agent = parse(text).make(position.game)
    agent.prepare(position.rules, position)
    return agent


def turn_of(agent: Any, rules: Any, state: bytes, luck: int) -> tuple[list[int], bytes]:
    """Let an agent play one turn; return its actions and where it ends, tidy."""
    seat = rules.to_move(state)
    way: list[int] = []
    while rules.to_move(state) == seat:
        action = agent.choose(state, seat, not way, luck + len(way))
        assert action in rules.legal(state)
        way.append(action)
        state = rules.apply(state, action)
    return way, rules.tidy(state)


# --- One turn


def test_plans_follows_the_best_turn_to_its_end(model: Path) -> None:
    rng = random.Random(2)
    for players, edition in TABLES:
        position = table(rng, players, edition)
        rules = position.rules
        planner = Planner(rules, Value(rules, models.load(model).net), 60)
        agent = made(f"plans:model={model},{SMALL}", position)
        for start in turn_starts(rules, position.packed, rng)[::9]:
            turns = planner.turns(start, width=4, limit=60)
            _, end = turn_of(agent, rules, start, 1)
            best = max(worth for worth, _, _ in turns)
            assert end in {reached for worth, reached, _ in turns if worth == best}


def test_a_turn_taken_up_in_its_middle_is_planned_from_there(model: Path) -> None:
    position = table(random.Random(3), 2)
    rules = position.rules
    for start in turn_starts(rules, position.packed, random.Random(4))[::10]:
        for text in texts(model):
            first, whole = turn_of(made(text, position), rules, start, 1)
            middle = rules.apply(start, first[0])
            if rules.to_move(middle) == rules.to_move(start):
                agent = made(text, position)
                rest, end = turn_of(agent, rules, middle, 1)
                assert rest
                if "plans:" in text and first[1:] == rest:
                    assert end == whole


@pytest.mark.parametrize("kind", [0, 1])
def test_the_same_luck_leads_to_the_same_turn(model: Path, kind: int) -> None:
    rng = random.Random(5)
    position = table(rng, 3)
    first, second = (made(texts(model)[kind], position) for _ in range(2))
    starts = turn_starts(position.rules, position.packed, rng)
    for start in rng.sample(starts, 15):
        luck = rng.getrandbits(32)
        turn = turn_of(first, position.rules, start, luck)
        assert turn == turn_of(second, position.rules, start, luck)
    for start in starts[:5]:  # and nothing of the turns between is remembered
        once = turn_of(first, position.rules, start, 9)
        assert once == turn_of(second, position.rules, start, 9)


def test_luck_matters_to_the_advisor_and_not_to_plans(model: Path) -> None:
    position = table(random.Random(6), 2)
    rules = position.rules
    plans, advisor = (made(text, position) for text in texts(model)[:2])
    differing = 0
    for start in turn_starts(rules, position.packed, random.Random(7))[::3]:
        assert len({turn_of(plans, rules, start, luck)[1] for luck in (1, 20, 300)}) == 1
        differing += len({turn_of(advisor, rules, start, luck)[1] for luck in (1, 20, 300)}) > 1
    assert differing > 2


def test_an_advisor_with_one_plan_plays_what_plans_plays(model: Path) -> None:
    position = table(random.Random(8), 2)
    rules = position.rules
    plans = made(f"plans:model={model},{SMALL}", position)
    one = made(f"advisor:model={model},rollouts=50,plans=1,{SMALL}", position)
    for start in turn_starts(rules, position.packed, random.Random(9))[::4]:
        assert turn_of(plans, rules, start, 3) == turn_of(one, rules, start, 3)


def test_who_plays_for_his_own_points_takes_the_turn_with_most_of_them(model: Path) -> None:
    rng = random.Random(14)
    position = table(rng, 2)
    rules = position.rules
    agents = [
        made(f"{kind}:model={model},objective=score,{options}", position)
        for kind, options in (("plans", SMALL), ("advisor", FEW.replace("plans=4", "plans=1")))
    ]
    for_margin = made(f"plans:model={model},{SMALL}", position)
    value = Value(rules, models.load(model).net, own_score=True)
    planner = Planner(rules, value, 60)
    differing = 0
    for start in turn_starts(rules, position.packed, rng)[::2]:
        seat = rules.to_move(start)
        turns = planner.turns(start, width=4, limit=60)
        most = max(value.points(end)[seat] for _, end, _ in turns)
        ends = [turn_of(agent, rules, start, 1)[1] for agent in agents]
        assert [value.points(end)[seat] for end in ends] == [most, most]
        differing += turn_of(for_margin, rules, start, 1)[1] != ends[0]
    assert differing


def test_choosing_leaves_the_state_as_it_was(model: Path) -> None:
    position = table(random.Random(10), 2)
    start = turn_starts(position.rules, position.packed, random.Random(11))[7]
    kept = bytes(bytearray(start))
    for text in texts(model):
        turn_of(made(text, position), position.rules, start, 1)
        assert start == kept


# --- Whole games


@pytest.mark.parametrize(("players", "edition"), TABLES)
@pytest.mark.parametrize("kind", range(3))
def test_nothing_illegal_is_played_in_whole_games(
    model: Path, players: int, edition: int, kind: int
) -> None:
    rng = random.Random(players * edition)
    position = table(rng, players, edition)
    rules, state, world = position.rules, position.packed, rng.getrandbits(64)
    agents = [made(texts(model)[kind], position) for _ in range(players)]
    turns = 0
    while (mover := rules.to_move(state)) != OVER:
        if mover == CHANCE:
            state = rules.chance(state, world)
            continue
        _, state = turn_of(agents[mover], rules, state, rng.getrandbits(32))
        turns += 1
    assert turns == 25 * players
    assert min(rules.returns(state)[0]) > 0


def test_a_game_is_the_same_step_by_step_and_in_a_match(model: Path) -> None:
    from advisor.research.match import match

    text = f"advisor:model={model},rollouts=6,{FEW}"
    frames = [match([text, "greedy"], games=2, seed=5, jobs=1) for _ in range(2)]
    assert frames[0]["score"].to_list() == frames[1]["score"].to_list()
    assert not parse(f"advisor:model={model},seconds=0.1").repeatable
    assert parse(text).repeatable


def test_agents_play_a_position_step_by_step(model: Path) -> None:
    position = table(random.Random(12), 2)
    once, again = (
        [(step.player, step.action) for step in play(position, texts(model)[:2], seed=4)]
        for _ in range(2)
    )
    assert once == again
    assert {player for player, _ in once} == {*position.names, "chance"}


def test_even_an_untaught_net_beats_random_play(model: Path) -> None:
    """The certain points alone are worth a lot."""
    from advisor.research.match import match

    text = f"plans:model={model},{SMALL}"
    frame = match([text, "random"], games=10, seed=2, jobs=1)
    assert frame.filter(agent=text)["won"].mean() == 1.0


# --- Models and options


def test_the_number_of_players_may_stand_in_the_name_of_the_model(
    model: Path, tmp_path: Path
) -> None:
    for players in (2, 3):
        (tmp_path / f"{players}p.npz").write_bytes(model.read_bytes())
    for players in (2, 3):
        made(f"plans:model={tmp_path}/{{players}}p.npz", table(random.Random(1), players))
    with pytest.raises(models.ModelError, match=r"4p\.npz: cannot read the model"):
        made(f"plans:model={tmp_path}/{{players}}p.npz", table(random.Random(1), 4))


@pytest.mark.parametrize("agent", ["plans", "advisor"])
def test_braces_in_a_path_are_only_a_path(agent: str, tmp_path: Path) -> None:
    with pytest.raises(models.ModelError, match="cannot read the model"):
        made(f"{agent}:model={tmp_path}/{{0}}{{x.npz", table(random.Random(1), 2))


def test_a_model_for_another_number_of_players_is_refused(tmp_path: Path) -> None:
    position = table(random.Random(1), 2)
    path = tmp_path / "3p.npz"
    path.write_bytes(models.save(random_net(position.rules), {"players": 3}))
    for agent in ("plans", "advisor"):
        with pytest.raises(SettingError, match=r"3p\.npz: a model for 3 players, and 2 are at the"):
            made(f"{agent}:model={path}", position)


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    path = tmp_path / "damaged.npz"
    path.write_bytes(b"PK\x03\x04 nothing of the kind")
    with pytest.raises(AdvisorError, match=r"damaged\.npz: this is no model, or it is damaged"):
        made(f"plans:model={path}", table(random.Random(1), 2))


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    path.write_bytes(models.save(Net(10, 2), {}))
    with pytest.raises(ValueError, match="not made for this game"):
        made(f"plans:model={path}", table(random.Random(1), 2))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("plans:width=0", "agent plans: width=0; give 1 to 10,000"),
        ("plans:limit=-3", "agent plans: limit=-3; give 1 to 100,000"),
        ("plans:limit=3000000000", "limit=3000000000; give 1 to 100,000"),
        ("plans:width=wide", "agent plans: width=wide is not possible; give a whole number"),
        ("plans:seconds=1", "agent plans has no option 'seconds'"),
        ("advisor:rollouts=0", "agent advisor: 0 rollouts; give 1 to 1,000,000,000"),
        ("advisor:rollouts=-1", "agent advisor: -1 rollouts"),
        ("advisor:seconds=0", "agent advisor: 0 seconds; give more than 0 and at most 10,800"),
        ("advisor:seconds=1e9", "agent advisor: 1e\\+09 seconds"),
        ("advisor:seconds=nan", "agent advisor: seconds=nan is not possible; give a number"),
        ("advisor:seconds=1,rollouts=5", "rollouts and seconds; give one of them"),
        ("advisor:plans=0", "agent advisor: plans=0; give 1 to 64"),
        ("advisor:plans=65", "agent advisor: plans=65; give 1 to 64"),
        ("advisor:width=0", "agent advisor: width=0; give 1 to"),
        ("advisor:limit=0", "agent advisor: limit=0; give 1 to"),
        ("advisor:narrow_width=0", "agent advisor: narrow_width=0; give 1 to"),
        ("advisor:narrow_limit=0", "agent advisor: narrow_limit=0; give 1 to"),
        ("advisor:turns=0", "agent advisor: turns=0; give 1 to 25"),
        ("advisor:replies=0", "agent advisor: replies=0; give 1 to 8"),
        ("advisor:replies=9", "agent advisor: replies=9; give 1 to 8"),
        ("plans:objective=win", "no objective 'win'; the objectives are margin, score"),
        ("advisor:objective=", "agent advisor: "),
        ("advisor:narow_limit=3", "did you mean 'narrow_limit'"),
    ],
)
def test_options_out_of_bounds_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        parse(text)


def test_the_narrowest_options_still_play(model: Path) -> None:
    position = table(random.Random(13), 2)
    rules = position.rules
    start = turn_starts(rules, position.packed, random.Random(1))[20]
    least = "width=1,limit=1,narrow_width=1,narrow_limit=1"
    for plans in (1, 2, 64):
        agent = made(f"advisor:model={model},rollouts=1,plans={plans},{least}", position)
        assert turn_of(agent, rules, start, 1)[0]
    assert turn_of(made(f"plans:model={model},width=1,limit=1", position), rules, start, 1)[0]
