"""The values that go in and come out of the memory."""

from __future__ import annotations

from typing import NamedTuple

URI_PREFIX = "memory://item/"

PERSON, AGENT, TOOL, IMPORT, SYSTEM = "user", "agent", "tool", "import", "system"
"""Who writes. Only ``user`` may retire what a user laid down, confirm and dispute."""


class Scope(NamedTuple):
    """One project, as it was resolved from a folder.

    *identity* is the real path of git's common folder (or of the folder itself without git), *top* the top of this
    checkout, against which paths of rows are relative, *kind* ``git``, ``dir`` or ``everywhere``.
    """

    project_id: int
    identity: str
    kind: str
    label: str
    top: str


class Draft(NamedTuple):
    """An observation that is to be saved into *scope*; None is allowed only with *is_global*.

    *subject* names what *body* is the current value of (else it is read from symbol or title). *file_path* may be absolute
    or relative to the top of the checkout. *valid_from* and *valid_to* are when it holds in the world (default: from now
    on); *expires_at* overrides the lifetime of its kind.
    """

    scope: Scope | None
    type: str
    title: str
    body: str = ""
    why: str = ""
    how: str = ""
    subject: str = ""
    symbol: str = ""
    file_path: str = ""
    importance: int = 5
    is_global: bool = False
    valid_from: float | None = None
    valid_to: float | None = None
    expires_at: float | None = None


class Saved(NamedTuple):
    """What became of a draft.

    *decision* is ``new``, ``same``, ``superseded`` (a former value gave way), ``near`` (saved and linked to what resembles
    it), ``conflict`` (saved as disputed against a person's rule) or ``refused`` (it was forgotten before). *item_id* is the
    row that now holds it, for ``refused`` the forgotten one; *other_id* the row it was compared with, if any.
    """

    decision: str
    item_id: int
    message: str
    other_id: int | None = None

    @property
    def accepted(self) -> bool:
        """Whether the text is in the memory now."""
        return self.decision != "refused"


class Row(NamedTuple):
    """One visible observation. *score* is the lexical score of a search, 0 in other lists.

    *verdict* is ``fresh``, ``changed``, ``missing`` or ``unknown`` as it was found last; unknown is not fresh.
    """

    id: int
    uid: str
    project_id: int
    is_global: bool
    type: str
    title: str
    body: str
    why: str
    how: str
    symbol: str
    file_path: str
    provenance: str
    importance: int
    review: str
    recorded_at: float
    seen_at: float
    valid_from: float
    expires_at: float | None
    verdict: str
    verdict_detail: str
    verified_at: float | None
    score: float = 0.0

    @property
    def uri(self) -> str:
        """The citation that ``get`` takes."""
        return f"{URI_PREFIX}{self.id}"

    @property
    def tokens(self) -> int:
        """About how many tokens the whole row costs to read."""
        return tokens_of(self.title, self.body, self.why, self.how, self.file_path, self.symbol)

    @property
    def title_tokens(self) -> int:
        """About how many tokens the row costs in an index."""
        return tokens_of(self.title) + 6


def tokens_of(*texts: str) -> int:
    """Return about how many tokens the texts are: four characters of ASCII, or one of any other script, are one."""
    wide = sum(not character.isascii() for text in texts for character in text)
    return wide + -(-(sum(map(len, texts)) - wide) // 4)


class Change(NamedTuple):
    """One row of the log of changes: *before* and *after* are JSON of the whole item, None where there was none."""

    seq: int
    item_id: int
    op: str
    actor: str
    session: str
    reason: str
    before: str | None
    after: str | None
    at: float


class Verdict(NamedTuple):
    """What the code says of an anchored item: *state* as in ``Row.verdict``; *detail* explains it (a commit, a new name)."""

    state: str
    detail: str = ""
