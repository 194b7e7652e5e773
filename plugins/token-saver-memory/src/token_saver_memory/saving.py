"""The one way in: a draft is cleaned, compared, and stored in one transaction."""

from __future__ import annotations

import os
import time
import uuid
from typing import TYPE_CHECKING

from token_saver.errors import InputError
from token_saver_memory import scope as scopes
from token_saver_memory.decide import CONFLICT, NEAR, REFUSED, SAME, SUPERSEDED, Claim, Decision, decide
from token_saver_memory.freshness.anchor import Anchor, anchor_of
from token_saver_memory.kinds import DAY, DENIAL_DAYS, KINDS
from token_saver_memory.text.clean import clean
from token_saver_memory.text.denial import denies_capability
from token_saver_memory.text.signature import signature
from token_saver_memory.text.subject import subject_key
from token_saver_memory.text.words import pieces
from token_saver_memory.values import AGENT, IMPORT, PERSON, TOOL, Draft, Saved, Scope
from token_saver_memory.writing import transaction

if TYPE_CHECKING:
    import sqlite3

LONGEST_TITLE = 200
LONGEST_TEXT = 20_000
_PROVENANCES = (PERSON, AGENT, TOOL, IMPORT)


def save(
    connection: sqlite3.Connection, draft: Draft, scope: Scope, actor: str, session: str, reason: str, uid: str = ""
) -> Saved:
    """Store *draft* in *scope* and return what became of it; raises InputError when it cannot be kept as it is."""
    claim, anchor = prepare(draft, scope, actor)
    with transaction(connection, actor, session, reason):
        decision = decide(connection, claim, actor)
        number = _carry_out(connection, draft, claim, anchor, decision, actor, uid)
    return Saved(decision.kind, number, decision.why + _doubt(claim, scope), decision.other)


def prepare(draft: Draft, scope: Scope, actor: str) -> tuple[Claim, Anchor]:
    """Return the cleaned draft with what it is compared by, and its anchor; raises InputError when it cannot be kept."""
    kind = KINDS.get(draft.type)
    if kind is None:
        raise InputError(f"there is no kind {draft.type!r}; the kinds are {', '.join(KINDS)}")
    if actor not in _PROVENANCES:
        raise InputError(f"{actor!r} cannot save; {', '.join(_PROVENANCES)} can")
    if not 1 <= draft.importance <= 10:
        raise InputError(f"the importance goes from 1 to 10, not {draft.importance}")
    command = draft.type == "command"
    title, body = " ".join(clean(draft.title, command=command).split()), clean(draft.body, command=command)
    why, how = clean(draft.why), clean(draft.how, command=command)
    if not title:
        raise InputError("there is nothing to save: the title is empty, or all of it was private")
    if len(title) > LONGEST_TITLE:
        title, body = title[: LONGEST_TITLE - 1] + "…", body or title
    if len(body) + len(why) + len(how) > LONGEST_TEXT:
        raise InputError(f"an observation holds up to {LONGEST_TEXT:,} characters; say it shorter")
    path = scopes.relative(clean(draft.file_path), scope.top) if scope.top else clean(draft.file_path)
    anchor = anchor_of(scope, clean(draft.symbol), path)
    key = subject_key(clean(draft.subject), anchor.symbol, path, title, titled=kind.titled)
    return Claim(scope, draft.type, title, body, why, how, anchor.symbol, path, key, signature(title, body)), anchor


def _carry_out(
    connection: sqlite3.Connection, draft: Draft, claim: Claim, anchor: Anchor, decision: Decision, actor: str, uid: str
) -> int:
    now = time.time()
    if decision.kind == REFUSED and decision.other is not None:
        return decision.other
    if decision.kind == SAME and decision.other is not None:
        connection.execute("UPDATE item SET seen_at = ? WHERE id = ?", (now, decision.other))
        return decision.other
    number: int = connection.execute("SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'item'").fetchone()[0]
    since = draft.valid_from if draft.valid_from is not None else now
    if decision.kind == SUPERSEDED:
        _retire(connection, decision.other, number, since, now)
    _insert(connection, number, draft, claim, anchor, actor, since, now, uid, disputed=decision.kind == CONFLICT)
    if decision.kind in (CONFLICT, NEAR):
        kind = "contradicts" if decision.kind == CONFLICT else "related"
        connection.execute("INSERT INTO link (src, dst, kind, auto) VALUES (?, ?, ?, 1)", (number, decision.other, kind))
    return number


def _retire(connection: sqlite3.Connection, old: int | None, new: int, since: float, now: float) -> None:
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute(
        "UPDATE item SET retired_at = ?, retired_why = 'superseded', superseded_by = ?, "
        "valid_to = max(valid_from, min(coalesce(valid_to, ?), ?)) WHERE id = ?",
        (now, new, since, since, old),
    )
    connection.execute("INSERT INTO evidence (item_id, kind, detail, at) VALUES (?, 'corrected', ?, ?)", (old, f"#{new}", now))


def _insert(
    connection: sqlite3.Connection,
    number: int,
    draft: Draft,
    claim: Claim,
    anchor: Anchor,
    actor: str,
    since: float,
    now: float,
    uid: str,
    *,
    disputed: bool,
) -> None:
    values = {
        "id": number,
        "uid": uid or uuid.uuid4().hex,
        "project_id": claim.scope.project_id,
        "is_global": int(draft.is_global),
        "type": claim.type,
        "subject_key": None if disputed else claim.subject_key,
        "title": claim.title,
        "body": claim.body,
        "why": claim.why,
        "how": claim.how,
        "symbol": claim.symbol or None,
        "file_path": claim.file_path or None,
        "lang": anchor.lang or None,
        "provenance": actor,
        "importance": draft.importance,
        "decay_immune": int(KINDS[claim.type].immune),
        "review": "disputed" if disputed else "unreviewed",
        "valid_from": since,
        "valid_to": draft.valid_to,
        "recorded_at": now,
        "seen_at": now,
        "expires_at": draft.expires_at if draft.expires_at is not None else _lifetime(claim, now),
        "text_hash": claim.signature.text_hash,
        "values_hash": claim.signature.values_hash,
        "negated": int(claim.signature.negated),
        "anchor_hash": anchor.hash or None,
        "anchor_commit": anchor.commit or None,
        "verdict": "fresh" if anchor.hash else "unknown",
        "verified_at": now if anchor.hash else None,
        "split_ids": split_ids(claim),
    }
    connection.execute(f"INSERT INTO item ({', '.join(values)}) VALUES ({', '.join(f':{name}' for name in values)})", values)


def split_ids(claim: Claim) -> str:
    """Return what is looked for beside the text: the file, the symbol, and the parts of identifiers."""
    parts = pieces(" ".join((claim.title, claim.body, claim.why, claim.symbol, claim.file_path)))
    return " ".join([claim.file_path, claim.symbol, *parts]).strip()[:LONGEST_TEXT]


def _lifetime(claim: Claim, now: float) -> float | None:
    days = KINDS[claim.type].days
    if days is None:
        return None
    if claim.type != "ruled_out" and denies_capability(f"{claim.title} {claim.body}"):
        days = min(days, DENIAL_DAYS)
    return now + days * DAY


def _doubt(claim: Claim, scope: Scope) -> str:
    """Say of a file that is cited that there is none: a claim about what does not exist deserves a look."""
    if claim.file_path and scope.top and not os.path.exists(os.path.join(scope.top, claim.file_path)):
        return f"; there is no file {claim.file_path} now"
    return ""
