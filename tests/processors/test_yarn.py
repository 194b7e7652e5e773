"""yarn, both lines of it: what its cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_warnings_of_the_classic_line_stay(engine: CompressionEngine) -> None:
    text = (
        "yarn install v1.22.22\n[1/4] Resolving packages...\nwarning request@2.88.2: request has been deprecated\n"
        '[2/4] Fetching packages...\nwarning " > react-dom@17.0.2" has unmet peer dependency "react@17.0.2".\n'
        "[3/4] Linking dependencies...\nsuccess Saved lockfile.\nDone in 1.91s.\n"
    )
    result, _, _ = engine.compress("yarn add request", text, exit_code=0)
    assert "request has been deprecated" in result and 'unmet peer dependency "react@17.0.2"' in result
    assert "[… 1 line of banner, 3 steps]" in result


def test_errors_of_berry_stay_and_steps_go(engine: CompressionEngine) -> None:
    step = "➤ YN0000: ┌ Resolution step\n➤ YN0000: └ Completed in 0s 300ms\n"
    fetched = "".join(
        f"➤ YN0013: │ tide@npm:1.{n}.0 can't be found in the cache and will be fetched from the remote registry\n"
        for n in range(30)
    )
    error = "➤ YN0001: │ RequestError: getaddrinfo ENOTFOUND host.example\n➤ YN0000: · Failed with errors in 1s\n"
    result, _, _ = engine.compress("yarn install", step + fetched + error, exit_code=1)
    assert error.strip() in result
    assert "30 packages to fetch" in result


def test_an_unknown_subcommand_is_a_script(engine: CompressionEngine) -> None:
    text = "yarn run v1.22.22\n$ node tool.js\n[1/4] my own step\ninfo Visit https://host.example\ndone\nDone in 0.1s.\n"
    result, _, _ = engine.compress("yarn tool", text, exit_code=0)
    assert "[1/4] my own step" in result and "done\n" in result


def test_a_list_keeps_every_version(engine: CompressionEngine) -> None:
    text = "yarn list v1.22.22\n" + "".join(f"├─ p{n}@1.{n}.0\n" for n in range(100)) + "Done in 0.1s.\n"
    result, _, _ = engine.compress("yarn list --depth=0", text, exit_code=0)
    assert all(f"p{n}@1.{n}.0" in result for n in range(100))
