"""``token-saver doctor``: prove that what is installed works, and say what to do where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse

    from token_saver.hosts.finding import Finding

_DESCRIPTION = """\
Feed each connected host's recorded event through the very command that is installed, as the host would, and check the reply,
the saving, the exit status and the time. The status is 1 when something that is installed does not work."""
_SIGNS = {"ok": "ok  ", "note": "note", "wrong": "FAIL"}


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("doctor", help="check that everything works, end to end", description=_DESCRIPTION)
    output.add_format(made)
    made.set_defaults(command=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    from token_saver.hosts import checks

    findings = checks.all_findings()
    if options.format == "json":
        output.print_json({"findings": [finding._asdict() for finding in findings], "well": _is_well(findings)})
    else:
        for finding in findings:
            output.write(f"{_SIGNS[finding.state]}  {finding.subject}: {finding.what}\n")
            if finding.advice:
                output.write(f"      → {finding.advice}\n")
    return 0 if _is_well(findings) else 1


def _is_well(findings: list[Finding]) -> bool:
    return all(finding.state != "wrong" for finding in findings)
