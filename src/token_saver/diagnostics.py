"""What a run observed, as values that can be compared; pure.

**Identity.** A finding is the same finding as in an earlier run when its ``identifier`` is: ``rule|file|symbol-or-message``
as ``identity`` makes it, or the id of a test as its runner prints it. It holds no line number, so that an edit above does
not make a finding a new one. Findings of one identifier are told apart by their order: of those, equal ones are matched
first, then the others, and where their number differs, so that neighbours move by as many lines as neighbours do.

**Equality.** Two findings are equal when ``stable`` makes the same text of their summaries and of their details: numbers
that name a place, addresses of objects, numbered temporary folders and durations do not count. Any other difference, in a
value above all, makes the finding a changed one.
"""

from __future__ import annotations

from token_saver.text.rx import rx
from token_saver.text.shifts import paired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

NEW = "new"
CHANGED = "changed"
UNCHANGED = "unchanged"
PASSED = "passed"
NOT_OBSERVED = "not observed"

_LEADS = r"^[ \t]*(?:(?:In file included )?from |# |rspec |[A-Z]{4,8} +[\w.]+:)?|[>❯(│╭─] ?(?:\w+ (?=\S*:\d))?|\bat |\bFile \""
_PLACE = rx(rf"(?m)({_LEADS})([^\s:()\"'`]*\.\w{{1,8}})(?:[:(]\d+(?:[:,]\d+)?|\", line \d+)")
_FIELD = rx(r"(\"(?:end_?|noqa_)?(?:[Ll]ine|row|col|[Cc]olumn)\": ?|\"range\": ?\[)(?:\d+, ?)?\d+")
_LINE = rx(r"\b([Ll]ines?|ln|row) \d+(?:[-–]\d+)?")
_LEADING = rx(r"(?m)^[ \t]*\d+:\d+(?=\s)")
_GUTTER = rx(r"(?m)^[ \t]*([>❯→]?)[ \t]*\d*[ \t]*([|│┃])")
_EDIT = rx(r"(?m)^[ \t]*\d+ ([-+~] )")
_CHANCE = rx(
    r"\b0x[0-9a-fA-F]{6,16}\b|(?<=/pytest-)\d+(?=/)|\(\d+(?:\.\d+)? ?m?s\)|(?<=in )\d+(?:\.\d+)?m?s\b"
    r"|(?<=' )\(\d+\)(?= panicked )|(?m:^\[gw\d+\])|(?<=\.go:N) \+0x[0-9a-f]+|\bgoroutine \d+|\bpid=\d+|(?<=/cc)\w{6}(?=\.o\b)"
)


def stable(text: str) -> str:
    """Return *text* without what differs between two runs that found the same: places, addresses, durations.

    A number names a place behind a path that begins a line or follows an arrow, a bracket or ``at``, in front of a gutter
    (``12 |``), as ``12:5`` at the start of a line, behind the word ``line``, in the fields of a JSON document that are called
    so, and in front of a line that a tool proposes (``12 + ``). The same number inside of a value stays.
    """
    if not any(char.isdecimal() for char in text):
        return text
    text = _PLACE.sub(r"\1\2:N", text)
    text = _LINE.sub(r"\1 N", text)
    text = _LEADING.sub("N", text)
    text = _GUTTER.sub(r"\1\2", text)
    if "-->" in text:
        text = _EDIT.sub(r"\1", text)
    if '":' in text:
        text = _FIELD.sub(r"\1N", text)
    return _CHANCE.sub("N", text)


def identity(rule: str, file: str, symbol: str) -> str:
    """Return the identifier of a finding of *rule* in *file* about *symbol*, or with that message, without line numbers."""
    return f"{rule}|{file}|{stable(symbol)}"


class Diagnostic:
    """One finding.

    ``identifier``: see the module; it may repeat in a run. ``summary``: one line that says what is wrong, without the place.
    ``detail``: all that the tool printed about it, verbatim. ``location``: ``file:line`` where it stands now, "" when the
    tool names none; another one than before means that the finding moved. ``name``: what it is called in a list beside its
    location, the code of a rule for instance; the identifier of a test is its name.
    """

    __slots__ = ("detail", "identifier", "location", "name", "summary")

    def __init__(self, identifier: str, summary: str, detail: str, *, location: str = "", name: str = "") -> None:
        self.identifier = identifier
        self.summary = summary
        self.detail = detail
        self.location = location
        self.name = name or identifier

    @property
    def line(self) -> int:
        """The line in its file, 0 when none is named."""
        line = self.location.rpartition(":")[2]
        return int(line) if line.isdecimal() else 0

    def essence(self) -> tuple[str, str, str]:
        """Return what two findings that say the same have in common."""
        return self.identifier, stable(self.summary), stable(self.detail)


class Snapshot:
    """A complete run.

    ``family`` is the processor that read it, ``summary`` the totals as the tool printed them, ``passed`` the identifiers
    that the output explicitly says passed, ``context`` all text that is in no detail and not in the summary, verbatim.
    """

    __slots__ = ("context", "diagnostics", "family", "passed", "summary")

    def __init__(
        self,
        family: str,
        summary: str,
        diagnostics: tuple[Diagnostic, ...],
        passed: tuple[str, ...] = (),
        context: str = "",
    ) -> None:
        self.family = family
        self.summary = summary
        self.diagnostics = diagnostics
        self.passed = passed
        self.context = context


def joined(family: str, parts: Sequence[Snapshot | str]) -> Snapshot | None:
    """Return one run of *parts*: snapshots, and text between them, which is context; None when no part is a snapshot."""
    runs = [part for part in parts if isinstance(part, Snapshot)]
    if not runs:
        return None
    found = tuple(one for run in runs for one in run.diagnostics)
    failed = {one.identifier for one in found}
    passed = tuple(dict.fromkeys(one for run in runs for one in run.passed if one not in failed))
    texts = [part if isinstance(part, str) else part.context for part in parts]
    summaries = [run.summary for run in runs if run.summary]
    return Snapshot(family, "\n".join(summaries), found, passed, "\n".join(text.strip("\n") for text in texts if text.strip()))


class Change:
    """What became of one finding between two runs.

    ``kind`` is NEW, CHANGED or UNCHANGED for a finding of the current run, PASSED or NOT_OBSERVED for one of the previous
    run. ``diagnostic`` is the newest record of it, ``previous`` the one before, None for a NEW one.
    """

    __slots__ = ("diagnostic", "kind", "previous")

    def __init__(self, kind: str, diagnostic: Diagnostic, previous: Diagnostic | None) -> None:
        self.kind = kind
        self.diagnostic = diagnostic
        self.previous = previous

    @property
    def moved(self) -> bool:
        """Whether the finding stands somewhere else than before."""
        return self.previous is not None and self.previous.location != self.diagnostic.location

    @property
    def needs_detail(self) -> bool:
        """Whether all that the tool printed about it has to be shown."""
        return self.kind in (NEW, CHANGED)


def compare(previous: Snapshot, current: Snapshot) -> tuple[Change, ...]:
    """Return what became of every finding: those of *current* in their order, then those that are gone in theirs.

    Every finding of *current* is in exactly one change, and so is every finding of *previous*. One that is gone PASSED only
    if *current* explicitly says so; otherwise it is NOT_OBSERVED, which does not mean that it is repaired.
    """
    partners = _partners(previous.diagnostics, current.diagnostics)
    matched = set(partners)
    passed = frozenset(current.passed)
    present = [
        _change(now, None if at is None else previous.diagnostics[at])
        for now, at in zip(current.diagnostics, partners, strict=True)
    ]
    gone = [
        Change(PASSED if before.identifier in passed else NOT_OBSERVED, before, before)
        for at, before in enumerate(previous.diagnostics)
        if at not in matched
    ]
    return (*present, *gone)


def _change(now: Diagnostic, before: Diagnostic | None) -> Change:
    if before is None:
        return Change(NEW, now, None)
    return Change(UNCHANGED if now.essence() == before.essence() else CHANGED, now, before)


def _partners(previous: tuple[Diagnostic, ...], current: tuple[Diagnostic, ...]) -> list[int | None]:
    """Return for each of *current* the position in *previous* of what it was: an equal one if there is one."""
    partners: list[int | None] = [None] * len(current)
    for key in (Diagnostic.essence, _identifier):
        taken = set(partners)
        before = _grouped(previous, key, [at for at in range(len(previous)) if at not in taken])
        now = _grouped(current, key, [at for at, partner in enumerate(partners) if partner is None])
        for name, positions in now.items():
            for old, new in _paired(previous, before.get(name, []), current, positions):
                partners[new] = old
    return partners


def _identifier(one: Diagnostic) -> str:
    return one.identifier


def _grouped(
    found: Sequence[Diagnostic], key: Callable[[Diagnostic], object], positions: Iterable[int]
) -> dict[object, list[int]]:
    groups: dict[object, list[int]] = {}
    for at in positions:
        groups.setdefault(key(found[at]), []).append(at)
    return groups


def _paired(
    previous: Sequence[Diagnostic], before: list[int], current: Sequence[Diagnostic], now: list[int]
) -> Iterable[tuple[int, int]]:
    """Pair positions of alike findings by how their lines moved; in order where not all of them have a line."""
    if len(before) == len(now) or not before:
        return zip(before, now, strict=False)
    old, new = [previous[at].line for at in before], [current[at].line for at in now]
    if not all(old) or not all(new):
        return zip(before, now, strict=False)
    return [(before[one], now[other]) for one, other in paired(old, new)]
