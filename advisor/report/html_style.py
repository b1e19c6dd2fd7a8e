"""The style sheet of the page: light and dark, wide and narrow, on paper.

Owns the look of what `as_html` writes. Says nothing of the drawing of a position, which brings its
own style sheet; rules here begin with a class of the page so that they do not reach into it.
"""

from __future__ import annotations

CSS = """
:root {
  color-scheme: light dark;
  --paper: #faf8f4; --ink: #26221c; --faint: #6a6256; --line: #ddd5c7; --panel: #fffdf9;
  --accent: #8a1c3a; --bar: #b9a88f; --equal: #c07f92; --grid: #e6dfd3; --whisker: #26221c;
  --gain: #2f7d55; --loss: #b4532a; --tint: #f7ecee;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #181613; --ink: #ece6dc; --faint: #a89f91; --line: #443e36; --panel: #23201c;
    --accent: #f08aa4; --bar: #75695a; --equal: #a3586d; --grid: #342f29; --whisker: #f6f1e8;
    --gain: #55b586; --loss: #e0865c; --tint: #33222a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 1160px; margin: 0 auto; padding: 28px 20px 40px; overflow-wrap: anywhere; }
h1, h2 {
  font-family: "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif;
  line-height: 1.2; text-wrap: balance;
}
h1 { font-size: clamp(1.7rem, 4.5vw, 2.6rem); margin: .05em 0 .15em; }
h2 { font-size: 1.35rem; margin: 0 0 .5em; }
main > section { margin-top: 34px; }
code {
  font: .92em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
.who { margin: 0; color: var(--accent); font-weight: 650; }
.verdict { margin: 0; color: var(--faint); }
.best { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 20px 32px; }
main > .best { margin-top: 24px; }
.steps { margin: 0; padding: 0; list-style: none; counter-reset: step; }
.steps li {
  counter-increment: step; position: relative; padding: .1em 0 .5em 2.5em; min-height: 2.3em;
}
.steps li::before {
  content: counter(step); position: absolute; left: 0; top: 0; width: 1.75em; height: 1.75em;
  border: 2px solid var(--accent); color: var(--accent); border-radius: 50%;
  text-align: center; line-height: 1.55; font-weight: 700;
}
.steps span { font-size: 1.08em; display: inline-block; }
.steps span::first-letter { text-transform: uppercase; }
.steps code { display: block; color: var(--faint); font-size: .85em; }
.figures {
  display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; margin: 0;
  align-content: start;
}
.figures div {
  background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .5em .8em;
}
.figures dt { font-size: .82rem; color: var(--faint); }
.figures dd { margin: 0; font-weight: 650; font-variant-numeric: tabular-nums; }
.figures div:first-child { border-color: var(--accent); }
.figures div:first-child dd { font-size: 1.15em; color: var(--accent); }
.why p { margin: 0 0 .4em; max-width: 46em; }
figure { margin: 0; }
figcaption, .caption { color: var(--faint); font-size: .88rem; margin: 0 0 .6em; }
.why figure { margin-top: 1em; }
.rank, .sources { list-style: none; margin: 0; padding: 0; }
.row {
  display: grid; align-items: center; column-gap: 12px; min-height: 27px; break-inside: avoid;
}
.rank .row {
  grid-template-columns: 1.7rem minmax(0, 16.5rem) minmax(0, 3fr) 6.4rem minmax(0, 2fr) 5.8rem;
  padding: 1px 0;
}
.sources .row {
  grid-template-columns: minmax(0, 16rem) minmax(0, 1fr) 6rem; max-width: 56rem; padding: 1px 0;
}
.row .value, .row .place {
  font-variant-numeric: tabular-nums; font-size: .86rem; white-space: nowrap;
}
.row .place { color: var(--faint); text-align: right; }
.row .name { line-height: 1.3; font-size: .92rem; }
.row small { color: var(--faint); white-space: nowrap; }
.rank .row + .row { border-top: 1px solid var(--grid); }
.head, .group { font-size: .82rem; color: var(--faint); }
.group span { grid-column: 1 / -1; }
.rank .head .measure { grid-row: 1; align-self: end; }
.rank .head .measure:nth-of-type(1) { grid-column: 3 / 5; }
.rank .head .measure:nth-of-type(2) { grid-column: 5 / 7; }
.rank .head .axis { grid-row: 2; grid-column: 3; }
.rank .head .axis:last-child { grid-column: 5; }
.chart, .axis { display: block; overflow: visible; }
.axis text { font-size: 11px; fill: var(--faint); font-variant-numeric: tabular-nums; }
.chart .grid { stroke: var(--grid); }
.chart .zero { stroke: var(--faint); }
.chart .bar { fill: var(--bar); }
.chart .equal { fill: var(--equal); }
.chart .first { fill: var(--accent); }
.chart .gain { fill: var(--gain); }
.chart .loss { fill: var(--loss); }
.chart .dot { fill: var(--bar); stroke: var(--ink); stroke-width: 1; }
.chart .dot.equal { fill: var(--equal); }
.chart .dot.first { fill: var(--accent); }
.chart .whisker .halo { stroke: var(--panel); stroke-width: 4; opacity: .75; }
.chart .whisker line { stroke: var(--whisker); stroke-width: 1.5; }
.badge {
  display: inline-block; font: 600 .72rem/1.5 system-ui, sans-serif; color: var(--accent);
  border: 1px solid; border-radius: 99px; padding: 0 .55em; white-space: nowrap;
}
.then { color: var(--faint); font-size: .85em; font-weight: 400; }
.ranking .caption { margin-top: 1.6em; }
.numbers {
  width: 100%; border-collapse: collapse; font-size: .84rem; line-height: 1.35;
  overflow-wrap: break-word;
}
.numbers th { text-align: left; font-weight: 600; }
.numbers thead th { color: var(--faint); border-bottom: 2px solid var(--line); }
.numbers th, .numbers td { padding: .4em .45em; vertical-align: top; }
.numbers thead th { vertical-align: bottom; }
.numbers tbody tr { border-bottom: 1px solid var(--line); break-inside: avoid; }
.numbers .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.numbers .place { color: var(--faint); white-space: nowrap; }
.numbers tbody th { min-width: 10em; }
.numbers .turn { min-width: 11em; }
.numbers thead .number, .numbers .costs { white-space: normal; }
.numbers .first { background: var(--tint); }
.notes ul { margin: 0; padding-left: 1.2em; }
.closing {
  margin-top: 34px; padding-top: 12px; border-top: 1px solid var(--line);
  color: var(--faint); font-size: .85rem;
}
@media screen and (max-width: 980px) {
  .best { grid-template-columns: minmax(0, 1fr); }
  .rank .row { grid-template-columns: 1.5rem minmax(0, 1fr) 6.4rem; padding: 5px 0; }
  .rank .row .place { align-self: start; }
  .rank .row .name { grid-column: 2 / 4; }
  .rank .row .chart { grid-column: 2; }
  .rank .row .value { grid-column: 3; }
  .rank .head .measure:nth-of-type(1) { grid-column: 2 / 4; grid-row: 1; }
  .rank .head .axis { grid-column: 2; grid-row: 2; }
  .rank .head .measure:nth-of-type(2) { grid-column: 2 / 4; grid-row: 3; }
  .rank .head .axis:last-child { grid-column: 2; grid-row: 4; }
  .numbers, .numbers tbody { display: block; }
  .numbers thead { display: none; }
  .numbers tbody tr { display: flex; flex-wrap: wrap; gap: .1em 1em; padding: .55em .3em; }
  .numbers tbody th { width: calc(100% - 3.2em); min-width: 0; }
  .numbers th, .numbers td { padding: 0; text-align: left; }
  .numbers .number { text-align: left; }
  .numbers .place { width: 1.8em; }
  .numbers td[data-head]::before { content: attr(data-head) " "; color: var(--faint); }
  .numbers .turn { width: 100%; }
}
@media screen and (min-width: 560px) and (max-width: 980px) {
  .figures { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}
@media screen and (max-width: 720px) {
  main { padding: 18px 14px 32px; }
  .row { column-gap: 8px; }
  .sources .row { grid-template-columns: minmax(0, 1fr) 6rem; padding: 4px 0; }
  .sources .row .name, .sources .head span:first-child { grid-column: 1 / 3; }
}
@media print {
  html { font-size: 11px; }
  main { max-width: none; padding: 0; }
  body { font-size: 1rem; background: none; }
  .rank .row { grid-template-columns: 1.5rem minmax(0, 15rem) 3fr 6.4rem 2fr 5.8rem; }
  main > section { margin-top: 18pt; }
  .numbers { font-size: .72rem; }
  .numbers tbody th { min-width: 8rem; }
  .numbers .turn { min-width: 11rem; }
}
"""
