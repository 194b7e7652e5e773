"""The spool: private, whole lines, nothing lost to readers that come in between, nothing written through links."""

from __future__ import annotations

import os
import pathlib
import resource
import signal
import stat
import subprocess
import sys
import time

import pytest
from tests.telemetry.records import append, rows, run, tracker

from token_saver import store
from token_saver.telemetry import spool
from token_saver.telemetry.tracker import parsed

SOURCE = str(pathlib.Path(spool.__file__).parents[2])


def test_a_record_comes_back_as_it_was(tmp_path: pathlib.Path) -> None:
    record = run(command="git log", original=12, shown=3, status=None, session="ä\tb\nc")
    append(tmp_path, record)
    [found] = parsed((tmp_path / spool.FILE).read_bytes())
    assert found.line() == record.line()
    assert (found.status, found.original, found.session) == (None, 12, "ä b c")


def test_it_is_private_with_its_folder(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "new" / "data"
    append(folder, run())
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / spool.FILE)] == [0o700, 0o600]


@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": "/home/a"},
        {"HOME": "/home/a", "XDG_DATA_HOME": "/data"},
        {"HOME": "/home/a", "TOKEN_SAVER_DATA_DIR": "/elsewhere"},
        {"HOME": "/home/a", "TOKEN_SAVER_DATA_DIR": "~/elsewhere"},
    ],
    ids=str,
)
def test_it_lies_where_the_stores_are(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "TOKEN_SAVER_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert spool.folder(os.environb) == store.data_folder()


def test_a_torn_record_is_left_out_and_the_next_is_not(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(original=10))
    with open(tmp_path / spool.FILE, "ab") as file:
        file.write(run(original=20).line()[:-9])
    append(tmp_path, run(original=30))
    with open(tmp_path / spool.FILE, "ab") as file:
        file.write(b"\x1erun\tnot\ta\tnumber\n\x1e" + run(original=40).line()[1:40])
    assert tracker(tmp_path).fold() == 2
    assert rows(tmp_path, "SELECT original FROM savings ORDER BY at") == [(10,), (30,)]


def test_a_link_is_never_written_through(tmp_path: pathlib.Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    (tmp_path / spool.FILE).symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match=r"."):
        append(tmp_path, run())
    (tmp_path / spool.FILE).unlink()
    os.link(tmp_path / "other", tmp_path / spool.FILE)
    with pytest.raises(OSError, match="private"):
        append(tmp_path, run())
    assert (tmp_path / "other").read_bytes() == b""


def test_beyond_its_bound_it_does_not_grow(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(original=10))
    with open(tmp_path / spool.FILE, "ab") as file:
        file.truncate(spool.MOST + 1)
    append(tmp_path, run(original=20))
    assert (tmp_path / spool.FILE).stat().st_size == spool.MOST + 1
    assert tracker(tmp_path).fold() == 1


def test_a_full_disk_tears_one_record_and_nothing_else(tmp_path: pathlib.Path) -> None:
    append(tmp_path, run(original=10))
    size = (tmp_path / spool.FILE).stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
    try:
        append(tmp_path, run(original=20))
        with pytest.raises(OSError, match="large"):
            append(tmp_path, run(original=30))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    append(tmp_path, run(original=40))
    assert tracker(tmp_path).fold() == 2
    assert rows(tmp_path, "SELECT original FROM savings ORDER BY at") == [(10,), (40,)]


def test_a_record_that_a_reader_overtakes_is_written_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(tmp_path, run(original=1))
    opened = spool._opened
    folds: list[int] = []

    def overtaken(path: str) -> int:
        descriptor = opened(path)
        if not folds:
            folds.append(tracker(tmp_path).fold())
        return descriptor

    monkeypatch.setattr(spool, "_opened", overtaken)
    append(tmp_path, run(original=2))
    assert folds == [1]
    assert tracker(tmp_path).fold() == 1
    assert rows(tmp_path, "SELECT original FROM savings ORDER BY at") == [(1,), (2,)]


_WRITER = f"""
import sys; sys.path.insert(0, {SOURCE!r})
import time
from token_saver.telemetry import spool
writer = spool.SpoolWriter(sys.argv[1])
for number in range(int(sys.argv[3])):
    writer.record_saving(spool.Record(spool.RUN, time.time_ns(), session=sys.argv[2], original=number, folder="/", status=0))
"""


def writers(folder: pathlib.Path, count: int, each: int) -> list[subprocess.Popen[bytes]]:
    """Start *count* processes that write *each* records."""
    argv = [sys.executable, "-I", "-S", "-c", _WRITER, str(folder)]
    return [subprocess.Popen([*argv, f"s{number}", str(each)]) for number in range(count)]


@pytest.mark.slow
def test_fifty_processes_and_two_readers_at_once_lose_nothing(tmp_path: pathlib.Path) -> None:
    processes = writers(tmp_path, 50, 40)
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r}); from token_saver.telemetry.tracker import Tracker\n"
        f"tracker = Tracker({str(tmp_path)!r}, {{'chars_per_token': 4.0, 'db_prune_days': 90}}, patience=60)\n"
        "for _ in range(20): tracker.fold()"
    )
    readers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait(120) for process in (*processes, *readers)] == [0] * 52
    tracker(tmp_path).fold()
    expected = [(f"s{number}", 40, 780) for number in sorted(range(50), key=str)]
    found = rows(
        tmp_path, "SELECT name, count(*), sum(savings.original) FROM savings JOIN sessions s ON s.id = session GROUP BY 1"
    )
    assert sorted(found) == sorted(expected)
    assert rows(tmp_path, "SELECT sum(runs), sum(original) FROM daily") == [(2000, 50 * 780)]
    assert not list(tmp_path.glob(f"*{spool.FILE}"))


@pytest.mark.slow
def test_a_writer_that_is_killed_loses_at_most_its_last_record(tmp_path: pathlib.Path) -> None:
    [process] = writers(tmp_path, 1, 1_000_000)
    deadline = time.monotonic() + 20
    while not (tmp_path / spool.FILE).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    written = (tmp_path / spool.FILE).read_bytes().count(b"\x1e")
    added = tracker(tmp_path).fold()
    assert written > 100
    assert written - 1 <= added <= written
    numbers = [row[0] for row in rows(tmp_path, "SELECT original FROM savings ORDER BY original")]
    assert numbers == list(range(added))


def test_both_sides_of_a_fork_write_their_own(tmp_path: pathlib.Path) -> None:
    writer = spool.SpoolWriter(str(tmp_path))
    writer.record_saving(run(original=1))
    child = os.fork()
    writer.record_saving(run(original=2 if child else 3))
    if not child:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert tracker(tmp_path).fold() == 3
