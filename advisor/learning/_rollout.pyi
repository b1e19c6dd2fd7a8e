# Types of the compiled module for the type checker; `_rollout.pyx` explains them.

from advisor.learning._value import Value

class Rollout:
    turns: int
    def __init__(self, value: Value, *, width: int, limit: int) -> None: ...
