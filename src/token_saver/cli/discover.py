"""``token-saver discover``: what the commands of past sessions cost, and what would have been saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from token_saver.discover.report import Report, Row, Tally
    from token_saver.discover.transcripts import Count, Transcript

_DESCRIPTION = """\
Read the transcripts that your coding agents keep on this machine, say which commands cost most, and run Token-Saver over their
outputs to tell what would have been saved, which runs were repeated, and which tools nobody reads yet. Files are only read;
nothing of their content is stored or sent. The status is 1 when no transcript is found."""
_DAY = 86_400


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("discover", help="say what past sessions could have saved", description=_DESCRIPTION)
    made.add_argument("files", nargs="*", metavar="FILE", help="transcripts (default: those that the hosts keep)")
    made.add_argument("--host", choices=("claude", "codex"), help="only this host (default: all that are found)")
    made.add_argument("--days", type=float, default=30, help="only transcripts written in the last days (default: 30)")
    made.add_argument("--top", type=int, default=15, help="rows of each table for people (default: 15)")
    output.add_format(made)
    made.set_defaults(command=_discover)


def _discover(options: argparse.Namespace) -> int:
    from token_saver.discover.transcripts import Count

    chosen = _chosen(options)
    if not chosen:
        output.note("no transcript was found; name one, or look further back with --days")
        return 1
    tally, count = _tally(), Count()
    for transcript in chosen:
        _take(tally, transcript, count)
    report = tally.report()
    if options.format == "json":
        reading = {"transcripts": len(chosen), "unreadable_lines": count.unreadable, "unanswered": count.unanswered}
        output.print_json({**reading, **report.as_dict()})
    else:
        _show(report, chosen, count, options.top)
    return 0


def _chosen(options: argparse.Namespace) -> list[Transcript]:
    import os
    import time

    from token_saver.discover import transcripts

    if options.files:
        return [transcripts.of_unknown_host(path) for path in options.files]
    hosts = [options.host] if options.host else list(transcripts.FORMATS)
    return transcripts.found(os.environ, hosts, time.time() - options.days * _DAY)


def _tally() -> Tally:
    from token_saver.discover.report import Tally
    from token_saver.engine import CompressionEngine
    from token_saver.tokens import LinearEstimate

    return Tally(CompressionEngine(settings=output.effective_settings()), LinearEstimate())


def _take(tally: Tally, transcript: Transcript, count: Count) -> None:
    from token_saver.discover import transcripts

    try:
        for run in transcripts.runs(transcript, count):
            tally.take(run)
    except OSError as error:
        output.note(f"{transcript.path} cannot be read: {error.strerror}")


def _show(report: Report, chosen: list[Transcript], count: Count, top: int) -> None:
    from token_saver.discover.report import repeated

    console = output.console()
    total = report.total
    share = f" ({100 * total.saved // total.tokens} %)" if total.tokens else ""
    console.print(
        f"{report.runs:,} commands in {len(chosen):,} transcripts: {total.tokens:,} tokens of output ({report.counter}), "
        f"of which {total.saved:,}{share} would have been saved"
    )
    if count.unreadable:
        console.print(f"{count.unreadable:,} lines could not be read")
    _table("commands that cost most", report.rows[:top], ("runs", "failed", "tokens", "saved"))
    _table("run again in the same session", repeated(report.rows)[:top], ("runs", "repeats", "again"))
    _table("tools that no processor reads yet", report.unknown[:top], ("runs", "tokens", "saved"))


def _table(title: str, rows: Iterable[Row], columns: tuple[str, ...]) -> None:
    from rich.table import Table

    shown = Table(title=title, title_justify="left", box=None, pad_edge=False)
    shown.add_column("command")
    for column in columns:
        shown.add_column(_HEADINGS.get(column, column), justify="right")
    for row in rows:
        shown.add_row(row.name, *(f"{getattr(row, column):,}" for column in columns))
    if shown.row_count:
        output.console().print("", shown)


_HEADINGS = {"saved": "tokens saved", "again": "tokens of the same output"}
