"""pacman (with yay and paru) and apk."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager, gathered
from token_saver.processors.generic import LONG_LINE
from token_saver.text import Fold, Recast, Rules, cut, rx
from token_saver.text.columns import squeeze
from token_saver.text.listings import room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_FETCH, _STEP = "line of download progress", "step of the transaction"
_FIELD = rx(r"([A-Z][A-Za-z -]{2,20}?) *: ?(.*)$")
_WRAPPED = rx(r" {10,}\S")
LONG_FIELD = 240
_MINOR = rx(r"(?:Required By|Optional For|Backup Files|Optional Deps|Provides|Packager|Validated By|Extended Data|Groups) *:")


class PacmanProcessor(PackageManager):
    """What was installed and removed, conflicts whole, records without padding; checks, downloads and hooks are counted."""

    name = "pacman"
    commands = ("pacman", "yay", "paru", "apk")
    noise = Rules(
        {
            r"(?:resolving dependencies|looking for conflicting packages)\.\.\.": _STEP,
            r"(?:checking [a-z ]+|loading package files)\.\.\.$": _STEP,
            r"\(\d+/\d+\) (?:checking|loading|Arming|Reloading|Updating|Refreshing|Creating|Applying|Cleaning|Running) ": _STEP,
            r"\s*\S+ (?:downloading\.\.\.|is up to date$)| ?\S+ +[\d.]+ [KMG]?i?B +[\d.]+ [KMG]?i?B/s ": _FETCH,
            r":: (?:Synchronizing package databases|Retrieving packages|Running (?:pre|post)-transaction hooks)\.\.\.": _STEP,
            r":: Processing package changes\.\.\.|:: Proceed with installation\?": _STEP,
            r"fetch https?://|Executing \S+\.(?:trigger|post-install|pre-install)": _FETCH,
        }
    )

    def shorten(self, line: str) -> str:
        field = _FIELD.match(line)
        return f"{field[1]}: {squeeze(field[2])}" if field else line

    def report(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if sum(_FIELD.match(line) is not None or _WRAPPED.match(line) is not None for line in lines) > len(lines) * 3 // 4:
            return records(lines)
        return self.sifted(lines)


def records(lines: Sequence[str]) -> list[Piece]:
    """Tell ``Key : value`` records, a value that goes over several lines on one.

    When room is short, fields without a value are counted; when it is still short, long minor fields are cut.
    """
    fields = _fields(lines)
    told: list[Piece] = []
    full = sum(len(text) + 1 for text, _ in fields)
    space = room(full)
    filled = sum(len(text) + 1 for text, _ in fields if not text.endswith(": None"))
    long = [text for text, _ in fields if len(text) > LONG_FIELD and _MINOR.match(text)]
    limit = max(LONG_FIELD, (space - filled + sum(map(len, long))) // max(1, len(long)))
    for text, own in fields:
        if full > space and text.endswith(": None"):
            told.append(Fold(own, "field without a value", known=True))
        elif filled > space and len(text) > limit and _MINOR.match(text):
            told.append(Recast(cut(text, limit * 2 // 3, limit // 3), own))
        elif own != [text] and len(text) <= LONG_LINE:
            told.append(Recast(text, own))
        else:
            told += own
    return gathered(told)


def _fields(lines: Sequence[str]) -> list[tuple[str, list[str]]]:
    fields: list[tuple[str, list[str]]] = []
    for line in lines:
        if fields and _WRAPPED.match(line) and fields[-1][1]:
            text, own = fields[-1]
            fields[-1] = (f"{text}  {line.strip()}", [*own, line])
            continue
        found = _FIELD.match(line)
        fields.append((f"{found[1]}: {squeeze(found[2])}" if found else line, [line]))
    return fields
