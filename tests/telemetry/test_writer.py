"""Writers are opened for one operation and closed after it; nothing to write opens none."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest
from tests.telemetry.records import SETTINGS, run

from token_saver.events import Outcome
from token_saver.recorder import delivered
from token_saver.telemetry import writer
from token_saver.telemetry.spool import Record


class Told:
    """A writer that says what it was told, and fails if it is to."""

    def __init__(self, log: list[str], *, failing: bool = False) -> None:
        self.log = log
        self.failing = failing
        log.append("opened")

    def record_saving(self, record: Record, /) -> None:
        self.log.append(f"saving {record.processor}")
        if self.failing:
            raise OSError("full")

    def record_mismatch(self, record: Record, /) -> None:
        self.log.append(f"mismatch {record.processor}")
        if self.failing:
            raise OSError("full")

    def close(self) -> None:
        self.log.append("closed")


@pytest.mark.parametrize("record", [writer.record_savings, writer.record_mismatches])
def test_nothing_to_write_opens_nothing(record: Callable[[list[Record], writer.Factory], None]) -> None:
    log: list[str] = []
    record([], lambda: Told(log))
    assert log == []


def test_a_writer_is_closed_after_success_and_after_failure() -> None:
    log: list[str] = []
    writer.record_savings([run(), run()], lambda: Told(log))
    assert log == ["opened", "saving pytest", "saving pytest", "closed"]
    log.clear()
    with pytest.raises(OSError, match="full"):
        writer.record_mismatches([run(), run()], lambda: Told(log, failing=True))
    assert log == ["opened", "mismatch pytest", "closed"]


def outcome(**more: str) -> Outcome:
    return Outcome("pytest -q", processor="pytest", original=10, shown=5, exit_code=0, **more)  # type: ignore[arg-type]


SWITCHES = {**SETTINGS, "telemetry_store_commands": False, "telemetry_journal": False}


def test_what_was_delivered_goes_through_the_writer_that_is_handed_in() -> None:
    log: list[str] = []
    delivered(outcome(mismatch="broken"), SWITCHES, factory=lambda: Told(log))
    assert log == ["opened", "saving pytest", "mismatch broken", "closed"]


def test_a_writer_that_fails_is_closed_and_told_of() -> None:
    log: list[str] = []
    with pytest.raises(OSError, match="full"):
        delivered(outcome(), SWITCHES, factory=lambda: Told(log, failing=True))
    assert log == ["opened", "saving pytest", "closed"]


def test_nothing_is_opened_where_the_user_wants_no_records() -> None:
    log: list[str] = []
    delivered(outcome(), {**SWITCHES, "telemetry_enabled": False}, factory=lambda: Told(log))
    assert log == []


def test_importing_and_compressing_makes_no_file(tmp_path: pathlib.Path) -> None:
    code = (
        "import token_saver, token_saver.core, token_saver.recorder, token_saver.telemetry.queries\n"
        "import token_saver.telemetry.tracker\n"
        "from token_saver.engine import CompressionEngine\n"
        "CompressionEngine().compress('git log', 'commit ' + 'a' * 40 + '\\n', 0)"
    )
    env = {"HOME": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-B", "-c", code], check=True, env=env, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
