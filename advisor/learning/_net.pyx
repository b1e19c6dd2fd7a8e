"""The net as an object: made new, filled from a file, asked for its judgement.

Owns the layout of a net's numbers in one array, and how they are rounded for judging.
"""

import numpy as np

from libc.stdint cimport int16_t, uint16_t


cdef size_t numbers_of(int traits, int chapters) noexcept nogil:
    """Return how many numbers a net has."""
    return <size_t>traits * FIRST + FIRST + <size_t>chapters * (SECOND * FIRST + 2 * SECOND + 1)


cdef void lay_out(float* numbers, int traits, int chapters, Layers* out) noexcept nogil:
    """Write where in an array the layers lie."""
    out.rows = numbers
    out.bias = out.rows + <size_t>traits * FIRST
    out.second = out.bias + FIRST
    out.second_bias = out.second + chapters * SECOND * FIRST
    out.last = out.second_bias + chapters * SECOND
    out.last_bias = out.last + chapters * SECOND


cdef class Net:
    """A net for so many traits and chapters.

    Args:
        traits: upper bound of the numbers of traits.
        chapters: stretches of the game with last layers of their own.
        numbers: all weights, such as from a file; by default small random ones.
        seed: of the random ones.

    """

    def __cinit__(self, int traits, int chapters, *, numbers=None, int seed=0):
        size = numbers_of(traits, chapters)
        if numbers is None:
            numbers = _first_numbers(traits, chapters, seed)
        numbers = np.ascontiguousarray(numbers, dtype=np.float32)
        if numbers.shape != (size,):
            raise ValueError(f"a net of {traits} traits has {size} numbers, not {numbers.size}")
        self.traits = traits
        self.chapters = chapters
        self.numbers = numbers
        self.view = numbers
        lay_out(&self.view[0], traits, chapters, &self.w)
        self.rounded = np.zeros((traits + 1 + chapters * SECOND) * FIRST, np.int16)
        self.rounded_view = self.rounded
        self.q.rows = &self.rounded_view[0]
        self.q.bias = self.q.rows + <size_t>traits * FIRST
        self.q.second = self.q.bias + FIRST
        self.round()

    def round(self):
        """Judge by the weights as they are now; to be called when they have changed."""
        cdef int units = self.chapters * SECOND
        own = (self.traits + 1) * FIRST
        rows = np.rint(self.numbers[:own] * SUM_SCALE)
        self.rounded[:own] = np.clip(rows, -MOST, MOST)
        second = np.rint(self.numbers[own : own + units * FIRST] * SECOND_SCALE).reshape(units, FIRST)
        # The products with what is handed on at most must add up to less than 2**31.
        heavy = np.abs(second).sum(axis=1, keepdims=True) * MOST / (2**31 - 1)
        second = np.trunc(second / np.maximum(heavy, 1)).ravel()
        self.rounded[own:] = np.clip(second, -2 * MOST, 2 * MOST)

    def copy(self):
        """Return a net of the same weights."""
        return Net(self.traits, self.chapters, numbers=self.numbers.copy())

    cdef float judge(self, const int16_t* sums, int chapter) noexcept nogil:
        """Return the judgement for the sums of the first layer, its bias included."""
        return net_judge(
            sums,
            self.q.second + chapter * SECOND * FIRST,
            self.w.second_bias + chapter * SECOND,
            self.w.last + chapter * SECOND,
            self.w.last_bias[chapter],
        )

    def __call__(self, const uint16_t[::1] traits, int chapter):
        """Return the judgement where these traits hold."""
        cdef int16_t sums[FIRST]
        cdef int i
        for i in range(traits.shape[0]):
            if traits[i] >= self.traits:
                raise IndexError("no such trait")
        if not 0 <= chapter < self.chapters:
            raise IndexError("no such chapter")
        for i in range(FIRST):
            sums[i] = self.q.bias[i]
        if traits.shape[0]:
            net_change(sums, self.q.rows, &traits[0], <int>traits.shape[0], NULL, 0)
        return self.judge(sums, chapter)


def _first_numbers(int traits, int chapters, int seed):
    """Return small random numbers, the same for all chapters."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(0, 0.05, (traits, FIRST))
    rows[0] = 0
    one = [
        rows.ravel(),
        np.full(FIRST, 0.1),
        np.tile(rng.normal(0, np.sqrt(2 / FIRST), SECOND * FIRST), chapters),
        np.full(chapters * SECOND, 0.1),
        np.tile(rng.normal(0, np.sqrt(2 / SECOND), SECOND), chapters),
        np.zeros(chapters),
    ]
    return np.concatenate(one).astype(np.float32)
