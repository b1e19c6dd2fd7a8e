"""What an action does: taking, placing, selling, workers, purchases and the effects of tiles.

Owns the application of every player action up to the end of the turn (`_flow.pxd` takes over
there). Trusts that the action is legal. Page numbers are those of the 2019 rulebook.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from advisor._fastsim cimport action_t
from advisor.games.burgundy._flow cimport end_turn
from advisor.games.burgundy._loads cimport colour_set, taken
from advisor.games.burgundy._options cimport has_option, owns
from advisor.games.burgundy._scoring cimport score_animals, score_region
from advisor.games.burgundy._state cimport *


cdef inline int distance(int a, int b) noexcept nogil:
    """Return the number of steps between two die numbers; 6 and 1 are neighbours (p. 4)."""
    cdef int d = a - b if a > b else b - a
    return 6 - d if d > 3 else d


cdef inline int workers_for(const BgState* s, int seat, int die, int value, bint free) noexcept nogil:
    """Return the fewest workers that turn a die into a value (monasteries 8 and 9-12, p. 10)."""
    cdef int d = distance(die, value) - free
    if d <= 0:
        return 0
    return (d + 1) // 2 if owns(s, seat, 8) else d


cdef inline void use_die(BgState* s, int seat, int die) noexcept nogil:
    """Lay a used die aside."""
    if s.dice_left & 1 and s.dice[seat][0] == die:
        s.dice_left &= 2
    else:
        s.dice_left &= 1


cdef inline uint64_t bytes_equal(uint64_t word, int byte) noexcept nogil:
    """Mark the bytes of a word that equal one byte; the lowest mark is exact."""
    word ^= <uint64_t>byte * <uint64_t>0x0101010101010101
    return (word - <uint64_t>0x0101010101010101) & ~word & <uint64_t>0x8080808080808080


cdef inline void take_tile(BgState* s, int depot, int tile) noexcept nogil:
    """Remove a tile from a depot (0: black); another of its kind there is offered from now on."""
    cdef int first = BLACK_SLOT if depot == 0 else 4 * (depot - 1), slot
    cdef uint64_t word = 0, found
    memcpy(&word, &s.slots[first], 8 if depot == 0 else 4)
    found = bytes_equal(word, tile)
    slot = first + (lowest(found) >> 3)
    s.slots[slot] = NO_TILE
    s.offered &= ~(<uint32_t>1 << slot)
    found &= found - 1
    while found:  # rare: a second tile of this kind, or a false mark above the first
        slot = first + (lowest(found) >> 3)
        if s.slots[slot] == tile:
            s.offered |= <uint32_t>1 << slot
            return
        found &= found - 1


cdef inline void store(BgState* s, int seat, int tile, int discard) noexcept nogil:
    """Put a tile into storage; where storage is full, `discard` leaves the game first (p. 4)."""
    cdef int i = 0
    while s.storage[seat][i] != discard:  # discard is NO_TILE where there is room
        i += 1
    s.storage[seat][i] = tile


cdef inline void unstore(BgState* s, int seat, int tile) noexcept nogil:
    """Take a tile out of storage, closing the gap."""
    cdef uint8_t* stored = s.storage[seat]
    if stored[0] == tile:
        stored[0] = stored[1]
        stored[1] = stored[2]
    elif stored[1] == tile:
        stored[1] = stored[2]
    stored[2] = NO_TILE


cdef inline void advance_marker(const BgRules* R, BgState* s, int seat) noexcept nogil:
    """Move a marker one step on the track, on top of those already there (p. 5)."""
    cdef int i = 0, at = 0
    s.track[seat] += 1
    while s.next_order[at] != seat:
        at += 1
    while s.track[s.next_order[i]] > s.track[seat]:
        i += 1
    while at > i:
        s.next_order[at] = s.next_order[at - 1]
        at -= 1
    s.next_order[i] = seat


cdef inline void wait_for(BgState* s, int effect) noexcept nogil:
    """Add an effect with a choice to what is pending."""
    s.pending = (s.pending << 8) | <uint32_t>effect


cdef inline void settle(const BgRules* R, BgState* s) noexcept nogil:
    """Drop pending effects that have no option left."""
    while s.pending and not has_option(R, s, s.pending & 0xFF):
        s.pending >>= 8


cdef inline void place(const BgRules* R, BgState* s, int seat, int tile, int cell) noexcept nogil:
    """Move a tile from storage to the estate: points at once, then its effect (pp. 5-8)."""
    cdef const BgBoard* board = &R.boards[seat]
    unstore(s, seat, tile)
    s.estate[seat][cell] = tile
    s.filled[seat] |= <uint64_t>1 << cell
    s.frontier[seat] = (s.frontier[seat] | board.neighbours[cell]) & ~s.filled[seat]
    if tile >= FIRST_MONASTERY:
        s.monasteries[seat] |= <uint32_t>1 << (tile - FIRST_MONASTERY + 1)
    elif tile >= FIRST_ANIMAL:
        score_animals(R, s, seat, cell)
    elif tile == SHIP:
        advance_marker(R, s, seat)
        wait_for(s, SHIP)
    elif tile == CASTLE:
        wait_for(s, CASTLE)
    elif tile != MINE:
        s.cities[seat][tile - WAREHOUSE] |= board.city_bit[cell]
        if tile == WATCHTOWER:
            gain(s, seat, WATCHTOWERS, 4)
        elif tile == BOARDING_HOUSE:
            s.workers[seat] += 4
        elif tile == BANK:
            s.silver[seat] += 2
        else:
            wait_for(s, tile)
    score_region(R, s, seat, cell)
    settle(R, s)


cdef inline void sell(const BgRules* R, BgState* s, int seat, int good) noexcept nogil:
    """Sell all goods of one colour (p. 8; monasteries 3 and 4, p. 9)."""
    cdef int shift = 4 * (good - 1)
    cdef uint32_t tiles = (s.goods[seat] >> shift) & 15
    s.goods[seat] -= tiles << shift
    s.sold[seat] += tiles << shift
    s.silver[seat] += 1 + owns(s, seat, 3)
    s.workers[seat] += owns(s, seat, 4)
    gain(s, seat, GOODS, <int>tiles * R.sale_points)


cdef inline void take_workers(BgState* s, int seat) noexcept nogil:
    """Take two workers (p. 8; monasteries 13 and 14, p. 10)."""
    s.workers[seat] += 4 if owns(s, seat, 14) else 2
    s.silver[seat] += owns(s, seat, 13)


cdef inline void load_depot(BgState* s, int seat, int depot, uint32_t keep) noexcept nogil:
    """Move the goods of a depot that fit to the player; the others stay there (p. 5)."""
    cdef uint32_t lying = s.depot_goods[depot - 1], moved = 0
    cdef uint32_t colours = taken(colour_set(s.goods[seat]), colour_set(lying), keep)
    cdef int i
    for i in range(6):
        if (colours >> i) & 1:
            moved |= lying & (<uint32_t>15 << (4 * i))
    s.depot_goods[depot - 1] -= moved
    s.goods[seat] += moved


cdef inline void apply_action(const BgRules* R, BgState* s, action_t action) noexcept nogil:
    """Play one legal action of the deciding player."""
    cdef int kind = action >> KIND_SHIFT
    cdef int die = (action >> DIE_SHIFT) & 7
    cdef int value = (action >> VALUE_SHIFT) & 7
    cdef int where = (action >> PLACE_SHIFT) & 63
    cdef int tile = (action >> TILE_SHIFT) & 63
    cdef int discard = (action >> DISCARD_SHIFT) & 63
    cdef int seat = seat_to_move(s)
    cdef bint free
    if kind == TAKE:
        s.workers[seat] -= workers_for(s, seat, die, value, owns(s, seat, 12))
        use_die(s, seat, die)
        take_tile(s, where, tile)
        store(s, seat, tile, discard)
    elif kind == PLACE:
        free = owns(s, seat, R.step_monastery[tile])
        s.workers[seat] -= workers_for(s, seat, die, value, free)
        use_die(s, seat, die)
        place(R, s, seat, tile, where)
    elif kind == SELL:
        s.workers[seat] -= workers_for(s, seat, die, value, False)
        use_die(s, seat, die)
        sell(R, s, seat, value)
    elif kind == WORKERS:
        use_die(s, seat, die)
        take_workers(s, seat)
    elif kind == BUY or kind == BUY_WITH_WORKERS:
        if kind == BUY:
            s.silver[seat] -= PURCHASE
        else:
            s.workers[seat] -= PURCHASE
        s.bought = 1
        take_tile(s, where, tile)
        store(s, seat, tile, discard)
        settle(R, s)
    elif kind == END_TURN:
        end_turn(R, s)
    else:  # resolves the pending effect
        s.pending >>= 8
        if kind == FREE_TAKE or kind == EFFECT_TAKE:
            take_tile(s, where, tile)
            store(s, seat, tile, discard)
        elif kind == FREE_PLACE or kind == EFFECT_PLACE:
            place(R, s, seat, tile, where)
        elif kind == FREE_SELL or kind == EFFECT_SELL:
            sell(R, s, seat, value)
        elif kind == FREE_WORKERS:
            take_workers(s, seat)
        elif kind == LOAD:
            load_depot(s, seat, where, tile)
            if value:
                load_depot(s, seat, value, discard)
        settle(R, s)
