"""``token-saver replay MANIFEST``: check recorded output against what must hold; no label is ever run."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Shorten the captures that a manifest names and check what must hold for each. Nothing is run. The status is 0 when all cases
pass, 1 when one fails, 2 when the manifest or a capture cannot be used."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("replay", help="check recorded output against a manifest", description=_DESCRIPTION)
    made.add_argument("manifest", metavar="MANIFEST", type=pathlib.Path)
    output.add_format(made)
    made.set_defaults(command=_replay)


def _replay(options: argparse.Namespace) -> int:
    from token_saver import replay
    from token_saver.engine import CompressionEngine
    from token_saver.evaluation import CharacterEstimate

    settings = output.effective_settings()
    manifest = replay.read_manifest(options.manifest)
    outcomes = replay.run(
        manifest,
        options.manifest.parent,
        CompressionEngine(settings=settings),
        most_bytes=int(settings.get("max_output_bytes")),
        tokenizer=CharacterEstimate(float(settings.get("chars_per_token"))),
    )
    report = replay.report(manifest, outcomes)
    if options.format == "json":
        output.print_json(report)
    else:
        _show(report)
    return 0 if report["passed"] else 1


def _show(report: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("case", "processor", "tokens", "saved %", "result", box=None, pad_edge=False)
    for case in report["cases"]:
        tokens = f"{case['original_tokens']} → {case['compressed_tokens']}"
        verdict = "kept" if case["passed"] else ", ".join(case["violations"])
        table.add_row(Text(case["name"]), case["processor"], tokens, f"{case['savings_percent']:.1f}", Text(verdict))
    console = output.console()
    console.print(table)
    totals = report["totals"]
    over = "; more than max_total_tokens" if totals["violations"] else ""
    console.print(
        f"{totals['passed']} of {totals['cases']} cases hold; "
        f"{totals['original_tokens']:,} tokens (estimated) became {totals['compressed_tokens']:,}{over}"
    )
