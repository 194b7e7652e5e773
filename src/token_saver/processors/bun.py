"""bun as a package manager; its test runner has a family of its own."""

from __future__ import annotations

from token_saver.processors._node import NodeManager
from token_saver.text import Rules, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.processor import Capture


class BunProcessor(NodeManager):
    """What was installed and what not, lists and tables with every version; resolving and banners are counted."""

    name = "bun"
    priority = 31
    commands = (
        *("bun install", "bun i", "bun add", "bun a", "bun remove", "bun rm", "bun update", "bun outdated", "bun pm"),
        *("bun link", "bun unlink", "bun audit", "bun why", "bun info", "bun patch", "bun create", "bun c", "bun x", "bun run"),
        *("bun publish", "bun upgrade"),
    )
    banner = rx(r"\$ ")
    closing = rx(r'error: script "')
    noise = Rules(
        {
            r"bun \w+ v\d[\w.-]*(?: \([0-9a-f]+\))?$": "line of banner",
            r"(?:Resolving dependencies$|Resolved, downloaded and extracted \[\d+\]$|\s*[🔍📦🔒🚚] )": "step",
        }
    )

    def verb(self, capture: Capture) -> str:
        operands = capture.command.operands
        return operands[1] if len(operands) > 1 and operands[0] == "pm" else capture.command.subcommand
