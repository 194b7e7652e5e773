"""The contract itself: a processor that breaks one promise is found out, and one that breaks none is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest
from tests.contracts import violations

from token_saver.processor import Capture, Family, Processor
from token_saver.text.pieces import Fold, Recast

if TYPE_CHECKING:
    from token_saver.text.pieces import Piece

TEXT = "".join(f"step {number} of the work is done\n" for number in range(30))


class Reader(Family):
    """A family made from a function."""

    name, priority, commands = "reader", 20, ("reader",)

    def __init__(self, read: Callable[[list[str]], Iterable[Piece]]) -> None:
        self.made = read

    def read(self, capture: Capture) -> Iterable[Piece]:
        return self.made(capture.lines)


class Writer(Processor):
    """A processor made from a function."""

    name, priority = "writer", 20

    def __init__(self, made: Callable[[str], Any]) -> None:
        self.made = made

    def can_handle(self, command: str) -> bool:
        return command.startswith("writer")

    def process(self, command: str, output: str) -> str:
        return self.made(output)  # type: ignore[no-any-return]


def first_and_count(lines: list[str]) -> Iterable[Piece]:
    return [*lines[:1], Fold(lines[1:], "step", known=True)]


@pytest.mark.parametrize("read", [first_and_count, list, lambda lines: [Recast("step", lines)] if len(lines) > 1 else lines])
def test_an_honest_family_is_not_accused(read: Callable[[list[str]], Iterable[Piece]]) -> None:
    assert violations(Reader(read), "reader", TEXT, 0) == []


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda lines: lines[:5], "fault: reader accounts for 5 of 30 lines"),
        (lambda lines: [*lines[:29], "all is well"], "invented 'all is well'"),
        (lambda lines: [*lines[:29], lines[0]], "left the ledger: 'step 29 of the work is done'"),
        (lambda lines: [Recast("all is well", lines)], "'all' is in no line of"),
        (lambda lines: lines[len(lines) + 1], "fault: IndexError"),
        (lambda lines: [*lines[: len(lines) // 2], Recast("step", lines[len(lines) // 2 :])], "a second pass changes it"),
    ],
    ids=["drops lines", "invents a line", "shows a line twice", "invents a word", "crashes", "goes on for ever"],
)
def test_a_family_that_breaks_a_promise_is_found_out(read: Callable[[list[str]], Iterable[Piece]], said: str) -> None:
    found = violations(Reader(read), "reader", TEXT, 0)
    assert [one for one in found if said in one], found


def test_a_result_that_is_no_text_is_found_out() -> None:
    found = violations(Writer(lambda text: None), "writer", TEXT, 0)
    assert "process() returned NoneType" in found


def test_a_result_that_differs_each_time_is_found_out() -> None:
    calls = iter(range(100))
    found = violations(Writer(lambda text: text[: 200 + next(calls)]), "writer", TEXT, 0)
    assert "two runs differ" in found
