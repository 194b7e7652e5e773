"""Programs that print a table of what there is: processes, sockets, units, containers, pods."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, allowance, group, rx
from token_saver.text.critical import is_critical
from token_saver.text.logs import is_log, read_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

LEAST_ROWS = 3

_GAP = rx(r"[ \t]{2,}|\t")
_HEADER_WORD = rx(r"[A-Z%#(][\w%#/.:()<>&+-]*$")
_BAD = rx(
    r"(?i).*\b(?:crashloopbackoff|imagepullbackoff|errimagepull|evicted|oomkilled|pending|unhealthy|notready|unknown|"
    r"terminating|exited|dead|degraded|restarting|created|paused|masked|not-found|defunct|stopped|unreachable|lost|deadline|"
    r"suspended|inactive|failing|uninstalling|pending-\w+|superseded|close.wait|zombie)\b"
)
_READY = rx(r".*?(?<![\w/.:])(\d+)/(\d+)(?![\w/.])")
_NAME_COLUMNS = (
    "NAME",
    "NAMES",
    "UNIT",
    "UNIT FILE",
    "Local Address:Port",
    "Local Address",
    "REPOSITORY",
    "COMMAND",
    "CMD",
    "Name",
)


class TableProcessor(Family):
    """Headers, exceptional rows whole, both ends; other rows are counted with their names, padding goes."""

    name = "tables"
    priority = 36
    commands = (
        *(
            "ps",
            "lsof",
            "ss",
            "netstat",
            "systemctl",
            "mount",
            "df",
            "lsblk",
            "top",
            "free",
            "vmstat",
            "iostat",
            "who",
            "w",
            "last",
        ),
        *("docker", "podman", "nerdctl", "crictl", "kubectl", "oc", "helm", "kustomize", "stern", "kubetail", "tkn", "flux"),
        *("doctl", "flyctl", "vercel", "gcloud", "az", "pm2", "supervisorctl", "virsh", "lxc", "ip", "arp", "lsmod"),
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        budget = allowance(len(capture.text))
        if is_log(lines):
            return read_log(lines)
        if not any(_is_header(line) for line in lines[:20]):
            return lines if len(capture.text) <= budget else reduce(lines)
        return _read(lines, budget)


def _read(lines: Sequence[str], budget: int) -> Iterator[Piece]:
    """Yield tables squeezed, and narrowed where they are over *budget*; a table ends at a blank line."""
    share = max(600, budget * 9 // 10)
    index = 0
    while index < len(lines):
        end = _end(lines, index)
        if end - index > LEAST_ROWS:
            yield from _table(lines[index:end], share * (end - index) // len(lines) + 400)
            index = end
        else:
            yield lines[index]
            index += 1


def _is_header(line: str) -> bool:
    """Tell whether *line* names columns: three words or more, nearly all of them starting like a name."""
    words = line.split()
    if not 3 <= len(words) <= 40 or len(line) > 400:
        return False
    named = sum(1 for word in words if _HEADER_WORD.match(word))
    return named * 3 >= len(words) * 2 and not any(word.isdigit() or word[-1] == ":" for word in words)


def _end(lines: Sequence[str], index: int) -> int:
    if not _is_header(lines[index]):
        return index
    end = index + 1
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def _table(lines: Sequence[str], budget: int) -> Iterator[Piece]:
    shown = [_GAP.sub("  ", line.strip()) if line[:1] != " " else "  " + _GAP.sub("  ", line.strip()) for line in lines]
    chosen = _chosen(shown, budget * 2 // 3)
    column = _name_column(lines[0])
    waiting: list[int] = []
    told: set[str] = set()
    for index, text in enumerate(shown):
        if index not in chosen:
            waiting.append(index)
            continue
        if waiting:
            yield _counted(lines, waiting, column, told, budget // 3)
            waiting = []
        yield Recast(text, [lines[index]]) if text != lines[index] else text
    if waiting:
        yield _counted(lines, waiting, column, told, budget // 3)


def _chosen(rows: Sequence[str], budget: int) -> set[int]:
    """Choose the header, exceptional rows, then the nearer to an end the earlier."""
    total = len(rows)
    order = sorted(range(total), key=lambda index: (-_worth(rows[index], index), min(index, total - index)))
    chosen: set[int] = set()
    for index in order:
        budget -= len(rows[index]) + 1
        if budget < 0 and chosen:
            break
        chosen.add(index)
    return chosen


def _worth(row: str, index: int) -> int:
    if index == 0:
        return 3
    ready = _READY.match(row)
    if ready is not None and int(ready.group(1)) < int(ready.group(2)):
        return 2
    return 2 if _BAD.match(row) or is_critical(row) else 1


def _name_column(header: str) -> tuple[int, int | None]:
    """Return where the cells start that name a row, and where the next column starts."""
    for name in _NAME_COLUMNS:
        at = header.find(name)
        if at >= 0 and header[at - 1 : at] in ("", " ", "\t"):
            rest = header[at + len(name) :]
            blanks = len(rest) - len(rest.lstrip())
            return at, at + len(name) + blanks if rest.strip() else None
    return 0, None


def _counted(lines: Sequence[str], rows: Sequence[int], column: tuple[int, int | None], told: set[str], room: int) -> Fold:
    names = group((_name(lines[row], column) for row in rows), str)
    fresh = [name for name in names if name and name not in told]
    kept: list[str] = []
    for name in fresh:
        room -= len(name) + 2
        if room < 0:
            break
        kept.append(name)
    told.update(kept)
    more = ", …" if len(kept) < len(fresh) else ""
    return Fold([lines[row] for row in rows], "row", known=True, names=", ".join(kept) + more)


def _name(line: str, column: tuple[int, int | None]) -> str:
    start, _ = column
    while start > 0 and start <= len(line) and line[start - 1 : start].strip():
        start -= 1
    words = line[start:].split()
    return words[0] if words else ""
