"""The tree below a turn: what the next player may reply before dice are rolled again.

Owns the replies to some turns and the choice among them. Dice are open, so whoever moves next in the
round will do so knowing what he can do with them. The value names his best replies; which of them a
rollout follows is decided by what earlier rollouts brought him, as in any tree search. Those after him
reply as the value says. After the next chance event no two worlds are alike, and the tree ends.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from advisor.learning._rollout cimport Rollout

# Rollouts that the value's own judgement of a reply counts for.
cdef double TRUST = 4
# Points by which a reply tried once may be better than it looks, nearly.
cdef double CURIOSITY = 3


cdef class Replies:
    """The replies to the turns of one player.

    Args:
        rollout: who finds and plays them.
        turns: how many turns are replied to.
        groups: of rollouts that learn apart from each other.
        most: replies considered to each turn.

    """

    def __cinit__(self, Rollout rollout, *, int turns, int groups, int most):
        cdef size_t size = rollout.game.vt.state_size
        if not (turns > 0 and groups > 0 and 0 < most <= MOST_REPLIES):
            raise ValueError("there must be turns, groups and replies")
        self.rollout = rollout
        self.most = most
        self.groups = groups
        self.turns = turns
        self.states = <char*>malloc(turns * most * size)
        self.replies = <Reply*>calloc(turns * most, sizeof(Reply))
        self.tried = <Tried*>calloc(turns * groups * most, sizeof(Tried))
        self.counts = <int*>calloc(turns, sizeof(int))
        self.seats = <int*>calloc(turns, sizeof(int))
        if not (self.states and self.replies and self.tried and self.counts and self.seats):
            raise MemoryError

    def __dealloc__(self):
        free(self.states)
        free(self.replies)
        free(self.tried)
        free(self.counts)
        free(self.seats)

    cdef char* state_of(self, int turn, int reply) noexcept nogil:
        return self.states + (<size_t>turn * self.most + reply) * self.rollout.game.vt.state_size

    cdef void answer(self, int turn, const void* end) noexcept nogil:
        cdef int tried = self.groups * self.most
        memcpy(self.state_of(turn, 0), end, self.rollout.game.vt.state_size)
        memset(self.replies + turn * self.most, 0, self.most * sizeof(Reply))
        memset(self.tried + turn * tried, 0, tried * sizeof(Tried))
        self.counts[turn] = 0

    cdef const void* end_of(self, int turn) noexcept nogil:
        return self.state_of(turn, 0)

    cdef void find(self, int turn, int seat) noexcept nogil:
        """Let the value name the best replies to a turn; where nobody replies, that is one."""
        cdef size_t size = self.rollout.game.vt.state_size
        cdef int32_t best[MOST_REPLIES]
        cdef int mover = self.rollout.game.vt.to_move(self.rollout.game.rules, self.end_of(turn))
        cdef int i
        self.seats[turn] = mover
        self.counts[turn] = 1
        if self.most == 1 or mover < 0 or mover == seat:
            return
        self.counts[turn] = self.rollout.best_turns(self.end_of(turn), best, self.most)
        for i in range(self.counts[turn]):
            memcpy(self.state_of(turn, i), self.rollout.planner.state_of(best[i]), size)
            self.replies[turn * self.most + i].worth = self.rollout.planner.found[best[i]].worth

    cdef int choose(self, int turn, int group, int seat, bint exploring) noexcept nogil:
        cdef const Reply* replies = self.replies + turn * self.most
        cdef const Tried* tried = self.tried + (turn * self.groups + group) * self.most
        cdef int i, best = 0
        cdef double value, most = -1e30, rollouts = 1
        if self.counts[turn] == 0:
            self.find(turn, seat)
        if self.counts[turn] == 1:
            return 0
        for i in range(self.counts[turn]):
            rollouts += tried[i].rollouts
        for i in range(self.counts[turn]):
            value = (tried[i].total + TRUST * replies[i].worth) / (tried[i].rollouts + TRUST)
            if exploring:
                value += CURIOSITY * sqrt(log(rollouts) / (tried[i].rollouts + 1))
            if value > most:
                most = value
                best = i
        return best

    cdef const void* after(self, int turn, int reply, int seat) noexcept nogil:
        cdef Reply* chosen = &self.replies[turn * self.most + reply]
        if not chosen.complete:
            self.rollout.reply(self.state_of(turn, reply), seat)
            chosen.complete = True
        return self.state_of(turn, reply)

    cdef void learn(self, int turn, int group, int reply, const double* points) noexcept nogil:
        cdef Tried* tried = &self.tried[(turn * self.groups + group) * self.most + reply]
        if self.counts[turn] > 1:
            tried.total += self.rollout.planner.value.utility(points, self.seats[turn])
            tried.rollouts += 1
