"""A small net over numbered traits: which hold is told, what comes out is one number of points.

Owns the layers and their arithmetic: the rows of the traits that hold are added up, then two small
layers, which differ by chapter of the game. Knows no game.
"""

from libc.stdint cimport uint16_t, uint64_t

cdef extern from *:
    """
    #include <string.h>
    #define NET_FIRST 64
    #define NET_SECOND 16
    typedef float net_v8 __attribute__((vector_size(32), aligned(4), may_alias));
    /* Twice as fast where the processor has registers of eight numbers; the same sums everywhere. */
    #if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
    #define NET_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define NET_WIDE
    #endif

    /* sums += the rows of some traits */
    static NET_WIDE void net_add(float *sums, const float *rows, const unsigned short *traits, int n) {
        net_v8 a[NET_FIRST / 8];
        memcpy(a, sums, sizeof a);
        for (int i = 0; i < n; i++) {
            const net_v8 *row = (const net_v8 *)(rows + (size_t)traits[i] * NET_FIRST);
            for (int j = 0; j < NET_FIRST / 8; j++) a[j] += row[j];
        }
        memcpy(sums, a, sizeof a);
    }

    /* the sum of products of two rows of NET_FIRST numbers */
    static NET_WIDE __attribute__((unused)) float net_dot(const float *x, const float *y) {
        net_v8 a = {0};
        for (int j = 0; j < NET_FIRST / 8; j++) a += ((const net_v8 *)x)[j] * ((const net_v8 *)y)[j];
        return a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
    }

    /* the two last layers, over the sums of the first */
    static NET_WIDE __attribute__((unused)) float net_judge(
        const float *sums, const float *second, const float *bias, const float *last, float result
    ) {
        net_v8 first[NET_FIRST / 8];
        for (int j = 0; j < NET_FIRST / 8; j++) {
            net_v8 x = ((const net_v8 *)sums)[j];
            first[j] = (net_v8)((x > 0) & (__typeof__(x > 0))x);
        }
        for (int i = 0; i < NET_SECOND; i++) {
            const net_v8 *row = (const net_v8 *)(second + i * NET_FIRST);
            net_v8 a = first[0] * row[0];
            for (int j = 1; j < NET_FIRST / 8; j++) a += first[j] * row[j];
            float unit = bias[i] + (((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7])));
            if (unit > 0) result += unit * last[i];
        }
        return result;
    }

    /* y += f * x */
    static NET_WIDE __attribute__((unused)) void net_axpy(float *y, float f, const float *x) {
        for (int j = 0; j < NET_FIRST / 8; j++) ((net_v8 *)y)[j] += f * ((const net_v8 *)x)[j];
    }

    /* x where it is positive, else 0 */
    static inline void net_relu(float *out, const float *x) {
        for (int j = 0; j < NET_FIRST; j++) out[j] = x[j] > 0 ? x[j] : 0;
    }
    """
    enum:
        FIRST "NET_FIRST"
        SECOND "NET_SECOND"
    void net_add(float* sums, const float* rows, const uint16_t* traits, int n) noexcept nogil
    float net_dot(const float* x, const float* y) noexcept nogil
    float net_judge(
        const float* sums, const float* second, const float* bias, const float* last, float result
    ) noexcept nogil
    void net_axpy(float* y, float f, const float* x) noexcept nogil
    void net_relu(float* out, const float* x) noexcept nogil


cdef struct Layers:  # all numbers of a net, one array; the pointers lead into it
    float* rows  # [traits][FIRST]
    float* bias  # [FIRST]
    float* second  # [chapters][SECOND][FIRST]
    float* second_bias  # [chapters][SECOND]
    float* last  # [chapters][SECOND]
    float* last_bias  # [chapters]


cdef class Net:
    cdef readonly int traits
    cdef readonly int chapters
    cdef readonly object numbers  # the array
    cdef float[::1] view
    cdef Layers w

    cdef float judge(self, const float* sums, int chapter) noexcept nogil


cdef void lay_out(float* numbers, int traits, int chapters, Layers* out) noexcept nogil
cdef size_t numbers_of(int traits, int chapters) noexcept nogil
