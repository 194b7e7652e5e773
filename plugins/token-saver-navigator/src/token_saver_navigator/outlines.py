"""One file as its definitions: with a parser their signatures, without one the lines that begin something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver_navigator.answers import Answer, tokens_of
from token_saver_navigator.languages import language_of
from token_saver_navigator.parsing import FAILED, MOST_BYTES, SKIPPED, objection
from token_saver_navigator.project import read_file

if TYPE_CHECKING:
    from token_saver_navigator.index import Index
    from token_saver_navigator.resolution import Definition, Resolver

MOST_LINES = 400
_MOST_PLAIN = 120
_MOST_WIDTH = 160


def outline(index: Index, resolver: Resolver, path: str, coverage: str) -> Answer:
    """Return the outline of the file at *path*, which is inside the working tree."""
    row = index.db.execute("SELECT state, reason, lines, doc, language FROM file WHERE path = ?", (path,)).fetchone()
    if row is None or row[0] in (SKIPPED, FAILED):
        kind = language_of(path)
        return _plain(
            index, path, row[1] if row else "no parser" if kind is None else "not part of the project's files", coverage
        )
    state, reason, lines, doc, language = row
    index.read(path)
    definitions = resolver.of_file(path)
    head = [f"{path} ({language}, {lines} lines)" + (f": {_first(doc)}" if doc else "")]
    head += _imports(index, path)
    shown = [_row(each) for each in definitions[:MOST_LINES]]
    notes = [reason] if state != "ok" else []
    if len(definitions) > MOST_LINES:
        notes.append(f"{len(definitions) - MOST_LINES} more definitions are not listed; ask for symbols by name")
    if not definitions:
        notes.append("this file defines nothing by name")
    notes.append(f"the whole file has {tokens_of(' ' * _size(index, path))} tokens")
    data = {"path": path, "language": language, "lines": lines, "doc": doc, "symbols": [as_data(each) for each in definitions]}
    return Answer(head + shown, data, coverage, tuple(notes))


def _size(index: Index, path: str) -> int:
    size: int = index.db.execute("SELECT size FROM file WHERE path = ?", (path,)).fetchone()[0]
    return size


def _imports(index: Index, path: str) -> list[str]:
    query = "SELECT DISTINCT target FROM import JOIN file ON file.id = import.file WHERE path = ? AND target <> ''"
    targets = [target for (target,) in index.db.execute(query, (path,))]
    return (
        [f"imports: {', '.join(targets[:40])}" + (f" and {len(targets) - 40} more" if len(targets) > 40 else "")]
        if targets
        else []
    )


def _row(each: Definition) -> str:
    depth = each.qualified.count(".")
    doc = f"  — {_first(each.doc)}" if each.doc else ""
    span = f"{each.line}-{each.end_line}" if each.end_line > each.line else str(each.line)
    return f"{'  ' * depth}{span} {each.signature[:_MOST_WIDTH]}{doc}"


def _first(doc: str) -> str:
    line = doc.strip().split("\n", 1)[0]
    return line if len(line) <= 100 else line[:99] + "…"


def as_data(each: Definition) -> dict[str, Any]:
    """Return a definition for programs."""
    names = ("path", "line", "end_line", "kind", "name", "qualified", "signature", "doc", "body_hash")
    return {name: getattr(each, name) for name in names}


def heading(each: Definition) -> str:
    """Return one line about a definition: where, what, and its signature."""
    return f"{each.place} {each.kind} {each.qualified}: {each.signature[:_MOST_WIDTH]}"


def _plain(index: Index, path: str, reason: str, coverage: str) -> Answer:
    """Return the lines of a file that begin something: those without indentation, of Markdown the headings."""
    data = read_file(index.root, path, MOST_BYTES + 1) or b""
    objected = objection(data)
    text = data[:MOST_BYTES].decode("utf-8", "replace")
    numbered = list(enumerate(text.split("\n"), 1)) if objected in ("", f"larger than {MOST_BYTES >> 20} MB") else []
    if path.lower().endswith((".md", ".markdown", ".rst")) and any(line.startswith("#") for _, line in numbered):
        chosen = [(number, line) for number, line in numbered if line.startswith("#")]
    else:
        chosen = [(number, line) for number, line in numbered if line[:1].strip() and line.strip("})];,-=*/ ")]
    shown = [f"{number} {line.rstrip()[:_MOST_WIDTH]}" for number, line in chosen[:_MOST_PLAIN]]
    why = reason if reason == objected or not objected else f"{reason}; {objected}" if reason else objected
    notes = [f"{why}: these are lines that begin something, not definitions"]
    if len(chosen) > _MOST_PLAIN:
        notes.append(f"{len(chosen) - _MOST_PLAIN} more such lines are not listed")
    result = {
        "path": path,
        "language": "",
        "reason": why,
        "rows": [{"line": number, "text": line} for number, line in chosen[:_MOST_PLAIN]],
    }
    return Answer([f"{path} ({len(numbered)} lines)", *shown], result, coverage, tuple(notes))
