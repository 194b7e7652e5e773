"""XML documents made smaller while they stay documents: alike elements that follow each other are counted in a comment.

    <testcase name="a" time="0.1"/>
    <!-- [… 57 similar elements: b, c, …] -->

Only elements that stand whole on a line of their own are read; they are alike when they have the same name and the same
attributes. Everything else stays as it is: an element that has others in it is what a reader looks for.
"""

from __future__ import annotations

from token_saver.text.critical import critical_lines
from token_saver.text.folders import allowance
from token_saver.text.markers import marker
from token_saver.text.pieces import Recast, exact
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

LEAST = 6
SHOWN = 2
_MOST_NAMES = 200
_ELEMENT = rx(
    r"(?P<indent>\s*)<(?P<name>[\w:.-]+)(?P<attributes>(?:\s+[\w:.-]+=(?:\"[^\"]*\"|'[^']*'))*)\s*(?:/>|>[^<]*</(?P=name)>)\s*$"
)
_ATTRIBUTE = rx(r"([\w:.-]+)=(?:\"([^\"]*)\"|'([^']*)')")
_DOCUMENT = rx(r"\s*<(?:\?xml\b|[A-Za-z][\w:.-]*[\s>/])")
_NOT_XML = rx(r"(?i)\s*<(?:!doctype\s+html|html)\b")
_HIDDEN = ("<!--", "<![CDATA[")


def read_xml(lines: Sequence[str]) -> list[Piece] | None:
    """Return the pieces of an XML document; None when *lines* are none, such as a page of HTML."""
    text = "\n".join(lines)
    if not _DOCUMENT.match(text) or _NOT_XML.match(text) or not _is_closed(lines):
        return None
    if len(text) <= allowance(len(text)) or any(sign in text for sign in _HIDDEN):
        return exact(lines)
    pieces: list[Piece] = []
    run: list[int] = []
    kind: object = None
    for index, line in enumerate([*lines, ""]):
        found = _kind(line)
        if found is None or found != kind:
            pieces += _told(lines, run)
            run, kind = [], found
        if found is None:
            pieces.append(line)
        else:
            run.append(index)
    return exact(pieces[:-1])


def _is_closed(lines: Sequence[str]) -> bool:
    """Tell whether the last line closes the element that the first one, or the one behind the declaration, opens."""
    first = next((line.strip() for line in lines if line.strip() and not line.strip().startswith(("<?", "<!"))), "")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    name = first[1:].split()[0].rstrip(">/") if len(first) > 1 and first[1:].split() else ""
    return bool(name) and last.endswith(f"</{name}>")


def _kind(line: str) -> object:
    """Return what alike elements have in common; None when no whole element stands on the line."""
    found = _ELEMENT.match(line) if line.lstrip()[:1] == "<" else None
    if found is None:
        return None
    return (found["indent"], found["name"], tuple([name for name, *_ in _ATTRIBUTE.findall(found["attributes"])]))


def _told(lines: Sequence[str], run: Sequence[int]) -> list[Piece]:
    if len(run) < LEAST:
        return [lines[index] for index in run]
    kept = {*run[:SHOWN], *(run[hit] for hit in critical_lines([lines[index] for index in run]))}
    pieces: list[Piece] = []
    folded: list[str] = []
    for index in [*run, -1]:
        if index >= 0 and index not in kept:
            folded.append(lines[index])
            continue
        if folded:
            pieces += _comment(folded)
            folded = []
        if index >= 0:
            pieces.append(lines[index])
    return pieces


def _comment(folded: list[str]) -> list[Piece]:
    indent = folded[0][: len(folded[0]) - len(folded[0].lstrip())]
    text = f"{indent}<!-- {marker([(len(folded), 'similar element', _names(folded))])} -->"
    return [Recast(text, folded)] if len(text) < sum(map(len, folded)) else list(folded)


def _names(folded: Sequence[str]) -> str:
    """Return the first attribute of each, as many as there is room for; "--" cannot stand in a comment."""
    shown: list[str] = []
    for line in folded:
        name = next((one or two for _, one, two in _ATTRIBUTE.findall(line)), "")
        if not name or "--" in name or name.endswith("-"):
            continue
        if sum(map(len, shown)) + len(name) > _MOST_NAMES:
            return ", ".join([*shown, "…"]) if shown else ""
        shown.append(name)
    return ", ".join(shown)
