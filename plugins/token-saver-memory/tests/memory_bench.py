"""What tests of hooks and tools stand on: a home, a data folder, repositories, and events told to real processes."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

from token_saver_memory.memory import Memory, open_memory
from token_saver_memory.values import AGENT, Draft


class Bench:
    """A home, a data folder, a repository, and a way to tell the hooks of events."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.data = root / "data"
        self.repo = self.repository("shop")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("TOKEN_SAVER", "CLAUDE"))
        } | {
            "HOME": str(root / "home"),
            "XDG_CONFIG_HOME": str(root / "home"),
            "XDG_CACHE_HOME": str(root / "home" / "cache"),
            "TOKEN_SAVER_DATA_DIR": str(self.data),
            "TOKEN_SAVER_MEMORY_BUDGET_MS": "30000",
        }
        (root / "home").mkdir()

    def compile(self, python: str = sys.executable) -> None:
        """Write the snapshot of what is installed, so that the first event need not wait for it."""
        words = [python, "-c", "from token_saver.plugins import write_snapshot; write_snapshot()"]
        subprocess.run(words, env=self.environment, cwd=self.root, check=True, timeout=60)

    def repository(self, name: str) -> pathlib.Path:
        folder = self.root / name
        (folder / "src").mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        return folder

    def memory(self) -> Memory:
        return open_memory(str(self.data / "memory.db"))

    def save(self, type_: str, title: str, *, actor: str = AGENT, repo: pathlib.Path | None = None, **fields: Any) -> int:
        with self.memory() as memory:
            return memory.save(Draft(memory.scope(str(repo or self.repo)), type_, title, **fields), actor=actor).item_id

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self.memory() as memory:
            return memory.connection.execute(query, values).fetchall()

    def hear(self, name: str, *, session: str = "s1", cwd: pathlib.Path | None = None, **payload: Any) -> str:
        """Tell of an event in a process of its own; return the context that the model reads."""
        return context_of(self.run(name, session=session, cwd=cwd, **payload).stdout)

    def run(
        self,
        name: str,
        *,
        session: str = "s1",
        cwd: pathlib.Path | None = None,
        environment: dict[str, str] | None = None,
        **payload: Any,
    ) -> subprocess.CompletedProcess[str]:
        event = {"hook_event_name": name, "session_id": session, "cwd": str(cwd or self.repo), **payload}
        command = [sys.executable, "-m", "token_saver", "hook", "claude", "events"]
        return subprocess.run(
            command,
            input=json.dumps(event),
            capture_output=True,
            text=True,
            env=self.environment | (environment or {}),
            cwd=self.root,
            timeout=30,
            check=True,
        )

    def trouble(self) -> str:
        return "".join(path.read_text() for path in self.root.rglob("trouble.log"))


def context_of(stdout: str) -> str:
    if not stdout:
        return ""
    output: dict[str, str] = json.loads(stdout)["hookSpecificOutput"]
    return output.get("permissionDecisionReason") or output["additionalContext"]
