"""What a real collector receives: an OTLP/HTTP server on loopback that decodes what comes."""

from __future__ import annotations

import gzip
import http.server
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.telemetry.records import run, tracker

from token_saver import __version__
from token_saver.cli import main
from token_saver.errors import InputError
from token_saver.telemetry import export
from token_saver.telemetry.intake import SUMS

pytest.importorskip("opentelemetry.sdk")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http")

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

REQUESTS: dict[str, Any] = {"/v1/metrics": ExportMetricsServiceRequest, "/v1/logs": ExportLogsServiceRequest}


class Collector:
    """Answers with *status* and keeps what was sent, decoded, with its headers."""

    def __init__(self) -> None:
        self.status = 200
        self.received: list[tuple[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                raw = gzip.decompress(raw) if self.headers.get("Content-Encoding") == "gzip" else raw
                request = REQUESTS[self.path]()
                request.ParseFromString(raw)
                collector.received.append((self.path, request))
                collector.headers.append(dict(self.headers))
                self.send_response(collector.status)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def records(self) -> list[Any]:
        """Return every log record."""
        scopes = [s for path, r in self.received if path == "/v1/logs" for part in r.resource_logs for s in part.scope_logs]
        return [record for scope in scopes for record in scope.log_records]

    def metrics(self) -> dict[str, Any]:
        """Return the metrics of the last request by their names."""
        request = [r for path, r in self.received if path == "/v1/metrics"][-1]
        return {metric.name: metric for part in request.resource_metrics for s in part.scope_metrics for metric in s.metrics}


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture(autouse=True)
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A data folder of its own, and no variable of the machine."""
    import os

    for name in [name for name in os.environ if name.startswith(("OTEL_", "TOKEN_SAVER"))]:
        monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(data))
    monkeypatch.chdir(tmp_path)
    return data


@pytest.fixture
def pointed(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> Collector:
    """A collector that the environment names."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address)
    return collector


def recorded(folder: pathlib.Path) -> None:
    tracker(folder).add(
        [
            run(-30, folder="/home/u/secret-project", session="named", original=1_000, shown=100, host="claude"),
            run(-20, processor="git", command="git log", original=500, shown=400, status=None, redacted=1),
            run(-10, processor="git", command="git log", original=50, shown=50, status=3),
        ]
    )


def attributes(of: Any) -> dict[str, Any]:
    return {each.key: getattr(each.value, str(each.value.WhichOneof("value"))) for each in of.attributes}


def test_sums_and_outputs_arrive(folder: pathlib.Path, pointed: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(folder)
    assert main(["export", "otel"]) == 0
    assert capsys.readouterr().out == f"{2 * len(SUMS)} sums and 3 log records sent\n"
    metrics = pointed.metrics()
    assert set(metrics) == {f"token_saver.{name}" for name in SUMS}
    original = metrics["token_saver.original"].sum
    points = {attributes(point)["token_saver.processor"]: point.as_int for point in original.data_points}
    assert points == {"pytest": 1_000, "git": 550} and not original.is_monotonic
    assert metrics["token_saver.millis"].unit == "ms"
    told = [attributes(record) for record in pointed.records()]
    assert [each["token_saver.command"] for each in told] == ["pytest", "git log", "git log"]
    assert told[0]["token_saver.host"] == "claude" and told[0]["token_saver.gross"] == 900
    assert [each.get("token_saver.exit_code") for each in told] == [0, None, 3]
    assert {record.event_name for record in pointed.records()} == {"token_saver.output"}
    [resource] = [part.resource for path, r in pointed.received if path == "/v1/logs" for part in r.resource_logs]
    assert attributes(resource)["service.name"] == "token-saver" and attributes(resource)["service.version"] == __version__


def test_no_path_and_no_session_leaves_the_machine(folder: pathlib.Path, pointed: Collector) -> None:
    recorded(folder)
    main(["export", "otel"])
    told = "".join(str(request) for _, request in pointed.received)
    assert "pytest" in told and "secret-project" not in told and "named" not in told


def test_an_output_is_sent_once(folder: pathlib.Path, pointed: Collector) -> None:
    recorded(folder)
    main(["export", "otel"])
    main(["export", "otel"])
    assert len(pointed.records()) == 3
    tracker(folder).add([run(0, original=7, shown=7)])
    main(["export", "otel"])
    assert len(pointed.records()) == 4
    tracker(folder).clear()
    tracker(folder).add([run(1, original=8, shown=8)])
    main(["export", "otel"])
    assert attributes(pointed.records()[-1])["token_saver.original"] == 8, "numbers that began anew are noticed"


def test_what_was_not_taken_is_sent_again(folder: pathlib.Path, pointed: Collector, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(folder)
    pointed.status = 400
    assert main(["export", "otel"]) == 1
    told = capsys.readouterr()
    assert "0 log records" in told.out and "did not take the metrics and the logs" in told.err
    pointed.status = 200
    assert main(["export", "otel"]) == 0 and len(pointed.records()) == 6


def test_many_outputs_are_sent_in_batches(folder: pathlib.Path, pointed: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_BATCH", 2)
    recorded(folder)
    assert main(["export", "otel"]) == 0
    assert [path for path, _ in pointed.received] == ["/v1/metrics", "/v1/logs", "/v1/logs"] and len(pointed.records()) == 3


def test_the_variables_of_the_specification_apply(
    folder: pathlib.Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(folder)
    for name, value in {
        "EXPORTER_OTLP_LOGS_ENDPOINT": f"{collector.address}/v1/logs",
        "EXPORTER_OTLP_HEADERS": "x-team=ours",
        "EXPORTER_OTLP_COMPRESSION": "gzip",
        "METRICS_EXPORTER": "none",
        "RESOURCE_ATTRIBUTES": "service.name=mine,deployment=here",
    }.items():
        monkeypatch.setenv(f"OTEL_{name}", value)
    assert main(["export", "otel"]) == 0
    assert [path for path, _ in collector.received] == ["/v1/logs"]
    assert collector.headers[0]["x-team"] == "ours" and collector.headers[0]["Content-Encoding"] == "gzip"
    resource = attributes(collector.received[0][1].resource_logs[0].resource)
    assert resource["service.name"] == "mine" and resource["deployment"] == "here"


def test_without_an_endpoint_nothing_is_sent(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(folder)
    assert main(["export", "otel"]) == 2 and "OTEL_EXPORTER_OTLP_ENDPOINT" in capsys.readouterr().err


def test_it_can_be_switched_off(folder: pathlib.Path, pointed: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(folder)
    monkeypatch.setenv("OTEL_SDK_DISABLED", "TRUE")
    assert main(["export", "otel"]) == 0 and pointed.received == []


def test_a_protocol_that_is_not_spoken_is_refused() -> None:
    with pytest.raises(InputError, match="grpc"):
        export.wanted({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "grpc"})


def test_where_nothing_is_recorded_no_file_is_made(folder: pathlib.Path, pointed: Collector) -> None:
    assert main(["export", "otel"]) == 0 and list(folder.iterdir()) == [] and pointed.received == []
