# Types of the compiled module for the type checker; `_tree.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

from advisor._fastsim import Game
from advisor.search._tally import Tally

class Sampler(Tally):
    memory: int
    edges: int
    full: bool
    def __init__(
        self,
        game: Game,
        root: bytes,
        ways: list[list[int]],
        *,
        trees: int,
        seat: int,
        seed: int,
        memory: int,
        explore: float,
        caution: float,
        scale: float,
        own_score: bool = False,
        policy: int = 0,
    ) -> None: ...
    def recall(self, states: list[bytes], out: NDArray[np.float64]) -> None: ...
    def children(self, candidate: int, actions: list[int]) -> list[tuple[int, int]]: ...
