"""What all readers share: findings, passed ids and other lines, gathered in order and closed into a snapshot."""

from __future__ import annotations

from token_saver.diagnostics import Diagnostic, Snapshot, identity
from token_saver.text.findings import Finding, Heading
from token_saver.text.markers import has_marker
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.rx import Rx

_CUT = rx(r"(?im)^\s*(?:\[|<|\(|…|\.\.\.)(?!.?full output).{0,60}\b(?:truncated|omitted)\b|^\W*(?:output )?truncated\W*$")


def is_whole(capture: Capture) -> bool:
    """Tell whether nothing says that a part of the output was left out."""
    return not has_marker(capture.text) and _CUT.search(capture.text) is None


class Gathered:
    """The findings, passed ids and other lines of one run, in the order in which a reader comes upon them."""

    __slots__ = ("context", "diagnostics", "passed", "totals")

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.passed: list[str] = []
        self.context: list[str] = []
        self.totals: list[str] = []

    def test(self, identifier: str, summary: str, lines: Sequence[str], *, location: str = "", name: str = "") -> None:
        """Add the failed test *identifier*, about which the tool printed *lines*."""
        self.diagnostics.append(Diagnostic(identifier, summary, _joined(lines), location=location, name=name))

    def finding(self, found: Finding, *, rule: str = "", symbol: str = "", above: Sequence[str] = ()) -> None:
        """Add what a linter or compiler *found*, with the lines *above* it that say where it stands."""
        rule = rule or found.rule or "error"
        line = found.place.replace(",", ":").partition(":")[0]
        location = f"{found.path}:{line}" if line else found.path
        message = found.text.partition("\n")[0].strip()
        self.diagnostics.append(
            Diagnostic(
                identity(rule, found.path, symbol or message),
                message,
                _joined([*above, *found.lines]),
                location=location,
                name=rule,
            )
        )

    def items(self, items: Iterable[Item], totals: Rx) -> Gathered:
        """Add the *items* of a reader of ``token_saver.text``: findings, below the heading of their file, and other lines."""
        heading: list[str] = []
        for item in items:
            if isinstance(item, Finding):
                self.finding(item, above=heading)
            elif isinstance(item, Heading):
                heading = item.lines
            else:
                for line in [item] if isinstance(item, str) else item.lines:
                    self.line(line, totals)
        return self

    def line(self, line: str, totals: Rx) -> None:
        """Add a line that is no finding: a part of the totals where *totals* matches, else context."""
        if totals.match(line):
            self.totals.append(line)
        else:
            self.context.append(line)

    def snapshot(self, family: str) -> Snapshot:
        """Return all that was gathered; an id that failed as well did not pass."""
        failed = {one.identifier for one in self.diagnostics}
        passed = tuple(dict.fromkeys(one for one in self.passed if one not in failed))
        return Snapshot(family, _joined(self.totals), tuple(self.diagnostics), passed, _joined(self.context))


def _joined(lines: Sequence[str]) -> str:
    """Return *lines* as one text without blank lines at its ends."""
    return "\n".join(lines).strip("\n")
