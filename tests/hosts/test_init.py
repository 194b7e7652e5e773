"""Installing and taking out: what was there before comes back to the byte, whatever it looked like."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hosts.processes import environment

from token_saver.errors import InputError
from token_saver.hosts import install, json_edit, layout

FILES = {
    "empty object": "{}\n",
    "empty": "",
    "four blanks": '{\n    "model": "opus",\n    "permissions": {\n        "deny": ["Bash(git push:*)"]\n    }\n}\n',
    "tabs": '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}',
    "one line": '{"model": "opus", "env": {"A": "1"}, "hooks": {"PostToolUse": [], "PreToolUse": []}}',
    "other hooks": json.dumps(
        {
            "hooks": {
                event: [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine.sh"}]}]
                for event in ("PreToolUse", "PostToolUse", "AfterTool")
            }
        },
        indent=2,
    ),
    "comments": '{\n  // mine\n  "model": "opus", /* why */\n  "hooks": {\n    // nothing yet\n  },\n}\n',
    "trailing commas": '{\n  "env": {\n    "A": "1",\n  },\n  "hooks": {"PreToolUse": [],},\n}\n',
    "odd indentation": '{ "model":"opus"\n ,   "env" :{ "A":"1"\n      , "B":"2" } }\n\n\n',
    "CRLF": '{\r\n  "model": "opus",\r\n  "env": {\r\n    "A": "é"\r\n  }\r\n}\r\n',
    "BOM": '\ufeff{\n  "model": "opus"\n}\n',
    "escapes": '{\n  "a\\u00e9": "\\/",\n  "n": 1.50\n}\n',
}
PLACES = {"claude": ".claude/settings.json", "gemini": ".gemini/settings.json", "codex": ".codex/hooks.json"}
WAYS = [("claude", mode) for mode in ("prefix", "post", "wrap", "hybrid")] + [("gemini", "after-tool"), ("codex", "wrap")]


class Cli:
    """Runs the command line in a home of its own."""

    def __init__(self, home: pathlib.Path) -> None:
        self.home = home

    def __call__(self, *words: str, status: int = 0, **more: str) -> str:
        line = [sys.executable, "-m", "token_saver", *words]
        env = {**environment(self.home, PATH=f"{self.home}/bin:/usr/bin:/bin"), **more}
        done = subprocess.run(line, env=env, cwd=self.home, capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stderr + done.stdout
        return done.stdout + done.stderr

    def files(self) -> dict[str, bytes]:
        """Return every file but our own records and caches."""
        paths = (path for path in self.home.rglob("*") if path.is_file())
        found = {str(path.relative_to(self.home)): path.read_bytes() for path in paths}
        return {name: data for name, data in found.items() if not name.startswith((".cache/", ".local/"))}


@pytest.fixture
def cli(tmp_path: pathlib.Path) -> Cli:
    return Cli(tmp_path)


def commands(value: Any) -> list[str]:
    """Return every command below *value* but that which hears the events of a session."""
    if isinstance(value, dict):
        own = [value["command"]] if isinstance(value.get("command"), str) and not value["command"].endswith(" events") else []
        return own + [c for each in value.values() for c in commands(each)]
    return [c for each in value for c in commands(each)] if isinstance(value, list) else []


def installed(path: pathlib.Path) -> Any:
    return json_edit.read(path.read_bytes().decode()).value


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
@pytest.mark.parametrize(("host", "mode"), WAYS)
def test_what_was_there_comes_back_to_the_byte(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, host: str, mode: str, text: str
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(cli.home))
    path = cli.home / PLACES[host]
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    before = json_edit.read(text).value if text else {}
    put_in(host, mode)
    first = path.read_bytes()
    assert str(cli.home) in first.decode()
    after = installed(path)
    assert {key: after[key] for key in before if key not in ("env", "hooks")} == {
        key: before[key] for key in before if key not in ("env", "hooks")
    }
    assert set(commands(before)) <= set(commands(after)), "the user's own hooks stay"
    assert layout.connected() == [(layout.BY_NAME[host], mode)]
    put_in(host, mode)
    assert path.read_bytes() == first, "a second time changes nothing"
    install.apply(install.planned_removal([host]))
    assert path.read_bytes() == text.encode()
    assert set(cli.files()) == {PLACES[host]}


def put_in(host: str, mode: str) -> None:
    listeners = ["before_tool\tBash Read\tmodule\tfunction", "prompt\t\tmodule\tfunction"]
    install.apply(install.planned(layout.targets(layout.BY_NAME[host], mode, listeners)))


def test_only_events_that_somebody_wants_are_sent(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.setenv("HOME", str(cli.home))
    rows = ["before_tool\tBash Read\tmodule\tfunction", "before_tool\tWrite\tmodule\tother", "stop\t\tmodule\tfunction"]
    for listeners, wanted in (
        ([], {"SessionStart": ""}),
        (rows, {"SessionStart": "", "PreToolUse": "Bash|Read|Write", "Stop": ""}),
    ):
        [target] = [each for each in layout.targets(layout.BY_NAME["claude"], "prefix", listeners) if each.entries]
        events = {entry.path[1]: entry.value["matcher"] for entry in target.entries if layout.is_of_events(entry.value)}
        assert events == wanted


@pytest.mark.slow
@pytest.mark.parametrize("host", ["claude", "gemini", "codex", "antigravity"])
def test_an_empty_home_is_empty_again(cli: Cli, host: str) -> None:
    cli("init", host)
    assert cli.files()
    assert "connected" in cli("init", "--show")
    cli("uninit")
    assert cli.files() == {}
    left = {path.name for path in cli.home.iterdir()}
    assert left <= {".cache", ".local"}


@pytest.mark.slow
def test_from_a_file_that_was_changed_since_only_ours_is_taken(cli: Cli) -> None:
    path = cli.home / PLACES["claude"]
    path.parent.mkdir()
    path.write_text('{\n  "model": "opus"\n}\n')
    cli("init", "claude", "--mode", "hybrid")
    changed = path.read_text().replace('"model": "opus"', '"model": "other", "mine": [1, 2]')
    path.write_text(changed)
    cli("uninit", "claude")
    assert path.read_text() == '{\n  "model": "other", "mine": [1, 2]\n}\n'


@pytest.mark.slow
def test_another_mode_takes_the_place_of_the_first(cli: Cli) -> None:
    path = cli.home / PLACES["claude"]
    path.parent.mkdir()
    path.write_text('{"model": "opus"}')
    for mode in ("prefix", "post", "hybrid", "wrap"):
        cli("init", "claude", "--mode", mode)
    assert list(installed(path)) == ["model", "hooks"] and len(commands(installed(path))) == 1
    cli("uninit")
    assert path.read_text() == '{"model": "opus"}'
    cli("init", "antigravity", "--mode", "after-tool")
    cli("init", "antigravity", "--mode", "native")
    assert sorted(name for name in cli.files() if "plugins" in name) == [
        ".gemini/config/plugins/token-saver/hooks.json",
        ".gemini/config/plugins/token-saver/plugin.json",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["{", "[]", '{"hooks": []}', '{"env": "x"}', '{"a": 1, "a": 2}', "\x00", '{"hooks": {"PostToolUse": {}}}']
)
def test_a_file_that_cannot_be_understood_is_left_alone(cli: Cli, text: str) -> None:
    path = cli.home / PLACES["claude"]
    path.parent.mkdir()
    path.write_text(text)
    mode = "prefix" if "env" in text else "post"
    told = cli("init", "claude", "--mode", mode, status=2)
    assert "settings.json cannot be changed" in told and "nothing was written" in told
    assert cli.files() == {PLACES["claude"]: text.encode()}


@pytest.mark.slow
def test_a_dry_run_prints_the_difference_and_changes_nothing(cli: Cli) -> None:
    path = cli.home / PLACES["claude"]
    path.parent.mkdir()
    path.write_text('{\n  "model": "opus"\n}\n')
    told = cli("init", "claude", "--dry-run")
    assert '+    "CLAUDE_CODE_SHELL_PREFIX":' in told and '-  "model": "opus"\n+  "model": "opus",\n' in told
    assert cli.files() == {PLACES["claude"]: b'{\n  "model": "opus"\n}\n'}
    assert not (cli.home / ".local").exists()


@pytest.mark.slow
def test_a_link_stays_a_link_and_modes_stay(cli: Cli) -> None:
    real = cli.home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    link = cli.home / PLACES["claude"]
    link.parent.mkdir()
    link.symlink_to(real)
    cli("init", "claude")
    assert link.is_symlink() and "PREFIX" in real.read_text() and real.stat().st_mode & 0o777 == 0o640
    cli("uninit")
    assert link.is_symlink() and real.read_text() == "{}"


@pytest.mark.slow
def test_a_prefix_of_the_users_own_is_never_replaced(cli: Cli) -> None:
    path = cli.home / PLACES["claude"]
    path.parent.mkdir()
    path.write_text('{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/mine"}}')
    assert "hybrid mode" in cli("init", "claude")
    assert installed(path)["env"] == {"CLAUDE_CODE_SHELL_PREFIX": "/opt/mine"}
    cli("uninit")
    told = cli("init", "claude", "--mode", "prefix", status=2)
    assert "env.CLAUDE_CODE_SHELL_PREFIX is set to something else already" in told
    assert path.read_text() == '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/mine"}}'


@pytest.mark.slow
def test_hosts_that_are_there_are_found(cli: Cli) -> None:
    assert "no coding agent was found" in cli("init", status=1)
    (cli.home / ".codex").mkdir()
    (cli.home / "bin").mkdir()
    (cli.home / "bin/gemini").write_text("#!/bin/sh\n")
    (cli.home / "bin/gemini").chmod(0o755)
    cli("init")
    assert set(cli.files()) == {"bin/gemini", ".codex/hooks.json", ".gemini/settings.json"}
    assert "nobody is no host" in cli("init", "nobody", status=2)
    assert "has no mode" in cli("init", "claude", "--mode", "nonsense", status=2)


@pytest.mark.slow
def test_the_launchers_let_everything_through_when_the_environment_is_gone(cli: Cli) -> None:
    cli("init", "claude", "codex")
    for launcher in (cli.home / ".local/share/token-saver/bin").iterdir():
        launcher.write_text(launcher.read_text().replace(sys.executable, "/nowhere/python"))
    prefix = cli.home / ".local/share/token-saver/bin/shell-prefix"
    env = environment(cli.home)
    frame = "source /dev/null/snapshot-bash-1; eval 'echo a b; exit 7' \\< /dev/null && pwd -P >| /tmp/x-cwd"
    assert subprocess.run([prefix, "echo 'a  b'; exit 7"], env=env, capture_output=True).stdout == b"a  b\n"
    assert subprocess.run([prefix, frame], env=env, capture_output=True).returncode == 7
    assert subprocess.run([prefix, "printf", "%s|", "a b", ""], env=env, capture_output=True).stdout == b"a b||"
    done = subprocess.run([prefix.parent / "hook", "codex"], input=b"{}", env=env, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "FAIL" in cli("doctor", status=1)


def shared(first: str, second: str) -> int:
    """Return how many characters both begin with."""
    return next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("path", "item"), [(("env", "X"), False), (("hooks", "PreToolUse"), True), (("a", "b", "c"), True), (("z",), False)]
)
def test_an_edit_can_be_read_and_taken_out_again(name: str, path: tuple[str, ...], item: bool) -> None:
    text = FILES[name] or "{}"
    value = {"matcher": "Bash", "n": [1]}
    made = json_edit.add(text, path, value, item=item)
    found = json_edit.find(json_edit.read(made), path)
    assert found is not None and (found.value[-1] if item else found.value) == value
    step: tuple[str | int, ...] = (*path, len(found.value) - 1) if item else path
    again = json_edit.remove(made, step)
    left = json_edit.find(json_edit.read(again), path)
    assert left is None or left.value == (getattr(json_edit.find(json_edit.read(text), path), "value", []))
    kept = shared(made, text) + shared(made[::-1], text[::-1])
    assert kept >= len(text), "all that was there stands around one insertion"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)


@given(value=st.dictionaries(st.text(max_size=4), json_values, max_size=4), indent=st.sampled_from([None, 0, 1, 4, "\t"]))
def test_reading_agrees_with_the_standard_module_and_an_added_member_is_all_that_changes(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    assert json_edit.read(text).value == value
    made = json_edit.add(text, ("added-by-us", "x"), [1])
    assert json.loads(made) == {**value, "added-by-us": {"x": [1]}}
    assert json.loads(json_edit.remove(made, ("added-by-us",))) == value


@given(text=st.text(alphabet='{}[]",:/*\\\n a1', max_size=20))
def test_whatever_is_no_document_is_told_with_its_line(text: str) -> None:
    try:
        json_edit.read(text)
    except InputError as error:
        assert str(error).startswith("line ")


def test_records_and_backups_are_private(cli: Cli) -> None:
    cli("init", "claude")
    for path in (cli.home / ".local/share/token-saver/installed").iterdir():
        assert path.stat().st_mode & 0o077 == 0
    assert os.access(cli.home / ".local/share/token-saver/bin/shell-prefix", os.X_OK)


@pytest.mark.slow
def test_many_at_once_leave_one_entry_and_a_file_that_can_be_read(cli: Cli) -> None:
    cli("init", "claude", "--mode", "post", "--dry-run")
    line = [sys.executable, "-m", "token_saver", "init", "claude", "--mode", "post"]
    env = environment(cli.home, PATH=f"{cli.home}/bin:/usr/bin:/bin")
    started = [subprocess.Popen(line, env=env, cwd=cli.home, stdout=-3, stderr=subprocess.PIPE) for _ in range(4)]
    for process in started:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0 or b"changed just now by somebody else" in errors, errors
    assert len(commands(installed(cli.home / PLACES["claude"]))) == 1
    cli("uninit")
    assert cli.files() == {}


@pytest.mark.slow
def test_an_entry_of_ours_that_was_changed_is_replaced_and_not_doubled(cli: Cli) -> None:
    cli("init", "claude", "--mode", "post")
    path = cli.home / PLACES["claude"]
    path.write_text(path.read_text().replace('"timeout": 10', '"timeout": 99'))
    for record in (cli.home / ".local/share/token-saver/installed").iterdir():
        record.unlink()
    cli("init", "claude", "--mode", "post")
    assert len(commands(installed(path))) == 1 and '"timeout": 99' not in path.read_text()


def test_purging_leaves_nothing_of_ours_but_the_settings(tmp_path: pathlib.Path) -> None:
    cli = Cli(tmp_path)
    (tmp_path / ".claude").mkdir()
    before = set(tmp_path.rglob("*"))
    cli("init", "claude", "--keep-outputs", "yes")
    cli("run", "--", "sh", "-c", "seq 1 400")
    assert "would be deleted" in cli("uninit", "--purge", "--dry-run")
    told = cli("uninit", "--purge")
    assert told.count(": deleted") >= 2 and "your settings stay" in told
    left = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert {path.name for path in left} == {"config.toml"}


def test_purging_refuses_a_place_that_holds_more_than_ours(tmp_path: pathlib.Path) -> None:
    cli = Cli(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    told = cli("uninit", "--purge", status=2, TOKEN_SAVER_DATA_DIR=str(tmp_path / "mine"))
    assert "may hold more than ours" in told and (tmp_path / "mine" / "letter.txt").exists()
    assert "name no host" in cli("uninit", "claude", "--purge", status=2)
