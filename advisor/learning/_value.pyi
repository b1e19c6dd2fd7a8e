# Types of the compiled module for the type checker; `_value.pyx` explains them.
from advisor._fastsim import Game
from advisor.learning._net import Net

class Value:
    game: Game
    net: Net
    own_score: bool
    def __init__(self, game: Game, net: Net, *, own_score: bool = False) -> None: ...
    def odds(self, judged: list[float], apart: float) -> list[tuple[float, float]]: ...
    def points(self, state: bytes) -> list[float]: ...
