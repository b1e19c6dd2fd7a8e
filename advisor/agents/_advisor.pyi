# Types of the compiled module for the type checker; `_advisor.pyx` explains them.
from collections.abc import Callable

from advisor.agents._agent import KernelAgent
from advisor.learning._net import Net

class AdvisorAgent(KernelAgent):
    def __init__(
        self,
        net_for: Callable[[str, int], Net],
        *,
        rollouts: int,
        seconds: float,
        plans: int,
        width: int,
        limit: int,
        narrow_width: int,
        narrow_limit: int,
        turns: int,
        replies: int,
        own_score: bool,
    ) -> None: ...
