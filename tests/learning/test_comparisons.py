"""Self-play in which turns are compared by rollouts, computed by hand where no chance is left."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from advisor.learning._comparisons import compared_play
from advisor.learning._deliberation import Deliberation
from advisor.learning._lessons import Lessons
from advisor.learning._net import Net
from advisor.learning._planner import Planner
from advisor.learning._trainer import Trainer
from advisor.learning._value import Value
from tests.learning import OVER, margin, random_net, ranked, table, turn_starts, zero_net

WIDE, NARROW = (3, 40), (2, 20)
PLANS = 64  # more than there are ends within those limits


def play(
    rules: Any, starts: list[bytes], net: Net, *, own_score: bool = False, **settings: Any
) -> tuple[Lessons, NDArray[Any], NDArray[Any]]:
    """Return the lessons, the scores and the errors by chance events of games from some starts."""
    lessons, errors = Lessons(), np.zeros((2, 64))
    scores = np.zeros((len(starts), rules.players))
    given: dict[str, Any] = {
        "starts": np.frombuffer(b"".join(starts), np.uint8).reshape(len(starts), -1),
        "worlds": np.arange(7, 7 + len(starts), dtype=np.uint64),
        "temperature": 0.0,
        "plans": PLANS,
        "comparisons": 2,
        "scores": scores,
        "squares": errors[0],
        "cases": errors[1],
    }
    deliberation = Deliberation(
        Value(rules, net, own_score=own_score),
        width=WIDE[0],
        limit=WIDE[1],
        narrow_width=NARROW[0],
        narrow_limit=NARROW[1],
        turns=1,
        replies=1,
    )
    compared_play(deliberation, lessons, **(given | settings))
    return lessons, scores, errors


@pytest.mark.parametrize(("players", "own_score"), [(2, False), (2, True), (3, False), (4, True)])
def test_in_the_last_round_plans_teach_their_outcome_and_the_best_is_played(
    players: int, own_score: bool
) -> None:
    rng = random.Random(players)
    changed = 0
    for _ in range(3):
        position = table(rng, players)
        rules = position.rules
        net = random_net(rules, scale=4)
        start = turn_starts(rules, position.packed, rng)[-players]
        wide = Planner(rules, Value(rules, net, own_score=own_score), WIDE[1])
        narrow = Planner(rules, Value(rules, net, own_score=own_score), NARROW[1])

        def outcome(state: bytes, rules: Any = rules, narrow: Planner = narrow) -> list[float]:
            while rules.to_move(state) != OVER:
                state = ranked(narrow, state, NARROW)[0]
            points: list[float] = rules.returns(state)[0]
            return points

        state, total, samples = start, 0.0, 0
        thought: list[list[float]] = []
        while True:
            seat = rules.to_move(state)
            ends = ranked(wide, state, WIDE)
            outcomes = [outcome(end) for end in ends]
            worth = [points[seat] if own_score else margin(points, seat) for points in outcomes]
            best = worth.index(max(worth))
            changed += worth[best] > worth[0]
            for end, points in zip(ends, outcomes, strict=True):
                if rules.to_move(end) != OVER:
                    told = Value(rules, net, own_score=own_score).points(end)
                    total += sum((told[i] - points[i]) ** 2 for i in range(players))
                    samples += players
            state = ends[best]
            if rules.to_move(state) == OVER:
                break
            thought.append(Value(rules, net, own_score=own_score).points(state))
        final = rules.returns(state)[0]

        lessons, scores, errors = play(rules, [start], net, own_score=own_score)
        assert scores.tolist() == [final]
        assert lessons.count == samples > players
        assert Trainer(net).error(lessons) == pytest.approx(total / samples, rel=0.02)
        squares = sum(
            (final[one] - final[other] - seen[one] + seen[other]) ** 2
            for seen in thought
            for one, other in itertools.combinations(range(players), 2)
        )
        assert errors[0].sum() == errors[0][0] == pytest.approx(squares, rel=1e-3)
        assert errors[1][0] == len(thought) * players * (players - 1) // 2
    assert changed


def test_a_whole_game_teaches_all_plans_of_every_turn_but_the_last() -> None:
    """With a net that thinks of nothing to come, targets are what the next round brings."""
    position = table(random.Random(4), 2)
    rules = position.rules
    lessons, scores, errors = play(rules, [position.packed], zero_net(rules), plans=3)
    turns = 25 * 2
    assert errors[1].sum() == turns - 1
    assert (turns - 1) * 2 * 2 < lessons.count <= (turns - 1) * 3 * 2
    gain = scores.sum() / turns  # of a round, for both
    assert 0.3 * gain < np.sqrt(Trainer(zero_net(rules)).error(lessons)) < 5 * gain


def test_the_same_luck_teaches_the_same_and_another_luck_something_else() -> None:
    position = table(random.Random(5), 2)
    rules = position.rules
    net = random_net(rules)
    results = []
    for temperature, worlds in ((2.0, 7), (2.0, 7), (0.0, 7), (2.0, 8)):
        lessons, scores, _ = play(
            rules,
            [position.packed],
            net,
            plans=4,
            temperature=temperature,
            worlds=np.array([worlds], np.uint64),
        )
        results.append((lessons.count, scores.tolist(), Trainer(net).error(lessons)))
    assert results[0] == results[1]
    assert len({str(result) for result in results[1:]}) == 3


def test_comparing_plays_better_than_the_value_alone() -> None:
    """A misleading net, whose first choice is bad: what the next round brings shows it."""
    rng = random.Random(6)
    one, many = 0.0, 0.0
    for _ in range(4):
        position = table(rng, 2)
        net = random_net(position.rules, scale=2)
        starts = [position.packed] * 3
        one += play(position.rules, starts, net, plans=1)[1].mean()
        many += play(position.rules, starts, net, plans=16)[1].mean()
    assert many > one


def test_plans_and_worlds_out_of_bounds_are_refused() -> None:
    position = table(random.Random(7), 2)
    net = zero_net(position.rules)
    wrong: tuple[dict[str, int], ...] = ({"plans": 0}, {"plans": 65}, {"comparisons": 0})
    for settings in wrong:
        with pytest.raises(ValueError, match="there must be plans, and worlds to compare them in"):
            play(position.rules, [position.packed], net, **settings)
    with pytest.raises(ValueError, match="starts do not fit"):
        play(position.rules, [position.packed], net, worlds=np.ones(2, np.uint64))
