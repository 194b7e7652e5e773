"""Reports of a replay: JSON, JUnit XML, and a Markdown summary for pull requests.

Every report is written case by case, waits in a temporary file, and appears only when the replay is complete. None holds a
command, any output, or a string that had to survive.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from typing import IO, TYPE_CHECKING, Any, Protocol
from xml.sax.saxutils import quoteattr

from token_saver.errors import InputError

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

    from token_saver.replay.totals import Sums, Totals

SCHEMA_VERSION = 1
MOST_NAMED = 50
"""Failed cases that a summary for people names."""

_IN_MEMORY = 1 << 20


class Report(Protocol):
    """Takes each case as it comes, then the totals."""

    def add(self, case: Mapping[str, Any]) -> None:
        """Take one case."""

    def end(self, totals: Totals) -> None:
        """Finish: only now is anything written."""


class JsonReport:
    """One JSON object to a stream of bytes: the cases, then the totals."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._waiting = _spool()
        self._first = True

    def add(self, case: Mapping[str, Any]) -> None:
        """Take one case."""
        text = json.dumps(case, ensure_ascii=False)
        self._waiting.write(f"{'' if self._first else ','}\n    {text}".encode())
        self._first = False

    def end(self, totals: Totals) -> None:
        """Write the object."""
        self._out.write(f'{{\n  "schema_version": {SCHEMA_VERSION},\n  "cases": ['.encode())
        _pour(self._waiting, self._out)
        rest = {"passed": totals.passed, "totals": totals.report()}
        self._out.write(b"\n  ],\n  " + json.dumps(rest, ensure_ascii=False, indent=2)[4:].encode() + b"\n")
        self._out.flush()


class JunitReport:
    """JUnit XML as continuous integration reads it: a ``testcase`` for each case, its family as the class."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = _in_a_folder(path)
        self._waiting = _spool()

    def add(self, case: Mapping[str, Any]) -> None:
        """Take one case."""
        name, family = quoteattr(case["name"]), quoteattr(f"replay.{case['family']}")
        head = f"    <testcase name={name} classname={family}"
        if case["passed"]:
            self._waiting.write(f"{head}/>\n".encode())
            return
        message = quoteattr(", ".join(case["violations"]))
        self._waiting.write(f'{head}>\n      <failure type="violation" message={message}/>\n    </testcase>\n'.encode())

    def end(self, totals: Totals) -> None:
        """Write the file; what the replay as a whole fails is a case of its own."""
        whole = totals.violations
        count = f'tests="{totals.all.cases + bool(whole)}" failures="{totals.all.failed + bool(whole)}" errors="0" skipped="0"'
        with _created(self._path) as out:
            out.write(b'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n')
            out.write(f'  <testsuite name="token-saver replay" {count}>\n'.encode())
            _pour(self._waiting, out)
            if whole:
                message = quoteattr(", ".join(whole))
                out.write(b'    <testcase name="(all cases together)" classname="replay">\n')
                out.write(f'      <failure type="violation" message={message}/>\n    </testcase>\n'.encode())
            out.write(b"  </testsuite>\n</testsuites>\n")


class MarkdownReport:
    """A summary for a pull request: the verdict, what failed by name, and the savings of each family."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = _in_a_folder(path)
        self._failed: list[tuple[str, str]] = []

    def add(self, case: Mapping[str, Any]) -> None:
        """Take one case."""
        if not case["passed"] and len(self._failed) < MOST_NAMED:
            self._failed.append((case["name"], ", ".join(case["violations"])))

    def end(self, totals: Totals) -> None:
        """Write the file."""
        with _created(self._path) as out:
            out.write("\n".join(self._lines(totals)).encode())

    def _lines(self, totals: Totals) -> list[str]:
        sums = totals.all
        verdict = "all cases hold" if totals.passed else f"{sums.failed} of {sums.cases:,} cases fail"
        lines = [f"### Token-Saver replay: {verdict}"]
        lines += [""] if totals.violations or self._failed else []
        lines += [f"- all cases together: {violation}" for violation in totals.violations]
        lines += [f"- `{_cell(name)}`: {_cell(violations)}" for name, violations in self._failed]
        if sums.failed > len(self._failed):
            lines.append(f"- and {sums.failed - len(self._failed):,} more")
        lines += ["", f"| family | cases | kept | tokens ({totals.method}) | left | saved |"]
        lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
        lines += [_row(_cell(name), family) for name, family in sorted(totals.families.items())]
        return [*lines, _row("**all**", sums), ""]


def _row(name: str, sums: Sums) -> str:
    kept = f"{sums.required - sums.lost} of {sums.required}"
    left = f"{sums.original_tokens:,} | {sums.compressed_tokens:,} | {sums.saved_percent:.1f} %"
    return f"| {name} | {sums.cases:,} | {kept} | {left} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")


def _spool() -> IO[bytes]:
    return tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)


def _pour(waiting: IO[bytes], out: IO[bytes]) -> None:
    waiting.seek(0)
    shutil.copyfileobj(waiting, out)
    waiting.close()


def _in_a_folder(path: pathlib.Path) -> pathlib.Path:
    """Return *path*; a report that cannot be written is refused before an hour was spent on it."""
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder for it")
    return path


def _created(path: pathlib.Path) -> IO[bytes]:
    try:
        return open(path, "wb")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
