"""No file and no typed action can do more than be refused: bytes, texts, mutated positions.

`ADVISOR_FUZZ=N` multiplies the number of examples for long runs.
"""

from __future__ import annotations

import functools
import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.core import documents
from advisor.core.loading import loads
from advisor.errors import ActionError, PositionError
from advisor.games.burgundy import components
from advisor.games.burgundy.model import Position
from advisor.games.burgundy.setup import new_game

from .test_position_files import EXAMPLE

TIMES = max(1, int(os.environ.get("ADVISOR_FUZZ", "1")))


def examples(count: int) -> settings:
    """Return settings that give the same examples on every run and every machine."""
    return settings(
        max_examples=count * TIMES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


# --- Positions to begin with


SETUPS: tuple[dict[str, Any], ...] = (
    {"players": 2, "boards": [1, 1], "seed": 1},
    {"players": 2, "boards": [3, 10], "seed": 2},
    {"players": 2, "boards": [7, 2], "edition": 2011, "seed": 3},
    {"players": 3, "boards": [4, 5, 6], "seed": 4, "names": ["Zoë", "No", "B 3 C"]},
    {"players": 4, "boards": [7, 8, 9, 10], "seed": 5, "names": ["null", "'q: x", "#a", "[x]"]},
)


def one_step(position: Position, rng: random.Random) -> Position:
    if position.to_move == "chance":
        return position.apply(position.sample_chance(rng.getrandbits(32)))
    actions = position.actions()
    tiles = [action for action in actions if re.search("take|place|load|buy", str(action))]
    return position.apply(rng.choice(tiles if tiles and rng.random() < 0.8 else actions))


@functools.cache
def game(setup: int) -> tuple[Position, ...]:
    """Return every position of one random game, from the first deal to the end."""
    rng = random.Random(setup)
    position = new_game(**SETUPS[setup], dealt=False)
    reached = [position]
    while position.to_move is not None:
        position = one_step(position, rng)
        reached.append(position)
    return tuple(reached)


@st.composite
def played(draw: st.DrawFn) -> Position:
    """Draw a position that random play has reached."""
    positions = game(draw(st.integers(0, len(SETUPS) - 1)))
    return positions[draw(st.integers(0, len(positions) - 1))]


# --- What must hold


def load_or_refuse(text: str, *, marked: bool = True) -> Position | None:
    """Load a text; a refusal must say where and what to do."""
    try:
        return loads(text, file="fuzz.yaml")
    except PositionError as error:
        check_refusal(error, marked=marked)
        return None


def check_refusal(error: PositionError, *, marked: bool = True) -> None:
    assert error.problems
    for problem in error.problems:
        assert problem.file == "fuzz.yaml"
        assert "; " in problem.message
        assert str(problem).encode("utf-8")
        if marked:
            assert problem.line >= 1
            assert problem.column >= 1


def check_sane(position: Position) -> None:
    """Check what holds in every position whatever happened before."""
    seen = position.tiles_in_sight()
    for tile in components.tiles().values():
        assert 0 <= seen[tile.number] <= tile.coloured + tile.black
    assert all(0 <= count <= 7 for count in position.goods_in_sight())
    for player in position.players:
        assert 0 <= player.score <= 12_000
        assert 0 <= player.workers <= 12_000
        assert 0 <= player.silver <= 12_000
        assert len(player.storage) <= 3
        assert sum(1 for count in player.goods if count) <= 3
        assert all(1 <= die <= 6 for die in player.dice)
    assert len(position.dice) <= 2
    assert len(position.goods_to_come) <= 5
    assert sorted(position.turn_order) == sorted(position.next_order)
    if position.stage == "play":
        assert position.actions()
    else:
        assert position.actions() == []


def within_limits(position: Position) -> bool:
    """Tell whether a file may state the numbers of a position (impossible beginnings grow on)."""
    return all(
        max(p.score, p.workers, p.silver) <= 9_999 and p.track <= 6 for p in position.players
    )


def check_round_trip(position: Position) -> None:
    if within_limits(position):
        back = loads(position.dump())
        assert back == position
        assert hash(back) == hash(position)
        assert back.dump() == position.dump()


def check_playable(position: Position, rng: random.Random, steps: int) -> None:
    check_sane(position)
    check_round_trip(position)
    for step in range(steps):
        if position.to_move is None:
            return
        position = one_step(position, rng)
        check_sane(position)
        if step % 10 == 0:
            check_round_trip(position)


# --- Bytes and texts


@given(st.binary(max_size=400))
@examples(150)
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        load_or_refuse(documents.decode(raw, "fuzz.yaml"))
    except PositionError as error:
        check_refusal(error)


@given(st.data())
@examples(80)
def test_an_example_with_damaged_bytes_is_read_or_refused(data: st.DataObject) -> None:
    raw = bytearray(EXAMPLE.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        size = data.draw(st.integers(0, 6))
        raw[at : at + size] = data.draw(st.binary(max_size=6))
    try:
        position = load_or_refuse(documents.decode(bytes(raw), "fuzz.yaml"))
    except PositionError as error:
        check_refusal(error)
    else:
        if position is not None:
            check_playable(position, random.Random(0), 3)


@given(st.text(max_size=300))
@examples(150)
def test_any_text_is_read_or_refused(text: str) -> None:
    load_or_refuse(text)


PIECES = st.one_of(
    st.sampled_from(
        [
            *(
                "[",
                "]",
                "{",
                "}",
                ": ",
                ", ",
                "- ",
                "? ",
                "\n",
                "\n  ",
                "\n    ",
                "#",
                "|",
                ">",
                "~",
            ),
            *(
                "&a ",
                "*a",
                "!!python/object:os.system ",
                "! ",
                "<<: ",
                "---\n",
                "...\n",
                "%YAML 1.9",
            ),
            *(
                '"',
                "'",
                '"\\',
                "\\ud800",
                "\\UFFFFFFFF",
                "\t",
                "\r\n",
                "\0",
                "\x1b",
                "\ufeff",
                "\x85",
            ),
            *("players", "phase", "round", "turn", "depots", "Anna", "estate", "d4", "castle", "3"),
            *("true", "null", "1e999", ".inf", "0x1F", "1_000", "2024-01-01", "9" * 30, "\ud800"),
        ]
    ),
    st.text(max_size=5),
    st.characters(),
)


@given(st.lists(PIECES, max_size=60).map("".join))
@examples(300)
def test_any_heap_of_yaml_signs_is_read_or_refused(text: str) -> None:
    load_or_refuse(text)


@given(st.data())
@examples(150)
def test_an_example_with_yaml_signs_thrown_in_is_read_or_refused(data: st.DataObject) -> None:
    text = EXAMPLE
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(PIECES) + text[at + data.draw(st.integers(0, 5)) :]
    position = load_or_refuse(text)
    if position is not None:
        check_playable(position, random.Random(0), 3)


LONG = 250_000
MONSTERS: dict[str, Callable[[], str]] = {
    "deep lists": lambda: "[" * LONG,
    "deep mappings": lambda: "{a: " * (LONG // 4),
    "deep blocks": lambda: "\n".join(" " * i + "a:" for i in range(600)),
    "deep dashes": lambda: "- " * (LONG // 2),
    "deep keys": lambda: "? " * (LONG // 2),
    "a long list": lambda: f"removed: [{'ship,' * (LONG // 6)}]",
    "a long list of lists": lambda: "removed: [" + "[]," * (LONG // 4) + "]",
    "a list of commas": lambda: "[" + "," * LONG,
    "a long block list": lambda: "removed:\n" + "- 1\n" * (LONG // 5),
    "many keys": lambda: "\n".join(f"k{i}: 1" for i in range(20_000)),
    "many faults": lambda: "removed: [" + ", ".join(f"x{i}" for i in range(2900)) + "]",
    "many damaged items": lambda: "removed: [" + "5, " * 2900 + "]",
    "many players": lambda: "players: {" + ", ".join(f"p{i}x: {{}}" for i in range(1000)) + "}",
    "a long word": lambda: "game: " + "a" * LONG,
    "a long key": lambda: "? " + "a" * LONG + "\n: 1",
    "many words": lambda: "game: " + "a " * (LONG // 2),
    "a long quotation": lambda: 'game: "' + "\\n" * (LONG // 3),
    "a long comment": lambda: "#" * LONG,
    "many lines": lambda: "\n" * LONG,
    "many directives": lambda: "%a b\n" * (LONG // 5),
    "many anchors": lambda: "[" + "&a x, " * (LONG // 6),
    "a great version": lambda: "%YAML 1." + "1" * 5000 + "\n--- a",
    "a great number": lambda: EXAMPLE.replace("41", "9" * 10_000),
    "a great decimal": lambda: EXAMPLE.replace("41", "9" * 10_000 + ".5"),
    "a great quoted board": lambda: EXAMPLE.replace("board: 1", f'board: "{"1" * 10_000}"'),
    "a great good": lambda: EXAMPLE.replace("[pink, pink]", f'["{"1" * 10_000}"]'),
    "a great goods key": lambda: EXAMPLE.replace("{brown: 3}", f'{{? "{"1" * 10_000}" : 3}}'),
    "a great character": lambda: 'game: "\\UFFFFFFFF"',
    "a character beyond Unicode": lambda: 'game: "\\U00110000"',
    "an escaped surrogate": lambda: 'removed: ["\\ud800"]',
    "a plain surrogate": lambda: "removed: [\ud800]",
    "billion laughs": lambda: (
        "a: &a [x, x]\n"
        + "".join(
            f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n"
            for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        )
    ),
    "an endless list": lambda: "&a [*a]",
    "an endless mapping": lambda: "&a {*a : *a}",
    "an unknown alias": lambda: "game: *a",
    "a tagged call": lambda: "!!python/object/apply:os.system ['true']",
    "a tagged key": lambda: "? !!python/name:os.system x\n: 1",
    "a set": lambda: "!!set {a, b}",
    "a merge of itself": lambda: "&a\n<<: *a\n",
    "a list as a key": lambda: "[a, b]: c",
    "a mapping as a key": lambda: "? {a: {b: c}, a: 1}\n: {d: e}",
    "a key of keys": lambda: "? ? ? a\n",
    "a null key": lambda: "~: 1\n? \n: 2\n",
    "two documents": lambda: f"---\n{EXAMPLE}---\n{EXAMPLE}",
    "nothing": lambda: "",
    "nothing twice": lambda: "---\n---\n",
}


@pytest.mark.parametrize("name", MONSTERS)
def test_a_monster_is_refused(name: str) -> None:
    assert load_or_refuse(MONSTERS[name]()) is None


@pytest.mark.parametrize(
    "raw", [b"a" * 300_000, b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"a\x80"]
)
def test_bytes_that_are_no_utf8_page_are_refused(raw: bytes) -> None:
    with pytest.raises(PositionError) as refused:
        documents.decode(raw, "fuzz.yaml")
    check_refusal(refused.value, marked=len(raw) < 1000)


def test_a_text_longer_than_a_page_is_refused_unread() -> None:
    with pytest.raises(PositionError) as refused:
        loads("#" * 300_000, file="fuzz.yaml")
    check_refusal(refused.value, marked=False)


# --- Mutated positions

WORDS: tuple[Any, ...] = (
    *("ship", "castle", "mine", "bank", "city hall", "carpenter", "church", "market", "warehouse"),
    *("pig 3", "cattle 4", "goat 2", "monastery 1", "monastery 5", "m6", "M-14", "monastery 27"),
    *("red", "pink", "4", "Anna", "Ben", "roll", "deal", "over", "large", "small", "A", "E", "d4"),
    *("", " ", "\x1b[31m", "ü", "x" * 50),
)
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.integers(-2, 12),
    st.sampled_from([-1, 0, 1, 6, 7, 255, 256, 999, 1000, 2**15, 2**31, 2**63, 2**64, 10**17]),
    st.sampled_from(
        [None, True, False, 1.5, float("inf"), float("nan"), [], {}, [[]], [{}], {"a": 1}]
    ),
)
Node = tuple[Any, Any]  # a collection and the key or index of a value in it


def nodes(data: Any) -> list[Node]:
    found: list[Node] = []
    stack = [data]
    while stack:
        value = stack.pop()
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        found += [(value, key) for key in keys]
        stack += [value[key] for key in keys if isinstance(value[key], dict | list)]
    return found


def mutate(data: Any, draw: st.DrawFn) -> None:
    """Change one thing somewhere in a position's data."""
    places = nodes(data)
    if not places:
        return
    place, key = draw(st.sampled_from(range(len(places))).map(places.__getitem__))
    value = place[key]
    kind = draw(st.sampled_from(["delete", "replace", "count", "swap", "copy", "key", "double"]))
    other, other_key = draw(st.sampled_from(range(len(places))).map(places.__getitem__))
    if kind == "delete":
        del place[key]
    elif kind == "count" and isinstance(value, int):
        place[key] = value + draw(st.integers(-3, 3))
    elif kind == "swap":
        place[key], other[other_key] = other[other_key], value
    elif kind == "copy":
        place[key] = other[other_key]
    elif kind == "key" and isinstance(place, dict):
        place[draw(st.sampled_from([*components.CELLS, *WORDS, 1, 7]))] = place.pop(key)
    elif kind == "double" and isinstance(place, list):
        place.insert(draw(st.integers(0, len(place))), value)
    else:
        place[key] = draw(VALUES)


class _Plain(yaml.SafeDumper):
    """Writes shared values out, and cuts off those that contain themselves."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written(data: Any, depth: int = 0) -> Any:
    """Return a copy without cycles."""
    if depth > 20:
        return None
    if isinstance(data, dict):
        return {key: written(value, depth + 1) for key, value in data.items()}
    if isinstance(data, list):
        return [written(value, depth + 1) for value in data]
    return data


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.one_of(st.just(EXAMPLE), played().map(Position.dump)))
    data = yaml.safe_load(text)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        mutate(data, draw)
        data = written(data)
    return yaml.dump(data, Dumper=_Plain, sort_keys=False, allow_unicode=True)


@given(mutated(), st.integers(0, 2**32))
@examples(260)
def test_a_mutated_position_is_refused_or_can_be_played_on(text: str, seed: int) -> None:
    position = load_or_refuse(text)
    if position is not None:
        check_playable(position, random.Random(seed), 4)


@given(mutated(), st.integers(0, 2**32))
@examples(15)
def test_a_mutated_position_that_is_accepted_can_be_played_to_the_end(text: str, seed: int) -> None:
    position = load_or_refuse(text)
    if position is not None:
        check_playable(position, random.Random(seed), 10_000)


# --- Actions


def apply_or_refuse(position: Position, text: str) -> Position | None:
    try:
        return position.apply(text)
    except ActionError as error:
        assert str(error)  # noqa: PT017 - either outcome is right
        return None


def possible_texts(position: Position) -> list[str]:
    """Return what may be typed in a position: the legal actions, or one roll or deal."""
    if position.to_move == "chance":
        return [position.sample_chance(1)]
    return [str(action) for action in position.actions()] or ["end"]


@given(played(), st.text(max_size=60))
@examples(100)
def test_any_typed_text_is_an_action_or_refused(position: Position, text: str) -> None:
    apply_or_refuse(position, text)


FRAGMENTS = st.one_of(
    st.sampled_from(
        [
            *(
                " ",
                ",",
                ";",
                ":",
                ">",
                "*",
                "-",
                "_",
                " discard ",
                " keep ",
                " then ",
                " from ",
                "white",
            ),
            *(
                "roll",
                "deal",
                "load 1",
                "with workers",
                "m",
                "monastery",
                "goat",
                "Anna",
                "7",
                "0",
                "²",
            ),
            *("٣", "1" * 5000, "red", "d4", "\0", "\ud800", "ß", "İ", "\n", ""),
        ]
    ),
    st.characters(),
)


@given(played(), st.data())
@examples(400)
def test_a_mistyped_action_roll_or_deal_is_applied_or_refused(
    position: Position, data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(possible_texts(position)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 6))
        text = text[:at] + data.draw(FRAGMENTS) + text[at + cut :]
    after = apply_or_refuse(position, text)
    if after is not None:
        check_sane(after)


@given(played(), st.data())
@examples(150)
def test_words_of_a_roll_or_deal_may_be_mixed_up_without_harm(
    position: Position, data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(possible_texts(position)))
    words = re.split(r"( |, |; )", text)
    at, to = (data.draw(st.integers(0, len(words) - 1)) for _ in range(2))
    words[at], words[to] = words[to], words[at]
    after = apply_or_refuse(position, "".join(words))
    if after is not None:
        check_sane(after)


# --- Round trips


@given(played())
@examples(150)
def test_a_dumped_position_loads_back_equal(position: Position) -> None:
    back = loads(position.dump())
    assert back == position
    assert hash(back) == hash(position)
    assert back.dump() == position.dump()
    assert back.actions() == position.actions()


@given(played(), st.randoms(use_true_random=False))
@examples(150)
def test_every_legal_action_is_read_back_in_any_case_and_with_any_blanks(
    position: Position, rng: random.Random
) -> None:
    actions = position.actions()
    for action in rng.sample(actions, min(6, len(actions))):
        typed = "".join(rng.choice((c.upper(), c)) for c in str(action))
        typed = re.sub(" ", lambda _: rng.choice((" ", "  ", "\t")), typed)
        typed = re.sub("([>,])", lambda m: rng.choice((f" {m[1]} ", m[1])), f"  {typed} ")
        after = position.apply(action)
        assert position.apply(str(action)) == after
        assert position.apply(typed) == after


@given(played(), st.randoms(use_true_random=False))
@examples(60)
def test_a_sampled_roll_or_deal_is_read_back_in_any_order(
    position: Position, rng: random.Random
) -> None:
    if position.to_move != "chance":
        return
    text = position.sample_chance(rng.getrandbits(32))
    after = position.apply(text)
    assert position.apply(f" {text.upper().replace(' ', '  ')} ") == after
    if position.stage == "deal":
        parts = text.removeprefix("deal ").split("; ")
        rng.shuffle(parts)
        assert position.apply("deal " + " ;".join(parts)) == after
    else:
        start, _, white = text.rpartition(" white ")
        assert position.apply(f"roll white {white} {start.removeprefix('roll ')}") == after
