"""The Burgundy kernel: fills `GameVT` and builds the constant tables from the box's data.

Owns the rules handle `BurgundyGame`. The rules themselves stand in the `.pxd` files beside it:
`_options` and `_loads` (what is legal), `_moves` (what it does), `_scoring`, `_supply`, `_flow`,
`_uniform` and `_greedy` (how playouts decide). They are inline so that one compiled unit holds the whole hot path.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, action_t, below
from advisor.games.burgundy._features cimport (
    MAX_TRAITS,
    TRAITS,
    certain_points,
    outlook_of,
    own_traits,
    surrounding_traits,
)
from advisor.games.burgundy._flow cimport resolve_chance, start_round
from advisor.games.burgundy._greedy cimport greedy_action, greedy_worths, play_greedy
from advisor.games.burgundy._loads cimport loads
from advisor.games.burgundy._moves cimport apply_action
from advisor.games.burgundy._options cimport (
    GROUPS,
    LEAVING,
    PLACEMENTS,
    PURCHASES,
    PURCHASES_WITH_WORKERS,
    SALES,
    SECOND_DIE,
    TAKES,
    TAKING_WORKERS,
    Options,
    spell_out,
    survey,
)
from advisor.games.burgundy._scoring cimport winner
from advisor.games.burgundy._state cimport *
from advisor.games.burgundy._supply cimport offer_all, resplit
from advisor.games.burgundy._uniform cimport play_nth, play_uniform


cdef enum:  # the policies, in the order of their names in `game.py`
    UNIFORM = 0
    GREEDY = 1
    POLICIES = 2


cdef int steps_between(int a, int b) noexcept nogil:
    """Return the number of steps between two die numbers; 6 and 1 are neighbours (2019 p. 4)."""
    cdef int d = a - b if a > b else b - a
    return 6 - d if d > 3 else d


# --- The verbs

cdef int bg_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const BgState* s = <const BgState*>state
    if s.stage == PLAY:
        return seat_to_move(s)
    return OVER if s.stage == END else CHANCE


# The groups of options about in the order in which their actions sort: kind first, then die.
cdef int[GROUPS] SORTED_GROUPS = [
    TAKES,
    SECOND_DIE,
    PLACEMENTS,
    PLACEMENTS + 1,
    PLACEMENTS + 2,
    SECOND_DIE + 1,
    SECOND_DIE + 2,
    SECOND_DIE + 3,
    SALES,
    SECOND_DIE + 4,
    TAKING_WORKERS,
    SECOND_DIE + 5,
    PURCHASES,
    PURCHASES_WITH_WORKERS,
    LEAVING,
]


cdef int bg_legal(const void* rules, const void* state, action_t* out) noexcept nogil:
    cdef const BgRules* R = <const BgRules*>rules
    cdef const BgState* s = <const BgState*>state
    cdef Options options
    cdef int n = 0, g, i
    cdef action_t action
    if s.stage != PLAY:
        return 0
    if s.pending & 0xFF == SHIP:
        n = loads(R, s, out)
    else:
        survey(R, s, &options)
        for i in range(GROUPS):
            if options.count[SORTED_GROUPS[i]]:
                n += spell_out(R, s, &options, SORTED_GROUPS[i], out + n)
    for g in range(1, n):  # insertion sort: the list is short and nearly sorted
        action = out[g]
        i = g
        while i > 0 and out[i - 1] > action:
            out[i] = out[i - 1]
            i -= 1
        out[i] = action
    return n


cdef void bg_apply(const void* rules, void* state, action_t action) noexcept nogil:
    apply_action(<const BgRules*>rules, <BgState*>state, action)


cdef void bg_chance(const void* rules, void* state, uint64_t world) noexcept nogil:
    resolve_chance(<const BgRules*>rules, <BgState*>state, world)


cdef void bg_determinize(const void* rules, void* state, int seat, uint64_t world) noexcept nogil:
    # Nobody holds anything privately: what is unknown is unknown to all seats alike.
    cdef BgState* s = <BgState*>state
    if not s.backs_known:
        resplit(<const BgRules*>rules, s, world)
        s.backs_known = 1


cdef int bg_playout(
    const void* rules, void* state, int policy, uint64_t world, uint64_t seed
) noexcept nogil:
    if policy == GREEDY:
        return play_greedy(<const BgRules*>rules, <BgState*>state, world)
    return play_uniform(<const BgRules*>rules, <BgState*>state, world, seed)


cdef action_t bg_choose(const void* rules, const void* state, int policy, uint64_t seed) noexcept nogil:
    cdef action_t listed[MAX_ACTIONS]
    cdef uint32_t n
    if policy == GREEDY:
        return greedy_action(<const BgRules*>rules, <const BgState*>state)
    n = <uint32_t>bg_legal(rules, state, listed)
    return listed[below(&seed, n)]


cdef void bg_returns(const void* rules, const void* state, double* points, double* wins) noexcept nogil:
    cdef const BgRules* R = <const BgRules*>rules
    cdef const BgState* s = <const BgState*>state
    cdef int seat, best = winner(R, s)
    for seat in range(R.players):
        points[seat] = s.score[seat]
        wins[seat] = 1.0 if seat == best else 0.0


cdef void bg_points(const void* rules, const void* state, int32_t* out) noexcept nogil:
    cdef const BgState* s = <const BgState*>state
    cdef int seat, source
    for seat in range((<const BgRules*>rules).players):
        for source in range(SOURCES):
            out[seat * SOURCES + source] = s.points[seat][source]


cdef int bg_chances(const void* rules, const void* state) noexcept nogil:
    """Count the rolls and deals to come: a roll each round, a deal each phase."""
    cdef const BgState* s = <const BgState*>state
    if s.stage == END:
        return 0
    return (PHASES - 1 - s.phase) * (ROUNDS + 1) + ROUNDS - 1 - s.round + (
        0 if s.stage == PLAY else 1 if s.stage == ROLL else 2
    )


cdef int bg_describe(
    const void* rules, const void* state, int seat, int part, uint16_t* out
) noexcept nogil:
    if part == 0:
        return own_traits(<const BgRules*>rules, <const BgState*>state, seat, out)
    return surrounding_traits(<const BgRules*>rules, <const BgState*>state, seat, out)


cdef uint64_t bg_outlook(const void* rules, const void* state, int seat) noexcept nogil:
    return outlook_of(<const BgRules*>rules, <const BgState*>state, seat)


cdef double bg_certain(const void* rules, const void* state, int seat) noexcept nogil:
    return certain_points(<const BgRules*>rules, <const BgState*>state, seat)


cdef int bg_chapter(const void* rules, const void* state) noexcept nogil:
    return (<const BgState*>state).phase


cdef void bg_prior(
    const void* rules, const void* state, const action_t* actions, int count, float* out
) noexcept nogil:
    greedy_worths(<const BgRules*>rules, <const BgState*>state, actions, count, out)


cdef void bg_tidy(const void* rules, void* state) noexcept nogil:
    """Sort every storage, greatest tile first: empty spaces stay last."""
    cdef BgState* s = <BgState*>state
    cdef int seat, i, j
    cdef uint8_t tile
    for seat in range((<const BgRules*>rules).players):
        for i in range(1, STORAGE):
            tile = s.storage[seat][i]
            j = i
            while j > 0 and s.storage[seat][j - 1] < tile:
                s.storage[seat][j] = s.storage[seat][j - 1]
                j -= 1
            s.storage[seat][j] = tile


# --- The rules handle

# The monastery that gives a free step for placing on each colour (2019 p. 10).
STEP_MONASTERY = {BUILDING: 9, ANIMAL: 10, RIVER: 10, MONASTERY: 11, FORTRESS: 11, PIT: 11}

cdef class BurgundyGame(Game):
    """Burgundy for given boards and edition. Build it through `pack.rules_for`, which caches it.

    Args:
        boards: for each seat the list of its cells as (colour, die number, neighbours, region),
            region being a number.
        slot_colours: for each phase the colour of each of the 24 numbered slots, COLOURS if unused.
        black_slots: tiles in the black depot.
        tiles: for each kind of tile (colour, copies with coloured back, copies with black back).
        region_points, phase_points: points by size - 1 and by phase.
        values: the remaining numbers by the names of the fields of `BgRules`.

    """

    cdef GameVT table
    cdef BgRules c

    def __cinit__(
        self, *, boards, slot_colours, black_slots, tiles, region_points, phase_points, values
    ):
        cdef BgState some  # to see where its fields lie
        memset(&self.c, 0, sizeof(BgRules))
        players = len(boards)
        self.c.players = players
        for phase, colours in enumerate(slot_colours):
            self.c.phase_points[phase] = phase_points[phase]
            for slot, colour in enumerate(colours):
                self.c.slot_colour[phase][slot] = colour
                if colour != COLOURS:
                    self.c.slots_of_colour[phase][<int>colour] |= <uint32_t>1 << <int>slot
        for slot, colour in enumerate(slot_colours[0]):
            if colour != COLOURS:
                self.c.slot_order[<int>self.c.slots_in_play] = slot
                self.c.slots_in_play += 1
        self.c.black_slots = black_slots
        memset(self.c.city_kind, NO_CITY, TILE_KINDS)
        for tile, (colour, coloured, black) in tiles.items():
            self.c.tile_colour[<int>tile] = colour
            self.c.coloured_copies[<int>tile] = coloured
            self.c.black_copies[<int>tile] = black
            self.c.step_monastery[<int>tile] = STEP_MONASTERY[colour]
            if colour == BUILDING:
                self.c.city_kind[<int>tile] = tile - WAREHOUSE
        self.c.coloured_copies[<int>CASTLE] -= players  # the starting castles
        for seat, cells in enumerate(boards):
            self._fill_board(&self.c.boards[seat], cells, region_points)
            for tile in tiles:
                colour = self.c.tile_colour[<int>tile]
                self.c.boards[seat].tile_cells[<int>tile] = self.c.boards[seat].colour_cells[<int>colour]
        self._fill_reach()
        self.c.large_bonus = values["large_bonus"]
        self.c.small_bonus = values["small_bonus"]
        self.c.sale_points = values["sale_points"]
        self.c.purchase_during_effects = values["purchase_during_effects"]
        self.c.purchase_with_workers = values["purchase_with_workers"]
        self.c.monastery_15_points = values["monastery_15_points"]
        self.c.monastery_26_points = values["monastery_26_points"]
        self.c.most_empty_wins = values["most_empty_wins"]
        self.table.state_size = sizeof(BgState)
        self.table.turn_size = <uint32_t>(<char*>&some.goods_coming - <char*>&some)
        self.table.max_actions = MAX_ACTIONS
        self.table.players = players
        self.table.sources = SOURCES
        self.table.to_move = bg_to_move
        self.table.legal = bg_legal
        self.table.apply = bg_apply
        self.table.chance = bg_chance
        self.table.determinize = bg_determinize
        self.table.policies = POLICIES
        self.table.playout = bg_playout
        self.table.choose = bg_choose
        self.table.returns = bg_returns
        self.table.points = bg_points
        self.table.chances = bg_chances
        self.table.traits = TRAITS
        self.table.chapters = PHASES
        self.table.max_traits = MAX_TRAITS
        self.table.describe = bg_describe
        self.table.outlook = bg_outlook
        self.table.certain = bg_certain
        self.table.chapter = bg_chapter
        self.table.prior = bg_prior
        self.table.tidy = bg_tidy
        self.vt = &self.table
        self.rules = &self.c

    def set_weights(self, placed, others):
        """Tell the greedy player what things are worth.

        Args:
            placed: for each phase and kind of tile the worth of its effect.
            others: the remaining numbers by the names of the fields of `BgWeights`.

        """
        cdef BgWeights* w = &self.c.greedy
        if len(placed) != PHASES or any(not 0 < tile < TILE_KINDS for by in placed for tile in by):
            raise ValueError("the worth of tiles is told for every phase, by kind of tile")
        for phase in range(PHASES):
            for tile, worth in placed[phase].items():
                w.placed[<int>phase][<int>tile] = worth
        w.stored = others["stored"]
        w.blocked = others["blocked"]
        w.progress = others["progress"]
        w.opening = others["opening"]
        w.worker = others["worker"]
        w.spare_worker = others["spare_worker"]
        w.silver = others["silver"]
        w.loaded = others["loaded"]
        w.stacked = others["stacked"]
        w.sold = others["sold"]
        w.waiting = others["waiting"]
        w.building = others["building"]
        w.purchase = others["purchase"]

    cdef int _fill_board(self, BgBoard* board, list cells, list region_points) except -1:
        cdef int cell, other, number, far, city, bits
        cities = sorted({region for colour, _, _, region in cells if colour == BUILDING})
        sizes = {}
        for _, _, _, region in cells:
            sizes[region] = sizes.get(region, 0) + 1
        for cell, (colour, number, neighbours, region) in enumerate(cells):
            board.die_number[cell] = number
            board.region_points[cell] = region_points[sizes[region] - 1]
            board.colour_cells[<int>colour] |= <uint64_t>1 << cell
            for other in neighbours:
                board.neighbours[cell] |= <uint64_t>1 << other
            for other in range(CELLS):
                if cells[other][3] == region:
                    board.region[cell] |= <uint64_t>1 << other
            if colour == BUILDING:
                city = cities.index(region)
                board.city_bit[cell] = 1 << city
                for bits in range(256):
                    if (bits >> city) & 1:
                        board.city_cells[bits] |= <uint64_t>1 << cell
            for die in range(1, 7):
                for far in range(FAR + 1):
                    if steps_between(die, number) <= far:
                        board.reach[<int>die][far] |= <uint64_t>1 << cell
        for region in sorted(sizes):
            cell = next(i for i in range(CELLS) if cells[i][3] == region)
            board.region_cells[board.regions] = board.region[cell]
            board.region_colour[board.regions] = cells[cell][0]
            board.region_size[board.regions] = sizes[region]
            board.regions += 1
        return 0

    cdef int _fill_reach(self) except -1:
        cdef int die, far, value
        for die in range(1, 7):
            for far in range(FAR + 1):
                for value in range(1, 7):
                    self.c.distance[die][value] = steps_between(die, value)
                    if self.c.distance[die][value] <= far:
                        self.c.depot_reach[die][far] |= <uint32_t>15 << (4 * (value - 1))
                        self.c.good_reach[die][far] |= <uint32_t>1 << (4 * (value - 1))
        return 0

    def offer(self, bytes state):
        """Return the state with the offered slots worked out anew from the tiles in the slots."""
        cdef bytearray after = self._copied(state)
        offer_all(&self.c, <BgState*><char*>after)
        return bytes(after)

    def options(self, bytes state):
        """Return the states after every option as the playouts play them, in no order.

        Tests compare them with the states after `apply`; a pending ship has no such options.
        """
        cdef const BgState* s = <const BgState*>self._checked(state)
        cdef Options options
        cdef bytearray after
        cdef uint32_t n
        found = []
        if s.stage == PLAY and s.pending & 0xFF != SHIP:
            survey(&self.c, s, &options)
            for n in range(options.total):
                after = bytearray(state)
                play_nth(&self.c, <BgState*><char*>after, &options, n)
                found.append(bytes(after))
        return found

    def start_round(self, bytes state, int white):
        """Return the state after a roll: dice are in place, the white die shows `white`."""
        cdef bytearray after = self._copied(state)
        start_round(&self.c, <BgState*><char*>after, white)
        return bytes(after)
