"""The command `advisor`: parses, calls the library, prints. No rules, no numbers.

Owns the group and how errors end: exit status 0, 1 for a bad position or action, 2 for wrong usage,
130 after Ctrl-C. Each command is a module of `advisor.commands`, imported when it is needed.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from advisor import __version__
from advisor.errors import AdvisorError, SettingError

COMMANDS = {  # name -> one line of help; the module of that name has the command
    "actions": "Every legal action in a position.",
    "apply": "The position after some actions, as YAML.",
    "check": "The verdict on position files.",
    "games": "Single games out of the results of a match.",
    "match": "Agents against each other, many games.",
    "new": "A starting position, dealt and rolled.",
    "schema": "The JSON Schema of position files, for editors.",
    "show": "The table drawn in the terminal.",
    "simulate": "Play a position out at random many times.",
    "study": "A research question: table, figure and Parquet from many games.",
    "suggest": "The legal actions ranked, and the best whole turn.",
    "train": "A learned value from nothing, by self-play.",
}


class Failure(click.ClickException):
    """An error that ends the program with sentences on stderr: a bad position or action."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Print the message as it stands."""
        click.echo(self.message, err=True)


class WrongSetting(Failure):
    """A setting that cannot be: wrong usage."""

    exit_code = 2


class Interrupted(Failure):
    """Ctrl-C."""

    exit_code = 130


class AdvisorGroup(click.Group):
    """Loads commands on demand and turns errors into sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"advisor.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; end in a sentence, never in a traceback."""
        if sys.stdin is None:  # closed by the caller: the same as empty
            sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - stays open to the end
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except SettingError as error:
            raise WrongSetting(str(error)) from None
        except AdvisorError as error:
            raise Failure(str(error)) from None
        except KeyboardInterrupt:
            raise Interrupted("interrupted; nothing was written") from None
        except BrokenPipeError:  # the reader has seen enough
            _abandon_stdout()
            ctx.exit(0)
        except OSError as error:  # such as a full disk; files have messages of their own
            _abandon_stdout()
            raise Failure(f"cannot read or print: {error.strerror or error}") from None
        return result


def _abandon_stdout() -> None:
    """Lead stdout nowhere, so that the interpreter's own last flush stays quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=AdvisorGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="advisor")
def main() -> None:
    """Move advisor for modern board games: The Castles of Burgundy.

    Describe the position in a YAML file (see positions/ and the README) and ask:

    \b
      advisor new burgundy --players 2 --seed 7 -o game.yaml
      advisor show game.yaml
      advisor suggest game.yaml --seconds 2
      advisor apply game.yaml "4 take market from 4" -o game.yaml

    Results go to stdout, progress to stderr. Exit status 0; 1 for a bad position or action; 2 for
    wrong usage.
    """
