"""The agent `ismcts`: plain information-set tree search inside the kernel.

Owns how a budget becomes decisions: one tree from the position, grown by upper confidence bounds, the
most visited action played. The tree is kept within a turn, as nothing is left to chance there.
Counted budgets are for each decision; thinking time is for each turn, half of what is left of it for
each decision, in CPU time of the thread, so that a busy machine does not weaken anybody.
"""

from libc.stdint cimport int64_t, uint64_t

from advisor._fastsim cimport Game, action_t
from advisor.agents._agent cimport NO_ACTION, KernelAgent
from advisor.agents._clock cimport cpu_seconds
from advisor.search._tree cimport Sampler

cdef enum:
    CHUNK = 32  # visits between two looks at the clock


cdef class IsmctsAgent(KernelAgent):
    """Plain ISMCTS.

    Args:
        iterations: for each decision; 0 where time counts.
        seconds: of CPU time for each turn, where `iterations` is 0.
        explore: how much an action's uncertainty counts for it.
        scale: points at which the utility is half-way to its bound.
        own_score: everybody plays for his own score, not for the margin.
        policy: the game's policy that plays from the leaves to the end.
        memory: bytes for the tree.

    """

    cdef int64_t iterations
    cdef double seconds
    cdef double left  # of the turn's time
    cdef Sampler sampler
    cdef dict options
    cdef readonly uint64_t thoughts  # iterations so far

    def __cinit__(
        self,
        *,
        int64_t iterations,
        double seconds,
        double explore,
        double scale,
        bint own_score,
        int policy,
        int64_t memory,
    ):
        self.iterations = iterations
        self.seconds = seconds
        self.options = {
            "explore": explore,
            "scale": scale,
            "own_score": own_score,
            "policy": policy,
            "memory": memory,
        }

    cdef int begin(self, Game game, object position) except -1:
        if self.game is not game:  # what a solver remembers holds for one game only
            self.sampler = Sampler(
                game,
                position.packed,
                [[]],
                trees=1,
                seat=0,
                seed=0,
                caution=0.0,
                **self.options,
            )
        return KernelAgent.begin(self, game, position)

    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        cdef double began = 0.0, budget
        if fresh:
            self.left = self.seconds
        if self.game.vt.legal(self.game.rules, state, self.sampler.legal) == 1:
            return self.sampler.legal[0]
        if self.iterations == 0:
            began = cpu_seconds()
        if not self.sampler.move_root(state, seat, luck, not fresh):
            return NO_ACTION
        if self.iterations:
            self.sampler.think(self.iterations)
            self.thoughts += <uint64_t>self.iterations
            return self.sampler.favourite()
        budget = 0.5 * self.left
        while True:
            self.sampler.think(CHUNK)
            self.thoughts += CHUNK
            if cpu_seconds() - began >= budget:
                break
        self.left -= cpu_seconds() - began
        return self.sampler.favourite()
