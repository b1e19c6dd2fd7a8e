"""Whole turns: every sequence of actions to the end of the deciding player's turn.

Owns the enumeration, breadth first and without the GIL. Orders of actions that end in the same
position are one turn; of its ways one of the shortest is kept, and among those the one whose
actions sort first.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport Game, GameVT, action_t, fingerprint

cdef struct Link:  # how a position was found
    int32_t before
    action_t action


cdef class Turns:
    """All distinct end positions of a turn.

    Args:
        game: the rules.
        root: where the turn stands; somebody must be deciding.
        limit: at most so many positions are looked at; `complete` tells if that was all.

    """

    cdef readonly list states
    cdef readonly bint complete
    cdef list ends
    cdef Link* links

    def __cinit__(self, Game game, bytes root, int32_t limit=50_000):
        cdef const void* start = game._checked(root)
        cdef size_t size = game.vt.state_size
        cdef int seat = game.vt.to_move(game.rules, start)
        cdef int32_t slots = 1024, used = 1, i
        if limit < 2:
            raise ValueError("the limit must leave room for a turn")
        while slots < 2 * limit:
            slots *= 2
        cdef char* positions = <char*>malloc((limit + 1) * size)
        cdef uint64_t* keys = <uint64_t*>calloc(slots, sizeof(uint64_t))
        cdef action_t* legal = <action_t*>malloc(game.vt.max_actions * sizeof(action_t))
        self.links = <Link*>malloc((limit + 1) * sizeof(Link))
        try:
            if not (positions and keys and legal and self.links):
                raise MemoryError
            if seat < 0:
                raise ValueError("nobody decides")
            memcpy(positions, start, size)
            with nogil:
                used = enumerate_turns(
                    game.vt, game.rules, seat, positions, self.links, limit, keys, slots, legal
                )
            self.complete = used < limit
            self.ends = [
                i for i in range(1, used) if game.vt.to_move(game.rules, positions + i * size) != seat
            ]
            self.states = [(positions + <int32_t>i * size)[:size] for i in self.ends]
        finally:
            free(positions)
            free(keys)
            free(legal)

    def __dealloc__(self):
        free(self.links)

    def way(self, int32_t turn):
        """Return the actions of a turn."""
        cdef int32_t at = self.ends[turn]
        way = []
        while at:
            way.append(self.links[at].action)
            at = self.links[at].before
        way.reverse()
        return way


cdef int32_t enumerate_turns(
    const GameVT* vt,
    const void* rules,
    int seat,
    char* positions,
    Link* links,
    int32_t limit,
    uint64_t* keys,
    int32_t slots,
    action_t* legal,
) noexcept nogil:
    """Find all positions of the turn, at most `limit`; return how many there are."""
    cdef size_t size = vt.state_size
    cdef int32_t at = 0, used = 1
    cdef int n, i
    cdef uint64_t key[2]
    cdef char* after
    while at < used:
        if vt.to_move(rules, positions + at * size) == seat:
            n = vt.legal(rules, positions + at * size, legal)
            for i in range(n):
                if used == limit:
                    return used
                after = positions + used * size
                memcpy(after, positions + at * size, size)
                vt.apply(rules, after, legal[i])
                vt.tidy(rules, after)
                fingerprint(after, <uint32_t>size, key)
                if is_new(keys, slots, key[0]):
                    links[used].before = at
                    links[used].action = legal[i]
                    used += 1
        at += 1
    return used


cdef bint is_new(uint64_t* keys, int32_t slots, uint64_t key) noexcept nogil:
    """Tell whether a fingerprint was not met before, and remember it."""
    cdef uint64_t at
    key |= key == 0
    at = key & <uint64_t>(slots - 1)
    while keys[at]:
        if keys[at] == key:
            return False
        at = (at + 1) & <uint64_t>(slots - 1)
    keys[at] = key
    return True
