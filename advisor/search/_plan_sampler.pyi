# Types of the compiled module for the type checker; `_plan_sampler.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

from advisor._fastsim import Game
from advisor.learning._net import Net
from advisor.search._tally import Tally

class PlanSampler(Tally):
    memory: int
    edges: int
    full: bool
    def __init__(
        self,
        game: Game,
        net: Net,
        spread: NDArray[np.float64],
        root: bytes,
        ways: list[list[int]],
        *,
        trees: int,
        seat: int,
        seed: int,
        width: int,
        limit: int,
        narrow_width: int,
        narrow_limit: int,
        turns_ahead: int,
        own_score: bool = False,
    ) -> None: ...
    def recall(self, states: list[bytes], out: NDArray[np.float64]) -> None: ...
    def children(self, candidate: int, actions: list[int]) -> list[tuple[int, int]]: ...
