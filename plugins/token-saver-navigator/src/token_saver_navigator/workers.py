"""Parses many files, in processes of their own when they are many: one that hangs or crashes costs one file.

A worker is ``python -m token_saver_navigator.worker``: it reads paths, one a line, and answers each with a length and a
marshalled ``Parsed``.
"""

from __future__ import annotations

import marshal
import os
import selectors
import subprocess
import sys
import time
from typing import IO, TYPE_CHECKING

from token_saver_navigator.parsing import FAILED, MOST_SECONDS, Import, Parsed, Reference, Symbol
from token_saver_navigator.worker import parsed_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from token_saver_navigator.project import Stamp

_FEW_BYTES = 1 << 20
_SMALL = 1 << 18
_MOST_PROCESSES = 8
_PATIENCE = 2 * MOST_SECONDS + 2
_AHEAD = 4


def parsed_files(
    root: str, paths: Sequence[str], stamps: Mapping[str, Stamp], processes: int | None = None
) -> Iterator[tuple[str, Parsed]]:
    """Yield each of *paths* with what it holds, in any order; *processes* is how many work at once, 0 for this one alone."""
    if processes is None:
        sizes = [stamps[path].size for path in paths]
        few = sum(sizes) <= _FEW_BYTES and max(sizes, default=0) <= _SMALL
        processes = 0 if few else min(len(paths), os.cpu_count() or 1, _MOST_PROCESSES)
    if not processes:
        for path in paths:
            yield path, parsed_file(root, path)
        return
    yield from _Crew(root, paths, processes).work()


class _Worker:
    """One process; *pending* are the paths it was given, of which it works on the first since *since*."""

    def __init__(self, root: str) -> None:
        words = (sys.executable, "-P", "-m", "token_saver_navigator.worker", root)
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self.pending: list[str] = []
        self.since = time.monotonic()

    @property
    def input(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def give(self, path: str) -> None:
        """Let it parse one more file; a process that died is noticed when it is read."""
        if not self.pending:
            self.since = time.monotonic()
        self.pending.append(path)
        try:
            self.input.write(os.fsencode(path).replace(b"\n", b"\0") + b"\n")
            self.input.flush()
        except OSError:
            pass

    def answer(self) -> Parsed | None:
        """Return what the first pending file holds, None when the process is gone."""
        data = self._exactly(int.from_bytes(self._exactly(4), "big"))
        self.since = time.monotonic()
        return unpacked(data) if data else None

    def _exactly(self, size: int) -> bytes:
        """Read *size* bytes and not one more, which the selector would not see; b"" when the process is gone before."""
        parts: list[bytes] = []
        while size:
            part = self.output.read(size)
            if not part:
                return b""
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for stream in (self.input, self.output):
            try:
                stream.close()
            except OSError:
                pass


class _Crew:
    def __init__(self, root: str, paths: Sequence[str], size: int) -> None:
        self._root = root
        self._waiting = list(reversed(paths))
        self._size = size
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []

    def work(self) -> Iterator[tuple[str, Parsed]]:
        try:
            for _ in range(self._size):
                self._hire()
            while any(worker.pending for worker in self._workers):
                for key, _ in self._selector.select(timeout=0.5):
                    yield self._answered(key.data)
                yield from self._overdue()
        finally:
            for worker in self._workers:
                worker.end()
            self._selector.close()

    def _hire(self) -> None:
        worker = _Worker(self._root)
        self._workers.append(worker)
        self._selector.register(worker.output, selectors.EVENT_READ, worker)
        self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        while self._waiting and len(worker.pending) < _AHEAD:
            worker.give(self._waiting.pop())

    def _answered(self, worker: _Worker) -> tuple[str, Parsed]:
        parsed = worker.answer()
        if parsed is None:
            return self._replace(worker, "the parser crashed")
        path = worker.pending.pop(0)
        self._feed(worker)
        if not worker.pending:
            self._selector.unregister(worker.output)
        return path, parsed

    def _overdue(self) -> Iterator[tuple[str, Parsed]]:
        for worker in list(self._workers):
            if worker.pending and time.monotonic() - worker.since > _PATIENCE:
                yield self._replace(worker, f"took more than {_PATIENCE:g} seconds")

    def _replace(self, worker: _Worker, reason: str) -> tuple[str, Parsed]:
        """End a worker that is lost with its first file, and give its other files back."""
        path, *rest = worker.pending
        self._selector.unregister(worker.output)
        self._workers.remove(worker)
        worker.end()
        self._waiting += reversed(rest)
        self._hire()
        return path, Parsed(FAILED, reason, "", 0, "")


def unpacked(data: bytes) -> Parsed:
    """Return what a worker packed."""
    state, reason, sha, lines, doc, symbols, references, imports = marshal.loads(data)
    return Parsed(
        state,
        reason,
        sha,
        lines,
        doc,
        [Symbol(*each) for each in symbols],
        [Reference(*each) for each in references],
        [Import(*each) for each in imports],
    )
