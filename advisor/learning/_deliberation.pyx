"""Choosing among the best plans of a turn by paired rollouts.

Owns the comparison. The value names the most promising plans; each is then followed to the end of the
player's next turn (`_rollout.pyx`). In a world all plans meet the same dice and deals, so that their
difference is theirs and not luck.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from advisor.learning._planner cimport Planner
from advisor.learning._rollout cimport Rollout, margin
from advisor.learning._value cimport VALUE_SEATS, Value


cdef class Deliberation:
    """Compares the plans of one game's turns.

    Args:
        value: the judgement.
        width, limit: of the plans of the turn at hand.
        narrow_width, narrow_limit: of the turns in rollouts.

    """

    def __cinit__(
        self,
        Value value,
        *,
        int width,
        int32_t limit,
        int narrow_width,
        int32_t narrow_limit,
    ):
        self.game = value.game
        self.wide = Planner(value.game, value, limit)
        self.rollout = Rollout(value, width=narrow_width, limit=narrow_limit)
        self.width = width
        self.limit = limit
        self.ends = <char*>malloc(MOST_PLANS * <size_t>self.game.vt.state_size)
        self.plans = <Plan*>malloc(MOST_PLANS * sizeof(Plan))
        if not (self.ends and self.plans):
            raise MemoryError

    def __dealloc__(self):
        free(self.ends)
        free(self.plans)

    cdef int prepare(self, const void* state, int most) noexcept nogil:
        cdef size_t size = self.game.vt.state_size
        cdef int32_t top[MOST_PLANS]
        cdef int32_t at, step
        cdef int i, j
        cdef Plan* plan
        most = min(most, MOST_PLANS)
        self.count = 0
        self.wide.plan(state, self.width, self.limit)
        for at in range(1, self.wide.used):
            if not self.wide.found[at].ends:
                continue
            if self.count == most and self.wide.found[at].worth <= self.wide.found[top[most - 1]].worth:
                continue
            i = self.count if self.count < most else most - 1
            while i > 0 and self.wide.found[top[i - 1]].worth < self.wide.found[at].worth:
                top[i] = top[i - 1]
                i -= 1
            top[i] = at
            self.count += self.count < most
        for i in range(self.count):
            plan = &self.plans[i]
            plan.total = 0
            plan.rollouts = 0
            plan.worth = self.wide.found[top[i]].worth
            plan.length = 0
            step = top[i]
            while step > 0:
                plan.length += 1
                step = self.wide.found[step].before
            step = top[i]
            j = plan.length
            while step > 0:
                j -= 1
                if j < LONGEST_WAY:
                    plan.way[j] = self.wide.found[step].action
                step = self.wide.found[step].before
            memcpy(self.ends + i * size, self.wide.state_of(top[i]), size)
            self.order[i] = i
        return self.count

    cdef void compare(self, int n, int seat, uint64_t world) noexcept nogil:
        cdef const char* end
        cdef double points[VALUE_SEATS]
        cdef int i
        for i in range(n):
            end = self.ends + self.order[i] * <size_t>self.game.vt.state_size
            self.rollout.follow(end, seat, world, points)
            self.plans[self.order[i]].total += margin(points, seat, <int>self.game.vt.players)
            self.plans[self.order[i]].rollouts += 1
            self.rollouts += 1

    cdef void sort(self, int n) noexcept nogil:
        cdef int i, j, moved
        for i in range(1, n):
            moved = self.order[i]
            j = i
            while j > 0 and mean_of(&self.plans[self.order[j - 1]]) < mean_of(&self.plans[moved]):
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = moved


cdef inline double mean_of(const Plan* plan) noexcept nogil:
    return plan.total / plan.rollouts if plan.rollouts else plan.worth
