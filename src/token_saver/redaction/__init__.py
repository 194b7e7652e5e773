"""Masks secrets in whatever is shown, stored or logged, and leaves enough to act on: the name, the kind, the place.

    AWS_SECRET_ACCESS_KEY=***   ghp_***   https://user:***@host   Authorization: Bearer ***   "password": "***"

Masking is deterministic and idempotent, and what held no secret comes back as the same object. It is fast because it
first looks for a few words and for long runs of letters and digits, and reads a place closely only where one of them is.
It is no proof: a secret without a telling name or shape stays.
"""

from __future__ import annotations

import sys

from token_saver.redaction.signs import ALONE, BEFORE_HASH, HASHES, HEX_DIGITS, KEEP, LONG_RUN, MARKS, NEEDS, SIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from token_saver.redaction.signs import Span

    Reader = Callable[[str, bytes, int, frozenset[str]], Iterable[Span]]

_MOST_ROUNDS = 5


def mask(text: str, allow: frozenset[str] = frozenset()) -> tuple[str, int]:
    """Return *text* with its secrets masked and how many there were; the same object and 0 when there was none.

    *allow* says what is not masked: names of values (``GITHUB_TOKEN``, in any case) and kinds of secrets (``jwt``).
    """
    names = frozenset(map(str.lower, allow))
    total = 0
    # A mask is a new boundary beside which more may come to light; so what was masked is looked at once more.
    for _ in range(_MOST_ROUNDS):
        text, found = _replaced(text, sorted(_secrets(text, names), key=_order))
        total += found
        if not found:
            break
    return text, total


def mask_command(command: str) -> str:
    """Return a command line, for a record of it, with everything masked that is handed over as a secret."""
    from token_saver.redaction.password_option import in_command

    for _ in range(_MOST_ROUNDS):
        shown, found = _replaced(command, sorted(in_command(command), key=_order))
        command, more = mask(shown)
        if not found and not more:
            break
    return command


def _secrets(text: str, allow: frozenset[str]) -> Iterator[Span]:
    # One byte a character, so that a position in the one is a position in the other.
    folded = text.encode("latin-1", "replace").lower()
    marked = folded.translate(MARKS)
    if _has_telling_run(folded, marked):
        from token_saver.redaction.shapes import shaped_secrets

        yield from shaped_secrets(text, folded, marked, allow)
    for word, modules in SIGNS:
        hit = folded.find(word)
        if hit < 0 or NEEDS.get(word, b"") not in folded:
            continue
        plain = ALONE.get(word, ())
        while plain and hit >= 0 and folded.startswith(plain, hit + len(word)):
            hit = folded.find(word, hit + len(word))
        if hit < 0:
            continue
        readers = [_reader(module) for module in modules if module not in allow]
        while hit >= 0:
            for read in readers:
                yield from read(text, folded, hit, allow)
            hit = folded.find(word, hit + len(word))


def _has_telling_run(folded: bytes, marked: bytes) -> bool:
    """Tell whether there is a long run of letters and digits that is more than the name of a commit or of a content."""
    start = marked.find(LONG_RUN)
    while start >= 0:
        end = marked.find(b" ", start)
        end = len(marked) if end < 0 else end
        names_commit = end - start in HASHES and not folded[start:end].strip(HEX_DIGITS)
        if not names_commit or not (folded[start - 1 : start] in (b"", b"\n") or folded.endswith(BEFORE_HASH, 0, start)):
            return True
        start = marked.find(LONG_RUN, end)
    return False


def _reader(module: str) -> Reader:
    """Return ``secrets_at`` of a module of this package, which is imported only when there is something to read."""
    name = f"{__name__}.{module.replace('-', '_')}"
    if name not in sys.modules:
        __import__(name)
    reader: Reader = sys.modules[name].secrets_at
    return reader


def _order(span: Span) -> tuple[int, bool, int]:
    start, end, replacement = span
    return (start, replacement != KEEP, -end)


def _replaced(text: str, spans: list[Span]) -> tuple[str, int]:
    """Return *text* with the spans replaced, and how many; of spans that overlap the first one counts."""
    parts: list[str] = []
    done = masked = 0
    for start, end, replacement in spans:
        if start < done:
            continue
        kept = replacement == KEEP
        parts += (text[done:start], text[start:end] if kept else replacement)
        masked += not kept
        done = end
    return ("".join([*parts, text[done:]]), masked) if masked else (text, 0)
