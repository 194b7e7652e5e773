"""The questions of the navigator about one working tree: what the command line, the MCP tools and other plugins ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver_navigator import changes, context, impact, outlines, searching, usage
from token_saver_navigator.answers import Answer, tokens_of
from token_saver_navigator.index import Index
from token_saver_navigator.lookup import find
from token_saver_navigator.project import inside, root_of
from token_saver_navigator.resolution import Resolver

if TYPE_CHECKING:
    from collections.abc import Callable

    from token_saver_navigator.resolution import Definition

DEFAULT_BUDGET = 2000
_MOST_BODY = 16_000


class Navigator:
    """Answers questions about the working tree that *folder* is in; every question brings the index up to date first.

    Raises TokenSaverErrors: InputError for what cannot be asked or is not there, StoreError for an index that cannot be used.
    """

    def __init__(self, folder: str = ".", *, progress: Callable[[int, int], None] | None = None) -> None:
        self._folder = folder
        self.root = root_of(folder)
        self.index = Index(self.root)
        self._progress = progress
        self._coverage = ""
        self.resolver = Resolver(self.index)

    def __enter__(self) -> Navigator:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def update(self) -> str:
        """Bring the index up to date and return what it covers."""
        self._coverage = self.index.update(self._progress).told()
        self.resolver = Resolver(self.index)
        return self._coverage

    def outline(self, path: str) -> Answer:
        """Return the definitions of one file."""
        named = inside(self.root, path, self._folder)
        self.update()
        return outlines.outline(self.index, self.resolver, named, self._coverage)

    def symbol(self, name: str, *, body: bool = True) -> Answer:
        """Return every definition of a name; of one, its source as it is now."""
        self.update()
        found = self._verified(name)
        lines: list[str] = []
        notes: list[str] = []
        for each in found:
            lines += [outlines.heading(each), *(f"  {line}" for line in each.doc.split("\n") if each.doc and not body)]
        data: dict[str, Any] = {"name": name, "definitions": [outlines.as_data(each) for each in found]}
        if body and len(found) == 1:
            text = context.source(self.index, found[0])
            lines.append(text[:_MOST_BODY])
            data["source"] = text
            if len(text) > _MOST_BODY:
                notes.append(
                    f"the source has {tokens_of(text)} tokens and is cut; read {found[0].place}, or ask for outline(path)"
                )
        elif len(found) > 1:
            notes.append(f"{len(found)} definitions have that name; ask with path:name for the source of one")
        return Answer(lines, data, self._coverage, tuple(notes))

    def _verified(self, name: str) -> list[Definition]:
        """Return the definitions of *name* after each of their files was found to be as it was indexed."""
        found = find(self.index, self.resolver, name)
        shas = self._shas()
        for path in dict.fromkeys(each.path for each in found):
            self.index.read(path)
        if self._shas() == shas:
            return found
        self.resolver = Resolver(self.index)
        return find(self.index, self.resolver, name)

    def _shas(self) -> int:
        changes: int = self.index.db.execute("SELECT total_changes()").fetchone()[0]
        return changes

    def search(self, words: str, *, limit: int = 10) -> Answer:
        """Return the definitions that *words* describe best."""
        self.update()
        return searching.search(self.index, words, self._coverage, limit=limit)

    def references(self, name: str) -> Answer:
        """Return every place in the code where the name stands."""
        self.update()
        return usage.references(self.index, self.resolver, name, self._coverage)

    def callers(self, name: str) -> Answer:
        """Return who calls it."""
        self.update()
        return usage.callers(self.index, self.resolver, name, self._coverage)

    def callees(self, name: str) -> Answer:
        """Return what it calls."""
        self.update()
        return usage.callees(self.index, self.resolver, name, self._coverage)

    def impact(self, name: str = "", *, ref: str = "") -> Answer:
        """Return what a change of *name*, or all changes since commit *ref*, can reach, and the tests among it."""
        self.update()
        return impact.impact(self.index, self.resolver, name, ref, self._coverage)

    def context(self, name: str, budget: int = DEFAULT_BUDGET) -> Answer:
        """Return what to read before *name* is edited, within *budget* tokens."""
        self.update()
        self._verified(name)
        return context.context(self.index, self.resolver, name, budget, self._coverage)

    def changed(self, ref: str = "HEAD") -> Answer:
        """Return the symbols that differ from a commit."""
        self.update()
        return changes.changed(self.index, ref, self._coverage)

    def body_hash(self, path: str, qualified: str) -> str | None:
        """Return the hash of a definition without comments and white space, None when there is none of that name."""
        named = inside(self.root, path, self._folder)
        self.update()
        return next((each.body_hash for each in self.resolver.of_file(named) if each.qualified == qualified), None)
