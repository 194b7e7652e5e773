"""Output that has shapes: prose, commits, diffs, rows of changes, from any subcommand or from several."""

from __future__ import annotations

from token_saver.processors.git._budget import budget, length
from token_saver.processors.git._commits import split_commits
from token_saver.processors.git._names import told_names
from token_saver.processors.git._newest import is_limited, most_characters, told_newest
from token_saver.processors.git._prose import told_prose
from token_saver.text import allowance
from token_saver.text.diffs import FileDiff, split, squeeze_files
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

_WORDS_CHANGED = rx(r".*(?:\[-|\{\+)")
_STRUCTURE = ("diff ", "@@", "--- ", "+++ ", "index ", "new file", "deleted file", "rename ", "similarity ", "commit ")


def told_text(commands: Sequence[CommandLine], lines: Sequence[str]) -> list[Piece]:
    """Return the pieces of *lines*, which *commands* printed one after the other."""
    last = commands[-1]
    if last.has("--word-diff", "--color-words"):
        return list(_word_diff(lines)) if any(map(_WORDS_CHANGED.match, lines)) else list(lines)
    room = budget(length(lines))
    before, commits = split_commits(lines)
    if commits and all(commit.has_author for commit in commits):
        from token_saver.processors.git._history import told_history

        return [*told_parts(before, room), *told_history(commits, room, last)]
    if lines and lines[0][:1] == "*" and " commit " in lines[0] and not any(map(_is_structure, lines)):
        from token_saver.processors.git._graph import told_graph

        return list(told_graph(lines, room, most_characters(room, limited=is_limited(last))))
    if len(commands) == 1 and _is_history(last) and not any(map(_is_structure, lines)):
        return told_newest(lines, room, limited=is_limited(last))
    if len(commands) == 1 and last.has("--name-only"):
        return list(told_names(lines, allowance(length(lines)), patterns=True))
    return told_parts(lines, room)


def told_parts(lines: Sequence[str], room: int) -> list[Piece]:
    """Return the pieces of prose and diffs in about *room* characters."""
    parts = list(split(lines))
    files = [part for part in parts if isinstance(part, FileDiff)]
    if not files:
        return told_prose(lines)
    prose = sum(length(part) for part in parts if isinstance(part, list))
    told = squeeze_files(files, max(room - prose, room // 2))
    pieces: list[Piece] = []
    for part in parts:
        pieces.extend(told_prose(part) if isinstance(part, list) else next(told))
    return pieces


def _is_history(command: CommandLine) -> bool:
    return command.subcommand in ("log", "whatchanged") or command.operands[:2] == ("stash", "list")


def _is_structure(line: str) -> bool:
    return "diff --" in line[:40] or (line[:1] == " " and " | " in line)


def _word_diff(lines: Sequence[str]) -> Iterator[Piece]:
    """Keep lines with changed words; in this format context has no mark, so only lines inside a hunk are taken for it."""
    context: list[str] = []
    inside = False
    for line in lines:
        if line.startswith(_STRUCTURE):
            inside = line.startswith("@@")
        elif inside and not _WORDS_CHANGED.match(line):
            context.append(line)
            continue
        if context:
            yield Fold(context, "line of context", told=True)
            context = []
        yield line
    if context:
        yield Fold(context, "line of context", told=True)
