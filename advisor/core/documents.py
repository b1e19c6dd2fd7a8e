"""Position files as plain data with the place of every value.

Owns reading bytes, the limits on size and nesting, and YAML itself: syntax, duplicate keys, the
place of each key. Knows no game. Nothing in a file can run code: only mappings, lists, texts, whole
numbers, decimals, true/false and null are built, and tags and aliases are refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from advisor.errors import PositionError, Problem

MAX_BYTES = 256 * 1024
MAX_DEPTH = 12
MAX_PROBLEMS = 100

Path_ = tuple[str | int, ...]

_INT = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}


@dataclass
class Document:
    """One file as plain data; `marks` gives line and column of every key and list item."""

    file: str
    data: Any
    marks: dict[Path_, tuple[int, int]]
    problems: list[Problem] = field(default_factory=list)

    def report(self, path: Path_, message: str, *, where: str | None = None) -> None:
        """Note a fault at a path; a path that is not in the file gets its nearest parent's place."""
        known = path
        while known not in self.marks and known:
            known = known[:-1]
        line, column = self.marks.get(known, (1, 1))
        spoken = where if where is not None else spell(path)
        problem = Problem(spoken, message, line, column, self.file)
        if problem not in self.problems:
            self.problems.append(problem)

    def drop(self, path: Path_) -> None:
        """Remove a faulty entry, so that the rest can still be checked."""
        parent = self.data
        for part in path[:-1]:
            parent = parent[part]
        last = path[-1]
        if isinstance(parent, dict):
            parent.pop(last, None)
        elif isinstance(last, int) and last < len(parent):
            del parent[last]
            for index in range(last, len(parent)):  # the items behind keep their places
                self.marks[(*path[:-1], index)] = self.marks[(*path[:-1], index + 1)]

    def check(self) -> None:
        """Raise one PositionError with all faults in file order, if there are any."""
        if self.problems:
            ordered = sorted(self.problems, key=lambda p: (p.line, p.column))
            raise PositionError(ordered[:MAX_PROBLEMS])


def spell(path: Path_) -> str:
    """Write a path as a person would: players.Anna.storage[2]."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def read_file(name: str | Path) -> str:
    """Return the text of a position file, `-` for standard input.

    Raises:
        PositionError: it cannot be read, is too large, or is not text.

    """
    if str(name) == "-":
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>")
    path = Path(name)
    try:
        if path.is_dir():
            raise _fault(str(name), "this is a directory; name a position file in it")
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _fault(str(name), f"cannot read the file: {reason}; name a position file") from None
    return decode(raw, str(name))


def decode(raw: bytes, file: str) -> str:
    """Turn a file's bytes into text.

    Raises:
        PositionError: too many bytes, or not UTF-8.

    """
    if len(raw) > MAX_BYTES:
        size = f"{MAX_BYTES // 1024} KiB"
        raise _fault(file, f"the file is larger than {size}; a position is a page of text")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        message = "this is not UTF-8 text; save the file as UTF-8"
        raise PositionError([Problem("", message, line, column, file)]) from None


def _fault(file: str, message: str) -> PositionError:
    return PositionError([Problem("", message, 0, 0, file)])


@dataclass
class _Open:
    """A list or mapping being read."""

    path: Path_
    value: Any
    key: str | None = None  # of the mapping entry whose value comes next
    skip: bool = False  # the coming value belongs to a duplicate key


def parse(text: str, file: str = "<text>") -> Document:
    """Return the document of a YAML text.

    Raises:
        PositionError: the text is not YAML, or has what position files must not have.

    """
    if len(text) > MAX_BYTES:
        raise _fault(file, f"the text is larger than {MAX_BYTES // 1024} KiB; a position is a page of text")
    document = Document(file, None, {})
    try:
        _build(document, yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(part) for part in (error.context, error.problem) if part)
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        message = f"this is not YAML: {what}; mind the indentation, colons and brackets"
        document.problems.append(Problem("", message, *place, file))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        message = f"the character #x{error.character:04x} is not allowed; remove it"
        document.problems.append(Problem("", message, line, column, file))
    document.check()
    return document


def _build(document: Document, events: Iterator[yaml.Event]) -> None:
    """Build the data without recursion, so that deep nesting cannot exhaust anything."""
    stack: list[_Open] = []
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                _refuse(document, event, (), "a second document starts here; keep one position a file")
                return
        elif isinstance(event, yaml.AliasEvent):
            _refuse(document, event, (), "aliases (*name) are not allowed; write the value out")
            return
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            if getattr(event, "tag", None) not in (None, "!"):
                _refuse(document, event, (), f"tags ({event.tag}) are not allowed; remove it")
                return
            opened = _add(document, stack, event)
            if opened is not None:
                if len(stack) == MAX_DEPTH:
                    _refuse(document, event, (), f"nested more than {MAX_DEPTH} deep; no position is")
                    return
                stack.append(opened)


def _refuse(document: Document, event: yaml.Event, path: Path_, message: str) -> None:
    mark = event.start_mark
    document.problems.append(
        Problem(spell(path), message, mark.line + 1, mark.column + 1, document.file)
    )


def _add(document: Document, stack: list[_Open], event: yaml.NodeEvent) -> _Open | None:
    """Add a key, value or item to the innermost open collection; return a newly opened one."""
    place = (event.start_mark.line + 1, event.start_mark.column + 1)
    value: Any
    if isinstance(event, yaml.MappingStartEvent):
        value = {}
    elif isinstance(event, yaml.SequenceStartEvent):
        value = []
    else:
        value = _scalar(event)
    path: Path_ = ()
    if not stack:
        document.data = value
        document.marks[()] = place
    else:
        parent = stack[-1]
        if isinstance(parent.value, list):
            path = (*parent.path, len(parent.value))
            document.marks[path] = place
            parent.value.append(value)
        elif parent.key is None:
            return _add_key(document, parent, event, value, place)
        else:
            path = (*parent.path, parent.key)
            if not parent.skip:
                parent.value[parent.key] = value
            parent.key = None
            parent.skip = False
    return _Open(path, value) if isinstance(value, dict | list) else None


def _add_key(
    document: Document, parent: _Open, event: yaml.NodeEvent, value: Any, place: tuple[int, int]
) -> _Open | None:
    if not isinstance(event, yaml.ScalarEvent):
        _refuse(document, event, parent.path, "a key must be a word or a number")
        parent.key = "?"
        parent.skip = True
        return _Open((*parent.path, "?"), value)
    parent.key = event.value
    path = (*parent.path, parent.key)
    if parent.key in parent.value:
        line = document.marks[path][0]
        _refuse(document, event, path, f"duplicate key, first given in line {line}; keep one of them")
        parent.skip = True
    else:
        document.marks[path] = place
    return None


def _scalar(event: yaml.ScalarEvent) -> Any:
    """Read a plain scalar by YAML 1.2's core rules (so that a player may be called No)."""
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text
