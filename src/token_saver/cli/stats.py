"""``token-saver stats``: what was saved, and what of it was given back."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError, StoreError

if TYPE_CHECKING:
    import argparse
    import sqlite3
    from collections.abc import Iterator

    from rich.console import Console

    from token_saver.telemetry.report import Found
    from token_saver.telemetry.tracker import Tracker

_DESCRIPTION = """\
Show what was saved on this machine: what was printed, what was shown, what the host would have cut anyway, and what repeats,
escapes and recalls gave back. Tokens are estimates. The details (families, commands, days) are of all that is kept, or of
the scope that is named."""
_LISTS = ("families", "commands", "days", "least_effective", "prices", "mismatches", "recalls")
_ROWS = 10
_DAYS = 30
_BAR = 40


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("stats", help="show what was saved", description=_DESCRIPTION)
    scope = made.add_mutually_exclusive_group()
    scope.add_argument("--today", action="store_true", help="details of today")
    scope.add_argument("--session", nargs="?", const="", metavar="ID", help="details of a session (default: this one)")
    scope.add_argument("--project", nargs="?", const="", metavar="PATH", help="details of a project (default: this one)")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object (docs/statistics.md)")
    form.add_argument("--csv", nargs="?", const="commands", choices=_LISTS, metavar="LIST", help=f"print {', '.join(_LISTS)}")
    form.add_argument("--html", metavar="FILE", help="write a page that needs nothing but itself")
    form.add_argument("--clear", action="store_true", help="delete all that was recorded")
    made.add_argument("--model", default="", help="whose price to reckon with (telemetry/prices.toml)")
    made.add_argument("--turns", type=_turns, default=0, help="how often an output is read again from the cache (default: 0)")
    made.set_defaults(command=_stats)


def _turns(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def _stats(options: argparse.Namespace) -> int:
    from token_saver import store
    from token_saver.telemetry.tracker import Tracker

    settings = output.effective_settings().as_dict()
    tracker = Tracker(store.data_folder(), settings)
    if options.clear:
        tracker.clear()
        output.note("all that was recorded is deleted")
        return 0
    report = _report(options, settings, tracker)
    if options.json:
        output.print_json(report)
    elif options.csv:
        _print_csv(report[options.csv])
    elif options.html:
        _write_page(options.html, report)
    else:
        _show(report)
    return 0


def _report(options: argparse.Namespace, settings: dict[str, Any], tracker: Tracker) -> dict[str, Any]:
    from token_saver import settings as configuration
    from token_saver.telemetry import prices, report

    table = prices.load(os.path.dirname(configuration.user_file()))
    price = table.of(options.model)
    with _opened(tracker) as connection:
        found = _found(connection, options)
    per_token = float(settings["chars_per_token"])
    if tracker.set_aside:
        output.note(f"the statistics were damaged; what there was is kept as {tracker.set_aside}")
    return report.made(found, report.Basis(per_token, price, options.turns, list(table.models.values())))


@contextmanager
def _opened(tracker: Tracker) -> Iterator[sqlite3.Connection]:
    """Open the statistics with the newest records taken in; without them where nothing can be written for now."""
    from token_saver import store

    try:
        tracker.fold()
    except StoreError as error:
        with closing(store.connect_read_only(tracker.path)) as connection:
            output.note(f"the newest records are missing: {error}")
            yield connection
        return
    with tracker.opened() as connection:
        yield connection


def _found(connection: sqlite3.Connection, options: argparse.Namespace) -> Found:
    from token_saver.telemetry.intake import root
    from token_saver.telemetry.queries import ALL, PROJECT, SESSION, TODAY, Scope, Statistics, since, today
    from token_saver.telemetry.report import Found

    session = options.session or os.environ.get("TOKEN_SAVER_SESSION") or os.environ.get("CLAUDE_CODE_SESSION_ID") or ""
    if options.session == "" and not session:
        raise InputError("no session is known here; name one: stats --session ID")
    project = root(os.path.abspath(options.project or os.getcwd()))
    scopes = [Scope(TODAY, today()), Scope(SESSION, session), Scope(PROJECT, project), Scope(ALL)]
    named = {TODAY: options.today, SESSION: options.session is not None, PROJECT: options.project is not None}
    detailed = next((name for name, wanted in named.items() if wanted), ALL)
    details = Statistics(connection, next(scope for scope in scopes if scope.kind == detailed))
    sums = {scope.kind: Statistics(connection, scope).sums() if scope.value or scope.kind == ALL else None for scope in scopes}
    return Found(
        sums,
        detailed,
        details.groups("processor"),
        details.groups("command"),
        details.groups("day"),
        details.mismatches(),
        details.recalls(),
        since(connection),
    )


def _print_csv(rows: list[dict[str, Any]]) -> None:
    import csv
    import io

    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    output.write(text.getvalue())


def _write_page(path: str, report: dict[str, Any]) -> None:
    from token_saver.telemetry import page

    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(page.rendered(report))
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    output.note(f"{path} is written")


def _show(report: dict[str, Any]) -> None:
    console = output.console()
    everything = report["scopes"]["all"]
    if not everything["commands"]:
        console.print("Nothing is recorded yet. Commands that run through Token-Saver are, unless telemetry_enabled is off.")
        return
    _show_scopes(console, report)
    _show_rows(console, "by family", report["families"])
    _show_rows(console, "by command", report["commands"])
    _show_days(console, report["days"])
    _show_rows(console, "least effective families", report["least_effective"], most=5)
    _show_prices(console, report["prices"])
    _show_returns(console, report)
    price = report["basis"]["price"]
    console.print(
        f"\nTokens are estimates ({report['basis']['characters_per_token']:g} characters each). USD: {price['model']}, as read on"
        f" {price['read']}, written to the cache once and read {report['basis']['turns']} times.",
        style="dim",
    )


def _show_scopes(console: Console, report: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("characters")
    scopes = {name: row for name, row in report["scopes"].items() if row is not None}
    for name in scopes:
        table.add_column(name if name != "all" else f"since {report['since']}", justify="right")
    for key, label in _LINES:
        table.add_row(label, *(f"{row[key]:,}" for row in scopes.values()))
    table.add_row("net, of what was printed", *(f"{row['net_percent']} %" for row in scopes.values()))
    table.add_row("net, tokens", *(f"{row['net_tokens']:,}" for row in scopes.values()), style="bold")
    table.add_row("net, USD", *(f"{row['net_usd']:,.2f}" for row in scopes.values()))
    console.print(table)


_LINES = (
    ("commands", "commands"),
    ("shortened", "of them shortened"),
    ("original", "printed"),
    ("shown", "shown"),
    ("gross", "gross saving"),
    ("host_cut", "− the host would have cut"),
    ("repeats", "− looked at again"),
    ("escapes", "− asked for more"),
    ("recalls", "− recalled"),
    ("net", "net saving"),
)


def _show_rows(console: Console, title: str, rows: list[dict[str, Any]], most: int = _ROWS) -> None:
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table(title, "runs", "printed", "shown", "net", "net %", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows[:most]:
        numbers = (f"{row[key]:,}" for key in ("commands", "original", "shown", "net"))
        table.add_row(Text(row["name"]), *numbers, f"{row['net_percent']:.1f}")
    console.print()
    console.print(table)
    if len(rows) > most:
        console.print(f"and {len(rows) - most} more: stats --csv", style="dim")


def _show_days(console: Console, days: list[dict[str, Any]]) -> None:
    if not days:
        return
    shown = days[-_DAYS:]
    largest = max(1, *(abs(row["net"]) for row in shown))
    console.print("\nnet saving by day", style="bold")
    for row in shown:
        bar = "█" * round(_BAR * abs(row["net"]) / largest)
        console.print(f"{row['name']}  {'−' if row['net'] < 0 else ' '}{bar:{_BAR}}  {row['net']:>12,}")


def _show_prices(console: Console, rows: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("net saving, USD by model", "as input", "as cache write", "as cache read", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(Text(row["model"]), *(f"{row[key]:,.2f}" for key in ("input_usd", "cache_write_usd", "cache_read_usd")))
    console.print()
    console.print(table)


def _show_returns(console: Console, report: dict[str, Any]) -> None:
    from rich.text import Text

    for row in report["recalls"][:_ROWS]:
        what = f"{row['kind']}: {row['command']} ({row['processor'] or 'any'})"
        console.print(Text(f"{what}, {row['times']} times, {row['characters']:,} characters"))
    for row in report["mismatches"][:_ROWS]:
        what = f"broken contract: {row['processor']} on {row['command']}"
        console.print(Text(f"{what}, {row['times']} times, {row['original']:,} characters"))
