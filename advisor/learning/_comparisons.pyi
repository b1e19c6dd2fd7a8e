# Types of the compiled module for the type checker; `_comparisons.pyx` explains them.
import numpy as np
from numpy.typing import NDArray

from advisor.learning._deliberation import Deliberation
from advisor.learning._lessons import Lessons

def compared_play(
    deliberation: Deliberation,
    lessons: Lessons,
    *,
    starts: NDArray[np.uint8],
    worlds: NDArray[np.uint64],
    temperature: float,
    plans: int,
    comparisons: int,
    scores: NDArray[np.float64],
    squares: NDArray[np.float64],
    cases: NDArray[np.float64],
) -> None: ...
