"""Study files: what varies, what is measured, how many games, which agents.

Owns the grammar of the YAML, its checks and the shipped files. Every fault is told with its place:
`file:line:column: where: what; what would be right`. Knows no game: settings and columns are asked
from the game's module before the first game is played.
"""

from __future__ import annotations

import difflib
import inspect
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from advisor.agents.spec import parse as parse_agent
from advisor.core import documents, registry
from advisor.core.documents import Document, Path_
from advisor.errors import AdvisorError, PositionError, Problem, SettingError
from advisor.research.noting import EVENT, FIRST_TURN, Notes
from advisor.research.plan import MOST_GAMES, make_plan
from advisor.research.study_model import MEASURE, WIN, Combination, FigureSpec, Study, Table
from advisor.research.tasks import deal_of

KINDS = ("match", "twins")
FIGURES = ("dots", "lines", "bars", "heat")
EVENTS = 4
"""Twins of a game at most, where nobody says."""

MOST_COMBINATIONS = 200
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_GAP = re.compile(r"\{(\w*)\}")
_KEYS = (
    "study", "question", "game", "kind", "agents", "games", "seed", "events", "settings", "vary",
    "tables", "figure", "labels",
)  # fmt: skip
_TABLE = (
    "title", "rows", "columns", "measures", "where", "agent", "relative", "sort", "most", "total",
)  # fmt: skip
_FIGURE = ("kind", "table", "x", "y", "measure", "series", "panels", "log", "title")
_PLAN = {"players": int, "random_turns": int, "rotate": bool}
"""Settings of every match; the others are the game's."""

_NUMBERS = (
    "game", "deal", "seating", "seed", "players", "seat", "score", "rank", "margin", "won",
    "decisions", "seconds_per_decision",
)  # fmt: skip
_WORDS = ("agent",)


class StudyError(AdvisorError):
    """A study file cannot be used. `problems` lists every fault found, in file order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def shipped() -> dict[str, str]:
    """Return the shipped studies: name -> question."""
    found = {}
    for entry in sorted(_folder().iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".yaml"):
            data = documents.parse(entry.read_text("utf-8"), entry.name).data
            found[entry.name.removesuffix(".yaml")] = str(data["question"])
    return found


def _folder() -> Any:
    return resources.files("advisor.research") / "studies"


def load_study(name: str | Path) -> Study:
    """Return a shipped study by its name, or one of a file.

    Args:
        name: of a shipped study, or a path; `-` for standard input.

    Raises:
        SettingError: no shipped study is called that.
        StudyError: the file cannot be read or used.

    """
    text = str(name)
    try:
        if _NAME.fullmatch(text) and not Path(text).exists():
            entry = _folder() / f"{text}.yaml"
            if not entry.is_file():
                known = [
                    each.name[:-5] for each in _folder().iterdir() if each.name[-5:] == ".yaml"
                ]
                raise SettingError(
                    f"no study is called '{text}'; {_near(text, known)}the shipped studies are "
                    f"{', '.join(sorted(known))}; for one of your own name its YAML file"
                )
            return read_study(entry.read_text("utf-8"), f"{text}.yaml")
        return read_study(documents.read_file(name), text)
    except PositionError as error:
        raise _of_study(error) from None


def read_study(text: str, file: str = "<text>") -> Study:
    """Return the study of a YAML text.

    Raises:
        StudyError: with every fault found.

    """
    try:
        document = documents.parse(text, file)
        return _Reader(document).study()
    except PositionError as error:
        raise _of_study(error) from None


def _of_study(error: PositionError) -> StudyError:
    """Say of a study what the reader of YAML says of positions."""
    return StudyError(
        [
            Problem(p.where, p.message.replace("position", "study"), p.line, p.column, p.file)
            for p in error.problems
        ]
    )


def _near(word: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(word, [*known], n=1)
    return f"did you mean '{found[0]}'? " if found else ""


class _Reader:
    """Reads one document; what is wrong is noted and the rest still looked at."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data: dict[str, Any] = document.data if isinstance(document.data, dict) else {}

    def study(self) -> Study:
        if not isinstance(self.document.data, dict):
            self._fault((), "this is no study; a study has keys such as study, agents and tables")
            self.document.check()
        self._only((), self.data, _KEYS)
        name = self._text(("study",), "")
        if name and not _NAME.fullmatch(name):
            self._fault(("study",), f"'{name}' is no name; use small letters, digits, - and _")
        question = self._text(("question",), "")
        kind = self._word(("kind",), KINDS, "match")
        games = self._number(("games",), 1_000, 1, MOST_GAMES)
        seed = self._number(("seed",), 1, -(2**63), 2**63 - 1)
        events = self._number(("events",), EVENTS, 1, 1_000) if kind == "twins" else 0
        if kind != "twins" and "events" in self.data:
            self._fault(("events",), "only a study of kind twins has events; remove it")
        labels = self._mapping(("labels",))
        for key, value in labels.items():
            if not isinstance(value, str):
                self._fault(("labels", key), f"{value!r} is no text; write what to call it")
        game = self._text(("game",), registry.default())
        if game not in registry.names():
            listed = ", ".join(registry.names())
            self._fault(("game",), f"no game is called '{game}'; the games are {listed}")
        self.document.check()
        combinations, agents = self._combinations(game, seed)
        self.document.check()
        numbers, words = known_columns(combinations[0], kind)
        tables = self._tables(numbers, words)
        self.document.check()
        figures = self._figures(tables)
        self.document.check()
        first_turn = any(FIRST_TURN in (*table.keys, *table.where) for table in tables)
        return Study(
            name=name,
            question=question,
            kind=kind,
            games=games,
            seed=seed,
            notes=Notes(first_turn=first_turn, twins=events),
            combinations=combinations,
            tables=tables,
            figures=figures,
            labels=labels,
            agents=agents,
        )

    # --- What is played

    def _combinations(
        self, game: str, seed: int
    ) -> tuple[tuple[Combination, ...], tuple[str, ...]]:
        settings = self._mapping(("settings",))
        vary = self._mapping(("vary",))
        agents = self._list(("agents",), required="agents" not in vary)
        if "agents" in vary and agents:
            self._fault(("agents",), "the agents vary; remove them here or there")
        gaps = {gap for text in agents if isinstance(text, str) for gap in _GAP.findall(text)}
        for name, values in vary.items():
            if not isinstance(values, list) or not values:
                self._fault(("vary", name), "give a list of values, such as [2, 3, 4]")
            elif len({repr(value) for value in values}) < len(values):
                self._fault(("vary", name), "a value stands here twice; name each once")
            elif name in settings:
                self._fault(("vary", name), "it is among the settings, too; remove one of them")
        for gap in sorted(gaps - vary.keys()):
            self._fault(("agents",), f"{{{gap}}} is not varied; add it to vary, or write a value")
        known = [*_PLAN, *_settings_of(game)]
        for path, names in ((("settings",), settings), (("vary",), vary)):
            extra = [*gaps, "agents"] if path == ("vary",) else []
            self._only(path, names, [*known, *extra])
        given: list[tuple[Path_, Any]] = [(("settings", name), settings[name]) for name in settings]
        for name, values in vary.items():
            if isinstance(values, list):
                given += [(("vary", name, at), value) for at, value in enumerate(values)]
        for place, value in given:
            self._check_kind(game, place, value)
        self.document.check()
        for name in sorted(gaps & {*_NUMBERS, *_WORDS, FIRST_TURN, *EVENT}):
            self._fault(("vary", name), "results have a column of this name; choose another one")
        self.document.check()
        products = [
            dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())
        ]
        if len(products) > MOST_COMBINATIONS:
            self._fault(
                ("vary",), f"{len(products)} combinations; vary less, at most {MOST_COMBINATIONS}"
            )
            self.document.check()
        found: list[Combination] = []
        failed: list[tuple[dict[str, Any], str]] = []
        for values in products:
            here = self._agents(agents, values)
            if here is None:
                continue
            rest = {k: v for k, v in values.items() if k not in gaps and k != "agents"}
            try:
                plan = make_plan(here, game=game, seed=seed, **settings, **rest)
                found.append(Combination(_name(values, found), _told(values, vary), plan))
            except (AdvisorError, TypeError, ValueError, AttributeError) as error:
                failed.append((values, str(error)))
        for values, message in failed:
            self._fault(self._guilty(values, [each for each, _ in failed], vary), message)
        return tuple(found), tuple(map(str, agents))

    def _check_kind(self, game: str, place: Path_, value: Any) -> None:
        """Note a value of the wrong kind; whether it fits the others is seen later."""
        name = str(place[1])
        if name in _PLAN:
            kind = _PLAN[name]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                right = "true or false" if kind is bool else "a whole number"
                self._fault(place, f"{value!r} is not possible; give {right}")
        elif name in _settings_of(game):
            players = min(registry.find(game).PLAYERS)
            try:
                registry.find_series(game).check_settings(players=players, **{name: value})
            except SettingError:
                pass
            except (TypeError, AttributeError, ValueError):
                what = "a value of this kind is not possible; see the settings of a match"
                self._fault(place, f"{value!r}: {what}")

    def _agents(self, agents: list[Any], values: dict[str, Any]) -> list[str] | None:
        """Return the agents of a combination, None where one of them cannot be."""
        varied = "agents" in values
        given = values["agents"] if varied else agents
        path: Path_ = ("vary", "agents") if varied else ("agents",)
        if isinstance(given, str):
            given = [given]
        if not isinstance(given, list):
            self._fault(path, "give a list of agents for each value, such as [[greedy], [random]]")
            return None
        texts = []
        for at, agent in enumerate(given):
            place = path if varied else (*path, at)
            if not isinstance(agent, str):
                self._fault(place, f"{agent!r} is no agent; write a text such as greedy")
                return None
            text = _GAP.sub(lambda gap: str(values.get(gap[1], gap[0])), agent)
            try:
                parse_agent(text)
            except AdvisorError as error:
                self._fault(place, str(error))
                return None
            texts.append(text)
        return texts

    def _guilty(
        self, values: dict[str, Any], failed: list[dict[str, Any]], vary: dict[str, list[Any]]
    ) -> Path_:
        """Return the value that a combination fails for: one that fails with all others."""
        everything = 1
        for listed in vary.values():
            everything *= len(listed)
        if len(failed) < everything or not self.data.get("settings"):
            for name, value in values.items():
                others = everything // len(vary[name])
                if sum(other[name] == value for other in failed) == others:
                    return ("vary", name, vary[name].index(value))
        return ("settings",) if self.data.get("settings") else ()

    # --- What is told

    def _tables(self, numbers: list[str], words: list[str]) -> tuple[Table, ...]:
        found = []
        for at, data in enumerate(self._list(("tables",))):
            path = ("tables", at)
            if not isinstance(data, dict):
                self._fault(path, "a table is a mapping with the keys rows and measures")
                continue
            self._only(path, data, _TABLE)
            known = [*words, *numbers]
            rows = self._names((*path, "rows"), known, required=False)
            columns = self._names((*path, "columns"), known, required=False)
            if len(columns) > 1:
                self._fault((*path, "columns"), "name one column")
            measures = self._names((*path, "measures"), [WIN, *numbers])
            where = self._values((*path, "where"), numbers, known)
            relative = data.get("relative")
            baseline = {}
            if isinstance(relative, dict):
                baseline = self._values((*path, "relative"), numbers, known)
            keys = (*rows, *columns)
            alike = None
            if relative is not None and not isinstance(relative, dict):
                alike = self._names((*path, "relative"), keys, required=False)
            sort = self._word((*path, "sort"), measures, None)
            most = self._number((*path, "most"), 0, 1, 10_000) if "most" in data else None
            agent = self._number((*path, "agent"), 0, 1, 64) if "agent" in data else None
            total = data.get("total", False)
            if not isinstance(total, bool):
                self._fault((*path, "total"), f"{total!r} is not possible; give true or false")
            if total and not columns:
                self._fault((*path, "total"), "a total needs columns; name some, or remove it")
            found.append(
                Table(
                    title=self._text((*path, "title"), ""),
                    rows=rows,
                    columns=columns[0] if columns else None,
                    measures=measures,
                    where={k: tuple(v) if isinstance(v, list) else (v,) for k, v in where.items()},
                    agent=agent,
                    relative=alike,
                    baseline=baseline,
                    sort=sort,
                    most=most,
                    total=bool(total),
                )
            )
        return tuple(found)

    def _figures(self, tables: Sequence[Table]) -> tuple[FigureSpec, ...]:
        given = self.data.get("figure", [])
        several = isinstance(given, list)
        found = []
        for at, data in enumerate(given if several else [given]):
            path: Path_ = ("figure", at) if several else ("figure",)
            if not isinstance(data, dict):
                self._fault(path, "a figure is a mapping with the keys kind, x and y")
                continue
            self._only(path, data, _FIGURE)
            kind = self._word((*path, "kind"), FIGURES, "dots")
            number = self._number((*path, "table"), 1, 1, max(1, len(tables)))
            if not 1 <= number <= len(tables):
                continue
            table = tables[number - 1]
            keys, measures = [*table.keys, MEASURE], list(table.measures)
            heat = kind == "heat"
            x = self._names((*path, "x"), measures if kind == "dots" else keys)
            y = self._names((*path, "y"), keys if heat or kind == "dots" else measures)
            measure = self._word((*path, "measure"), measures, measures[0] if measures else None)
            series = self._word((*path, "series"), table.keys, None)
            panels = self._word((*path, "panels"), table.keys, None)
            used = {*x, *y, series, panels}
            for name in table.keys:
                if name not in used:
                    self._fault(
                        path, f"table {number} also tells {name} apart; add it as series or panels"
                    )
            if heat and (len(x) > 1 or len(y) > 1 or series or panels):
                self._fault(path, "a heat map has one column for x and one for y, and no others")
            if panels and len(x if kind == "dots" else y) > 1:
                self._fault(path, "a figure with panels shows one measure; name one, or no panels")
            if not heat and "measure" in data:
                self._fault((*path, "measure"), "only a heat map has it; remove it")
            log = data.get("log", False)
            if not isinstance(log, bool):
                self._fault((*path, "log"), f"{log!r} is not possible; give true or false")
            found.append(
                FigureSpec(
                    kind=kind,
                    table=number - 1,
                    x=x,
                    y=y,
                    measure=measure if heat else None,
                    series=series,
                    panels=panels,
                    log=bool(log),
                    title=self._text((*path, "title"), "") or None,
                )
            )
        return tuple(found)

    # --- Values

    def _fault(self, path: Path_, message: str) -> None:
        self.document.report(path, message)

    def _only(self, path: Path_, data: Mapping[str, Any], known: Sequence[str]) -> None:
        for key in data:
            if key not in known:
                unique = list(dict.fromkeys(known))
                hint = f"{_near(key, unique)}it is one of {', '.join(unique)}"
                self._fault((*path, key), f"'{key}' is not known here; {hint}")

    def _get(self, path: Path_) -> Any:
        found: Any = self.data
        for part in path:
            found = found.get(part) if isinstance(found, dict) else found[part]
        return found

    def _text(self, path: Path_, default: str) -> str:
        value = self._get(path)
        if value is None:
            if path in (("study",), ("question",)) or (path[-1] == "title" and "tables" in path):
                self._fault(path, f"'{path[-1]}' is missing; write a text")
            return default
        if not isinstance(value, str):
            self._fault(path, f"{value!r} is no text; write words")
            return default
        return value.strip()

    def _word(self, path: Path_, known: Sequence[str], default: Any) -> Any:
        value = self._get(path)
        if value is None:
            return default
        if value not in known:
            hint = f"{_near(str(value), known)}it is one of {', '.join(known) or 'none'}"
            self._fault(path, f"'{value}' is not possible; {hint}")
            return default
        return value

    def _number(self, path: Path_, default: int, least: int, most: int) -> int:
        value = self._get(path)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self._fault(path, f"{value!r} is not possible; give a whole number, {least} to {most}")
            return default
        return value

    def _mapping(self, path: Path_) -> dict[str, Any]:
        value = self._get(path)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._fault(path, f"{value!r} is not possible; give names and values")
            return {}
        return value

    def _values(self, path: Path_, numbers: Sequence[str], known: Sequence[str]) -> dict[str, Any]:
        """Return columns and the values wanted in them, as far as they fit."""
        given = self._mapping(path)
        self._only(path, given, known)
        found = {}
        for name, value in given.items():
            kind, right = (int | float, "a number") if name in numbers else (str, "a text")
            listed = value if isinstance(value, list) and path[-1] == "where" else [value]
            wrong = [each for each in listed if not isinstance(each, kind)]
            if wrong:
                self._fault((*path, name), f"{wrong[0]!r} is not possible here; give {right}")
            elif name in known:
                found[name] = value
        return found

    def _list(self, path: Path_, *, required: bool = True) -> list[Any]:
        value = self._get(path)
        if value is None or value == []:
            if required:
                self._fault(path, f"'{path[-1]}' is missing; give a list")
            return []
        if not isinstance(value, list):
            self._fault(path, f"{value!r} is no list; write [..., ...] or a line with - for each")
            return []
        return value

    def _names(
        self, path: Path_, known: Sequence[str], *, required: bool = True
    ) -> tuple[str, ...]:
        """Return the names listed, or the one given, as far as they are known."""
        value = self._get(path)
        given = [value] if isinstance(value, str) else self._list(path, required=required)
        for at, name in enumerate(given):
            if name not in known:
                place = path if isinstance(value, str) else (*path, at)
                hint = f"{_near(str(name), known)}it is one of {', '.join(known)}"
                self._fault(place, f"'{name}' is not known here; {hint}")
        return tuple(name for name in given if name in known)


def _settings_of(game: str) -> list[str]:
    """Return the names of a game's own settings."""
    known = inspect.signature(registry.find_series(game).check_settings).parameters
    return [name for name in known if name != "players"]


def _told(values: Mapping[str, Any], vary: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the values as they stand in a column, which has one type: lists become texts."""
    told: dict[str, Any] = {}
    for name, value in values.items():
        kinds = {type(each) for each in vary[name]}
        if kinds == {int, float}:
            told[name] = float(value)
        elif len(kinds) == 1 and kinds <= {int, float, bool, str}:
            told[name] = value
        else:
            told[name] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return told


def _name(values: Mapping[str, Any], others: Sequence[Combination]) -> str:
    """Return a name for a combination that is good for a folder."""
    words = [
        f"{name}={'+'.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in values.items()
    ]
    name = re.sub(r"[^\w.=,+-]+", "-", ",".join(words))[:100] or "all"
    taken = {other.name for other in others}
    numbers = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
    return next(f"{name}{end}" for end in numbers if f"{name}{end}" not in taken)


def known_columns(combination: Combination, kind: str) -> tuple[list[str], list[str]]:
    """Return the columns that tables can use, before a game is played: numbers, and words."""
    plan = combination.plan
    module, series = registry.find(plan.game), registry.find_series(plan.game)
    deal = deal_of(plan, 0)
    blank = np.zeros((1, deal.position.rules.state_size), np.uint8)
    numbers, words = list(_NUMBERS), [*_WORDS, FIRST_TURN]
    for name, value in [*deal.seats[0].items(), *combination.values.items()]:
        if name not in (*numbers, *words):
            (numbers if isinstance(value, int | float) else words).append(name)
    numbers += [f"points_{source.replace(' ', '_')}" for source in module.SOURCES]
    numbers += series.outcomes(blank, plan.players)
    if kind == "twins":
        words.remove(FIRST_TURN)
        words += [name for name, kind_ in EVENT.items() if kind_ == "word"]
        numbers += [name for name, kind_ in EVENT.items() if kind_ == "number"]
    return numbers, words
