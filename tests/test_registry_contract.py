"""What every registered processor promises, checked on what it says of itself and on every recording there is."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterator
from hashlib import blake2s

import pytest
from tests.contracts import STATUSES, own_commands, violations
from tests.recorded import Recorded, own_cases, shared_captures

from token_saver.plugins import builtin_processors
from token_saver.processor import FALLBACK_NAME, FALLBACK_PRIORITY, Family, Processor, as_command
from token_saver.registry import Registry

PROCESSORS = sorted(builtin_processors(), key=lambda processor: processor.name)
REGISTRY = Registry(PROCESSORS)
RECORDED = [*own_cases(), *(one for folder in ("captures", "public") for one in shared_captures(folder))]

# Recordings of other tools that one processor reads, by size in characters: enough to meet every shape, little enough for
# all processors together to take seconds on one core.
STRANGE_CHARS = min(60_000, 4_000_000 // len(PROCESSORS))
LARGEST = 20_000


def reader(recorded: Recorded) -> Processor:
    """Return the processor that reads a recording."""
    return REGISTRY.select(as_command(recorded.command))


OWN: dict[str, list[Recorded]] = defaultdict(list)
for _one in RECORDED:
    OWN[reader(_one).name].append(_one)

each_processor = pytest.mark.parametrize("processor", PROCESSORS, ids=lambda processor: processor.name)


def strangers(processor: Processor, chars: int = STRANGE_CHARS) -> Iterator[Recorded]:
    """Yield recordings of other tools, chosen by chance but always the same, up to *chars* characters."""
    others = [one for one in RECORDED if one not in OWN[processor.name] and one.path.stat().st_size <= LARGEST]
    others.sort(key=lambda one: blake2s(f"{processor.name} {one.name}".encode()).digest())
    for one in others:
        chars -= one.path.stat().st_size
        if chars < 0:
            return
        yield one


def say(found: dict[str, list[str]]) -> None:
    """Fail with the first few of what was *found* (where → what is wrong there)."""
    rows = [f"{where}: {what}" for where, wrong in found.items() for what in wrong]
    if rows:
        pytest.fail("\n".join([*rows[:8], f"({len(rows)} in all)"]), pytrace=False)


@each_processor
def test_it_says_what_it_is(processor: Processor) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_-]*", processor.name)
    assert isinstance(processor.priority, int)
    assert (processor.__class__.__doc__ or "").strip().endswith(".")
    assert processor.priority < FALLBACK_PRIORITY or processor.name == FALLBACK_NAME


@each_processor
def test_its_hook_patterns_are_anchored_and_fit_the_commands_it_claims(processor: Processor) -> None:
    patterns = [re.compile(pattern) for pattern in processor.hook_patterns]
    assert [pattern for pattern in processor.hook_patterns if not pattern.startswith("^")] == []
    if isinstance(processor, Family) and processor.commands:
        assert [words for words in processor.commands if not processor.can_handle(words)] == []
        assert [words for words in processor.commands if not any(pattern.match(words) for pattern in patterns)] == []


def test_no_two_processors_claim_the_same_words_without_an_order() -> None:
    claims: dict[tuple[int, str], list[str]] = defaultdict(list)
    for processor in PROCESSORS:
        for words in getattr(processor, "commands", ()):
            claims[processor.priority, words].append(processor.name)
    assert {claim: names for claim, names in claims.items() if len(names) > 1} == {}


@each_processor
def test_it_keeps_its_promises_on_its_own_tool(processor: Processor) -> None:
    """Every recording of it, with the status it ended with and with each status it did not."""
    found: dict[str, list[str]] = {}
    for recorded in OWN[processor.name]:
        statuses = {recorded.exit_code, *(STATUSES if len(recorded.text) <= LARGEST else ())}
        for status in sorted(statuses, key=str):
            wrong = violations(processor, recorded.command, recorded.text, status)
            if wrong:
                found[f"{recorded.name} with status {status}"] = wrong
    say(found)


@each_processor
def test_it_keeps_its_promises_on_the_output_of_other_tools(processor: Processor) -> None:
    """A command can print anything: a wrapper, an alias, another version."""
    commands = own_commands(processor)
    found: dict[str, list[str]] = {}
    for number, recorded in enumerate(strangers(processor)):
        command, status = commands[number % len(commands)], STATUSES[number % 3]
        wrong = violations(processor, command, recorded.text, status)
        if wrong:
            found[f"{command} on {recorded.name} with status {status}"] = wrong
    say(found)


@each_processor
def test_a_large_line_does_not_hang_it(processor: Processor) -> None:
    """Patterns that backtrack need minutes here, others hundredths of a second."""
    command = own_commands(processor)[0]
    start = time.process_time()
    for unit in ("error: a/b.py:1:1: ", "=-", "  ", "x", "1.2.3, ", "((", '"{['):
        assert isinstance(REGISTRY.by_name[processor.name].process(as_command(command), unit * (40_000 // len(unit))), str)
    assert time.process_time() - start < 5


RECORDED_FAMILIES = sorted({case.family for case in own_cases()})
# Tools that end with 0 whatever they found.
NEVER_FAILS = {"cppcheck"}


@pytest.mark.parametrize("family", RECORDED_FAMILIES)
def test_a_family_has_a_case_from_a_failing_run(family: str) -> None:
    """Most of what goes wrong goes wrong in failing runs."""
    assert any(case.exit_code for case in own_cases() if case.family == family) == (family not in NEVER_FAILS)
