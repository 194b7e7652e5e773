"""The spool: one record for each command, appended in one write, until whoever reads statistics takes it into the database.

A record is framed as RFC 7464 frames a text: RS (0x1E), the fields with a tab between them, LF; all of it UTF-8. The fields,
in the order of ``FIELDS``:

``kind``       ``run``, ``mismatch``, ``recall`` or ``escape`` (a command that asked not to be shortened)
``at``         nanoseconds since 1970; with ``pid`` and ``kind`` the identity of a record, so that two copies of it count once
``pid``        the process
``session``    the session of the host, "" where none is known
``host``       the name of the coding agent, "" where none is known
``mode``       how the output came to us: ``wrap``, ``prefix``, ``post``, ``after-tool``
``folder``     where the command ran, masked
``processor``  which processor made the result
``command``    program and subcommand, or the masked command line where the user wants that
``check``      16 bits of a checksum of the command line: tells two commands of a session apart, too little to guess one by
``more``       1 when the command line has an option that asks for more, or a filter behind it; ``check`` leaves these out
``status``     the exit status, "" where the host does not tell it
``original``   characters of the output
``shown``      characters of what was shown
``millis``     how long the command took
``redacted``   1 when secrets were masked

A record that lacks its end was torn and is left out; the next one begins with RS wherever it stands. This module is part of
the hot path: it imports ``posix`` alone.
"""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "savings.spool"
MOST = 8 << 20
"""Bytes beyond which nothing is added, for a reader that never comes."""
BEGIN, END = "\x1e", "\n"
RUN, MISMATCH, RECALL, ESCAPE = "run", "mismatch", "recall", "escape"
FIELDS = (
    *("kind", "at", "pid", "session", "host", "mode", "folder", "processor", "command"),
    *("check", "more", "status", "original", "shown", "millis", "redacted"),
)
NUMBERS = frozenset({"at", "pid", "check", "more", "status", "original", "shown", "millis", "redacted"})
_SPACES = str.maketrans(dict.fromkeys(map(chr, (*range(32), 127)), " "))
_LONGEST = 500
_KIND, _REGULAR = 0o170000, 0o100000
_TRIES = 3


class Record:
    """One record; its attributes are the fields of the format."""

    __slots__ = FIELDS

    kind: str
    at: int
    pid: int
    session: str
    host: str
    mode: str
    folder: str
    processor: str
    command: str
    check: int
    more: int
    status: int | None
    original: int
    shown: int
    millis: int
    redacted: int

    def __init__(self, kind: str, at: int, **fields: str | int | None) -> None:
        self.kind = kind
        self.at = at
        self.pid = posix.getpid()
        for name in FIELDS[3:]:
            setattr(self, name, fields.get(name, None if name == "status" else 0 if name in NUMBERS else ""))

    def line(self) -> bytes:
        """Return the record as it stands in the spool."""
        values = (getattr(self, name) for name in FIELDS)
        texts = ["" if value is None else str(value).translate(_SPACES)[:_LONGEST] for value in values]
        return f"{BEGIN}{chr(9).join(texts)}{END}".encode("utf-8", "replace")


class SpoolWriter:
    """Writes records into the spool in *folder*; the file is opened by a record and closed again by it."""

    def __init__(self, folder: str) -> None:
        self._path = f"{folder}/{FILE}"
        self.size = 0

    def record_saving(self, record: Record) -> None:
        """Add a record; raises OSError."""
        self.size = _append(self._path, record.line())

    def record_mismatch(self, record: Record) -> None:
        """Add the record of a processor that broke its contract; raises OSError."""
        self.size = _append(self._path, record.line())

    def close(self) -> None:
        """Do nothing: no file is open between two records."""


def folder(environ: Mapping[bytes, bytes]) -> str:
    """Return the folder that ``store.data_folder`` returns, without what that imports."""
    home = _variable(environ, b"HOME")
    named = _variable(environ, b"TOKEN_SAVER_DATA_DIR")
    if named:
        expanded = home + named[1:] if named == "~" or named.startswith("~/") else named
        return expanded if expanded.startswith("/") else f"{posix.getcwd()}/{expanded}"
    if sys.platform == "darwin":
        return home + "/Library/Application Support/token-saver"
    return (_variable(environ, b"XDG_DATA_HOME").strip() or home + "/.local/share") + "/token-saver"


def _variable(environ: Mapping[bytes, bytes], name: bytes) -> str:
    return environ.get(name, b"").decode("utf-8", "surrogateescape")


def _append(path: str, line: bytes) -> int:
    """Append *line* and return the size of the spool before; a line that a reader may have overtaken is written again."""
    size = 0
    for _ in range(_TRIES):
        descriptor = _opened(path)
        try:
            found = posix.fstat(descriptor)
            if found.st_mode & _KIND != _REGULAR or found.st_uid != posix.geteuid() or found.st_nlink > 1:
                raise OSError("not a private file")
            size = found.st_size
            if size > MOST:
                return size
            posix.write(descriptor, line)
            if _is_in_place(path, found):
                return size
        finally:
            posix.close(descriptor)
    return size


def _is_in_place(path: str, found: posix.stat_result) -> bool:
    try:
        now = posix.stat(path, follow_symlinks=False)
    except OSError:
        return False
    return (now.st_ino, now.st_dev) == (found.st_ino, found.st_dev)


def _opened(path: str) -> int:
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    try:
        return posix.open(path, flags, 0o600)
    except FileNotFoundError:
        _make_folder(path.rpartition("/")[0], 0o700)
        return posix.open(path, flags, 0o600)


def _make_folder(path: str, mode: int) -> None:
    try:
        posix.mkdir(path, mode)
    except FileExistsError:
        return
    except FileNotFoundError:
        _make_folder(path.rpartition("/")[0], 0o777)
        posix.mkdir(path, mode)
