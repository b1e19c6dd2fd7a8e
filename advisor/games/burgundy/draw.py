"""The table drawn in the terminal: who decides, the depots, every player and his estate.

Owns the layout of `advisor show`: what stands where, and that nothing is wider than the terminal.
Hexagons, colours and short names are those of `draw_estate`. Everything is said in letters as well
as in colours, as the colours are lost in a file. Knows no rules.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

import click

from advisor.games.burgundy import components, draw_estate
from advisor.games.burgundy.draw_estate import BOLD, FAINT, TEXT_PAINTS, Paint
from advisor.games.burgundy.model import Player, Position

MIN_WIDTH = 80
_GAP = 3
_PANEL_WIDTH = 60
_NAME_WIDTH = 20
_LABEL_WIDTH = 10
_GOODS_WIDTH = 30
_SHORTEST_LEFT = 30

# By die number: turquoise, violet, pink, red, brown, orange.
_GOODS_PAINTS = tuple(Paint(fg=colour) for colour in (37, 98, 205, 160, 130, 208))


def draw(position: Position, *, width: int = 100) -> str:
    """Return the table as text with ANSI colours, at most `width` (80 or more) columns wide."""
    width = max(width, MIN_WIDTH)
    lines = [
        *_header(position, width),
        "",
        *_depots(position, width),
        *_goods_to_come(position, width),
        *_turn_order(position, width),
        "",
        *_players(position, width),
        *_legend(position, width),
    ]
    return "\n".join(lines) + "\n"


# --- Text in columns


def _columns(text: str) -> int:
    """Return how many columns a text takes, escape codes and combining marks not counted."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in click.unstyle(text)
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _flowed(label: str, items: Sequence[str], width: int, *, separator: str = ", ") -> list[str]:
    """Return the items after a label, on as many lines as they need; a dash stands for none."""
    items = items or [FAINT("-")]
    tail = separator.rstrip()
    glue = " " * (len(separator) - len(tail))
    pieces = [*(item + tail for item in items[:-1]), items[-1]]
    indent = " " * _columns(label)
    lines = [f"{label} {pieces[0]}"]
    for piece in pieces[1:]:
        longer = lines[-1] + glue + piece
        if _columns(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(f"{indent} {piece}")
    return lines


def _label(text: str) -> str:
    return FAINT(f"{text:{_LABEL_WIDTH}}")


# --- Words


def _name(position: Position, seat: int) -> str:
    """Return a player's name in bold, cut where it is very long."""
    name = position.names[seat]
    if _columns(name) > _NAME_WIDTH:
        while _columns(name) > _NAME_WIDTH - 2:
            name = name[:-1]
        name += ".."
    return BOLD(name)


def _names(position: Position, seats: Iterable[int]) -> list[str]:
    return [_name(position, seat) for seat in seats]


def _tile(tile: int) -> str:
    return TEXT_PAINTS[components.tiles()[tile].colour](components.tile_name(tile))


def _tiles(numbers: Iterable[int]) -> list[str]:
    """Return the names of tiles, equal ones once and counted."""
    return [
        _tile(tile) + (f" x{count}" if count > 1 else "")
        for tile, count in Counter(numbers).items()
    ]


def _good(number: int) -> str:
    return _GOODS_PAINTS[number - 1](components.goods()[number - 1])


def _goods(counts: Sequence[int]) -> list[str]:
    return [f"{count} {_good(number)}" for number, count in enumerate(counts, start=1) if count]


def _dice(dice: Sequence[int]) -> str:
    return " ".join(BOLD(f"[{die}]") for die in dice)


# --- Above the estates


def _header(position: Position, width: int) -> list[str]:
    phase = components.phases()[position.phase]
    title = BOLD("The Castles of Burgundy")
    moment = BOLD(f"phase {phase}, round {position.round + 1}")
    lines = [f"{title}   {position.edition} edition   {moment}"]
    if position.stage != "play":
        return [*lines, *_flowed(BOLD(">"), [_waiting(position)], width)]
    lines += _flowed(BOLD(">"), _decision(position), width, separator="   ")
    if position.pending:
        effects = [BOLD(components.tile_name(tile)) for tile in reversed(position.pending)]
        lines += _flowed("  pending:", effects, width, separator=", then ")
    return lines


def _decision(position: Position) -> list[str]:
    """Say who decides and what his turn still holds."""
    return [
        f"{_name(position, position.mover)} {BOLD('decides')}",
        f"unused dice {_dice(position.dice)}" if position.dice else "both dice used",
        "purchase spent" if position.bought else "purchase open",
        *([] if position.pending else ["nothing pending"]),
    ]


def _waiting(position: Position) -> str:
    """Say what is awaited, or who has won."""
    phase = components.phases()[position.phase]
    if position.stage == "deal":
        return f"{BOLD('waiting for the deal')} of phase {phase}; the roll comes after it"
    if position.stage == "roll":
        return f"{BOLD('waiting for the roll')} of round {phase}{position.round + 1}"
    winner = position.names.index(position.winner() or "")
    points = position.players[winner].score
    rest = [str(p.score) for seat, p in enumerate(position.players) if seat != winner]
    name = _name(position, winner)
    return f"{BOLD('the game is over:')} {name} {BOLD('wins')} with {points} to {', '.join(rest)}"


def _depots(position: Position, width: int) -> list[str]:
    """Return a line for each depot: tiles at the left, goods in a column of their own."""
    rows = [
        _flowed(_label(f"depot {depot}"), _tiles(tiles), width - _GOODS_WIDTH - _GAP)
        for depot, tiles in enumerate(position.depots, start=1)
    ]
    left = max(_SHORTEST_LEFT, *(_columns(line) for lines in rows for line in lines))
    lines = []
    for tile_lines, goods in zip(rows, position.depot_goods, strict=True):
        goods_lines = _flowed(FAINT("goods"), _goods(goods), width - left - _GAP)
        lines += _beside([tile_lines, goods_lines if any(goods) else []], left)
    return [*lines, *_flowed(_label("black"), _tiles(position.black), width)]


def _goods_to_come(position: Position, width: int) -> list[str]:
    """Return the goods still to come in this phase, and the die numbers of all goods."""
    coming = [_good(number) for number in position.goods_to_come]
    numbers = [f"{number} {_good(number)}" for number in range(1, 7)]
    return [
        *_flowed(_label("to come"), coming, width, separator=", then "),
        *_flowed(_label("goods no."), numbers, width),
    ]


def _turn_order(position: Position, width: int) -> list[str]:
    """Return this round's order and, where it differs, the order of the markers for the next."""
    lines = _flowed(_label("this round"), _names(position, position.turn_order), width)
    if position.next_order != position.turn_order:
        label = "track" if _is_last_round(position) else "next round"
        lines += _flowed(_label(label), _names(position, position.next_order), width)
    return lines


def _is_last_round(position: Position) -> bool:
    rounds = int(components.scoring()["rounds"])
    return position.phase == len(components.phases()) - 1 and position.round == rounds - 1


# --- Players


def _players(position: Position, width: int) -> list[str]:
    """Return everybody's panel: beside one another where the width allows it."""
    count = len(position.players)
    across = min(count, (width + _GAP) // (draw_estate.WIDTH + _GAP))
    if count == 4 and across == 3:
        across = 2
    panel = min(_PANEL_WIDTH, (width - _GAP * (across - 1)) // across)
    lines: list[str] = []
    for first in range(0, count, across):
        seats = range(first, min(first + across, count))
        if len(seats) == 1:
            lines += [*_wide_panel(position, first, width), ""]
            continue
        facts = [_facts(position, seat, panel) for seat in seats]
        estates = [_estate(position.players[seat]) for seat in seats]
        lines += [*_beside(facts, panel), *_beside(estates, panel), ""]
    return lines


def _wide_panel(position: Position, seat: int, width: int) -> list[str]:
    """Return an estate with the facts about its player at its right."""
    facts = _facts(position, seat, width - draw_estate.WIDTH - _GAP)
    return _beside([_estate(position.players[seat]), facts], draw_estate.WIDTH)


def _beside(blocks: Sequence[list[str]], width: int) -> list[str]:
    """Put blocks of lines beside one another, each but the last padded to a width."""
    return [
        (" " * _GAP).join([*(_padded(text, width) for text in row[:-1]), row[-1]]).rstrip()
        for row in zip_longest(*blocks, fillvalue="")
    ]


def _estate(player: Player) -> list[str]:
    return draw_estate.estate_lines(player.board, player.estate)


def _facts(position: Position, seat: int, width: int) -> list[str]:
    """Return what is to be said of a player besides his estate."""
    player = position.players[seat]
    number = components.boards()[player.board].numbers[position.edition]
    decides = position.stage == "play" and position.mover == seat
    heading = [_name(position, seat), BOLD(f"{player.score} points"), f"board {number}"]
    counts = [f"workers {player.workers}", f"silver {player.silver}", f"track {player.track}"]
    return [
        *_flowed(BOLD(">" if decides else " "), heading, width, separator="   "),
        *_flowed(" ", [*counts, _roll(position, seat)], width, separator="   "),
        *_flowed(_fact("storage"), _tiles(player.storage), width),
        *_flowed(_fact("goods"), _goods(player.goods), width),
        *_flowed(_fact("sold"), _goods(player.sold), width),
        *_flowed(_fact("bonuses"), _bonuses(player), width),
    ]


def _fact(text: str) -> str:
    return FAINT(f"  {text:7}")


def _roll(position: Position, seat: int) -> str:
    """Return a player's dice: those that still count in brackets."""
    roll = position.players[seat].dice
    if position.stage != "play":
        return "no dice"
    if position.mover != seat:
        order = position.turn_order
        moved = order.index(seat) < order.index(position.mover)
        return "has moved" if moved else f"dice {_dice(roll) or '?'}"
    used = Counter(roll) - Counter(position.dice)
    parts = [_dice(position.dice), *(f"{die} used" for die in used.elements())]
    return f"dice {' '.join(filter(None, parts)) or 'used'}"


def _bonuses(player: Player) -> list[str]:
    return [
        f"{'large' if colour in player.large else 'small'} {components.COLOURS[colour]}"
        for colour in sorted(player.large | player.small)
    ]


# --- Legend


def _legend(position: Position, width: int) -> list[str]:
    """Explain the short names that stand in the estates, and no others."""
    meanings: dict[str, str] = {}
    for player in position.players:
        colours = components.boards()[player.board].colours
        for tile, colour in zip(player.estate, colours, strict=True):
            if tile:
                meanings.setdefault(*draw_estate.explanation(tile))
            else:
                meanings.setdefault(draw_estate.EMPTY_WORDS[colour], components.COLOURS[colour])
    words = [
        f"{BOLD(short)} {meaning}"
        for short, meaning in sorted(meanings.items())
        if short.lower().rstrip("#") != meaning
        and not (short.islower() and short.upper() in meanings)
    ]
    cells = [
        f"{BOLD('CAPITALS')} a tile",
        f"{BOLD('small letters')} an empty cell, its die number above and its name below",
    ]
    return [
        *_flowed(_label("cells"), cells, width, separator="; "),
        *_flowed(_label("short for"), words, width),
    ]
