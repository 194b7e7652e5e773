from __future__ import annotations

import gzip
import json
import pathlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from token_saver import replay
from token_saver.cli import main
from token_saver.engine import CompressionEngine
from token_saver.errors import InputError
from token_saver.processors.generic import GenericProcessor

TEXT = "one line that says nothing new\n" * 40 + "fatal: the one line that decides\n"
CASE = {"name": "noise", "command": "touch /tmp/never-run", "input": "a.txt", "exit_code": 1}


def folder(place: pathlib.Path, *cases: dict[str, Any], **more: Any) -> pathlib.Path:
    (place / "a.txt").write_text(TEXT)
    (place / "manifest.json").write_text(json.dumps({"schema_version": 1, "cases": list(cases), **more}))
    return place / "manifest.json"


def outcome(path: pathlib.Path) -> dict[str, Any]:
    engine = CompressionEngine([GenericProcessor()], settings={"enabled": True, "min_input_length": 1})
    manifest = replay.read_manifest(path)
    return replay.report(manifest, replay.run(manifest, path.parent, engine, most_bytes=100_000))


def test_a_case_passes_when_all_holds(tmp_path: pathlib.Path) -> None:
    case = {**CASE, "must_preserve": ["the one line that decides"], "min_savings_percent": 80, "no_verdict": True}
    report = outcome(folder(tmp_path, case))
    assert report["passed"] and report["totals"]["cases"] == 1 and report["totals"]["saved_tokens"] > 200
    assert "decides" not in json.dumps(report) and "never-run" not in json.dumps(report)


def test_a_case_fails_by_name(tmp_path: pathlib.Path) -> None:
    report = outcome(folder(tmp_path, CASE, {**CASE, "name": "strict", "max_tokens": 1}))
    assert not report["passed"] and report["totals"]["failed"] == 1
    assert {case["name"]: case["violations"] for case in report["cases"]} == {"noise": [], "strict": ["max_tokens"]}


def test_the_cases_together_have_a_ceiling(tmp_path: pathlib.Path) -> None:
    report = outcome(folder(tmp_path, CASE, max_total_tokens=3))
    assert not report["passed"] and report["totals"]["violations"] == ["max_total_tokens"]


def test_a_packed_capture_is_unpacked(tmp_path: pathlib.Path) -> None:
    path = folder(tmp_path, {**CASE, "input": "a.txt.gz", "must_preserve": ["fatal"]})
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert outcome(path)["passed"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"surprise": 1}, "surprise"),
        ({"name": 3}, r"\$.cases\[0\].name"),
        ({"name": ""}, r"\$.cases\[0\].name"),
        ({"exit_code": "0"}, "exit_code"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"min_savings_percent": 101}, "min_savings_percent"),
        ({"must_preserve": [""]}, "must_preserve"),
        ({"must_preserve_patterns": ["("]}, "must_preserve_patterns"),
        ({"valid_as": "word"}, "valid_as"),
        ({"input": None}, "input"),
    ],
)
def test_a_malformed_case_is_refused_with_its_place(tmp_path: pathlib.Path, change: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=place):
        replay.read_manifest(folder(tmp_path, {**CASE, **change}))


def test_a_name_is_used_once(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"\$.cases\[1\].name: 'noise' is used twice"):
        replay.read_manifest(folder(tmp_path, CASE, CASE))


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'{"schema_version": 2, "cases": []}', b"\xff\xfe", b"[" * 5000, b'{"cases": 1}']
)
def test_what_is_no_manifest_is_refused(tmp_path: pathlib.Path, raw: bytes) -> None:
    (tmp_path / "m.json").write_bytes(raw)
    with pytest.raises(InputError, match=r"m\.json"):
        replay.read_manifest(tmp_path / "m.json")


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/hostname", "link.txt", "missing.txt", "sub"])
def test_a_capture_must_lie_beside_the_manifest(tmp_path: pathlib.Path, name: str) -> None:
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("secret")
    (inside / "link.txt").symlink_to(tmp_path / "outside.txt")
    with pytest.raises(InputError, match=name):
        replay.read_capture(inside, name, 1000)


def test_a_capture_is_bounded_and_utf8(tmp_path: pathlib.Path) -> None:
    (tmp_path / "large.txt").write_text("x" * 1001)
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match="max_output_bytes"):
        replay.read_capture(tmp_path, "large.txt", 1000)
    with pytest.raises(InputError, match="not UTF-8 at byte 3"):
        replay.read_capture(tmp_path, "latin.txt", 1000)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)))
def test_no_manifest_gives_a_traceback(tmp_path: pathlib.Path, value: Any) -> None:
    for key in ("name", "command", "input", "exit_code", "must_preserve", "max_tokens"):
        path = folder(tmp_path, {**CASE, key: value})
        try:
            replay.read_manifest(path)
        except InputError as error:
            assert key in str(error)


def test_the_command_has_the_documented_statuses(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(folder(tmp_path, CASE))
    assert main(["replay", path]) == 0
    assert main(["replay", str(folder(tmp_path, {**CASE, "max_tokens": 1}))]) == 1
    assert main(["replay", str(tmp_path / "absent.json")]) == 2
    assert "absent.json: cannot be read" in capsys.readouterr().err
    assert not pathlib.Path("/tmp/never-run").exists()
