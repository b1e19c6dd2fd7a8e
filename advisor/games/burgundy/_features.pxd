"""What a position looks like to the learned value: numbered traits of a seat that hold or do not.

Owns the traits. They come in two parts: the seat's own estate and possessions, and its surroundings
(what the depots offer it, its dice, the others, the time). Each part has places in a fixed order, and
each place one trait or 0, which says nothing: after an action most places say what they said before.
No trait knows a board's number: estates are told by their regions, so that one value serves all
boards and any mix of them. Whatever is certain to be worth points is counted in `certain_points`,
not learnt.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from advisor._fastsim cimport fingerprint
from advisor.games.burgundy._options cimport can_pay, cells_for, loadable, owns, steps, with_free_step
from advisor.games.burgundy._scoring cimport (
    animals_on,
    count_goods,
    monastery_points,
    species,
)
from advisor.games.burgundy._state cimport *

# What a seat can do with a tile.
cdef enum:
    NEVER = 0
    LATER = 1
    NOW = 2  # a cell for it is within reach
    COMPLETES = 3  # and it would complete a region
    USES = 4

# What a seat that moves next can get at with its dice; what the others will find is open.
cdef enum:
    WAITS = 0  # it does not move next
    FAR_OFF = 1  # or it has no dice yet
    WITH_WORKERS = 2
    AT_ONCE = 3
    DISTANCES = 4

# Where each group of traits begins; a group is a table, its numbers run over the indices given.
cdef enum:
    REGION = 1  # colour 6, size 8, filled 9, within reach 2
    PASTURE = REGION + 864  # animals of its strongest species 16, empty cells 7
    KIND = PASTURE + 112  # kind of building 8, cells it could go to now 4
    FRONTIER = KIND + 32  # colour 6, cells within reach 6
    STORED = FRONTIER + 36  # tile 64, use for it 4
    NUMBERS = STORED + 256  # colour 6, die numbers that would place a stored tile 7
    GAIN = NUMBERS + 42  # points a stored tile would score at once 24, phase 5
    STORAGE_USED = GAIN + 120  # tiles in storage 4
    ABILITY = STORAGE_USED + 4  # monastery 27, phase 5
    MINES = ABILITY + 135  # mines 6, phase 5
    WORKER_COUNT = MINES + 30  # workers 12, phase 5
    SILVER_COUNT = WORKER_COUNT + 60  # silver 12, phase 5
    CARGO = SILVER_COUNT + 60  # goods of one colour 8
    CARGO_KINDS = CARGO + 8  # colours aboard 4
    EMPTY = CARGO_KINDS + 4  # empty cells 38
    SHIPS = EMPTY + 38  # steps on the track 8
    OWN_TRAITS = SHIPS + 8
    OFFER = OWN_TRAITS  # tile 64, use for it 4, somebody else could place it 2, distance 4
    OFFERED_COLOUR = OFFER + 2048  # colour 6, tiles of it that could be placed 5
    OFFERED_GAIN = OFFERED_COLOUR + 30  # points an offered animal would score at once 24
    BLACK_OFFER = OFFERED_GAIN + 24  # tile 64, use for it 4, purchase within means 2
    BEST_LOAD = BLACK_OFFER + 512  # goods 8
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
    EDITION = TIME + 50  # purchases may be paid in workers 2
    DIE_NUMBER = EDITION + 2  # its next roll: a number places 3, takes 3, sells 4
    TRAITS = DIE_NUMBER + 36
    MAX_TRAITS = 192  # of one part of one seat
    RACE_CLOSE = 4  # empty cells beyond which nobody is close to a bonus


cdef struct Prospects:  # what placing tiles would bring a seat at once
    uint64_t completing  # cells that are the last empty one of their region
    uint8_t kept[4]  # animals of each species in the best pasture within reach
    bint bonus[4]  # filling a cell of that pasture would complete it


cdef inline int at_most(int value, int limit) noexcept nogil:
    return value if value < limit else limit


cdef inline void count_animals(
    const BgState* s, int seat, uint64_t cells, uint8_t* by_species
) noexcept nogil:
    """Write how many animals of each of the four species stand on some cells."""
    cdef int tile
    memset(by_species, 0, 4)
    cells &= s.filled[seat]
    while cells:
        tile = s.estate[seat][lowest(cells)]
        by_species[species(tile)] += animals_on(tile)
        cells &= cells - 1


cdef inline void look_ahead(const BgRules* R, const BgState* s, int seat, Prospects* out) noexcept nogil:
    """Find out which cells complete regions, and where animals would score most."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint64_t open_cells
    cdef uint8_t by_species[4]
    cdef int i, j
    memset(out, 0, sizeof(Prospects))
    for i in range(board.regions):
        open_cells = board.region_cells[i] & ~s.filled[seat]
        if open_cells and open_cells & (open_cells - 1) == 0:
            out.completing |= open_cells
        if board.region_colour[i] == ANIMAL and open_cells & s.frontier[seat]:
            count_animals(s, seat, board.region_cells[i], by_species)
            for j in range(4):
                if by_species[j] > out.kept[j]:
                    out.kept[j] = by_species[j]
                    out.bonus[j] = open_cells & (open_cells - 1) == 0


cdef inline int use_for(
    const BgRules* R, const BgState* s, int seat, int tile, const Prospects* ahead
) noexcept nogil:
    """Return what a seat can do with a tile."""
    cdef uint64_t cells = cells_for(R, s, seat, tile)
    if cells:
        return COMPLETES if cells & ahead.completing else NOW
    return LATER if R.boards[seat].tile_cells[tile] & ~s.filled[seat] else NEVER


cdef inline void uses_by_colour(
    const BgRules* R, const BgState* s, int seat, const Prospects* ahead, uint8_t* out
) noexcept nogil:
    """Write what a seat can do with a tile of each colour; buildings differ (`use_of`)."""
    cdef uint64_t cells, within_reach
    cdef int colour
    for colour in range(COLOURS):
        cells = R.boards[seat].colour_cells[colour]
        within_reach = cells & s.frontier[seat]
        out[colour] = (
            LATER * (cells & ~s.filled[seat] != 0)
            + (NOW - LATER) * (within_reach != 0)
            + (COMPLETES - NOW) * (within_reach & ahead.completing != 0)
        )


cdef inline int use_of(
    const BgRules* R,
    const BgState* s,
    int seat,
    int tile,
    const Prospects* ahead,
    const uint8_t* by_colour,
) noexcept nogil:
    """Return what a seat can do with a tile, given what it can do with each colour."""
    cdef int colour = R.tile_colour[tile]
    return use_for(R, s, seat, tile, ahead) if colour == BUILDING else by_colour[colour]


cdef inline int gain_of(
    const BgRules* R, const BgState* s, int seat, int tile, uint64_t cells, const Prospects* ahead
) noexcept nogil:
    """Return the points a tile would score at once on the best of some cells, nearly."""
    cdef int best = 0, points
    cdef uint64_t last = cells & ahead.completing
    while last:
        points = R.boards[seat].region_points[lowest(last)] + R.phase_points[s.phase]
        best = points if points > best else best
        last &= last - 1
    if cells and FIRST_ANIMAL <= tile < FIRST_MONASTERY:
        if ahead.kept[species(tile)] and not ahead.bonus[species(tile)]:
            points = animals_on(tile) + ahead.kept[species(tile)]
            best = points if points > best + animals_on(tile) else best + animals_on(tile)
        else:
            best += animals_on(tile) + ahead.kept[species(tile)]
    return best


cdef inline int pasture_strength(const BgState* s, int seat, uint64_t cells) noexcept nogil:
    """Return the number of animals of the strongest species among cells."""
    cdef uint8_t by_species[4]
    cdef int i, best = 0
    count_animals(s, seat, cells, by_species)
    for i in range(4):
        if by_species[i] > best:
            best = by_species[i]
    return best


cdef inline int region_traits(const BgRules* R, const BgState* s, int seat, uint16_t* out) noexcept nogil:
    """Write the traits of a seat's regions, none for complete ones; return the number of places."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint64_t open_cells, frontier = s.frontier[seat]
    cdef int n = 0, i, size, filled
    for i in range(board.regions):
        open_cells = board.region_cells[i] & ~s.filled[seat]
        size = board.region_size[i]
        filled = size - popcount(open_cells)
        out[n] = 0
        if open_cells:
            out[n] = REGION + ((board.region_colour[i] * 8 + size - 1) * 9 + filled) * 2 + (
                (open_cells & frontier) != 0
            )
        n += 1
        if board.region_colour[i] == ANIMAL:
            out[n] = 0
            if open_cells:
                out[n] = PASTURE + at_most(
                    pasture_strength(s, seat, board.region_cells[i]), 15
                ) * 7 + at_most(size - filled, 6)
            n += 1
    return n


cdef inline int storage_traits(const BgRules* R, const BgState* s, int seat, uint16_t* out) noexcept nogil:
    """Write the traits of a seat's stored tiles; return the number of places."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef Prospects ahead
    cdef uint64_t cells
    cdef int n = 0, i, d, tile, numbers, used = 0
    look_ahead(R, s, seat, &ahead)
    for i in range(STORAGE):
        tile = s.storage[seat][i]
        if tile == NO_TILE:
            out[n] = out[n + 1] = out[n + 2] = 0
        else:
            used += 1
            cells = cells_for(R, s, seat, tile)
            numbers = 0
            for d in range(1, 7):
                numbers += (cells & board.reach[d][0]) != 0
            out[n] = STORED + tile * USES + use_for(R, s, seat, tile, &ahead)
            out[n + 1] = NUMBERS + R.tile_colour[tile] * 7 + numbers
            out[n + 2] = GAIN + at_most(
                gain_of(R, s, seat, tile, cells, &ahead), 23
            ) * PHASES + s.phase
        n += 3
    out[n] = STORAGE_USED + used
    return n + 1


cdef inline int own_traits(const BgRules* R, const BgState* s, int seat, uint16_t* out) noexcept nogil:
    """Write the traits of a seat's estate and possessions; return the number of places."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint32_t goods = s.goods[seat], abilities = s.monasteries[seat]
    cdef int n = region_traits(R, s, seat, out), i, kinds = 0, phase = s.phase
    cdef int monasteries = popcount(board.colour_cells[MONASTERY])
    for i in range(NO_CITY):
        out[n + i] = KIND + i * 4 + at_most(popcount(cells_for(R, s, seat, WAREHOUSE + i)), 3)
    n += NO_CITY
    for i in range(COLOURS):
        out[n + i] = FRONTIER + i * 6 + at_most(popcount(s.frontier[seat] & board.colour_cells[i]), 5)
    n += COLOURS
    n += storage_traits(R, s, seat, out + n)
    for i in range(monasteries):
        out[n + i] = 0
        if abilities:
            out[n + i] = ABILITY + lowest(abilities) * PHASES + phase
            abilities &= abilities - 1
    n += monasteries
    out[n] = MINES + at_most(popcount(s.filled[seat] & board.colour_cells[PIT]), 5) * PHASES + phase
    out[n + 1] = WORKER_COUNT + at_most(s.workers[seat], 11) * PHASES + phase
    out[n + 2] = SILVER_COUNT + at_most(s.silver[seat], 11) * PHASES + phase
    n += 3
    for i in range(6):
        out[n + i] = CARGO + at_most(goods & 15, 7) if goods & 15 else 0
        kinds += goods & 15 != 0
        goods >>= 4
    n += 6
    out[n] = CARGO_KINDS + at_most(kinds, 3)
    out[n + 1] = EMPTY + CELLS - popcount(s.filled[seat])
    out[n + 2] = SHIPS + at_most(s.track[seat], 7)
    return n + 3


cdef inline uint32_t colours_elsewhere(const BgRules* R, const BgState* s, int seat) noexcept nogil:
    """Return the colours of which another seat has a cell within reach."""
    cdef int other, colour
    cdef uint32_t found = 0
    for other in range(R.players):
        if other != seat:
            for colour in range(COLOURS):
                found |= <uint32_t>(
                    s.frontier[other] & R.boards[other].colour_cells[colour] != 0
                ) << colour
    return found


cdef inline bint wanted_elsewhere(
    const BgRules* R, const BgState* s, int seat, int tile, uint32_t colours
) noexcept nogil:
    """Tell whether another seat could place a tile now, given the colours within others' reach."""
    cdef int other, colour = R.tile_colour[tile]
    if colour != BUILDING:  # only a building may be kept off a cell of its colour
        return (colours >> colour) & 1
    for other in range(R.players):
        if other != seat and cells_for(R, s, other, tile):
            return True
    return False


cdef inline void slots_by_distance(
    const BgRules* R, const BgState* s, int seat, uint32_t* out) noexcept nogil:
    """Write for each distance the slots that are no farther off."""
    cdef int i, far
    cdef bint next_to_move = s.order[s.turn] == seat  # between two rounds `turn` is 0
    out[FAR_OFF] = <uint32_t>0x00FFFFFF if next_to_move else 0
    out[WITH_WORKERS] = out[AT_ONCE] = 0
    if not next_to_move or s.stage != PLAY:
        return
    far = with_free_step(steps(s, seat), owns(s, seat, 12))
    for i in range(2):
        out[WITH_WORKERS] |= R.depot_reach[s.dice[seat][i]][far]
        out[AT_ONCE] |= R.depot_reach[s.dice[seat][i]][0]


cdef struct Offers:  # slots of the numbered depots
    uint32_t useful  # whose tile a seat could place
    uint32_t completing  # and complete a region


cdef inline int offer_traits(
    const BgRules* R, const BgState* s, int seat, const Prospects* ahead, Offers* found, uint16_t* out
) noexcept nogil:
    """Write what the depots offer a seat; return the number of places."""
    cdef uint32_t slots = s.offered & <uint32_t>0x00FFFFFF
    cdef uint8_t uses[COLOURS]
    cdef uint8_t by_colour[COLOURS]
    cdef int n = 0, i, tile, use, best = 0, lying = 0, goods, points, animal = 0
    cdef bint within_means = can_pay(R, s, seat)
    cdef uint32_t near[DISTANCES]
    cdef uint32_t elsewhere = colours_elsewhere(R, s, seat)
    slots_by_distance(R, s, seat, near)
    uses_by_colour(R, s, seat, ahead, uses)
    found.useful = found.completing = 0
    memset(by_colour, 0, sizeof(by_colour))
    memset(out, 0, SLOTS * sizeof(uint16_t))
    while slots:
        i = lowest(slots)
        tile = s.slots[i]
        use = use_of(R, s, seat, tile, ahead, uses)
        found.useful |= <uint32_t>(use >= NOW) << i
        found.completing |= <uint32_t>(use == COMPLETES) << i
        out[i] = OFFER + (
            (tile * USES + use) * 2 + wanted_elsewhere(R, s, seat, tile, elsewhere)
        ) * DISTANCES + (
            ((near[FAR_OFF] >> i) & 1) + ((near[WITH_WORKERS] >> i) & 1) + ((near[AT_ONCE] >> i) & 1)
        )
        by_colour[R.tile_colour[tile]] += use >= NOW
        if use >= NOW and R.tile_colour[tile] == ANIMAL:
            points = gain_of(R, s, seat, tile, cells_for(R, s, seat, tile), ahead)
            animal = points if points > animal else animal
        slots &= slots - 1
    slots = s.offered & <uint32_t>0xFF000000
    while slots:
        i = lowest(slots)
        tile = s.slots[i]
        use = use_of(R, s, seat, tile, ahead, uses)
        out[i] = BLACK_OFFER + (tile * USES + use) * 2 + within_means
        slots &= slots - 1
    n = SLOTS
    for i in range(COLOURS):
        out[n + i] = OFFERED_COLOUR + i * 5 + at_most(by_colour[i], 4)
    n += COLOURS
    for i in range(DEPOTS):
        goods = count_goods(s.depot_goods[i])
        lying += goods
        if goods > best and loadable(s.goods[seat], s.depot_goods[i]):
            best = goods
    out[n] = OFFERED_GAIN + at_most(animal, 23)
    out[n + 1] = BEST_LOAD + at_most(best, 7)
    out[n + 2] = LYING + at_most(lying, 11)
    return n + 3


cdef inline void dice_traits(
    const BgRules* R, const BgState* s, int seat, uint16_t* out
) noexcept nogil:
    """Write what the rolled dice of a seat that has not moved yet can do: three places a die."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint32_t slots
    cdef int i, j, die, places, takes, tile
    for i in range(2):
        die = s.dice[seat][i]
        if die == 0:  # not told
            continue
        places = 0
        for j in range(STORAGE):
            tile = s.storage[seat][j]
            places += tile != NO_TILE and (cells_for(R, s, seat, tile) & board.reach[die][0]) != 0
        takes = 0
        slots = s.offered & R.depot_reach[die][0]
        while slots:
            takes += cells_for(R, s, seat, s.slots[lowest(slots)]) != 0
            slots &= slots - 1
        out[3 * i] = DIE_PLACES + places
        out[3 * i + 1] = DIE_TAKES + at_most(takes, 4)
        out[3 * i + 2] = DIE_SELLS + at_most((s.goods[seat] >> (4 * (die - 1))) & 15, 7)


cdef inline void number_traits(
    const BgRules* R, const BgState* s, int seat, const Prospects* ahead, const Offers* found, uint16_t* out
) noexcept nogil:
    """Write what each die number would be good for in a seat's next roll: a place a number."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint64_t cells = 0
    cdef uint32_t takes
    cdef int i, die, placing, taking, selling
    for i in range(STORAGE):
        cells |= cells_for(R, s, seat, s.storage[seat][i])
    for die in range(1, 7):
        placing = 1 if cells & board.reach[die][0] else 0
        if cells & board.reach[die][0] & ahead.completing:
            placing = 2
        takes = found.useful & R.depot_reach[die][0]
        taking = 1 if takes else 0
        if takes & found.completing or takes & (takes - 1):  # or two of them
            taking = 2
        selling = at_most((s.goods[seat] >> (4 * (die - 1))) & 15, 3)
        out[die - 1] = DIE_NUMBER + (placing * 3 + taking) * 4 + selling


cdef inline int surrounding_traits(
    const BgRules* R, const BgState* s, int seat, uint16_t* out
) noexcept nogil:
    """Write the traits of a seat's surroundings; return the number of places."""
    cdef Prospects ahead
    cdef Offers found
    cdef int n, i, colour, other, mine, theirs, rest, able
    cdef int large = 0, small = 0, turn = 4
    look_ahead(R, s, seat, &ahead)
    n = offer_traits(R, s, seat, &ahead, &found, out)
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
        out[n + 1] = RACE + (
            colour * 5 + at_most(mine, RACE_CLOSE)
        ) * 5 + at_most(theirs, RACE_CLOSE)
        out[n + 2] = RIVALS + colour * 4 + at_most(able, 3)
        n += 3
    memset(out + n, 0, 6 * sizeof(uint16_t))
    if s.stage == PLAY:
        for i in range(s.turn, R.players):
            if s.order[i] == seat:
                turn = i - s.turn
                dice_traits(R, s, seat, out + n)
    n += 6
    memset(out + n, 0, 6 * sizeof(uint16_t))
    if turn == 4:
        number_traits(R, s, seat, &ahead, &found, out + n)
    n += 6
    out[n] = WAITING + turn
    for i in range(R.players):
        if s.next_order[i] == seat:
            out[n + 1] = NEXT_PLACE + i
    out[n + 2] = TIME + (s.phase * ROUNDS + s.round) * 2 + (s.stage != PLAY)
    out[n + 3] = EDITION + (R.purchase_with_workers != 0)
    return n + 4


cdef struct Outlook:  # what the surroundings of the other seats depend on in a turn of one seat
    uint8_t slots[SLOTS]
    uint32_t offered
    uint32_t goods[DEPOTS]
    uint32_t wanted  # offered slots with a tile that the seat could place
    uint8_t large[SEATS]
    uint8_t small[SEATS]
    uint8_t order[SEATS]
    uint8_t next_order[SEATS]
    uint8_t empty[COLOURS]  # its empty cells, as far as they count in a race
    uint8_t able  # colours it could place
    uint8_t stage
    uint8_t phase
    uint8_t round
    uint8_t turn


cdef inline uint64_t outlook_of(const BgRules* R, const BgState* s, int seat) noexcept nogil:
    """Return a number that differs where the other seats see different surroundings.

    Both states follow from one state by turns of this seat.
    """
    cdef const BgBoard* board = &R.boards[seat]
    cdef Outlook seen
    cdef uint64_t key[2]
    cdef uint32_t slots = s.offered & <uint32_t>0x00FFFFFF
    cdef int i
    memset(&seen, 0, sizeof(seen))
    memcpy(seen.slots, s.slots, sizeof(seen.slots))
    memcpy(seen.goods, s.depot_goods, sizeof(seen.goods))
    memcpy(seen.large, s.large, sizeof(seen.large))
    memcpy(seen.small, s.small, sizeof(seen.small))
    memcpy(seen.order, s.order, sizeof(seen.order))
    memcpy(seen.next_order, s.next_order, sizeof(seen.next_order))
    seen.offered = s.offered
    while slots:
        i = lowest(slots)
        seen.wanted |= <uint32_t>(cells_for(R, s, seat, s.slots[i]) != 0) << i
        slots &= slots - 1
    for i in range(COLOURS):
        seen.empty[i] = at_most(popcount(board.colour_cells[i] & ~s.filled[seat]), RACE_CLOSE)
        seen.able |= (s.frontier[seat] & board.colour_cells[i] != 0) << i
    seen.stage = s.stage
    seen.phase = s.phase
    seen.round = s.round
    seen.turn = s.turn
    fingerprint(&seen, sizeof(seen), key)
    return key[0]


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
