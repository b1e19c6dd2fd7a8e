"""Whole turns from any state of a turn to its end, and what the learned value says of them.

Owns the enumeration: breadth first over the actions, positions reached in several orders met once,
by the way met first, and what is forced played at once. Where a width is given,
only the actions that the quick judgement (`prior`) likes best are followed at each position; where
the limit is reached, each position that is left is played to the end of the turn by the game's last
policy, so that the limit never swallows a beginning. Ends are valued before any chance event.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from advisor._fastsim cimport Game, GameVT, action_t, fingerprint
from advisor.learning._value cimport VALUE_SEATS, Value

cdef enum:
    SPARE = 1024  # room beyond the limit for positions played to the end
    TIMES = 4  # and so many times the limit: what is left when it is reached needs a few actions each
    ALL = 1 << 20
    CALL_BITS = 20


cdef class Planner:
    """Finds and judges the turns of one game.

    Args:
        game: the rules.
        value: the judgement; None only finds them.
        limit: positions of a turn at most.

    """

    def __cinit__(self, Game game, Value value=None, int32_t limit=20_000):
        if limit < 1:
            raise ValueError("the limit must leave room for a turn")
        self.game = game
        self.value = value
        self.limit = TIMES * limit + SPARE
        self.slots = 1024
        while self.slots < 2 * self.limit:
            self.slots *= 2
        self.states = <char*>malloc(<size_t>self.limit * self.game.vt.state_size)
        self.found = <Found*>malloc(self.limit * sizeof(Found))
        self.met = <uint64_t*>calloc(self.slots, sizeof(uint64_t))
        self.legal = <action_t*>malloc(self.game.vt.max_actions * sizeof(action_t))
        self.priors = <float*>malloc(self.game.vt.max_actions * sizeof(float))
        if not (self.states and self.found and self.met and self.legal and self.priors):
            raise MemoryError

    def __dealloc__(self):
        free(self.states)
        free(self.found)
        free(self.met)
        free(self.legal)
        free(self.priors)

    cdef const void* state_of(self, int32_t at) noexcept nogil:
        return self.states + <size_t>at * self.game.vt.state_size

    cdef bint is_new(self, const void* state) noexcept nogil:
        """Tell whether a tidy state is met for the first time, and remember it."""
        cdef uint64_t key[2]
        cdef uint64_t at, entry
        fingerprint(state, self.game.vt.turn_size, key)
        entry = self.call << (64 - CALL_BITS) | key[1] >> CALL_BITS
        at = key[0] & <uint64_t>(self.slots - 1)
        while self.met[at] >> (64 - CALL_BITS) == self.call:
            if self.met[at] == entry:
                return False
            at = (at + 1) & <uint64_t>(self.slots - 1)
        self.met[at] = entry
        return True

    cdef int32_t add(self, int32_t before, action_t action) noexcept nogil:
        """Play an action; return the position it leads to, -1 where it was met before."""
        cdef const GameVT* vt = self.game.vt
        cdef char* after = self.states + <size_t>self.used * vt.state_size
        memcpy(after, self.state_of(before), vt.state_size)
        vt.apply(self.game.rules, after, action)
        vt.tidy(self.game.rules, after)
        if not self.is_new(after):
            return -1
        self.found[self.used].before = before
        self.found[self.used].action = action
        self.found[self.used].forced = False
        self.found[self.used].ends = False
        self.used += 1
        return self.used - 1

    cdef bint go_on(self, int32_t at, action_t action) noexcept nogil:
        cdef char* state = self.states + <size_t>at * self.game.vt.state_size
        self.game.vt.apply(self.game.rules, state, action)
        self.game.vt.tidy(self.game.rules, state)
        self.found[at].forced = True
        self.found[at].then = action
        return self.is_new(state)

    cdef int way_to(self, int32_t at, action_t* out, int room) noexcept nogil:
        cdef int32_t step = at
        cdef int length = 0, i
        while step > 0:
            length += 1 + self.found[step].forced
            step = self.found[step].before
        i = length
        step = at
        while step > 0:
            if self.found[step].forced:
                i -= 1
                if i < room:
                    out[i] = self.found[step].then
            i -= 1
            if i < room:
                out[i] = self.found[step].action
            step = self.found[step].before
        return length

    cdef int best_ends(self, int32_t* out, int most) noexcept nogil:
        cdef int32_t at
        cdef int count = 0, i
        for at in range(1, self.used):
            if not self.found[at].ends:
                continue
            if count == most and self.found[at].worth <= self.found[out[most - 1]].worth:
                continue
            i = count if count < most else most - 1
            while i > 0 and self.found[out[i - 1]].worth < self.found[at].worth:
                out[i] = out[i - 1]
                i -= 1
            out[i] = at
            count += count < most
        return count

    cdef void finish(self, int32_t at, int seat) noexcept nogil:
        """Play a position to the end of the turn, or to where one was met before."""
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        while at >= 0 and self.used < self.limit and vt.to_move(rules, self.state_of(at)) == seat:
            at = self.add(
                at, vt.choose(rules, self.state_of(at), <int>vt.policies - 1, <uint64_t>at)
            )

    cdef float worth(self, int32_t at, int seat) noexcept nogil:
        """Judge an end of the turn by what its player plays for."""
        cdef double points[VALUE_SEATS]
        if self.value is None:
            return 0
        if not self.watching:  # ends have more in common with each other than with the beginning
            self.value.watch(self.state_of(at), seat)
            self.watching = True
        self.value.judge(self.state_of(at), points)
        self.leaves += 1
        return <float>self.value.utility(points, seat)

    cdef int32_t plan(self, const void* state, int width, int32_t limit) noexcept nogil:
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        cdef int seat = vt.to_move(rules, state), n, i, j, chosen
        cdef int32_t at = 0, best = -1, finished = self.limit
        cdef float most = -1e30, bar
        cdef action_t action
        self.call += 1
        if self.call >> CALL_BITS:
            memset(self.met, 0, self.slots * sizeof(uint64_t))
            self.call = 1
        self.used = 1
        memcpy(self.states, state, vt.state_size)
        self.found[0].before = -1
        self.found[0].ends = False
        self.complete = True
        self.watching = False
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
            if n == 1 and at > 0 and not self.found[at].forced:  # most often the end of the turn
                at += not self.go_on(at, self.legal[0])
                continue
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

    def best(self, bytes state, *, int width=ALL, int32_t limit=20_000):
        """Return (worth, actions) of the best turn found.

        Raises:
            ValueError: nobody decides.

        """
        cdef const void* s = self.game._checked(state)
        cdef action_t way[LONGEST]
        cdef int32_t at, length
        if self.game.vt.to_move(self.game.rules, s) < 0:
            raise ValueError("nobody decides")
        with nogil:
            at = self.plan(s, width, limit)
        length = min(LONGEST, self.way_to(at, way, LONGEST))
        return self.found[at].worth, [way[i] for i in range(length)]

    def turns(self, bytes state, *, int width=ALL, int32_t limit=20_000):
        """Return (worth, end, actions) of every turn found: the packed state where it ends, tidy.

        Raises:
            ValueError: nobody decides.

        """
        cdef const void* s = self.game._checked(state)
        cdef size_t size = self.game.vt.state_size
        cdef int32_t i, at, length
        cdef action_t way[LONGEST]
        if self.game.vt.to_move(self.game.rules, s) < 0:
            raise ValueError("nobody decides")
        with nogil:
            self.plan(s, width, limit)
        found = []
        for i in range(1, self.used):
            if self.found[i].ends:
                length = min(LONGEST, self.way_to(i, way, LONGEST))
                actions = [way[at] for at in range(length)]
                found.append((self.found[i].worth, (<const char*>self.state_of(i))[:size], actions))
        return found
