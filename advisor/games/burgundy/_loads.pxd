"""What a ship may load: the only options that are listed one by one.

Owns the choice of depots and of the colours to keep (2019 p. 5; monastery 5, p. 9; formats: `load`).
Colour sets are 6 bits wide here, bit n-1 for the colour of die number n.
"""

from libc.stdint cimport uint32_t

from advisor._fastsim cimport action_t
from advisor.games.burgundy._options cimport loadable, owns
from advisor.games.burgundy._state cimport *

cdef enum:
    NONE_KEPT = 64  # impossible set: no `keep` is needed


cdef inline uint32_t colour_set(uint32_t goods) noexcept nogil:
    """Return the 6-bit set of colours of a word of goods."""
    cdef uint32_t kinds = kinds_of_goods(goods)
    kinds = (kinds | kinds >> 3) & 0x030303
    return (kinds | kinds >> 6 | kinds >> 12) & 0x3F


cdef inline uint32_t next_keep(uint32_t keep, uint32_t fresh, int free) noexcept nogil:
    """Return the next larger subset of `fresh` with `free` members, NONE_KEPT after the last."""
    while True:
        keep = (keep - fresh) & fresh  # the next subset, 0 after the last
        if keep == 0:
            return NONE_KEPT
        if popcount(keep) == free:
            return keep


cdef inline uint32_t taken(uint32_t owned, uint32_t lying, uint32_t keep) noexcept nogil:
    """Return the colours loaded: all owned ones, and of the new ones those kept."""
    return (lying & owned) | (keep if keep else (
        lying & ~owned if popcount(lying & ~owned) <= GOODS_SPACES - popcount(owned) else 0
    ))


cdef inline uint32_t first_keep(uint32_t owned, uint32_t lying) noexcept nogil:
    """Return the first set of colours to keep; 0 where there is nothing to choose."""
    cdef uint32_t fresh = lying & ~owned
    cdef int free = GOODS_SPACES - popcount(owned)
    if free <= 0 or popcount(fresh) <= free:
        return 0
    return next_keep(0, fresh, free)


cdef inline int loads(const BgRules* R, const BgState* s, action_t* out) noexcept nogil:
    """Write the legal loads of the pending ship, and `skip` where it is legal; return their number.

    Two depots in either order may give the same result; then only the one that starts at the
    smaller depot is written, as its text sorts first.
    """
    cdef int seat = seat_to_move(s), n = 0, a, b, side, free_a, free_b
    cdef bint pairs = owns(s, seat, 5), some_give_nothing = False
    cdef uint32_t owned = colour_set(s.goods[seat]), lying_a, lying_b, keep_a, keep_b, got, got_b
    cdef uint32_t lying[DEPOTS]
    cdef action_t first
    for a in range(DEPOTS):
        lying[a] = colour_set(s.depot_goods[a])
    for a in range(DEPOTS):
        lying_a = lying[a]
        if loadable(s.goods[seat], s.depot_goods[a]) == 0:
            some_give_nothing = True
            continue
        free_a = GOODS_SPACES - popcount(owned)
        keep_a = first_keep(owned, lying_a)
        while keep_a != NONE_KEPT:
            first = (
                (<uint32_t>LOAD << KIND_SHIFT)
                | (<uint32_t>(a + 1) << PLACE_SHIFT)
                | (keep_a << TILE_SHIFT)
            )
            out[n] = first
            n += 1
            if pairs:
                got = taken(owned, lying_a, keep_a)
                for side in range(2):
                    b = (a + (1 if side == 0 else DEPOTS - 1)) % DEPOTS
                    lying_b = lying[b]
                    free_b = GOODS_SPACES - popcount(owned | got)
                    keep_b = first_keep(owned | got, lying_b)
                    while keep_b != NONE_KEPT:
                        got_b = taken(owned | got, lying_b, keep_b)
                        if got_b and not (b < a and could_load(owned, lying[b], lying_a, got_b, got)):
                            out[n] = (
                                first
                                | (<uint32_t>(b + 1) << VALUE_SHIFT)
                                | (keep_b << DISCARD_SHIFT)
                            )
                            n += 1
                        if keep_b == 0:
                            break
                        keep_b = next_keep(keep_b, lying_b & ~(owned | got), free_b)
            if keep_a == 0:
                break
            keep_a = next_keep(keep_a, lying_a & ~owned, free_a)
    if some_give_nothing:
        out[n] = <uint32_t>SKIP << KIND_SHIFT
        n += 1
    return n


cdef inline bint could_load(
    uint32_t owned, uint32_t lying_first, uint32_t lying_then, uint32_t got_first, uint32_t got_then
) noexcept nogil:
    """Tell whether loading one depot and then another can end with exactly these colours."""
    return exactly_loads(owned, lying_first, got_first) and exactly_loads(
        owned | got_first, lying_then, got_then
    )


cdef inline bint exactly_loads(uint32_t owned, uint32_t lying, uint32_t got) noexcept nogil:
    """Tell whether one load can take exactly `got`: all owned colours, new ones to the brim."""
    cdef uint32_t fresh = lying & ~owned
    cdef int free = GOODS_SPACES - popcount(owned), new = popcount(got & ~owned)
    if free < 0:
        free = 0
    return (
        got != 0
        and (got & ~lying) == 0
        and (got & owned) == (lying & owned)
        and new == (popcount(fresh) if popcount(fresh) < free else free)
    )
