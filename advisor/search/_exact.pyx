"""The exact answer where no chance remains: alpha-beta for two players, max^n for more.

Owns the solver: depth first over the players' actions to the end of the game, without the GIL, with
a table of positions met before. Every seat prefers the higher margin (points ahead of the best
other) and between equal margins the higher share of the win; or, where seats play for their own
score, the score, then margin and win. Further ties go to the action that sorts first (max^n) or to any of
the equal ones (alpha-beta).

For two players margin and win are a zero-sum value, so alpha-beta finds it; `line` then walks down a
best line of play. Meeting a chance event ends the attempt: the position cannot be solved.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, action_t, fingerprint

cdef enum:
    DEPTH = 256
    PROBES = 4
    HISTORY = 4096

# How a stored value bounds the true one (alpha-beta).
cdef enum:
    EMPTY = 0
    EXACT = 1
    AT_LEAST = 2
    AT_MOST = 3

# Why an attempt ended early.
cdef enum:
    DONE = 0
    MET_CHANCE = 1
    TOO_LARGE = 2  # or cancelled

cdef double WIDE = 1e18


cdef class Solver:
    """Solves positions of one game.

    Args:
        game: the rules.
        own_score: seats play for their own score, not for their margin.
        memory: bytes for the table of positions.

    """

    def __cinit__(self, Game game, *, bint own_score=False, int64_t memory=1 << 26):
        self.game = game
        self.own_score = own_score
        self.entries = 1024
        while self.entries * 2 * sizeof(Entry) <= <uint64_t>memory:
            self.entries *= 2
        self.states = <char*>malloc((DEPTH + 1) * game.vt.state_size)
        self.actions = <action_t*>malloc(DEPTH * game.vt.max_actions * sizeof(action_t))
        self.orders = <float*>malloc(DEPTH * game.vt.max_actions * sizeof(float))
        self.table = <Entry*>calloc(self.entries, sizeof(Entry))
        self.history = <uint32_t*>calloc(HISTORY, sizeof(uint32_t))
        if not (self.states and self.actions and self.orders and self.table and self.history):
            raise MemoryError
        if game.vt.players > SOLVER_SEATS:
            raise ValueError(f"at most {SOLVER_SEATS} players")

    def __dealloc__(self):
        free(self.states)
        free(self.actions)
        free(self.orders)
        free(self.table)
        free(self.history)

    def cancel(self):
        """Let a running `solve` give up; may be called from another thread."""
        self.cancelled = True

    def line(self, bytes state, int64_t limit):
        """Return ((points, wins), actions) of a best line of play to the end, or None.

        None: chance plays a part, more than `limit` positions were looked at, or it was cancelled.
        """
        cdef const GameVT* vt = self.game.vt
        cdef const void* start = self.game._checked(state)
        cdef Outcome outcome
        cdef action_t best = 0
        cdef bint solved
        with nogil:
            solved = self.settle(start, limit, &outcome)
        if not solved:
            return None
        actions = []
        while vt.to_move(self.game.rules, self.states) != OVER:
            with nogil:
                self.best_play(&outcome, &best)
            if self.trouble:
                return None
            actions.append(best)
            vt.apply(self.game.rules, self.states, best)
            vt.tidy(self.game.rules, self.states)
        self.outcome_of(self.states, &outcome)
        points = [outcome.points[i] for i in range(vt.players)]
        wins = [outcome.wins[i] for i in range(vt.players)]
        return (points, wins), actions

    cdef bint settle(self, const void* state, int64_t limit, Outcome* out) noexcept nogil:
        """Fill in how a state ends with best play; False where that could not be found out."""
        cdef action_t ignored
        memcpy(self.states, state, self.game.vt.state_size)
        self.game.vt.tidy(self.game.rules, self.states)
        self.trouble = DONE
        self.limit = self.nodes + limit
        self.best_play(out, &ignored)
        return not (self.trouble or self.cancelled)

    cdef void best_play(self, Outcome* out, action_t* best) noexcept nogil:
        """Solve the first state."""
        if self.zero_sum():
            self.alpha_beta(0, -WIDE, WIDE, out, best)
        else:
            self.max_n(0, out, best)

    cdef bint zero_sum(self) noexcept nogil:
        return self.game.vt.players == 2 and not self.own_score

    cdef void outcome_of(self, const void* state, Outcome* out) noexcept nogil:
        cdef double points[SOLVER_SEATS]
        cdef double wins[SOLVER_SEATS]
        cdef uint32_t i
        self.game.vt.returns(self.game.rules, state, points, wins)
        for i in range(self.game.vt.players):
            out.points[i] = <float>points[i]
            out.wins[i] = <float>wins[i]

    cdef double worth(self, const Outcome* outcome, int seat) noexcept nogil:
        """Return what an outcome is worth to a seat: the measures in order of weight."""
        cdef double other = -WIDE, margin
        cdef uint32_t i
        for i in range(self.game.vt.players):
            if <int>i != seat and outcome.points[i] > other:
                other = outcome.points[i]
        margin = outcome.points[seat] - other if self.game.vt.players > 1 else 0.0
        margin += 0.25 * outcome.wins[seat]
        return outcome.points[seat] + margin / 4096 if self.own_score else margin

    cdef Entry* look_up(self, const uint64_t* key, Entry** place) noexcept nogil:
        """Return the entry of a position or NULL; `place` is where to write one."""
        cdef uint64_t at
        cdef int i
        place[0] = &self.table[key[0] & (self.entries - 1)]
        for i in range(PROBES):
            at = (key[0] + i) & (self.entries - 1)
            if self.table[at].bound == EMPTY:
                place[0] = &self.table[at]
                return NULL
            if self.table[at].key == key[1]:
                place[0] = &self.table[at]
                return &self.table[at]
        return NULL

    cdef int expand(self, int depth, action_t first) noexcept nogil:
        """List the actions of the state at a depth with their order; 0 where there is trouble."""
        cdef const GameVT* vt = self.game.vt
        cdef action_t* actions = self.actions + depth * vt.max_actions
        cdef float* orders = self.orders + depth * vt.max_actions
        cdef int n, i
        self.nodes += 1
        if self.nodes > self.limit or self.cancelled or depth + 1 >= DEPTH:
            self.trouble = TOO_LARGE
        if self.trouble:
            return 0
        n = vt.legal(self.game.rules, self.states + depth * vt.state_size, actions)
        for i in range(n):
            orders[i] = (
                <float>1e30 if actions[i] == first else <float>self.history[slot(actions[i])]
            )
        return n

    cdef void step(self, int depth, action_t action) noexcept nogil:
        """Write the state after an action to the next depth."""
        cdef const GameVT* vt = self.game.vt
        cdef char* state = self.states + depth * vt.state_size
        memcpy(state + vt.state_size, state, vt.state_size)
        vt.apply(self.game.rules, state + vt.state_size, action)
        vt.tidy(self.game.rules, state + vt.state_size)

    cdef double alpha_beta(
        self, int depth, double alpha, double beta, Outcome* out, action_t* best
    ) noexcept nogil:
        """Return the first seat's value of the state at a depth, exact within alpha..beta.

        `out` is the outcome that has this value.
        """
        cdef const GameVT* vt = self.game.vt
        cdef void* state = self.states + depth * vt.state_size
        cdef action_t* actions = self.actions + depth * vt.max_actions
        cdef float* orders = self.orders + depth * vt.max_actions
        cdef int mover = vt.to_move(self.game.rules, state), n, i, next_
        cdef double value, found, low = alpha, high = beta
        cdef action_t choice = 0, ignored
        cdef uint64_t key[2]
        cdef Outcome outcome
        cdef Entry* entry
        cdef Entry* place
        if mover == OVER:
            self.outcome_of(state, out)
            return self.worth(out, 0)
        if mover == CHANCE:
            self.trouble = MET_CHANCE
            return 0
        fingerprint(state, vt.state_size, key)
        entry = self.look_up(key, &place)
        if entry != NULL:
            choice = entry.best
            if entry.bound == EXACT or (
                entry.value >= beta if entry.bound == AT_LEAST else entry.value <= alpha
            ):
                best[0] = choice
                out[0] = entry.outcome
                return entry.value
        n = self.expand(depth, choice)
        found = -WIDE if mover == 0 else WIDE
        for i in range(n):
            next_ = pick(actions, orders, i, n)
            self.step(depth, actions[next_])
            value = self.alpha_beta(depth + 1, low, high, &outcome, &ignored)
            if self.trouble:
                return 0
            if value > found if mover == 0 else value < found:
                found = value
                choice = actions[next_]
                out[0] = outcome
            if mover == 0:
                low = max(low, found)
            else:
                high = min(high, found)
            if low >= high:
                self.history[slot(choice)] += 1
                break
        if self.trouble:
            return 0
        best[0] = choice
        self.look_up(key, &place)
        place.key = key[1]
        place.value = found
        place.outcome = out[0]
        place.best = choice
        place.bound = AT_MOST if found <= alpha else AT_LEAST if found >= beta else EXACT
        return found

    cdef void max_n(self, int depth, Outcome* out, action_t* best) noexcept nogil:
        """Fill in the outcome of best play by every seat from the state at a depth."""
        cdef const GameVT* vt = self.game.vt
        cdef void* state = self.states + depth * vt.state_size
        cdef action_t* actions = self.actions + depth * vt.max_actions
        cdef int mover = vt.to_move(self.game.rules, state), n, i
        cdef double value, found = -WIDE
        cdef action_t ignored
        cdef uint64_t key[2]
        cdef Outcome outcome
        cdef Entry* entry
        cdef Entry* place
        if mover == OVER:
            self.outcome_of(state, out)
            return
        if mover == CHANCE:
            self.trouble = MET_CHANCE
            return
        fingerprint(state, vt.state_size, key)
        entry = self.look_up(key, &place)
        if entry != NULL:
            out[0] = entry.outcome
            best[0] = entry.best
            return
        n = self.expand(depth, 0)
        for i in range(n):
            self.step(depth, actions[i])
            self.max_n(depth + 1, &outcome, &ignored)
            if self.trouble:
                return
            value = self.worth(&outcome, mover)
            if value > found:
                found = value
                out[0] = outcome
                best[0] = actions[i]
        if self.trouble:
            return
        self.look_up(key, &place)
        place.key = key[1]
        place.outcome = out[0]
        place.best = best[0]
        place.bound = EXACT


cdef inline uint32_t slot(action_t action) noexcept nogil:
    """Return an action's place in the history of good replies."""
    return <uint32_t>(action * <uint32_t>2654435769) >> 20


cdef inline int pick(action_t* actions, float* orders, int i, int n) noexcept nogil:
    """Bring the most promising of actions i.. to place i; equal ones stay in their order."""
    cdef int best = i, j
    cdef action_t action
    cdef float order
    for j in range(i + 1, n):
        if orders[j] > orders[best]:
            best = j
    action = actions[best]
    order = orders[best]
    for j in range(best, i, -1):
        actions[j] = actions[j - 1]
        orders[j] = orders[j - 1]
    actions[i] = action
    orders[i] = order
    return i
