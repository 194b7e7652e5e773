"""Runners: what a command prints that another one ran is read by that one's family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from token_saver.engine import CompressionEngine
from token_saver.processor import Capture, Family, Inner, Processor
from token_saver.processors.generic import GenericProcessor
from token_saver.text import Fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.text.pieces import Piece

SETTINGS: dict[str, Any] = {"enabled": True, "min_input_length": 1, "recover_critical_lines": 20}
PASSES = [f"test_number_{n} of the suite PASSED" for n in range(20)]
RUN = "\n".join(["> tool --all", *PASSES, "1 failed", "> end of runner", ""])


class Tool(Family):
    """Counts what passed, and tells the status it was given."""

    name, priority, commands = "tool", 20, ("tool",)
    seen: tuple[int | None, bool] = (None, False)

    def read(self, capture: Capture) -> Iterable[Piece]:
        type(self).seen = capture.exit_code, capture.command.has("--all")
        return [Fold([line], "passing test", known=True) if line.endswith("PASSED") else line for line in capture.lines]


class Runner(Family):
    """Names the command behind ``>``; counts nothing itself."""

    name, priority, commands = "runner", 21, ("runner",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return capture.lines

    def inner(self, capture: Capture) -> Sequence[Inner]:
        if not capture.lines or not capture.lines[0].startswith("> "):
            return ()
        return (Inner(capture.lines[0][2:], 1, len(capture.lines) - 1),)


def engine(*processors: Processor) -> CompressionEngine:
    return CompressionEngine([*processors, GenericProcessor()], settings=SETTINGS)


def test_the_inner_family_reads_its_lines_and_the_runner_its_own() -> None:
    result = engine(Tool(), Runner()).run("runner go", RUN, 3)
    assert result.output == "> tool --all\n[… 20 passing tests]\n1 failed\n> end of runner\n"
    assert result.processor == "runner" and not result.fault
    assert Tool.seen == (3, True)


@pytest.mark.parametrize("banner", ["> unknown --all", "> runner go", ">  "])
def test_without_a_family_for_the_inner_command_the_runner_reads_all(banner: str) -> None:
    text = RUN.replace("> tool --all", banner)
    assert engine(Tool(), Runner()).compress("runner go", text)[0] == text


def test_somebody_else_may_choose_who_reads_the_inner_command() -> None:
    made = CompressionEngine([Runner(), GenericProcessor()], settings=SETTINGS, select_inner=lambda command: Tool())
    assert "[… 20 passing tests]" in made.compress("runner go", RUN)[0]


def test_a_runner_in_a_runner_is_followed_only_so_deep() -> None:
    class Other(Runner):
        name, commands = "other", ("other",)

    chain = "\n".join(["> other", "> runner", "> other", "> tool", *PASSES, "last", "end", "end", "end", ""])
    result = engine(Tool(), Runner(), Other()).run("runner go", chain)
    assert not result.fault and "test_number_7 of the suite PASSED" in result.output
    shallow = "\n".join(["> other", "> tool", *PASSES, "last", "end", "end", ""])
    assert "[… 20 passing tests]" in engine(Tool(), Runner(), Other()).run("runner go", shallow).output


def test_an_inner_reading_that_loses_a_line_is_the_runners_fault() -> None:
    class Loser(Tool):
        name, commands = "loser", ("loser",)

        def read(self, capture: Capture) -> Iterable[Piece]:
            return capture.lines[1:]

    result = engine(Loser(), Runner()).run("runner go", RUN.replace("> tool", "> loser"), 0)
    assert result.fault == "runner accounts for 22 of 23 lines"
