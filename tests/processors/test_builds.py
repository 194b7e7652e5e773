"""Compilers and builders: what their cases cannot say."""

from __future__ import annotations

import pytest
from tests.recorded import shared_captures

from token_saver.engine import CompressionEngine
from token_saver.processor import as_command
from token_saver.text.compiled import compiled
from token_saver.text.findings import ERROR, STYLE, WARNING, Finding, Heading
from token_saver.text.pieces import Fold

FAMILIES = frozenset(
    [
        "gcc",
        "make",
        "cmake",
        "ninja",
        "meson",
        "maven",
        "gradle",
        "java",
        "tsc",
        "webpack",
        "vite",
        "esbuild",
        "rollup",
        "next",
        "sphinx",
        "mkdocs",
        "python-build",
        "just",
        "gh",
        "msbuild",
        "ant",
        "xcodebuild",
        "sbt",
        "bloop",
        "cdk",
        "turbo",
    ]
)
# One of many alike lines of a log, and the last of them is kept.
KNOWN_LOSSES = {"public/ant-pmd-large": ("Tests run: 18, Failures: 0, Errors: 0",)}
CAPTURES = [one for folder in ("captures", "public") for one in shared_captures(folder) if one.family in FAMILIES]


@pytest.mark.skipif(not CAPTURES, reason="the shared captures are not here")
def test_nothing_that_has_to_stay_is_lost_from_shared_captures(engine: CompressionEngine) -> None:
    lost = {}
    for capture in CAPTURES:
        result, _, _ = engine.compress(capture.command, capture.text, exit_code=capture.exit_code)
        gone = [must for must in capture.lost(result) if must not in KNOWN_LOSSES.get(capture.name, ())]
        if gone:
            lost[capture.name] = gone
    assert lost == {}


@pytest.mark.parametrize(
    ("line", "rank", "rule"),
    [
        ("a.c:1:2: error: no tide", ERROR, ""),
        ("a.c:1:2: erreur fatale: tide.h : Aucun fichier", ERROR, ""),
        ("a.c:1:2: schwerwiegender Fehler: tide.h", ERROR, ""),
        ("a.c:1:2: error fatal: tide.h", ERROR, ""),
        ("a.c:1:2: エラー: 潮がない", ERROR, ""),
        ("a.c:1:2: 错误：没有", None, ""),
        ("a.c:1:2: 警告: 潮 [-Wtide]", WARNING, "-Wtide"),
        ("a.c:1:2: attention : marée [-Wtide=]", WARNING, "-Wtide="),
        ("a.c:1:2: Warnung: Tide [-Wtide]", WARNING, "-Wtide"),
        ("a.c:1:2: note: declared here", STYLE, "note"),
        ("C:\\quay\\a.cpp(3,5): error C2065: 'tide': undeclared identifier", ERROR, "C2065"),
        ("LINK : fatal error LNK1104: cannot open file 'tide.lib'", ERROR, "LNK1104"),
        ("Ferry.java:8: warning: [rawtypes] found raw type: List", WARNING, "rawtypes"),
        ("/usr/bin/ld: a.c:(.text+0x5): undefined reference to `tide'", ERROR, ""),
        ("a.c:7: undefined reference to `tide'", ERROR, ""),
        ("{standard input}:3: Error: no such instruction: `tide'", ERROR, ""),
        ("it is an error: really", None, ""),
    ],
)
def test_levels_and_rules_in_many_languages(line: str, rank: int | None, rule: str) -> None:
    found = [item for item in compiled([line]) if isinstance(item, Finding)]
    assert [item.rank for item in found] == ([] if rank is None else [rank])
    assert all(item.rule == rule for item in found)


def test_every_line_is_accounted_for() -> None:
    lines = [line for capture in CAPTURES if capture.family in ("gcc", "make") for line in capture.text.split("\n")]
    items = compiled(lines)
    assert sum(1 if isinstance(item, str) else len(item.lines) for item in items) == len(lines)


def test_notes_stay_with_their_error_however_many_warnings_there_are(engine: CompressionEngine) -> None:
    warnings = "".join(
        f"quay.c:{n}:5: warning: unused variable ‘tide_{n}’ [-Wunused-variable]\n"
        f"  {n} |     int tide_{n};\n      |         ^~~~\n"
        for n in range(300)
    )
    error = (
        "quay.c:900:9: error: conflicting types for ‘depth’\n  900 | int depth;\n      |     ^~~~~\n"
        "quay.h:12:7: note: previous declaration of ‘depth’ with type ‘float’\n   12 | float depth;\n      |       ^~~~~\n"
    )
    output, _, _ = engine.compress("gcc -Wall -c quay.c", warnings + error + warnings, 1)
    assert "quay.c:900:9: error: conflicting types" in output and "quay.h:12:7: note: previous declaration" in output
    assert "-Wunused-variable" in output and len(output) < len(warnings) * 0.25


def test_warnings_of_cgo_do_not_hide_the_error(engine: CompressionEngine) -> None:
    """cases.json O14 for make: forty warnings of one kind, and one error among them."""
    warnings = [f"cgo-gcc-prolog:{n}: warning: unused variable '_cgo_a{n}' [-Wunused-variable]\n" for n in range(60, 110)]
    warnings.insert(37, "capture.c:12:3: error: unknown type name 'pcap_t'\n")
    output, _, _ = engine.compress("make", "".join(warnings) + "make: *** [Makefile:2: all] Error 1\n", 2)
    assert "capture.c:12:3: error: unknown type name 'pcap_t'" in output and "Error 1" in output


@pytest.mark.parametrize(
    "command",
    [
        "make",
        "ninja",
        "cmake --build b",
        "gcc a.c",
        "mvn test",
        "gradle build",
        "ant",
        "sbt compile",
        "msbuild a.sln",
        "npx tsc",
        "vite build",
    ],
)
def test_no_success_is_made_up(engine: CompressionEngine, command: str) -> None:
    """cases.json O01: the only useful line of a failure has no error word, and the noise is gone."""
    noise = "".join(f"fetching part {n} of the harbor\n" for n in range(200))
    output, _, _ = engine.compress(command, noise + "stat /srv/app/cmd/servr: directory not found\n", 1)
    assert "/srv/app/cmd/servr: directory not found" in output
    assert not any(word in output.lower() for word in ("success", "no issues", "up to date", "passed"))


@pytest.mark.parametrize(
    "name", ["gcc", "make", "mvn", "gradle", "ant", "sbt", "msbuild", "tsc", "webpack", "mkdocs", "just", "act", "gh"]
)
def test_each_program_has_its_family(engine: CompressionEngine, name: str) -> None:
    assert engine.selected(as_command(f"{name} build")).name != "generic"


def test_gradle_4_puts_a_diagnostic_behind_a_task_without_a_line_break(engine: CompressionEngine) -> None:
    """formats.md trap 7."""
    text = ":compileJava/srv/quay/Ferry.java:12: error: cannot find symbol\n        tide();\n        ^\n"
    text += "  symbol:   method tide()\n1 error\n FAILED\n"
    output, _, _ = engine.compress("gradle build", text, 1)
    assert "Ferry.java:12: error: cannot find symbol" in output and "symbol:   method tide()" in output


def test_msbuild_tells_a_diagnostic_once(engine: CompressionEngine) -> None:
    one = "  Quay.cs(3,5): error CS0103: The name 'tide' does not exist in the current context [C:\\quay\\Quay.csproj]\n"
    text = "Microsoft (R) Build Engine version 17.8\n" + one + "Build FAILED.\n\n" + one + "    0 Warning(s)\n    1 Error(s)\n"
    output, _, _ = engine.compress("msbuild Quay.sln", text, 1)
    assert output.count("CS0103") == 1 and "1 Error(s)" in output and "Build FAILED." in output


def test_maven_tells_an_error_once_and_no_advice(engine: CompressionEngine) -> None:
    one = "[ERROR] /srv/quay/Ferry.java:[12,9] cannot find symbol\n"
    text = f"[INFO] Scanning for projects...\n{one}  symbol:   method tide()\n[INFO] BUILD FAILURE\n"
    text += f"{one}[ERROR]   symbol:   method tide()\n"
    text += "[ERROR] -> [Help 1]\n[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\n"
    text += "[ERROR] Re-run Maven using the -X switch to enable full debug logging.\n"
    output, _, _ = engine.compress("mvn compile", text, 1)
    assert output.count("Ferry.java:[12,9]") == 1 and "symbol:   method tide()" in output and "BUILD FAILURE" in output
    assert "-X switch" not in output


@pytest.mark.parametrize("text", ["/usr/bin/gcc (Debian 12) 12.2.0\nCopyright (C) 2022\n", "GNU Make 4.3\nBuilt for x86_64\n"])
def test_what_a_tool_says_of_itself_is_left_whole(engine: CompressionEngine, text: str) -> None:
    assert engine.compress("gcc --version", text, 0)[0] == text
    assert engine.compress("make --version", text, 0)[0] == text


def test_surefire_keeps_the_message_the_own_frames_and_the_cause(engine: CompressionEngine) -> None:
    """reference.md 12.2: assertion text, stack and "Caused by" were lost."""
    library = "".join(f"\tat org.junit.jupiter.engine.Step{n}.run(Step{n}.java:{n})\n" for n in range(30))
    text = (
        "[INFO] Running harbor.FerryTest\n"
        "[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.03 s <<< FAILURE! - in harbor.FerryTest\n"
        "[ERROR] harbor.FerryTest.board  Time elapsed: 0.01 s  <<< FAILURE!\n"
        "org.opentest4j.AssertionFailedError: two berths ==> expected: <2> but was: <3>\n"
        f"\tat harbor.FerryTest.board(FerryTest.java:17)\n{library}\n"
        "[ERROR] harbor.FerryTest.leave  Time elapsed: 0.01 s  <<< ERROR!\n"
        "java.lang.IllegalStateException: no tide\n\tat harbor.Ferry.leave(Ferry.java:40)\n"
        "Caused by: java.io.FileNotFoundException: tides.csv\n\tat harbor.Tides.read(Tides.java:9)\n\n"
        "[INFO] Results:\n[ERROR] Failures: \n[ERROR]   FerryTest.board:17 two berths ==> expected: <2> but was: <3>\n"
        "[ERROR] Tests run: 2, Failures: 1, Errors: 1, Skipped: 0\n[INFO] BUILD FAILURE\n"
    )
    output, _, _ = engine.compress("mvn -q test", text, 1)
    for must in (
        "harbor.FerryTest.board",
        "two berths ==> expected: <2> but was: <3>",
        "FerryTest.java:17",
        "no tide",
        "Ferry.java:40",
        "Caused by: java.io.FileNotFoundException: tides.csv",
        "Tests run: 2, Failures: 1, Errors: 1, Skipped: 0",
        "BUILD FAILURE",
    ):
        assert must in output
    assert "Step20" not in output


def test_gradle_with_javac_keeps_the_errors(engine: CompressionEngine) -> None:
    """reference.md 12.2: only "see the compiler error output" was left."""
    tasks = "".join(f"> Task :quay{n}:compileJava UP-TO-DATE\n" for n in range(40))
    text = (
        f"{tasks}> Task :compileJava FAILED\n/srv/quay/Ferry.java:12: error: cannot find symbol\n        tide();\n        ^\n"
        "  symbol:   method tide()\n  location: class Ferry\n1 error\n\nFAILURE: Build failed with an exception.\n\n"
        "* What went wrong:\nExecution failed for task ':compileJava'.\n"
        "> Compilation failed; see the compiler error output for details.\n\nBUILD FAILED in 2s\n"
    )
    output, _, _ = engine.compress("./gradlew build", text, 1)
    for must in (
        "Ferry.java:12: error: cannot find symbol",
        "symbol:   method tide()",
        "> Task :compileJava FAILED",
        "BUILD FAILED in 2s",
    ):
        assert must in output
    assert "quay7" not in output


@pytest.mark.parametrize(
    "command",
    [
        *("cat webpack.config.js", "cat vite.config.ts", "cat cmake/toolchain.txt", "cat src/tsc", "grep -rn make ."),
        *("grep -rn ant src", "find . -name make", "ls node_modules/vite", "rg make src"),
        *("tail gradle.properties", 'rg "docker build" README.md'),
    ],
)
def test_a_tools_name_among_the_operands_does_not_choose_its_family(engine: CompressionEngine, command: str) -> None:
    """reference.md 12.1: the file or the matches were replaced by a sentence about a build."""
    builders = {"make", "bundler", "tsc", "ant", "gradle", "maven", "docker_build", "compiler"}
    assert engine.selected(as_command(command)).name not in builders


@pytest.mark.parametrize("command", ["make", "npm run build"])
def test_a_failing_log_of_megabytes_is_bounded(engine: CompressionEngine, command: str) -> None:
    """reference.md 12.6: a failing run with 5 MB of log came back with 4.99 MB."""
    lines = "".join(f"line {n} of what the build says about part {n % 977}\n" for n in range(60_000))
    text = f"error: first\n{lines}the end\n"
    output, _, _ = engine.compress(command, text, 2)
    assert "error: first" in output and "the end" in output and len(output) < len(text) * 0.05


def test_any_script_may_be_called_build(engine: CompressionEngine) -> None:
    tables = "".join(f"creating tide table {n} from source {n}\n" for n in range(8))
    text = f"{tables}running on port 8000\nremoving stale lock of Mara\n"
    output, _, _ = engine.compress("./build", text, 0)
    assert "running on port 8000" in output and "removing stale lock of Mara" in output and "creating tide table 7" in output


def test_what_configure_did_not_find_stays(engine: CompressionEngine) -> None:
    found = "".join(f"checking for header_{n}.h... yes\n" for n in range(60))
    text = f"{found}checking for libtide... no\nchecking for tide table... failed: no such table\n"
    text += f"{found}config.status: creating Makefile\n"
    output, _, _ = engine.compress("./configure --prefix=/usr", text, 1)
    assert "checking for libtide... no" in output and "failed: no such table" in output and len(output) < 300


def test_a_diagnostic_carries_its_notes_and_its_heading() -> None:
    lines = [
        "In file included from quay.h:4,",
        "                 from harbor.c:2,",
        "                 from main.c:1:",
        "tide.h: In function ‘depth’:",
        "tide.h:9:3: error: conflicting types",
        "    9 | int depth;",
        "      |     ^~~~~",
        "tide.h:2:7: note: declared here",
        "    2 | float depth;",
        "make: *** [Makefile:2: all] Error 1",
    ]
    folded, heading, finding, last = compiled(lines)
    assert isinstance(folded, Fold) and folded.lines == lines[:2]
    assert isinstance(heading, Heading) and heading.lines == lines[2:4]
    assert isinstance(finding, Finding) and finding.lines == lines[4:9] and finding.told() == [lines[4], lines[7]]
    assert last == lines[9]
