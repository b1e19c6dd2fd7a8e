# Types of the compiled module for the type checker; `_planner.pyx` explains them.
from advisor._fastsim import Game
from advisor.learning._value import Value

class Planner:
    game: Game
    value: Value | None
    leaves: int
    complete: bool
    def __init__(
        self,
        game: Game,
        value: Value | None = None,
        limit: int = 20_000,
    ) -> None: ...
    def best(
        self, state: bytes, *, width: int = ..., limit: int = 20_000
    ) -> tuple[float, list[int]]: ...
    def turns(
        self, state: bytes, *, width: int = ..., limit: int = 20_000
    ) -> list[tuple[float, bytes, list[int]]]: ...
