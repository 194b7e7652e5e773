from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from token_saver.text.documents import document, reduce_json, reduce_ndjson
from token_saver.text.pieces import Recast, count_lines

SHARED = Path(__file__).parents[2].parent / "shared"


def reduced(value: object, budget: int, **how: Any) -> str:
    made = reduce_json(json.dumps(value, **how), budget)
    assert made is not None
    json.loads(made)
    return made


def servers(count: int, **special: object) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"name": f"web-{n}", "status": "running", "image": f"img-{n % 3}", "notes": "n" * 40} for n in range(count)
    ]
    rows[count // 2].update(special)
    return rows


class TestWithinTheBudget:
    def test_padding_is_all_that_goes(self) -> None:
        value = {"a": [1, 2, {"b": None}], "c": "text", "d": {}, "e": []}
        made = reduced(value, 1000, indent=4)
        assert json.loads(made) == value
        assert made == '{"a": [1, 2, {"b": null}], "c": "text", "d": {}, "e": []}'

    def test_a_document_that_is_tight_already_is_left_alone(self) -> None:
        assert reduce_json('{"a":[1,2],"b":"c"}', 1000) is None

    def test_numbers_stay_as_they_were_written(self) -> None:
        made = reduce_json('{\n  "a": 1.10,\n  "b": 1e400,\n  "c": -0.0,\n  "d": 12345678901234567890123\n}', 1000)
        assert made == '{"a": 1.10, "b": 1e400, "c": -0.0, "d": 12345678901234567890123}'

    def test_duplicate_keys_stay(self) -> None:
        assert reduce_json('{\n  "a": 1,\n  "a": 2\n}', 1000) == '{"a": 1, "a": 2}'

    def test_characters_stay_as_they_were(self) -> None:
        assert reduce_json('{\n  "a": "Grüße 你好"\n}', 1000) == '{"a": "Grüße 你好"}'
        assert reduce_json('{\n  "a": "Gr\\u00fc\\u00dfe"\n}', 1000) == '{"a": "Gr\\u00fc\\u00dfe"}'

    def test_a_lone_surrogate_stays_an_escape(self) -> None:
        assert reduce_json('{\n  "a": "\\ud800 ü"\n}', 1000) == '{"a": "\\ud800 ü"}'


class TestBeyondTheBudget:
    def test_every_name_and_status_of_alike_items_stays(self) -> None:
        made = reduced(servers(60), 4000)
        assert len(made) <= 4000
        assert all(f'"web-{n}"' in made for n in range(60))
        assert " items of these keys only: name, status]" in made

    def test_an_odd_state_is_shown_whole(self) -> None:
        made = reduced(servers(400, status="crash loop", notes="exit 137"), 3000)
        assert "exit 137" in made and "web-200" in made

    def test_an_item_with_other_keys_is_shown_whole(self) -> None:
        made = reduced(servers(400, quota=17), 3000)
        assert '"quota":17' in made.replace(" ", "")

    def test_items_that_are_only_counted_are_counted_right(self) -> None:
        made = json.loads(reduced([{"x": n, "y": n * n, "z": "q" * 30} for n in range(500)], 1500))
        told = [item for item in made if isinstance(item, str)]
        assert sum(int(item.split()[1]) for item in told) + len(made) - len(told) == 500

    def test_messages_of_failure_are_shown_and_alike_ones_counted(self) -> None:
        rows = [{"time": n, "message": f"GET /orders/{n} took {n} ms"} for n in range(300)]
        rows[170]["message"] = "ERROR: payment of order 170 refused"
        made = reduced({"events": rows}, 2500)
        assert "ERROR: payment of order 170 refused" in made
        assert "similar items" in made

    def test_long_text_is_cut_in_the_middle_but_identifiers_are_not(self) -> None:
        arn = "arn:aws:iam::123456789012:role/" + "x" * 400
        made = reduced({"arn": arn, "description": "lorem ipsum " * 900, "url": "https://example.org/" + "y" * 500}, 2000)
        assert arn in made and "y" * 500 in made
        assert " chars]… " in made

    def test_the_failure_inside_a_long_text_stays(self) -> None:
        log = "\n".join([*(f"step {n} done" for n in range(400)), "ValueError: no such port", *(f"line {n}" for n in range(400))])
        made = reduced({"stderr": log, "exit": 1}, 1200)
        assert "ValueError: no such port" in made

    def test_a_map_of_names_keeps_its_names(self) -> None:
        value = {"packages": {f"pkg-{n}": {"version": f"1.{n}.0", "resolved": "https://host/" + "p" * 80} for n in range(80)}}
        made = reduced(value, 4500)
        assert all(f'"pkg-{n}"' in made and f"1.{n}.0" in made for n in range(80))
        assert "entries of these keys only" in made

    def test_the_parts_of_a_record_are_no_map(self) -> None:
        part = {
            "spec": {"image": "i" * 300},
            "status": {"phase": "Failed", "why": "no room"},
            "data": {"x": 1},
            "labels": {"app": "web"},
        }
        made = reduced({**part, "log": {"text": "lorem ipsum " * 200}}, 900)
        assert all(text in made for text in ("no room", '"x": 1', '"app": "web"'))

    def test_a_wide_object_says_which_keys_are_left_out(self) -> None:
        made = reduced({f"SETTING_{chr(65 + n % 26)}{n}": "value " * 5 for n in range(300)}, 3000)
        assert len(json.loads(made)) < 300
        assert " keys]" in made

    def test_what_is_nested_too_deep_is_outlined(self) -> None:
        value: dict[str, object] = {"leaf": "text " * 100}
        for n in range(12):
            value = {"spec": {f"inner{n}": value, "other": "words " * 30}}
        made = reduced(value, 200)
        assert "2 keys: inner10, other" in made

    def test_nothing_is_reduced_twice(self) -> None:
        made = reduced(servers(200), 2000)
        assert reduce_json(made, 500) is None

    def test_a_minified_document_stays_on_one_line(self) -> None:
        assert "\n" not in reduced(servers(200), 2000, separators=(",", ":"))


class TestNotADocument:
    @pytest.mark.parametrize("text", ["", "plain", '"text"', "{", "[1, 2", "{'a': 1}", "[1] [2]", "[" * 5000 + "]" * 5000])
    def test_is_declined(self, text: str) -> None:
        assert reduce_json(text, 100) is None

    def test_what_is_nested_deeper_than_anyone_reads_is_outlined(self) -> None:
        made = reduce_json("[ " * 300 + " ]" * 300, 400)
        assert made is not None
        assert json.loads(made)


class TestLines:
    def test_a_document_a_line_stays_a_document_a_line(self) -> None:
        text = "\n".join(json.dumps(row) for row in servers(300, status="failed"))
        made = reduce_ndjson(text, 3000)
        assert made is not None and len(made) <= 3000
        rows = [json.loads(line) for line in made.split("\n")]
        assert any(isinstance(row, dict) and row.get("status") == "failed" for row in rows)

    def test_plain_lines_around_a_document_are_kept(self) -> None:
        body = json.dumps(servers(50), indent=2).split("\n")
        lines = ["WARNING: an old thing is used", *body, "done in 3 s"]
        pieces = document(lines, 1500)
        assert pieces is not None
        assert (pieces[0], pieces[-1]) == (lines[0], lines[-1])
        assert isinstance(pieces[1], Recast) and json.loads(pieces[1].text)
        assert count_lines(pieces) == len(lines)

    @pytest.mark.parametrize("lines", [[], ["no document"], ["[info] start", "work", "[info] end]"], ["a {", "}"]])
    def test_lines_without_a_document_are_declined(self, lines: list[str]) -> None:
        assert document(lines) is None

    def test_a_small_document_is_its_own_lines(self) -> None:
        assert document(['{"a":1}']) == ['{"a":1}']


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=300)
KEYS = st.sampled_from(["name", "id", "status", "message", "spec", "x", "y"]) | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS, lambda below: st.lists(below, max_size=12) | st.dictionaries(KEYS, below, max_size=8), max_leaves=60
)
ROOTS = st.lists(VALUES, max_size=40) | st.dictionaries(KEYS, VALUES, max_size=20)


class TestAnyDocument:
    @settings(max_examples=200, deadline=None)
    @given(ROOTS, st.integers(20, 4000), st.sampled_from([None, 1, 4]), st.booleans())
    def test_parses_is_shorter_and_is_final(self, value: object, budget: int, indent: int | None, ascii_only: bool) -> None:
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        made = reduce_json(text, budget)
        if made is None:
            return
        assert len(made) < len(text)
        json.loads(made)
        again = reduce_json(made, budget)
        assert again is None or json.loads(again) == json.loads(made)
        if len(text) <= budget:
            assert json.loads(made) == value

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(
            st.tuples(st.text(min_size=1, max_size=12), st.integers(0, 9)), min_size=20, max_size=60, unique_by=lambda row: row[0]
        )
    )
    def test_identity_stays_when_the_budget_has_room_for_it(self, rows: list[tuple[str, int]]) -> None:
        value = [
            {"id": name, "phase": phase, "spec": {"text": "lorem ipsum " * 30}, "labels": list(range(30))} for name, phase in rows
        ]
        made = reduce_json(json.dumps(value), 2500 + sum(90 + 7 * len(name) for name, _ in rows))
        if made is not None:
            shown = {item["id"] for item in json.loads(made) if isinstance(item, dict)}
            assert shown == {name for name, _ in rows}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared captures are not here")
class TestRecordedDocuments:
    @pytest.mark.parametrize("budget", [500, 3000, 20000])
    def test_parse_afterwards(self, budget: int) -> None:
        seen = 0
        for folder in ("captures", "public"):
            for entry in json.loads((SHARED / folder / "index.json").read_text()):
                text = (SHARED / folder / entry["input"]).read_text(errors="replace")
                made = reduce_json(text, budget)
                if made is not None:
                    seen += 1
                    assert len(made) < len(text)
                    json.loads(made)
        assert seen > 10


def test_the_item_whose_part_is_odd_stays_whole() -> None:
    """The state of a container stands in a list within its pod; one that was restarted is the one to look at."""
    from token_saver import compress

    def pod(number: int) -> dict[str, object]:
        container = {"name": "app", "ready": True, "restartCount": 7 if number == 23 else 0, "image": "shop:1"}
        details = {"podIP": f"10.0.0.{number}", "phase": "Running", "containerStatuses": [container]}
        return {"kind": "Pod", "metadata": {"name": f"shop-{number}", "uid": f"u-{number}"}, "status": details}

    text = json.dumps({"kind": "PodList", "items": [pod(number) for number in range(40)]}, indent=4)
    shown = compress("kubectl get pods -o json", text, exit_code=0).output
    assert len(shown) < len(text) / 3
    items = [item for item in json.loads(shown)["items"] if isinstance(item, dict)]
    restarted = [item for item in items if item["metadata"]["name"] == "shop-23"]
    assert restarted and restarted[0]["status"]["containerStatuses"][0]["restartCount"] == 7
