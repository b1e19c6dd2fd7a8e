"""The net: its arithmetic, the order of its numbers, and how it learns."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from advisor.learning._lessons import Lessons, self_play
from advisor.learning._net import Net
from advisor.learning._planner import Planner
from advisor.learning._trainer import Trainer
from advisor.learning._value import Value
from tests.learning import (
    CHANCE,
    FIRST,
    GREEDY,
    OVER,
    random_net,
    table,
    turn_starts,
    zero_net,
)

SECOND = 32
TRAITS, CHAPTERS = 20, 3
SUM_SCALE, SECOND_SCALE, MOST = 256, 1024, 16_383
"""Of the whole numbers that a net judges by: sums go by 1/256 up to 64, weights by 1/1024."""


def layers(numbers: NDArray[Any], traits: int, chapters: int) -> dict[str, NDArray[Any]]:
    """Return the layers of a net as views of its numbers, in the order of the file."""
    shapes = {
        "rows": (traits, FIRST),
        "bias": (FIRST,),
        "second": (chapters, SECOND, FIRST),
        "second_bias": (chapters, SECOND),
        "last": (chapters, SECOND),
        "last_bias": (chapters,),
    }
    found, at = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        found[name] = numbers[at : at + size].reshape(shape)
        at += size
    assert at == numbers.size
    return found


def literal(numbers: NDArray[Any], traits: list[int], chapter: int) -> tuple[float, float]:
    """Return the judgement in double precision, and how far rounding may lead away from it.

    A row is off by half a step, and there are as many as traits, and the bias; the second layer's
    weights are off by half a step of their own, or all but a whole one.
    """
    w = layers(numbers.astype(np.float64), TRAITS, CHAPTERS)
    first = w["bias"] + sum((w["rows"][trait] for trait in traits), np.zeros(FIRST))
    first = np.maximum(first, 0)
    second = w["second"][chapter] @ first + w["second_bias"][chapter]
    last = w["last"][chapter]
    apart = (len(traits) + 1) * 0.5 / SUM_SCALE
    off = np.abs(w["second"][chapter]).sum(axis=1) * apart + (first + apart).sum() / SECOND_SCALE
    judged = float(last @ np.maximum(second, 0) + w["last_bias"][chapter])
    return judged, float(np.abs(last) @ off)


def rounded(number: float, scale: int) -> int:
    return round(float(number) * scale)  # halves to even


def in_whole_numbers(numbers: NDArray[Any], traits: list[int], chapter: int) -> float:
    """Return the judgement by the rounded weights, in Python's whole numbers of any size."""
    w = layers(numbers, TRAITS, CHAPTERS)

    def row(values: NDArray[Any]) -> list[int]:
        return [min(max(rounded(value, SUM_SCALE), -MOST), MOST) for value in values]

    held = [row(w["bias"]), *(row(w["rows"][trait]) for trait in traits)]
    first = [min(max(sum(column), 0), MOST) for column in zip(*held, strict=True)]
    result = float(w["last_bias"][chapter])
    for unit in range(SECOND):
        weights = [rounded(value, SECOND_SCALE) for value in w["second"][chapter, unit]]
        heavy = max(1.0, sum(map(abs, weights)) * MOST / (2**31 - 1))
        weights = [int(weight / heavy) for weight in weights]
        assert sum(map(abs, weights)) * MOST < 2**31
        products = sum(a * b for a, b in zip(first, weights, strict=True))
        heard = float(w["second_bias"][chapter, unit]) + products / (SUM_SCALE * SECOND_SCALE)
        result += max(heard, 0.0) * float(w["last"][chapter, unit])
    return result


def some_numbers(seed: int) -> NDArray[np.float32]:
    """Return the numbers of some net; its first row is zero, as in every net."""
    size = Net(TRAITS, CHAPTERS).numbers.size
    numbers = np.random.default_rng(seed).normal(0, 0.3, size).astype(np.float32)
    numbers[:FIRST] = 0
    return numbers


# --- Judgement


@pytest.mark.parametrize("seed", range(5))
def test_the_judgement_is_the_literal_sum_of_products(seed: int) -> None:
    numbers = some_numbers(seed)
    net = Net(TRAITS, CHAPTERS, numbers=numbers)
    rng = random.Random(seed)
    for count in (0, 1, 2, 7, 20, 60):
        traits = [rng.randrange(TRAITS) for _ in range(count)]
        for chapter in range(CHAPTERS):
            judged = net(np.array(traits, np.uint16), chapter)
            exact = in_whole_numbers(numbers, traits, chapter)
            assert judged == pytest.approx(exact, rel=1e-4, abs=1e-3)
            wanted, apart = literal(numbers, traits, chapter)
            assert judged == pytest.approx(wanted, rel=1e-4, abs=apart + 1e-3)


def test_rounding_takes_away_little() -> None:
    """Nets as they are learnt, and as many traits as a seat has: hundredths of a point."""
    rng = random.Random(1)
    net = Net(TRAITS, CHAPTERS, seed=2)
    for count in (1, 40, 150):
        for _ in range(20):
            traits = [rng.randrange(TRAITS) for _ in range(count)]
            wanted, _ = literal(net.numbers, traits, 0)
            assert net(np.array(traits, np.uint16), 0) == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize("scale", [30.0, 1e3, 1e6])
@pytest.mark.parametrize("part", ["second", "second_bias", "last", "last_bias"])
def test_huge_weights_of_the_last_layers_do_not_overflow(part: str, scale: float) -> None:
    numbers = some_numbers(7)
    layers(numbers, TRAITS, CHAPTERS)["bias"][:] += 20  # much is handed on
    layers(numbers, TRAITS, CHAPTERS)[part][:] *= scale
    net = Net(TRAITS, CHAPTERS, numbers=numbers)
    rng = random.Random(8)
    for count in (0, 1, 5, 30):
        traits = [rng.randrange(TRAITS) for _ in range(count)]
        for chapter in range(CHAPTERS):
            judged = net(np.array(traits, np.uint16), chapter)
            exact = in_whole_numbers(numbers, traits, chapter)
            assert judged == pytest.approx(exact, rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("sign", [-1, 1])
def test_weights_all_of_one_sign_hand_on_the_most_there_is(sign: int) -> None:
    """Every product is as great as it can be, and all add up."""
    numbers = np.full(Net(TRAITS, CHAPTERS).numbers.size, 1e3, np.float32)
    numbers[:FIRST] = 0
    w = layers(numbers, TRAITS, CHAPTERS)
    w["second"][:] *= sign
    w["last"][:] = w["last_bias"][:] = w["second_bias"][:] = 1
    net = Net(TRAITS, CHAPTERS, numbers=numbers)
    for traits in ([], [3]):
        exact = in_whole_numbers(numbers, traits, 1)
        assert net(np.array(traits, np.uint16), 1) == pytest.approx(exact, rel=1e-4)
        assert exact > 10**5 if sign > 0 else exact == 1


def test_a_row_beyond_what_can_be_written_is_cut_off() -> None:
    numbers = some_numbers(9)
    layers(numbers, TRAITS, CHAPTERS)["rows"][1:] *= 1e4
    net = Net(TRAITS, CHAPTERS, numbers=numbers)
    for trait in range(1, TRAITS):
        judged = net(np.array([trait], np.uint16), 0)
        assert judged == pytest.approx(in_whole_numbers(numbers, [trait], 0), rel=1e-4, abs=1e-2)


def test_sums_beyond_the_bounds_wrap_around_alike_in_every_order() -> None:
    """Rows are bounded, sums of many great ones are not; `test_model.py` looks at real ones."""
    numbers = some_numbers(9)
    layers(numbers, TRAITS, CHAPTERS)["rows"][1:] *= 300
    net = Net(TRAITS, CHAPTERS, numbers=numbers)
    judged = {
        net(np.array(traits, np.uint16), 0) for traits in itertools.permutations([1, 2, 3, 4])
    }
    assert len(judged) == 1
    assert np.isfinite(judged.pop())


def test_a_net_judges_by_its_weights_as_they_were_last_rounded() -> None:
    net = Net(TRAITS, CHAPTERS, numbers=some_numbers(5))
    traits = np.array([2, 5, 6], np.uint16)
    before = net(traits, 2)
    net.numbers[FIRST : TRAITS * FIRST] *= 2
    assert net(traits, 2) == before
    net.round()
    after = Net(TRAITS, CHAPTERS, numbers=net.numbers.copy())(traits, 2)
    assert net(traits, 2) == after != before


def test_a_copy_says_the_same_and_learns_apart() -> None:
    net = Net(TRAITS, CHAPTERS, numbers=some_numbers(6))
    copy = net.copy()
    assert (copy.traits, copy.chapters) == (TRAITS, CHAPTERS)
    assert copy.numbers.tobytes() == net.numbers.tobytes()
    traits = np.array([1, 8], np.uint16)
    before = net(traits, 0)
    assert copy(traits, 0) == before
    net.numbers[FIRST:] *= 3
    net.round()
    assert net(traits, 0) != before
    assert copy(traits, 0) == before


def test_the_trait_0_says_nothing() -> None:
    net = Net(TRAITS, CHAPTERS, seed=3)
    assert not layers(net.numbers, TRAITS, CHAPTERS)["rows"][0].any()
    assert layers(net.numbers, TRAITS, CHAPTERS)["rows"][1:].any(axis=1).all()
    for traits in ([], [4], [4, 9, 9]):
        said, more = (np.array(traits + [0] * n, np.uint16) for n in (0, 5))
        assert net(said, 1) == net(more, 1)


def test_the_order_of_the_traits_does_not_matter() -> None:
    net = Net(TRAITS, CHAPTERS, numbers=some_numbers(1))
    traits = np.array([3, 1, 19, 7], np.uint16)
    assert net(traits, 0) == net(traits[::-1].copy(), 0)  # whole numbers: to the last digit


def test_a_trait_moves_the_judgement_by_its_own_row_only() -> None:
    numbers = some_numbers(2)
    traits = np.array([4, 9], np.uint16)
    before = Net(TRAITS, CHAPTERS, numbers=numbers)(traits, 1)
    for row in range(TRAITS):
        changed = numbers.copy()
        layers(changed, TRAITS, CHAPTERS)["rows"][row] += 0.5
        moved = Net(TRAITS, CHAPTERS, numbers=changed)(traits, 1) != before
        assert moved == (row in (4, 9))


def test_chapters_have_last_layers_of_their_own() -> None:
    numbers = some_numbers(3)
    traits = np.array([1, 2, 3], np.uint16)
    before = [Net(TRAITS, CHAPTERS, numbers=numbers)(traits, c) for c in range(CHAPTERS)]
    for name in ("second", "second_bias", "last", "last_bias"):
        changed = numbers.copy()
        layers(changed, TRAITS, CHAPTERS)[name][1] += 0.5
        after = [Net(TRAITS, CHAPTERS, numbers=changed)(traits, c) for c in range(CHAPTERS)]
        assert [a != b for a, b in zip(after, before, strict=True)] == [False, True, False], name


def test_a_new_net_is_the_same_for_the_same_seed_and_in_all_chapters() -> None:
    net = Net(TRAITS, CHAPTERS, seed=4)
    assert net.numbers.tobytes() == Net(TRAITS, CHAPTERS, seed=4).numbers.tobytes()
    assert net.numbers.tobytes() != Net(TRAITS, CHAPTERS, seed=5).numbers.tobytes()
    traits = np.arange(TRAITS, dtype=np.uint16)
    assert len({net(traits, chapter) for chapter in range(CHAPTERS)}) == 1


@pytest.mark.parametrize("change", [-1, 1])
def test_numbers_of_another_net_are_refused(change: int) -> None:
    size = Net(TRAITS, CHAPTERS).numbers.size
    with pytest.raises(ValueError, match=f"a net of 20 traits has {size} numbers"):
        Net(TRAITS, CHAPTERS, numbers=np.zeros(size + change, np.float32))
    with pytest.raises(ValueError, match="a net of 20 traits"):
        Net(TRAITS, CHAPTERS, numbers=np.zeros((1, size), np.float32))


def test_traits_and_chapters_beyond_the_net_are_refused() -> None:
    net = Net(TRAITS, CHAPTERS)
    with pytest.raises(IndexError, match="trait"):
        net(np.array([3, TRAITS], np.uint16), 0)
    for chapter in (-1, CHAPTERS):
        with pytest.raises(IndexError, match="chapter"):
            net(np.array([3], np.uint16), chapter)


# --- Lessons


def play(
    rules: Any,
    starts: list[bytes],
    *,
    net: Net | None = None,
    own_score: bool = False,
    **settings: Any,
) -> tuple[Lessons, NDArray[Any], NDArray[Any]]:
    """Return the lessons, the scores and the errors by chance events of games from some starts."""
    lessons, errors = Lessons(), np.zeros((2, 64))
    scores = np.zeros((len(starts), rules.players))
    given = {"temperature": 0.0, "trace": 1.0, "width": 4, "limit": 50, "policy": GREEDY}
    self_play(
        Planner(rules, Value(rules, net or zero_net(rules), own_score=own_score), 50),
        lessons,
        starts=np.frombuffer(b"".join(starts), np.uint8).reshape(len(starts), -1),
        worlds=np.arange(7, 7 + len(starts), dtype=np.uint64),
        scores=scores,
        squares=errors[0],
        cases=errors[1],
        **(given | settings),
    )
    return lessons, scores, errors


def greedy_turns(rules: Any, state: bytes, world: int) -> Iterator[bytes]:
    """Yield the state after every turn of a greedy game, the last one being its end."""
    while (mover := rules.to_move(state)) != OVER:
        if mover == CHANCE:
            state = rules.chance(state, world)
            continue
        while rules.to_move(state) == mover:
            state = rules.apply(state, rules.choose(state, GREEDY, 0))
        yield state


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("trace", [1.0, 0.6])
def test_a_target_is_what_came_later_beyond_the_certain_points(players: int, trace: float) -> None:
    """The zero net thinks that nothing is to come, so its error is the target itself."""
    position = table(random.Random(players), players)
    rules = position.rules
    lessons, scores, errors = play(rules, [position.packed], trace=trace)
    *turns, end = greedy_turns(rules, position.packed, 7)
    final = rules.returns(end)[0]
    assert scores.tolist() == [final]
    assert lessons.count == len(turns) * players
    squares, cases = np.zeros(64), np.zeros(64)
    total = 0.0
    for seat in range(players):
        target = final[seat]
        for state in reversed(turns):
            sure = rules.certain(state, seat)
            total += (target - sure) ** 2
            target = trace * target + (1 - trace) * sure
    for state in turns:
        thought = [rules.certain(state, seat) for seat in range(players)]
        for one, other in itertools.combinations(range(players), 2):
            apart = final[one] - final[other] - (thought[one] - thought[other])
            squares[rules.chances(state)] += apart**2
            cases[rules.chances(state)] += 1
    found = Trainer(zero_net(rules)).error(lessons)
    assert found == pytest.approx(total / lessons.count, rel=1e-5)
    assert errors[0] == pytest.approx(squares)
    assert errors[1].tolist() == cases.tolist()


def test_the_same_luck_teaches_the_same_and_another_luck_something_else() -> None:
    position = table(random.Random(5), 2)
    rules = position.rules
    net = random_net(rules)
    results = []
    for temperature in (2.0, 2.0, 0.0):
        lessons, scores, _ = play(
            rules, [position.packed] * 2, net=net, policy=-1, temperature=temperature, trace=0.8
        )
        results.append((lessons.count, scores.tolist(), Trainer(net).error(lessons)))
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_lessons_are_joined_without_loss() -> None:
    position = table(random.Random(6), 2)
    net = random_net(position.rules)
    first, _, _ = play(position.rules, [position.packed], net=net)
    second, _, _ = play(position.rules, [position.packed] * 3, net=net)
    trainer, together = Trainer(net), Lessons()
    for part in (first, Lessons(), second):
        together.extend(part)
    assert together.count == first.count + second.count
    total = first.count * trainer.error(first) + second.count * trainer.error(second)
    assert trainer.error(together) == pytest.approx(total / together.count)
    alone = trainer.error(together, last=first.count / together.count)
    assert alone == pytest.approx(trainer.error(first))


def constant_net(rules: Any, *, always: float = 0.0, own_score: float = 0.0) -> Net:
    """Return a net that adds a constant, and another one where everybody plays for his points."""
    numbers = zero_net(rules).numbers
    w = layers(numbers, rules.traits + 1, rules.chapters)
    w["rows"][rules.traits, 0] = own_score
    w["second"][:, 0, 0] = w["last"][:, 0] = 1
    w["last_bias"][:] = always
    return Net(rules.traits + 1, rules.chapters, numbers=numbers)


def test_lessons_of_games_for_own_points_say_so() -> None:
    """The greedy player plays the same game either way; only what is written down differs."""
    position = table(random.Random(10), 3)
    rules = position.rules
    plain, own = (play(rules, [position.packed] * 2, own_score=own)[0] for own in (False, True))
    assert plain.count == own.count > 0
    trained = constant_net(rules, own_score=20.0)
    assert Trainer(trained).error(plain) == Trainer(zero_net(rules)).error(plain)
    shifted = Trainer(constant_net(rules, always=20.0)).error(plain)
    assert Trainer(trained).error(own) == pytest.approx(shifted)
    assert shifted != Trainer(trained).error(plain)


def test_who_plays_for_his_own_points_plays_other_games() -> None:
    position = table(random.Random(11), 2)
    rules = position.rules
    net = random_net(rules)
    scores = [
        play(rules, [position.packed] * 4, net=net, policy=-1, own_score=own)[1].tolist()
        for own in (False, True, True)
    ]
    assert scores[0] != scores[1] == scores[2]


def test_arrays_that_do_not_fit_the_games_are_refused() -> None:
    position = table(random.Random(7), 2)
    rules = position.rules
    planner = Planner(rules, Value(rules, zero_net(rules)), 50)
    good: dict[str, Any] = {
        "starts": np.frombuffer(position.packed, np.uint8).reshape(1, -1),
        "worlds": np.ones(1, np.uint64),
        "scores": np.zeros((1, 2)),
        "squares": np.zeros(64),
        "cases": np.zeros(64),
    }
    given: dict[str, Any] = {"temperature": 0.0, "trace": 1.0, "width": 4, "limit": 50, "policy": 1}
    for name, wrong, words in (
        ("starts", np.zeros((1, 8), np.uint8), "starts do not fit"),
        ("worlds", np.ones(2, np.uint64), "starts do not fit"),
        ("scores", np.zeros((1, 3)), "a column for each seat"),
        ("cases", np.zeros(63), "differ in length"),
    ):
        with pytest.raises(ValueError, match=words):
            self_play(planner, Lessons(), **given, **(good | {name: wrong}))


# --- Learning


@pytest.fixture(scope="module")
def school() -> tuple[Any, Lessons]:
    """Return the rules and lessons of some greedy games."""
    position = table(random.Random(8), 2)
    return position.rules, play(position.rules, [position.packed] * 60)[0]


def test_the_error_falls_on_what_was_learnt_and_on_what_was_held_back(school: Any) -> None:
    rules, lessons = school
    trainer = Trainer(Net(rules.traits + 1, rules.chapters, seed=1))
    before = trainer.error(lessons, first=0.8)
    learnt = [trainer.learn(lessons, rate=1e-3, seed=number, last=0.8) for number in range(4)]
    assert learnt[-1] < learnt[0] / 2
    assert trainer.error(lessons, first=0.8) < before / 4
    assert np.isfinite(trainer.net.numbers).all()


def test_the_row_of_nothing_stays_zero_and_the_others_are_rounded_anew(school: Any) -> None:
    rules, lessons = school
    net = Net(rules.traits + 1, rules.chapters, seed=1)
    before = net.numbers.copy()
    traits = np.arange(1, rules.traits, 40, dtype=np.uint16)
    judged = net(traits, 0)
    Trainer(net).learn(lessons, rate=1e-3, seed=1)
    moved = layers(net.numbers - before, rules.traits + 1, rules.chapters)["rows"]
    assert not net.numbers[:FIRST].any()
    assert np.abs(moved).any(axis=1).sum() > 500
    assert not moved[rules.traits].any()  # nobody played for his own points
    again = Net(rules.traits + 1, rules.chapters, numbers=net.numbers.copy())
    assert net(traits, 0) == again(traits, 0) != judged
    own, _, _ = play(rules, [table(random.Random(8), 2).packed], net=net, own_score=True, policy=-1)
    Trainer(net).learn(own, rate=1e-3, seed=1)
    moved = layers(net.numbers - again.numbers, rules.traits + 1, rules.chapters)["rows"]
    assert moved[rules.traits].any()
    assert not net.numbers[:FIRST].any()


def test_a_step_of_nothing_changes_nothing(school: Any) -> None:
    rules, lessons = school
    net = Net(rules.traits + 1, rules.chapters, seed=1)
    before = net.numbers.tobytes()
    trainer = Trainer(net)
    error = trainer.learn(lessons, rate=0.0, seed=1)
    assert error == pytest.approx(trainer.error(lessons))
    assert net.numbers.tobytes() == before


def test_the_same_seed_learns_the_same(school: Any) -> None:
    rules, lessons = school
    nets = []
    for seed in (3, 3, 4):
        net = Net(rules.traits + 1, rules.chapters, seed=1)
        Trainer(net).learn(lessons, rate=1e-3, seed=seed, last=0.2)
        nets.append(net.numbers.tobytes())
    assert nets[0] == nets[1] != nets[2]


def test_wild_steps_stay_finite(school: Any) -> None:
    """Errors beyond what is usual do not make the steps longer."""
    rules, lessons = school
    net = Net(rules.traits + 1, rules.chapters, seed=1)
    net.numbers[:] *= 30
    trainer = Trainer(net)
    first = trainer.learn(lessons, rate=1e-3, seed=1)
    assert trainer.learn(lessons, rate=1e-3, seed=2) < first
    assert np.isfinite(net.numbers).all()


def test_nothing_is_learnt_from_nothing(school: Any) -> None:
    rules, _ = school
    trainer = Trainer(Net(rules.traits + 1, rules.chapters))
    assert trainer.learn(Lessons(), rate=1e-3, seed=1) == trainer.error(Lessons()) == 0


def alike(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the cosine of the angle between two vectors."""
    return float(first.ravel() @ second.ravel() / np.linalg.norm(first) / np.linalg.norm(second))


def test_a_step_goes_down_the_slope_row_by_row() -> None:
    """Steps are scaled row by row, so within a row they are proportional to the measured slope."""
    position = table(random.Random(9), 2)
    rules = position.rules
    late = turn_starts(rules, position.packed, random.Random(1))[-2]
    net = random_net(rules, seed=3)  # none of whose units is about to fall silent here
    lessons, _, _ = play(rules, [late], net=net)
    assert lessons.count == 2
    numbers = net.numbers.copy()
    trainer = Trainer(net)

    def error() -> float:
        return trainer.error(lessons, last=0.5)

    before = error()
    trainer.learn(lessons, rate=1e-5, seed=1, last=0.5)
    assert error() < before
    moved = layers(net.numbers.astype(np.float64) - numbers, rules.traits + 1, rules.chapters)
    net.numbers[:] = numbers
    chapter = rules.chapters - 1
    weights = layers(net.numbers, rules.traits + 1, rules.chapters)

    def slope(part: NDArray[Any]) -> NDArray[Any]:
        """Measure how the error changes with each number of a part of the net."""
        found = np.zeros(part.size)
        flat = part.reshape(-1)
        assert np.shares_memory(flat, net.numbers)
        for i, number in enumerate(flat.tolist()):
            flat[i] = number + 3e-3
            above = error()
            flat[i] = number - 3e-3
            found[i] = (above - error()) / 6e-3
            flat[i] = number
        return found

    held = np.flatnonzero(np.abs(moved["rows"]).sum(axis=1))
    assert 20 < len(held) < 192 * 2
    for row in held[:: len(held) // 4]:
        assert alike(-moved["rows"][row], slope(weights["rows"][row])) > 0.98
    absent = np.setdiff1d(np.arange(rules.traits + 1), held)[::500]
    assert all(not slope(weights["rows"][row]).any() for row in absent)
    assert alike(-moved["bias"], slope(weights["bias"])) > 0.98
    heard = 0
    for unit in range(SECOND):
        found = slope(weights["second"][chapter, unit])
        if not found.any():
            assert not moved["second"][chapter, unit].any()
            continue
        heard += 1
        assert alike(-moved["second"][chapter, unit], found) > 0.98
        for name in ("second_bias", "last"):
            one = slope(weights[name][chapter, unit : unit + 1])
            assert np.sign(one[0]) == -np.sign(moved[name][chapter, unit]), name
    assert heard > 2
    assert np.sign(slope(weights["last_bias"][chapter : chapter + 1])[0]) == -np.sign(
        moved["last_bias"][chapter]
    )
    others = [name for name in moved if name not in ("rows", "bias")]
    assert all(not moved[name][:chapter].any() for name in others)
