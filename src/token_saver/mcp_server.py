"""The MCP server: what a coding agent may ask of Token-Saver by itself, over stdin and stdout.

The tools are ours (shorten given text, get back what was left out) and those of the plugins. Schemas are written by hand,
because an agent pays for the manifest in every session. Only the protocol is written to stdout; nothing is written to stderr.
"""

from __future__ import annotations

import os
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from token_saver import __version__
from token_saver.errors import InputError, TokenSaverError
from token_saver.extensions import McpContext, McpTool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp.server import ServerRequestContext
    from mcp.server.lowlevel import Server

NAME = "token-saver"
INSTALL = "the MCP server needs the extra: pip install 'token-saver[mcp]'"
_ROOTS_PATIENCE = 2.0
"""Seconds to wait for a client that says it has roots."""
_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_MOST_TEXT = 8 << 20


class Answer(NamedTuple):
    """What a call gives: the text for the model, and whether it is an error."""

    text: str
    is_error: bool = False


def tools() -> list[McpTool]:
    """Return our own tools and those of the plugins; of two with one name the first stays."""
    from token_saver.plugins import extensions

    every: dict[str, McpTool] = {}
    for tool in (*_own(), *extensions("mcp_tools")[0]):
        every.setdefault(tool.name, tool)
    return list(every.values())


def called(known: Sequence[McpTool], name: str, arguments: Mapping[str, Any], context: McpContext) -> Answer:
    """Call a tool; whatever goes wrong is an error with a reason, never an empty answer."""
    tool = next((each for each in known if each.name == name), None)
    if tool is None:
        return Answer(f"there is no tool {name!r}; there are: {', '.join(each.name for each in known)}", True)
    try:
        check_arguments(tool, arguments)
        text = tool.call(arguments, context)
    except TokenSaverError as error:
        return Answer(str(error), True)
    except Exception as error:
        return Answer(f"{name} failed ({type(error).__name__}); this is a defect of the tool, not an empty result", True)
    return Answer(text) if text else Answer(f"{name} gave no answer; this is a defect of the tool", True)


def check_arguments(tool: McpTool, arguments: Mapping[str, Any]) -> None:
    """Raise InputError, with what would be right, when *arguments* are not what the tool's schema takes."""
    properties: Mapping[str, Mapping[str, Any]] = tool.input_schema.get("properties", {})
    for name in tool.input_schema.get("required", ()):
        if arguments.get(name) in (None, ""):
            raise InputError(f"{tool.name} needs {name!r}: {_described(properties[name])}")
    for name, value in arguments.items():
        if name not in properties:
            raise InputError(f"{tool.name} takes no {name!r}; it takes: {', '.join(properties) or 'nothing'}")
        if value is not None:
            _check_kind(tool.name, name, value, properties[name])


def _check_kind(tool: str, name: str, value: Any, schema: Mapping[str, Any]) -> None:
    asked = schema.get("type", "")
    kinds = [asked] if isinstance(asked, str) else list(asked)
    allowed = tuple(kind for each in kinds for kind in _KINDS.get(each, ()))
    misfit = allowed and (not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed))
    if misfit or value not in schema.get("enum", [value]):
        raise InputError(f"{tool} needs {name!r} as {_described(schema)}")


def _described(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "a value")
    words = kind if isinstance(kind, str) else " or ".join(kind)
    return f"{words}, {schema['description']}" if "description" in schema else words


def _own() -> list[McpTool]:
    compress = McpTool(
        "compress",
        "Shorten output of a command; the command is a label and is not run.",
        {
            "type": "object",
            "properties": {"command": {"type": "string"}, "text": {"type": "string"}, "exit_code": {"type": "integer"}},
            "required": ["command", "text"],
        },
        _compress,
    )
    recall = McpTool(
        "recall",
        "Get back what was left out of an output, by the number its marker names.",
        {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "lines": {"type": "string", "description": "10-20"},
                "grep": {"type": "string", "description": "regular expression"},
            },
            "required": ["id"],
        },
        _recall,
    )
    return [compress, recall] if find_spec("token_saver.recall") else [compress]


def _compress(arguments: Mapping[str, Any], context: McpContext) -> str:
    from token_saver.core import compress

    text = arguments["text"]
    if len(text) > _MOST_TEXT:
        raise InputError(f"the text has {len(text):,} characters, more than {_MOST_TEXT:,}: `token-saver run` takes any size")
    result = compress(arguments["command"], text, arguments.get("exit_code"))
    if result.fault:
        raise InputError(f"the text cannot be shortened ({result.fault}); use it as it is")
    return result.output


def _recall(arguments: Mapping[str, Any], context: McpContext) -> str:
    from token_saver import recorder, settings, store
    from token_saver.recall import outputs, selection

    number = arguments["id"]
    values = settings.load().as_dict()
    kept = outputs.opened(values, store.data_folder())
    record = kept.read(number) if os.path.exists(kept.path) else None
    if record is None:
        raise InputError(f"no output is kept under {number} (any more); run the command again")
    text = outputs.restored(record)
    if lines := arguments.get("lines"):
        text = selection.lines(text, lines)
    elif pattern := arguments.get("grep"):
        text = selection.matching(text, pattern)
    if not text:
        raise InputError(f"the output {number} has no such line; ask for {number} without lines and grep to see all of it")
    about = outputs.described(record)
    recorder.recalled(len(text), command=about["command"], processor=about["family"], settings=values)
    return text


def run() -> None:
    """Serve until stdin ends. Raises InputError when the extra is not installed."""
    if find_spec("mcp") is None:
        raise InputError(INSTALL)
    import anyio

    warnings.simplefilter("ignore")
    anyio.run(_serve)


async def _serve() -> None:
    from mcp.server.stdio import stdio_server

    server = _server(tools())
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _server(known: Sequence[McpTool]) -> Server[Any]:
    import anyio.to_thread
    import mcp_types as types
    from mcp.server.lowlevel import Server

    one_at_a_time = anyio.CapacityLimiter(1)
    listed = [types.Tool(name=each.name, description=each.description, input_schema=dict(each.input_schema)) for each in known]

    async def on_list_tools(context: ServerRequestContext, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def on_call_tool(context: ServerRequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        place = McpContext(await _cwd(context), _session())
        answer = await anyio.to_thread.run_sync(
            called, known, params.name, params.arguments or {}, place, limiter=one_at_a_time, abandon_on_cancel=True
        )
        return types.CallToolResult(content=[types.TextContent(type="text", text=answer.text)], is_error=answer.is_error)

    return Server(NAME, version=__version__, on_list_tools=on_list_tools, on_call_tool=on_call_tool)


def _session() -> str:
    return os.environ.get("TOKEN_SAVER_SESSION") or os.environ.get("CLAUDE_CODE_SESSION_ID") or ""


async def _cwd(context: ServerRequestContext) -> str:
    """Return where the client stands: the root that holds our folder, else its first root, else our folder."""
    import anyio

    own = os.getcwd()
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return own
    paths: list[str] = []
    with anyio.move_on_after(_ROOTS_PATIENCE):
        paths = _paths([str(root.uri) for root in (await context.session.list_roots()).roots])
    return next((path for path in paths if own == path or own.startswith(path + "/")), paths[0] if paths else own)


def _paths(uris: Sequence[str]) -> list[str]:
    local = [each for each in map(urlsplit, uris) if each.scheme == "file" and each.netloc in ("", "localhost")]
    return [unquote(each.path).rstrip("/") or "/" for each in local]
