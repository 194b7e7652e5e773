"""Comparing two runs: nothing of a run is lost, no order depends on chance, no edit above makes a finding a new one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.diagnostics import (
    CHANGED,
    NEW,
    NOT_OBSERVED,
    PASSED,
    UNCHANGED,
    Change,
    Diagnostic,
    Snapshot,
    compare,
    identity,
    stable,
)

SHAPES = [
    ("src/cart.py", "src/cart.py:{line}:5: F401 [*] `{symbol}` imported but unused"),
    (
        "src/cart.py",
        "F401 [*] `{symbol}` is unused\n  --> src/cart.py:{line}:8\n   |\n{line:>4} | import {symbol}\n     |    ^^\n   |",
    ),
    (
        "tests/test_cart.py",
        ">       assert 3 == 4\nE       assert 3 == 4\n\ntests/test_cart.py:{line}: AssertionError",
    ),
    ("src/cart.ts", "src/cart.ts({line},7): error TS2322: Type 'string' is not assignable to '{symbol}'."),
    ("src/cart.js", "  {line}:12  error  '{symbol}' is not defined  no-undef"),
    ("src/lib.rs", "error[E0308]: mismatched types\n --> src/lib.rs:{line}:18\n   |\n{line} |     {symbol}(1)\n   |     ^^^"),
    ("src/a.test.ts", "AssertionError: expected 1 to be 2\n ❯ src/a.test.ts:{line}:13\n    {line}|   expect({symbol})"),
    ("app.py", 'Traceback (most recent call last):\n  File "app.py", line {line}, in {symbol}\nValueError: no'),
    ("app.js", "TypeError: no\n    at {symbol} (/srv/app.js:{line}:10)"),
    ("main.c", "main.c:{line}:3: error: unknown type name '{symbol}'\n{line:>5} |   {symbol} x;\n      |   ^"),
]
"""How tools print a place: the file, and a detail to fill in."""

symbols = st.sampled_from(["os", "re", "Cart", "total"])
findings = st.builds(
    Diagnostic,
    st.sampled_from(["F401|a.py|os", "F401|a.py|re", "E711|b.py|None", "test_a.py::test_x[a|1]", "test_a.py::test_y"]),
    st.sampled_from(["`os` imported but unused", "assert 1 == 2", "assert 1 == 3"]),
    st.sampled_from(["a.py:3:1 unused", "a.py:9:1 unused", "E  assert 1 == 2", "E  assert 1 == 3", ""]),
    location=st.sampled_from(["", "a.py:3", "a.py:9", "b.py:1"]),
)
runs = st.builds(
    lambda found, passed: Snapshot("any", "", tuple(found), tuple(passed)),
    st.lists(findings, max_size=9),
    st.lists(st.sampled_from(["test_a.py::test_x[a|1]", "test_a.py::test_y"]), max_size=2),
)


def made(shape: int, symbol: str, line: int) -> Diagnostic:
    """Return the finding that a tool of that shape reports in that line."""
    file, detail = SHAPES[shape]
    return Diagnostic(
        identity("rule", file, symbol), "it is wrong", detail.format(line=line, symbol=symbol), location=f"{file}:{line}"
    )


def kinds(changes: tuple[Change, ...]) -> list[str]:
    return [change.kind for change in changes]


@given(runs, runs)
def test_every_finding_of_both_runs_is_in_exactly_one_change_and_in_order(previous: Snapshot, current: Snapshot) -> None:
    changes = compare(previous, current)
    present = [change for change in changes if change.kind in (NEW, CHANGED, UNCHANGED)]
    gone = [change for change in changes if change.kind in (PASSED, NOT_OBSERVED)]
    assert changes == (*present, *gone)
    assert [id(change.diagnostic) for change in present] == [id(one) for one in current.diagnostics]
    before = [change.previous for change in present if change.previous is not None] + [change.diagnostic for change in gone]
    assert Counter(map(id, before)) == Counter(map(id, previous.diagnostics))
    order = {id(one): at for at, one in enumerate(previous.diagnostics)}
    assert [order[id(change.diagnostic)] for change in gone] == sorted(order[id(change.diagnostic)] for change in gone)


@given(runs, runs)
def test_what_passed_was_said_to_have_passed(previous: Snapshot, current: Snapshot) -> None:
    for change in compare(previous, current):
        if change.kind == PASSED:
            assert change.diagnostic.identifier in current.passed
        if change.kind == NOT_OBSERVED:
            assert change.diagnostic.identifier not in current.passed


@given(runs)
def test_a_run_does_not_differ_from_itself(run: Snapshot) -> None:
    assert set(kinds(compare(run, run))) <= {UNCHANGED}


@given(runs, runs)
def test_only_what_has_no_match_of_its_identifier_is_new(previous: Snapshot, current: Snapshot) -> None:
    had = Counter(one.identifier for one in previous.diagnostics)
    has = Counter(one.identifier for one in current.diagnostics)
    new = Counter(change.diagnostic.identifier for change in compare(previous, current) if change.kind == NEW)
    assert new == has - had


@given(st.integers(0, len(SHAPES) - 1), st.lists(st.tuples(symbols, st.integers(1, 99_999)), max_size=8), st.integers(1, 2000))
def test_lines_inserted_or_deleted_above_make_no_finding_new(shape: int, found: list[tuple[str, int]], shift: int) -> None:
    above = Snapshot("any", "", tuple(made(shape, symbol, line) for symbol, line in found))
    below = Snapshot("any", "", tuple(made(shape, symbol, line + shift) for symbol, line in found))
    for previous, current in ((above, below), (below, above)):
        changes = compare(previous, current)
        assert kinds(changes) == [UNCHANGED] * len(found)
        assert all(change.moved for change in changes)


@given(st.integers(0, len(SHAPES) - 1), st.lists(symbols, max_size=8), st.data())
def test_edits_between_findings_make_none_of_those_that_are_left_new(shape: int, found: list[str], data: st.DataObject) -> None:
    def lines() -> list[int]:
        return sorted(data.draw(st.lists(st.integers(1, 999), min_size=len(found), max_size=len(found))))

    previous = Snapshot("any", "", tuple(made(shape, symbol, line) for symbol, line in zip(found, lines(), strict=True)))
    left = data.draw(st.lists(st.booleans(), min_size=len(found), max_size=len(found)))
    moved = [made(shape, symbol, line) for symbol, line in zip(found, lines(), strict=True)]
    current = Snapshot("any", "", tuple(one for one, stays in zip(moved, left, strict=True) if stays))
    assert Counter(kinds(compare(previous, current))) == Counter({UNCHANGED: sum(left), NOT_OBSERVED: len(left) - sum(left)})


def test_of_alike_findings_the_one_that_was_added_or_mended_is_told_by_how_the_others_moved() -> None:
    before = Snapshot("any", "", tuple(made(0, "os", line) for line in (2, 7, 12, 17)))
    added = Snapshot("any", "", tuple(made(0, "os", line) for line in (6, 8, 11, 16, 21)))
    assert kinds(compare(before, added)) == [UNCHANGED, NEW, UNCHANGED, UNCHANGED, UNCHANGED]
    gone = [change.diagnostic.line for change in compare(added, before) if change.kind == NOT_OBSERVED]
    assert gone == [8]


def test_another_value_makes_a_finding_a_changed_one() -> None:
    before = Snapshot("any", "", (Diagnostic("t", "assert 3 == 4", "E  assert 3 == 4\na.py:7: AssertionError"),))
    after = Snapshot("any", "", (Diagnostic("t", "assert 5 == 4", "E  assert 5 == 4\na.py:7: AssertionError"),))
    (change,) = compare(before, after)
    assert change.kind == CHANGED and change.needs_detail and change.previous is before.diagnostics[0]


def test_of_alike_findings_the_one_with_another_text_is_the_one_that_is_shown() -> None:
    same, other = Diagnostic("t", "s", "a.py:3: one"), Diagnostic("t", "s", "a.py:3: two")
    changes = compare(Snapshot("any", "", (same,)), Snapshot("any", "", (other, same)))
    assert kinds(changes) == [NEW, UNCHANGED]


@pytest.mark.parametrize(
    "text",
    [
        "E   assert 'a.py:12' == 'a.py:13'",
        "Expected: 12, received: 13",
        "connect ECONNREFUSED 127.0.0.1:8080",
        "expected line count 12",
        "error TS2322: Type '12' is not assignable to type '13'.",
        "   x = 12 | y",
        "12 + 4 = 16",
    ],
)
def test_a_number_inside_of_a_value_is_no_place(text: str) -> None:
    assert stable(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<Cart object at 0x7f3a2c1b4d90>", "<Cart object at 0x7f91ffe03c10>"),
        ("/tmp/pytest-of-me/pytest-12/test_x0/a.txt", "/tmp/pytest-of-me/pytest-13/test_x0/a.txt"),
        ("✗ adds items (5 ms)", "✗ adds items (12 ms)"),
        ("--- FAIL: TestAdd (0.00s)", "--- FAIL: TestAdd (0.12s)"),
        ("redefinition of `x` from line 3", "redefinition of `x` from line 14"),
    ],
)
def test_what_chance_decides_makes_no_difference(one: str, other: str) -> None:
    assert one != other and stable(one) == stable(other)
