"""The navigator's tools for a coding agent over MCP. An agent pays for every word here in each of its sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.extensions import McpContext, McpTool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from token_saver_navigator.answers import Answer
    from token_saver_navigator.navigator import Navigator

_NAME = "name, Class.name or path:name"


def _schema(required: str, **properties: str) -> dict[str, Any]:
    """Return a schema; each property is given as ``type description``."""
    described = {}
    for name, text in properties.items():
        kind, _, description = text.partition(" ")
        described[name] = {"type": kind, "description": description} if description else {"type": kind}
    return {"type": "object", "properties": described, **({"required": required.split()} if required else {})}


_RELATIONS = ("references", "callers", "callees")


def _uses(navigator: Navigator, arguments: Mapping[str, Any]) -> Answer:
    relation = arguments.get("relation") or _RELATIONS[0]
    answer: Answer = getattr(navigator, relation)(arguments["name"])
    return answer


def _tool(
    name: str, description: str, schema: Mapping[str, Any], ask: Callable[[Navigator, Mapping[str, Any]], Answer]
) -> McpTool:
    def call(arguments: Mapping[str, Any], context: McpContext) -> str:
        from token_saver_navigator.navigator import Navigator

        with Navigator(context.cwd) as navigator:
            return ask(navigator, arguments).text

    return McpTool(name, description, schema, call)


def tools() -> list[McpTool]:
    """Return the tools."""
    uses = _schema("name", name=f"string {_NAME}", relation="string")
    uses["properties"]["relation"]["enum"] = list(_RELATIONS)
    return [
        _tool(
            "code_outline",
            "Definitions of a file with line ranges, instead of reading it",
            _schema("path", path="string"),
            lambda navigator, given: navigator.outline(given["path"]),
        ),
        _tool(
            "code_symbol",
            "Definition and source of a symbol",
            _schema("name", name=f"string {_NAME}, path:line"),
            lambda navigator, given: navigator.symbol(given["name"]),
        ),
        _tool(
            "code_search",
            "Find symbols by words about what they do",
            _schema("words", words="string", limit="integer"),
            lambda navigator, given: navigator.search(given["words"], limit=given.get("limit") or 10),
        ),
        _tool("code_uses", "Who uses or calls a symbol, or what it calls", uses, _uses),
        _tool(
            "code_impact",
            "What a change reaches, tests included; give name or ref",
            _schema("", name="string", ref="string commit to compare with"),
            lambda navigator, given: navigator.impact(given.get("name") or "", ref=given.get("ref") or ""),
        ),
        _tool(
            "code_context",
            "What to read before editing a symbol",
            _schema("name", name="string", budget="integer tokens, default 2000"),
            lambda navigator, given: navigator.context(given["name"], given.get("budget") or 2000),
        ),
        _tool(
            "code_changed",
            "Symbols changed since a commit",
            _schema("", ref="string default HEAD"),
            lambda navigator, given: navigator.changed(given.get("ref") or "HEAD"),
        ),
    ]
