"""Self-play and what it teaches.

Owns the samples and the games they come from. After every turn, for every seat: the traits that
hold, and as the target a mixture of what the net thought later in the game and how it ended (TD
lambda), less the points that were certain. Turns are chosen by the net with a little noise, so that
games differ; or by one of the game's policies, to have something to begin with.
"""

import numpy as np

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, next64, stream
from advisor.learning._planner cimport Planner
from advisor.learning._value cimport VALUE_SEATS, Value

cdef enum:
    MOST_TURNS = 512  # of a game


cdef inline double gumbel(uint64_t* rng) noexcept nogil:
    """Draw from Gumbel's distribution: the greatest of worths plus such noise is a soft choice."""
    return -log(-log(((next64(rng) >> 11) + 0.5) * 1.1102230246251565e-16))


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

    cdef void note(self, int places) noexcept nogil:
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
        starts: packed states.
        worlds: the luck of each game.
        temperature: points by which a worse turn is still taken now and then.
        trace: share that the later course of the game has in a target (lambda); the rest is what
            the net thinks at the next turn.
        width, limit: of the planner.
        policy: -1 lets the net choose, otherwise the game's policy of that number plays.
        scores: gets the final points.
        squares, cases: by the number of chance events to come, the squared errors of what the net
            saw between two seats are added up here, and how many they are.

    """
    cdef Game game = planner.game
    cdef const GameVT* vt = game.vt
    cdef const void* rules = game.rules
    cdef Value value = planner.value
    cdef Py_ssize_t row
    cdef uint32_t seat, other, players = vt.players
    cdef int mover, last, turns, t
    cdef int32_t best, i
    cdef double thought[MOST_TURNS][VALUE_SEATS]
    cdef double sure[MOST_TURNS][VALUE_SEATS]
    cdef int left[MOST_TURNS]  # chance events to come
    cdef double points[VALUE_SEATS]
    cdef double wins[VALUE_SEATS]
    cdef double target, noisy, most
    cdef uint64_t rng
    cdef int64_t first
    cdef bint failed = False
    cdef size_t room = 2 * vt.max_traits + 1
    cdef void* s
    if starts.shape[0] != worlds.shape[0] or starts.shape[1] != <Py_ssize_t>vt.state_size:
        raise ValueError("the starts do not fit the game")
    if squares.shape[0] != cases.shape[0]:
        raise ValueError("squares and cases differ in length")
    if scores.shape[0] != starts.shape[0] or scores.shape[1] != <Py_ssize_t>players:
        raise ValueError("the scores need a row for each game and a column for each seat")
    s = malloc(vt.state_size)
    if s == NULL:
        raise MemoryError
    with nogil:
        for row in range(starts.shape[0]):
            memcpy(s, &starts[row, 0], vt.state_size)
            rng = stream(worlds[row], 77)
            turns = 0
            first = lessons.count
            while turns < MOST_TURNS:
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
                if vt.to_move(rules, s) == OVER:
                    break
                if not lessons.reserve(players, <int64_t>(players * room)):
                    failed = True
                    break
                value.watch(s, 0)
                value.judge(s, thought[turns])
                left[turns] = vt.chances(rules, s)
                for seat in range(players):
                    sure[turns][seat] = vt.certain(rules, s, <int>seat)
                    lessons.note(vt.describe(rules, s, <int>seat, 0, lessons.traits + lessons.used))
                    lessons.note(vt.describe(rules, s, <int>seat, 1, lessons.traits + lessons.used))
                    if value.own_score:
                        lessons.traits[lessons.used] = <uint16_t>vt.traits
                        lessons.used += 1
                    lessons.ends[lessons.count] = lessons.used
                    lessons.chapters[lessons.count] = vt.chapter(rules, s)
                    lessons.count += 1
                turns += 1
            if failed:
                break
            vt.returns(rules, s, points, wins)
            for t in range(turns):
                if left[t] < squares.shape[0]:
                    for seat in range(players):
                        for other in range(seat):
                            noisy = points[seat] - points[other] - thought[t][seat] + thought[t][other]
                            squares[left[t]] += noisy * noisy
                            cases[left[t]] += 1
            for seat in range(players):
                scores[row, seat] = points[seat]
                target = points[seat]
                t = turns - 1
                while t >= 0:
                    lessons.targets[first + t * players + seat] = <float>(target - sure[t][seat])
                    target = trace * target + (1 - trace) * thought[t][seat]
                    t -= 1
    free(s)
    if failed:
        raise MemoryError
