"""Finding rows by words: full-text search in which any text is data, and a floor below which nothing is an answer.

The index stems English and folds case and accents; identifiers are split when stored and when asked for. A row enters the
answer when it shares an identifier, path or number with the question, when two of its words carry enough of what the
question asks, or when one rare word does. Words of the question that no row has count as asked and not found.
"""

from __future__ import annotations

import math
import re
import unicodedata
from itertools import accumulate, combinations, islice
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.reading import COLUMNS, of_types, row_of
from token_saver_memory.text.words import NEGATIONS, STOP_WORDS, is_value, pieces, stems, tokens

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from token_saver_memory.values import Row, Scope

MOST_TERMS = 24
MOST_MATCHES = 1_500
_COMMON = 5
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
    """The words that are looked for, the weight of all that were asked, and how many rows there are."""

    terms: list[Term]
    weight: float
    total: int


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
    return Question([term for term in found if term.rows][:MOST_TERMS], sum(term.weight for term in found), total)


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
    wanted = match_expression(asked.terms, scope, asked.total)
    pool = max(POOL, 2 * limit)
    while True:
        found, seen = _matches(connection, wanted, scope, types, pool)
        answers = [row for row, text in found if passes(asked, text, share)]
        # Only rows that are hidden make it worth to look further down; what is above the floor ranks high.
        if len(found) >= limit or seen < pool:
            return answers[:limit]
        pool *= 8


def match_expression(terms: Sequence[Term], scope: Scope | None, total: int, most: int = MOST_MATCHES) -> str:
    """Return the full-text expression for rows of *scope* with a rare one of *terms*, or with two that are common.

    Ranking takes time for every row that matches, so about *most* of the *total* rows are let in.
    """
    rarest = sorted(terms, key=lambda term: term.rows)
    alone = [term for term, rows in zip(rarest, accumulate(term.rows for term in rarest), strict=True) if rows <= most]
    chosen = [f'"{term.word}"' for term in alone]
    room = most - sum(term.rows for term in alone)
    for one, other in combinations(rarest[len(alone) :][:_COMMON], 2):
        room -= one.rows * other.rows // max(total, 1)
        if room >= 0:
            chosen.append(f'("{one.word}" AND "{other.word}")')
    if not chosen:
        chosen = [f'"{term.word}"' for term in rarest[:1]] or ['""']
    projects = f'("p{scope.project_id}" OR "pall")' if scope else '"pall"'
    return f"scope_key : {projects} AND {{title body why split_ids}} : ({' OR '.join(chosen)})"


def _matches(
    connection: sqlite3.Connection, wanted: str, scope: Scope | None, types: Sequence[str], pool: int
) -> tuple[list[tuple[Row, str]], int]:
    """Return the best *pool* matches that are visible, each with all of its text, and how many matched at all."""
    terms, values = of_types(types)
    ranked = connection.execute("SELECT rowid, rank FROM item_fts WHERE item_fts MATCH ? ORDER BY rank LIMIT ?", (wanted, pool))
    scores: dict[int, float] = dict(ranked.fetchall())
    rows = connection.execute(
        f"SELECT split_ids, {COLUMNS} FROM visible_item WHERE id IN ({','.join('?' * len(scores))}) "
        f"AND (project_id = ? OR is_global = 1) AND {terms}",
        (*scores, scope.project_id if scope else -1, *values),
    )
    found = [(row_of(row[1:], -scores[row[1]]), row[0]) for row in rows]
    texts = [(row, " ".join((row.title, row.body, row.why, parts))) for row, parts in found]
    return sorted(texts, key=lambda pair: -pair[0].score), len(scores)


def _floor(connection: sqlite3.Connection) -> float:
    found = connection.execute("SELECT floor FROM calibration WHERE model = ?", (MODEL,)).fetchone()
    return found[0] if found else FLOOR_SHARE


def passes(asked: Question, text: str, floor: float) -> bool:
    """Tell whether a row with this *text* is above the floor."""
    words = set(stems(_runs(text)))
    matched = [term for term in asked.terms if term.stem in words]
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
