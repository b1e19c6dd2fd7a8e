"""What an action does: taking, placing, selling, workers, purchases and the effects of tiles.

Owns the application of every player action up to the end of the turn (`_flow.pxd` takes over
there). Trusts that the action is legal. Page numbers are those of the 2019 rulebook.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from advisor._fastsim cimport action_t
from advisor.games.burgundy._flow cimport end_turn
from advisor.games.burgundy._loads cimport colour_set, taken
from advisor.games.burgundy._options cimport (
    BY_DIE,
    LEAVING,
    PLACEMENTS,
    PURCHASES,
    PURCHASES_WITH_WORKERS,
    SALES,
    SECOND_DIE,
    TAKES,
    TAKING_WORKERS,
    Options,
    discarded,
    has_option,
    owns,
)
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
    s.dice_left &= 2 if s.dice_left & 1 and s.dice[seat][0] == die else 1


cdef inline uint64_t bytes_equal(uint64_t word, int byte) noexcept nogil:
    """Mark the bytes of a word that equal one byte; the lowest mark is exact."""
    word ^= <uint64_t>byte * <uint64_t>0x0101010101010101
    return (word - <uint64_t>0x0101010101010101) & ~word & <uint64_t>0x8080808080808080


cdef inline int find_slot(const BgState* s, int depot, int tile) noexcept nogil:
    """Return the first slot of a depot (0: black) that holds a tile."""
    cdef int first = BLACK_SLOT if depot == 0 else 4 * (depot - 1)
    cdef uint64_t word = 0
    memcpy(&word, &s.slots[first], 8 if depot == 0 else 4)
    return first + (lowest(bytes_equal(word, tile)) >> 3)


cdef inline void take_tile(BgState* s, int seat, int slot, int discard) noexcept nogil:
    """Move a tile from a depot to storage; where storage is full, `discard` leaves the game (p. 4).

    Another tile of its kind in that depot is offered from now on.
    """
    cdef int tile = s.slots[slot], i = 0, end = SLOTS if slot >= BLACK_SLOT else (slot | 3) + 1
    s.slots[slot] = NO_TILE
    s.offered &= ~(<uint32_t>1 << slot)
    while s.storage[seat][i] != discard:  # discard is NO_TILE where there is room
        i += 1
    s.storage[seat][i] = tile
    for i in range(slot + 1, end):
        if s.slots[i] == tile:
            s.offered |= <uint32_t>1 << i
            return


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


cdef inline void play_option(
    const BgRules* R, BgState* s, const Options* o, int group, int bit, int discard
) noexcept nogil:
    """Play one option of a survey: `apply_action(action_at(...))` without spelling it out.

    The same verbs on the same numbers; a test holds the two equal. Random playouts live here.
    """
    cdef int seat = seat_to_move(s), value
    cdef bint second = group >= SECOND_DIE
    cdef int part = group - (SECOND_DIE - TAKES) if second else group
    cdef int die = o.dice[second], tile = NO_TILE
    if o.full and (part == TAKES or part == PURCHASES or part == PURCHASES_WITH_WORKERS):
        tile = discarded(o, discard)
    if part == LEAVING:
        if s.pending == 0:
            end_turn(R, s)
            return
        s.pending >>= 8
    elif part == PURCHASES or part == PURCHASES_WITH_WORKERS:
        buy(R, s, seat, bit, tile, part == PURCHASES_WITH_WORKERS)
        return
    elif part == TAKES:
        if o.by == BY_DIE:
            use_die(R, s, seat, die, (bit >> 2) + 1, owns(s, seat, 12))
        else:
            s.pending >>= 8
        take_tile(s, seat, bit, tile)
    elif part == SALES:
        value = (bit >> 2) + 1
        if o.by == BY_DIE:
            use_die(R, s, seat, die, value, False)
        else:
            s.pending >>= 8
        sell(R, s, seat, value)
    elif part == TAKING_WORKERS:
        if o.by == BY_DIE:
            use_die(R, s, seat, die, die, False)
        else:
            s.pending >>= 8
        take_workers(s, seat)
    else:
        tile = o.stored[part - PLACEMENTS]
        if o.by == BY_DIE:
            value = R.boards[seat].die_number[bit]
            use_die(R, s, seat, die, value, owns(s, seat, R.step_monastery[tile]))
        else:
            s.pending >>= 8
        place(R, s, seat, tile, bit)
        return
    settle(R, s)
