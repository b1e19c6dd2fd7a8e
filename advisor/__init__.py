"""advisor: what to do with a roll. The library of the move advisor for modern board games.

    import advisor

    position = advisor.load("position.yaml")
    print(position.to_move, [str(action) for action in position.actions()])
    after = position.apply("3 workers")
    advice = advisor.suggest(position, seconds=5)
    print(advice.best.turn, advice.best.win)
    result = advisor.simulate(position, playouts=10_000, seed=1)
    print(result.win_rate("Anna"))

Everything is imported when first used, so that `import advisor` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from advisor.errors import (
    ActionError,
    AdvisorError,
    PositionError,
    Problem,
    SettingError,
    UnknownGameError,
)

if TYPE_CHECKING:
    from advisor.agents.playing import Step, play
    from advisor.core.loading import load, loads
    from advisor.core.registry import Action, Position, new_game
    from advisor.core.simulation import Simulation, simulate
    from advisor.report.advice import Advice
    from advisor.research.match import match
    from advisor.research.study import study
    from advisor.search.engine import Search, suggest

__version__ = "0.3.0"

_HOMES = {
    "Action": "advisor.core.registry",
    "Advice": "advisor.report.advice",
    "Position": "advisor.core.registry",
    "Search": "advisor.search.engine",
    "Simulation": "advisor.core.simulation",
    "Step": "advisor.agents.playing",
    "load": "advisor.core.loading",
    "loads": "advisor.core.loading",
    "match": "advisor.research.match",
    "new_game": "advisor.core.registry",
    "play": "advisor.agents.playing",
    "simulate": "advisor.core.simulation",
    "study": "advisor.research.study",
    "suggest": "advisor.search.engine",
}

__all__ = [
    "Action",
    "ActionError",
    "Advice",
    "AdvisorError",
    "Position",
    "PositionError",
    "Problem",
    "Search",
    "SettingError",
    "Simulation",
    "Step",
    "UnknownGameError",
    "load",
    "loads",
    "match",
    "new_game",
    "play",
    "simulate",
    "study",
    "suggest",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'advisor' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
