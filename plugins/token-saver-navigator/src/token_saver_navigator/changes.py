"""Which symbols differ between the working tree and a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver.errors import InputError
from token_saver_navigator import parsing
from token_saver_navigator.answers import Answer
from token_saver_navigator.languages import language_of
from token_saver_navigator.project import git

if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver_navigator.index import Index
    from token_saver_navigator.parsing import Symbol

ADDED, CHANGED, REMOVED = "added", "changed", "removed"
_MOST_ROWS = 200


class Change(NamedTuple):
    """A symbol that differs; a removed one has the lines that it had."""

    kind: str
    path: str
    line: int
    end_line: int
    qualified: str
    what: str
    signature: str


def changed(index: Index, ref: str, coverage: str) -> Answer:
    """Return the symbols that differ from a commit, files without a parser by name."""
    changes, others = changes_since(index, ref)
    lines = [f"{each.path}:{each.line}-{each.end_line} {each.kind} {each.what} {each.qualified}" for each in changes[:_MOST_ROWS]]
    notes = []
    if not changes:
        notes.append(f"no symbol differs from {ref}")
    if others:
        notes.append(f"{len(others)} changed files without symbols to compare: {', '.join(others[:20])}")
    if len(changes) > _MOST_ROWS:
        notes.append(f"{len(changes) - _MOST_ROWS} more symbols differ")
    notes.append("comments and white space do not count as a change")
    data: dict[str, Any] = {"ref": ref, "changes": [each._asdict() for each in changes], "other_files": others}
    return Answer(lines, data, coverage, tuple(notes))


def changes_since(index: Index, ref: str) -> tuple[list[Change], list[str]]:
    """Return the symbols that differ from commit *ref*, and changed files that have none; raises InputError."""
    commit = _commit(index.root, ref)
    changes: list[Change] = []
    others: list[str] = []
    for path in _changed_paths(index.root, commit):
        language = language_of(path)
        before, after = (_before(index.root, commit, path), _after(index, path)) if language else (None, None)
        found = list(_differences(path, before or (), after or ())) if language else []
        changes += found
        if not found:
            others.append(path)
    return changes, others


def _commit(root: str, ref: str) -> str:
    found = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") if ref else None
    if found is None:
        raise InputError(f"{ref or 'nothing'} is no commit of this repository; HEAD, a branch, a tag or a digest is needed")
    return found.strip()


def _changed_paths(root: str, commit: str) -> list[str]:
    tracked = git(root, "diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", commit, "--")
    untracked = git(root, "ls-files", "-z", "--others", "--exclude-standard")
    if tracked is None or untracked is None:
        raise InputError("git cannot compare the working tree")
    return sorted({path for path in (tracked + untracked).split("\0") if path})


def _before(root: str, commit: str, path: str) -> list[Symbol] | None:
    language = language_of(path)
    text = git(root, "cat-file", "blob", f"{commit}:{path}")
    if text is None or language is None:
        return None
    return list(parsing.parse(text.encode("utf-8", "surrogateescape"), language.name).symbols)


def _after(index: Index, path: str) -> list[Symbol] | None:
    from token_saver_navigator.worker import parsed_file

    return list(parsed_file(index.root, path).symbols)


def _differences(path: str, before: list[Symbol] | tuple[()], after: list[Symbol] | tuple[()]) -> Iterator[Change]:
    old, new = _keyed(before), _keyed(after)
    different = {key for key in old.keys() & new.keys() if old[key].body_hash != new[key].body_hash}
    different |= old.keys() ^ new.keys()
    for key, symbol in new.items():
        if key not in old:
            yield _change(ADDED, path, symbol)
        elif key in different and not _only_inside(key, old[key], symbol, different):
            yield _change(CHANGED, path, symbol)
    for key, symbol in old.items():
        if key not in new:
            yield _change(REMOVED, path, symbol)


def _keyed(symbols: list[Symbol] | tuple[()]) -> dict[tuple[str, int], Symbol]:
    keyed: dict[tuple[str, int], Symbol] = {}
    for symbol in symbols:
        number = 0
        while (symbol.qualified, number) in keyed:
            number += 1
        keyed[symbol.qualified, number] = symbol
    return keyed


def _only_inside(key: tuple[str, int], old: Symbol, new: Symbol, different: set[tuple[str, int]]) -> bool:
    """Tell whether what differs in a symbol differs in what is defined in it."""
    return old.signature == new.signature and any(other[0].startswith(key[0] + ".") for other in different)


def _change(kind: str, path: str, symbol: Symbol) -> Change:
    return Change(kind, path, symbol.line, symbol.end_line, symbol.qualified, symbol.kind, symbol.signature)
