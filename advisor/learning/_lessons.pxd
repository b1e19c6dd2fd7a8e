"""What self-play teaches: samples of traits with the points that were still to come."""

from libc.stdint cimport int64_t, uint8_t, uint16_t


cdef class Lessons:
    cdef uint16_t* traits  # of all samples, one after the other
    cdef int64_t* ends  # where those of each sample end
    cdef float* targets  # points still to come, beyond those certain
    cdef uint8_t* chapters
    cdef readonly int64_t count
    cdef int64_t used
    cdef int64_t reserved
    cdef int64_t reserved_traits

    cdef bint reserve(self, int64_t samples, int64_t traits) noexcept nogil
    cdef void note(self, int places) noexcept nogil
