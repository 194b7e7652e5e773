"""How a SQLite file of ours is opened: private to the user, in short transactions, never through a link.

Every store of the core and of our plugins opens its file here; what stands in it is the store's own business. A file that
is damaged is reported, never replaced. Nothing here is imported for a command whose output is only shortened.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from typing import TYPE_CHECKING

from token_saver.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA_VARIABLE = "TOKEN_SAVER_DATA_DIR"
PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
_SIDECARS = ("-wal", "-shm")


def data_folder() -> str:
    """Return the folder of everything that is kept: ``TOKEN_SAVER_DATA_DIR``, else the platform's place for user data."""
    named = os.environ.get(DATA_VARIABLE, "")
    if named:
        return os.path.abspath(os.path.expanduser(named))
    import platformdirs

    return platformdirs.user_data_path("token-saver").as_posix()


def connect(path: str, *, timeout: float = PATIENCE) -> sqlite3.Connection:
    """Open the database *path* to read and write, and make it, and its folder, when it is not there.

    The file gets mode 0600 and its folder 0700. Transactions are the caller's (``isolation_level`` is None: say
    ``BEGIN IMMEDIATE``). Raises StoreError when it is a link, has further names, belongs to somebody else, or is no database.
    """
    make_private_folder(os.path.dirname(path))
    _make_private_file(path)
    connection = _opened(f"file:{_escaped(path)}?mode=rw", path, timeout)
    try:
        for statement in _pragmas():
            connection.execute(statement)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be used: {error}") from error
    return connection


def connect_read_only(path: str, *, timeout: float = PATIENCE) -> sqlite3.Connection:
    """Open the database *path* for reading alone; raises StoreError when it is missing, not private, or no database."""
    _check(path)
    connection = _opened(f"file:{_escaped(path)}?mode=ro", path, timeout)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path} cannot be read: {error}") from error
    return connection


def make_private_folder(folder: str) -> None:
    """Make *folder* for the user alone; raises StoreError when it cannot be made or belongs to somebody else."""
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.stat(folder)
        if found.st_uid != os.geteuid():
            raise StoreError(f"{folder} belongs to another user")
        if stat.S_IMODE(found.st_mode) & 0o077:
            os.chmod(folder, 0o700)
    except OSError as error:
        raise StoreError(f"{folder} cannot be used: {error.strerror}") from error


def _make_private_file(path: str) -> None:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o600))
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}") from error
    _check(path)
    for name in _files(path):
        os.chmod(name, 0o600)


def _check(path: str) -> None:
    for name in (path, *_files(path)):
        try:
            found = os.lstat(name)
        except OSError as error:
            raise StoreError(f"{name} cannot be opened: {error.strerror}") from error
        if not stat.S_ISREG(found.st_mode):
            raise StoreError(f"{name} is not a plain file; move it away")
        if found.st_nlink != 1:
            raise StoreError(f"{name} has a second name (a hard link); move it away")
        if found.st_uid != os.geteuid():
            raise StoreError(f"{name} belongs to another user")


def _files(path: str) -> Iterator[str]:
    return (path + end for end in ("", *_SIDECARS) if os.path.lexists(path + end))


def _opened(uri: str, path: str, timeout: float) -> sqlite3.Connection:
    try:
        return sqlite3.connect(uri, timeout=timeout, isolation_level=None, uri=True)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {error}") from error


def _escaped(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _pragmas() -> tuple[str, ...]:
    return (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = NORMAL",
        "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON",
        "PRAGMA trusted_schema = OFF",
    )
