"""Self-play in which the best turns are compared by rollouts, and all of them teach.

Owns these games and their samples. At every turn the plans that the value likes best are followed for
a round in a few worlds, the same for all. Each of them is a sample, whose target is what the value
thought after that round, in the mean; the best one is played. So the net learns what it overrated and
what it overlooked among turns that are open at the same time, which the luck of single games hides.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, stream
from advisor.learning._deliberation cimport MOST_PLANS, Deliberation, Plan
from advisor.learning._lessons cimport Record, Lessons, gumbel
from advisor.learning._planner cimport LONGEST
from advisor.learning._value cimport VALUE_SEATS, Value


def compared_play(
    Deliberation deliberation,
    Lessons lessons,
    *,
    const uint8_t[:, ::1] starts,
    const uint64_t[::1] worlds,
    double temperature,
    int plans,
    int comparisons,
    double[:, ::1] scores,
    double[::1] squares,
    double[::1] cases,
):
    """Play one game for each start and add its samples.

    Args:
        deliberation: who compares; its value plays and tells the targets.
        lessons: where the samples go.
        starts, worlds, scores, squares, cases: the games (`Record`).
        temperature: points by which a worse turn is still taken now and then.
        plans: so many of the best turns are compared.
        comparisons: worlds in which they are.

    """
    cdef Game game = deliberation.game
    cdef const GameVT* vt = game.vt
    cdef const void* rules = game.rules
    cdef Value value = deliberation.wide.value
    cdef Record record = Record(value, starts, worlds, scores, squares, cases)
    cdef Py_ssize_t row
    cdef int mover, turn, n, i, k, chosen, seat, players = <int>vt.players
    cdef double sure[MOST_PLANS][VALUE_SEATS]
    cdef int64_t sample[MOST_PLANS]  # the first one of each plan; -1: none
    cdef double points[VALUE_SEATS]
    cdef double wins[VALUE_SEATS]
    cdef double noisy, most
    cdef uint64_t rng
    cdef const Plan* plan
    cdef const void* end
    cdef void* s
    if not 0 < plans <= MOST_PLANS or comparisons < 1:
        raise ValueError("there must be plans, and worlds to compare them in")
    s = malloc(vt.state_size)
    if s == NULL:
        raise MemoryError
    with nogil:
        for row in range(starts.shape[0]):
            memcpy(s, &starts[row, 0], vt.state_size)
            rng = stream(worlds[row], 77)
            turn = 0
            while True:
                mover = vt.to_move(rules, s)
                if mover == OVER or lessons.full:
                    break
                if mover == CHANCE:
                    vt.chance(rules, s, worlds[row])
                    continue
                n = deliberation.prepare(s, plans)
                for i in range(n):
                    end = deliberation.replies.end_of(i)
                    sample[i] = -1
                    if vt.to_move(rules, end) == OVER:  # that turn teaches nothing that is not certain
                        continue
                    sample[i] = lessons.count
                    lessons.note(value, end)
                    for seat in range(players):
                        sure[i][seat] = vt.certain(rules, end, seat)
                if lessons.full:
                    break
                for k in range(comparisons if vt.chances(rules, s) else 1):
                    deliberation.compare(n, mover, stream(rng, <uint64_t>(turn * comparisons + k)))
                for i in range(n):
                    if sample[i] < 0:
                        continue
                    plan = &deliberation.plans[i]
                    for seat in range(players):
                        lessons.targets[sample[i] + seat] = <float>(
                            plan.points[seat] / plan.rollouts - sure[i][seat]
                        )
                chosen = 0
                most = -1e30
                for i in range(n):
                    noisy = deliberation.mean_of(i)
                    if temperature > 0:
                        noisy += temperature * gumbel(&rng)
                    if noisy > most:
                        most = noisy
                        chosen = i
                plan = &deliberation.plans[chosen]
                for i in range(min(plan.length, LONGEST)):
                    vt.apply(rules, s, plan.way[i])
                turn += 1
                if vt.to_move(rules, s) == OVER or not record.note(value, s):
                    break
            if lessons.full:
                break
            vt.returns(rules, s, points, wins)
            record.end(row, points, players)
    free(s)
    if lessons.full:
        raise MemoryError
