"""The tally's face for the two samplers that keep it."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from advisor._fastsim cimport Game
from advisor.search._samples cimport Log


cdef class Tally:
    cdef readonly Game game
    cdef readonly int32_t trees
    cdef readonly uint64_t decisions
    cdef bint memory_ran_out
    cdef int32_t candidates
    cdef int seat
    cdef uint64_t seed
    cdef int64_t* visited  # the visits of each candidate
    cdef Log* logs  # of each candidate in each tree
    cdef void* state  # where a visit or an observation has come to

    cdef int begin(self, Game game, bytes root, int32_t candidates, int32_t trees, int seat, uint64_t seed) except -1
    # One visit; `sample` gets the observer's (win, margin, score).
    cdef void visit(
        self, int32_t candidate, int32_t tree, uint64_t visit, bint exploring, double* sample
    ) noexcept nogil
    # Play a candidate out to the end of the game, in `state`; nothing is learnt.
    cdef void play_out(self, int32_t candidate, int32_t tree, uint64_t world) noexcept nogil
