"""What a change touches: who calls it, who calls those, and the tests that reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver_navigator.answers import Answer
from token_saver_navigator.changes import REMOVED, changes_since
from token_saver_navigator.lookup import find
from token_saver_navigator.outlines import as_data, heading
from token_saver_navigator.project import is_test
from token_saver_navigator.resolution import POSSIBLE
from token_saver_navigator.usage import calls_of

if TYPE_CHECKING:
    from token_saver_navigator.index import Index
    from token_saver_navigator.resolution import Definition, Resolver

MOST_DEPTH = 4
_MOST_REACHED = 400
_MOST_ROWS = 60


class Reach:
    """What leads to some definitions: the distance of each symbol, whole files, and how many edges were left out."""

    def __init__(self, resolver: Resolver, seeds: list[Definition]) -> None:
        self.distance: dict[int, int] = {each.id: 0 for each in seeds}
        self.symbols: list[tuple[int, Definition]] = []
        self.files: dict[str, int] = {}
        self.possible = 0
        self.cut = False
        waiting = list(seeds)
        for depth in range(1, MOST_DEPTH + 1):
            waiting = self._next(resolver, waiting, depth)

    def _next(self, resolver: Resolver, waiting: list[Definition], depth: int) -> list[Definition]:
        found: list[Definition] = []
        for definition in waiting:
            for edge in calls_of(resolver, definition):
                if edge.confidence == POSSIBLE:
                    self.possible += 1
                    continue
                around = resolver.at(edge.use.file, edge.use.position)
                if around is None:
                    self.files.setdefault(resolver.modules.paths[edge.use.file], depth)
                elif around.id not in self.distance:
                    if len(self.symbols) >= _MOST_REACHED:
                        self.cut = True
                        return []
                    self.distance[around.id] = depth
                    self.symbols.append((depth, around))
                    found.append(around)
        return found


def impact(index: Index, resolver: Resolver, asked: str, ref: str, coverage: str) -> Answer:
    """Return what reaches the definitions of a name, or, with *ref*, all that changed since that commit."""
    notes: list[str] = []
    seeds = _changed(index, resolver, ref, notes) if ref else find(index, resolver, asked)
    reach = Reach(resolver, seeds)
    lines = [f"change: {heading(each)}" for each in seeds[:_MOST_ROWS]]
    code = [(depth, each) for depth, each in reach.symbols if not is_test(each.path)]
    tests = [each for _, each in reach.symbols if is_test(each.path)]
    lines += [
        f"{'direct' if depth == 1 else f'{depth} calls away'}: {each.place} {each.qualified}" for depth, each in code[:_MOST_ROWS]
    ]
    lines += [
        f"{'test file' if is_test(path) else 'direct, outside of functions'}: {path}" for path in list(reach.files)[:_MOST_ROWS]
    ]
    lines += [f"test: {each.place} {each.qualified}" for each in tests[:_MOST_ROWS]]
    notes += _told(reach, len(code), len(tests))
    data: dict[str, Any] = {
        "changed": [as_data(each) for each in seeds],
        "reached": [{"distance": depth, **as_data(each)} for depth, each in code],
        "files": list(reach.files),
        "tests": [as_data(each) for each in tests],
        "possible": reach.possible,
    }
    return Answer(lines, data, coverage, tuple(notes))


def _changed(index: Index, resolver: Resolver, ref: str, notes: list[str]) -> list[Definition]:
    changes, others = changes_since(index, ref)
    wanted = {(each.path, each.qualified, each.line) for each in changes if each.kind != REMOVED}
    removed = [f"{each.path} {each.qualified}" for each in changes if each.kind == REMOVED]
    if removed:
        notes.append(f"removed, look at their uses with references: {', '.join(removed[:20])}")
    if others:
        notes.append(f"{len(others)} changed files without symbols to follow: {', '.join(others[:20])}")
    if not changes:
        notes.append(f"no symbol differs from {ref}")
    every = (each for path in dict.fromkeys(change.path for change in changes) for each in resolver.of_file(path))
    return [each for each in every if (each.path, each.qualified, each.line) in wanted]


def _told(reach: Reach, code: int, tests: int) -> list[str]:
    notes = []
    if not code and not reach.files:
        notes.append("no caller was found, which does not prove that there is none: names put together at run time are not seen")
    if not tests:
        notes.append("no test reaches it by calls that can be read")
    if reach.possible:
        notes.append(f"{reach.possible} possible calls, on objects whose class is not known, were not followed")
    if code > _MOST_ROWS or tests > _MOST_ROWS:
        notes.append(f"{max(0, code - _MOST_ROWS)} more symbols and {max(0, tests - _MOST_ROWS)} more tests are not listed")
    if reach.cut:
        notes.append(f"stopped after {_MOST_REACHED} symbols")
    return notes
