"""The floor plan of the Burgundy kernel: names, constant tables and the flat packed state.

Owns every number that the kernel and `pack.py` share. A state is one struct without pointers,
copied by memcpy; arrays go by seat. Cells are bits 0..36 (a1 = 0 .. g4 = 36), depot slots are bits
0..31 (four for each numbered depot, then eight of the black one), goods are 4-bit counts in one
word (colour of die number n in nibble n-1).
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

cpdef enum:
    SEATS = 4
    CELLS = 37
    STORAGE = 3
    GOODS_SPACES = 3
    DEPOTS = 6
    BLACK_SLOT = 24  # first slot of the black depot
    SLOTS = 32
    ROUNDS = 5
    PHASES = 5
    PURCHASE = 2  # silver or workers
    NO_CITY = 8  # city kind of tiles that are no buildings
    FAR = 3  # the greatest distance between two die numbers
    MAX_ACTIONS = 512  # dice 2*(24*3 + 36 + 6 + 1), purchases 2*32*3; loads stay below 400

# Hex tiles. The numbers are those of the packed actions and states.
cpdef enum:
    NO_TILE = 0
    SHIP = 1
    CASTLE = 2
    MINE = 3
    WAREHOUSE = 4
    WATCHTOWER = 5
    CARPENTER = 6
    CHURCH = 7
    MARKET = 8
    BOARDING_HOUSE = 9
    BANK = 10
    CITY_HALL = 11
    FIRST_ANIMAL = 12  # + 3 * species + animals - 2
    FIRST_MONASTERY = 24  # monastery n is 23 + n
    LAST_MONASTERY = 49
    TILE_KINDS = 64

cpdef enum:
    BUILDING = 0
    ANIMAL = 1
    MONASTERY = 2
    RIVER = 3  # where ships go
    FORTRESS = 4  # where castles go
    PIT = 5  # where mines go
    COLOURS = 6

cpdef enum:
    PLAY = 0
    ROLL = 1  # waits for the dice of the round
    DEAL = 2  # waits for the tiles of the phase, then for the dice
    END = 3

# Where points come from, as `simulate` reports it.
cpdef enum:
    REGIONS = 0
    PHASE_BONUS = 1
    ANIMALS = 2
    GOODS = 3
    COLOUR_BONUSES = 4
    MONASTERIES = 5  # numbers 15-26 at the end; the extra point of 7 counts with the animals
    WATCHTOWERS = 6
    LEFTOVERS = 7  # unsold goods, silver, pairs of workers
    SOURCES = 8

# Kinds of actions, in the order in which `legal` sorts them. A packed action is
#   kind 5 bits | die 3 | value 3 | place 6 | tile 6 | discard 6 | 3 unused
# place: cell or depot (0 = black). A load keeps its first depot in `place`, the second in `value`
# (0 = none), and the colours to keep from each as 6-bit sets in `tile` and `discard`.
cpdef enum:
    TAKE = 1
    PLACE = 2
    SELL = 3
    WORKERS = 4
    BUY = 5
    BUY_WITH_WORKERS = 6
    FREE_TAKE = 7
    FREE_PLACE = 8
    FREE_SELL = 9
    FREE_WORKERS = 10
    EFFECT_TAKE = 11
    EFFECT_PLACE = 12
    EFFECT_SELL = 13
    LOAD = 14
    SKIP = 15
    END_TURN = 16

cpdef enum:
    KIND_SHIFT = 27
    DIE_SHIFT = 24
    VALUE_SHIFT = 21
    PLACE_SHIFT = 15
    TILE_SHIFT = 9
    DISCARD_SHIFT = 3

# Stacks of face-down tiles that hold more than one kind.
cpdef enum:
    STACK_BUILDINGS = 0
    STACK_ANIMALS = 1
    STACK_MONASTERIES = 2
    STACK_BLACK = 3


cdef struct BgBoard:
    uint64_t neighbours[CELLS]
    uint64_t region[CELLS]  # all cells of the region a cell belongs to
    uint64_t colour_cells[COLOURS]
    uint64_t tile_cells[TILE_KINDS]  # the cells of a tile's colour; none for NO_TILE
    uint64_t reach[7][4]  # [die][distance]: cells whose number is at most so far from the die
    uint64_t city_cells[256]  # [set of cities]: their cells
    uint8_t city_bit[CELLS]  # the city of a building cell as one bit
    uint8_t region_points[CELLS]
    uint8_t die_number[CELLS]
    uint64_t region_cells[CELLS]  # the regions one by one
    uint8_t region_colour[CELLS]
    uint8_t region_size[CELLS]
    uint8_t regions


cdef struct BgWeights:  # what the greedy player thinks things are worth, in points (greedy.yaml)
    float placed[PHASES][TILE_KINDS]  # the effect of a tile, besides the points it scores at once
    float stored  # share of a tile's worth that it has in storage
    float blocked  # the same while no cell for it can be reached
    float progress  # share of a region's points for a tile that does not complete it yet
    float opening  # a cell that can be reached because of a tile
    float worker
    float spare_worker  # beyond the third
    float silver
    float loaded  # a good taken on board
    float stacked  # besides, where its colour is aboard already
    float sold  # besides the points of a sale, for each good
    float waiting  # of a sale that could still grow
    float building  # for each building that a monastery counts at the end
    float purchase  # what a purchase must bring beyond its silver


cdef struct BgRules:
    BgWeights greedy
    BgBoard boards[SEATS]
    uint32_t slots_of_colour[PHASES][COLOURS]  # numbered slots in play, by phase
    uint32_t depot_reach[7][4]  # [die][distance]: slots of the depots within reach
    uint32_t good_reach[7][4]  # the same for goods: one bit at the bottom of each nibble
    uint8_t slot_colour[PHASES][BLACK_SLOT]  # COLOURS where the slot is not in play
    uint8_t slot_order[BLACK_SLOT]  # the numbered slots in play
    uint8_t slots_in_play
    uint8_t tile_colour[TILE_KINDS]
    uint8_t city_kind[TILE_KINDS]  # index into `cities`; NO_CITY for what is no building
    uint8_t step_monastery[TILE_KINDS]  # which monastery gives a free step for placing it (p. 10)
    uint8_t coloured_copies[TILE_KINDS]  # starting castles are not counted
    uint8_t black_copies[TILE_KINDS]
    uint8_t distance[7][7]  # steps between two die numbers; 6 and 1 are neighbours (p. 4)
    uint8_t phase_points[PHASES]
    uint8_t players
    uint8_t black_slots
    uint8_t large_bonus
    uint8_t small_bonus
    uint8_t sale_points
    uint8_t purchase_during_effects  # capabilities of the edition from here on
    uint8_t purchase_with_workers
    uint8_t monastery_15_points
    uint8_t monastery_26_points
    uint8_t most_empty_wins


cdef struct BgState:
    uint64_t filled[SEATS]  # cells that hold a tile
    uint64_t frontier[SEATS]  # empty cells next to a placed tile
    uint32_t goods[SEATS]  # unsold
    uint32_t sold[SEATS]
    uint32_t monasteries[SEATS]  # bit n: monastery n is placed
    uint32_t depot_goods[DEPOTS]
    uint32_t offered  # slots whose tile is the first of its kind in its depot
    uint32_t pending  # effects to resolve as a stack of bytes, the next one lowest
    int16_t score[SEATS]
    int16_t points[SEATS][SOURCES]  # gained since packing
    uint16_t workers[SEATS]
    uint16_t silver[SEATS]
    uint8_t estate[SEATS][CELLS]
    uint8_t storage[SEATS][4]  # three tiles, closed up, then NO_TILE; read and written as one word
    uint8_t cities[SEATS][NO_CITY + 1]  # [building kind]: set of cities that hold one; last: none
    uint8_t slots[SLOTS]  # the tile in each depot slot
    uint8_t dice[SEATS][2]
    uint8_t track[SEATS]
    uint8_t order[SEATS]  # seats in this round's order
    uint8_t next_order[SEATS]  # markers on the track, front first
    uint8_t large[SEATS]  # set of colours whose large bonus a seat holds
    uint8_t small[SEATS]
    uint8_t stage
    uint8_t phase  # 0..4
    uint8_t round  # 0..4
    uint8_t turn  # index into `order`
    uint8_t dice_left  # bit i: die i of the deciding player is unused
    uint8_t bought  # this turn's purchase is spent
    uint8_t backs_known  # the stacks below are exact, not one of several possible splits
    uint8_t goods_coming  # number of goods on the round spaces
    uint8_t goods_to_come[ROUNDS]  # die numbers, last round first
    uint8_t plain[3]  # face-down ships, castles, mines with coloured backs
    uint8_t stack_size[4]
    uint8_t buildings[40]  # the face-down stacks, in no order
    uint8_t animals[20]
    uint8_t monastery_tiles[20]
    uint8_t black[40]
    uint8_t goods_size
    uint8_t hidden_goods[42]  # die numbers of the goods not in sight


# --- Bits

cdef extern from *:
    """
    #define bg_popcount(x) ((int)__builtin_popcountll((unsigned long long)(x)))
    #define bg_lowest(x) ((int)__builtin_ctzll((unsigned long long)(x)))
    """
    int popcount "bg_popcount"(uint64_t x) noexcept nogil
    int lowest "bg_lowest"(uint64_t x) noexcept nogil


cdef inline int nth_bit(uint64_t mask, uint32_t n) noexcept nogil:
    """Return the position of set bit number n, counted from 0. Masks here have few bits."""
    while n:
        mask &= mask - 1
        n -= 1
    return lowest(mask)


cdef inline uint32_t kinds_of_goods(uint32_t goods) noexcept nogil:
    """Return one bit at the bottom of each nibble that is not zero."""
    goods |= goods >> 2
    goods |= goods >> 1
    return goods & 0x111111


cdef inline int seat_to_move(const BgState* s) noexcept nogil:
    """Return the seat whose turn it is (while the stage is PLAY)."""
    return s.order[s.turn]


cdef inline void gain(BgState* s, int seat, int source, int points) noexcept nogil:
    """Move a player's marker on the score track and remember why."""
    s.score[seat] += points
    s.points[seat][source] += points
