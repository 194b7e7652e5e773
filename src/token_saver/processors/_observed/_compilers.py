"""gcc, g++, clang and what prints as they do: diagnostics with their notes, and the linker's complaints."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.compiled import compiled
from token_saver.text.findings import STYLE, Finding, Heading
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_PROGRAMS = ("gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran")
_BUILDERS = ("make", "gmake", "ninja", "cmake", "samu")
_RAN = rx(r"(?:\[\d+/\d+\] |\[ *\d+%\] |\S*(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(?:-\d+)? .*-[co] )")
_PRINTING = ("-E", "-M", "-MM", "-v", "--version", "-###", "--help", "-dM", "-H", "-fsyntax-only-json", "-fdiagnostics-format")
_TOTALS = rx(r"(?:\d+ warnings?)?(?: and )?(?:\d+ errors?)? generated\.$|g?make(?:\[\d+\])?: \*\*\* \[|ninja: build stopped: ")
_ABOUT = rx(r"[^\n]*?: \D[^\n]*:$")
_FUNCTION = rx(r"[^\n]*?: \D.*[‘'`«»\"„“](?P<name>[^‘’'`«»\"„“”]+)[’'»«\"“”][^\n]*:$")
_LINT = rx(r" \[-?W?[\w=+,./-]*\]$")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the compiler reported; there is no total, so that the status has to agree with the errors."""
    if capture.command.program not in _PROGRAMS or capture.command.has(*_PRINTING):
        return None
    gathered = _read(capture) if capture.exit_code is not None and is_whole(capture) else None
    if gathered is None or capture.failed > bool(gathered.diagnostics):
        return None
    return gathered.snapshot("compiler")


def observe_build(capture: Capture) -> Snapshot | None:
    """Return what compilers reported that a build ran; None when none was heard of."""
    if (
        capture.command.program not in _BUILDERS
        or capture.command.has("-n", "--dry-run", "--just-print")
        or capture.exit_code is None
        or not is_whole(capture)
    ):
        return None
    gathered = _read(capture)
    if capture.failed > any(one.name == "error" or one.name.startswith("-Werror") for one in gathered.diagnostics):
        return None
    ran = any(_RAN.match(line) for line in capture.lines)
    return gathered.snapshot("make") if ran or gathered.diagnostics else None


def _read(capture: Capture) -> Gathered:
    """Read diagnostics.

    The function that a heading names is a part of the identity; the heading itself stands in the context, because it is
    printed once for all that follows.
    """
    gathered = Gathered()
    above: list[str] = []
    function = ""
    for item in compiled(capture.lines):
        if isinstance(item, Heading) and _ABOUT.match(item.lines[-1]):
            named = _FUNCTION.match(item.lines[-1])
            function = named.group("name").strip() if named is not None else ""
            gathered.context += [*above, *item.lines]
            above = []
        elif isinstance(item, Heading | Fold):
            above += item.lines
        elif isinstance(item, Finding):
            _add(gathered, item, function, above)
            above = []
        else:
            gathered.items([item], _TOTALS)
    return gathered


def _add(gathered: Gathered, item: Finding, function: str, above: list[str]) -> None:
    message = _LINT.sub("", item.text)
    rule = item.rule or ("note" if item.rank == STYLE else "error")
    where = f"{function}|" if "." in item.path else ""
    gathered.finding(item, rule=rule, symbol=where + message, above=above)
