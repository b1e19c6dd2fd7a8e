# Types of the compiled module for the type checker; `_turns.pyx` explains them.
from advisor._fastsim import Game

class Turns:
    states: list[bytes]
    complete: bool
    def __init__(self, game: Game, root: bytes, limit: int = ...) -> None: ...
    def way(self, turn: int) -> list[int]: ...
