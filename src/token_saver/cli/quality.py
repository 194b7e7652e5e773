"""What the commands that measure quality share: options, the table for people, the bar on a terminal."""

from __future__ import annotations

import pathlib
import sys
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping
    from contextlib import ExitStack

    from token_saver.replay.reports import Report
    from token_saver.replay.totals import Totals

MOST_ROWS = 200
"""With more cases than these the table shows those that fail."""
_MOST_VIOLATIONS = 3
_FILE_WIDTH = 1000
"""Columns where nobody looks at a terminal: enough that no name is cut."""


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
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
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


def add_command(command: argparse.ArgumentParser) -> None:
    """Add the words of a command that is run, after ``--``, and ``-c`` for text that a shell reads."""
    import argparse

    command.add_argument("-c", dest="shell_text", metavar="TEXT", help="run TEXT by the shell instead of words")
    command.add_argument("words", nargs=argparse.REMAINDER, metavar="-- CMD", help="the command to run, word by word")


def command_of(options: argparse.Namespace) -> tuple[list[str], str] | None:
    """Return the words to start and the command line as it would be typed; None when no command was given.

    Raises ``InputError`` when there are both words and text for a shell.
    """
    from token_saver.hosts.wrapper import users_shell
    from token_saver.workbench.commands import label

    words: list[str] = options.words[1:] if options.words[:1] == ["--"] else options.words
    if options.shell_text is not None and words:
        raise InputError("give either -c TEXT or -- CMD, not both")
    if options.shell_text is not None:
        return [users_shell(), "-c", options.shell_text], options.shell_text
    return (words, label(words)) if words else None


def read_stdin(limit: int) -> str:
    """Return what stands on stdin; raises ``InputError`` when it has more than *limit* bytes or is not UTF-8."""
    raw = sys.stdin.buffer.read(limit + 1) if limit > 0 else sys.stdin.buffer.read()
    if limit > 0 and len(raw) > limit:
        raise InputError(f"stdin is larger than max_output_bytes ({limit:,}): raise that setting or hand over less")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"stdin is not UTF-8 (byte {error.start:,}): `token-saver run` takes any bytes") from error


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
        if not console.is_terminal:
            console.width = _FILE_WIDTH
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
    found = case["violations"]
    more = [f"and {len(found) - _MOST_VIOLATIONS} more"] if len(found) > _MOST_VIOLATIONS else []
    verdict = "kept" if case["passed"] else ", ".join([*found[:_MOST_VIOLATIONS], *more])
    return case["name"], case["processor"], tokens, f"{case['savings_percent']:.1f}", verdict


def _table(rows: list[tuple[str, ...]]) -> Any:
    from rich.table import Column, Table
    from rich.text import Text

    whole = [Column(name, overflow="fold") for name in ("case", "processor", "tokens", "saved %", "result")]
    table = Table(*whole, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
