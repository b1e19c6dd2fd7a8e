"""The shape of the program: imports point from later rooms to earlier ones only (docs/design)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "advisor"
GAMES = [path.name for path in (ROOT / "games").iterdir() if path.is_dir() and path.name[0] != "_"]
FILES = [path for path in sorted(ROOT.rglob("*")) if path.suffix in {".py", ".pyx", ".pxd"}]
LIMITS = {".py": 600, ".pyx": 800, ".pxd": 800}
LATER_ROOMS = tuple(
    f"advisor.{room}" for room in ("search", "agents", "research", "commands", "cli", "rl")
)
IMPORT = re.compile(r"^\s*(?:from|import|cimport)\s+(advisor[\w.]*)(?: c?import (\w+))?", re.M)


def imports(path: Path) -> set[str]:
    found = IMPORT.findall(path.read_text("utf-8"))
    return {".".join(filter(None, parts)) for parts in found}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_short_and_say_what_they_own(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= LIMITS[path.suffix]
    if text.strip():
        assert text.startswith('"""')


@pytest.mark.parametrize(
    "room",
    [
        "_fastsim.pyx",
        "_fastsim.pxd",
        "core",
        "search",
        "report",
        "agents",
        "research",
        "learning",
        "rl.py",
    ],
)
def test_no_game_is_named_outside_its_room(room: str) -> None:
    place = ROOT / room
    files = [place] if place.is_file() else [f for f in FILES if place in f.parents]
    for path in files:
        for game in GAMES:
            assert game not in path.read_text("utf-8").lower(), path


def test_games_never_import_search_commands_or_other_games() -> None:
    for path in FILES:
        parts = path.relative_to(ROOT).parts
        if parts[0] == "games" and len(parts) > 2:
            for name in imports(path):
                assert not name.startswith(LATER_ROOMS)
                assert not name.startswith("advisor.games.") or name.split(".")[2] == parts[1]


def test_the_base_rules_of_burgundy_name_no_expansion_and_no_year() -> None:
    for path in (ROOT / "games" / "burgundy").glob("_*.p*"):
        code = re.sub(r'""".*?"""|#.*', "", path.read_text("utf-8"), flags=re.S)
        assert not re.search(r"\b(inn|shield|solo|team|2011|2019)\b", code), path
