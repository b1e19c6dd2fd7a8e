"""The plan of a match: fair seatings, paired luck, and sentences for what cannot be played."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from advisor.errors import SettingError, UnknownGameError
from advisor.research.plan import MOST_SEATINGS, Plan, make_plan
from advisor.research.tasks import deal_of, play_range

SIZES = [(agents, players) for agents in range(1, 6) for players in (2, 3, 4)]


def plan_of(agents: int, players: int, **given: Any) -> Plan:
    return make_plan(["greedy"] * agents, players=players, **given)


def seatings(plan: Plan) -> list[tuple[int, ...]]:
    """Return the seatings of as many deals as it takes until they begin anew."""
    return [
        plan.seating(deal, number)
        for deal in range(len(plan.rounds))
        for number in range(plan.games_per_deal)
    ]


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_every_deal_puts_everybody_in_every_seat_equally_often(agents: int, players: int) -> None:
    plan = plan_of(agents, players)
    for deal in range(len(plan.rounds) + 1):
        places = Counter(
            (agent, seat)
            for number in range(plan.games_per_deal)
            for seat, agent in enumerate(plan.seating(deal, number))
        )
        assert len(places) == agents * players
        assert len(set(places.values())) == 1


@pytest.mark.parametrize(("agents", "players"), SIZES)
def test_everybody_meets_everybody_equally_often(agents: int, players: int) -> None:
    plan = plan_of(agents, players)
    meetings = Counter(
        frozenset((one, other))
        for seating in seatings(plan)
        for place, one in enumerate(seating)
        for other in seating[place + 1 :]
        if one != other
    )
    assert len(meetings) == agents * (agents - 1) / 2
    assert len(set(meetings.values())) <= 1


@pytest.mark.parametrize(("agents", "players"), [(2, 3), (3, 3), (4, 4), (3, 4), (5, 4)])
def test_everybody_plays_after_everybody_else_equally_often(agents: int, players: int) -> None:
    """Who plays after a weak player finds more, so neighbours must change in the long run."""
    neighbours = Counter(
        (seating[place - 1], agent)
        for seating in seatings(plan_of(agents, players))
        for place, agent in enumerate(seating)
        if seating[place - 1] != agent
    )
    assert len(neighbours) == agents * (agents - 1)
    assert len(set(neighbours.values())) == 1


def test_one_agent_alone_needs_no_rotation() -> None:
    assert plan_of(1, 4).rounds == (((0, 0, 0, 0),),)


def test_without_rotation_the_agents_sit_as_they_are_listed() -> None:
    plan = plan_of(3, 3, rotate=False)
    assert plan.rounds == (((0, 1, 2),),)
    assert plan_of(3, 2, rotate=False).rounds == (((0, 1), (0, 2), (1, 2)),)


@pytest.mark.parametrize(("agents", "players"), [(1, 2), (2, 2), (3, 3), (4, 4), (7, 4)])
def test_as_many_sit_down_as_there_are_agents_and_chairs(agents: int, players: int) -> None:
    assert make_plan(["greedy"] * agents).players == players


def test_the_number_of_a_game_says_its_deal_and_its_seating() -> None:
    plan = plan_of(3, 2, seed=5)
    assert plan.games_per_deal == 6
    part = play_range(plan, 4, 10)
    rows = part.players.sort("game", "seat")
    for game, deal, number, seat, agent, seed in rows.select(
        "game", "deal", "seating", "seat", "agent", "seed"
    ).iter_rows():
        assert (deal, number) == divmod(game, 6)
        assert seed == plan.deal_seed(deal)
        assert agent == plan.labels[plan.seating(deal, number)[seat - 1]]


def test_seeds_of_deals_and_lucks_of_games_are_all_different() -> None:
    plan = plan_of(2, 3)
    seeds = [plan.deal_seed(deal) for deal in range(2_000)]
    assert len(set(seeds)) == 2_000
    assert all(0 <= seed < 2**63 for seed in seeds)
    lucks = {plan.agents_luck(deal, number) for deal in range(500) for number in range(3)}
    assert len(lucks) == 1_500
    other = plan_of(2, 3, seed=2)
    assert not {other.deal_seed(deal) for deal in range(2_000)} & set(seeds)


def chance_events(plan: Plan, game: int) -> list[str]:
    """Return the dice and deals of a game as texts, by replaying what was recorded."""
    deal = game // plan.games_per_deal
    codes = iter(play_range(plan, game, 1).games["actions"][0].to_list())
    dealt = deal_of(plan, deal)
    rules, state = dealt.position.rules, dealt.start
    here, events = dealt.position.view(state), []
    while (mover := rules.to_move(state)) != -2:
        if mover == -1:
            state = rules.chance(state, plan.deal_seed(deal))
            events.append(here.chance_text(state))
        else:
            state = rules.apply(state, next(codes))
        here = here.view(state)
    return events


@pytest.mark.parametrize("players", [2, 3])
def test_every_seating_of_a_deal_meets_the_same_dice_and_tiles(players: int) -> None:
    plan = make_plan(["greedy", "random"], players=players, seed=3, boards="all", castles="random")
    for deal in range(2):
        first = deal * plan.games_per_deal
        games = [chance_events(plan, first + number) for number in range(plan.games_per_deal)]
        assert all(events == games[0] for events in games)
        assert len(games[0]) == 5 + 25  # deals and rolls
    assert chance_events(plan, 0) != chance_events(plan, plan.games_per_deal)


def test_every_seating_of_a_deal_has_the_same_boards_castles_and_goods() -> None:
    plan = make_plan(["greedy", "random"], seed=3, boards="all", castles="random")
    setups = play_range(plan, 0, 40).players.select("deal", "seat", "board", "castle", "seed")
    assert setups.unique().height == 20 * 2
    assert setups.select("seat", "board", "castle").unique().height > 30
    for deal in range(20):
        assert deal_of(plan, deal).start == deal_of(plan, deal).start


def test_identical_agents_show_no_difference() -> None:
    """Equal agents in all seatings of a deal: the difference is luck of the agents alone."""
    from advisor.research.running import Running

    plan = make_plan(["random", "random"], seed=11, boards="all")
    running = Running(plan.labels)
    running.add(play_range(plan, 0, 2_000).players)
    difference = running.headline().difference
    assert difference is not None
    assert difference.low < 0 < difference.high
    same = make_plan(["greedy", "greedy"], seed=11, boards="all")
    running = Running(same.labels)
    running.add(play_range(same, 0, 400).players)
    difference = running.headline().difference
    assert difference is not None
    assert difference.value == 0  # they need no luck, so each seating is the other one's mirror


def test_the_identity_can_be_written_and_tells_matches_apart() -> None:
    plan = plan_of(2, 2)
    assert json.loads(json.dumps(plan.identity)) == plan.identity
    others = [
        plan_of(2, 3),
        plan_of(3, 2),
        plan_of(2, 2, seed=2),
        plan_of(2, 2, rotate=False),
        plan_of(2, 2, random_turns=1),
        plan_of(2, 2, boards=[2]),
        plan_of(2, 2, edition=2011),
        make_plan(["greedy", "random"]),
        make_plan(["random", "greedy"]),
        make_plan(["greedy", "ismcts:iterations=10"]),
        make_plan(["greedy", "ismcts:iterations=20"]),
    ]
    identities = [json.loads(json.dumps(other.identity)) for other in (plan, *others)]
    for number, identity in enumerate(identities):
        assert identity not in identities[:number]
    assert plan_of(2, 2).identity == identities[0]


def test_a_plan_knows_what_its_agents_need() -> None:
    class Own:
        def decide(self, position: Any, luck: Any) -> Any:
            return None

    assert make_plan(["greedy", "random"]).in_kernel
    assert not make_plan(["greedy", Own]).in_kernel
    assert make_plan(["greedy", "random"]).repeatable
    assert not make_plan(["greedy", "ismcts:seconds=0.1"]).repeatable


@pytest.mark.parametrize(
    ("agents", "given", "sentence"),
    [
        ([], {}, "a match needs a list of one agent or more"),
        ("greedy", {}, "a match needs a list of one agent or more"),
        (["greedy"] * 65, {}, "65 agents; a match takes at most 64"),
        (["greedy", "gready"], {}, "no agent is called 'gready'; did you mean 'greedy'"),
        (["greedy"], {"players": 5}, "5 players; The Castles of Burgundy is for 2, 3, 4"),
        (["greedy"], {"random_turns": -1}, "-1 random turns; give 0 to 100"),
        (["greedy"], {"seed": 2**63}, "give a whole number of at most 63 bits"),
        (["greedy"], {"seed": 1.5}, "seed 1.5; give a whole number of at most 63 bits"),
        (["greedy"], {"boards": [99]}, "no board 99 in the 2019 box"),
        (["greedy"], {"weather": "fair"}, "a setting this game does not have: .*weather"),
        (["greedy"] * 30, {"players": 4}, "30 agents at tables of 4 meet in 109,620 seatings"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    agents: Any, given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(SettingError, match=sentence):
        make_plan(agents, **given)


def test_a_game_nobody_has_is_refused() -> None:
    with pytest.raises(UnknownGameError, match="no game is called 'chess'"):
        make_plan(["greedy"], game="chess")


def test_the_most_seatings_still_have_numbers_of_their_own() -> None:
    plan = plan_of(64, 2)
    assert plan.games_per_deal == 64 * 63 <= MOST_SEATINGS < 2**15
    part = play_range(plan, plan.games_per_deal - 1, 2)
    assert part.games["seating"].to_list() == [plan.games_per_deal - 1, 0]
