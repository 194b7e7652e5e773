"""Archives and checksums: tar, zip and their kin."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, allowance, paths, rx
from token_saver.text.columns import squeeze
from token_saver.text.inventory import Item, inventory
from token_saver.text.markers import marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece
    from token_saver.text.rx import Rx

LEAST = 12
WHOLE = 6000
ENDS = 2
LARGE = 40_000

# ``tar -tv``, ``zipinfo`` and ``unzip -l``: size and name of a member.
_TAR = rx(r"[-dlbcps][rwxsStT-]{9}[+.@]? +\S+/\S+ +(?P<size>\d+(?:,\d+)?) +\S+ +\S+ (?P<name>.+)")
_ZIPINFO = rx(r"[-dl?][rwxsStT-]{3,9} +\S+ +\S+ +(?P<size>\d+) +\S+ +(?:\S+ +)?\S+ +\S+ +\S+ (?P<name>.+)")
_UNZIP = rx(r" *(?P<size>\d+) +\S+ +\S+ +(?P<name>.+)")
_STEP = rx(r" *(?:adding|updating|inflating|extracting|creating|deflating|a|x)[: ] +(?P<name>\S.*)")
_BARE = rx(r"[^\s:*?\"<>|]+(?: [^\s:*?\"<>|]+)*$")
_FINE = rx(r"(?P<name>.+): OK$")


class ArchiveProcessor(Family):
    """Members by name with their size as long as there is room, then by folder; totals, errors and failed checks whole."""

    name = "archives"
    priority = 41
    commands = (
        *("tar", "bsdtar", "unzip", "zip", "zipinfo", "jar", "7z", "7za", "unrar", "cpio", "ar", "gzip", "xz", "zstd"),
        *("sha256sum", "sha1sum", "sha512sum", "md5sum", "shasum", "b2sum", "cksum"),
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        pieces: list[Piece] = []
        lines = capture.lines
        other = index = 0
        while index < len(lines):
            shape = _shape(lines[index])
            end = index + 1
            while shape is not None and end < len(lines) and shape.match(lines[end]):
                end += 1
            block = lines[index:end]
            is_list = shape is not None and len(block) >= LEAST
            pieces += _members(block, shape) if shape is not None and is_list else block
            other += 0 if is_list else sum(map(len, block))
            index = end
        return pieces if other <= allowance(len(capture.text)) else reduce(lines)


def _room(lines: Sequence[str]) -> int:
    chars = sum(map(len, lines))
    return max(allowance(chars), chars * 9 // 25 if chars <= LARGE else 0)


def _shape(line: str) -> Rx | None:
    return next((shape for shape in (_TAR, _ZIPINFO, _FINE, _STEP, _UNZIP, _BARE) if shape.match(line)), None)


def _members(lines: Sequence[str], shape: Rx) -> Iterable[Piece]:
    if shape is _BARE:
        return lines if sum(map(len, lines)) <= WHOLE else paths.listing(lines)
    if shape is _FINE:
        return [Fold(lines, "name with OK", known=True, names=_first([_named(line, shape) for line in lines]))]
    if shape is _STEP:
        return inventory([_item(line, shape) for line in lines], _room(lines), "member")
    entries = [_entry(line, shape) for line in lines]
    if sum(len(slim) + 1 for _, slim in entries) <= _room(lines):
        middle = entries[ENDS:-ENDS]
        note = marker([(len(middle), "line of which size and name are shown", "")])
        told = "\n".join([note, *(slim for _, slim in middle)])
        return [*map(_squeezed, lines[:ENDS]), Recast(told, lines[ENDS:-ENDS]), *map(_squeezed, lines[-ENDS:])]
    return inventory([_item(line, shape) for line in lines], _room(lines), "member")


def _entry(line: str, shape: Rx) -> tuple[str, str]:
    found = shape.match(line)
    return line, f"{found.group('size')} {found.group('name')}" if found is not None else line


def _squeezed(line: str) -> Piece:
    text = squeeze(line)
    return Recast(text, [line]) if text != line else line


def _item(line: str, shape: Rx) -> Item:
    name = _named(line, shape)
    folder, _, base = name.rstrip("/").rpartition("/")
    return Item(line, squeeze(line), [("", name), (folder, base)])


def _named(line: str, shape: Rx) -> str:
    found = shape.match(line)
    return line if found is None else found.group("name").rstrip()


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
