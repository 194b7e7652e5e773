"""Hands the statistics to a collector of the user's by OTLP over HTTP (extra ``otel``): sums as metrics, outputs as log records.

Metrics are the sums that the database holds, by processor and host, as non-monotonic sums: they are a state, which retention
may shrink. Log records are the single outputs that were not handed over yet, told by their number. No path, no session and
no output is in either. Where to, how and whether is said by the ``OTEL_*`` variables of the OpenTelemetry specification; without
an endpoint nothing is sent.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver import __version__
from token_saver.errors import InputError
from token_saver.telemetry.intake import SUMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opentelemetry.metrics import Observation
    from opentelemetry.sdk.resources import Resource

NAME = "token-saver"
_ENDPOINT = "OTEL_EXPORTER_OTLP_{}ENDPOINT"
_PROTOCOL = "OTEL_EXPORTER_OTLP_{}PROTOCOL"
_SPOKEN = "http/protobuf"
_POSITION = "otel"
_BATCH = 512
_MOST = 100_000
"""Log records of one export; what is left follows with the next."""
_UNITS = {"runs": "{command}", "shortened": "{command}", "original_tokens": "{token}", "shown_tokens": "{token}", "millis": "ms"}
_CHARACTERS = "{character}"
_COLUMNS = (
    *("processor", "command", "mode", "exit_code", "original", "shown", "redacted", "gross", "host_cut"),
    *("repeats", "millis"),
)
_ROWS = (
    f"SELECT id, at, (SELECT host FROM sessions WHERE id = savings.session), {', '.join(_COLUMNS)}".replace("exit_code", "status")
    + " FROM savings WHERE id > ? ORDER BY id LIMIT ?"
)


class Sent(NamedTuple):
    """How much was handed over: sums and log records; *failed* names the signals that the collector did not take."""

    sums: int
    records: int
    failed: tuple[str, ...]


def wanted(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the signals that the environment wants, of ``metrics`` and ``logs``.

    Raises InputError where it says no endpoint, or a protocol that is not spoken here.
    """
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return ()
    signals = tuple(each for each in ("metrics", "logs") if environ.get(f"OTEL_{each.upper()}_EXPORTER", "otlp") != "none")
    for signal in signals:
        if not any(environ.get(_ENDPOINT.format(part)) for part in ("", f"{signal.upper()}_")):
            raise InputError("where to is not said: set OTEL_EXPORTER_OTLP_ENDPOINT, for example to http://localhost:4318")
        protocol = environ.get(_PROTOCOL.format(f"{signal.upper()}_")) or environ.get(_PROTOCOL.format("")) or _SPOKEN
        if protocol != _SPOKEN:
            raise InputError(f"{protocol} is not spoken here: OTEL_EXPORTER_OTLP_PROTOCOL may be {_SPOKEN}")
    return signals


def sent(connection: sqlite3.Connection, signals: Sequence[str]) -> Sent:
    """Hand over what *connection*, the open statistics, holds; raises InputError without the extra, sqlite3.Error."""
    try:
        from opentelemetry.sdk.resources import Resource
    except ImportError as error:
        raise InputError("this needs OpenTelemetry: install token-saver[otel]") from error
    resource = Resource({"service.name": NAME, "service.version": __version__}).merge(Resource.create(_named()))
    sums, well = _metrics(connection, resource) if "metrics" in signals else (0, True)
    records, all_well = _logs(connection, resource) if "logs" in signals else (0, True)
    failed = (*(() if well else ("metrics",)), *(() if all_well else ("logs",)))
    return Sent(sums, records, failed)


def _named() -> dict[str, Any]:
    """Return our name, unless the environment has one for the service."""
    named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return {} if named else {"service.name": NAME}


def _metrics(connection: sqlite3.Connection, resource: Resource) -> tuple[int, bool]:
    """Send the sums; return how many there are and whether they were taken."""
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader, MetricExportResult

    summed = ", ".join(f"sum({name})" for name in SUMS)
    rows = connection.execute(f"SELECT processor, host, {summed} FROM daily GROUP BY processor, host").fetchall()
    if not rows:
        return 0, True
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], resource, shutdown_on_exit=False)
    meter = provider.get_meter(NAME, __version__)
    for position, name in enumerate(SUMS, start=2):
        meter.create_observable_up_down_counter(
            f"token_saver.{name}", [_Observed(rows, position)], _UNITS.get(name, _CHARACTERS), "docs/statistics.md"
        )
    data = reader.get_metrics_data()
    exporter = OTLPMetricExporter()
    try:
        well = data is None or exporter.export(data) is MetricExportResult.SUCCESS
    finally:
        exporter.shutdown()
        provider.shutdown()
    return len(rows) * len(SUMS), well


class _Observed:
    """Tells one sum of every processor and host."""

    def __init__(self, rows: Sequence[Sequence[Any]], position: int) -> None:
        self._rows = rows
        self._position = position

    def __call__(self, options: object) -> Iterable[Observation]:
        from opentelemetry.metrics import Observation

        for row in self._rows:
            yield Observation(row[self._position], {"token_saver.processor": row[0], "token_saver.host": row[1]})


def _logs(connection: sqlite3.Connection, resource: Resource) -> tuple[int, bool]:
    """Send what was not sent yet, a batch at a time; remember after each how far that is."""
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs.export import LogRecordExportResult

    exporter = OTLPLogExporter()
    count = 0
    try:
        for rows in _batches(connection):
            if exporter.export(_records(rows, resource)) is not LogRecordExportResult.SUCCESS:
                return count, False
            count += len(rows)
            connection.execute("INSERT OR REPLACE INTO upkeep VALUES (?, ?)", (_POSITION, str(rows[-1][0])))
            connection.commit()
    finally:
        exporter.shutdown()  # type: ignore[no-untyped-call]
    return count, True


def _batches(connection: sqlite3.Connection) -> Iterator[list[tuple[Any, ...]]]:
    position = _position(connection)
    for _ in range(_MOST // _BATCH):
        rows = connection.execute(_ROWS, (position, _BATCH)).fetchall()
        if not rows:
            return
        yield rows
        position = rows[-1][0]


def _position(connection: sqlite3.Connection) -> int:
    """Return the number of the last record that was sent; 0 when numbers began anew since, as after a clearing."""
    found = connection.execute("SELECT value FROM upkeep WHERE name = ?", (_POSITION,)).fetchone()
    newest = connection.execute("SELECT coalesce(max(id), 0) FROM savings").fetchone()[0]
    position = int(found[0]) if found is not None else 0
    return position if position <= newest else 0


def _records(rows: Sequence[Sequence[Any]], resource: Resource) -> Sequence[Any]:
    from opentelemetry._logs import LogRecord, SeverityNumber
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

    kept = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    provider = LoggerProvider(resource, shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(kept))
    logger = provider.get_logger(NAME, __version__)
    for row in rows:
        logger.emit(
            LogRecord(
                timestamp=row[1],
                observed_timestamp=row[1],
                severity_number=SeverityNumber.INFO,
                severity_text="INFO",
                event_name="token_saver.output",
                attributes=_attributes(row),
            )
        )
    return kept.get_finished_logs()


def _attributes(row: Sequence[Any]) -> dict[str, Any]:
    values = dict(zip(("host", *_COLUMNS), row[2:], strict=True))
    return {f"token_saver.{name}": value for name, value in values.items() if value not in (None, "")}
