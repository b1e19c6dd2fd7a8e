# Types of the compiled module for the type checker; `_fastsim.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

class Game:
    state_size: int
    players: int
    sources: int
    max_actions: int
    def to_move(self, state: bytes) -> int: ...
    def legal(self, state: bytes) -> list[int]: ...
    def apply(self, state: bytes, action: int) -> bytes: ...
    def chance(self, state: bytes, world: int) -> bytes: ...
    def determinize(self, state: bytes, seat: int, world: int) -> bytes: ...
    def returns(self, state: bytes) -> tuple[list[float], list[float]]: ...
    def playouts(
        self,
        state: bytes,
        scores: NDArray[np.int32],
        wins: NDArray[np.uint8],
        points: NDArray[np.int32],
        decisions: NDArray[np.int32],
        *,
        policy: int,
        seed: int,
        first: int,
    ) -> None: ...
    def copies(self, state: bytes, count: int) -> None: ...
