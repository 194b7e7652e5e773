"""Gemini CLI: the completed output is replaced, its labels stay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.hosts.hooks import Hook, payload, seconds_of

from token_saver.hosts.after_tool import parts

EVENT = payload("gemini", "after_tool")
CONTENT: str = EVENT["tool_response"]["llmContent"]


def response(**changes: Any) -> dict[str, Any]:
    return {**EVENT, "tool_response": {**EVENT["tool_response"], **changes}}


def test_the_output_is_replaced_and_the_labels_stay(hook: Hook) -> None:
    reply = hook("gemini", EVENT)
    assert reply is not None and set(reply) == {"decision", "reason"} and reply["decision"] == "deny"
    assert reply["reason"].startswith("Command: pytest -v\nDirectory: (root)\nOutput: ")
    assert "100 passed" in reply["reason"] and len(reply["reason"]) < len(CONTENT) / 4
    assert reply["reason"].endswith(CONTENT[CONTENT.index("\nError: (none)") :])


def test_a_failure_keeps_its_status_and_its_reason(hook: Hook) -> None:
    failed = CONTENT.replace("Exit Code: 0", "Exit Code: 1").replace("[100%]", "[100%]\nE   AssertionError: the reason")
    reply = hook("gemini", response(llmContent=failed))
    assert reply is not None
    assert "E   AssertionError: the reason" in reply["reason"] and "\nExit Code: 1\n" in reply["reason"]


@pytest.mark.parametrize("content", [[{"text": CONTENT}], [CONTENT], [CONTENT[:200], {"text": CONTENT[200:]}]])
def test_parts_of_text_are_one_text(hook: Hook, content: list[Any]) -> None:
    reply = hook("gemini", response(llmContent=content))
    assert reply is not None and "100 passed" in reply["reason"]


@pytest.mark.parametrize(
    "event",
    [
        response(llmContent=[{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]),
        response(llmContent=""),
        response(llmContent=None),
        response(error={"message": "could not start"}),
        {**EVENT, "tool_name": "read_file"},
        {**EVENT, "tool_input": {}},
        {**EVENT, "tool_input": {"command": "token-saver run -- pytest -v"}},
        {**EVENT, "tool_input": {"command": "TOKEN_SAVER=off pytest -v"}},
        {**EVENT, "hook_event_name": "BeforeTool"},
        {key: value for key, value in EVENT.items() if key != "tool_response"},
    ],
)
def test_silence_where_there_is_nothing_to_replace(hook: Hook, event: dict[str, Any]) -> None:
    assert hook("gemini", event) is None


def test_ten_megabytes_take_less_than_a_second(hook: Hook) -> None:
    event = response(
        llmContent="".join(f"tests/test_a.py::test_{n} PASSED\n" for n in range(280_000)) + "= 280000 passed in 1s =\n"
    )
    assert seconds_of(lambda: hook("gemini", event)) < 1
    assert "280000 passed" in json.dumps(hook("gemini", event))


def test_the_labels_tell_the_status() -> None:
    assert parts(CONTENT)[3] == 0
    assert parts(CONTENT.replace("Exit Code: 0", "Exit Code: 7"))[3] == 7
    assert parts("Output: a\nb\nExit Code: 2") == ("Output: ", "a\nb", "\nExit Code: 2", 2)
    assert parts("Output: a\nExit Code: (none)")[3] is None
    assert parts("plain") == ("", "plain", "", None)
    assert parts("")[1] == "" and parts("Output: ")[1] == ""
