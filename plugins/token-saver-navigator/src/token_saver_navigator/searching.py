"""Search over split names, places, docstrings and bodies: BM25 over weighted columns, then what names and words tell.

BM25 is SQLite's own (FTS5, k1 = 1.2, b = 0.75; https://www.sqlite.org/fts5.html#the_bm25_function).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError
from token_saver.shell.script import names
from token_saver_navigator.answers import Answer
from token_saver_navigator.names import words_of
from token_saver_navigator.outlines import as_data, heading
from token_saver_navigator.project import is_test
from token_saver_navigator.resolution import FIELDS, Definition

if TYPE_CHECKING:
    from token_saver_navigator.index import Index

WEIGHTS = (5.0, 2.0, 6.0, 2.0)
"""Of a word in the name, in the names around it and its path, in the docstring, in the body."""
_BEGINNING = 300
_CANDIDATES = 300
_WIDTH = len(Definition._fields)
MOST_RESULTS = 50
_STOP = names(
    "an and are as at be by can could do does for from has have how in into is it its of on or our so that the their them then"
    " there these they this to was we what when where which while who why will with you your me my code function method class"
    " find show piece part place"
)
_MEMBERS = frozenset({"variable", "constant", "attribute", "field"})


class Hit(NamedTuple):
    """A definition that was found; more is better."""

    definition: Definition
    score: float


def search(index: Index, words: str, coverage: str, *, limit: int = 10) -> Answer:
    """Return the definitions that *words* describe best."""
    hits = ranked(index, words)
    shown = hits[: max(1, min(limit, MOST_RESULTS))]
    lines = [f"{heading(each.definition)}{_doc(each.definition)}" for each in shown]
    notes = [f"{len(hits) - len(shown)} more match less well"] if len(hits) > len(shown) else []
    if not hits:
        notes = [f"nothing in names, docstrings and bodies matches {words!r}"]
    data = {"words": words, "results": [{**as_data(each.definition), "score": round(each.score, 3)} for each in shown]}
    return Answer(lines, data, coverage, tuple(notes))


def _doc(definition: Definition) -> str:
    first = definition.doc.strip().split("\n", 1)[0]
    return f"  — {first[:100]}" if first else ""


def ranked(index: Index, words: str) -> list[Hit]:
    """Return what matches, best first; raises InputError when there is no word to look for."""
    every = list(dict.fromkeys(words_of(words)))
    terms = [word for word in every if word not in _STOP] or every
    if not terms:
        raise InputError("words are needed, for example: parse content type header")
    match = " OR ".join(f'"{term}"' for term in terms)
    weights = ", ".join(map(str, WEIGHTS))
    query = (
        f"SELECT {FIELDS}, words.name, -bm25(words, {weights}) FROM words JOIN symbol ON symbol.id = words.rowid"
        f" JOIN file ON file.id = symbol.file WHERE words MATCH ? ORDER BY bm25(words, {weights}) LIMIT {_CANDIDATES}"
    )
    rows = index.db.execute(query, (match,)).fetchall()
    hits = [
        Hit(definition := Definition(*row[:_WIDTH]), row[_WIDTH + 1] * _worth(definition, row[_WIDTH].split(), terms))
        for row in rows
    ]
    return sorted(hits, key=lambda hit: -hit.score)


def _worth(definition: Definition, name: list[str], terms: list[str]) -> float:
    """Return by how much a hit is worth more than its words.

    What counts is how much of its name was asked for, how much of what was asked for its name and the beginning of its
    docstring say, and what it is. The factors were chosen on ``benchmarks/search_questions.toml``.
    """
    asked = {_stem(term) for term in terms}
    said = {_stem(word) for word in words_of(f"{definition.qualified} {definition.doc[:_BEGINNING]}")}
    worth = (1 + 0.6 * sum(_stem(word) in asked for word in name) / max(1, len(name))) * (1 + 2 * len(asked & said) / len(asked))
    if definition.kind in _MEMBERS:
        worth *= 0.6
    if definition.name.startswith("_"):
        worth *= 0.8
    if definition.doc:
        worth *= 1.1
    is_about_tests = any(term.startswith("test") for term in terms)
    return worth * (1 if is_about_tests or not (is_test(definition.path) or definition.name.startswith("test")) else 0.5)


def _stem(word: str) -> str:
    """Return a word without the commonest endings, so that ``parsing`` and ``parse`` meet."""
    for end in ("ing", "ed", "es", "s", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word
