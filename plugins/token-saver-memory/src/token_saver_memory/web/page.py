"""The review page as HTML: one page, no scripts, nothing from anywhere else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.hooks.render import age

if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver_memory.values import Row

STYLE = """\
:root { color-scheme: light dark; --edge: color-mix(in srgb, currentColor 18%, transparent); --accent: #2f6feb; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
header { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: baseline; margin-bottom: 1rem; }
h1 { font-size: 1.25rem; margin: 0; }
header p { margin: 0; opacity: .75; }
form.find { margin-left: auto; display: flex; gap: .5rem; }
input, textarea, button { font: inherit; padding: .35rem .6rem; border: 1px solid var(--edge); border-radius: .4rem; background: transparent; color: inherit; }
textarea { width: 100%; min-height: 4.5rem; }
button { cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--accent); color: var(--accent); }
.said { border-left: 3px solid var(--accent); padding: .4rem .8rem; margin: 0 0 1rem; }
article { border: 1px solid var(--edge); border-radius: .6rem; padding: .8rem 1rem; margin: 0 0 .8rem; }
article h2 { font-size: 1rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
article p { margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.meta { font-size: .85rem; opacity: .75; }
.kind { display: inline-block; border: 1px solid var(--edge); border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; margin-right: .4rem; }
.stale { color: #c2571a; opacity: 1; }
.acts { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .6rem; align-items: flex-start; }
.acts details { flex-basis: 100%; }
details summary { cursor: pointer; font-size: .9rem; }
details form { display: grid; gap: .4rem; margin-top: .4rem; }
@media (max-width: 40rem) { form.find { margin-left: 0; width: 100%; } form.find input { flex: 1; } }
"""  # noqa: E501 (a style sheet reads by its rules)

CHANGES = (("confirm", "Confirm"), ("dispute", "Dispute"), ("forget", "Forget"))
_STALE = {"changed": "the code changed since", "missing": "the code is gone"}


class View(NamedTuple):
    """What the page shows: *waiting* rows are those that are hidden from the model until someone decides."""

    label: str
    rows: Sequence[Row]
    waiting: Sequence[Row]
    query: str
    said: str
    token: str


def page(view: View) -> str:
    """Return the whole page."""
    said = f'<p class="said" role="status">{escape(view.said)}</p>' if view.said else ""
    waiting = f"<h1>Waiting for a decision</h1>{''.join(_article(row, view) for row in view.waiting)}" if view.waiting else ""
    nothing = f"<p>{'Nothing matches.' if view.query else 'Nothing is remembered yet.'}</p>"
    rows = "".join(_article(row, view) for row in view.rows) or nothing
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Memory of {escape(view.label)}</title><style>{STYLE}</style></head><body>"
        f"<header><h1>Memory of {escape(view.label)}</h1><p>{len(view.rows)} shown</p>"
        '<form class="find" method="get" action="/">'
        f'<input name="q" aria-label="Search" placeholder="Search" value="{escape(view.query)}">'
        f"<button>Search</button></form></header><main>{said}{waiting}{rows}</main></body></html>"
    )


def _article(row: Row, view: View) -> str:
    stale = f' · <span class="stale">{_STALE[row.verdict]}</span>' if row.verdict in _STALE else ""
    place = " ".join(filter(None, (row.file_path, row.symbol)))
    meta = " · ".join(filter(None, (row.provenance, age(row), row.review, escape(place), "everywhere" if row.is_global else "")))
    texts = [row.body, f"Why: {row.why}" if row.why else "", f"How: {row.how}" if row.how else ""]
    body = "".join(f"<p>{escape(text)}</p>" for text in texts if text)
    return (
        f'<article id="item-{row.id}"><h2><span class="kind">{row.type}</span>#{row.id} {escape(row.title)}</h2>'
        f'<div class="meta">{meta}{stale}</div>{body}<div class="acts">'
        f"{''.join(_button(row, action, label, view) for action, label in CHANGES)}{_editor(row, view)}</div></article>"
    )


def _button(row: Row, action: str, label: str, view: View) -> str:
    return (
        f'<form method="post" action="/{action}">{_hidden(row, view)}'
        f'<button aria-label="{label} #{row.id}">{label}</button></form>'
    )


def _editor(row: Row, view: View) -> str:
    return (
        f'<details><summary>Edit</summary><form method="post" action="/edit">{_hidden(row, view)}'
        f'<input name="title" aria-label="Title of #{row.id}" value="{escape(row.title)}" required>'
        f'<textarea name="body" aria-label="Text of #{row.id}">{escape(row.body)}</textarea>'
        f'<button aria-label="Save #{row.id}">Save as the current value</button></form></details>'
    )


def _hidden(row: Row, view: View) -> str:
    return f'<input type="hidden" name="token" value="{escape(view.token)}"><input type="hidden" name="id" value="{row.id}">'
