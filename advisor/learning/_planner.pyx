"""Whole turns from any state of a turn to its end, and what the learned value says of them.

Owns the enumeration: breadth first over the actions, positions reached in several orders met once,
by one of the shortest ways and among those the one whose actions sort first. Where a width is given,
only the actions that the quick judgement (`prior`) likes best are followed at each position; where
the limit is reached, each position that is left is played to the end of the turn by the game's last
policy, so that the limit never swallows a beginning. Ends are valued before any chance event.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport Game, GameVT, action_t, fingerprint
from advisor.learning._value cimport VALUE_SEATS, Value

cdef enum:
    SPARE = 4096  # room beyond the limit for positions played to the end
    TIMES = 4  # and so many times the limit: what is left when it is reached needs a few actions each
    ALL = 1 << 20


cdef class Planner:
    """Finds and judges the turns of one game.

    Args:
        game: the rules.
        value: the judgement; None only finds them.
        limit: positions of a turn at most.
        own_score: turns are for the player's own points, not for his margin.

    """

    def __cinit__(
        self, Game game, Value value=None, int32_t limit=20_000, *, bint own_score=False
    ):
        if limit < 1:
            raise ValueError("the limit must leave room for a turn")
        self.game = game
        self.value = value
        self.own_score = own_score
        self.limit = TIMES * limit + SPARE
        self.slots = 1024
        while self.slots < 2 * self.limit:
            self.slots *= 2
        self.states = <char*>malloc(<size_t>self.limit * self.game.vt.state_size)
        self.found = <Found*>malloc(self.limit * sizeof(Found))
        self.keys = <uint64_t*>calloc(self.slots, sizeof(uint64_t))
        self.marks = <uint32_t*>calloc(self.slots, sizeof(uint32_t))
        self.legal = <action_t*>malloc(self.game.vt.max_actions * sizeof(action_t))
        self.priors = <float*>malloc(self.game.vt.max_actions * sizeof(float))
        if not (self.states and self.found and self.keys and self.marks and self.legal and self.priors):
            raise MemoryError

    def __dealloc__(self):
        free(self.states)
        free(self.found)
        free(self.keys)
        free(self.marks)
        free(self.legal)
        free(self.priors)

    cdef const void* state_of(self, int32_t at) noexcept nogil:
        return self.states + <size_t>at * self.game.vt.state_size

    cdef int32_t add(self, int32_t before, action_t action) noexcept nogil:
        """Play an action; return the position it leads to, -1 where it was met before."""
        cdef const GameVT* vt = self.game.vt
        cdef size_t size = vt.state_size
        cdef char* after = self.states + <size_t>self.used * size
        cdef uint64_t key[2]
        cdef uint64_t at
        memcpy(after, self.states + <size_t>before * size, size)
        vt.apply(self.game.rules, after, action)
        vt.tidy(self.game.rules, after)
        fingerprint(after, <uint32_t>size, key)
        at = key[0] & <uint64_t>(self.slots - 1)
        while self.marks[at] == self.call:
            if self.keys[at] == key[0]:
                return -1
            at = (at + 1) & <uint64_t>(self.slots - 1)
        self.marks[at] = self.call
        self.keys[at] = key[0]
        self.found[self.used].before = before
        self.found[self.used].action = action
        self.found[self.used].ends = False
        self.used += 1
        return self.used - 1

    cdef void finish(self, int32_t at, int seat) noexcept nogil:
        """Play a position to the end of the turn, or to where one was met before."""
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        while at >= 0 and self.used < self.limit and vt.to_move(rules, self.state_of(at)) == seat:
            at = self.add(
                at, vt.choose(rules, self.state_of(at), <int>vt.policies - 1, <uint64_t>at)
            )

    cdef float worth(self, int32_t at, int seat) noexcept nogil:
        """Judge an end of the turn: how far its player will be ahead, or his own points."""
        if self.value is None:
            return 0
        return self.judged(at, seat)

    cdef float judged(self, int32_t at, int seat) noexcept nogil:
        cdef double points[VALUE_SEATS]
        cdef double other = -1e30
        cdef int i
        self.value.judge(self.state_of(at), points)
        self.leaves += 1
        for i in range(<int>self.game.vt.players):
            if i != seat and points[i] > other:
                other = points[i]
        if self.own_score or self.game.vt.players == 1:
            return <float>points[seat]
        return <float>(points[seat] - other)

    cdef int32_t plan(self, const void* state, int width, int32_t limit) noexcept nogil:
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        cdef int seat = vt.to_move(rules, state), n, i, j, chosen
        cdef int32_t at = 0, best = -1, finished = self.limit
        cdef float most = -1e30, bar
        cdef action_t action
        self.call += 1
        self.used = 1
        memcpy(self.states, state, vt.state_size)
        self.found[0].before = -1
        self.found[0].ends = False
        self.complete = True
        if self.value is not None:
            self.value.watch(state, seat)
        if vt.prior == NULL:
            width = ALL
        limit = min(limit, (self.limit - SPARE) // TIMES)
        while at < self.used:
            if vt.to_move(rules, self.state_of(at)) != seat:
                self.found[at].ends = True
                self.found[at].worth = self.worth(at, seat)
                if best < 0 or self.found[at].worth > most:
                    most = self.found[at].worth
                    best = at
                at += 1
                continue
            if self.used >= limit:
                self.complete = False
                finished = min(finished, self.used)
                if at < finished:
                    self.finish(at, seat)
                at += 1
                continue
            n = vt.legal(rules, self.state_of(at), self.legal)
            if n > width:  # bring the best to the front
                vt.prior(rules, self.state_of(at), self.legal, n, self.priors)
                for i in range(width):
                    chosen = i
                    for j in range(i + 1, n):
                        if self.priors[j] > self.priors[chosen]:
                            chosen = j
                    bar = self.priors[chosen]
                    action = self.legal[chosen]
                    self.priors[chosen] = self.priors[i]
                    self.legal[chosen] = self.legal[i]
                    self.priors[i] = bar
                    self.legal[i] = action
                n = width
            for i in range(n):
                if self.used >= self.limit:
                    break
                self.add(at, self.legal[i])
            at += 1
        return best

    def turns(self, bytes state, *, int width=ALL, int32_t limit=20_000):
        """Return (worth, end, actions) of every turn found: the packed state where it ends, tidy.

        Raises:
            ValueError: nobody decides.

        """
        cdef const void* s = self.game._checked(state)
        cdef size_t size = self.game.vt.state_size
        cdef int32_t i, at
        if self.game.vt.to_move(self.game.rules, s) < 0:
            raise ValueError("nobody decides")
        with nogil:
            self.plan(s, width, limit)
        found = []
        for i in range(1, self.used):
            if self.found[i].ends:
                way = []
                at = i
                while at > 0:
                    way.append(self.found[at].action)
                    at = self.found[at].before
                way.reverse()
                found.append((self.found[i].worth, (<const char*>self.state_of(i))[:size], way))
        return found
