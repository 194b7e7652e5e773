"""What a hook costs: processor time and wall time of whole hook processes, as a ratio to a bare interpreter.

``python benchmarks/hooks.py``: a memory of a thousand rows, every event twenty times, the median of each.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from token_saver_memory.memory import open_memory
from token_saver_memory.values import AGENT, Draft

HOOK = ["-m", "token_saver", "hook", "claude", "events"]
EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "compact"},
    "UserPromptSubmit": {"prompt": "which port does the billing service listen on, and who owns the parser?"},
    "PreToolUse": {"tool_name": "Edit", "tool_input": {"file_path": "src/part7.py", "old_string": "def parse(text):"}},
    "PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls -la"}, "tool_response": {"stdout": ""}},
    "PreCompact": {"trigger": "auto"},
    "Stop": {},
    "SessionEnd": {"reason": "exit"},
}


def fill(place: Path, rows: int) -> None:
    """Save *rows* observations of one project."""
    kinds = ("note", "decision", "warning", "ruled_out", "config")
    with open_memory(str(place / "data" / "memory.db")) as memory:
        scope = memory.scope(str(place / "shop"))
        for number in range(rows):
            name = "".join(chr(97 + number // power % 26) for power in (676, 26, 1)) * 2
            draft = Draft(
                scope, kinds[number % 5], f"{name} is built by the {name}er", "on demand", file_path=f"src/part{number}.py"
            )
            memory.save(draft, actor=AGENT)


def measured(words: list[str], event: dict[str, Any], environment: dict[str, str], times: int) -> tuple[float, float]:
    """Return the median processor and wall milliseconds of a process."""
    costs, walls = [], []
    for turn in range(times):
        sent = json.dumps({**event, "session_id": f"s{turn}"} if event else {})
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, *words], input=sent, text=True, capture_output=True, env=environment, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append((time.perf_counter() - began) * 1000)
        costs.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    return statistics.median(costs), statistics.median(walls)


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--times", type=int, default=20)
    words.add_argument("--rows", type=int, default=1000)
    options = words.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        subprocess.run(["git", "init", "-q", str(place / "shop")], check=True)
        fill(place, options.rows)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("TOKEN_SAVER")}
        environment |= {
            "HOME": name,
            "XDG_CACHE_HOME": name,
            "XDG_CONFIG_HOME": name,
            "TOKEN_SAVER_DATA_DIR": str(place / "data"),
        }
        measured(HOOK, {"hook_event_name": "Stop"}, environment, 3)
        bare, _ = measured(["-c", "pass"], {}, environment, options.times)
        print(f"{'bare interpreter':18} {bare:6.1f} ms processor")
        for event, fields in EVENTS.items():
            payload = {"hook_event_name": event, "cwd": str(place / "shop"), **fields}
            cost, wall = measured(HOOK, payload, environment, options.times)
            print(f"{event:18} {cost:6.1f} ms processor, {cost / bare:4.1f} times bare, {wall:6.1f} ms wall")


if __name__ == "__main__":
    main()
