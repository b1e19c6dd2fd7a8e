"""A small net over numbered traits: which hold is told, what comes out is one number of points.

Owns the layers and their arithmetic: the rows of the traits that hold are added up, then two small
layers, which differ by chapter of the game. Judging is done in whole numbers (`Judge`), which are
rounded from the weights that are learnt (`Layers`): sums of whole numbers do not depend on the order
in which they are added, so a sum may be changed by what has changed, and every machine says the same.
Knows no game.
"""

from libc.stdint cimport int16_t, uint16_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #ifdef __SSE2__
    #include <emmintrin.h>
    #endif
    #define NET_BLOCK 64          /* places compared in one go */
    #define NET_FIRST 96
    #define NET_SECOND 32
    #define NET_SUM_SCALE 256     /* of rows, sums and what the first layer hands on */
    #define NET_SECOND_SCALE 1024 /* of the second layer's weights */
    #define NET_MOST 16383        /* handed on at most: 64 units; products then add up within 32 bits */
    typedef float net_v8 __attribute__((vector_size(32), aligned(4), may_alias));
    typedef int16_t net_h16 __attribute__((vector_size(32), aligned(2), may_alias));
    /* Faster where the processor has wide registers; the same sums everywhere. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define NET_WIDE __attribute__((target_clones("avx2", "default")))
    #define NET_LOOPS __attribute__((target_clones("avx2", "default"), optimize("tree-vectorize")))
    #else
    #define NET_WIDE
    #define NET_LOOPS
    #endif

    /* sums += the rows of some traits - the rows of others */
    static NET_WIDE __attribute__((unused)) void net_change(
        int16_t *sums, const int16_t *rows, const uint16_t *more, int n, const uint16_t *less, int m
    ) {
        net_h16 a[NET_FIRST / 16];
        memcpy(a, sums, sizeof a);
        for (int i = 0; i < n; i++) {
            const net_h16 *row = (const net_h16 *)(rows + (size_t)more[i] * NET_FIRST);
            for (int j = 0; j < NET_FIRST / 16; j++) a[j] += row[j];
        }
        for (int i = 0; i < m; i++) {
            const net_h16 *row = (const net_h16 *)(rows + (size_t)less[i] * NET_FIRST);
            for (int j = 0; j < NET_FIRST / 16; j++) a[j] -= row[j];
        }
        memcpy(sums, a, sizeof a);
    }

    /* Note the places at which two lists differ, what stands there now and what stood there before;
       return how many. Both have room for whole blocks; what stands behind `n` does not count. */
    static inline int net_differences(
        const uint16_t *now, const uint16_t *before, int n, uint16_t *more, uint16_t *less
    ) {
        int found = 0;
        for (int i = 0; i < n; i += NET_BLOCK) { /* as bits first: branches would be hard to foresee */
            uint64_t differ = 0;
    #ifdef __SSE2__
            for (int j = 0; j < NET_BLOCK; j += 16) {
                __m128i x = _mm_cmpeq_epi16(
                    _mm_loadu_si128((const __m128i *)(now + i + j)),
                    _mm_loadu_si128((const __m128i *)(before + i + j)));
                __m128i y = _mm_cmpeq_epi16(
                    _mm_loadu_si128((const __m128i *)(now + i + j + 8)),
                    _mm_loadu_si128((const __m128i *)(before + i + j + 8)));
                differ |= (uint64_t)(~_mm_movemask_epi8(_mm_packs_epi16(x, y)) & 0xffff) << j;
            }
    #else
            for (int j = 0; j < NET_BLOCK; j++) differ |= (uint64_t)(now[i + j] != before[i + j]) << j;
    #endif
            if (n - i < NET_BLOCK) differ &= ((uint64_t)1 << (n - i)) - 1;
            for (; differ; differ &= differ - 1) {
                int at = i + __builtin_ctzll(differ);
                more[found] = now[at];
                less[found++] = before[at];
            }
        }
        return found;
    }

    /* the two last layers, over the sums of the first */
    static NET_LOOPS __attribute__((unused)) float net_judge(
        const int16_t *sums, const int16_t *second, const float *bias, const float *last, float result
    ) {
        int16_t first[NET_FIRST] __attribute__((aligned(32)));
        for (int j = 0; j < NET_FIRST; j++) {
            int16_t x = sums[j] < 0 ? 0 : sums[j];
            first[j] = x > NET_MOST ? NET_MOST : x;
        }
        for (int i = 0; i < NET_SECOND; i++) {
            const int16_t *row = second + i * NET_FIRST;
            int32_t a = 0;
            for (int j = 0; j < NET_FIRST; j++) a += (int32_t)first[j] * row[j];
            float unit = bias[i] + (float)a * (1.0f / (NET_SUM_SCALE * NET_SECOND_SCALE));
            if (unit > 0) result += unit * last[i];
        }
        return result;
    }

    /* --- For learning, in fractions. sums += the rows of some traits */
    static NET_WIDE __attribute__((unused)) void net_add(
        float *sums, const float *rows, const uint16_t *traits, int n
    ) {
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
        return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
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
        BLOCK "NET_BLOCK"
        FIRST "NET_FIRST"
        SECOND "NET_SECOND"
        SUM_SCALE "NET_SUM_SCALE"
        SECOND_SCALE "NET_SECOND_SCALE"
        MOST "NET_MOST"
    void net_change(
        int16_t* sums, const int16_t* rows, const uint16_t* more, int n, const uint16_t* less, int m
    ) noexcept nogil
    int net_differences(
        const uint16_t* now, const uint16_t* before, int n, uint16_t* more, uint16_t* less
    ) noexcept nogil
    float net_judge(
        const int16_t* sums, const int16_t* second, const float* bias, const float* last, float result
    ) noexcept nogil
    void net_add(float* sums, const float* rows, const uint16_t* traits, int n) noexcept nogil
    float net_dot(const float* x, const float* y) noexcept nogil
    void net_axpy(float* y, float f, const float* x) noexcept nogil
    void net_relu(float* out, const float* x) noexcept nogil


cdef struct Layers:  # the weights that are learnt, one array; the pointers lead into it
    float* rows  # [traits][FIRST]; row 0 is of nothing and stays 0
    float* bias  # [FIRST]
    float* second  # [chapters][SECOND][FIRST]
    float* second_bias  # [chapters][SECOND]
    float* last  # [chapters][SECOND]
    float* last_bias  # [chapters]


cdef struct Judge:  # the same rounded, for judging
    int16_t* rows
    int16_t* bias
    int16_t* second


cdef class Net:
    cdef readonly int traits
    cdef readonly int chapters
    cdef readonly object numbers  # the weights
    cdef float[::1] view
    cdef Layers w
    cdef object rounded
    cdef int16_t[::1] rounded_view
    cdef Judge q

    cdef float judge(self, const int16_t* sums, int chapter) noexcept nogil


cdef void lay_out(float* numbers, int traits, int chapters, Layers* out) noexcept nogil
cdef size_t numbers_of(int traits, int chapters) noexcept nogil
