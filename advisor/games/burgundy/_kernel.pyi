# Types of the compiled module for the type checker; `_kernel.pyx` explains them.
from typing import Any

from advisor._fastsim import Game

class BurgundyGame(Game):
    def __init__(
        self,
        *,
        boards: list[list[tuple[int, int, tuple[int, ...], int]]],
        slot_colours: tuple[tuple[int, ...], ...],
        black_slots: int,
        tiles: dict[int, tuple[int, int, int]],
        region_points: list[int],
        phase_points: list[int],
        values: dict[str, Any],
    ) -> None: ...
    def set_weights(self, placed: list[dict[int, float]], others: dict[str, float]) -> None: ...
    def offer(self, state: bytes) -> bytes: ...
    def start_round(self, state: bytes, white: int) -> bytes: ...
