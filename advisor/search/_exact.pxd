"""The solver's face for other compiled modules."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from advisor._fastsim cimport Game, action_t

cdef enum:
    SOLVER_SEATS = 4


cdef struct Outcome:  # how a game ends
    float points[SOLVER_SEATS]
    float wins[SOLVER_SEATS]


cdef struct Entry:  # a position met before
    uint64_t key
    double value  # alpha-beta: from the first seat's view
    Outcome outcome
    action_t best
    uint8_t bound


cdef class Solver:
    cdef Game game
    cdef bint own_score
    cdef char* states
    cdef action_t* actions
    cdef float* orders
    cdef Entry* table
    cdef uint64_t entries
    cdef uint32_t* history
    cdef int64_t limit
    cdef readonly int64_t nodes
    cdef int trouble
    cdef volatile bint cancelled  # written by `cancel` alone

    cdef bint settle(self, const void* state, int64_t limit, Outcome* out) noexcept nogil
    cdef bint zero_sum(self) noexcept nogil
    cdef void best_play(self, Outcome* out, action_t* best) noexcept nogil
    cdef void outcome_of(self, const void* state, Outcome* out) noexcept nogil
    cdef double worth(self, const Outcome* outcome, int seat) noexcept nogil
    cdef Entry* look_up(self, const uint64_t* key, Entry** place) noexcept nogil
    cdef int expand(self, int depth, action_t first) noexcept nogil
    cdef void step(self, int depth, action_t action) noexcept nogil
    cdef double alpha_beta(
        self, int depth, double alpha, double beta, Outcome* out, action_t* best
    ) noexcept nogil
    cdef void max_n(self, int depth, Outcome* out, action_t* best) noexcept nogil
