"""Position files as plain data with the place of every value.

Owns reading bytes, the limits on size and nesting, and YAML itself: syntax, duplicate keys, the
place of each key. Knows no game. Nothing in a file can run code: only mappings, lists, texts, whole
numbers, decimals, true/false and null are built, and tags and aliases are refused.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from advisor.errors import PositionError, Problem

MAX_BYTES = 256 * 1024
MAX_DEPTH = 12
MAX_NODES = 3000
MAX_WORD = 200
MAX_PROBLEMS = 100

Path_ = tuple[str | int, ...]

_INT = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}


@dataclass
class Document:
    """One file as plain data; `marks` gives line and column of every key and list item.

    `damaged` names what was already found faulty and is not in `data`, as `?` what was lost
    together with its key.
    """

    file: str
    data: Any
    marks: dict[Path_, tuple[int, int]]
    problems: list[Problem] = field(default_factory=list)
    damaged: set[Path_] = field(default_factory=set)
    _written: dict[Path_, Path_] = field(default_factory=dict)  # where moved list items stood
    _known: set[Problem] = field(default_factory=set)

    def report(self, path: Path_, message: str, *, where: str | None = None) -> None:
        """Note a fault at a path; one that is not in the file gets its nearest parent's place."""
        known = path
        while known not in self.marks and known:
            known = known[:-1]
        line, column = self.marks.get(known, (1, 1))
        spoken = where if where is not None else spell(self._written.get(path, path))
        self.add(Problem(spoken, message, line, column, self.file))

    def add(self, problem: Problem) -> None:
        """Note a fault, once."""
        if problem not in self._known:
            self._known.add(problem)
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
                here, behind = (*path[:-1], index), (*path[:-1], index + 1)
                self.marks[here] = self.marks[behind]
                self._written[here] = self._written.get(behind, behind)

    def check(self) -> None:
        """Raise one PositionError with all faults in file order, if there are any."""
        if self.problems:
            ordered = sorted(self.problems, key=lambda p: (p.line, p.column))
            if len(ordered) > MAX_PROBLEMS:
                more = f"and {len(ordered) - MAX_PROBLEMS} more; mend these first"
                next_ = ordered[MAX_PROBLEMS]
                last = Problem("", more, next_.line, next_.column, self.file)
                ordered[MAX_PROBLEMS:] = [last]
            raise PositionError(ordered)


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
    if not str(name):
        raise _fault("<file>", "the name is empty; name a file, or - for standard input")
    path = Path(name)
    try:
        if path.is_dir():
            raise _fault(str(name), "this is a directory; name a file in it")
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _fault(
            str(name), f"cannot read the file: {reason}; name a file that is there"
        ) from None
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
    unused: bool = False  # belongs to such a value itself


def parse(text: str, file: str = "<text>") -> Document:
    """Return the document of a YAML text.

    Raises:
        PositionError: the text is not YAML, or has what position files must not have.

    """
    if len(text) > MAX_BYTES:
        raise _fault(
            file, f"the text is larger than {MAX_BYTES // 1024} KiB; a position is a page of text"
        )
    document = Document(file, None, {})
    loader: Any = None
    try:
        loader = yaml.SafeLoader(text)
        if _build(document, loader):
            return document
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(part) for part in (error.context, error.problem) if part)
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        document.add(Problem("", f"this is not YAML: {what}; {_remedy(what)}", *place, file))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        message = f"the character #x{error.character:04x} is not allowed; remove it"
        document.add(Problem("", message, line, column, file))
    except (ValueError, OverflowError):  # PyYAML converts these numbers unchecked
        mark = loader.get_mark() if loader else None
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        message = "a version or \\U character with too great a number; write the character itself"
        document.add(Problem("", message, *place, file))
    document.check()
    return document


_REMEDIES = {
    "'\\t'": "use blanks instead of tabs",
    "mapping values are not allowed": "indent this line like its neighbours, with one colon only",
    "could not find expected ':'": "write 'key: value', with a blank after the colon",
    "expected ',' or ']'": "part the items by commas and close the list with ]",
    "expected ',' or '}'": "part the entries by commas and close them with }",
    "expected <block end>": "indent this line like its neighbours",
    "quoted scalar": "close the quotation mark",
}


def _remedy(what: str) -> str:
    """Return what to do about a YAML error, from the words of PyYAML."""
    for words, remedy in _REMEDIES.items():
        if words in what:
            return remedy
    return "mind the indentation, colons and brackets"


def _build(document: Document, loader: Any) -> bool:
    """Build the data without recursion, so that deep nesting cannot exhaust anything.

    Return whether the data is whole, so that its meaning can be checked too.
    """
    stack: list[_Open] = []
    documents = nodes = 0
    while loader.check_event():
        event = loader.get_event()
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                _refuse(
                    document, event, (), "a second document starts here; keep one position a file"
                )
                return True
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            nodes += 1
            if nodes > MAX_NODES:
                _refuse(
                    document,
                    event,
                    (),
                    f"more than {MAX_NODES} values; a position is a page of text",
                )
                return False
            opened = _add(document, stack, event)
            if opened is not None:
                if len(stack) == MAX_DEPTH:
                    _refuse(
                        document, event, (), f"nested more than {MAX_DEPTH} deep; no position is"
                    )
                    return False
                stack.append(opened)
    return True


def _refuse(document: Document, event: Any, path: Path_, message: str) -> None:
    mark = event.start_mark
    document.add(Problem(spell(path), message, mark.line + 1, mark.column + 1, document.file))


def _forbidden(event: Any) -> str | None:
    """Return what is wrong with a value whatever it means, if anything is."""
    if isinstance(event, yaml.AliasEvent):
        return f"aliases (*{event.anchor}) are not allowed; write the value out"
    if getattr(event, "tag", None) not in (None, "!"):
        return f"tags ({event.tag!r:.40}) are not allowed; remove it"
    if isinstance(event, yaml.ScalarEvent):
        if len(event.value) > MAX_WORD:
            return f"a word of {len(event.value)} characters; write at most {MAX_WORD}"
        if found := _CONTROL.search(event.value):
            return f"the character #x{ord(found[0]):04x} is not allowed; remove it"
    return None


def _add(document: Document, stack: list[_Open], event: Any) -> _Open | None:
    """Add a key, value or item to the innermost open collection; return a newly opened one."""
    place = (event.start_mark.line + 1, event.start_mark.column + 1)
    value: Any
    if isinstance(event, yaml.MappingStartEvent):
        value = {}
    elif isinstance(event, yaml.SequenceStartEvent):
        value = []
    else:
        value = _scalar(event) if isinstance(event, yaml.ScalarEvent) else None
    fault = _forbidden(event)
    parent = stack[-1] if stack else _Open((), None)
    path = parent.path
    unused = parent.unused or parent.skip or fault is not None
    if not stack:
        document.marks[()] = place
        document.data = None if fault else value
    elif isinstance(parent.value, list):
        path = (*parent.path, len(parent.value))
        if not unused:
            document.marks[path] = place
            parent.value.append(value)
    elif parent.key is None:
        return _add_key(document, parent, event, value, place, fault)
    else:
        path = (*parent.path, parent.key)
        if not unused:
            parent.value[parent.key] = value
        parent.key = None
        parent.skip = False
    if fault is not None:
        _refuse(document, event, path, fault)
        document.damaged.add(parent.path if isinstance(parent.value, list) else path)
    return _Open(path, value, unused=unused) if isinstance(value, dict | list) else None


def _add_key(
    document: Document,
    parent: _Open,
    event: Any,
    value: Any,
    place: tuple[int, int],
    fault: str | None,
) -> _Open | None:
    if fault is None and not isinstance(event, yaml.ScalarEvent):
        fault = "lists and mappings cannot be keys; a key is a word or a number"
    if fault is not None:
        _refuse(document, event, parent.path, fault)
        document.damaged.add((*parent.path, "?"))
        parent.key = "?"
        parent.skip = True
        opens = isinstance(value, dict | list)
        return _Open((*parent.path, "?"), value, unused=True) if opens else None
    parent.key = event.value
    path = (*parent.path, parent.key)
    if parent.key in parent.value:
        line = document.marks.get(path, place)[0]
        _refuse(
            document, event, path, f"duplicate key, first given in line {line}; keep one of them"
        )
        document.damaged.add((*parent.path, "?"))
        parent.skip = True
    elif not parent.unused:
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
