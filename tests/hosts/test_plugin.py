"""The files of a checkout that hosts load or start, and an installation from a wheel in an empty home."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import zipfile

import pytest
from tests.hosts.hooks import payload
from tests.hosts.processes import environment, wait_until

import token_saver

ROOT = pathlib.Path(__file__).parents[2]
EVENTS = {"PreToolUse": payload("claude", "pre_tool_use"), "PostToolUse": payload("claude", "post_tool_use")}


def plugin_commands() -> list[tuple[str, str]]:
    hooks = json.loads((ROOT / "hooks/hooks.json").read_text())["hooks"]
    found = [(event, handler["command"]) for event, groups in hooks.items() for each in groups for handler in each["hooks"]]
    return [(event, command) for event, command in found if event in EVENTS]


def test_the_manifests_agree_with_the_package() -> None:
    manifest = json.loads((ROOT / ".claude-plugin/plugin.json").read_text())
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("token-saver", token_saver.__version__)
    assert [plugin["name"] for plugin in market["plugins"]] == ["token-saver"]


@pytest.mark.parametrize(("event", "command"), plugin_commands())
def test_a_plugin_hook_answers_from_the_checkout(home: pathlib.Path, tmp_path: pathlib.Path, event: str, command: str) -> None:
    sent = {**EVENTS[event], "cwd": str(tmp_path), "tool_input": {"command": "pytest -v"}}
    env = environment(home, CLAUDE_PLUGIN_ROOT=str(ROOT))
    env["PATH"] = f"{os.path.dirname(sys.executable)}:{env['PATH']}"
    printed: list[bytes] = []

    def answers() -> bool:
        """A first hook may be silent, since the snapshot of this interpreter is still being made."""
        line = ["/bin/sh", "-c", command]
        done = subprocess.run(line, input=json.dumps(sent).encode(), env=env, cwd=tmp_path, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        printed[:] = [done.stdout]
        return bool(done.stdout)

    assert wait_until(answers, within=30)
    assert json.loads(printed[0])["hookSpecificOutput"]["hookEventName"] == event


def test_the_plugin_names_the_session(home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    [group] = json.loads((ROOT / "hooks/hooks.json").read_text())["hooks"]["SessionStart"]
    env = environment(home, CLAUDE_PLUGIN_ROOT=str(ROOT), CLAUDE_ENV_FILE=str(tmp_path / "env"))
    sent = json.dumps({"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(tmp_path)}).encode()
    done = subprocess.run(["/bin/sh", "-c", group["hooks"][0]["command"]], input=sent, env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "env").read_text() == "export TOKEN_SAVER_SESSION=s1\n"


def test_a_plugin_hook_without_an_interpreter_is_silent(tmp_path: pathlib.Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/claude_hook.sh", tmp_path / "scripts")
    done = subprocess.run([tmp_path / "scripts/claude_hook.sh", "post"], input=b"{}", env={"PATH": "/bin"}, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(("script", "event"), [("hook_pretool", "PreToolUse"), ("hook_posttool", "PostToolUse")])
def test_a_script_answers_its_event(home: pathlib.Path, tmp_path: pathlib.Path, script: str, event: str) -> None:
    sent = json.dumps({**EVENTS[event], "cwd": str(tmp_path)}).encode()
    line = [sys.executable, "-I", "-S", str(ROOT / f"scripts/{script}.py")]
    done = subprocess.run(line, input=sent, env=environment(home), cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == event


def test_the_prefix_script_becomes_the_shell(home: pathlib.Path) -> None:
    line = [sys.executable, "-I", "-S", str(ROOT / "scripts/shell_prefix.py"), "cat; exit 9"]
    done = subprocess.run(line, input=b"a\0b", env=environment(home), capture_output=True)
    assert (done.returncode, done.stdout) == (9, b"a\0b")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """An environment that holds a wheel of this checkout, and beside it what this interpreter has."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
    site = folder / f"env/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    rest = folder / "rest"
    rest.mkdir()
    for path in pathlib.Path(sysconfig.get_path("purelib")).iterdir():
        if "token_saver" not in path.name:  # a plugin that is installed from a checkout is not there without its .pth file
            (rest / path.name).symlink_to(path)
    (site / "rest.pth").write_text(f"{rest}\n")
    return folder / "env/bin/python"


@pytest.mark.slow
def test_every_host_works_from_a_wheel_in_an_empty_home(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def run(*words: str) -> str:
        line = [str(installed), "-m", "token_saver", *words]
        done = subprocess.run(line, env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    for mode in ("wrap", "post", "prefix"):
        run("init", "claude", "--mode", mode)
        assert "FAIL" not in run("doctor")
    run("init", "gemini", "codex", "antigravity")
    told = run("doctor")
    assert str(installed.parent.parent) in told and str(ROOT) not in told
    assert told.count(" ms") == 6 and "FAIL" not in told
    run("uninit")
    left = [path for path in tmp_path.rglob("*") if path.is_file() and ".cache" not in path.parts and ".local" not in path.parts]
    assert left == []


BEFORE = payload("claude", "pre_tool_use", tool_input={"command": "pytest -v", "timeout": 9})
REWRITTEN = {
    "claude --mode wrap": ("claude wrap", BEFORE, ("hookSpecificOutput", "updatedInput", "command")),
    "codex": ("codex", {**BEFORE, "permission_mode": "bypassPermissions"}, ("hookSpecificOutput", "updatedInput", "command")),
    "antigravity --mode native": (
        "antigravity native",
        {"toolCall": {"name": "run_command", "args": {"CommandLine": "pytest -v", "Cwd": "/"}}},
        ("overwrite", "CommandLine"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("host", REWRITTEN)
def test_what_an_installed_hook_rewrites_is_executed(installed: pathlib.Path, tmp_path: pathlib.Path, host: str) -> None:
    runner = tmp_path / "bin/pytest"
    runner.parent.mkdir()
    runner.write_text("#!/bin/sh\nseq -f 'tests/test_a.py::test_%g PASSED' 300\necho '= 1 failed in 0.1s ='\nexit 3\n")
    runner.chmod(0o755)
    env = environment(tmp_path, PATH=f"{runner.parent}:/usr/bin:/bin")
    words, event, path = REWRITTEN[host]
    made = subprocess.run([str(installed), "-m", "token_saver", "init", *host.split()], env=env, cwd="/", capture_output=True)
    assert made.returncode == 0, made.stderr
    hook = [str(tmp_path / ".local/share/token-saver/bin/hook"), *words.split()]
    answered = subprocess.run(hook, input=json.dumps({**event, "cwd": str(tmp_path)}).encode(), env=env, capture_output=True)
    found = json.loads(answered.stdout)
    for key in path:
        found = found[key]
    assert str(installed) in found and found.endswith(" run -- pytest -v")
    done = subprocess.run(["/bin/sh", "-c", found], env=env, cwd=tmp_path, stdout=-1, stderr=-2)
    assert done.returncode == 3 and b"1 failed" in done.stdout and len(done.stdout) < 1_000
