"""Transcripts that were written here, in the formats of the hosts, around outputs that we recorded."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.recorded import own_cases

from token_saver.cli import main
from token_saver.discover import transcripts
from token_saver.discover.report import Tally
from token_saver.errors import InputError
from token_saver.tokens import LinearEstimate

if TYPE_CHECKING:
    import pathlib

    from token_saver.engine import CompressionEngine

CASES = {case.name: case for case in own_cases()}
FAILING = CASES["pytest/failures"]
LOG = CASES["git/log-long"]
SECRET = "hunter2-of-nobody"


def claude_lines(number: int, command: str, output: str, status: int = 0, session: str = "s1") -> list[dict[str, Any]]:
    """What Claude Code writes of one command: the call, and the result as the model reads it."""
    identifier = f"toolu_{session}_{number}"
    call = {"type": "tool_use", "id": identifier, "name": "Bash", "input": {"command": command, "description": "look"}}
    text = f"Exit code {status}\n{output}" if status else output
    result = {"type": "tool_result", "tool_use_id": identifier, "content": text, "is_error": bool(status)}
    frame = {"sessionId": session, "cwd": "/home/u/p", "version": "2.1.0", "isSidechain": False}
    return [
        {**frame, "type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "so"}, call]}},
        {**frame, "type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": {"stdout": output}},
    ]


def codex_lines(number: int, arguments: dict[str, Any], output: str, name: str = "exec_command") -> list[dict[str, Any]]:
    """What Codex CLI writes of one command."""
    call = {"type": "function_call", "name": name, "call_id": f"call_{number}", "arguments": json.dumps(arguments)}
    answer = {"type": "function_call_output", "call_id": f"call_{number}", "output": output}
    return [{"timestamp": "2026-11-30T12:00:00Z", "type": "response_item", "payload": part} for part in (call, answer)]


def written(path: pathlib.Path, *entries: list[dict[str, Any]]) -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(entry) + "\n" for group in entries for entry in group)
    path.write_text("".join(lines), encoding="utf-8", errors="surrogatepass")
    return path


def runs(path: pathlib.Path, count: transcripts.Count | None = None) -> list[transcripts.Run]:
    return list(transcripts.runs(transcripts.of_unknown_host(str(path)), count or transcripts.Count()))


@pytest.fixture
def home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A home with a transcript of each host."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".claude/projects/-home-u-p"
    written(
        folder / "s1.jsonl",
        claude_lines(1, "pytest", FAILING.text, 1),
        claude_lines(2, "pytest", FAILING.text, 1),
        claude_lines(3, "git log -40", LOG.text),
        claude_lines(4, f"frobnicate --password {SECRET}", f"{SECRET} " + "word after word\n" * 2_000),
    )
    written(folder / "s1/subagents/agent-1.jsonl", claude_lines(5, "git log -40", LOG.text, session="s2"))
    written(folder / "s3.jsonl", claude_lines(1, "pytest", FAILING.text, 1))  # the session was resumed: the same identifier
    written(
        tmp_path / ".codex/sessions/2026/11/30/rollout-1.jsonl",
        codex_lines(1, {"cmd": "pytest"}, f"Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\n{FAILING.text}"),
    )
    return tmp_path


def discovered(*words: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-m", "token_saver", "discover", "--format", "json", *words], capture_output=True)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.slow
def test_everything_is_found_counted_once_and_saved_as_the_engine_would(home: pathlib.Path, engine: CompressionEngine) -> None:
    report = discovered()
    count = LinearEstimate().count
    commands = {row["name"]: row for row in report["commands"]}
    assert report["schema_version"] == 1 and report["transcripts"] == 4 and report["runs"] == 6 and report["copies"] == 1
    shortened = engine.run("pytest", FAILING.text, 1).output
    assert commands["pytest"] == {
        "name": "pytest",
        "runs": 3,
        "failed": 3,
        "tokens": 3 * count(FAILING.text),
        "saved_tokens": 3 * (count(FAILING.text) - count(shortened)),
        "repeats": 1,
        "repeated_tokens": count(FAILING.text),
    }
    assert commands["git log"]["runs"] == 2 and commands["git log"]["repeats"] == 0, "the two are of different sessions"
    assert [row["name"] for row in report["unknown"]] == ["frobnicate"]
    assert report["total"]["tokens"] == sum(row["tokens"] for row in report["commands"])


@pytest.mark.slow
def test_nothing_of_the_content_is_shown_and_no_file_is_changed(home: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in home.rglob("*.jsonl")}
    assert main(["discover", "--top", "3"]) == 0
    told = capsys.readouterr().out
    assert SECRET not in told and "frobnicate" in told and "would have been saved" in told
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in home.rglob("*.jsonl")}
    assert after == before
    assert not any(SECRET.encode() in path.read_bytes() for path in home.rglob("*") if path.is_file() and path not in before)


def test_without_transcripts_the_status_is_1(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "none"))
    assert main(["discover"]) == 1


def test_only_what_was_written_lately_is_read(home: pathlib.Path) -> None:
    import os
    import time

    for path in home.rglob("*.jsonl"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    environ = {"HOME": str(home)}
    assert transcripts.found(environ, ["claude", "codex"], time.time() - 86_400) == []
    assert len(transcripts.found(environ, ["claude"], 0)) == 3


@pytest.mark.parametrize(
    ("name", "arguments", "output", "command", "status", "text"),
    [
        ("exec_command", {"cmd": "ls"}, "Chunk ID: 1\nProcess exited with code 0\nOutput:\na\nb\n", "ls", 0, "a\nb\n"),
        ("shell_command", {"command": "ls"}, "Exit code: 2\nWall time: 1 seconds\nOutput:\nno\n", "ls", 2, "no\n"),
        ("shell", {"command": ["bash", "-lc", "ls -l"]}, '{"output":"a\\n","metadata":{"exit_code":3}}', "ls -l", 3, "a\n"),
        ("shell", {"command": ["ls", "a b"]}, "as it came\n", "ls 'a b'", None, "as it came\n"),
        ("exec_command", {"cmd": "cat"}, "Output of mine\nOutput:\nx", "cat", None, "x"),
    ],
)
def test_the_lines_of_codex_around_an_output_are_taken_off(
    tmp_path: pathlib.Path,
    name: str,
    arguments: dict[str, Any],
    output: str,
    command: str,
    status: int | None,
    text: str,
) -> None:
    [run] = runs(written(tmp_path / "t.jsonl", codex_lines(1, arguments, output, name)))
    assert (run.command, run.status, run.output) == (command, status, text)


def test_a_call_that_was_refused_is_no_run(tmp_path: pathlib.Path) -> None:
    entries = claude_lines(1, "git push --force", "")
    entries[1]["message"]["content"][0] |= {"is_error": True, "content": "The user does not want this."}
    assert runs(written(tmp_path / "t.jsonl", entries)) == []


def test_blocks_of_text_are_read_and_images_are_not(tmp_path: pathlib.Path) -> None:
    entries = claude_lines(1, "ls", "")
    entries[1]["message"]["content"][0]["content"] = [{"type": "text", "text": "a"}, {"type": "image", "source": {}}]
    [run] = runs(written(tmp_path / "t.jsonl", entries))
    assert run.output == "a"


def test_a_damaged_line_costs_that_line_alone(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path / "t.jsonl", claude_lines(1, "ls", "a\n"), claude_lines(2, "ls -l", "\ud83d cut\n"))
    lines = path.read_bytes().splitlines(keepends=True)
    torn = [
        b'{"type":"tool_use", torn\n',
        b'["tool_use"]\n',
        b'{"message":{"content":[7,{"type":"tool_use"}]}}\n',
        b'"tool_result" \xff\n',
    ]
    path.write_bytes(b"".join([lines[0], *torn, *lines[1:], lines[0][:40]]))
    count = transcripts.Count()
    assert [run.command for run in runs(path, count)] == ["ls", "ls -l"]
    assert count.unreadable == 3


def test_a_line_of_any_length_is_passed_over_in_bounded_memory(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 4_096)
    path = tmp_path / "t.jsonl"
    written(path, claude_lines(1, "ls", "a\n"), claude_lines(2, "cat image", "x" * 3_000_000), claude_lines(3, "ls", "b\n"))
    count = transcripts.Count()
    assert [run.output for run in runs(path, count)] == ["a\n", "b\n"]
    assert (count.unreadable, count.unanswered) == (1, 1)


def test_calls_without_answers_do_not_pile_up(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "MOST_WAITING", 5)
    calls = [claude_lines(number, "ls", "")[:1] for number in range(20)]
    count = transcripts.Count()
    assert runs(written(tmp_path / "t.jsonl", *calls), count) == [] and count.unanswered == 20


@pytest.mark.parametrize("content", [b"", b'{"some":"document"}\n'])
def test_another_file_is_refused(tmp_path: pathlib.Path, content: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError):
        transcripts.of_unknown_host(str(path))


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: pathlib.Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(InputError):
        transcripts.of_unknown_host(str(tmp_path / "pipe.jsonl"))


@pytest.mark.parametrize(
    ("command", "name", "unknown"),
    [
        ("cd web && git -C x log -3 | head", "git log", False),
        ("/opt/odd/frobnicate x", "frobnicate", True),
        ("cd x && ./gradlew_of_ours.sh build", "gradlew_of_ours.sh", True),
        ("'a b c' --key=1", "other", True),
        ("vim x", "vim", False),
        ("pip install secret.whl", "pip install", False),
        ("git /home/u/x", "git", False),
        ("cd x", "other", False),
        ("git log > out.txt", "git log", False),
        ("if; then", "other", False),
    ],
)
def test_a_command_line_is_named_by_its_program(engine: CompressionEngine, command: str, name: str, unknown: bool) -> None:
    tally = Tally(engine, LinearEstimate())
    tally.take(transcripts.Run("claude", "s", "1", command, "word " * 5_000, 0))
    report = tally.report()
    assert [row.name for row in report.rows] == [name] and bool(report.unknown) is unknown


def test_what_programs_read_is_not_promised(engine: CompressionEngine) -> None:
    tally = Tally(engine, LinearEstimate())
    tally.take(transcripts.Run("claude", "s", "1", "git log > out.txt", LOG.text, 0))
    assert tally.report().total.tokens > 0 and tally.report().total.saved == 0
