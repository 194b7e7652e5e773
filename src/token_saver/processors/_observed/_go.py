"""The go tool: tests as text and as JSON events, builds and vet."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.processors._observed._go_packages import Packages
from token_saver.text.findings import Finding
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_MOVE = rx(r"=== (?:RUN|PAUSE|CONT|NAME) +(?P<test>\S.*?)$")
_VERDICT = rx(r" *--- (?P<word>PASS|FAIL|SKIP|BENCH): (?P<test>.+?)(?: \([\d.]+s\))?$")
_RESULT = rx(r"(?P<word>ok  |FAIL|\?   )\t(?P<package>\S+)(?:[\t ].*)?$")
_BUILD = rx(r"# (?P<package>\S+)(?: \[\S+\])?$")
_NEVER = rx(r"(?!)")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the tool reported; each package of a test run ends with its result."""
    if not is_whole(capture) or capture.command.has("-n", "-x", "-list"):
        return None
    verb = capture.command.subcommand
    if verb == "test":
        return _events(capture) if capture.command.has("-json") else _text(capture.lines)
    if verb in ("build", "vet", "install") and capture.exit_code is not None and not capture.command.has("-json"):
        gathered = Gathered()
        build(capture.lines, gathered)
        return gathered.snapshot("go") if capture.failed == bool(gathered.diagnostics) else None
    return None


def build(lines: Sequence[str], gathered: Gathered) -> None:
    """Add what compiler and vet say of the packages that ``# package`` names."""
    for item in located(lines):
        if isinstance(item, Finding):
            gathered.finding(item, rule="build")
        else:
            gathered.items([item], _NEVER)


def _text(lines: Sequence[str]) -> Snapshot | None:
    gathered = Gathered()
    packages = Packages(gathered)
    open_package = packages.named("")
    test = ""
    building = False
    for line in lines:
        building = building and line[:1] != "-" and not _RESULT.match(line) and not line.startswith("=== ")
        if building or _BUILD.match(line):
            building = True
            packages.built.append(line)
        elif found := _MOVE.match(line):
            test = found.group("test")
            open_package.add(test, line)
        elif found := _VERDICT.match(line):
            test = found.group("test")
            open_package.verdict(test, found.group("word"), line)
        elif found := _RESULT.match(line):
            packages.close(open_package, found.group("package"), found.group("word").strip(), line)
            open_package, test = packages.named(""), ""
        else:
            test = "" if line in ("FAIL", "PASS") or line.startswith(("exit status ", "coverage: ")) else test
            open_package.add(test, line)
    if not packages.results:
        return None
    return packages.snapshot() if open_package.is_idle() else None


def _events(capture: Capture) -> Snapshot | None:
    """Read events of test2json (``go doc test2json``): what is printed carries the names of package and test."""
    from json import loads

    packages = Packages(Gathered())
    for line in capture.lines:
        try:
            event = loads(line)
            action, name, test = event["Action"], event.get("Package", ""), event.get("Test", "")
        except (ValueError, KeyError, TypeError, AttributeError):
            packages.strange.append(line)
            continue
        output = event.get("Output", "").rstrip("\n")
        if action == "build-output":
            packages.built.append(output)
        elif action == "output":
            _output(packages, name, test, output)
        elif action in ("pass", "fail", "skip") and test:
            packages.named(name).words[test] = action.upper()
        elif action in ("pass", "fail", "skip"):
            word = {"pass": "ok", "fail": "FAIL", "skip": "?"}[action]
            packages.close(packages.named(name), name, word, packages.named(name).result)
    return packages.snapshot() if packages.results and packages.is_idle() else None


def _output(packages: Packages, name: str, test: str, output: str) -> None:
    package = packages.named(name)
    if not test and _RESULT.match(output):
        package.result = output
    else:
        package.add(test, output)
