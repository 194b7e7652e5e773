"""What the wrapper hands on unchanged: status, streams, bytes, words, shell; and when it keeps its hands off."""

from __future__ import annotations

import os
import pathlib
import posix
import pty
import select
import shlex
import shutil
import socket
import subprocess
import sys
import time

import pytest
from tests.hosts.processes import ENTRY, START, Wrapper, environment

from token_saver.hosts import wrapper as module

LINE = b"same line of words that repeats itself\n"
LISTING = f"for i in {'1 ' * 60}; do echo same line of words that repeats itself; done"
OMISSION = "[… ".encode()


@pytest.mark.parametrize("status", [0, 1, 2, 3, 42, 124, 126, 127, 128, 129, 200, 254, 255])
def test_the_exit_status_is_the_commands(wrapper: Wrapper, status: int) -> None:
    assert wrapper("run", "-c", f"exit {status}").returncode == status


@pytest.mark.slow
def test_every_exit_status_passes(wrapper: Wrapper) -> None:
    found: dict[int, int] = {}
    for first in range(0, 256, 32):
        running = {status: wrapper.start("run", "--", "sh", "-c", f"exit {status}") for status in range(first, first + 32)}
        for status, process in running.items():
            process.communicate()
            found[status] = process.returncode
    assert found == {status: status for status in range(256)}


def test_a_killed_command_has_the_status_that_a_shell_gives_it(wrapper: Wrapper) -> None:
    assert wrapper("run", "-c", "kill -9 $$").returncode == 137
    assert wrapper("run", "-c", "kill -TERM $$").returncode == 143
    assert wrapper("run", "-c", "kill -SEGV $$").returncode == 139


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("no-such-program-anywhere", 127, "no-such-program-anywhere: command not found"),
        ("./no-such-file", 127, "./no-such-file: No such file or directory"),
        ("./plain-file", 126, "./plain-file: Permission denied"),
        ("/", 126, "/: Is a directory"),
        ("", 127, ": command not found"),
    ],
)
def test_what_cannot_be_started_is_refused_as_a_shell_refuses_it(wrapper: Wrapper, name: str, status: int, message: str) -> None:
    (wrapper.directory / "plain-file").write_text("echo no\n")
    done = wrapper("run", "--", name)
    assert (done.returncode, done.stdout.decode()) == (status, f"token-saver: {message}\n")
    exact = wrapper("raw", "--", name)
    assert (exact.returncode, exact.stdout) == (done.returncode, done.stdout)


def test_a_script_without_a_first_line_is_read_by_a_shell(wrapper: Wrapper) -> None:
    script = wrapper.directory / "script"
    script.write_text('echo "$0 got $1"; exit 5\n')
    script.chmod(0o755)
    for verb in ("run", "raw"):
        done = wrapper(verb, "--", "./script", "a b")
        assert (done.returncode, done.stdout) == (5, b"./script got a b\n")


@pytest.mark.parametrize(
    "arguments",
    [["run"], ["run", "--"], ["run", "-c"], ["run", "--bogus", "--", "true"], ["run", "--timeout", "x", "--", "true"]],
)
def test_arguments_that_say_nothing_end_with_the_usage(wrapper: Wrapper, arguments: list[str]) -> None:
    done = wrapper(*arguments)
    assert done.returncode == 2
    assert b"token-saver: " in done.stdout and (b"usage: " in done.stdout or b"--timeout needs" in done.stdout)


def test_words_reach_the_command_byte_for_byte(wrapper: Wrapper) -> None:
    words = [b"a b", b"", b"$HOME", b"*", b"'\"\\", b"\xff\xfe", "schön".encode(), b"line\nline"]
    show = "import os, sys; os.write(1, b'|'.join(map(os.fsencode, sys.argv[1:])))"
    done = wrapper("run", "--", sys.executable, "-c", show, *words)
    assert done.stdout == b"|".join(words)


def test_shell_text_is_read_by_the_users_shell(wrapper: Wrapper) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    text = "echo {unit,int}; [[ a == a ]] && echo yes"
    assert wrapper("run", "-c", text, env={"SHELL": bash}).stdout == b"unit int\nyes\n"
    assert wrapper("run", "--shell", bash, "-c", text).stdout == b"unit int\nyes\n"


@pytest.mark.parametrize("shell", ["", "/usr/bin/fish", "bash", "/nowhere/bash", sys.executable])
def test_any_other_shell_is_replaced_by_sh(monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    monkeypatch.setitem(posix.environ, b"SHELL", shell.encode())
    assert module.users_shell() == "/bin/sh"


def test_directory_and_environment_are_the_callers(wrapper: Wrapper) -> None:
    done = wrapper("run", "-c", 'pwd -P; echo "$COLOUR"; env | grep -c TOKEN_SAVER', env={"COLOUR": "blue"})
    assert done.stdout.decode() == f"{os.path.realpath(wrapper.directory)}\nblue\n0\n"


def test_stdin_is_the_commands(wrapper: Wrapper) -> None:
    assert wrapper("run", "--", "wc", "-c", input=b"x" * 100_000).stdout.split() == [b"100000"]
    assert wrapper("run", "-c", "read a; echo got $a; cat", input=b"one\ntwo\n").stdout == b"got one\ntwo\n"


def test_both_streams_come_in_the_order_in_which_they_were_written(wrapper: Wrapper) -> None:
    text = "for i in 1 2 3; do echo out $i; echo err $i >&2; done"
    done = wrapper("run", "-c", text, stderr=subprocess.STDOUT)
    assert done.stdout == b"out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n"


def test_two_sockets_are_read_by_one_host(wrapper: Wrapper) -> None:
    (ours, theirs), (our_errors, their_errors) = socket.socketpair(), socket.socketpair()
    with ours, theirs, our_errors, their_errors:
        wrapper("run", "-c", "echo out; echo err >&2", stdout=theirs, stderr=their_errors)
        theirs.close()
        assert ours.recv(100) == b"out\nerr\n"


def test_a_pipe_of_their_own_stays_the_errors_own(wrapper: Wrapper) -> None:
    done = wrapper("run", "-c", f"echo err >&2; {LISTING}; exit 3", stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (3, b"err\n")
    assert b"same line" in done.stdout and OMISSION in done.stdout and b"err" not in done.stdout


def test_errors_that_were_sent_elsewhere_stay_there(wrapper: Wrapper) -> None:
    with open(wrapper.directory / "errors", "wb") as errors:
        done = wrapper("run", "-c", "echo out; echo err >&2", stderr=errors)
    assert done.stdout == b"out\n"
    assert (wrapper.directory / "errors").read_bytes() == b"err\n"


@pytest.mark.parametrize("data", [b"a\xff\xfeb\n", b"\xe2\x80", b"no newline", b"a\r\nb\r\n", b"\n\n\n", b"a\0b\n" * 50])
def test_bytes_that_are_not_shortened_pass_as_they_are(wrapper: Wrapper, data: bytes) -> None:
    (wrapper.directory / "data").write_bytes(data)
    assert wrapper("run", "--", "cat", "data").stdout == data


def test_bytes_that_are_no_text_survive_beside_what_is_shortened(wrapper: Wrapper) -> None:
    data = b"first \xff\xfe line\n" + b"an alike line of some length\n" * 400 + b"last \xc3\x28 line\n"
    (wrapper.directory / "data").write_bytes(data)
    shown = wrapper("run", "--", sys.executable, "-c", "import os; os.write(1, open('data', 'rb').read())").stdout
    assert len(shown) < len(data) / 4
    assert shown.startswith(b"first \xff\xfe line\n") and shown.endswith(b"last \xc3\x28 line\n")


def test_redrawn_progress_is_not_shown_frame_by_frame(wrapper: Wrapper) -> None:
    text = 'i=0; while [ $i -lt 100 ]; do printf "\\r%3d%% done" $i; i=$((i+1)); done; printf "\\rall 100%% done\\n"'
    shown = wrapper("run", "-c", text).stdout
    assert shown == "all 100% done\n[… 100 redraws]\n".encode()


def test_an_output_is_shortened(wrapper: Wrapper) -> None:
    shown = wrapper("run", "-c", LISTING).stdout
    assert b"same line" in shown and OMISSION in shown and len(shown) < 300


def test_a_secret_is_masked_even_in_a_short_output(wrapper: Wrapper) -> None:
    assert wrapper("run", "--", "echo", "password=hunter2hunter2").stdout == b"password=***\n"
    assert wrapper("raw", "--", "echo", "password=hunter2hunter2").stdout == b"password=hunter2hunter2\n"


@pytest.mark.parametrize("env", [{"TOKEN_SAVER": "off"}, {"TOKEN_SAVER": "OFF"}, {"TOKEN_SAVER_ENABLED": "false"}])
def test_switched_off_by_the_environment_everything_is_exact(wrapper: Wrapper, env: dict[str, str]) -> None:
    expected = LINE * 60
    done = wrapper("run", "-c", LISTING + "; echo err >&2; exit 4", env=env, stderr=subprocess.PIPE)
    assert (done.returncode, done.stdout, done.stderr) == (4, expected, b"err\n")


def test_switched_off_in_the_command_everything_is_exact(wrapper: Wrapper) -> None:
    expected = LINE * 60
    assert wrapper("run", "-c", "TOKEN_SAVER=off; " + LISTING).stdout == expected
    assert wrapper("run", "--", "env", "TOKEN_SAVER=off", "sh", "-c", LISTING).stdout == expected


def test_switched_off_in_the_users_file_everything_is_exact(tmp_path: pathlib.Path) -> None:
    config = tmp_path / ".config/token-saver/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("enabled = false\n")
    done = Wrapper(tmp_path, tmp_path)("run", "-c", LISTING + "; echo password=hunter2hunter2")
    assert done.stdout == LINE * 60 + b"password=hunter2hunter2\n"


def test_a_terminal_sees_the_command_itself(home: pathlib.Path) -> None:
    controller, terminal = pty.openpty()
    text = "test -t 1 && echo on a terminal; exit 6"
    status = subprocess.run(
        [*START, "run", "-c", text], stdin=terminal, stdout=terminal, stderr=terminal, env=environment(home), check=False
    ).returncode
    os.close(terminal)
    assert status == 6
    assert b"on a terminal" in os.read(controller, 1000)
    os.close(controller)


def test_a_socket_is_read_like_a_pipe(wrapper: Wrapper) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wrapper("run", "-c", LISTING, stdout=theirs, stderr=theirs)
        theirs.close()
        assert OMISSION in ours.recv(10_000)


def test_closed_streams_do_no_harm(wrapper: Wrapper) -> None:
    start = " ".join(START)
    for closing in (">&-", "2>&-", "<&-", "<&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{start} run -- sh -c 'exit 3' {closing}"], env=environment(wrapper.home), check=False
        )
        assert done.returncode == 3, closing


@pytest.mark.parametrize("damage", ["registry", "hot"])
@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"{}", b"[" * 100_000, b"99999999"])
def test_a_damaged_snapshot_is_made_anew(tmp_path: pathlib.Path, home: pathlib.Path, damage: str, content: bytes) -> None:
    shutil.copytree(home / ".cache", tmp_path / ".cache")
    damaged = [place / damage for place in (tmp_path / ".cache/token-saver").iterdir() if (place / damage).exists()]
    for file in damaged:
        file.write_bytes(content)
    wrapper = Wrapper(tmp_path, tmp_path)
    for _ in range(2):
        assert OMISSION in wrapper("run", "-c", LISTING).stdout
    assert any(file.read_bytes() != content for file in damaged)


def test_without_a_place_for_the_snapshot_outputs_are_shortened_all_the_same(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".cache").write_text("no folder\n")
    assert OMISSION in Wrapper(tmp_path, tmp_path)("run", "-c", LISTING).stdout


def test_an_error_of_ours_shows_the_output_as_it_came(tmp_path: pathlib.Path, home: pathlib.Path) -> None:
    config = tmp_path / ".config/token-saver/config.toml"
    config.parent.mkdir(parents=True)
    folder = tmp_path / "processors"
    folder.mkdir()
    config.write_text(f'user_processors_dir = "{folder}"\n')
    (folder / "bad.py").write_text(
        "from token_saver.processor import Processor\n"
        "class Bad(Processor):\n"
        "    name = 'bad'\n"
        "    made = 0\n"
        "    def __init__(self):\n"
        "        import os\n"
        "        if os.environ.get('BREAK'): raise SystemError('broken')\n"
        "    def can_handle(self, command): return True\n"
        "    def process(self, command, output): return output\n"
    )
    wrapper = Wrapper(tmp_path, tmp_path)
    wrapper("run", "--", "true")
    done = wrapper("run", "-c", f"echo once >> count; {LISTING}; exit 9", env={"BREAK": "1"})
    assert done.returncode == 9
    assert done.stdout == LINE * 60
    assert (tmp_path / "count").read_text() == "once\n"


FAULT = """\
import sys
sys.path.append(sys.argv[1])
from token_saver.hosts import wrapper
{fault}
sys.exit(wrapper.main(["run", "-c", "echo once >> count; i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exit 5"]))
"""
FAULTS = {
    "reducer": "from token_saver.text import stream\ndef feed(*_): raise MemoryError\nstream.Reducer.feed = feed",
    "shortening": "from token_saver.hosts import shorten\nshorten.Shortener.shown = lambda *_, **__: 1 / 0",
    "preparing": "from token_saver.hosts import shorten\nshorten.Shortener.prepare = shorten.Shortener.shown = None",
    "snapshot": "from token_saver import snapshot\nsnapshot.read = None",
    "patience": """from token_saver.hosts import shorten
def shown(*_, **__):
    while True: pass
shorten.Shortener.shown, wrapper.PATIENCE = shown, 0.3""",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_fails_the_output_is_shown_and_the_command_runs_once(wrapper: Wrapper, fault: str) -> None:
    settings = {"TOKEN_SAVER_FAMILY_LIMIT_CHARS": "10000"}
    code = FAULT.replace("{fault}", FAULTS[fault])
    done = subprocess.run(
        [sys.executable, "-c", code, str(ENTRY.parents[2])],
        stdout=subprocess.PIPE,
        cwd=wrapper.directory,
        env=environment(wrapper.home, **settings),
        check=False,
    )
    assert done.returncode == 5
    assert done.stdout == b"".join(b"line %d\n" % number for number in range(3000))
    assert (wrapper.directory / "count").read_text() == "once\n"


def test_a_project_file_speaks(wrapper: Wrapper) -> None:
    (wrapper.directory / ".git").mkdir()
    (wrapper.directory / ".token-saver.toml").write_text("min_input_length = 100000\n")
    inner = wrapper.directory / "a/b"
    inner.mkdir(parents=True)
    assert wrapper("run", "-c", LISTING, cwd=inner).stdout.count(b"same line") == 60
    assert wrapper("run", "-c", LISTING, cwd="/").stdout.count(b"same line") < 5


def test_other_commands_go_to_the_command_line(wrapper: Wrapper) -> None:
    done = wrapper("--version")
    assert (done.returncode, done.stdout.split()[:1]) == (0, [b"token-saver"])


def test_the_script_for_hosts_runs_its_words(wrapper: Wrapper) -> None:
    script = pathlib.Path(__file__).parents[2] / "scripts/wrap.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), "-c", "echo from the script; exit 8"],
        stdout=subprocess.PIPE,
        env=environment(wrapper.home),
        check=False,
    )
    assert (done.returncode, done.stdout) == (8, b"from the script\n")


def test_what_never_ends_streams_so_that_its_reader_can_end_it(wrapper: Wrapper) -> None:
    line = f"{shlex.join([*START, 'run', '--', 'yes', 'password=hunter2hunter2'])} | head -2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], env=environment(wrapper.home), capture_output=True, timeout=20)
    assert done.stdout == b"password=***\n" * 2 + b"141\n"


def test_what_follows_a_file_is_shown_as_it_grows(wrapper: Wrapper) -> None:
    file = wrapper.directory / "log"
    file.write_text("first\n")
    with wrapper.start("run", "--", "tail", "-f", "log") as process:
        assert process.stdout is not None
        for number in range(100):
            time.sleep(0.1)
            with file.open("a") as more:
                more.write(f"line {number}\n")
            if select.select([process.stdout], [], [], 0)[0]:
                break
        assert process.stdout.readline() == b"first\n"
        process.terminate()


def test_what_streams_through_a_filter_that_ends_it_is_read_whole(wrapper: Wrapper) -> None:
    shown = wrapper("run", "-c", "yes 'an alike line' | head -c 3000000").stdout
    assert len(shown) < 1_000 and OMISSION in shown


def test_a_command_that_waits_shows_what_it_has_said(wrapper: Wrapper) -> None:
    """A server in the background says where it listens and then nothing; somebody waits for that line."""
    code = "import time; print('listening, password=Zq7Lw2Xr9Vb4', flush=True); time.sleep(20); print('end')"
    process = wrapper.start("run", "--", sys.executable, "-c", code, env={"TOKEN_SAVER_SHOW_AFTER_SILENCE": "1"})
    assert process.stdout is not None
    started = time.monotonic()
    assert process.stdout.readline() == b"listening, password=***\n"
    assert time.monotonic() - started < 15
    process.terminate()
    process.wait()


def test_a_command_that_is_only_slow_is_shortened_at_its_end(wrapper: Wrapper) -> None:
    code = "import time\nfor _ in range(400): print('the same line again and again')\ntime.sleep(1.5)\nprint('end')"
    process = wrapper.start("run", "--", sys.executable, "-c", code, env={"TOKEN_SAVER_SHOW_AFTER_SILENCE": "0"})
    shown = process.communicate()[0].decode()
    assert len(shown) < 400 and shown.endswith("end\n") and "[… " in shown
