"""The kernel's public face: what a game must offer to be simulated and searched.

Owns `GameVT` (the verbs of a game over a flat packed state), the handle class `Game`, and the one
random generator everybody uses. Knows no game.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

ctypedef uint32_t action_t

cdef enum:
    CHANCE = -1  # `to_move`: dice or a deal come next
    OVER = -2  # `to_move`: the game has ended


cdef struct GameVT:
    uint32_t state_size  # bytes of a packed state
    uint32_t turn_size  # so many of them, the first ones, can be changed by actions; the rest by chance only
    uint32_t max_actions  # upper bound of what `legal` writes
    uint32_t players
    uint32_t sources  # number of kinds of points told apart by `points`
    uint32_t policies  # number of simple ways to play, known to `playout` and `choose`
    # The seat that decides, CHANCE or OVER.
    int (*to_move)(const void* rules, const void* state) noexcept nogil
    # Writes the legal actions, ascending and each once; returns their number.
    int (*legal)(const void* rules, const void* state, action_t* out) noexcept nogil
    # Plays one legal action. Deterministic: chance never hides here.
    void (*apply)(const void* rules, void* state, action_t action) noexcept nogil
    # Resolves the chance event the state waits for. The luck depends on the world and on which
    # event it is, not on what was played before: equal worlds show equal dice and deals.
    void (*chance)(const void* rules, void* state, uint64_t world) noexcept nogil
    # Draws anew what `seat` cannot know, and nothing else.
    void (*determinize)(const void* rules, void* state, int seat, uint64_t world) noexcept nogil
    # Plays to the end by a policy; returns the number of decisions made.
    int (*playout)(
        const void* rules, void* state, int policy, uint64_t world, uint64_t seed
    ) noexcept nogil
    # The action a policy plays here; policy 0 draws any legal action, by the seed.
    action_t (*choose)(
        const void* rules, const void* state, int policy, uint64_t seed
    ) noexcept nogil
    # For each seat its points now (final once the game is over) and its share of the win.
    void (*returns)(const void* rules, const void* state, double* points, double* wins) noexcept nogil
    # For each seat and source the points gained since the state was packed.
    void (*points)(const void* rules, const void* state, int32_t* out) noexcept nogil
    # How many chance events are still to come, 0 where the rest is certain.
    int (*chances)(const void* rules, const void* state) noexcept nogil
    # --- For a learned value; `traits` is 0 in games without.
    uint32_t traits  # upper bound of the numbers that `describe` writes
    uint32_t max_traits  # upper bound of how many it writes for one part
    uint32_t chapters  # stretches of the game that are valued apart
    # Writes the traits of a seat, of its own things (part 0) or its surroundings (1): one for each
    # place, 0 where a place has nothing to say. The places are the same in all states of a game.
    int (*describe)(
        const void* rules, const void* state, int seat, int part, uint16_t* out
    ) noexcept nogil
    # A number that says what the others' surroundings depend on while `seat` has its turn: of two
    # states of the same turn with equal numbers, every other seat's surroundings are the same.
    uint64_t (*outlook)(const void* rules, const void* state, int seat) noexcept nogil
    # The points a seat can count on at the end, whatever else it does.
    double (*certain)(const void* rules, const void* state, int seat) noexcept nogil
    # Which stretch of the game it is, 0..chapters-1.
    int (*chapter)(const void* rules, const void* state) noexcept nogil
    # Writes a quick judgement of each legal action, in points: the higher the better.
    void (*prior)(
        const void* rules, const void* state, const action_t* actions, int count, float* out
    ) noexcept nogil
    # Puts what has no order into one order, so that equal positions are equal bytes.
    void (*tidy)(const void* rules, void* state) noexcept nogil


cdef class Game:
    """One game under fixed rules: the verbs and the constant tables they read."""

    cdef const GameVT* vt
    cdef const void* rules
    cdef const void* _checked(self, bytes state) except NULL
    cdef bytearray _copied(self, bytes state)


cdef extern from *:
    """
    #include <stdint.h>
    /* Take a number of 0..n-1 off the top of *bits and leave the rest of the randomness there. */
    static inline uint32_t advisor_cut(uint64_t *bits, uint32_t n) {
        unsigned __int128 product = (unsigned __int128)*bits * n;
        *bits = (uint64_t)product;
        return (uint32_t)(product >> 64);
    }
    """
    # Several small draws from one 64-bit draw: good for as long as 64 bits are plenty for them all.
    uint32_t cut "advisor_cut"(uint64_t* bits, uint32_t n) noexcept nogil


# --- Random numbers: splitmix64, a counter and a good mixer, so that streams are made by hashing.

cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t stream(uint64_t seed, uint64_t index) noexcept nogil:
    """Return the seed of sub-stream `index` of `seed`."""
    return mix(seed + (index + 1) * <uint64_t>0xD1342543DE82EF95)


cdef inline uint64_t next64(uint64_t* rng) noexcept nogil:
    """Draw 64 random bits."""
    rng[0] += <uint64_t>0x9E3779B97F4A7C15
    return mix(rng[0])


cdef inline void fingerprint(const void* state, uint32_t size, uint64_t* out) noexcept nogil:
    """Write 128 bits that tell packed states apart: equal ones for equal states, and only there.

    Four words at a time, each mixed in a lane of its own: a lane would wait for its last product.
    """
    cdef const char* at = <const char*>state
    cdef uint64_t a = <uint64_t>0x243F6A8885A308D3, b = <uint64_t>0x13198A2E03707344
    cdef uint64_t c = <uint64_t>0xA4093822299F31D0, d = <uint64_t>0x082EFA98EC4E6C89
    cdef uint64_t words[4]
    cdef uint32_t left = size
    while left:
        if left >= 32:
            memcpy(words, at, 32)
            at += 32
            left -= 32
        else:
            words[0] = words[1] = words[2] = words[3] = 0
            memcpy(words, at, left)
            left = 0
        a = (a ^ words[0]) * <uint64_t>0xBF58476D1CE4E5B9
        b = (b ^ words[1]) * <uint64_t>0x94D049BB133111EB
        c = (c ^ words[2]) * <uint64_t>0xD1342543DE82EF95
        d = (d ^ words[3]) * <uint64_t>0x9E3779B97F4A7C15
        a ^= a >> 32
        b ^= b >> 29
        c ^= c >> 31
        d ^= d >> 30
    out[0] = mix(a ^ mix(b ^ mix(c ^ mix(d))))
    out[1] = mix(a + mix(b + mix(c + mix(d + 1))))


cdef inline uint32_t below(uint64_t* rng, uint32_t n) noexcept nogil:
    """Draw a number of 0..n-1 (the bias, n / 2**32, is far below anything measurable)."""
    return <uint32_t>(((next64(rng) >> 32) * n) >> 32)
