"""Where the tasks of a match run: threads, processes of this machine, or a Dask cluster.

Owns the one place that names joblib and its back-ends. Tasks are handed out lazily, a few more than
there are workers, and come back in the order in which they finish. Where a Dask worker dies, the
scheduler repeats its task elsewhere.
"""

from __future__ import annotations

import contextlib
import pickle
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from advisor import __version__
from advisor.agents._table import Stopped, stop
from advisor.core.extras import require
from advisor.errors import AdvisorError, SettingError
from advisor.search.settings import cores

Backend = Literal["threads", "processes"]
BACKENDS: tuple[Backend, ...] = ("threads", "processes")
_JOBLIB = {"threads": "threading", "processes": "loky"}
CONNECT_SECONDS = 10
LEAVE_SECONDS = 5.0
"""How long threads that were told to stop are waited for; they do at their next decision."""

Result = TypeVar("Result")


class ClusterError(AdvisorError):
    """The cluster cannot be used."""


class WorkerDiedError(AdvisorError):
    """A process of this machine that played games was killed."""


class Workers:
    """Workers that are ready, for as long as the context lasts.

    Args:
        jobs: how many; default one a core, on a cluster all of it.
        backend: "threads" or "processes" of this machine.
        cluster: the address of a Dask scheduler, used instead.

    Raises:
        SettingError: a number or a back-end that cannot be.
        ClusterError: nobody answers at the address, or Dask is not installed.

    """

    def __init__(
        self, *, jobs: int | None = None, backend: Backend = "threads", cluster: str | None = None
    ) -> None:
        if jobs is not None and not 1 <= jobs <= 4096:
            raise SettingError(f"{jobs} jobs; ask for 1 to 4096, best {cores()} here")
        if backend not in BACKENDS:
            raise SettingError(
                f"no backend is called '{backend}'; the backends are {', '.join(BACKENDS)}"
            )
        require("joblib", "research")
        self.cluster = cluster
        self.backend = backend
        self._client = _connect(cluster) if cluster is not None else None
        self.count: int
        """How many there are."""
        if self._client is not None:
            available = sum(self._client.nthreads().values())
            self.count = max(1, min(jobs or available, available))
        else:
            self.count = jobs or cores()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            self._client.close()

    def run(
        self, task: Callable[..., Result], calls: Iterator[tuple[Any, ...]]
    ) -> Iterator[Result]:
        """Call the task with each tuple of arguments; yield the results as they come.

        `calls` is asked for the next tuple only when a worker will soon be free. When the caller
        stops early, by an exception or by closing the iterator, tasks under way are given up.
        """
        import joblib
        import joblib.externals.loky.process_executor

        jobs, ahead = self.count, self.count + 1
        chosen: Any = _JOBLIB[self.backend]
        crew = None
        if self._client is not None:
            chosen = _dask_backend(self._client)
            calls = _packed(task, calls)
            task = _unpacked_call
        else:
            if self.backend == "threads":
                task = crew = _Crew(task)
            if jobs == 1:  # one at a time, and still not in this thread, which hears Ctrl-C
                jobs, ahead = 2, 1
        with joblib.parallel_config(backend=chosen):
            parallel = joblib.Parallel(
                n_jobs=jobs,
                return_as="generator_unordered",
                batch_size=1,
                pre_dispatch=ahead,
            )
            results = parallel(joblib.delayed(task)(*arguments) for arguments in calls)
        try:
            # Not `yield from`, which would close them before the threads are told to stop.
            for result in results:  # noqa: UP028
                yield result
        except joblib.externals.loky.process_executor.BrokenProcessPool:
            raise WorkerDiedError(
                "a worker process died while it played, killed from outside or by an agent; what "
                "is finished is kept, the same command continues, and fewer --jobs need less memory"
            ) from None
        finally:
            with (
                crew.leaving() if crew is not None else contextlib.nullcontext(),
                contextlib.suppress(Exception),
                warnings.catch_warnings(),
            ):
                warnings.simplefilter("ignore")  # joblib's, about tasks that were not waited for
                results.close()


class _Crew:
    """The task of one run in threads, which nobody can kill: they have to be asked to stop.

    The kernel knows only "stop all games of this process". So a task that was stopped although its
    own run goes on is done again.
    """

    _lock = threading.Lock()
    _runs_leaving = 0
    _stops = 0

    def __init__(self, task: Callable[..., Any]) -> None:
        self.task = task
        self._left = False
        self._busy = 0

    def __call__(self, *arguments: Any) -> Any:
        with self._lock:
            if self._left:
                raise Stopped
            self._busy += 1
        try:
            while True:
                before = _Crew._stops, _Crew._runs_leaving
                try:
                    return self.task(*arguments)
                except Stopped:
                    if self._left:
                        raise
                except MemoryError:
                    # What the kernel says where others take their stop back in the same moment.
                    if self._left or before == (_Crew._stops, 0):
                        raise
                time.sleep(0.01)
        finally:
            with self._lock:
                self._busy -= 1

    @contextlib.contextmanager
    def leaving(self) -> Iterator[None]:
        """End what is under way, and wait until it has ended."""
        with self._lock:
            self._left = True
            busy = self._busy
            if busy:
                _Crew._runs_leaving += 1
                _Crew._stops += 1
                stop(True)
        try:
            yield
            until = time.monotonic() + LEAVE_SECONDS
            while self._busy and time.monotonic() < until:
                time.sleep(0.002)
        finally:
            with self._lock:
                if busy:
                    _Crew._runs_leaving -= 1
                    stop(_Crew._runs_leaving > 0)


def _packed(task: Callable[..., Any], calls: Iterator[tuple[Any, ...]]) -> Iterator[tuple[bytes]]:
    """Turn calls into bytes, classes of a script or a notebook included."""
    from distributed.protocol.pickle import dumps

    for arguments in calls:
        yield (dumps((task, arguments)),)


def _unpacked_call(raw: bytes) -> Any:
    """Call what `_packed` packed.

    Dask unpacks calls before it runs them, and joblib would never hear of what fails there.
    """
    try:
        task, arguments = pickle.loads(raw)
    except Exception as error:
        raise ClusterError(
            f"a worker of the cluster cannot read its task: {type(error).__name__}: {error}; "
            "the modules of your agents must be installed where the workers are"
        ) from None
    return task(*arguments)


def _dask_backend(client: Any) -> Any:
    """Return joblib's back-end for Dask, mended in two places.

    As it is, it would wait for ever for a task that Dask itself gives up; and where the cluster is
    a single worker, joblib would do all the work here.
    """
    from joblib._dask import DaskDistributedBackend

    class Mended(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(2, int(super().effective_n_jobs(n_jobs)))

        def submit(self, func: Any, callback: Any = None) -> Any:
            def look(done: Any) -> None:
                if done.exception() is not None:
                    callback(_GivenUp(done.exception()))

            future = super().submit(func, callback)
            future.add_done_callback(look)
            return future

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, _GivenUp):
                raise ClusterError(
                    f"the cluster gave a task up: {type(out.error).__name__}: {out.error}"
                )
            return super().retrieve_result_callback(out)

    return Mended(client=client)


@dataclass(frozen=True, slots=True)
class _GivenUp:
    error: BaseException


def _connect(address: str) -> Any:
    distributed = require("distributed", "cluster")
    if not re.fullmatch(r"(\w+://)?\S+:\d+(/\S*)?", address):
        raise ClusterError(
            f"'{address}' is no address of a Dask scheduler; write such as tcp://host:8786"
        )
    client = None
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        found = set(client.run(_own_version).values())
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        problem = f"no Dask scheduler with a worker answers at '{address}': {error}"
    except ImportError as error:
        problem = f"the workers at '{address}' lack what they need: {error}"
    else:
        if found == {__version__}:
            return client
        problem = (
            f"the workers at '{address}' have advisor {', '.join(sorted(found))}, and this is "
            f"{__version__}"
        )
    if client is not None:
        client.close()
    raise ClusterError(
        f"{problem}; start `dask scheduler` and, where the same version of advisor is installed, "
        "`dask worker ADDRESS`, and give the scheduler's address such as tcp://host:8786"
    )


def _own_version() -> str:
    return __version__
