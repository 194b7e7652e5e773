"""Ansible playbooks and ad-hoc commands."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text import Rules, rx
from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_BANNER = rx(r"< .* >$")
_COW = rx(r" _{3,}$| -{3,}$|\s+\\ {2,}\^__\^|\s+\\ {1,}\(oo\)|\s+\(__\)\\|\s+\|\|")
_STARS = rx(r"((?:PLAY|TASK|RUNNING HANDLER|PLAY RECAP|HANDLER)\b.*?) \*{3,}$")
_GOOD = rx(r"(?:ok|skipping|included): ")
_RESULT = rx(r"(?:ok|changed|skipping|included|failed|fatal|unreachable|rescued): ")


class AnsibleProcessor(Family):
    """Plays, tasks, changes, failures with what they printed, and the recap; unchanged results are counted."""

    name = "ansible"
    priority = 40
    commands = ("ansible", "ansible-playbook", "ansible-galaxy", "ansible-pull")

    quiet = Rules(
        {
            r"<\S+> (?:ESTABLISH|EXEC|PUT|SSH:|FETCH|\(\d)|Using module (?:file|_utils)|Skipping callback|"
            r"\S+ declined parsing|Parsed \S+ inventory|Including module_utils": "line of debugging",
            r"  (?:config file|configured module|ansible python|ansible collection|executable location|python version|"
            r"jinja version|pyyaml version)\b": "line of versions",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        index = 0
        while index < len(lines):
            end = _end_of_result(lines, index)
            yield from self._block(lines[index:end])
            index = end

    def _block(self, block: Sequence[str]) -> Iterator[Piece]:
        head = block[0]
        if _GOOD.match(head):
            yield Fold(block, "line of unchanged results", known=True)
            return
        if not _RESULT.match(head):
            yield _told(head, self.quiet)
            return
        if len(block) > 1 and head.startswith("changed"):
            yield head
            yield Fold(block[1:], "line of result", known=True)
            return
        yield from block


def _end_of_result(lines: Sequence[str], index: int) -> int:
    """Return where the result that starts at *index* ends: a document in braces belongs to its line."""
    if not _RESULT.match(lines[index]) or not lines[index].endswith("{"):
        return index + 1
    for end in range(index + 1, len(lines)):
        if lines[end] == "}":
            return end + 1
        if lines[end][:1] not in (" ", ""):
            break
    return index + 1


def _told(line: str, quiet: Rules) -> Piece:
    if _COW.match(line):
        return Fold([line], "line of banner", known=True)
    stars = _STARS.match(line)
    if stars is not None:
        return Recast(stars.group(1), [line])
    if _BANNER.match(line):
        return line
    noun = quiet.noun(line)
    return Fold([line], noun, known=True) if noun else line
