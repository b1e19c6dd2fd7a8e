"""Expected final points of every seat, by the net."""

from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

from advisor._fastsim cimport Game
from advisor.learning._net cimport FIRST, Net

cdef enum:
    VALUE_SEATS = 8
    OUTLOOKS = 1024  # remembered at a time; a power of 2


cdef struct Outlook:  # the points expected of everybody but the mover
    uint64_t key
    uint32_t watch  # written in which watch: saves clearing
    double points[VALUE_SEATS]


cdef class Value:
    cdef readonly Game game
    cdef readonly Net net
    cdef readonly bint own_score
    cdef size_t room  # for the places of one part
    cdef uint16_t* seen  # [seats][2][room]: the traits of the state watched
    cdef int places[VALUE_SEATS][2]
    cdef int16_t sums[VALUE_SEATS][FIRST]  # the first layer's sums there
    cdef uint16_t* now  # [room]: those of another state,
    cdef uint16_t* more  # [room]: where they differ what came,
    cdef uint16_t* less  # [room]: and what went
    cdef int mover  # whose own part may change
    cdef int chapter  # of the state watched
    cdef Outlook* outlooks  # [OUTLOOKS]
    cdef uint32_t watches

    # Look at a state from which only `mover` changes his own things, until the chapter ends.
    cdef void watch(self, const void* state, int mover) noexcept nogil
    cdef void change(self, const void* state, int seat, int part, int16_t* sums) noexcept nogil
    cdef float look(self, const void* state, int seat, int chapter, bint own) noexcept nogil
    # Write everybody's expected final points in a state that follows from the one watched.
    cdef void judge(self, const void* state, double* points) noexcept nogil
    # What a seat plays for: how far it is ahead of the best other one, or its own points.
    cdef double utility(self, const double* points, int seat) noexcept nogil
