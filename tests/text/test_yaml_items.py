"""YAML stays YAML: alike items become a comment, odd ones stay, and what parses before parses after."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from token_saver import compress
from token_saver.text.markers import has_marker
from token_saver.text.pieces import count_lines, render
from token_saver.text.yaml_items import read_yaml

WORDS = st.text("abc xyz:-#'\"|>[]{}\n\té&*!%@`,?", max_size=30)
ITEMS = st.dictionaries(
    st.sampled_from(["name", "status", "image", "notes", "ports", "- odd"]), WORDS | st.integers(), max_size=5
)
COMMANDS = ("kubectl get pods -o yaml", "oc get pods --output=yaml", "yq . pods.yaml", "docker compose config")
LISTS = st.lists(ITEMS | WORDS | st.lists(WORDS, max_size=8), max_size=60)


def pods(count: int) -> list[dict[str, Any]]:
    return [
        {
            "kind": "Pod",
            "metadata": {"name": f"shop-{number}", "labels": {"app": "shop"}},
            "spec": {"containers": [{"name": "app", "image": "shop:1", "args": ["--fast"]}]},
            "status": {"phase": "Failed" if number == 23 else "Running", "podIP": f"10.0.0.{number}"},
        }
        for number in range(count)
    ]


def shown(text: str) -> str:
    lines = text.splitlines()
    pieces = read_yaml(lines)
    assert count_lines(pieces) == len(lines)
    return "\n".join(render(pieces)) + "\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_alike_items_are_counted_in_a_comment_and_the_odd_one_stays(command: str) -> None:
    value = {"apiVersion": "v1", "items": pods(60), "kind": "List"}
    text = yaml.safe_dump(value)
    output = compress(command, text, exit_code=0).output
    assert len(output) < len(text) / 5
    read = yaml.safe_load(output)
    assert read == {**value, "items": [value["items"][0], value["items"][1], value["items"][23]]}
    assert "# [… 21 similar items: shop-2, shop-3, " in output and "# [… 36 similar items: shop-24, " in output


def test_a_file_that_is_read_stays_to_the_byte() -> None:
    text = yaml.safe_dump(pods(60))
    assert compress("cat pods.yaml", text, exit_code=0).output == text


@given(LISTS, st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_what_parses_before_parses_after_and_holds_nothing_new(items: list[Any], depth: int) -> None:
    value: Any = items * 3
    for _ in range(depth):
        value = {"outer": value, "after": "end"}
    text = yaml.safe_dump(value, width=10_000, allow_unicode=True)
    read = yaml.safe_load(shown(text))
    for _ in range(depth):
        assert read["after"] == "end"
        read, value = read["outer"], value["outer"]
    assert all(item in value for item in read or [])
    assert bool(read) == bool(value)


def test_a_list_inside_a_text_is_text() -> None:
    steps = "\n".join(f"- step {number}" for number in range(400))
    text = yaml.safe_dump({"script": steps + "\n", "note": "x"}, default_style="|")
    assert shown(text) == text


def test_a_result_is_known_as_shortened() -> None:
    made = shown(yaml.safe_dump(pods(60)))
    assert has_marker(made)
