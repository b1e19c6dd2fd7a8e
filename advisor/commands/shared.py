"""What several commands share: arguments, output formats, whole-file writing."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from advisor.errors import AdvisorError

F = TypeVar("F", bound=Callable[..., Any])

position_argument = click.argument("position", metavar="POSITION")


def format_option(command: F) -> F:
    """Add `--format text|json`."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How to print the result.",
    )(command)


def output_option(command: F) -> F:
    """Add `-o FILE`."""
    return click.option(
        "-o", "--output", metavar="FILE", help="Write to FILE (whole or not at all), not to stdout."
    )(command)


def as_json(value: Any) -> str:
    """Return a result as one JSON object."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def emit(text: str, output: str | None) -> None:
    """Print a result, or write it to a file that is then complete or untouched.

    Raises:
        AdvisorError: the file cannot be written.

    """
    if output is None or output == "-":
        click.echo(text, nl=not text.endswith("\n"))
        return
    target = Path(output)
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "it is a directory")
        write_whole(target, text if text.endswith("\n") else text + "\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AdvisorError(
            f"{output}: cannot write the file: {reason}; nothing was written"
        ) from None


def write_whole(target: Path, text: str) -> None:
    """Write a file through a temporary one beside it, so that nobody ever sees half of it.

    Devices and pipes are written to as they are, never replaced by a file.
    """
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()  # a link keeps pointing to the file it points to
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def as_data(text: str) -> Any:
    """Return dumped YAML as plain data for JSON."""
    from advisor.core.documents import parse

    return parse(text).data
