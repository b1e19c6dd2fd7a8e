"""How playouts decide: one loop per policy, from any state to the end of the game.

Owns the playout policies. UNIFORM draws each legal action with the same probability.
"""

from libc.stdint cimport uint64_t

from advisor._fastsim cimport action_t, below
from advisor.games.burgundy._flow cimport resolve_chance
from advisor.games.burgundy._loads cimport loads
from advisor.games.burgundy._moves cimport apply_action
from advisor.games.burgundy._options cimport Options, nth_action, survey
from advisor.games.burgundy._state cimport *

cdef enum:
    UNIFORM = 0


cdef inline int play_uniform(const BgRules* R, BgState* s, uint64_t world, uint64_t rng) noexcept nogil:
    """Play to the end at random; return the number of decisions."""
    cdef Options options
    cdef action_t listed[MAX_ACTIONS]
    cdef int decisions = 0
    while s.stage != END:
        if s.stage != PLAY:
            resolve_chance(R, s, world)
            continue
        if s.pending & 0xFF == SHIP:
            apply_action(R, s, listed[below(&rng, <uint32_t>loads(R, s, listed))])
        else:
            survey(R, s, &options)
            apply_action(R, s, nth_action(R, s, &options, below(&rng, options.total)))
        decisions += 1
    return decisions
