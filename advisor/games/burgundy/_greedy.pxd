"""The greedy player: one-step rules, every option judged by what it brings at once.

Owns the judgement; its numbers are the box's `greedy.yaml`. Points scored by the action itself count
as they are (`_scoring.pxd`), everything it may lead to by a weight. It never looks at the other
players and never ahead, so that a game takes some 50 microseconds.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from advisor._fastsim cimport action_t
from advisor.games.burgundy._flow cimport resolve_chance
from advisor.games.burgundy._loads cimport colour_set, loads, taken
from advisor.games.burgundy._moves cimport apply_action
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
    cells_for,
    owns,
    packed,
    packed_placement,
    packed_purchase,
    packed_take,
    survey,
)
from advisor.games.burgundy._scoring cimport animals_on, species
from advisor.games.burgundy._state cimport *


cdef struct View:  # what the judgements of one decision have in common
    const BgRules* R
    const BgState* s
    const BgWeights* w
    const BgBoard* board
    int seat
    int actions_left  # dice to come in the game after this action, purchases aside
    uint64_t known  # cells whose `region` is worked out
    float region[CELLS]  # worth of filling a cell for its region and colour
    uint8_t in_storage[COLOURS]


cdef inline float region_worth(View* v, int cell) noexcept nogil:
    """Return what filling a cell is worth for its region: points if it completes it, else hope."""
    cdef const BgState* s = v.s
    cdef uint64_t open_cells, rest
    cdef float points
    cdef int empty, colour, other, taken_large = 0, taken_small = 0
    if (v.known >> cell) & 1:
        return v.region[cell]
    v.known |= <uint64_t>1 << cell
    open_cells = v.board.region[cell] & ~s.filled[v.seat]
    empty = popcount(open_cells)
    points = <float>v.board.region_points[cell] + <float>v.R.phase_points[s.phase]
    if empty > 1:
        points = v.w.progress * points / <float>empty if empty <= v.actions_left else 0
    else:
        for colour in range(COLOURS):
            if (v.board.colour_cells[colour] >> cell) & 1:
                rest = v.board.colour_cells[colour] & ~s.filled[v.seat]
                if rest & (rest - 1) == 0:  # the last cell of its colour
                    for other in range(v.R.players):
                        taken_large |= s.large[other]
                        taken_small |= s.small[other]
                    if not (taken_large >> colour) & 1:
                        points += v.R.large_bonus
                    elif not (taken_small >> colour) & 1:
                        points += v.R.small_bonus
                break
    points += v.w.opening * <float>popcount(
        v.board.neighbours[cell] & ~s.filled[v.seat] & ~s.frontier[v.seat]
    )
    v.region[cell] = points
    return points


cdef inline float pasture_worth(const View* v, int tile, int cell) noexcept nogil:
    """Return the points an animal tile scores on a cell."""
    cdef uint64_t pasture = v.board.region[cell] & v.s.filled[v.seat]
    cdef int extra = owns(v.s, v.seat, 7), points = animals_on(tile) + extra, other
    while pasture:
        other = v.s.estate[v.seat][lowest(pasture)]
        if species(other) == species(tile):
            points += animals_on(other) + extra
        pasture &= pasture - 1
    return <float>points


cdef inline float effect_worth(const View* v, int tile) noexcept nogil:
    """Return what the effect of a tile is worth wherever it is placed."""
    cdef float worth = v.w.placed[v.s.phase][tile]
    if tile == WATCHTOWER:
        worth += 4
    elif FIRST_MONASTERY + 15 <= tile <= FIRST_MONASTERY + 22:  # 16-23 count buildings
        worth += v.w.building * <float>popcount(
            v.s.cities[v.seat][tile - FIRST_MONASTERY - 15]
        )
    return worth


cdef inline float placing(View* v, int tile, int cell) noexcept nogil:
    """Return what placing a tile on a cell is worth."""
    cdef float worth = effect_worth(v, tile) + region_worth(v, cell)
    if FIRST_ANIMAL <= tile < FIRST_MONASTERY:
        worth += pasture_worth(v, tile, cell)
    return worth


cdef inline float storing(View* v, int tile) noexcept nogil:
    """Return what a tile is worth in storage: a share of what its best cell would bring."""
    cdef uint64_t cells = cells_for(v.R, v.s, v.seat, tile)
    cdef uint64_t room = v.board.tile_cells[tile] & ~v.s.filled[v.seat]
    cdef int colour = v.R.tile_colour[tile], stored = 0, i
    cdef float best = 0, worth
    for i in range(COLOURS):
        stored += v.in_storage[i]
    if popcount(room) <= v.in_storage[colour] or v.actions_left <= stored:
        return 0
    if cells == 0:
        return v.w.blocked * effect_worth(v, tile)
    while cells:
        worth = region_worth(v, lowest(cells))
        if FIRST_ANIMAL <= tile < FIRST_MONASTERY:
            worth += pasture_worth(v, tile, lowest(cells))
        best = worth if worth > best else best
        cells &= cells - 1
    return v.w.stored * (best + effect_worth(v, tile))


cdef inline float workers_worth(const View* v, int workers) noexcept nogil:
    """Return what one more worker is worth to who has so many."""
    return v.w.worker if workers < 3 else v.w.spare_worker


cdef inline float taking_workers(const View* v) noexcept nogil:
    """Return what taking workers is worth (monasteries 13 and 14 make it more)."""
    cdef int workers = v.s.workers[v.seat]
    cdef float worth = workers_worth(v, workers) + workers_worth(v, workers + 1)
    if owns(v.s, v.seat, 14):
        worth += 2 * v.w.spare_worker
    if owns(v.s, v.seat, 13):
        worth += v.w.silver
    return worth


cdef inline float price(const View* v, int die, int value, bint free) noexcept nogil:
    """Return what changing a die costs."""
    cdef int far = v.R.distance[die][value] - free, i
    cdef float cost = 0
    far += far < 0
    far = (far + owns(v.s, v.seat, 8)) >> owns(v.s, v.seat, 8)
    for i in range(far):
        cost += workers_worth(v, v.s.workers[v.seat] - 1 - i)
    return cost


cdef inline float selling(const View* v, int good) noexcept nogil:
    """Return what selling a colour is worth."""
    cdef int tiles = (v.s.goods[v.seat] >> (4 * (good - 1))) & 15
    cdef float worth = <float>tiles * (<float>v.R.sale_points + v.w.sold) + v.w.silver
    if owns(v.s, v.seat, 3):
        worth += v.w.silver
    if owns(v.s, v.seat, 4):
        worth += workers_worth(v, v.s.workers[v.seat])
    return worth - (v.w.waiting if v.s.phase < PHASES - 1 else 0)


cdef inline float loading(const View* v, action_t action) noexcept nogil:
    """Return what a load is worth."""
    cdef int depot = (action >> PLACE_SHIFT) & 63, then = (action >> VALUE_SHIFT) & 7
    cdef uint32_t aboard = colour_set(v.s.goods[v.seat]), colours, lying
    cdef float worth = 0
    cdef int i, step, goods
    for step in range(2):
        if step == 1:
            depot = then
        if depot == 0:
            break
        lying = v.s.depot_goods[depot - 1]
        colours = taken(
            aboard, colour_set(lying), (action >> (DISCARD_SHIFT if step else TILE_SHIFT)) & 63
        )
        for i in range(6):
            if (colours >> i) & 1:
                goods = (lying >> (4 * i)) & 15
                worth += v.w.loaded * <float>goods
                if (aboard >> i) & 1:
                    worth += v.w.stacked * <float>goods
        aboard |= colours
    return worth


cdef inline action_t best_load(const View* v) noexcept nogil:
    """Return the load worth most."""
    cdef action_t listed[MAX_ACTIONS]
    cdef action_t best = 0
    cdef float worth, most = -1
    cdef int i, n = loads(v.R, v.s, listed)
    for i in range(n):
        worth = 0 if listed[i] >> KIND_SHIFT == SKIP else loading(v, listed[i])
        if worth > most:
            most = worth
            best = listed[i]
    return best


cdef inline void look(const BgRules* R, const BgState* s, View* v) noexcept nogil:
    """Prepare the judgement of a decision."""
    cdef int i, rounds = (PHASES - 1 - s.phase) * ROUNDS + ROUNDS - 1 - s.round
    v.R = R
    v.s = s
    v.w = &R.greedy
    v.seat = seat_to_move(s)
    v.board = &R.boards[v.seat]
    v.known = 0
    v.actions_left = 2 * rounds + popcount(s.dice_left) - (s.pending == 0 and s.dice_left != 0)
    for i in range(COLOURS):
        v.in_storage[i] = 0
    for i in range(STORAGE):
        if s.storage[v.seat][i]:
            v.in_storage[R.tile_colour[s.storage[v.seat][i]]] += 1


cdef struct Choice:  # the best option met so far
    float worth
    action_t action


cdef inline void consider(Choice* choice, float worth, action_t action) noexcept nogil:
    """Prefer an option that is worth more than those before it."""
    if worth > choice.worth:
        choice.worth = worth
        choice.action = action


cdef inline uint64_t open_mask(const Options* o, int group) noexcept nogil:
    """Return the options of a group; empty groups have no mask."""
    return o.mask[group] if o.count[group] else 0


cdef inline int least_stored(View* v, const Options* o, float* loss) noexcept nogil:
    """Return the stored tile that makes room where storage is full, and what that costs."""
    cdef int i, discard = NO_TILE
    cdef float worth
    loss[0] = 0
    if not o.full:
        return NO_TILE
    for i in range(STORAGE):
        if o.stored[i]:
            v.in_storage[v.R.tile_colour[o.stored[i]]] -= 1
            worth = storing(v, o.stored[i])
            v.in_storage[v.R.tile_colour[o.stored[i]]] += 1
            if discard == NO_TILE or worth < loss[0]:
                loss[0] = worth
                discard = o.stored[i]
    return discard


cdef inline void judge_slots(View* v, const Options* o, int discard, float loss, float* value) noexcept nogil:
    """Write what getting the tile in each slot within reach is worth."""
    cdef uint64_t slots = (
        open_mask(o, PURCHASES)
        | open_mask(o, PURCHASES_WITH_WORKERS)
        | open_mask(o, TAKES)
        | open_mask(o, SECOND_DIE)
    )
    if discard:
        v.in_storage[v.R.tile_colour[discard]] -= 1
    while slots:
        value[lowest(slots)] = storing(v, v.s.slots[lowest(slots)]) - loss
        slots &= slots - 1
    if discard:
        v.in_storage[v.R.tile_colour[discard]] += 1


cdef inline void judge_purchases(
    const View* v, const Options* o, int discard, const float* value, Choice* choice
) noexcept nogil:
    """Consider the purchases that are worth their price; they use no die."""
    cdef int group
    cdef uint64_t slots
    cdef float cost
    for group in range(PURCHASES, PURCHASES_WITH_WORKERS + 1):
        slots = open_mask(o, group)
        cost = v.w.purchase + PURCHASE * (
            v.w.silver if group == PURCHASES else workers_worth(v, v.s.workers[v.seat])
        )
        while slots:
            if value[lowest(slots)] > cost:
                consider(
                    choice,
                    value[lowest(slots)] - cost,
                    packed_purchase(
                        v.s, lowest(slots), discard, group == PURCHASES_WITH_WORKERS
                    ),
                )
            slots &= slots - 1


cdef inline void judge_die(
    View* v, const Options* o, bint second, int discard, const float* value, Choice* choice
) noexcept nogil:
    """Consider what a die, or the effect in its place, may do."""
    cdef int base = SECOND_DIE - TAKES if second else 0, die = o.dice[second], i, at, tile
    cdef bint by_die = o.by == BY_DIE
    cdef uint64_t mask = open_mask(o, base + TAKES)
    cdef float worth
    while mask:
        at = lowest(mask)
        worth = value[at]
        if by_die:
            worth -= price(v, die, (at >> 2) + 1, owns(v.s, v.seat, 12))
        consider(choice, worth, packed_take(v.s, o, die, at, discard))
        mask &= mask - 1
    for i in range(STORAGE):
        mask = open_mask(o, base + PLACEMENTS + i)
        tile = o.stored[i]
        while mask:
            at = lowest(mask)
            worth = placing(v, tile, at)
            if by_die:
                worth -= price(
                    v, die, v.board.die_number[at], owns(v.s, v.seat, v.R.step_monastery[tile])
                )
            consider(choice, worth, packed_placement(v.board, o, die, tile, at))
            mask &= mask - 1
    mask = open_mask(o, base + SALES)
    while mask:
        at = (lowest(mask) >> 2) + 1
        worth = selling(v, at)
        if by_die:
            worth -= price(v, die, at, False)
        consider(choice, worth, packed(SELL + o.by, die, at, 0, 0, 0))
        mask &= mask - 1
    if o.count[base + TAKING_WORKERS]:
        consider(choice, taking_workers(v), packed(WORKERS + o.by, die, 0, 0, 0, 0))


cdef inline action_t greedy_action(const BgRules* R, const BgState* s) noexcept nogil:
    """Return the option worth most."""
    cdef View v
    cdef Options o
    cdef Choice choice
    cdef float value[SLOTS]
    cdef float loss
    cdef int discard
    look(R, s, &v)
    if s.pending & 0xFF == SHIP:
        return best_load(&v)
    survey(R, s, &o)
    choice.worth = -1e9
    choice.action = 0
    if o.count[LEAVING]:
        consider(&choice, 0, packed(SKIP if s.pending else END_TURN, 0, 0, 0, 0, 0))
    discard = least_stored(&v, &o, &loss)
    judge_slots(&v, &o, discard, loss, value)
    judge_purchases(&v, &o, discard, value, &choice)
    if s.pending or s.dice_left:
        judge_die(&v, &o, False, discard, value, &choice)
        if o.count[SECOND_DIE + TAKING_WORKERS - TAKES]:
            judge_die(&v, &o, True, discard, value, &choice)
    return choice.action


cdef inline float worth_of(View* v, action_t action) noexcept nogil:
    """Return what one action is worth."""
    cdef int kind = action >> KIND_SHIFT, die = (action >> DIE_SHIFT) & 7
    cdef int value = (action >> VALUE_SHIFT) & 7, place = (action >> PLACE_SHIFT) & 63
    cdef int tile = (action >> TILE_SHIFT) & 63, discard = (action >> DISCARD_SHIFT) & 63
    cdef float worth = 0
    if kind == LOAD:
        return loading(v, action)
    if kind == PLACE or kind == FREE_PLACE or kind == EFFECT_PLACE:
        worth = placing(v, tile, place)
        if kind == PLACE:
            worth -= price(v, die, value, owns(v.s, v.seat, v.R.step_monastery[tile]))
    elif kind == SELL or kind == FREE_SELL or kind == EFFECT_SELL:
        worth = selling(v, value)
        if kind == SELL:
            worth -= price(v, die, value, False)
    elif kind == WORKERS or kind == FREE_WORKERS:
        worth = taking_workers(v)
    elif kind != SKIP and kind != END_TURN:
        if discard:
            v.in_storage[v.R.tile_colour[discard]] -= 1
            worth = storing(v, tile) - storing(v, discard)
            v.in_storage[v.R.tile_colour[discard]] += 1
        else:
            worth = storing(v, tile)
        if kind == TAKE:
            worth -= price(v, die, value, owns(v.s, v.seat, 12))
        elif kind == BUY:
            worth -= v.w.purchase + PURCHASE * v.w.silver
        elif kind == BUY_WITH_WORKERS:
            worth -= v.w.purchase + PURCHASE * workers_worth(v, v.s.workers[v.seat])
    return worth


cdef inline void greedy_worths(
    const BgRules* R, const BgState* s, const action_t* actions, int count, float* out
) noexcept nogil:
    """Write what each of some legal actions is worth to the greedy player."""
    cdef View v
    cdef int i
    look(R, s, &v)
    for i in range(count):
        out[i] = worth_of(&v, actions[i])


cdef inline int play_greedy(const BgRules* R, BgState* s, uint64_t world) noexcept nogil:
    """Play to the end, everybody greedily; return the number of decisions."""
    cdef int decisions = 0
    while s.stage != END:
        if s.stage != PLAY:
            resolve_chance(R, s, world)
        else:
            apply_action(R, s, greedy_action(R, s))
            decisions += 1
    return decisions
