"""``token-saver record -- CMD``: run a command once and keep what it printed as a case of a manifest."""

from __future__ import annotations

import pathlib
import re
import sys
from typing import TYPE_CHECKING, Any

from token_saver.cli import output, quality
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.engine import CompressionEngine
    from token_saver.replay.manifest import Case
    from token_saver.workbench.suggestions import Suggestion

_DESCRIPTION = """\
Run a command and add what it printed, with secrets masked, to the manifest of a folder: the label, the exit status, the tool's
version, and the strings that have to survive. Lines of failure are suggested for that; on a terminal each is asked about, else
--accept takes them all. Of tools that are known here the version is asked by running them again with --version."""

_NAME_CHARS = 60
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_ASKED = "require {string!r}{lost}? [y]es, [n]o, [a]ll, [q]uit: "


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("record", help="run a command and keep its output for replays", description=_DESCRIPTION)
    made.add_argument("--into", type=pathlib.Path, default=pathlib.Path("replay"), metavar="DIR", help="default: replay")
    made.add_argument("--name", metavar="NAME", help="the name of the case (default: made of the command)")
    made.add_argument("--accept", action="store_true", help="require every string that is suggested")
    made.add_argument("--must-preserve", action="append", default=[], metavar="TEXT", help="require TEXT; may be given again")
    made.add_argument("--tool-version", metavar="TEXT", help="the tool's version, instead of asking it")
    output.add_format(made)
    quality.add_command(made)
    made.set_defaults(command=_record)


def _record(options: argparse.Namespace) -> int:
    from token_saver.engine import CompressionEngine
    from token_saver.redaction import mask, mask_command
    from token_saver.replay.appending import append
    from token_saver.workbench.commands import run
    from token_saver.workbench.suggestions import suggestions

    asked = quality.command_of(options)
    if asked is None:
        raise InputError("no command: token-saver record -- CMD")
    words, label = asked
    settings = output.effective_settings()
    engine = CompressionEngine(settings=settings)
    ran = run(words, int(settings.get("max_output_bytes")))
    text = _decoded(ran.output)
    text = mask(text, frozenset(settings.get("redaction_allowlist")))[0]
    if not text.strip():
        raise InputError("the command printed nothing: there is nothing to record")
    label = mask_command(label)
    result = engine.compress(label, text, ran.exit_code)[0]
    required = _required(options, text, suggestions(text, result, ran.exit_code))
    version = mask(options.tool_version or _version(engine, words, options) or "")[0] or None
    made = append(options.into, _name(options.name or label), _case(label, ran.exit_code, version, required), text)
    _tell(options, made, [string for string in required if string not in result])
    return 0


def _case(label: str, exit_code: int, version: str | None, required: list[str]) -> Case:
    import datetime

    from token_saver.replay.manifest import Case

    return Case(
        name="unnamed",
        command=label,
        input="unnamed",
        exit_code=exit_code,
        tool_version=version,
        recorded=datetime.datetime.now(datetime.UTC).date().isoformat(),
        must_preserve=tuple(required),
        no_verdict=exit_code != 0,
    )


def _decoded(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    if text.encode("utf-8") != raw:
        output.note("bytes that are no UTF-8 were replaced: a replay reads text")
    return text


def _required(options: argparse.Namespace, text: str, found: list[Suggestion]) -> list[str]:
    """Return the strings to require: those given, and those of the suggestions that are accepted."""
    from token_saver.redaction import mask

    given = [mask(string)[0] for string in options.must_preserve]
    absent = [string for string in given if string not in text]
    if absent:
        raise InputError(f"--must-preserve: the command did not print {absent[0]!r}; nothing was recorded")
    return list(dict.fromkeys([*given, *_accepted(options, found)]))


def _accepted(options: argparse.Namespace, found: list[Suggestion]) -> list[str]:
    if options.accept:
        return [one.string for one in found]
    if sys.stdin.isatty() and sys.stderr.isatty():
        return _chosen(found)
    for one in found:
        output.note(f"worth requiring{_lost(one)}: {one.string}")
    if found:
        output.note("none of these is required; --accept requires them all, --must-preserve TEXT one")
    return []


def _chosen(found: list[Suggestion]) -> list[str]:
    """Ask about each."""
    chosen: list[str] = []
    for index, one in enumerate(found):
        print(_ASKED.format(string=one.string, lost=_lost(one)), end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().lower()[:1]
        if answer == "a":
            return [*chosen, *(other.string for other in found[index:])]
        if answer in ("q", ""):
            return chosen
        if answer == "y":
            chosen.append(one.string)
    return chosen


def _lost(one: Suggestion) -> str:
    return "" if one.survives else " (the present result does not hold it)"


def _version(engine: CompressionEngine, words: list[str], options: argparse.Namespace) -> str | None:
    """Ask a tool that a processor of ours reads; anything else might do its work again."""
    from token_saver.processor import FALLBACK_NAME, as_command
    from token_saver.workbench.commands import label, tool_version

    if options.shell_text is not None or engine.selected(as_command(label(words))).name == FALLBACK_NAME:
        return None
    return tool_version(words)


def _name(text: str) -> str:
    return _NOT_IN_NAMES.sub("-", text)[:_NAME_CHARS].strip("-.") or "case"


def _tell(options: argparse.Namespace, made: Case, lost: list[str]) -> None:
    manifest = options.into / "manifest.json"
    if options.format == "json":
        output.print_json(
            {
                "name": made.name,
                "manifest": str(manifest),
                "input": made.input,
                "exit_code": made.exit_code,
                "tool_version": made.tool_version,
                "must_preserve_count": len(made.must_preserve),
                "lost_count": len(lost),
            }
        )
        return
    console = output.console()
    console.print(f"recorded {made.name} into {manifest}: status {made.exit_code}, {len(made.must_preserve)} strings required")
    for string in lost:
        output.note(f"the present result does not hold {string!r}: a replay will fail")
    console.print(f"check it with: token-saver replay {manifest}")
