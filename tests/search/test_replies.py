"""What the next player replies in rollouts: computed by hand where nothing is left to chance."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from advisor.learning._planner import Planner
from advisor.learning._value import Value
from advisor.search import engines
from advisor.search._plan_sampler import PlanSampler
from tests.learning import margin, random_net, table, turn_starts

NARROW = {"width": engines.PLANS["narrow_width"], "limit": engines.PLANS["narrow_limit"]}
VISITS = 600


def ranked(planner: Planner, state: bytes) -> list[bytes]:
    """Return where the turns in rollouts end, best first."""
    turns = planner.turns(state, **NARROW)
    return [end for _, end, _ in sorted(turns, key=lambda turn: -turn[0])]


def last_sample(made: PlanSampler) -> float:
    """Return what the observer scores in the next rollout that is reported."""
    sums = []
    for _ in range(2):
        out = np.zeros((1, 1, 2, 4))
        made.moments(0, out)
        samples, *_, score = out[0, 0, 0]
        sums.append(samples * score)
        made.run(np.zeros(1, np.int32), np.full(1, 2, np.int32))  # one that looks around, one not
    return float(sums[1] - sums[0])


@pytest.mark.parametrize("most", [1, 3, 8])
def test_rollouts_follow_the_reply_that_serves_best_who_replies(most: int) -> None:
    """Three players, the last round, a misleading net: rollouts tell what the last one does."""
    rng = random.Random(most)
    overruled = 0
    for _ in range(10):
        position = table(rng, 3)
        rules: Any = position.rules
        net = random_net(rules, scale=8)
        before, end, _ = turn_starts(rules, position.packed, rng)[-3:]
        seat, replier = rules.to_move(before), rules.to_move(end)
        narrow = Planner(rules, Value(rules, net), NARROW["limit"])
        finals = [
            rules.returns(ranked(narrow, reply)[0])[0] for reply in ranked(narrow, end)[:most]
        ]
        worth = [margin(final, replier) for final in finals]
        best = {final[seat] for final, own in zip(finals, worth, strict=True) if own == max(worth)}
        overruled += max(worth) > worth[0]

        made = PlanSampler(
            rules,
            net,
            np.ones(1),
            end,
            [[]],
            trees=1,
            seat=seat,
            seed=1,
            **{**engines.PLANS, "replies": most},
        )
        made.run(np.zeros(1, np.int32), np.full(1, VISITS, np.int32))
        assert min(abs(last_sample(made) - score) for score in best) < 1e-6
    assert (overruled > 0) is (most > 1)
