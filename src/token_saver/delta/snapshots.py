"""How the snapshot of a run is written down, and in which runs it may be looked for.

A payload is one JSON object: ``schema``, ``status``, ``family``, ``summary``, ``diagnostics`` (each a list of identifier,
summary, detail, location and name), ``passed`` and ``context``.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from token_saver import __version__
from token_saver.diagnostics import Diagnostic, Snapshot
from token_saver.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = 1
MOST_BYTES = 1 << 20
MOST_DIAGNOSTICS = 500
FILE = "delta.sqlite3"

_FIELDS = 5


def scope(session: str, folder: str, command: str, family: str) -> str:
    """Return the name of the runs that can be compared: the same session, real working directory, command and family."""
    parts = [SCHEMA, __version__, session, folder, command, family]
    return sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()


def encoded(snapshot: Snapshot, status: int | None) -> bytes:
    """Return the payload of *snapshot*; raises StoreError when it is too large to be kept."""
    if len(snapshot.diagnostics) > MOST_DIAGNOSTICS:
        raise StoreError(f"{len(snapshot.diagnostics)} findings are more than the {MOST_DIAGNOSTICS} of one run that are kept")
    document = {
        "schema": SCHEMA,
        "status": status,
        "family": snapshot.family,
        "summary": snapshot.summary,
        "diagnostics": [[one.identifier, one.summary, one.detail, one.location, one.name] for one in snapshot.diagnostics],
        "passed": list(snapshot.passed),
        "context": snapshot.context,
    }
    payload = json.dumps(document, separators=(",", ":")).encode()
    if len(payload) > MOST_BYTES:
        raise StoreError(f"a run of {len(payload)} bytes is more than the {MOST_BYTES} that are kept")
    return payload


def decoded(payload: bytes) -> tuple[Snapshot, int | None]:
    """Return the snapshot and the exit status of the run; raises StoreError when *payload* is not what ``encoded`` makes."""
    try:
        document: dict[str, Any] = json.loads(payload)
        if document["schema"] != SCHEMA:
            raise StoreError(f"a kept run has the schema {document['schema']}, this version reads {SCHEMA}")
        diagnostics = tuple(_diagnostic(fields) for fields in document["diagnostics"])
        texts = [document["family"], document["summary"], document["context"], *document["passed"]]
        status = document["status"]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError("a kept run is damaged") from error
    if not all(isinstance(text, str) for text in texts) or not (status is None or isinstance(status, int)):
        raise StoreError("a kept run is damaged")
    family, summary, context, *passed = texts
    return Snapshot(family, summary, diagnostics, tuple(passed), context), status


def _diagnostic(fields: Sequence[str]) -> Diagnostic:
    if len(fields) != _FIELDS or not all(isinstance(field, str) for field in fields):
        raise ValueError("not a finding")
    identifier, summary, detail, location, name = fields
    return Diagnostic(identifier, summary, detail, location=location, name=name)
