"""How playouts decide: one loop per policy, from any state to the end of the game.

Owns the playout policies. UNIFORM draws each legal action with the same probability.
"""

from libc.stdint cimport uint32_t, uint64_t

from advisor._fastsim cimport action_t, below
from advisor.games.burgundy._flow cimport end_turn, resolve_chance
from advisor.games.burgundy._loads cimport loads
from advisor.games.burgundy._moves cimport apply_action, play_option
from advisor.games.burgundy._options cimport Options, may_buy, survey
from advisor.games.burgundy._state cimport *

cdef enum:
    UNIFORM = 0


cdef inline void play_nth(const BgRules* R, BgState* s, const Options* o, uint32_t n) noexcept nogil:
    """Play option number n of 0..total-1."""
    cdef int group = 0, discard = 0
    cdef uint32_t bits
    while n >= o.count[group]:
        n -= o.count[group]
        group += 1
    bits = <uint32_t>popcount(o.mask[group])
    while n >= bits:
        n -= bits
        discard += 1
    play_option(R, s, o, group, nth_bit(o.mask[group], n), discard)


cdef inline int play_uniform(const BgRules* R, BgState* s, uint64_t world, uint64_t rng) noexcept nogil:
    """Play to the end at random; return the number of decisions."""
    cdef Options options
    cdef action_t listed[MAX_ACTIONS]
    cdef int decisions = 0
    while s.stage != END:
        if s.stage != PLAY:
            resolve_chance(R, s, world)
            continue
        if s.pending == 0 and s.dice_left == 0 and not may_buy(R, s, seat_to_move(s)):
            end_turn(R, s)  # the only option
        elif s.pending & 0xFF == SHIP:
            apply_action(R, s, listed[below(&rng, <uint32_t>loads(R, s, listed))])
        else:
            survey(R, s, &options)
            play_nth(R, s, &options, below(&rng, options.total))
        decisions += 1
    return decisions
