"""jq, yq, dasel and gron."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import allowance, runs
from token_saver.text.documents import document
from token_saver.text.markup import markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

ASKED_FOR = 9000


class JqProcessor(Family):
    """What a filter asked for as it is while it is short; longer documents stay documents, with alike items counted."""

    name = "jq"
    priority = 42
    commands = ("jq", "yq", "dasel", "gron", "jaq", "gojq", "xq", "tomlq")

    def pieces(self, capture: Capture) -> list[Piece]:
        budget = max(ASKED_FOR, allowance(len(capture.text)))
        return document(capture.lines, budget) or markup(capture) or list(self.read(capture))

    def read(self, capture: Capture) -> Iterable[Piece]:
        if any(line.startswith("jq: error") for line in capture.lines[:2]):
            return runs(capture.lines, "similar error")
        return capture.lines if len(capture.text) <= ASKED_FOR else reduce(capture.lines)
