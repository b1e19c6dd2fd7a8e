# Types of the compiled module for the type checker; `_exact.pyx` explains them.
from advisor._fastsim import Game

Outcome = tuple[list[float], list[float]]

class Solver:
    nodes: int
    def __init__(self, game: Game, *, own_score: bool = False, memory: int = ...) -> None: ...
    def cancel(self) -> None: ...
    def line(self, state: bytes, limit: int) -> tuple[Outcome, list[int]] | None: ...
