"""The statistics as one HTML page: inline style and SVG, no script, nothing from a network; light and dark, keyboard, speech."""

from __future__ import annotations

from html import escape
from typing import Any

_STYLE = """\
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --line: #d0d7de;
  --bar: #0a6b58; --loss: #a8321a; --card: #f6f8fa; --focus: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b3; --paper: #0d1117; --line: #30363d;
    --bar: #3fb99b; --loss: #f28b6d; --card: #161b22; --focus: #79c0ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { max-width: 46rem; }
.soft, caption, figcaption { color: var(--soft); }
a, summary { color: var(--focus); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; padding: 0; list-style: none; }
.cards li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; }
.cards strong { display: block; font-size: 1.7rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: .4rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td, thead th + th { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { text-align: left; font-weight: 600; }
tbody th { font-weight: 400; overflow-wrap: anywhere; }
figure { margin: 0; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.bar { fill: var(--bar); }
.loss { fill: var(--loss); }
.axis { stroke: var(--line); }
"""
_NAMES = {"today": "Today", "session": "This session", "project": "This project", "all": "All that is kept"}
_STEPS = (
    ("original", "Printed"),
    ("shown", "Shown"),
    ("gross", "Gross saving"),
    ("host_cut", "− what the host would have cut"),
    ("repeats", "− looked at again"),
    ("escapes", "− asked for more"),
    ("recalls", "− recalled"),
    ("net", "Net saving"),
    ("net_tokens", "Net saving in tokens (estimated)"),
)
_COLUMNS = (("commands", "Runs"), ("original", "Printed"), ("shown", "Shown"), ("net", "Net saving"))
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 960, 240, 70, 24
_MOST_DAYS = 90
_MOST_ROWS = 50


def rendered(report: dict[str, Any]) -> str:
    """Return the page of a *report* (``report.made``)."""
    scopes = {name: row for name, row in report["scopes"].items() if row is not None}
    sections = (
        _section("calculation", "How the net saving comes about", _calculation(scopes)),
        _section("days", "Net saving by day", _chart(report["days"][-_MOST_DAYS:])),
        _section("families", "By family", _table("Families, the largest net saving first", report["families"])),
        _section("commands", "By command", _table("Commands, the largest net saving first", report["commands"])),
        _section(
            "least", "Least effective families", _table("Families, the smallest part saved first", report["least_effective"])
        ),
        _section("returns", "Given back and broken", _returns(report)),
    )
    return _PAGE.format(
        style=_STYLE,
        since=escape(report["since"] or "now"),
        per_token=f"{report['basis']['characters_per_token']:g}",
        cards=_cards(scopes),
        sections="\n".join(sections),
        price=_price(report["basis"]),
    )


_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Token-Saver: what was saved</title><style>{style}</style></head><body>
<a class="skip" href="#main">To the figures</a>
<header><h1>What Token-Saver saved</h1>
<p class="soft">Since {since}. Sizes in characters; tokens are an estimate of {per_token} characters each, no bill.</p></header>
<main id="main">{cards}
{sections}
</main>
<footer><p class="soft">{price}</p></footer></body></html>
"""


def _price(basis: dict[str, Any]) -> str:
    price = basis["price"]
    return (
        f"USD by the price of {escape(price['model'])}: {price['cache_write']:g} per million tokens written to the cache,"
        f" {price['cache_read']:g} read from it {basis['turns']} times;"
        f" {escape(price['source'])}, read on {escape(price['read'])}."
    )


def _section(name: str, title: str, content: str) -> str:
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>{content}</section>' if content else ""


def _cards(scopes: dict[str, dict[str, Any]]) -> str:
    return f'<ul class="cards">{"".join(_card(_NAMES[name], row) for name, row in scopes.items())}</ul>'


def _card(name: str, row: dict[str, Any]) -> str:
    words = f"{row['net_percent']:g} % of what {row['commands']:,} commands printed; {row['net_usd']:,.2f} USD"
    return f'<li><span>{name}</span><strong>{row["net_tokens"]:,}</strong> tokens net<br><span class="soft">{words}</span></li>'


def _calculation(scopes: dict[str, dict[str, Any]]) -> str:
    head = "".join(f'<th scope="col">{_NAMES[name]}</th>' for name in scopes)
    rows = [
        f'<tr><th scope="row">{label}</th>{"".join(f"<td>{row[key]:,}</td>" for row in scopes.values())}</tr>'
        for key, label in _STEPS
    ]
    return _framed("From what was printed to the net saving, in characters", f'<th scope="col">Step</th>{head}', rows)


def _table(caption: str, rows: list[dict[str, Any]]) -> str:
    if not rows:
        return '<p class="soft">Nothing yet.</p>'
    head = (
        '<th scope="col">Name</th>'
        + "".join(f'<th scope="col">{label}</th>' for _, label in _COLUMNS)
        + '<th scope="col">Net %</th>'
    )
    body = [
        f'<tr><th scope="row">{escape(row["name"])}</th>{"".join(f"<td>{row[key]:,}</td>" for key, _ in _COLUMNS)}'
        f"<td>{row['net_percent']:.1f}</td></tr>"
        for row in rows[:_MOST_ROWS]
    ]
    return _framed(caption, head, body)


def _framed(caption: str, head: str, rows: list[str]) -> str:
    table = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">{table}</div>'


def _chart(days: list[dict[str, Any]]) -> str:
    if not days:
        return '<p class="soft">Nothing yet.</p>'
    high = max(0, *(row["net"] for row in days))
    low = min(0, *(row["net"] for row in days))
    scale = (_HEIGHT - 2 * _BOTTOM) / max(1, high - low)
    zero = _BOTTOM + high * scale
    step = (_WIDTH - _LEFT) / len(days)
    bars = [_bar(row, _LEFT + step * position, zero, scale, step) for position, row in enumerate(days)]
    marks = [(0, days[0]), *([(len(days) - 1, days[-1])] if len(days) > 1 else [])]
    texts = [
        f'<text x="{_LEFT + step * (position + 0.5):.1f}" y="{_HEIGHT - 6}" text-anchor="{"end" if position else "start"}">'
        f"{escape(row['name'])}</text>"
        for position, row in marks
    ]
    texts += [
        f'<text x="{_LEFT - 6}" y="{zero - value * scale + 4:.1f}" text-anchor="end">{value:,}</text>' for value in {0, high, low}
    ]
    nets = [row["net"] for row in days]
    words = f"Net saving by day: {len(days)} days, {min(nets):,} to {max(nets):,} characters a day. The table has all figures."
    axis = f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH}" y1="{zero:.1f}" y2="{zero:.1f}"/>'
    inside = axis + "".join(bars + texts)
    drawn = f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{words}">{inside}</svg>'
    listed = _table("Days", days[::-1])
    figure = f"<figure>{drawn}<figcaption>{words}</figcaption></figure>"
    return f"{figure}<details><summary>Figures of each day</summary>{listed}</details>"


def _bar(row: dict[str, Any], left: float, zero: float, scale: float, step: float) -> str:
    height = abs(row["net"]) * scale
    top = zero - height if row["net"] > 0 else zero
    kind = "bar" if row["net"] >= 0 else "loss"
    return (
        f'<rect class="{kind}" x="{left + step * 0.1:.2f}" y="{top:.2f}" width="{min(step * 0.8, 60):.2f}" height="{height:.2f}">'
        f"<title>{escape(row['name'])}: {row['net']:,} characters</title></rect>"
    )


def _returns(report: dict[str, Any]) -> str:
    items = [
        f"<li>{escape(row['kind'])}: {escape(row['command'])}, {row['times']:,} times, {row['characters']:,} characters</li>"
        for row in report["recalls"][:_MOST_ROWS]
    ]
    items += [
        f"<li>broken contract: {escape(row['processor'])} on {escape(row['command'])}, {row['times']:,} times</li>"
        for row in report["mismatches"][:_MOST_ROWS]
    ]
    return (
        f"<ul>{''.join(items)}</ul>"
        if items
        else '<p class="soft">Nothing was recalled, and no processor broke its contract.</p>'
    )
