from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from token_saver import __version__
from token_saver.cli import main

if TYPE_CHECKING:
    import pathlib

REPEATED = "one line that says nothing new\n" * 40


@pytest.fixture(autouse=True)
def empty_home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Each test has a home of its own, with no settings and no project file."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def with_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def run(*words: str, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    import os

    return subprocess.run(
        [sys.executable, "-m", "token_saver", *words],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environ},
    )


def test_the_version_is_printed() -> None:
    done = run("--version")
    assert done.returncode == 0 and done.stdout.decode() == f"token-saver {__version__}\n"


@pytest.mark.parametrize("words", [[], ["no-such-command"], ["compress"], ["compress", "x", "--exit-code", "many"]])
def test_a_wrong_call_ends_with_status_2_and_a_message_on_stderr(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 2 and done.stderr and not done.stdout


def test_compress_prints_only_the_result() -> None:
    done = run("compress", "unknown-tool", stdin=REPEATED.encode())
    assert done.returncode == 0 and done.stderr == b""
    assert done.stdout.decode() == "one line that says nothing new\n[… 39 similar lines]\n"


def test_compress_never_runs_its_label(empty_home: pathlib.Path) -> None:
    run("compress", f"touch {empty_home}/made", stdin=b"x\n")
    assert not (empty_home / "made").exists()


def test_compress_reports_as_json() -> None:
    report: dict[str, Any] = json.loads(run("compress", "tool", "--format", "json", stdin=REPEATED.encode()).stdout)
    assert report["schema_version"] == 1 and report["processor"] == "generic" and report["was_compressed"] is True
    assert report["original_chars"] == len(REPEATED) and report["compressed_chars"] == len(report["output"])
    assert report["omissions"] == [{"count": 39, "noun": "similar line"}]


def test_compress_over_its_budget_prints_everything_and_ends_with_1() -> None:
    done = run("compress", "tool", "--max-tokens", "3", stdin=b"a text of more than three tokens\n")
    assert done.returncode == 1 and done.stdout == b"a text of more than three tokens\n"
    assert b"more than the 3 asked for" in done.stderr


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (["compress", "  "], b"x", b"the label is empty"),
        (["compress", "tool"], b"caf\xe9", b"stdin is not UTF-8 (byte 3)"),
        (["processors", "show", "nobody"], b"", b"there is no processor 'nobody'"),
    ],
)
def test_input_that_cannot_be_used_ends_with_2_and_says_why(words: list[str], stdin: bytes, message: bytes) -> None:
    done = run(*words, stdin=stdin)
    assert done.returncode == 2 and message in done.stderr and done.stdout == b""


@pytest.mark.parametrize("text", [b"", b"a\x00b\n", b"x" * 1_000_000])
def test_odd_input_loses_nothing(text: bytes) -> None:
    done = run("compress", "tool", stdin=text)
    assert done.returncode == 0
    assert done.stdout == text or b"chars]" in done.stdout


def test_stdin_over_the_limit_is_refused() -> None:
    done = run("compress", "tool", stdin=b"x" * 70_000, TOKEN_SAVER_MAX_OUTPUT_BYTES="65536")
    assert done.returncode == 2 and b"max_output_bytes" in done.stderr


def test_processors_are_listed_with_the_fallback_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["processors", "list", "--format", "json"]) == 0


def test_processors_show_what_they_read() -> None:
    row = json.loads(run("processors", "show", "generic", "--format", "json").stdout)
    assert row["priority"] == 999 and row["summary"].startswith("Both ends")
    assert b"generic" in run("processors").stdout


def test_settings_are_shown_with_their_source() -> None:
    done = run("config", "show", "--format", "json", TOKEN_SAVER_CHARS_PER_TOKEN="3.5")
    rows = {row["key"]: row for row in json.loads(done.stdout)["settings"]}
    assert rows["chars_per_token"] == {
        "key": "chars_per_token",
        "value": 3.5,
        "source": "environment (TOKEN_SAVER_CHARS_PER_TOKEN)",
    }
    assert rows["enabled"]["source"] == "default"


def test_a_bad_setting_is_named_and_ends_with_1(empty_home: pathlib.Path) -> None:
    (empty_home / ".token-saver.toml").write_text("chain_depth = 3\nuser_processors_dir = 'x'\n")
    done = run("config", "show")
    assert done.returncode == 1
    assert b".token-saver.toml:1: unknown key chain_depth" in done.stderr
    assert b"user_processors_dir is refused from a project file" in done.stderr


def test_config_path_says_where_files_are_looked_for() -> None:
    assert b"config.toml" in run("config", "path").stdout


def test_switched_off_is_byte_exact() -> None:
    assert run("compress", "tool", stdin=REPEATED.encode(), TOKEN_SAVER="off").stdout.decode() == REPEATED


def test_explain_shows_parse_verdict_processor_and_what_is_executed() -> None:
    text = run("explain", "cd web && git status; git log | wc -l").stdout.decode()
    assert "command cd web  (then '&&')" in text and "pipeline" in text and "command wc -l" in text
    assert "git status: a processor reads its output" in text
    assert "git log | wc -l: its output goes to another program" in text
    assert "cd web && token-saver run -- git status; git log | wc -l" in text


def test_explain_as_json_names_the_part_that_decided() -> None:
    report = json.loads(run("explain", "git status | wc -l", "--format", "json").stdout)
    assert report["compressible"] is False and report["rule"] == "to another program"
    assert report["executed"] == report["command"] and report["rewritten"] is False
    plain = json.loads(run("explain", "pytest -q", "--format", "json").stdout)
    assert plain["processor"] == "pytest" and plain["executed"] == "token-saver run -- pytest -q"


def test_explain_runs_nothing(empty_home: pathlib.Path) -> None:
    assert run("explain", f"touch {empty_home}/made").returncode == 0
    assert not (empty_home / "made").exists()


def test_explain_says_when_a_line_cannot_be_read() -> None:
    assert b"cannot be read" in run("explain", "echo 'unclosed").stdout
