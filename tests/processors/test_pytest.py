"""What the recorded cases of pytest cannot say."""

from __future__ import annotations

import time

import pytest
from tests.recorded import Recorded, shared_captures

from token_saver.engine import CompressionEngine
from token_saver.processor import Capture, as_command
from token_saver.processors.pytest import PytestProcessor, read_run
from token_saver.processors.pytest._marks import budget
from token_saver.text.pieces import count_lines, render

PYTEST = PytestProcessor()
BANNER = "=" * 28 + " test session starts " + "=" * 28 + "\nplatform linux -- Python 3.12.4, pytest-8.3.4\nrootdir: /srv/app\n"


def shown(command: str, text: str, exit_code: int | None = 1) -> list[str]:
    """Return the lines that an agent sees; every line of *text* is accounted for."""
    capture = Capture(as_command(command), text, exit_code)
    pieces = list(PYTEST.read(capture))
    assert count_lines(pieces) == len(capture.lines)
    return render(pieces)


def rule(title: str, char: str = "=") -> str:
    return f" {title} ".center(max(80, len(title) + 4), char)


def failure(name: str, place: str, reason: str, statement: str = "assert have == want", extra: str = "") -> str:
    function = name.partition("[")[0].rpartition(".")[2]
    body = f"\n    def {function}():\n>       {statement}\nE       {reason}\n\n{place}: AssertionError\n"
    return f"{rule(name, '_')}\n{body}{extra}"


def run(*failures: str, summary: str = "", verdict: str = "1 failed in 0.10s") -> str:
    parts = [BANNER + "collected 3 items\n\ntests/test_a.py .F.   [100%]\n\n" + rule("FAILURES"), *failures]
    return "\n".join([*parts, *([rule("short test summary info"), summary] if summary else []), rule(verdict)]) + "\n"


def test_the_short_summary_goes_to_the_failures_that_it_names() -> None:
    text = run(
        failure("TestCart.test_sum", "tests/test_a.py:4", "AssertionError: assert 3 == 4"),
        summary="FAILED tests/test_a.py::TestCart::test_sum - AssertionError: assert 3 == 4",
    )
    assert shown("pytest", text) == [
        "collected 3 items",
        "[… 3 lines of banner, 1 line of progress]",
        "== FAILURES ==",
        "FAILED tests/test_a.py::TestCart::test_sum - AssertionError: assert 3 == 4",
        "    def test_sum():",
        ">       assert have == want",
        "E   AssertionError: assert 3 == 4",
        "tests/test_a.py:4: AssertionError",
        "1 failed in 0.10s",
    ]


def test_a_heading_that_two_files_share_is_not_guessed() -> None:
    """Two failures of one name and one line of summary: nobody can tell whose it is."""
    text = run(
        failure("test_sum", "tests/test_a.py:4", "assert 3 == 4"),
        failure("test_sum", "tests/test_b.py:9", "assert 5 == 6"),
        summary="FAILED tests/test_b.py::test_sum - assert 5 == 6",
    )
    lines = shown("pytest", text)
    assert lines.count("__ test_sum __") == 2
    assert "FAILED tests/test_b.py::test_sum - assert 5 == 6" in lines


def test_files_of_the_same_test_name_keep_their_order() -> None:
    text = run(
        failure("test_sum", "tests/test_a.py:4", "assert 3 == 4"),
        failure("test_sum", "tests/test_b.py:9", "assert 5 == 6"),
        summary="FAILED tests/test_a.py::test_sum - assert 3 == 4\nFAILED tests/test_b.py::test_sum - assert 5 == 6",
    )
    lines = shown("pytest", text)
    first, second = lines.index("FAILED tests/test_a.py::test_sum"), lines.index("FAILED tests/test_b.py::test_sum")
    assert lines.index("tests/test_a.py:4: AssertionError") in range(first, second)
    assert lines.index("tests/test_b.py:9: AssertionError") > second


def test_an_id_may_hold_the_sign_that_parts_it_from_the_reason() -> None:
    text = run(
        failure("test_range[1 - 2]", "tests/test_a.py:4", "assert 3 == 4"),
        failure("test_sum", "tests/test_a.py:9", "assert 5 == 6"),
        summary="FAILED tests/test_a.py::test_range[1 - 2] - assert 3 == 4\nFAILED tests/test_a.py::test_sum - assert 5 == 6",
    )
    assert "FAILED tests/test_a.py::test_range[1 - 2]" in shown("pytest", text)


def test_the_reason_stays_where_the_block_does_not_give_it() -> None:
    text = run(
        failure("test_sum", "tests/test_a.py:4", "assert 3 == 4"),
        summary="FAILED tests/test_a.py::test_sum - Failed: Timeout >1.0s",
    )
    assert "FAILED tests/test_a.py::test_sum - Failed: Timeout >1.0s" in shown("pytest", text)


def test_failures_alike_share_one_traceback_and_keep_every_id() -> None:
    names = [f"test_sum[{number}]" for number in range(40)]
    text = run(
        *(failure(name, "tests/test_a.py:4", "AssertionError: assert 3 == 4") for name in names),
        summary="\n".join(f"FAILED tests/test_a.py::{name} - AssertionError: assert 3 == 4" for name in names),
        verdict="40 failed in 0.10s",
    )
    lines = shown("pytest", text)
    assert [line for line in lines if line.startswith("FAILED")] == [f"FAILED tests/test_a.py::{name}" for name in names]
    assert lines.count("E   AssertionError: assert 3 == 4") == 1
    assert lines[-1] == "40 failed in 0.10s"


def test_many_failures_keep_their_reasons_and_places() -> None:
    failures = [failure(f"test_{n}", f"tests/test_a.py:{n}", f"assert {n} == {n + 1}", extra="noise\n" * 50) for n in range(60)]
    text = run(*failures, verdict="60 failed in 0.10s")
    lines = "\n".join(shown("pytest", text))
    for number in range(60):
        assert f"test_{number} __" in lines and f"assert {number} == {number + 1}" in lines
    assert len(lines) < len(text) / 2


def test_a_reason_told_often_stays_told_by_each_id() -> None:
    """Different places, one reason: those that no longer show it carry it in the line of the summary."""
    failures = [
        failure(f"test_{n}", f"tests/test_a.py:{n}", "ValueError: no such berth as 12", extra="x\n" * 200) for n in range(40)
    ]
    summary = "\n".join(f"FAILED tests/test_a.py::test_{n} - ValueError: no such berth as 12" for n in range(40))
    lines = shown("pytest", run(*failures, summary=summary, verdict="40 failed in 0.10s"))
    for number in range(40):
        at = next(index for index, line in enumerate(lines) if line.startswith(f"FAILED tests/test_a.py::test_{number}"))
        assert any("no such berth as 12" in line for line in lines[at : at + 5]), number


@pytest.mark.parametrize("flag", ["--version", "--help", "--fixtures", "--markers"])
def test_a_question_is_no_run(flag: str) -> None:
    """O57: what answers a question is left as it is."""
    text = "pytest 8.3.4\n" + "\n".join(f"option {n}: tests/x.py::test PASSED   [ 1%]" for n in range(30)) + "\n"
    assert shown(f"pytest {flag}", text, 0) == text.splitlines()


def test_a_source_line_that_looks_like_a_verdict_is_none() -> None:
    """O07: only a line that is nothing else is the verdict."""
    text = run(
        failure("test_old", "tests/test_a.py:4", "assert 1 == 2", "assert out  # 3 failed in the old batch, 9 passed in new"),
        verdict="1 failed, 40 passed in 3.07s",
    )
    lines = shown("pytest", text)
    assert lines[-1] == "1 failed, 40 passed in 3.07s"
    assert ">       assert out  # 3 failed in the old batch, 9 passed in new" in lines


@pytest.mark.parametrize(
    "verdict",
    [
        "14 xfailed in 0.53s",
        "no tests ran in 0.01s",
        "1 failed, 2 passed, 3 skipped, 4 deselected, 5 xfailed, 6 xpassed, 7 warnings, 8 errors in 61.00s (0:01:01)",
        "1 passed, 2 rerun in 0.10s",
        "5 passed, 12 subtests passed in 0.10s",
    ],
)
def test_every_verdict_stays(verdict: str) -> None:
    assert shown("pytest", BANNER + f"collected 1 item\n\n{rule(verdict)}\n", 0)[-1] == verdict
    assert shown("pytest -q", f"..                        [100%]\n{verdict}\n", 0)[-1] == verdict


def test_what_ran_last_stays_when_the_run_was_cut_off() -> None:
    head = BANNER + "collected 3 items\n\n" + "".join(f"tests/test_{n}.py ........   [ {n}%]\n" for n in range(10, 40))
    assert "tests/test_net.py ..." in shown("pytest", head + "tests/test_net.py ...", 124)
    verbose = (
        BANNER + "".join(f"tests/test_a.py::test_{n} PASSED   [ {n}%]\n" for n in range(10, 40)) + "tests/test_a.py::test_net "
    )
    assert "tests/test_a.py::test_net " in shown("pytest -v", verbose, 137)


def test_progress_tells_the_failing_file_when_nothing_else_does() -> None:
    text = (
        BANNER
        + "collected 4 items\n\ntests/test_a.py ..        [ 50%]\ntests/test_b.py .F        [100%]\n\n"
        + rule("1 failed in 0.1s")
    )
    assert "tests/test_b.py .F [100%]" in shown("pytest --tb=no -rN", text)


def test_library_frames_are_counted_and_own_frames_stay() -> None:
    frames = (
        "tests/test_a.py:7: in test_ship\n    ship(box)\n"
        "/venv/lib/python3.12/site-packages/mast/core.py:90: in send\n    return self.write(box)\n"
        "shop/dock.py:31: in write\n    raise Full(box)\nE   shop.dock.Full: berth 12 is taken\n"
    )
    text = run(
        f"{rule('test_ship', '_')}\n{frames}", summary="FAILED tests/test_a.py::test_ship - shop.dock.Full: berth 12 is taken"
    )
    lines = shown("pytest --tb=short", text)
    for kept in (
        "tests/test_a.py:7: in test_ship",
        "shop/dock.py:31: in write",
        "    raise Full(box)",
        "E   shop.dock.Full: berth 12 is taken",
    ):
        assert kept in lines
    assert not any("site-packages" in line for line in lines)
    assert "[… 2 lines of library code]" in lines


def test_expected_and_got_of_a_doctest_keep_their_order() -> None:
    text = run(
        f"{rule('[doctest] cider.press', '_')}\n003 >>> press(3)\nExpected:\n    13\nGot:\n    12\n\n"
        "/srv/app/cider.py:3: DocTestFailure\n",
        summary="FAILED cider.py::cider.press",
    )
    lines = shown("pytest --doctest-modules", text)
    assert lines[lines.index("Expected:") :][:4] == ["Expected:", "    13", "Got:", "    12"]
    assert "FAILED cider.py::cider.press" in lines


def test_skips_and_expected_failures_are_told_once_a_reason() -> None:
    summary = "\n".join(
        [
            *(f"SKIPPED [1] tests/test_a.py:{n}: needs a printer" for n in range(30)),
            "SKIPPED [1] tests/test_b.py:9: needs a scale",
            *(f"XFAIL tests/test_c.py::test_{n} - planned for Q4" for n in range(30)),
            "XPASS tests/test_d.py::test_lucky - thought to be broken",
        ]
    )
    text = (
        BANNER
        + f"collected 62 items\n\n{rule('short test summary info')}\n{summary}\n"
        + rule("31 skipped, 30 xfailed, 1 xpassed in 0.1s")
    )
    lines = shown("pytest -ra", text, 0)
    for kept in ("SKIPPED [1] tests/test_b.py:9: needs a scale", "XPASS tests/test_d.py::test_lucky - thought to be broken"):
        assert kept in lines
    assert "[… 28 skipped tests, 28 expected failures]" in lines


def test_each_class_of_warning_stays_with_a_place() -> None:
    body = "\n\n".join(
        f"tests/test_a.py::test_{n}\n  /srv/app/shop.py:{n}: {kind}: {text} {n}\n    warn()"
        for n, (kind, text) in enumerate([("DeprecationWarning", "old call")] * 40 + [("ResourceWarning", "unclosed file")])
    )
    text = (
        BANNER
        + f"collected 1 item\n\n{rule('warnings summary')}\n{body}\n\n-- Docs: https://docs.example\n"
        + rule("1 passed, 41 warnings in 0.1s")
    )
    lines = "\n".join(shown("pytest", text, 0))
    assert "shop.py:0: DeprecationWarning: old call 0" in lines
    assert "shop.py:40: ResourceWarning: unclosed file 40" in lines
    assert len(lines) < len(text) / 2


def test_coverage_keeps_files_with_missing_lines() -> None:
    rows = (
        "".join(f"src/full_{n}.py        10      0   100%\n" for n in range(30))
        + "src/dock.py           20      5    75%   3-7\n"
    )
    line = "-" * 50
    table = f"Name                Stmts   Miss  Cover   Missing\n{line}\n{rows}{line}\nTOTAL                 320      5    98%\n"
    text = (
        BANNER
        + f"{rule('tests coverage')}\n{rule('coverage: platform linux, python 3.12', '_')}\n\n{table}{rule('9 passed in 0.1s')}\n"
    )
    lines = shown("pytest --cov", text, 0)
    assert "src/dock.py 20 5 75% 3-7" in lines and "TOTAL 320 5 98%" in lines
    assert "[… 2 rows of coverage, 30 rows of 100%]" in lines


def test_workers_and_their_passing_tests_are_counted() -> None:
    done = "".join(f"tests/test_a.py::test_{n} \n[gw{n % 2}] [ {n}%] PASSED tests/test_a.py::test_{n} \n" for n in range(10, 60))
    text = (
        BANNER
        + f"created: 2/2 workers\n2 workers [50 items]\n\nscheduling tests via LoadScheduling\n\n{done}"
        + rule("50 passed in 1.0s")
    )
    assert shown("pytest -n2 -v", text, 0) == [
        "[… 6 lines of banner, 50 lines of progress, 50 passing tests]",
        "50 passed in 1.0s",
    ]


def test_collected_ids_stay_whole_until_they_are_very_many() -> None:
    ids = [f"tests/test_a.py::TestDock::test_berth[{n}-{n + 1}]" for n in range(200)]
    text = "\n".join([*ids, "", "200 tests collected in 0.1s"]) + "\n"
    assert shown("pytest --collect-only -q", text, 0)[:200] == ids
    many = (
        "\n".join([f"tests/test_{n % 9}.py::test_berth_{n // 60}[{n}]" for n in range(3000)])
        + "\n\n3000 tests collected in 0.1s\n"
    )
    lines = shown("pytest --collect-only -q", many, 0)
    assert lines[-1] == "3000 tests collected in 0.1s"
    assert {f"tests/test_{n}.py" for n in range(9)} == {line.partition("::")[0] for line in lines if line.startswith("tests/")}


def test_an_endless_line_loses_its_middle() -> None:
    text = run(failure("test_sum", "tests/test_a.py:4", "AssertionError: assert 'a" + "b" * 1_000_000 + "' == 'c'"))
    (reason,) = [line for line in shown("pytest", text) if line.startswith("E ")]
    assert reason.startswith("E   AssertionError: assert 'abbb") and reason.endswith("bb' == 'c'") and len(reason) < 2100


def test_nothing_is_said_of_an_empty_or_foreign_output() -> None:
    assert shown("pytest", "", 0) == []
    assert shown("pytest", "bash: pytest: command not found\n", 127) == ["bash: pytest: command not found"]


def test_the_budget_grows_with_failures_and_never_passes_half_of_a_short_run() -> None:
    assert budget(3000, 50) == 1900
    assert budget(100_000, 1) < budget(100_000, 20) < budget(100_000, 40) == 8000
    assert budget(8_000_000, 5000) > 50_000


def test_reading_grows_in_line_with_the_text() -> None:
    block = "\n".join(failure(f"test_{n}", f"tests/test_a.py:{n}", f"assert {n} == 0", extra="row\n" * 20) for n in range(400))
    took = []
    for times in (2, 8):
        lines = ("\n".join([BANNER, rule("FAILURES"), *[block] * times, rule("1 failed in 1s")])).split("\n")
        start = time.process_time()
        assert sum(1 for _ in read_run(lines))
        took.append(time.process_time() - start)
    assert took[1] < took[0] * 12


CAPTURES = [capture for capture in shared_captures("captures") if capture.family == "pytest"]


@pytest.mark.parametrize("capture", CAPTURES, ids=str)
def test_shared_runs_keep_what_an_agent_needs(capture: Recorded, engine: CompressionEngine) -> None:
    result = engine.run(capture.command, capture.text, capture.exit_code)
    assert result.processor == "pytest" and not result.fault
    assert capture.lost(result.output) == []
