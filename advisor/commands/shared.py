"""What several commands share: arguments, output formats, whole-file writing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from advisor.core.files import write_whole
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
        write_whole(target, (text if text.endswith("\n") else text + "\n").encode())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AdvisorError(
            f"{output}: cannot write the file: {reason}; nothing was written"
        ) from None


def as_data(text: str) -> Any:
    """Return dumped YAML as plain data for JSON."""
    from advisor.core.documents import parse

    return parse(text).data
