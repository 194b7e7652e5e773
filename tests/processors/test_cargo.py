"""cargo: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine

_ERROR = (
    "error[E0425]: cannot find value `{n}` in this scope\n --> src/m{n}.rs:{n}:9\n  |\n{n} |     v{n}\n  |     ^^ not found\n\n"
)
_WARNING = (
    "warning: unused variable: `v{n}`\n --> src/m{n}.rs:{n}:9\n  |\n{n} |     let v{n} = 1;\n"
    "  |         ^^ help: prefix it with an underscore: `_v{n}`\n  |\n\n"
)


def test_a_crate_that_does_not_compile_is_told_after_tests_that_pass(engine: CompressionEngine) -> None:
    passing = "running 90 tests\n" + "".join(f"test t{n} ... ok\n" for n in range(90))
    passing += "\ntest result: ok. 90 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
    text = passing + _ERROR.format(n=5) + 'error: could not compile `ferry` (test "quay") due to 1 previous error\n'
    result, _, _ = engine.compress("cargo test --workspace --no-fail-fast", text, exit_code=101)
    assert _ERROR.format(n=5).strip() in result
    assert 'could not compile `ferry` (test "quay")' in result
    assert "[… 90 passing tests]" in result


def test_the_first_errors_come_whole_and_warnings_by_kind(engine: CompressionEngine) -> None:
    text = "".join(_WARNING.format(n=n) for n in range(1, 80)) + "".join(_ERROR.format(n=n) for n in range(1, 9))
    result, _, _ = engine.compress("cargo build", text, exit_code=101)
    assert [n for n in range(1, 9) if _ERROR.format(n=n).strip() not in result] == []
    assert [n for n in range(1, 80) if f"src/m{n}.rs" not in result] == []
    assert len(result) < len(text) // 2


def test_nextest_keeps_what_fails(engine: CompressionEngine) -> None:
    passing = "".join(f"        PASS [   0.004s] ferry::fares t{n}\n" for n in range(50))
    failing = (
        "        FAIL [   0.003s] ferry::fares two\n\n--- STDOUT:  "
        "            ferry::fares two ---\n\nrunning 1 test\ntest two ... FAILED\n\n"
        "thread 'two' panicked at tests/fares.rs:4:5:\nassertion `left == right` failed\n  left: 80\n right: 90\n\n"
        "     Summary [   0.009s] 51 tests run: 50 passed, 1 failed, 0 skipped\n"
    )
    result, _, _ = engine.compress("cargo nextest run", passing + failing, exit_code=100)
    assert "FAIL [   0.003s] ferry::fares two" in result
    assert "panicked at tests/fares.rs:4:5" in result
    assert "50 passed, 1 failed" in result
    assert "[… 50 passing tests]" in result


def test_own_frames_of_a_backtrace_stay(engine: CompressionEngine) -> None:
    library = "".join(
        f"   {n}: core::panicking::f{n}\n             at /rustc/59807616/library/core/src/panicking.rs:{n}:5\n" for n in range(9)
    )
    text = (
        "thread 'main' panicked at src/main.rs:2:5:\nboom\nstack backtrace:\n"
        + library
        + (
            "   9: ferry::main\n             at ./src/main.rs:2:5\n"
            "note: Some details are omitted, run with `RUST_BACKTRACE=full`.\n"
        )
    )
    result, _, _ = engine.compress("cargo run -q", text, exit_code=101)
    assert "9: ferry::main\n             at ./src/main.rs:2:5" in result
    assert "/rustc/" not in result
