"""``token-saver memory search``, ``list``, ``show``, ``history`` and ``stats``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError
from token_saver_memory.commands import common

if TYPE_CHECKING:
    import argparse

    from token_saver_memory.records import Version
    from token_saver_memory.values import Change


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the commands."""
    search = group.add_parser(
        "search", help="find rows by words", description="Find rows by words; the status is 1 when none answers."
    )
    search.add_argument("words", nargs="+", help="any text")
    listed = group.add_parser("list", help="the rows of most worth", description="Print rows, those of most worth first.")
    listed.add_argument("--hidden", action="store_true", help="print what waits for a person: disputed and quarantined rows")
    for made, default in ((search, 10), (listed, 30)):
        made.add_argument("--limit", type=int, default=default, metavar="N", help=f"how many at most (default: {default})")
        made.add_argument("--type", action="append", default=[], metavar="KIND", help="of this kind only (repeatable)")
        common.add_place(made)
    search.set_defaults(command=_search)
    listed.set_defaults(command=_list)
    for name, text, command in (
        ("show", "one row whole, in any state", _show),
        ("history", "all values of its subject and every change", _history),
    ):
        made = group.add_parser(name, help=text, description=f"Print {text}.")
        made.add_argument("id", type=str, help="12, #12 or memory://item/12")
        common.add_place(made)
        made.set_defaults(command=command)
    stats = group.add_parser("stats", help="how much is kept, by kind and state", description="Count what is kept.")
    stats.add_argument("--all", action="store_true", help="of all projects")
    common.add_place(stats)
    stats.set_defaults(command=_stats)


def _search(options: argparse.Namespace) -> int:
    memory, scope = common.open_for(options)
    with memory:
        rows = memory.find(scope, " ".join(options.words), options.limit, types=options.type)
    if memory.notice:
        output.note(memory.notice)
    common.say(options, "\n".join(map(common.line, rows)) or "no match", {"rows": [common.as_dict(row) for row in rows]})
    return 0 if rows else 1


def _list(options: argparse.Namespace) -> int:
    from token_saver_memory.records import versions

    memory, scope = common.open_for(options)
    with memory:
        if options.hidden:
            where = "retired_at IS NULL AND review IN ('disputed', 'quarantined') AND project_id = ?"
            found = versions(memory.connection, where, (common.project_of(scope, options).project_id,))
            rows = [version.row for version in found][: options.limit]
        else:
            rows = memory.index(scope, options.limit, types=options.type)
    common.say(options, "\n".join(map(common.line, rows)) or "nothing", {"rows": [common.as_dict(row) for row in rows]})
    return 0


def _show(options: argparse.Namespace) -> int:
    number = common.number(options.id)
    memory, scope = common.open_for(options)
    with memory:
        version = next((one for one in memory.history(number)[0] if one.row.id == number), None)
        if version is None:
            raise InputError(f"there is no #{number} in the memory")
        verdict = memory.check(version.row, scope)
        links = memory.connection.execute(
            "SELECT kind, dst FROM link WHERE src = ? UNION SELECT kind, src FROM link WHERE dst = ?", (number, number)
        ).fetchall()
        hidden = "" if memory.get([number], scope) else memory.why_not(number, scope)
    row = version.row
    lines = [common.line(row)]
    lines += [f"  {name}: {text}" for name, text in _details(version) if text]
    lines += [f"  code: {verdict.state}" + (f" ({verdict.detail})" if verdict.detail else "")]
    lines += [f"  {kind}: #{other}" for kind, other in links]
    lines += [f"  not shown: {hidden}"] if hidden else []
    value = {**common.as_dict(row), "code": verdict.state, "code_detail": verdict.detail, "not_shown": hidden, "links": links}
    common.say(options, "\n".join(lines), {"row": value})
    return 0


def _details(version: Version) -> list[tuple[str, str]]:
    row = version.row
    return [
        ("body", row.body),
        ("why", row.why),
        ("how", row.how),
        ("about", " ".join(part for part in (row.file_path, row.symbol) if part)),
        ("remembered", f"{common.day(row.recorded_at)} by {row.provenance}, last seen {common.day(row.seen_at)}"),
        ("valid", f"{common.day(row.valid_from)} to {common.day(version.valid_to)}"),
        ("lifetime", f"until {common.day(row.expires_at)}" if row.expires_at else "without end"),
        ("cite", row.uri),
    ]


def _history(options: argparse.Namespace) -> int:
    number = common.number(options.id)
    memory, _ = common.open_for(options)
    with memory:
        versions, changes = memory.history(number)
    if not versions:
        raise InputError(f"there is no #{number} in the memory")
    lines = [_version_line(version) for version in versions] + [_change_line(change) for change in changes]
    value = {
        "versions": [{**common.as_dict(one.row), "valid_to": one.valid_to, "retired_why": one.retired_why} for one in versions],
        "changes": [change._asdict() for change in changes],
    }
    common.say(options, "\n".join(lines), value)
    return 0


def _version_line(version: Version) -> str:
    row = version.row
    state = version.retired_why or "current"
    text = f": {row.body}" if row.body else ""
    return f"#{row.id} {row.title}{text} [{state}, {common.day(row.valid_from)} to {common.day(version.valid_to)}]"


def _change_line(change: Change) -> str:
    said = f": {change.reason}" if change.reason else ""
    return f"  {common.day(change.at)} #{change.item_id} {change.op} by {change.actor}{_differences(change)}{said}"


def _differences(change: Change) -> str:
    """Return the names of the fields that changed."""
    if not change.before or not change.after or change.before.startswith("sha256:"):
        return ""
    before, after = json.loads(change.before), json.loads(change.after)
    return " (" + ", ".join(name for name in after if before.get(name) != after[name]) + ")"


def _stats(options: argparse.Namespace) -> int:
    from token_saver_memory import ledger
    from token_saver_memory.stats import stats

    memory, scope = common.open_for(options)
    with memory:
        of = None if options.all else common.project_of(scope, options)
        found = stats(memory.connection, of)
        balance = ledger.balance(memory.connection, of.project_id) if of else None
    lines = []
    for name, value in found.items():
        shown = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
        lines.append(f"{name.replace('_', ' ')}: {'no data' if shown is None or shown == '' else shown}")
    lines += ledger.described(balance) if balance else []
    common.say(options, "\n".join(lines), {"stats": found, "ledger": balance._asdict() if balance else None})
    return 0
