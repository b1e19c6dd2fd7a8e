"""`advisor schema`: the JSON Schema of position files."""

from __future__ import annotations

import click

from advisor.commands.shared import as_json, emit, format_option, output_option


@click.command("schema")
@click.argument("game")
@output_option
@format_option
def command(game: str, output: str | None, format_: str) -> None:
    """Print the JSON Schema of position files of GAME, so that editors complete and check.

    A JSON Schema is JSON in either format.

    \b
    Example:
      advisor schema burgundy -o burgundy.schema.json
    Then begin a position file with the line
      # yaml-language-server: $schema=burgundy.schema.json
    """
    from advisor.core import registry

    emit(as_json(registry.find(game).json_schema()), output)
