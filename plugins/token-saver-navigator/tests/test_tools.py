"""The tools of the MCP server and the commands: both ask the same navigator."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from navigator_trees import Tree, git
from token_saver_navigator.tools import tools

from token_saver.extensions import McpContext

FILES = {
    "app.py": 'def greet(name):\n    """Say hello."""\n    return f"hello {name}"\n\n\ndef main():\n    return greet("x")\n',
    "tests/test_app.py": "from app import greet\n\n\ndef test_greet():\n    assert greet('a')\n",
}
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "code_outline": ({"path": "app.py"}, "1-3 def greet(name)"),
    "code_symbol": ({"name": "greet"}, "return f"),
    "code_search": ({"words": "say hello"}, "function greet"),
    "code_uses": ({"name": "greet", "relation": "callers"}, "app.py:7 function main"),
    "code_impact": ({"name": "greet"}, "test: tests/test_app.py:4-5"),
    "code_context": ({"name": "greet", "budget": 500}, "used by app.py:7"),
    "code_changed": ({}, "changed function main"),
}


@pytest.fixture
def project(tree: Tree) -> pathlib.Path:
    root = tree(FILES)
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "x")
    (root / "app.py").write_text(FILES["app.py"].replace('greet("x")', 'greet("y")'))
    return root


def test_every_tool_answers_in_the_folder_of_the_client(project: pathlib.Path) -> None:
    made = tools()
    assert [tool.name for tool in made] == list(CALLS)
    for tool in made:
        arguments, expected = CALLS[tool.name]
        assert expected in tool.call(arguments, McpContext(str(project))), tool.name


def test_the_manifest_is_small() -> None:
    manifest = [{"name": each.name, "description": each.description, "inputSchema": each.input_schema} for each in tools()]
    assert len(json.dumps(manifest, separators=(",", ":"))) / 4 <= 500


def token_saver(project: pathlib.Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line there."""
    command = (sys.executable, "-m", "token_saver", *words)
    return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)


def test_the_command_line_answers_in_text_and_json(project: pathlib.Path) -> None:
    text = token_saver(project, "nav", "callers", "greet")
    assert text.returncode == 0 and "app.py:7 function main [certain: same file]" in text.stdout
    data = json.loads(token_saver(project, "nav", "search", "say", "hello", "--format", "json").stdout)
    assert data["results"][0]["name"] == "greet" and "2 files indexed" in data["coverage"] and data["tokens"] > 0
    failed = token_saver(project, "nav", "symbol", "gret")
    assert (failed.returncode, failed.stdout) == (2, "") and "near it: greet" in failed.stderr


def test_a_client_of_the_protocol_drives_every_tool(project: pathlib.Path) -> None:
    pytest.importorskip("mcp")
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "token_saver", "mcp"], cwd=str(project), env={**os.environ}
    )

    async def drive() -> dict[str, str]:
        async with Client(stdio_client(server)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert set(CALLS) <= names
            answers = {}
            for name, (arguments, _) in CALLS.items():
                result = await client.call_tool(name, arguments)
                answers[name] = getattr(result.content[0], "text", "")
            outside = await client.call_tool("code_outline", {"path": "../../etc/passwd"})
            assert outside.is_error and "leads out of the project" in getattr(outside.content[0], "text", "")
            return answers

    answers = asyncio.run(drive())
    for name, (_, expected) in CALLS.items():
        assert expected in answers[name], name
