"""The results folder of a match: what lies in it, and that nothing finished is ever lost.

Owns the manifest, the parts (Parquet files of consecutive games), the lock, and their repair after
a crash; reading needs no lock. Knows neither games nor agents: only frames with a column `game`.

A part is two files of the same range, `games-FIRST-LAST.parquet` and `players-FIRST-LAST.parquet`.
Files come into being whole: written under a name of their own, made durable, then renamed. The
games file is renamed first, so a part is finished from the moment its players file exists. The
range in a file's name is what counts: rows outside it are not part of the results.

Taking back the end of a part (`Store.drop_from`) keeps every game in exactly one players file:
  1. the games file of the shorter range is written;
  2. the players file is renamed to the shorter range (one atomic step: readers skip its last rows);
  3. the players file is rewritten without those rows, and replaced in one atomic step;
  4. the games file of the longer range is removed.
A run killed before step 2 leaves a games file without partner, as any killed write does; one killed
after it leaves the longer games file, from which the next run sees that step 3 is due.
"""

from __future__ import annotations

import copy
import errno
import fcntl
import io
import json
import os
import re
import zlib
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from advisor.errors import AdvisorError

if TYPE_CHECKING:
    import polars as pl

Result = TypeVar("Result")
MANIFEST = "manifest.json"
LOCK = ".lock"
SHOWN = 5
"""Differences, files or ranges a message lists before it only counts them."""

TRIES = 20
"""How often a reader looks at a folder in which a running match renames files."""

_PART = re.compile(r"(players|games)-([0-9]{9,18})-([0-9]{9,18})\.parquet")
_TEMPORARY = re.compile(rf"\.(?:{re.escape(MANIFEST)}|{_PART.pattern})\.tmp-[0-9]+")
_KEPT = "the games finished before are kept, and the same command continues from there"
_SUM = b"advisor-crc32:"
_NO_SUM = b"00000000"
_ABSENT = object()


class StoreError(AdvisorError):
    """A results folder cannot be used, read or written."""


class _Unsettled(StoreError):
    """Files do not fit together: they are damaged, or a reader saw a rename half-way."""


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """Consecutive games that were written together, `first` to `last`, both included."""

    first: int
    last: int

    def file(self, kind: str) -> str:
        """Return the name of its file of "players" or of "games"."""
        return f"{kind}-{self.first:09d}-{self.last:09d}.parquet"

    @property
    def size(self) -> int:
        """The number of games."""
        return self.last - self.first + 1

    def __str__(self) -> str:
        return f"games {self.first} to {self.last}" if self.size > 1 else f"game {self.first}"


@dataclass(slots=True)
class Finished:
    """Which games are finished: the parts in the order of their games."""

    parts: list[Part]

    @property
    def count(self) -> int:
        """The number of finished games."""
        return sum(part.size for part in self.parts)

    def missing(self, first: int, last: int) -> list[range]:
        """Return the ranges of games in `first` .. `last - 1` that are not finished."""
        gaps = []
        for part in self.parts:
            if part.first >= last:
                break
            if part.first > first:
                gaps.append(range(first, part.first))
            first = max(first, part.last + 1)
        if first < last:
            gaps.append(range(first, last))
        return gaps


class Store:
    """A results folder that is open for writing, for one process and one thread at a time."""

    def __init__(self, folder: Path, manifest: dict[str, Any], parts: list[Part], lock: int):
        self.folder = folder
        self.finished = Finished(parts)
        self._manifest = manifest
        self._lock = lock

    @classmethod
    def open(cls, folder: str | Path, manifest: dict[str, Any]) -> Self:
        """Open a folder for the match that `manifest` describes, and lock it until `close`.

        A missing folder is created with its parents. A folder of the same match is continued: the
        leavings of a killed run are cleared away and the run is added to its manifest.

        In the manifest, `identity` (an object) is what makes two matches the same; `games`, how
        many are asked for, keeps the greatest of all runs; `run` describes this run and is appended
        to the list `runs`; everything else is kept from the run that began the folder.

        Raises:
            StoreError: the folder is of another match, holds other files, is in use, is damaged,
                or cannot be read or written; no result in it has changed.

        """
        folder = Path(folder)
        given: dict[str, Any] = json.loads(json.dumps(manifest))
        run = given.pop("run", None)
        _make(folder)
        _same_match(folder, given)  # before the lock: the folder of others is not even touched
        lock = _take_lock(folder)
        try:
            stored = _same_match(folder, given)  # again, as another run may have begun meanwhile
            store = cls(folder, given | (stored or {}), _repair(folder), lock)
            games = max(given.get("games", 0), store._manifest.get("games", 0))
            runs = [*store._manifest.get("runs", []), *([] if run is None else [run])]
            store._save({"games": games, "runs": runs})
        except BaseException:
            _release_lock(lock)
            raise
        return store

    def close(self) -> None:
        """Release the lock; the store can no longer be written."""
        _release_lock(self._lock)
        self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def manifest(self) -> dict[str, Any]:
        """A copy of the manifest as it stands in the folder."""
        return copy.deepcopy(self._manifest)

    def note(self, **entries: Any) -> None:
        """Set top-level entries of the manifest, such as `finished` or `decided`.

        Raises:
            ValueError: the identity and the runs are no notes, or the store is closed.
            StoreError: the manifest cannot be written; the former one is still there.

        """
        self._check_open()
        if not entries.keys().isdisjoint(("identity", "runs")):
            raise ValueError("the identity and the runs of a results folder are no notes")
        self._save(json.loads(json.dumps(entries)))

    def write(self, first: int, players: pl.DataFrame, games: pl.DataFrame) -> None:
        """Add finished games as one part; after a crash the part is there whole or not at all.

        The frames hold the games `first` and following without a gap: `players` one row per player
        and game, `games` one row per game.

        Raises:
            ValueError: the frames hold other games or finished ones, or the store is closed.
            StoreError: the files cannot be written, such as on a full disk.

        """
        self._check_open()
        part = _check_frames(first, players, games)
        for other in self.finished.parts:
            if other.first <= part.last and part.first <= other.last:
                raise ValueError(f"{part} cannot be written: finished already: {other}")
        finished = self.folder / part.file("players")
        try:
            write_file(self.folder / part.file("games"), _to_bytes(games.sort("game")))
            write_file(finished, _to_bytes(players.sort("game", "seat")))
        finally:
            # An interrupt may come before or after the rename, so the folder itself is asked.
            if os.path.exists(finished):
                insort(self.finished.parts, part)
            else:
                with suppress(OSError):
                    (self.folder / part.file("games")).unlink(missing_ok=True)

    def drop_from(self, game: int) -> None:
        """Remove the games from `game` on, such as those after a sequential test was decided.

        Later parts go first, so that what a killed run leaves has no new gap. How a part is cut in
        two without ever holding a game twice stands at the head of this file.

        Raises:
            ValueError: the store is closed.
            StoreError: a file cannot be removed or rewritten; the next `open` clears up.

        """
        self._check_open()
        later = [part for part in self.finished.parts if part.first >= game]
        for part in reversed(later):
            _remove(self.folder / part.file("players"))
            self.finished.parts.remove(part)
        with _telling(self.folder):  # gone for good before their partners go
            _sync(self.folder)
        for part in later:
            _remove(self.folder / part.file("games"))
        if self.finished.parts and self.finished.parts[-1].last >= game:
            part = self.finished.parts[-1]
            kept = Part(part.first, game - 1)
            games = _within(_load(self.folder, part, "games"), kept)
            write_file(self.folder / kept.file("games"), _to_bytes(games))
            with _telling(self.folder / part.file("players")):
                os.replace(self.folder / part.file("players"), self.folder / kept.file("players"))
                self.finished.parts[-1] = kept
                _sync(self.folder)
            _trim(self.folder, kept)
            _remove(self.folder / part.file("games"))

    def _save(self, entries: dict[str, Any]) -> None:
        """Write the manifest with these entries changed."""
        manifest = self._manifest | entries
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        # A command line may hold bytes that are no text; JSON can say them with a backslash.
        write_file(self.folder / MANIFEST, text.encode("utf-8", "backslashreplace"))
        self._manifest = manifest

    def _check_open(self) -> None:
        if self._lock < 0:
            raise ValueError(f"the results folder {self.folder} is closed")


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """Return the manifest of a results folder.

    Raises:
        StoreError: there is no such folder, it has no manifest, or a damaged one.

    """
    folder = Path(folder)
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_bytes())
        if not isinstance(manifest, dict) or not isinstance(manifest.get("identity"), dict):
            raise ValueError("it has no object 'identity'")
        if not isinstance(manifest.get("games"), int) or not isinstance(manifest.get("runs"), list):
            raise ValueError("it has no whole number 'games' or no list 'runs'")
    except (FileNotFoundError, NotADirectoryError):
        _names(folder)  # says so if there is not even a folder
        raise StoreError(
            f"{folder} is no results folder: it has no {MANIFEST}; name the folder of a match"
        ) from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"{path} is damaged ({error}); put a copy of it back, or choose another folder"
        ) from None
    return manifest


def read_players(folder: str | Path, games: int | None = None) -> pl.DataFrame:
    """Return one row per player and finished game (numbered below `games`), by game and seat.

    Where no game is finished, the frame is empty and has only the columns `game` and `seat`.

    Raises:
        StoreError: the folder is no results folder, or a file is damaged or cannot be read.

    """
    import polars as pl

    folder = Path(folder)
    read_manifest(folder)

    def read(parts: list[Part]) -> pl.DataFrame:
        if not parts:
            return pl.DataFrame(schema={"game": pl.Int64, "seat": pl.Int8})
        wanted = [part for part in parts if games is None or part.first < games]
        frames = [_load(folder, part, "players") for part in wanted or parts[:1]]
        try:
            whole = pl.concat(frames, how="vertical_relaxed")
        except pl.exceptions.PolarsError as error:
            raise StoreError(f"the files of {folder} do not fit together: {error}") from None
        if games is not None:
            whole = whole.filter(pl.col("game") < games)
        return whole.sort("game", "seat")

    return _settled(folder, read)


def read_game(folder: str | Path, game: int) -> dict[str, Any]:
    """Return the row of one game: its deal, seating, seed and actions.

    Raises:
        StoreError: the game is not finished, or the folder or a file cannot be read.

    """
    folder = Path(folder)
    read_manifest(folder)

    def read(parts: list[Part]) -> dict[str, Any]:
        for part in parts:
            if part.first <= game <= part.last:
                rows = _within(_load(folder, part, "games"), Part(game, game))
                return rows.row(0, named=True)
        raise StoreError(f"{folder} has no game {game}; {_which(parts)}")

    return _settled(folder, read)


def _settled(folder: Path, read: Callable[[list[Part]], Result]) -> Result:
    """Return what `read` makes of the parts, looking again where files move meanwhile."""
    trouble = StoreError(f"the files of {folder} change too fast to be read; try again")
    names: set[str] | None = None
    for _ in range(TRIES):
        before, names = names, {name for name in _names(folder) if _PART.fullmatch(name)}
        # One listing alone may miss a file that is renamed while it is made.
        if before is not None and before <= names:
            try:
                return read(_scan(folder, names)[0])
            except _Unsettled as error:
                trouble = error
    raise trouble


def _which(parts: Sequence[Part]) -> str:
    """Say which games there are."""
    runs: list[Part] = []
    for part in parts:
        joined = bool(runs) and part.first == runs[-1].last + 1
        first = runs.pop().first if joined else part.first
        runs.append(Part(first, part.last))
    return f"it has {_listed([*map(str, runs)], ', ')}" if runs else "no game is finished yet"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        taken = isinstance(error, FileExistsError | NotADirectoryError)
        reason = "a file is in its place" if taken else error.strerror
        raise StoreError(f"{folder} cannot be made: {reason}; choose another folder") from None


def _same_match(folder: Path, given: dict[str, Any]) -> dict[str, Any] | None:
    """Return the folder's manifest, None for a new folder; refuse that of another match."""
    names = _names(folder)
    if MANIFEST not in names:
        others = [name for name in names if name != LOCK and not _TEMPORARY.fullmatch(name)]
        if others:
            raise StoreError(
                f"{folder} holds other files ({_listed(others, ', ')}) and no {MANIFEST}; "
                "choose a new or empty folder"
            )
        return None
    stored = read_manifest(folder)
    found = list(_differences(stored["identity"], given["identity"]))
    if not found:
        return stored
    begun = [run.get("command") for run in stored["runs"][:1] if isinstance(run, dict)]
    raise StoreError(
        f"{folder} holds the results of another match: {_listed(found, '; ')}. Choose another "
        "folder, or give the command that began it" + "".join(f": {line}" for line in begun if line)
    )


def _differences(theirs: Any, ours: Any, where: str = "") -> Iterator[str]:
    """Yield every entry that differs: its place, its value in the folder, its value now."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in theirs | ours:
            place = f"{where}.{key}" if where else key
            yield from _differences(theirs.get(key, _ABSENT), ours.get(key, _ABSENT), place)
    elif isinstance(theirs, list) and isinstance(ours, list):
        for at, pair in enumerate(zip_longest(theirs, ours, fillvalue=_ABSENT)):
            yield from _differences(*pair, f"{where}[{at}]")
    elif theirs != ours:
        yield f"{where} is {_value(theirs)} there and {_value(ours)} here"


def _value(value: Any) -> str:
    return "missing" if value is _ABSENT else json.dumps(value, ensure_ascii=False)


def _repair(folder: Path) -> list[Part]:
    """Clear away what a killed run left, and return the finished parts."""
    names = _names(folder)
    parts, orphans = _scan(folder, names)
    for part in parts:
        if part.file("games") not in names:
            raise StoreError(_unusable(folder, part, "games", "missing"))
    for name in names:
        if _TEMPORARY.fullmatch(name):
            _remove(folder / name)
    shorter = {part.first: part for part in parts}
    for orphan in orphans:
        kept = shorter.get(orphan.first)
        if kept is not None and kept.last < orphan.last:
            _trim(folder, kept)
        _remove(folder / orphan.file("games"))
    return parts


def _trim(folder: Path, part: Part) -> None:
    """Rewrite a players file that was renamed to a shorter range, without the rows beyond it."""
    write_file(folder / part.file("players"), _to_bytes(_load(folder, part, "players")))


def _take_lock(folder: Path) -> int:
    handle = -1
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if handle >= 0:
            os.close(handle)
        problem = f"{folder} cannot be written: {error.strerror}; choose"
        if isinstance(error, BlockingIOError):
            problem = f"another run is writing to {folder}; wait until it ends, or choose"
        raise StoreError(f"{problem} another folder") from None
    _held.add(handle)
    return handle


def _release_lock(*handles: int) -> None:
    for handle in handles:
        if handle in _held:
            _held.remove(handle)
            os.close(handle)


_held: set[int] = set()
"""The locks of this process; a forked worker that outlives it must not hold them."""

os.register_at_fork(after_in_child=lambda: _release_lock(*_held))


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        problem = f"there is no folder {folder}"
    except NotADirectoryError:
        problem = f"{folder} is no folder"
    except OSError as error:
        problem = f"the folder {folder} cannot be read: {error.strerror}"
    raise StoreError(f"{problem}; name the folder of a match")


def _scan(folder: Path, names: Iterable[str]) -> tuple[list[Part], list[Part]]:
    """Return the finished parts in order, and the games files that have no players file."""
    found: dict[str, set[Part]] = {"players": set(), "games": set()}
    for name in names:
        match = _PART.fullmatch(name)
        if match and int(match[2]) <= int(match[3]):
            found[match[1]].add(Part(int(match[2]), int(match[3])))
    parts = sorted(found["players"])
    for one, other in pairwise(parts):
        if other.first <= one.last:
            raise _Unsettled(
                f"{folder}: {one.file('players')} and {other.file('players')} hold the same games; "
                "delete one of them and its games file"
            )
    return parts, sorted(found["games"] - found["players"])


def _load(folder: Path, part: Part, kind: str) -> pl.DataFrame:
    """Read one file of a part, and only the rows its name promises."""
    import polars as pl

    path = folder / part.file(kind)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise _Unsettled(_unusable(folder, part, kind, "missing")) from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from None
    # Polars may take the whole process down over damaged bytes, so they never reach it.
    at = raw.rfind(_SUM) + len(_SUM)
    end = at + len(_NO_SUM)
    if raw[at:end] == b"%08x" % zlib.crc32(raw[:at] + _NO_SUM + raw[end:]):
        with suppress(pl.exceptions.PolarsError):
            frame = _within(pl.read_parquet(io.BytesIO(raw)), part)
            if frame["game"].n_unique() == part.size:
                return frame
    raise StoreError(_unusable(folder, part, kind, "damaged"))


def _unusable(folder: Path, part: Part, kind: str, state: str) -> str:
    files = [part.file("players"), part.file("games")]
    return (
        f"{folder / part.file(kind)} is {state}; delete {' and '.join(files)} there, as far as "
        f"they exist, and run the same command again, which plays {part} anew"
    )


def _within(frame: pl.DataFrame, part: Part) -> pl.DataFrame:
    return frame.filter(frame["game"].is_between(part.first, part.last))


def _to_bytes(frame: pl.DataFrame) -> bytes:
    """Return a frame as a Parquet file that carries its own checksum among its metadata."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata={"checksum": (_SUM + _NO_SUM).decode()})
    raw = buffer.getvalue()
    at = raw.rindex(_SUM + _NO_SUM) + len(_SUM)
    return raw[:at] + b"%08x" % zlib.crc32(raw) + raw[at + len(_NO_SUM) :]


def _check_frames(first: int, players: pl.DataFrame, games: pl.DataFrame) -> Part:
    """Return the part two frames make; raise ValueError where they are not just those games."""
    part = Part(first, first + games.height - 1)
    if first < 0 or not games.height:
        raise ValueError(f"no part begins at game {first} with {games.height} games")
    for name, frame, keys in (("players", players, ["game", "seat"]), ("games", games, ["game"])):
        if not set(keys) <= set(frame.columns):
            raise ValueError(f"the {name} frame lacks a column: {' or '.join(keys)}")
        numbers = frame["game"].unique().sort().to_list()
        if not frame["game"].dtype.is_integer() or numbers != [*range(first, part.last + 1)]:
            raise ValueError(f"the {name} frame does not hold exactly {part}")
        if frame.select(keys).is_duplicated().any():
            raise ValueError(f"the {name} frame has two rows of the same {' and '.join(keys)}")
    return part


def write_file(path: Path, raw: bytes) -> None:
    """Write a file whole or not at all, and make it durable."""
    temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    with _telling(path):
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
            try:
                rest = memoryview(raw)
                while rest:
                    rest = rest[os.write(handle, rest) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        _sync(path.parent)


def _sync(folder: Path) -> None:
    """Make the names in a folder durable, where its file system can."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def _remove(path: Path) -> None:
    with _telling(path, "removed"):
        path.unlink(missing_ok=True)


@contextmanager
def _telling(path: Path, task: str = "written") -> Iterator[None]:
    """Turn a failure to write into a sentence."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be {task}: {error.strerror}; {_KEPT}") from None


def _listed(items: Sequence[str], between: str) -> str:
    more = len(items) - SHOWN
    return between.join(items[:SHOWN]) + (f" and {more} more" if more > 0 else "")
