"""What a command printed, held in bounded memory.

Up to ``keep`` bytes stay in memory as they came. What is larger goes on into a spool file, whole up to ``most`` bytes, and
through the streaming reducer, which holds both ends and the failures between them. Output with a NUL byte is nothing that
is read as text: it goes straight through.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from token_saver.text.stream import Reducer

STDOUT = 1
_CONTINUING = bytes(range(0x80, 0xC0))
"""The bytes that begin no character."""
_ENDS = 8
_COPY = 1 << 16
_LONGEST_LINE = 1 << 20


class Intake:
    """Feed it chunks. ``passed`` tells that the output went through already, ``reduced`` that ``text`` is not all of it.

    ``characters`` counts what was printed where it was too much to be held whole.
    """

    def __init__(self, keep: int, most: int, *, passed: bool = False) -> None:
        self.passed = passed
        self._masked: Callable[[bytes], bytes] | None = None
        self._rest = b""
        self.characters = 0
        self._keep = keep
        self._most = most
        self._chunks: list[bytes] = []
        self._size = 0
        self._reducer: Reducer | None = None
        self._spool = -1

    @property
    def reduced(self) -> bool:
        """Whether the middle is gone from what ``text`` returns."""
        return self._reducer is not None and self._reducer.reduced

    @property
    def is_large(self) -> bool:
        """Whether it was too much to be held whole."""
        return self._reducer is not None

    def take(self, chunk: bytes) -> None:
        """Take the next bytes; raises OSError when they have to go through and cannot be written."""
        self._size += len(chunk)
        if self.passed:
            self._through(chunk)
        elif self._reducer is not None:
            self._to_spool(chunk)
            self._reducer.feed(chunk)
            self.characters += len(chunk.translate(None, _CONTINUING))
        else:
            self._chunks.append(chunk)
            if b"\0" in chunk:
                self.pass_through()
            elif self._size > self._keep:
                self._reduce()

    def is_too_much(self, chunk: bytes) -> bool:
        """Tell whether with *chunk* it is for the first time more than is held."""
        return not self.passed and self._reducer is None and self._size + len(chunk) > self._keep

    def let_through(self, masked: Callable[[bytes], bytes]) -> None:
        """Write what was taken, and from now on every line as soon as it is whole, *masked*."""
        self.passed = True
        self._masked = masked
        taken, self._chunks = b"".join(self._chunks), []
        self._through(taken)

    def end(self) -> None:
        """Write what was held back of the last line."""
        rest, self._rest = self._rest, b""
        if rest:
            write_all(self._clean(rest))

    def _through(self, chunk: bytes) -> None:
        if self._masked is None:
            write_all(chunk)
            return
        whole, end, rest = (self._rest + chunk).rpartition(b"\n")
        if len(rest) > _LONGEST_LINE:
            whole, end, rest = whole + end + rest, b"", b""
        self._rest = rest
        if whole or end:
            write_all(self._clean(whole + end))

    def _clean(self, lines: bytes) -> bytes:
        try:
            return lines if self._masked is None else self._masked(lines)
        except Exception:
            return lines

    def text(self) -> bytes:
        """Return all that was printed, or both ends and the failures between them."""
        return b"".join(self._chunks if self._reducer is None else self._reducer.finish())

    def whole(self) -> bytes | None:
        """Return all that was printed; None when the middle of it is not there any more."""
        if self._reducer is None:
            return b"".join(self._chunks)
        return None if self._spool < 0 else b"".join(self._spooled())

    def pass_through(self) -> None:
        """Write what was taken, exactly where it is still whole, and let everything that follows go through."""
        if self._spool >= 0:
            self._copy_spool()
        else:
            write_all(b"".join(self._chunks) or self.text())
        self.passed = True
        self._chunks = []

    def _reduce(self) -> None:
        from token_saver.text.stream import Reducer

        self._reducer = Reducer(self._keep // _ENDS, self._keep // _ENDS)
        self._spool = _private_file()
        for chunk in self._chunks:
            self._to_spool(chunk)
        for chunk in self._chunks:
            self._reducer.feed(chunk)
            self.characters += len(chunk.translate(None, _CONTINUING))
        self._chunks = []

    def _to_spool(self, chunk: bytes) -> None:
        if self._spool < 0:
            return
        try:
            if self._size > self._most:
                raise OSError("larger than what is kept whole")
            while chunk:
                chunk = chunk[posix.write(self._spool, chunk) :]
        except OSError:
            posix.close(self._spool)
            self._spool = -1

    def _copy_spool(self) -> None:
        for chunk in self._spooled():
            write_all(chunk)

    def _spooled(self) -> Iterator[bytes]:
        posix.lseek(self._spool, 0, 0)
        while chunk := posix.read(self._spool, _COPY):
            yield chunk


def write_all(data: bytes) -> None:
    """Write *data* to stdout; raises BrokenPipeError when nobody reads it any more."""
    view = memoryview(data)
    while view:
        try:
            view = view[posix.write(STDOUT, view) :]
        except BlockingIOError:
            _wait_for_room()


def _wait_for_room() -> None:
    """Wait until stdout, which somebody made non-blocking, takes bytes again."""
    import select

    poll = select.poll()
    poll.register(STDOUT, select.POLLOUT)
    poll.poll()


def _private_file() -> int:
    """Open a file that only we can read and that is gone when we are; -1 where there is no room for one."""
    folder = posix.environ.get(b"TMPDIR") or b"/tmp"
    path = folder + b"/token-saver-" + posix.urandom(12).hex().encode()
    try:
        descriptor = posix.open(path, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600)
        posix.unlink(path)
    except OSError:
        return -1
    return descriptor
