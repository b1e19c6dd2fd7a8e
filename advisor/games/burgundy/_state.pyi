# Types of the compiled module for the type checker; `_state.pxd` explains the names.
from typing import Any

import numpy as np

STATE_DTYPE: np.dtype[Any]
STORAGE: int
BLACK_SLOT: int
ROUNDS: int
SHIP: int
CASTLE: int
MINE: int
WAREHOUSE: int
CITY_HALL: int
FIRST_ANIMAL: int
FIRST_MONASTERY: int
BUILDING: int
ANIMAL: int
MONASTERY: int
RIVER: int
COLOURS: int
DEAL: int
END: int
SOURCES: int
WORKERS: int
TAKE: int
PLACE: int
SELL: int
BUY: int
BUY_WITH_WORKERS: int
FREE_TAKE: int
FREE_PLACE: int
FREE_SELL: int
FREE_WORKERS: int
EFFECT_TAKE: int
EFFECT_PLACE: int
EFFECT_SELL: int
LOAD: int
SKIP: int
END_TURN: int
KIND_SHIFT: int
DIE_SHIFT: int
VALUE_SHIFT: int
PLACE_SHIFT: int
TILE_SHIFT: int
DISCARD_SHIFT: int
