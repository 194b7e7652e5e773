"""Test runners: what their cases cannot say, and formats of runners that are not recorded."""

from __future__ import annotations

import json

import pytest

from token_saver.engine import CompressionEngine


def test_mocha_keeps_a_title_of_several_lines_and_the_difference(engine: CompressionEngine) -> None:
    passing = "".join(f"    ✔ prices {n} passengers\n" for n in range(80))
    text = (
        f"\n\n  fare\n{passing}    1) prices groups\n\n\n  80 passing (9ms)\n  1 failing\n\n  1) fare\n       prices groups:\n\n"
        "      AssertionError [ERR_ASSERTION]: Expected values "
        "to be strictly equal:\n      + expected - actual\n\n      -80\n      +90\n"
        "      at Context.<anonymous> (test/fares.js:5:3)\n      at process.processImmediate (node:internal/timers:483:21)\n"
    )
    result, _, _ = engine.compress("npx mocha", text, exit_code=1)
    for part in (
        "[… 80 passing tests]",
        "1) prices groups",
        "prices groups:",
        "-80",
        "+90",
        "test/fares.js:5:3",
        "80 passing",
        "1 failing",
    ):
        assert part in result
    assert "node:internal" not in result


def test_rspec_keeps_values_behind_a_blank_line_and_the_example(engine: CompressionEngine) -> None:
    text = (
        "..F.\n\nFailures:\n\n  1) Ferry prices two\n     Failure/Error: "
        "expect(fare(2)).to eq(90)\n\n       expected: 90\n            got: 80\n\n"
        "       (compared using ==)\n     # ./spec/ferry_spec.rb:4:in `block (2 levels) in <top (required)>'\n"
        "     # /usr/lib/ruby/gems/rspec-core/lib/rspec/core/example.rb:263:in `instance_exec'\n\n"
        "Finished in 0.01 seconds\n4 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/ferry_spec.rb:4 # Ferry prices two\n"
    )
    result, _, _ = engine.compress("bundle exec rspec", text, exit_code=1)
    for part in (
        "Ferry prices two",
        "expected: 90",
        "got: 80",
        "./spec/ferry_spec.rb:4:in",
        "4 examples, 1 failure",
        "rspec ./spec/ferry_spec.rb:4",
    ):
        assert part in result
    assert "/usr/lib/ruby/gems" not in result


def test_minitest_keeps_each_failure(engine: CompressionEngine) -> None:
    text = (
        "Run options: --seed 3\n\n# Running:\n\n.F\n\nFinished in 0.001s, 2000 runs/s.\n\n"
        "  1) Failure:\nFerryTest#test_two [test/ferry_test.rb:5]:\nExpected: 90\n"
        "  Actual: 80\n\n2 runs, 2 assertions, 1 failures, 0 errors, 0 skips\n"
    )
    result, _, _ = engine.compress("bin/rails test", text, exit_code=1)
    for part in ("FerryTest#test_two [test/ferry_test.rb:5]", "Expected: 90", "Actual: 80", "1 failures, 0 errors"):
        assert part in result


def test_dotnet_keeps_the_failure_and_tells_a_repeated_error_once(engine: CompressionEngine) -> None:
    passing = "".join(f"  Passed Ferry.Tests.Fare{n} [4 ms]\n" for n in range(30))
    error = "/p/Fare.cs(7,17): error CS1525: Invalid expression term ';' [/p/Ferry.csproj]\n"
    text = (
        f"  Determining projects to restore...\n{error}{passing} "
        " Failed Ferry.Tests.Two [5 ms]\n  Error Message:\n   Assert.Equal() Failure\n"
        "Expected: 90\nActual:   80\n  Stack Trace:\n     at Ferry.Tests.Two() in /p/FareTests.cs:line 8\n"
        "   at System.RuntimeMethodHandle.InvokeMethod(Object target)\n\n"
        f"{error}Failed!  - Failed: 1, Passed: 30, Skipped: 0, Total: 31\n"
    )
    result, _, _ = engine.compress("dotnet test", text, exit_code=1)
    assert result.count("error CS1525") == 1
    for part in (
        "Failed Ferry.Tests.Two",
        "Expected: 90",
        "/p/FareTests.cs:line 8",
        "Failed: 1, Passed: 30",
        "[… 30 passing tests]",
    ):
        assert part in result


def test_swift_testing_keeps_issues_and_suites(engine: CompressionEngine) -> None:
    tests = "".join(f"◇ Test fare{n}() started.\n✔ Test fare{n}() passed after 0.001 seconds.\n" for n in range(60))
    text = (
        f"◇ Test run started.\n◇ Suite Fares started.\n{tests}◇ Test two() started.\n"
        "✘ Test two() recorded an issue at Fares.swift:17:9: Expectation failed: "
        "(80) == (90)\n✘ Test two() failed after 0.001 seconds with 1 issue.\n"
        "✘ Suite Fares failed after 0.001 seconds with 1 issue.\n"
        "✘ Test run with 61 tests failed after 0.001 seconds with 1 issue.\n"
    )
    result, _, _ = engine.compress("swift test", text, exit_code=1)
    for part in ("Fares.swift:17:9: Expectation failed: (80) == (90)", "Suite Fares failed", "Test run with 61 tests failed"):
        assert part in result
    assert "fare3()" not in result


def test_mix_keeps_code_values_and_place(engine: CompressionEngine) -> None:
    text = (
        "Running ExUnit with seed: 3, max_cases: 4\n\n....\n\n  1) test prices "
        "two (FerryTest)\n     test/ferry_test.exs:5\n     Assertion with == failed\n"
        "     code:  assert Ferry.fare(2) == 90\n     left:  80\n     right: 90\n"
        "     stacktrace:\n       test/ferry_test.exs:6: (test)\n\n"
        "..\nFinished in 0.03 seconds\n7 tests, 1 failure\n"
    )
    result, _, _ = engine.compress("mix test", text, exit_code=2)
    for part in ("test prices two (FerryTest)", "left:  80", "right: 90", "test/ferry_test.exs:6: (test)", "7 tests, 1 failure"):
        assert part in result


def test_gotestsum_keeps_reruns(engine: CompressionEngine) -> None:
    passing = "".join(f"PASS ferry.Test{n} (0.00s)\n" for n in range(40))
    text = (
        f"{passing}=== RUN   TestTwo\n    fare_test.go:9: want 90\n--- FAIL: TestTwo\n"
        "FAIL ferry.TestTwo (0.00s)\n\nDONE 41 tests, 1 failure\n\n"
        "PASS ferry.TestTwo (re-run 1)\n\n=== Failed\n=== FAIL: ferry TestTwo\n"
        "    fare_test.go:9: want 90\n\nDONE 2 runs, 42 tests, 1 failure\n"
    )
    result, _, _ = engine.compress("gotestsum --rerun-fails", text, exit_code=0)
    for part in ("fare_test.go:9: want 90", "=== FAIL: ferry TestTwo", "DONE 2 runs, 42 tests, 1 failure"):
        assert part in result


def test_pest_counts_passing_suites_and_names_the_others(engine: CompressionEngine) -> None:
    fine = "".join(f"   PASS  Tests\\Unit\\Fare{n}Test\n  ✓ it prices {n}\n\n" for n in range(30))
    text = (
        f"\n{fine}   FAIL  Tests\\Unit\\GroupTest\n  ✓ it prices one\n  ⨯ it prices two\n"
        "  - it prices three → no group fares yet\n\n  Tests:    1 failed, 1 skipped, 31 passed\n"
    )
    result, _, _ = engine.compress("./vendor/bin/pest", text, exit_code=1)
    for part in (
        "Tests\\Unit\\GroupTest",
        "⨯ it prices two",
        "it prices three → no group fares yet",
        "1 failed, 1 skipped, 31 passed",
    ):
        assert part in result
    assert "Fare3Test" not in result


def test_ctest_keeps_output_of_failing_tests_alone(engine: CompressionEngine) -> None:
    text = "".join(
        f"{n}: said by {n}\n{n}/9 Test #{n}: fare.{n} ............   {'Passed' if n != 4 else '***Failed'}    0.01 sec\n"
        for n in range(1, 10)
    )
    result, _, _ = engine.compress("ctest -V", text + "\n89% tests passed, 1 tests failed out of 9\n", exit_code=8)
    assert "4: said by 4" in result
    assert "3: said by 3" not in result
    assert "fare.4 ***Failed" in result


def test_a_run_without_a_summary_keeps_its_end(engine: CompressionEngine) -> None:
    text = (
        "test_a (t.T.test_a) ... ok\n" * 50
        + "test_b (t.T.test_b) ... Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n"
    )
    result, _, _ = engine.compress("python -m unittest -v", text, exit_code=139)
    assert "test_b (t.T.test_b) ... Fatal Python error: Segmentation fault" in result
    assert "[… 50 passing tests]" in result


def test_json_of_a_runner_keeps_failures_and_counts_what_passed(engine: CompressionEngine) -> None:
    examples = [
        {"id": f"./a_spec.rb[1:{n}]", "full_description": f"prices {n}", "status": "passed", "run_time": 0.1} for n in range(50)
    ]
    stack = ["/usr/lib/ruby/gems/rspec.rb:1:in `x'"] * 20 + ["./spec/a_spec.rb:7:in `y'"]
    failed = {
        "full_description": "prices two",
        "status": "failed",
        "line_number": 7,
        "exception": {"message": "got 80", "backtrace": stack},
    }
    text = json.dumps({"examples": [*examples, failed], "summary_line": "51 examples, 1 failure"})
    result, _, _ = engine.compress("rspec --format json", text, exit_code=1)
    told = json.loads(result)
    assert told["summary_line"] == "51 examples, 1 failure"
    assert "[… 50 passing tests]" in told["examples"]
    assert "./spec/a_spec.rb:7:in `y'" in result
    assert "/usr/lib/ruby" not in result
    assert "got 80" in result


@pytest.mark.parametrize(
    "command", ["cat jest.config.js", "cat pytest.ini", 'grep -n "go test" Makefile', "rg vitest .github", "find . -name mocha"]
)
def test_a_runner_named_as_an_argument_is_not_run(engine: CompressionEngine, command: str) -> None:
    text = "".join(f"  ✔ not a test {n}\nok  \tnot a package {n}\n" for n in range(6))
    assert engine.compress(command, text, exit_code=0)[1] not in {"jest", "vitest", "mocha", "go", "unittest"}


def test_dart_keeps_the_events_of_tests_that_fail(engine: CompressionEngine) -> None:
    events = ['{"protocolVersion":"0.1.1","type":"start","time":0}']
    for n in range(20):
        events.append(f'{{"test":{{"id":{n},"name":"prices {n}"}},"type":"testStart","time":1}}')
        if n == 7:
            events.append(
                '{"testID":7,"error":"Expected: 90","stackTrace":"test/fare_test.dart '
                '13:9","isFailure":true,"type":"error","time":2}'
            )
        result = "failure" if n == 7 else "success"
        events.append(f'{{"testID":{n},"result":"{result}","skipped":false,"hidden":false,"type":"testDone","time":3}}')
    events.append('{"success":false,"type":"done","time":4}')
    told, _, _ = engine.compress("dart test --reporter json", "\n".join(events) + "\n", exit_code=1)
    for part in ('"name":"prices 7"', "Expected: 90", "test/fare_test.dart 13:9", '"result":"failure"', '"success":false'):
        assert part in told
    assert '"name":"prices 3"' not in told


def test_dart_diagnostics_keep_place_and_rule(engine: CompressionEngine) -> None:
    lines = [f"   info • Unnecessary import {n} • lib/m{n}.dart:{n}:8 • unnecessary_import" for n in range(1, 60)]
    text = "\n".join(
        ["Analyzing ferry...", *lines, "  error • Undefined name 'x' • lib/a.dart:3:5 • undefined_identifier", "60 issues found."]
    )
    told, _, _ = engine.compress("dart analyze", text, exit_code=3)
    assert "error • Undefined name 'x' • lib/a.dart:3:5 • undefined_identifier" in told
    assert "60 issues found." in told
    assert [n for n in range(1, 60) if f"m{n}" not in told] == []
    assert len(told) < len(text) * 0.7
