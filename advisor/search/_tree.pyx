"""Information-set Monte-Carlo tree search below given candidates, without the GIL.

Owns the trees: an arena of edges and nodes with int32 links, the walk, the back-up. A candidate is
a way of actions that one choice at the root stands for. The k-th visit of every candidate happens in
the same world, so that candidates can be compared in pairs. Which candidate gets how many visits is
decided elsewhere (`race.py`).

One iteration: take the root with what the observer cannot know drawn anew, play the candidate's
actions, walk down by upper confidence bounds among the actions legal in that world, add one edge,
play to the end, and credit every decision on the way with the utility of the seat that took it
(max^n). Beyond the first chance event the tree is open-loop: an edge belongs to a sequence of
actions, whatever the dice were, and counts how often its action was available. Before it, within
the turn at the root, positions are certain: orders of actions that lead to the same position share
one node and what it has learnt.

Every second visit walks without exploring: those are the samples reported, since what is wanted is
the worth of playing well and not of looking around. What a tree has learnt, and so what its samples
are worth, differs from tree to tree by more than the luck of single samples; therefore there are
several independent trees, and the spread between them is the error that is reported.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from advisor._fastsim cimport CHANCE, OVER, Game, GameVT, action_t, below, fingerprint, mix, stream
from advisor.learning._odds cimport lead
from advisor.search._arena cimport (
    Arena,
    Edge,
    Node,
    add_edge,
    arena_bytes,
    clear_arena,
    empty_arena,
    free_arena,
    known_node,
    node_of,
    open_node,
)
from advisor.search._exact cimport Outcome, Solver
from advisor.search._samples cimport MEASURES
from advisor.search._tally cimport Tally

cdef enum:
    SEATS = 8
    MAX_DEPTH = 1024
    TABLE = 4096
    DRAWN = 251  # draws of what the observer cannot know, a prime: every tree meets all
    SOLVED_NODES = 1000  # positions looked at to solve the rest once it is certain
    SOLVER_TRIALS = 32  # after so many, half of which failed, it is not tried any more
    OPENING = 3  # visits of an edge before its node is opened, outside the root's turn

# Tables for the confidence bounds: sqrt(log n) and 1 / sqrt(n).
cdef float ROOT_OF_LOG[TABLE]
cdef float ONE_OVER_ROOT[TABLE]

cdef void fill_tables() noexcept:
    cdef int n
    ROOT_OF_LOG[0] = 0.0
    ONE_OVER_ROOT[0] = 1.0
    for n in range(1, TABLE):
        ROOT_OF_LOG[n] = <float>sqrt(log(n))
        ONE_OVER_ROOT[n] = <float>(1.0 / sqrt(n))

fill_tables()


cdef inline float root_of_log(uint32_t n) noexcept nogil:
    return ROOT_OF_LOG[n] if n < TABLE else <float>sqrt(log(n))


cdef inline float one_over_root(uint32_t n) noexcept nogil:
    return ONE_OVER_ROOT[n] if n < TABLE else <float>(1.0 / sqrt(n))


cdef inline double squashed(double points, double scale) noexcept nogil:
    """Map points of any size to 0..1, steepest at 0: half the way up or down at `scale`."""
    return 0.5 + 0.5 * points / (scale + (points if points > 0 else -points))


cdef class Sampler(Tally):
    """The trees of one thread: candidates, arena and the iterations in it.

    Args:
        game: the rules.
        root: the packed state where the observer decides.
        ways: the actions of each candidate.
        trees: independent trees; the visits of a candidate go to them in turn.
        seat: the observer, who decides at the root.
        seed: the luck of this thread's worlds.
        memory: bytes for the arena.
        explore: how much an action's uncertainty counts for it while learning.
        caution: how much it counts against it where the best known play is followed.
        scale: points at which the utility is half-way to its bound.
        own_score: every seat plays for its own points, not for its margin.
        policy: the game's policy that plays from the leaves to the end.

    """

    def __cinit__(
        self,
        Game game,
        bytes root,
        list ways,
        *,
        int32_t trees,
        int seat,
        uint64_t seed,
        int64_t memory,
        float explore,
        float caution,
        double scale,
        bint own_score=False,
        int policy=0,
    ):
        cdef int32_t i, tree, length = sum(map(len, ways))
        self.begin(game, root, <int32_t>len(ways), trees, seat, seed)
        if not 0 <= policy < <int>game.vt.policies:
            raise ValueError(f"policy {policy}; the game has {game.vt.policies}")
        self.policy = policy
        self.explore = explore
        self.caution = caution
        self.scale = scale
        self.own_score = own_score
        self.roots = <int32_t*>calloc(trees * self.candidates, sizeof(int32_t))
        self.packed = <char*>malloc(game.vt.state_size)
        self.certain = malloc(game.vt.state_size)
        self.legal = <action_t*>malloc(game.vt.max_actions * sizeof(action_t))
        self.untried = <int32_t*>malloc(game.vt.max_actions * sizeof(int32_t))
        self.drawn = <char*>malloc(DRAWN * <size_t>game.vt.state_size)
        self.is_drawn = <char*>calloc(DRAWN, 1)
        self.actions = <action_t*>malloc((length + 1) * sizeof(action_t))
        self.begins = <int32_t*>calloc(self.candidates + 1, sizeof(int32_t))
        if not (self.roots and self.certain):
            raise MemoryError
        if not (self.packed and self.drawn and self.is_drawn and self.actions and self.begins):
            raise MemoryError
        if not (self.legal and self.untried and clear_arena(&self.arena, memory)):
            raise MemoryError
        memcpy(self.packed, <const char*>root, game.vt.state_size)
        for i in range(self.candidates):
            self.begins[i + 1] = self.begins[i]
            for action in ways[i]:
                self.actions[self.begins[i + 1]] = action
                self.begins[i + 1] += 1
        for i in range(self.candidates):
            self.reach(i, self.certain, self.packed)
            for tree in range(trees):
                self.roots[i * trees + tree] = self.shared_node(tree)
                if self.roots[i * trees + tree] < 0:
                    raise MemoryError
        if own_score:
            self.centre = self.mean_score()
        self.solving = game.vt.chances(game.rules, self.packed) <= 1
        if self.solving or length == 0:  # a root that moves gets there, too
            self.solver = Solver(game, own_score=own_score, memory=1 << 22)

    def __dealloc__(self):
        free(self.roots)
        free_arena(&self.arena)
        free(self.packed)
        free(self.certain)
        free(self.drawn)
        free(self.is_drawn)
        free(self.actions)
        free(self.begins)
        free(self.legal)
        free(self.untried)

    @property
    def memory(self):
        """Bytes of the trees."""
        return arena_bytes(&self.arena)

    @property
    def edges(self):
        """Node-actions in the trees."""
        return self.arena.live

    @property
    def full(self):
        """Whether the memory bound was reached."""
        return bool(self.arena.full or self.memory_ran_out)

    cdef bint move_root(self, const void* state, int seat, uint64_t seed, bint same_turn) noexcept nogil:
        """Think about another state from now on; False where memory has run out.

        For a sampler with one tree and one candidate that has no actions: plain tree search from
        the root. What was learnt is kept where the state follows in the turn of the root before.
        """
        memcpy(self.packed, state, self.game.vt.state_size)
        memset(self.is_drawn, 0, DRAWN)
        self.seat = seat
        self.seed = seed
        self.visited[0] = 0
        if not same_turn or self.arena.full:
            empty_arena(&self.arena)
        memcpy(self.certain, self.packed, self.game.vt.state_size)
        self.roots[0] = self.shared_node(0)
        if self.own_score:
            self.centre = self.mean_score()
        self.solving = self.game.vt.chances(self.game.rules, self.packed) <= 1
        self.trials = 0
        self.solved = 0
        return self.roots[0] >= 0

    cdef void think(self, int64_t visits) noexcept nogil:
        """Visit the first candidate so many times more, always exploring."""
        cdef double sample[MEASURES]
        cdef int64_t k
        for k in range(visits):
            self.iterate(0, 0, <uint64_t>self.visited[0], True, True, sample)
            self.visited[0] += 1

    cdef action_t favourite(self) noexcept nogil:
        """Return the most visited action of the first candidate; of equal ones the better."""
        cdef const Node* node = &self.arena.nodes[self.roots[0]]
        cdef const Edge* edge
        cdef const Edge* best = NULL
        cdef int32_t i
        for i in range(node.first, node.first + node.count):
            edge = &self.arena.edges[i]
            if best == NULL or edge.visits > best.visits or (
                edge.visits == best.visits and edge.total > best.total
            ):
                best = edge
        return best.action if best != NULL else 0

    cdef void reach(self, int32_t candidate, void* state, const char* root) noexcept nogil:
        """Write the state a candidate leads to from the root, or from a drawn copy of it."""
        cdef int32_t i
        memcpy(state, root, self.game.vt.state_size)
        for i in range(self.begins[candidate], self.begins[candidate + 1]):
            self.game.vt.apply(self.game.rules, state, self.actions[i])

    cdef const char* drawn_root(self, int32_t tree, uint64_t visit) noexcept nogil:
        """Return the root with what the observer cannot know drawn anew.

        Drawing is dear; as the luck to come differs from world to world anyway, some hundred draws
        serve for all.
        """
        cdef uint64_t number = (visit * <uint64_t>self.trees + <uint64_t>tree) % DRAWN
        cdef char* state = self.drawn + number * self.game.vt.state_size
        if not self.is_drawn[number]:
            self.is_drawn[number] = 1
            memcpy(state, self.packed, self.game.vt.state_size)
            self.game.vt.determinize(self.game.rules, state, self.seat, stream(~self.seed, number))
        return state

    cdef int32_t shared_node(self, int32_t tree) noexcept nogil:
        """Return the node of `certain` in a tree, -1 where memory has run out."""
        cdef uint64_t key[2]
        self.game.vt.tidy(self.game.rules, self.certain)
        fingerprint(self.certain, self.game.vt.state_size, key)
        return node_of(&self.arena, mix(key[0] + <uint64_t>tree))

    cdef double mean_score(self) noexcept nogil:
        """Return a first idea of the final scores, around which own scores are squashed."""
        cdef const GameVT* vt = self.game.vt
        cdef double points[SEATS]
        cdef double wins[SEATS]
        cdef double total = 0.0
        cdef uint64_t k, world
        cdef uint32_t i
        for k in range(64):
            world = stream(self.seed, k)
            memcpy(self.state, self.drawn_root(0, k), vt.state_size)
            vt.playout(self.game.rules, self.state, self.policy, world, mix(world))
            vt.returns(self.game.rules, self.state, points, wins)
            for i in range(vt.players):
                total += points[i]
        return total / (64 * vt.players)

    cdef void visit(
        self, int32_t candidate, int32_t tree, uint64_t visit, bint exploring, double* sample
    ) noexcept nogil:
        self.iterate(candidate, tree, visit, exploring, True, sample)

    cdef void play_out(self, int32_t candidate, int32_t tree, uint64_t world) noexcept nogil:
        cdef double sample[MEASURES]
        self.to_the_end = True
        self.iterate(candidate, tree, world, False, False, sample)
        self.to_the_end = False

    def recall(self, list states, double[:, ::1] out):
        """Add for each tidy state of the root's turn what the trees know: visits, utilities."""
        cdef int32_t tree, node
        cdef Py_ssize_t i
        cdef uint64_t key[2]
        cdef bytes state
        if out.shape[0] != len(states) or out.shape[1] != 2:
            raise ValueError("there must be two numbers for each state")
        for i, state in enumerate(states):
            fingerprint(self.game._checked(state), self.game.vt.state_size, key)
            for tree in range(self.trees):
                node = known_node(&self.arena, mix(key[0] + <uint64_t>tree))
                if node >= 0:
                    out[i, 0] += self.arena.nodes[node].visits
                    out[i, 1] += self.arena.nodes[node].total

    def children(self, int32_t candidate, list actions):
        """Return (action, visits) of the decision after these actions, over all trees."""
        cdef int32_t tree, at, i
        cdef Node* node
        if not 0 <= candidate < self.candidates:
            raise IndexError("no such candidate")
        found = {}
        for tree in range(self.trees):
            at = self.roots[candidate * self.trees + tree]
            for action in actions:
                if at < 0:
                    break
                node = &self.arena.nodes[at]
                at = -1
                for i in range(node.first, node.first + node.count):
                    if self.arena.edges[i].action == <action_t>action:
                        at = self.arena.edges[i].node
            if at >= 0:
                node = &self.arena.nodes[at]
                for i in range(node.first, node.first + node.count):
                    code = self.arena.edges[i].action
                    found[code] = found.get(code, 0) + self.arena.edges[i].visits
        return sorted(found.items())

    cdef void iterate(
        self,
        int32_t candidate,
        int32_t tree,
        uint64_t visit,
        bint exploring,
        bint learn,
        double* sample,
    ) noexcept nogil:
        """One iteration; `sample` gets the observer's (win, margin, score)."""
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        cdef void* state = self.state
        cdef Arena* arena = &self.arena
        cdef uint64_t world = stream(self.seed + <uint64_t>tree, visit)
        cdef uint64_t rng = mix(world ^ <uint64_t>0x5851F42D4C957F2D)
        cdef Step path[MAX_DEPTH]
        cdef int depth = 0, mover, i
        cdef int32_t at = self.roots[candidate * self.trees + tree], edge
        cdef bint grown = False, in_turn = True, done = False
        cdef double points[SEATS]
        cdef double wins[SEATS]
        cdef double utility[SEATS]
        self.reach(candidate, state, self.drawn_root(tree, visit))
        while not grown and at >= 0 and depth < MAX_DEPTH:
            mover = vt.to_move(rules, state)
            while mover == CHANCE:
                vt.chance(rules, state, world)
                mover = vt.to_move(rules, state)
                in_turn = False
            if mover == OVER:
                break
            if self.solving and not in_turn and vt.chances(rules, state) == 0:
                done = self.solve(points, wins)
                if done:
                    break
            in_turn = in_turn and mover == self.seat
            edge = self.choose(at, in_turn, exploring, learn, &rng, &grown)
            if edge < 0:
                break
            path[depth].certain = in_turn
            path[depth].edge = edge
            path[depth].seat = mover
            path[depth].action = arena.edges[edge].action
            vt.apply(rules, state, path[depth].action)
            depth += 1
            at = arena.edges[edge].node
            if at < 0 and learn and arena.edges[edge].visits >= (1 if in_turn else OPENING):
                at = self.link(candidate, tree, path, depth)
        self.decisions += <uint64_t>depth
        if not done:
            self.finish(world, rng, points, wins)
        for i in range(<int>vt.players):
            utility[i] = lead(points, <int>vt.players, i)
        sample[0] = wins[self.seat]
        sample[1] = utility[self.seat]
        sample[2] = points[self.seat]
        if not learn:
            return
        for i in range(<int>vt.players):
            utility[i] = squashed(
                points[i] - self.centre if self.own_score else utility[i], self.scale
            )
        for i in range(depth):
            edge = path[i].edge
            arena.edges[edge].visits += 1
            arena.edges[edge].total += utility[path[i].seat]
            if path[i].certain and arena.edges[edge].node >= 0:
                arena.nodes[arena.edges[edge].node].visits += 1
                arena.nodes[arena.edges[edge].node].total += utility[self.seat]

    cdef bint solve(self, double* points, double* wins) noexcept nogil:
        """Fill in how the state ends with best play by everybody, where that is soon found out."""
        cdef const GameVT* vt = self.game.vt
        cdef Outcome outcome
        cdef action_t best
        cdef uint32_t i
        cdef int64_t before = self.solver.nodes
        cdef bint settled = self.solver.settle(self.state, SOLVED_NODES, &outcome)
        self.trials += 1
        self.decisions += <uint64_t>(self.solver.nodes - before)
        if not settled:
            if self.trials >= SOLVER_TRIALS and 2 * self.solved < self.trials:
                self.solving = False
            return False
        self.solved += 1
        while self.to_the_end and vt.to_move(self.game.rules, self.state) != OVER:
            self.solver.best_play(&outcome, &best)
            if self.solver.trouble:
                return False
            vt.apply(self.game.rules, self.state, best)
            memcpy(self.solver.states, self.state, vt.state_size)
            vt.tidy(self.game.rules, self.solver.states)
        for i in range(vt.players):
            points[i] = outcome.points[i]
            wins[i] = outcome.wins[i]
        return True

    cdef void finish(self, uint64_t world, uint64_t rng, double* points, double* wins) noexcept nogil:
        """Play to the end: at random, or best play from where no chance is left."""
        cdef const GameVT* vt = self.game.vt
        cdef const void* rules = self.game.rules
        cdef int mover
        while self.solving:
            mover = vt.to_move(rules, self.state)
            if mover == OVER:
                break
            if mover == CHANCE:
                vt.chance(rules, self.state, world)
            elif vt.chances(rules, self.state) == 0:
                if self.solve(points, wins):
                    return
                break
            else:
                rng = mix(rng)
                vt.apply(rules, self.state, vt.choose(rules, self.state, self.policy, rng))
                self.decisions += 1
        self.decisions += <uint64_t>vt.playout(rules, self.state, self.policy, world, mix(world))
        vt.returns(rules, self.state, points, wins)

    cdef int32_t link(
        self, int32_t candidate, int32_t tree, const Step* path, int depth
    ) noexcept nogil:
        """Give the last edge of a path its node: within the root's turn that of the position."""
        cdef int32_t node
        cdef int i
        if path[depth - 1].certain:
            self.reach(candidate, self.certain, self.packed)
            for i in range(depth):
                self.game.vt.apply(self.game.rules, self.certain, path[i].action)
            node = self.shared_node(tree)
        else:
            node = open_node(&self.arena)
        self.arena.edges[path[depth - 1].edge].node = node
        return node

    cdef int32_t choose(
        self,
        int32_t at,
        bint in_turn,
        bint exploring,
        bint learn,
        uint64_t* rng,
        bint* grown,
    ) noexcept nogil:
        """Return the edge to follow from a node, -1 where the playout takes over.

        Sets `grown` where the edge is new.
        """
        cdef Node* node = &self.arena.nodes[at]
        cdef Edge* edge = self.arena.edges + node.first
        cdef Edge* end = edge + node.count
        cdef action_t* legal = self.legal
        cdef int32_t best = -1
        cdef int n = self.game.vt.legal(self.game.rules, self.state, legal), i, untried = 0
        cdef float value, best_value = -1e30
        cdef double known_total
        cdef uint32_t known
        for i in range(n):
            while edge < end and edge.action < legal[i]:
                edge += 1
            if edge == end or edge.action != legal[i]:
                self.untried[untried] = i
                untried += 1
                continue
            edge.available += learn
            known, known_total = edge.visits, edge.total
            if in_turn and edge.node >= 0:  # other ways lead there, too
                known, known_total = self.arena.nodes[edge.node].visits, self.arena.nodes[edge.node].total
            value = <float>(known_total / known)
            if exploring:
                value += self.explore * root_of_log(edge.available) * one_over_root(edge.visits)
            else:
                value -= self.caution * one_over_root(known)
            if value > best_value:
                best_value = value
                best = <int32_t>(edge - self.arena.edges)
            edge += 1
        if untried == 0 or not learn or self.arena.full:
            return best
        if best >= 0 and not exploring:
            return best
        grown[0] = n > 1  # where there was nothing to decide, walk on
        return add_edge(&self.arena, at, legal[self.untried[below(rng, <uint32_t>untried)]])
