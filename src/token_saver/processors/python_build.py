"""Builders of Python packages: build, hatch build, flit, twine."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._frames import own_frames
from token_saver.text.findings import report
from token_saver.text.folders import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class PythonBuildProcessor(Family):
    """The reason, steps and what was built; copied files, installed requirements and frames of libraries are counted."""

    name = "python_build"
    priority = 28
    commands = ("build", "pyproject-build", "hatch build", "flit", "twine", "maturin", "setup.py")
    quiet = Rules(
        {
            r"(?:copying|adding|creating|hard linking|removing) \S": "line of copying",
            r"(?:running|reading manifest|writing manifest|writing (?:requirements|dependency_links|top-level|\S+\.egg-info))": (
                "line of routine"
            ),
            r"Uploading .*\d%": "redraw",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(own_frames(capture.lines)), self.quiet, share=110)
