"""Reports in JSON: still JSON, and what left them is told."""

from __future__ import annotations

import json
from typing import Any

from token_saver.text.pieces import Fold, Recast, count_lines
from token_saver.text.report_json import reported


def _told(value: Any) -> Any:
    lines = json.dumps(value, indent=2).split("\n")
    pieces = reported(lines)
    assert pieces is not None
    assert count_lines(pieces) == len(lines)
    (piece,) = pieces
    assert isinstance(piece, Recast)
    return json.loads(piece.text)


_STACK = "Error: got 80\n    at Test.two (test/fare.js:4:3)\n" + "    at run (node_modules/mocha/lib/runner.js:3:1)\n" * 20


def test_passing_tests_are_counted_and_failures_stay() -> None:
    tests = [{"title": f"prices {n}", "err": {}} for n in range(30)]
    told = _told({"stats": {"failures": 1}, "tests": [*tests, {"title": "prices two", "err": {"stack": _STACK}}]})
    assert told["stats"] == {"failures": 1}
    assert told["tests"][-1] == "[… 30 passing tests]"
    assert told["tests"][0]["title"] == "prices two"
    assert "test/fare.js:4:3" in told["tests"][0]["err"]["stack"]
    assert "mocha/lib" not in told["tests"][0]["err"]["stack"]
    assert "[… 20 library frames]" in told["tests"][0]["err"]["stack"]


def test_keys_that_nobody_reads_are_named_once() -> None:
    finding = {
        "code": "F401",
        "filename": "a.py",
        "location": {"row": 3},
        "message": "unused",
        "url": "https://x",
        "fix": {"edits": []},
    }
    told = _told([finding | {"location": {"row": n}} for n in range(12)])
    assert told[0] == "[… 2 keys of each entry: url fix]"
    assert [item["location"]["row"] for item in told[1:]] == list(range(12))
    assert {tuple(item) for item in told[1:]} == {("code", "filename", "location", "message")}


def test_an_entry_told_before_is_counted() -> None:
    failure = {"title": "prices two", "err": {"message": "got 80 " * 40}}
    failures = [failure | {"title": f"t{n}"} for n in range(6)]
    told = _told({"tests": failures, "failures": failures})
    assert [item["title"] for item in told["tests"]] == [f"t{n}" for n in range(6)]
    assert told["failures"] == ["[… 6 repeated entries]"]


def test_events_of_a_build_are_counted_line_by_line() -> None:
    artifact = '{"reason":"compiler-artifact","target":{"name":"ferry"}}'
    message = json.dumps(
        {"reason": "compiler-message", "message": {"rendered": "warning: unused " * 40, "spans": [{"byte_end": 3}]}}
    )
    pieces = reported([artifact, message, artifact])
    assert pieces is not None
    assert [type(piece) for piece in pieces] == [Fold, Recast, Fold]
    assert json.loads(str(getattr(pieces[1], "text", "")))["message"]["rendered"].startswith("warning: unused")


def test_talk_around_the_document_stays() -> None:
    lines = ["Warning: old", *json.dumps([{"file": "a", "message": "m" * 60}] * 9, indent=2).split("\n"), "done"]
    pieces = reported(lines)
    assert pieces is not None
    assert pieces[0] == "Warning: old"
    assert pieces[-1] == "done"


def test_a_small_document_and_no_document_are_left_alone() -> None:
    assert reported(['{"ok": true}']) == ['{"ok": true}']
    assert reported(["nothing", "here"]) is None
