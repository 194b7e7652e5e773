"""Debuggers, memory checkers and profilers."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Rules, allowance, sieve
from token_saver.text.traces import fold_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class DebuggerProcessor(Family):
    """Signals, back traces, values, errors with their places and summaries; banners and loading are counted."""

    name = "debuggers"
    priority = 45
    commands = ("gdb", "lldb", "valgrind", "rr", "perf", "heaptrack", "drmemory")

    quiet = Rules(
        {
            r"==\d+== (?:Copyright \(C\)|Using Valgrind-|Memcheck, a memory|For lists of detected|Rerun with|rerun with|"
            r"For counts of detected|Use --track-origins|[A-Z]\w+, a )|==\d+== *$": "line of banner",
            r"GNU gdb|Copyright \(C\)|License GPL|This is free software|There is NO WARRANTY|Type \"(?:show|help|apropos)|"
            r"This GDB was configured|For bug reporting|<https?://www\.gnu|Find the GDB manual|For help, type": "line of banner",
            r"\[Thread debugging using|Using host libthread_db|\[New Thread |\[Thread 0x\S+ .*exited\]|Reading symbols from|"
            r"Downloading separate debug|warning: Error disabling address space|\[New LWP ": "line of loading",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        pieces = list(sieve(capture.lines, self.quiet))
        kept = sum(len(piece) + 1 for piece in pieces if isinstance(piece, str))
        return fold_frames(pieces) if kept <= allowance(len(capture.text)) else reduce(capture.lines)
