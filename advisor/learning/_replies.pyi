# Types of the compiled module for the type checker; `_replies.pyx` explains them.

from advisor.learning._rollout import Rollout

class Replies:
    def __init__(self, rollout: Rollout, *, turns: int, most: int) -> None: ...
    def followed(self, end: bytes, seat: int, rollouts: int) -> list[tuple[bytes, int]]: ...
