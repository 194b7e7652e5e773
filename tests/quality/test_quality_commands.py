from __future__ import annotations

import gzip
import io
import json
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from tests.quality.folders import TEXT

from token_saver.cli import main
from token_saver.replay import manifest
from token_saver.workbench.removed import removed
from token_saver.workbench.suggestions import suggestions

if TYPE_CHECKING:
    import pathlib

SECRET = "ghp_" + "a1B2c3D4e5" * 4
FAILS = f"print('fine'); print('src/a.c:3: error: no such field {SECRET}'); print('Error: 1 of 2 failed'); raise SystemExit(3)"


@pytest.fixture(autouse=True)
def place(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Work in an empty folder, without settings of the user."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def answer(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, dict[str, Any]]:
    capfdbinary.readouterr()
    status = main([words[0], "--format", "json", *words[1:]])
    out = capfdbinary.readouterr().out
    return status, json.loads(out) if out else {}


def test_evaluate_measures_stdin_and_says_no_content(
    place: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    options = ["--must-preserve", "the one line that decides", "--no-verdict", "--exit-code", "1", "--max-tokens", "30"]
    stdin(monkeypatch, TEXT)
    status, report = answer(capfdbinary, "evaluate", "tool all", *options, "--junit", "j.xml", "--markdown", "m.md")
    assert status == 0 and report["passed"] and report["cases"][0]["limits"]["must_preserve_count"] == 1
    assert ElementTree.parse(place / "j.xml").getroot()[0].attrib["tests"] == "1"
    shown = json.dumps(report) + (place / "m.md").read_text() + (place / "j.xml").read_text()
    assert "decides" not in shown and "tool all" not in shown
    stdin(monkeypatch, TEXT)
    status, report = answer(capfdbinary, "evaluate", "tool all", "--must-not-contain", "decides", "--max-tokens", "1")
    assert status == 1 and report["cases"][0]["violations"] == ["max_tokens", "must_not_contain[0]"]


@pytest.mark.parametrize(
    "options",
    [
        ["--max-growth-percent", "-3"],
        ["--must-preserve-pattern", "("],
        ["--input", "absent.txt"],
        ["--must-preserve", ""],
        ["--tokenizer", "runes"],
    ],
)
def test_evaluate_refuses_what_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(monkeypatch, TEXT)
    assert main(["evaluate", "make", *options]) == 2
    assert capsys.readouterr().err.startswith("token-saver: ")


def test_evaluate_reads_a_packed_file(place: pathlib.Path) -> None:
    (place / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert main(["evaluate", "tool", "--input", "a.txt.gz", "--min-savings-percent", "80"]) == 0


def test_a_recorded_run_is_masked_private_and_replays(place: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    status, told = answer(capfdbinary, "record", "--accept", "--name", "fails", "--", sys.executable, "-c", FAILS)
    assert status == 0 and told["exit_code"] == 3 and told["must_preserve_count"] == 2 and told["lost_count"] == 0
    [case] = manifest.read_manifest(place / "replay" / "manifest.json").cases
    assert case.name == "fails" and case.exit_code == 3 and case.no_verdict and case.recorded
    assert case.must_preserve[1] == "Error: 1 of 2 failed"
    for file in (place / "replay").iterdir():
        assert SECRET not in file.read_text() and file.stat().st_mode & 0o077 == 0
    assert "ghp_***" in (place / "replay" / "fails.txt").read_text() and (place / "replay").stat().st_mode & 0o077 == 0
    assert main(["replay", "replay/manifest.json"]) == 0


def test_nothing_is_required_that_nobody_accepted(capfd: pytest.CaptureFixture[str], place: pathlib.Path) -> None:
    assert main(["record", "--must-preserve", "fine", "--", sys.executable, "-c", FAILS]) == 0
    assert "worth requiring: Error: 1 of 2 failed" in capfd.readouterr().err
    assert manifest.read_manifest(place / "replay" / "manifest.json").cases[0].must_preserve == ("fine",)
    assert main(["record", "--must-preserve", "absent", "--", sys.executable, "-c", FAILS]) == 2
    assert len(manifest.read_manifest(place / "replay" / "manifest.json").cases) == 1


def test_a_terminal_is_asked_about_each_string(place: pathlib.Path) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "token_saver", "record", "--name", "asked", "--", sys.executable, "-c", FAILS]
    os.write(leader, b"n\ny\n")
    done = subprocess.run(command, stdin=follower, stdout=subprocess.PIPE, stderr=follower, check=False, timeout=60)
    os.close(follower)
    assert done.returncode == 0 and b"1 strings required" in done.stdout
    assert manifest.read_manifest(place / "replay" / "manifest.json").cases[0].must_preserve == ("Error: 1 of 2 failed",)


def test_the_version_is_asked_of_known_tools_alone(
    place: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = place / "deploy.sh"
    script.write_text("#!/bin/sh\necho ran >> ran.txt\necho deployed version 3\n")
    script.chmod(0o755)
    assert answer(capfdbinary, "record", "--", "./deploy.sh")[1]["tool_version"] is None
    assert (place / "ran.txt").read_text() == "ran\n"
    version = answer(capfdbinary, "record", "--", "git", "status")[1]["tool_version"]
    assert version.startswith("git version")
    version = answer(capfdbinary, "record", "--", sys.executable, "-m", "pytest", "no-such-file.py")[1]["tool_version"]
    assert version == f"pytest {pytest.__version__}"


def test_a_large_capture_is_packed_and_bytes_become_text(place: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    large = "import sys; sys.stdout.buffer.write(b'caf\\xe9 line\\n' * 9000)"
    assert main(["record", "--name", "large", "--", sys.executable, "-c", large]) == 0
    assert "no UTF-8" in capfd.readouterr().err
    assert (place / "replay" / "large.txt.gz").exists() and main(["replay", "replay/manifest.json"]) == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--"], "no command"),
        (["--", "no-such-program-here"], "cannot be run"),
        (["--", "true"], "printed nothing"),
        (["-c", "echo x", "--", "ls"], "not both"),
        (["--into", "file", "--", "echo", "x"], "cannot be made"),
        (["--into", "broken", "--", "echo", "x"], "manifest.json"),
    ],
)
def test_what_cannot_be_recorded_is_refused(
    place: pathlib.Path, words: list[str], reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (place / "file").touch()
    (place / "broken").mkdir()
    (place / "broken" / "manifest.json").write_text("{")
    assert main(["record", *words]) == 2
    assert reason in capfd.readouterr().err
    assert not (place / "replay").exists() and len(list((place / "broken").iterdir())) == 1


def test_recorders_at_the_same_time_lose_nothing(place: pathlib.Path) -> None:
    command = [sys.executable, "-m", "token_saver", "record", "--", "echo", "one line"]
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(lambda _: subprocess.run(command, check=True, capture_output=True), range(8)))
    cases = manifest.read_manifest(place / "replay" / "manifest.json").cases
    assert len(done) == len(cases) == 8 == len({case.input for case in cases})
    assert {path.name for path in (place / "replay").iterdir()} == {"manifest.json", *(case.input for case in cases)}


def test_benchmark_shows_raw_against_shortened(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("rs_bpe")
    loud = f"print({TEXT!r}, end=''); raise SystemExit(4)"
    status, report = answer(capfdbinary, "benchmark", "--show-removed", "--", sys.executable, "-c", loud)
    assert status == 0 and report["exit_code"] == 4 and report["chars"]["raw"] == len(TEXT)
    assert report["lines"]["raw"] == 41 and report["lines"]["compressed"] < 5
    assert [name.split("/")[0] for name in report["tokens"]] == ["characters", "linear", "o200k_base", "cl100k_base"]
    assert report["omitted"] == [{"count": 39, "noun": "similar line"}] and report["seconds"]["median"] > 0
    assert report["removed"] == [{"example": "one line that says nothing new", "lines": 39, "chars": 39 * 31}]
    stdin(monkeypatch, TEXT)
    assert answer(capfdbinary, "benchmark", "--label", "tool")[1]["chars"] == report["chars"]
    assert main(["benchmark"]) == 2 and main(["benchmark", "--label", "x", "--", "ls"]) == 2


def test_benchmark_shows_no_secret(capfd: pytest.CaptureFixture[str]) -> None:
    loud = f"[print('token {SECRET}') for number in range(40)]"
    assert main(["benchmark", "--show-removed", "--", sys.executable, "-c", loud]) == 0
    out = capfd.readouterr().out
    assert SECRET not in out and "secrets were masked" in out and "left out, by kind:" in out


def test_removed_lines_are_gathered_by_shape() -> None:
    output = "start\ntook 12 ms\ntook 7 ms\nkept  twice\nkept twice\nend\n"
    assert removed(output, "start\nkept twice\nend\n") == [
        ("took 12 ms", 2, len("took 12 ms\ntook 7 ms\n")),
        ("kept twice", 1, len("kept twice\n")),
    ]


def test_removed_takes_linear_time() -> None:
    import time

    def seconds(lines: int) -> float:
        output = "".join(f"line {number:x} of words {number % 97}\n" for number in range(lines))
        start = time.process_time()
        removed(output, output[: len(output) // 2])
        return time.process_time() - start

    assert seconds(80_000) < 3 * 16 * max(seconds(5_000), 0.005)


def test_suggestions_are_reports_first_and_stand_in_the_output() -> None:
    output = "one job has failed\n" + "".join(f"\x1b[31merror: {number}\x1b[0m at x\n" for number in range(1, 26))
    found = suggestions(output, "error: 3\n", 1)
    assert len(found) == 20 and all(one.string in output for one in found)
    assert found[0].string == "error: 1" and [one.string for one in found if one.survives] == ["error: 3"]
    assert suggestions("tests/test_errors.py | 3 +\n", "", 0) == []
    assert suggestions("no rule here\ngoodbye\n\n", "", 2)[0].string == "goodbye"
