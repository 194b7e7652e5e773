"""Any amount of output in bounded memory: both ends whole, and of the middle the first of every kind of failure.

Bytes go in, in chunks of any size. Lines of the middle are classified once per template (digits and hexadecimal letters
written as ``0``), so the cost of a line is one translation and one look-up in a dictionary.
"""

from __future__ import annotations

from token_saver.text.critical import is_critical
from token_saver.text.markers import marker

LINE_LIMIT = 64 * 1024
TEMPLATES = 20_000
KEPT = 500
PER_KIND = 3
_DIGITS = bytes.maketrans(b"123456789abcdef", b"0" * 15)
_KEY = 80


class Reducer:
    """Feed it bytes; it keeps *head* bytes, *tail* bytes, and the failures between them."""

    def __init__(self, head: int = 1 << 20, tail: int = 1 << 20) -> None:
        self._head_limit = head
        self._tail_limit = tail
        self._head: list[bytes] = []
        self._head_size = 0
        self._tail: list[bytes] = []
        self._tail_size = 0
        self._rest = b""
        self._seen: dict[bytes, bool] = {}
        self._kinds: dict[str, int] = {}
        self._kept: list[bytes] = []
        self._gone = 0
        self.total = 0

    @property
    def reduced(self) -> bool:
        """Whether anything was left out."""
        return self._gone > 0

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self.total += len(chunk)
        if self._head_size < self._head_limit:
            chunk = self._feed_head(chunk)
        if not chunk:
            return
        chunk = self._rest + chunk
        cut = chunk.rfind(b"\n") + 1
        if not cut and len(chunk) > LINE_LIMIT:
            cut = len(chunk)
        self._rest = chunk[cut:]
        if cut:
            self._push(chunk[:cut])

    def finish(self) -> list[bytes]:
        """Return the parts of the result, in order; concatenated they are the input when nothing was left out."""
        if self._rest:
            self._push(self._rest)
            self._rest = b""
        middle: list[bytes] = []
        if self._gone:
            middle.append((marker([(self._gone, "line", "")]) + "\n").encode())
            if self._kept:
                middle.append((marker([(len(self._kept), "line of failure from there", "")]) + "\n").encode())
                middle.extend(line + b"\n" for line in self._kept)
        head = self._head
        if middle and head and not head[-1].endswith(b"\n"):
            head = [*head, b"\n"]
        return [*head, *middle, *self._tail]

    def _feed_head(self, chunk: bytes) -> bytes:
        """Fill the head, to the end of a line where one is near, and return what is left of *chunk*."""
        room = self._head_limit - self._head_size
        if len(chunk) <= room:
            self._head.append(chunk)
            self._head_size += len(chunk)
            return b""
        cut = chunk.rfind(b"\n", 0, room) + 1 or room
        self._head.append(chunk[:cut])
        self._head_size = self._head_limit
        return chunk[cut:]

    def _push(self, block: bytes) -> None:
        self._tail.append(block)
        self._tail_size += len(block)
        while self._tail_size - len(self._tail[0]) >= self._tail_limit:
            first = self._tail.pop(0)
            self._tail_size -= len(first)
            self._classify(first)
        if len(self._tail) == 1 and self._tail_size > 2 * self._tail_limit:
            self._split_tail()

    def _split_tail(self) -> None:
        block = self._tail[0]
        cut = block.rfind(b"\n", 0, len(block) - self._tail_limit) + 1 or len(block) - self._tail_limit
        self._classify(block[:cut])
        self._tail[0] = block[cut:]
        self._tail_size = len(block) - cut

    def _classify(self, block: bytes) -> None:
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        self._gone += len(lines)
        seen = self._seen
        for line, key in zip(lines, block.translate(_DIGITS).split(b"\n"), strict=False):
            key = key[:_KEY]
            if key not in seen:
                self._first(key, line)

    def _first(self, key: bytes, line: bytes) -> None:
        text = line[:LINE_LIMIT].decode("utf-8", "surrogateescape")
        hit = is_critical(text)
        if len(self._seen) < TEMPLATES:
            self._seen[key] = hit
        if not hit or len(self._kept) >= KEPT:
            return
        kind = "".join(char for char in text if char.isalpha())[:48]
        self._kinds[kind] = self._kinds.get(kind, 0) + 1
        if self._kinds[kind] <= PER_KIND:
            self._kept.append(line[:2000])
