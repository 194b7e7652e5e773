"""What holds for every processor and every output, as one function that names what does not."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from token_saver.engine import CompressionEngine
from token_saver.processor import Capture, Family, Processor, as_command
from token_saver.processors.generic import GenericProcessor
from token_saver.redaction import mask
from token_saver.settings import load
from token_saver.text.markers import OPEN, has_marker, is_marker
from token_saver.text.pieces import Fold, Recast
from token_saver.text.terminal import plain

if TYPE_CHECKING:
    from token_saver.text.pieces import Piece

STATUSES = (0, 1, None)

_COUNT = re.compile(r"(?:^|, )(\d+) ")
_MARKS = re.compile(r"…\[\+\d+ chars\]…|\[… [^\]]*\]")
_WORD = re.compile(r"\w+")


@cache
def engine_of(processor: Processor) -> CompressionEngine:
    """Return an engine that knows only *processor* and the fallback."""
    others = [] if isinstance(processor, GenericProcessor) else [GenericProcessor()]
    return CompressionEngine([processor, *others], settings=load(environ={}))


def violations(processor: Processor, command: str, text: str, exit_code: int | None) -> list[str]:
    """Return what *processor* does to *text* that no processor may do; a crash is among it."""
    return [*_of_the_engine(processor, command, text, exit_code), *_of_the_processor(processor, command, text, exit_code)]


def _of_the_engine(processor: Processor, command: str, text: str, exit_code: int | None) -> Iterator[str]:
    engine = engine_of(processor)
    result = engine.run(command, text, exit_code)
    if result.fault:
        yield f"fault: {result.fault}"
    if engine.run(command, text, exit_code).output != result.output:
        yield "two runs differ"
    if not result.changed and result.output is not text:
        yield "unchanged output is another object"
    if len(result.output) > len(text) and not result.redacted:
        yield f"grew from {len(text)} to {len(result.output)} characters"
    again = engine.run(command, result.output, exit_code)
    if again.output != result.output:
        yield f"a second pass changes it: {_first_difference(result.output, again.output)}"
    if _is_json(text) and not _is_json(result.output):
        yield "a JSON document is none any more"


def _of_the_processor(processor: Processor, command: str, text: str, exit_code: int | None) -> Iterator[str]:
    line = as_command(command)
    more: dict[str, Any] = {"exit_code": exit_code} if processor.wants_exit_code else {}
    try:
        made = processor.process(line, text, **more)
    except Exception as error:
        yield f"process() raised {error!r}"
        return
    if not isinstance(made, str):
        yield f"process() returned {type(made).__name__}"
    elif isinstance(processor, Family) and not has_marker(text):
        masked, _ = mask(text)
        capture = processor.capture(line, masked, exit_code)
        pieces = processor.pieces(capture)
        yield from _of_the_ledger(capture, pieces)
        yield from _of_the_reader(processor, capture, pieces, line, text, exit_code)


def _of_the_ledger(capture: Capture, pieces: Sequence[Piece]) -> Iterator[str]:
    """Each line of the capture is in exactly one piece, and nothing else is in any."""
    have = Counter(line for piece in pieces for line in lines_of(piece))
    want = Counter(capture.lines)
    if have - want:
        yield f"invented {next(iter(have - want))!r}"
    if want - have:
        yield f"left the ledger: {next(iter(want - have))!r}"
    for piece in pieces:
        if isinstance(piece, Recast):
            strange = _strange_word(piece)
            if strange:
                yield f"{strange!r} is in no line of {piece!r}"


def _of_the_reader(
    processor: Processor, capture: Capture, pieces: Sequence[Piece], command: str, text: str, exit_code: int | None
) -> Iterator[str]:
    """What is shown is a line of the capture, a recast, or a marker; and markers count what is not shown."""
    result = engine_of(processor).run(command, text, exit_code)
    if not result.changed or result.processor != processor.name:
        return
    shown = [line for line in result.output.split("\n") if line.strip()]
    recasts = [piece for piece in pieces if isinstance(piece, Recast)]
    known = {*capture.lines, *(line for piece in recasts for line in piece.text.split("\n"))}
    marks = [line for line in shown if line not in known and is_marker(line)]
    strange = [line for line in shown if line not in known and not is_marker(line)]
    if strange:
        yield f"shows {strange[0]!r}, which is no line of the capture and no marker"
    told = Counter(line for piece in recasts for line in piece.lines)
    hidden = Counter(line for line in capture.lines if line.strip()) - Counter(shown)
    counted = sum(sum(map(int, _COUNT.findall(mark.strip()[len(OPEN) :]))) for mark in marks)
    if (hidden - told).total() > counted:
        yield f"hides {(hidden - told).total()} lines, but its markers count {counted}"


def lines_of(piece: Piece) -> Sequence[str]:
    """Return the lines of the capture that *piece* stands for."""
    return piece.lines if isinstance(piece, (Fold, Recast)) else [piece]


def _strange_word(piece: Recast) -> str:
    """Return a word that the recast says and its lines do not, empty when there is none."""
    said = "\n".join(piece.lines)
    return next((word for word in _WORD.findall(_MARKS.sub(" ", piece.text)) if word not in said), "")


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _first_difference(before: str, after: str) -> str:
    pairs = zip([*before.split("\n"), ""], [*after.split("\n"), ""], strict=False)
    one, other = next(((a, b) for a, b in pairs if a != b), ("", "…"))
    return f"{one[:120]!r} becomes {other[:120]!r}"


def plain_lines(text: str) -> list[str]:
    """Return the lines that a reader of the terminal would see."""
    return plain(text)[0].split("\n")


def own_commands(processor: Processor, reads: Callable[[str], bool] | None = None) -> list[str]:
    """Return commands that *processor* reads, from the words it claims."""
    words = getattr(processor, "commands", ()) or ("some-tool --flag",)
    able = reads or processor.can_handle
    return [command for command in words if able(command)] or list(words[:1])
