"""How the next rounds go, everybody playing by the value."""

from libc.stdint cimport int32_t, uint64_t

from advisor._fastsim cimport Game
from advisor.learning._planner cimport Planner


cdef class Rollout:
    cdef readonly Game game
    cdef Planner planner
    cdef int width
    cdef int32_t limit
    cdef void* state
    cdef double wins[8]  # of the last rollout, where it ended with the game
    cdef readonly uint64_t turns  # played so far

    # Note the best turns from a state, best first, as places in `planner`; return how many there are.
    cdef int best_turns(self, const void* state, int32_t* out, int most) noexcept nogil
    # Let the others play what is left of their round after a turn of `seat`, up to the next chance event.
    cdef void reply(self, void* end, int seat) noexcept nogil
    # Play from the end of a turn of `seat` to the end of its next one, or of a later one, in a
    # world; write everybody's expected final points there. True: the game is over, the points are final.
    cdef bint follow(
        self, const void* end, int seat, uint64_t world, int turns, double* points
    ) noexcept nogil
