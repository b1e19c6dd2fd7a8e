"""The agents that play inside the kernel, and the bridge to those written in Python.

Owns the base class, the agents that follow one of the game's policies, and `PythonAgent`, which
takes the GIL for each decision. Knows no game.
"""

from libc.stdint cimport uint64_t

from advisor._fastsim cimport Game, action_t, mix


cdef bint is_legal(Game game, const void* state, action_t action, action_t* room) noexcept nogil:
    """Tell whether an action is legal; `room` is for the list of all that are."""
    cdef int i
    for i in range(game.vt.legal(game.rules, state, room)):
        if room[i] == action:
            return True
    return False


cdef class KernelAgent:
    """A player that decides without the GIL. Sub-classes fill in `decide`."""

    cdef int begin(self, Game game, object position) except -1:
        self.game = game
        self.error = None
        return 0

    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        return NO_ACTION

    def prepare(self, Game game, object position):
        """Begin a game."""
        self.begin(game, position)

    def choose(self, bytes state, int seat, bint fresh, uint64_t luck):
        """Return the packed action this agent plays; a game must have begun.

        Raises whatever an agent written in Python raised.
        """
        cdef const void* s
        cdef action_t action
        if self.game is None:
            raise ValueError("the agent has not been told which game it plays")
        s = self.game._checked(state)
        with nogil:
            action = self.decide(s, seat, fresh, luck)
        if action == NO_ACTION:
            if self.error is None:
                raise MemoryError("the agent ran out of memory")
            raise self.error
        return action


cdef class PolicyAgent(KernelAgent):
    """Plays by one of the game's policies.

    Args:
        policy: the policy's number.
        slips: chance of any legal action instead, at every decision.

    """

    cdef int policy
    cdef double slips

    def __cinit__(self, int policy, double slips=0.0):
        self.policy = policy
        self.slips = slips

    cdef int begin(self, Game game, object position) except -1:
        if not 0 <= self.policy < <int>game.vt.policies:
            raise ValueError(f"policy {self.policy}; the game has {game.vt.policies}")
        return KernelAgent.begin(self, game, position)

    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        cdef bint slip = (luck >> 11) * <double>1.1102230246251565e-16 < self.slips
        return self.game.vt.choose(
            self.game.rules, state, 0 if slip else self.policy, mix(luck) if slip else luck
        )


cdef class PythonAgent(KernelAgent):
    """Lets a Python function decide.

    Args:
        ask: called with a position and 64 bits of luck; returns a packed legal action.

    """

    cdef object ask
    cdef object position

    def __cinit__(self, ask):
        self.ask = ask

    cdef int begin(self, Game game, object position) except -1:
        self.position = position
        return KernelAgent.begin(self, game, position)

    cdef action_t decide(
        self, const void* state, int seat, bint fresh, uint64_t luck
    ) noexcept nogil:
        with gil:
            return self.ask_python(state, luck)

    cdef action_t ask_python(self, const void* state, uint64_t luck) noexcept:
        try:
            packed = (<const char*>state)[: self.game.vt.state_size]
            return self.ask(self.position.view(packed), luck)
        except BaseException as error:
            self.error = error
            return NO_ACTION
