"""Candidates at the root, how often each was visited, and what that brought.

Owns what the two samplers (`_tree.pyx`, `_plan_sampler.pyx`) have in common: visits handed out to
independent trees in turn, the log of samples of each candidate in each tree, and the means and paired
differences read from them. What a visit is, the sampler says.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from advisor._fastsim cimport Game, GameVT
from advisor.search._samples cimport MEASURES, Log, Moments, add_sample, compare

cdef enum:
    SEATS = 8


cdef class Tally:
    """The candidates of one thread."""

    cdef int begin(
        self, Game game, bytes root, int32_t candidates, int32_t trees, int seat, uint64_t seed
    ) except -1:
        """Make room; to be called first.

        Args:
            game: the rules.
            root: the packed state where the observer decides.
            candidates: how many there are.
            trees: independent trees; the visits of a candidate go to them in turn.
            seat: the observer, who decides at the root.
            seed: the luck of this thread's worlds.

        """
        game._checked(root)
        if not (trees > 0 and candidates and 0 <= seat < <int>game.vt.players <= SEATS):
            raise ValueError("there must be a tree, a candidate and a seat at the table")
        self.game = game
        self.candidates = candidates
        self.trees = trees
        self.seat = seat
        self.seed = seed
        self.visited = <int64_t*>calloc(candidates, sizeof(int64_t))
        self.logs = <Log*>calloc(trees * candidates, sizeof(Log))
        self.state = malloc(game.vt.state_size)
        if not (self.visited and self.logs and self.state):
            raise MemoryError
        return 0

    def __dealloc__(self):
        cdef int32_t i
        if self.logs != NULL:
            for i in range(self.trees * self.candidates):
                free(self.logs[i].sums)
        free(self.logs)
        free(self.visited)
        free(self.state)

    cdef void visit(
        self, int32_t candidate, int32_t tree, uint64_t visit, bint exploring, double* sample
    ) noexcept nogil:
        pass

    cdef void play_out(self, int32_t candidate, int32_t tree, uint64_t world) noexcept nogil:
        pass

    def run(self, int32_t[::1] candidates, int32_t[::1] counts):
        """Visit candidate `candidates[i]` `counts[i]` times more, for all i.

        A candidate's visits go to the trees in turn; in each tree the first, third, ... are the
        samples.
        """
        cdef Py_ssize_t i
        cdef int32_t k, candidate, tree
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
                    tree = <int32_t>(self.visited[candidate] % self.trees)
                    visit = <uint64_t>(self.visited[candidate] // self.trees)
                    exploring = visit & 1
                    self.visit(candidate, tree, visit, exploring, sample)
                    self.visited[candidate] += 1
                    if not exploring and not add_sample(
                        &self.logs[candidate * self.trees + tree], sample
                    ):
                        self.memory_ran_out = True

    def visits(self, int64_t[::1] out):
        """Fill in how often each candidate was visited."""
        cdef int32_t i
        if out.shape[0] != self.candidates:
            raise ValueError("there must be a number for each candidate")
        for i in range(self.candidates):
            out[i] = self.visited[i]

    def moments(self, int32_t reference, double[:, :, :, ::1] out):
        """Fill in what each tree says of each candidate, and of its difference to `reference`.

        `out[a, tree, 0]` and `out[a, tree, 1]` hold a number of samples and three means: win,
        margin, score.
        """
        cdef Moments found
        cdef const Log* other
        cdef int32_t a, tree, m, paired
        if not 0 <= reference < self.candidates:
            raise IndexError("no such candidate")
        if not (out.shape[0] == self.candidates and out.shape[1] == self.trees):
            raise ValueError("the moments need a row for each candidate and tree")
        if not (out.shape[2] == 2 and out.shape[3] == 1 + MEASURES):
            raise ValueError("the moments need 2 x 4 numbers")
        with nogil:
            for a in range(self.candidates):
                for tree in range(self.trees):
                    for paired in range(2):
                        other = &self.logs[reference * self.trees + tree] if paired else NULL
                        compare(&self.logs[a * self.trees + tree], other, &found)
                        out[a, tree, paired, 0] = <double>found.samples
                        for m in range(MEASURES):
                            out[a, tree, paired, 1 + m] = found.mean[m]

    def observe(
        self, int32_t candidate, uint64_t first, double[:, :, ::1] points, double[:, ::1] scores
    ):
        """Play a candidate out in worlds `first` and on, as it is known to go on best.

        Nothing is learnt here. For each world: everybody's points by source and final scores.
        """
        cdef const GameVT* vt = self.game.vt
        cdef Py_ssize_t world, seat, source
        cdef double final[SEATS]
        cdef double wins[SEATS]
        cdef int32_t* buffer
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
                self.play_out(candidate, <int32_t>(world % self.trees), first + <uint64_t>world)
                vt.returns(self.game.rules, self.state, final, wins)
                vt.points(self.game.rules, self.state, buffer)
                for seat in range(<Py_ssize_t>vt.players):
                    scores[world, seat] = final[seat]
                    for source in range(<Py_ssize_t>vt.sources):
                        points[world, seat, source] = buffer[seat * <Py_ssize_t>vt.sources + source]
        free(buffer)
