# Types of the compiled module for the type checker; `_table.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

from advisor._fastsim import Game
from advisor.agents._agent import KernelAgent

class Stopped(Exception): ...

def stop(wanted: bool) -> None: ...
def play_games(
    game: Game,
    agents: list[KernelAgent],
    *,
    starts: NDArray[np.uint8],
    seatings: NDArray[np.int8],
    worlds: NDArray[np.uint64],
    lucks: NDArray[np.uint64],
    random_turns: int,
    scores: NDArray[np.int32],
    wins: NDArray[np.uint8],
    points: NDArray[np.int32],
    decisions: NDArray[np.int32],
    nanos: NDArray[np.int64],
    ends: NDArray[np.int64],
    finals: NDArray[np.uint8],
) -> NDArray[np.uint32]: ...
