# Types of the compiled module for the type checker; `_trainer.pyx` explains them.
from advisor.learning._lessons import Lessons
from advisor.learning._net import Net

class Trainer:
    net: Net
    def __init__(self, net: Net) -> None: ...
    def learn(
        self,
        lessons: Lessons,
        *,
        rate: float,
        seed: int,
        first: float = 0.0,
        last: float = 1.0,
    ) -> float: ...
    def error(self, lessons: Lessons, *, first: float = 0.0, last: float = 1.0) -> float: ...
