from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from token_saver.engine import CompressionEngine, Result
from token_saver.processor import Capture, Family, Processor
from token_saver.processors.generic import GenericProcessor
from token_saver.text import Fold, Rules, sieve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.text.pieces import Piece

SETTINGS: dict[str, Any] = {
    "enabled": True,
    "disabled_processors": [],
    "min_input_length": 1,
    "min_compression_ratio": 0.0,
    "max_chain_depth": 3,
    "recover_critical_lines": 20,
}
PASSES = "".join(f"test_number_{n} PASSED\n" for n in range(20))


class ToolProcessor(Family):
    """Counts passing tests."""

    name, priority, commands = "tool", 20, ("tool",)
    quiet = Rules({r"\S+ PASSED": "passing test"})

    def read(self, capture: Capture) -> Iterable[Piece]:
        return sieve(capture.lines, self.quiet)


class Text(Processor):
    """A third party's processor, made from a function."""

    priority = 30

    def __init__(self, name: str, result: Any, **capabilities: Any) -> None:
        self.name = name
        self.result = result
        self.__dict__.update(capabilities)

    def can_handle(self, command: str) -> bool:
        return command.split()[:1] == [self.name]

    def process(self, command: str, output: str) -> str:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result(output) if callable(self.result) else self.result  # type: ignore[no-any-return]

    def redacted_secrets(self, command: str, output: str) -> bool:
        return bool(self.__dict__.get("redacts"))


def engine(*processors: Processor, **settings: Any) -> CompressionEngine:
    return CompressionEngine([*processors, GenericProcessor()], settings={**SETTINGS, **settings})


def test_the_result_is_a_text_a_name_and_a_flag() -> None:
    made = engine(ToolProcessor())
    assert made.compress("tool", PASSES, exit_code=0) == ("[… 20 passing tests]\n", "tool", True)
    assert made.last_event["result_processor"] == "tool"
    assert made.last_event["omissions"] == [[20, "passing test"]]


def test_what_gains_nothing_is_the_input_object_itself() -> None:
    text = "nothing to say\n"
    output, name, changed = engine(ToolProcessor()).compress("tool", text)
    assert output is text and (name, changed) == ("tool", False)


@pytest.mark.parametrize("settings", [{"enabled": False}, {"min_input_length": 10_000}])
def test_gates_leave_the_input_untouched(settings: dict[str, Any]) -> None:
    assert engine(ToolProcessor(), **settings).compress("tool", PASSES) == (PASSES, "none", False)


@pytest.mark.parametrize("text", ["", "a\x00b" * 100, "x\n[… 3 lines]\n" + PASSES])
def test_empty_binary_and_shortened_output_stay(text: str) -> None:
    assert engine(ToolProcessor()).compress("tool", text)[0] is text


def test_a_second_pass_changes_nothing() -> None:
    made = engine(ToolProcessor())
    once = made.compress("tool", PASSES)[0]
    assert made.compress("tool", once)[0] is once


def test_a_failed_command_goes_to_the_fallback_unless_its_processor_handles_failure() -> None:
    text = "line\n" * 300
    made = engine(Text("calm", "line"), Text("brave", "line", handles_failure=True))
    assert made.run("calm", text, 1).failure_fallback and made.run("calm", text, 1).processor == "generic"
    assert made.run("calm", text, 0).processor == "calm"
    assert made.run("calm", text, None).processor == "calm"
    assert made.run("brave", text, 1).processor == "brave"


@pytest.mark.parametrize("result", [RuntimeError("secret content"), 17, None, "All tests passed\n"])
def test_a_broken_contract_is_a_mismatch_without_content(result: Any) -> None:
    text = "1 failed\n" * 300
    outcome = engine(Text("bad", result)).run("bad", text, 0)
    assert outcome.mismatch and "secret" not in outcome.fault
    assert outcome.processor == "generic" and "1 failed" in outcome.output


def test_a_family_that_loses_a_line_is_not_believed() -> None:
    class Loser(ToolProcessor):
        name, commands = "loser", ("loser",)

        def read(self, capture: Capture) -> Iterable[Piece]:
            return [Fold(capture.lines[1:], "line")]

    outcome = engine(Loser()).run("loser", "important\n" + "x\n" * 200)
    assert outcome.fault == "loser accounts for 200 of 201 lines" and "important" in outcome.output


def test_no_result_is_longer_than_its_input() -> None:
    assert engine(Text("wide", lambda output: output * 2)).compress("wide", "abc\n")[0] == "abc\n"


def test_failures_that_vanished_come_back() -> None:
    text = "fine\n" * 200 + "fatal: the disk is gone\n" + "fine\n" * 200
    outcome = engine(Text("quiet", "fine", handles_failure=True)).run("quiet", text, 1)
    assert "fatal: the disk is gone" in outcome.output and outcome.recovered == 1


def test_chains_run_in_order_and_none_twice() -> None:
    first = Text("first", lambda output: output.replace("aaaa", "b"), chain_to=["second", "first", "absent"])
    second = Text("second", lambda output: output.replace("bb", "c"), chain_to="first")
    assert engine(first, second).compress("first", "aaaaaaaa and more\n")[0] == "c and more\n"


def test_a_redacted_result_wins_whatever_its_size() -> None:
    masker = Text("mask", lambda output: output.replace("hunter2", "[a masked value]"), redacts=True)
    outcome = engine(masker).run("mask", "pw hunter2\n")
    assert "hunter2" not in outcome.output and outcome.redacted and outcome.changed


def test_secrets_are_masked_for_every_processor() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    outcome = engine(ToolProcessor()).run("tool", f"token is {secret}\n")
    assert secret not in outcome.output and outcome.redacted


def test_filtered_and_mixed_output_is_read_by_the_fallback() -> None:
    made = engine(ToolProcessor())
    assert made.run("tool | sort | uniq -c", PASSES * 3).processor in ("generic", "none")
    assert made.run("tool | head -20", PASSES).processor == "tool"
    assert made.run("cd web && tool", PASSES).processor == "tool"


def test_a_ceiling_keeps_failures_before_other_lines() -> None:
    text = "".join(f"some line of text number {chr(97 + n % 26) * 5}\n" for n in range(60)) + "error: this one\n"
    output = engine(Text("t", lambda o: o), max_result_tokens=60, chars_per_token=4).compress("unknown", text)[0]
    assert "error: this one" in output and len(output) < 60 * 4 + 80


def test_the_middle_of_what_is_too_large_is_reduced() -> None:
    text = PASSES * 2000 + "fatal: in the middle\n" + PASSES * 2000
    output = engine(ToolProcessor(), family_limit_chars=100_000).compress("tool", text)[0]
    assert "fatal: in the middle" in output and len(output) < 1000


def test_a_result_cannot_be_changed() -> None:
    outcome = Result("text", "generic", False)
    with pytest.raises(AttributeError):
        outcome.output = "other"


def test_threads_do_not_see_each_others_events() -> None:
    made = engine(ToolProcessor())
    seen: dict[int, Any] = {}

    def work(number: int) -> None:
        for _ in range(20):
            text = f"test_x PASSED {'y' * number}\n" * (number + 5)
            made.compress("tool", text)
            seen[number] = made.last_event["original_len"] - len(text)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen.values()) == {0} and made.last_event == {}


def test_carriage_returns_alone_are_no_gain() -> None:
    text = "one\r\ntwo\r\n"
    assert engine(ToolProcessor()).compress("tool", text)[0] is text
