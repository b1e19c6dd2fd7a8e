"""The trees' face for other compiled modules."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from advisor._fastsim cimport action_t
from advisor.search._arena cimport Arena
from advisor.search._exact cimport Solver
from advisor.search._tally cimport Tally


cdef struct Step:
    int32_t edge
    int32_t seat
    action_t action
    bint certain  # within the root's turn: its node is that of a position


cdef class Sampler(Tally):
    cdef char* packed  # the state of the root
    cdef char* drawn  # copies of the root, drawn when first needed
    cdef char* is_drawn
    cdef action_t* actions  # of all candidates, one after the other
    cdef int32_t* begins  # where those of each candidate begin, and the end
    cdef Arena arena
    cdef int32_t* roots  # the node of each candidate in each tree
    cdef float explore
    cdef float caution
    cdef double scale
    cdef double centre
    cdef bint own_score
    cdef int policy  # of the playouts
    cdef Solver solver
    cdef bint solving  # the rest is solved where no chance is left
    cdef bint to_the_end  # a solved rest is also played, for its points by source
    cdef int64_t trials
    cdef int64_t solved
    cdef void* certain  # a state of the root's turn, nothing drawn
    cdef action_t* legal
    cdef int32_t* untried

    cdef bint move_root(self, const void* state, int seat, uint64_t seed, bint same_turn) noexcept nogil
    cdef void think(self, int64_t visits) noexcept nogil
    cdef action_t favourite(self) noexcept nogil
    cdef void reach(self, int32_t candidate, void* state, const char* root) noexcept nogil
    cdef const char* drawn_root(self, int32_t tree, uint64_t visit) noexcept nogil
    cdef int32_t shared_node(self, int32_t tree) noexcept nogil
    cdef double mean_score(self) noexcept nogil
    cdef void iterate(
        self,
        int32_t candidate,
        int32_t tree,
        uint64_t visit,
        bint exploring,
        bint learn,
        double* sample,
    ) noexcept nogil
    cdef bint solve(self, double* points, double* wins) noexcept nogil
    cdef void finish(self, uint64_t world, uint64_t rng, double* points, double* wins) noexcept nogil
    cdef int32_t link(
        self, int32_t candidate, int32_t tree, const Step* path, int depth
    ) noexcept nogil
    cdef int32_t choose(
        self,
        int32_t at,
        bint in_turn,
        bint exploring,
        bint learn,
        uint64_t* rng,
        bint* grown,
    ) noexcept nogil
