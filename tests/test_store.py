"""A database of ours: private, never through a link, a damaged one reported and left as it is."""

from __future__ import annotations

import os
import pathlib
import sqlite3
import stat

import pytest

from token_saver import store
from token_saver.errors import StoreError


def test_the_file_and_its_folder_are_the_users_alone(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data" / "x.db"
    with store.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
        modes = {stat.S_IMODE(os.stat(file).st_mode) for file in path.parent.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_others_could_read_becomes_private(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.db"
    path.touch(0o644)
    path.chmod(0o644)
    store.connect(str(path)).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("make", ["symlink", "hardlink", "fifo", "folder", "sidecar"])
def test_what_is_no_plain_file_of_its_own_is_refused(tmp_path: pathlib.Path, make: str) -> None:
    path, other = tmp_path / "x.db", tmp_path / "other"
    other.write_bytes(b"")
    if make == "symlink":
        path.symlink_to(other)
    elif make == "hardlink":
        path.hardlink_to(other)
    elif make == "fifo":
        os.mkfifo(path)
    elif make == "folder":
        path.mkdir()
    else:
        (tmp_path / "x.db-wal").symlink_to(other)
    with pytest.raises(StoreError, match=r"x\.db"):
        store.connect(str(path))
    assert other.read_bytes() == b""


def test_a_damaged_file_is_reported_and_stays(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"this is no database at all, and long enough to be read as one" * 40)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a database"):
        store.connect(str(path))
    with pytest.raises(StoreError, match="not a database"):
        store.connect_read_only(str(path))
    assert path.read_bytes() == before


def test_reading_alone_makes_and_changes_nothing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "no?#%.db"
    with pytest.raises(StoreError):
        store.connect_read_only(str(path))
    assert not path.exists()
    with store.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
    reader = store.connect_read_only(str(path))
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("INSERT INTO t VALUES (1)")


def test_the_data_folder_can_be_named(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.DATA_VARIABLE, str(tmp_path / "here"))
    assert store.data_folder() == str(tmp_path / "here")
    monkeypatch.delenv(store.DATA_VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert store.data_folder().endswith("token-saver")
