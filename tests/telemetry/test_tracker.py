"""The database: each record once, sums that agree with the rows, faults that cost no earlier row."""

from __future__ import annotations

import pathlib
import sqlite3
import stat
import subprocess
import sys
import time
from typing import Any

import pytest
from tests.telemetry.records import SETTINGS, append, rows, run, tracker

from token_saver.errors import StoreError
from token_saver.telemetry import retention, spool
from token_saver.telemetry.intake import SUMS
from token_saver.telemetry.tracker import FILE, VERSION, DatabaseWriter, Tracker

DAY = 86_400


def test_nothing_is_made_where_nothing_was_recorded(tmp_path: pathlib.Path) -> None:
    assert tracker(tmp_path).fold() == 0
    assert list(tmp_path.iterdir()) == []


def test_a_record_counts_once_however_often_it_comes(tmp_path: pathlib.Path) -> None:
    record = run(original=100, shown=40)
    append(tmp_path, record, record)
    assert tracker(tmp_path).fold() == 1
    append(tmp_path, record)
    assert tracker(tmp_path).fold() == 0
    assert rows(tmp_path, "SELECT runs, original, gross FROM daily") == [(1, 100, 60)]


def test_a_record_is_kept_whole(tmp_path: pathlib.Path) -> None:
    fields: dict[str, Any] = {
        "host": "claude",
        "mode": "post",
        "status": 3,
        "original": 50_000,
        "shown": 1_000,
        "millis": 12,
        "redacted": 1,
    }
    append(tmp_path, run(**fields))
    tracker(tmp_path).fold()
    found = rows(
        tmp_path,
        "SELECT s.name, s.host, p.path, mode, processor, command, status, savings.original, savings.shown, redacted,"
        " savings.millis, savings.gross, savings.host_cut, savings.original_tokens, savings.shown_tokens"
        " FROM savings JOIN sessions s ON s.id = session JOIN projects p ON p.id = project",
    )
    texts = ("one", "claude", "/project", "post", "pytest", "pytest", 3)
    assert found == [(*texts, 50_000, 1_000, 1, 12, 49_000, 20_000, 12_500, 250)]


def test_it_is_private(tmp_path: pathlib.Path) -> None:
    tracker(tmp_path / "data").add([run()])
    assert stat.S_IMODE((tmp_path / "data" / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_the_folder_of_a_project_is_the_one_with_its_repository(tmp_path: pathlib.Path) -> None:
    (tmp_path / "project/.git").mkdir(parents=True)
    (tmp_path / "project/deep/deeper").mkdir(parents=True)
    tracker(tmp_path).add([run(folder=str(tmp_path / "project/deep/deeper"))])
    assert rows(tmp_path, "SELECT path FROM projects") == [(str(tmp_path / "project"),)]


def test_what_was_given_back_is_found_across_folds(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(-60, original=1_000, shown=200))
    tracker(tmp_path).fold()
    append(
        tmp_path,
        run(-50, original=1_000, shown=200),
        run(-40, original=1_000, shown=200, folder="/other"),
        run(-30, original=3_000, shown=3_000, more=1),
        run(-25, kind=spool.ESCAPE),
        run(-20, kind=spool.RECALL, shown=77),
    )
    tracker(tmp_path).fold()
    assert rows(tmp_path, "SELECT repeats, escapes FROM savings ORDER BY at") == [(0, 0), (200, 0), (0, 0), (0, 800)]
    assert rows(tmp_path, "SELECT kind, characters FROM recalls ORDER BY at") == [("escape", 0), ("recall", 77)]
    assert rows(tmp_path, "SELECT sum(runs), sum(repeats), sum(escapes), sum(recalls) FROM daily") == [(4, 200, 800, 77)]


def test_an_escape_gives_back_all_of_what_the_run_before_saved(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(-60, original=1_000, shown=200), run(-50, kind=spool.ESCAPE), run(-10, kind=spool.ESCAPE, session="two"))
    tracker(tmp_path).fold()
    assert rows(tmp_path, "SELECT characters FROM recalls ORDER BY at") == [(800,), (0,)]


def test_the_sums_agree_with_the_rows(tmp_path: pathlib.Path) -> None:
    append(tmp_path, *(run(-number * DAY / 10, original=number * 37, shown=number * 11, host="claude") for number in range(60)))
    tracker(tmp_path).fold()
    names = [name for name in SUMS if name not in ("runs", "shortened", "recalls")]
    sums = ", ".join(f"sum({name})" for name in names)
    expected = rows(tmp_path, f"SELECT count(*), sum(gross > 0), {sums} FROM savings")
    for table in ("daily", "sessions"):
        assert rows(tmp_path, f"SELECT sum(runs), sum(shortened), {sums} FROM {table}") == expected


def test_old_days_go_with_everything_that_is_of_them(tmp_path: pathlib.Path) -> None:
    append(
        tmp_path, run(-10 * DAY, session="old"), run(-10 * DAY, kind=spool.MISMATCH, session="old"), run(-2 * DAY, session="new")
    )
    tracker(tmp_path, db_prune_days=5).fold()
    assert rows(tmp_path, "SELECT count(*) FROM savings") == [(1,)]
    assert rows(tmp_path, "SELECT count(*) FROM mismatches") == [(0,)]
    assert rows(tmp_path, "SELECT name FROM sessions") == [("new",)]
    assert rows(tmp_path, "SELECT count(DISTINCT day) FROM daily") == [(1,)]


def test_retention_is_looked_at_once_a_day(tmp_path: pathlib.Path) -> None:
    tracker(tmp_path).add([run()])
    now = time.time()
    with tracker(tmp_path).opened() as connection:
        done = [retention.apply(connection, SETTINGS, now=now + days * DAY) for days in (0, 0, 1)]
    assert done == [True, False, True]


def test_the_oldest_days_go_when_there_is_too_much(tmp_path: pathlib.Path) -> None:
    tracker(tmp_path).add([run(-number * DAY / 200) for number in range(1_000)])
    with tracker(tmp_path).opened() as connection:
        before = connection.execute("SELECT max(day) FROM daily").fetchone()
        retention.apply(connection, SETTINGS, most=100_000)
    kept = rows(tmp_path, "SELECT count(*), max(day) FROM savings")[0]
    assert 0 < kept[0] < 1_000
    assert kept[1] == before[0]


def test_a_clock_that_moved_back_costs_no_row(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(DAY, original=100, shown=20), run(-DAY, original=100, shown=20))
    assert tracker(tmp_path).fold() == 2
    append(tmp_path, run(0, original=100, shown=20))
    assert tracker(tmp_path).fold() == 1
    assert rows(tmp_path, "SELECT count(*), sum(repeats) FROM savings") == [(3, 0)]


def test_what_lies_far_ahead_does_not_stay_for_ever(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(4000 * DAY), run())
    tracker(tmp_path).fold()
    assert rows(tmp_path, "SELECT count(*) FROM savings") == [(1,)]


@pytest.mark.parametrize("damage", ["header", "middle"])
def test_a_damaged_file_is_kept_beside_the_new_one(tmp_path: pathlib.Path, damage: str) -> None:
    tracker(tmp_path).add([run(-number) for number in range(2_000)])
    path = tmp_path / FILE
    content = bytearray(path.read_bytes())
    if damage == "header":
        content[:4096] = b"no database " * 341 + b"...."
    else:
        content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    append(tmp_path, run(original=5))
    ours = tracker(tmp_path)
    try:
        ours.fold()
    except StoreError:
        ours.fold()
    assert pathlib.Path(ours.set_aside).read_bytes() == bytes(content)
    assert rows(tmp_path, "SELECT original FROM savings") == [(5,)]


@pytest.mark.slow
def test_a_lock_of_five_seconds_is_waited_for(tmp_path: pathlib.Path) -> None:
    tracker(tmp_path).add([run(original=1)])
    code = (
        f"import sqlite3, time; c = sqlite3.connect({str(tmp_path / FILE)!r}, isolation_level=None)\n"
        "c.execute('BEGIN IMMEDIATE')\n"
        "print('locked', flush=True); time.sleep(5); c.execute('COMMIT')"
    )
    append(tmp_path, run(original=2))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreError, match="locked"):
            tracker_of(tmp_path, 0.2).fold()
        assert tracker_of(tmp_path, 20).fold() == 1
    assert rows(tmp_path, "SELECT original FROM savings ORDER BY at") == [(1,), (2,)]


def tracker_of(folder: pathlib.Path, patience: float) -> Tracker:
    return Tracker(str(folder), SETTINGS, patience=patience)


@pytest.mark.slow
def test_a_reader_that_is_killed_leaves_all_records_to_the_next(tmp_path: pathlib.Path) -> None:
    append(tmp_path, *(run(-number / 100, original=number) for number in range(3_000)))
    code = (
        "import os, signal; from token_saver.telemetry import retention, tracker\n"
        "retention.apply = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"tracker.Tracker({str(tmp_path)!r}, {SETTINGS!r}).fold()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert not (tmp_path / spool.FILE).exists()
    assert tracker(tmp_path).fold() == 3_000


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: pathlib.Path) -> None:
    tracker(tmp_path).add([run()])
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StoreError, match="newer version"):
        tracker(tmp_path).fold()
    assert [path.name for path in tmp_path.iterdir() if "damaged" in path.name] == []


def test_its_writer_adds_everything_when_it_is_closed(tmp_path: pathlib.Path) -> None:
    writer = DatabaseWriter(tracker(tmp_path))
    writer.record_saving(run())
    writer.record_mismatch(run(kind=spool.MISMATCH))
    assert not (tmp_path / FILE).exists()
    writer.close()
    assert rows(tmp_path, "SELECT (SELECT count(*) FROM savings), (SELECT count(*) FROM mismatches)") == [(1, 1)]


def test_clearing_leaves_nothing(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(command="unheard-of"))
    tracker(tmp_path).fold()
    append(tmp_path, run(command="unheard-of"))
    tracker(tmp_path).clear()
    assert tracker(tmp_path).fold() == 0
    assert not any(b"unheard-of" in path.read_bytes() for path in tmp_path.iterdir())
