# Types of the compiled module for the type checker; `_ismcts.pyx` explains them.
from advisor.agents._agent import KernelAgent

class IsmctsAgent(KernelAgent):
    thoughts: int
    def __init__(
        self,
        *,
        iterations: int,
        seconds: float,
        explore: float,
        scale: float,
        own_score: bool,
        policy: int,
        memory: int,
    ) -> None: ...
