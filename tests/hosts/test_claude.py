"""Claude Code: what each event is answered, byte for byte, by the hook that is installed."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest
from tests.hosts.hooks import Hook, payload, seconds_of
from tests.hosts.processes import START, environment

BEFORE = payload("claude", "pre_tool_use")
AFTER = payload("claude", "post_tool_use")


def asked(command: str, **more: Any) -> dict[str, Any]:
    return {**BEFORE, "tool_input": {**BEFORE["tool_input"], "command": command, **more}}


def printed(stdout: str, **more: Any) -> dict[str, Any]:
    return {**AFTER, "tool_response": {**AFTER["tool_response"], "stdout": stdout, **more}}


def rewritten(reply: dict[str, Any] | None) -> str:
    assert reply is not None
    command: str = reply["hookSpecificOutput"]["updatedInput"]["command"]
    return command


def test_a_command_is_rewritten_without_a_decision_and_every_field_goes_along(hook: Hook) -> None:
    reply = hook("claude wrap", asked("git status", run_in_background=False, unknown=[1, 2.5, None, True, {"a": "é\n"}]))
    assert reply is not None
    output = reply["hookSpecificOutput"]
    command = output["updatedInput"].pop("command")
    assert command.endswith("run -- git status")
    assert output == {
        "hookEventName": "PreToolUse",
        "updatedInput": {
            "description": "Show what changed",
            "timeout": 120000,
            "run_in_background": False,
            "unknown": [1, 2.5, None, True, {"a": "é\n"}],
        },
    }


def test_the_name_on_path_is_what_a_person_reads(hook: Hook, tmp_path: pathlib.Path) -> None:
    named = tmp_path / "bin" / "token-saver"
    named.parent.mkdir()
    named.write_text("#!/bin/sh\n")
    named.chmod(0o755)
    reply = hook("claude wrap", asked("cd web && npm test; git status"), PATH=f"{named.parent}:/usr/bin:/bin")
    assert rewritten(reply) == "cd web && token-saver run -- npm test; token-saver run -- git status"


def test_the_rewritten_command_runs_and_ends_as_the_original(hook: Hook, tmp_path: pathlib.Path) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    command = rewritten(hook("claude wrap", asked("git status --no-such-option")))
    told = {
        text: subprocess.run(["bash", "-c", text], cwd=tmp_path, env=environment(hook.home), capture_output=True)
        for text in (command, "git status --no-such-option")
    }
    first, second = told.values()
    assert first.returncode == second.returncode == 129
    assert first.stderr == b"" or first.stderr == second.stderr


@pytest.mark.parametrize(
    "event",
    [
        asked("git status", run_in_background=True),
        asked("echo hello"),
        asked("git push --force origin main"),
        asked("TOKEN_SAVER=off git status"),
        asked("token-saver run -- git status"),
        asked("git diff > saved.patch"),
        asked("   "),
        {**BEFORE, "tool_name": "Read"},
        {**BEFORE, "tool_input": None},
        {**BEFORE, "tool_input": {"command": ["git", "status"]}},
        {**BEFORE, "hook_event_name": "SomethingNew"},
        {**BEFORE, "permission_mode": "dontAsk"},
        {**BEFORE, "permission_mode": "plan"},
        payload("claude", "session_start"),
        payload("claude", "read_file"),
        {},
    ],
)
def test_silence_where_there_is_nothing_to_say(hook: Hook, event: dict[str, Any]) -> None:
    assert hook("claude wrap", event) is None


def test_hybrid_wraps_what_fails_in_bulk_and_replaces_the_rest_afterwards(hook: Hook) -> None:
    assert rewritten(hook("claude hybrid", asked("pytest -q"))).endswith("run -- pytest -q")
    assert hook("claude hybrid", asked("git status")) is None
    assert hook("claude hybrid", AFTER) is not None


def test_post_replaces_the_output_in_the_tools_own_shape(hook: Hook) -> None:
    reply = hook("claude post", AFTER)
    assert reply is not None
    output = reply["hookSpecificOutput"].pop("updatedToolOutput")
    assert reply == {"hookSpecificOutput": {"hookEventName": "PostToolUse"}}
    shown = output.pop("stdout")
    assert "100 passed" in shown and len(shown) < len(AFTER["tool_response"]["stdout"]) / 5
    assert output == {"stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    assert hook("claude post", printed(shown)) is None, "a second pass changes nothing"


def test_post_reduces_a_persisted_copy_that_is_too_large_to_take_whole(hook: Hook, tmp_path: pathlib.Path) -> None:
    copy = tmp_path / "copy.txt"
    lines = [f"tests/test_orders.py::test_order_{number} PASSED\n" for number in range(60_000)]
    lines[30_000] = "E   AssertionError: the one that matters\n"
    copy.write_text("".join(lines))
    cut = "".join(lines)[:30_000]
    event = printed(cut, persistedOutputPath=str(copy), persistedOutputSize=copy.stat().st_size)
    reply = hook("claude post", event, TOKEN_SAVER_MAX_OUTPUT_BYTES=str(1 << 20))
    assert reply is not None
    shown = reply["hookSpecificOutput"]["updatedToolOutput"]["stdout"]
    assert "the one that matters" in shown and len(shown) < len(cut)


def test_post_reads_the_persisted_copy_and_drops_it_from_the_reply(hook: Hook, tmp_path: pathlib.Path) -> None:
    whole = AFTER["tool_response"]["stdout"].replace("collected 100", "collected 1000") * 8
    copy = tmp_path / "copy.txt"
    copy.write_text(whole)
    reply = hook("claude post", printed(whole[:30_000], persistedOutputPath=str(copy), persistedOutputSize=len(whole)))
    assert reply is not None
    output = reply["hookSpecificOutput"]["updatedToolOutput"]
    assert "persistedOutputPath" not in output and "persistedOutputSize" not in output
    assert output["stdout"].count("100 passed") >= 1 and len(output["stdout"]) < 30_000


@pytest.mark.parametrize("path", ["/nowhere/copy.txt", "/dev/zero", "/", "a\0b"])
def test_post_leaves_an_output_alone_whose_copy_cannot_be_read(hook: Hook, path: str) -> None:
    assert hook("claude post", printed("cut\n" * 100, persistedOutputPath=path, persistedOutputSize=9)) is None


@pytest.mark.parametrize(
    "event",
    [
        printed("x" * 2000, isImage=True),
        {**AFTER, "tool_response": {**AFTER["tool_response"], "interrupted": True}},
        {**AFTER, "tool_response": AFTER["tool_response"]["stdout"]},
        {**AFTER, "tool_response": {"stdout": 7}},
        {**AFTER, "tool_response": {"stdout": None, "stderr": None}},
        printed(""),
        {**AFTER, "tool_input": {"command": "token-saver run -- pytest -v"}},
        {**AFTER, "tool_input": {"command": "TOKEN_SAVER=off pytest -v"}},
        {**AFTER, "hook_event_name": "PostToolUseFailure", "error": "Exit code 1"},
    ],
)
def test_post_is_silent_about_what_it_cannot_replace(hook: Hook, event: dict[str, Any]) -> None:
    assert hook("claude post", event) is None


def test_post_masks_what_stands_on_stderr(hook: Hook) -> None:
    reply = hook("claude post", printed("fine\n", stderr="export GITHUB_TOKEN=ghp_" + "a1B2" * 9 + "\n"))
    assert reply is not None
    assert "a1B2a1B2" not in json.dumps(reply)


@pytest.mark.parametrize("name", ["TOKEN_SAVER", "TOKEN_SAVER_ENABLED"])
@pytest.mark.parametrize(("mode", "event"), [("wrap", BEFORE), ("post", AFTER)])
def test_nothing_happens_when_switched_off(hook: Hook, mode: str, event: dict[str, Any], name: str) -> None:
    assert hook(f"claude {mode}", event, **{name: "off"}) is None


HOOKS = ["claude wrap", "claude post", "gemini", "codex", "antigravity native", "antigravity after-tool"]
DEEP = b'{"a":' * 100_000
WHOLE = json.dumps(BEFORE).encode()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"\xff\xfe{}",
        b"{}{}",
        DEEP,
        WHOLE[:-20],
        WHOLE + b"x",
        b'{"tool_name": "Bash", "hook_event_name": [], "tool_input": 3}',
        b'{"tool_name": "Bash", "hook_event_name": "PreToolUse", "tool_input": {"command": "git \\ud800 status \\u0000"}}',
    ],
    ids=lambda raw: repr(raw[:20]),
)
@pytest.mark.parametrize(
    "words", ["claude wrap", "claude post", "gemini", "codex", "antigravity native", "antigravity after-tool"]
)
def test_what_is_no_event_is_met_with_silence(hook: Hook, raw: bytes, words: str) -> None:
    assert hook.raw(words, raw) in (b"", b"{}\n")


@pytest.mark.parametrize("mode", ["wrap", "post"])
def test_a_huge_event_takes_less_than_a_second(hook: Hook, mode: str) -> None:
    huge = "word of a line\n" * 700_000
    event = asked(f"git log {huge}") if mode == "wrap" else {**AFTER, "padding": huge}
    assert seconds_of(lambda: hook(f"claude {mode}", event)) < 1


def test_a_failure_is_one_line_without_content_in_our_own_log(hook: Hook) -> None:
    assert hook.raw("claude wrap", b"{secret-content") == b""
    logs = list(hook.home.glob(".cache/token-saver/*/trouble.log"))
    assert logs and logs[0].stat().st_mode & 0o077 == 0
    text = logs[0].read_text()
    assert text.splitlines()[-1].endswith("hook claude NotAnEventError") and "secret" not in text


@pytest.mark.parametrize("words", ["", "nobody", "os", "claude", "claude nonsense"])
def test_an_unknown_host_or_mode_is_silent(hook: Hook, words: str) -> None:
    assert hook.raw(words, WHOLE) == b""


def test_a_huge_output_takes_less_than_a_second(hook: Hook, tmp_path: pathlib.Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_text("".join(f"tests/test_a.py::test_{n} PASSED\n" for n in range(270_000)) + "= 270000 passed in 9.00s =\n")
    event = printed("tests/test_a.py::test PASSED\n" * 1000, persistedOutputPath=str(copy), persistedOutputSize=9_500_000)
    assert seconds_of(lambda: hook("claude post", event)) < 1
    reply = hook("claude post", event)
    assert reply is not None and "270000 passed" in json.dumps(reply)


@pytest.mark.parametrize("mode", ["wrap", "post", "hybrid"])
def test_nothing_is_done_twice_where_our_prefix_is_in_force(hook: Hook, mode: str) -> None:
    prefix = "/home/dev/.local/share/token-saver/bin/shell-prefix"
    for event in (asked("pytest -q"), AFTER):
        assert hook(f"claude {mode}", event, CLAUDE_CODE_SHELL_PREFIX=prefix) is None
    assert hook("claude hybrid", AFTER, CLAUDE_CODE_SHELL_PREFIX="/opt/other/prefix") is not None


def test_a_rewritten_command_is_not_rewritten_again_and_its_output_is_left(hook: Hook) -> None:
    command = rewritten(hook("claude wrap", asked("pytest -v")))
    assert hook("claude wrap", asked(command)) is None
    assert hook("claude hybrid", {**AFTER, "tool_input": {"command": command}}) is None


def test_a_list_that_would_grow_beyond_one_argument_is_left_alone(hook: Hook) -> None:
    assert hook("claude wrap", asked("git status; " * 1300)) is None


def test_the_log_stays_small(hook: Hook) -> None:
    hook.raw("claude wrap", b"{")
    log = next(hook.home.glob(".cache/token-saver/*/trouble.log"))
    log.write_bytes(b"x" * 70_000)
    hook.raw("claude wrap", b"{")
    assert log.stat().st_size < 200


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_closed_streams_are_no_error(hook: Hook, tmp_path: pathlib.Path, closed: str) -> None:
    (tmp_path / "event.json").write_text(json.dumps(BEFORE))
    given = "" if "<" in closed else "< event.json"
    line = " ".join([*START, "hook claude wrap", given, closed])
    done = subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, env=environment(hook.home), capture_output=True, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
