"""Reads what compilers and linkers print: a diagnostic, its source and carets, its notes, and the lines that led to it.

The shapes are those of gcc and clang (``path:line:column: level: message [-Wname]``, headed by "In function …:", "In file
included from …" and lines of template instantiation), of javac and the assembler, of MSVC (``path(12,5): error C2065:
message``) and of ld (``path:(.text+0x5): message``). Words are needed for levels alone; headings are told by their shape,
so that translated output is read as well.
"""

from __future__ import annotations

from token_saver.text.findings import ERROR, STYLE, WARNING, Finding, Heading
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from token_saver.text.findings import Item

_ERRORS = (
    "fatal error|internal compiler error|error|Error|Fatal error|erreur fatale|erreur|schwerwiegender Fehler|Fehler|error fatal|"
    "erro fatal|erro|errore irreversibile|errore|致命错误|错误|致命的エラー|エラー|фатальная ошибка|ошибка|SyntaxError"
)
_WARNINGS = "warning|Warning|attention|avertissement|Warnung|aviso|attenzione|avviso|警告|предупреждение"
_NOTES = "note|remark|info|Anmerkung|nota|remarque|附注|备注|備考|замечание"
_PATH = r"(?:[A-Za-z]:(?=[\\/]))?(?:[^\s:(\[{<][^:(\n]{0,300}|\{standard input\}|<[\w -]+>)"

_DIAGNOSTIC = rx(
    rf"(?:\S{{0,80}}\bld(?:\.\w+)? ?: )?(?P<path>{_PATH})"
    r"(?:(?: ?:(?P<line>\d+(?::\d+)?)|\((?P<row>\d+(?:,\d+){0,3})\))? ?: (?:error: )?"
    rf"(?:(?P<error>{_ERRORS})|(?P<warning>{_WARNINGS})|(?P<note>{_NOTES}))(?: ?: | (?P<code>[A-Z]{{1,8}}\d{{2,6}}) ?: )"
    r"|:(?:(?P<section>\(\.[\w.+$-]+\)) ?: |(?P<at>\d+): (?=undefined reference|multiple definition)))(?P<text>.*)"
)
# A heading ends with a colon behind its path; an include or instantiation names the place it comes from.
_LEADS = rx(
    r"(?:\S{0,80}\bld(?:\.\w+)? ?: )?[^\s:./]*[./][^\s:]* ?: \D.*:$|\s*(?:[^\s:(]+ ){1,6}\s*\S+:\d+(?::\d+)?[,:]$"
    r"|[^\s:]+:\d+(?::\d+)?: {2,}\S|[^\s:]+: At (?:global scope|top level):$"
)
_STEP = rx(r" {1,4}[A-Z][A-Z0-9_+]{1,9}(?: \[M\])? +\S+$")
_CARET = rx(r"\s*[\^~]+\s*$")
_LINT = rx(r".*\[(?P<lint>-?[A-Za-z][\w=+,./-]*)\]$|\[(?P<java>[\w-]+)\] ")
# javac says below the source which name it means.
_EXPLAINS = ("  symbol: ", "  location: ", "  required: ", "  found: ")
LEADS = 2
NOTES = 2


def compiled(lines: Sequence[str], bare: Callable[[str], str] | None = None) -> list[Item]:
    """Return diagnostics as findings, what leads to them as headings, every other line as it is.

    *bare* returns a line without what a runner puts before each (``[javac] ``).
    """
    told = lines if bare is None else [bare(line) for line in lines]
    items: list[Item] = []
    before: list[str] = []
    last: Finding | None = None
    index, total = 0, len(lines)
    while index < total:
        text = told[index]
        found = _DIAGNOSTIC.match(text) if ": " in text else None
        if found is None:
            if text[-1:] in (":", ",") or (":  " in text and _LEADS.match(text)):
                (before if _LEADS.match(text) else _plain(items, before)).append(lines[index])
            else:
                _plain(items, before).append(lines[index])
                last = None
            index += 1
            continue
        end = _end(told, index + 1)
        own = list(lines[index:end])
        if found.group("note") and last is not None:
            _add_note(last, [*before, *own], len(before))
        else:
            items += _led(before)
            last = _finding(own, told[index:end], found)
            items.append(last)
        before.clear()
        index = end
    _plain(items, before)
    return items


def _plain(items: list[Item], before: list[str]) -> list[Item]:
    """Put lines that led to nothing where they stood."""
    items += before
    before.clear()
    return items


def _led(before: list[str]) -> list[Item]:
    gone = before[:-LEADS]
    folded: list[Item] = [Fold(gone, "line of what led there", known=True)] if gone else []
    return [*folded, Heading(before[-LEADS:])] if before else []


def _finding(lines: list[str], told: Sequence[str], found: object) -> Finding:
    path, line, row, at, text, code, warning, note = found.group(  # type: ignore[attr-defined]
        "path", "line", "row", "at", "text", "code", "warning", "note"
    )
    lint = _LINT.match(text)
    rule = code or (lint and (lint.group("lint") or lint.group("java"))) or ""
    rank = WARNING if warning else STYLE if note else ERROR
    made = Finding(lines, path, line or row or at or "", rule or ("note" if note else ""), text, rank)
    made.noun = "warning" if warning else "note" if note else "error"
    if rank == ERROR:
        made.picked = [0, *(at for at, line in enumerate(told) if line.startswith(_EXPLAINS))]
    return made


def _add_note(finding: Finding, lines: list[str], at: int) -> None:
    """A note says more of the diagnostic above it; of an error the first two are seen with it."""
    if isinstance(finding.picked, list) and len(finding.picked) <= NOTES:
        finding.picked.append(len(finding.lines) + at)
    finding.lines.extend(lines)


def _end(told: Sequence[str], index: int) -> int:
    """Return where the source, the carets and the explanations of a diagnostic end."""
    total = len(told)
    while index < total:
        line = told[index]
        if line[:1] in (" ", "\t") and line.strip():
            if _STEP.match(line) or (line[-1:] in (":", ",") and _LEADS.match(line)):
                break
            index += 1
        elif line.strip() and index + 1 < total and _CARET.match(told[index + 1]):
            index += 2
        else:
            break
    return index
