"""Reports of linters and test runners in JSON: findings and failures stay, with place, rule and message.

Nothing is lost silently: what is left out is told in the document itself, as an element or a key that is a marker.
Times, links, edits of fixes and repeated source go; of a test that passed only its number stays; of a stack the user's
own frames stay. A document that is still too large for its allowance goes through ``token_saver.text.documents``.
"""

from __future__ import annotations

from token_saver.text.documents import document
from token_saver.text.failures import is_library
from token_saver.text.folders import allowance
from token_saver.text.markers import marker
from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from token_saver.text.pieces import Piece

FRAMES = 4
LONG = 1500
SMALL = 500
FEW = 4
LEAST = 1200

# What no reader acts on: times, identifiers of the run, links to pages about a rule, edits, the far end of a range, source.
_NOISE = frozenset(
    (
        *("duration", "startTime", "endTime", "start_time", "end_time", "run_time", "timeInSec", "duration_ms", "perfStats"),
        *("speed", "currentRetry", "meta", "openHandles", "invocations", "retryReasons", "numPassingAsserts", "retry"),
        *("url", "helpUrl", "help_uri", "documentation_url", "link", "more_info"),
        *("fix", "fixes", "edits", "suggestions", "advices", "Replacement", "SuggestedFixes", "suggested_replacement"),
        *("suggestion_applicability", "end", "endLine", "endColumn", "end_location", "line_end", "column_end", "byte_start"),
        *("byte_end", "Offset", "end_line", "end_column", "noqa_row", "cell", "nodeType", "messageId", "expansion"),
        *("source", "output", "usedDeprecatedRules", "SourceLines", "children", "$message_type", "is_primary", "text_range"),
        *("ExpectNoLint", "ExpectedNoLintLinter", "Linters", "scannerDuration", "manifest_path", "package_id", "target"),
    )
)
_PASSED = frozenset(("passed", "pass", "ok", "success", "PASSED", "expected"))
_STATUS = ("status", "state", "outcome", "result")
_QUIET_REASONS = ('{"reason":"compiler-artifact"', '{"reason":"build-script-executed"')
_EMPTY = ("messages", "diagnostics", "offenses", "warnings")


def reported(lines: Sequence[str]) -> list[Piece] | None:
    """Return the pieces of *lines* that hold a JSON report, or one a line; None when they hold none."""
    start = next((index for index, line in enumerate(lines) if line.lstrip()[:1] in ("{", "[")), None)
    if start is None:
        return None
    end = len(lines)
    while end > start and lines[end - 1].rstrip()[-1:] not in ("}", "]"):
        end -= 1
    body = lines[start:end]
    if sum(map(len, body)) < SMALL:
        return list(lines)
    value = _parsed("\n".join(body))
    if value is None:
        if len(body) < 2 or any(_parsed(line) is None for line in body if line.startswith('{"')):
            return document(lines)
        return [*lines[:start], *_lines(body), *lines[end:]]
    text = "\n".join(body)
    reduced = _Report().written(value)
    room = max(LEAST, allowance(len(text)))
    if len(reduced) > room:
        return document(lines)
    return [*lines[:start], Recast(reduced, body), *lines[end:]]


def _lines(body: Sequence[str]) -> list[Piece]:
    """One report a line: events about what was built are counted, the others lose what no reader acts on."""
    pieces: list[Piece] = []
    for line in body:
        value = _parsed(line)
        if line.startswith(_QUIET_REASONS):
            pieces.append(Fold([line], "event of the build", known=True))
        elif value is None:
            pieces.append(line)
        else:
            pieces.append(Recast(_Report().written(value), [line]))
    return pieces


def _parsed(text: str) -> Any:
    """Return the object or list that *text* is; None when it is none."""
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


class _Report:
    """A document on its way to fewer words; remembers the objects that it has shown, so that a repeat is told as one."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def written(self, value: Any) -> str:
        """Return the reduced document, an element of a list of objects a line."""
        reduced = self.reduced(value)
        if isinstance(reduced, list):
            return "[\n" + ",\n".join(_dump(item) for item in reduced) + "\n]"
        return "{" + ",\n".join(f"{_dump(key)}:{_spread(item)}" for key, item in reduced.items()) + "}"

    def reduced(self, value: Any) -> Any:
        """Return *value* without what no reader acts on."""
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return self._array(value)
        return _shorter(value) if isinstance(value, str) else value

    def _object(self, value: dict[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        gone: list[str] = []
        for key, item in value.items():
            if key in _NOISE and not (isinstance(item, str) and "\n" not in item and key in ("text", "output")):
                gone.append(key)
            elif isinstance(item, list) and item and _is_stack(item):
                kept[key] = _frames(item)
            else:
                kept[key] = self.reduced(item)
        if gone:
            kept[marker([(len(gone), "key", " ".join(gone))])] = ""
        return kept

    def _array(self, value: list[Any]) -> list[Any]:
        kept: list[Any] = []
        nouns = [self._counted(item) for item in value]
        counts = {noun: nouns.count(noun) for noun in dict.fromkeys(nouns) if noun}
        for item, noun in zip(value, nouns, strict=True):
            if counts.get(noun, 0) < FEW:
                kept.append(self.reduced(item))
        kept.extend(marker([(count, noun, "")]) for noun, count in counts.items() if count >= FEW)
        return _without_repeated_notes(kept)

    def _counted(self, item: Any) -> str:
        """Return what *item* is counted as: a test that passed, a file without a message, an object shown before."""
        if not isinstance(item, dict):
            return ""
        if any(item.get(key) in _PASSED for key in _STATUS if isinstance(item.get(key), str)) and not _holds_reports(item):
            return "passing test"
        if item.get("err") == {} and "title" in item:
            return "passing test"
        if any(item.get(key) == [] for key in _EMPTY):
            return "empty entry"
        shown = _dump(item)
        if len(shown) > LEAST // 6 and shown in self.seen:
            return "repeated entry"
        self.seen.add(shown)
        return ""


def _is_stack(item: list[Any]) -> bool:
    return all(isinstance(frame, str) for frame in item) and any(map(is_library, item))


def _holds_reports(item: dict[str, Any]) -> bool:
    return any(isinstance(value, list) and value and isinstance(value[0], dict) for value in item.values())


def _without_repeated_notes(items: list[Any]) -> list[Any]:
    """The keys left out of every element are told once, before the elements."""
    notes = {key for item in items if isinstance(item, dict) for key in item if key.startswith("[… ")}
    if not notes or len(items) < 2:
        return items
    names = dict.fromkeys(name for note in sorted(notes) for name in note.rstrip("]").partition(": ")[2].split(" "))
    for item in items:
        if isinstance(item, dict):
            for note in notes & item.keys():
                del item[note]
    return [marker([(len(names), "key of each entry", " ".join(names))]), *items]


def _shorter(text: str) -> str:
    """Take library frames out of a stack inside a text; cut what is longer than a reader reads."""
    if "\n" in text and ("    at " in text or 'File "' in text):
        lines = text.split("\n")
        text = "\n".join(_frames(lines))
    return text if len(text) <= LONG else f"{text[: LONG * 2 // 3]} …[+{len(text) - LONG} chars]… {text[-LONG // 3 :]}"


def _frames(lines: list[str]) -> list[str]:
    kept: list[str] = []
    gone = 0
    for line in lines:
        if is_library(line):
            gone += 1
        else:
            kept.append(line)
    return [*kept, marker([(gone, "library frame", "")])] if gone else kept


def _spread(value: Any) -> str:
    if isinstance(value, list) and value and any(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(_dump(item) for item in value) + "]"
    return _dump(value)


def _dump(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
