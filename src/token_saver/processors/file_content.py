"""Programs that print files: what the file is decides how it is read."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.shell.script import names
from token_saver.text import Fold, allowance, cut, rx
from token_saver.text.critical import critical_lines
from token_saver.text.logs import is_log, read_log
from token_saver.text.pieces import Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

READ_WHOLE = 80_000
LONG_LINE = 4000
ROWS = 12
MOST_ODD = 20
_CHECKSUMS = "line of checksums"

_LOCKS = names("uv.lock poetry.lock Cargo.lock pdm.lock yarn.lock pnpm-lock.yaml composer.lock Gemfile.lock go.sum")
_LOGS = (".log", ".out", ".err", "syslog", "messages")
_TABLES = (".csv", ".tsv")
_CHECKSUM = rx(
    r"\s*(?:\{ ?url = |\"?(?:integrity|checksum|resolution|resolved|sha\d+)\"?[ :=]|(?:sdist|wheels|files) = |\{ ?file = )"
    r"|\s*\],?\s*$|\s+hash(?:es)? ?[=:]"
)


class FileContentProcessor(Family):
    """Source, configuration and prose exactly as they are; of logs, tables and lock files what tells, the rest counted."""

    name = "file_content"
    priority = 51
    is_exact = True
    commands = ("cat", "head", "tail", "less", "more", "bat", "batcat", "sed", "awk", "gawk", "nl", "tac", "zcat", "type")
    line_ends = True

    def read(self, capture: Capture) -> Iterable[Piece]:
        files = [operand.rpartition("/")[2] for operand in capture.command.operands]
        chars = len(capture.text)
        if any(name in _LOCKS for name in files):
            return _lock_file(capture.lines)
        if any(name.endswith(_LOGS) for name in files) or is_log(capture.lines):
            return read_log(capture.lines)
        if any(name.endswith(_TABLES) for name in files):
            return _rows(capture.lines)
        if chars > 2000 and max(map(len, capture.lines), default=0) > LONG_LINE:
            return [_shortened(line) for line in capture.lines]
        if chars <= READ_WHOLE or _is_source(files):
            return capture.lines
        return reduce(capture.lines)


_SOURCE = names(
    "py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts scala c h cc cpp cxx hpp hh m mm cs fs vb rb php "
    "pl pm lua r jl ex exs erl hrl hs ml mli clj cljs swift dart zig nim v sv vhd sql sh bash zsh fish ps1 bat mk cmake gradle "
    "groovy tf hcl proto graphql css scss sass less html htm xml xsl svg ipynb"
)


def _is_source(files: Sequence[str]) -> bool:
    return any(name.rpartition(".")[2].lower() in _SOURCE or name in ("Makefile", "Dockerfile", "Justfile") for name in files)


def _shortened(line: str) -> Piece:
    """Cut the middle out of a line that was written for a machine: minified code, encoded data."""
    return line if len(line) <= LONG_LINE else Recast(cut(line, LONG_LINE // 2, LONG_LINE // 8), [line])


def _lock_file(lines: Sequence[str]) -> Iterator[Piece]:
    """Keep packages with their versions and the first of each source; addresses and checksums are counted."""
    waiting: list[str] = []
    sources: set[str] = set()
    for line in lines:
        if _CHECKSUM.match(line) or line in sources or (waiting and not line.strip()):
            waiting.append(line)
            continue
        if waiting:
            yield Fold(waiting, _CHECKSUMS, known=True)
            waiting = []
        if line.startswith("source = "):
            sources.add(line)
        yield line
    if waiting:
        yield Fold(waiting, _CHECKSUMS, known=True)


def _rows(lines: Sequence[str]) -> Iterator[Piece]:
    """Keep the header, both ends and rows that speak of failure of a table that is too long to be read."""
    if sum(map(len, lines)) <= allowance(sum(map(len, lines))) or len(lines) <= 2 * ROWS + 1:
        yield from lines
        return
    yield from lines[: ROWS + 1]
    odd = {ROWS + 1 + index for index in critical_lines(lines[ROWS + 1 : -ROWS])[:MOST_ODD]}
    for index in range(ROWS + 1, len(lines) - ROWS):
        yield lines[index] if index in odd else Fold([lines[index]], "row", known=True)
    yield from lines[-ROWS:]
