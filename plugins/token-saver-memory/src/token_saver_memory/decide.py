"""What becomes of a draft, in the order of the questions; every answer is reached by real texts.

1. Was it forgotten here before? Then it is refused.
2. Is the same text there? Then nothing is added.
3. Is there a current value of the subject? An equal one stays; another gives way, unless a person laid it down as a rule
   and somebody else speaks: then the newcomer is kept as disputed.
4. Does it deny a person's rule? Then it is kept as disputed.
5. Does it resemble another subject's text? Then it is kept and linked.
6. Otherwise it is new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.searching import match_expression, question
from token_saver_memory.text.signature import Signature, equal, likeness, near, signature, unpacked
from token_saver_memory.values import PERSON, Scope

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

REFUSED, SAME, SUPERSEDED, CONFLICT, NEAR, NEW = "refused", "same", "superseded", "conflict", "near", "new"
_CANDIDATES = 50
_RAREST = 4
_MOST_MATCHES = 300
_FEWEST_RULE_WORDS = 2


class Claim(NamedTuple):
    """A cleaned draft with what it is compared by."""

    scope: Scope
    type: str
    title: str
    body: str
    why: str
    how: str
    symbol: str
    file_path: str
    subject_key: str | None
    signature: Signature


class Known(NamedTuple):
    """A row that a claim is compared with."""

    id: int
    title: str
    body: str
    why: str
    how: str
    by_person: bool

    @property
    def signature(self) -> Signature:
        """The signature of its text."""
        return signature(self.title, self.body)


class Decision(NamedTuple):
    """*kind* is one of the six; *other* the row (for ``refused`` the forgotten one), *why* says it to who saves."""

    kind: str
    other: int | None
    why: str


def decide(connection: sqlite3.Connection, claim: Claim, actor: str) -> Decision:
    """Return what becomes of *claim*; reads only."""
    stone = _tombstone(connection, claim)
    if stone:
        number, item, reason = stone
        said = f" ({reason})" if reason else ""
        return Decision(
            REFUSED, item, f"refused: #{item} was forgotten{said}, tombstone {number}; `memory restore {item}` lifts it"
        )
    twin = _twin(connection, claim)
    if twin and _adds_nothing(claim, twin):
        return Decision(SAME, twin.id, f"same as #{twin.id}")
    current = twin or _current(connection, claim)
    if current:
        return _against_current(claim, current, actor)
    rule = _denied_rule(connection, claim, actor)
    if rule:
        return Decision(CONFLICT, rule.id, _conflict(rule))
    other = next((known for known in _alike(connection, claim) if near(known.signature, claim.signature)), None)
    if other:
        return Decision(NEAR, other.id, f"saved; it resembles #{other.id}, to which it is linked")
    return Decision(NEW, None, "saved")


def _against_current(claim: Claim, current: Known, actor: str) -> Decision:
    if equal(current.signature, claim.signature) and _adds_nothing(claim, current):
        return Decision(SAME, current.id, f"same as #{current.id}")
    if current.by_person and actor != PERSON and claim.type in RULES:
        return Decision(CONFLICT, current.id, _conflict(current))
    return Decision(SUPERSEDED, current.id, f"saved; it takes the place of #{current.id}")


def _adds_nothing(claim: Claim, known: Known) -> bool:
    return claim.why in ("", known.why) and claim.how in ("", known.how)


def _conflict(rule: Known) -> str:
    return (
        f"saved as disputed: a person's rule #{rule.id} says otherwise; a person decides with `memory confirm` or `memory forget`"
    )


RULES = ("guardrail", "convention")
_BY_PERSON = "(provenance = 'user' OR review = 'confirmed')"
_KNOWN = f"SELECT id, title, body, why, how, {_BY_PERSON} FROM item WHERE retired_at IS NULL"


def _tombstone(connection: sqlite3.Connection, claim: Claim) -> tuple[int, int, str] | None:
    """Return number, item and reason of the tombstone that *claim* lies under; whatever kind it has now."""
    mine = claim.signature
    found = connection.execute(
        "SELECT id, item_id, reason, text_hash, words FROM tombstone WHERE revoked_at IS NULL "
        "AND (project_id = ? OR project_id IS NULL) AND (text_hash = ? OR (values_hash = ? AND negated = ?)) ORDER BY id",
        (claim.scope.project_id, mine.text_hash, mine.values_hash, mine.negated),
    )
    for number, item, reason, text_hash, words in found:
        # Two texts without a word have nothing in common; the hash of the whole text decides alone.
        if text_hash == mine.text_hash or (mine.words and likeness(unpacked(words), mine.words) >= 0.6):
            return number, item, reason
    return None


def _twin(connection: sqlite3.Connection, claim: Claim) -> Known | None:
    return _first(
        connection,
        "type = ? AND project_id = ? AND text_hash = ? AND symbol IS ? AND file_path IS ?",
        (claim.type, claim.scope.project_id, claim.signature.text_hash, claim.symbol or None, claim.file_path or None),
    )


def _current(connection: sqlite3.Connection, claim: Claim) -> Known | None:
    return _first(
        connection,
        "type = ? AND project_id = ? AND subject_key = ?",
        (claim.type, claim.scope.project_id, claim.subject_key),
    )


def _denied_rule(connection: sqlite3.Connection, claim: Claim, actor: str) -> Known | None:
    """Return the person's rule about the words of *claim* that allows what it forbids, or forbids what it allows."""
    if actor == PERSON:
        return None
    rules = _known(
        connection,
        f"type IN {RULES} AND {_BY_PERSON} AND (project_id = ? OR is_global = 1) AND review <> 'disputed'",
        (claim.scope.project_id,),
    )
    for rule in rules:
        said = signature(rule.title)
        about = len(said.words) >= _FEWEST_RULE_WORDS and said.words <= claim.signature.words
        if about and said.negated != claim.signature.negated:
            return rule
    return None


def _alike(connection: sqlite3.Connection, claim: Claim) -> Iterator[Known]:
    """Yield rows of the kind and project with the same values and denial that share the rarest words with *claim*."""
    mine = claim.signature
    asked = question(connection, f"{claim.title} {claim.body}")
    rarest = match_expression(asked.terms[:_RAREST], claim.scope, asked.total, _MOST_MATCHES)
    yield from _known(
        connection,
        "project_id = ? AND type = ? AND values_hash = ? AND negated = ? AND "
        "id IN (SELECT rowid FROM item_fts WHERE item_fts MATCH ? ORDER BY rank LIMIT ?)",
        (claim.scope.project_id, claim.type, mine.values_hash, mine.negated, rarest, _CANDIDATES),
    )


def _first(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> Known | None:
    return next(_known(connection, where, values), None)


def _known(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> Iterator[Known]:
    return (Known(*row) for row in connection.execute(f"{_KNOWN} AND {where} ORDER BY id", values))
