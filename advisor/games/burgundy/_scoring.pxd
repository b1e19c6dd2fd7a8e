"""Points: animals, regions, colour bonuses and the final scoring.

Owns everything that moves the markers on the score track except selling (`_moves.pxd`).
"""

from libc.stdint cimport uint32_t, uint64_t

from advisor.games.burgundy._options cimport owns
from advisor.games.burgundy._state cimport *


cdef inline int species(int animal) noexcept nogil:
    """Return 0..3 for cattle, sheep, pig, chicken."""
    return (animal - FIRST_ANIMAL) // 3


cdef inline int animals_on(int animal) noexcept nogil:
    """Return the number of animals on a tile."""
    return (animal - FIRST_ANIMAL) % 3 + 2


cdef inline void score_animals(const BgRules* R, BgState* s, int seat, int cell) noexcept nogil:
    """Score the animal tile just placed and those of its species in its pasture (2019 p. 6)."""
    cdef uint64_t pasture = R.boards[seat].region[cell] & s.filled[seat]
    cdef int new = s.estate[seat][cell], tile, points = 0
    cdef int extra = owns(s, seat, 7)
    while pasture:
        tile = s.estate[seat][lowest(pasture)]
        if species(tile) == species(new):
            points += animals_on(tile) + extra
        pasture &= pasture - 1
    gain(s, seat, ANIMALS, points)


cdef inline void score_region(const BgRules* R, BgState* s, int seat, int cell) noexcept nogil:
    """Score the region and the colour that the tile just placed has completed (2019 p. 8)."""
    cdef const BgBoard* board = &R.boards[seat]
    cdef uint64_t empty = ~s.filled[seat]
    cdef int colour, other
    cdef int large_taken = 0, small_taken = 0
    if board.region[cell] & empty:
        return
    gain(s, seat, REGIONS, board.region_points[cell])
    gain(s, seat, PHASE_BONUS, R.phase_points[s.phase])
    colour = R.tile_colour[s.estate[seat][cell]]
    if board.colour_cells[colour] & empty:
        return
    for other in range(R.players):
        large_taken |= s.large[other]
        small_taken |= s.small[other]
    if not (large_taken >> colour) & 1:
        s.large[seat] |= 1 << colour
        gain(s, seat, COLOUR_BONUSES, R.large_bonus)
    elif not (small_taken >> colour) & 1:
        s.small[seat] |= 1 << colour
        gain(s, seat, COLOUR_BONUSES, R.small_bonus)


cdef inline int count_goods(uint32_t goods) noexcept nogil:
    """Return the number of goods tiles in a word of goods."""
    cdef int n = 0
    while goods:
        n += goods & 15
        goods >>= 4
    return n


cdef inline int monastery_points(const BgRules* R, const BgState* s, int seat) noexcept nogil:
    """Return the points of monasteries 15-26 at the end of the game (2019 pp. 10-11)."""
    cdef int points = 0, cell, tile, monastery
    cdef uint32_t kinds = 0
    cdef uint32_t placed = s.monasteries[seat]
    if placed >> 15 == 0:
        return 0
    if (placed >> 15) & 1:
        points += R.monastery_15_points * popcount(kinds_of_goods(s.sold[seat]))
    if (placed >> 16) & 0x1FF:  # 16-23 by building, 24 by species
        for cell in range(CELLS):
            tile = s.estate[seat][cell]
            if WAREHOUSE <= tile <= CITY_HALL:
                monastery = 16 + tile - WAREHOUSE
                if (placed >> monastery) & 1:
                    points += 4
            elif FIRST_ANIMAL <= tile < FIRST_MONASTERY:
                kinds |= 1 << species(tile)
        if (placed >> 24) & 1:
            points += 4 * popcount(kinds)
    if (placed >> 25) & 1:
        points += count_goods(s.sold[seat])
    if (placed >> 26) & 1:
        points += R.monastery_26_points * (popcount(s.large[seat]) + popcount(s.small[seat]))
    return points


cdef inline void score_end(const BgRules* R, BgState* s) noexcept nogil:
    """Add the points of the end of the game for every player (2019 p. 9)."""
    cdef int seat
    for seat in range(R.players):
        gain(s, seat, MONASTERIES, monastery_points(R, s, seat))
        gain(
            s,
            seat,
            LEFTOVERS,
            count_goods(s.goods[seat]) + s.silver[seat] + s.workers[seat] // 2,
        )


cdef inline int winner(const BgRules* R, const BgState* s) noexcept nogil:
    """Return the seat that wins: points, then empty cells as the edition has it, then the marker
    further back on the track (2019 p. 9; 2011 p. 9).
    """
    cdef int best = s.next_order[0], i, seat, lead, filled_lead
    for i in range(1, R.players):
        seat = s.next_order[i]
        lead = s.score[seat] - s.score[best]
        if lead == 0:
            filled_lead = popcount(s.filled[seat]) - popcount(s.filled[best])
            lead = -filled_lead if R.most_empty_wins else filled_lead
        if lead >= 0:  # equal in everything: the later marker
            best = seat
    return best
