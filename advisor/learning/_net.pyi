# Types of the compiled module for the type checker; `_net.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

class Net:
    traits: int
    chapters: int
    numbers: NDArray[np.float32]
    def __init__(
        self,
        traits: int,
        chapters: int,
        *,
        numbers: NDArray[np.float32] | None = None,
        seed: int = 0,
    ) -> None: ...
    def round(self) -> None: ...
    def copy(self) -> Net: ...
    def __call__(self, traits: NDArray[np.uint16], chapter: int) -> float: ...
