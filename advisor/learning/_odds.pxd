"""From judged points to the chance of winning and the lead over the best of the others.

Owns that step. Everybody's final points are taken to scatter around the judged ones independently
and alike (normal distributions), as far as they did in self-play. With several opponents the best of
them is better than the one judged best, which is what makes tables of three and four differ.
"""

from libc.math cimport M_SQRT1_2, M_SQRT2, erfc

cdef enum:
    NODES = 16

# Gauss-Hermite quadrature: where to look at a normal distribution (in units of sqrt(2) standard
# deviations), and the weights, which add up to 1.
cdef extern from *:
    """
    static const double odds_at[8] = {
        0.27348104613815245, 0.8229514491446559, 1.3802585391988808, 1.9517879909162540,
        2.5462021578474814, 3.1769991619799560, 3.8694479048601227, 4.6887389393058184
    };
    static const double odds_weight[8] = {
        0.28656852123801241, 0.15833837275094925, 0.047284752354014067, 0.0072669376011847411,
        0.00052598492657390979, 1.5300032162487287e-05, 1.3094732162868203e-07, 1.4978147231618314e-10
    };
    """
    double odds_at[8]
    double odds_weight[8]


cdef inline double lead(const double* points, int players, int seat) noexcept nogil:
    """Return how far a seat is ahead of the best other one; alone, its points."""
    cdef double other = -1e30
    cdef int i
    for i in range(players):
        if i != seat and points[i] > other:
            other = points[i]
    return points[seat] - other if players > 1 else points[seat]


cdef inline double below_all(
    const double* points, int players, int seat, int but, double x, double sd
) noexcept nogil:
    """Return the chance that all seats end below x, two of them left out."""
    cdef double chance = 1
    cdef int i
    for i in range(players):
        if i != seat and i != but:
            chance *= 0.5 * erfc((points[i] - x) / sd * M_SQRT1_2)
    return chance


cdef inline double chance_to_win(
    const double* points, int players, int seat, double apart
) noexcept nogil:
    """Return the chance of ending with more points than everybody else.

    `apart` is the standard deviation of the difference of two seats' points around the judged one.
    """
    cdef double sd = apart * M_SQRT1_2, chance = 0, step
    cdef int k
    if players == 2:
        return 0.5 * erfc((points[1 - seat] - points[seat]) / apart * M_SQRT1_2)
    for k in range(NODES // 2):
        step = odds_at[k] * M_SQRT2 * sd
        chance += odds_weight[k] * (
            below_all(points, players, seat, seat, points[seat] + step, sd)
            + below_all(points, players, seat, seat, points[seat] - step, sd)
        )
    return chance


cdef inline double expected_lead(
    const double* points, int players, int seat, double apart
) noexcept nogil:
    """Return how far a seat will be ahead of the best of the others, in the mean; alone, its points."""
    cdef double sd = apart * M_SQRT1_2, best = 0, step
    cdef int i, k
    if players <= 2:
        return points[seat] - points[1 - seat] if players == 2 else points[seat]
    for i in range(players):
        if i == seat:
            continue
        for k in range(NODES // 2):
            step = odds_at[k] * M_SQRT2 * sd
            best += odds_weight[k] * (
                (points[i] + step) * below_all(points, players, seat, i, points[i] + step, sd)
                + (points[i] - step) * below_all(points, players, seat, i, points[i] - step, sd)
            )
    return points[seat] - best
