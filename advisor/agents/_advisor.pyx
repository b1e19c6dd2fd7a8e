"""The agent `advisor`: the best plans of the value, compared by paired rollouts.

Owns how a budget is spent: sequential halving, the same effort in every stage. After each stage the
worse half of the plans is left out. Counted budgets are rollouts for each turn; thinking time is
CPU time of the thread for each turn.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from advisor._fastsim cimport Game, action_t, stream
from advisor.agents._agent cimport NO_ACTION, KernelAgent, is_legal
from advisor.agents._clock cimport cpu_seconds
from advisor.learning._deliberation cimport Deliberation
from advisor.learning._net cimport Net
from advisor.learning._planner cimport LONGEST
from advisor.learning._value cimport Value


# Seconds for each player at the table from which on rollouts of two turns pay (bench/RESULTS.md).
cdef double ENOUGH = 0.02


cdef class AdvisorAgent(KernelAgent):
    """Value and search.

    Args:
        net_for: called with the game's name and the number of players, returns the net.
        rollouts: for each turn; 0 where time counts.
        seconds: of CPU time for each turn, where `rollouts` is 0.
        plans: so many of the best plans take part.
        width, limit: of the plans of the turn at hand.
        narrow_width, narrow_limit: of the turns in rollouts.
        turns: of the player that rollouts follow; 0: two, or one where there is little time.
        replies: of the next player that rollouts choose among; 0: three with two players, else one.
        own_score: it plays for its own points.

    """

    cdef object net_for
    cdef int64_t rollouts
    cdef double seconds
    cdef int plans
    cdef dict options
    cdef int turns
    cdef int replies
    cdef bint own_score
    cdef Deliberation deliberation
    cdef int chosen
    cdef int at

    def __cinit__(
        self,
        net_for,
        *,
        int64_t rollouts,
        double seconds,
        int plans,
        int width,
        int32_t limit,
        int narrow_width,
        int32_t narrow_limit,
        int turns,
        int replies,
        bint own_score,
    ):
        self.net_for = net_for
        self.rollouts = rollouts
        self.seconds = seconds
        self.plans = plans
        self.options = {
            "width": width,
            "limit": limit,
            "narrow_width": narrow_width,
            "narrow_limit": narrow_limit,
        }
        self.turns = turns
        self.replies = replies
        self.own_score = own_score

    cdef int begin(self, Game game, object position) except -1:
        cdef Net net
        if self.game is not game:
            net = self.net_for(position.game, game.players)
            hurried = self.seconds > 0 and self.seconds < ENOUGH * game.players
            turns = self.turns or (1 if hurried else 2)
            self.deliberation = Deliberation(
                Value(game, net, own_score=self.own_score),
                turns=turns,
                replies=self.replies or (3 if game.players == 2 else 1),
                **self.options,
            )
        self.chosen = -1
        return KernelAgent.begin(self, game, position)

    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        if fresh or not self.goes_on(state):
            self.chosen = self.think(state, seat, luck)
            self.at = 0
        if self.chosen < 0 or self.at >= LONGEST:
            return NO_ACTION
        self.at += 1
        return self.deliberation.plans[self.chosen].way[self.at - 1]

    cdef bint goes_on(self, const void* state) noexcept nogil:
        """Tell whether the plan chosen last can be followed from here."""
        if self.chosen < 0 or self.at >= self.deliberation.plans[self.chosen].length:
            return False
        return is_legal(
            self.game,
            state,
            self.deliberation.plans[self.chosen].way[self.at],
            self.deliberation.wide.legal,
        )

    cdef int think(self, const void* state, int seat, uint64_t luck) noexcept nogil:
        """Return the plan to play."""
        cdef double began = cpu_seconds(), until
        cdef int n = self.deliberation.prepare(state, self.plans), stages = 0, stage, i
        cdef uint64_t world = 0
        cdef int64_t spent
        if n <= 1:
            return n - 1
        i = n
        while i > 1:
            stages += 1
            i = (i + 1) // 2
        for stage in range(stages):
            if self.rollouts:
                spent = 0
                while spent + n <= self.rollouts // stages or spent == 0:
                    self.deliberation.compare(n, seat, stream(luck, world))
                    world += 1
                    spent += n
            else:
                until = began + self.seconds * (stage + 1) / stages
                while cpu_seconds() < until:
                    self.deliberation.compare(n, seat, stream(luck, world))
                    world += 1
            self.deliberation.sort(n)
            n = (n + 1) // 2
        return self.deliberation.order[0]
