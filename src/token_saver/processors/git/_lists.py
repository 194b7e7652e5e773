"""Lists of one thing a line: files, matches, references, settings, commits on one line."""

from __future__ import annotations

from token_saver.processors.git._budget import budget, length
from token_saver.processors.git._commits import HASH
from token_saver.processors.git._names import told_names
from token_saver.processors.git._newest import is_limited, told_newest
from token_saver.text import allowance, select
from token_saver.text.matches import read, shorten
from token_saver.text.pieces import Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

MOST = 40_000
SHORT = 6000
READ_WHOLE = 80_000

_GAP = rx(r"(?<=\S) {2,}")
_MATCH = rx(r"((?:[^:\n]+:)?[^:\n]+[:-]\d+[:-])\s+(\S.*)$")
_NAMES_OF_MATCHES = ("-l", "-L", "-c", "--name-only", "--files-with-matches", "--files-without-match", "--count")
_OBJECT = rx(r"(\d{6} [a-z]+) ([0-9a-f]{40,64})(?: +\S+)?\t(.*)$")
_REMOTE = rx(r"(\S+\t.*) \((?:fetch|push)\)$")


def told_list(command: CommandLine, lines: Sequence[str]) -> Iterable[Piece]:
    """Return the pieces of what *command*, a list by its subcommand, printed."""
    tell = _TOLD.get(command.subcommand)
    if command.has("--format", "--json") and command.subcommand not in ("config", "show"):
        return lines
    return tell(command, lines) if tell is not None else _other(lines)


def _files(command: CommandLine, lines: Sequence[str]) -> Iterable[Piece]:
    return told_names(lines, allowance(length(lines)), patterns=True)


def _columns(command: CommandLine, lines: Sequence[str]) -> Iterator[Piece]:
    """Padding between columns is cut to one blank; the mark in front of a line stays, and the marked lines of a flood."""
    for piece in select(lines, MOST, "line", value=[line[:1] in ("*", "+") for line in lines]):
        yield Recast(piece[:2] + _GAP.sub(" ", piece[2:]), [piece]) if isinstance(piece, str) else piece


def _matches(command: CommandLine, lines: Sequence[str]) -> Iterator[Piece]:
    """Matches as those of any search, without their indentation; names and counts of files as names."""
    if command.has(*_NAMES_OF_MATCHES):
        yield from told_names(lines, SHORT, patterns=False)
        return
    for piece in shorten(read(lines)):
        found = _MATCH.match(piece) if isinstance(piece, str) else None
        yield piece if found is None else Recast(found.group(1) + found.group(2), [found.string])


def _objects(command: CommandLine, lines: Sequence[str]) -> Iterator[Piece]:
    """A long list of objects keeps eight letters of each hash."""
    short = length(lines) <= SHORT
    for piece in lines if short else told_names(lines, MOST, patterns=True):
        found = _OBJECT.match(piece) if not short and isinstance(piece, str) else None
        yield piece if found is None else Recast(f"{found.group(1)} {found.group(2)[:HASH]} {found.group(3)}", [found.string])


def _shortlog(command: CommandLine, lines: Sequence[str]) -> Iterator[Piece]:
    for line in lines:
        yield Recast(line.lstrip(), [line]) if "\t" in line else line


def _remotes(command: CommandLine, lines: Sequence[str]) -> Iterator[Piece]:
    """A remote with one address for both directions is told once."""
    at = 0
    while at < len(lines):
        found = _REMOTE.match(lines[at])
        following = _REMOTE.match(lines[at + 1]) if at + 1 < len(lines) else None
        if found is not None and following is not None and found.group(1) == following.group(1):
            yield Recast(f"{found.group(1)} (fetch) (push)", lines[at : at + 2])
            at += 2
        else:
            yield lines[at]
            at += 1


def _blame(command: CommandLine, lines: Sequence[str]) -> Iterable[Piece]:
    from token_saver.processors.git._blame import told_blame

    return told_blame(lines)


def _newest(command: CommandLine, lines: Sequence[str]) -> Iterable[Piece]:
    return told_newest(lines, budget(length(lines)), limited=is_limited(command))


def _other(lines: Sequence[str]) -> Iterable[Piece]:
    """Nothing is known of the lines: what an unknown command printed."""
    from token_saver.processors.generic import reduce

    return lines if length(lines) <= SHORT else reduce(lines)


def _content(command: CommandLine, lines: Sequence[str]) -> Iterable[Piece]:
    """The content of a file was asked for, so it stays as it is."""
    return lines if length(lines) <= READ_WHOLE else _other(lines)


_TOLD: dict[str, Callable[[CommandLine, Sequence[str]], Iterable[Piece]]] = {
    "annotate": _blame,
    "blame": _blame,
    "branch": _columns,
    "cat-file": _content,
    "for-each-ref": _columns,
    "grep": _matches,
    "ls-files": _files,
    "ls-tree": _objects,
    "reflog": _newest,
    "remote": _remotes,
    "rev-list": _newest,
    "shortlog": _shortlog,
    "show": _content,
    "tag": _columns,
    "worktree": _columns,
}
