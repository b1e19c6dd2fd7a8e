"""Candidates at the root compared by their best plans: the value's choice, checked by rollouts.

Owns the sampler of the engine `plans`; it answers the same questions as that of the trees
(`_tree.pyx`), so that effort, ranking and reports are shared. A candidate stands for the most
promising turns through it. A visit follows one of them to the end of a later turn of the player,
where the value judges. The k-th visit of every candidate happens in the same world.

Every second visit looks around among the candidate's turns; the others follow the one known as best,
and those are the samples reported. Visits go to several independent groups in turn, the spread of
which is the error that is reported.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport OVER, Game, GameVT, action_t, mix, stream
from advisor.learning._net cimport Net
from advisor.learning._odds cimport chance_to_win, expected_lead, lead
from advisor.learning._planner cimport LONGEST, Planner
from advisor.learning._rollout cimport Rollout
from advisor.learning._value cimport VALUE_SEATS, Value
from advisor.search._tally cimport Tally

cdef enum:
    PLANS = 4  # turns followed for each candidate
    TRUST = 4  # visits that the value's own judgement of a turn counts for

cdef struct Turn:  # one of the turns through a candidate
    int length
    action_t way[LONGEST]  # after the candidate's own actions
    float worth
    bint answered  # the others have played their turns of this round where it leads


cdef class PlanSampler(Tally):
    """The candidates of one thread and their rollouts.

    Args:
        game: the rules.
        net: the learned value.
        spread: for each number of chance events to come, the standard deviation of the difference
            of two seats' final points around the judged one.
        root: the packed state where the observer decides.
        ways: the actions of each candidate.
        trees: independent groups of visits.
        seat: the observer.
        seed: the luck of this thread's worlds.
        width, limit: of the turns through a candidate.
        narrow_width, narrow_limit: of the turns in rollouts.
        turns_ahead: of the observer that a rollout follows.
        own_score: everybody plays for his own points.

    """

    cdef bint own_score
    cdef int turns_ahead
    cdef Value value
    cdef Rollout rollout
    cdef char* ends  # [candidates][PLANS]: where the turns lead
    cdef Turn* turns  # [candidates][PLANS]
    cdef int32_t* counts  # [candidates]: how many turns there are
    cdef double* totals  # [candidates][trees][PLANS]: what was played for, added up
    cdef int64_t* visits_of  # [candidates][trees][PLANS]
    cdef double[::1] spread

    def __cinit__(
        self,
        Game game,
        Net net,
        double[::1] spread,
        bytes root,
        list ways,
        *,
        int32_t trees,
        int seat,
        uint64_t seed,
        int width,
        int32_t limit,
        int narrow_width,
        int32_t narrow_limit,
        int turns_ahead,
        bint own_score=False,
    ):
        cdef Planner planner
        cdef int32_t i, count = <int32_t>len(ways)
        self.begin(game, root, count, trees, seat, seed)
        self.own_score = own_score
        self.turns_ahead = turns_ahead
        self.spread = spread
        self.value = Value(game, net, own_score=own_score)
        self.rollout = Rollout(self.value, width=narrow_width, limit=narrow_limit)
        self.ends = <char*>malloc(<size_t>count * PLANS * game.vt.state_size)
        self.turns = <Turn*>calloc(count * PLANS, sizeof(Turn))
        self.counts = <int32_t*>calloc(count, sizeof(int32_t))
        self.totals = <double*>calloc(count * trees * PLANS, sizeof(double))
        self.visits_of = <int64_t*>calloc(count * trees * PLANS, sizeof(int64_t))
        if not (self.ends and self.turns and self.counts and self.totals and self.visits_of):
            raise MemoryError
        planner = Planner(game, Value(game, net, own_score=own_score), limit)
        for i in range(count):
            self._find_turns(planner, i, root, ways[i], width, limit)

    def __dealloc__(self):
        free(self.ends)
        free(self.turns)
        free(self.counts)
        free(self.totals)
        free(self.visits_of)

    def _find_turns(self, Planner planner, int32_t candidate, bytes root, list way, int width, int32_t limit):
        """Note the most promising turns through a candidate."""
        cdef const GameVT* vt = self.game.vt
        cdef size_t size = vt.state_size
        cdef int32_t top[PLANS]
        cdef int i, count
        cdef Turn* turn
        memcpy(self.state, <const char*>root, size)
        for action in way:
            vt.apply(self.game.rules, self.state, <action_t>action)
        if vt.to_move(self.game.rules, self.state) != self.seat:  # the turn is over already
            vt.tidy(self.game.rules, self.state)
            memcpy(self.ends + <size_t>candidate * PLANS * size, self.state, size)
            turn = &self.turns[candidate * PLANS]
            turn.worth = self._worth_of(self.state)
            self.counts[candidate] = 1
            return
        with nogil:
            planner.plan(self.state, width, limit)
            count = planner.best_ends(top, PLANS)
        self.counts[candidate] = count
        for i in range(count):
            turn = &self.turns[candidate * PLANS + i]
            turn.worth = self._worth_of(planner.state_of(top[i]))
            turn.length = planner.way_to(top[i], turn.way, LONGEST)
            memcpy(
                self.ends + (<size_t>candidate * PLANS + i) * size, planner.state_of(top[i]), size
            )

    cdef float _worth_of(self, const void* state) noexcept nogil:
        """Judge the end of a turn as the samples are: by points, or by the expected lead."""
        cdef double points[VALUE_SEATS]
        self.value.watch(state, self.seat)
        self.value.judge(state, points)
        if self.own_score or self.game.vt.to_move(self.game.rules, state) == OVER:
            return <float>self.value.utility(points, self.seat)
        return <float>expected_lead(
            points, <int>self.game.vt.players, self.seat, self.apart(state)
        )

    @property
    def full(self):
        """Whether memory has run out."""
        return bool(self.memory_ran_out)

    @property
    def memory(self):
        """Bytes of the turns noted."""
        return self.candidates * PLANS * (self.game.vt.state_size + sizeof(Turn))

    @property
    def edges(self):
        """Turns noted."""
        return sum(self.counts[i] for i in range(self.candidates))

    cdef int choose(self, int32_t candidate, int32_t group, bint exploring) noexcept nogil:
        """Return which turn of a candidate to follow."""
        cdef int64_t* visits = self.visits_of + (candidate * self.trees + group) * PLANS
        cdef double* totals = self.totals + (candidate * self.trees + group) * PLANS
        cdef int i, best = 0
        cdef double value, most = -1e30, all_visits = 1
        for i in range(self.counts[candidate]):
            all_visits += visits[i]
        for i in range(self.counts[candidate]):
            value = (totals[i] + TRUST * self.turns[candidate * PLANS + i].worth) / (visits[i] + TRUST)
            if exploring:  # some 8 points is how much single rollouts differ
                value += 8 * sqrt(log(1 + all_visits) / (visits[i] + 1))
            if value > most:
                most = value
                best = i
        return best

    cdef const void* end_of(self, int32_t candidate, int turn) noexcept nogil:
        """Return where a turn leads, the others' turns of the same round included."""
        cdef int64_t at = <int64_t>candidate * PLANS + turn
        cdef char* end = self.ends + at * self.game.vt.state_size
        if not self.turns[at].answered:
            self.rollout.reply(end, self.seat)
            self.turns[at].answered = True
        return end

    cdef void visit(
        self, int32_t candidate, int32_t group, uint64_t visit, bint exploring, double* sample
    ) noexcept nogil:
        """One rollout; `sample` gets the observer's (win, margin, score)."""
        cdef double points[VALUE_SEATS]
        cdef int turn = self.choose(candidate, group, exploring)
        cdef uint64_t world = stream(self.seed + <uint64_t>group, visit)
        cdef int64_t at = (candidate * self.trees + group) * PLANS + turn
        cdef uint64_t before = self.rollout.turns
        cdef bint over = self.rollout.follow(
            self.end_of(candidate, turn), self.seat, world, self.turns_ahead, points
        )
        self.note(points, over, sample)
        self.decisions += 1000 * (self.rollout.turns - before) + 1
        self.totals[at] += sample[2] if self.own_score else sample[1]
        self.visits_of[at] += 1

    cdef double apart(self, const void* state) noexcept nogil:
        """Return how far differences between seats still scatter around those judged here."""
        cdef int left = self.game.vt.chances(self.game.rules, state)
        return self.spread[min(left, <int>self.spread.shape[0] - 1)]

    cdef void note(self, const double* points, bint over, double* sample) noexcept nogil:
        """Write the observer's (win, margin, score) where these points are judged, or final."""
        cdef int players = <int>self.game.vt.players
        cdef double apart = self.apart(self.rollout.state)
        sample[2] = points[self.seat]
        if over:
            sample[0] = self.rollout.wins[self.seat]
            sample[1] = lead(points, players, self.seat)
        else:
            sample[0] = chance_to_win(points, players, self.seat, apart)
            sample[1] = expected_lead(points, players, self.seat, apart)

    cdef void play_out(self, int32_t candidate, int32_t tree, uint64_t world) noexcept nogil:
        """The next turns by the value, the rest by the game's last policy."""
        cdef const GameVT* vt = self.game.vt
        cdef double judged[VALUE_SEATS]
        cdef int turn = self.choose(candidate, tree, False)
        cdef uint64_t luck = stream(self.seed, world)
        self.rollout.follow(
            self.end_of(candidate, turn), self.seat, luck, self.turns_ahead, judged
        )
        memcpy(self.state, self.rollout.state, vt.state_size)
        vt.playout(self.game.rules, self.state, <int>vt.policies - 1, luck, mix(luck))

    def recall(self, list states, double[:, ::1] out):
        """Add for each end of a turn what the value thinks of it: one visit, and its worth."""
        cdef Py_ssize_t i
        cdef bytes state
        if out.shape[0] != len(states) or out.shape[1] != 2:
            raise ValueError("there must be two numbers for each state")
        for i, state in enumerate(states):
            out[i, 0] += 1
            out[i, 1] += self._worth_of(self.game._checked(state))

    def children(self, int32_t candidate, list actions):
        """Return (action, visits) of the decision after these actions, over all groups."""
        cdef int32_t group, i
        cdef int depth = <int>len(actions), j
        cdef Turn* turn
        if not 0 <= candidate < self.candidates:
            raise IndexError("no such candidate")
        found = {}
        for i in range(self.counts[candidate]):
            turn = &self.turns[candidate * PLANS + i]
            if turn.length <= depth or any(
                turn.way[j] != <action_t>actions[j] for j in range(depth)
            ):
                continue
            visits = sum(
                self.visits_of[(candidate * self.trees + group) * PLANS + i]
                for group in range(self.trees)
            )
            code = turn.way[depth]
            found[code] = found.get(code, 0) + visits
        return sorted(found.items())
