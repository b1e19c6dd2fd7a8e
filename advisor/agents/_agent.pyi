# Types of the compiled module for the type checker; `_agent.pyx` explains them.
from collections.abc import Callable
from typing import Any

from advisor._fastsim import Game

class KernelAgent:
    game: Game | None
    error: BaseException | None
    def prepare(self, game: Game, position: Any) -> None: ...
    def choose(self, state: bytes, seat: int, fresh: bool, luck: int) -> int: ...

class PolicyAgent(KernelAgent):
    def __init__(self, policy: int, slips: float = 0.0) -> None: ...

class PythonAgent(KernelAgent):
    def __init__(self, ask: Callable[[Any, int], int]) -> None: ...
