"""Whole turns, and what the value says of where they end."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from advisor._fastsim cimport Game, action_t
from advisor.learning._value cimport Value


cdef struct Found:  # a position of the turn
    int32_t before  # where it was reached from
    action_t action
    float worth  # of an end, to the mover; otherwise meaningless
    bint ends


cdef class Planner:
    cdef readonly Game game
    cdef readonly Value value
    cdef char* states  # of the positions found, one after the other
    cdef Found* found
    cdef int32_t used
    cdef int32_t limit
    cdef uint64_t* keys
    cdef uint32_t* marks  # in which call a key was written: saves clearing
    cdef uint32_t call
    cdef int32_t slots
    cdef bint own_score
    cdef action_t* legal
    cdef float* priors
    cdef readonly uint64_t leaves  # ends judged so far
    cdef readonly bint complete  # the last plan followed everything it was to follow

    # Find the turns from a state and judge their ends; return the best end, -1 where there is none.
    cdef int32_t plan(self, const void* state, int width, int32_t limit) noexcept nogil
    cdef int32_t add(self, int32_t before, action_t action) noexcept nogil
    cdef float worth(self, int32_t at, int seat) noexcept nogil
    cdef float judged(self, int32_t at, int seat) noexcept nogil
    cdef const void* state_of(self, int32_t at) noexcept nogil
    # Play a position to the end of the turn, or to where one was met before.
    cdef void finish(self, int32_t at, int seat) noexcept nogil
