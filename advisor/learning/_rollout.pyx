"""Short rollouts: from the end of a turn to the end of the same player's next turn, or a later one.

Owns the rollout. Everybody plays by the value, with a narrow look at the turns; then the value says
how it will end. In equal worlds everybody meets equal dice and deals.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport CHANCE, OVER, GameVT
from advisor.learning._planner cimport Planner
from advisor.learning._value cimport Value


cdef class Rollout:
    """Plays on by the value.

    Args:
        value: the judgement.
        width, limit: of the turns played.

    """

    def __cinit__(self, Value value, *, int width, int32_t limit):
        self.game = value.game
        self.planner = Planner(
            value.game, Value(value.game, value.net, own_score=value.own_score), limit
        )
        self.width = width
        self.limit = limit
        self.state = malloc(self.game.vt.state_size)
        if self.state == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.state)

    cdef int best_turns(self, const void* state, int32_t* out, int most) noexcept nogil:
        self.planner.plan(state, self.width, self.limit)
        self.turns += 1
        return self.planner.best_ends(out, most)

    cdef void reply(self, void* end, int seat) noexcept nogil:
        """Play on to the next chance event: how that goes is the same in all worlds."""
        cdef const GameVT* vt = self.game.vt
        cdef int mover = vt.to_move(self.game.rules, end)
        while mover >= 0 and mover != seat:
            memcpy(end, self.planner.state_of(self.planner.plan(end, self.width, self.limit)), vt.state_size)
            self.turns += 1
            mover = vt.to_move(self.game.rules, end)

    cdef bint follow(
        self, const void* end, int seat, uint64_t world, int turns, double* points
    ) noexcept nogil:
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        cdef int mover
        cdef int32_t best
        memcpy(self.state, end, vt.state_size)
        vt.determinize(rules, self.state, seat, world)
        while True:
            mover = vt.to_move(rules, self.state)
            if mover == OVER:
                vt.returns(rules, self.state, points, self.wins)
                return True
            if mover == CHANCE:
                vt.chance(rules, self.state, world)
                continue
            best = self.planner.plan(self.state, self.width, self.limit)
            self.turns += 1
            memcpy(self.state, self.planner.state_of(best), vt.state_size)
            turns -= mover == seat
            if turns == 0 and vt.to_move(rules, self.state) != OVER:
                self.planner.value.judge(self.state, points)
                return False
