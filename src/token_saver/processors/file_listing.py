"""Listings of files: ls, find, tree, fd and their relatives."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors import _rows
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, rx
from token_saver.text.paths import WHOLE, Folder, listing, room, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.processors._rows import Entry
    from token_saver.text import Piece

_ERROR = rx(r"(?:\S*/)?(?:ls|dir|vdir|find|tree|fd|fdfind|exa|eza|lsd|du)(?:: |\[).*: (\S[^:]*)$|\[fd error\]: .*: (\S[^:]*)$")
_BRANCH = rx(r"([│|\s\xa0]*)(?:[├└]──|[|`]--)[ \xa0](.*)$")
_ERRORS_SHOWN = 3
_MODERATE = 14_000
_LONG = 150_000
_UNREAD = {
    "find": ("-exec", "-execdir", "-ok", "-okdir", "-printf", "-fprintf", "-print0", "-delete", "-quit"),
    "tree": ("-J", "-X", "-H", "--version", "--help"),
    "fd": ("-x", "--exec", "-X", "--exec-batch", "-0", "--print0", "--format"),
    "ls": ("--zero", "--hyperlink", "-m", "--dired"),
}
_ALWAYS_UNREAD = frozenset(("--help", "--version", "--json"))
_TREES = ("exa", "eza", "lsd")
_LONG_ROWS = frozenset(("-ls", "-l", "--list-details"))


class FileListingProcessor(Family):
    """Every name while the listing is moderate, without padding and repeated columns; long ones by folder and extension."""

    name = "file_listing"
    priority = 22
    commands = ("ls", "dir", "vdir", "find", "tree", "fd", "fdfind", "exa", "eza", "lsd")

    def read(self, capture: Capture) -> Iterator[Piece]:
        command = capture.command
        program = {"fdfind": "fd", "dir": "ls", "vdir": "ls", "exa": "ls", "eza": "ls", "lsd": "ls"}.get(
            command.program, command.program
        )
        if not _ALWAYS_UNREAD.isdisjoint(command.args) or not set(_UNREAD.get(program, ())).isdisjoint(command.args):
            yield from capture.lines if _is_document(capture.lines) or len(capture.text) <= WHOLE else reduce(capture.lines)
            return
        lines, errors = _apart(capture.lines)
        if program == "tree" or (command.program in _TREES and command.has("--tree", "-T")):
            yield from _tree(lines) if any(map(_BRANCH.match, lines)) or command.has("-i") else lines
        elif program == "ls" or not _LONG_ROWS.isdisjoint(command.args):
            yield from _directories(lines)
        else:
            yield from listing(lines)
        yield from _errors(errors)


def _is_document(lines: Sequence[str]) -> bool:
    return bool(lines) and lines[0][:1] in "[{<"


def _apart(lines: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Split the names from the complaints, which come with their reason."""
    names: list[str] = []
    errors: list[tuple[str, str]] = []
    for line in lines:
        found = _ERROR.match(line) if ": " in line else None
        if found is None:
            names.append(line)
        else:
            errors.append((line, found.group(1) or found.group(2)))
    return names, errors


def _errors(errors: Sequence[tuple[str, str]]) -> Iterator[Piece]:
    """Keep the first complaints of each reason and count the others."""
    seen: dict[str, int] = {}
    for line, reason in errors:
        seen[reason] = seen.get(reason, 0) + 1
        yield line if seen[reason] <= _ERRORS_SHOWN else Fold([line], f"line of {reason}", told=True)


class _Directory:
    """One directory of ``ls``: what stands above its rows, and its rows; a line that is no row is a ``str`` among them."""

    __slots__ = ("head", "rows", "title")

    def __init__(self, title: str, head: list[str]) -> None:
        self.title = title
        self.head = head
        self.rows: list[Entry | str] = []


def _directories(lines: Sequence[str]) -> Iterator[Piece]:
    """``ls`` in any of its forms, and the rows of ``find -ls``, whose names are paths."""
    directories = _read(lines)
    chars = sum(map(len, lines)) + len(lines)
    if chars <= _LONG:
        pieces = [piece for directory in directories for piece in _whole(directory)]
        if _size(pieces) <= room(chars):
            yield from pieces
            return
    rows = [row for directory in directories for row in directory.rows if not isinstance(row, str)]
    for least in (0.0, _rows.large(rows), None) if chars <= _LONG else (None,):
        folders = [folder for directory in directories for folder in _named(directory, least)]
        if least is None or sum(folder.sizes()[-1] for folder in folders) <= _names_room(chars):
            written = shorten(folders, _names_room(chars), "entry")
            yield from _below(_rows.columns_gone(least), written) if rows else written
            return


def _named(directory: _Directory, least: float | None) -> list[Folder]:
    folders = _rows.folders(directory.rows, least)
    folders[0].head = list(directory.head)
    for folder in folders:
        folder.title = directory.title
    return folders


def _read(lines: Sequence[str]) -> list[_Directory]:
    reader = _rows.Reader()
    directories = [last := _Directory("", [])]
    for index, line in enumerate(lines):
        row = reader.entry(line)
        if row is not None:
            last.rows.append(row)
        elif line[-1:] == ":" and _is_heading(lines, index):
            above = [""] if last.rows and last.rows[-1] == "" else []
            del last.rows[len(last.rows) - len(above) :]
            directories.append(last := _Directory(line[:-1], [*above, line]))
        elif not last.rows and line.count(" ") == 1 and _is_total(lines, index, reader):
            last.head.append(line)
        else:
            last.rows.append(line)
    return [directory for directory in directories if directory.head or directory.rows]


def _is_heading(lines: Sequence[str], index: int) -> bool:
    """A directory's own line ends with a colon, at the top or below a blank line."""
    return lines[index][-1:] == ":" and (not index or not lines[index - 1].strip()) and lines[index][:1] != " "


def _is_total(lines: Sequence[str], index: int, reader: _rows.Reader) -> bool:
    """``total 12`` in any language: one word, a number, and a row below."""
    words = lines[index].split()
    return len(words) == 2 and words[1][:1].isdigit() and index + 1 < len(lines) and reader.entry(lines[index + 1]) is not None


def _whole(directory: _Directory) -> Iterator[Piece]:
    yield from directory.head
    yield from _rows.squeezed(directory.rows)


def _below(mark: str, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Write *mark* above the first rows, as many of them as make the whole shorter than it was."""
    text = mark
    lines: list[str] = []
    folds: list[Piece] = []
    for piece in pieces:
        if not text:
            yield piece
        elif isinstance(piece, Fold):
            folds.append(piece)
        else:
            text += "\n" + (piece if isinstance(piece, str) else piece.text)
            lines += [piece] if isinstance(piece, str) else piece.lines
            if len(text) < sum(map(len, lines)) + len(lines) - 1:
                yield Recast(text, lines)
                yield from folds
                text = ""
    if text:
        yield from lines
        yield from folds


def _tree(lines: Sequence[str]) -> Iterator[Piece]:
    """``tree``: one blank a level instead of drawn branches, the leaves of a folder on one line, too deep levels counted."""
    read = [_branch(line) for line in lines]
    space = _names_room(sum(map(len, lines)) + len(lines))
    deepest = _depth(read, space)
    near = [index for index, (depth, _) in enumerate(read) if depth <= deepest]
    below = [lines[index] for index, (depth, _) in enumerate(read) if depth > deepest]
    yield from shorten(list(_branches([lines[index] for index in near], [read[index] for index in near])), space, "entry")
    yield Fold(below, "entry below", known=True)


def _depth(read: Sequence[tuple[int, str]], space: int) -> int:
    """Return how many levels fit in *space* with all their names; the first one always counts."""
    sizes: dict[int, int] = {}
    for depth, name in read:
        sizes[depth] = sizes.get(depth, 0) + len(name) + 2
    deepest = 1
    space -= sizes.get(0, 0) + sizes.get(1, 0)
    for depth in sorted(sizes)[2:]:
        space -= sizes[depth]
        if space < 0:
            break
        deepest = depth
    return deepest


def _branches(lines: Sequence[str], read: Sequence[tuple[int, str]]) -> Iterator[Folder]:
    """Cut a tree into runs of leaves; a folder's own line stands in the head of the run that follows it."""
    depths = [depth for depth, _ in read[1:]]
    depths.append(0)
    leaves = Folder()
    for line, (depth, name), following in zip(lines, read, depths, strict=True):
        if depth and following <= depth:
            if leaves.names and len(leaves.prefix) != depth:
                yield leaves
                leaves = Folder()
            if not leaves.names:
                leaves.prefix = " " * depth
            leaves.add(name, line)
        else:
            if leaves.names:
                yield leaves
                leaves = Folder()
            leaves.head.append(Recast(" " * depth + name, [line]) if depth else line)
    yield leaves


def _branch(line: str) -> tuple[int, str]:
    """Return the depth and the name of an entry; depth 0 for any other line."""
    found = _BRANCH.match(line)
    return (0, line) if found is None else (len(found.group(1)) // 4 + 1, found.group(2))


def _names_room(chars: int) -> int:
    """Return the room for a listing whose names stand alone: a third of a moderate one, so that no name is lost."""
    return max(room(chars), min(chars * 37 // 100, _MODERATE))


def _size(pieces: Sequence[Piece]) -> int:
    return sum(len(piece if isinstance(piece, str) else piece.text) + 1 for piece in pieces if not isinstance(piece, Fold))
