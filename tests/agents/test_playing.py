"""A game step by step: `play` shows what the kernel's loop plays."""

from __future__ import annotations

import random
from typing import Any

import pytest

import advisor
from advisor import agents
from advisor.agents.playing import CHANCE
from advisor.errors import SettingError
from advisor.games.burgundy.setup import new_game
from advisor.research.plan import make_plan
from advisor.research.tasks import deal_of, play_range


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_played_to_its_end_through_positions_that_follow_from_each_other(
    players: int,
) -> None:
    here: Any = new_game(players=players, seed=3)
    steps = list(agents.play(here, ["greedy", "random", "greedy", "random"][:players], seed=5))
    for step in steps:
        assert step.player == (CHANCE if here.to_move == "chance" else here.to_move)
        if step.player != CHANCE:
            assert step.action in map(str, here.actions())
        here = here.apply(step.action)
        assert here == step.position
    assert here.to_move is None
    assert steps[-1].position.scores() == here.scores()
    assert {step.player for step in steps} == {CHANCE, *here.names}


def test_the_same_seed_gives_the_same_game_and_another_one_another() -> None:
    position = new_game(players=2, seed=3)
    games = [
        [step.action for step in agents.play(position, ["random", "greedy"], seed=seed)]
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize(
    "listed",
    [
        ["greedy", "random"],
        ["ismcts:iterations=6", "greedy"],
        ["ismcts:iterations=5"],
        ["random", "ismcts:iterations=4", "greedy"],
    ],
)
def test_play_shows_the_games_that_matches_play(listed: list[str]) -> None:
    """The first seating of a deal is the game of the deal's seed, whoever plays it."""
    plan = make_plan(listed, seed=8, boards="all", castles="random")
    for deal in range(2):
        game = deal * plan.games_per_deal
        dealt = deal_of(plan, deal)
        start = dealt.position.view(dealt.start)
        seated = [plan.agents[number] for number in plan.seating(deal, 0)]
        steps = list(agents.play(start, seated, seed=plan.deal_seed(deal)))
        part = play_range(plan, game, 1)
        codes = part.games["actions"][0].to_list()
        recorded = [start.action_text(code) for code in codes]
        assert [step.action for step in steps if step.player != CHANCE] == recorded
        scores = part.players.sort("seat")["score"].to_list()
        assert list(steps[-1].position.scores().values()) == scores


def test_agents_may_be_given_by_name_and_the_steps_name_the_players() -> None:
    position = new_game(players=2, names=["Zoe", "Adam"], seed=1)
    by_seat = list(agents.play(position, ["greedy", "random"], seed=2))
    by_name = list(agents.play(position, {"Adam": "random", "Zoe": "greedy"}, seed=2))
    assert [step.action for step in by_seat] == [step.action for step in by_name]
    assert {step.player for step in by_name} == {"Zoe", "Adam", CHANCE}


def test_a_game_is_played_lazily() -> None:
    asked = []

    class Watched:
        def decide(self, position: Any, luck: random.Random) -> Any:
            asked.append(position)
            return position.actions()[0]

    steps = agents.play(new_game(players=2, seed=1), [Watched, Watched])
    assert asked == []
    next(steps)
    assert len(asked) == 1


def test_an_agent_sees_the_position_of_the_table_and_luck_that_can_be_repeated() -> None:
    seen: list[tuple[str, float]] = []

    class Curious:
        def decide(self, position: Any, luck: random.Random) -> Any:
            seen.append((position.dump(), luck.random()))
            return position.actions()[0]

    position: Any = new_game(players=2, seed=1)
    runs = []
    for _ in range(2):
        seen.clear()
        steps = list(agents.play(position, [Curious, "greedy"], seed=4))
        runs.append(list(seen))
    assert runs[0] == runs[1]
    here, shown = position, []
    for step in steps:
        if step.player == "Anna":
            shown.append(here.dump())
        here = step.position
    assert [dump for dump, _ in seen] == shown
    assert len({luck for _, luck in seen}) == len(seen)


def test_a_game_that_is_over_has_no_steps() -> None:
    *_, last = agents.play(new_game(players=2, seed=1), ["greedy", "greedy"])
    assert list(agents.play(last.position, ["greedy", "greedy"])) == []


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        (["greedy"], "1 agents for 2 players; give one for each seat"),
        (["greedy"] * 3, "3 agents for 2 players; give one for each seat"),
        ("greedy", "1 agents for 2 players; give one for each seat"),
        ({"Anna": "greedy"}, "agents for Anna; the players are Anna, Ben"),
        ({"Anna": "greedy", "Tom": "greedy"}, "agents for Anna, Tom; the players are Anna, Ben"),
        (["greedy", "gredy"], "did you mean 'greedy'"),
    ],
)
def test_the_wrong_agents_are_refused_before_the_first_step(listed: Any, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        agents.play(new_game(players=2), listed)


def test_play_is_in_the_library() -> None:
    assert advisor.play is agents.play
