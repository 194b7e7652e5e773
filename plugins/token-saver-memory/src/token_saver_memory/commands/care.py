"""``token-saver memory doctor``, ``relocate`` and ``calibrate``: the file, a repository that moved, the floor of searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver_memory.commands import common

if TYPE_CHECKING:
    import argparse


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the commands."""
    doctor = group.add_parser(
        "doctor", help="check the file and the hooks", description="Check the file; the status is 1 when something is wrong."
    )
    doctor.add_argument("--repair", action="store_true", help="build the indexes anew")
    common.add_place(doctor)
    doctor.set_defaults(command=_doctor)
    relocate = group.add_parser(
        "relocate", help="link a repository that moved", description="Give what was remembered of OLD to the project at NEW."
    )
    relocate.add_argument("old", metavar="OLD", help="where it was")
    relocate.add_argument("new", metavar="NEW", help="where it is now")
    common.add_place(relocate)
    relocate.set_defaults(command=_relocate)
    calibrate = group.add_parser(
        "calibrate",
        help="measure the floor of searches on your rows",
        description="Ask unrelated questions and each row's own title; keep the lowest floor that stops the former.",
    )
    common.add_place(calibrate)
    calibrate.set_defaults(command=_calibrate)


def _doctor(options: argparse.Namespace) -> int:
    from token_saver_memory.hooks.doctor import failures
    from token_saver_memory.maintenance import examine, repair

    memory, scope = common.open_for(options)
    with memory:
        if options.repair:
            repair(memory.connection)
        found = list(examine(memory.connection, memory.path))
    failed = failures()
    lines = [f"{memory.path}: " + (f"this folder is of {scope.identity}" if scope else "this folder is no project")]
    lines += [f"{'well' if finding.well else 'WRONG'}  {finding.name}: {finding.detail}" for finding in found]
    lines += [f"hooks: {len(failed)} failures" if failed else "hooks: no failure on record", *(f"  {line}" for line in failed)]
    value = {"path": memory.path, "findings": [finding._asdict() for finding in found], "failures": failed}
    common.say(options, "\n".join(lines), value)
    return 0 if all(finding.well for finding in found) else 1


def _relocate(options: argparse.Namespace) -> int:
    from token_saver_memory.maintenance import relocate

    memory, _ = common.open_for(options)
    with memory:
        old, new, moved = relocate(memory.connection, options.old, options.new)
    common.say(options, f"{moved} rows of {old} belong to {new} now", {"old": old, "new": new, "rows": moved})
    return 0


def _calibrate(options: argparse.Namespace) -> int:
    from token_saver_memory.calibration import calibrate

    memory, scope = common.open_for(options)
    with memory:
        records = calibrate(memory, common.project_of(scope, options))
    lines = [
        f"{record.model}: floor {record.floor:.2f}; {record.kept:.0%} of {record.rows} rows are found by their title, "
        f"{record.leaked:.1%} of {record.queries} unrelated questions are answered"
        for record in records
    ]
    common.say(options, "\n".join(lines), {"records": [record._asdict() for record in records]})
    return 0
