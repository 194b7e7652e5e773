"""The audit journal, off by default: one JSON object a line for each record, in a private file that is turned over when full.

It is opened by the first record. What goes wrong in opening, writing or turning over is reported by the kind of the error
alone, never with the record in hand.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from typing import TYPE_CHECKING

from token_saver.errors import StoreError
from token_saver.telemetry import spool

if TYPE_CHECKING:
    from token_saver.telemetry.spool import Record

FILE = "audit.jsonl"
MOST = 5_000_000
"""Bytes of one file."""
KEPT = 3
"""How many earlier files are kept: ``audit.jsonl.1`` is the last one."""


class Journal:
    """The journal at *path*; ``add`` raises StoreError, which says what failed and nothing of the record."""

    def __init__(self, path: str, *, most: int = MOST, kept: int = KEPT) -> None:
        self.path = path
        self._most = most
        self._kept = kept

    def add(self, record: Record) -> None:
        """Append the record."""
        line = (json.dumps(_entry(record), ensure_ascii=False) + "\n").encode("utf-8", "replace")
        try:
            descriptor = self._opened()
        except OSError as error:
            raise StoreError(f"the audit journal cannot be opened: {type(error).__name__}") from None
        try:
            # The lock is on the file itself, which whoever waited for it may find turned over.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            descriptor = self._turned_over(descriptor, len(line))
            if os.write(descriptor, line) < len(line):
                raise OSError("the line is torn")
        except OSError as error:
            raise StoreError(f"the audit journal cannot be written: {type(error).__name__}") from None
        finally:
            os.close(descriptor)

    def _opened(self) -> int:
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        return os.open(self.path, flags, 0o600)

    def _turned_over(self, descriptor: int, coming: int) -> int:
        """Return a locked file with room for *coming* bytes: this one, or the one that takes its place."""
        while True:
            found = os.fstat(descriptor)
            in_place = os.path.lexists(self.path) and os.path.samestat(found, os.lstat(self.path))
            if in_place and (found.st_size == 0 or found.st_size + coming <= self._most):
                return descriptor
            if in_place:
                for number in range(self._kept - 1, 0, -1):
                    if os.path.lexists(f"{self.path}.{number}"):
                        os.replace(f"{self.path}.{number}", f"{self.path}.{number + 1}")
                os.replace(self.path, f"{self.path}.1")
            following = self._opened()
            os.dup2(following, descriptor, inheritable=False)
            os.close(following)
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def of(folder: str) -> Journal:
    """Return the journal in the data folder *folder*."""
    return Journal(f"{folder}/{FILE}")


def _entry(record: Record) -> dict[str, str | int | None]:
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.at / 1e9))
    return {"time": when, **{name: getattr(record, name) for name in spool.FIELDS if name not in ("at", "check", "more")}}
