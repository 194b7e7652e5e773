"""The Test Anything Protocol."""

from __future__ import annotations

from token_saver.text.findings import report
from token_saver.text.pieces import count_lines, render
from token_saver.text.tap import is_tap, tap

_TAP = """\
TAP version 13
# Subtest: fine
ok 1 - fine
  ---
  duration_ms: 0.9
  ...
# Subtest: bad
not ok 2 - bad
  ---
  duration_ms: 1.5
  location: '/p/a.test.js:5:3'
  error: |-
    Expected values to be strictly equal:
    80 !== 90
  expected: 90
  actual: 80
  stack: |-
    TestContext.<anonymous> (file:///p/a.test.js:5:35)
    Test.run (node:internal/test_runner/test:796:25)
  ...
ok 3 - later # SKIP no group fares yet
not ok 4 - suite
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
1..4
# pass 1
# fail 2
""".splitlines()


def test_failures_keep_message_place_and_own_frame() -> None:
    pieces = list(report(tap(_TAP), whole=0))
    shown = render(pieces)
    assert count_lines(pieces) == len(_TAP)
    for part in (
        "not ok 2 - bad",
        "  location: '/p/a.test.js:5:3'",
        "    80 !== 90",
        "    TestContext.<anonymous> (file:///p/a.test.js:5:35)",
    ):
        assert part in shown
    for part in ("  expected: 90", "  duration_ms: 1.5", "    Test.run (node:internal/test_runner/test:796:25)", "ok 1 - fine"):
        assert part not in shown


def test_skips_keep_their_reason_and_the_counts_stay() -> None:
    shown = render(report(tap(_TAP), whole=0))
    assert "ok 3 - later # SKIP no group fares yet" in shown
    assert shown[-3:] == ["1..4", "# pass 1", "# fail 2"]


def test_a_suite_that_failed_through_its_tests_is_its_name() -> None:
    shown = render(report(tap(_TAP), whole=0))
    assert "not ok 4 - suite" in shown
    assert not any("1 subtest failed" in line for line in shown)


def test_other_output_is_no_tap() -> None:
    assert is_tap(_TAP)
    assert is_tap(["not ok 1 it prices two"])
    assert not is_tap(["  ✔ fine", "  1 passing"])
