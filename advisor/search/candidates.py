"""What is compared at the root: the legal actions, or whole turns (chosen in `whole_turns`).

Owns the candidates' packed states and the actions that lead to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.core.registry import Position
from advisor.errors import ActionError


@dataclass(frozen=True, slots=True)
class Candidates:
    """The choices at the root, each as the state it leads to and the actions on the way."""

    position: Position
    seat: int
    states: list[bytes]
    ways: list[list[int]]
    whole_turns: bool = False
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.ways)

    def index(self, text: str) -> int:
        """Return the candidate action a text means.

        Raises:
            ActionError: no legal action reads like this.

        """
        return self.ways.index([self.position.action(text).code])


def legal_actions(position: Position) -> Candidates:
    """Return the legal actions of a position as candidates.

    Raises:
        ActionError: the game is over, or the position waits for chance.

    """
    if position.to_move is None:
        raise ActionError("the game is over: there is nothing left to decide")
    if position.to_move == "chance":
        event = position.sample_chance(1)
        word = event.split(maxsplit=1)[0]
        raise ActionError(
            f"the position waits for chance: {word} first, then ask again; "
            f"tell it with `advisor apply`, written like '{event}'"
        )
    rules, root = position.rules, position.packed
    codes = rules.legal(root)
    states = [rules.apply(root, code) for code in codes]
    return Candidates(position, rules.to_move(root), states, [[code] for code in codes])
