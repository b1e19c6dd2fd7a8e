"""Studies from their file to their tables: what a file may say, what is played, what is written."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import advisor.research.figures
from advisor.errors import SettingError
from advisor.research.noting import Notes, play_noted
from advisor.research.plan import make_plan
from advisor.research.store import StoreError, read_players
from advisor.research.study import run_study, study
from advisor.research.study_file import (
    StudyError,
    known_columns,
    load_study,
    read_study,
    shipped,
)
from advisor.research.study_model import Study
from advisor.research.tables import as_markdown, measure

SHIPPED = ["boards", "edition", "monasteries", "openings", "seats", "time"]
SMALL = """\
study: small
question: Does a seat matter?
agents: [greedy]
games: 40
settings: {boards: [1, 3]}
vary:
  players: [2, 3]
tables:
  - title: By seat
    rows: seat
    columns: players
    measures: [score, win]
figure: {kind: lines, x: seat, y: score, series: players}
"""


def changed(old: str, new: str, text: str = SMALL) -> str:
    assert old in text
    return text.replace(old, new, 1)


def faults(text: str) -> list[str]:
    with pytest.raises(StudyError) as caught:
        read_study(text, "my.yaml")
    return [str(problem) for problem in caught.value.problems]


# --- Files


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_study_can_be_run(name: str) -> None:
    found = load_study(name)
    assert found.name == name
    assert found.figures
    assert shipped()[name] == found.question


def test_no_study_is_shipped_that_is_not_tested() -> None:
    assert list(shipped()) == SHIPPED


def test_a_study_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(SMALL)
    found = load_study(path)
    assert [each.name for each in found.combinations] == ["players=2", "players=3"]
    assert found.combinations[1].plan.players == 3
    assert found.combinations[1].plan.settings["boards"] == [1, 3]


def test_an_unknown_name_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(SettingError, match=r"did you mean 'boards'.*edition, monasteries"):
        load_study("bords")


def test_a_missing_file_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"my\.yaml: cannot read the file"):
        load_study(tmp_path / "my.yaml")


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("question:", "qestion:", "2:1: qestion", "did you mean 'question'?"),
        ("games: 40", "games: many", "4:1: games", "'many' is not possible; give a whole number"),
        ("games: 40", "games: 0", "4:1: games", "0 is not possible"),
        ("study: small", "study: Small Study", "1:1: study", "use small letters"),
        ("[greedy]", "[gredy]", "3:10: agents[1]", "did you mean 'greedy'?"),
        ("[greedy]", "['ismcts:seconds={s}']", "3:1: agents", "{s} is not varied"),
        ("[greedy]", "[{}]", "3:10: agents[1]", "is no agent"),
        ("[1, 3]", "[1, 99]", "5:1: settings", "no board 99 in the 2019 box"),
        ("{boards", "{bords", "5:12: settings.bords", "did you mean 'boards'?"),
        ("[2, 3]", "[2, 7]", "7:16: vary.players[2]", "7 players; "),
        ("[2, 3]", "[2, three]", "7:16: vary.players[2]", "give a whole number"),
        ("[2, 3]", "2", "7:3: vary.players", "give a list of values"),
        ("players: [2, 3]", "agents: [[greedy]]", "3:1: agents", "the agents vary"),
        ("boards: [1, 3]", "rotate: 1", "5:12: settings.rotate", "give true or false"),
        ("[2, 3]", "[2, 2]", "7:3: vary.players", "stands here twice"),
        ("rows: seat", "rows: seatt", "10:5: tables[1].rows", "did you mean 'seat'?"),
        ("columns: players", "columns: 5", "11:5: tables[1].columns", "5 is no list"),
        ("[score, win]", "[scores]", "12:16: tables[1].measures[1]", "did you mean 'score'?"),
        ("[score, win]", "[castle]", "12:16: tables[1].measures[1]", "'castle' is not known here"),
        ("title: By seat", "where: {seat: first}", "9:13: tables[1].where.seat", "give a number"),
        ("kind: lines", "kind: pie", "13:10: figure.kind", "dots, lines, bars, heat"),
        (", series: players", "", "13:1: figure", "also tells players apart"),
        ("score, series", "[score, win], panels", "13:1: figure", "shows one measure"),
        ("lines, x: seat, y: score", "heat, x: seat, y: seat", "13:1: figure", "and no others"),
        ("y: score", "y: margin", "13:32: figure.y", "it is one of score, win"),
        ("study: small", "study: [", "2:29: this", "is not YAML"),
        ("study: small", "kind: twin", "1:1: kind", "did you mean 'twins'?"),
    ],
)
def test_a_fault_is_told_with_its_place_and_what_would_be_right(
    old: str, new: str, where: str, what: str
) -> None:
    told = faults(changed(old, new))
    assert any(line.startswith(f"my.yaml:{where}") and what in line for line in told), told


def test_all_faults_of_a_kind_are_told_at_once() -> None:
    text = changed("rows: seat", "rows: seatt", changed("[score, win]", "[scor, win]"))
    assert len(faults(text)) == 2


def test_no_file_can_run_code_and_none_is_called_a_position() -> None:
    told = faults(changed("[greedy]", "!!python/object/apply:os.system [ls]"))
    assert "tags" in told[0]
    assert not any("position" in line for line in faults("a: 1\n---\nb: 2\n"))


def test_an_agent_that_varies_is_filled_in() -> None:
    text = changed("[greedy]", "['ismcts:iterations={n}', greedy]").replace("players", "n")
    found = read_study(text)
    labels = [each.plan.labels[0] for each in found.combinations]
    assert labels == ["ismcts:iterations=2", "ismcts:iterations=3"]
    told = faults(changed("[2, 3]", "[2, 2.5]", text))
    assert told == [
        "my.yaml:3:10: agents[1]: agent ismcts: iterations=2.5 is not possible; give a whole number"
    ]


def test_known_columns_are_those_of_the_players_frame() -> None:
    found = load_study("openings").combinations[0]
    part = play_noted(found.plan, 0, 1, Notes(first_turn=True))
    numbers, words = known_columns(found, "match")
    unknown = {*part.players.columns} - {*numbers, *words} - {"options"}
    assert unknown == set()
    assert {*numbers, *words} - {*part.players.columns} == {"random_turns"}
    assert all(part.players[name].dtype != pl.String for name in numbers if name != "random_turns")


# --- Playing


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path, pl.DataFrame]:
    folder = tmp_path_factory.mktemp("small") / "out"
    found = read_study(SMALL)
    return found, folder, run_study(found, folder=folder, jobs=1).frame


def test_a_study_ends_in_parquet_page_and_figure(small: tuple[Study, Path, pl.DataFrame]) -> None:
    _, folder, frame = small
    assert pl.read_parquet(folder / "small.parquet").equals(frame)
    page = (folder / "small.md").read_text()
    assert "Does a seat matter?" in page
    assert "![Does a seat matter?](small.svg)" in page
    assert (folder / "small.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (folder / "small.svg").read_bytes()


def test_the_numbers_are_those_of_the_games(small: tuple[Study, Path, pl.DataFrame]) -> None:
    _, folder, frame = small
    players = read_players(folder / "players=3")
    own = players.filter(pl.col("seat") == 2)
    row = frame.filter((pl.col("seat") == 2) & (pl.col("players") == 3)).to_dicts()
    assert row[0]["measure"] == "score"
    assert row[0]["value"] == pytest.approx(own["score"].mean())
    assert row[0]["seats"] == 40
    assert row[1]["value"] == pytest.approx(own["won"].mean())
    assert row[1]["even"] == pytest.approx(1 / 3)
    spread = np.std(own["score"].to_numpy(), ddof=1) / math.sqrt(40)
    assert row[0]["se"] == pytest.approx(spread)


def test_the_same_study_gives_the_same_frame_with_or_without_a_folder(
    small: tuple[Study, Path, pl.DataFrame], tmp_path: Path
) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SMALL)
    assert study(path, jobs=2).equals(small[2])
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.yaml"]


def test_a_second_run_plays_nothing_and_more_games_only_the_missing_ones(
    small: tuple[Study, Path, pl.DataFrame],
) -> None:
    found, folder, frame = small
    again = run_study(found, folder=folder, jobs=1)
    assert again.new_games == 0
    assert again.frame.equals(frame)
    more = run_study(found, folder=folder, games=50, jobs=1)
    assert more.new_games == 20
    assert run_study(found, folder=folder, jobs=1).frame.equals(frame)


def test_a_folder_of_another_study_or_seed_is_refused(
    small: tuple[Study, Path, pl.DataFrame],
) -> None:
    _, folder, _ = small
    page = (folder / "small.md").read_text()
    with pytest.raises(StoreError, match='study is "small" there and "other" here'):
        run_study(read_study(changed("small", "other")), folder=folder)
    with pytest.raises(StoreError, match="seed is 1 there and 2 here"):
        run_study(read_study(SMALL), folder=folder, seed=2)
    with pytest.raises(StoreError, match="boards"):
        run_study(read_study(changed("[1, 3]", "[1]")), folder=folder)
    assert (folder / "small.md").read_text() == page


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match="holds other files"):
        run_study(read_study(SMALL), folder=tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["letter.txt"]


def test_a_killed_study_is_continued_and_comes_out_the_same(
    small: tuple[Study, Path, pl.DataFrame], tmp_path: Path
) -> None:
    file, folder = tmp_path / "s.yaml", tmp_path / "out"
    file.write_text(changed("games: 40", "games: 100000"))
    code = (
        "from advisor.research.study import study;"
        f"study({str(file)!r}, folder={str(folder)!r}, jobs=1)"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 30
    while not list(folder.glob("players=2/players-*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    found, _, _ = small
    after = run_study(found, folder=folder, jobs=1)
    assert after.new_games < 80
    assert after.frame.equals(run_study(found, jobs=1).frame)


def test_without_matplotlib_there_is_a_note_and_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisor.research.figures, "is_installed", lambda: False)
    result = run_study(read_study(SMALL), folder=tmp_path / "out", games=4, jobs=1)
    assert result.note is not None
    assert 'pip install "advisor[plots]"' in result.note
    assert [path.name for path in result.files] == ["small.parquet", "small.md"]


def test_progress_names_the_combination(tmp_path: Path) -> None:
    seen: list[tuple[str, int]] = []
    run_study(
        read_study(SMALL),
        games=4,
        jobs=1,
        progress=lambda name, progress: seen.append((name, progress.done)),
    )
    assert seen[0] == ("small players=2", 0)
    assert seen[-1] == ("small players=3", 4)


def test_another_seed_gives_other_games() -> None:
    found = read_study(SMALL)
    one, two, again = (run_study(found, games=6, seed=s, jobs=1).frame for s in (1, 2, 2))
    assert not one["value"].equals(two["value"])
    assert two.equals(again)
    assert run_study(found, games=6, jobs=1).frame.equals(one)


def test_a_study_of_no_games_is_refused() -> None:
    with pytest.raises(SettingError, match="0 games"):
        run_study(read_study(SMALL), games=0)


# --- First turns


def test_the_first_turn_of_a_seat_is_what_it_did_before_anybody_else(tmp_path: Path) -> None:
    plan = make_plan(["random"], players=3, boards=[1, 4], random_turns=1)
    part = play_noted(plan, 0, 6, Notes(first_turn=True))
    from advisor.core import registry
    from advisor.research.tasks import deal_of

    series = registry.find_series(plan.game)
    for row in part.games.iter_rows(named=True):
        deal = deal_of(plan, row["deal"])
        state, rules = deal.start, deal.position.rules
        movers = []
        for code in row["actions"]:
            while rules.to_move(state) < 0:
                state = rules.chance(state, row["seed"])
            movers.append(rules.to_move(state))
            state = rules.apply(state, code)
        for seat in range(3):
            begins = movers.index(seat)
            ends = begins + 1
            while movers[ends] == seat:
                ends += 1
            own = part.players.filter(
                (pl.col("game") == row["game"]) & (pl.col("seat") == seat + 1)
            )
            assert own["first_turn"].to_list() == [series.turn_kind(row["actions"][begins:ends])]


def test_openings_compares_castles_with_their_board_and_turns_with_all() -> None:
    frame = study("openings", games=60, jobs=1)
    castles = frame.filter((pl.col("table") == 1) & (pl.col("measure") == "score"))
    weighted = castles.group_by("board").agg((pl.col("value") * pl.col("seats")).sum())
    assert castles["board"].n_unique() == 10
    assert weighted["value"].abs().max() < 1e-6  # type: ignore[operator]
    turns = frame.filter((pl.col("table") == 2) & (pl.col("measure") == "score"))
    assert turns.height == 24
    assert turns["value"].is_sorted(descending=True)


# --- Tables


def told(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    found = read_study(changed(SMALL[SMALL.index("tables:") :], f"tables:\n  - {table}\n"))
    return measure(frame, found.tables[0], 1)


def made_up(scores: list[int], seats: list[int], deals: list[int]) -> pl.DataFrame:
    won = [score > 10 for score in scores]
    columns = {"score": scores, "seat": seats, "deal": deals, "won": won}
    return pl.DataFrame(columns).with_columns(players=pl.lit(2, pl.Int8))


def test_a_difference_is_as_certain_as_the_deals_agree() -> None:
    frame = made_up([10, 12, 20, 22, 5, 7], [1, 2] * 3, [0, 0, 1, 1, 2, 2])
    table = "{title: t, rows: seat, measures: score, where: {seat: 2}, relative: {seat: 1}}"
    row = told(table, frame).row(0, named=True)
    assert row["value"] == pytest.approx(2.0)
    assert row["se"] == pytest.approx(0.0, abs=1e-12)
    plain = told("{title: t, rows: seat, measures: score}", frame)
    assert plain["se"].min() > 1  # type: ignore[operator]


def test_where_and_most_and_sort_choose_the_rows() -> None:
    frame = made_up([1, 2, 3, 30, 31, 20], [1, 1, 1, 2, 2, 3], [0, 1, 2, 0, 1, 0])
    rows = told("{title: t, rows: seat, measures: score, sort: score, most: 2}", frame)
    assert rows["seat"].to_list() == [2, 1]
    rows = told("{title: t, rows: seat, measures: score, where: {seat: [1, 3]}}", frame)
    assert rows["seat"].to_list() == [1, 3]


def test_one_deal_gives_a_value_without_an_error() -> None:
    table = "{title: t, rows: seat, measures: [score, win]}"
    rows = told(table, made_up([11, 5], [1, 2], [0, 0]))
    assert rows["value"].to_list() == [11.0, 1.0, 5.0, 0.0]
    assert rows["se"].null_count() == 4


def test_a_table_of_nothing_says_so() -> None:
    found = read_study(
        changed("columns: players", "where: {seat: 9}").replace(", series: players", "")
    )
    frame = made_up([1], [1], [0])
    assert "No seats" in as_markdown(found, found.tables[0], measure(frame, found.tables[0], 1))


def test_markdown_stands_under_each_other(small: tuple[Study, Path, pl.DataFrame]) -> None:
    _, folder, _ = small
    lines = [line for line in (folder / "small.md").read_text().splitlines() if line[:1] == "|"]
    assert "| seat | players 2 " in lines[0].replace("   ", " ").replace("  ", " ")
    assert len({len(line) for line in lines[:5]}) == 1
    assert lines[4].count("-") == 1  # no third seat at a table of two


def test_the_example_of_the_documentation_runs() -> None:
    page = Path(__file__).parents[2] / "docs" / "studies" / "README.md"
    example = page.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    assert run_study(read_study(example), games=4, jobs=1).frame.height > 0


def test_a_share_near_nothing_has_its_interval_written_out() -> None:
    found = read_study(changed("columns: players", "agent: 1").replace(", series: players", ""))
    frame = made_up([1] * 30 + [11], [1] * 31, [*range(31)]).with_columns(agent_number=pl.lit(1))
    text = as_markdown(found, found.tables[0], measure(frame, found.tables[0], 1))
    assert "3.2 [0.5, 17.3]" in text
    assert "1.3 ± 0.7" in text
