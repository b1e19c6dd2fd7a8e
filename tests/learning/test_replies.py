"""What the next player replies in rollouts: computed by hand where nothing is left to chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

from advisor.learning._planner import Planner
from advisor.learning._replies import Replies
from advisor.learning._rollout import Rollout
from advisor.learning._value import Value
from tests.learning import OVER, margin, random_net, ranked, table, turn_starts, zero_net

NARROW = (6, 100)
ROLLOUTS = 500


def made(rules: Any, net: Any, most: int, *, own_score: bool = False) -> Replies:
    value = Value(rules, net, own_score=own_score)
    return Replies(Rollout(value, width=NARROW[0], limit=NARROW[1]), turns=1, most=most)


@pytest.mark.parametrize("own_score", [False, True])
@pytest.mark.parametrize("most", [3, 8])
def test_rollouts_follow_a_reply_that_serves_better_who_replies(most: int, own_score: bool) -> None:
    """Three players, the last round, a misleading net: rollouts tell what the last one does."""
    rng = random.Random(most)
    overruled = 0
    for _ in range(20):
        position = table(rng, 3)
        rules = position.rules
        net = random_net(rules, scale=4)
        before, end, _ = turn_starts(rules, position.packed, rng)[-3:]
        seat, replier = rules.to_move(before), rules.to_move(end)
        planner = Planner(rules, Value(rules, net, own_score=own_score), NARROW[1])
        finals = [
            ranked(planner, reply, NARROW)[0] for reply in ranked(planner, end, NARROW)[:most]
        ]
        worth = []
        for final in finals:
            points = rules.returns(final)[0]
            worth.append(points[replier] if own_score else margin(points, replier))

        found = made(rules, net, most, own_score=own_score).followed(end, seat, ROLLOUTS)
        assert sum(rollouts for _, rollouts in found) == ROLLOUTS
        followed = max(range(len(found)), key=lambda reply: found[reply][1])
        assert worth[followed] >= worth[0]  # what the value likes best
        assert all(
            rules.returns(state) == rules.returns(final)
            for (state, rollouts), final in zip(found, finals, strict=True)
            if rollouts
        )
        overruled += worth[followed] > worth[0]
    assert overruled >= 3


def test_one_reply_is_what_the_value_likes_best_and_leads_to_the_next_chance() -> None:
    rng = random.Random(4)
    position = table(rng, 3)
    rules = position.rules
    net = random_net(rules)
    planner = Planner(rules, Value(rules, net), NARROW[1])
    starts = turn_starts(rules, position.packed, rng)
    replied = 0
    for before, end in zip(starts[::5], starts[1::5], strict=False):
        seat, state = rules.to_move(before), end
        if rules.to_move(state) == seat:
            continue
        while rules.to_move(state) not in (seat, -1, OVER):
            state = ranked(planner, state, NARROW)[0]
            replied += 1
        assert made(rules, net, 1).followed(end, seat, 3) == [(state, 3)]
    assert replied > 5


def test_replies_out_of_bounds_are_refused() -> None:
    rules = table(random.Random(5), 2).rules
    for most in (0, 9):
        with pytest.raises(ValueError, match="there must be turns, and 1 to 8 replies"):
            made(rules, zero_net(rules), most)
    with pytest.raises(ValueError, match="a packed state has"):
        made(rules, zero_net(rules), 1).followed(b"short", 0, 1)
