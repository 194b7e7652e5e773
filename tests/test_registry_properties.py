"""The invariants over all registered processors, on real captures that were mixed up and on text that no tool wrote.

``TOKEN_SAVER_HYPOTHESIS=thorough`` looks for much longer, and by chance; the default run is short and always the same.
"""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contracts import STATUSES, engine_of, own_commands, plain_lines, violations
from tests.recorded import Recorded
from tests.test_registry_contract import OWN, PROCESSORS, each_processor, strangers

from token_saver.processor import Processor

THOROUGH = os.environ.get("TOKEN_SAVER_HYPOTHESIS") == "thorough"
FEW = max(3, 250 // len(PROCESSORS))
LIGHT = settings(max_examples=FEW, deadline=20_000, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
HEAVY = settings(max_examples=400, deadline=20_000, database=None, suppress_health_check=list(HealthCheck))
many = HEAVY if THOROUGH else LIGHT

LONGEST = 20_000 if THOROUGH else 5_000
PLANTED = "src/quagga/zebra.py:4711: error: the planted failure was not found"


@cache
def material(processor: Processor) -> dict[str, Recorded]:
    """Return recordings to mix up, by name: of the processor's own tool, then some of other tools."""
    own = [one for one in OWN[processor.name] if len(one.text) <= 40_000]
    return {one.name: one for one in (*own[:60], *strangers(processor, 20_000))}


@cache
def labels(processor: Processor) -> tuple[str, ...]:
    """Return commands under which the processor is asked."""
    recorded = dict.fromkeys(one.command for one in OWN[processor.name] if processor.can_handle(one.command))
    return (*own_commands(processor), *recorded)


def some_text(processor: Processor, chance: random.Random, data: st.DataObject) -> str:
    """Return a recording, or a part of it of LONGEST characters."""
    text = material(processor)[data.draw(st.sampled_from(list(material(processor))))].text
    start = chance.randrange(max(1, len(text) - LONGEST))
    return text[start : start + LONGEST]


def shuffled(text: str, other: str, chance: random.Random) -> str:
    """Return the lines in any order."""
    lines = text.splitlines(keepends=True)
    chance.shuffle(lines)
    return "".join(lines)


def truncated(text: str, other: str, chance: random.Random) -> str:
    """Return what a reader sees who comes late and leaves early."""
    start = chance.randrange(len(text) // 2 + 1)
    return text[start : chance.randrange(start, len(text) + 1)]


def interleaved(text: str, other: str, chance: random.Random) -> str:
    """Return two outputs as two processes write them to one terminal."""
    first, second = text.splitlines(keepends=True), other.splitlines(keepends=True)
    merged: list[str] = []
    while first or second:
        source = first if first and (not second or chance.random() < 0.5) else second
        merged.append(source.pop(0))
    return "".join(merged)


def duplicated(text: str, other: str, chance: random.Random) -> str:
    """Return a part of the lines several times."""
    lines = text.splitlines(keepends=True)
    start = chance.randrange(len(lines) + 1)
    return "".join(lines[:start] + lines[start : start + 20] * chance.randrange(2, 6) + lines[start:])


def damaged(text: str, other: str, chance: random.Random) -> str:
    """Return the text with bytes that are not UTF-8, control characters and other line ends in it."""
    strange = ["\udcff", "\x00", "\x1b[31m", "\r", "\x08", "\u2028", "\x85", "\ufeff", "\udcc3\udc28", "\x1b]8;;x\x07"]
    pieces = list(text)
    for _ in range(6):
        pieces.insert(chance.randrange(len(pieces) + 1), chance.choice(strange))
    return "".join(pieces).replace("\n", chance.choice(["\n", "\r\n"]))


def joined(text: str, other: str, chance: random.Random) -> str:
    """Return one huge line, and what follows it."""
    lines = text.split("\n")
    cut = chance.randrange(len(lines) + 1)
    return " ".join(lines[:cut]) * 3 + "\n" + "\n".join(lines[cut:])


WAYS = (shuffled, truncated, interleaved, duplicated, damaged, joined)


@each_processor
@many
@given(data=st.data())
def test_it_keeps_its_promises_on_captures_that_were_mixed_up(processor: Processor, data: st.DataObject) -> None:
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    text, other = some_text(processor, chance, data), some_text(processor, chance, data)
    way = data.draw(st.sampled_from(WAYS))
    wrong = violations(processor, data.draw(st.sampled_from(labels(processor))), way(text, other, chance), _status(data))
    assert wrong == []


_SHARDS = "error FAILED ok passed 1 12 a.py:3: :: - > + @@ { } [ ] % … [… 3 lines] ..... E | == __ 100%"
WORDS = st.sampled_from([*_SHARDS.split(), "", "  ", "\t"])
LINES = st.lists(WORDS, max_size=9).map(" ".join) | st.text(max_size=60) | st.text("= -_.+|/\\", max_size=80)


@each_processor
@many
@given(lines=st.lists(LINES, max_size=30), data=st.data())
def test_it_keeps_its_promises_on_text_that_no_tool_wrote(processor: Processor, lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines) + data.draw(st.sampled_from(["", "\n"]))
    assert violations(processor, data.draw(st.sampled_from(labels(processor))), text, _status(data)) == []


@each_processor
@many
@given(data=st.data())
def test_an_error_anywhere_in_its_output_is_kept(processor: Processor, data: st.DataObject) -> None:
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    lines = some_text(processor, chance, data).split("\n")
    lines.insert(data.draw(st.integers(0, len(lines))), PLANTED)
    result = engine_of(processor).run(data.draw(st.sampled_from(labels(processor))), "\n".join(lines), 1)
    assert "the planted failure was not found" in result.output


_NAMES = "amber birch cedar delta ember fjord grove hazel inlet jetty knoll larch maple north ocean petal"
NAMES = st.sampled_from(_NAMES.split())


@each_processor
@many
@given(
    lines=st.lists(st.lists(NAMES, min_size=3, max_size=8).map(" ".join), min_size=1, max_size=12, unique=True), data=st.data()
)
def test_lines_that_it_does_not_know_stay(processor: Processor, lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines) + "\n"
    result = engine_of(processor).run(data.draw(st.sampled_from(labels(processor))), text, _status(data))
    assert plain_lines(result.output) == plain_lines(text)


def _status(data: st.DataObject) -> Any:
    return data.draw(st.sampled_from(STATUSES))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_each_way_of_mixing_changes_a_text(way: Any) -> None:
    text = "".join(f"line {number} of the capture\n" for number in range(40))
    assert way(text, text.upper(), random.Random(3)) != text
    assert way("", "", random.Random(3)).strip("\x00\r\n\x08\x85\ufeff\udcff\u2028 ") is not None


def test_there_is_something_to_mix_for_every_processor() -> None:
    assert [processor.name for processor in PROCESSORS if not any(one.text.strip() for one in material(processor).values())] == []
