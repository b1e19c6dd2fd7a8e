"""The course of the game: turns, rounds, phases, and the chance events between them.

Owns what happens when a turn ends (2019 pp. 3-4, 9) and how dice and deals fall in a world.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from advisor._fastsim cimport cut, next64, stream
from advisor.games.burgundy._options cimport owns
from advisor.games.burgundy._scoring cimport score_end
from advisor.games.burgundy._state cimport *
from advisor.games.burgundy._supply cimport deal

cdef enum:
    DEAL_EVENTS = 64  # events of a world: rolls 0..24 by round, deals from here by phase


cdef inline void pay_income(const BgRules* R, BgState* s) noexcept nogil:
    """Pay 1 silver a mine at the end of a phase, with monastery 2 a worker as well (p. 9)."""
    cdef int seat, mines
    for seat in range(R.players):
        mines = popcount(s.filled[seat] & R.boards[seat].colour_cells[PIT])
        s.silver[seat] += mines
        if owns(s, seat, 2):
            s.workers[seat] += mines


cdef inline void end_round(const BgRules* R, BgState* s) noexcept nogil:
    """Go on to the next round, the next phase or the end of the game."""
    cdef int i
    memset(s.dice, 0, sizeof(s.dice))
    s.turn = 0
    if s.round < ROUNDS - 1:
        s.round += 1
        s.stage = ROLL
    else:
        pay_income(R, s)
        if s.phase == PHASES - 1:
            score_end(R, s)
            s.stage = END
            return
        s.phase += 1
        s.round = 0
        s.stage = DEAL
        memset(s.slots, 0, sizeof(s.slots))  # what nobody took leaves the game; goods stay
        s.offered = 0
    for i in range(SEATS):
        s.order[i] = s.next_order[i]


cdef inline void end_turn(const BgRules* R, BgState* s) noexcept nogil:
    """Pass the turn to the next player of this round's order."""
    memset(s.dice[seat_to_move(s)], 0, 2)
    s.bought = 0
    s.turn += 1
    if s.turn < R.players:
        s.dice_left = 3
    else:
        s.dice_left = 0
        end_round(R, s)


cdef inline void start_round(const BgRules* R, BgState* s, int white) noexcept nogil:
    """With the dice on the table: lay out the round's good and begin with the first player."""
    if s.goods_coming:
        s.goods_coming -= 1
        s.depot_goods[white - 1] += <uint32_t>1 << (4 * (s.goods_to_come[s.goods_coming] - 1))
        s.goods_to_come[s.goods_coming] = 0
    s.stage = PLAY
    s.turn = 0
    s.dice_left = 3


cdef inline void roll(const BgRules* R, BgState* s, uint64_t rng) noexcept nogil:
    """Roll everybody's dice and the white one (2019 p. 4)."""
    cdef int seat, a, b
    cdef uint64_t bits = next64(&rng)
    for seat in range(R.players):
        a = <int>cut(&bits, 6) + 1
        b = <int>cut(&bits, 6) + 1
        s.dice[seat][0] = a if a < b else b
        s.dice[seat][1] = b if a < b else a
    start_round(R, s, <int>cut(&bits, 6) + 1)


cdef inline void resolve_chance(const BgRules* R, BgState* s, uint64_t world) noexcept nogil:
    """Let the awaited event happen as it falls in `world`."""
    if s.stage == DEAL:
        deal(R, s, stream(world, DEAL_EVENTS + s.phase))
        s.stage = ROLL
    elif s.stage == ROLL:
        roll(R, s, stream(world, s.phase * ROUNDS + s.round))
