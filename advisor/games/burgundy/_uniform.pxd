"""The uniform policy: every legal action equally likely, from any state to the end of the game.

Owns how a random option is drawn and played without listing the others. The greedy policy has a room
of its own (`_greedy.pxd`).
"""

from libc.stdint cimport uint32_t, uint64_t

from advisor._fastsim cimport action_t, below, stream
from advisor.games.burgundy._flow cimport end_turn, resolve_chance
from advisor.games.burgundy._loads cimport loads
from advisor.games.burgundy._moves cimport (
    apply_action,
    buy,
    place,
    sell,
    settle,
    take_tile,
    take_workers,
    use_die,
)
from advisor.games.burgundy._options cimport (
    BY_DIE,
    LEAVING,
    PLACEMENTS,
    PURCHASES,
    PURCHASES_WITH_WORKERS,
    SALES,
    SECOND_DIE,
    TAKES,
    Options,
    discarded,
    may_buy,
    owns,
    survey,
)
from advisor.games.burgundy._state cimport *


cdef inline void free_hand(BgState* s, const Options* o) noexcept nogil:
    """Take the effect that gives an action without a die off the pending ones."""
    if o.by != BY_DIE:
        s.pending >>= 8


cdef inline void play_nth(const BgRules* R, BgState* s, const Options* o, uint32_t n) noexcept nogil:
    """Play option number n of 0..total-1: `apply_action` without spelling the action out.

    The same verbs on the same numbers; a test holds the two equal for every option. The questions
    are asked in an order that needs few of them, as each random answer can cost a wrong guess of
    the processor.
    """
    cdef int seat = seat_to_move(s), base = 0, bit, value, tile, discard = NO_TILE, ways = 0
    cdef bint second, later
    cdef uint32_t first, middle, last
    cdef uint64_t mask
    if n < o.before_dice:
        play_aside(R, s, o, n)
        return
    second = n >= o.before_second
    n -= o.before_second if second else o.before_dice
    base = SECOND_DIE - TAKES if second else 0
    if n < o.count[base + TAKES]:
        mask = o.mask[base + TAKES]
        if o.full:
            while n >= <uint32_t>popcount(mask):
                n -= <uint32_t>popcount(mask)
                ways += 1
            discard = discarded(o, ways)
        bit = nth_bit(mask, n)
        if o.by == BY_DIE:
            use_die(R, s, seat, o.dice[second], (bit >> 2) + 1, owns(s, seat, 12))
        free_hand(s, o)
        take_tile(s, seat, bit, discard)
        settle(R, s)
        return
    n -= o.count[base + TAKES]
    first = o.count[base + PLACEMENTS]
    middle = first + o.count[base + PLACEMENTS + 1]
    last = middle + o.count[base + PLACEMENTS + 2]
    if n < last:
        later = n >= middle
        ways = (n >= first) + later
        n -= middle if later else (first if ways else 0)
        bit = nth_bit(o.mask[base + PLACEMENTS + ways], n)
        tile = o.stored[ways]
        if o.by == BY_DIE:
            value = R.boards[seat].die_number[bit]
            use_die(R, s, seat, o.dice[second], value, owns(s, seat, R.step_monastery[tile]))
        free_hand(s, o)
        place(R, s, seat, tile, bit)
        return
    n -= last
    if n < o.count[base + SALES]:
        value = (nth_bit(o.mask[base + SALES], n) >> 2) + 1
        if o.by == BY_DIE:
            use_die(R, s, seat, o.dice[second], value, False)
        free_hand(s, o)
        sell(R, s, seat, value)
    else:
        if o.by == BY_DIE:
            use_die(R, s, seat, o.dice[second], o.dice[second], False)
        free_hand(s, o)
        take_workers(s, seat)
    settle(R, s)


cdef inline void play_aside(const BgRules* R, BgState* s, const Options* o, uint32_t n) noexcept nogil:
    """Play option number n of those that are no action of a die or effect: leave, or buy."""
    cdef int seat = seat_to_move(s), group = PURCHASES, ways = 0
    cdef uint32_t bits
    if n < o.count[LEAVING]:
        if s.pending == 0:
            end_turn(R, s)
            return
        s.pending >>= 8
        settle(R, s)
        return
    n -= o.count[LEAVING]
    if n >= o.count[PURCHASES]:
        n -= o.count[PURCHASES]
        group = PURCHASES_WITH_WORKERS
    bits = <uint32_t>popcount(o.mask[group])
    while n >= bits:
        n -= bits
        ways += 1
    buy(
        R,
        s,
        seat,
        nth_bit(o.mask[group], n),
        discarded(o, ways) if o.full else NO_TILE,
        group == PURCHASES_WITH_WORKERS,
    )


cdef inline int play_uniform(const BgRules* R, BgState* s, uint64_t world, uint64_t seed) noexcept nogil:
    """Play to the end at random; return the number of decisions.

    Every turn draws from a stream of its own, by round and seat: where two playouts with one seed
    offer a player the same options, he chooses alike, whatever happened before. Differences between
    two candidates then come from what they changed, and less from luck.
    """
    cdef Options options
    cdef action_t listed[MAX_ACTIONS]
    cdef int decisions = 0, seat
    cdef uint32_t now, turn = 0xFFFFFFFF
    cdef uint64_t rng = seed
    while s.stage != END:
        if s.stage != PLAY:
            resolve_chance(R, s, world)
            continue
        seat = seat_to_move(s)
        now = (<uint32_t>s.phase * ROUNDS + s.round) * SEATS + seat
        if now != turn:
            turn = now
            rng = stream(seed, turn)
        if s.pending == 0 and s.dice_left == 0 and not may_buy(R, s, seat):
            end_turn(R, s)  # the only option: no survey, no draw
        elif s.pending & 0xFF == SHIP:
            apply_action(R, s, listed[below(&rng, <uint32_t>loads(R, s, listed))])
        else:
            survey(R, s, &options)
            play_nth(R, s, &options, below(&rng, options.total))
        decisions += 1
    return decisions
