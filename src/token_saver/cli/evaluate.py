"""``token-saver evaluate LABEL``: shorten one output and check what must hold; the label is never run."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

from token_saver.cli import output, quality
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.evaluation import QualityPolicy

_DESCRIPTION = """\
Shorten the output of a command, from stdin or a file, and measure the result. LABEL is the command line as it was typed; it is
never run. The status is 0 when everything holds that the options ask for, 1 when not, 2 when the input cannot be used. Reports
hold figures and the names of violations, no content."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("evaluate", help="measure one output and check what must hold", description=_DESCRIPTION)
    made.add_argument("label", metavar="LABEL", help="the command that printed it, for example 'git status'")
    made.add_argument("--input", type=pathlib.Path, metavar="FILE", help="the output (.gz and .zst too; default: stdin)")
    made.add_argument("--exit-code", type=int, metavar="N", help="its exit status (default: not known)")
    _add_policy(made)
    quality.add_tokenizer(made)
    quality.add_reports(made)
    output.add_format(made)
    made.set_defaults(command=_evaluate)


def _add_policy(made: argparse.ArgumentParser) -> None:
    from token_saver.evaluation import FORMATS

    made.add_argument("--max-tokens", type=quality.count, metavar="N", help="the result has at most N tokens")
    made.add_argument("--min-savings-percent", type=quality.percent, metavar="P", help="at least P %% of the characters go")
    made.add_argument("--max-growth-percent", type=float, metavar="P", help="the result is at most P %% longer")
    for option, text in (
        ("--must-preserve", "TEXT stands in the input and in the result; may be given again"),
        ("--must-preserve-pattern", "the pattern matches in both"),
        ("--must-not-contain", "TEXT does not stand in the result"),
    ):
        made.add_argument(option, action="append", default=[], metavar="TEXT", help=text)
    made.add_argument("--no-verdict", action="store_true", help="a failed run does not read as a success")
    made.add_argument("--valid-as", choices=FORMATS, help="the result parses as that format")


def _evaluate(options: argparse.Namespace) -> int:
    from token_saver.evaluation import evaluate
    from token_saver.replay.totals import Totals
    from token_saver.workbench.tools import tools

    settings = output.effective_settings()
    if not options.label.strip():
        raise InputError("the label is empty: give the command line that printed the output, for example 'git status'")
    policy = _policy(options)
    compressor, tokenizer = tools(settings, options.tokenizer)()
    text = _text(options, int(settings.get("max_output_bytes")))
    made = evaluate(compressor, options.label, text, exit_code=options.exit_code, policy=policy, tokenizer=tokenizer)
    case = {"name": options.input.name if options.input else "stdin", "family": made.processor, **made.report()}
    totals = Totals(None)
    totals.add(case)
    for report in quality.reports(options):
        report.add(case)
        report.end(totals)
    return 0 if made.passed else 1


def _policy(options: argparse.Namespace) -> QualityPolicy:
    from token_saver.evaluation import QualityPolicy

    return QualityPolicy(
        max_tokens=options.max_tokens,
        min_savings_percent=options.min_savings_percent,
        max_growth_percent=options.max_growth_percent,
        must_preserve=tuple(options.must_preserve),
        must_preserve_patterns=tuple(options.must_preserve_pattern),
        must_not_contain=tuple(options.must_not_contain),
        no_verdict=options.no_verdict,
        valid_as=options.valid_as,
    )


def _text(options: argparse.Namespace, limit: int) -> str:
    from token_saver.replay.captures import read_capture

    if options.input is None:
        return quality.read_stdin(limit)
    return read_capture(options.input.resolve().parent, options.input.resolve().name, limit)
