"""The table drawn as a fragment of HTML: who decides, the depots, every player and his estate.

Owns the layout of the drawing in reports and, in `CSS`, its look on screens light and dark and on
paper. Hexagons, dice and goods are those of `draw_pieces`. Everything is said in words as well as
in colours, and every name of a player is escaped. Knows no rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from advisor.games.burgundy import components, draw_pieces
from advisor.games.burgundy.draw_style import CSS
from advisor.games.burgundy.model import Player, Position

__all__ = ["CSS", "draw_html"]

_NONE = '<span class="cob-faint">none</span>'


def draw_html(position: Position) -> str:
    """Return the table as one element of HTML; its look is `CSS`."""
    seats = range(len(position.players))
    return (
        f'<div class="cob">{draw_pieces.symbols()}'
        f"{_header(position)}"
        f'<div class="cob-depots">{_depots(position)}</div>'
        f"{_beside_the_depots(position)}"
        f'<div class="cob-players">{"".join(_player(position, seat) for seat in seats)}</div>'
        f"{_legend()}</div>"
    )


# --- Words and pieces


def _name(position: Position, seat: int) -> str:
    return f'<b class="cob-who">{escape(position.names[seat])}</b>'


def _tiles(numbers: Iterable[int]) -> str:
    """Return a list of tiles with their names, equal ones once and counted."""
    items = "".join(
        f"<li>{draw_pieces.tile(number)}<span>{escape(components.tile_name(number))}"
        f"{f' ×{count}' if count > 1 else ''}</span></li>"
        for number, count in Counter(numbers).items()
    )
    return f'<ul class="cob-list">{items}</ul>' if items else _NONE


def _good(number: int, count: int | None = None) -> str:
    words = components.goods()[number - 1]
    counted = words if count is None else f"{count} {words}"
    return f"{draw_pieces.good(number)}<span>{counted}</span>"


def _goods(counts: Sequence[int]) -> str:
    items = "".join(
        f"<li>{_good(number, count)}</li>" for number, count in enumerate(counts, start=1) if count
    )
    return f'<ul class="cob-list">{items}</ul>' if items else _NONE


def _dice(unused: Iterable[int], used: Iterable[int] = ()) -> str:
    return "".join(
        [*map(draw_pieces.die, unused), *(draw_pieces.die(value, used=True) for value in used)]
    )


def _in_order(items: Iterable[str]) -> str:
    """Return a list whose order matters."""
    return '<ol class="cob-order">' + "".join(f"<li>{item}</li>" for item in items) + "</ol>"


# --- Above the estates


def _header(position: Position) -> str:
    phase = components.phases()[position.phase]
    return (
        '<header class="cob-head"><p class="cob-title"><b>The Castles of Burgundy</b> '
        f"<span>{position.edition} edition</span> "
        f"<span>phase {phase}, round {position.round + 1}</span></p>"
        f'<p class="cob-moment">{_moment(position)}</p></header>'
    )


def _moment(position: Position) -> str:
    """Say who decides and what his turn still holds, what is awaited, or who has won."""
    phase = components.phases()[position.phase]
    if position.stage == "deal":
        return f"<span>waiting for the deal of phase {phase}; the roll comes after it</span>"
    if position.stage == "roll":
        return f"<span>waiting for the roll of round {phase}{position.round + 1}</span>"
    if position.stage == "over":
        winner = position.names.index(position.winner() or "")
        points = position.players[winner].score
        return f"<span>the game is over: {_name(position, winner)} wins with {points}</span>"
    parts = [
        f"<span>{_name(position, position.mover)} decides</span>",
        f'<span class="cob-dice">unused dice {_dice(position.dice)}</span>'
        if position.dice
        else "<span>both dice used</span>",
        f"<span>purchase {'spent' if position.bought else 'open'}</span>",
        f"<span>{_pending(position)}</span>",
    ]
    return " ".join(parts)


def _pending(position: Position) -> str:
    if not position.pending:
        return "nothing pending"
    effects = [f"<b>{components.tile_name(tile)}</b>" for tile in reversed(position.pending)]
    return f"pending: {', then '.join(effects)}"


def _depots(position: Position) -> str:
    numbered = [
        f'<section class="cob-depot"><h3>{draw_pieces.die(depot)} depot {depot}</h3>'
        f"{_tiles(tiles)}"
        f"{f'<h4>goods</h4>{_goods(goods)}' if any(goods) else ''}</section>"
        for depot, (tiles, goods) in enumerate(
            zip(position.depots, position.depot_goods, strict=True), start=1
        )
    ]
    return "".join(numbered)


def _beside_the_depots(position: Position) -> str:
    """Return the black depot, the goods still to come in this phase and the orders of play."""
    coming = _in_order(map(_good, position.goods_to_come)) if position.goods_to_come else _NONE
    track = (
        f"<h4>turn-order track</h4>{_order(position, position.next_order)}"
        if position.next_order != position.turn_order
        else ""
    )
    return (
        '<div class="cob-sides">'
        '<section class="cob-depot cob-black"><h3>black depot</h3>'
        f"{_tiles(position.black)}</section>"
        f'<section class="cob-depot"><h3>goods to come</h3>{coming}</section>'
        f'<section class="cob-depot"><h3>order this round</h3>'
        f"{_order(position, position.turn_order)}{track}</section></div>"
    )


def _order(position: Position, seats: Iterable[int]) -> str:
    return _in_order(_name(position, seat) for seat in seats)


# --- Players


def _player(position: Position, seat: int) -> str:
    player = position.players[seat]
    decides = position.stage == "play" and position.mover == seat
    number = components.boards()[player.board].numbers[position.edition]
    estate = draw_pieces.estate(
        player.board, player.estate, label=f"Estate of {player.name}, board {number}"
    )
    badge = ' <span class="cob-badge">decides</span>' if decides else ""
    return (
        f'<section class="cob-player{" cob-decides" if decides else ""}">'
        f"<h3>{_name(position, seat)}{badge}"
        f' <span class="cob-points">{player.score} points</span></h3>'
        f'<p class="cob-counts"><span>board {number}</span> '
        f"<span>workers <b>{player.workers}</b></span> <span>silver <b>{player.silver}</b></span> "
        f"<span>track <b>{player.track}</b></span> {_roll(position, seat)}</p>"
        f"{estate}<dl>"
        f"<dt>storage</dt><dd>{_tiles(player.storage)}</dd>"
        f"<dt>goods</dt><dd>{_goods(player.goods)}</dd>"
        f"<dt>sold</dt><dd>{_goods(player.sold)}</dd>"
        f"<dt>bonuses</dt><dd>{_bonuses(player)}</dd></dl></section>"
    )


def _roll(position: Position, seat: int) -> str:
    """Return a player's dice, the used ones crossed out."""
    roll = position.players[seat].dice
    if position.stage != "play":
        return "<span>no dice</span>"
    if position.mover == seat:
        used = Counter(roll) - Counter(position.dice)
        dice = _dice(position.dice, used.elements())
        return f'<span class="cob-dice">dice {dice or "used"}</span>'
    order = position.turn_order
    if order.index(seat) < order.index(position.mover):
        return "<span>has moved</span>"
    return f'<span class="cob-dice">dice {_dice(roll) or "unknown"}</span>'


def _bonuses(player: Player) -> str:
    words = [
        f"{'large' if colour in player.large else 'small'} {components.COLOURS[colour]}"
        for colour in sorted(player.large | player.small)
    ]
    return ", ".join(words) or _NONE


def _legend() -> str:
    """Explain the cells and name the colours of cells and goods."""
    cells = "".join(
        f'<li><svg class="cob-key" viewBox="0 0 22 22" width="22" height="22" aria-hidden="true">'
        f'<rect class="cob-e{colour} cob-cell" x="1" y="1" width="20" height="20" rx="4"/>'
        f'<use class="cob-ink6" href="#cob-{word}" x="4" y="4" width="14" height="14"/></svg>'
        f"<span>{word}</span></li>"
        for colour, word in enumerate(components.COLOURS)
    )
    goods = "".join(f"<li>{_good(number)}</li>" for number in range(1, 7))
    return (
        '<footer class="cob-legend"><p>An empty cell shows its die number, the symbol of its '
        "colour and its name; a tile lies on its cell with its own name.</p>"
        f'<ul class="cob-list">{cells}</ul><ul class="cob-list">{goods}</ul></footer>'
    )
