"""``token-saver export otel``: hand the statistics to a collector."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import StoreError

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Send the sums of the statistics as metrics, and every output that was not sent yet as a log record, to the OTLP/HTTP collector
that OTEL_EXPORTER_OTLP_ENDPOINT names. The other OTEL_* variables of the specification apply. Nothing is ever sent by itself.
The status is 1 when the collector does not take it; what it did not take follows with the next export."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the group."""
    made = commands.add_parser("export", help="hand the statistics to a collector of yours")
    group = made.add_subparsers(metavar="otel", required=True)
    otel = group.add_parser("otel", help="send them by OpenTelemetry", description=_DESCRIPTION)
    otel.set_defaults(command=_otel)


def _otel(options: argparse.Namespace) -> int:
    from token_saver import store
    from token_saver.telemetry import export
    from token_saver.telemetry.tracker import Tracker

    signals = export.wanted(os.environ)
    if not signals:
        output.note("the environment switches every signal off (OTEL_SDK_DISABLED, OTEL_METRICS_EXPORTER, OTEL_LOGS_EXPORTER)")
        return 0
    tracker = Tracker(store.data_folder(), output.effective_settings().as_dict())
    tracker.fold()
    if not os.path.exists(tracker.path):
        output.write("nothing is recorded yet\n")
        return 0
    try:
        with tracker.opened() as connection:
            sent = export.sent(connection, signals)
    except sqlite3.Error as error:
        raise StoreError(f"{tracker.path} cannot be used: {error}") from error
    output.write(f"{sent.sums} sums and {sent.records} log records sent\n")
    if sent.failed:
        output.note(f"the collector did not take the {' and the '.join(sent.failed)}")
    return 1 if sent.failed else 0
