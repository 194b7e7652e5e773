from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from tests.quality.folders import CASE, TEXT, folder

from token_saver.cli import main

if TYPE_CHECKING:
    import pathlib


def replayed(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, dict[str, Any]]:
    capfdbinary.readouterr()
    status = main(["replay", *words, "--format", "json"])
    out = capfdbinary.readouterr().out
    return status, json.loads(out) if out else {}


def test_the_command_has_the_documented_statuses(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(folder(tmp_path, CASE))
    assert main(["replay", path]) == 0
    assert main(["replay", str(folder(tmp_path, {**CASE, "max_tokens": 1}))]) == 1
    assert "max_tokens" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "absent.json")]) == 2
    assert "absent.json: cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "never-run").exists()


def test_the_cases_together_have_a_ceiling(tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    status, report = replayed(capfdbinary, str(folder(tmp_path, CASE, max_total_tokens=3)))
    assert status == 1 and not report["passed"] and report["totals"]["violations"] == ["max_total_tokens"]


def test_nothing_is_reported_when_a_capture_cannot_be_used(
    tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = folder(tmp_path, CASE, {**CASE, "name": "gone", "input": "gone.txt"})
    junit = tmp_path / "junit.xml"
    assert main(["replay", str(path), "--format", "json", "--junit", str(junit)]) == 2
    captured = capfdbinary.readouterr()
    assert not captured.out and b"gone.txt" in captured.err and not junit.exists()


def test_the_reports_agree_and_hold_no_content(tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    strict = {**CASE, "name": 'a|b <"c">', "must_preserve": ["no such thing"], "family": "f&g"}
    path = folder(tmp_path, {**CASE, "must_preserve": ["the one line that decides"]}, strict, max_total_tokens=1)
    junit, markdown = tmp_path / "j.xml", tmp_path / "m.md"
    status, report = replayed(capfdbinary, str(path), "--junit", str(junit), "--markdown", str(markdown), "--jobs", "2")
    assert status == 1 and [case["passed"] for case in report["cases"]] == [True, False]
    [suite] = ElementTree.parse(junit).getroot()
    assert suite.attrib["tests"] == "3" and suite.attrib["failures"] == "2" == str(len(suite.findall(".//failure")))
    assert [one.attrib["name"] for one in suite] == ["noise", 'a|b <"c">', "(all cases together)"]
    assert suite[1].attrib["classname"] == "replay.f&g"
    text = markdown.read_text()
    assert "1 of 2 cases fail" in text and '`a\\|b <"c">`: must_preserve[0]:missing_in_input' in text
    assert "| f&g | 1 | 0 of 1 |" in text and "max_total_tokens" in text
    for shown in (json.dumps(report), junit.read_text(), text):
        assert "decides" not in shown and "no such thing" not in shown and "never-run" not in shown


def test_a_report_without_a_folder_is_refused_at_once(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder(tmp_path, {**CASE, "input": "gone.txt"})
    for option in ("--junit", "--markdown"):
        assert main(["replay", str(path), option, str(tmp_path / "absent" / "report")]) == 2
        assert "there is no folder for it" in capsys.readouterr().err


def test_every_report_names_how_tokens_were_counted(tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    pytest.importorskip("rs_bpe")
    path = str(folder(tmp_path, CASE))
    counted = {}
    for name in ("estimate", "linear", "o200k_base"):
        _, report = replayed(capfdbinary, path, "--tokenizer", name, "--markdown", str(tmp_path / "m.md"))
        method = report["totals"]["token_estimate"]["method"]
        assert report["cases"][0]["token_estimate"]["method"] == method and method in (tmp_path / "m.md").read_text()
        counted[method] = report["totals"]["original_tokens"]
    assert len(counted) == 3 and counted["characters/4"] == -(-len(TEXT) // 4)
    assert main(["replay", path, "--tokenizer", "runes"]) == 2


def test_many_cases_show_only_those_that_fail(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [{**CASE, "name": f"case {number:03}", "max_tokens": 1 if number == 250 else 999} for number in range(300)]
    assert main(["replay", str(folder(tmp_path, *cases))]) == 1
    out = capsys.readouterr().out
    assert "case 250" in out and "case 100" not in out and "299 of 300 cases hold" in out


def test_a_terminal_sees_a_bar(tmp_path: pathlib.Path) -> None:
    path = folder(tmp_path, CASE, {**CASE, "name": "second"})
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "token_saver", "replay", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, env={**os.environ, "TERM": "xterm"}, check=True)
    os.close(follower)
    drawn = os.read(leader, 65536)
    os.close(leader)
    assert b"2/2" in drawn and b"2 of 2 cases hold" in done.stdout and b"\x1b" not in done.stdout


def test_a_baseline_holds_what_was_reached(tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, baseline = str(folder(tmp_path, CASE)), str(tmp_path / "baseline.json")
    assert main(["replay", path, "--baseline", baseline]) == 2
    assert main(["replay", path, "--update-baseline"]) == 2
    assert main(["replay", path, "--baseline", baseline, "--update-baseline"]) == 0
    assert replayed(capfdbinary, path, "--baseline", baseline)[0] == 0
    kept = json.loads((tmp_path / "baseline.json").read_text())

    def with_tokens(change: int) -> tuple[int, list[str]]:
        entry = {**kept["cases"]["noise"], "compressed_tokens": kept["cases"]["noise"]["compressed_tokens"] + change}
        (tmp_path / "changed.json").write_text(json.dumps({**kept, "cases": {"noise": entry}}))
        status, report = replayed(capfdbinary, path, "--baseline", str(tmp_path / "changed.json"))
        return status, report["cases"][0]["violations"]

    assert with_tokens(-1) == (1, ["baseline:worse"])
    assert with_tokens(50) == (1, ["baseline:gain_not_recorded"])
    changed = str(tmp_path / "changed.json")
    assert replayed(capfdbinary, path, "--baseline", changed, "--tolerance", "90")[0] == 0
    assert replayed(capfdbinary, path, "--baseline", changed, "--tokenizer", "linear")[0] == 2


def test_a_gain_that_lost_something_always_fails(tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    whole = {**CASE, "must_preserve": ["nothing new", "the one line that decides"]}
    path, baseline = str(folder(tmp_path, whole)), tmp_path / "baseline.json"
    assert main(["replay", path, "--baseline", str(baseline), "--update-baseline"]) == 0
    before = baseline.read_bytes()
    folder(tmp_path, {**whole, "must_preserve": ["nothing new", "the one line that is gone"]})
    for more in ([], ["--update-baseline"], ["--tolerance", "100"]):
        status, report = replayed(capfdbinary, path, "--baseline", str(baseline), *more)
        assert status == 1 and "must_preserve[1]:missing_in_input" in report["cases"][0]["violations"]
        assert baseline.read_bytes() == before
    folder(tmp_path, {**whole, "must_preserve": ["nothing new"]})
    _, report = replayed(capfdbinary, path, "--baseline", str(baseline))
    assert report["cases"][0]["violations"] == ["baseline:requires_less"]


def test_cases_that_come_go_or_change_are_told(tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path, baseline = folder(tmp_path, CASE, {**CASE, "name": "old"}), str(tmp_path / "baseline.json")
    assert main(["replay", str(path), "--baseline", baseline, "--update-baseline"]) == 0
    folder(tmp_path, CASE, {**CASE, "name": "new"})
    (tmp_path / "a.txt").write_text(TEXT + "one more\n")
    status, report = replayed(capfdbinary, str(path), "--baseline", baseline)
    assert status == 1 and report["totals"]["violations"] == ["baseline:case_gone:1"]
    assert [case["violations"] for case in report["cases"]] == [["baseline:other_capture"], ["baseline:not_recorded"]]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 1, "token_method": "x", "cases": {"a": {"required": -1}}}'])
def test_a_damaged_baseline_is_refused(tmp_path: pathlib.Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "baseline.json").write_text(text)
    assert main(["replay", str(folder(tmp_path, CASE)), "--baseline", str(tmp_path / "baseline.json")]) == 2
    assert "baseline.json" in capsys.readouterr().err
