"""Tests of the command `advisor` (docs/cli.md): what is typed, printed, written and returned.

In one process where possible; real processes where signals, pipes and imports matter.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

import advisor
from advisor.cli import COMMANDS, main

POSITIONS = Path(__file__).parent.parent / "positions" / "burgundy"
OPENING = POSITIONS / "opening.yaml"
MIDGAME = POSITIONS / "midgame.yaml"
WAITING = POSITIONS / "waiting-for-the-roll.yaml"
COMMAND = [sys.executable, "-c", "from advisor.cli import main; main(prog_name='advisor')"]
PATIENCE = 30
"""Seconds after which a process that hangs fails its test."""


def run(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run the command in this process; an exception it does not turn into a sentence fails."""
    result = CliRunner().invoke(
        main, [str(arg) for arg in args], input=stdin, catch_exceptions=False
    )
    assert "Traceback" not in result.output
    return result


def answer(*args: str | Path, stdin: str | bytes | None = None) -> str:
    """Return what a command prints that succeeds."""
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def assert_refused(result: Result, status: int, *, lines: int | None = 1) -> None:
    """Check that a command ended in sentences on stderr and printed no result."""
    assert result.exit_code == status
    assert result.stdout == ""
    sentences = result.stderr.splitlines()
    assert all(sentences)
    assert lines is None or len(sentences) == lines


def process(*args: str | Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *map(str, args)]
    return subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False, **more)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the opening in a directory of its own."""
    target = tmp_path / "table" / "game.yaml"
    target.parent.mkdir()
    target.write_bytes(OPENING.read_bytes())
    return target


def over() -> str:
    """Return a game that has just ended, as YAML."""
    here: Any = advisor.load(POSITIONS / "last-round.yaml")
    while here.to_move is not None:
        here = here.apply(here.actions()[0])
    text: str = here.dump()
    return text


# Help.


def test_the_help_lists_every_command_that_exists_and_no_other() -> None:
    text = answer("--help")
    listed = re.findall(r"^  (\w+)  ", text.partition("Commands:")[2], flags=re.MULTILINE)
    folder = Path(advisor.__file__).parent / "commands"
    modules = {path.stem for path in folder.glob("[a-z]*.py")} - {"progress", "shared"}
    assert listed == sorted(COMMANDS) == sorted(modules)
    assert answer("-h") == text


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(name: str) -> None:
    text = answer(name, "--help")
    assert re.search(r"^  Examples?:\n    advisor " + name, text, flags=re.MULTILINE)
    assert answer(name, "-h") == text


def test_the_examples_of_the_help_work_as_they_stand(tmp_path: Path) -> None:
    shown = re.findall(r"^ +advisor (.+)$", answer("--help"), flags=re.MULTILINE)
    assert len(shown) >= 4
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for line in shown:
            args = ["1000" if arg == "100000" else arg for arg in shlex.split(line)]
            assert run(*args).exit_code == 0, line


def test_the_version_is_told() -> None:
    assert answer("--version").split()[-1] == advisor.__version__


def test_neither_import_nor_help_loads_the_heavy_libraries() -> None:
    script = """
import sys
from advisor.cli import COMMANDS, main
for args in ([], *([name] for name in COMMANDS)):
    main([*args, "--help"], standalone_mode=False)
print(*{"numpy", "yaml", "pydantic", "advisor._fastsim"} & set(sys.modules), file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr.split() == []
    assert "Usage: " in done.stdout


# Wrong usage.


@pytest.mark.parametrize(
    "args",
    [
        "bogus",
        "actions",
        "actions FILE FILE",
        "actions FILE --frob",
        "actions FILE --format xml",
        "apply FILE",
        "check",
        "new",
        "schema",
        "show",
        "show FILE --width 5",
        "simulate",
        "simulate FILE --playouts many",
        "new burgundy --seed x",
        "apply - --file -",
    ],
)
def test_wrong_usage_is_status_2_and_says_so_on_stderr(args: str) -> None:
    result = run(*args.replace("FILE", str(OPENING)).split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Usage: ")
    assert "Error: " in result.stderr


# Bad positions.

BAD_FILES: dict[str, bytes] = {
    "huge": b"# a long comment\n" * 18_100,
    "deep": b"depots: " + b"[" * 5_000,
    "deep and closed": b"depots: " + b"[" * 500 + b"]" * 500,
    "binary": bytes(range(256)) * 4,
    "zeros": bytes(1_000),
    "empty": b"",
    "only blanks": b"\n \n",
    "only a comment": b"# nothing yet\n",
    "only a word": b"burgundy\n",
    "broken YAML": b"phase: [A\nround: 1\n",
    "a tab": b"players:\n\tAnna: {}\n",
    "code": b"!!python/object/apply:os.system ['echo hello']\n",
    "an alias": b"phase: &a A\nround: *a\n",
}
ONE_POSITION_COMMANDS = ["actions", "apply", "check", "show", "simulate"]


def one_position(command: str, name: str | Path) -> list[str]:
    return [command, str(name), *(["end"] if command == "apply" else [])]


@pytest.mark.parametrize("command", ONE_POSITION_COMMANDS)
@pytest.mark.parametrize("fault", BAD_FILES)
def test_a_bad_file_is_refused_in_sentences(command: str, fault: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(BAD_FILES[fault])
    result = run(*one_position(command, bad))
    assert_refused(result, 1, lines=None)
    sentences = result.stderr.splitlines()
    assert 1 <= len(sentences) <= 10
    assert all(sentence.startswith(f"{bad}:") for sentence in sentences)
    assert all(len(sentence) < 500 for sentence in sentences)


def test_a_huge_file_is_larger_than_allowed() -> None:
    assert len(BAD_FILES["huge"]) > 300 * 1024


@pytest.mark.parametrize("command", ONE_POSITION_COMMANDS)
def test_a_missing_file_and_a_directory_are_refused(command: str, tmp_path: Path) -> None:
    for name in (tmp_path / "nowhere.yaml", tmp_path):
        result = run(*one_position(command, name))
        assert_refused(result, 1)
        assert result.stderr.startswith(f"{name}: ")


@pytest.mark.parametrize("command", ONE_POSITION_COMMANDS)
def test_every_fault_has_a_line_of_its_own(command: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(
        OPENING.read_text().replace("phase: A", "phase: X").replace("[1, 3]", "[1, 9]")
        + "colour: green\n"
    )
    result = run(*one_position(command, bad))
    assert_refused(result, 1, lines=3)
    assert all(re.match(r".*bad\.yaml:\d+:\d+: ", line) for line in result.stderr.splitlines())


def test_json_is_no_reason_to_print_faults_as_a_result(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("phase: X\n")
    for command in ("actions", "apply", "show", "simulate"):
        assert_refused(run(*one_position(command, bad), "--format", "json"), 1, lines=None)


def test_a_real_process_refuses_a_bad_file_the_same_way(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(BAD_FILES["deep"])
    done = process("actions", bad)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


# Standard input.


@pytest.mark.parametrize("command", ["actions", "show", "check"])
def test_a_dash_reads_standard_input(command: str) -> None:
    text = answer(command, "-", stdin=OPENING.read_bytes())
    assert text.replace("-:", f"{OPENING}:") == answer(command, OPENING)


def test_positions_flow_from_command_to_command() -> None:
    start = answer("new", "burgundy", "--seed", "7")
    first = answer("actions", "-", stdin=start).splitlines()[0]
    after = answer("apply", "-", first, stdin=start)
    assert after == advisor.loads(start).apply(first).dump()
    assert "wins" in answer("simulate", "-", "--playouts", "10", stdin=after)


def test_faults_of_standard_input_name_it() -> None:
    result = run("actions", "-", stdin="phase: [")
    assert_refused(result, 1)
    assert result.stderr.startswith("<stdin>:1:")


def test_a_closed_standard_input_is_an_empty_one() -> None:
    line = shlex.join([*COMMAND, "actions", "-"]) + " <&-"
    done = subprocess.run(line, shell=True, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"<stdin>:1:1: ")
    assert done.stderr.count(b"\n") == 1


# actions.


def test_actions_prints_one_legal_action_a_line() -> None:
    expected = [str(action) for action in advisor.load(OPENING).actions()]
    assert answer("actions", OPENING).splitlines() == expected


def test_actions_as_json_has_player_and_actions_and_nothing_else() -> None:
    data = json.loads(answer("actions", OPENING, "--format", "json"))
    assert list(data) == ["player", "actions"]
    assert data["player"] == "Nora"
    assert data["actions"] == answer("actions", OPENING).splitlines()


def test_actions_while_nobody_decides_says_why_on_stderr() -> None:
    result = run("actions", WAITING)
    assert (result.exit_code, result.stdout) == (0, "")
    example = result.stderr.split("'")[1]
    assert advisor.load(WAITING).apply(example).to_move == "Dario"
    assert json.loads(answer("actions", WAITING, "--format", "json")) == {
        "player": "chance",
        "actions": [],
    }


def test_actions_after_the_end_says_so() -> None:
    end = over()
    result = run("actions", "-", stdin=end)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "over" in result.stderr
    data = json.loads(answer("actions", "-", "--format", "json", stdin=end))
    assert data == {"player": None, "actions": []}


# apply.


def test_apply_prints_the_position_after_several_actions() -> None:
    here = advisor.load(OPENING)
    expected = here.apply("2 take castle from 2").apply("4 workers").apply("end")
    text = answer("apply", OPENING, "2 take castle from 2", "4 workers", "end")
    assert text == expected.dump()
    assert answer("apply", OPENING, "2  TAKE castle from 2", "4 Workers", "END") == text


def test_apply_as_json_is_the_same_position() -> None:
    data = json.loads(answer("apply", OPENING, "4 workers", "--format", "json"))
    expected = advisor.load(OPENING).apply("4 workers")
    assert advisor.loads(json.dumps(data)) == expected
    assert list(data) == list(yaml.safe_load(expected.dump()))


def test_apply_reads_a_transcript_with_comments_and_blank_lines(tmp_path: Path) -> None:
    transcript = tmp_path / "game.txt"
    transcript.write_text(
        "# Nora\n\n  4 workers   # the four\nend\n\t\n# Oskar\n1 workers\r\n3 workers\nend #\n\n"
        "roll Nora 3 5 Oskar 2 2 white 4\n",
        encoding="utf-8",
    )
    text = answer("apply", OPENING, "2 workers", "--file", transcript)
    here = advisor.loads(text)
    assert here.to_move == "Nora"
    assert "round: 2" in text
    assert answer("apply", OPENING, "2 workers", "-f", transcript) == text
    from_stdin = answer("apply", OPENING, "2 workers", "-f", "-", stdin=transcript.read_bytes())
    assert from_stdin == text


def test_a_whole_game_is_replayed_from_its_transcript(tmp_path: Path) -> None:
    here: Any = advisor.new_game("burgundy", players=2, seed=3)
    start, texts = here.dump(), []
    while here.to_move is not None:
        chance = here.to_move == "chance"
        texts.append(here.sample_chance(len(texts)) if chance else str(here.actions()[-1]))
        here = here.apply(texts[-1])
    transcript = tmp_path / "game.txt"
    transcript.write_text("\n".join(texts), encoding="utf-8")
    assert answer("apply", "-", "-f", transcript, stdin=start) == here.dump()


def test_a_transcript_without_actions_is_wrong_usage(tmp_path: Path) -> None:
    transcript = tmp_path / "game.txt"
    transcript.write_text("# nothing yet\n\n")
    assert run("apply", OPENING, "--file", transcript).exit_code == 2


def test_a_transcript_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for name in (tmp_path / "nowhere.txt", tmp_path):
        result = run("apply", OPENING, "--file", name)
        assert_refused(result, 1)
        assert result.stderr.startswith(f"{name}: ")


def test_an_unknown_action_names_legal_ones_nearby() -> None:
    result = run("apply", OPENING, "2 take castle from 3")
    assert_refused(result, 1)
    assert "2 take castle from 2" in result.stderr


def test_an_illegal_action_among_several_is_counted() -> None:
    result = run("apply", OPENING, "2 workers", "2 workers", "end")
    assert_refused(result, 1)
    assert result.stderr.startswith("action 2 of 3: '2 workers' ")
    assert "4 workers" in result.stderr


@pytest.mark.parametrize("action", ["", " ", "xyzzy", "end", "roll", "3 5", "*", "ä" * 300])
def test_nonsense_for_an_action_is_one_sentence(action: str) -> None:
    assert_refused(run("apply", OPENING, action), 1)


# Writing files.


def test_o_writes_the_file_and_prints_nothing(game: Path) -> None:
    target = game.with_name("after.yaml")
    result = run("apply", game, "4 workers", "-o", target)
    assert (result.exit_code, result.output) == (0, "")
    assert target.read_text(encoding="utf-8") == answer("apply", game, "4 workers")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


def test_o_may_name_the_position_itself(game: Path) -> None:
    expected = answer("apply", game, "4 workers")
    assert answer("apply", game, "4 workers", "-o", game) == ""
    assert game.read_text(encoding="utf-8") == expected
    assert [path.name for path in game.parent.iterdir()] == [game.name]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755])
def test_an_existing_file_keeps_its_mode(game: Path, mode: int) -> None:
    game.chmod(mode)
    answer("apply", game, "4 workers", "--output", game)
    assert stat.S_IMODE(game.stat().st_mode) == mode


def test_a_link_keeps_pointing_to_the_file_it_points_to(game: Path) -> None:
    link = game.parent.parent / "current.yaml"
    link.symlink_to(game)
    answer("apply", link, "4 workers", "-o", link)
    assert link.is_symlink()
    assert advisor.load(game) == advisor.load(OPENING).apply("4 workers")


def test_a_failing_action_leaves_the_old_file_untouched(game: Path) -> None:
    before = game.read_bytes(), game.stat().st_mtime_ns, game.stat().st_ino
    assert_refused(run("apply", game, "4 workers", "nonsense", "-o", game), 1)
    assert (game.read_bytes(), game.stat().st_mtime_ns, game.stat().st_ino) == before
    assert [path.name for path in game.parent.iterdir()] == [game.name]


@pytest.mark.parametrize("command", ["apply", "new", "schema"])
@pytest.mark.parametrize("target", ["missing/x.yaml", "game.yaml/x.yaml", ".", "n" * 300])
def test_a_target_that_cannot_be_written_is_refused(game: Path, command: str, target: str) -> None:
    args = {
        "apply": ["apply", str(game), "4 workers"],
        "new": ["new", "burgundy", "--seed", "1"],
        "schema": ["schema", "burgundy"],
    }[command]
    before = game.read_bytes()
    where = str(game.parent / target) if target != "." else str(game.parent)
    result = run(*args, "-o", where)
    assert_refused(result, 1)
    assert result.stderr.startswith(f"{where}: cannot write the file: ")
    assert game.read_bytes() == before
    assert [path.name for path in game.parent.iterdir()] == [game.name]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_without_permission_is_refused(game: Path) -> None:
    game.parent.chmod(0o500)
    try:
        assert_refused(run("apply", game, "4 workers", "-o", game), 1)
    finally:
        game.parent.chmod(0o700)
    assert game.read_bytes() == OPENING.read_bytes()


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_fails_in_the_middle_leaves_the_old_file_and_no_other(
    game: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    result = run("apply", game, "4 workers", "-o", game)
    assert_refused(result, 1)
    assert "No space left on device" in result.stderr
    assert game.read_bytes() == OPENING.read_bytes()
    assert [path.name for path in game.parent.iterdir()] == [game.name]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    done = process("new", "burgundy", "--seed", "7", "-o", pipe)
    reader.join(PATIENCE)
    assert done.returncode == 0
    assert received == [answer("new", "burgundy", "--seed", "7")]
    assert pipe.is_fifo()


def test_o_with_a_dash_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain = answer("new", "burgundy", "--seed", "7")
    assert answer("new", "burgundy", "--seed", "7", "-o", "-") == plain
    assert list(tmp_path.iterdir()) == []


# check.


def test_check_gives_each_sound_file_a_line() -> None:
    files = sorted(POSITIONS.glob("*.yaml"))
    lines = answer("check", *files).splitlines()
    assert [line.partition(": ")[0] for line in lines] == [str(path) for path in files]
    assert all(": sound, " in line for line in lines)
    assert answer("check", OPENING) == f"{OPENING}: sound, Nora to move\n"
    assert answer("check", WAITING) == f"{WAITING}: sound, waiting for chance\n"
    assert answer("check", "-", stdin=over()) == "-: sound, the game is over\n"


def test_check_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("phase: [")
    result = run("check", bad, OPENING, tmp_path / "nowhere.yaml")
    assert result.exit_code == 1
    assert result.stdout == f"{OPENING}: sound, Nora to move\n"
    assert [line.partition(":")[0] for line in result.stderr.splitlines()] == [
        str(bad),
        str(tmp_path / "nowhere.yaml"),
    ]


def test_check_as_json_has_every_problem(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("phase: [")
    result = run("check", OPENING, bad, "--format", "json")
    assert result.exit_code == 1
    assert result.stderr == ""
    good, faulty = json.loads(result.stdout)["files"]
    assert good == {"file": str(OPENING), "sound": True, "problems": []}
    assert (faulty["file"], faulty["sound"]) == (str(bad), False)
    assert set(faulty["problems"][0]) == {"file", "line", "column", "field", "message"}


# show.


@pytest.mark.parametrize("path", sorted(POSITIONS.glob("*.yaml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [80, 140])
def test_show_draws_every_shipped_position_within_the_width(path: Path, width: int) -> None:
    text = answer("show", path, "--width", str(width))
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= width
    for name, score in advisor.load(path).scores().items():
        assert name in text
        assert f"{score} points" in text


def test_show_has_colours_when_asked() -> None:
    coloured = answer("show", OPENING, "--color")
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == answer("show", OPENING, "--no-color")


def test_show_as_json_is_the_position() -> None:
    data = json.loads(answer("show", OPENING, "--format", "json"))
    assert advisor.loads(json.dumps(data)) == advisor.load(OPENING)


# new.


def test_new_prints_a_start_that_loads() -> None:
    text = answer("new", "burgundy", "--players", "2", "--boards", "1,1", "--seed", "7")
    assert advisor.loads(text) == advisor.new_game("burgundy", players=2, boards=[1, 1], seed=7)
    assert answer("new", "burgundy", "--seed", "7") == text
    assert answer("new", "burgundy", "--seed", "8") != text


def test_new_as_json_is_the_same_start() -> None:
    data = json.loads(answer("new", "burgundy", "--seed", "7", "--format", "json"))
    assert advisor.loads(json.dumps(data)) == advisor.new_game("burgundy", seed=7)


def test_new_has_the_settings_asked_for() -> None:
    line = "new burgundy --players 3 --boards 1,3,2 --edition 2011 --castles d4,b3,a4 --seed 1"
    text = answer(*line.split(), "--names", "Zoë, No ,x y")
    data = yaml.load(text, yaml.BaseLoader)
    assert data["edition"] == "2011"
    assert list(data["players"]) == ["Zoë", "No", "x y"]
    assert [player["board"] for player in data["players"].values()] == ["1", "3", "2"]
    estates = [list(player["estate"]) for player in data["players"].values()]
    assert estates == [["d4"], ["b3"], ["a4"]]
    assert data["turn_order"][0] == "Zoë"
    assert advisor.loads(text).to_move == "Zoë"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_board_is_for_all(players: int) -> None:
    text = answer("new", "burgundy", "--players", str(players), "--boards", "4", "--seed", "1")
    assert text.count("board: 4") == players


def test_new_without_a_seed_tells_the_one_it_took() -> None:
    result = run("new", "burgundy")
    assert result.exit_code == 0
    word, seed = result.stderr.split()
    assert word == "seed"
    assert answer("new", "burgundy", "--seed", seed) == result.stdout


@pytest.mark.parametrize(
    "wrong",
    [
        "chess",
        "burgundy --players 1",
        "burgundy --players 5",
        "burgundy --players -2",
        "burgundy --boards 1,2,3",
        "burgundy --boards 99",
        "burgundy --boards one",
        "burgundy --boards ,",
        "burgundy --edition 2012",
        "burgundy --castles z9",
        "burgundy --castles a1,a1",
        "burgundy --castles d4,d4,d4",
        "burgundy --names Anna",
        "burgundy --names Anna,anna",
        "burgundy --names Anna,white",
        "burgundy --names Anna,Ben2",
        "burgundy --names ,",
    ],
)
def test_wrong_settings_are_status_2_with_one_sentence(wrong: str) -> None:
    assert_refused(run("new", *wrong.split()), 2)


# schema.


def test_schema_is_a_json_schema(tmp_path: Path) -> None:
    text = answer("schema", "burgundy")
    schema = json.loads(text)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert {"phase", "round", "players"} <= set(schema["required"])
    answer("schema", "burgundy", "-o", tmp_path / "schema.json")
    assert (tmp_path / "schema.json").read_text(encoding="utf-8") == text


def test_schema_of_an_unknown_game_is_refused() -> None:
    assert_refused(run("schema", "chess"), 2)


# simulate.


@pytest.mark.parametrize("stem", ["opening", "three-players", "four-players"])
def test_simulate_reports_every_player_and_source(stem: str) -> None:
    path = POSITIONS / f"{stem}.yaml"
    text = answer("simulate", path, "--playouts", "200")
    table, sources, notes = text.split("\n\n")
    result = advisor.simulate(advisor.load(path), 200)
    for name, line in zip(result.names, table.splitlines()[1:], strict=True):
        assert line.startswith(name)
        assert f"{100 * result.win_rate(name):.1f} %" in line
        assert f"{result.mean(name):.1f} ±" in line
    assert sources.splitlines()[1].split() == result.names
    assert [line[2:].split("  ")[0] for line in sources.splitlines()[2:]] == [
        *result.sources,
        "together",
    ]
    assert notes.startswith("200 playouts at random, ")
    assert "seed 1" in notes


def test_simulate_as_json_has_every_field() -> None:
    data = json.loads(answer("simulate", MIDGAME, "--playouts", "100", "--format", "json"))
    fields = ["game", "playouts", "decisions", "seed", "threads", "players", "seconds"]
    assert list(data) == fields
    assert (data["game"], data["playouts"], data["seed"]) == ("burgundy", 100, 1)
    assert list(data["players"]) == ["Greta", "Hugo"]
    for player in data["players"].values():
        fields = ["win", "win_se", "score", "score_se", "score_sd", "quantiles", "points"]
        assert list(player) == fields
        assert 0 <= player["win"] <= 1
        assert list(player["quantiles"]) == ["0.05", "0.25", "0.50", "0.75", "0.95"]
    assert sum(player["win"] for player in data["players"].values()) == pytest.approx(1)


def test_threads_do_not_change_what_simulate_reports() -> None:
    reports = []
    for threads in ("1", "2", "5"):
        args = ("--playouts", "5000", "--seed", "9", "--threads", threads, "--format", "json")
        data = json.loads(answer("simulate", MIDGAME, *args))
        assert data["threads"] == int(threads)
        reports.append((data["players"], data["decisions"]))
    assert reports[0] == reports[1] == reports[2]


def test_simulate_of_a_game_that_is_over_tells_the_final_scores() -> None:
    text = answer("simulate", "-", "--playouts", "10", stdin=over())
    for name, score in advisor.loads(over()).scores().items():
        assert re.search(rf"^{name} .* {score}\.0 ± 0\.00 ", text, flags=re.MULTILINE)
    assert "the game is over" in text


@pytest.mark.parametrize(
    "wrong",
    [
        "--playouts 0",
        "--playouts -5",
        "--playouts 1000000000000",
        "--threads 0",
        "--threads -1",
        "--threads 1000000",
    ],
)
def test_numbers_out_of_bounds_are_status_2_with_one_sentence(wrong: str) -> None:
    assert_refused(run("simulate", OPENING, *wrong.split()), 2)


def test_a_long_simulation_shows_no_progress_where_nobody_looks() -> None:
    done = process("simulate", POSITIONS / "last-round.yaml", "--playouts", "200000")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"200,000 playouts" in done.stdout


# Pipes and signals.


def test_a_reader_that_has_seen_enough_ends_the_command_quietly() -> None:
    command = shlex.join([*COMMAND, "actions", str(OPENING)])
    line = f"set -o pipefail; {command} | head -1"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == answer("actions", OPENING).splitlines(keepends=True)[0]


@pytest.mark.parametrize(
    "args",
    [
        ["actions", str(OPENING)],
        ["show", str(OPENING)],
        ["check", str(OPENING)],
        ["new", "burgundy", "--seed", "1"],
        ["schema", "burgundy"],
        ["--help"],
        ["apply", "--help"],
    ],
    ids=" ".join,
)
def test_a_reader_that_closes_at_once_is_no_fault(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *args],
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode in ((0, 1) if args == ["--help"] else (0,))  # click's own, before ours


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_stdout_is_one_sentence() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "actions", str(OPENING)],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"cannot read or print: No space left on device\n"


def test_a_closed_stdout_is_no_traceback() -> None:
    line = shlex.join([*COMMAND, "actions", str(OPENING)]) + " >&-"
    done = subprocess.run(line, shell=True, capture_output=True, timeout=PATIENCE, check=False)
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_ctrl_c_in_the_middle_of_a_simulation_is_one_sentence_and_status_130() -> None:
    command = [*COMMAND, "simulate", str(OPENING), "--playouts", "20000000", "--threads", "1"]
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # so that a second thread is ours
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while len(os.listdir(f"/proc/{child.pid}/task")) < 2:
            assert child.poll() is None, "it ended before it was interrupted"
            assert time.monotonic() < deadline, "it never began to play"
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        printed, said = child.communicate(timeout=PATIENCE)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == 130
    assert printed == b""
    assert said == b"interrupted; nothing was written\n"


def test_the_installed_command_is_this_one() -> None:
    script = Path(sys.executable).with_name("advisor")
    if not script.exists():
        pytest.skip("the package is not installed")
    done = subprocess.run(
        [script, "check", OPENING], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == answer("check", OPENING)
