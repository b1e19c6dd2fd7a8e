"""An agent that plays what `suggest` says, to compare it with the agent `advisor`.

`advisor match --games 40 --boards all --agents A B`: `bench.advised.Advised:iterations=600` is A
and `advisor:rollouts=600,turns=2` is B; from the top of the checkout with `PYTHONPATH=.`.

Iterations are of each turn: the best turn that the advice spells out is played to its end.
"""

from __future__ import annotations

import random

import advisor


class Advised:
    """Ask once a turn and follow the best turn.

    Args:
        iterations: of each search.

    """

    def __init__(self, *, iterations: int = 1_000):
        self.iterations = iterations
        self.turn: list[str] = []

    def decide(self, position: advisor.Position, luck: random.Random) -> str:
        """Return the next action of the turn being played, or of the best one from here."""
        legal = {str(action) for action in position.actions()}
        if not self.turn or self.turn[0] not in legal:
            advice = advisor.suggest(
                position,
                objective="margin",
                iterations=self.iterations,
                full=True,
                threads=1,
                seed=luck.getrandbits(31),
            )
            self.turn = list(advice.actions[0].turn) or [advice.actions[0].action]
        return self.turn.pop(0)
