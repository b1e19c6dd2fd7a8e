"""CPU time of a thread, for agents that think for a time."""

from posix.time cimport clock_gettime, timespec

cdef extern from "time.h" nogil:
    int CLOCK_THREAD_CPUTIME_ID


cdef inline double cpu_seconds() noexcept nogil:
    """Return the CPU time this thread has used."""
    cdef timespec now
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return <double>now.tv_sec + 1e-9 * <double>now.tv_nsec
