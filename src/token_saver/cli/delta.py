"""``token-saver delta``: the runs that are kept to be compared with the next ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from token_saver.diagnostics import Diagnostic, Snapshot
    from token_saver.kept import Kept, Record

_SHOW = """\
Print what is kept of a run: its findings in full, its totals and all other text. The status is 1 when nothing of that number
is kept any more, 2 when what is kept cannot be used."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the group."""
    made = commands.add_parser("delta", help="show or delete the runs kept for comparison")
    group = made.add_subparsers(metavar="show|clear", required=True)
    showing = group.add_parser("show", help="print a kept run", description=_SHOW)
    showing.add_argument("run", metavar="RUN", type=int, nargs="?", help="its number (default: the last one)")
    showing.add_argument("--diagnostic", metavar="ID", help="print only the finding of this identifier or name")
    output.add_format(showing)
    showing.set_defaults(command=_show)
    clearing = group.add_parser("clear", help="delete all kept runs")
    clearing.set_defaults(command=_clear)


def _kept() -> Kept:
    from token_saver import store
    from token_saver.delta import service

    return service.opened(output.effective_settings().as_dict(), store.data_folder())


def _clear(options: argparse.Namespace) -> int:
    output.write(f"{output.cleared(_kept())} kept runs deleted\n")
    return 0


def _show(options: argparse.Namespace) -> int:
    record = _record(_kept(), options.run)
    if record is None:
        output.note("no run is kept" if options.run is None else f"no run {options.run} is kept (any more)")
        return 1
    from token_saver.delta import snapshots

    snapshot, status = snapshots.decoded(record.payload)
    wanted = [one for one in snapshot.diagnostics if options.diagnostic in (None, one.identifier, one.name)]
    if not wanted and options.diagnostic is not None:
        output.note(f"run {record.number} has no finding {options.diagnostic}")
        return 1
    if options.format == "json":
        output.print_json(_document(record, snapshot, status, wanted))
    elif options.diagnostic is not None:
        output.write("".join(_masked(one.detail.strip("\n")) + "\n" for one in wanted))
    else:
        output.write("".join(_masked(part.strip("\n")) + "\n" for part in _parts(record, snapshot, status) if part.strip()))
    return 0


def _record(kept: Kept, number: int | None) -> Record | None:
    if not output.exists(kept):
        return None
    if number is not None:
        return kept.read(number)
    return next(iter(kept.records()), None)


def _parts(record: Record, snapshot: Snapshot, status: int | None) -> Iterator[str]:
    ended = "" if status is None else f", status {status}"
    yield f"run {record.number}: {snapshot.family}, {output.age(record.made)} ago{ended}"
    for one in snapshot.diagnostics:
        yield one.detail
    yield snapshot.context
    yield snapshot.summary


def _document(record: Record, snapshot: Snapshot, status: int | None, wanted: list[Diagnostic]) -> dict[str, Any]:
    return {
        "run": record.number,
        "made": record.made,
        "family": snapshot.family,
        "status": status,
        "summary": _masked(snapshot.summary),
        "diagnostics": [{field: _masked(getattr(one, field)) for field in sorted(one.__slots__)} for one in wanted],
        "passed": [_masked(name) for name in snapshot.passed],
        "context": _masked(snapshot.context),
    }


def _masked(text: str) -> str:
    """Return *text* masked once more: what is a secret by today's rules may not have been one when it was kept."""
    from token_saver.redaction import mask

    return mask(text)[0]
