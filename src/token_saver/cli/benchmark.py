"""``token-saver benchmark -- CMD``: raw against shortened, for one command or for what stands on stdin."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver.cli import output, quality
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.engine import CompressionEngine, Result
    from token_saver.extensions import Tokenizer
    from token_saver.workbench.removed import Group

_DESCRIPTION = """\
Run a command, or read stdin with --label, and show its output raw against shortened: characters, lines, tokens by every way of
counting that is installed, the time it takes to shorten, and what was left out by kind. The status is 0 whatever the command's
own status is, which is shown."""

_MOST_GROUPS = 30
_EXAMPLE_CHARS = 100


class _Measured(NamedTuple):
    """A result, how long the first run and the middle one of all others took, and how long the command did (None: stdin)."""

    result: Result
    text: str
    exit_code: int | None
    command_seconds: float | None
    first_seconds: float
    seconds: float


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("benchmark", help="compare raw and shortened output of a command", description=_DESCRIPTION)
    made.add_argument("--label", metavar="LABEL", help="the command line that printed what stands on stdin")
    made.add_argument("--exit-code", type=int, metavar="N", help="its exit status (default: not known)")
    made.add_argument("--repeat", type=quality.positive, default=5, metavar="N", help="how often to shorten (default: 5)")
    made.add_argument("--show-removed", action="store_true", help="show the lines that the result does not hold, by shape")
    output.add_format(made)
    quality.add_command(made)
    made.set_defaults(command=_benchmark)


def _benchmark(options: argparse.Namespace) -> int:
    from token_saver.engine import CompressionEngine
    from token_saver.redaction import mask
    from token_saver.workbench.removed import removed

    settings = output.effective_settings()
    engine = CompressionEngine(settings=settings)
    measured = _measure(options, engine, int(settings.get("max_output_bytes")))
    shown = mask(measured.text, frozenset(settings.get("redaction_allowlist")))[0] if options.show_removed else ""
    groups = removed(shown, measured.result.output)
    report = _report(measured, _counters(settings.as_dict()), groups if options.show_removed else None)
    if options.format == "json":
        output.print_json(report)
    else:
        _show(report)
    return 0


def _measure(options: argparse.Namespace, engine: CompressionEngine, limit: int) -> _Measured:
    from token_saver.workbench.commands import run

    asked = quality.command_of(options)
    if asked is not None and options.label is not None:
        raise InputError("--label is for stdin: a command that is run has its own words")
    if asked is None and not (options.label or "").strip():
        raise InputError("nothing to measure: give -- CMD, or --label LABEL and the output on stdin")
    if asked is None:
        label, exit_code, seconds, text = options.label, options.exit_code, None, quality.read_stdin(limit)
    else:
        ran = run(asked[0], limit)
        label, exit_code, seconds, text = asked[1], ran.exit_code, ran.seconds, ran.output.decode("utf-8", "surrogateescape")
    times = []
    for _ in range(options.repeat + 1):
        start = time.perf_counter()
        result = engine.run(label, text, exit_code)
        times.append(time.perf_counter() - start)
    return _Measured(result, text, exit_code, seconds, times[0], statistics.median(times[1:]))


def _counters(values: dict[str, Any]) -> list[Tokenizer]:
    """Return every way of counting that is installed."""
    from token_saver.plugins import extensions
    from token_saver.workbench.tools import NAMES, tokenizer

    made: list[Tokenizer] = []
    for name in NAMES:
        try:
            made.append(tokenizer(name, values))
        except InputError:
            continue  # its extra is not installed
    return [*made, *extensions("tokenizers")[0]]


def _report(measured: _Measured, counters: list[Tokenizer], groups: list[Group] | None) -> dict[str, Any]:
    result, text = measured.result, measured.text
    kinds: Counter[str] = Counter()
    for count, noun in result.omissions:
        kinds[noun] += count
    report = {
        "processor": result.processor,
        "was_compressed": result.changed,
        "redacted": result.redacted,
        "exit_code": measured.exit_code,
        "chars": _pair(len(text), len(result.output)),
        "lines": _pair(_lines(text), _lines(result.output)),
        "tokens": {one.name: _pair(one.count(text), one.count(result.output)) for one in counters},
        "seconds": {"command": measured.command_seconds, "first": measured.first_seconds, "median": measured.seconds},
        "omitted": [{"count": count, "noun": noun} for noun, count in kinds.most_common()],
    }
    if groups is not None:
        report["removed"] = [group._asdict() for group in groups[:_MOST_GROUPS]]
        report["removed_shapes"] = len(groups)
    return report


def _pair(raw: int, compressed: int) -> dict[str, int | float]:
    from token_saver.evaluation import savings_percent

    return {"raw": raw, "compressed": compressed, "savings_percent": round(savings_percent(raw, compressed), 2)}


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _show(report: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    console = output.console()
    table = Table("", box=None, pad_edge=False)
    for heading in ("raw", "shortened", "saved %"):
        table.add_column(heading, justify="right")
    rows = {"characters": report["chars"], "lines": report["lines"]}
    rows |= {f"tokens ({name})": pair for name, pair in report["tokens"].items()}
    for name, pair in rows.items():
        table.add_row(Text(name), f"{pair['raw']:,}", f"{pair['compressed']:,}", f"{pair['savings_percent']:.1f}")
    console.print(table)
    console.print(f"read by {report['processor']}{'; secrets were masked' if report['redacted'] else ''}")
    console.print(_times(report))
    if report["omitted"]:
        console.print("left out, by kind:")
    for one in report["omitted"]:
        console.print(Text(f"  {one['count']:,} × {one['noun']}"))
    if report.get("removed"):
        _show_removed(report)


def _times(report: dict[str, Any]) -> str:
    seconds = report["seconds"]
    ran = f"; the command took {seconds['command']:.2f} s, status {report['exit_code']}" if seconds["command"] is not None else ""
    return f"shortened in {1000 * seconds['median']:.1f} ms (first time {1000 * seconds['first']:.1f} ms){ran}"


def _show_removed(report: dict[str, Any]) -> None:
    console = output.console()
    console.print("not in the result as they were, one line of each shape:")
    for group in report["removed"]:
        example = group["example"][:_EXAMPLE_CHARS].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        console.print(f"  {group['lines']:,} × {example}", markup=False)
    if report["removed_shapes"] > len(report["removed"]):
        console.print(f"  … and {report['removed_shapes'] - len(report['removed']):,} more shapes")
