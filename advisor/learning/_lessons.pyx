"""Self-play and what it teaches.

Owns the samples and the games they come from. After every turn, for every seat: the traits that
hold, and as the target a mixture of what the net thought later in the game and how it ended (TD
lambda), less the points that were certain. Turns are chosen by the net with a little noise, so that
games differ; or by one of the game's policies, to have something to begin with.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, next64, stream
from advisor.learning._planner cimport Planner
from advisor.learning._value cimport VALUE_SEATS, Value

cdef class Lessons:
    """Samples in the order in which they were played."""

    def __dealloc__(self):
        free(self.traits)
        free(self.ends)
        free(self.targets)
        free(self.chapters)

    cdef bint reserve(self, int64_t samples, int64_t traits) noexcept nogil:
        """Make room for more samples; False where memory has run out."""
        cdef void* moved
        cdef int64_t size
        if self.count + samples > self.reserved:
            size = 2 * self.reserved + samples
            moved = realloc(self.ends, size * sizeof(int64_t))
            if moved == NULL:
                return False
            self.ends = <int64_t*>moved
            moved = realloc(self.targets, size * sizeof(float))
            if moved == NULL:
                return False
            self.targets = <float*>moved
            moved = realloc(self.chapters, size)
            if moved == NULL:
                return False
            self.chapters = <uint8_t*>moved
            self.reserved = size
        if self.used + traits > self.reserved_traits:
            size = 2 * self.reserved_traits + traits
            moved = realloc(self.traits, size * sizeof(uint16_t))
            if moved == NULL:
                return False
            self.traits = <uint16_t*>moved
            self.reserved_traits = size
        return True

    cdef void note(self, Value value, const void* state) noexcept nogil:
        cdef const GameVT* vt = value.game.vt
        cdef const void* rules = value.game.rules
        cdef int seat, part, players = <int>vt.players
        if not self.reserve(players, players * (2 * <int64_t>vt.max_traits + 1)):
            self.full = True
            return
        for seat in range(players):
            for part in range(2):
                self.keep(vt.describe(rules, state, seat, part, self.traits + self.used))
            if value.own_score:
                self.traits[self.used] = <uint16_t>vt.traits
                self.used += 1
            self.ends[self.count] = self.used
            self.chapters[self.count] = vt.chapter(rules, state)
            self.count += 1

    cdef void keep(self, int places) noexcept nogil:
        """Keep what has just been written after the last trait, but for places that say nothing."""
        cdef const uint16_t* written = self.traits + self.used
        cdef int i
        for i in range(places):
            if written[i]:
                self.traits[self.used] = written[i]
                self.used += 1

    def extend(self, Lessons other):
        """Add the samples of others."""
        cdef int64_t i
        if not self.reserve(other.count, other.used):
            raise MemoryError
        if other.count == 0:
            return
        memcpy(self.traits + self.used, other.traits, other.used * sizeof(uint16_t))
        memcpy(self.targets + self.count, other.targets, other.count * sizeof(float))
        memcpy(self.chapters + self.count, other.chapters, other.count)
        for i in range(other.count):
            self.ends[self.count + i] = self.used + other.ends[i]
        self.count += other.count
        self.used += other.used


cdef class Record:
    """The games that a call plays: their scores, and how far off the value was.

    Args:
        value: who judges.
        starts: packed states in which the games begin.
        worlds: the luck of each game.
        scores: gets the final points.
        squares, cases: by the number of chance events to come, the squared errors of what the value
            saw between two seats are added up here, and how many they are.

    Raises:
        ValueError: they do not fit each other.

    """

    def __cinit__(
        self,
        Value value,
        const uint8_t[:, ::1] starts,
        const uint64_t[::1] worlds,
        double[:, ::1] scores,
        double[::1] squares,
        double[::1] cases,
    ):
        cdef const GameVT* vt = value.game.vt
        if starts.shape[0] != worlds.shape[0] or starts.shape[1] != <Py_ssize_t>vt.state_size:
            raise ValueError("the starts do not fit the game")
        if squares.shape[0] != cases.shape[0]:
            raise ValueError("squares and cases differ in length")
        if scores.shape[0] != starts.shape[0] or scores.shape[1] != <Py_ssize_t>vt.players:
            raise ValueError("the scores need a row for each game and a column for each seat")
        self.scores = scores
        self.squares = squares
        self.cases = cases

    cdef bint note(self, Value value, const void* state) noexcept nogil:
        if self.turns >= MOST_TURNS:
            return False
        value.watch(state, 0)
        value.judge(state, self.thought[self.turns])
        self.left[self.turns] = value.game.vt.chances(value.game.rules, state)
        self.turns += 1
        return True

    cdef void end(self, Py_ssize_t game, const double* points, int players) noexcept nogil:
        cdef int t, seat, other
        cdef double apart
        for t in range(self.turns):
            if self.left[t] >= self.squares.shape[0]:
                continue
            for seat in range(players):
                for other in range(seat):
                    apart = points[seat] - points[other]
                    apart -= self.thought[t][seat] - self.thought[t][other]
                    self.squares[self.left[t]] += apart * apart
                    self.cases[self.left[t]] += 1
        for seat in range(players):
            self.scores[game, seat] = points[seat]
        self.turns = 0


def self_play(
    Planner planner,
    Lessons lessons,
    *,
    const uint8_t[:, ::1] starts,
    const uint64_t[::1] worlds,
    double temperature,
    double trace,
    int width,
    int32_t limit,
    int policy,
    double[:, ::1] scores,
    double[::1] squares,
    double[::1] cases,
):
    """Play one game for each start and add its samples.

    Args:
        planner: who plays, and what the samples' targets are mixed with.
        lessons: where the samples go.
        starts, worlds, scores, squares, cases: the games (`Record`).
        temperature: points by which a worse turn is still taken now and then.
        trace: share that the later course of the game has in a target (lambda); the rest is what
            the net thinks at the next turn.
        width, limit: of the planner.
        policy: -1 lets the net choose, otherwise the game's policy of that number plays.

    """
    cdef Game game = planner.game
    cdef const GameVT* vt = game.vt
    cdef const void* rules = game.rules
    cdef Value value = planner.value
    cdef Record record = Record(value, starts, worlds, scores, squares, cases)
    cdef Py_ssize_t row
    cdef int mover, last, t, seat, players = <int>vt.players
    cdef int32_t best, i
    cdef double sure[MOST_TURNS][VALUE_SEATS]
    cdef double points[VALUE_SEATS]
    cdef double wins[VALUE_SEATS]
    cdef double target, noisy, most
    cdef uint64_t rng
    cdef int64_t first
    cdef void* s = malloc(vt.state_size)
    if s == NULL:
        raise MemoryError
    with nogil:
        for row in range(starts.shape[0]):
            memcpy(s, &starts[row, 0], vt.state_size)
            rng = stream(worlds[row], 77)
            first = lessons.count
            while True:
                mover = vt.to_move(rules, s)
                if mover == OVER:
                    break
                if mover == CHANCE:
                    vt.chance(rules, s, worlds[row])
                    continue
                if policy >= 0:
                    last = mover
                    while mover == last:
                        vt.apply(rules, s, vt.choose(rules, s, policy, next64(&rng)))
                        mover = vt.to_move(rules, s)
                else:
                    best = planner.plan(s, width, limit)
                    if temperature > 0:
                        most = -1e30
                        for i in range(1, planner.used):
                            if planner.found[i].ends:
                                noisy = planner.found[i].worth + temperature * gumbel(&rng)
                                if noisy > most:
                                    most = noisy
                                    best = i
                    memcpy(s, planner.state_of(best), vt.state_size)
                if vt.to_move(rules, s) == OVER or not record.note(value, s):
                    break
                lessons.note(value, s)
                if lessons.full:
                    break
                for seat in range(players):
                    sure[record.turns - 1][seat] = vt.certain(rules, s, seat)
            if lessons.full:
                break
            vt.returns(rules, s, points, wins)
            for seat in range(players):
                target = points[seat]
                t = record.turns - 1
                while t >= 0:
                    lessons.targets[first + t * players + seat] = <float>(target - sure[t][seat])
                    target = trace * target + (1 - trace) * record.thought[t][seat]
                    t -= 1
            record.end(row, points, players)
    free(s)
    if lessons.full:
        raise MemoryError
