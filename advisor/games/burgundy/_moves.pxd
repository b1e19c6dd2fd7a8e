"""What an action does: taking, placing, selling, workers, purchases and the effects of tiles.

Owns the application of every player action up to the end of the turn (`_flow.pxd` takes over
there). Trusts that the action is legal. Page numbers are those of the 2019 rulebook.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from advisor._fastsim cimport action_t
from advisor.games.burgundy._flow cimport end_turn
from advisor.games.burgundy._loads cimport colour_set, taken
from advisor.games.burgundy._options cimport has_option, owns
from advisor.games.burgundy._scoring cimport score_animals, score_region
from advisor.games.burgundy._state cimport *


cdef inline void use_die(
    const BgRules* R, BgState* s, int seat, int die, int value, bint free
) noexcept nogil:
    """Lay a die aside, used as `value`, for the fewest workers (monasteries 8 and 9-12, p. 10)."""
    cdef int far = R.distance[die][value] - free
    far += far < 0
    s.workers[seat] -= (far + owns(s, seat, 8)) >> owns(s, seat, 8)
    # Of two equal dice the first goes first.
    s.dice_left &= 1 + (s.dice_left & (s.dice[seat][0] == die))


cdef inline uint64_t bytes_equal(uint64_t word, int byte) noexcept nogil:
    """Mark the bytes of a word that equal one byte; the lowest mark is exact."""
    word ^= <uint64_t>byte * <uint64_t>0x0101010101010101
    return (word - <uint64_t>0x0101010101010101) & ~word & <uint64_t>0x8080808080808080


cdef inline uint64_t depot_word(const BgState* s, int first) noexcept nogil:
    """Return the tiles of the depot that begins at a slot, one a byte."""
    cdef uint64_t word
    cdef uint32_t half
    if first == BLACK_SLOT:
        memcpy(&word, &s.slots[BLACK_SLOT], 8)
        return word
    memcpy(&half, &s.slots[first], 4)
    return half


cdef inline int find_slot(const BgState* s, int depot, int tile) noexcept nogil:
    """Return the first slot of a depot (0: black) that holds a tile."""
    cdef int first = BLACK_SLOT if depot == 0 else 4 * (depot - 1)
    return first + (lowest(bytes_equal(depot_word(s, first), tile)) >> 3)


cdef inline void take_tile(BgState* s, int seat, int slot, int discard) noexcept nogil:
    """Move a tile from a depot to storage; where storage is full, `discard` leaves the game (p. 4).

    Another tile of its kind in that depot is offered from now on.
    """
    cdef int tile = s.slots[slot], first = BLACK_SLOT if slot >= BLACK_SLOT else slot & ~3
    cdef uint32_t stored
    cdef uint64_t same
    s.slots[slot] = NO_TILE
    s.offered &= ~(<uint32_t>1 << slot)
    memcpy(&stored, s.storage[seat], 4)
    # Where there is room, discard is NO_TILE and stands for the first empty space.
    s.storage[seat][lowest(bytes_equal(stored, discard)) >> 3] = tile
    same = bytes_equal(depot_word(s, first), tile)
    if same:
        s.offered |= <uint32_t>1 << (first + (lowest(same) >> 3))


cdef inline void unstore(BgState* s, int seat, int tile) noexcept nogil:
    """Take a tile out of storage, closing the gap."""
    cdef uint32_t stored, below
    memcpy(&stored, s.storage[seat], 4)
    below = (<uint32_t>1 << (lowest(bytes_equal(stored, tile)) & ~7)) - 1
    stored = (stored & below) | ((stored >> 8) & ~below)
    memcpy(s.storage[seat], &stored, 4)


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


cdef inline void buy(
    const BgRules* R, BgState* s, int seat, int slot, int discard, bint with_workers
) noexcept nogil:
    """Buy a tile (p. 8; monastery 6, p. 9); inside an effect that may use up its last option."""
    if with_workers:
        s.workers[seat] -= PURCHASE
    else:
        s.silver[seat] -= PURCHASE
    s.bought = 1
    take_tile(s, seat, slot, discard)
    settle(R, s)


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
    if kind == TAKE:
        use_die(R, s, seat, die, value, owns(s, seat, 12))
        take_tile(s, seat, find_slot(s, where, tile), discard)
    elif kind == PLACE:
        use_die(R, s, seat, die, value, owns(s, seat, R.step_monastery[tile]))
        place(R, s, seat, tile, where)
    elif kind == SELL:
        use_die(R, s, seat, die, value, False)
        sell(R, s, seat, value)
    elif kind == WORKERS:
        use_die(R, s, seat, die, die, False)
        take_workers(s, seat)
    elif kind == BUY or kind == BUY_WITH_WORKERS:
        buy(R, s, seat, find_slot(s, where, tile), discard, kind == BUY_WITH_WORKERS)
    elif kind == END_TURN:
        end_turn(R, s)
    else:  # resolves the pending effect
        s.pending >>= 8
        if kind == FREE_TAKE or kind == EFFECT_TAKE:
            take_tile(s, seat, find_slot(s, where, tile), discard)
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
