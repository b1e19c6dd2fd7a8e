"""The agent `plans`: every whole turn judged by the learned value, the best one played.

Owns the way from a plan to single decisions: a turn is planned at its first decision and then
followed, as nothing in it is left to chance.
"""

from libc.stdint cimport int32_t, uint64_t

from advisor._fastsim cimport Game, action_t
from advisor.agents._agent cimport NO_ACTION, KernelAgent, is_legal
from advisor.learning._net cimport Net
from advisor.learning._planner cimport LONGEST, Planner
from advisor.learning._value cimport Value


cdef class PlansAgent(KernelAgent):
    """Plays the turn whose end is valued most.

    Args:
        net_for: called with the game's name and the number of players, returns the net.
        width: actions followed at each position of a turn, the quickly judged best.
        limit: positions of a turn at most.
        own_score: it plays for its own points.

    """

    cdef object net_for
    cdef int width
    cdef int32_t limit
    cdef bint own_score
    cdef Planner planner
    cdef action_t way[LONGEST]
    cdef int length
    cdef int at

    def __cinit__(self, net_for, *, int width, int32_t limit, bint own_score):
        self.net_for = net_for
        self.width = width
        self.limit = limit
        self.own_score = own_score

    cdef int begin(self, Game game, object position) except -1:
        cdef Net net
        if self.game is not game:
            net = self.net_for(position.game, game.players)
            self.planner = Planner(game, Value(game, net, own_score=self.own_score), self.limit)
        self.length = 0
        self.at = 0
        return KernelAgent.begin(self, game, position)

    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        cdef int32_t best
        if fresh or self.at >= self.length or not is_legal(
            self.game, state, self.way[self.at], self.planner.legal
        ):
            best = self.planner.plan(state, self.width, self.limit)
            if best < 0:
                return NO_ACTION
            self.at = 0
            self.length = self.planner.way_to(best, self.way, LONGEST)
            if self.length > LONGEST:
                return NO_ACTION
        self.at += 1
        return self.way[self.at - 1]
