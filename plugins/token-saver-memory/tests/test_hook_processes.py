"""The hooks as a host starts them: real processes, payloads of the host's shape, a real repository, one database."""

from __future__ import annotations

import json
import pathlib
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
from memory_bench import Bench
from token_saver_memory.values import AGENT, PERSON, TOOL, Draft, tokens_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("bench"))
    made.compile()
    yield made
    assert "Error" not in made.trouble(), made.trouble()


def test_before_an_edit_what_was_ruled_out_reaches_the_model(bench: Bench) -> None:
    number = bench.save("ruled_out", "caching the parser", why="it was slower by half", file_path="src/parse.py")
    edit: dict[str, Any] = {
        "tool_name": "Edit",
        "tool_input": {"file_path": str(bench.repo / "src" / "parse.py"), "old_string": "a", "new_string": "b"},
    }
    told = bench.hear("PreToolUse", session="e1", **edit)
    for part in (f"#{number}", "ruled_out", "caching the parser", "it was slower by half", "today"):
        assert part in told
    assert tokens_of(told) <= 400
    assert bench.hear("PreToolUse", session="e1", **edit) == "", "it stands before the model already"
    assert bench.hear("PreToolUse", session="e2", **edit)
    for other in ("src/xparse.py", "parse.py"):
        edit["tool_input"]["file_path"] = str(bench.repo / other)
        assert bench.hear("PreToolUse", session="e3", **edit) == ""


def test_after_a_compaction_a_warning_is_told_again(bench: Bench) -> None:
    number = bench.save("warning", "generated, see gen.py", file_path="src/table.py")
    edit: dict[str, Any] = {"tool_name": "Write", "tool_input": {"file_path": "src/table.py", "content": "x"}}
    assert bench.hear("PreToolUse", session="c1", **edit) and not bench.hear("PreToolUse", session="c1", **edit)
    bench.hear("PreCompact", session="c1", trigger="auto")
    assert bench.hear("PreToolUse", session="c1", **edit)
    with bench.memory() as memory:
        memory.dispute(number)
    assert bench.hear("PreToolUse", session="c2", **edit) == "", "what is disputed warns no longer"


def test_rows_of_one_project_are_silent_in_another_and_at_home(bench: Bench) -> None:
    bench.save("config", "Port of payments", body="listens on 8940")
    other = bench.repository("other")
    prompt: dict[str, Any] = {"prompt": "which port do the payments listen on?"}
    assert "8940" in bench.hear("UserPromptSubmit", session="p1", **prompt)
    assert "8940" in bench.hear("UserPromptSubmit", session="p2", cwd=bench.repo / "src", **prompt)
    for place in (other, bench.root / "home", pathlib.Path("/")):
        done = bench.run("UserPromptSubmit", session="p3", cwd=place, **prompt)
        assert done.stdout == "" and done.returncode == 0 and done.stderr == ""


def test_what_a_tool_said_is_never_put_before_the_model_unasked(bench: Bench) -> None:
    repo = bench.repository("tools")
    bench.save("note", "deploy by running the installer as root", actor=TOOL, repo=repo)
    assert bench.hear("SessionStart", session="t1", cwd=repo, source="startup") == ""
    assert bench.hear("UserPromptSubmit", session="t1", cwd=repo, prompt="deploy running the installer root") == ""


def test_the_index_at_a_start_is_bounded_and_then_told_as_changes(bench: Bench) -> None:
    repo, other = bench.repository("large"), bench.repository("small")
    kinds = ("note", "decision", "warning", "command")
    with bench.memory() as memory:
        scope = memory.scope(str(repo))
        for number in range(120):
            name = "".join(chr(97 + number // power % 26) for power in (676, 26, 1)) * 2
            memory.save(Draft(scope, kinds[number % 4], f"{name} is built by the {name}er on demand"), actor=AGENT)
        memory.save(Draft(memory.scope(str(other)), "note", "the small one is written in Go"), actor=AGENT)
    first = bench.hear("SessionStart", session="b1", cwd=repo, source="startup")
    assert "120 entries" in first and 300 < tokens_of(first) <= 600
    assert "Go" in bench.hear("SessionStart", session="b2", cwd=other, source="startup")
    again = bench.hear("SessionStart", session="b3", cwd=repo, source="startup")
    assert "unchanged" in again and tokens_of(again) <= 30
    number = bench.save("guardrail", "never touch the vendor folder", actor=PERSON, repo=repo)
    gone = bench.rows("SELECT item_id FROM impression WHERE channel = 'start' ORDER BY list_id, rank LIMIT 1")[0][0]
    with bench.memory() as memory:
        memory.forget(gone, actor=PERSON)
    changed = bench.hear("SessionStart", session="b4", cwd=repo, source="startup")
    assert f"+ #{number} guardrail" in changed and f"#{gone}" in changed.partition("no longer")[2] and tokens_of(changed) < 120
    assert "unchanged" in bench.hear("SessionStart", session="b5", cwd=repo, source="startup")
    assert "120 entries" in bench.hear("SessionStart", session="b6", cwd=repo, source="compact")


def test_a_repetition_is_a_miss_and_says_whether_it_was_shown(bench: Bench) -> None:
    repo = bench.repository("misses")
    bench.save("config", "Port of billing", body="listens on 8941", repo=repo)
    hear: dict[str, Any] = {"cwd": repo, "prompt": "I already told you the billing port is 8941"}
    bench.hear("UserPromptSubmit", session="m1", **hear)
    bench.hear("UserPromptSubmit", session="m1", **hear)
    bench.hear("UserPromptSubmit", session="m1", cwd=repo, prompt="As told in the docs the billing port is 8941")
    bench.hear("UserPromptSubmit", session="m2", cwd=repo, prompt="Das habe ich dir schon gesagt, billing port 8941")
    found = bench.rows("SELECT session_id, outcome FROM ledger WHERE kind = 'miss' ORDER BY id")
    assert found == [("m1", "was_not_shown"), ("m1", "was_shown"), ("m2", "was_not_shown")]


def test_of_a_prompt_only_what_the_user_wrote_is_kept(bench: Bench) -> None:
    repo = bench.repository("wishes")
    injected = "<token-saver-memory>\nalways use spaces\n</token-saver-memory>\n<private>always use hunter2</private>\n"
    bench.hear("UserPromptSubmit", session="w1", cwd=repo, prompt=f"{injected}always use tabs")
    found = bench.rows("SELECT type, title, provenance FROM visible_item WHERE title LIKE '%use%'")
    assert found == [("convention", "always use tabs", "user")]


def test_the_guard_refuses_once_then_lets_pass(bench: Bench) -> None:
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "git push --force https://joe:hunter2@example.org/x"}}
    first = json.loads(bench.run("PreToolUse", session="g1", **call).stdout)["hookSpecificOutput"]
    assert first["permissionDecision"] == "deny" and "--force-with-lease" in first["permissionDecisionReason"]
    assert bench.run("PreToolUse", session="g1", **call).stdout == ""
    assert bench.run("PreToolUse", session="g2", cwd=bench.root / "home", **call).stdout
    with bench.memory() as memory:
        memory.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"hunter2" not in b"".join(path.read_bytes() for path in bench.data.iterdir())


@pytest.mark.parametrize("response", [{"stdout": "", "stderr": "", "interrupted": False}, "", [{"type": "text", "text": ""}]])
def test_a_command_that_succeeded_is_captured_under_the_project_of_the_session(bench: Bench, response: object) -> None:
    repo = bench.repository(f"capture{type(response).__name__}")
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "sudo systemctl enable billing"},
        "tool_response": response,
    }
    assert bench.hear("PostToolUse", session="r1", cwd=repo / "src", **call) == ""
    found = bench.rows(
        "SELECT type, title, provenance FROM visible_item WHERE project_id = (SELECT id FROM project WHERE label = ?)", repo.name
    )
    assert found == [("infra", "ran here: systemctl enable billing", "tool")]


def test_a_command_that_failed_is_not(bench: Bench) -> None:
    repo = bench.repository("failed")
    call: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "systemctl stop billing"},
        "tool_response": {"interrupted": True},
    }
    bench.hear("PostToolUse", session="r2", cwd=repo, **call)
    assert bench.rows("SELECT 1 FROM visible_item WHERE title LIKE '%stop billing%'") == []


def test_the_memory_can_be_off_for_a_session(bench: Bench) -> None:
    bench.save("config", "Port of payments", body="listens on 8940")
    prompt: dict[str, Any] = {"prompt": "which port do the payments listen on?"}
    assert "off" in bench.run("UserPromptSubmit", session="o1", prompt="memory off").stdout
    assert bench.hear("UserPromptSubmit", session="o1", **prompt) == ""
    assert bench.run("UserPromptSubmit", session="o1", prompt="memory on").stdout
    assert bench.hear("UserPromptSubmit", session="o1", **prompt)
    assert bench.run("UserPromptSubmit", session="o2", environment={"TOKEN_SAVER_MEMORY": "off"}, **prompt).stdout == ""


def test_a_locked_database_is_silence_soon_and_seen_by_the_doctor(tmp_path: pathlib.Path) -> None:
    own = Bench(tmp_path)
    own.compile()
    own.save("config", "Port of payments", body="listens on 8940")
    own.environment["TOKEN_SAVER_MEMORY_BUDGET_MS"] = "150"
    own.hear("Stop", session="l0")
    holder = sqlite3.connect(own.data / "memory.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    began = time.perf_counter()
    done = own.run("UserPromptSubmit", session="l1", prompt="which port do the payments listen on?")
    took = time.perf_counter() - began
    holder.execute("ROLLBACK")
    holder.close()
    assert done.stdout == "" and done.stderr == "" and "memory: prompt StoreError" in own.trouble()
    assert took < 3.0, "the lock was not waited for"


def test_no_process_is_left_behind(bench: Bench) -> None:
    bench.hear("Stop", session="q1")
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "hook claude events" not in found
