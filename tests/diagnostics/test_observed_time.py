"""Reading takes time that grows with the output, whatever a line is made of; measured as time of the processor."""

from __future__ import annotations

import time

import pytest
from tests.diagnostics.observed import CASES

from token_saver.diagnostics import stable
from token_saver.engine import CompressionEngine

LARGEST = {case.family: case for case in sorted(CASES, key=lambda case: len(case.text))}
HOSTILE = (
    "a: ",
    "'",
    "(",
    "/",
    ".a",
    ":1",
    "- ",
    '"line": ',
    " > ",
    "0",
    "✓ ",
    "=",
    "a.c: In function ‘f’",
    "FAILED a::b - ",
    "at a(",
)
MOST_SECONDS = 2.0  # a quadratic pattern takes many times that long for such a line


@pytest.mark.parametrize("family", LARGEST)
def test_four_times_the_output_takes_about_four_times_as_long(family: str, engine: CompressionEngine) -> None:
    case = LARGEST[family]
    times = max(1, 60_000 // len(case.text))
    short = min(_seconds(engine, case.command, case.text * times, case.exit_code) for _ in range(3))
    long = min(_seconds(engine, case.command, case.text * times * 4, case.exit_code) for _ in range(3))

    assert long < 12 * short + 0.1


@pytest.mark.parametrize("family", LARGEST)
def test_no_line_is_too_long_to_read(family: str, engine: CompressionEngine) -> None:
    case = LARGEST[family]
    lines = case.text.split("\n")
    middle = len(lines) // 2
    for fragment in HOSTILE:
        for line in (fragment * (30_000 // len(fragment)), "  " + fragment * (30_000 // len(fragment)) + ":"):
            text = "\n".join([*lines[:middle], line, *lines[middle:]])
            assert _seconds(engine, case.command, text, case.exit_code) < MOST_SECONDS, fragment


def test_no_text_is_too_long_to_be_made_stable() -> None:
    for one in HOSTILE:
        for other in HOSTILE:
            text = (one + other) * (10_000 // len(one + other)) + "1"
            start = time.process_time()
            stable(text)
            assert time.process_time() - start < MOST_SECONDS, one + other


def _seconds(engine: CompressionEngine, command: str, text: str, status: int | None) -> float:
    start = time.process_time()
    engine.diagnostics(command, text, exit_code=status)
    return time.process_time() - start
