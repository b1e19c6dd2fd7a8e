"""What the visits of a candidate brought: a log of samples, kept short by adding up neighbours.

Owns the log and the paired statistics on it. Sample k of every candidate of one thread comes from
the same world, so two candidates are compared sample by sample. When a log is full, neighbours are
added up and every entry stands for twice as many samples. The first half of a log is left out of
every mean: the tree was still learning there.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc

cdef enum:
    MEASURES = 3  # win, margin, score
    LONGEST = 512  # entries of a log


cdef struct Log:
    double* sums  # MEASURES numbers an entry
    int32_t entries  # complete ones
    int32_t reserved
    int32_t level  # an entry adds up 2**level samples
    int32_t begun  # samples in the entry after the last complete one


cdef struct Moments:
    int64_t samples
    double mean[MEASURES]


cdef inline bint add_sample(Log* log, const double* sample) noexcept nogil:
    """Add a sample; False where memory has run out."""
    cdef int32_t i, m, reserved
    cdef double* larger
    if log.entries == log.reserved:
        reserved = 2 * log.reserved if log.reserved else 16
        larger = <double*>realloc(log.sums, reserved * MEASURES * sizeof(double))
        if larger == NULL:
            return False
        log.sums = larger
        log.reserved = reserved
    for m in range(MEASURES):
        i = log.entries * MEASURES + m
        log.sums[i] = sample[m] + (log.sums[i] if log.begun else 0)
    log.begun += 1
    if log.begun < 1 << log.level:
        return True
    log.begun = 0
    log.entries += 1
    if log.entries == LONGEST:
        for i in range(LONGEST // 2):
            for m in range(MEASURES):
                log.sums[i * MEASURES + m] = (
                    log.sums[2 * i * MEASURES + m] + log.sums[(2 * i + 1) * MEASURES + m]
                )
        log.entries = LONGEST // 2
        log.level += 1
    return True


cdef inline double entry(const Log* log, int32_t i, int32_t level, int m) noexcept nogil:
    """Return the sum of 2**level samples that begin with number i * 2**level."""
    cdef int32_t width = 1 << (level - log.level), j
    cdef double total = 0
    for j in range(i * width, (i + 1) * width):
        total += log.sums[j * MEASURES + m]
    return total


cdef inline void compare(const Log* a, const Log* b, Moments* out) noexcept nogil:
    """Fill in the mean of a - b over the later half of what both have; b NULL: of a alone."""
    cdef int32_t level = a.level, n = a.entries, i, m, first
    cdef double total
    if b != NULL:
        level = max(a.level, b.level)
        n = min(a.entries >> (level - a.level), b.entries >> (level - b.level))
    first = n // 2 if n > 3 else 0
    out.samples = <int64_t>(n - first) << level
    for m in range(MEASURES):
        total = 0
        for i in range(first, n):
            total += entry(a, i, level, m)
            if b != NULL:
                total -= entry(b, i, level, m)
        out.mean[m] = total / out.samples if n else 0
