"""The tools of the memory for an agent: an index, a search, whole rows; and what an agent may change.

The three steps cost more and more and say more and more. What they list is ranked and recorded, and reading a row, judging it
or forgetting it is what the ranker learns from.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from token_saver.errors import InputError
from token_saver.extensions import McpTool
from token_saver_memory.hooks import render
from token_saver_memory.kinds import KINDS
from token_saver_memory.memory import open_memory
from token_saver_memory.ranking import features, shown
from token_saver_memory.ranking.serve import Ask, serve
from token_saver_memory.reading import number_of
from token_saver_memory.values import AGENT, Draft, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from token_saver.extensions import McpContext
    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Row, Scope

    Call = Callable[[Mapping[str, Any], McpContext], str]

POOL = 100
_INDEXED, _SEARCHED, _MOST_LISTED, _MOST_READ = 20, 8, 50, 20
_EXCERPT = 160
JUDGEMENTS = ("useful", "wrong", "forget", "restore")


def memory_index(arguments: Mapping[str, Any], context: McpContext) -> str:
    """List titles, ranked."""
    began = time.perf_counter()
    with _here(context) as (memory, scope):
        pool = memory.index(scope, POOL, types=_kinds(arguments))
        rows = _ranked(
            memory, scope, pool, Ask(shown.TOOL_LIST, features.LISTING, _size(arguments, _INDEXED), context.session), began
        )
        lines = [f"{render.heading(row)} ~{row.tokens} tokens" for row in rows]
        return _listed(scope, lines, f"{len(rows)} of {_of(pool)}; memory_get reads ids, also as memory://item/ID")


def memory_search(arguments: Mapping[str, Any], context: McpContext) -> str:
    """Find rows by words, ranked."""
    began = time.perf_counter()
    query, size = arguments["query"], _size(arguments, _SEARCHED)
    with _here(context) as (memory, scope):
        found = memory.find(scope, query, 2 * size, types=_kinds(arguments))
        ask = Ask(shown.TOOL_SEARCH, features.LISTING, size, context.session, query)
        rows = _ranked(memory, scope, found, ask, began)
        lines = [f"{render.heading(row)} {row.uri} ~{row.tokens} tokens{_excerpt(row)}" for row in rows]
        lines += [f"session {session}: {text[:_EXCERPT]}" for session, text, _ in memory.search_rollups(scope, query, 2)]
        return _listed(scope, lines, f"{len(rows)} match" if lines else "no match; other words may find it, memory_index lists")


def memory_get(arguments: Mapping[str, Any], context: McpContext) -> str:
    """Return whole rows."""
    ids = list(dict.fromkeys(arguments["ids"]))
    numbers = [number_of(each) for each in ids]
    if not ids or len(ids) > _MOST_READ or None in numbers:
        raise InputError(f"memory_get needs 1 to {_MOST_READ} ids such as 12, from memory_index or memory_search")
    with _here(context) as (memory, scope):
        rows = memory.get(ids, scope)
        gone = [number for number in numbers if number is not None and number not in {row.id for row in rows}]
        missing = [f"#{number}: {memory.why_not(number, scope)}" for number in gone]
        if not rows:
            raise InputError("; ".join(missing))
        memory.judge([row.id for row in rows], "fetched", context.session)
        return "\n\n".join([*(f"{render.whole(row)}\n{row.uri}" for row in rows), *missing])


def memory_save(arguments: Mapping[str, Any], context: McpContext) -> str:
    """Keep something."""
    with _here(context) as (memory, scope):
        draft = Draft(
            scope,
            arguments["type"],
            arguments["title"],
            arguments.get("body") or "",
            arguments.get("why") or "",
            subject=arguments.get("subject") or "",
            symbol=arguments.get("symbol") or "",
            file_path=arguments.get("file") or "",
            is_global=bool(arguments.get("everywhere")),
        )
        saved = memory.save(draft, actor=AGENT, session=context.session, reason="memory_save")
        if not saved.accepted:
            raise InputError(f"not saved: {saved.message}")
        return f"#{saved.item_id} {saved.decision}: {saved.message}" if saved.message else f"#{saved.item_id} {saved.decision}"


def memory_judge(arguments: Mapping[str, Any], context: McpContext) -> str:
    """Say what a row was worth, forget it, or take that back."""
    number, verdict = number_of(arguments["id"]), arguments["verdict"]
    if number is None:
        raise InputError("memory_judge needs an id such as 12")
    reason = arguments.get("reason") or ""
    with _here(context) as (memory, scope):
        if verdict == "restore":
            memory.restore(number, actor=AGENT, session=context.session, reason=reason)
            return f"#{number} is back"
        if not memory.get([number], scope):
            raise InputError(f"#{number}: {memory.why_not(number, scope)}")
        if verdict == "forget":
            memory.forget(number, actor=AGENT, session=context.session, reason=reason)
            return f"#{number} is forgotten; restore takes that back"
        memory.judge([number], verdict, context.session)
        return f"#{number} is noted as {verdict}"


@contextmanager
def _here(context: McpContext) -> Iterator[tuple[Memory, Scope | None]]:
    with open_memory() as memory:
        yield memory, memory.scope(context.cwd)


def _ranked(memory: Memory, scope: Scope | None, rows: list[Row], ask: Ask, began: float) -> list[Row]:
    """Return *rows* as they are to be shown; without a project there is nothing to learn, and the order stays."""
    if scope is None or not rows:
        return rows[: ask.size]
    return serve(memory, scope, rows, ask, lambda row: tokens_of(row.title), began).rows


def _kinds(arguments: Mapping[str, Any]) -> list[str]:
    kinds = list(arguments.get("types") or ())
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise InputError(f"there is no type {unknown[0]!r}; there are {', '.join(KINDS)}")
    return kinds


def _size(arguments: Mapping[str, Any], usual: int) -> int:
    size = arguments.get("limit") or usual
    if not 1 <= size <= _MOST_LISTED:
        raise InputError(f"limit goes from 1 to {_MOST_LISTED}")
    return int(size)


def _excerpt(row: Row) -> str:
    text = " ".join(row.body.split())
    return f"\n  {text[:_EXCERPT]}{'…' if len(text) > _EXCERPT else ''}" if text else ""


def _of(pool: list[Row]) -> str:
    return f"{len(pool)}+" if len(pool) == POOL else str(len(pool))


def _listed(scope: Scope | None, lines: list[str], told: str) -> str:
    where = f"project {scope.label}" if scope else "no project (only what is kept for everywhere)"
    return "\n".join([f"{where}: {told}", *lines])


def _schema(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": properties}
    return made | ({"required": list(required)} if required else {})


_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_ID = {"type": ["integer", "string"]}
_LISTING = {"limit": _NUMBER, "types": {"type": "array", "items": _TEXT}}


def mcp_tools() -> list[McpTool]:
    """Return the tools, for the MCP server."""
    saving = _schema(
        ("type", "title"),
        type={"type": "string", "enum": list(KINDS)},
        title=_TEXT,
        body=_TEXT,
        why=_TEXT,
        file=_TEXT,
        symbol=_TEXT,
        subject={"type": "string", "description": "what body is the current value of"},
        everywhere={"type": "boolean", "description": "all projects"},
    )
    judging = _schema(("id", "verdict"), id=_ID, verdict={"type": "string", "enum": list(JUDGEMENTS)}, reason=_TEXT)
    listed: list[tuple[Call, str, dict[str, Any]]] = [
        (memory_index, "Titles of what is remembered of this project. Then memory_get.", _schema((), **_LISTING)),
        (memory_search, "Find memories by words.", _schema(("query",), query=_TEXT, **_LISTING)),
        (memory_get, "Read memories whole.", _schema(("ids",), ids={"type": "array", "items": _ID})),
        (memory_save, "Remember what a later session needs: decisions, dead ends (ruled_out), rules, values.", saving),
        (memory_judge, "Say whether a memory helped, is wrong, or is to be forgotten.", judging),
    ]
    return [McpTool(call.__name__, description, schema, call) for call, description, schema in listed]
