"""bun: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_why_a_package_is_missing_stays(engine: CompressionEngine) -> None:
    text = (
        "bun add v1.4.5 (a7733435c)\nResolving dependencies\nResolved, downloaded and extracted [2]\n"
        'error: No version matching "99" found for specifier "chalk" (but package exists)\nerror: chalk@99 failed to resolve\n'
    )
    result, processor, _ = engine.compress("bun add chalk@99", text, exit_code=1)
    assert processor == "bun"
    assert 'error: No version matching "99" found for specifier "chalk"' in result and "chalk@99 failed to resolve" in result


def test_tests_and_scripts_are_not_read_as_packages(engine: CompressionEngine) -> None:
    assert engine.compress("bun test", "bun test v1.3.14 (0d9b296a)\n\n 2 pass\n", exit_code=0)[1] != "bun"
    text = "$ node tool.js\nResolving dependencies\nresult: 42\n"
    assert engine.compress("bun run tool", text, exit_code=0)[0] == text
