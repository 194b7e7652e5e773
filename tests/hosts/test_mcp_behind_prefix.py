"""A real MCP client talks to a real MCP server that the prefix started; needs the package ``mcp``."""

from __future__ import annotations

import asyncio
import pathlib
import sys
from typing import Any

import pytest
from tests.hosts.processes import START, environment

mcp: Any = pytest.importorskip("mcp")
stdio_client: Any = pytest.importorskip("mcp.client.stdio").stdio_client

SERVER = """\
try:
    from mcp.server.mcpserver import MCPServer
except ImportError:
    from mcp.server.fastmcp import FastMCP as MCPServer

server = MCPServer("numbers")


@server.tool()
def add(a: int, b: int) -> int:
    '''Add two numbers.'''
    return a + b


server.run()
"""


def test_a_client_lists_and_calls_the_tools_of_a_server_behind_the_prefix(home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)

    async def talk() -> tuple[list[str], Any]:
        command = f"{sys.executable} {tmp_path}/server.py"
        parameters = mcp.StdioServerParameters(command=START[0], args=[*START[1:], "prefix", command], env=environment(home))
        async with stdio_client(parameters) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            tools = await session.list_tools()
            called = await session.call_tool("add", {"a": 2, "b": 40})
            return [tool.name for tool in tools.tools], called.content[0].text

    assert asyncio.run(asyncio.wait_for(talk(), 30)) == (["add"], "42")
