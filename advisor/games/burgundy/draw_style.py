"""The style sheet of the table drawn in HTML: rulebook colours, light, dark and on paper.

Owns colours and measures of `draw_html`, every class with the prefix `cob`. Text on a colour has a
contrast of 4.5 or more in both schemes. Knows nothing of positions.
"""

from __future__ import annotations

TILES = ("#e0b98c", "#a5d26a", "#f4d03f", "#2f74c0", "#2c6a3f", "#a9abb0")
"""Tiles in the order of `components.COLOURS`: beige, green, yellow, blue, dark green, grey."""
CELLS_LIGHT = ("#f3e3cf", "#deefc6", "#fbf0bd", "#c3daf2", "#b9d6c2", "#dddee1")
CELLS_DARK = ("#5d4a36", "#465a2c", "#665719", "#22436b", "#1f4229", "#494b50")
INK_ON_TILES = ("#33220f", "#1c3005", "#3a2f00", "#ffffff", "#ffffff", "#1d1e21")
GOODS = ("#14757a", "#6c3fa0", "#c2327f", "#b3241c", "#74451d", "#b85605")


def _numbered(prefix: str, colours: tuple[str, ...], *, start: int = 0) -> str:
    return "".join(f"--cob-{prefix}{n}:{c};" for n, c in enumerate(colours, start=start))


_PAINTS = "".join(
    f".cob-c{n}{{fill:var(--cob-c{n})}}.cob-e{n}{{fill:var(--cob-e{n})}}.cob-ink{n}{{fill:var(--cob-i{n})}}"
    for n in range(6)
) + "".join(f".cob-g{n}{{fill:var(--cob-g{n})}}" for n in range(1, 7))

CSS = f"""
.cob {{
  {_numbered("c", TILES)}
  {_numbered("e", CELLS_LIGHT)}
  {_numbered("i", INK_ON_TILES)}
  {_numbered("g", GOODS, start=1)}
  --cob-ink: #26221c; --cob-faint: #6a6256; --cob-line: #ddd5c7; --cob-panel: #fffdf9;
  --cob-border: #4b4135; --cob-mark: #8a1c3a; --cob-number: #fffffff0; --cob-digit: #26221c;
  color: var(--cob-ink); line-height: 1.35; overflow-wrap: anywhere;
}}
@media screen and (prefers-color-scheme: dark) {{
  .cob {{
    {_numbered("e", CELLS_DARK)}
    --cob-ink: #ece6dc; --cob-faint: #a89f91; --cob-line: #443e36; --cob-panel: #23201c;
    --cob-border: #0f0d0b; --cob-mark: #f08aa4; --cob-number: #00000073; --cob-digit: #f6f1e8;
  }}
}}
{_PAINTS}
.cob-ink6 {{ fill: var(--cob-ink); opacity: .62; }}
.cob-symbols {{ position: absolute; }}
.cob ul, .cob ol, .cob dl, .cob p, .cob h3, .cob h4 {{ margin: 0; padding: 0; list-style: none; }}
.cob h3 {{ font: inherit; font-weight: 650; display: flex; align-items: center; gap: .5em; }}
.cob h4 {{ font: inherit; font-size: .8em; color: var(--cob-faint); margin: .5em 0 .15em; }}
.cob-faint {{ color: var(--cob-faint); font-size: .88em; }}
.cob-head {{ margin-bottom: .8em; }}
.cob-title, .cob-moment, .cob-counts {{
  display: flex; flex-wrap: wrap; gap: .15em 1.2em; align-items: center;
}}
.cob-title {{ color: var(--cob-faint); }}
.cob-title b {{ color: var(--cob-ink); }}
.cob-moment {{ font-size: 1.08em; min-height: 2em; }}
.cob-dice {{ display: inline-flex; flex-wrap: wrap; gap: .35em; align-items: center; }}
.cob-die rect {{ fill: #fffdf8; stroke: #55493a; stroke-width: 1.5; }}
.cob-die circle {{ fill: #26221c; }}
.cob-used {{ opacity: .55; }}
.cob-cross {{ stroke: #a3122f; stroke-width: 3; stroke-linecap: round; }}
.cob-depots {{ display: grid; gap: .6em; grid-template-columns: repeat(6, minmax(0, 1fr)); }}
.cob-sides {{ display: grid; gap: .6em; margin-top: .6em; grid-template-columns: 2fr 1.5fr 1.5fr; }}
.cob-depot, .cob-player {{
  background: var(--cob-panel); border: 1px solid var(--cob-line); border-radius: 10px;
  padding: .6em .7em; min-width: 0; break-inside: avoid;
}}
.cob-depot h3 {{ font-size: .9em; margin-bottom: .35em; }}
.cob-depot h3 .cob-die {{ width: 20px; height: 20px; }}
.cob-depot .cob-list {{ display: flex; flex-direction: column; }}
.cob-black {{ border: 2px solid var(--cob-ink); }}
.cob-black .cob-list, .cob-sides .cob-order {{ flex-direction: row; }}
.cob-list, .cob-order {{ display: flex; flex-wrap: wrap; gap: .25em .8em; font-size: .88em; }}
.cob-list li, .cob-order li {{
  display: inline-flex; align-items: center; gap: .4em; min-width: 0;
}}
.cob-list svg, .cob-order svg {{ flex: none; }}
.cob-order {{ counter-reset: cob; }}
.cob-order li::before {{
  counter-increment: cob; content: counter(cob) "."; color: var(--cob-faint); flex: none;
}}
.cob-tile {{ width: 23px; height: 26px; }}
.cob-hex {{ stroke: #00000066; stroke-width: 1.2; }}
.cob-good text {{ fill: #fff; font: 700 12px system-ui, sans-serif; text-anchor: middle; }}
.cob-good rect {{ stroke: #00000059; }}
.cob-players {{
  display: grid; gap: .8em; margin-top: .8em;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 25em), 1fr));
}}
.cob-decides {{ border: 2px solid var(--cob-mark); }}
.cob-player h3 {{ font-size: 1.08em; flex-wrap: wrap; gap: .1em .6em; }}
.cob-player .cob-who {{ min-width: 0; }}
.cob-points {{ margin-left: auto; white-space: nowrap; }}
.cob-badge {{
  font-size: .72em; border: 1px solid; color: var(--cob-mark); border-radius: 99px;
  padding: .05em .6em; white-space: nowrap;
}}
.cob-counts {{ font-size: .9em; color: var(--cob-faint); min-height: 2.2em; }}
.cob-counts b {{ color: var(--cob-ink); }}
.cob-counts .cob-die {{ width: 23px; height: 23px; }}
.cob-estate {{
  display: block; width: 100%; max-width: 33em; height: auto; margin: .3em auto .5em;
}}
.cob-cell {{ stroke: #0000002e; stroke-width: .8; }}
.cob-border {{ fill: none; stroke: var(--cob-border); stroke-width: 2.4; stroke-linecap: round; }}
.cob-estate .cob-hex {{ stroke: #000000a6; stroke-width: 1; }}
.cob-estate text {{ text-anchor: middle; font-family: system-ui, sans-serif; }}
.cob-number {{ fill: var(--cob-number); stroke: #0000003d; stroke-width: .8; }}
.cob-estate .cob-digit {{ font-size: 14px; font-weight: 700; fill: var(--cob-digit); }}
.cob-estate .cob-where {{ font-size: 9.5px; fill: var(--cob-ink); }}
.cob-estate .cob-name {{ font-size: 8.4px; font-weight: 600; }}
.cob-estate .cob-count {{ font-size: 9.5px; font-weight: 750; }}
.cob-player dl {{
  display: grid; grid-template-columns: 4.6em minmax(0, 1fr); gap: .25em .4em;
  font-size: .93em; align-items: start;
}}
.cob-player dt {{ color: var(--cob-faint); padding-top: .1em; }}
.cob-player dd {{ margin: 0; }}
.cob-legend {{ margin-top: .8em; font-size: .85em; color: var(--cob-faint); }}
.cob-legend .cob-list {{ margin-top: .4em; font-size: 1em; }}
@media (max-width: 900px) {{
  .cob-depots {{ grid-template-columns: repeat(3, minmax(0, 1fr)); }}
  .cob-sides {{ grid-template-columns: minmax(0, 1fr); }}
}}
@media (max-width: 520px) {{
  .cob-depots {{ grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .45em; }}
  .cob-player {{ padding: .5em; }}
}}
@media print {{
  .cob-players {{ grid-template-columns: repeat(2, minmax(0, 1fr)); }}
  .cob-depots {{ grid-template-columns: repeat(6, minmax(0, 1fr)); }}
  .cob-sides {{ grid-template-columns: 2fr 1.5fr 1.5fr; }}
}}
"""
