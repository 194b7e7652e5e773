"""Finding rows by words: full-text search in which any text is data, and a floor below which nothing is an answer.

The index stems English and folds case and accents; identifiers are split when stored and when asked for. A row enters the
answer when it shares an identifier, path or number with the question, when two of its words carry enough of what the
question asks, or when one rare word does. Words of the question that no row has count as asked and not found.
"""

from __future__ import annotations

import math
import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.reading import COLUMNS, of_types, row_of
from token_saver_memory.text.words import NEGATIONS, STOP_WORDS, is_value, pieces, stems, tokens

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from token_saver_memory.values import Row, Scope

MOST_TERMS = 24
MOST_MATCHES = 12_000
POOL = 60

MODEL = "words 1"
"""Names this way to search; a calibration of another one does not count."""
FLOOR_SHARE = 0.25
"""Of the weight of the question, two words or more must carry this much (measured on the set in tests/retrieval)."""
SINGLE = 1.2
"""One word alone must carry this many times as much."""
FLOOR_WORDS = 4
"""So many different words are enough in a question of any length."""

_GRAMMAR = STOP_WORDS | NEGATIONS | {"don", "didn", "doesn", "isn", "aren", "won", "ve", "ll", "re", "qu"}
_RUN = re.compile(r"[^\W_]+")
_ON, _OFF = "\x02", "\x03"
_MARKED = re.compile(f"{_ON}(.*?){_OFF}", re.DOTALL)


class Term(NamedTuple):
    """One word of a question: as it was asked, its *stem* in the index, in how many rows it is, what finding it is worth.

    An *exact* one (a number, a name in a path, an identifier) is an answer by itself.
    """

    word: str
    stem: str
    rows: int
    weight: float
    exact: bool


class Question(NamedTuple):
    """The words that are looked for, and the weight of all that were asked."""

    terms: list[Term]
    weight: float


def question(connection: sqlite3.Connection, text: str) -> Question:
    """Return what *text* asks for: its rarest words that any row has."""
    total = connection.execute("SELECT coalesce(max(id), 0) FROM item").fetchone()[0]
    exact = set(stems(part for token in tokens(text) if is_value(token) for part in _RUN.findall(token) if _telling(token, part)))
    found: list[Term] = []
    for stem, word in _words_of(text).items():
        row = connection.execute("SELECT doc FROM item_terms WHERE term = ?", (stem,)).fetchone()
        rows = row[0] if row else 0
        found.append(Term(word, stem, rows, math.log1p(max(total, 1) / (rows + 0.5)), stem in exact))
    found.sort(key=lambda term: -term.weight)
    return Question([term for term in found if term.rows][:MOST_TERMS], sum(term.weight for term in found))


def _words_of(text: str) -> dict[str, str]:
    """Return the words of *text* that are looked for, by their stems; a stem of a stem may be another word's."""
    runs = _runs(text)
    plain = [run for run in runs if run not in _GRAMMAR]
    words = [*plain, *(piece for piece in pieces(text) if piece not in _GRAMMAR)] or runs
    found: dict[str, str] = {}
    for stem, word in zip(stems(words), words, strict=True):
        found.setdefault(stem, word)
    return dict(islice(found.items(), MOST_TERMS * 8))


def _runs(text: str) -> list[str]:
    """Return the words as the index sees them, which does not fold ``ß``."""
    return _RUN.findall(unicodedata.normalize("NFKC", text).lower())


def _telling(value: str, part: str) -> bool:
    """Tell whether *part* of a value (a number, a name in a path) is telling by itself; an ending like ``py`` is not."""
    return len(part) > 3 or part == value or (part.isdecimal() and len(part) > 1)


def search(
    connection: sqlite3.Connection,
    scope: Scope | None,
    text: str,
    limit: int,
    types: Sequence[str] = (),
    *,
    floor: float | None = None,
) -> list[Row]:
    """Return the visible rows of *scope* that answer *text*, best first, with their scores (higher is better).

    *floor* is the share of the question's weight that an answer must carry (default: the calibrated one, else the shipped).
    """
    asked = question(connection, text)
    if not asked.terms or limit < 1:
        return []
    share = _floor(connection) if floor is None else floor
    wanted = match_expression(asked.terms, scope)
    pool = max(POOL, 2 * limit)
    while True:
        found, seen = _matches(connection, wanted, scope, types, pool)
        answers = [row for row, marked in found if passes(asked, marked, share)]
        if len(answers) >= limit or seen < pool or pool > POOL * 64:
            return answers[:limit]
        pool *= 8


def match_expression(terms: Iterable[Term], scope: Scope | None) -> str:
    """Return the full-text expression for rows of *scope* with one of *terms*; common words are left to rarer ones."""
    chosen: list[str] = []
    rows = 0
    for term in sorted(terms, key=lambda term: term.rows):
        rows += term.rows
        if chosen and rows > MOST_MATCHES:
            break
        chosen.append(f'"{term.word}"')
    projects = f'("p{scope.project_id}" OR "pall")' if scope else '"pall"'
    return f"scope_key : {projects} AND {{title body why split_ids}} : ({' OR '.join(chosen)})"


def _matches(
    connection: sqlite3.Connection, wanted: str, scope: Scope | None, types: Sequence[str], pool: int
) -> tuple[list[tuple[Row, str]], int]:
    """Return the best *pool* matches that are visible, each with its marked text, and how many there were in all."""
    terms, values = of_types(types)
    marked = " || ' ' || ".join(f"coalesce(highlight(item_fts, {column}, '{_ON}', '{_OFF}'), '')" for column in range(4))
    ranked = connection.execute(
        f"SELECT rowid, rank, {marked} FROM item_fts WHERE item_fts MATCH ? ORDER BY rank LIMIT ?", (wanted, pool)
    ).fetchall()
    scores = {number: (rank, text) for number, rank, text in ranked}
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM visible_item WHERE id IN ({','.join('?' * len(scores))}) "
        f"AND (project_id = ? OR is_global = 1) AND {terms}",
        (*scores, scope.project_id if scope else -1, *values),
    )
    found = [(row_of(row, -scores[row[0]][0]), scores[row[0]][1]) for row in rows]
    return sorted(found, key=lambda pair: -pair[0].score), len(ranked)


def _floor(connection: sqlite3.Connection) -> float:
    found = connection.execute("SELECT floor FROM calibration WHERE model = ?", (MODEL,)).fetchone()
    return found[0] if found else FLOOR_SHARE


def passes(asked: Question, marked: str, floor: float) -> bool:
    """Tell whether a row whose matching words are marked in *marked* is above the floor."""
    surface = [word for hit in _MARKED.findall(marked) for word in _runs(hit)]
    hit = set(stems(surface))
    matched = [term for term in asked.terms if term.stem in hit]
    if any(term.exact for term in matched):
        return True
    share = sum(term.weight for term in matched) / asked.weight
    return len(matched) >= FLOOR_WORDS or share >= floor * (1 if len(matched) > 1 else SINGLE)


def rollups(connection: sqlite3.Connection, scope: Scope | None, text: str, limit: int) -> list[tuple[str, str, float]]:
    """Return the summaries of sessions of *scope* that have a word of *text*: session, text, time."""
    words = list(_words_of(text).values())[:MOST_TERMS]
    if not words or scope is None:
        return []
    asked = " OR ".join(f'"{word}"' for word in words)
    found = connection.execute(
        "SELECT session_id, rollup.request, rollup.investigated, rollup.learned, rollup.completed, rollup.next_steps, "
        "rollup.notes, at FROM rollup_fts JOIN rollup ON rollup.id = rollup_fts.rowid WHERE rollup_fts MATCH ? "
        "ORDER BY rank LIMIT ?",
        (f'scope_key : "p{scope.project_id}" AND {{request investigated learned completed next_steps notes}} : ({asked})', limit),
    )
    return [(row[0], "\n".join(part for part in row[1:7] if part), row[7]) for row in found]
