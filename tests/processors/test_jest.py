"""jest: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine

_FAILURE = """\
  ● fare › of {n}

    expect(received).toBe(expected) // Object.is equality

    Expected: {n}
    Received: {n}0

      1 | const fare = require("./fare");
    > 2 | test("of {n}", () => expect(fare({n})).toBe({n}));
        |                                     ^
      3 |

      at Object.toBe (fare.test.js:{n}:38)
      at Promise.finally.completed (node_modules/jest-circus/build/jestAdapterInit.js:1834:28)
"""
_SUMMARY = "Test Suites: 1 failed, 1 total\nTests:       {n} failed, {n} total\nSnapshots:   0 total\nTime:        1 s\n"


def _run(count: int) -> str:
    return (
        "FAIL ./fare.test.js\n" + "\n".join(_FAILURE.format(n=n) for n in range(1, count + 1)) + "\n" + _SUMMARY.format(n=count)
    )


def test_a_failure_keeps_title_values_line_and_own_frame(engine: CompressionEngine) -> None:
    result, processor, _ = engine.compress("npx jest", _run(3), exit_code=1)
    assert processor == "jest"
    for n in (1, 2, 3):
        assert f"● fare › of {n}\n" in result
        assert f"Expected: {n}\n    Received: {n}0" in result
        assert f"fare.test.js:{n}:38" in result
    assert "jestAdapterInit" not in result
    assert "3 failed, 3 total" in result


def test_a_hundred_failures_keep_their_names(engine: CompressionEngine) -> None:
    text = _run(100)
    result, _, _ = engine.compress("npx jest", text, exit_code=1)
    assert [n for n in range(1, 101) if f"● fare › of {n}\n" not in result] == []
    assert len(result) < len(text) // 3


def test_the_repeated_summary_is_told_once(engine: CompressionEngine) -> None:
    body = _FAILURE.format(n=7)
    text = f"FAIL ./fare.test.js\n{body}\nSummary of all failing tests\nFAIL ./fare.test.js\n{body}\n{_SUMMARY.format(n=1)}"
    result, _, _ = engine.compress("jest", text, exit_code=1)
    assert result.count("● fare › of 7") == 1
    assert "1 failed, 1 total" in result


def test_snapshots_written_and_obsolete_stay(engine: CompressionEngine) -> None:
    passing = "".join(f"PASS test/module_{n}.test.js\n" for n in range(30))
    said = (
        " › 2 snapshots written.\n › 1 snapshot obsolete.\n   • ports 1\nSnapshot Summary\n"
        " › 2 snapshots written from 1 test suite.\n › 1 snapshot obsolete from 1 test suite. To remove it, run `jest -u`.\n"
    )
    result, _, _ = engine.compress("npx jest", passing + said + "\nTests:       30 passed, 30 total\n", exit_code=0)
    assert [line for line in said.splitlines() if line not in result] == []
    assert "[… 30 passing suites]" in result


def test_a_configuration_file_is_not_a_test_run(engine: CompressionEngine) -> None:
    text = "module.exports = {\n  preset: 'ts-jest',\n  // PASS over node_modules\n};\n" * 5
    assert engine.compress("cat jest.config.js", text)[1] != "jest"
