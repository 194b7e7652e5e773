"""eslint and the linters that print as it does."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Linter
from token_saver.text import rx
from token_saver.text.findings import ERROR, WARNING
from token_saver.text.located import headed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.text.findings import Item

_STYLISH = rx(r"\s+\d+:\d+\s+(?:error|warning|✖|⚠)")
_COMPACT = rx(r"(?P<path>[^\s:][^:\n]*): line (?P<line>\d+), col \d+, (?P<rest>.*)")
# A mistake of the program rather than a matter of form: parse errors carry no rule.
_TASTE = ("max-len", "indent", "quotes", "semi", "comma-dangle", "prettier/prettier", "linebreak-style", "eol-last")


class EslintProcessor(Linter):
    """The first findings of each rule under their file, parse errors all; the rest counted by rule with every file."""

    name = "eslint"
    commands = ("eslint", "eslint_d", "xo", "standard", "semistandard", "tslint", "next lint")

    def items(self, lines: Sequence[str]) -> list[Item]:
        if any(_STYLISH.match(line) for line in lines):
            return headed(lines, ranked=self.ranked)
        if any(_COMPACT.match(line) for line in lines[:20]):
            return located(lines, head=_COMPACT, ranked=self.ranked)
        return located(lines, ranked=self.ranked)

    def ranked(self, level: str, rule: str) -> int:
        if rule.endswith(_TASTE):
            return 0
        return ERROR if level in ("error", "Error") and not rule else WARNING if level in ("error", "Error") else 0

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._eslint import observe

        return observe(self.capture(as_command(command), output, exit_code))
