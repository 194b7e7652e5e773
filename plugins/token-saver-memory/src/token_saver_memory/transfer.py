"""Observations as Markdown files, one each, to read, to keep in git, and to take in again without a loss.

The head holds one ``name: value`` a line, the value in JSON; then come the title, the body, and the reason and the way under
comments that mark them. Format of our own, version 1.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from token_saver.errors import InputError
from token_saver_memory import saving
from token_saver_memory.kinds import KINDS
from token_saver_memory.records import versions
from token_saver_memory.text.words import tokens
from token_saver_memory.values import IMPORT, Draft, Saved, Scope

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from token_saver_memory.memory import Memory
    from token_saver_memory.records import Version

FORMAT = 1
_FENCE = "---"
_SECTIONS = ("why", "how")
_MARK = re.compile(r"^<!-- (\\*)(why|how) -->$", re.MULTILINE)
_UNSAFE = re.compile(r"[^\w-]+")
_LONGEST_FILE = 400_000


def export(connection: sqlite3.Connection, scope: Scope | None, folder: str) -> list[str]:
    """Write every current row of *scope* (all projects' when None) into *folder*; return the files."""
    where = "retired_at IS NULL" + ("" if scope is None else " AND project_id = ?")
    found = versions(connection, where, () if scope is None else (scope.project_id,))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return [_write(folder, version, _subject(connection, version.row.id)) for version in found]


def _write(folder: str, version: Version, subject: str) -> str:
    name = _UNSAFE.sub("-", "-".join([version.row.type, *tokens(version.row.title)[:6]]))[:60]
    path = os.path.join(folder, f"{name}-{version.row.uid[:8]}.md")
    with open(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w", encoding="utf-8", newline=""
    ) as file:
        file.write(markdown(version, subject))
    return path


def _subject(connection: sqlite3.Connection, number: int) -> str:
    found = connection.execute("SELECT subject_key FROM item WHERE id = ?", (number,)).fetchone()[0] or ""
    return found.removeprefix("named: ") if found.startswith("named: ") else ""


def markdown(version: Version, subject: str) -> str:
    """Return one row as Markdown."""
    row = version.row
    head: dict[str, Any] = {
        "format": FORMAT,
        "uid": row.uid,
        "type": row.type,
        "subject": subject,
        "symbol": row.symbol,
        "file": row.file_path,
        "importance": row.importance,
        "global": row.is_global,
        "review": row.review,
        "by": row.provenance,
        "valid_from": row.valid_from,
        "valid_to": version.valid_to,
        "expires_at": row.expires_at,
    }
    lines = [
        _FENCE,
        *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items() if value not in ("", None)),
    ]
    parts = ["\n".join([*lines, _FENCE]), f"# {row.title}", _escaped(row.body)]
    parts += [f"<!-- {name} -->\n{_escaped(text)}" for name, text in zip(_SECTIONS, (row.why, row.how), strict=True) if text]
    return "\n\n".join(part for part in parts if part) + "\n"


def _escaped(text: str) -> str:
    return _MARK.sub(r"<!-- \\\1\2 -->", text)


def parse(text: str, place: str) -> dict[str, Any]:
    """Return the fields of one Markdown file; raises InputError that names *place* when it is not of this format."""
    head, fence, rest = text.removeprefix(_FENCE + "\n").partition(f"\n{_FENCE}\n")
    if not text.startswith(_FENCE + "\n") or not fence:
        raise InputError(f"{place} has no head between lines of ---")
    fields: dict[str, Any] = {}
    for line in head.splitlines():
        name, colon, value = line.partition(": ")
        try:
            fields[name] = json.loads(value)
        except ValueError as error:
            raise InputError(
                f"{place}: {name} has no value in JSON" if colon else f"{place}: {line!r} is no 'name: value'"
            ) from error
    if fields.get("format") != FORMAT:
        raise InputError(f"{place} is of format {fields.get('format')}, this release reads {FORMAT}")
    title, _, body = rest.strip("\n").partition("\n")
    if not title.startswith("# "):
        raise InputError(f"{place} has no title: a line that starts with '# '")
    return fields | {"title": title[2:]} | _sections(body)


def _sections(body: str) -> dict[str, str]:
    found: dict[str, list[str]] = {"body": []}
    name = "body"
    for line in body.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark and not mark[1]:
            name = mark[2]
            found[name] = []
        else:
            found[name].append(_MARK.sub(lambda hit: f"<!-- {hit[1][1:]}{hit[2]} -->", line))
    return {key: "\n".join(lines).strip("\n") for key, lines in found.items()}


def take_in(memory: Memory, scope: Scope | None, paths: Iterable[str], session: str = "") -> Iterator[tuple[str, Saved]]:
    """Save what each file of *paths* (folders: their ``.md`` files) holds, like any other capture; yield what became of it."""
    for path in _files(paths):
        fields = parse(_read(path), path)
        draft = _draft(fields, scope, path)
        if draft.scope is None and not draft.is_global:
            raise InputError(f"{path} belongs to a project, and this folder is none")
        uid = str(fields.get("uid", ""))
        known = memory.connection.execute("SELECT 1 FROM item WHERE uid = ?", (uid,)).fetchone()
        place = draft.scope or memory.everywhere()
        yield (
            path,
            saving.save(memory.connection, draft, place, IMPORT, session, f"from {os.path.basename(path)}", "" if known else uid),
        )


def _draft(fields: dict[str, Any], scope: Scope | None, path: str) -> Draft:
    kind = fields.get("type")
    if kind not in KINDS:
        raise InputError(f"{path}: there is no kind {kind!r}")
    try:
        return Draft(
            scope,
            kind,
            fields["title"],
            fields["body"],
            fields.get("why", ""),
            fields.get("how", ""),
            subject=str(fields.get("subject", "")),
            symbol=str(fields.get("symbol", "")),
            file_path=str(fields.get("file", "")),
            importance=int(fields.get("importance", 5)),
            is_global=bool(fields.get("global", False)),
            valid_from=_number(fields.get("valid_from")),
            valid_to=_number(fields.get("valid_to")),
            expires_at=_number(fields.get("expires_at")),
        )
    except (TypeError, ValueError) as error:
        raise InputError(f"{path}: {error}") from error


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _files(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isdir(path):
            yield from (os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(".md"))
        else:
            yield path


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read(_LONGEST_FILE)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
