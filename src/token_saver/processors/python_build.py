"""Builders of Python packages: build, hatch build, flit, twine."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._frames import own_frames
from token_saver.processors.generic import reduce
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


_OWN = rx(
    r"(?m)^(?:\* (?:Building|Creating|Getting|Installing)|running (?:build|bdist|sdist|egg_info)|Successfully built |usage: )"
)
SAMPLE = 20_000


class PythonBuildProcessor(Family):
    """The reason, steps and what was built; copied files, installed requirements and frames of libraries are counted."""

    name = "python_build"
    priority = 28
    commands = ("build", "pyproject-build", "hatch build", "flit", "twine", "maturin", "setup.py")
    quiet = Rules(
        {
            r"(?:copying|adding|creating|hard linking|removing) \S": "line of copying",
            r"running (?:build|bdist|sdist|egg_info|install|dist_info|check)\S*$|(?:reading|writing) manifest|"
            r"writing (?:requirements|dependency_links|top-level|\S+\.egg-info)": "line of routine",
            r"Uploading .*\d%": "redraw",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        # Any script may be called build.
        if capture.command.program == "build" and not _OWN.search(capture.text[:SAMPLE]):
            return reduce(capture.lines)
        return report(list(own_frames(capture.lines)), self.quiet, share=110)
