"""Tests of the results folder (issue 4): nothing finished is lost, no game appears twice, and every
folder that cannot be used is refused in a sentence, unchanged.
"""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from advisor.errors import AdvisorError
from advisor.research import store as module
from advisor.research.store import Store, StoreError, read_game, read_manifest, read_players

PATIENCE = 30
"""Seconds after which a process that hangs fails its test."""

IDENTITY: dict[str, Any] = {
    "format": 1,
    "game": "some game",
    "agents": [{"name": "strong", "options": {"iterations": 1000}}, {"name": "weak"}],
    "seed": 1,
}


def manifest(games: int = 100, command: str = "advisor match", **identity: Any) -> dict[str, Any]:
    run = {"command": command, "started": "2026-01-01"}
    return {"identity": IDENTITY | identity, "games": games, "run": run}


def players(first: int, count: int, score: int = 0) -> pl.DataFrame:
    rows = [
        {"game": game, "seat": seat, "agent": "strong", "score": score + game + seat}
        for game in range(first, first + count)
        for seat in (2, 1)
    ]
    return pl.DataFrame(rows, schema_overrides={"seat": pl.Int8, "score": pl.Int32})


def games(first: int, count: int) -> pl.DataFrame:
    numbers = range(first, first + count)
    return pl.DataFrame(
        {
            "game": numbers,
            "seed": [7 * game for game in numbers],
            "actions": pl.Series(
                [[abs(game), 2**32 - 1] for game in numbers], dtype=pl.List(pl.UInt32)
            ),
        }
    )


def put(store: Store, first: int, count: int) -> None:
    store.write(first, players(first, count), games(first, count))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a results folder with the games 0..4 and 5..9."""
    place = tmp_path / "results"
    with Store.open(place, manifest()) as store:
        put(store, 0, 5)
        put(store, 5, 5)
    return place


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def finished(folder: Path) -> list[int]:
    """Return the finished games as readers see them, after checking that each is there once."""
    rows = read_players(folder).select("game", "seat").rows()
    numbers = sorted({game for game, _ in rows})
    assert rows == [(game, seat) for game in numbers for seat in (1, 2)]
    for game in numbers[:1] + numbers[-1:]:
        assert read_game(folder, game)["actions"] == [game, 2**32 - 1]
    return numbers


def refusal(act: Callable[[], object], *words: str) -> str:
    """Return the sentence in which something is refused, after looking for words in it."""
    with pytest.raises(StoreError) as caught:
        act()
    text = str(caught.value)
    assert "\n" not in text
    for word in words:
        assert word in text, text
    return text


def leftovers(folder: Path) -> list[str]:
    """Return every file that does not belong into a folder at rest."""
    names = {path.name for path in folder.iterdir()} - {"manifest.json", ".lock"}
    games = {name.replace("players", "games") for name in names if name.startswith("players")}
    return sorted(name for name in names if not name.startswith("players") and name not in games)


# Writing and reading.


def test_what_was_written_is_read_sorted_by_game_and_seat(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a" / "b", manifest()) as store:
        put(store, 5, 5)
        put(store, 0, 5)
        assert store.finished.count == 10
    frame = read_players(tmp_path / "a" / "b")
    assert frame.equals(players(0, 10).sort("game", "seat"))
    assert read_game(tmp_path / "a" / "b", 7) == {
        "game": 7,
        "seed": 49,
        "actions": [7, 2**32 - 1],
    }


def test_the_files_are_named_by_their_games_and_any_parquet_reader_reads_them(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        ".lock",
        "games-000000000-000000004.parquet",
        "games-000000005-000000009.parquet",
        "manifest.json",
        "players-000000000-000000004.parquet",
        "players-000000005-000000009.parquet",
    ]
    assert pl.read_parquet(folder / "players-*.parquet").height == 20


def test_only_the_first_games_are_read_on_request(folder: Path) -> None:
    assert read_players(folder, games=7)["game"].unique().sort().to_list() == [*range(7)]
    assert read_players(folder, games=0).height == 0
    assert "score" in read_players(folder, games=0).columns


def test_a_match_without_finished_games_reads_as_an_empty_frame(tmp_path: Path) -> None:
    Store.open(tmp_path, manifest()).close()
    frame = read_players(tmp_path)
    assert frame.height == 0
    assert frame.columns == ["game", "seat"]
    refusal(lambda: read_game(tmp_path, 0), "has no game 0", "no game is finished yet")


def test_a_game_that_is_not_there_is_refused_with_those_that_are(folder: Path) -> None:
    with Store.open(folder, manifest()) as store:
        put(store, 20, 1)
        put(store, 30, 2)
    refusal(lambda: read_game(folder, 12), "games 0 to 9, game 20, games 30 to 31")
    refusal(lambda: read_game(folder, -1), "no game -1")


def test_the_missing_games_are_given_as_ranges(tmp_path: Path) -> None:
    with Store.open(tmp_path, manifest()) as store:
        assert store.finished.missing(0, 10) == [range(10)]
        put(store, 2, 3)
        put(store, 5, 1)
        put(store, 8, 2)
        assert store.finished.missing(0, 12) == [range(2), range(6, 8), range(10, 12)]
        assert store.finished.missing(3, 7) == [range(6, 7)]
        assert store.finished.missing(2, 6) == []
        assert store.finished.missing(4, 4) == []
        assert store.finished.count == 6


def test_a_folder_reads_while_a_match_is_running_and_with_odd_names(tmp_path: Path) -> None:
    place = tmp_path / "a=1 [x] *"
    with Store.open(place, manifest()) as store:
        put(store, 0, 3)
        assert finished(place) == [0, 1, 2]
        put(store, 3, 3)
        assert finished(place) == [*range(6)]


@pytest.mark.parametrize(
    ("first", "player_rows", "game_rows"),
    [
        (0, players(0, 3), games(0, 4)),
        (0, players(0, 4), games(0, 3)),
        (1, players(0, 3), games(0, 3)),
        (0, players(0, 0), games(0, 0)),
        (-1, players(-1, 2), games(-1, 2)),
        (0, pl.concat([players(0, 2), players(0, 2)]), games(0, 2)),
        (0, players(0, 2), pl.concat([games(0, 2), games(0, 1)])),
        (0, players(0, 2).cast({"game": pl.Float64}), games(0, 2)),
        (0, players(0, 2).drop("seat"), games(0, 2)),
        (0, players(0, 2), games(0, 2).drop("game")),
    ],
)
def test_frames_of_other_games_are_not_written(
    tmp_path: Path, first: int, player_rows: pl.DataFrame, game_rows: pl.DataFrame
) -> None:
    with Store.open(tmp_path, manifest()) as store:
        before = contents(tmp_path)
        with pytest.raises(ValueError, match=r"game"):
            store.write(first, player_rows, game_rows)
        assert contents(tmp_path) == before
        assert store.finished.count == 0


@pytest.mark.parametrize("first", [0, 3, 9])
def test_a_finished_game_is_not_written_again(folder: Path, first: int) -> None:
    with Store.open(folder, manifest()) as store:
        before = contents(folder)
        with pytest.raises(ValueError, match="finished already"):
            put(store, first, 3)
        assert contents(folder) == before


def test_a_closed_store_is_not_written(folder: Path) -> None:
    store = Store.open(folder, manifest())
    store.close()
    store.close()
    for act in (lambda: put(store, 10, 1), lambda: store.drop_from(0), lambda: store.note(a=1)):
        with pytest.raises(ValueError, match="closed"):
            act()
    assert finished(folder) == [*range(10)]


# The manifest.


def test_the_manifest_is_readable_and_every_run_is_added_to_it(folder: Path) -> None:
    with Store.open(folder, manifest(50, "second")) as store:
        assert store.manifest["games"] == 100
    Store.open(folder, manifest(200, "third") | {"machine": "other"}).close()
    stored = read_manifest(folder)
    assert stored["identity"] == IDENTITY
    assert stored["games"] == 200
    assert [run["command"] for run in stored["runs"]] == ["advisor match", "second", "third"]
    text = (folder / "manifest.json").read_text("utf-8")
    assert text.startswith('{\n "identity": {\n  "format": 1,\n  "game": "some game",')
    assert json.loads(text) == stored


def test_notes_are_kept_and_the_identity_is_no_note(folder: Path) -> None:
    with Store.open(folder, manifest()) as store:
        store.note(decided={"at": 7}, finished="2026-01-02")
        store.manifest["decided"]["at"] = 8
        with pytest.raises(ValueError, match="identity"):
            store.note(identity={})
    Store.open(folder, manifest() | {"finished": None}).close()
    assert read_manifest(folder)["decided"] == {"at": 7}
    assert read_manifest(folder)["finished"] == "2026-01-02"


def test_tuples_and_bytes_that_are_no_text_do_not_make_another_match(tmp_path: Path) -> None:
    odd = manifest(boards=(1, 2), label="Zoë \udcff")
    Store.open(tmp_path, odd).close()
    Store.open(tmp_path, odd).close()
    assert read_manifest(tmp_path)["identity"]["label"] == "Zoë \udcff"
    assert "Zoë" in (tmp_path / "manifest.json").read_text("utf-8")


# Folders that are refused.


def test_the_folder_of_another_match_is_refused_by_what_differs(folder: Path) -> None:
    agents = [{"name": "strong", "options": {"iterations": 2000}}]
    before = contents(folder)
    refusal(
        lambda: Store.open(folder, manifest(command="other", agents=agents, seed=2, more=True)),
        f"{folder} holds the results of another match",
        "agents[0].options.iterations is 1000 there and 2000 here",
        'agents[1] is {"name": "weak"} there and missing here',
        "seed is 1 there and 2 here",
        "more is missing there and true here",
        "another folder",
        "command that began it: advisor match",
    )
    assert contents(folder) == before


def test_a_folder_with_other_files_is_refused_and_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    refusal(
        lambda: Store.open(tmp_path, manifest()),
        f"{tmp_path} holds other files (thesis.tex)",
        "choose a new or empty folder",
    )
    assert contents(tmp_path) == {"thesis.tex": b"years of work"}


def test_parts_without_their_manifest_are_not_overwritten(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    before = contents(folder)
    refusal(lambda: Store.open(folder, manifest()), "holds other files")
    refusal(lambda: read_players(folder), "is no results folder: it has no manifest.json")
    assert contents(folder) == before


def test_files_added_to_a_results_folder_are_left_alone(folder: Path) -> None:
    (folder / "figure.svg").write_text("<svg/>")
    (folder / ".tmp-1").write_text("not ours")
    Store.open(folder, manifest()).close()
    assert (folder / "figure.svg").exists()
    assert (folder / ".tmp-1").exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"identity": 1}', '{"identity": {}, "runs": 1}', "[" * 100_000]
)
def test_a_broken_manifest_is_a_sentence(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    before = contents(folder)
    for act in (
        lambda: Store.open(folder, manifest()),
        lambda: read_manifest(folder),
        lambda: read_players(folder),
        lambda: read_game(folder, 1),
    ):
        refusal(act, f"{folder / 'manifest.json'} is damaged")
    assert contents(folder) == before


def test_a_manifest_of_other_bytes_is_a_sentence(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\x00\xfe")
    refusal(lambda: read_manifest(folder), "is damaged")


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    for read in (read_manifest, read_players, lambda folder: read_game(folder, 0)):
        refusal(lambda read=read: read(nowhere), f"there is no folder {nowhere}")
    assert not nowhere.exists()


def test_a_file_in_the_place_of_the_folder_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "results"
    file.write_text("mine")
    for place in (file, file / "below"):
        refusal(lambda place=place: Store.open(place, manifest()), str(place), "a file")
        refusal(lambda place=place: read_players(place), str(place), "is no folder")
    assert file.read_text() == "mine"


def test_a_name_too_long_is_a_sentence(tmp_path: Path) -> None:
    refusal(lambda: Store.open(tmp_path / ("x" * 300), manifest()), "File name too long")
    refusal(lambda: read_players(tmp_path / ("x" * 300)), "File name too long")


def failing(code: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("call", ["mkdir", "listdir", "open"])
def test_a_folder_one_may_not_use_is_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    before = contents(folder)
    place = folder / "new" if call == "mkdir" else folder
    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing(errno.EACCES))
        refusal(lambda: Store.open(place, manifest()), str(place), "Permission denied")
    assert contents(folder) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_read_and_not_written(folder: Path) -> None:
    folder.chmod(0o555)
    try:
        assert finished(folder) == [*range(10)]
        (folder / ".lock").chmod(0o444)
        refusal(lambda: Store.open(folder, manifest()), "Permission denied")
    finally:
        folder.chmod(0o755)


def test_store_errors_are_errors_of_the_advisor() -> None:
    assert issubclass(StoreError, AdvisorError)


# Damaged files.


def damage(path: Path, how: str) -> None:
    raw = bytearray(path.read_bytes())
    if how == "cut":
        del raw[-20:]
    elif how == "empty":
        raw.clear()
    elif how == "flipped":
        raw[len(raw) // 3] ^= 1
    elif how == "zeros":
        raw[:] = bytes(len(raw))
    elif how == "text":
        raw[:] = b"no Parquet at all"
    path.write_bytes(raw)


@pytest.mark.parametrize("how", ["cut", "empty", "flipped", "zeros", "text"])
@pytest.mark.parametrize("kind", ["players", "games"])
def test_a_damaged_file_is_named_and_its_games_can_be_played_anew(
    folder: Path, kind: str, how: str
) -> None:
    both = [folder / f"{name}-000000005-000000009.parquet" for name in ("players", "games")]
    damage(both[0 if kind == "players" else 1], how)
    refusal(
        lambda: read_players(folder) if kind == "players" else read_game(folder, 6),
        f"{folder / f'{kind}-000000005-000000009.parquet'} is damaged",
        "delete players-000000005-000000009.parquet and games-000000005-000000009.parquet",
        "plays games 5 to 9 anew",
    )
    for path in both:
        path.unlink()
    with Store.open(folder, manifest()) as store:
        assert store.finished.missing(0, 10) == [range(5, 10)]
        put(store, 5, 5)
    assert finished(folder) == [*range(10)]


def test_every_single_flipped_byte_is_noticed(tmp_path: Path) -> None:
    with Store.open(tmp_path, manifest()) as store:
        put(store, 0, 2)
    path = tmp_path / "players-000000000-000000001.parquet"
    raw = path.read_bytes()
    for at in range(0, len(raw), 7):
        path.write_bytes(raw[:at] + bytes([raw[at] ^ 0x55]) + raw[at + 1 :])
        refusal(lambda: read_players(tmp_path), "is damaged")
    path.write_bytes(raw)
    assert finished(tmp_path) == [0, 1]


def test_a_file_under_the_name_of_other_games_is_damaged(folder: Path) -> None:
    source = folder / "players-000000000-000000004.parquet"
    shutil.copy(source, folder / "players-000000005-000000009.parquet")
    refusal(lambda: read_players(folder), "players-000000005-000000009.parquet is damaged")


def test_a_lost_games_file_is_named(folder: Path) -> None:
    (folder / "games-000000005-000000009.parquet").unlink()
    before = contents(folder)
    for act in (lambda: Store.open(folder, manifest()), lambda: read_game(folder, 6)):
        refusal(act, "games-000000005-000000009.parquet is missing; delete players-000000005")
    assert contents(folder) == before


def test_parts_that_overlap_are_named(folder: Path) -> None:
    for kind in ("players", "games"):
        shutil.copy(
            folder / f"{kind}-000000000-000000004.parquet",
            folder / f"{kind}-000000003-000000004.parquet",
        )
    before = contents(folder)
    for act in (lambda: Store.open(folder, manifest()), lambda: read_players(folder)):
        refusal(
            act,
            "players-000000000-000000004.parquet and players-000000003-000000004.parquet hold the",
        )
    assert contents(folder) == before


# Failing disks.


def test_a_full_disk_is_a_sentence_and_keeps_what_is_finished(folder: Path) -> None:
    for kind in ("games", "players"):
        with Store.open(folder, manifest()) as store:
            before = contents(folder)
            temporary = folder / f".{kind}-000000010-000000014.parquet.tmp-{os.getpid()}"
            temporary.symlink_to("/dev/full")  # every write to it fails as on a full disk
            refusal(
                lambda store=store: put(store, 10, 5),
                f"{folder / f'{kind}-000000010-000000014.parquet'} cannot be written",
                "No space left on device",
                "finished before are kept, and the same command continues",
            )
            assert contents(folder) == before
            assert store.finished.count == 10
            put(store, 10, 5)
            store.drop_from(10)


def test_a_file_cut_short_by_the_system_is_not_taken_for_whole(folder: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store.open(folder, manifest()) as store:
        before = contents(folder)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, hard))  # the first 300 bytes are written
        try:
            text = refusal(lambda: put(store, 10, 5))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert "File too large" in text
        assert contents(folder) == before
        put(store, 10, 5)
    assert finished(folder) == [*range(15)]


def test_a_full_disk_keeps_the_former_manifest(folder: Path) -> None:
    with Store.open(folder, manifest()) as store:
        before = contents(folder)
        temporary = folder / f".manifest.json.tmp-{os.getpid()}"
        temporary.symlink_to("/dev/full")
        refusal(lambda: store.note(decided=True), "manifest.json cannot be written", "No space")
        assert "decided" not in store.manifest
        assert contents(folder) == before


def test_a_full_disk_while_a_part_is_cut_loses_nothing(folder: Path) -> None:
    for kind in ("games", "players"):
        with Store.open(folder, manifest()) as store:
            temporary = folder / f".{kind}-000000005-000000006.parquet.tmp-{os.getpid()}"
            temporary.symlink_to("/dev/full")
            refusal(lambda store=store: store.drop_from(7), "No space left on device")
        assert finished(folder) == [*range(10 if kind == "games" else 7)]
    Store.open(folder, manifest()).close()
    assert finished(folder) == [*range(7)]
    assert pl.read_parquet(folder / "players-*.parquet").height == 14
    assert leftovers(folder) == []


def test_an_interrupt_leaves_no_half_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(source: Path, target: Path) -> None:
        if "players" in target.name:
            raise KeyboardInterrupt
        rename(source, target)

    rename = os.replace
    with Store.open(folder, manifest()) as store:
        before = contents(folder)
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", interrupted)
            with pytest.raises(KeyboardInterrupt):
                put(store, 10, 5)
        assert contents(folder) == before
        assert store.finished.count == 10


# Taking games back.


@pytest.mark.parametrize("game", [-1, 0, 1, 4, 5, 6, 9, 10, 11])
def test_games_from_a_number_on_are_dropped(folder: Path, game: int) -> None:
    with Store.open(folder, manifest()) as store:
        store.drop_from(game)
        kept = min(max(game, 0), 10)
        assert store.finished.missing(0, 12) == [range(kept, 12)]
        assert finished(folder) == [*range(kept)]
        assert leftovers(folder) == []
        put(store, kept, 3)
    assert finished(folder) == [*range(kept + 3)]
    assert pl.read_parquet(folder / "players-*.parquet").height == 2 * (kept + 3)


# Crashes.


@pytest.fixture
def moments(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Copy the folder just before every change to it: what a kill at that moment would leave."""
    copies: list[Path] = []
    numbers = count()

    def watched(call: Callable[..., Any]) -> Callable[..., Any]:
        def copy_and_call(*args: Any, **kwargs: Any) -> Any:
            copies.append(tmp_path / f"moment-{next(numbers)}")
            shutil.copytree(folder, copies[-1])
            return call(*args, **kwargs)

        return copy_and_call

    class Watched:
        """The module `os` as the store sees it."""

        def __getattr__(self, name: str) -> Any:
            value = getattr(os, name)
            return watched(value) if name in ("write", "fsync", "replace") else value

    monkeypatch.setattr(module, "os", Watched())
    monkeypatch.setattr(Path, "unlink", watched(Path.unlink))
    yield copies
    monkeypatch.undo()


def test_a_write_killed_at_any_moment_is_whole_or_not_there(
    folder: Path, moments: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(folder, manifest()) as store:
        put(store, 10, 5)
    monkeypatch.undo()
    assert len(moments) > 10
    seen = set()
    for copy in moments:
        before = finished(copy)
        with Store.open(copy, manifest()) as store:
            assert finished(copy) == before
            assert leftovers(copy) == []
            seen.add(store.finished.count)
            for gap in store.finished.missing(0, 15):
                put(store, gap.start, len(gap))
        assert finished(copy) == [*range(15)]
        assert leftovers(copy) == []
    assert seen == {10, 15}


def test_a_cut_killed_at_any_moment_loses_nothing_and_doubles_nothing(
    folder: Path, moments: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(folder, manifest()) as store:
        put(store, 10, 5)
        del moments[:]
        store.drop_from(7)
    monkeypatch.undo()
    assert len(moments) > 10
    seen = []
    for copy in moments:
        raw = pl.read_parquet(copy / "players-*.parquet")
        assert not raw.select("game", "seat").is_duplicated().any()  # for readers of other makes
        before = finished(copy)
        assert before == [*range(len(before))]
        seen.append(len(before))
        with Store.open(copy, manifest()) as store:
            assert store.finished.count == len(before)
            assert finished(copy) == before
            assert pl.read_parquet(copy / "players-*.parquet").height == 2 * len(before)
            assert leftovers(copy) == []
            store.drop_from(7)
        assert finished(copy) == [*range(7)]
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {15, 10, 7}


WORKER = """
import sys
import polars as pl
from advisor.research.store import Store
from tests.research.test_store import manifest, put

with Store.open(sys.argv[1], manifest()) as store:
    print("open", flush=True)
    while True:
        for gap in store.finished.missing(0, 60):
            for first in range(gap.start, gap.stop, 4):
                put(store, first, min(4, gap.stop - first))
        if sys.argv[2] == "once":
            break
        store.drop_from(18 + store.finished.count % 5)
"""


def worker(folder: Path, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder), how],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent.parent,
    )


def wait_until_open(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"


def test_runs_killed_again_and_again_finish_with_every_game_once(tmp_path: Path) -> None:
    luck = random.Random(4)
    most = 0
    for _ in range(8):
        with worker(tmp_path, "forever") as process:
            wait_until_open(process)
            # The delay need not be exact: any moment must do.
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(luck.uniform(0, 0.15))
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)
        numbers = finished(tmp_path)
        assert numbers == [*range(len(numbers))]
        assert len(numbers) >= min(most, 18)
        most = max(most, len(numbers))
    assert most > 0
    with worker(tmp_path, "once") as process:
        assert process.wait(PATIENCE) == 0
    assert finished(tmp_path) == [*range(60)]
    assert leftovers(tmp_path) == []
    assert len(read_manifest(tmp_path)["runs"]) == 9


def test_a_running_match_is_read_at_any_moment(tmp_path: Path) -> None:
    with worker(tmp_path, "forever") as process:
        wait_until_open(process)
        try:
            for _ in range(60):
                rows = read_players(tmp_path).select("game", "seat").rows()
                assert rows == [(game, seat) for game in range(len(rows) // 2) for seat in (1, 2)]
                if rows:
                    assert read_game(tmp_path, 0)["game"] == 0
        finally:
            process.kill()
            process.wait(PATIENCE)


# The lock.


def test_a_second_run_is_refused_until_the_first_ends_even_by_a_kill(tmp_path: Path) -> None:
    with worker(tmp_path, "forever") as process:
        wait_until_open(process)
        try:
            refusal(
                lambda: Store.open(tmp_path, manifest()), f"another run is writing to {tmp_path}"
            )
        finally:
            process.kill()
            process.wait(PATIENCE)
    with Store.open(tmp_path, manifest()):
        refusal(lambda: Store.open(tmp_path, manifest()), "another run is writing")
    Store.open(tmp_path, manifest()).close()


def test_a_refused_run_does_not_keep_the_lock(folder: Path) -> None:
    games_file = folder / "games-000000005-000000009.parquet"
    raw = games_file.read_bytes()
    games_file.unlink()
    refusal(lambda: Store.open(folder, manifest()), "is missing")
    games_file.write_bytes(raw)
    Store.open(folder, manifest()).close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_worker_does_not_hold_the_lock(tmp_path: Path) -> None:
    told, tell = os.pipe()
    end, hold = os.pipe()
    store = Store.open(tmp_path, manifest())
    child = os.fork()
    if child == 0:  # lives until the test closes its end of the pipe
        os.close(hold)
        os.write(tell, b"!")
        os.read(end, 1)
        os._exit(0)
    try:
        os.read(told, 1)
        refusal(lambda: Store.open(tmp_path, manifest()), "another run is writing")
        store.close()
        Store.open(tmp_path, manifest()).close()
    finally:
        os.close(hold)
        os.waitpid(child, 0)
        for handle in (told, tell, end):
            os.close(handle)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = "import sys, advisor.research.store; sys.exit('polars' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=PATIENCE).returncode == 0
