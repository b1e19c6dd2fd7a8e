"""A player as the kernel sees it: told the game, then asked for one action after the other."""

from libc.stdint cimport uint64_t

from advisor._fastsim cimport Game, action_t

cdef enum:
    NO_ACTION = 0xFFFFFFFF  # the agent has failed; what happened is in its `error`


cdef bint is_legal(Game game, const void* state, action_t action, action_t* room) noexcept nogil


cdef class KernelAgent:
    cdef readonly Game game
    cdef readonly object error  # the exception that made the last decision impossible

    # Prepare for a game; `position` shows names and boards to those who want to see positions.
    cdef int begin(self, Game game, object position) except -1
    # Choose a legal action. `fresh`: a turn of this seat begins. `luck` is new for every decision.
    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil
