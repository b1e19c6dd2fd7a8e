"""Why the best is better: both candidates played out in the same worlds, points by source.

Owns the comparison and its sentences.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from advisor.core import registry
from advisor.report.advice import Estimate, Explanation
from advisor.search.engines import Engine, Samples
from advisor.search.race import Floats, mean_over_trees

if TYPE_CHECKING:
    from advisor.search.engine import Search

FRESH = 1 << 40
"""Number of the first such world: dice and deals that the trees have not learnt from."""

CLEAR = 2.0
"""Standard errors from which a difference is worth a word."""

SMALLEST = 0.05
"""Points below which it is not."""


def worlds(engine: Engine, iterations: int) -> int:
    """Return how many worlds a comparison takes after a search of so many iterations."""
    fewest, most = engine.worlds
    return min(max(iterations // engine.worlds_share, fewest), most)


def explain(search: Search, best: int, versus: int, texts: tuple[str, str]) -> Explanation:
    """Compare two candidates; `texts` names them."""
    played = [_played_out(search, candidate) for candidate in (best, versus)]
    names = search.position.names
    seat = search.candidates.seat
    sources = registry.find(search.position.game).SOURCES
    own = [points[:, seat] for points, _, _ in played]
    means = [dict(zip(sources, points.mean(axis=0).tolist(), strict=True)) for points in own]
    difference = dict(zip(sources, _estimates(own[0] - own[1]), strict=True))
    everybody = dict(zip(names, _estimates(played[0][1] - played[1][1]), strict=True))
    total = everybody.pop(names[seat])
    return Explanation(
        best=texts[0],
        versus=texts[1],
        worlds=played[0][2],
        best_points=means[0],
        versus_points=means[1],
        difference=difference,
        others=everybody,
        lines=tuple(sentences(names[seat], texts, total, difference, everybody)),
    )


def _played_out(search: Search, candidate: int) -> tuple[Floats, Floats, int]:
    """Return the mean points (tree, seat, source) and scores (tree, seat), and over how many."""
    rules = search.position.rules
    if search.solutions is not None:  # one line of play, computed
        state = search.candidates.states[candidate]
        for action in search.solutions[candidate].line:
            state = rules.apply(state, action)
        return np.array([rules.points(state)], float), np.array([rules.returns(state)[0]]), 1
    assert search.race is not None
    all_points, all_scores = [], []
    trees = sum(sampler.trees for sampler in search.race.samplers)
    rounds = -(-worlds(search.engine, search.iterations) // trees)

    def observe(sampler: Samples) -> tuple[Floats, Floats]:
        points = np.zeros((rounds * sampler.trees, rules.players, rules.sources))
        scores = np.zeros((rounds * sampler.trees, rules.players))
        sampler.observe(candidate, FRESH, points, scores)  # the trees take turns
        by_tree = points.reshape(rounds, sampler.trees, *points.shape[1:])
        return by_tree.mean(axis=0), scores.reshape(rounds, sampler.trees, -1).mean(axis=0)

    with ThreadPoolExecutor(max_workers=len(search.race.samplers)) as pool:
        for by_source, by_seat in pool.map(observe, search.race.samplers):
            all_points.append(by_source)
            all_scores.append(by_seat)
    return np.concatenate(all_points), np.concatenate(all_scores), rounds * trees


def _estimates(differences: Floats) -> list[Estimate]:
    """Return the mean of each column over the trees, with its error."""
    if len(differences) == 1:
        return [Estimate(float(number), 0.0) for number in differences[0]]
    mean, variance = mean_over_trees(differences[None], np.ones((1, len(differences)), dtype=bool))
    return [Estimate(float(m), math.sqrt(v)) for m, v in zip(mean[0], variance[0], strict=True)]


def sentences(
    player: str,
    texts: tuple[str, str],
    total: Estimate,
    difference: dict[str, Estimate],
    others: dict[str, Estimate],
) -> list[str]:
    """Return the comparison in two to five sentences."""
    best, versus = texts
    clear = {source: e for source, e in difference.items() if _is_clear(e)}
    gains = sorted((s for s in clear if clear[s].value > 0), key=lambda s: -clear[s].value)
    losses = sorted((s for s in clear if clear[s].value < 0), key=lambda s: clear[s].value)
    changed = {name: e for name, e in others.items() if _is_clear(e)}
    if _is_clear(total):
        word = "more" if total.value > 0 else "fewer"
        lines = [
            f"'{best}' brings {player} {_amount(total)} points {word} than '{versus}' from here on."
        ]
    else:
        lines = [f"'{best}' and '{versus}' bring {player} about the same number of points."]
    if gains:
        lines.append(f"It gains {_listed(gains, clear)}.")
    if losses:
        lines.append(f"It gives up {_listed(losses, clear)}.")
    if not clear:
        lines.append("No single source of points differs clearly between the two.")
    for name, e in changed.items():
        word = "more" if e.value > 0 else "fewer"
        lines.append(f"{name} gets {_amount(e)} points {word} after it.")
    if others and not changed:
        lines.append("What the other players get hardly changes.")
    return lines[:5]


def _is_clear(estimate: Estimate) -> bool:
    return abs(estimate.value) > max(SMALLEST, CLEAR * estimate.se)


def _listed(sources: list[str], estimates: dict[str, Estimate]) -> str:
    return ", ".join(f"{_amount(estimates[source])} from {source}" for source in sources[:4])


def _amount(estimate: Estimate) -> str:
    if estimate.se == 0:
        return f"{abs(estimate.value):.0f}"
    return f"{abs(estimate.value):.1f} ± {estimate.se:.1f}"
