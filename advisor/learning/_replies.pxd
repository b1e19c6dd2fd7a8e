"""What the next player may answer to a turn, as rollouts find out."""

from libc.stdint cimport int64_t

from advisor.learning._rollout cimport Rollout

cdef enum:
    MOST_REPLIES = 8


cdef struct Reply:
    float worth  # to who replies, as the value says
    double total  # what rollouts brought him, added up
    int64_t rollouts
    bint complete  # the players after him have played, too, up to the next chance event


cdef class Replies:
    cdef Rollout rollout
    cdef int most
    cdef char* states  # [turns][most]: where the replies lead; at first only where the turn itself led
    cdef Reply* replies  # [turns][most]
    cdef int* counts  # [turns]: replies to each; 0 before they are looked for
    cdef int* seats  # [turns]: whose they are

    # Begin anew with a turn that ends in a state.
    cdef void begin(self, int turn, const void* end) noexcept nogil
    # Return where a turn leads before anybody has replied; only before `choose`.
    cdef const void* end_of(self, int turn) noexcept nogil
    # Return which reply to a turn of `seat` to follow: the best one known, or one that may be better.
    cdef int choose(self, int turn, int seat) noexcept nogil
    # Return the state before the next chance event, or before `seat` moves again, after that reply.
    cdef const void* after(self, int turn, int reply, int seat) noexcept nogil
    # Take in everybody's points after a rollout.
    cdef void learn(self, int turn, int reply, const double* points) noexcept nogil
    cdef void find(self, int turn, int seat) noexcept nogil
    cdef char* state_of(self, int turn, int reply) noexcept nogil
