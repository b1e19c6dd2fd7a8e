# Types of the compiled module for the type checker; `_deliberation.pyx` explains them.
from advisor._fastsim import Game
from advisor.learning._value import Value

class Deliberation:
    game: Game
    rollouts: int
    def __init__(
        self,
        value: Value,
        *,
        width: int,
        limit: int,
        narrow_width: int,
        narrow_limit: int,
        turns: int,
        replies: int,
    ) -> None: ...
