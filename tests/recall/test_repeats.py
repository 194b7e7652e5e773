"""When a repeated command is a sign that too much was left out, and what is answered then."""

from __future__ import annotations

import os
import pathlib

import pytest

from token_saver.processor import as_command
from token_saver.recall import repeats
from token_saver.recall.repeats import Asked, asked, asks_for_more, misses, widened, written_between


def told(command: str, printed: str, *, omitted: bool = True, wide: bool = False, again: bool = False) -> Asked:
    return asked(as_command(command), printed)._replace(omitted=omitted, wide=wide, again=again)


def missed(before: Asked, command: str, printed: str, *, difference: bool = False) -> bool:
    line = as_command(command)
    return misses(before, asked(line, printed), more=asks_for_more(line), difference=difference)


def test_the_same_command_that_prints_the_same_misses_what_was_left_out() -> None:
    assert missed(told("pytest", "1 failed in 0.12s"), "pytest", "1 failed in 0.34s")
    assert not missed(told("pytest", "1 failed"), "pytest", "2 failed")
    assert not missed(told("pytest", "1 failed", omitted=False), "pytest", "1 failed")
    assert not missed(told("pytest", "1 failed"), "pytest tests", "1 failed")


def test_a_first_repeat_that_is_answered_by_a_difference_explains_itself_a_second_one_does_not() -> None:
    assert not missed(told("pytest", "x"), "pytest", "x", difference=True)
    assert missed(told("pytest", "x", again=True), "pytest", "x", difference=True)


def test_a_wide_answer_stays_wide_while_the_repeats_go_on() -> None:
    assert missed(told("pytest", "x", wide=True, omitted=False), "pytest", "x", difference=True)
    assert not missed(told("pytest", "x", wide=True, omitted=False), "pytest", "y")


@pytest.mark.parametrize(
    "command",
    ["pytest -v a.py", "pytest a.py -vv", "pytest --tb=long a.py", "pytest a.py | grep Error", "pytest a.py 2>&1 | tail -40"],
)
def test_the_same_command_that_asks_for_more_or_searches_is_a_miss(command: str) -> None:
    assert missed(told("pytest a.py", "1 failed"), command, "something else")
    assert not missed(told("pytest a.py", "1 failed", omitted=False), command, "something else")
    assert not missed(told("pytest b.py", "1 failed"), command, "something else")


def test_only_a_file_written_between_the_two_runs_explains_a_repeat(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "src" / "cart.py"
    source.parent.mkdir()
    source.write_text("")
    os.utime(source, (100, 100))
    assert written_between("", str(tmp_path), 99, 101)
    assert not written_between("", str(tmp_path), 100.5, 200)
    assert not written_between("", str(tmp_path), 50, 99)


def test_a_file_outside_that_the_output_names_explains_it_too(tmp_path: pathlib.Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("")
    os.utime(other, (100, 100))
    (tmp_path / "work").mkdir()
    assert written_between("../other.py:3: error", str(tmp_path / "work"), 99, 101)
    assert written_between(f"{other}:3: error", str(tmp_path / "work"), 99, 101)
    assert not written_between("other.py:3: error", str(tmp_path / "work"), 99, 101)


def test_what_tools_make_explains_nothing_and_too_much_to_look_at_does(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for made in ("__pycache__", ".git", "node_modules"):
        (tmp_path / made).mkdir()
        (tmp_path / made / "x").write_text("")
        os.utime(tmp_path / made / "x", (100, 100))
    assert not written_between("", str(tmp_path), 99, 101)
    monkeypatch.setattr(repeats, "_MOST_ENTRIES", 2)
    assert written_between("", str(tmp_path), 99, 101)


def test_a_wide_answer_is_the_whole_output_or_both_ends_of_a_large_one() -> None:
    assert widened("a\nb\n", "a\n") == "a\nb\n"
    large = "".join(f"line {number}\n" for number in range(10_000))
    wide = widened(large, "short\n")
    assert repeats.WIDE * 0.9 < len(wide) < repeats.WIDE + 50
    assert wide.startswith("line 0\n") and wide.endswith("line 9999\n") and " lines]\n" in wide
    assert widened(large, "x" * 40_000) == "x" * 40_000


def test_nothing_that_was_typed_or_printed_is_remembered(tmp_path: pathlib.Path) -> None:
    kept = repeats.opened(str(tmp_path))
    now = told("curl --user me:secret", "printed words")
    repeats.remember(kept, "scope", now)
    found = repeats.last(kept, "scope")
    assert found is not None and found[0] == now and repeats.last(kept, "other") is None
    for file in tmp_path.iterdir():
        assert b"secret" not in file.read_bytes() and b"printed" not in file.read_bytes()
