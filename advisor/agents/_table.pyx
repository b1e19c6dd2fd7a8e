"""Whole games between agents, one after the other, without the GIL.

Owns the loop: who is asked, in which luck, what is recorded. The luck of a decision depends on the
game's luck, the seat and the turn, so that a game can be repeated and taken up anywhere. Knows no
game.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, action_t, next64, stream
from advisor.agents._agent cimport NO_ACTION, KernelAgent

cdef enum:
    SEATS = 8
    UNIFORM = 0  # the policy of turns that are played at random

cdef volatile bint stopping = False


def stop(bint wanted):
    """Let all games under way in this process end at their next decision, or allow games again."""
    global stopping
    stopping = wanted


class Stopped(Exception):
    """The games were stopped before their end."""


cdef inline int64_t nanoseconds() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t>now.tv_sec * 1000000000 + now.tv_nsec


cdef class Chair:
    """An agent and the chairs to its left; a chain, as the kernel cannot hold a list of objects."""

    cdef KernelAgent agent
    cdef Chair left

    def __cinit__(self, KernelAgent agent not None, Chair left):
        self.agent = agent
        self.left = left

    cdef action_t ask(
        self, int number, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        if number == 0:
            return self.agent.decide(state, seat, fresh, luck)
        return self.left.ask(number - 1, state, seat, fresh, luck)


cdef class Scroll:
    """The actions of many games, one after the other."""

    cdef action_t* codes
    cdef int64_t used
    cdef int64_t reserved

    def __dealloc__(self):
        free(self.codes)

    cdef bint write(self, action_t action) noexcept nogil:
        cdef action_t* larger
        if self.used == self.reserved:
            larger = <action_t*>realloc(self.codes, (2 * self.reserved + 1024) * sizeof(action_t))
            if larger == NULL:
                return False
            self.codes = larger
            self.reserved = 2 * self.reserved + 1024
        self.codes[self.used] = action
        self.used += 1
        return True

    def array(self):
        """Return a copy of all actions."""
        found = np.empty(self.used, dtype=np.uint32)
        cdef uint32_t[::1] view = found
        if self.used:
            memcpy(&view[0], self.codes, self.used * sizeof(action_t))
        return found


def play_games(
    Game game,
    list agents,
    *,
    const uint8_t[:, ::1] starts,
    const int8_t[:, ::1] seatings,
    const uint64_t[::1] worlds,
    const uint64_t[::1] lucks,
    int random_turns,
    int32_t[:, ::1] scores,
    uint8_t[:, ::1] wins,
    int32_t[:, :, ::1] points,
    int32_t[:, ::1] decisions,
    int64_t[:, ::1] nanos,
    int64_t[::1] ends,
    uint8_t[:, ::1] finals,
):
    """Play one game for each row of the arrays; return all actions.

    Args:
        game: the rules of all these games.
        agents: those who play; they have begun a game under these rules.
        starts: the packed state each game starts from.
        seatings: for each game and seat the number of its agent.
        worlds: the luck of dice and deals.
        lucks: the luck of the agents.
        random_turns: everybody's first so many turns are played at random.
        scores, wins, points, decisions, nanos: results, by game and seat.
        ends: where the actions of each game end.
        finals: the state each game ends in.

    Raises:
        Stopped: somebody called `stop`.
        Exception: whatever an agent written in Python raised.

    """
    cdef const GameVT* vt = game.vt
    cdef const void* rules = game.rules
    cdef Py_ssize_t count = starts.shape[0], row = 0
    cdef uint32_t seat
    cdef int mover, last, asked = -1
    cdef int turns[SEATS]
    cdef int64_t since, now
    cdef uint64_t rng = 0, luck
    cdef action_t action
    cdef bint fresh, failed = False, stopped = False
    cdef double final[SEATS]
    cdef double won[SEATS]
    cdef Scroll scroll = Scroll()
    cdef Chair chairs = None
    cdef void* s
    _check_shapes(game, len(agents), starts, seatings, (worlds, lucks, ends), (scores, wins, decisions, nanos))
    if not (points.shape[0] == count and points.shape[1] == <Py_ssize_t>vt.players):
        raise ValueError("the points need a row for each game and a column for each seat")
    if points.shape[2] != <Py_ssize_t>vt.sources or finals.shape[0] != count:
        raise ValueError("the results do not fit the game")
    if finals.shape[1] != <Py_ssize_t>vt.state_size:
        raise ValueError("the results do not fit the game")
    for agent in reversed(agents):
        if (<KernelAgent?>agent).game is not game:
            raise ValueError("an agent has not begun a game under these rules")
        chairs = Chair(agent, chairs)
    s = malloc(vt.state_size)
    if s == NULL:
        raise MemoryError
    with nogil:
        while row < count and not failed:
            memcpy(s, &starts[row, 0], vt.state_size)
            for seat in range(vt.players):
                turns[seat] = 0
                decisions[row, seat] = 0
                nanos[row, seat] = 0
            last = CHANCE
            since = nanoseconds()
            while True:
                mover = vt.to_move(rules, s)
                if mover == OVER:
                    break
                if mover == CHANCE:
                    vt.chance(rules, s, worlds[row])
                    if last >= 0:
                        now = nanoseconds()
                        nanos[row, last] += now - since
                        since = now
                    last = CHANCE
                    continue
                fresh = mover != last
                if fresh:
                    now = nanoseconds()
                    if last >= 0:
                        nanos[row, last] += now - since
                    since = now
                    turns[mover] += 1
                    rng = stream(
                        stream(lucks[row], <uint64_t>mover), <uint64_t>vt.chances(rules, s)
                    )
                    last = mover
                luck = next64(&rng)
                if turns[mover] <= random_turns:
                    action = vt.choose(rules, s, UNIFORM, luck)
                else:
                    asked = seatings[row, mover]
                    action = chairs.ask(asked, s, mover, fresh, luck)
                stopped = stopping
                if action == NO_ACTION or stopped or not scroll.write(action):
                    failed = True
                    break
                vt.apply(rules, s, action)
                decisions[row, mover] += 1
            if failed:
                break
            if last >= 0:
                nanos[row, last] += nanoseconds() - since
            ends[row] = scroll.used
            vt.returns(rules, s, final, won)
            for seat in range(vt.players):
                scores[row, seat] = <int32_t>final[seat]
                wins[row, seat] = <uint8_t>won[seat]
            vt.points(rules, s, &points[row, 0, 0])
            memcpy(&finals[row, 0], s, vt.state_size)
            row += 1
    free(s)
    if failed:
        if stopped:
            raise Stopped("the games were stopped")
        error = (<KernelAgent>agents[asked]).error
        if error is None:
            raise MemoryError
        raise error
    return scroll.array()


def _check_shapes(Game game, int agents, starts, seatings, by_game, by_seat):
    """Refuse arrays that do not fit together: the loop trusts them."""
    count, size = starts.shape
    if size != game.vt.state_size or game.vt.players > SEATS:
        raise ValueError("the start states do not fit the game")
    if tuple(seatings.shape) != (count, game.vt.players) or any(len(a) != count for a in by_game):
        raise ValueError("there must be a row for each game")
    if any(tuple(a.shape) != (count, game.vt.players) for a in by_seat):
        raise ValueError("the results need a row for each game and a column for each seat")
    chosen = np.asarray(seatings)
    if chosen.size and not (0 <= chosen.min() and chosen.max() < agents):
        raise ValueError("a seating names an agent that is not there")
