# Types of the compiled module for the type checker; `_plans.pyx` explains them.
from collections.abc import Callable

from advisor.agents._agent import KernelAgent
from advisor.learning._net import Net

class PlansAgent(KernelAgent):
    def __init__(
        self, net_for: Callable[[str, int], Net], *, width: int, limit: int, own_score: bool
    ) -> None: ...
