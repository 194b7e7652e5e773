"""pytest: the reports of failures and errors joined with the ids of the short summary."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.processors.pytest import VERDICT, cut
from token_saver.processors.pytest._failures import join
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.processors.pytest import Part
    from token_saver.processors.pytest._failures import Block
    from token_saver.processors.pytest._summary import Entry

_NO_RUN = ("--collect-only", "--co", "--fixtures", "--markers", "--version", "-V", "--help", "-h", "--setup-plan", "--no-summary")
_CRASHED = (3, 4)  # INTERNALERROR, and a command line that pytest does not understand
_FAILING = ("FAILED", "ERROR")
_COUNT = rx(r"(\d+) (failed|errors?|passed)\b")
_PLACE = rx(r"(?P<path>[^\s:]+\.\w+):(?P<line>\d+): ?|E? *[Ff]ile \"?(?P<file>[^\"]+?)\"?, line (?P<at>\d+)")
_EXCEPTION = rx(r"E +(?:[\w.]+(?:Error|Exception|Warning|Exit|Interrupt|Failed)\b|assert |fixture ')")
_WORKER = rx(r"\[gw\d+\] \[ *\d+%\] PASSED (?P<id>\S.*?) *$")
_BEHIND = "[]%/ 0123456789"


def observe(capture: Capture) -> Snapshot | None:
    """Return what the run reported; every failure needs its id, and the totals have to agree."""
    if capture.command.has(*_NO_RUN) or capture.exit_code in _CRASHED or not is_whole(capture):
        return None
    if "INTERNALERROR>" in capture.text:
        return None
    parts = [part.read() for part in cut(capture.lines)]
    verdicts = [part for part in parts if VERDICT.match(part.heading)]
    if len(verdicts) != 1 or " collected" in verdicts[0].title:
        return None
    gathered = Gathered()
    gathered.totals.append(verdicts[0].heading)
    counts = {word.rstrip("s"): int(number) for number, word in _COUNT.findall(verdicts[0].title)}
    _read(parts, gathered, counts.get("passed", 0))
    failed = counts.get("failed", 0) + counts.get("error", 0)
    return gathered.snapshot("pytest") if failed == len(gathered.diagnostics) else None


def _read(parts: Sequence[Part], gathered: Gathered, passed: int) -> None:
    blocks = [block for part in parts if part.kind == "failures" for block in part.blocks]
    entries = [entry for part in parts for entry in part.entries]
    join(blocks, entries)
    summarised = any(entry.word in _FAILING for entry in entries)
    for block in blocks:
        if block.entry is not None:
            _add(gathered, block, block.entry)
        elif summarised or block.kind or not block.heading:
            gathered.context += [block.heading, *block.body]
        else:
            _add_unnamed(gathered, block)
    for entry in entries:
        if entry.word in _FAILING and not entry.used and not blocks:
            _add_entry(gathered, entry)
        elif not entry.used:
            gathered.context += [entry.line, *entry.more]
    ids = _passed(parts, entries, gathered)
    gathered.passed += ids if len(set(ids)) == passed else []
    for part in parts:
        if part.heading not in gathered.totals:
            gathered.context.append(part.heading)
        gathered.context += _rest(part)


def _rest(part: Part) -> list[str]:
    """Return the lines of *part* that no failure and no entry of the summary took."""
    if part.kind == "others":
        return part.before + [line for block in part.blocks for line in (block.heading, *block.body)]
    return part.before if part.kind in ("failures", "summary") else part.lines


def _add(gathered: Gathered, block: Block, entry: Entry) -> None:
    identifier = f"{block.id} (teardown)" if block.kind.startswith("ERROR at teardown") else block.id
    reason = block.reason or _reason(block.body) or entry.word
    lines = [block.heading, *block.body, entry.line, *block.extra, *entry.more]
    gathered.test(identifier, reason, lines, location=_location(block.id, block.body))


def _add_unnamed(gathered: Gathered, block: Block) -> None:
    """A report without a short summary (``-r`` without ``f``): a traceback begins in the file of the test."""
    location = next((f"{found.group('path')}:{found.group('line')}" for line in block.body if (found := _PLACE.match(line))), "")
    plain, bracket, params = block.name.partition("[")
    identifier = "::".join([location.rpartition(":")[0], *plain.split(".")]) + bracket + params
    if location:
        gathered.test(identifier, _reason(block.body) or "failed", [block.heading, *block.body], location=location)
    else:
        gathered.context += [block.heading, *block.body]


def _reason(body: Sequence[str]) -> str:
    """Return the line that tells the exception, else the first one that the report marks."""
    marked = [line for line in body if line[:2] == "E "]
    told = [line for line in marked if _EXCEPTION.match(line)]
    return next((line[1:].strip() for line in (*told, *marked)), "")


def _add_entry(gathered: Gathered, entry: Entry) -> None:
    """``--tb=no``: the short summary is all there is; the reason begins behind the last bracket of the parameters."""
    balanced = ((one, why) for one, why in entry.ids() if one.count("[") <= one.count("]"))
    identifier, reason = next(balanced, (entry.named, ""))
    gathered.test(identifier, reason or entry.word, [entry.line, *entry.more], location=identifier.partition("::")[0])


def _location(identifier: str, body: Sequence[str]) -> str:
    """Return where the test's own file stands in the traceback for the first time, else the last place of all."""
    file = identifier.partition("::")[0]
    last = ""
    for line in body:
        found = _PLACE.match(line.lstrip())
        if found is None:
            continue
        path, at = found.group("path") or found.group("file"), found.group("line") or found.group("at")
        if path.endswith(file):
            return f"{file}:{at}"
        last = f"{path}:{at}"
    return last or file


def _passed(parts: Sequence[Part], entries: Sequence[Entry], gathered: Gathered) -> list[str]:
    """Return the ids that ``-v`` or ``-rA`` says passed, and take the lines of ``-v`` out of their part."""
    named = [entry.named for entry in entries if entry.word == "PASSED"]
    for part in parts:
        if part.kind != "session":
            continue
        found = [_passing(line) for line in part.lines]
        named += [one for one in found if one]
        part.lines = [line for line, one in zip(part.lines, found, strict=True) if not one]
    return list(dict.fromkeys(named))


def _passing(line: str) -> str:
    if line.startswith("[gw"):
        found = _WORKER.match(line)
        return found.group("id") if found is not None else ""
    core = line.rstrip(_BEHIND)
    return core.removesuffix(" PASSED").rstrip() if "::" in core and core.endswith(" PASSED") else ""
