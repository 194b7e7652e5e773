"""The Test Anything Protocol, with the YAML blocks that node and tap put below a result (https://testanything.org)."""

from __future__ import annotations

from token_saver.text.failures import failure
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_RESULT = rx(r"(?P<indent> *)(?P<not>not )?ok\b(?: (?P<number>\d+))?(?: -)?(?P<name>.*)$")
_SUBTEST = rx(r" *# Subtest: ")
_DIRECTIVE = rx(r".* # (?:SKIP|TODO|skip|todo)\b")
# What a YAML block says of time and kind, or says again: the error tells expected and actual.
_DETAIL = rx(r" *(?:duration_ms|type|operator|name|failureType|exitCode|signal|expected|actual|stack|code|location|error): ?")
_DROPPED = ("duration_ms:", "type:", "operator:", "name:", "expected:", "actual:", "signal:", "---", "...")
_FRAME = rx(r" (?:at )?(?:async )?[\w.<>#$ \[\]]*\(?(?:file://|node:|/|index \d)|\s+at ")
_LIBRARY = rx(r".*(?:node:|node_modules/|\(index \d+\)|index \d+\))")


def is_tap(lines: Sequence[str]) -> bool:
    """Tell whether the output is TAP: a version, a plan, or a result among the first lines with text."""
    first = [line for line in lines if line.strip()][:4]
    return any(line.startswith(("TAP version", "1..")) or _RESULT.match(line) for line in first)


def tap(lines: Sequence[str]) -> list[Item]:
    """Keep results that are not ok with their message and place, skipped ones with the reason; count the others."""
    items: list[Item] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        found = _RESULT.match(line)
        end = index + 1
        if found is not None:
            end = _block_end(lines, end, len(found.group("indent")))
            items.extend(_result(list(lines[index:end]), bool(found.group("not"))))
        elif _SUBTEST.match(line):
            items.append(Fold([line], "heading", known=True))
        elif line.startswith("TAP version"):
            items.append(Fold([line], "line of banner", known=True))
        else:
            items.append(line)
        index = end
    return items


def _block_end(lines: Sequence[str], index: int, indent: int) -> int:
    """A YAML block or a message below a result is indented more than the result."""
    while index < len(lines) and lines[index].startswith(" " * (indent + 2)) and not _RESULT.match(lines[index]):
        index += 1
    return index


def _result(block: list[str], failed: bool) -> list[Item]:
    if failed:
        return [failure(block, pick=_said)]
    if _DIRECTIVE.match(block[0]):
        return [block[0], *_timing(block[1:])]
    return [Fold([block[0]], "passing test", known=True), *_timing(block[1:])]


def _timing(block: list[str]) -> list[Item]:
    return [Fold(block, "line of timing", known=True, told=True)] if block else []


def _said(block: Sequence[str]) -> list[int]:
    """Everything but times and kinds, what the error says already, and frames of libraries."""
    picked = [0]
    skipping = -1
    for index, line in enumerate(block[1:], 1):
        indent = len(line) - len(line.lstrip())
        if -1 < skipping < indent:
            continue
        skipping = -1
        if line.strip().startswith(_DROPPED) and (_DETAIL.match(line) or line.strip() in ("---", "...")):
            skipping = indent
        elif line.strip() and not (_FRAME.match(line) and _LIBRARY.match(line)):
            picked.append(index)
    return picked[:1] if len(picked) > 1 and _only_subtests(block) else picked


def _only_subtests(block: Sequence[str]) -> bool:
    """A suite fails because tests in it did, which were reported above."""
    return any("subtestsFailed" in line for line in block)
