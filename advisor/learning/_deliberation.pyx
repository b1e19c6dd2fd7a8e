"""Choosing among the best plans of a turn by paired rollouts.

Owns the comparison. The value names the most promising plans; each is then followed to the end of the
player's next turn, or of a later one (`_rollout.pyx`). In a world all plans meet the same dice and deals,
so that their difference is theirs and not luck.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from advisor.learning._planner cimport LONGEST, Planner
from advisor.learning._replies cimport Replies
from advisor.learning._rollout cimport Rollout
from advisor.learning._value cimport VALUE_SEATS, Value


cdef class Deliberation:
    """Compares the plans of one game's turns.

    Args:
        value: the judgement.
        width, limit: of the plans of the turn at hand.
        narrow_width, narrow_limit: of the turns in rollouts.
        turns: of the player that rollouts follow.
        replies: of the next player that rollouts choose among, where nothing is left to chance before.

    """

    def __cinit__(
        self,
        Value value,
        *,
        int width,
        int32_t limit,
        int narrow_width,
        int32_t narrow_limit,
        int turns,
        int replies,
    ):
        self.game = value.game
        self.wide = Planner(value.game, value, limit)
        self.rollout = Rollout(value, width=narrow_width, limit=narrow_limit)
        self.width = width
        self.limit = limit
        self.turns = turns
        self.replies = Replies(self.rollout, turns=MOST_PLANS, most=replies)
        self.plans = <Plan*>malloc(MOST_PLANS * sizeof(Plan))
        if self.plans == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.plans)

    cdef int prepare(self, const void* state, int most) noexcept nogil:
        cdef int32_t top[MOST_PLANS]
        cdef int i
        cdef Plan* plan
        self.wide.plan(state, self.width, self.limit)
        self.count = self.wide.best_ends(top, min(most, MOST_PLANS))
        for i in range(self.count):
            plan = &self.plans[i]
            plan.total = 0
            memset(plan.points, 0, sizeof(plan.points))
            plan.rollouts = 0
            plan.worth = self.wide.found[top[i]].worth
            plan.length = self.wide.way_to(top[i], plan.way, LONGEST)
            self.replies.begin(i, self.wide.state_of(top[i]))
            self.order[i] = i
        return self.count

    cdef void compare(self, int n, int seat, uint64_t world) noexcept nogil:
        cdef double points[VALUE_SEATS]
        cdef Plan* plan
        cdef int i, k, at, reply
        for i in range(n):
            at = self.order[i]
            plan = &self.plans[at]
            reply = self.replies.choose(at, seat)
            self.rollout.follow(
                self.replies.after(at, reply, seat), seat, world, self.turns, points
            )
            self.replies.learn(at, reply, points)
            plan.total += self.rollout.planner.value.utility(points, seat)
            plan.rollouts += 1
            for k in range(<int>self.game.vt.players):
                plan.points[k] += points[k]
            self.rollouts += 1

    cdef void sort(self, int n) noexcept nogil:
        cdef int i, j, moved
        for i in range(1, n):
            moved = self.order[i]
            j = i
            while j > 0 and self.mean_of(self.order[j - 1]) < self.mean_of(moved):
                self.order[j] = self.order[j - 1]
                j -= 1
            self.order[j] = moved

    cdef double mean_of(self, int plan) noexcept nogil:
        cdef const Plan* p = &self.plans[plan]
        return p.total / p.rollouts if p.rollouts else p.worth
