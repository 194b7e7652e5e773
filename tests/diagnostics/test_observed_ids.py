"""The complete list of what a failing run reported, read by hand from each recording: identifier and location, in order."""

from __future__ import annotations

import pytest
from tests.diagnostics.observed import BY_NAME

from token_saver.engine import CompressionEngine

_CAST = (
    "-Wint-conversion|ferry.c|leave|returning ‘char *’ from a function with return type ‘int’ "
    "makes integer from pointer without a cast"
)
FOUND = {
    "pytest/fixture-errors-verbose": [
        ("tests/test_scales.py::test_weigh", "tests/test_scales.py:8"),
        ("tests/test_scales.py::test_juice (teardown)", "tests/test_scales.py:14"),
        ("tests/test_scales.py::test_unknown", "tests/test_scales.py:25"),
    ],
    "pytest/collection-errors": [
        ("tests/test_missing.py", "tests/test_missing.py:1"),
        ("tests/test_syntax.py", "tests/test_syntax.py:1"),
    ],
    "pytest/failures-colour": [
        ("tests/test_grades.py::test_boundary", "tests/test_grades.py:5"),
        ("tests/test_grades.py::test_counts", "tests/test_grades.py:9"),
        ("tests/test_grades.py::test_negative", "tests/test_grades.py:13"),
        ("tests/test_grades.py::test_long_text", "tests/test_grades.py:19"),
        ("tests/test_grades.py::TestCrates::test_missing_grade", "tests/test_grades.py:27"),
    ],
    "pytest/first-failure-only": [("tests/test_grades.py::test_boundary", "tests/test_grades.py:5")],
    "unittest/failures": [
        ("test_negative (test_fares.FareTest.test_negative)", "/home/dev/project/fares.py:3"),
        ("setUpClass (test_fares.QuayTest)", "/home/dev/project/test_fares.py:33"),
        ("test_broken (unittest.loader._FailedTest.test_broken)", "/home/dev/project/test_broken.py:1"),
        ("test_many (test_fares.FareTest.test_many) (n=1)", "/home/dev/project/test_fares.py:27"),
        ("test_many (test_fares.FareTest.test_many) (n=3)", "/home/dev/project/test_fares.py:27"),
        ("test_two (test_fares.FareTest.test_two)", "/home/dev/project/test_fares.py:11"),
    ],
    "jest/failures": [
        ("./fares.test.js › fare › two passengers", "fares.test.js:4"),
        ("./fares.test.js › fare › negative", "fares.js:2"),
        ("./fares.test.js › fare › 3 passengers cost 130", "fares.test.js:9"),
        ("./fares.test.js › ports", "fares.test.js:11"),
        ("./fares.test.js › slow", "fares.test.js:12"),
        ("./broken.test.js", "broken.test.js:1"),
    ],
    "vitest/failures": [
        ("broken.test.mjs", "broken.test.mjs:1"),
        ("fares.test.mjs > fare > two passengers", "fares.test.mjs:5"),
        ("fares.test.mjs > fare > negative", "fares.js:2"),
        ("fares.test.mjs > ports", "fares.test.mjs:9"),
    ],
    "go/test-verbose": [
        ("harbor.example/ferry.TestFare/#01", "fare_test.go:13"),
        ("harbor.example/ferry.TestFare/#02", "fare_test.go:10"),
    ],
    "go/test-json": [
        ("harbor.example/ferry.TestFare/#01", "fare_test.go:13"),
        ("harbor.example/ferry.TestFare/#02", "fare_test.go:10"),
    ],
    "go/test-panic": [("harbor.example/ferry.TestBerth", "/home/dev/project/fare.go:12")],
    "go/build-errors": [
        ('build|./broken.go|imported and not used: "os"', "./broken.go:3"),
        ("build|./broken.go|x declared but not used", "./broken.go:6"),
        ("build|./broken.go|too many return values", "./broken.go:7"),
    ],
    "cargo/test-failures": [
        ("src/lib.rs tests::negative", "src/lib.rs:5"),
        ("src/lib.rs tests::overflow", "src/lib.rs:18"),
        ("src/lib.rs tests::two", "src/lib.rs:15"),
        ("warning|src/lib.rs|unused import: `std::collections::HashMap`", "src/lib.rs:1"),
        ("warning|src/lib.rs|unused variable: `unused`", "src/lib.rs:4"),
        ("warning|src/lib.rs|function `dead` is never used", "src/lib.rs:9"),
    ],
    "cargo/build-errors": [
        ("warning|src/lib.rs|unused import: `std::collections::HashMap`", "src/lib.rs:1"),
        ("warning|src/lib.rs|unused variable: `unused`", "src/lib.rs:4"),
        ("warning|src/lib.rs|function `dead` is never used", "src/lib.rs:9"),
        ("E0432|src/main.rs|unresolved import `std::collections::HashMapp`", "src/main.rs:1"),
        ("E0425|src/main.rs|cannot find value `undefined_berths` in this scope", "src/main.rs:4"),
        ("E0308|src/main.rs|mismatched types", "src/main.rs:3"),
        ("E0599|src/main.rs|no method named `length` found for struct `Berth` in the current scope", "src/main.rs:4"),
        ("E0382|src/main.rs|use of moved value: `b`", "src/main.rs:5"),
    ],
    "cargo/clippy": [
        ("warning|src/lib.rs|unused import: `std::collections::HashMap`", "src/lib.rs:1"),
        ("warning|src/lib.rs|unused variable: `unused`", "src/lib.rs:4"),
        ("warning|src/lib.rs|function `dead` is never used", "src/lib.rs:9"),
        ("warning|src/lib.rs|this if-then-else expression returns a bool literal", "src/lib.rs:9"),
        ("error|src/lib.rs|equal expressions as operands to `==`", "src/lib.rs:9"),
    ],
    "eslint/stylish": [
        ("no-unused-vars|/home/dev/project/fares.js|'fares' is assigned a value but never used", "/home/dev/project/fares.js:1"),
        ("no-dupe-keys|/home/dev/project/fares.js|Duplicate key 'adult'", "/home/dev/project/fares.js:1"),
        ("no-debugger|/home/dev/project/fares.js|Unexpected 'debugger' statement", "/home/dev/project/fares.js:3"),
        (
            "no-case-declarations|/home/dev/project/fares.js|Unexpected lexical declaration in case block",
            "/home/dev/project/fares.js:5",
        ),
        ("no-unused-vars|/home/dev/project/fares.js|'half' is assigned a value but never used", "/home/dev/project/fares.js:5"),
        ("no-fallthrough|/home/dev/project/fares.js|Expected a 'break' statement before 'case'", "/home/dev/project/fares.js:5"),
        ("no-undef|/home/dev/project/fares.js|'fars' is not defined", "/home/dev/project/fares.js:7"),
        ("no-unused-vars|/home/dev/project/fares.js|'unused' is assigned a value but never used", "/home/dev/project/fares.js:9"),
    ],
    "mypy/mistakes": [
        ('misc|crossings.py|Generator has incompatible item type "str"; expected "bool"  [misc]', "crossings.py:11"),
        (
            'return-value|crossings.py|Incompatible return value type (got "None", expected "Crossing")  [return-value]',
            "crossings.py:16",
        ),
        ('attr-defined|crossings.py|"Crossing" has no attribute "minuts"; maybe "minutes"?  [attr-defined]', "crossings.py:17"),
        (
            'return-value|crossings.py|Incompatible return value type (got "int", expected "str")  [return-value]',
            "crossings.py:21",
        ),
        ('operator|crossings.py|Unsupported operand types for + ("int" and "str")  [operator]', "crossings.py:21"),
        (
            'arg-type|crossings.py|Argument 1 to "total" has incompatible type "str"; expected "list[Crossing]"  [arg-type]',
            "crossings.py:24",
        ),
        ('note|crossings.py|Revealed type is "crossings.Crossing"', "crossings.py:25"),
    ],
    "pyright/mistakes": [
        ("reportCallIssue", "/home/dev/project/crossings.py:11"),
        ("reportArgumentType", "/home/dev/project/crossings.py:11"),
        ("reportReturnType", "/home/dev/project/crossings.py:16"),
        ("reportAttributeAccessIssue", "/home/dev/project/crossings.py:17"),
        ("reportOperatorIssue", "/home/dev/project/crossings.py:21"),
        ("reportArgumentType", "/home/dev/project/crossings.py:24"),
        ("information", "/home/dev/project/crossings.py:25"),
    ],
    "tsc/errors": [
        ("TS2322|src/ferry.ts|Type 'string' is not assignable to type 'number'.", "src/ferry.ts:4"),
        ("TS2551|src/ferry.ts|Property 'berth' does not exist on type 'Ferry'. Did you mean 'berths'?", "src/ferry.ts:5"),
        (
            "TS2365|src/ferry.ts|Operator '+' cannot be applied to types 'number' and '{ from: string; to: string; }[]'.",
            "src/ferry.ts:6",
        ),
        ("TS2322|src/ferry.ts|Type 'string' is not assignable to type 'number'.", "src/ferry.ts:9"),
        ("TS2322|src/ferry.ts|Type 'number' is not assignable to type 'string'.", "src/ferry.ts:9"),
        ("TS7006|src/ferry.ts|Parameter 'f' implicitly has an 'any' type.", "src/ferry.ts:11"),
        ("TS2554|src/ferry.ts|Expected 2 arguments, but got 1.", "src/ferry.ts:12"),
    ],
    "gcc/errors": [
        ("error|ferry.c|board|‘struct ferry’ has no member named ‘passenger’; did you mean ‘passengers’?", "ferry.c:4"),
        ("-Wimplicit-function-declaration|ferry.c|board|implicit declaration of function ‘fare’", "ferry.c:5"),
        ("-Wparentheses|ferry.c|leave|suggest parentheses around assignment used as truth value", "ferry.c:9"),
        (
            _CAST,
            "ferry.c:10",
        ),
        ("error|ferry.c|leave|incompatible type for argument 1 of ‘board’", "ferry.c:11"),
        ("error|ferry.c|leave|too many arguments to function ‘board’", "ferry.c:11"),
        ("error|ferry.c|berth|‘undeclared’ undeclared (first use in this function)", "ferry.c:15"),
        ("-Wreturn-type|ferry.c|berth|‘return’ with a value, in function returning void", "ferry.c:16"),
        ("error|ferry.c|berth|expected ‘;’ before ‘}’ token", "ferry.c:16"),
        ("-Wreturn-type|ferry.c|leave|control reaches end of non-void function", "ferry.c:12"),
    ],
    "gcc/linker": [
        ("-Wimplicit-function-declaration|main.c|main|implicit declaration of function ‘depth’", "main.c:2"),
        ("error|main.c|main|undefined reference to `board'", "main.c"),
        ("error|main.c|main|undefined reference to `depth'", "main.c"),
        ("error|collect2|ld returned 1 exit status", "collect2"),
    ],
    "ruff/check": [
        ("I001|ferry.py|[*] Import block is un-sorted or un-formatted", "ferry.py:1"),
        ("F401|ferry.py|[*] `os` imported but unused", "ferry.py:1"),
        ("F401|ferry.py|[*] `sys` imported but unused", "ferry.py:1"),
    ],
    "rspec/failures": [
        ("Ferry prices two", "./spec/ferry_spec.rb:4"),
        ("Ferry refuses negative numbers", "./spec/ferry_spec.rb:5"),
        ("Ferry names ports", "./spec/ferry_spec.rb:7"),
    ],
    "phpunit/failures": [
        ("FareTest::testNegative", "/home/dev/project/tests/FareTest.php:7"),
        ("FareTest::testTwo", "/home/dev/project/tests/FareTest.php:6"),
        ("FareTest::testPorts", "/home/dev/project/tests/FareTest.php:9"),
    ],
}
PASSED = {
    "pytest/failures-very-verbose": ("tests/test_grades.py::TestCrates::test_empty",),
    "unittest/fine": ("test_it (test_fine.T.test_it)",),
    "jest/failures": (),
    "go/test-verbose": ("harbor.example/ferry.TestFare/#00", "harbor.example/ferry.TestFine"),
    "go/test-json": ("harbor.example/ferry.TestFare/#00", "harbor.example/ferry.TestFine"),
    "cargo/test-failures": ("src/lib.rs tests::one",),
    "rspec/documentation": ("Ferry prices one",),
    "rspec/failures": (),
    "vitest/failures": (),
    "ruff/check": (),
}
SUMMARIES = {
    "pytest/first-failure-only": "1 failed, 43 passed in 0.05s",
    "unittest/failures": "Ran 8 tests in 0.001s\n\nFAILED (failures=3, errors=3, skipped=1, expected failures=1)",
    "jest/failures": "Tests:       5 failed, 1 skipped, 1 todo, 43 passed, 50 total",
    "vitest/failures": "      Tests  3 failed | 1 passed | 1 skipped (5)",
    "go/test-verbose": "FAIL\tharbor.example/ferry\t0.005s",
    "cargo/build-errors": 'error: could not compile `ferry` (bin "ferry") due to 5 previous errors',
    "mypy/mistakes": "Found 6 errors in 1 file (checked 1 source file)",
    "eslint/stylish": "✖ 8 problems (8 errors, 0 warnings)",
    "pyright/mistakes": "6 errors, 0 warnings, 1 information",
    "rspec/failures": "5 examples, 3 failures, 1 pending",
    "phpunit/failures": "Tests: 5, Assertions: 3, Errors: 1, Failures: 2, Skipped: 1.",
    "ruff/concise-many": "Found 270 errors.",
}


@pytest.mark.parametrize("name", FOUND)
def test_a_failing_run_is_read_to_its_complete_list(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)

    assert snapshot is not None
    found = [(one.identifier, one.location) for one in snapshot.diagnostics]
    if name.startswith("pyright"):  # its messages run over lines; the rule tells them apart
        found = [(identifier.partition("|")[0], location) for identifier, location in found]
    expected = FOUND[name]
    assert found[: len(expected)] == expected
    assert len(found) == (10 if name == "ruff/check" else len(expected))


@pytest.mark.parametrize("name", PASSED)
def test_only_what_the_output_says_passed_passed(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)

    assert snapshot is not None
    assert snapshot.passed == PASSED[name]


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_totals_are_the_tool_s_own(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)

    assert snapshot is not None
    for line in SUMMARIES[name].split("\n"):
        assert line in snapshot.summary
