"""Cargo and rustc: builds, clippy, tests (and nextest), docs, benches, formatting."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Reporting
from token_saver.processors.cargo._format import differences
from token_saver.processors.cargo._tests import tests
from token_saver.text import Rules, rx
from token_saver.text.documents import document
from token_saver.text.findings import Finding, report
from token_saver.text.located import framed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# The status lines of cargo: a verb right-aligned in 12 columns.
_QUIET = Rules(
    {
        r" +(?:Compiling|Checking|Building|Documenting|Fresh|Dirty|Scraping|Running `) ?\S.*": "built crate",
        r" +(?:Downloading|Downloaded|Unpacking) \S.*": "fetched crate",
        r" +(?:Updating (?:\S* ?index|registry|git repository)|Blocking waiting|Locking \d+ packages?).*": "line of progress",
        r"note: run with `RUST_BACKTRACE=1`|note: Some details are omitted": "hint",
        r"For more information about (?:this|an) error, try |Some errors have detailed explanations: ": "hint",
    }
)
ERRORS = 20
_LINT = rx(r".*rust-clippy/\S*#(?P<lint>\w+)")


class CargoProcessor(Reporting):
    """Errors whole, the first warnings of each kind, failing tests with their output; passing tests and crates are counted."""

    name = "cargo"
    priority = 22
    commands = ("cargo", "rustc", "cross", "cargo-nextest", "clippy-driver")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines, command = capture.lines, capture.command
        form = command.option("--message-format", "--error-format") or ""
        if command.subcommand in ("metadata", "version", "help", "read-manifest", "tree"):
            return document(lines) or lines
        if command.subcommand == "fmt" or command.program == "rustfmt":
            return differences(lines)
        items = _short(lines) if form == "short" else framed(lines)
        return report(_settled(tests(items)), _QUIET, whole=1, share=90)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._cargo import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _short(lines: list[str]) -> list[Item]:
    """``--message-format short``: a line a diagnostic; warnings that cargo repeats from its cache keep their frame."""
    items: list[Item] = []
    for item in framed(lines):
        items.extend(located([item]) if isinstance(item, str) else [item])
    return items


def _settled(items: list[Item]) -> list[Item]:
    """The first errors are shown whole: the others are often their consequence."""
    errors = 0
    settled: list[Item] = []
    for item in items:
        if isinstance(item, Finding) and item.picked is None and item.lines[0].startswith("error"):
            errors += 1
            if errors <= ERRORS:
                settled.extend(item.lines)
                continue
        elif isinstance(item, Finding) and not item.rule:
            item.rule = _lint(item)
        settled.append(item)
    return settled


def _lint(warning: Finding) -> str:
    """Clippy links to its page about the lint; the compiler names a lint only the first time."""
    for line in reversed(warning.lines):
        if "rust-clippy" in line and (found := _LINT.match(line)):
            return str(found.group("lint"))
    return ""
