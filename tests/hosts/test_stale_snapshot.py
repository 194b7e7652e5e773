"""A hook that finds no snapshot it can trust answers within a second, and the next one finds a new one."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import time

import pytest
from tests.hosts.hooks import Hook, payload
from tests.hosts.processes import environment, wait_until

from token_saver.hosts import refresh

pytestmark = pytest.mark.slow


@pytest.fixture
def bare(tmp_path: pathlib.Path) -> Hook:
    """Hooks in a home in which nothing was made yet."""
    (tmp_path / "home").mkdir()
    return Hook(tmp_path / "home", tmp_path)


def registries(home: pathlib.Path) -> list[pathlib.Path]:
    return list((home / ".cache").rglob("registry"))


def test_the_first_hook_is_not_slow_and_leaves_a_snapshot(bare: Hook, tmp_path: pathlib.Path) -> None:
    start = time.monotonic()
    first = bare("claude wrap", payload("claude", "pre_tool_use"))
    assert time.monotonic() - start < refresh._PATIENCE_OF_A_HOOK + 0.4
    assert wait_until(lambda: registries(tmp_path / "home") != [], within=30), "a process of its own makes it"
    second = bare("claude wrap", payload("claude", "pre_tool_use"))
    assert "token_saver/hosts/entry.py run -- " in str(second) and first in (None, second)


def test_where_nothing_can_be_kept_hooks_are_silent(bare: Hook, tmp_path: pathlib.Path) -> None:
    (tmp_path / "home/.cache").write_text("in the way")
    start = time.monotonic()
    assert bare("claude wrap", payload("claude", "pre_tool_use")) is None
    assert time.monotonic() - start < 1.0


def test_while_one_process_makes_it_no_other_is_started(bare: Hook, tmp_path: pathlib.Path) -> None:
    bare("claude wrap", payload("claude", "pre_tool_use"))
    assert wait_until(lambda: registries(tmp_path / "home") != [], within=30)
    [registry] = registries(tmp_path / "home")
    wait_until(lambda: not (registry.parent / "building").exists(), within=30)
    registry.unlink()
    (registry.parent / "building").touch()
    assert bare("claude wrap", payload("claude", "pre_tool_use")) is None
    time.sleep(1.0)
    assert not registry.exists()
    os.utime(registry.parent / "building", (1, 1))
    bare("claude wrap", payload("claude", "pre_tool_use"))
    assert wait_until(registry.exists, within=30), "a lock that is older than anybody's patience is nobody's"


def test_a_file_in_the_folder_where_it_was_made_does_not_make_it_stale(bare: Hook, tmp_path: pathlib.Path) -> None:
    line = [sys.executable, "-m", "token_saver", "init", "claude", "--mode", "wrap"]
    subprocess.run(line, env=environment(tmp_path / "home"), cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "new").touch()
    [registry] = registries(tmp_path / "home")
    made = registry.stat().st_mtime_ns
    assert bare("claude wrap", payload("claude", "pre_tool_use")) is not None
    assert registry.stat().st_mtime_ns == made
