"""Who means whom: references are names, and here they meet definitions, each time they are asked for.

Every edge has a confidence. ``certain``: the same file, the same class, or an import says so. ``likely``: the only definition
of that name, or a neighbour that is seen without an import. ``possible``: one of several definitions of that name, on an
object whose class is not known. A function that is handed on as a value counts when it is certain. A name that an import
takes from outside of the project has no edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver_navigator.languages import BY_NAME
from token_saver_navigator.modules import Modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from token_saver_navigator.index import Index

CERTAIN, LIKELY, POSSIBLE = "certain", "likely", "possible"
_RANK = {CERTAIN: 0, LIKELY: 1, POSSIBLE: 2}
_SELF = frozenset({"self", "cls", "this", "$this", "super()", "super", "Self", "parent", "static", "@self", "base"})
_IMPLICIT = frozenset({"java", "csharp", "cpp", "ruby", "rust"})
_CLASSES = frozenset({"class", "struct", "interface", "trait", "enum", "module", "record", "union", "type"})
_CALLABLE = frozenset({"function", "method", "class"})
_HOPS = 4


class Definition(NamedTuple):
    """A symbol of the index with its path."""

    id: int
    file: int
    path: str
    position: int
    kind: str
    name: str
    qualified: str
    parent: int
    start: int
    end: int
    line: int
    end_line: int
    name_line: int
    body_line: int
    body_end: int
    signature: str
    doc: str
    body_hash: str

    @property
    def owner(self) -> str:
        """The qualified name of what it is defined in, "" at the top of a file."""
        return self.qualified.rpartition(".")[0]

    @property
    def place(self) -> str:
        """Where it stands, as editors open it: ``path:first-last``."""
        return f"{self.path}:{self.line}" + (f"-{self.end_line}" if self.end_line > self.line else "")


FIELDS = "symbol.id, symbol.file, file.path, " + ", ".join(f"symbol.{field}" for field in Definition._fields[3:])
"""The columns of a ``Definition``, of ``symbol JOIN file``."""


class Use(NamedTuple):
    """A reference as it is stored: within the symbol at *position* of a *file* (-1: outside of all)."""

    file: int
    position: int
    name: str
    kind: str
    qualifier: str
    lines: tuple[int, ...]


class Edge(NamedTuple):
    """A use that means a definition, with what is known of that."""

    use: Use
    definition: Definition
    confidence: str
    why: str


class Resolver:
    """Answers who means whom over one index; made anew after an update."""

    def __init__(self, index: Index) -> None:
        self._db = index.db
        self.modules = Modules(index.root, index.db)
        self._imports: dict[int, list[tuple[str, str, str]]] = {}
        self._named: dict[str, list[Definition]] = {}
        self._exports: dict[tuple[int, str], list[Definition]] = {}

    def named(self, name: str) -> list[Definition]:
        """Return every definition of a simple *name*, in order of path and place."""
        if name not in self._named:
            self._named[name] = self._definitions("symbol.name = ?", name)
        return self._named[name]

    def _definitions(self, where: str, *values: object) -> list[Definition]:
        query = f"SELECT {FIELDS} FROM symbol JOIN file ON file.id = symbol.file WHERE {where} ORDER BY path, position"
        return [Definition(*row) for row in self._db.execute(query, values)]

    def at(self, file: int, position: int) -> Definition | None:
        """Return the symbol at a position of a file, None outside of all."""
        if position < 0:
            return None
        return next(iter(self._definitions("file = ? AND position = ?", file, position)), None)

    def of_file(self, path: str) -> list[Definition]:
        """Return the definitions of a file in order."""
        return self._definitions("path = ?", path)

    def uses_of(self, definition: Definition) -> list[Edge]:
        """Return the edges that lead to *definition*, surest first."""
        edges = []
        for use in self._uses(definition.name):
            edges += [edge for edge in self.meant_by(use, definition.name) if edge.definition.id == definition.id]
        return sorted(edges, key=lambda edge: (_RANK[edge.confidence], self.modules.paths[edge.use.file], edge.use.lines))

    def _uses(self, name: str) -> Iterator[Use]:
        query = "SELECT file, symbol, name, kind, qualifier, lines FROM reference WHERE name = ?"
        yield from map(_use, self._db.execute(query, (name,)))
        renamed = "SELECT DISTINCT file, alias FROM import WHERE name = ? AND alias <> name"
        for file, alias in self._db.execute(renamed, (name,)).fetchall():
            yield from map(_use, self._db.execute(query + " AND file = ?", (alias, file)))

    def uses_in(self, definition: Definition) -> list[Use]:
        """Return what a definition, and what is defined in it, refers to."""
        inner = [
            each.position
            for each in self.of_file(definition.path)
            if definition.start <= each.start and each.end <= definition.end
        ]
        query = "SELECT file, symbol, name, kind, qualifier, lines FROM reference WHERE file = ? AND symbol BETWEEN ? AND ?"
        return [_use(row) for row in self._db.execute(query, (definition.file, min(inner), max(inner)))]

    def meant_by(self, use: Use, name: str = "") -> list[Edge]:
        """Return the definitions that a use can mean; *name* is what it is called where it is defined."""
        imported = self._imported_as(use.file, use.qualifier.split(".")[0].split("::")[0] if use.qualifier else use.name)
        wanted = name or next((real for _, real, alias in imported if alias == use.name and real), use.name)
        kin = self.modules.kin[use.file]
        every = [each for each in self.named(wanted) if self.modules.kin[each.file] == kin]
        every = [each for each in every if each.kind != "declaration"] or every
        if not every:
            return []
        judged = self._qualified(use, wanted, every, imported) if use.qualifier else self._bare(use, wanted, every, imported)
        edges = [Edge(use, definition, confidence, why) for definition, confidence, why in judged]
        if use.kind == "value":
            return [edge for edge in edges if edge.confidence == CERTAIN and edge.definition.kind in _CALLABLE]
        return edges

    def _bare(
        self, use: Use, name: str, every: list[Definition], imported: list[tuple[str, str, str]]
    ) -> list[tuple[Definition, str, str]]:
        implicit = self.modules.language[use.file] in _IMPLICIT
        here = [each for each in every if each.file == use.file and (implicit or not self._is_member(each))]
        if here:
            return [(each, CERTAIN, "same file") for each in self._nearest(use, here)]
        if imported:
            found = self._exported(use.file, imported, name)
            return (
                [(each, CERTAIN, "imported") for each in found]
                if found or self._is_external(use.file, imported)
                else self._only(every)
            )
        seen = self._seen_without_import(use.file)
        near = [each for each in every if each.file in seen and (implicit or not self._is_member(each))]
        if near:
            sure = CERTAIN if len(near) == 1 else LIKELY
            return [(each, sure, "seen without an import by name") for each in near]
        return self._only([each for each in every if implicit or not self._is_member(each)])

    def _nearest(self, use: Use, here: list[Definition]) -> list[Definition]:
        """Of definitions in one file prefer those in what encloses the use."""
        around = self.at(use.file, use.position)
        inside = around.qualified if around else ""
        best = [each for each in here if each.owner and (inside + ".").startswith(each.owner + ".")]
        return best or [each for each in here if not each.owner] or here

    def _qualified(
        self, use: Use, name: str, every: list[Definition], imported: list[tuple[str, str, str]]
    ) -> list[tuple[Definition, str, str]]:
        if use.qualifier in _SELF:
            return self._of_self(use, every)
        if imported:
            return self._through_import(use, name, every, imported)
        last = use.qualifier.replace("::", ".").replace("()", "").rpartition(".")[2].lstrip("*&$@")
        owned = [each for each in every if each.owner.rpartition(".")[2] == last]
        if owned:
            return [(each, CERTAIN if each.file == use.file else LIKELY, "named by its class") for each in owned]
        return self._only([each for each in every if self._is_member(each)])

    def _of_self(self, use: Use, every: list[Definition]) -> list[tuple[Definition, str, str]]:
        around = self.at(use.file, use.position)
        inside = around.qualified if around else ""
        own = [each for each in every if each.file == use.file and each.owner and (inside + ".").startswith(each.owner + ".")]
        if own and not use.qualifier.startswith(("super", "parent", "base")):
            return [(each, CERTAIN, "same class") for each in own]
        others = [each for each in every if self._is_member(each) and each not in own]
        return self._only(others)

    def _through_import(
        self, use: Use, name: str, every: list[Definition], imported: list[tuple[str, str, str]]
    ) -> list[tuple[Definition, str, str]]:
        files = {file for target, real, _ in imported for file in self.modules.resolve(use.file, target, real)}
        if not files:
            return []
        exported = [each for file in files for each in self._export(file, name, _HOPS) if not self._is_member(each)]
        if exported:
            return [(each, CERTAIN, "imported") for each in dict.fromkeys(exported)]
        classes = {real or alias for _, real, alias in imported}
        owned = [each for each in every if each.owner.rpartition(".")[2] in classes]
        return [(each, CERTAIN, "named by its class") for each in owned] or self._only([e for e in every if self._is_member(e)])

    def _only(self, every: list[Definition]) -> list[tuple[Definition, str, str]]:
        if len(every) == 1:
            return [(every[0], LIKELY, "the only definition of that name")]
        return [(each, POSSIBLE, f"one of {len(every)} definitions of that name") for each in every]

    def _is_member(self, definition: Definition) -> bool:
        return bool(definition.owner) and (definition.kind in ("method", "attribute", "field", "property", "constructor"))

    def _imports_of(self, file: int) -> list[tuple[str, str, str]]:
        if file not in self._imports:
            rows = self._db.execute("SELECT target, name, alias FROM import WHERE file = ?", (file,)).fetchall()
            self._imports[file] = rows
        return self._imports[file]

    def _imported_as(self, file: int, word: str) -> list[tuple[str, str, str]]:
        """Return the imports of a file that bind *word*."""
        return [row for row in self._imports_of(file) if word and (row[2] or _bound(row[0])) == word]

    def _is_external(self, file: int, imported: Iterable[tuple[str, str, str]]) -> bool:
        return not any(self.modules.resolve(file, target, real) for target, real, _ in imported)

    def _exported(self, file: int, imported: Iterable[tuple[str, str, str]], name: str) -> list[Definition]:
        found: list[Definition] = []
        for target, real, _ in imported:
            for source in self.modules.resolve(file, target, real):
                found += self._export(source, real or name, _HOPS)
        return list(dict.fromkeys(found))

    def _export(self, file: int, name: str, hops: int) -> list[Definition]:
        """Return what *name* is in a file: its own definition, else what it imports under that name."""
        if (file, name) in self._exports:
            return self._exports[file, name]
        own = [each for each in self.named(name) if each.file == file and not self._is_member(each)]
        if not own and hops:
            self._exports[file, name] = []
            for target, real, alias in self._imports_of(file):
                if alias == name or real == "*":
                    for source in self.modules.resolve(file, target, "" if real == "*" else real):
                        own += self._export(source, name if real == "*" else real or name, hops - 1)
        self._exports[file, name] = list(dict.fromkeys(own))
        return self._exports[file, name]

    def _seen_without_import(self, file: int) -> set[int]:
        """Return the files whose names are seen in *file*: of its package, and those that it imports as a whole."""
        language = BY_NAME[self.modules.language[file]]
        seen = set(self.modules.neighbours(file)) if language.packages else set()
        for target, name, alias in self._imports_of(file):
            if name == "*" or (not name and not alias) or language.kin in ("c", "shell", "ruby"):
                seen.update(self.modules.resolve(file, target))
        return seen


def _bound(target: str) -> str:
    """Return the word that an import without an alias binds: the first of dotted names, the last of paths."""
    return target.split("/")[-1] if "/" in target else target.split("::")[-1] if "::" in target else target.split(".")[0]


def _use(row: tuple[int, int, str, str, str, str]) -> Use:
    return Use(*row[:5], tuple(int(line) for line in row[5].split(",")))
