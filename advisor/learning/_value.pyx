"""Expected final points of every seat in a state, by what is certain and what the net adds.

Owns the way from a state to points. The positions of a turn differ in few traits from the one it began
with, so the first layer's sums are worked out there (`watch`) and then changed by what has changed;
and what the net says of the others is kept for as long as they see the same surroundings.
"""

from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from advisor._fastsim cimport OVER, Game, GameVT
from advisor.errors import SettingError
from advisor.learning._net cimport BLOCK, FIRST, Net, net_change, net_differences
from advisor.learning._odds cimport chance_to_win, expected_lead, lead


cdef class Value:
    """The judgement of positions of one game by a net.

    Args:
        game: the rules.
        net: made for the game's traits and one more, which says that everybody plays for his own
            points and not for his margin.
        own_score: that is how they play.

    """

    def __cinit__(self, Game game, Net net, *, bint own_score=False):
        if net.traits != <int>game.vt.traits + 1 or net.chapters != <int>game.vt.chapters:
            raise SettingError(
                f"the model is not made for this game, or for another version of it: it knows "
                f"{net.traits} traits in {net.chapters} chapters, not {game.traits + 1} in {game.chapters}"
            )
        if game.vt.players > VALUE_SEATS:
            raise ValueError("too many players")
        self.game = game
        self.net = net
        self.own_score = own_score
        self.mover = -1
        self.room = (<int>game.vt.max_traits + BLOCK - 1) // BLOCK * BLOCK  # whole ones are compared
        self.seen = <uint16_t*>calloc(VALUE_SEATS * 2 * self.room, sizeof(uint16_t))
        self.now = <uint16_t*>calloc(3 * self.room, sizeof(uint16_t))
        self.outlooks = <Outlook*>calloc(OUTLOOKS, sizeof(Outlook))
        if not (self.seen and self.now and self.outlooks):
            raise MemoryError
        self.more = self.now + self.room
        self.less = self.more + self.room

    def __dealloc__(self):
        free(self.seen)
        free(self.now)
        free(self.outlooks)

    cdef void watch(self, const void* state, int mover) noexcept nogil:
        cdef uint32_t seat
        cdef int part
        cdef uint16_t mood = <uint16_t>self.game.vt.traits
        cdef uint16_t* seen
        self.mover = mover
        self.watches += 1
        self.chapter = self.game.vt.chapter(self.game.rules, state)
        for seat in range(self.game.vt.players):
            memcpy(self.sums[seat], self.net.q.bias, FIRST * sizeof(int16_t))
            net_change(self.sums[seat], self.net.q.rows, &mood, self.own_score, NULL, 0)
            for part in range(2):
                seen = self.seen + (2 * seat + <uint32_t>part) * self.room
                self.places[seat][part] = self.game.vt.describe(
                    self.game.rules, state, <int>seat, part, seen
                )
                net_change(
                    self.sums[seat], self.net.q.rows, seen, self.places[seat][part], NULL, 0
                )

    cdef void change(self, const void* state, int seat, int part, int16_t* sums) noexcept nogil:
        """Change a seat's sums by what a part says differently in another state."""
        cdef const uint16_t* seen = self.seen + (2 * seat + part) * self.room
        cdef int n
        self.game.vt.describe(self.game.rules, state, seat, part, self.now)
        n = net_differences(self.now, seen, self.places[seat][part], self.more, self.less)
        net_change(sums, self.net.q.rows, self.more, n, self.less, n)

    cdef float look(self, const void* state, int seat, int chapter, bint own) noexcept nogil:
        """Return what the net adds for a seat, whose own part may have changed or not."""
        cdef int16_t sums[FIRST]
        memcpy(sums, self.sums[seat], sizeof(sums))
        if own:
            self.change(state, seat, 0, sums)
        self.change(state, seat, 1, sums)
        return self.net.judge(sums, chapter)

    cdef void judge(self, const void* state, double* points) noexcept nogil:
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        cdef int seat, players = <int>vt.players, chapter = vt.chapter(rules, state)
        cdef uint64_t key
        cdef Outlook* outlook
        if vt.to_move(rules, state) == OVER:
            for seat in range(players):
                points[seat] = vt.certain(rules, state, seat)
            return
        points[self.mover] = vt.certain(rules, state, self.mover) + self.look(
            state, self.mover, chapter, True
        )
        key = vt.outlook(rules, state, self.mover)
        outlook = &self.outlooks[key & <uint64_t>(OUTLOOKS - 1)]
        if outlook.key != key or outlook.watch != self.watches:
            outlook.key = key
            outlook.watch = self.watches
            for seat in range(players):
                if seat != self.mover:
                    outlook.points[seat] = vt.certain(rules, state, seat) + self.look(
                        state, seat, chapter, chapter != self.chapter
                    )
        for seat in range(players):
            if seat != self.mover:
                points[seat] = outlook.points[seat]

    cdef double utility(self, const double* points, int seat) noexcept nogil:
        return points[seat] if self.own_score else lead(points, <int>self.game.vt.players, seat)

    def odds(self, list judged, double apart):
        """Return everybody's chance to win and expected lead over the best of the others.

        Args:
            judged: everybody's expected points.
            apart: the standard deviation of the difference of two seats' points around them.

        """
        cdef double points[VALUE_SEATS]
        cdef int seat, players = <int>self.game.vt.players
        if len(judged) != players or apart <= 0:
            raise ValueError("there must be points for each seat, and a spread above 0")
        for seat in range(players):
            points[seat] = judged[seat]
        return [
            (
                chance_to_win(points, players, seat, apart),
                expected_lead(points, players, seat, apart),
            )
            for seat in range(players)
        ]

    def points(self, bytes state):
        """Return everybody's expected final points."""
        cdef const void* s = self.game._checked(state)
        cdef double found[VALUE_SEATS]
        cdef uint32_t seat
        self.watch(s, 0)
        self.judge(s, found)
        return [found[seat] for seat in range(self.game.vt.players)]
