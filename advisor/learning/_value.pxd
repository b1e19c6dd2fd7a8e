"""Expected final points of every seat, by the net."""

from libc.stdint cimport uint16_t

from advisor._fastsim cimport Game
from advisor.learning._net cimport FIRST, Net

cdef enum:
    VALUE_SEATS = 8


cdef class Value:
    cdef readonly Game game
    cdef readonly Net net
    cdef uint16_t* traits
    cdef float own[VALUE_SEATS][FIRST]  # sums of everybody's own part, as last looked at
    cdef int mover  # whose own part is looked at anew every time
    cdef int chapter  # of the state last looked at as a whole

    cdef void look_at_own(self, const void* state, int seat) noexcept nogil
    # Look at a state from which only `mover` changes his own things, until the chapter ends.
    cdef void watch(self, const void* state, int mover) noexcept nogil
    # Write everybody's expected final points in a state that follows from the one watched.
    cdef void judge(self, const void* state, double* points) noexcept nogil
