"""The answer put together: what a search has found, as an `Advice`.

Owns the way from candidates and numbers to ranked actions with their whole turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor import __version__
from advisor.errors import SettingError
from advisor.report.advice import Advice, Estimate, Explanation, Objective, Ranked
from advisor.search.explain import explain
from advisor.search.lines import best_turn
from advisor.search.race import MARGIN, SCORE, WIN

if TYPE_CHECKING:
    from advisor.search.engine import Search


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate in its place of the ranking."""

    candidate: int
    turn: list[int]
    """The whole turn as the kernel's numbers."""
    entry: Ranked


MEASURES: dict[Objective, int] = {"win": WIN, "margin": MARGIN, "score": SCORE}

ALMOST = 1e-9
"""A share nearer to 0 or 1 has seen no other outcome; nothing sampled is certain for that."""

FIRM = 100.0
"""So many wins and losses at least stand behind a share of the value's: each of its samples is a
chance already, not 0 or 1, unless the game ends within the rollout."""


def possible(search: Search) -> bool:
    """Tell whether a search has looked at every candidate."""
    if search.solutions is not None:
        return True
    return search.race is not None and int(search.race.visits.min()) > 0


def compose(search: Search, rows: int | None = None) -> Advice:
    """Return the answer a search has so far.

    Args:
        search: running or done.
        rows: only so many of the best, without explanation, for a glance while it runs.

    Raises:
        SettingError: it has not looked at the candidates yet.

    """
    if not possible(search):
        raise SettingError("there is no answer yet: the search has not seen every action")
    ranked = ranking(search, rows)
    turns: list[Row] = ranked if search.candidates.whole_turns else []
    last = search
    if search.second is not None and possible(search.second):
        last = search.second
        turns = ranking(last, rows)
    explanation = None
    notes = [*dict.fromkeys([*search.notes, *last.notes])]
    if search.explain and rows is None:
        explanation = _explanation(last, turns or ranked)
        if explanation is not None and last.versus == (turns or ranked)[0].candidate:
            notes.append("the action to compare with is the best itself; the runner-up stands in")
    samplers = [s for part in {search, last} if part.race for s in part.race.samplers]
    full = any(sampler.full for sampler in samplers)
    if full:
        notes.append(
            "the memory bound was reached: the trees stopped growing, and sampling went on in them"
        )
    exact = search.solutions is not None and last.solutions is not None
    return Advice(
        position=search.position,
        player=search.position.names[search.candidates.seat],
        objective=search.settings.objective,
        exact=exact,
        actions=tuple(row.entry for row in ranked),
        turns=tuple(row.entry for row in turns),
        iterations=search.iterations,
        seconds=search.seconds,
        timed=search.settings.iterations is None,
        threads=search.settings.workers,
        seed=search.settings.seed,
        stopped=(search.second or search).stopped,
        full=search.settings.full,
        further_options=search.settings.further_options,
        repeatable=not (search.settings.iterations is None and (turns or search.gave_up)),
        engine="exact" if exact else search.engine.name,
        model=_model_name(search) if not exact else None,
        version=__version__,
        memory=sum(sampler.memory for sampler in samplers),
        memory_full=full,
        notes=tuple(notes),
        explanation=explanation,
    )


def _model_name(search: Search) -> str | None:
    """Return the learned value behind an answer, with where it comes from in brief."""
    model = search.engine.model
    return None if model is None else model.label


def ranking(search: Search, rows: int | None = None) -> list[Row]:
    """Return the candidates of a search, best first."""
    return _sampled(search, rows) if search.solutions is None else _solved(search, rows)


def _explanation(search: Search, ranked: list[Row]) -> Explanation | None:
    """Compare the best with the candidate asked for, or else with the runner-up."""
    best, *others = ranked
    others = [row for row in others if row.candidate == search.versus] or others
    if not others:
        return None
    names = [
        "; ".join(row.entry.turn) if search.candidates.whole_turns else row.entry.action
        for row in (best, others[0])
    ]
    return explain(search, best.candidate, others[0].candidate, (names[0], names[1]))


def _row(
    search: Search,
    candidate: int,
    turn: list[int],
    values: list[Estimate],
    difference: dict[Objective, Estimate],
    *,
    visits: int,
    chance_best: float,
    equivalent: bool,
) -> Row:
    position = search.position
    texts = tuple(position.action_text(code) for code in turn)
    entry = Ranked(
        action=texts[0],
        turn=texts,
        costs=position.costs(texts if search.candidates.whole_turns else texts[:1]),
        visits=visits,
        win=values[WIN],
        margin=values[MARGIN],
        score=values[SCORE],
        difference=difference,
        chance_best=chance_best,
        equivalent=equivalent,
    )
    return Row(candidate, turn, entry)


# --- Exact


def _solved(search: Search, rows: int | None) -> list[Row]:
    assert search.solutions is not None
    seat = search.candidates.seat
    rules = search.position.rules
    values = []
    for solution in search.solutions:
        others = [points for i, points in enumerate(solution.points) if i != seat]
        score = solution.points[seat]
        values.append((solution.wins[seat], score - max(others) if others else score, score))
    weights = {"win": (WIN, MARGIN, SCORE), "margin": (MARGIN, WIN, SCORE)}.get(
        search.settings.objective, (SCORE, MARGIN, WIN)
    )
    keys = [tuple(value[measure] for measure in weights) for value in values]
    order = sorted(range(len(keys)), key=lambda i: [-part for part in keys[i]])
    best = order[0]
    ranked = []
    for i in order[:rows]:
        state = search.candidates.states[i]
        turn = [*search.candidates.ways[i]]
        for action in search.solutions[i].line:
            if rules.to_move(state) != seat:
                break
            turn.append(action)
            state = rules.apply(state, action)
        equal = keys[i][:2] == keys[best][:2]
        difference: dict[Objective, Estimate] = {
            name: Estimate(values[i][column] - values[best][column], 0.0)
            for name, column in MEASURES.items()
        }
        row = _row(
            search,
            i,
            turn,
            [Estimate(number, 0.0) for number in values[i]],
            difference,
            visits=0,
            chance_best=1.0 if equal else 0.0,
            equivalent=equal,
        )
        ranked.append(row)
    return ranked


# --- Sampled


def _sampled(search: Search, rows: int | None) -> list[Row]:
    assert search.race is not None
    judgement = search.judge()
    standing = judgement.standing
    visits = search.race.visits
    merit = {way[0]: float(judgement.belief[i]) for i, way in enumerate(search.candidates.ways)}
    errors = np.sqrt(standing.variance)
    difference_errors = np.sqrt(standing.difference_variance)
    ranked = []
    for i in judgement.order[:rows]:
        turn = [*search.candidates.ways[i]]
        if not search.candidates.whole_turns:
            turn += best_turn(
                search.position.rules,
                search.race.samplers,
                i,
                search.candidates.states[i],
                search.candidates.seat,
                merit,
                search.engine.trusted,
            )
        values = [Estimate(float(standing.value[i, m]), float(errors[i, m])) for m in range(3)]
        samples = float(standing.samples[i])
        if search.engine.model is None:
            values[WIN] = _share(values[WIN], samples)
        elif not ALMOST < values[WIN].value < 1 - ALMOST:
            values[WIN] = _share(values[WIN], max(samples, FIRM))
        # Equal samples are no proof of equality; least of all samples of 0 and 1.
        least = 1e-4 if search.engine.model is not None else 1 / (float(standing.pairs[i]) + 2)
        least = 0.0 if i == standing.reference else least
        difference: dict[Objective, Estimate] = {
            name: Estimate(
                float(standing.difference[i, m]), max(float(difference_errors[i, m]), least)
            )
            for name, m in MEASURES.items()
        }
        row = _row(
            search,
            i,
            turn,
            values,
            difference,
            visits=int(visits[i]),
            chance_best=float(judgement.chance_best[i]),
            equivalent=bool(judgement.equivalent[i]),
        )
        ranked.append(row)
    return ranked


def _share(share: Estimate, samples: float) -> Estimate:
    """Return a sampled share: never 0 or 1, and never without an error."""
    least = 1 / (samples + 2)
    value = float(min(max(share.value, least), 1 - least))
    return Estimate(value, max(share.se, math.sqrt(value * (1 - value) / (samples + 2)) / 2))
