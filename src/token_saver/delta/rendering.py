"""How the difference between two runs is told: what is new in full, what is the same by its name, what is gone by name.

since run 7: 1 new, 2 unchanged, 1 now passing
<all that the tool printed about the new and the changed findings>
now passing: tests/test_cart.py::test_total
no longer reported: src/cart.py:9 F401
[… 2 unchanged findings: src/cart.py:3 F401, :14 E711]
<context that the last run did not have>
[… 12 lines of context as in run 7]
<the totals, as the tool printed them>
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from token_saver.diagnostics import CHANGED, NEW, NOT_OBSERVED, PASSED, UNCHANGED, stable
from token_saver.text.markers import marker
from token_saver.text.rx import rx

if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Change, Diagnostic, Snapshot

_TOLD = (
    (NEW, "new"),
    (CHANGED, "changed"),
    (UNCHANGED, "unchanged"),
    (PASSED, "now passing"),
    (NOT_OBSERVED, "no longer reported"),
)
_TIME = rx(r"\b\d+:\d\d:\d\d\b|\b\d+(?:\.\d+)? ?(?:ms|s|m|secs?|seconds?|minutes?)\b|\[ *\d+ ?%\]")


def rendered(changes: Sequence[Change], current: Snapshot, previous: Snapshot, number: int, ordinary: str, hint: str = "") -> str:
    """Return what is told of *current* after *previous*, which is run *number*.

    New context is shown as far as the *ordinary* result shows it; what that one leaves out stays left out, counted. *hint*
    is a command that takes the number, "" to name none.
    """
    by_kind = {kind: [change for change in changes if change.kind == kind] for kind, _ in _TOLD}
    lines = [_header(by_kind, number, hint)]
    lines += [change.diagnostic.detail for change in changes if change.needs_detail]
    for kind, words in ((PASSED, "now passing"), (NOT_OBSERVED, "no longer reported")):
        if by_kind[kind]:
            lines.append(f"{words}: {_listed([change.diagnostic for change in by_kind[kind]])}")
    if by_kind[UNCHANGED]:
        same = [change.diagnostic for change in by_kind[UNCHANGED]]
        lines.append(marker([(len(same), "unchanged finding", _listed(same))]))
    lines += _context(current.context, previous.context, number, ordinary)
    lines += [current.summary] if current.summary else []
    return "\n".join(line.strip("\n") for line in lines) + "\n"


def _header(by_kind: dict[str, list[Change]], number: int, hint: str) -> str:
    counts = [f"{len(by_kind[kind])} {words}" for kind, words in _TOLD if by_kind[kind]]
    how = f" ({hint} {number})" if hint else ""
    return f"since run {number}{how}: {', '.join(counts) or 'nothing reported, as before'}"


def _listed(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the names, each with its place; a file is named once for all that follow in it."""
    shown = []
    last = ""
    for one in diagnostics:
        file, rest = _parts(one)
        shown.append(rest if file and file == last else file + rest)
        last = file
    return ", ".join(shown)


def _parts(one: Diagnostic) -> tuple[str, str]:
    """Return the file and what follows it: ``tests/a.py``, ``::test_x`` of a test, ``:12 F401`` of a finding in a file."""
    file, line = _place(one.location)
    if one.name != one.identifier:
        return file, f"{line} {one.name}" if file else one.name
    head, colons, test = one.name.partition("::")
    return (head, colons + test) if colons else ("", one.name)


def _place(location: str) -> tuple[str, str]:
    file, colon, line = location.rpartition(":")
    return (file, colon + line) if line.isdecimal() else (location, "")


def _context(current: str, previous: str, number: int, ordinary: str) -> list[str]:
    """Return the lines of context that are not in the previous one, and how many are not shown."""
    known = Counter(_essence(line) for line in previous.splitlines())
    seen = frozenset(ordinary.splitlines())
    shown: list[str] = []
    same = left = 0
    for line in current.splitlines():
        key = _essence(line)
        if not key:
            continue
        if known[key]:
            known[key] -= 1
            same += 1
        elif line in seen:
            shown.append(line)
        else:
            left += 1
    counts = [(same, f"line of context as in run {number}", ""), (left, "line of new context", "")]
    return [*shown, *([marker([one for one in counts if one[0]])] if same or left else [])]


def _essence(line: str) -> str:
    """Return what two lines of context have in common that say the same, whatever the time that it took."""
    return " ".join(_TIME.sub("", stable(line)).split())
