"""Our own log: one line for each thing that failed, without any content of the session, in a private file that stays small.

A line is the time, what we were doing, and the kind of error: ``2026-11-30T12:00:00Z claude NotAnEventError``.
"""

from __future__ import annotations

import posix

from token_saver import snapshot

FILE = "trouble.log"
_MOST = 65_536


def note(what: str, error: BaseException) -> None:
    """Append the line; whatever hinders that is nobody's concern."""
    try:
        _append(f"{_now()} {what} {type(error).__name__}\n".encode("ascii", "replace"))
    except OSError:
        pass


def note_once(what: str, error: BaseException) -> None:
    """Append the line unless one like it stands in the log already."""
    try:
        with open(path(), "rb") as file:
            if f" {what} {type(error).__name__}\n".encode("ascii", "replace") in file.read(_MOST):
                return
    except OSError:
        pass
    note(what, error)


def path() -> str:
    """Return where the log is, whether it is there or not."""
    return snapshot.folder(posix.environ) + "/" + FILE


def _append(line: bytes) -> None:
    place = path()
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        descriptor = posix.open(place, flags, 0o600)
    except FileNotFoundError:
        snapshot.make_folder(place.rpartition("/")[0])
        descriptor = posix.open(place, flags, 0o600)
    try:
        if posix.fstat(descriptor).st_size > _MOST:
            posix.ftruncate(descriptor, 0)
        posix.write(descriptor, line)
    finally:
        posix.close(descriptor)


def _now() -> str:
    from time import gmtime, strftime

    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
