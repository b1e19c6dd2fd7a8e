"""The best plans of a turn, compared by how the next rounds go after each."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from advisor._fastsim cimport Game, action_t
from advisor.learning._planner cimport LONGEST, Planner
from advisor.learning._replies cimport Replies
from advisor.learning._rollout cimport Rollout
from advisor.learning._value cimport VALUE_SEATS

cdef enum:
    MOST_PLANS = 64


cdef struct Plan:
    double total  # what all rollouts brought, added up
    double points[VALUE_SEATS]  # everybody's points in all rollouts, added up
    int64_t rollouts
    float worth  # what the value said
    int length
    action_t way[LONGEST]


cdef class Deliberation:
    cdef readonly Game game
    cdef Planner wide  # of the turn at hand
    cdef Rollout rollout
    cdef Replies replies  # where the plans lead, and what the others do next
    cdef Plan* plans
    cdef int order[MOST_PLANS]  # the plans, best first
    cdef int count
    cdef int width
    cdef int32_t limit
    cdef int turns
    cdef readonly int64_t rollouts  # of all deliberations

    # Find the `most` best plans from a state by their value; return how many there are.
    cdef int prepare(self, const void* state, int most) noexcept nogil
    # Give each of the first `n` plans of the order a rollout in a world.
    cdef void compare(self, int n, int seat, uint64_t world) noexcept nogil
    # Put the first `n` plans of the order in order of their rollouts.
    cdef void sort(self, int n) noexcept nogil
    cdef double mean_of(self, int plan) noexcept nogil
