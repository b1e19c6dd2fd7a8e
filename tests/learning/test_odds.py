"""From judged points to chances and leads: against closed formulas, and against drawing lots."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from advisor.learning._value import Value
from tests.learning import random_net, table


def value_for(players: int) -> Value:
    rules = table(random.Random(players), players).rules
    return Value(rules, random_net(rules))


@pytest.mark.parametrize("apart", [0.5, 12.0, 40.0])
def test_between_two_the_chance_is_that_of_a_normal_margin(apart: float) -> None:
    (mine, lead), (theirs, behind) = value_for(2).odds([103.0, 95.5], apart)
    assert mine == pytest.approx(0.5 * math.erfc(-7.5 / apart / math.sqrt(2)))
    assert mine + theirs == pytest.approx(1)
    assert (lead, behind) == (7.5, -7.5)


@pytest.mark.parametrize(
    "judged",
    [
        [200.0, 200.0, 200.0],
        [210.0, 200.0, 150.0],
        [190.0, 195.0, 188.0, 201.0],
        [260.0, 200.0, 201.0, 199.0],
    ],
)
def test_among_several_the_best_of_the_others_counts(judged: list[float]) -> None:
    apart, players = 25.0, len(judged)
    drawn = np.random.default_rng(1).normal(judged, apart / math.sqrt(2), (400_000, players))
    found = value_for(players).odds(judged, apart)
    assert sum(chance for chance, _ in found) == pytest.approx(1, abs=1e-4)
    for seat, (chance, lead) in enumerate(found):
        others = np.delete(drawn, seat, axis=1).max(axis=1)
        assert chance == pytest.approx((drawn[:, seat] > others).mean(), abs=0.003)
        assert lead == pytest.approx((drawn[:, seat] - others).mean(), abs=0.15)
        assert lead <= judged[seat] - max(judged[:seat] + judged[seat + 1 :]) + 1e-6


def test_a_table_of_equals_is_open() -> None:
    for players in (2, 3, 4):
        for chance, _ in value_for(players).odds([180.0] * players, 30.0):
            assert chance == pytest.approx(1 / players, abs=1e-4)


@pytest.mark.parametrize(("judged", "apart"), [([1.0, 2.0, 3.0], 5.0), ([1.0, 2.0], 0.0)])
def test_what_does_not_fit_is_refused(judged: list[float], apart: float) -> None:
    with pytest.raises(ValueError, match="points for each seat"):
        value_for(2).odds(judged, apart)
