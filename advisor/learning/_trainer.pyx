"""Training the net: one sample after the other, steps scaled by how steep each row has been.

Owns the learning rule: the gradient of the squared error, and for every row of the first layer (and
every unit of the others) a running mean of its gradient's square, by whose root the step is divided
(RMSprop, one number a row, since all traits of a sample share one gradient).
"""

import numpy as np

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from advisor.learning._lessons cimport Lessons
from advisor.learning._net cimport (
    FIRST,
    SECOND,
    Layers,
    Net,
    net_add,
    net_axpy,
    net_dot,
    net_relu,
)

cdef float DECAY = 0.999
cdef float STEEPEST = 25.0  # points of error beyond which the step grows no more


cdef class Trainer:
    """Teaches a net.

    Args:
        net: changed in place.

    """

    cdef readonly Net net
    cdef float* row_square  # [traits]: running mean of the squared gradient
    cdef float* unit_square  # [chapters][SECOND]
    cdef float bias_square
    cdef float last_square

    def __cinit__(self, Net net):
        self.net = net
        self.row_square = <float*>calloc(net.traits, sizeof(float))
        self.unit_square = <float*>calloc(net.chapters * SECOND, sizeof(float))
        if not (self.row_square and self.unit_square):
            raise MemoryError

    def __dealloc__(self):
        free(self.row_square)
        free(self.unit_square)

    def learn(self, Lessons lessons, *, double rate, uint64_t seed, double first=0.0, double last=1.0):
        """Go once through a stretch of the samples in random order; return the mean squared error.

        Args:
            lessons: the samples.
            rate: length of a step.
            seed: the order.
            first, last: which share of the samples; the others can be kept for `error`.

        """
        cdef int64_t begin = <int64_t>(first * lessons.count), end = <int64_t>(last * lessons.count)
        cdef int64_t n = end - begin, k
        cdef double total = 0
        order = np.random.default_rng(seed).permutation(n)
        cdef const int64_t[::1] view = order
        with nogil:
            for k in range(n):
                total += self.step(lessons, begin + view[k], <float>rate)
        self.net.round()
        return total / max(1, n)

    def error(self, Lessons lessons, *, double first=0.0, double last=1.0):
        """Return the mean squared error over a stretch of the samples, learning nothing."""
        cdef int64_t begin = <int64_t>(first * lessons.count), end = <int64_t>(last * lessons.count)
        cdef int64_t k
        cdef double total = 0
        with nogil:
            for k in range(begin, end):
                total += self.step(lessons, k, 0)
        return total / max(1, end - begin)

    cdef double step(self, Lessons lessons, int64_t sample, float rate) noexcept nogil:
        """Learn from one sample; return its squared error before."""
        cdef Layers* w = &self.net.w
        cdef int64_t begin = lessons.ends[sample - 1] if sample else 0
        cdef const uint16_t* traits = lessons.traits + begin
        cdef int n = <int>(lessons.ends[sample] - begin), i, j
        cdef int chapter = lessons.chapters[sample]
        cdef float* second = w.second + chapter * SECOND * FIRST
        cdef float* second_bias = w.second_bias + chapter * SECOND
        cdef float* last = w.last + chapter * SECOND
        cdef float sums[FIRST]
        cdef float first[FIRST]
        cdef float back[FIRST]
        cdef float units[SECOND]
        cdef float out = w.last_bias[chapter], error, pull, square, scale
        memcpy(sums, w.bias, sizeof(sums))
        net_add(sums, w.rows, traits, n)
        net_relu(first, sums)
        for i in range(SECOND):
            units[i] = net_dot(first, second + i * FIRST) + second_bias[i]
            if units[i] > 0:
                out += units[i] * last[i]
        error = out - lessons.targets[sample]
        if rate == 0:
            return error * error
        pull = error if -STEEPEST < error < STEEPEST else (STEEPEST if error > 0 else -STEEPEST)
        for j in range(FIRST):
            back[j] = 0
        self.last_square = DECAY * self.last_square + (1 - DECAY) * pull * pull
        scale = rate / (sqrt(self.last_square) + 1e-3)
        w.last_bias[chapter] -= scale * pull
        for i in range(SECOND):
            if units[i] <= 0:
                continue
            # The unit's own weights move by the size of what it hands on.
            square = pull * last[i]
            net_axpy(back, square, second + i * FIRST)
            self.unit_square[chapter * SECOND + i] = (
                DECAY * self.unit_square[chapter * SECOND + i] + (1 - DECAY) * square * square
            )
            scale = rate * 0.3 / (<float>sqrt(self.unit_square[chapter * SECOND + i]) + <float>1e-3)
            net_axpy(second + i * FIRST, -scale * square, first)
            second_bias[i] -= scale * square
            last[i] -= rate * 0.3 * pull * units[i] / (
                (<float>sqrt(self.last_square) + <float>1e-3) * (1 + units[i])
            )
        square = 0
        for j in range(FIRST):
            if sums[j] <= 0:
                back[j] = 0
            square += back[j] * back[j]
        square /= FIRST
        self.bias_square = DECAY * self.bias_square + (1 - DECAY) * square
        net_axpy(w.bias, -rate / (<float>sqrt(self.bias_square) + <float>1e-3), back)
        for i in range(n):
            # A row met seldom starts from what rows have met on average.
            if self.row_square[traits[i]] == 0:
                self.row_square[traits[i]] = self.bias_square
            self.row_square[traits[i]] += (1 - DECAY) * (square - self.row_square[traits[i]])
            net_axpy(
                w.rows + <int64_t>traits[i] * FIRST,
                -rate / (<float>sqrt(self.row_square[traits[i]]) + <float>1e-3),
                back,
            )
        return error * error
