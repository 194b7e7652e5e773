"""The shell prefix: the host's frame around a command works as before, only what is printed is shorter."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from tests.hosts.processes import START, environment

from token_saver.hosts.prefix import read_frame

SNAPSHOT = """\
# Functions
deploy () {
    echo deployed by a function
}
eval "$(echo '{encoded}' | base64 -d)" > /dev/null 2>&1
# Aliases
alias -- ls='ls -C'
export FROM_SNAPSHOT=yes
"""
ENCODED = base64.b64encode(b'git () \n{ \n    echo my own git "$@"\n}\n').decode()


class Prefix:
    """Runs commands as the host does: a shell that starts the prefix with one word."""

    def __init__(self, home: pathlib.Path, directory: pathlib.Path, shell: str = "bash") -> None:
        self.home = home
        self.directory = directory
        self.shell = shell
        self.snapshot = directory / "shell-snapshots" / f"snapshot-{shell}-1764-ab12.sh"
        self.snapshot.parent.mkdir()
        self.snapshot.write_text(SNAPSHOT.replace("{encoded}", base64.b64encode(b"gone () { :; }\n").decode()))
        self.cwd = directory / "claude-3f-cwd"
        self.launcher = directory / "prefix"
        self.launcher.write_text("#!/bin/sh\nexec " + " ".join(START) + ' prefix "$@"\n')
        self.launcher.chmod(0o755)

    def frame(self, command: str, kind: str = "old") -> str:
        word = "'" + command.replace("'", "'\"'\"'") + "'"
        if kind == "new":
            return (
                f"source {self.snapshot} 2>/dev/null || true && {{ shopt -u extglob || setopt NO_EXTENDED_GLOB; }} "
                f">/dev/null 2>&1 || true && eval {word} < /dev/null && pwd -P >| {self.cwd}"
            )
        return f"source {self.snapshot} && eval {word} \\< /dev/null && pwd -P >| {self.cwd}"

    def start(self, text: str, prefixes: tuple[str, ...] = (), **options: Any) -> subprocess.Popen[bytes]:
        words = [*(prefixes or (str(self.launcher),)), text]
        line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        defaults: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "cwd": self.directory,
            "env": environment(self.home, SHELL=shutil.which(self.shell) or ""),
        }
        return subprocess.Popen([self.shell, "-c", line], **{**defaults, **options})

    def __call__(self, text: str, **options: Any) -> tuple[int, bytes]:
        with self.start(text, **options) as process:
            output, _ = process.communicate(timeout=60)
        return process.returncode, output


@pytest.fixture
def prefix(home: pathlib.Path, tmp_path: pathlib.Path) -> Prefix:
    made = tmp_path / "place"
    made.mkdir()
    return Prefix(home, made)


def add_tests(folder: pathlib.Path, status: int = 0) -> None:
    """Put a test runner there that prints a line for each of 200 tests."""
    script = "import sys\nfor n in range(200): print(f'tests/test_a.py::test_{n} PASSED')\n"
    script += f"print('FAILED tests/test_a.py::test_x - boom: the reason') if {status} else None\n"
    script += f"print('=== 200 passed in 0.10s ===')\nsys.exit({status})\n"
    (folder / "pytest").write_text(f"#!{sys.executable}\n{script}")
    (folder / "pytest").chmod(0o755)


def in_bash(text: str, folder: pathlib.Path) -> tuple[int, bytes]:
    """What the text does without any prefix."""
    bash = shutil.which("bash") or "bash"
    told = subprocess.run([bash, "-c", text], cwd=folder, stdin=subprocess.DEVNULL, stdout=-1, stderr=subprocess.STDOUT)
    return told.returncode, told.stdout


@pytest.mark.parametrize("kind", ["old", "new"])
def test_a_single_command_is_captured_and_the_directory_file_is_written(prefix: Prefix, kind: str) -> None:
    add_tests(prefix.directory)
    status, output = prefix(prefix.frame("./pytest -v", kind))
    assert status == 0 and b"200 passed" in output and len(output) < 200
    assert prefix.cwd.read_text() == f"{prefix.directory}\n"


def test_a_directory_that_the_command_enters_is_kept(prefix: Prefix) -> None:
    (prefix.directory / "web").mkdir()
    add_tests(prefix.directory / "web")
    status, output = prefix(prefix.frame("cd web && ./pytest -v"))
    assert (status, prefix.cwd.read_text()) == (0, f"{prefix.directory}/web\n")
    assert b"200 passed" in output and len(output) < 200


def test_a_list_is_rewritten_inside_the_frame(prefix: Prefix) -> None:
    (prefix.directory / "web").mkdir()
    add_tests(prefix.directory / "web", status=3)
    command = 'cd web; export A=1; ./pytest -v; echo "it\'s $? and $A"; ./pytest -v || uname'
    status, output = prefix(prefix.frame(command))
    assert status == 0 and prefix.cwd.read_text() == f"{prefix.directory}/web\n"
    assert b"it's 3 and 1\n" in output and output.count(b"boom: the reason") == 2
    assert output.endswith(b"\nLinux\n" if sys.platform == "linux" else b"\nDarwin\n")
    assert len(output) < 1000


@pytest.mark.parametrize("status", [0, 1, 2, 42, 126, 127, 128, 130, 137, 255])
def test_the_exit_status_is_the_commands_and_a_failure_leaves_the_directory_file_alone(prefix: Prefix, status: int) -> None:
    assert prefix(prefix.frame(f"git --version; (exit {status})"))[0] == status
    assert prefix(prefix.frame(f"(exit {status})"))[0] == status
    assert prefix.cwd.exists() == (status == 0)


def test_a_failing_command_is_shortened_and_its_reason_stays(prefix: Prefix) -> None:
    add_tests(prefix.directory, status=3)
    status, output = prefix(prefix.frame("./pytest -v"))
    assert status == 3 and b"boom: the reason" in output and len(output) < 1000


def test_functions_and_aliases_of_the_snapshot_are_left_alone(prefix: Prefix) -> None:
    prefix.snapshot.write_text(SNAPSHOT.replace("{encoded}", ENCODED))
    assert prefix(prefix.frame("git status")) == (0, b"my own git status\n")
    assert prefix(prefix.frame("deploy && echo $FROM_SNAPSHOT")) == (0, b"deployed by a function\nyes\n")
    assert prefix(prefix.frame("ls; git diff")) == in_bash(prefix.frame("ls; git diff"), prefix.directory)


def test_a_snapshot_that_cannot_be_read_leaves_the_command_alone(prefix: Prefix) -> None:
    add_tests(prefix.directory)
    prefix.snapshot.write_text("true || eval \"$(echo 'YQ' | base64 -d)\" > /dev/null 2>&1\n")
    status, output = prefix(prefix.frame("./pytest -v"))
    assert status == 0 and output.count(b"PASSED") == 200


@pytest.mark.parametrize(
    "command",
    ["echo 'it'\"'\"'s'", "printf '%s\\n' \"a  b\" '$HOME' \\\\", "cat <<'EOF'\nbody 'x' $y\nEOF", "echo a\necho b", "wc -c"],
)
def test_what_the_shell_reads_is_what_was_typed(prefix: Prefix, command: str) -> None:
    assert prefix(prefix.frame(command)) == in_bash(prefix.frame(command), prefix.directory)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_killed_ends_as_in_the_shell(prefix: Prefix, number: int) -> None:
    text = prefix.frame(f"git --version; bash -c 'kill -{number} $$'")
    assert prefix(text)[0] == 128 + number


def test_a_background_process_runs_on(prefix: Prefix) -> None:
    status, output = prefix(prefix.frame("(sleep 0.3; echo late > late.txt) & echo started"))
    assert (status, output) == (0, b"started\n")


@pytest.mark.parametrize(
    "text",
    [
        "printf 'a\\0b\\r\\n'; exit 7",
        "git status",
        "source /x/snapshot-bash-1.sh && eval 'git status' && pwd -P",
        "source /x/snapshot-bash-1.sh; eval 'git status' \\< /dev/null && pwd -P >| /tmp/x-cwd",
        "rm -f y && eval 'git status' \\< /dev/null && pwd -P >| /tmp/x-cwd # /snapshot-",
        'source /x/snapshot-bash-1.sh && eval "$CMD" \\< /dev/null && pwd -P >| /tmp/x-cwd',
        "source /x/snapshot-bash-1.sh && eval 'a' || pwd -P >| /tmp/x-cwd",
        "source /x/snapshot-bash-1.sh && eval 'a' b && pwd -P >| /tmp/x-cwd",
        "source $(date)/snapshot-bash-1.sh && echo x && eval 'a' && pwd -P >| /tmp/x-cwd",
    ],
)
def test_any_other_text_is_no_frame(prefix: Prefix, text: str) -> None:
    assert read_frame(text) is None
    assert prefix(text) == in_bash(text, prefix.directory)


def test_hooks_get_their_event_on_stdin_in_the_same_process(prefix: Prefix) -> None:
    process = prefix.start("cat; echo $PPID", stdin=subprocess.PIPE)
    output, _ = process.communicate(b'{"hook_event_name": "Stop"}\xff\0', timeout=20)
    event, _, parent = output.rpartition(b"\0")
    assert event == b'{"hook_event_name": "Stop"}\xff'
    assert int(parent) in (process.pid, os.getpid()), "the prefix became the shell"


def test_several_words_are_a_program_and_its_arguments(prefix: Prefix) -> None:
    line = [str(prefix.launcher), sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", "", "$HOME"]
    assert subprocess.run(line, env=environment(prefix.home), capture_output=True).stdout == b"['a b', '', '$HOME']\n"


def test_two_prefixes_can_be_chained(prefix: Prefix) -> None:
    other = prefix.directory / "other"
    other.write_text('#!/bin/sh\nOTHER=seen exec "$@"\n')
    other.chmod(0o755)
    add_tests(prefix.directory)
    text = prefix.frame("./pytest -v")
    with prefix.start(text, prefixes=(str(other), str(prefix.launcher))) as process:
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0 and len(output) < 200
    with prefix.start("echo $OTHER", prefixes=(str(prefix.launcher), str(other), "sh", "-c")) as process:
        assert process.communicate(timeout=20)[0] == b"seen\n"


SERVER = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {"asked": asked["method"]}}), flush=True)
"""


def test_a_server_on_standard_streams_answers_line_by_line(prefix: Prefix) -> None:
    (prefix.directory / "server.py").write_text(SERVER)
    with prefix.start(f"{sys.executable} server.py", stdin=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for number, method in enumerate(["initialize", "tools/list", "tools/call"]):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["result"] == {"asked": method}
        process.stdin.close()
        assert process.wait(timeout=20) == 0


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_a_snapshot_of_zsh_is_read_by_zsh(home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "z").mkdir()
    prefix = Prefix(home, tmp_path / "z", "zsh")
    prefix.shell = "bash"
    add_tests(prefix.directory)
    status, output = prefix(prefix.frame("./pytest -v && print -r -- $ZSH_VERSION"))
    assert status == 0 and output.strip().split(b"\n")[-1].startswith(b"5")


@pytest.mark.parametrize("status", [1, 2, 5, 124, 126, 127, 128, 130, 137, 200, 255])
def test_a_captured_command_ends_with_its_own_status(prefix: Prefix, status: int) -> None:
    add_tests(prefix.directory, status)
    ended, output = prefix(prefix.frame("./pytest -v", "new"))
    assert ended == status and b"boom: the reason" in output and len(output) < 1000
    assert not prefix.cwd.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV])
def test_a_captured_command_that_is_killed_has_the_status_of_a_shell(prefix: Prefix, number: int) -> None:
    runner = prefix.directory / "pytest"
    runner.write_text(f"#!/bin/sh\necho before\nkill -{int(number)} $$\n")
    runner.chmod(0o755)
    ended, output = prefix(prefix.frame("./pytest -v"))
    assert ended == 128 + number and output.startswith(b"before\n")


@pytest.mark.parametrize("variable", ["TOKEN_SAVER", "TOKEN_SAVER_ENABLED"])
def test_nothing_is_shortened_when_switched_off(prefix: Prefix, variable: str) -> None:
    add_tests(prefix.directory)
    env = environment(prefix.home, **{variable: "off"})
    assert prefix(prefix.frame("./pytest -v"), env=env) == in_bash(prefix.frame("./pytest -v"), prefix.directory)
    plain = prefix(prefix.frame("TOKEN_SAVER=off ./pytest -v"))
    assert plain == in_bash(prefix.frame("./pytest -v"), prefix.directory)


def test_a_signal_to_the_prefix_reaches_the_command(prefix: Prefix) -> None:
    (prefix.directory / "pytest").write_text("#!/bin/sh\ntrap 'echo cleaned up; exit 9' TERM\necho ready\nsleep 20 & wait\n")
    (prefix.directory / "pytest").chmod(0o755)
    line = [*START, "prefix", prefix.frame("./pytest -v")]
    env = environment(prefix.home, SHELL="/bin/bash")
    with subprocess.Popen(line, cwd=prefix.directory, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        time.sleep(0.6)
        process.terminate()
        output, _ = process.communicate(timeout=20)
    assert b"cleaned up" in output and process.returncode in (9, 143)
