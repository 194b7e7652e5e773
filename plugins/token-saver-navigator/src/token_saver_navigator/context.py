"""What to read before an edit, within a number of tokens: the thing itself, then what it leans on and who leans on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError
from token_saver_navigator.answers import Answer, tokens_of
from token_saver_navigator.lookup import find
from token_saver_navigator.outlines import as_data, heading
from token_saver_navigator.project import is_test
from token_saver_navigator.resolution import POSSIBLE
from token_saver_navigator.usage import caller_line, calls_from, calls_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver_navigator.index import Index
    from token_saver_navigator.resolution import Definition, Resolver

LEAST_BUDGET = 100
_SHORT = 12
_MOST_CALLERS = 30


class Part(NamedTuple):
    """Some lines that belong together, and what is said when there is no room for them."""

    text: str
    name: str


def context(index: Index, resolver: Resolver, asked: str, budget: int, coverage: str) -> Answer:
    """Return what an edit of *asked* needs, at most *budget* tokens of it; what did not fit is named."""
    if budget < LEAST_BUDGET:
        raise InputError(f"a budget of at least {LEAST_BUDGET} tokens is needed, not {budget}")
    definitions = find(index, resolver, asked)
    target = _largest(definitions)
    homonyms = [each for each in definitions if each != target]
    lines: list[str] = []
    left = budget
    missing: list[str] = []
    for part in _parts(index, resolver, target):
        cost = tokens_of(part.text + "\n")
        if cost <= left:
            lines.append(part.text)
            left -= cost
        else:
            missing.append(part.name)
    notes = [f"did not fit into {budget} tokens: {', '.join(missing)}"] if missing else []
    if homonyms:
        notes.append(f"other definitions of that name: {', '.join(each.place for each in homonyms[:10])}")
    return Answer(
        lines, {"name": asked, "budget": budget, "target": as_data(target), "left_out": missing}, coverage, tuple(notes)
    )


def _largest(definitions: list[Definition]) -> Definition:
    """Return the first definition; where it is declared several times in its file, the one with the most to it."""
    first = definitions[0]
    same = [each for each in definitions if (each.path, each.qualified) == (first.path, first.qualified)]
    return max(same, key=lambda each: each.end - each.start)


def _parts(index: Index, resolver: Resolver, target: Definition) -> Iterator[Part]:
    yield Part(f"{heading(target)}\n{source(index, target)}", f"the body of {target.place}")
    yield from _owner(resolver, target)
    edges, _ = calls_from(resolver, target)
    sure = [edge.definition for edge in edges if edge.confidence != POSSIBLE and not _within(edge.definition, target)]
    for each in sure:
        yield Part(f"uses {heading(each)}{_doc(each)}", each.place)
    callers = [edge for edge in calls_of(resolver, target) if edge.confidence != POSSIBLE]
    ordered = sorted(callers, key=lambda edge: is_test(resolver.modules.paths[edge.use.file]))
    for edge in ordered[:_MOST_CALLERS]:
        path = resolver.modules.paths[edge.use.file]
        word = "tested by" if is_test(path) else "used by"
        yield Part(f"{word} {caller_line(index, resolver, edge)}", f"{path}:{edge.use.lines[0]}")
    if len(ordered) > _MOST_CALLERS:
        yield Part(f"and {len(ordered) - _MOST_CALLERS} more callers", "the count of further callers")
    for each in sure:
        if each.end_line - each.line < _SHORT and each.body_line:
            yield Part(f"{each.place}\n{source(index, each)}", f"the body of {each.place}")


def _within(inner: Definition, outer: Definition) -> bool:
    return inner.path == outer.path and outer.start <= inner.start and inner.end <= outer.end


def _owner(resolver: Resolver, target: Definition) -> Iterator[Part]:
    owner = resolver.at(target.file, target.parent)
    if owner is not None:
        yield Part(f"in {heading(owner)}{_doc(owner)}", owner.place)


def _doc(definition: Definition) -> str:
    first = definition.doc.strip().split("\n", 1)[0]
    return f"  — {first[:100]}" if first else ""


def source(index: Index, definition: Definition) -> str:
    """Return the lines of a definition as the file holds them now."""
    data = index.read(definition.path)
    return data[data.rfind(b"\n", 0, definition.start) + 1 : definition.end].decode("utf-8", "replace")
