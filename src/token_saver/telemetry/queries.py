"""What is asked of the database: sums of one scope, alone or by family, command or day. Nothing here computes what it means."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver import store
from token_saver.errors import StoreError
from token_saver.telemetry import spool
from token_saver.telemetry.intake import SUMS, day, root

if TYPE_CHECKING:
    from collections.abc import Mapping

TODAY, SESSION, PROJECT, ALL = "today", "session", "project", "all"
GROUPS = ("processor", "command", "day", "host")


class Scope(NamedTuple):
    """Which records are meant: ``value`` is a date, a session, the path of a project, or ""."""

    kind: str
    value: str = ""


class Sums(NamedTuple):
    """Sums over records, in the order of ``intake.SUMS``."""

    runs: int
    shortened: int
    original: int
    shown: int
    recalls: int
    gross: int
    host_cut: int
    repeats: int
    escapes: int
    original_tokens: int
    shown_tokens: int
    millis: int

    @property
    def net(self) -> int:
        """The saving after all that has to be taken off (``arithmetic``)."""
        return self.gross - self.host_cut - self.repeats - self.escapes - self.recalls


class Group(NamedTuple):
    """The sums of all records that have the same ``name``."""

    name: str
    sums: Sums


class Mismatch(NamedTuple):
    """How often a processor broke its contract, and on how many characters."""

    processor: str
    command: str
    times: int
    original: int


class Recall(NamedTuple):
    """What was given back by ``kind`` (``recall``, ``escape``) of the outputs of a command, in characters."""

    kind: str
    processor: str
    command: str
    times: int
    characters: int


_SUMMED = ", ".join(f"coalesce(sum({name}), 0)" for name in SUMS)
_COUNTED = "gross, host_cut, repeats, escapes, original_tokens, shown_tokens, millis"
_OF_SESSION = (
    f"SELECT day, '' AS host, processor, command, 1 AS runs, gross > 0 AS shortened, original, shown, 0 AS recalls, {_COUNTED}"
    " FROM savings WHERE session IN ({ids}) AND at BETWEEN {first} AND {last} UNION ALL "
    "SELECT day, '', processor, command, 0, 0, 0, 0, iif(kind = 'recall', characters, 0), 0, 0, 0,"
    " iif(kind = 'escape', characters, 0), 0, 0, 0 FROM recalls WHERE session IN ({ids}) AND at BETWEEN {first} AND {last}"
)


class Statistics:
    """Asks an open database about one scope; raises sqlite3.Error."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope) -> None:
        self._connection = connection
        self._where, self._arguments = _condition(connection, scope)
        self._source = _detail(connection, scope) if scope.kind == SESSION else f"SELECT * FROM daily WHERE {self._where}"
        self._from_daily = () if scope.kind == SESSION else self._arguments

    def sums(self) -> Sums:
        """Return the sums of the scope."""
        row = self._connection.execute(f"SELECT {_SUMMED} FROM ({self._source})", self._from_daily).fetchone()
        return Sums(*row)

    def groups(self, by: str) -> list[Group]:
        """Return the sums by one of ``GROUPS``, in the order of their names."""
        query = f"SELECT {by}, {_SUMMED} FROM ({self._source}) GROUP BY {by} ORDER BY {by}"
        return [Group(str(row[0]), Sums(*row[1:])) for row in self._connection.execute(query, self._from_daily)]

    def mismatches(self) -> list[Mismatch]:
        """Return the broken contracts, the most frequent first."""
        query = (
            f"SELECT processor, command, count(*), sum(original) FROM mismatches WHERE {self._where}"
            " GROUP BY processor, command ORDER BY count(*) DESC, processor, command"
        )
        return [Mismatch(*row) for row in self._connection.execute(query, self._arguments)]

    def recalls(self) -> list[Recall]:
        """Return what was brought back, the largest first."""
        query = (
            f"SELECT kind, processor, command, count(*), sum(characters) FROM recalls WHERE {self._where}"
            " GROUP BY kind, processor, command ORDER BY sum(characters) DESC, kind, processor, command"
        )
        return [Recall(*row) for row in self._connection.execute(query, self._arguments)]


def since(connection: sqlite3.Connection) -> str:
    """Return the first day that something is known of, "" when nothing is."""
    return str(connection.execute("SELECT coalesce(min(day), '') FROM daily").fetchone()[0])


def today() -> str:
    """Return today's date, as records are dated."""
    from time import time_ns

    return day(time_ns())


def session_line(settings: Mapping[str, Any], cwd: str, folder: str = "") -> str:
    """Return one line about what was saved in the project of *cwd*, for the start of a session; "" when there is nothing to say.

    It only reads, with the standard library alone, and gives up at once where it would have to wait. What is still in the spool
    is taken in apart, for the next session. *folder* is the data folder, "" for the user's own.
    """
    if not settings["telemetry_enabled"]:
        return ""
    if not folder:
        folder = store.data_folder()
        _take_in_apart(folder)
    from token_saver.telemetry.arithmetic import tokens
    from token_saver.telemetry.tracker import FILE

    try:
        with closing(store.connect_read_only(f"{folder}/{FILE}", timeout=0.1)) as connection:
            found = Statistics(connection, Scope(PROJECT, root(cwd))).sums()
            first = since(connection)
    except (StoreError, sqlite3.Error):
        return ""
    saved = tokens(found.net, float(settings["chars_per_token"]))
    if saved <= 0:
        return ""
    return f"Token-Saver: about {saved:,} tokens less to read in this project since {first}, net of what was asked for again"


def _take_in_apart(folder: str) -> None:
    if not os.path.exists(f"{folder}/{spool.FILE}"):
        return
    from token_saver.telemetry.apart import take_in_apart

    try:
        take_in_apart()
    except (OSError, NotImplementedError):
        return


def _condition(connection: sqlite3.Connection, scope: Scope) -> tuple[str, tuple[Any, ...]]:
    if scope.kind == TODAY:
        return "day = ?", (scope.value,)
    if scope.kind == PROJECT:
        found = connection.execute("SELECT id FROM projects WHERE path = ?", (scope.value,)).fetchone()
        return "project = ?", (-1 if found is None else found[0],)
    if scope.kind == SESSION:
        return f"session IN ({_ids(connection, scope)[0]})", ()
    return "1", ()


def _detail(connection: sqlite3.Connection, scope: Scope) -> str:
    ids, first, last = _ids(connection, scope)
    return _OF_SESSION.format(ids=ids, first=first, last=last)


def _ids(connection: sqlite3.Connection, scope: Scope) -> tuple[str, int, int]:
    """Return the numbers of the sessions of that name, one a host, and from when to when they were."""
    rows = connection.execute("SELECT id, first_seen, last_seen FROM sessions WHERE name = ?", (scope.value,)).fetchall()
    if not rows:
        return "-1", 0, -1
    return ", ".join(str(row[0]) for row in rows), min(row[1] for row in rows), max(row[2] for row in rows)
