"""The file in which records are kept: its bounds, the clock, many writers, damage, and everything hostile in its place."""

from __future__ import annotations

import os
import pathlib
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest

from token_saver.errors import StoreError
from token_saver.kept import SCHEMA, SKEW, Bounds, Kept

DAY = 86_400.0


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "data" / "kept.sqlite3"


def kept(path: pathlib.Path, clock: Clock | None = None, **bounds: int) -> Kept:
    values = {"records": 100, **bounds}
    return Kept(str(path), Bounds(DAY, **values), *([clock] if clock else []))


def test_records_come_back_by_number_and_the_newest_of_a_scope_first(path: pathlib.Path) -> None:
    store = kept(path)
    first, second, other = store.add("a", b"1", "one"), store.add("a", b"2"), store.add("b", b"3")
    assert (first, second, other) == (1, 2, 3)
    latest, read = store.latest("a"), store.read(first)
    assert latest is not None and (latest.number, latest.payload) == (2, b"2")
    assert read is not None and (read.scope, read.about, read.payload) == ("a", "one", b"1")
    assert [record.number for record in store.records()] == [3, 2, 1]
    assert store.latest("c") is None and store.read(4) is None


def test_a_record_is_exchanged_for_the_one_before(path: pathlib.Path) -> None:
    store = kept(path)
    assert store.exchange("a", b"1") == (None, 1)
    before, number = store.exchange("a", b"2")
    assert before is not None and (before.payload, number) == (b"1", 2)


def test_what_is_too_old_is_gone_when_it_is_read(path: pathlib.Path, clock: Clock) -> None:
    store = kept(path, clock)
    number = store.add("a", b"1")
    clock.now += DAY
    assert store.read(number) is not None
    clock.now += 1
    assert store.read(number) is None and store.latest("a") is None and store.records() == []


def test_a_record_from_the_future_is_dropped_and_cannot_outlive_or_push_out_another(path: pathlib.Path, clock: Clock) -> None:
    store = kept(path, clock, records=2)
    clock.now += 30 * DAY
    store.add("a", b"future")
    clock.now -= 30 * DAY
    number = store.add("a", b"now")
    assert [(record.number, record.payload) for record in store.records()] == [(number, b"now")]


def test_a_clock_that_is_put_right_by_a_moment_drops_nothing(path: pathlib.Path, clock: Clock) -> None:
    store = kept(path, clock)
    number = store.add("a", b"1")
    clock.now -= SKEW / 2
    assert store.read(number) is not None


def test_the_newest_is_the_one_inserted_last_whatever_the_clock_says(path: pathlib.Path, clock: Clock) -> None:
    store = kept(path, clock, records=2)
    for step, payload in ((0, b"1"), (-2, b"2"), (-1, b"3")):
        clock.now += step
        store.add("a", payload)
    latest = store.latest("a")
    assert latest is not None and latest.payload == b"3"
    assert [record.payload for record in store.records()] == [b"3", b"2"]


def test_no_more_records_and_bytes_are_kept_than_allowed(path: pathlib.Path) -> None:
    store = kept(path, records=3, total=250)
    for size in (10, 100, 100, 100):
        store.add("a", b"x" * size)
    assert [record.number for record in store.records()] == [4, 3]
    assert store.add("b", b"") == 5
    assert [record.number for record in store.records()] == [5, 4, 3]
    store.add("b", b"")
    assert [record.number for record in store.records()] == [6, 5, 4]


def test_a_record_of_the_most_bytes_is_kept_and_one_byte_more_is_refused(path: pathlib.Path) -> None:
    store = kept(path)
    store.add("a", b"x" * (1 << 20))
    with pytest.raises(StoreError, match="1048577 bytes"):
        store.add("a", b"x" * ((1 << 20) + 1))
    latest = store.latest("a")
    assert latest is not None and len(latest.payload) == 1 << 20


def test_a_scope_can_be_forgotten_and_everything_cleared(path: pathlib.Path) -> None:
    store = kept(path)
    for scope in ("a", "a", "b"):
        store.add(scope, b"a secret that must not stay in any file")
    store.forget("a")
    assert [record.scope for record in store.records()] == ["b"]
    assert store.clear() == 1
    assert store.records() == [] and store.add("a", b"") == 4
    for file in path.parent.iterdir():
        assert b"a secret" not in file.read_bytes()


def test_what_was_cleared_is_in_no_file_while_another_process_has_it_open(path: pathlib.Path) -> None:
    store = kept(path)
    store.add("a", b"1")
    reader = sqlite3.connect(path)
    reader.execute("SELECT count(*) FROM kept").fetchall()
    store.add("a", b"a secret that must not stay in any file")
    store.clear()
    assert not any(b"a secret" in file.read_bytes() for file in path.parent.iterdir())
    reader.close()


def test_the_files_are_the_users_alone(path: pathlib.Path) -> None:
    old = os.umask(0)
    try:
        kept(path).add("a", b"1")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


@pytest.mark.parametrize("hostile", ["symlink", "dangling", "hardlink", "fifo", "folder", "sidecar"])
def test_nothing_is_read_or_written_through_what_is_no_plain_file_of_its_own(path: pathlib.Path, hostile: str) -> None:
    path.parent.mkdir(mode=0o700)
    other = path.parent.parent / "other"
    kept(other).add("a", b"somebody else's")
    before = other.read_bytes()
    if hostile == "symlink":
        path.symlink_to(other)
    elif hostile == "dangling":
        path.symlink_to(path.parent / "nowhere")
    elif hostile == "hardlink":
        path.hardlink_to(other)
    elif hostile == "fifo":
        os.mkfifo(path)
    elif hostile == "folder":
        path.mkdir()
    else:
        path.with_name(path.name + "-wal").symlink_to(other)
    with pytest.raises(StoreError):
        kept(path).add("a", b"1")
    with pytest.raises(StoreError):
        kept(path).records()
    assert other.read_bytes() == before and not (path.parent / "nowhere").exists()


@pytest.mark.parametrize("version", [SCHEMA + 1, 99, -1])
def test_a_file_of_another_schema_is_refused_and_stays(path: pathlib.Path, version: int) -> None:
    kept(path).add("a", b"1")
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="schema"):
        kept(path).add("a", b"2")
    with pytest.raises(StoreError, match="schema"):
        kept(path).clear()
    assert path.read_bytes() == before


def test_a_database_of_somebody_else_is_refused(path: pathlib.Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    with pytest.raises(StoreError, match="schema 0"):
        kept(path).add("a", b"1")


@pytest.mark.parametrize("damage", ["garbage", "truncated", "overwritten"])
def test_a_damaged_file_is_reported_and_never_made_anew(path: pathlib.Path, damage: str) -> None:
    store = kept(path)
    for _ in range(50):
        store.add("a", os.urandom(3000))
    data = path.read_bytes()
    if damage == "garbage":
        data = b"no database at all " * 2000
    elif damage == "truncated":
        data = data[: len(data) // 2]
    else:
        data = data[:4096] + b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StoreError):
        store.records()
    with pytest.raises(StoreError):
        store.add("a", b"1")
    assert path.read_bytes() == data


def test_many_writers_lose_nothing(path: pathlib.Path) -> None:
    store = kept(path, records=1000)
    numbers: list[int] = []

    def write(scope: str) -> None:
        numbers.extend(store.add(scope, scope.encode()) for _ in range(10))

    threads = [threading.Thread(target=write, args=(f"session {name}",)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 61))
    assert {record.payload for record in store.records()} == {f"session {name}".encode() for name in range(6)}


FULL = """
import resource, sys
from token_saver.errors import StoreError
from token_saver.kept import Bounds, Kept
store = Kept(sys.argv[1], Bounds(86400.0, 100))
store.add("a", b"first")
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    store.add("a", bytes(range(256)) * 2000)
except StoreError as error:
    print("refused")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print([record.payload for record in store.records()])
"""


@pytest.mark.parametrize("room", [1, 4096, 40_000])
def test_a_full_disk_refuses_the_record_and_keeps_the_others(path: pathlib.Path, room: int) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(path), str(room)], capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n[b'first']\n"
