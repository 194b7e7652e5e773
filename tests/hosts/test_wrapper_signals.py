"""Signals, time limits, and processes that outlive the command: nothing is left running, nothing printed is lost."""

from __future__ import annotations

import os
import pathlib
import pty
import signal
import subprocess
import sys
import time

import pytest
from tests.hosts.processes import START, Wrapper, environment, running, wait_until


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_wrapper_ends_the_whole_group_and_shows_what_was_printed(
    wrapper: Wrapper, seconds: str, number: signal.Signals
) -> None:
    # A shell starts a background process deaf to SIGINT, so there the grandchild is one in the foreground.
    other = f"sleep {seconds} &" if number != signal.SIGINT else f"sh -c 'sleep {seconds}; :';"
    process = wrapper.start("run", "--", "sh", "-c", f"echo before; {other} sleep {seconds}; echo never")
    assert wait_until(lambda: len(running(seconds)) >= 4)
    started = time.monotonic()
    process.send_signal(number)
    output, _ = process.communicate(timeout=10)
    assert (process.returncode, output) == (128 + number, b"before\n")
    assert time.monotonic() - started < 2


def test_a_command_that_handles_the_signal_has_the_last_word(wrapper: Wrapper, seconds: str) -> None:
    text = f"trap 'echo tidying up; exit 11' TERM; echo ready > flag; sleep {seconds} & wait"
    process = wrapper.start("run", "--", "sh", "-c", text)
    assert wait_until((wrapper.directory / "flag").exists)
    process.terminate()
    output, _ = process.communicate(timeout=10)
    assert (process.returncode, output) == (11, b"tidying up\n")
    for pid in _pids(seconds):
        os.kill(pid, signal.SIGKILL)  # the shell's trap kept it; unwrapped it would be left too


def test_a_signal_that_the_host_ignores_stays_ignored(wrapper: Wrapper) -> None:
    text = "kill -HUP $PPID; kill -HUP $$; sleep 0.2; echo still here"
    process = wrapper.start("run", "--", "sh", "-c", text, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    output, _ = process.communicate(timeout=10)
    assert (process.returncode, output) == (0, b"still here\n")


def test_the_command_dies_of_a_broken_pipe_as_it_would_alone(wrapper: Wrapper) -> None:
    text = "(yes; echo $? > status) | head -1; sleep 0.1; cat status"
    assert wrapper("run", "-c", text, env={"SHELL": "/bin/sh"}).stdout == b"y\n141\n"


def test_a_time_limit_ends_the_group_and_shows_what_was_printed(wrapper: Wrapper, seconds: str) -> None:
    text = f"echo start; (sleep {seconds} & sleep {seconds}) & sleep {seconds}"
    started = time.monotonic()
    done = wrapper("run", "--timeout", "0.5", "-c", text)
    assert time.monotonic() - started < 3
    assert done.returncode == 124
    assert done.stdout == b"start\ntoken-saver: the command was ended by its time limit\n"


def test_a_time_limit_kills_what_does_not_listen(wrapper: Wrapper, seconds: str) -> None:
    text = f"trap '' TERM; echo deaf; sleep {seconds} & while :; do sleep 0.1; done"
    started = time.monotonic()
    done = wrapper("run", "--timeout", "0.3", "-c", text)
    assert 2 <= time.monotonic() - started < 6
    assert done.returncode == 124 and done.stdout.startswith(b"deaf\n")


def test_a_time_limit_from_the_settings_holds(wrapper: Wrapper, seconds: str) -> None:
    done = wrapper("run", "--", "sleep", seconds, env={"TOKEN_SAVER_WRAP_TIMEOUT": "1"})
    assert done.returncode == 124


def test_a_time_limit_holds_for_an_exact_run_too(wrapper: Wrapper, seconds: str) -> None:
    done = wrapper("raw", "--timeout", "0.3", "-c", f"echo exact; sleep {seconds}", stderr=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (124, b"exact\n")


def test_a_process_left_behind_does_not_hold_the_wrapper_and_lives_on(wrapper: Wrapper, seconds: str) -> None:
    text = f"echo first; (while sleep 0.1; do echo tick && echo tick >> ticks; done) & sleep {seconds} & echo last"
    started = time.monotonic()
    done = wrapper("run", "-c", text)
    try:
        assert time.monotonic() - started < 2
        assert done.returncode == 0
        lines = done.stdout.decode().splitlines()
        assert lines[0] == "first" and "last" in lines
        assert lines[-1] == "[… 1 process left behind that still holds the output]"
        ticks = wrapper.directory / "ticks"
        now = len(ticks.read_text()) if ticks.exists() else 0
        assert wait_until(lambda: ticks.exists() and len(ticks.read_text()) > now + 20), "writing to the pipe ended it"
    finally:
        for pid in [*_pids(seconds), *_pids("tick >> ticks")]:
            os.kill(pid, signal.SIGKILL)


def test_a_daemon_that_lets_go_of_the_output_is_no_concern(wrapper: Wrapper, seconds: str) -> None:
    done = wrapper("run", "-c", f"echo started; sleep {seconds} >/dev/null 2>&1 &")
    assert (done.returncode, done.stdout) == (0, b"started\n")
    assert _pids(seconds)
    for pid in _pids(seconds):
        os.kill(pid, signal.SIGKILL)


def test_a_command_that_closes_its_output_is_still_waited_for(wrapper: Wrapper) -> None:
    done = wrapper("run", "-c", "echo early; exec >&- 2>&-; sleep 0.5; exit 13")
    assert (done.returncode, done.stdout) == (13, b"early\n")


@pytest.mark.skipif(not pathlib.Path("/bin/sh").exists(), reason="the watcher is a shell")
def test_a_wrapper_that_is_killed_leaves_no_orphan(wrapper: Wrapper, seconds: str) -> None:
    process = wrapper.start("run", "--", "sh", "-c", f"sleep {seconds} & sleep {seconds}")
    assert wait_until(lambda: len(running("read -r _ || kill")) >= 1 and len(_pids(seconds)) >= 3)
    process.kill()
    process.communicate(timeout=10)
    assert wait_until(lambda: not running(seconds))


def test_a_reader_that_goes_away_ends_the_command_as_it_would_alone(wrapper: Wrapper) -> None:
    text = "i=0; while [ $i -lt 300 ]; do echo line $i || exit 9; sleep 0.05; i=$((i+1)); done"
    process = wrapper.start("run", "--", "sh", "-c", text)
    assert process.stdout is not None
    time.sleep(0.3)
    process.stdout.close()
    started = time.monotonic()
    assert process.wait(timeout=10) in (9, 141)
    assert time.monotonic() - started < 3


def test_a_reader_of_one_line_is_served(wrapper: Wrapper) -> None:
    process = wrapper.start("run", "--", "seq", "1", "200000", env={"TOKEN_SAVER_MIN_INPUT_LENGTH": "100000000"})
    head = subprocess.run(["head", "-1"], stdin=process.stdout, stdout=subprocess.PIPE, check=True)
    assert process.stdout is not None
    process.stdout.close()
    assert head.stdout == b"1\n"
    assert process.wait(timeout=10) == 141


def test_a_full_disk_for_the_output_is_told(wrapper: Wrapper) -> None:
    if not pathlib.Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = wrapper("run", "-c", "seq 1 20; exit 0", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0
    with open("/dev/full", "wb") as full:
        exact = wrapper("run", "--", "seq", "1", "20", stdout=full, stderr=subprocess.PIPE)
    assert exact.returncode != 0 and exact.stderr


def test_a_command_that_asks_at_the_terminal_gets_it(wrapper: Wrapper) -> None:
    controller, terminal = pty.openpty()
    # The first session of the process takes the terminal that it opens first.
    start = f"import os; os.setsid(); os.open({os.ttyname(terminal)!r}, os.O_RDWR); os.execv(*sys.argv[1:2], sys.argv[1:])"
    text = "printf 'name? ' > /dev/tty; read name < /dev/tty; echo got $name; exit 4"
    done = subprocess.Popen(
        [sys.executable, "-c", f"import sys; {start}", *START, "run", "-c", text],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment(wrapper.home, SHELL="/bin/sh"),
    )
    assert os.read(controller, 100) == b"name? "
    os.write(controller, b"somebody\n")
    output, _ = done.communicate(timeout=10)
    assert (done.returncode, output) == (4, b"got somebody\n")
    os.close(controller)
    os.close(terminal)


def _pids(text: str) -> list[int]:
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in path.read_bytes().replace(b"\0", b" "):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
