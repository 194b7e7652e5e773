"""Much output, much at once, and no room for it."""

from __future__ import annotations

import pathlib
import resource
import subprocess
import sys

import pytest
from tests.hosts.processes import START, Wrapper, environment

MEASURE = """\
import posix, sys
read, write = posix.pipe()
pid = posix.posix_spawn(sys.argv[1], sys.argv[1:], posix.environ, file_actions=[(posix.POSIX_SPAWN_DUP2, write, 1)])
posix.close(write)
shown = []
while chunk := posix.read(read, 1 << 16):
    shown.append(chunk)
_, status, usage = posix.wait4(pid, 0)
posix.write(2, f"{posix.waitstatus_to_exitcode(status)} {usage.ru_maxrss}".encode())
sys.stdout.buffer.write(b''.join(shown))
"""


def measured(wrapper: Wrapper, *arguments: str) -> tuple[bytes, int, int]:
    """Return what the wrapper showed, its status and its peak memory in KiB, as a small process sees them.

    A process that starts another one lends it its own peak, so this one would spoil the figure.
    """
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *START, *arguments],
        cwd=wrapper.directory,
        env=environment(wrapper.home),
        capture_output=True,
        check=True,
    )
    status, peak = done.stderr.split()
    return done.stdout, int(status), int(peak)


@pytest.mark.slow
def test_200_megabytes_are_shown_by_both_ends_in_bounded_memory(wrapper: Wrapper) -> None:
    text = "echo the very first line; yes 'a line in the middle' | head -c 200000000; echo the very last line; exit 3"
    shown, status, peak = measured(wrapper, "run", "-c", text)
    assert status == 3
    assert shown.startswith(b"the very first line\n") and shown.endswith(b"the very last line\n")
    assert len(shown) < 100_000
    assert peak < 80 * 1024


@pytest.mark.slow
def test_rare_failures_in_100_megabytes_are_all_shown(wrapper: Wrapper) -> None:
    planted = [f"ERROR unique failure of {name}" for name in ("alpha", "beta", "gamma", "delta", "epsilon")]
    parts = "".join(f"yes 'INFO request handled in 12 ms' | head -c 20000000; echo '{line}';" for line in planted)
    small, _, before = measured(wrapper, "run", "-c", "yes 'INFO request handled in 12 ms' | head -c 1000000")
    shown, _, peak = measured(wrapper, "run", "-c", parts)
    assert [line for line in planted if line.encode() not in shown] == []
    assert len(small) < 10_000
    assert peak - before < 24 * 1024


def test_what_is_larger_than_the_limit_is_kept_whole_on_disk_and_shown_as_it_came(wrapper: Wrapper) -> None:
    settings = {"TOKEN_SAVER_FAMILY_LIMIT_CHARS": "10000", "TOKEN_SAVER_MIN_GAIN": "100000000"}
    done = wrapper("run", "--", "seq", "1", "100000", env=settings)
    assert done.stdout == b"".join(b"%d\n" % number for number in range(1, 100_001))


def test_what_is_larger_than_max_output_bytes_is_reduced_with_an_exact_marker(wrapper: Wrapper) -> None:
    settings = {"TOKEN_SAVER_MAX_OUTPUT_BYTES": "65536", "TOKEN_SAVER_MIN_GAIN": "100000000"}
    lines = wrapper("run", "--", "seq", "1", "100000", env=settings).stdout.decode().splitlines()
    (at,) = [index for index, line in enumerate(lines) if line.startswith("[… ")]
    gone = int(lines[at].removeprefix("[… ").removesuffix(" lines]"))
    assert lines[:at] == [str(number) for number in range(1, at + 1)]
    assert lines[at + 1 :] == [str(number) for number in range(at + gone + 1, 100_001)]


def test_a_full_disk_for_the_spool_costs_nothing_but_the_middle(wrapper: Wrapper) -> None:
    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    settings = {"TOKEN_SAVER_FAMILY_LIMIT_CHARS": "10000"}
    done = wrapper("run", "--", "seq", "1", "100000", env=settings, preexec_fn=no_room)
    assert done.returncode == 0
    assert done.stdout.startswith(b"1\n2\n") and done.stdout.endswith(b"\n99999\n100000\n")


def test_no_folder_for_the_spool_costs_nothing_but_the_middle(wrapper: Wrapper) -> None:
    settings = {"TOKEN_SAVER_FAMILY_LIMIT_CHARS": "10000", "TMPDIR": "/nowhere"}
    done = wrapper("run", "--", "seq", "1", "100000", env=settings)
    assert done.stdout.startswith(b"1\n2\n") and done.stdout.endswith(b"\n99999\n100000\n")


def test_the_spool_is_gone_when_the_wrapper_is(wrapper: Wrapper) -> None:
    spool = wrapper.directory / "spool"
    spool.mkdir()
    settings = {"TOKEN_SAVER_FAMILY_LIMIT_CHARS": "10000", "TMPDIR": str(spool)}
    wrapper("run", "--", "seq", "1", "100000", env=settings)
    assert list(spool.iterdir()) == []


def test_binary_output_goes_straight_through(wrapper: Wrapper) -> None:
    text = "head -c 30000000 /dev/zero; echo end"
    shown, status, peak = measured(wrapper, "run", "-c", text)
    assert (status, len(shown), shown[-4:]) == (0, 30_000_004, b"end\n")
    assert peak < 24 * 1024


def test_one_line_without_an_end_is_shown_by_both_ends(wrapper: Wrapper) -> None:
    shown, _, peak = measured(wrapper, "run", "-c", "printf begin; yes x | tr -d '\\n' | head -c 30000000; echo end")
    assert shown.startswith(b"begin") and shown.endswith(b"end\n") and len(shown) < 100_000
    assert peak < 80 * 1024


@pytest.mark.slow
def test_200_commands_at_once_all_have_their_own_output(wrapper: Wrapper) -> None:
    script = wrapper.directory / "alike"
    script.write_text("#!/bin/sh\nsleep 0.3; yes alike line of $1 | head -100; echo result of $1; exit $1\n")
    script.chmod(0o755)
    started = [wrapper.start("run", "--", "./alike", str(number)) for number in range(200)]
    for number, process in enumerate(started):
        output, _ = process.communicate(timeout=60)
        expected = f"alike line of {number}\n[… 99 similar lines]\nresult of {number}\n"
        assert (process.returncode, output.decode()) == (number, expected)


@pytest.mark.slow
def test_many_at_once_without_a_snapshot_make_one_and_are_all_right(tmp_path: pathlib.Path) -> None:
    fresh = Wrapper(tmp_path, tmp_path)
    text = "for i in $(seq 100); do echo alike line of words; done"
    started = [fresh.start("run", "-c", text) for _ in range(20)]
    outputs = {process.communicate(timeout=60)[0].decode() for process in started}
    assert outputs == {"alike line of words\n[… 99 similar lines]\n"}
    (place,) = (fresh.home / ".cache/token-saver").iterdir()
    assert sorted(path.name for path in place.iterdir()) == ["hot", "registry", "registry.json"]
