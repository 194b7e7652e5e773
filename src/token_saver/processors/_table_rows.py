"""Rows of the tables that system programs print: what names a row, what kind it is, and whether it is exceptional."""

from __future__ import annotations

from token_saver.text import rx
from token_saver.text.critical import is_critical
from token_saver.text.inventory import Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = rx(r"[ \t]{2,}|\t")
_HEADER_WORD = rx(r"[A-Z%#(][\w%#/.:()<>&+-]*$")
_TITLE = rx(r"[A-Z][A-Za-z()]+(?: [A-Za-z()]+){1,8}$")
_BAD = rx(
    r"(?i).*\b(?:crashloopbackoff|imagepullbackoff|errimagepull|evicted|oomkilled|pending|unhealthy|notready|"
    r"terminating|exited|degraded|restarting|created|paused|masked|defunct|unreachable|lost|deadline|crash|"
    r"suspended|failing|not-found|uninstalling|pending-\w+|superseded|close.wait|zombie)\b"
)
_READY = rx(r".*?(?<![\w/.:])(\d+)/(\d+)(?![\w/.])")
_FULL = rx(r".*\s(?:9\d|100)%")
_PROCESS = rx(r'.*(?P<user>users:\(\("(?P<name>[^"]+)",pid=\d+)')
# The blank inside a heading of one column.
_PAIRS = (
    *("Local Address:Port", "Peer Address:Port", "Local Address", "Foreign Address", "UNIT FILE", "VENDOR PRESET"),
    *("PID/Program name", "CONTAINER ID", "IMAGE ID", "LAST SEEN", "Mounted on", "APP VERSION"),
)
_NAMES = (
    *("NAMES", "NAME", "UNIT_FILE", "UNIT", "Local_Address:Port", "Local_Address", "REPOSITORY", "COMMAND", "CMD", "Command"),
    *("Name", "Filesystem", "Module", "TARGET"),
)
_BULLETS = frozenset("●○*×")
_UNIT_TROUBLE = frozenset({"failed", "not-found", "masked", "error", "bad-setting", "activating"})
_COMMANDS = frozenset({"COMMAND", "CMD", "Command"})
_KINDS = ("FD", "State", "(state)", "STATUS", "LOAD", "STATE", "Status", "TYPE")
LISTENING = frozenset({"LISTEN", "LISTENING"})


def is_header(line: str) -> bool:
    """Tell whether *line* names columns: three words or more, nearly all of them starting like a name."""
    words = line.split()
    if not 3 <= len(words) <= 40 or len(" ".join(words)) > 400:
        return False
    named = sum(1 for word in words if _HEADER_WORD.match(word))
    is_wide = "  " in line.strip() or "\t" in line or line.isupper() or "%" in line
    return is_wide and named * 3 >= len(words) * 2 and not any(word.isdigit() or word[-1] == ":" for word in words)


def is_title(line: str) -> bool:
    """Tell whether *line* is words alone: the title of the table that follows."""
    return _TITLE.match(line.rstrip()) is not None


def squeezed(line: str) -> str:
    """Return *line* with two blanks where more stood; it stays indented when it was."""
    text = _GAP.sub("  ", line.strip())
    return "  " + text if line[:1] == " " else text


class Columns:
    """Where a table's rows have their name and their kind, after its header."""

    __slots__ = ("heads", "kind", "name", "pid", "starts")

    def __init__(self, header: str) -> None:
        joined = header
        for pair in _PAIRS:
            joined = joined.replace(pair, pair.replace(" ", "_"))
        self.heads = joined.replace(":PortProcess", ":Port Process").split()
        self.starts: list[int] = []
        at = 0
        for head in self.heads:
            at = max(joined.find(head, at), 0)
            self.starts.append(at)
            at += len(head)
        self.name = self._first(_NAMES, 0)
        self.kind = self._first(_KINDS, -1)
        self.pid = self._first(("PID",), -1)

    def _first(self, names: Sequence[str], default: int) -> int:
        return next((self.heads.index(name) for name in names if name in self.heads), default)

    def item(self, line: str) -> Item:
        """Return the row *line* with its name, kind and rank."""
        text = squeezed(line)
        if is_title(line):
            return Item(line, text, [("", "")], 4)
        words = line.split()
        if words[0] in _BULLETS:
            words = words[1:]
        return Item(line, text, self._names(line, words), self._rank(text, words))

    def _names(self, line: str, words: Sequence[str]) -> list[tuple[str, str]]:
        kind = self._kind(line, words)
        name = self._cell(line, words, self.name)
        head = self.heads[self.name]
        if self.heads[self.kind] == "FD":
            if "denied" in words[-1]:
                return [(" ".join(words[-2:]).strip("()"), " ".join(words[:2]))]
            path = " ".join(words[next((at for at, word in enumerate(words) if word[:1] == "/"), -1) :])
            return [(kind, path), (kind, path.rpartition("/")[2])]
        if head == "Local_Address:Port":
            return self._socket(line, kind, name if name[-1:] != ":" else name + "".join(words[self.name + 1 : self.name + 2]))
        if head not in _COMMANDS:
            return [(kind, name)]
        short = name if name.startswith("[") else name.rstrip("/").rpartition("/")[2] or name
        if self.pid < 0:
            return [(kind, name), (kind, short)]
        pid = self._cell(line, words, self.pid)
        return [(kind, f"{pid} {name}"), (kind, f"{pid} {short}"), (kind, short)]

    def _kind(self, line: str, words: Sequence[str]) -> str:
        if self.kind < 0:
            return ""
        head = self.heads[self.kind]
        if head == "LOAD":
            return " ".join(words[self.kind : self.kind + 3])
        return " ".join(words[:2]) if head == "FD" else self._cell(line, words, self.kind)

    def _socket(self, line: str, kind: str, name: str) -> list[tuple[str, str]]:
        process = _PROCESS.match(line) if "users:((" in line else None
        if process is None:
            return [(kind, name)]
        return [(f"{kind} {process.group('user')}", name), (f"{kind} {process.group('name')}", name)]

    def _cell(self, line: str, words: Sequence[str], column: int) -> str:
        """Return the word below the heading of *column*; counted where nothing stands aligned with it."""
        start = self.starts[column]
        if column and start < len(line) and line[start - 1] in " \t" and line[start] not in " \t":
            end = line.find(" ", start)
            return line[start:] if end < 0 else line[start:end]
        return words[column] if column < len(words) else ""

    def _rank(self, text: str, words: Sequence[str]) -> int:
        head = self.heads[self.kind]
        if head == "LOAD":
            return 2 * (text[:1] == "●" or not _UNIT_TROUBLE.isdisjoint(words))
        if head == "FD":
            return int("(deleted)" in words or not LISTENING.isdisjoint([word.strip("()") for word in words]))
        ready = _READY.match(text)
        if ready is not None and int(ready.group(1)[:9]) < int(ready.group(2)[:9]):
            return 3
        if _BAD.match(text) or is_critical(text):
            return 2
        if _FULL.match(text):
            return 2
        return int(not LISTENING.isdisjoint(words))
