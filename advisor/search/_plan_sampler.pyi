# Types of the compiled module for the type checker; `_plan_sampler.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

from advisor._fastsim import Game
from advisor.learning._net import Net

class PlanSampler:
    decisions: int
    trees: int
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
        own_score: bool = False,
    ) -> None: ...
    def run(self, candidates: NDArray[np.int32], counts: NDArray[np.int32]) -> None: ...
    def visits(self, out: NDArray[np.int64]) -> None: ...
    def moments(self, reference: int, out: NDArray[np.float64]) -> None: ...
    def observe(
        self,
        candidate: int,
        first: int,
        points: NDArray[np.float64],
        scores: NDArray[np.float64],
    ) -> None: ...
    def recall(self, states: list[bytes], out: NDArray[np.float64]) -> None: ...
    def children(self, candidate: int, actions: list[int]) -> list[tuple[int, int]]: ...
