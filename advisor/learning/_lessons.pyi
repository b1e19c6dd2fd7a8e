# Types of the compiled module for the type checker; `_lessons.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

from advisor.learning._planner import Planner

class Lessons:
    count: int
    def __init__(self) -> None: ...
    def extend(self, other: Lessons) -> None: ...

def self_play(
    planner: Planner,
    lessons: Lessons,
    *,
    starts: NDArray[np.uint8],
    worlds: NDArray[np.uint64],
    temperature: float,
    trace: float,
    width: int,
    limit: int,
    policy: int,
    scores: NDArray[np.float64],
    squares: NDArray[np.float64],
    cases: NDArray[np.float64],
) -> None: ...
