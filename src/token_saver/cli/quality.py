"""What the commands that measure quality share: options, the table for people, the bar on a terminal."""

from __future__ import annotations

import pathlib
import sys
from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping
    from contextlib import ExitStack

    from token_saver.replay.reports import Report
    from token_saver.replay.totals import Totals

MOST_ROWS = 200
"""With more cases than these the table shows those that fail."""


def positive(text: str) -> int:
    """Read a whole number from 1."""
    import argparse

    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def count(text: str) -> int:
    """Read a whole number from 0."""
    import argparse

    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def percent(text: str) -> float:
    """Read a number from 0 to 100."""
    import argparse

    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage from 0 to 100")
    return value


def add_tokenizer(command: argparse.ArgumentParser) -> None:
    """Add ``--tokenizer``."""
    command.add_argument(
        "--tokenizer",
        default="estimate",
        metavar="NAME",
        help="estimate (default), linear, o200k_base, cl100k_base, or one of a plugin; the last two need token-saver[tokenizers]",
    )


def add_reports(command: argparse.ArgumentParser) -> None:
    """Add ``--junit`` and ``--markdown``."""
    command.add_argument("--junit", type=pathlib.Path, metavar="FILE", help="write JUnit XML for continuous integration")
    command.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write a summary for a pull request")


def reports(options: argparse.Namespace) -> list[Report]:
    """Return the reports that *options* ask for; the one on stdout comes last."""
    from token_saver.replay.reports import JsonReport, JunitReport, MarkdownReport

    made: list[Report] = []
    if options.junit is not None:
        made.append(JunitReport(options.junit))
    if options.markdown is not None:
        made.append(MarkdownReport(options.markdown))
    made.append(JsonReport(sys.stdout.buffer) if options.format == "json" else TextReport())
    return made


class TextReport:
    """A table for people, and one sentence about all cases together."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, ...]] = []
        self._failed: list[tuple[str, ...]] = []

    def add(self, case: Mapping[str, Any]) -> None:
        """Take one case."""
        row = _row(case)
        if len(self._rows) <= MOST_ROWS:
            self._rows.append(row)
        if not case["passed"] and len(self._failed) < MOST_ROWS:
            self._failed.append(row)

    def end(self, totals: Totals) -> None:
        """Print."""
        rows = self._rows if totals.all.cases <= MOST_ROWS else self._failed
        console = output.console()
        if rows:
            console.print(_table(rows))
        sums = totals.all
        if sums.failed > len(rows):
            console.print(f"… and {sums.failed - len(rows):,} more that fail")
        console.print(
            f"{sums.cases - sums.failed:,} of {sums.cases:,} cases hold; {sums.required - sums.lost:,} of {sums.required:,} "
            f"required strings survive; {sums.original_tokens:,} tokens ({totals.method}) became "
            f"{sums.compressed_tokens:,}, {sums.saved_percent:.1f} % less"
        )
        for violation in totals.violations:
            console.print(f"all cases together: {violation}")


def progress(stack: ExitStack, outcomes: Iterator[dict[str, Any]], total: int) -> Iterator[dict[str, Any]]:
    """Return *outcomes*, with a bar on stderr while they come if that is a terminal."""
    console = output.console(stderr=True)
    if not console.is_terminal:
        return outcomes
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = stack.enter_context(Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True))
    return iter(bar.track(outcomes, total=total))


def _row(case: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = f"{case['original_tokens']} → {case['compressed_tokens']}"
    verdict = "kept" if case["passed"] else ", ".join(case["violations"])
    return case["name"], case["processor"], tokens, f"{case['savings_percent']:.1f}", verdict


def _table(rows: list[tuple[str, ...]]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table("case", "processor", "tokens", "saved %", "result", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
