"""What a position looks like to the learned value: numbered traits of a seat that hold or do not.

Owns the traits. They come in two parts: the seat's own estate and possessions, and its surroundings
(what the depots offer it, its dice, the others, the time). No trait knows a board's number: estates
are told by their regions, so that one value serves all boards and any mix of them. Whatever is
certain to be worth points is counted in `certain_points`, not learnt.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from advisor.games.burgundy._options cimport cells_for, loadable, owns
from advisor.games.burgundy._scoring cimport (
    animals_on,
    count_goods,
    monastery_points,
    species,
)
from advisor.games.burgundy._state cimport *

# Where each group of traits begins; a group is a table, its numbers run over the indices given.
cdef enum:
    REGION = 0  # colour 6, size 8, filled 9, within reach 2
    PASTURE = REGION + 864  # animals of its strongest species 16, empty cells 7
    KIND = PASTURE + 112  # kind of building 8, cells it could go to now 4
    FRONTIER = KIND + 32  # colour 6, cells within reach 6
    STORED = FRONTIER + 36  # tile 64, a cell for it is within reach 2
    NUMBERS = STORED + 128  # colour 6, die numbers that would place a stored tile 7
    STORAGE_USED = NUMBERS + 42  # tiles in storage 4
    ABILITY = STORAGE_USED + 4  # monastery 27, phase 5
    MINES = ABILITY + 135  # mines 6, phase 5
    WORKER_COUNT = MINES + 30  # workers 12, phase 5
    SILVER_COUNT = WORKER_COUNT + 60  # silver 12, phase 5
    CARGO = SILVER_COUNT + 60  # goods of one colour 8
    CARGO_KINDS = CARGO + 8  # colours aboard 4
    EMPTY = CARGO_KINDS + 4  # empty cells 38
    SHIPS = EMPTY + 38  # steps on the track 8
    OWN_TRAITS = SHIPS + 8
    OFFER = OWN_TRAITS  # tile 64, use for it 3
    OFFERED_COLOUR = OFFER + 192  # colour 6, tiles of it that could be placed 5
    BLACK_OFFER = OFFERED_COLOUR + 30  # tile 64, use for it 3, purchase within means 2
    BEST_LOAD = BLACK_OFFER + 384  # goods 8
    LYING = BEST_LOAD + 8  # goods in all depots 12
    BONUS = LYING + 12  # colour 6, empty cells 9, best bonus left 3
    RACE = BONUS + 162  # colour 6, empty cells 5, the best rival's 5
    DIE_PLACES = RACE + 150  # stored tiles a die of this round places 4
    DIE_TAKES = DIE_PLACES + 4  # useful tiles in its depot 5
    DIE_SELLS = DIE_TAKES + 5  # goods it sells 8
    WAITING = DIE_SELLS + 8  # turns before this seat's own in this round 4, or it has moved
    NEXT_PLACE = WAITING + 5  # place in the next round's order 4
    RIVALS = NEXT_PLACE + 4  # colour 6, others who could place one 4
    TIME = RIVALS + 24  # round 25, before its roll 2
    TRAITS = TIME + 50
    MAX_TRAITS = 192  # of one part of one seat


cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


cdef inline int use_for(const BgRules* R, const BgState* s, int seat, int tile) noexcept nogil:
    """Return what a seat can do with a tile: 0 nothing ever, 1 later, 2 place it now."""
    if cells_for(R, s, seat, tile):
        return 2
    return 1 if R.boards[seat].tile_cells[tile] & ~s.filled[seat] else 0


cdef inline int pasture_strength(const BgBoard* board, const BgState* s, int seat, uint64_t cells) noexcept nogil:
    """Return the number of animals of the strongest species among cells."""
    cdef int by_species[4]
    cdef int tile, i, best = 0
    for i in range(4):
        by_species[i] = 0
    cells &= s.filled[seat]
    while cells:
        tile = s.estate[seat][lowest(cells)]
        by_species[species(tile)] += animals_on(tile)
        cells &= cells - 1
    for i in range(4):
        if by_species[i] > best:
            best = by_species[i]
    return best


cdef inline int own_traits(const BgRules* R, const BgState* s, int seat, uint16_t* out) noexcept nogil:
    """Write the traits of a seat's estate and possessions; return their number."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint64_t empty = ~s.filled[seat], frontier = s.frontier[seat], cells, open_cells
    cdef uint32_t goods = s.goods[seat], abilities = s.monasteries[seat]
    cdef int n = 0, i, size, filled, tile, used = 0, kinds = 0, phase = s.phase, d, numbers
    for i in range(board.regions):
        open_cells = board.region_cells[i] & empty
        if open_cells == 0:
            continue  # nothing more to gain there
        size = board.region_size[i]
        filled = size - popcount(open_cells)
        out[n] = REGION + ((board.region_colour[i] * 8 + size - 1) * 9 + filled) * 2 + (
            (open_cells & frontier) != 0
        )
        n += 1
        if board.region_colour[i] == ANIMAL:
            out[n] = PASTURE + at_most(
                pasture_strength(board, s, seat, board.region_cells[i]), 15
            ) * 7 + at_most(size - filled, 6)
            n += 1
    for i in range(NO_CITY):
        out[n] = KIND + i * 4 + at_most(popcount(cells_for(R, s, seat, WAREHOUSE + i)), 3)
        n += 1
    for i in range(COLOURS):
        out[n] = FRONTIER + i * 6 + at_most(popcount(frontier & board.colour_cells[i]), 5)
        n += 1
    for i in range(STORAGE):
        tile = s.storage[seat][i]
        if tile == NO_TILE:
            break
        used += 1
        cells = cells_for(R, s, seat, tile)
        out[n] = STORED + tile * 2 + (cells != 0)
        numbers = 0
        for d in range(1, 7):
            numbers += (cells & board.reach[d][0]) != 0
        out[n + 1] = NUMBERS + R.tile_colour[tile] * 7 + numbers
        n += 2
    out[n] = STORAGE_USED + used
    n += 1
    while abilities:
        out[n] = ABILITY + lowest(abilities) * 5 + phase
        n += 1
        abilities &= abilities - 1
    out[n] = MINES + at_most(popcount(s.filled[seat] & board.colour_cells[PIT]), 5) * 5 + phase
    out[n + 1] = WORKER_COUNT + at_most(s.workers[seat], 11) * 5 + phase
    out[n + 2] = SILVER_COUNT + at_most(s.silver[seat], 11) * 5 + phase
    n += 3
    while goods:
        if goods & 15:
            out[n] = CARGO + at_most(goods & 15, 7)
            n += 1
            kinds += 1
        goods >>= 4
    out[n] = CARGO_KINDS + at_most(kinds, 3)
    out[n + 1] = EMPTY + CELLS - popcount(s.filled[seat])
    out[n + 2] = SHIPS + at_most(s.track[seat], 7)
    return n + 3


cdef inline int offer_traits(const BgRules* R, const BgState* s, int seat, uint16_t* out) noexcept nogil:
    """Write what the depots offer a seat; return the number of traits."""
    cdef uint32_t slots = s.offered & <uint32_t>0x00FFFFFF
    cdef int by_colour[COLOURS]
    cdef int n = 0, i, tile, use, best = 0, lying = 0, goods
    cdef bint can_pay = s.silver[seat] >= PURCHASE
    for i in range(COLOURS):
        by_colour[i] = 0
    while slots:
        tile = s.slots[lowest(slots)]
        use = use_for(R, s, seat, tile)
        out[n] = OFFER + tile * 3 + use
        n += 1
        by_colour[R.tile_colour[tile]] += use == 2
        slots &= slots - 1
    for i in range(COLOURS):
        out[n] = OFFERED_COLOUR + i * 5 + at_most(by_colour[i], 4)
        n += 1
    slots = s.offered & <uint32_t>0xFF000000
    while slots:
        tile = s.slots[lowest(slots)]
        out[n] = BLACK_OFFER + (tile * 3 + use_for(R, s, seat, tile)) * 2 + can_pay
        n += 1
        slots &= slots - 1
    for i in range(DEPOTS):
        goods = count_goods(s.depot_goods[i])
        lying += goods
        if goods > best and loadable(s.goods[seat], s.depot_goods[i]):
            best = goods
    out[n] = BEST_LOAD + at_most(best, 7)
    out[n + 1] = LYING + at_most(lying, 11)
    return n + 2


cdef inline int dice_traits(
    const BgRules* R, const BgState* s, int seat, uint16_t* out
) noexcept nogil:
    """Write what the rolled dice of a seat that has not moved yet can do; return the number."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint32_t slots
    cdef int n = 0, i, j, die, places, takes, tile
    for i in range(2):
        die = s.dice[seat][i]
        places = 0
        for j in range(STORAGE):
            tile = s.storage[seat][j]
            places += tile != NO_TILE and (cells_for(R, s, seat, tile) & board.reach[die][0]) != 0
        takes = 0
        slots = s.offered & R.depot_reach[die][0]
        while slots:
            takes += cells_for(R, s, seat, s.slots[lowest(slots)]) != 0
            slots &= slots - 1
        out[n] = DIE_PLACES + places
        out[n + 1] = DIE_TAKES + at_most(takes, 4)
        out[n + 2] = DIE_SELLS + at_most((s.goods[seat] >> (4 * (die - 1))) & 15, 7)
        n += 3
    return n


cdef inline int surrounding_traits(
    const BgRules* R, const BgState* s, int seat, uint16_t* out
) noexcept nogil:
    """Write the traits of a seat's surroundings; return their number."""
    cdef int n = offer_traits(R, s, seat, out), i, colour, other, mine, theirs, rest, able
    cdef int large = 0, small = 0, turn = 4
    for other in range(R.players):
        large |= s.large[other]
        small |= s.small[other]
    for colour in range(COLOURS):
        mine = popcount(R.boards[seat].colour_cells[colour] & ~s.filled[seat])
        theirs = 8
        able = 0
        for other in range(R.players):
            if other != seat:
                rest = popcount(R.boards[other].colour_cells[colour] & ~s.filled[other])
                theirs = rest if rest < theirs else theirs
                able += (s.frontier[other] & R.boards[other].colour_cells[colour]) != 0
        out[n] = BONUS + (colour * 9 + at_most(mine, 8)) * 3 + (
            2 if not (large >> colour) & 1 else 1 if not (small >> colour) & 1 else 0
        )
        out[n + 1] = RACE + (colour * 5 + at_most(mine, 4)) * 5 + at_most(theirs, 4)
        out[n + 2] = RIVALS + colour * 4 + at_most(able, 3)
        n += 3
    if s.stage == PLAY:
        for i in range(s.turn, R.players):
            if s.order[i] == seat:
                turn = i - s.turn
                n += dice_traits(R, s, seat, out + n)
    out[n] = WAITING + turn
    for i in range(R.players):
        if s.next_order[i] == seat:
            out[n + 1] = NEXT_PLACE + i
    out[n + 2] = TIME + (s.phase * ROUNDS + s.round) * 2 + (s.stage != PLAY)
    return n + 3


cdef inline double certain_points(const BgRules* R, const BgState* s, int seat) noexcept nogil:
    """Return the points a seat has for sure: scored, in hand at the end, and of mines to come."""
    cdef int mines = popcount(s.filled[seat] & R.boards[seat].colour_cells[PIT])
    cdef int phases = PHASES - s.phase  # each ends with an income
    if s.stage == END:
        return s.score[seat]
    return (
        <double>s.score[seat]
        + monastery_points(R, s, seat)
        + count_goods(s.goods[seat])
        + s.silver[seat]
        + phases * mines
        + 0.5 * (s.workers[seat] + (phases * mines if owns(s, seat, 2) else 0))
    )
