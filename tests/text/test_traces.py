"""Frames of libraries are counted; the message, the user's own frames and their places stay."""

from __future__ import annotations

import subprocess
import sys

from token_saver.text.pieces import render
from token_saver.text.traces import fold_frames

RUST = """\
thread 'main' (27073) panicked at basket.rs:1:49:
index out of bounds: the len is 0 but the index is 3
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616/library/core/src/panicking.rs:80:14
   2: <&dyn core[c1f1]::ops::function::Fn<(), Output = i32> as core[c1f1]::ops::function::FnOnce<()>>::call_once
   3:     0x55a6bf14064c - core[c1f1a4ba060b9bfa]::panicking::panic_bounds_check
                               at /rustc/59807616/library/core/src/panicking.rs:271:5
   4: basket::weigh
             at ./basket.rs:1:49
   5: corefile::read
   6: main
   7: std::rt::lang_start
   8: __libc_start_call_main
             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16
   9: _start
  10: <unknown>
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""


def shown(text: str) -> list[str]:
    return render(fold_frames(text.splitlines()))


def test_frames_of_rusts_runtime_are_counted_and_the_users_stay() -> None:
    lines = shown(RUST)
    assert lines[3:5] == RUST.splitlines()[3:5]
    assert "[… 3 lines of library frames]" in lines
    for kept in (
        "   4: basket::weigh",
        "             at ./basket.rs:1:49",
        "   5: corefile::read",
        "   6: main",
        "  10: <unknown>",
    ):
        assert kept in lines


def test_the_box_of_a_traceback_keeps_names_places_and_values() -> None:
    """Rich prints it, for real; the source around the marked lines is counted."""
    program = "from rich.traceback import install; install(show_locals=True, width=100); import json; json.loads('{bad')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    text = "\n".join(shown(done.stderr))
    assert "lines of surrounding source]" in text and len(text) < len(done.stderr) / 1.5
    for kept in (" in loads", "❱", "s = '{bad'", "JSONDecodeError: Expecting property name"):
        assert kept in done.stderr and kept in text
    marked = [line for line in done.stderr.splitlines() if "❱" in line or "locals" in line]
    assert marked and all(line in text for line in marked)


def test_a_box_without_an_end_stays() -> None:
    box = "╭───── Traceback (most recent call last) ─────╮\n│   1 │ a │\n│ ❱ 2 │ b │\n"
    assert shown(box) == box.splitlines()
