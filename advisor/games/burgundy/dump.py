"""A position as YAML text in the order and style of docs/positions.md.

Owns writing only. What is left out means nothing there, as in every position file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import yaml

from advisor.games.burgundy import components

if TYPE_CHECKING:
    from advisor.games.burgundy.model import Player, Position


def _flow(value: object) -> str:
    """Write a value in YAML's one-line style."""
    text = yaml.safe_dump(
        value, default_flow_style=True, width=10**6, sort_keys=False, allow_unicode=True
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _tiles(numbers: Iterable[int]) -> list[str]:
    return [components.tile_name(number) for number in numbers]


def _goods_list(counts: tuple[int, ...]) -> list[str]:
    return [
        name for name, count in zip(components.goods(), counts, strict=True) for _ in range(count)
    ]


def _goods_map(counts: tuple[int, ...]) -> dict[str, int]:
    return {name: count for name, count in zip(components.goods(), counts, strict=True) if count}


def dump(position: Position) -> str:
    """Return YAML text that loads back to an equal position."""
    lines = ["game: burgundy", f"edition: {position.edition}"]
    if position.tie_break != components.editions()[position.edition]["tie_break"]:
        lines.append(f"tie_break: {position.tie_break}")
    lines += [f"phase: {components.phases()[position.phase]}", f"round: {position.round + 1}"]
    lines += _depots(position)
    if position.goods_to_come:
        goods = [components.goods()[good - 1] for good in position.goods_to_come]
        lines.append(f"goods_to_come: {_flow(goods)}")
    lines.append("players:")
    for player in position.players:
        lines += _player(player, position)
    lines.append(f"turn_order: {_flow([position.names[seat] for seat in position.turn_order])}")
    if position.next_order != default_next_order(position):
        lines.append(f"next_order: {_flow([position.names[s] for s in position.next_order])}")
    lines += _turn(position)
    if position.removed:
        lines.append(f"removed: {_flow(_tiles(position.removed))}")
    return "\n".join(lines) + "\n"


def default_next_order(position: Position) -> tuple[int, ...]:
    """Return the order that `track` alone gives, equal tracks as in `turn_order`."""
    return tuple(sorted(position.turn_order, key=lambda seat: -position.players[seat].track))


def _depots(position: Position) -> list[str]:
    lines = []
    for depot in range(6):
        content: dict[str, list[str]] = {}
        if position.depots[depot]:
            content["tiles"] = _tiles(position.depots[depot])
        if any(position.depot_goods[depot]):
            content["goods"] = _goods_list(position.depot_goods[depot])
        if content:
            lines.append(f"  {depot + 1}: {_flow(content)}")
    if position.black:
        lines.append(f"  black: {_flow(_tiles(position.black))}")
    return ["depots:", *lines] if lines else []


def _player(player: Player, position: Position) -> list[str]:
    number = components.boards()[player.board].numbers[position.edition]
    lines = [f"  {_flow(player.name)}:", f"    board: {number}"]
    for key, value in (
        ("score", player.score),
        ("workers", player.workers),
        ("silver", player.silver),
        ("goods", _goods_map(player.goods)),
        ("sold", _goods_map(player.sold)),
        ("storage", _tiles(player.storage)),
    ):
        if value:
            lines.append(f"    {key}: {_flow(value)}")
    estate = {
        components.CELLS[cell]: components.tile_name(tile)
        for cell, tile in enumerate(player.estate)
        if tile
    }
    lines.append(f"    estate: {_flow(estate)}")
    if player.track:
        lines.append(f"    track: {player.track}")
    bonuses = {
        components.COLOURS[colour]: "large" if colour in player.large else "small"
        for colour in sorted(player.large | player.small)
    }
    if bonuses:
        lines.append(f"    bonuses: {_flow(bonuses)}")
    if len(player.dice) == 2 or (player.dice and not position.dice):
        lines.append(f"    dice: {_flow(list(player.dice))}")
    return lines


def _turn(position: Position) -> list[str]:
    if position.stage != "play":
        return [f"turn: {position.stage}"]
    turn: dict[str, object] = {"player": position.names[position.mover]}
    roll = position.players[position.mover].dice
    if position.dice != roll or len(roll) != 2:
        turn["dice"] = list(position.dice)
    if position.bought:
        turn["bought"] = True
    if position.pending:
        turn["pending"] = _tiles(position.pending)
    if len(turn) == 1 and position.mover == position.turn_order[0]:
        return []
    return [f"turn: {_flow(turn)}"]
