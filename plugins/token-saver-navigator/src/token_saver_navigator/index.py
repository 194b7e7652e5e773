"""The index of one working tree: a SQLite file in the data folder, brought up to date when something is asked.

What is stored of a file is what ``parsing`` makes of it. References stay with the file that refers and are resolved when they
are asked for, so that a change to what they name cannot lose them.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from token_saver import store
from token_saver.errors import StoreError
from token_saver_navigator import parsing
from token_saver_navigator.languages import language_of
from token_saver_navigator.names import words_of
from token_saver_navigator.parsing import FAILED, PARTIAL, SKIPPED, Parsed
from token_saver_navigator.project import Listing, Stamp, listing, read_file
from token_saver_navigator.workers import parsed_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SCHEMA = 1
MOST_TOTAL = 512 << 20
"""Bytes of source in one index; what is beyond is skipped and counted."""
_PATIENCE = 30.0

_TABLES = """
CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language TEXT NOT NULL, size INTEGER NOT NULL,
    mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, inode INTEGER NOT NULL, sha TEXT NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL, lines INTEGER NOT NULL, doc TEXT NOT NULL) STRICT;
CREATE TABLE symbol (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL,
    name TEXT NOT NULL, qualified TEXT NOT NULL, parent INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    line INTEGER NOT NULL, end_line INTEGER NOT NULL, name_line INTEGER NOT NULL, body_line INTEGER NOT NULL,
    body_end INTEGER NOT NULL, signature TEXT NOT NULL, doc TEXT NOT NULL, body_hash TEXT NOT NULL) STRICT;
CREATE INDEX symbol_name ON symbol(name);
CREATE INDEX symbol_file ON symbol(file, position);
CREATE TABLE reference (file INTEGER NOT NULL, symbol INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    qualifier TEXT NOT NULL, lines TEXT NOT NULL) STRICT;
CREATE INDEX reference_name ON reference(name);
CREATE INDEX reference_file ON reference(file, symbol);
CREATE TABLE import (file INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL, target TEXT NOT NULL,
    name TEXT NOT NULL, alias TEXT NOT NULL) STRICT;
CREATE INDEX import_file ON import(file);
CREATE VIRTUAL TABLE words USING fts5(name, place, doc, body, tokenize='porter unicode61');
CREATE TABLE gone (name TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (name, path)) STRICT;
"""
_MOST_GONE = 5000


class Coverage(NamedTuple):
    """How much of a working tree an answer is over."""

    indexed: int
    partial: int
    skipped: dict[str, int]
    failed: dict[str, int]
    unparsed: dict[str, int]
    links: int
    foreign: int

    def told(self) -> str:
        """Return one line that says it."""
        parts = [f"{self.indexed} files indexed"]
        if self.partial:
            parts.append(f"{self.partial} of them with parts that could not be parsed")
        for word, counts in (("skipped", self.skipped), ("failed", self.failed)):
            if counts:
                parts.append(f"{sum(counts.values())} {word} ({'; '.join(f'{count} {why}' for why, count in counts.items())})")
        if self.unparsed:
            most = sorted(self.unparsed.items(), key=lambda item: -item[1])
            names = ", ".join(f"{count} {kind}" for kind, count in most[:4]) + (", …" if len(most) > 4 else "")
            parts.append(f"{sum(self.unparsed.values())} without a parser ({names})")
        if self.links or self.foreign:
            parts.append(f"{self.links} links and {self.foreign} other trees not followed")
        return "; ".join(parts)


def database_path(root: str) -> str:
    """Return where the index of the working tree at *root* is kept."""
    digest = hashlib.blake2b(os.fsencode(os.path.realpath(root)), digest_size=12).hexdigest()
    return os.path.join(store.data_folder(), "navigator", f"{digest}.db")


class Index:
    """The index of the working tree at *root*; close it after use."""

    def __init__(self, root: str, path: str = "") -> None:
        self.root = root
        self.db = store.connect(path or database_path(root), timeout=_PATIENCE)
        self._prepare()
        self.listing = Listing({})

    def close(self) -> None:
        """Close the database."""
        self.db.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        """Make the tables; an index of another version is made anew, because everything in it can be."""
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA:
            raise StoreError(f"the index of {self.root} was written by a newer token-saver-navigator; update this one")
        if version == SCHEMA:
            return
        self.db.execute("BEGIN IMMEDIATE")
        if self.db.execute("PRAGMA user_version").fetchone()[0] < SCHEMA:
            for (name,) in self.db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%fts5%'"
            ).fetchall():
                if not name.startswith(("words_", "sqlite_")):
                    self.db.execute(f"DROP TABLE {name}")
            self.db.execute("DROP TABLE IF EXISTS words")
            for statement in _TABLES.split(";\n"):
                self.db.execute(statement)
            self.db.execute(f"PRAGMA user_version = {SCHEMA}")
        self.db.execute("COMMIT")

    def update(self, progress: Callable[[int, int], None] | None = None, *, processes: int | None = None) -> Coverage:
        """Parse what changed since the last time and forget what is gone; *progress* hears (files done, files to do).

        Raises StoreError when another process indexes for longer than we wait, or the database is damaged.
        """
        self.listing = listing(self.root)
        try:
            return self._updated(progress, processes)
        except sqlite3.Error as error:
            path = self.db.execute("PRAGMA database_list").fetchone()[2]
            reason = "another process writes it; ask again" if "locked" in str(error) else f"{error}; it can be deleted"
            raise StoreError(f"the index {path} cannot be used: {reason}") from error

    def _updated(self, progress: Callable[[int, int], None] | None, processes: int | None) -> Coverage:
        known = {
            row[0]: (row[1], Stamp(*row[2:])) for row in self.db.execute("SELECT path, id, size, mtime, ctime, inode FROM file")
        }
        wanted = {path: stamp for path, stamp in self.listing.files.items() if language_of(path)}
        changed = [path for path, stamp in wanted.items() if path not in known or known[path][1] != stamp]
        gone = [path for path in known if path not in wanted]
        if changed or gone:
            self._write(changed, gone, progress, processes)
        return self.coverage()

    def _write(
        self, changed: list[str], gone: list[str], progress: Callable[[int, int], None] | None, processes: int | None
    ) -> None:
        readable, beyond = self._within_total(changed)
        self.db.execute("BEGIN IMMEDIATE")
        try:
            for path in gone:
                self._forget(path)
            for path in beyond:
                self._remember(path, Parsed(SKIPPED, f"beyond {MOST_TOTAL >> 20} MB in all", "", 0, ""))
            for count, (path, parsed) in enumerate(parsed_files(self.root, readable, self.listing.files, processes), 1):
                self._remember(path, parsed)
                if progress is not None:
                    progress(count, len(readable))
            self.db.execute("COMMIT")
        except BaseException:
            self.db.execute("ROLLBACK")
            raise

    def _within_total(self, changed: list[str]) -> tuple[list[str], list[str]]:
        total = self.db.execute("SELECT coalesce(sum(size), 0) FROM file").fetchone()[0]
        readable: list[str] = []
        beyond: list[str] = []
        for path in changed:
            size = min(self.listing.files[path].size, parsing.MOST_BYTES)
            total += size
            (readable if total <= MOST_TOTAL else beyond).append(path)
        return readable, beyond

    def _remember(self, path: str, parsed: Parsed) -> None:
        """Replace what is known of a file; rows of a file whose content is as it was stay."""
        stamp = self.listing.files[path]
        before = self.db.execute("SELECT id, sha, state FROM file WHERE path = ?", (path,)).fetchone()
        if before and before[1:] == (parsed.sha, parsed.state):
            self.db.execute("UPDATE file SET size = ?, mtime = ?, ctime = ?, inode = ? WHERE id = ?", (*stamp, before[0]))
            return
        if before:
            self._forget(path, {symbol.qualified for symbol in parsed.symbols})
        language = language_of(path)
        assert language is not None
        values = (path, language.name, *stamp, parsed.sha, parsed.state, parsed.reason, parsed.lines, parsed.doc)
        marks = ",".join("?" * len(values))
        names = "path, language, size, mtime, ctime, inode, sha, state, reason, lines, doc"
        file = self.db.execute(f"INSERT INTO file ({names}) VALUES ({marks})", values).lastrowid
        assert file is not None
        self._insert(file, path, parsed)

    def _insert(self, file: int, path: str, parsed: Parsed) -> None:
        first = self.db.execute("SELECT coalesce(max(id), 0) + 1 FROM symbol").fetchone()[0]
        many = self.db.executemany
        rows = ((first + at, file, at, *symbol[:-1]) for at, symbol in enumerate(parsed.symbols))
        many("INSERT INTO symbol VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        place = " ".join(words_of(os.path.splitext(path)[0]))
        words = (
            (
                first + at,
                " ".join(words_of(symbol.name)),
                f"{' '.join(words_of(symbol.qualified))} {place}",
                symbol.doc,
                symbol.words,
            )
            for at, symbol in enumerate(parsed.symbols)
        )
        many("INSERT INTO words (rowid, name, place, doc, body) VALUES (?,?,?,?,?)", words)
        many(
            "INSERT INTO reference VALUES (?,?,?,?,?,?)",
            ((file, each.symbol, *each[:3], each.lines) for each in parsed.references),
        )
        many("INSERT INTO import VALUES (?,?,?,?,?,?)", ((file, *each) for each in parsed.imports))
        many("DELETE FROM gone WHERE path = ? AND name = ?", ((path, symbol.qualified) for symbol in parsed.symbols))

    def _forget(self, path: str, staying: Iterable[str] = ()) -> None:
        """Remove what is known of a file, and note the definitions that are not *staying*."""
        (file,) = self.db.execute("SELECT id FROM file WHERE path = ?", (path,)).fetchone()
        stay = set(staying)
        lost = self.db.execute("SELECT qualified, kind FROM symbol WHERE file = ?", (file,)).fetchall()
        rows = [(qualified, path, kind) for qualified, kind in lost if qualified not in stay]
        self.db.executemany("INSERT OR REPLACE INTO gone VALUES (?,?,?)", rows)
        self.db.execute(f"DELETE FROM gone WHERE rowid <= (SELECT max(rowid) FROM gone) - {_MOST_GONE}")
        self.db.execute("DELETE FROM words WHERE rowid IN (SELECT id FROM symbol WHERE file = ?)", (file,))
        for table in ("symbol", "reference", "import"):
            self.db.execute(f"DELETE FROM {table} WHERE file = ?", (file,))
        self.db.execute("DELETE FROM file WHERE id = ?", (file,))

    def read(self, path: str) -> bytes:
        """Return the content of a file that the index describes exactly; it is parsed again when it changed in between.

        Raises StoreError when the file cannot be read, or changes faster than it can be parsed.
        """
        for _ in range(3):
            data = read_file(self.root, path, parsing.MOST_BYTES + 1)
            row = self.db.execute("SELECT sha FROM file WHERE path = ?", (path,)).fetchone()
            if data is not None and row and row[0] == parsing.sha_of(data):
                return data
            self._touch(path)
            self.update()
        raise StoreError(f"{path} is gone or changes while it is read; ask again")

    def _touch(self, path: str) -> None:
        self.db.execute("UPDATE file SET mtime = -1, sha = '' WHERE path = ?", (path,))

    def coverage(self) -> Coverage:
        """Return how much of the working tree is known."""
        states: dict[str, dict[str, int]] = {}
        for state, reason, count in self.db.execute(
            "SELECT state, reason, count(*) FROM file GROUP BY state, reason ORDER BY 3 DESC"
        ):
            states.setdefault(state, {})[reason] = count
        beyond = {f"beyond {len(self.listing.files):,} files": self.listing.beyond} if self.listing.beyond else {}
        return Coverage(
            sum(count for state in ("ok", PARTIAL) for count in states.get(state, {}).values()),
            sum(states.get(PARTIAL, {}).values()),
            states.get(SKIPPED, {}) | beyond,
            states.get(FAILED, {}),
            self._unparsed(),
            self.listing.links,
            self.listing.foreign,
        )

    def _unparsed(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for path in self.listing.files:
            if not language_of(path):
                extension = os.path.splitext(path)[1] or "no extension"
                counts[extension] = counts.get(extension, 0) + 1
        return counts
