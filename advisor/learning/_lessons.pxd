"""What self-play teaches: samples of traits with the points that were still to come."""

from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from advisor._fastsim cimport Game, next64
from advisor.learning._value cimport VALUE_SEATS, Value

cdef enum:
    MOST_TURNS = 512  # of a game


cdef inline double gumbel(uint64_t* rng) noexcept nogil:
    """Draw from Gumbel's distribution: the greatest of worths plus such noise is a soft choice."""
    return -log(-log(((next64(rng) >> 11) + 0.5) * 1.1102230246251565e-16))


cdef class Lessons:
    cdef uint16_t* traits  # of all samples, one after the other
    cdef int64_t* ends  # where those of each sample end
    cdef float* targets  # points still to come, beyond those certain
    cdef uint8_t* chapters
    cdef readonly int64_t count
    cdef int64_t used
    cdef int64_t reserved
    cdef int64_t reserved_traits
    cdef bint full  # memory has run out

    # Add a sample for each seat in a state, without its target; `full` tells where that failed.
    cdef void note(self, Value value, const void* state) noexcept nogil
    cdef void keep(self, int places) noexcept nogil
    cdef bint reserve(self, int64_t samples, int64_t traits) noexcept nogil


cdef class Record:  # one game after the other, and how far off the value was
    cdef double[:, ::1] scores
    cdef double[::1] squares
    cdef double[::1] cases
    cdef int turns  # of the game at hand
    cdef double thought[MOST_TURNS][VALUE_SEATS]  # everybody's points, as judged after each turn
    cdef int left[MOST_TURNS]  # chance events to come then

    # Judge a state after a turn; False where the game has more turns than there is room for.
    cdef bint note(self, Value value, const void* state) noexcept nogil
    # Take in the final points of a game.
    cdef void end(self, Py_ssize_t game, const double* points, int players) noexcept nogil
