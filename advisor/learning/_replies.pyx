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

from advisor._fastsim cimport stream
from advisor.learning._rollout cimport Rollout
from advisor.learning._value cimport VALUE_SEATS

# Rollouts that the value's own judgement of a reply counts for.
cdef double TRUST = 4
# Points by which a reply tried once may be better than it looks, nearly.
cdef double CURIOSITY = 3


cdef class Replies:
    """The replies to the turns of one player.

    Args:
        rollout: who finds and plays them.
        turns: how many turns are replied to.
        most: replies considered to each turn.

    """

    def __cinit__(self, Rollout rollout, *, int turns, int most):
        cdef size_t size = rollout.game.vt.state_size
        if not (turns > 0 and 0 < most <= MOST_REPLIES):
            raise ValueError(f"there must be turns, and 1 to {MOST_REPLIES} replies")
        self.rollout = rollout
        self.most = most
        self.states = <char*>malloc(turns * most * size)
        self.replies = <Reply*>calloc(turns * most, sizeof(Reply))
        self.counts = <int*>calloc(turns, sizeof(int))
        self.seats = <int*>calloc(turns, sizeof(int))
        if not (self.states and self.replies and self.counts and self.seats):
            raise MemoryError

    def __dealloc__(self):
        free(self.states)
        free(self.replies)
        free(self.counts)
        free(self.seats)

    def followed(self, bytes end, int seat, int rollouts):
        """Roll out a turn of `seat` so often; return [(state after a reply, rollouts)] for each.

        Args:
            end: where the turn leads.
            seat: whose turn it is.
            rollouts: to the end of his next turn.

        """
        cdef double points[VALUE_SEATS]
        cdef int i, reply
        self.begin(0, self.rollout.game._checked(end))
        for i in range(rollouts):
            reply = self.choose(0, seat)
            self.rollout.follow(self.after(0, reply, seat), seat, stream(1, i), 1, points)
            self.learn(0, reply, points)
        size = self.rollout.game.vt.state_size
        return [
            (self.state_of(0, i)[:size], self.replies[i].rollouts) for i in range(self.counts[0])
        ]

    cdef char* state_of(self, int turn, int reply) noexcept nogil:
        return self.states + (<size_t>turn * self.most + reply) * self.rollout.game.vt.state_size

    cdef void begin(self, int turn, const void* end) noexcept nogil:
        memcpy(self.state_of(turn, 0), end, self.rollout.game.vt.state_size)
        memset(self.replies + turn * self.most, 0, self.most * sizeof(Reply))
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

    cdef int choose(self, int turn, int seat) noexcept nogil:
        cdef const Reply* replies = self.replies + turn * self.most
        cdef int i, best = 0
        cdef double value, most = -1e30, rollouts = 1
        if self.counts[turn] == 0:
            self.find(turn, seat)
        for i in range(self.counts[turn]):
            rollouts += replies[i].rollouts
        for i in range(self.counts[turn]):
            value = (replies[i].total + TRUST * replies[i].worth) / (replies[i].rollouts + TRUST)
            value += CURIOSITY * sqrt(log(rollouts) / (replies[i].rollouts + 1))
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

    cdef void learn(self, int turn, int reply, const double* points) noexcept nogil:
        cdef Reply* chosen = &self.replies[turn * self.most + reply]
        if self.counts[turn] > 1:
            chosen.total += self.rollout.planner.value.utility(points, self.seats[turn])
        chosen.rollouts += 1
