"""Agents by name: what a text means, what it may not mean, and classes of the user's own."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from advisor import agents
from advisor.agents.spec import AgentError, parse, parse_all
from advisor.errors import AdvisorError, SettingError


class First:
    """Always the first legal action; has an option of every kind."""

    def __init__(
        self,
        depth: int = 3,
        share: float = 0.5,
        brave: bool = False,
        name: str = "x",
        least: float | None = None,
        table: tuple[int, ...] = (1, 2),
    ) -> None:
        self.options = (depth, share, brave, name, least, table)

    def decide(self, position: Any, luck: Any) -> Any:
        return position.actions()[0]


class Demanding:
    def __init__(self, *, level: int, point: Point | None = None) -> None:
        self.level = level

    def decide(self, position: Any, luck: Any) -> Any:
        return position.actions()[0]


class Point:
    """No number, although its name ends like one."""


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no weights")

    def decide(self, position: Any, luck: Any) -> Any:
        return None


class NoAgent:
    pass


A_FUNCTION = len


def test_a_name_alone_means_the_agent_with_its_defaults() -> None:
    for name in ("random", "greedy", "ismcts"):
        spec = parse(name)
        assert (spec.label, spec.name) == (name, name)
        assert spec.in_kernel
        assert spec.repeatable
        assert name in agents.names()
    assert parse("ismcts").options["iterations"] is None


def test_options_are_read_and_completed_by_the_defaults() -> None:
    spec = parse("ismcts:iterations=2000,c=0.5")
    assert spec.label == "ismcts:iterations=2000,c=0.5"
    assert spec.options == parse("ismcts").options | {"iterations": 2000, "c": 0.5}
    assert {"iterations", "seconds", "c", "scale", "playouts", "objective"} <= spec.options.keys()
    assert json.loads(json.dumps(spec.options)) == spec.options


@pytest.mark.parametrize(
    "text",
    ["ismcts:iterations=2000", " ismcts : iterations = 2_000 ", "ismcts:iterations=2000,"],
)
def test_blanks_and_underscores_do_not_matter(text: str) -> None:
    assert parse(text).label == "ismcts:iterations=2000"
    assert parse(text).options["iterations"] == 2000


def test_an_agent_that_looks_at_the_clock_cannot_be_repeated() -> None:
    assert not parse("ismcts:seconds=0.2").repeatable
    assert parse("ismcts:iterations=2").repeatable


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gredy", r"no agent is called 'gredy'; did you mean 'greedy'\? the agents are random"),
        ("", r"no agent is called ''; the agents are random, greedy"),
        ("random:depth=3", r"agent random has no option 'depth'; it has none"),
        ("ismcts:iteration=3", r"no option 'iteration'; did you mean 'iterations'\? its options"),
        ("ismcts:zzz=3", r"no option 'zzz'; its options are iterations, seconds"),
        ("ismcts:iterations", r"cannot read 'iterations'; write options as key=value"),
        ("ismcts:iterations=", r"cannot read 'iterations='; write options as key=value"),
        ("ismcts:iterations=many", r"iterations=many is not possible; give a whole number"),
        ("ismcts:iterations=1.5", r"iterations=1.5 is not possible; give a whole number"),
        ("ismcts:c=big", r"c=big is not possible; give a number"),
        ("ismcts:c=nan", r"c=nan is not possible; give a number"),
        ("ismcts:c=inf", r"c=inf is not possible; give a number"),
        ("ismcts:c=1,c=2", r"option c is given twice; give it once"),
        ("ismcts:c=-1", r"c must not be negative"),
        ("ismcts:scale=0", r"scale must be above 0"),
        ("ismcts:iterations=0", r"0 iterations; give 1 to"),
        ("ismcts:seconds=0", r"0 seconds; give more than 0"),
        ("ismcts:seconds=-1", r"-1 seconds; give more than 0"),
        ("ismcts:iterations=5,seconds=1", r"iterations and seconds; give one of them"),
        ("ismcts:playouts=clever", r"no policy 'clever'; its policies are uniform, greedy"),
        ("ismcts:objective=fame", r"no objective 'fame'; the objectives are margin, score"),
        ("ismcts:memory=1K", r"memory=1K; give 1M to 64T"),
        ("ismcts:memory=lots", r"lots"),
        ("no_such_module.Agent", r"no_such_module.Agent cannot be imported: ModuleNotFoundError"),
        ("tests.agents.test_spec.Nobody", r"cannot be imported: AttributeError"),
        ("tests.agents.test_spec.A_FUNCTION", r"A_FUNCTION is no class; an agent is a class"),
        ("tests.agents.test_spec.NoAgent", r"NoAgent is no agent: it has no method decide"),
        (
            "tests.agents.test_spec.First:brave=maybe",
            r"brave=maybe is not possible; give yes or no",
        ),
        ("tests.agents.test_spec.Demanding", r"needs the option level; write level=\.\.\."),
    ],
)
def test_a_wrong_spelling_gets_a_sentence_that_says_what_would_be_right(
    text: str, sentence: str
) -> None:
    with pytest.raises(AdvisorError, match=sentence):
        parse(text)


def test_what_is_no_agent_at_all_is_refused() -> None:
    with pytest.raises(SettingError, match="17 is no agent; give a text such as 'greedy'"):
        parse(17)
    with pytest.raises(AgentError, match="NoAgent is no agent: it has no method decide"):
        parse(NoAgent)
    with pytest.raises(SettingError, match="is no agent; give a text"):
        parse(NoAgent())


def test_equal_agents_get_labels_that_tell_them_apart() -> None:
    listed = ["greedy", "greedy", First, First(), "ismcts:c=0.7", "greedy", "ismcts:c=0.70"]
    labels = [spec.label for spec in parse_all(listed)]
    assert labels == [
        "greedy",
        "greedy (2)",
        "First",
        "First (2)",
        "ismcts:c=0.7",
        "greedy (3)",
        "ismcts:c=0.7 (2)",
    ]


def test_a_class_by_its_dotted_path_takes_options_of_every_kind() -> None:
    spec = parse("tests.agents.test_spec.First:depth=7,brave=yes,name=Anna,least=2.5")
    assert spec.options == {
        "depth": 7,
        "share": 0.5,
        "brave": True,
        "name": "Anna",
        "least": 2.5,
    }
    assert spec.label == "tests.agents.test_spec.First:depth=7,brave=yes,name=Anna,least=2.5"
    assert not spec.in_kernel
    made = spec.maker(**spec.options)
    assert made.options == (7, 0.5, True, "Anna", 2.5, (1, 2))


def test_an_option_that_no_text_can_give_is_none() -> None:
    """A default such as a tuple is the class's own affair; results must be writable as JSON."""
    assert "table" not in parse(First).options
    assert json.dumps(parse(First).options)


def test_the_kind_of_an_option_is_a_whole_word_of_its_annotation() -> None:
    spec = parse("tests.agents.test_spec.Demanding:level=3,point=abc")
    assert spec.options == {"level": 3, "point": "abc"}


def test_a_class_that_cannot_be_made_says_why() -> None:
    with pytest.raises(AgentError, match="agent Broken cannot be made: RuntimeError: no weights"):
        parse(Broken).make("burgundy")


def test_an_agent_with_its_options_survives_the_way_to_another_process() -> None:
    for agent in ("ismcts:iterations=7", "tests.agents.test_spec.First:depth=2", First):
        spec = parse(agent)
        assert pickle.loads(pickle.dumps(spec)) == spec


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a tiny distribution that offers agents, and return the name of its module."""
    (tmp_path / "lone_wolf.py").write_text(
        "class Wolf:\n"
        "    def __init__(self, hunger: int = 1):\n"
        "        self.hunger = hunger\n"
        "    def decide(self, position, luck):\n"
        "        return position.actions()[-self.hunger]\n",
        encoding="utf-8",
    )
    info = tmp_path / "lone_wolf-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lone-wolf\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[advisor.agents]\nwolf = lone_wolf:Wolf\nghost = lone_wolf:Ghost\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lone_wolf", raising=False)
    return "lone_wolf"


def test_an_entry_point_is_an_agent_by_its_name(installed: str) -> None:
    assert {"wolf", "ghost"} <= set(agents.names())
    spec = parse("wolf:hunger=1")
    assert (spec.label, spec.options) == ("wolf:hunger=1", {"hunger": 1})
    with pytest.raises(SettingError, match="did you mean 'wolf'"):
        parse("wolff")
    with pytest.raises(SettingError, match="agent wolf has no option 'thirst'; its options are"):
        parse("wolf:thirst=2")
    with pytest.raises(AgentError, match="agent ghost cannot be imported: AttributeError"):
        parse("ghost")


@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_agents_of_the_users_own_play_matches_in_threads_and_in_processes(
    installed: str, backend: Any
) -> None:
    from advisor.research.match import match

    class Local:
        """Made inside a function: no other process could import it."""

        def decide(self, position: Any, luck: Any) -> Any:
            return luck.choice(position.actions())

    listed = ["wolf", "lone_wolf.Wolf:hunger=1", Local, First(depth=9)]
    frame = match(listed, players=4, games=4, jobs=2, backend=backend, seed=4)
    labels = ["wolf", "lone_wolf.Wolf:hunger=1", "Local", "First"]
    assert sorted(frame["agent"]) == sorted(4 * labels)
    assert frame.group_by("agent", "seat").len()["len"].to_list() == [1] * 16
    assert frame["decisions"].min() > 50
