from __future__ import annotations

import pytest

from token_saver.errors import RegistryError
from token_saver.processor import Processor
from token_saver.processors.generic import GenericProcessor
from token_saver.registry import Registry
from token_saver.shell.command_line import CommandLine


def made(name: str, priority: int, word: str = "") -> Processor:
    class Made(Processor):
        hook_patterns = (f"^{word}",) if word else ()

        def can_handle(self, command: str) -> bool:
            return bool(word) and command.startswith(word)

    processor = Made()
    processor.name = name
    processor.priority = priority
    return processor


def test_processors_are_ordered_by_priority_then_name() -> None:
    registry = Registry([GenericProcessor(), made("b", 20), made("a", 20), made("c", 10)])
    assert [processor.name for processor in registry] == ["c", "a", "b", "generic"]


def test_the_first_that_can_handle_a_command_is_selected() -> None:
    registry = Registry([made("late", 30, "git"), made("early", 20, "git"), GenericProcessor()])
    assert registry.select(CommandLine("git status")).name == "early"
    assert registry.select(CommandLine("unknown")).name == "generic"


def test_disabling_never_removes_the_fallback() -> None:
    registry = Registry([made("a", 20, "git"), GenericProcessor()], disabled=("a", "generic"))
    assert [processor.name for processor in registry] == ["generic"]


@pytest.mark.parametrize(
    ("processors", "reason"),
    [
        ([], "no processor at all"),
        ([made("a", 20)], "'a' with priority 20"),
        ([made("z", 999), GenericProcessor()], "'z' with priority 999"),
        ([made("a", 1), made("a", 2), GenericProcessor()], "two processors are named 'a'"),
        ([made("", 1), GenericProcessor()], "has no name"),
    ],
)
def test_an_unusable_set_is_refused_with_the_reason(processors: list[Processor], reason: str) -> None:
    with pytest.raises(RegistryError, match=reason):
        Registry(processors)


def test_hook_patterns_come_in_order_and_once() -> None:
    registry = Registry([made("b", 20, "git"), made("a", 10, "ls"), made("c", 30, "git"), GenericProcessor()])
    assert registry.hook_patterns() == ("^ls", "^git")
