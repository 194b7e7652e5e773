"""Linters that print one finding a line and nothing that needs words of its own."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.findings import ERROR, STYLE, WARNING, Finding
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_PERLCRITIC = rx(r"(?:(?P<path>.+?): )?(?P<text>.+?) at line (?P<line>\d+), column \d+\. .*\(Severity: (?P<level>\d)\)$")
_FLAWFINDER = rx(r"(?P<path>[^\s:][^:\n]*):(?P<line>\d+(?::\d+)?): +(?P<rest>\[\d\] \(\w+\).*)")


class LineLinterProcessor(Linter):
    """The first findings of each rule or message with their places; the rest counted with every file."""

    name = "line_linters"
    commands = (
        "ansible-lint",
        "buf lint",
        "buf breaking",
        "clj-kondo",
        "credo",
        "detekt",
        "djlint",
        "doc8",
        "dotenv-linter",
        "ktlint",
        "luacheck",
        "pydoclint",
        "protolint",
        "rstcheck",
        "scalastyle",
        "selene",
        "semgrep",
        "swiftlint",
        "vale",
        "vint",
        "vulture",
        "refurb",
        "actionlint",
        "zizmor",
        "proselint",
        "write-good",
        "textlint",
        "htmlhint",
        "jshint",
        "jscs",
        "checkmake",
    )
    quiet = Rules({r"(?:Linting|Checking) .*(?:\.\.\.|\(\d+/\d+\)|OK)$": "line of progress"})


class PerlcriticProcessor(Linter):
    """The first violations of each message with their places; the rest counted with every file."""

    name = "perlcritic"
    commands = ("perlcritic",)

    def items(self, lines: Sequence[str]) -> list[Item]:
        return [_perlcritic(line) for line in lines]


def _perlcritic(line: str) -> Item:
    found = _PERLCRITIC.match(line) if line.endswith(")") and len(line) < 2000 else None
    if found is None:
        return line
    path, text, place, level = found.group("path", "text", "line", "level")
    return Finding([line], path or "", place, "", text, ERROR if level == "5" else WARNING if level == "4" else STYLE)


class FlawfinderProcessor(Linter):
    """Each hit with its place; repeats of a kind are counted with their places."""

    name = "flawfinder"
    commands = ("flawfinder",)

    def items(self, lines: Sequence[str]) -> list[Item]:
        return located(lines, head=_FLAWFINDER)
