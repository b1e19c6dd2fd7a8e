"""The face-down tiles: drawing them, and guessing what nobody at the table can know.

Owns the stacks and the unseen goods. A position tells which tiles are out of sight, but not always
which of them have a black back: a bank in an estate may be either of two kinds of bank. Such a
position leaves several possible splits of the unseen tiles into coloured and black stacks;
`resplit` draws one of them with its right probability.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from advisor._fastsim cimport below, cut, next64
from advisor.games.burgundy._state cimport *

cdef enum:
    MAX_UNCERTAIN = 12  # kinds of one colour whose backs can be uncertain
    MAX_BLACK = 16  # tiles of one colour with a black back
    EVENING_DRAWS = 2000


cdef inline int draw(uint8_t* stack, uint8_t* size, uint64_t* bits) noexcept nogil:
    """Take a random tile off a stack; 0 where the stack is empty."""
    cdef uint32_t i
    cdef int drawn
    if size[0] == 0:
        return 0
    i = cut(bits, size[0])
    drawn = stack[i]
    size[0] -= 1
    stack[i] = stack[size[0]]
    return drawn


cdef inline int draw_colour(BgState* s, int colour, uint64_t* bits) noexcept nogil:
    """Take a random tile with a coloured back."""
    cdef int plain
    if colour == BUILDING:
        return draw(s.buildings, &s.stack_size[STACK_BUILDINGS], bits)
    if colour == ANIMAL:
        return draw(s.animals, &s.stack_size[STACK_ANIMALS], bits)
    if colour == MONASTERY:
        return draw(s.monastery_tiles, &s.stack_size[STACK_MONASTERIES], bits)
    plain = colour - RIVER  # ships, castles and mines are all alike
    if s.plain[plain] == 0:
        return NO_TILE
    s.plain[plain] -= 1
    return SHIP + plain


cdef inline void offer_all(const BgRules* R, BgState* s) noexcept nogil:
    """Work out which slots hold the first tile of its kind in their depot."""
    cdef int i, slot, depot = -1
    cdef uint64_t seen = 1  # tiles met in this depot; NO_TILE is never offered
    s.offered = 0
    for i in range(R.slots_in_play):
        slot = R.slot_order[i]
        if slot >> 2 != depot:
            depot = slot >> 2
            seen = 1
        s.offered |= <uint32_t>(~(seen >> s.slots[slot]) & 1) << slot
        seen |= <uint64_t>1 << s.slots[slot]
    seen = 1
    for i in range(R.black_slots):
        slot = BLACK_SLOT + i
        s.offered |= <uint32_t>(~(seen >> s.slots[slot]) & 1) << slot
        seen |= <uint64_t>1 << s.slots[slot]


cdef inline void deal(const BgRules* R, BgState* s, uint64_t rng) noexcept nogil:
    """Fill the depots and lay out the goods of the phase about to start (2019 p. 3)."""
    cdef int slot, i
    cdef uint64_t bits = 0
    for i in range(R.slots_in_play):
        if i & 3 == 0:
            bits = next64(&rng)  # fresh often enough for any number of players
        slot = R.slot_order[i]
        s.slots[slot] = draw_colour(s, R.slot_colour[s.phase][slot], &bits)
    for i in range(SLOTS - BLACK_SLOT):
        if i == R.black_slots:
            break
        if i & 3 == 0:
            bits = next64(&rng)
        s.slots[BLACK_SLOT + i] = draw(s.black, &s.stack_size[STACK_BLACK], &bits)
    offer_all(R, s)
    bits = next64(&rng)
    s.goods_coming = 0
    for i in range(ROUNDS):
        if s.goods_size:
            s.goods_to_come[s.goods_coming] = draw(s.hidden_goods, &s.goods_size, &bits)
            s.goods_coming += 1


# --- The split of the unseen tiles into coloured and black backs

cdef struct Unseen:
    uint8_t total[TILE_KINDS]  # copies out of sight, whatever their back
    uint8_t coloured[TILE_KINDS]  # copies with a coloured back that do not lie in a depot
    uint8_t black[TILE_KINDS]


cdef inline void count_unseen(const BgRules* R, const BgState* s, Unseen* u) noexcept nogil:
    """Count the unseen copies of each kind and the copies whose whereabouts are not certain."""
    cdef int i, tile
    memset(u.total, 0, TILE_KINDS)
    for i in range(s.stack_size[STACK_BUILDINGS]):
        u.total[s.buildings[i]] += 1
    for i in range(s.stack_size[STACK_ANIMALS]):
        u.total[s.animals[i]] += 1
    for i in range(s.stack_size[STACK_MONASTERIES]):
        u.total[s.monastery_tiles[i]] += 1
    for i in range(s.stack_size[STACK_BLACK]):
        u.total[s.black[i]] += 1
    for i in range(3):
        u.total[SHIP + i] += s.plain[i]
    for tile in range(TILE_KINDS):
        u.coloured[tile] = R.coloured_copies[tile]
        u.black[tile] = R.black_copies[tile]
    for i in range(SLOTS):
        tile = s.slots[i]
        if tile:
            # A file may show a tile where its back does not belong: never count below nothing.
            if i < BLACK_SLOT:
                u.coloured[tile] -= u.coloured[tile] != 0
            else:
                u.black[tile] -= u.black[tile] != 0


cdef inline void split_colour(
    const BgRules* R, const Unseen* u, int colour, int height, bint exact, uint64_t* rng, uint8_t* black
) noexcept nogil:
    """Draw for each kind of one colour how many of its unseen copies have a black back.

    `height` is the known height of the coloured stack: exactly so many unseen copies have a
    coloured back, or at least so many where some removed tiles were forgotten. A split has the
    probability of the product of hypergeometric terms under that condition; `ways[i][n]` sums them
    over the kinds from number i on, for n black backs still to give away.
    """
    cdef int kinds[MAX_UNCERTAIN]
    cdef double weight[MAX_UNCERTAIN][MAX_BLACK + 1]  # of giving a kind so many beyond its fewest
    cdef int room[MAX_UNCERTAIN]
    cdef double ways[MAX_UNCERTAIN + 1][MAX_BLACK + 1]
    cdef double sum, picked
    cdef int n = 0, spare = -height, tile, least, most, i, x, left
    for tile in range(1, LAST_MONASTERY + 1):
        if R.tile_colour[tile] != colour:
            continue
        least = u.total[tile] - u.coloured[tile]
        least = 0 if least < 0 else least
        most = u.black[tile] if u.black[tile] < u.total[tile] else u.total[tile]
        black[tile] = least
        spare += u.total[tile] - least
        if most > least and n < MAX_UNCERTAIN:
            kinds[n] = tile
            room[n] = most - least
            weight[n][0] = 1
            for x in range(least, most):
                weight[n][x - least + 1] = weight[n][x - least] * (
                    <double>((u.black[tile] - x) * (u.total[tile] - x))
                    / ((x + 1) * (u.coloured[tile] - u.total[tile] + x + 1))
                )
            n += 1
    if n == 0 or spare <= 0:
        return
    most = 0
    for i in range(n):
        most += room[i]
    spare = most if spare > most else spare
    spare = MAX_BLACK if spare > MAX_BLACK else spare
    for left in range(spare + 1):
        ways[n][left] = 0 if exact and left else 1
    i = n
    while i > 0:
        i -= 1
        for left in range(spare + 1):
            sum = 0
            for x in range((left if left < room[i] else room[i]) + 1):
                sum += weight[i][x] * ways[i + 1][left - x]
            ways[i][left] = sum
    left = spare
    for i in range(n):
        picked = (next64(rng) >> 11) * <double>1.1102230246251565e-16 * ways[i][left]
        x = 0
        while x < room[i] and x < left:
            picked -= weight[i][x] * ways[i + 1][left - x]
            if picked < 0:
                break
            x += 1
        black[kinds[i]] += x
        left -= x


cdef inline void stack_up(BgState* s, int tile, int colour, int black, int coloured) noexcept nogil:
    """Put unseen copies of a tile on their stacks."""
    cdef int i
    for i in range(black):
        s.black[s.stack_size[STACK_BLACK]] = tile
        s.stack_size[STACK_BLACK] += 1
    for i in range(coloured):
        if colour == BUILDING:
            s.buildings[s.stack_size[STACK_BUILDINGS]] = tile
            s.stack_size[STACK_BUILDINGS] += 1
        elif colour == ANIMAL:
            s.animals[s.stack_size[STACK_ANIMALS]] = tile
            s.stack_size[STACK_ANIMALS] += 1
        elif colour == MONASTERY:
            s.monastery_tiles[s.stack_size[STACK_MONASTERIES]] = tile
            s.stack_size[STACK_MONASTERIES] += 1
        else:
            s.plain[colour - RIVER] += 1


cdef inline void resplit(const BgRules* R, BgState* s, uint64_t rng) noexcept nogil:
    """Draw a possible split of the unseen tiles into coloured and black backs."""
    cdef Unseen u
    cdef uint8_t black[TILE_KINDS]
    cdef int height[COLOURS]  # of the coloured stacks, known from the phase
    cdef int coloured_left[COLOURS]
    cdef int black_height = 0, black_left = 0, forgotten = 0, tile, colour, phase, i
    count_unseen(R, s, &u)
    memset(height, 0, sizeof(height))
    memset(coloured_left, 0, sizeof(coloured_left))
    for tile in range(1, LAST_MONASTERY + 1):
        height[R.tile_colour[tile]] += R.coloured_copies[tile]
        black_height += R.black_copies[tile]
        forgotten += u.total[tile]
    for phase in range(s.phase if s.stage == DEAL else s.phase + 1):
        black_height -= R.black_slots
        for i in range(R.slots_in_play):
            height[R.slot_colour[phase][R.slot_order[i]]] -= 1
    forgotten -= black_height
    for colour in range(COLOURS):
        forgotten -= height[colour]
    for colour in range(COLOURS):
        split_colour(R, &u, colour, height[colour], forgotten <= 0, &rng, black)
    for tile in range(1, LAST_MONASTERY + 1):
        black_left += black[tile]
        coloured_left[R.tile_colour[tile]] += u.total[tile] - black[tile]
    # Where tiles were forgotten, the black stack may have come out too low: even it out with tiles
    # drawn at random; who does not know what left the game cannot know more of it.
    for i in range(EVENING_DRAWS):
        if black_left >= black_height:
            break
        tile = 1 + <int>below(&rng, LAST_MONASTERY)
        colour = R.tile_colour[tile]
        if (
            black[tile] < u.black[tile]
            and black[tile] < u.total[tile]
            and coloured_left[colour] > height[colour]
        ):
            black[tile] += 1
            black_left += 1
            coloured_left[colour] -= 1
    memset(s.stack_size, 0, 4)
    memset(s.plain, 0, 3)
    for tile in range(1, LAST_MONASTERY + 1):
        stack_up(s, tile, R.tile_colour[tile], black[tile], u.total[tile] - black[tile])
