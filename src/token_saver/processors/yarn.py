"""yarn: the classic one and berry (2 and later)."""

from __future__ import annotations

from token_saver.processors._node import NodeManager
from token_saver.text import Rules, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.processor import Capture

_OWN = frozenset(
    (
        *("", "add", "audit", "autoclean", "bin", "cache", "check", "config", "constraints", "dedupe", "explain", "global"),
        *("help", "import", "info", "install", "licenses", "link", "list", "login", "logout", "node", "npm", "outdated", "owner"),
        *("pack", "patch", "patch-commit", "plugin", "policies", "prefix", "publish", "rebuild", "remove", "search", "set"),
        *("stage", "tag", "team", "unlink", "unplug", "up", "upgrade", "upgrade-interactive", "version", "versions", "why"),
        *("workspace", "workspaces"),
    )
)


class YarnProcessor(NodeManager):
    """What was added, warnings, errors and lists with versions; steps, legends and addresses of documentation are counted."""

    name = "yarn"
    commands = ("yarn", "yarnpkg")
    banner = rx(r"yarn (?:run )?v\d|\$ |warning ")
    closing = rx(r"error Command failed|info Visit |Done in ")
    trees = NodeManager.trees | {"info"}
    noise = Rules(
        {
            r"yarn (?:[\w-]+ )?v\d[\w.-]*$": "line of banner",
            r"\[\d+/\d+\] ": "step",
            r"info Visit https?://": "address of documentation",
            r'info Color legend :| "<(?:red|yellow|green)>" +: ': "line of legend",
            r"info (?:No lockfile found|To upgrade, run the following command|Disk size |Number of shared dependencies)": "note",
            r"➤ YN0000: (?:┌ |└ Completed)": "border of a step",
            r"➤ YN0013: │ \S+ can't be found in the cache": "package to fetch",
            r"➤ YN0019: │ \S+ appears to be unused": "unused package of the cache",
        }
    )

    def is_script(self, verb: str) -> bool:
        return verb not in _OWN

    def verb(self, capture: Capture) -> str:
        operands = capture.command.operands
        return operands[1] if len(operands) > 1 and operands[0] in ("npm", "global") else capture.command.subcommand
