"""tox and nox: which environment failed, with what its commands printed."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._runner import spans
from token_saver.text import Rules, rx
from token_saver.text.findings import report
from token_saver.text.located import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture, Inner
    from token_saver.text.pieces import Piece

_COMMAND = rx(r"(?:\S+: commands(?:_pre|_post)?\[\d+\]> |nox > (?=[a-z./]))(?P<command>\S.*)$")
_ENDED = rx(
    r"\S+: (?:exit -?\d+ \(|OK |FAIL |SKIP |\w+> |commands)|nox > "
    r"|  (?:\S+: (?:OK|FAIL|SKIP)|evaluation failed|congratulations)\b"
)
_QUIET = Rules(
    {
        r"\.pkg(?:_external)?: |\S+: (?:install_deps|install_package|freeze|packaging|create virtual env)\S*>": "line of set-up",
        r"\S+: (?:OK|SKIP) ✔ in ": "line of passing environments",
        r"nox > (?:Creating virtual|Re-using existing|python -m pip install|uv pip install|Running session) ?": "line of set-up",
        r"(?:Collecting|Requirement already satisfied|Using cached|Downloading|Installing|Successfully installed) ?\S": (
            "line of installation"
        ),
        r"={20,} (?:FAILURES|ERRORS|test session starts|short test summary info|warnings summary) ={20,}$": "rule",
        r"platform \S+ -- |rootdir: |plugins: |cachedir: |collecting \.\.\. ": "line of banner",
        r"[\w./\\-]+\.py [.sxX]+ +\[ *\d+%\]$|[.sxX]+ +\[ *\d+%\]$": "line of passing tests",
    }
)


class ToxProcessor(Family):
    """Every environment's verdict and exit, and what its failing commands printed; set-up and passing lines are counted."""

    name = "tox"
    priority = 21
    commands = ("tox", "nox", "hatch test")

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(framed(capture.lines), _QUIET, share=100)

    def inner(self, capture: Capture) -> Sequence[Inner]:
        return spans(capture.lines, _COMMAND, _ENDED)
