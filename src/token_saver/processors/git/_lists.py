"""Lists of one thing a line: files, matches, references, settings, commits on one line."""

from __future__ import annotations

from token_saver.processors.git._budget import budget, length
from token_saver.processors.git._names import told_names
from token_saver.processors.git._newest import is_limited, told_newest
from token_saver.text import allowance, select
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

MOST = 40_000
SHORT = 6000

_GAP = rx(r"(?<=\S) {2,}")
_MATCH = rx(r"((?:[^:\n]+:)?[^:\n]+[:-]\d+[:-])\s+(\S.*)$")
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
    """Every match stays openable; indentation goes, and in a flood only the first of each file stay."""
    names = [line.partition(":")[0] for line in lines]
    most = len(lines)
    if length(lines) > MOST:
        most = max(1, MOST * len(lines) // length(lines) // len(set(names)))
    counts: dict[str, int] = {}
    for line, name in zip(lines, names, strict=True):
        counts[name] = counts.get(name, 0) + 1
        if counts[name] > most:
            yield Fold([line], "match", known=True)
            continue
        found = _MATCH.match(line)
        yield line if found is None else Recast(found.group(1) + found.group(2), [line])


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
    """Nothing is known of the lines: short output stays, long output is read as any unknown command's."""
    from token_saver.processors.generic import reduce

    return lines if length(lines) <= SHORT else reduce(lines)


_TOLD: dict[str, Callable[[CommandLine, Sequence[str]], Iterable[Piece]]] = {
    "annotate": _blame,
    "blame": _blame,
    "branch": _columns,
    "for-each-ref": _columns,
    "grep": _matches,
    "ls-files": _files,
    "reflog": _newest,
    "remote": _remotes,
    "rev-list": _newest,
    "shortlog": _shortlog,
    "tag": _columns,
    "worktree": _columns,
}
