"""Expected final points of every seat in a state, by what is certain and what the net adds.

Owns the way from a state to points. Within a turn only the mover's own things change, so the first
layer's sums of everybody else's are kept; a turn that ends a chapter may change everybody's.
"""

from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport OVER, Game
from advisor.errors import SettingError
from advisor.learning._net cimport FIRST, Net, net_add


cdef class Value:
    """The judgement of positions of one game by a net."""

    def __cinit__(self, Game game, Net net):
        if net.traits != <int>game.vt.traits or net.chapters != <int>game.vt.chapters:
            raise SettingError(
                f"the model is not made for this game, or for another version of it: it knows "
                f"{net.traits} traits in {net.chapters} chapters, not {game.traits} in {game.chapters}"
            )
        if game.vt.players > VALUE_SEATS:
            raise ValueError("too many players")
        self.game = game
        self.net = net
        self.mover = -1
        self.traits = <uint16_t*>malloc(game.vt.max_traits * sizeof(uint16_t))
        if self.traits == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.traits)

    cdef void look_at_own(self, const void* state, int seat) noexcept nogil:
        cdef int n = self.game.vt.describe(self.game.rules, state, seat, 0, self.traits)
        memcpy(self.own[seat], self.net.w.bias, FIRST * sizeof(float))
        net_add(self.own[seat], self.net.w.rows, self.traits, n)

    cdef void watch(self, const void* state, int mover) noexcept nogil:
        cdef uint32_t seat
        self.mover = mover
        self.chapter = self.game.vt.chapter(self.game.rules, state)
        for seat in range(self.game.vt.players):
            if <int>seat != mover:
                self.look_at_own(state, <int>seat)

    cdef void judge(self, const void* state, double* points) noexcept nogil:
        cdef float sums[FIRST]
        cdef uint32_t seat
        cdef int n, chapter = self.game.vt.chapter(self.game.rules, state)
        cdef bint over = self.game.vt.to_move(self.game.rules, state) == OVER
        if not over:
            if chapter != self.chapter:
                self.watch(state, self.mover)
            self.look_at_own(state, self.mover)
        for seat in range(self.game.vt.players):
            points[seat] = self.game.vt.certain(self.game.rules, state, <int>seat)
            if not over:
                memcpy(sums, self.own[seat], sizeof(sums))
                n = self.game.vt.describe(self.game.rules, state, <int>seat, 1, self.traits)
                net_add(sums, self.net.w.rows, self.traits, n)
                points[seat] += self.net.judge(sums, chapter)

    def points(self, bytes state):
        """Return everybody's expected final points."""
        cdef const void* s = self.game._checked(state)
        cdef double found[VALUE_SEATS]
        cdef uint32_t seat
        self.watch(s, 0)
        self.judge(s, found)
        return [found[seat] for seat in range(self.game.vt.players)]
