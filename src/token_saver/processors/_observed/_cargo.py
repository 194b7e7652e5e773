"""cargo build, check, clippy and test, and rustc: what the compiler reports, and the tests that failed."""

from __future__ import annotations

from token_saver.processors._observed import _cargo_tests as tests
from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.findings import Finding
from token_saver.text.located import framed
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_BUILDING = ("build", "b", "check", "c", "clippy")
_TESTING = ("test", "t")
_TOTALS = rx(
    r"(?:warning: `.*` \(.*\) generated \d+ warnings?|error: could not compile `.*|error: aborting due to .*"
    r"|warning: \d+ warnings? emitted"
    r"|error: (?:\d+ targets? failed:|test failed, to rerun pass )|test result: |    Finished )"
)
_GENERATED = rx(r"warning: `.*` \(.*\) generated (\d+) warnings? ?(?:\((\d+|all) duplicates?\))?")
_LEVEL = rx(r"(?P<level>error|warning)(?:\[(?P<code>\w+)\])?: (?P<text>.*)")
_LINT = rx(r".*(?:rust-clippy/\S*#|#\[(?:warn|deny|forbid)\()(?P<lint>[\w:]+)")
# Said at the first finding of a rule only: the next one would say it once the first is gone.
_ONCE = rx(r"  = note: `(?:#\[(?:warn|deny|forbid)\(|-[WDF] )[^\n]*(?:on by default|implied by `)|  = help: to override `")


def observe(capture: Capture) -> Snapshot | None:
    """Return what cargo reported; a run ends with its totals, and a failed one with the reason."""
    command = capture.command
    verb = command.subcommand if command.program == "cargo" else "build" if command.program in ("rustc", "clippy-driver") else ""
    if verb not in (*_BUILDING, *_TESTING) or command.has("--message-format", "--error-format", "-q", "--quiet"):
        return None
    if not is_whole(capture):
        return None
    gathered = Gathered()
    lines = tests.read(capture.lines, gathered) if verb in _TESTING else capture.lines
    if lines is None:
        return None
    for item in framed(lines):
        if isinstance(item, Finding) and (level := _LEVEL.match(item.lines[0])):
            _add(gathered, item, level.group("level"), level.group("code") or "", level.group("text"))
        elif isinstance(item, str) and (level := _LEVEL.match(item)) and not _TOTALS.match(item):
            _add(gathered, Finding([item]), level.group("level"), level.group("code") or "", level.group("text"))
        else:
            gathered.items([item] if not isinstance(item, Finding) else list(item.lines), _TOTALS)
    return gathered.snapshot("cargo") if _is_complete(gathered, capture) else None


def _add(gathered: Gathered, item: Finding, level: str, code: str, text: str) -> None:
    lint = next((found.group("lint") for line in reversed(item.lines) if (found := _LINT.match(line))), "")
    once = [line for line in item.lines if _ONCE.match(line)]
    own = [line for line in item.lines if not _ONCE.match(line)]
    while own and own[-1].strip() in ("", "|"):
        own.pop()
    gathered.context += once
    gathered.finding(
        Finding(own, item.path, item.place, code or lint.rpartition("::")[2] or level, text), rule=code or level, symbol=text
    )


def _is_complete(gathered: Gathered, capture: Capture) -> bool:
    """A build tells ``Finished`` or that it did not compile, or ends with a complaint of cargo; rustc may be silent."""
    if capture.command.program != "cargo":
        return capture.exit_code is not None and capture.failed <= bool(gathered.diagnostics)
    if any(line.startswith(("    Finished ", "error: ")) for line in gathered.totals):
        return True
    last = gathered.diagnostics[-1] if gathered.diagnostics else None
    return bool(capture.failed and last is not None and last.detail.startswith("error") and not last.location)
