"""Rollouts and the choice between plans, seen through the agent that uses them.

Without chance events to come everything can be computed by hand: what the others answer to each
plan, and so which plan is best.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from advisor.agents.spec import parse
from advisor.learning import model as models
from advisor.learning._planner import Planner
from advisor.learning._value import Value
from tests.learning import OVER, margin, random_net, table, turn_starts, zero_net

WIDE, NARROW = (5, 120), (3, 40)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a net that adds nothing to the certain points."""
    path = tmp_path_factory.mktemp("models") / "zero.npz"
    path.write_bytes(models.save(zero_net(table(random.Random(1), 2).rules), {}))
    return path


@pytest.fixture(scope="module")
def misleading(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a net whose order of the plans is far from the best."""
    path = tmp_path_factory.mktemp("models") / "misleading.npz"
    path.write_bytes(models.save(random_net(table(random.Random(1), 2).rules, scale=4), {}))
    return path


def advisor(model: Path, position: Any, rollouts: int, plans: int = 64, turns: int = 1) -> Any:
    agent = parse(
        f"advisor:model={model},rollouts={rollouts},plans={plans},width={WIDE[0]},limit={WIDE[1]},"
        f"narrow_width={NARROW[0]},narrow_limit={NARROW[1]},turns={turns}"
    ).make(position.game)
    agent.prepare(position.rules, position)
    return agent


def played(agent: Any, rules: Any, state: bytes, luck: int) -> bytes:
    seat, fresh = rules.to_move(state), True
    while rules.to_move(state) == seat:
        state = rules.tidy(rules.apply(state, agent.choose(state, seat, fresh, luck)))
        fresh = False
    return state


def answered(rules: Any, planner: Planner, state: bytes) -> list[float]:
    """Return the final points after everybody's best answers, the first of equal ones."""
    while rules.to_move(state) != OVER:
        turns = planner.turns(state, width=NARROW[0], limit=NARROW[1])
        state = max(turns, key=lambda turn: turn[0])[1]
    points: list[float] = rules.returns(state)[0]
    return points


@pytest.mark.parametrize(("players", "edition"), [(2, 2011), (2, 2019), (3, 2019), (4, 2011)])
def test_in_the_last_round_the_plan_with_the_best_outcome_is_played(
    misleading: Path, players: int, edition: int
) -> None:
    """The value proposes the plans and the answers to them; the outcomes decide."""
    net = models.load(misleading).net
    rng = random.Random(edition + players)
    changed = 0
    for _ in range(4):
        position = table(rng, players, edition)
        rules = position.rules
        for start in turn_starts(rules, position.packed, rng)[-players:-1]:
            assert rules.chances(start) == 0
            seat = rules.to_move(start)
            value = Value(rules, net)
            turns = Planner(rules, value, WIDE[1]).turns(start, width=WIDE[0], limit=WIDE[1])
            best = sorted(turns, key=lambda turn: -turn[0])[:64]
            answers = Planner(rules, Value(rules, net), NARROW[1])
            outcomes = {end: margin(answered(rules, answers, end), seat) for _, end, _ in best}
            end = played(advisor(misleading, position, rollouts=64), rules, start, 1)
            assert outcomes[end] == max(outcomes.values())
            changed += outcomes[best[0][1]] < outcomes[end]
    assert changed


def test_the_last_turn_of_a_game_is_played_for_the_final_margin(model: Path) -> None:
    rng = random.Random(2)
    for players in (2, 3, 4):
        position = table(rng, players)
        rules = position.rules
        start = turn_starts(rules, position.packed, rng)[-1]
        seat = rules.to_move(start)
        turns = Planner(rules, None, WIDE[1]).turns(start, width=WIDE[0], limit=WIDE[1])
        end = played(advisor(model, position, rollouts=8), rules, start, 1)
        assert margin(rules.returns(end)[0], seat) == max(
            margin(rules.returns(other)[0], seat) for _, other, _ in turns
        )


def test_rollouts_of_several_turns_look_farther(misleading: Path) -> None:
    """In the last but one round a rollout of two turns sees the end, whatever the value says.

    One of three turns ends there, too.
    """
    net = models.load(misleading).net
    rng = random.Random(6)
    position = table(rng, 2)
    rules = position.rules
    start = turn_starts(rules, position.packed, rng)[-3]
    seat = rules.to_move(start)
    planner = Planner(rules, Value(rules, net), WIDE[1])
    turns = planner.turns(start, width=WIDE[0], limit=WIDE[1])
    best = sorted(turns, key=lambda turn: -turn[0])[:8]
    outcomes = {}
    for _, end, _ in best:
        outcomes[end] = 0.0
        for world in range(60):
            state = rules.determinize(end, seat, world)
            while (mover := rules.to_move(state)) != OVER:
                state = (
                    rules.chance(state, world)
                    if mover < 0
                    else max(
                        planner.turns(state, width=NARROW[0], limit=NARROW[1]),
                        key=lambda turn: turn[0],
                    )[1]
                )
            outcomes[end] += margin(rules.returns(state)[0], seat) / 60
    ends = [played(advisor(misleading, position, 2_000, 8, far), rules, start, 5) for far in (2, 3)]
    assert ends[0] == ends[1]
    assert outcomes[ends[0]] > max(outcomes.values()) - 1.5


def test_more_rollouts_choose_what_is_better_in_other_worlds(model: Path) -> None:
    """Plans chosen by many rollouts do better than those chosen by few, in worlds new to both."""
    rng = random.Random(3)
    ahead = 0.0
    for _ in range(12):
        position = table(rng, 2)
        rules = position.rules
        start = rng.choice(turn_starts(rules, position.packed, rng)[4:-8])
        seat = rules.to_move(start)
        ends = [
            played(advisor(model, position, rollouts=number, plans=8), rules, start, 5)
            for number in (1, 400)
        ]
        if ends[0] == ends[1]:
            continue
        planner = Planner(rules, Value(rules, zero_net(rules)), NARROW[1])
        for world in range(40):
            few, many = (followed(rules, planner, end, seat, 10**6 + world) for end in ends)
            ahead += many - few
    assert ahead > 0


def followed(rules: Any, planner: Planner, state: bytes, seat: int, world: int) -> float:
    """Return the margin at the end of the seat's next turn, everybody playing by the value."""
    value = planner.value
    assert value is not None
    state = rules.determinize(state, seat, world)
    while (mover := rules.to_move(state)) != OVER:
        if mover < 0:
            state = rules.chance(state, world)
            continue
        turns = planner.turns(state, width=NARROW[0], limit=NARROW[1])
        state = max(turns, key=lambda turn: turn[0])[1]
        if mover == seat:
            break
    return margin(value.points(state), seat)
