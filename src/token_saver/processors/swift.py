"""swift build and test, and xcodebuild: XCTest, Swift Testing, and the steps of a build."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules


class SwiftProcessor(Linter):
    """Issues, failures, skipped tests and the counts of each suite; passing and starting tests and build steps are counted."""

    name = "swift"
    priority = 21
    commands = ("swift test", "swift build", "swift run", "swift package", "xcodebuild")
    quiet = Rules(
        {
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
