"""Running a real command to measure or to record what it prints."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError
from token_saver.processor import as_command

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION_SECONDS = 10
_VERSION_CHARS = 80
_CHUNK = 1 << 16

VERSION_WORDS = {
    "go": ("version",),
    "helm": ("version", "--short"),
    "java": ("-version",),
    "javac": ("-version",),
    "kubectl": ("version", "--client"),
    "openssl": ("version",),
    "ssh": ("-V",),
    "terraform": ("version",),
}
"""How a tool is asked for its version when it is not ``--version``."""


class Ran(NamedTuple):
    """What a command printed (errors among the rest, in the order written), its status as a shell has it, and seconds."""

    output: bytes
    exit_code: int
    seconds: float


def run(words: Sequence[str], most_bytes: int) -> Ran:
    """Run *words* without a shell, our own stdin for theirs.

    Raises ``InputError`` when there is no such program, and when it prints more than *most_bytes*: it is ended then.
    """
    start = time.perf_counter()
    try:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{words[0]}: cannot be run: {reason}") from error
    with child:
        assert child.stdout is not None
        made = bytearray()
        while chunk := child.stdout.read(_CHUNK):
            made += chunk
            if len(made) > most_bytes:
                child.kill()
                raise InputError(f"{words[0]}: prints more than max_output_bytes ({most_bytes:,}); it was ended")
        status = child.wait()
    return Ran(bytes(made), status if status >= 0 else 128 - status, time.perf_counter() - start)


def label(words: Sequence[str]) -> str:
    """Return the command line as it would be typed."""
    return shlex.join(words)


def tool_version(words: Sequence[str]) -> str | None:
    """Return the first line that the tool behind *words* says about its version; None when it says nothing of use.

    The tool is run a second time for it, with its own words before the question: ``python -m pytest --version``. So this is
    only for tools that are known to answer, never for a script that would do its work again.
    """
    program = as_command(label(words)).segments[0].program
    at = next((index for index, word in enumerate(words) if os.path.basename(word) == program), 0)
    asked = [*words[: at + 1], *VERSION_WORDS.get(program, ("--version",))]
    try:
        done = subprocess.run(
            asked,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=VERSION_SECONDS,
            start_new_session=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    lines = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines()]
    told = next((line for line in lines if any(map(str.isdigit, line))), "")
    return told[:_VERSION_CHARS] if told and done.returncode == 0 else None
