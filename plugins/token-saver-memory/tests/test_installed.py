"""The plugin as it is installed: wheels of the core and of the plugin in a fresh environment, without the source tree."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import sysconfig
import venv

import pytest

pytest.importorskip("mcp")

import anyio
from mcp import Client, StdioServerParameters, stdio_client
from memory_bench import Bench, context_of

pytestmark = pytest.mark.slow

PLUGIN = pathlib.Path(__file__).resolve().parent.parent
CORE = PLUGIN.parent.parent


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of a new environment with both wheels, and the dependencies of this one."""
    place = tmp_path_factory.mktemp("fresh")
    for project in (CORE, PLUGIN):
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place / "wheels")]
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    venv.create(place / "env", with_pip=False, symlinks=True)
    found = str(place / "env" / "bin" / "python")
    asked = [found, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    wheels = [str(path) for path in (place / "wheels").glob("*.whl")]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, *wheels]
    subprocess.run(install, check=True)
    (pathlib.Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return found


def test_the_wheel_serves_tools_hooks_and_commands(python: str, tmp_path: pathlib.Path) -> None:
    bench = Bench(tmp_path)
    server = StdioServerParameters(command=python, args=["-m", "token_saver", "mcp"], env=bench.environment, cwd=bench.repo)

    async def talk() -> None:
        with anyio.fail_after(60):
            async with Client(stdio_client(server)) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                assert {"compress", "memory_index", "memory_search", "memory_get", "memory_save", "memory_judge"} <= set(names)
                rule = {"type": "ruled_out", "title": "caching the parser", "why": "slower", "file": "src/parse.py"}
                assert not (await client.call_tool("memory_save", rule)).is_error

    anyio.run(talk)
    bench.compile(python)
    edit = {"hook_event_name": "PreToolUse", "session_id": "w", "cwd": str(bench.repo), "tool_name": "Edit"}
    edit |= {"tool_input": {"file_path": "src/parse.py", "old_string": "x"}}  # type: ignore[dict-item]
    hook = [python, "-m", "token_saver", "hook", "claude", "events"]
    heard = subprocess.run(hook, input=json.dumps(edit), capture_output=True, text=True, check=True, env=bench.environment)
    assert "caching the parser" in context_of(heard.stdout), bench.trouble()
    command = [python, "-m", "token_saver", "memory", "search", "parser"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=bench.environment, cwd=bench.repo)
    assert "caching the parser" in found.stdout
    asked = [python, "-c", "import token_saver, token_saver_memory as m; print(token_saver.__file__, m.__file__)"]
    places = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.split()
    assert all(place.startswith(str(pathlib.Path(python).parent.parent)) for place in places)
