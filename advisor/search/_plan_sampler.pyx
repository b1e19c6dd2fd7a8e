"""Candidates at the root compared by their best plans: the value's choice, checked by rollouts.

Owns the sampler of the engine `plans`; it answers the same questions as that of the trees
(`_tree.pyx`), so that effort, ranking and reports are shared. A candidate stands for the most
promising turns through it. A visit follows one of them to the end of the player's next turn, where
the value judges. The k-th visit of every candidate happens in the same world.

Every second visit looks around among the candidate's turns; the others follow the one known as best,
and those are the samples reported. Visits go to several independent groups in turn, the spread of
which is the error that is reported.
"""

from libc.math cimport erfc, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, action_t, fingerprint, mix, stream
from advisor.learning._net cimport Net
from advisor.learning._planner cimport Planner
from advisor.learning._rollout cimport Rollout, margin
from advisor.learning._value cimport VALUE_SEATS, Value
from advisor.search._samples cimport MEASURES, Log, Moments, add_sample, compare

cdef enum:
    PLANS = 4  # turns followed for each candidate
    LONGEST = 64
    ALL = 1 << 20
    TRUST = 4  # visits that the value's own judgement of a turn counts for

cdef struct Turn:  # one of the turns through a candidate
    int length
    action_t way[LONGEST]  # after the candidate's own actions
    float worth


cdef class PlanSampler:
    """The candidates of one thread and their rollouts.

    Args:
        game: the rules.
        net: the learned value.
        spread: for each number of chance events to come, the standard deviation of the final margin
            around the judgement.
        root: the packed state where the observer decides.
        ways: the actions of each candidate.
        trees: independent groups of visits.
        seat: the observer.
        seed: the luck of this thread's worlds.
        width, limit: of the turns through a candidate.
        narrow_width, narrow_limit: of the turns in rollouts.
        own_score: everybody plays for his own points.

    """

    cdef readonly Game game
    cdef readonly int32_t trees
    cdef readonly uint64_t decisions
    cdef readonly bint full
    cdef int32_t candidates
    cdef int seat
    cdef uint64_t seed
    cdef bint own_score
    cdef Value value
    cdef Rollout rollout
    cdef char* ends  # [candidates][PLANS]: where the turns lead
    cdef Turn* turns  # [candidates][PLANS]
    cdef int32_t* counts  # [candidates]: how many turns there are
    cdef double* totals  # [candidates][trees][PLANS]: margins, added up
    cdef int64_t* visits_of  # [candidates][trees][PLANS]
    cdef int64_t* visited  # [candidates]
    cdef Log* logs  # [candidates][trees]
    cdef double[::1] spread
    cdef void* state

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
        bint own_score=False,
    ):
        cdef Planner planner
        cdef int32_t i, count = <int32_t>len(ways)
        game._checked(root)
        if not (trees > 0 and count and 0 <= seat < <int>game.vt.players <= VALUE_SEATS):
            raise ValueError("there must be a group, a candidate and a seat at the table")
        self.game = game
        self.trees = trees
        self.candidates = count
        self.seat = seat
        self.seed = seed
        self.own_score = own_score
        self.spread = spread
        self.value = Value(game, net)
        self.rollout = Rollout(
            self.value, width=narrow_width, limit=narrow_limit, own_score=own_score
        )
        self.ends = <char*>malloc(<size_t>count * PLANS * game.vt.state_size)
        self.turns = <Turn*>calloc(count * PLANS, sizeof(Turn))
        self.counts = <int32_t*>calloc(count, sizeof(int32_t))
        self.totals = <double*>calloc(count * trees * PLANS, sizeof(double))
        self.visits_of = <int64_t*>calloc(count * trees * PLANS, sizeof(int64_t))
        self.visited = <int64_t*>calloc(count, sizeof(int64_t))
        self.logs = <Log*>calloc(count * trees, sizeof(Log))
        self.state = malloc(game.vt.state_size)
        if not (self.ends and self.turns and self.counts and self.totals and self.visits_of):
            raise MemoryError
        if not (self.visited and self.logs and self.state):
            raise MemoryError
        planner = Planner(game, Value(game, net), limit, own_score=own_score)
        for i in range(count):
            self._find_turns(planner, i, root, ways[i], width, limit)

    def __dealloc__(self):
        cdef int32_t i
        if self.logs != NULL:
            for i in range(self.trees * self.candidates):
                free(self.logs[i].sums)
        free(self.logs)
        free(self.ends)
        free(self.turns)
        free(self.counts)
        free(self.totals)
        free(self.visits_of)
        free(self.visited)
        free(self.state)

    def _find_turns(self, Planner planner, int32_t candidate, bytes root, list way, int width, int32_t limit):
        """Note the most promising turns through a candidate."""
        cdef const GameVT* vt = self.game.vt
        cdef size_t size = vt.state_size
        cdef int32_t top[PLANS]
        cdef int32_t at, step, count = 0
        cdef int i, j
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
            for at in range(1, planner.used):
                if not planner.found[at].ends:
                    continue
                if count == PLANS and planner.found[at].worth <= planner.found[top[PLANS - 1]].worth:
                    continue
                i = count if count < PLANS else PLANS - 1
                while i > 0 and planner.found[top[i - 1]].worth < planner.found[at].worth:
                    top[i] = top[i - 1]
                    i -= 1
                top[i] = at
                count += count < PLANS
        self.counts[candidate] = count
        for i in range(count):
            turn = &self.turns[candidate * PLANS + i]
            turn.worth = planner.found[top[i]].worth
            step = top[i]
            while step > 0:
                turn.length += 1
                step = planner.found[step].before
            step = top[i]
            j = turn.length
            while step > 0:
                j -= 1
                if j < LONGEST:
                    turn.way[j] = planner.found[step].action
                step = planner.found[step].before
            memcpy(
                self.ends + (<size_t>candidate * PLANS + i) * size, planner.state_of(top[i]), size
            )

    cdef float _worth_of(self, const void* state) noexcept:
        cdef double points[VALUE_SEATS]
        self.value.watch(state, self.seat)
        self.value.judge(state, points)
        if self.own_score:
            return <float>points[self.seat]
        return <float>margin(points, self.seat, <int>self.game.vt.players)

    @property
    def memory(self):
        """Bytes of the turns noted."""
        return self.candidates * PLANS * (self.game.vt.state_size + sizeof(Turn))

    @property
    def edges(self):
        """Turns noted."""
        return sum(self.counts[i] for i in range(self.candidates))

    def run(self, int32_t[::1] candidates, int32_t[::1] counts):
        """Visit candidate `candidates[i]` `counts[i]` times more, for all i."""
        cdef Py_ssize_t i
        cdef int32_t k, candidate, group
        cdef uint64_t visit
        cdef double sample[MEASURES]
        cdef bint exploring
        if counts.shape[0] != candidates.shape[0]:
            raise ValueError("the plan's columns differ in length")
        for i in range(candidates.shape[0]):
            if not 0 <= candidates[i] < self.candidates:
                raise IndexError("no such candidate")
        with nogil:
            for i in range(candidates.shape[0]):
                candidate = candidates[i]
                for k in range(counts[i]):
                    group = <int32_t>(self.visited[candidate] % self.trees)
                    visit = <uint64_t>(self.visited[candidate] // self.trees)
                    exploring = visit & 1
                    self.visit(candidate, group, visit, exploring, sample)
                    self.visited[candidate] += 1
                    if not exploring and not add_sample(
                        &self.logs[candidate * self.trees + group], sample
                    ):
                        self.full = True

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

    cdef void visit(
        self, int32_t candidate, int32_t group, uint64_t visit, bint exploring, double* sample
    ) noexcept nogil:
        """One rollout; `sample` gets the observer's (win, margin, score)."""
        cdef double points[VALUE_SEATS]
        cdef int turn = self.choose(candidate, group, exploring)
        cdef uint64_t world = stream(self.seed + <uint64_t>group, visit)
        cdef const char* end = self.ends + (<size_t>candidate * PLANS + turn) * self.game.vt.state_size
        cdef int64_t at = (candidate * self.trees + group) * PLANS + turn
        cdef uint64_t before = self.rollout.turns
        cdef bint over = self.rollout.follow(end, self.seat, world, points)
        cdef double ahead = margin(points, self.seat, <int>self.game.vt.players)
        self.decisions += 1000 * (self.rollout.turns - before) + 1
        sample[0] = self.chance_to_win(ahead, over)
        sample[1] = ahead
        sample[2] = points[self.seat]
        self.totals[at] += points[self.seat] if self.own_score else ahead
        self.visits_of[at] += 1

    cdef double chance_to_win(self, double ahead, bint over) noexcept nogil:
        """Return the chance of ending ahead, who is judged to be ahead by so much."""
        cdef int left = self.game.vt.chances(self.game.rules, self.rollout.state)
        if over:
            return self.rollout.wins[self.seat]
        left = min(left, <int>self.spread.shape[0] - 1)
        return 0.5 * erfc(-ahead / (self.spread[left] * 1.4142135623730951))

    def visits(self, int64_t[::1] out):
        """Fill in how often each candidate was visited."""
        cdef int32_t i
        if out.shape[0] != self.candidates:
            raise ValueError("there must be a number for each candidate")
        for i in range(self.candidates):
            out[i] = self.visited[i]

    def moments(self, int32_t reference, double[:, :, :, ::1] out):
        """Fill in what each group says of each candidate, and of its difference to `reference`."""
        cdef Moments found
        cdef const Log* other
        cdef int32_t a, group, m, paired
        if not 0 <= reference < self.candidates:
            raise IndexError("no such candidate")
        if not (out.shape[0] == self.candidates and out.shape[1] == self.trees):
            raise ValueError("the moments need a row for each candidate and group")
        if not (out.shape[2] == 2 and out.shape[3] == 1 + MEASURES):
            raise ValueError("the moments need 2 x 4 numbers")
        with nogil:
            for a in range(self.candidates):
                for group in range(self.trees):
                    for paired in range(2):
                        other = &self.logs[reference * self.trees + group] if paired else NULL
                        compare(&self.logs[a * self.trees + group], other, &found)
                        out[a, group, paired, 0] = <double>found.samples
                        for m in range(MEASURES):
                            out[a, group, paired, 1 + m] = found.mean[m]

    def observe(
        self, int32_t candidate, uint64_t first, double[:, :, ::1] points, double[:, ::1] scores
    ):
        """Play a candidate's best turn out in worlds `first` and on.

        The next round by the value, the rest by the game's last policy. For each world: everybody's
        points by source and final scores.
        """
        cdef const GameVT* vt = self.game.vt
        cdef Py_ssize_t world, seat, source
        cdef double judged[VALUE_SEATS]
        cdef double final[VALUE_SEATS]
        cdef double wins[VALUE_SEATS]
        cdef int32_t* buffer
        cdef int turn
        cdef uint64_t luck
        if not 0 <= candidate < self.candidates:
            raise IndexError("no such candidate")
        if not (points.shape[0] == scores.shape[0] and points.shape[2] == <Py_ssize_t>vt.sources):
            raise ValueError("the result arrays do not fit")
        if not (points.shape[1] == scores.shape[1] == <Py_ssize_t>vt.players):
            raise ValueError("the result arrays need a column for each seat")
        buffer = <int32_t*>malloc(vt.players * vt.sources * sizeof(int32_t))
        if buffer == NULL:
            raise MemoryError
        with nogil:
            for world in range(points.shape[0]):
                turn = self.choose(candidate, <int32_t>(world % self.trees), False)
                luck = stream(self.seed, first + <uint64_t>world)
                self.rollout.follow(
                    self.ends + (<size_t>candidate * PLANS + turn) * vt.state_size,
                    self.seat,
                    luck,
                    judged,
                )
                vt.playout(
                    self.game.rules, self.rollout.state, <int>vt.policies - 1, luck, mix(luck)
                )
                vt.returns(self.game.rules, self.rollout.state, final, wins)
                vt.points(self.game.rules, self.rollout.state, buffer)
                for seat in range(<Py_ssize_t>vt.players):
                    scores[world, seat] = final[seat]
                    for source in range(<Py_ssize_t>vt.sources):
                        points[world, seat, source] = buffer[seat * <Py_ssize_t>vt.sources + source]
        free(buffer)

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
