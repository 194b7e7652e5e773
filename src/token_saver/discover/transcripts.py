"""Finds the transcripts of the hosts and reads runs from them: read-only, line by line, whatever the size of a file."""

from __future__ import annotations

import errno
import json
import os
import stat
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

from token_saver.discover import claude, codex
from token_saver.discover.entries import Answer, Call
from token_saver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST_LINE = 64 << 20
"""Bytes of a line that is read; a longer one holds an image or a file, and is passed over."""
MOST_WAITING = 10_000
"""Calls that may wait for their answers; the oldest is given up first."""
_CHUNK = 1 << 20


class Format(Protocol):
    """How a host writes: a module is one."""

    NAME: str
    SIGNS: tuple[bytes, ...]

    def folders(self, environ: Mapping[str, str]) -> list[str]:
        """Return where the host keeps its transcripts."""

    def read(self, entry: Mapping[str, Any]) -> Iterator[Call | Answer]:
        """Yield what one line holds."""


FORMATS: dict[str, Format] = {claude.NAME: claude, codex.NAME: codex}


class Transcript(NamedTuple):
    """A file and the host that wrote it."""

    host: str
    path: str


class Run(NamedTuple):
    """One command and what the model read of its output; *status* is None when it is not told."""

    host: str
    session: str
    identifier: str
    command: str
    output: str
    status: int | None


class Count:
    """What reading came across beside the runs: lines that are no JSON object, and calls whose answer never came."""

    def __init__(self) -> None:
        self.unreadable = 0
        self.unanswered = 0


def found(environ: Mapping[str, str], hosts: list[str], since: float) -> list[Transcript]:
    """Return the transcripts of *hosts* that were written after *since* (seconds), in order of their paths."""
    files = [
        Transcript(host, path)
        for host in hosts
        for folder in FORMATS[host].folders(environ)
        for path in _files(folder)
        if _written(path) >= since
    ]
    return sorted(files, key=lambda file: file.path)


def of_unknown_host(path: str) -> Transcript:
    """Return the transcript in *path* with the host that its first lines speak of; raises InputError when none does."""
    try:
        with _opened(path) as file:
            beginning = file.read(_CHUNK)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    for host, form in FORMATS.items():
        if any(sign in beginning for sign in form.SIGNS):
            return Transcript(host, path)
    raise InputError(f"{path} is not a transcript that is known; these are: {', '.join(FORMATS)}")


def runs(transcript: Transcript, count: Count) -> Iterator[Run]:
    """Yield the commands of a transcript with their outputs; raises OSError when it cannot be read."""
    form = FORMATS[transcript.host]
    session = os.path.basename(transcript.path)
    waiting: dict[str, Call] = {}
    with _opened(transcript.path) as file:
        for line in _lines(file, count):
            if not any(sign in line for sign in form.SIGNS):
                continue
            for item in form.read(_entry(line, count)):
                if isinstance(item, Call):
                    waiting[item.identifier] = item
                    if len(waiting) > MOST_WAITING:
                        del waiting[next(iter(waiting))]
                        count.unanswered += 1
                elif (call := waiting.pop(item.identifier, None)) is not None:
                    of_session = call.session or session
                    yield Run(transcript.host, of_session, call.identifier, call.command, item.output, item.status)
    count.unanswered += len(waiting)


def _files(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in names if name.endswith(".jsonl"))


def _written(path: str) -> float:
    """Return when a file was last written; -1 for what is no file, such as a link."""
    try:
        found = os.lstat(path)
    except OSError:
        return -1
    return found.st_mtime if stat.S_ISREG(found.st_mode) else -1


def _opened(path: str) -> IO[bytes]:
    """Open a regular file for reading; raises OSError, also for a pipe or a device, which would never end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return os.fdopen(descriptor, "rb")


def _lines(file: IO[bytes], count: Count) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            _pass_over(file)
            count.unreadable += 1
        else:
            yield line


def _pass_over(file: IO[bytes]) -> None:
    """Read to the end of a line without keeping it."""
    while (part := file.readline(_CHUNK)) and not part.endswith(b"\n"):
        pass


def _entry(line: bytes, count: Count) -> dict[str, Any]:
    try:
        entry = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        entry = None
    if isinstance(entry, dict):
        return entry
    count.unreadable += 1
    return {}
