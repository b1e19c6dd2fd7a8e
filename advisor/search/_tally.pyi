# Types of the compiled module for the type checker; `_tally.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

class Tally:
    decisions: int
    trees: int
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
