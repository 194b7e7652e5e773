"""Reads the lines in which tools report a place and a reason.

Three shapes cover nearly all linters, type checkers and compilers:

* ``located``: ``path:line:column: level: [code] message (rule)`` and its relatives, each on a line of its own, with
  source and a caret line below it in some tools (gcc, flake8, mypy, rubocop, golangci-lint);
* ``headed``: a path as heading, and ``line:column  level  message  rule`` below it (eslint, stylelint, yamllint);
* ``framed``: a message, the place on an arrow line, and a frame of source (rustc, ruff, ty, typos).
"""

from __future__ import annotations

from token_saver.text.findings import ERROR, STYLE, WARNING, Finding, Heading
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from token_saver.text.findings import Item
    from token_saver.text.rx import Rx

    Rank = Callable[[str, str], int]  # (level, rule) → how much it matters

_RANKS = {
    **dict.fromkeys(("fatal error", "fatal", "error", "Error", "E", "F", "✖", "×", "✘"), ERROR),
    **dict.fromkeys(("warning", "warn", "Warning", "W", "⚠", "!"), WARNING),
    **dict.fromkeys(("note", "info", "information", "style", "hint", "convention", "refactor", "C", "R", "I"), STYLE),
}

LOCATED = rx(
    r"\s{0,8}(?=\S)\[?(?P<path>(?:[A-Za-z]:(?=[\\/]))?(?![\d.]+:)(?=[^:\n]*[./\\]|[A-Z][A-Za-z]*:)[^\s:\[(][^:\n]*)"
    r"(?<!\.\d)(?<!\.\d\d)(?<!\.\d\d\d):(?P<line>\d+(?::\d+)?)(?:[:.,-]\d+)*\]?(?:: ?| - | |$)(?P<rest>.*)"
)
# https://docs.github.com/actions/reference/workflow-commands-for-github-actions: an annotation, as many linters print it.
ANNOTATION = rx(
    r"::(?:error|warning|notice) (?:title=[^,\n]*,)?file=(?P<path>[^,\n]+),line=(?P<line>\d+)[^:\n]*::"
    r"(?:[^\s:]+:\d+:\d+: )?(?P<rest>.*)"
)
_REST = rx(
    r"(?:\[?(?P<level>fatal error|fatal|error|warning|warn|note|info(?:rmation)?|style|hint|convention|refactor"
    r"|(?:Error|Warning|Notice)(?=:)|[A-Z](?=[:\]]))(?P<lint>\[[\w.@/-]+\])?\]?(?:: *| +|$))?"
    r"(?:\[(?:Correctable|Corrected|\*)\] +)?"
    r"(?:\[(?P<bracket>[\w./-]+)\]:? *|(?P<code>[A-Z]{1,10}\d{1,6}(?:/[\w/-]+)?|[A-Z][A-Za-z]*(?:/[A-Z]\w*)+|[A-Z]\w+(?=: )"
    r"|[a-z]+(?:-[a-z]+)+(?=: ))(?::| |$) *)?(?:(?P<late>error|warning|info|style): *)?(?P<text>.*)"
)
_MARKS = ("^", "~")
_CARET = rx(r"\s*[\^~]+")
_ROW = rx(r"\s+(?P<line>\d+(?::\d+)?)(?:-\d+)? +(?P<level>error|warning|info|✖|⚠|ℹ|×|!)?(?P<text>.*)")
_ARROW = rx(r"\s*(?:-->|╭▸|╭─\[|,-\[|┌─) ?(?P<path>[^\n]*?):(?P<line>\d+(?::\d+)?)\]?\s*$")
_CODE = rx(
    r"(?:(?P<level>error|warning|info|note)(?:\[(?P<lint>[^\]]+)\])?: "
    r"|(?P<code>[A-Z]{1,10}\d{1,6}|[a-z]+(?:-[a-z]+)+)(?::| ) *)?(?P<text>.*)"
)
_SUB = rx(r"(?:note|help|info)\b|\s")
_WIDE = rx(r" {3,}")


def rank(level: str, rule: str) -> int:
    """Return how much a finding of *level* matters; a warning where the tool does not say."""
    return _RANKS.get(level, WARNING)


def located(lines: Sequence[str], *, head: Rx = LOCATED, ranked: Rank = rank) -> list[Item]:
    """Read findings that begin with a place; every other line is left as it is.

    What belongs to a finding: a note at the same place, lines with a greater indent, and a line of source whose caret
    line follows. *head* has the groups ``path``, ``line`` and ``rest``.
    """
    items: list[Item] = []
    matched = head.match
    heads = [matched(line) for line in lines]
    parts = _REST.match
    last: Finding | None = None
    index, total = 0, len(lines)
    while index < total:
        found = heads[index]
        if found is None:
            items.append(lines[index])
            last = None
            index += 1
            continue
        end = index + 1
        if end < total and heads[end] is None and lines[end]:
            end = _belongs(lines, end, _indent(lines[index]), heads)
        path, place, rest = found.group("path", "line", "rest")
        level, lint, bracket, code, late, text = parts(rest).group("level", "lint", "bracket", "code", "late", "text")  # type: ignore[union-attr]
        rule = code or bracket or (lint and lint[1:-1]) or trailing_rule(text)
        if not rule and end > index + 1:
            rule = trailing_rule(lines[end - 1])
        level = level or late or ""
        if level == "note" and not rule and last is not None and last.path == path and last.place == place:
            last.lines.extend(lines[index:end])
        else:
            rule = rule or ("note" if level == "note" else "")
            last = Finding(list(lines[index:end]), path, place, rule, text, ranked(level, rule))
            items.append(last)
        index = end
    return items


def trailing_rule(text: str) -> str:
    """Return the rule at the end of a message: ``… [arg-type]`` or ``… (errcheck)``; "" when there is none."""
    text = text.rstrip()
    opening = {"]": "[", ")": "("}.get(text[-1:])
    if opening is None:
        return ""
    rule = text[text.rfind(opening) + 1 : -1]
    if " " in rule or "`" in rule or "'" in rule:
        return ""
    return rule if rule[:1].isalpha() or rule[:1] == "@" else ""


def _belongs(lines: Sequence[str], index: int, indent: int, heads: Sequence[object]) -> int:
    """Return where the lines end that belong to the finding above *index*."""
    total = len(lines)
    while index < total and heads[index] is None and lines[index].strip():
        if index + 1 < total and lines[index + 1].lstrip()[:1] in _MARKS and _CARET.match(lines[index + 1]):
            index += 2
        elif _indent(lines[index]) > indent:
            index += 1
        else:
            break
    return index


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def headed(lines: Sequence[str], *, row: Rx = _ROW, ranked: Rank = rank) -> list[Item]:
    """Read rows of ``line:column  level  message  rule`` below headings that name the file.

    A heading stands before its first row; a line that follows a row directly and is none belongs to it (a message over
    several lines). Padding between the columns goes.
    """
    items: list[Item] = []
    path = ""
    for index, line in enumerate(lines):
        found = row.match(line) if line[:1] in " \t" else None
        if found is not None:
            items.append(_row(line, found, path, ranked))
            continue
        last = items[-1] if items else None
        if _is_heading(line, lines[index + 1] if index + 1 < len(lines) else "", last, row):
            path = line.strip()
            items.append(Heading([line]))
        elif line.strip() and isinstance(last, Finding):
            _continue(last, line)
        else:
            items.append(line)
    return items


def _is_heading(line: str, following: str, last: Item | None, row: Rx) -> bool:
    if not line.strip() or line[:1] in " \t" or following[:1] not in (" ", "\t") or not row.match(following):
        return False
    return not (isinstance(last, Finding) and not last.rule)


def _row(line: str, found: object, path: str, ranked: Rank) -> Finding:
    place, level, text = found.group("line", "level", "text")  # type: ignore[attr-defined]
    text, rule = _columns(text)
    return Finding([line], path, place, rule, text, ranked(level or "", rule), shown=_WIDE.sub("  ", line.rstrip()))


def _columns(text: str) -> tuple[str, str]:
    """Split ``message  rule``; the rule is one word behind two blanks or more."""
    message, gap, rule = text.strip().rpartition("  ")
    if not gap or " " in rule:
        return text.strip(), ""
    return message.strip(), rule.strip("()")


def _continue(last: Finding, line: str) -> None:
    rule = _columns(line)[1]
    last.lines.append(line)
    last.head += 1
    last.rule = last.rule or rule
    last.shown = f"{last.shown}\n{_WIDE.sub('  ', line.rstrip())}"


def framed(lines: Sequence[str], *, arrow: Rx = _ARROW, ranked: Rank = rank) -> list[Item]:
    """Read messages whose next line points to the place with an arrow; a frame of source follows, up to a blank line."""
    items: list[Item] = []
    index, total = 0, len(lines)
    arrows = [arrow.match(line) if line[:1] in " ,┌╭" else None for line in lines]
    while index < total:
        line = lines[index]
        found = arrows[index + 1] if index + 1 < total else None
        if found is None or not line.strip() or _SUB.match(line):
            items.append(line)
            index += 1
            continue
        end = _frame_end(lines, arrows, index + 2)
        items.append(_framed(lines[index:end], found, ranked))
        index = end
    return items


def _frame_end(lines: Sequence[str], arrows: Sequence[object], index: int) -> int:
    total = len(lines)
    while index < total:
        line = lines[index]
        if not line.strip():
            return index + 1
        if index + 1 < total and arrows[index + 1] is not None and not _SUB.match(line):
            return index
        index += 1
    return total


def _framed(block: Sequence[str], found: object, ranked: Rank) -> Finding:
    path, place = found.group("path", "line")  # type: ignore[attr-defined]
    parts = _CODE.match(block[0])
    assert parts is not None
    level, lint, code, text = parts.group("level", "lint", "code", "text")
    rule = lint or code or ""
    return Finding(
        list(block), path, place, rule, text, ranked(level or "", rule), head=2, shown=f"{block[0].rstrip()} {block[1].strip()}"
    )
