"""The kernel's Python side: single steps for the library and tests, batches of playouts in nogil.

Owns nothing of any game; it calls the verbs of `GameVT`. States travel as `bytes`. Python steps in
only between batches, so the caller decides how often the clock, Ctrl-C and progress are looked at.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy


def substream(uint64_t seed, uint64_t index):
    """Return the seed of a sub-stream of luck."""
    return stream(seed, index)


def nth_draw(uint64_t seed, int n):
    """Return draw number n, counted from 1, of a stream of luck."""
    cdef uint64_t drawn = 0
    for _ in range(n):
        drawn = next64(&seed)
    return drawn


cdef class Game:
    """One game under fixed rules. Sub-classes fill `vt` and `rules`."""

    @property
    def state_size(self):
        """Bytes of a packed state."""
        return self.vt.state_size

    @property
    def players(self):
        """Number of seats."""
        return self.vt.players

    @property
    def sources(self):
        """Number of kinds of points told apart."""
        return self.vt.sources

    @property
    def max_actions(self):
        """Upper bound of the number of legal actions."""
        return self.vt.max_actions

    @property
    def policies(self):
        """Number of policies that `choose` and `playouts` know."""
        return self.vt.policies

    @property
    def traits(self):
        """Upper bound of the traits a learned value looks at; 0 where the game has none."""
        return self.vt.traits

    @property
    def chapters(self):
        """Stretches of the game that a learned value tells apart."""
        return self.vt.chapters

    cdef const void* _checked(self, bytes state) except NULL:
        if len(state) != <Py_ssize_t>self.vt.state_size:
            raise ValueError(f"a packed state has {self.vt.state_size} bytes, not {len(state)}")
        return <const void*><const char*>state

    cdef bytearray _copied(self, bytes state):
        self._checked(state)
        return bytearray(state)

    def to_move(self, bytes state):
        """Return the deciding seat, -1 where chance decides, -2 when the game is over."""
        return self.vt.to_move(self.rules, self._checked(state))

    def chances(self, bytes state):
        """Return how many chance events are still to come."""
        return self.vt.chances(self.rules, self._checked(state))

    def legal(self, bytes state):
        """Return the legal actions, packed, ascending."""
        cdef const void* s = self._checked(state)
        cdef action_t* out = <action_t*>malloc(self.vt.max_actions * sizeof(action_t))
        cdef int n, i
        if out == NULL:
            raise MemoryError
        try:
            n = self.vt.legal(self.rules, s, out)
            return [out[i] for i in range(n)]
        finally:
            free(out)

    def apply(self, bytes state, action_t action):
        """Return the state after a legal action."""
        cdef bytearray after = self._copied(state)
        self.vt.apply(self.rules, <void*><char*>after, action)
        return bytes(after)

    def choose(self, bytes state, int policy, uint64_t seed):
        """Return the action a policy plays where a player decides."""
        cdef const void* s = self._checked(state)
        if not 0 <= policy < <int>self.vt.policies or self.vt.to_move(self.rules, s) < 0:
            raise ValueError("no such policy, or nobody decides here")
        return self.vt.choose(self.rules, s, policy, seed)

    def describe(self, bytes state, int seat, int part):
        """Return the traits of a seat that hold: of its own things (part 0), its surroundings (1)."""
        cdef const void* s = self._checked(state)
        cdef uint16_t* out = <uint16_t*>malloc(self.vt.max_traits * sizeof(uint16_t))
        cdef int n, i
        if out == NULL:
            raise MemoryError
        try:
            n = self.vt.describe(self.rules, s, seat, part, out)
            return [out[i] for i in range(n) if out[i]]
        finally:
            free(out)

    def certain(self, bytes state, int seat):
        """Return the points a seat is sure to have at the end."""
        return self.vt.certain(self.rules, self._checked(state), seat)

    def chance(self, bytes state, uint64_t world):
        """Return the state after the chance event it waits for, as it falls in `world`."""
        cdef bytearray after = self._copied(state)
        self.vt.chance(self.rules, <void*><char*>after, world)
        return bytes(after)

    def determinize(self, bytes state, int seat, uint64_t world):
        """Return the state with what `seat` cannot know drawn anew."""
        cdef bytearray after = self._copied(state)
        self.vt.determinize(self.rules, <void*><char*>after, seat, world)
        return bytes(after)

    def tidy(self, bytes state):
        """Return the state with what has no order in one order: equal positions, equal bytes."""
        cdef bytearray after = self._copied(state)
        self.vt.tidy(self.rules, <void*><char*>after)
        return bytes(after)

    def returns(self, bytes state):
        """Return (points, wins), a list each with one number a seat."""
        cdef double points[8]
        cdef double wins[8]
        cdef uint32_t i
        self.vt.returns(self.rules, self._checked(state), points, wins)
        return [points[i] for i in range(self.vt.players)], [wins[i] for i in range(self.vt.players)]

    def points(self, bytes state):
        """Return for each seat its points by source, gained since the state was packed."""
        cdef const void* s = self._checked(state)
        cdef uint32_t seat, source, sources = self.vt.sources
        cdef int32_t* out = <int32_t*>malloc(self.vt.players * sources * sizeof(int32_t))
        if out == NULL:
            raise MemoryError
        try:
            self.vt.points(self.rules, s, out)
            return [
                [out[seat * sources + source] for source in range(sources)]
                for seat in range(self.vt.players)
            ]
        finally:
            free(out)

    def playouts(
        self,
        bytes state,
        int32_t[:, ::1] scores,
        uint8_t[:, ::1] wins,
        int32_t[:, :, ::1] points,
        int32_t[::1] decisions,
        *,
        int policy,
        uint64_t seed,
        uint64_t first,
    ):
        """Play `state` out once for each row of the arrays, without the GIL.

        Row i is playout number `first + i`; its luck depends on that number and the seed alone, so
        a run may be cut into batches and spread over threads without changing any result.
        """
        cdef const void* root = self._checked(state)
        cdef const GameVT* vt = self.vt
        cdef const void* rules = self.rules
        cdef Py_ssize_t count = scores.shape[0], i
        cdef uint32_t seat
        cdef uint64_t world
        cdef double final[8]
        cdef double won[8]
        cdef void* s
        if not (wins.shape[0] == points.shape[0] == decisions.shape[0] == count):
            raise ValueError("the result arrays differ in length")
        if not (scores.shape[1] == wins.shape[1] == points.shape[1] == <Py_ssize_t>vt.players):
            raise ValueError(f"the result arrays need one column for each of {vt.players} seats")
        if not 0 <= policy < <int>vt.policies:
            raise ValueError(f"policy {policy}; the game has {vt.policies}")
        if points.shape[2] != <Py_ssize_t>vt.sources:
            raise ValueError(f"the points array needs {vt.sources} sources")
        s = malloc(vt.state_size)
        if s == NULL:
            raise MemoryError
        with nogil:
            for i in range(count):
                memcpy(s, root, vt.state_size)
                world = stream(seed, first + <uint64_t>i)
                vt.determinize(rules, s, 0, world)
                decisions[i] = vt.playout(rules, s, policy, world, mix(world))
                vt.returns(rules, s, final, won)
                for seat in range(vt.players):
                    scores[i, seat] = <int32_t>final[seat]
                    wins[i, seat] = <uint8_t>won[seat]
                vt.points(rules, s, &points[i, 0, 0])
        free(s)

    def copies(self, bytes state, uint64_t count):
        """Copy a state `count` times without the GIL (the bench measures this)."""
        cdef const void* root = self._checked(state)
        cdef char* ring = <char*>malloc(2 * self.vt.state_size)
        cdef size_t size = self.vt.state_size
        cdef uint64_t i
        if ring == NULL:
            raise MemoryError
        memcpy(ring, root, size)
        with nogil:
            for i in range(count):
                # Alternate the halves through a changing byte, so that no copy can be left out.
                ring[(i & 1) * size] += 1
                memcpy(ring + ((i + 1) & 1) * size, ring + (i & 1) * size, size)
        free(ring)
