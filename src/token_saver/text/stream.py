"""Any amount of output in bounded memory: both ends whole, and of the middle the first of every kind of failure.

Bytes go in, in chunks of any size. Lines of the middle are classified once per template (digits and hexadecimal letters
written as ``0``; of a long line both ends), so the cost of a line is one translation and one look-up in a dictionary. Of
failures, one line is kept of every message, whatever numbers are in it.
"""

from __future__ import annotations

from token_saver.text.critical import is_critical
from token_saver.text.markers import cut, marker

LINE_LIMIT = 64 * 1024
TEMPLATES = 20_000
LONG_LINE = 2000
KEPT = 500
PER_BEGINNING = 40
"""Different messages kept of failures that begin alike, so that one talkative place does not take all the room."""
_DIGITS = bytes.maketrans(b"123456789abcdef", b"0" * 15)
_UNTELLING = b"0123456789abcdefABCDEF" + bytes(range(0x30)) + b":;<=>?@[\\]^_`{|}~"
_HEAD, _TAIL = 80, 48
_BEGINNING = 40


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
        self._messages: dict[bytes, set[bytes]] = {}
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
            middle.append((marker([(self._gone - len(self._kept), "line", "")]) + "\n").encode())
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
        keys = block.translate(_DIGITS).split(b"\n")
        seen = self._seen
        unsure = {key for key in set(keys) if seen.get(_short(key), True)}
        if unsure:
            for line, key in zip(lines, keys, strict=False):
                if key in unsure:
                    self._look(_short(key), line)

    def _look(self, key: bytes, line: bytes) -> None:
        hit = self._seen.get(key)
        if hit is None:
            hit = is_critical(line[:LINE_LIMIT].decode("utf-8", "surrogateescape"))
            if len(self._seen) < TEMPLATES:
                self._seen[key] = hit
        if hit and not self._keep(line) and key in self._seen:
            self._seen[key] = False

    def _keep(self, line: bytes) -> bool:
        """Keep *line* when its message is new; False when no more of its beginning will be kept."""
        message = line[:LINE_LIMIT].translate(None, _UNTELLING)
        messages = self._messages.setdefault(message[:_BEGINNING], set())
        if len(messages) >= PER_BEGINNING or len(self._kept) >= KEPT:
            return False
        if message not in messages:
            messages.add(message)
            self._kept.append(_shortened(line))
        return True


def _short(key: bytes) -> bytes:
    return key if len(key) <= _HEAD + _TAIL else key[:_HEAD] + key[-_TAIL:]


def _shortened(line: bytes) -> bytes:
    if len(line) <= LONG_LINE:
        return line
    text = line.decode("utf-8", "surrogateescape")
    return cut(text, LONG_LINE * 3 // 4, LONG_LINE // 4).encode("utf-8", "surrogateescape")
