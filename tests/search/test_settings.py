"""Tests of what a search may be told, and of the sentences for what it may not."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
from typing import Any

import pytest

import advisor
from advisor.search import settings
from advisor.search.settings import Settings, read_memory
from tests.search import FEW_ACTIONS, asked, shipped


def test_without_a_budget_a_search_thinks_five_seconds() -> None:
    assert Settings().thinking_time == settings.SECONDS == 5
    assert Settings(seconds=2).thinking_time == 2
    assert Settings(iterations=1).thinking_time is None


def test_by_default_every_core_has_a_thread() -> None:
    assert Settings().workers == settings.cores() >= 1
    assert Settings(threads=3).workers == 3


def test_where_no_system_tells_the_cores_allowed_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 12)
    assert settings.cores() == 12
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert settings.cores() == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (123, 123),
        ("123", 123),
        ("1k", 1 << 10),
        ("512M", 512 << 20),
        ("512 MB", 512 << 20),
        ("1GiB", 1 << 30),
        (" 1.5 gib ", 3 << 29),
        ("2T", 2 << 40),
        ("7b", 7),
    ],
)
def test_memory_is_read_as_people_write_it(text: str | int, expected: int) -> None:
    assert read_memory(text) == expected


@pytest.mark.parametrize("text", ["", "much", "-1", "1.5.2G", "G", "1 GiG", "1e9", "nan", "0x10"])
def test_what_is_no_amount_of_memory_is_refused(text: str) -> None:
    with pytest.raises(advisor.SettingError, match="no amount of memory") as caught:
        read_memory(text)
    assert f"'{text}'" in str(caught.value)


def test_memory_must_suffice_for_every_thread() -> None:
    assert Settings(memory="2M", threads=2).bytes == 2 << 20
    with pytest.raises(advisor.SettingError, match="at least 3 MiB"):
        Settings(memory="2M", threads=3)
    with pytest.raises(advisor.SettingError, match="too few for 1 thread; give at least 1 MiB"):
        Settings(memory=-5, threads=1)


@pytest.mark.parametrize("memory", ["99999999T", "9" * 400, 10**30])
def test_more_memory_than_any_machine_has_is_granted_or_refused_in_a_sentence(
    memory: int | str,
) -> None:
    position = shipped(FEW_ACTIONS)
    with contextlib.suppress(advisor.SettingError):
        advice = asked(position, iterations=100, memory=memory)
        assert len(advice.actions) == len(position.actions())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seconds": 0}, "0 seconds; ask for more than 0"),
        ({"seconds": -1.5}, "-1.5 seconds"),
        ({"seconds": math.nan}, "nan seconds"),
        ({"seconds": math.inf}, "inf seconds"),
        ({"seconds": 1e9}, "at most 10,800"),
        ({"iterations": 0}, "0 iterations; ask for 1 to"),
        ({"iterations": -7}, "-7 iterations"),
        ({"iterations": 10**15}, "1,000,000,000,000,000 iterations"),
        ({"iterations": 5, "seconds": 5}, "give one of them"),
        ({"threads": 0}, "0 threads; ask for 1 to 256"),
        ({"threads": -1}, "-1 threads"),
        ({"threads": 100_000}, "100000 threads"),
        ({"objective": "glory"}, "no objective is called 'glory'; the objectives are win, margin"),
        ({"indifference": -1}, "an indifference of -1 points"),
        ({"indifference": math.nan}, "an indifference of nan points"),
        ({"indifference": math.inf}, "an indifference of inf points"),
        ({"memory": "1K"}, "1,024 bytes of memory are too few"),
        ({"memory": "lots"}, "'lots' is no amount of memory"),
    ],
)
def test_a_setting_out_of_bounds_is_refused_in_a_sentence(
    wrong: dict[str, Any], sentence: str
) -> None:
    for call in (Settings, lambda **kw: advisor.suggest(shipped(FEW_ACTIONS), **kw)):
        with pytest.raises(advisor.SettingError) as caught:
            call(**wrong)
        assert sentence in str(caught.value)


def test_a_setting_nobody_knows_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="secnods"):
        advisor.suggest(shipped(FEW_ACTIONS), secnods=5)


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().seconds = 3  # type: ignore[misc]


def test_more_threads_than_cores_get_a_note_and_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.search.engine.cores", lambda: 2)
    advice = asked(shipped(FEW_ACTIONS), iterations=500, threads=5)
    assert advice.threads == 5
    assert advice.notes == ("5 threads share 2 cores: more threads than cores do not think faster",)
    assert len(advice.actions) == len(shipped(FEW_ACTIONS).actions())
    assert asked(shipped(FEW_ACTIONS), iterations=500, threads=2).notes == ()


@pytest.mark.parametrize("seed", [0, -5, 2**64, 10**40])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    advice = asked(shipped(FEW_ACTIONS), iterations=300, seed=seed)
    assert advice.seed == seed
    assert advice.to_dict() == asked(shipped(FEW_ACTIONS), iterations=300, seed=seed).to_dict()
