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
_PRINTING = ("-E", "-M", "-MM", "-v", "--version", "-###", "--help", "-dM", "-H", "-fsyntax-only-json", "-fdiagnostics-format")
_TOTALS = rx(r"(?:\d+ warnings?)?(?: and )?(?:\d+ errors?)? generated\.$")
_ABOUT = rx(r"[^\n]*?: \D[^\n]*:$")
_FUNCTION = rx(r"[^\n]*?: \D.*[‘'`«»\"„“](?P<name>[^‘’'`«»\"„“”]+)[’'»«\"“”][^\n]*:$")
_LINT = rx(r" \[-?W?[\w=+,./-]*\]$")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the compiler reported; there is no total, so that the status has to agree with the errors.

    The function that a heading names is a part of the identity; the heading itself stands in the context, because it is
    printed once for all that follows.
    """
    command = capture.command
    if command.program not in _PROGRAMS or command.has(*_PRINTING) or capture.exit_code is None or not is_whole(capture):
        return None
    gathered = Gathered()
    above: list[str] = []
    function = ""
    for item in compiled(capture.lines):
        if isinstance(item, Heading) and _ABOUT.match(item.lines[-1]):
            named = _FUNCTION.match(item.lines[-1])
            function = named.group("name") if named is not None else ""
            gathered.context += [*above, *item.lines]
            above = []
        elif isinstance(item, Heading | Fold):
            above += item.lines
        elif isinstance(item, Finding):
            _add(gathered, item, function, above)
            above = []
        else:
            gathered.items([item], _TOTALS)
    return gathered.snapshot("compiler") if capture.failed <= bool(gathered.diagnostics) else None


def _add(gathered: Gathered, item: Finding, function: str, above: list[str]) -> None:
    message = _LINT.sub("", item.text)
    rule = item.rule or ("note" if item.rank == STYLE else "error")
    where = f"{function}|" if "." in item.path else ""
    gathered.finding(item, rule=rule, symbol=where + message, above=above)
