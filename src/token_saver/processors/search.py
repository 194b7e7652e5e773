"""Searches in files: grep and its family, ripgrep, ag, ack."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, runs, rx
from token_saver.text.matches import File, read, shorten
from token_saver.text.paths import WHOLE, listing, room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.shell.command_line import CommandLine
    from token_saver.text import Piece

_MESSAGE = rx(r"(?:/\S*/)?(?:[efz]?grep|rg|ag|ack): (?:.*: )?(\S[^:]*)$|Binary file .* matches$")
_SPEAKERS = ("grep: ", "egrep: ", "fgrep: ", "zgrep: ", "rg: ", "ag: ", "ack: ", "Binary file ", "/")
_COUNT = rx(r"(?:.*:)?(\d+)$")
_COUNTED = rx(r"(?:.*:)?0$")
_MESSAGES_SHOWN = 5
_UNREAD = frozenset(
    (
        "--json",
        "-Z",
        "--null",
        "-0",
        "--print0",
        "--null-data",
        "-z",
        "--version",
        "-V",
        "--help",
        "--type-list",
        "--pcre2-version",
    )
)
_NAMES = frozenset(("-l", "-L", "--files", "--files-with-matches", "--files-without-match", "--files-without-matches"))
_COUNTS = frozenset(("-c", "--count", "--count-matches"))
_OTHERWISE_IN_RG = {"-L", "-Z", "-z"}  # follow links; search in compressed files
_WITH_VALUE = {"rg": "ABCEMTdefgjmrt", "ag": "ABCGmpW", "ack": "ABCm"}
"""Letters behind which the rest of the word is a value, as in ``-A20`` and ``-efoo``; grep has its own."""
_WITH_VALUE_IN_GREP = "ABCDdefm"


class SearchProcessor(Family):
    """Every file that has a match, with path and line number; many matches of a file are counted, definitions stay first."""

    name = "search"
    priority = 23
    commands = ("grep", "egrep", "fgrep", "zgrep", "rg", "ripgrep", "ag", "ack", "ack-grep")

    def read(self, capture: Capture) -> Iterator[Piece]:
        command = capture.command
        flags = set(_flags(command.args, _WITH_VALUE.get(command.program, _WITH_VALUE_IN_GREP)))
        if command.program == "rg":
            flags -= _OTHERWISE_IN_RG
        if flags & _UNREAD:
            yield from capture.lines
            return
        lines, messages = _apart(capture.lines)
        if flags & _NAMES:
            yield from listing(lines)
        elif flags & _COUNTS:
            yield from _counts(lines)
        else:
            yield from _matches(lines, command)
        yield from _told(messages)


def _flags(args: Iterable[str], with_value: str) -> Iterator[str]:
    """Yield the options, bundled letters apart."""
    for arg in args:
        if arg == "--":
            return
        if arg.startswith("--"):
            yield arg.partition("=")[0]
        elif arg.startswith("-"):
            for letter in arg[1:]:
                yield f"-{letter}"
                if letter in with_value:
                    break


def _apart(lines: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Split the results from the tool's own messages, which come with their reason."""
    results: list[str] = []
    messages: list[tuple[str, str]] = []
    for line in lines:
        found = _MESSAGE.match(line) if line.startswith(_SPEAKERS) else None
        if found is None:
            results.append(line)
        else:
            messages.append((line, found.group(1) or "binary file matches"))
    return results, messages


def _told(messages: Sequence[tuple[str, str]]) -> Iterator[Piece]:
    """Keep messages while they are few; of many the first of each reason, the others counted."""
    few = sum(len(line) + 1 for line, _ in messages) <= 2000
    seen: dict[str, int] = {}
    for line, reason in messages:
        seen[reason] = seen.get(reason, 0) + 1
        yield line if few or seen[reason] <= _MESSAGES_SHOWN else Fold([line], f"line of {reason}", told=True)


def _counts(lines: Sequence[str]) -> Iterator[Piece]:
    """Counts a file: those of 0 are counted, and of very many the greatest stay."""
    found = [line for line in lines if not _COUNTED.match(line)]
    if sum(map(len, found)) + len(found) <= WHOLE:
        yield from runs(lines, "file of count 0", key=lambda line: _COUNTED.match(line) is not None or line)
        return
    values = [int(match.group(1)[-9:]) if (match := _COUNT.match(line)) else 1 << 30 for line in lines]
    left = room(sum(map(len, lines)))
    kept: set[int] = set()
    for index in sorted(range(len(lines)), key=values.__getitem__, reverse=True):
        left -= len(lines[index]) + 1
        if left < 0:
            break
        kept.add(index)
    yield from (lines[index] for index in sorted(kept))
    yield Fold([line for index, line in enumerate(lines) if index not in kept], "smaller count", known=True)


def _matches(lines: Sequence[str], command: CommandLine) -> Iterator[Piece]:
    items = read(lines)
    if not any(isinstance(item, File) for item in items):
        yield from reduce(lines) if sum(map(len, lines)) > WHOLE else lines
        return
    pattern = command.option("-e", "--regexp") or next(iter(command.operands), "")
    yield from shorten(items, pattern if pattern.replace("_", "a").replace(" ", "a").isalnum() else "")
