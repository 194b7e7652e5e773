"""What the recorded cases of the search tools cannot say."""

from __future__ import annotations

import pytest
from tests.recorded import Recorded, shared_captures

from token_saver.engine import CompressionEngine
from token_saver.processor import Capture, as_command
from token_saver.processors.search import SearchProcessor
from token_saver.text.pieces import count_lines, render

SEARCH = SearchProcessor()


def shown(command: str, text: str, exit_code: int | None = 0) -> list[str]:
    """Return the lines that an agent sees; every line of *text* is accounted for."""
    capture = Capture(as_command(command), text, exit_code)
    pieces = list(SEARCH.read(capture))
    assert count_lines(pieces) == len(capture.lines)
    return render(pieces)


def matches(files: int, each: int, text: str = "    total = fare(line) + surcharge(line)  # counted once a day") -> str:
    return "".join(f"src/lines/line_{f}.py:{m * 7 + 3}:{text}\n" for f in range(files) for m in range(each))


def test_few_matches_stay_as_they_are() -> None:
    text = matches(5, 4) + "--\nsrc/fares.py:12:def fare(line):\n"
    assert shown("grep -rn fare src", text) == text.splitlines()


def test_many_matches_keep_every_file_and_say_how_many_are_gone() -> None:
    lines = shown("grep -rn fare src", matches(60, 40))
    for number in range(60):
        assert any(line.startswith(f"src/lines/line_{number}.py:") for line in lines)
    gone = sum(int(line.split()[1]) for line in lines if line.startswith("[… "))
    assert gone + sum(1 for line in lines if line.startswith("src/")) == 60 * 40


def test_each_line_number_stays_with_its_own_file() -> None:
    """O35: a wrong pair is worse than a missing one."""
    text = matches(60, 40)
    assert {line for line in shown("rg -n fare", text) if line.startswith("src/")} <= set(text.splitlines())


def test_definitions_come_before_uses() -> None:
    uses = "".join(f"src/a.py:{n}:    x = fare(y)  # a use of the name that is searched for here\n" for n in range(300))
    text = uses + "src/a.py:900:    def fare_of(self, line):\nsrc/a.py:950:def fare(line):\n" + uses.replace("a.py", "b.py")
    lines = shown("grep -rn fare src", text)
    assert "src/a.py:950:def fare(line):" in lines and "src/a.py:900:    def fare_of(self, line):" in lines


@pytest.mark.parametrize(
    "definition",
    [
        "export default async function fare(line) {",
        "pub(crate) fn fare(line: &Line) -> u32 {",
        "func (l *Line) Fare() int {",
        "public static class Fare {",
        "CREATE TABLE fare (",
        "#define FARE 12",
        "interface Fare {",
    ],
)
def test_definitions_are_known_in_other_languages(definition: str) -> None:
    uses = "".join(f"src/a.x:{n}:    x = fare(y)  # a use of the name that is searched for here\n" for n in range(300))
    text = f"{uses}src/a.x:950:{definition}\n{uses.replace('a.x', 'b.x')}"
    assert f"src/a.x:950:{definition}" in shown("grep -rni fare src", text)


def test_too_many_files_for_a_match_each_are_still_named() -> None:
    text = "".join(f"src/part_{n % 30}/module_{n}.py:3:import fares_of_all_lines_and_seasons\n" for n in range(2000))
    lines = "\n".join(shown("grep -rn import src", text))
    for number in range(30):
        assert f"src/part_{number}/" in lines
    assert len(lines) < len(text) / 3


def test_context_names_its_path_where_a_group_begins() -> None:
    text = "".join(
        f"a-2-b.py-{n}-before\na-2-b.py-{n + 1}-again\na-2-b.py:{n + 2}:fare\na-2-b.py-{n + 3}-after\n--\n" for n in (1, 20)
    )
    assert shown("grep -C2 -n fare -r .", text) == [
        *("a-2-b.py-1-before", "-2-again", "a-2-b.py:3:fare", "-4-after", "--"),
        *("a-2-b.py-20-before", "-21-again", "a-2-b.py:22:fare", "-23-after", "--"),
    ]


def test_context_that_looks_like_a_match_makes_no_file() -> None:
    text = "a.py-7-x:8: y\na.py:8:fare\n--\nb.py:8:fare\n"
    assert shown("grep -C1 -rn fare .", text) == text.splitlines()


def test_the_nearest_context_stays_when_not_all_of_it_fits() -> None:
    text = "".join(f"{n}-line number {n} of the fares\n" for n in range(1, 500)) + "500:fare\n"
    lines = shown("grep -n -B499 fare a.py", text)
    assert lines[-2:] == ["500:fare", lines[-1]] and lines[-1].startswith("[… ")
    assert "499-line number 499 of the fares" in lines and "3-line number 3 of the fares" not in lines


def test_counts_keep_their_shape_and_zeros_are_counted() -> None:
    """O31: ``grep -c`` prints ``name:count``."""
    text = "".join(f"src/a_{n}.py:0\n" for n in range(30)) + "src/fares.py:17\n" + "".join(f"src/b_{n}.py:0\n" for n in range(9))
    assert shown("grep -rc fare src", text) == [
        *("src/a_0.py:0", "[… 29 files of count 0]", "src/fares.py:17", "src/b_0.py:0", "[… 8 files of count 0]"),
    ]


def test_of_very_many_counts_the_greatest_stay() -> None:
    text = "".join(f"src/lines/line_{n}.py:{n % 90 + 1}\n" for n in range(3000))
    lines = shown("rg -c fare", text)
    assert "src/lines/line_89.py:90" in lines and "src/lines/line_90.py:1" not in lines


def test_names_stay_whole_and_then_by_folder() -> None:
    few = "".join(f"./src/line_{n}.py\n" for n in range(100))
    assert shown("grep -rl fare .", few) == few.splitlines()
    many = "".join(f"./src/lines/line_{n}.py\n" for n in range(500))
    lines = shown("rg -l fare .", many)
    assert len(lines) == 1 and lines[0].startswith("./src/lines/ line_0.py line_1.py ") and lines[0].endswith(" line_499.py")


def test_a_long_line_keeps_what_was_searched_for() -> None:
    line = "web/app.min.js:1:" + "var a=1;" * 400 + "function retryBudget(){}" + "var b=2;" * 400
    (kept,) = shown("grep -rn retryBudget web", line + "\n")
    assert kept.startswith("web/app.min.js:1:var a=1;") and "function retryBudget(){}" in kept and "chars]…" in kept
    assert len(kept) < 500


def test_matches_without_a_number_are_grouped_by_path_alone() -> None:
    text = "".join(
        f"src/line_{f}.py:    total = fare(line) + surcharge(line), the {m}th use of it\n" for f in range(30) for m in range(20)
    )
    lines = shown("grep -r fare src", text)
    assert all(any(line.startswith(f"src/line_{f}.py:") for line in lines) for f in range(30))


def test_lines_of_a_log_are_read_as_a_log() -> None:
    """No path and no number: what was found is plain text, and timestamps are no ``path:line``."""
    text = "".join(f"2026-01-02 10:{n % 60:02}:00 gauge {n} answers with {n * 37 % 100} of 100\n" for n in range(500))
    lines = shown("grep gauge server.log", text + "2026-01-02 11:00:00 gauge 7 failed: timed out\n")
    assert "2026-01-02 11:00:00 gauge 7 failed: timed out" in lines and len(lines) < 200


def test_messages_of_the_tool_stay() -> None:
    text = (
        "grep: src/secret: Permission denied\nsrc/a.py:3:fare\ngrep: img/a.png: binary file matches\nBinary file b.png matches\n"
    )
    assert sorted(shown("grep -rn fare .", text, 2)) == sorted(text.splitlines())
    many = "".join(f"grep: /proc/{n}/mem: Permission denied\n" for n in range(500))
    lines = shown("grep -r x /proc", many, 2)
    assert lines[:5] == many.splitlines()[:5] and lines[5] == "[… 495 lines of Permission denied]"


@pytest.mark.parametrize("command", ["rg --json fare", "grep -rlZ fare .", "rg -0 -l fare", "grep --version", "rg --help"])
def test_what_programs_read_is_left_alone(command: str) -> None:
    text = "".join(f'{{"type":"match","data":{{"line":{n}}}}}\n' for n in range(2000))
    assert shown(command, text) == text.splitlines()


@pytest.mark.parametrize("command", ["grep -n -A200 fare a.py", "grep -A20 fare a.py", "rg -L -n fare", "grep -ecl a.py"])
def test_the_value_of_an_option_is_no_option(command: str) -> None:
    text = matches(60, 40)
    assert len(shown(command, text)) < 1000


def test_nothing_found_is_nothing_said() -> None:
    assert shown("rg kraken src", "", 1) == []


CAPTURES = [capture for capture in shared_captures("captures") if capture.family in ("grep", "ripgrep", "ag")]


@pytest.mark.parametrize("capture", CAPTURES, ids=str)
def test_shared_searches_keep_what_an_agent_needs(capture: Recorded, engine: CompressionEngine) -> None:
    result = engine.run(capture.command, capture.text, capture.exit_code)
    assert result.processor in ("search", "none") and not result.fault
    assert capture.lost(result.output) == []
