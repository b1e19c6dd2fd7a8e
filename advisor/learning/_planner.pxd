"""Whole turns, and what the value says of where they end."""

from libc.stdint cimport int32_t, uint64_t

from advisor._fastsim cimport Game, action_t
from advisor.learning._value cimport Value

cdef enum:
    LONGEST = 64  # actions of a turn; a turn that is longer is cut off


cdef struct Found:  # a position of the turn
    int32_t before  # where it was reached from
    action_t action
    action_t then  # the only legal action there, played at once
    bint forced  # there is one
    float worth  # of an end, to the mover; otherwise meaningless
    bint ends


cdef class Planner:
    cdef readonly Game game
    cdef readonly Value value
    cdef char* states  # of the positions found, one after the other
    cdef Found* found
    cdef int32_t used
    cdef int32_t limit
    cdef uint64_t* met  # table of the positions met: the call's number, then most of a fingerprint
    cdef uint64_t call  # entries of earlier calls are as good as empty: saves clearing
    cdef int32_t slots
    cdef action_t* legal
    cdef bint watching  # the value knows an end of this turn
    cdef float* priors
    cdef readonly uint64_t leaves  # ends judged so far
    cdef readonly bint complete  # the last plan followed everything it was to follow

    # Find the turns from a state and judge their ends; return the best end, -1 where there is none.
    cdef int32_t plan(self, const void* state, int width, int32_t limit) noexcept nogil
    cdef int32_t add(self, int32_t before, action_t action) noexcept nogil
    cdef float worth(self, int32_t at, int seat) noexcept nogil
    cdef const void* state_of(self, int32_t at) noexcept nogil
    # Write the first `room` actions that lead to a position; return how many there are.
    cdef int way_to(self, int32_t at, action_t* out, int room) noexcept nogil
    # Note the `most` best ends, best first; return how many there are.
    cdef int best_ends(self, int32_t* out, int most) noexcept nogil
    # Play the only legal action in a position; False where it leads to one met before.
    cdef bint go_on(self, int32_t at, action_t action) noexcept nogil
    cdef bint is_new(self, const void* state) noexcept nogil
    # Play a position to the end of the turn, or to where one was met before.
    cdef void finish(self, int32_t at, int seat) noexcept nogil
