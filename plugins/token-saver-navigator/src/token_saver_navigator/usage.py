"""Who uses a name, who calls it, and what it calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver_navigator.answers import Answer
from token_saver_navigator.languages import BY_NAME, language_of, load
from token_saver_navigator.lookup import find
from token_saver_navigator.outlines import as_data, heading
from token_saver_navigator.parsing import MOST_BYTES, tree_of
from token_saver_navigator.project import read_file
from token_saver_navigator.resolution import CERTAIN, LIKELY, POSSIBLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver_navigator.index import Index
    from token_saver_navigator.resolution import Definition, Edge, Resolver

MOST_ROWS = 100
_MOST_FILES_PARSED = 300
_MOST_WIDTH = 140
_NO_CODE = ("comment", "string", "char_literal", "heredoc", "escape")
CALLS = ("call", "value")


class Occurrence(NamedTuple):
    """A place in the code where a name stands, read from the file as it is now."""

    path: str
    line: int
    text: str
    within: str


def references(index: Index, resolver: Resolver, asked: str, coverage: str) -> Answer:
    """Return every place in the code where the name stands, its definitions apart."""
    definitions = find(index, resolver, asked)
    names = {each.name for each in definitions}
    kin = {BY_NAME[resolver.modules.language[each.file]].kin for each in definitions}
    own = {(each.path, each.name_line) for each in definitions}
    found, unread = occurrences(index, resolver, names, kin)
    rows = [each for each in found if (each.path, each.line) not in own]
    lines = [f"defined: {heading(each)}" for each in definitions]
    lines += [
        f"{each.path}:{each.line} {each.text}" + (f"  (in {each.within})" if each.within else "") for each in rows[:MOST_ROWS]
    ]
    notes = _homonyms(definitions)
    if not rows:
        notes.append(f"no use of {asked} in the code of the project")
    if len(rows) > MOST_ROWS:
        notes.append(f"{len(rows) - MOST_ROWS} more uses are not listed: {_by_file(rows[MOST_ROWS:])}")
    if unread:
        notes.append(f"{unread} more files hold the name and were not looked into")
    notes.append("a use by a name that is put together at run time is not seen")
    data = {
        "name": asked,
        "definitions": [as_data(each) for each in definitions],
        "references": [each._asdict() for each in rows],
    }
    return Answer(lines, data, coverage, tuple(notes))


def _homonyms(definitions: list[Definition]) -> list[str]:
    if len({each.qualified for each in definitions} | {each.path for each in definitions}) <= 2 and len(definitions) < 2:
        return []
    return [f"{len(definitions)} definitions have that name; ask with path:name for one of them"]


def _by_file(rows: list[Occurrence]) -> str:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.path] = counts.get(row.path, 0) + 1
    most = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{path} {count}" for path, count in most[:8]) + (
        f" and {len(most) - 8} more files" if len(most) > 8 else ""
    )


def occurrences(index: Index, resolver: Resolver, names: set[str], kin: set[str]) -> tuple[list[Occurrence], int]:
    """Return where *names* stand in code, not in comments or strings, and how many files were left unread."""
    pattern = re.compile(rb"(?<![\w$])(?:" + b"|".join(re.escape(name.encode()) for name in sorted(names)) + rb")(?![\w$])")
    found: list[Occurrence] = []
    parsed = unread = 0
    for file, path in sorted(resolver.modules.paths.items(), key=lambda item: item[1]):
        if resolver.modules.kin[file] not in kin:
            continue
        data = read_file(index.root, path, MOST_BYTES + 1)
        if data is None or not (places := [each.start() for each in pattern.finditer(data)]):
            continue
        parsed += 1
        if parsed > _MOST_FILES_PARSED:
            unread += 1
        else:
            found += _in_code(path, data, places, resolver.of_file(path))
    return found, unread


def _in_code(path: str, data: bytes, places: list[int], definitions: list[Definition]) -> Iterator[Occurrence]:
    language = language_of(path)
    assert language is not None
    if load(language.name).grammar is None:
        return
    try:
        root = tree_of(data, language.name).root_node
    except TimeoutError:
        return
    done: set[int] = set()
    for place in places:
        line = data.count(b"\n", 0, place) + 1
        node = root.descendant_for_byte_range(place, place + 1)
        if line in done or node is None or any(word in node.type for word in _NO_CODE):
            continue
        done.add(line)
        around = [each for each in definitions if each.start <= place < each.end]
        text = data[data.rfind(b"\n", 0, place) + 1 :].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
        yield Occurrence(path, line, text[:_MOST_WIDTH], around[-1].qualified if around else "")


def callers(index: Index, resolver: Resolver, asked: str, coverage: str) -> Answer:
    """Return who calls what is asked for, with the confidence of each edge."""
    definitions = find(index, resolver, asked)
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    notes = _homonyms(definitions)
    for definition in definitions:
        edges = calls_of(resolver, definition)
        lines.append(f"{heading(definition)}: {_count(edges)}")
        lines += [f"  {caller_line(index, resolver, edge)}" for edge in edges[:MOST_ROWS]]
        rows += [_edge_data(resolver, edge) for edge in edges]
        if len(edges) > MOST_ROWS:
            notes.append(f"{len(edges) - MOST_ROWS} more callers of {definition.qualified} are not listed")
    notes.append("calls by a name that is put together at run time, and through callbacks, are not seen")
    return Answer(
        lines, {"name": asked, "definitions": [as_data(each) for each in definitions], "callers": rows}, coverage, tuple(notes)
    )


def _count(edges: list[Edge]) -> str:
    if not edges:
        return "no caller found"
    counts = [(sum(edge.confidence == word for edge in edges), word) for word in (CERTAIN, LIKELY, POSSIBLE)]
    return "called from " + ", ".join(f"{count} {word}" for count, word in counts if count)


def calls_of(resolver: Resolver, definition: Definition) -> list[Edge]:
    """Return the edges of calls to a definition; of a class these are what makes one of it, and who inherits."""
    inherits = definition.kind in ("class", "struct", "interface", "trait", "type", "enum")
    return [edge for edge in resolver.uses_of(definition) if edge.use.kind in CALLS or inherits]


def caller_line(index: Index, resolver: Resolver, edge: Edge) -> str:
    """Return one line about an edge, seen from what is called."""
    around = resolver.at(edge.use.file, edge.use.position)
    lines = ",".join(map(str, edge.use.lines[:6])) + (",…" if len(edge.use.lines) > 6 else "")
    within = f"{around.kind} {around.qualified}" if around else "the file itself"
    return f"{resolver.modules.paths[edge.use.file]}:{lines} {within} [{edge.confidence}: {edge.why}]"


def _edge_data(resolver: Resolver, edge: Edge) -> dict[str, Any]:
    around = resolver.at(edge.use.file, edge.use.position)
    return {
        "path": resolver.modules.paths[edge.use.file],
        "lines": list(edge.use.lines),
        "caller": around.qualified if around else "",
        "callee": edge.definition.qualified,
        "callee_path": edge.definition.path,
        "kind": edge.use.kind,
        "confidence": edge.confidence,
        "why": edge.why,
    }


def callees(index: Index, resolver: Resolver, asked: str, coverage: str) -> Answer:
    """Return what a definition calls in the project, and the names that lead out of it."""
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    outside: dict[str, None] = {}
    definitions = find(index, resolver, asked)
    for definition in definitions:
        lines.append(heading(definition))
        edges, unknown = calls_from(resolver, definition)
        lines += [
            f"  {heading(edge.definition)} [{edge.confidence}: {edge.why}] from line {edge.use.lines[0]}"
            for edge in edges[:MOST_ROWS]
        ]
        rows += [_edge_data(resolver, edge) for edge in edges]
        outside |= dict.fromkeys(unknown)
    notes = _homonyms(definitions)
    if outside:
        notes.append(f"calls that lead out of the project or to something unknown: {', '.join(list(outside)[:40])}")
    data = {"name": asked, "definitions": [as_data(each) for each in definitions], "callees": rows, "outside": list(outside)}
    return Answer(lines, data, coverage, tuple(notes))


def calls_from(resolver: Resolver, definition: Definition) -> tuple[list[Edge], list[str]]:
    """Return the edges from a definition, one a definition that it leads to, surest first, and the names without an edge."""
    best: dict[int, Edge] = {}
    unknown: list[str] = []
    for use in resolver.uses_in(definition):
        edges = [edge for edge in resolver.meant_by(use) if edge.definition.id != definition.id]
        if not edges and use.kind == "call":
            unknown.append(f"{use.qualifier}.{use.name}" if use.qualifier else use.name)
        for edge in edges:
            known = best.get(edge.definition.id)
            if known is None or _ORDER[edge.confidence] < _ORDER[known.confidence]:
                best[edge.definition.id] = edge
    return sorted(best.values(), key=lambda edge: (_ORDER[edge.confidence], edge.use.lines[0])), unknown


_ORDER = {CERTAIN: 0, LIKELY: 1, POSSIBLE: 2}
