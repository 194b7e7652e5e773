"""``token-saver replay MANIFEST``: check recorded output against what must hold; no label is ever run."""

from __future__ import annotations

import pathlib
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from token_saver.cli import output, quality
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from token_saver.replay.baseline import Ratchet, Recorder
    from token_saver.replay.reports import Report
    from token_saver.replay.totals import Totals

_DESCRIPTION = """\
Shorten the captures that a manifest names and check what must hold for each. Nothing is run. The status is 0 when all cases
pass, 1 when one fails, 2 when the manifest or a capture cannot be used."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("replay", help="check recorded output against a manifest", description=_DESCRIPTION)
    made.add_argument("manifest", metavar="MANIFEST", type=pathlib.Path)
    made.add_argument("--jobs", type=quality.positive, default=1, metavar="N", help="processes to work with (default: 1)")
    made.add_argument("--scheduler", metavar="ADDRESS", help="a Dask cluster to work on, which sees the manifest's folder")
    made.add_argument("--baseline", type=pathlib.Path, metavar="FILE", help="fail where a result has grown, or shrunk unrecorded")
    made.add_argument("--update-baseline", action="store_true", help="record the results in the baseline, if nothing was lost")
    made.add_argument("--tolerance", type=quality.percent, metavar="PERCENT", help="gain that need not be recorded (default: 1)")
    quality.add_tokenizer(made)
    quality.add_reports(made)
    output.add_format(made)
    made.set_defaults(command=_replay)


def _replay(options: argparse.Namespace) -> int:
    from token_saver.replay import manifest
    from token_saver.replay.running import Work, run
    from token_saver.replay.totals import Totals
    from token_saver.workbench.tools import tokenizer, tools
    from token_saver.workbench.workers import workers

    if options.update_baseline and options.baseline is None:
        raise InputError("--update-baseline needs --baseline FILE")
    settings = output.effective_settings()
    tokenizer(options.tokenizer, settings.as_dict())
    summary = manifest.check(options.manifest)
    totals = Totals(summary.max_total_tokens)
    ratchet, recorder = _baseline(options)
    folder = str(options.manifest.parent.resolve())
    work = Work(folder, int(settings.get("max_output_bytes")), tools(settings, options.tokenizer))
    reports: list[Report] = quality.reports(options)
    with ExitStack() as stack:
        executor, count = stack.enter_context(workers(options.jobs, options.scheduler))
        outcomes = quality.progress(stack, run(manifest.cases(options.manifest), work, executor, count), summary.cases)
        for case in _compared(outcomes, ratchet):
            totals.add(case)
            for report in reports:
                report.add(case)
            if recorder is not None:
                recorder.add(case)
    return _finish(options, totals, reports, ratchet, recorder)


def _baseline(options: argparse.Namespace) -> tuple[Ratchet | None, Recorder | None]:
    from token_saver.replay import baseline

    if options.baseline is None:
        return None, None
    if options.update_baseline:
        return None, baseline.Recorder()
    tolerance = baseline.DEFAULT_TOLERANCE if options.tolerance is None else options.tolerance
    return baseline.Ratchet(baseline.read(options.baseline), tolerance), None


def _compared(outcomes: Iterable[dict[str, Any]], ratchet: Ratchet | None) -> Iterator[dict[str, Any]]:
    """Yield each case with what the baseline says against it."""
    for case in outcomes:
        found = ratchet.violations(case) if ratchet is not None else []
        if found:
            case = {**case, "passed": False, "violations": [*case["violations"], *found]}
        yield case


def _finish(
    options: argparse.Namespace, totals: Totals, reports: list[Report], ratchet: Ratchet | None, recorder: Recorder | None
) -> int:
    if ratchet is not None:
        totals.further_violations += ratchet.gone()
    for report in reports:
        report.end(totals)
    if recorder is not None and not recorder.refused:
        recorder.write(options.baseline)
    elif recorder is not None:
        output.note(f"{options.baseline} was not written: {recorder.refused} cases lost what had to survive")
    return 0 if totals.passed else 1
