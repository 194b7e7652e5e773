from __future__ import annotations

import json
import pathlib
import tempfile
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.quality.folders import CASE, TEXT, folder, outcomes

from token_saver.cli import main
from token_saver.errors import InputError
from token_saver.replay import manifest


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"surprise": 1}, "surprise"),
        ({"name": 3}, r"\$.cases\[0\].name"),
        ({"name": ""}, r"\$.cases\[0\].name"),
        ({"name": "two\nlines"}, r"\$.cases\[0\].name"),
        ({"name": "a line\n"}, r"\$.cases\[0\].name"),
        ({"name": "\x9b31m"}, r"\$.cases\[0\].name"),
        ({"name": "\uffff"}, r"\$.cases\[0\].name"),
        ({"family": "\x1b[31m"}, r"\$.cases\[0\].family"),
        ({"exit_code": "0"}, "exit_code"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"min_savings_percent": 101}, "min_savings_percent"),
        ({"must_preserve": [""]}, "must_preserve"),
        ({"must_preserve_patterns": ["("]}, "must_preserve_patterns"),
        ({"must_preserve_patterns": ["x{99999999999999}"]}, "must_preserve_patterns"),
        ({"must_preserve_patterns": ["(" * 3000 + ")" * 3000]}, "must_preserve_patterns"),
        ({"valid_as": "word"}, "valid_as"),
        ({"input": None}, "input"),
    ],
)
def test_a_malformed_case_is_refused_with_its_place(tmp_path: pathlib.Path, change: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=place):
        manifest.check(folder(tmp_path, {**CASE, **change}))


def test_a_name_is_used_once(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"\$.cases\[1\].name: 'noise' is used twice"):
        manifest.check(folder(tmp_path, CASE, CASE))


def test_a_field_is_given_once(tmp_path: pathlib.Path) -> None:
    path = folder(tmp_path, CASE)
    path.write_text(path.read_text().replace('"exit_code": 1', '"exit_code": 1, "exit_code": 0'))
    with pytest.raises(InputError, match="'exit_code' is given twice"):
        manifest.check(path)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'{"schema_version": 2, "cases": []}',
        b'{"schema_version": true, "cases": []}',
        b'{"schema_version": 1, "cases": []}',
        b"\xff\xfe",
        b"[" * 5000,
        b'{"cases": 1}',
        b" " * (manifest.MAX_MANIFEST_BYTES + 1),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: pathlib.Path, raw: bytes) -> None:
    (tmp_path / "m.json").write_bytes(raw)
    with pytest.raises(InputError, match=r"m\.json"):
        manifest.check(tmp_path / "m.json")


def included(place: pathlib.Path, name: str, *cases: dict[str, Any], **more: Any) -> None:
    (place / name).parent.mkdir(parents=True, exist_ok=True)
    folder((place / name).parent, *cases, **more).rename(place / name)


def test_included_cases_follow_in_order_and_read_beside_their_manifest(tmp_path: pathlib.Path) -> None:
    included(tmp_path, "sub/inner/deep.json", {**CASE, "name": "deep", "input": "../a.txt"})
    included(tmp_path, "sub/one.json", {**CASE, "name": "one"}, includes=["inner/deep.json"])
    included(tmp_path, "two.json", {**CASE, "name": "two"})
    path = folder(tmp_path, CASE, includes=["sub/one.json", "two.json"])
    assert manifest.check(path) == (4, None)
    assert [case.input for case in manifest.cases(path)] == ["a.txt", "sub/a.txt", "sub/inner/../a.txt", "a.txt"]
    assert [case["name"] for case in outcomes(path)] == ["noise", "one", "deep", "two"]


@pytest.mark.parametrize(
    ("includes", "reason"),
    [
        (["../outside.json"], r"\$.includes\[0\]: '../outside.json': must lie in the folder"),
        (["one.json", "link.json"], r"\$.includes\[1\]: 'link.json': must lie in the folder"),
        (["/etc/hostname"], r"\$.includes\[0\]"),
        (["absent.json"], "no such file"),
        (["nul\0.json"], r"\$.includes\[0\]"),
        (["one.json", "./one.json"], r"\$.includes\[1\]: ./one.json is included twice"),
        (["manifest.json"], "included twice"),
        (["ceiling.json"], r"ceiling.json: \$.max_total_tokens: only the outermost"),
        (["same.json"], r"same.json: \$.cases\[0\].name: 'noise' is used twice"),
        (["broken.json"], r"broken.json: .*\$.cases"),
    ],
)
def test_an_include_is_refused_with_its_place(tmp_path: pathlib.Path, includes: list[str], reason: str) -> None:
    place = tmp_path / "inside"
    place.mkdir()
    (tmp_path / "outside.json").write_text("{}")
    (place / "link.json").symlink_to(tmp_path / "outside.json")
    included(place, "one.json", {**CASE, "name": "one"})
    included(place, "same.json", CASE)
    included(place, "ceiling.json", {**CASE, "name": "other"}, max_total_tokens=1)
    (place / "broken.json").write_text('{"schema_version": 1, "cases": 3}')
    with pytest.raises(InputError, match=reason):
        manifest.check(folder(place, CASE, includes=includes))


def test_what_is_written_is_what_is_read(tmp_path: pathlib.Path) -> None:
    path = folder(tmp_path, {**CASE, "must_preserve": ["ü | x"], "valid_as": "json"}, max_total_tokens=3)
    stated = manifest.read_manifest(path)
    path.write_bytes(manifest.encode(stated))
    assert manifest.read_manifest(path) == stated


FIELDS = (
    "name", "command", "input", "exit_code", "family", "tool_version", "recorded", "max_tokens", "min_savings_percent",
    "max_growth_percent", "must_preserve", "must_not_contain", "must_preserve_patterns", "no_verdict", "valid_as",
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


def refused(raw: bytes) -> str:
    """Replay *raw* by the command line; return its message, empty when the manifest was read."""
    import contextlib
    import io

    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "manifest.json"
        path.write_bytes(raw)
        (path.parent / "a.txt").write_text(TEXT)
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            status = main(["replay", str(path), "--format", "json"])
        assert (status == 2) == bool(said.getvalue()), said.getvalue()
        return said.getvalue()


def is_json(raw: bytes) -> bool:
    """Tell whether *raw* is JSON: what Python writes for infinity or for half a character is none, and has no fields."""
    try:
        msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return False
    return True


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([field for field in FIELDS if field != "input"]), VALUES)
def test_a_malformed_field_of_a_case_is_named(field: str, value: Any) -> None:
    raw = json.dumps({"schema_version": 1, "cases": [{**CASE, field: value}]}).encode()
    message = refused(raw)
    assert not message or field in message or not is_json(raw)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(["schema_version", "cases", "includes", "max_total_tokens"]), VALUES)
def test_a_malformed_field_of_a_manifest_is_named(field: str, value: Any) -> None:
    raw = json.dumps({"schema_version": 1, "cases": [CASE], field: value}).encode()
    message = refused(raw)
    assert not message or field in message or not is_json(raw)


@settings(max_examples=150, deadline=None)
@given(st.text("(){}[]*+?|\\^$.:=!<>P0123456789,-ax", min_size=1, max_size=25))
def test_a_pattern_that_does_not_compile_is_named(pattern: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = folder(pathlib.Path(place), {**CASE, "must_preserve_patterns": [pattern]})
        try:
            manifest.check(path)
        except InputError as error:
            assert "$.cases[0]: must_preserve_patterns: " in str(error)


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=8).filter(lambda name: name not in (*FIELDS, "schema_version", "cases", "includes")), VALUES)
def test_an_unknown_field_is_named(name: str, value: Any) -> None:
    raw = json.dumps({"schema_version": 1, "cases": [{**CASE, name: value}]}).encode()
    assert f"`{name}`" in refused(raw) or not is_json(raw)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_manifest_never_gives_a_traceback(data: st.DataObject) -> None:
    raw = bytearray(json.dumps({"schema_version": 1, "cases": [{**CASE, "must_preserve": ["fatal"]}]}).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    message = refused(bytes(raw))
    assert not message or message.startswith("token-saver: ")
