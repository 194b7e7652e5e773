"""The MCP server as an agent meets it: its process, spoken to by the client of the official SDK and in raw lines."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp")

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters, stdio_client

from token_saver import mcp_server, settings
from token_saver.errors import InputError
from token_saver.extensions import McpContext, McpTool
from token_saver.recall import outputs

pytestmark = pytest.mark.slow

LOG = "".join(f"src/m{number}.py: ok\n" for number in range(40))
CHARACTERS_A_TOKEN = 4
BUDGET = 500


@pytest.fixture
def environment(tmp_path: pathlib.Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOKEN_SAVER")}
    return kept | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}


def converse(environment: dict[str, str], talk: Callable[[Client], Awaitable[None]], **options: Any) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "token_saver", "mcp"], env=environment)

    async def whole() -> None:
        with anyio.fail_after(30):
            async with Client(stdio_client(server), **options) as client:
                await talk(client)

    anyio.run(whole)


def text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_lists_and_calls(environment: dict[str, str], mode: str) -> None:
    async def talk(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert "compress" in [tool.name for tool in listed]
        short = await client.call_tool("compress", {"command": "git log --oneline", "text": "a1b2c3d fix\n"})
        assert not short.is_error and "a1b2c3d fix" in text(short)
        missing = await client.call_tool("compress", {"command": "git log"})
        assert missing.is_error and "'text'" in text(missing)
        unknown = await client.call_tool("forecast", {})
        assert unknown.is_error and "compress" in text(unknown)
        again = await client.call_tool("compress", {"command": "echo", "text": "x" * 1_000_000})
        assert not again.is_error

    converse(environment, talk, mode=mode)


def test_the_manifest_of_our_own_tools_is_small() -> None:
    own = mcp_server._own()
    manifest = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in own])
    assert len(manifest) / CHARACTERS_A_TOKEN <= BUDGET / 2
    for tool in own:
        assert len(tool.name) <= 64 and "title" not in tool.input_schema


def raw(environment: dict[str, str], sent: bytes, last: int) -> tuple[list[dict[str, Any]], bytes, int]:
    """Send bytes, read until number *last* is answered, then let the server end; return the answers, stderr and the status."""
    command = [sys.executable, "-m", "token_saver", "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(sent)
        process.stdin.flush()
        answers: list[dict[str, Any]] = []
        while not answers or answers[-1].get("id") != last:
            answers.append(json.loads(process.stdout.readline()))
        rest, errors = process.communicate(timeout=30)
        answers += [json.loads(each) for each in rest.splitlines()]
        return answers, errors, process.returncode


def line(number: int, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def test_only_the_protocol_is_written_whatever_is_sent(environment: dict[str, str]) -> None:
    hello = line(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "a test", "version": "1"})
    ready = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode() + b"\n"
    sent = hello + ready + b"{no json\n" + line(2, "no/such") + line(3, "tools/list") + b'{"jsonrpc": "2.0", '
    answers, errors, status = raw(environment, sent, 3)
    by_number = {each.get("id"): each for each in answers}
    assert by_number[1]["result"]["serverInfo"]["name"] == "token-saver"
    assert "error" in by_number[2] and by_number[3]["result"]["tools"]
    assert errors == b"" and status == 0


def tool(call: Callable[..., str]) -> McpTool:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer", "description": "how many"}, "kind": {"type": "string", "enum": ["a", "b"]}},
        "required": ["n"],
    }
    return McpTool("count", "Count.", schema, call)


HERE = McpContext("/")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "needs 'n': integer, how many"),
        ({"n": "3"}, "needs 'n' as integer"),
        ({"n": True}, "needs 'n' as integer"),
        ({"n": 1, "kind": "c"}, "one of a, b"),
        ({"n": 1, "more": 2}, "takes no 'more'"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_would_be_right(arguments: dict[str, Any], told: str) -> None:
    answer = mcp_server.called([tool(lambda arguments, context: "ok")], "count", arguments, HERE)
    assert answer.is_error and told in answer.text


def test_what_fails_is_an_error_and_never_an_empty_answer() -> None:
    def broken(arguments: object, context: object) -> str:
        raise KeyError("secret")

    def refused(arguments: object, context: object) -> str:
        raise InputError("there is no such thing")

    assert mcp_server.called([tool(lambda *_: "")], "count", {"n": 1}, HERE).is_error
    assert mcp_server.called([tool(refused)], "count", {"n": 1}, HERE) == ("there is no such thing", True)
    answer = mcp_server.called([tool(broken)], "count", {"n": 1}, HERE)
    assert answer.is_error and "KeyError" in answer.text and "secret" not in answer.text


def test_what_was_left_out_can_be_had_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(tmp_path / "data"))
    own = mcp_server._own()
    missing = mcp_server.called(own, "recall", {"id": 1}, HERE)
    assert missing.is_error and "no output is kept under 1" in missing.text and not (tmp_path / "data" / outputs.FILE).exists()
    kept = outputs.opened(settings.load().as_dict(), str(tmp_path / "data"))
    number = outputs.keep(kept, LOG, command="make", family="generic")
    assert mcp_server.called(own, "recall", {"id": number}, HERE) == (LOG, False)
    assert mcp_server.called(own, "recall", {"id": number, "lines": "2-3"}, HERE).text == "src/m1.py: ok\nsrc/m2.py: ok\n"
    assert mcp_server.called(own, "recall", {"id": number, "grep": "m7"}, HERE).text == "8:src/m7.py: ok\n"
    for wrong in ({"grep": "zebra"}, {"grep": "("}, {"lines": "x"}):
        assert mcp_server.called(own, "recall", {"id": number, **wrong}, HERE).is_error


def test_an_optional_argument_may_be_null() -> None:
    assert mcp_server.called([tool(lambda *_: "ok")], "count", {"n": 1, "kind": None}, HERE) == ("ok", False)


def test_roots_are_folders_of_this_machine() -> None:
    assert mcp_server._paths(["file:///a/b%20c/", "https://x/y", "file://other/z", "file:///"]) == ["/a/b c", "/"]
