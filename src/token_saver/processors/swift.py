"""swift build and test, and xcodebuild: XCTest, Swift Testing, and the steps of a build."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Fold, Rules, rx
from token_saver.text.failures import reports
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.findings import Item

# Swift Testing begins an event with a mark: of Unicode, or of SF Symbols (private use) on macOS.
_EVENT = rx(r"[◇✔✘↳⚠➜✖↻␎\U00100000-\U0010ffff] +\S")
_END = rx(r"Test (?:Suite|Case|case|suite) |\d{4}-\d\d-\d\d |\[\d+/\d+\]|\s*Executed \d+ tests?|/")
_ISSUE = rx(r"\S +(?:Test|Suite)\b.*recorded an issue")
LONG = 8


class SwiftProcessor(Linter):
    """Issues, failures, skipped tests and the counts of each suite; passing and starting tests and build steps are counted."""

    name = "swift"
    priority = 21
    commands = ("swift test", "swift build", "swift run", "swift package", "xcodebuild")
    quiet = Rules(
        {
            r"Check dependencies$|building file list |sent \d+ bytes |total size is ": "build step",
            r"\d{4}-\d\d-\d\d [\d:.]+ \S+\[\d+:\w+\] [+-] '.*' \[PASSED\]$": "line of passing tests",
            r"Test Case '.*' (?:started|passed)\b|Test case '.*' passed on ": "line of passing tests",
            r"Test Suite '.*' (?:started|passed) at ": "line of passing suites",
            r"[◇􀟈]  ?(?:Test|Suite)\b.* started\.$|[◇􀟈]  ?Passing ": "line of starting tests",
            r"[✔􁁛]  ?Test (?!run with )\S.* passed after ": "line of passing tests",
            r"\[\d+/\d+\] (?:Compiling|Emitting|Linking|Wrapping|Write|Copying|Planning|Build|Merging) ?": "build step",
            r"(?:Fetching|Fetched|Computing version|Computed|Creating working copy|Working copy|Updating|Updated) \S": (
                "line of resolution"
            ),
            r"    (?:cd|setenv|export|builtin-\S+|mkdir|write-file|echo|/(?:bin|usr|Applications|\S+/bin)/\S+) ?": (
                "line of a build step"
            ),
            r"(?:CompileC|CompileSwift|CompileXIB|CompileStoryboard|Cp(?:Header|Resource)|Copy\w*File|Copy|Ld|Libtool|Touch|"
            r"GenerateDSYMFile|Process\w+|PhaseScriptExecution|CodeSign|SwiftDriver\S*|SwiftCompile|SwiftEmitModule|"
            r"WriteAuxiliaryFile|MkDir|CreateBuildDirectory|RegisterExecutionPolicyException|CreateUniversalBinary|SetMode|"
            r"SetOwnerAndGroup|Strip|Validate|Ditto|RuleScriptExecution|DataModelVersionCompile)\b": "build step",
        }
    )

    def items(self, lines: Sequence[str]) -> list[Item]:
        if not any(_EVENT.match(line) for line in lines):
            return located(lines)
        return [item for block in reports(lines, _EVENT, _END) for item in self._event(block)]

    def _event(self, block: list[str]) -> Iterator[Item]:
        """Arguments of a test may hold line ends: an event goes on until the next begins."""
        noun = self.quiet.noun(block[0]) if self.quiet is not None and len(block) > 1 else None
        if noun is not None:
            yield Fold(block, noun, known=True)
        elif len(block) > LONG and _ISSUE.match(block[0]):
            yield from block[: LONG // 2]
            yield Fold(block[LONG // 2 : -LONG // 2], "line of context", known=True)
            yield from block[-LONG // 2 :]
        else:
            yield from block
