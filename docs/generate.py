"""Writes docs/cli.md from the commands' own help (`make docs`); a test holds the two equal."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli import COMMANDS, main

PAGE = Path(__file__).parent / "cli.md"


def text() -> str:
    """Return the page."""
    group = main.make_context("advisor", [], resilient_parsing=True)
    parts = [
        "# Commands\n\nWritten by `make docs` from the commands' own help.\n",
        f"```\n{_help(main, group)}\n```\n",
    ]
    for name in sorted(COMMANDS):
        command = main.get_command(group, name)
        if command is not None:
            parts += _sections(name, command, group)
    return "\n".join(parts)


def _sections(name: str, command: click.Command, parent: click.Context) -> list[str]:
    """Return the section of a command, and those of its own commands."""
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    sections = [f"## advisor {name}\n\n```\n{_help(command, context)}\n```\n"]
    if isinstance(command, click.Group):
        for part, own in command.commands.items():
            sections += _sections(f"{name} {part}", own, parent)
    return sections


def _help(command: click.Command, context: click.Context) -> str:
    formatter = click.HelpFormatter(width=100)
    command.format_help(context, formatter)
    return formatter.getvalue().rstrip("\n")


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
