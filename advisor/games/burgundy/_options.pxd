"""What is legal: the options of the deciding player as groups of bit masks.

Owns the legality of every action. A group is a set of actions of one kind with one die, one bit an
action, so options are counted by popcount and a random one is drawn without listing the others;
`legal` lists the same groups. Ship loads (`_loads.pxd`) are the only options listed one by one.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from advisor._fastsim cimport action_t
from advisor.games.burgundy._state cimport *

# The groups of an `Options`, each of one kind of action with one die. A castle's free die and the
# other effects use the places of the first die.
cdef enum:
    LEAVING = 0  # `end` or `skip`
    PURCHASES = 1
    PURCHASES_WITH_WORKERS = 2
    TAKES = 3
    PLACEMENTS = 4  # three: one for each stored tile
    SALES = 7
    TAKING_WORKERS = 8
    SECOND_DIE = 9  # the second die has the groups from here on
    GROUPS = 15

# What to add to TAKE, PLACE, SELL or WORKERS to get the kind of action.
cdef enum:
    BY_DIE = 0
    BY_CASTLE = 6
    BY_EFFECT = 10


cdef struct Options:
    uint64_t mask[GROUPS]  # cells, slots, goods (bottom of each nibble), or bit 0 for a lone action
    uint32_t count[GROUPS]  # actions in the group, discards included
    uint32_t total
    uint32_t before_dice  # options in the groups before TAKES
    uint32_t before_second  # options in the groups before SECOND_DIE
    uint32_t by  # BY_DIE, BY_CASTLE or BY_EFFECT
    uint32_t dice[2]  # what the first and the second die show
    uint8_t stored[STORAGE]  # the different tiles in storage, NO_TILE for a repeated one
    bint full  # storage is full: taking a tile means discarding one of `stored`


cdef struct Reach:  # what the dice of one player have in common
    const BgBoard* board
    uint64_t cells[STORAGE]  # for each stored tile, whatever the die
    int far[STORAGE]  # how far a die may be changed to place it
    int take_far
    int sell_far
    uint32_t offered
    uint32_t goods
    uint32_t times  # ways to store one more tile


cdef inline void offer(Options* o, int group, uint64_t mask, uint32_t times) noexcept nogil:
    """Fill a group; `times` is the number of ways to discard."""
    cdef uint32_t count = <uint32_t>popcount(mask) * times
    o.mask[group] = mask
    o.count[group] = count
    o.total += count


cdef inline bint owns(const BgState* s, int seat, int monastery) noexcept nogil:
    """Tell whether a monastery stands in the seat's estate."""
    return (s.monasteries[seat] >> monastery) & 1


cdef inline uint64_t cells_for(const BgRules* R, const BgState* s, int seat, int tile) noexcept nogil:
    """Return the cells a tile may go to, whatever the die: colour, adjacency, city limit (p. 5-6).

    The limit of one building of a kind per city ends with monastery 1. Tiles without a city, and
    NO_TILE, have entries in the tables that make them come out right without a question asked.
    """
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint64_t limited = board.city_cells[s.cities[seat][R.city_kind[tile]]]
    limited &= <uint64_t>owns(s, seat, 1) - 1
    return s.frontier[seat] & board.tile_cells[tile] & ~limited


cdef inline int steps(const BgState* s, int seat) noexcept nogil:
    """Return how far the seat's workers can change a die (monastery 8: two steps a worker)."""
    cdef int far = <int>s.workers[seat] << owns(s, seat, 8)
    return FAR if far > FAR else far


cdef inline int with_free_step(int far, bint free) noexcept nogil:
    """Add the free step of monasteries 9-12."""
    far += free
    return FAR if far > FAR else far


cdef inline uint32_t depots_open(const BgState* s, int seat) noexcept nogil:
    """Return the slots a purchase may take from: the black depot, with monastery 6 all seven."""
    if owns(s, seat, 6):
        return s.offered
    return s.offered & <uint32_t>0xFF000000


cdef inline bint can_pay(const BgRules* R, const BgState* s, int seat) noexcept nogil:
    """Tell whether a seat has what a purchase costs: silverlings, or workers with monastery 6."""
    if s.silver[seat] >= PURCHASE:
        return True
    return R.purchase_with_workers and owns(s, seat, 6) and s.workers[seat] >= PURCHASE


cdef inline bint may_buy(const BgRules* R, const BgState* s, int seat) noexcept nogil:
    """Tell whether a purchase is legal now, timing of the pending effect left aside."""
    return not s.bought and depots_open(s, seat) != 0 and can_pay(R, s, seat)


cdef inline uint32_t effect_slots(const BgRules* R, const BgState* s, int building) noexcept nogil:
    """Return the slots a carpenter, church or market may take from (2019 p. 6)."""
    cdef const uint32_t* of = R.slots_of_colour[s.phase]
    if building == CARPENTER:
        return s.offered & of[BUILDING]
    if building == CHURCH:
        return s.offered & (of[PIT] | of[MONASTERY] | of[FORTRESS])
    return s.offered & (of[RIVER] | of[ANIMAL])


cdef inline uint32_t note_storage(const BgState* s, int seat, Options* o) noexcept nogil:
    """Note the different tiles in storage, NO_TILE for a repeated one; return the ways to store one
    more: 1 while there is room, else one for each different tile that could be discarded.
    """
    cdef uint8_t a = s.storage[seat][0], b = s.storage[seat][1], c = s.storage[seat][2]
    cdef bint b_differs = b != a, c_differs = (c != a) & (c != b)
    o.stored[0] = a
    o.stored[1] = b if b_differs else NO_TILE
    o.stored[2] = c if c_differs else NO_TILE
    o.full = c != NO_TILE
    return 1 + b_differs + c_differs if o.full else 1


cdef inline void offer_purchases(
    const BgRules* R, const BgState* s, int seat, Options* o, uint32_t times
) noexcept nogil:
    """Offer the once-a-turn purchase (2019 p. 8; monastery 6, p. 9)."""
    cdef uint32_t open_slots = depots_open(s, seat) & (<uint32_t>(s.bought != 0) - 1)
    offer(o, PURCHASES, open_slots & (<uint32_t>(s.silver[seat] < PURCHASE) - 1), times)
    if owns(s, seat, 6) and R.purchase_with_workers and s.workers[seat] >= PURCHASE:
        offer(o, PURCHASES_WITH_WORKERS, open_slots, times)


cdef inline void offer_die(
    const BgRules* R, Options* o, const Reach* reach, int die, int base
) noexcept nogil:
    """Offer the four actions of one die (2019 pp. 4-8)."""
    cdef const uint64_t* near = reach.board.reach[die]
    cdef uint64_t takes = reach.offered & R.depot_reach[die][reach.take_far]
    cdef uint64_t first = reach.cells[0] & near[reach.far[0]]
    cdef uint64_t second = reach.cells[1] & near[reach.far[1]]
    cdef uint64_t third = reach.cells[2] & near[reach.far[2]]
    cdef uint64_t sales = reach.goods & R.good_reach[die][reach.sell_far]
    cdef uint32_t n_takes = <uint32_t>popcount(takes) * reach.times, n_first = popcount(first)
    cdef uint32_t n_second = popcount(second), n_third = popcount(third), n_sales = popcount(sales)
    o.mask[base + TAKES] = takes
    o.mask[base + PLACEMENTS] = first
    o.mask[base + PLACEMENTS + 1] = second
    o.mask[base + PLACEMENTS + 2] = third
    o.mask[base + SALES] = sales
    o.mask[base + TAKING_WORKERS] = 1
    o.count[base + TAKES] = n_takes
    o.count[base + PLACEMENTS] = n_first
    o.count[base + PLACEMENTS + 1] = n_second
    o.count[base + PLACEMENTS + 2] = n_third
    o.count[base + SALES] = n_sales
    o.count[base + TAKING_WORKERS] = 1
    o.total += n_takes + n_first + n_second + n_third + n_sales + 1


cdef inline void offer_dice(
    const BgRules* R, const BgState* s, int seat, Options* o, uint32_t times
) noexcept nogil:
    """Offer the actions of each unused die; equal dice count once."""
    cdef Reach reach
    cdef uint32_t placed = s.monasteries[seat]
    cdef int far = steps(s, seat), i, first, second = s.dice[seat][1], left = s.dice_left
    reach.times = times
    reach.board = &R.boards[seat]
    reach.offered = s.offered
    reach.goods = kinds_of_goods(s.goods[seat])
    reach.sell_far = far
    reach.take_far = with_free_step(far, (placed >> 12) & 1)
    for i in range(STORAGE):
        reach.cells[i] = cells_for(R, s, seat, o.stored[i])
        reach.far[i] = with_free_step(far, (placed >> R.step_monastery[o.stored[i]]) & 1)
    first = s.dice[seat][0] if left & 1 else second
    o.by = BY_DIE
    o.dice[0] = first
    offer_die(R, o, &reach, first, 0)
    o.before_second = o.total
    if left == 3 and first != second:
        o.dice[1] = second
        offer_die(R, o, &reach, second, SECOND_DIE - TAKES)


cdef inline void offer_placements(const BgRules* R, const BgState* s, int seat, Options* o) noexcept nogil:
    """Offer every stored tile on every cell it fits, whatever the number."""
    cdef int i
    for i in range(STORAGE):
        offer(o, PLACEMENTS + i, cells_for(R, s, seat, o.stored[i]), 1)


cdef inline void survey(const BgRules* R, const BgState* s, Options* o) noexcept nogil:
    """Collect every option of the deciding player, except the loads of a pending ship."""
    cdef int seat = seat_to_move(s)
    cdef int effect = s.pending & 0xFF
    cdef uint32_t times = note_storage(s, seat, o)
    memset(o.count, 0, sizeof(o.count))
    o.total = 0
    if effect == 0:
        if s.dice_left == 0:
            offer(o, LEAVING, 1, 1)
        offer_purchases(R, s, seat, o, times)
        o.before_dice = o.total
        o.before_second = o.total
        if s.dice_left:
            offer_dice(R, s, seat, o, times)
        return
    o.dice[0] = 0
    o.by = BY_EFFECT
    if effect != CASTLE:
        offer(o, LEAVING, 1, 1)
    if R.purchase_during_effects and (effect == CASTLE or effect == CITY_HALL):
        offer_purchases(R, s, seat, o, times)
    o.before_dice = o.total
    if effect == CASTLE:  # like a die of any number (2019 p. 5)
        o.by = BY_CASTLE
        offer(o, TAKES, s.offered & <uint32_t>0x00FFFFFF, times)
        offer_placements(R, s, seat, o)
        offer(o, SALES, kinds_of_goods(s.goods[seat]), 1)
        offer(o, TAKING_WORKERS, 1, 1)
    elif effect == CITY_HALL:
        offer_placements(R, s, seat, o)
    elif effect == WAREHOUSE:
        offer(o, SALES, kinds_of_goods(s.goods[seat]), 1)
    else:
        offer(o, TAKES, effect_slots(R, s, effect), times)
    o.before_second = o.total


cdef inline int discarded(const Options* o, int n) noexcept nogil:
    """Return the stored tile that goes with discard number n."""
    if n and o.stored[1] == NO_TILE:  # the second stored tile repeats the first
        return o.stored[2]
    return o.stored[n]


cdef inline action_t packed(int kind, int die, int value, int place, int tile, int discard) noexcept nogil:
    """Return a packed action; `_state.pxd` draws the bits."""
    return (
        (<uint32_t>kind << KIND_SHIFT)
        | (<uint32_t>die << DIE_SHIFT)
        | (<uint32_t>value << VALUE_SHIFT)
        | (<uint32_t>place << PLACE_SHIFT)
        | (<uint32_t>tile << TILE_SHIFT)
        | (<uint32_t>discard << DISCARD_SHIFT)
    )


cdef inline action_t packed_take(const BgState* s, const Options* o, int die, int slot, int discard) noexcept nogil:
    """Return the action that takes the tile in a slot, by die or by effect."""
    cdef int depot = (slot >> 2) + 1
    return packed(
        TAKE + o.by, die, depot if o.by == BY_DIE else 0, depot, s.slots[slot], discard
    )


cdef inline action_t packed_purchase(const BgState* s, int slot, int discard, bint with_workers) noexcept nogil:
    """Return the action that buys the tile in a slot."""
    cdef int depot = 0 if slot >= BLACK_SLOT else (slot >> 2) + 1
    return packed(BUY_WITH_WORKERS if with_workers else BUY, 0, 0, depot, s.slots[slot], discard)


cdef inline action_t packed_placement(
    const BgBoard* board, const Options* o, int die, int tile, int cell
) noexcept nogil:
    """Return the action that places a stored tile."""
    return packed(PLACE + o.by, die, board.die_number[cell] if o.by == BY_DIE else 0, cell, tile, 0)


cdef inline int spell_out(
    const BgRules* R, const BgState* s, const Options* o, int group, action_t* out
) noexcept nogil:
    """Write the actions of a group; return how many they are."""
    cdef bint second = group >= SECOND_DIE
    cdef int die = o.dice[second], part = group - (SECOND_DIE - TAKES) if second else group
    cdef int n = 0, bit, discard, discards, thrown
    cdef uint64_t mask = o.mask[group]
    cdef const BgBoard* board = &R.boards[seat_to_move(s)]
    if PLACEMENTS <= part < SALES:
        while mask:
            out[n] = packed_placement(board, o, die, o.stored[part - PLACEMENTS], lowest(mask))
            n += 1
            mask &= mask - 1
        return n
    if part == SALES:
        while mask:
            out[n] = packed(SELL + o.by, die, (lowest(mask) >> 2) + 1, 0, 0, 0)
            n += 1
            mask &= mask - 1
        return n
    if part == TAKING_WORKERS:
        out[0] = packed(WORKERS + o.by, die, 0, 0, 0, 0)
        return 1
    if part == LEAVING:
        out[0] = packed(SKIP if s.pending else END_TURN, 0, 0, 0, 0, 0)
        return 1
    discards = <int>o.count[group] / popcount(mask)
    while mask:
        bit = lowest(mask)
        for discard in range(discards):
            thrown = discarded(o, discard) if o.full else NO_TILE
            if part == TAKES:
                out[n] = packed_take(s, o, die, bit, thrown)
            else:
                out[n] = packed_purchase(s, bit, thrown, part == PURCHASES_WITH_WORKERS)
            n += 1
        mask &= mask - 1
    return n


cdef inline bint has_option(const BgRules* R, const BgState* s, int effect) noexcept nogil:
    """Tell whether a pending effect offers anything besides `skip`; without, it is over."""
    cdef int seat = seat_to_move(s), i, tile
    if effect == CASTLE:
        return True  # workers can always be taken
    if effect == CITY_HALL:
        for i in range(STORAGE):
            tile = s.storage[seat][i]
            if tile and cells_for(R, s, seat, tile):
                return True
        return R.purchase_during_effects and may_buy(R, s, seat)
    if effect == WAREHOUSE:
        return s.goods[seat] != 0
    if effect == SHIP:
        for i in range(DEPOTS):
            if loadable(s.goods[seat], s.depot_goods[i]):
                return True
        return False
    return effect_slots(R, s, effect) != 0


cdef inline uint32_t loadable(uint32_t owned, uint32_t lying) noexcept nogil:
    """Return the colours (bottom of nibbles) that could be loaded from a depot (2019 p. 5)."""
    cdef uint32_t colours = kinds_of_goods(lying)
    owned = kinds_of_goods(owned)
    if popcount(owned) < GOODS_SPACES:
        return colours
    return colours & owned
