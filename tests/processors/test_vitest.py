"""vitest: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_failed_suites_count_beside_passing_tests(engine: CompressionEngine) -> None:
    passing = "".join(f" ✓ src/module_{n}.test.ts (4 tests) 3ms\n" for n in range(40))
    failed = (
        "\n⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  src/quay.test.ts [ src/quay.test.ts ]\n"
        "Error: Cannot find package 'quays' imported from '/srv/src/quay.test.ts'\n"
        " ❯ loadAndTransform node_modules/vite/dist/node/chunks/config.js:22907:33\n\n"
        "⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n\n Test Files  1 failed | 40 passed (41)\n      Tests  160 passed (160)\n"
    )
    result, _, _ = engine.compress("npx vitest run", passing + failed, exit_code=1)
    assert "[… 40 passing files]" in result
    assert "FAIL  src/quay.test.ts" in result
    assert "Cannot find package 'quays'" in result
    assert "1 failed | 40 passed (41)" in result


def test_tests_that_share_an_error_are_all_named(engine: CompressionEngine) -> None:
    names = [f" FAIL  src/fare.test.ts > fare > of {n}" for n in range(6)]
    text = "\n".join([*names, "Error: no quay at 127.0.0.1:9", " ❯ src/quay.ts:3:7", "⎯" * 24 + "[1/6]⎯", ""]) * 3
    result, _, _ = engine.compress("vitest run", text, exit_code=1)
    assert [name for name in names if name not in result] == []
    assert "src/quay.ts:3:7" in result


def test_json_behind_a_warning_stays_whole_json(engine: CompressionEngine) -> None:
    text = (
        "(node:1) Warning: old\n"
        '{"numFailedTests":1,"testResults":[{"name":"a.test.ts","status":"failed","message":"bad fare"}]}\n'
    )
    result, _, _ = engine.compress("npx vitest run --reporter=json", text, exit_code=1)
    assert "bad fare" in result
    assert "a.test.ts" in result
