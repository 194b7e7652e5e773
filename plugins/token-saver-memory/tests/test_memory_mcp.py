"""The tools of the memory through the official client and a real server process, killed and started again in between."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("mcp")

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters, stdio_client
from memory_bench import Bench
from pydantic import FileUrl
from token_saver_memory import tools
from token_saver_memory.values import AGENT, PERSON

from token_saver import mcp_server
from token_saver.extensions import McpContext

pytestmark = pytest.mark.slow

CHARACTERS_A_TOKEN = 4


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("bench"))
    made.compile()
    yield made
    assert "Error" not in made.trouble(), made.trouble()


class Caller:
    """The client, with answers as texts."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def told(self, name: str, **arguments: Any) -> str:
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, result
        return _text(result)

    async def refused(self, name: str, **arguments: Any) -> str:
        result = await self.client.call_tool(name, arguments)
        assert result.is_error, result
        return _text(result)


def _text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def converse(bench: Bench, cwd: pathlib.Path, session: str, talk: Callable[[Caller], Awaitable[None]], **options: Any) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "token_saver", "mcp"],
        env=bench.environment | {"TOKEN_SAVER_SESSION": session},
        cwd=cwd,
    )

    async def whole() -> None:
        with anyio.fail_after(60):
            async with Client(stdio_client(server), **options) as client:
                await talk(Caller(client))

    anyio.run(whole)


def test_the_manifest_of_the_plugin_is_small() -> None:
    every = [{"name": t.name, "description": t.description, "inputSchema": t.input_schema} for t in tools.mcp_tools()]
    assert len(json.dumps(every)) / CHARACTERS_A_TOKEN <= 500
    for each in every:
        for schema in each["inputSchema"]["properties"].values():  # type: ignore[index]
            assert len(schema.get("description", "")) <= 60 and "title" not in schema


def test_what_is_saved_is_listed_found_read_and_corrected(bench: Bench) -> None:
    async def talk(call: Caller) -> None:
        assert "project shop: 0 of 0" in await call.told("memory_index")
        assert "no match" in await call.told("memory_search", query="payments port")
        saved = await call.told("memory_save", type="config", title="Port of payments", body="listens on 8940", why="legacy")
        assert saved.startswith("#1 new")
        assert "#1 config: Port of payments" in await call.told("memory_index")
        found = await call.told("memory_search", query="payments port")
        assert "memory://item/1" in found and "8940" in found
        assert "why: legacy" in await call.told("memory_get", ids=["memory://item/1"])
        assert "superseded" in await call.told("memory_save", type="config", title="Port of payments", body="listens on 8941")
        found = await call.told("memory_search", query="payments port")
        assert "8941" in found and "8940" not in found
        assert "same" in await call.told("memory_save", type="config", title="port of  Payments", body="Listens on 8941.")

    async def roots(context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=FileUrl((bench.repo / "src").as_uri()))])

    converse(bench, bench.root, "m1", talk, list_roots_callback=roots, mode="legacy")


def test_what_cannot_be_done_is_an_error_that_helps_and_what_was_forgotten_stays_so(bench: Bench) -> None:
    number = bench.save("guardrail", "never force-push", actor=PERSON)
    gone = bench.save("note", "the staging database is shared with sales", actor=AGENT)

    async def talk(call: Caller) -> None:
        assert "there is no #999" in await call.refused("memory_get", ids=[999])
        assert "1 to 20 ids" in await call.refused("memory_get", ids=["twelve"])
        assert "'query'" in await call.refused("memory_search")
        assert "one of" in await call.refused("memory_save", type="rumour", title="x")
        assert "only a person" in await call.refused("memory_judge", id=number, verdict="forget")
        assert "limit" in await call.refused("memory_index", limit=500)
        assert "useful" in await call.told("memory_judge", id=number, verdict="useful")
        assert "forgotten" in await call.told("memory_judge", id=gone, verdict="forget", reason="no longer so")
        assert f"#{gone}" in await call.refused("memory_get", ids=[gone])
        again = {"type": "note", "title": "The staging database is shared with Sales!"}
        assert "not saved" in await call.refused("memory_save", **again)
        assert "is back" in await call.told("memory_judge", id=gone, verdict="restore")
        assert "same" in await call.told("memory_save", **again)

    converse(bench, bench.repo, "m2", talk)


def test_at_home_nothing_is_listed_and_saving_asks_for_a_scope(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(bench.data))
    monkeypatch.setenv("HOME", str(bench.root / "home"))
    home = McpContext(str(bench.root / "home"))
    listed = mcp_server.called(tools.mcp_tools(), "memory_index", {}, home)
    assert "no project" in listed.text and not listed.is_error
    saved = mcp_server.called(tools.mcp_tools(), "memory_save", {"type": "note", "title": "something about nothing"}, home)
    assert saved.is_error and "global" in saved.text


def test_one_of_ten_is_fetched_and_nine_are_ignored_through_a_restart_of_the_server(bench: Bench) -> None:
    repo = bench.repository("ten")
    letters = "abcdefghij"
    numbers = [bench.save("note", f"{letter * 5} feeds {letter * 4}er", repo=repo) for letter in letters]
    listed: list[str] = []

    async def first(call: Caller) -> None:
        listed.extend((await call.told("memory_index", limit=10)).splitlines()[1:])

    async def second(call: Caller) -> None:
        third = listed[2].split()[0]
        assert "feeds" in await call.told("memory_get", ids=[third])
        assert "feeds" in await call.told("memory_get", ids=[third])

    converse(bench, repo, "ten", first)
    converse(bench, repo, "ten", second)
    bench.hear("SessionEnd", session="ten", cwd=repo, reason="exit")
    found = bench.rows(
        "SELECT outcome, count(*), sum(learned) FROM impression WHERE item_id IN (SELECT id FROM item WHERE project_id ="
        " (SELECT id FROM project WHERE label = 'ten')) GROUP BY outcome"
    )
    assert found == [("fetched", 1, 1), ("ignored", 9, 9)] and len(numbers) == 10
    assert bench.rows("SELECT n FROM bandit WHERE project_id = (SELECT id FROM project WHERE label = 'ten')") == [(10,)]
