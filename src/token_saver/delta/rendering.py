"""How the difference between two runs is told: what is new in full, what is the same by its name, what is gone by name.

since run 7: 1 new, 1 changed, 1 now passing
new:
<all that the tool printed about the new finding>
changed:
<all that the tool printed about the changed finding>
now passing: tests/test_cart.py::test_total
<context that the last run did not have>
[… 12 unchanged lines of context, 3 unchanged findings: src/cart.py: F401 3 4, E711 14]
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

_TOLD = ((NEW, "new"), (CHANGED, "changed"), (PASSED, "now passing"), (NOT_OBSERVED, "no longer reported"))
_RULE = "=─ "
_STEPS = ("::", "> ", "› ")
"""What stands between a file and a test in it."""

_TIME = rx(r"\b\d+:\d\d:\d\d\b|\b\d+(?:\.\d+)? ?(?:ms|s|m|secs?|seconds?|minutes?)\b|\[ *\d+ ?%\]")


def rendered(changes: Sequence[Change], current: Snapshot, previous: Snapshot, number: int, ordinary: str, hint: str = "") -> str:
    """Return what is told of *current* after *previous*, which is run *number*.

    New context is shown as far as the *ordinary* result shows it; what that one leaves out stays left out, counted. *hint*
    is a command that takes the number, "" to name none.
    """
    by_kind: dict[str, list[Diagnostic]] = {kind: [] for kind in (NEW, CHANGED, UNCHANGED, PASSED, NOT_OBSERVED)}
    for change in changes:
        by_kind[change.kind].append(change.diagnostic)
    lines = [_header(by_kind, number, hint)]
    both = by_kind[NEW] and by_kind[CHANGED]
    for kind in (NEW, CHANGED):
        lines += [f"{kind}:"] if both else []
        lines += [one.detail for one in by_kind[kind]]
    for kind, words in ((PASSED, "now passing"), (NOT_OBSERVED, "no longer reported")):
        lines += [f"{words}: {_listed(by_kind[kind])}"] if by_kind[kind] else []
    shown, counts = _context(current.context, previous.context, ordinary)
    same = by_kind[UNCHANGED]
    counts += [(len(same), "unchanged finding", _listed(same))] if same else []
    lines += shown
    lines += [marker(counts)] if counts else []
    lines += [line.strip(_RULE) for line in current.summary.splitlines()]
    return "\n".join(line.strip("\n") for line in lines) + "\n"


def _header(by_kind: dict[str, list[Diagnostic]], number: int, hint: str) -> str:
    counts = [f"{len(by_kind[kind])} {words}" for kind, words in _TOLD if by_kind[kind]]
    how = f" ({hint} {number})" if hint else ""
    return f"since run {number}{how}: {', '.join(counts) or 'nothing new'}"


def _listed(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the names by file: ``a.py: F401 3 4, E711 14; b.py: F401 1`` of findings, ``a.py::test_x, ::test_y`` of tests."""
    files: dict[str, dict[str, list[str]]] = {}
    for one in diagnostics:
        file, name, line = _parts(one)
        files.setdefault(file, {}).setdefault(name, []).append(line)
    return "; ".join(_told(file, names) for file, names in files.items())


def _told(file: str, names: dict[str, list[str]]) -> str:
    told = ", ".join(" ".join([name, *filter(None, lines)]) for name, lines in names.items())
    if not file:
        return told
    between = "" if told.startswith("::") else " " if told.startswith(_STEPS) else ": "
    return file + between + told


def _parts(one: Diagnostic) -> tuple[str, str, str]:
    """Return the file, the name in it and the line; the name of a test begins with what stands between the two."""
    if one.name != one.identifier:
        file, line = _place(one.location)
        return file, one.name, line
    for step in _STEPS:
        file, found, test = one.name.partition(step)
        if found:
            return file.rstrip(), step + test, ""
    return "", one.name, ""


def _place(location: str) -> tuple[str, str]:
    file, colon, line = location.rpartition(":")
    return (file, line) if colon and line.isdecimal() else (location, "")


def _context(current: str, previous: str, ordinary: str) -> tuple[list[str], list[tuple[int, str, str]]]:
    """Return the lines of context that are shown, and the counts of those that are not."""
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
    counts = [(same, "unchanged line of context", ""), (left, "new line of context", "")]
    return shown, [one for one in counts if one[0]]


def _essence(line: str) -> str:
    """Return what two lines of context have in common that say the same, whatever the time that it took."""
    return " ".join(_TIME.sub("", stable(line)).split())
