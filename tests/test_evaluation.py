from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.engine import CompressionEngine
from token_saver.errors import InputError
from token_saver.evaluation import CharacterEstimate, QualityPolicy, evaluate, savings_percent
from token_saver.formats import is_valid
from token_saver.processors.generic import GenericProcessor


class Fixed:
    """A compressor that always answers the same."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def compress(self, command: str, output: str, exit_code: int | None = None) -> tuple[str, str, bool]:
        return self.answer, "fixed", self.answer != output


def violations(before: str, after: str, exit_code: int | None = None, **policy: Any) -> tuple[str, ...]:
    return evaluate(Fixed(after), "cmd", before, exit_code=exit_code, policy=QualityPolicy(**policy)).violations


@pytest.mark.parametrize(
    ("before", "after", "policy", "expected"),
    [
        ("a" * 40, "a" * 40, {"max_tokens": 9}, ("max_tokens",)),
        ("a" * 40, "a" * 40, {"max_tokens": 10}, ()),
        ("a" * 100, "a" * 60, {"min_savings_percent": 41}, ("min_savings_percent",)),
        ("a" * 100, "a" * 60, {"min_savings_percent": 40}, ()),
        ("ab", "abc", {"max_growth_percent": 10}, ("max_growth_percent",)),
        ("keep x", "x", {"must_preserve": ("x", "keep")}, ("must_preserve[1]:missing_in_output",)),
        ("keep x", "x", {"must_preserve": ("no",)}, ("must_preserve[0]:missing_in_input",)),
        ("line 17", "line", {"must_preserve_patterns": (r"\d+",)}, ("must_preserve_patterns[0]:missing_in_output",)),
        ("x", "all good", {"must_not_contain": ("good",)}, ("must_not_contain[0]",)),
        ('{"a": 1}', '{"a": ', {"valid_as": "json"}, ("valid_as:json",)),
    ],
)
def test_each_rule_has_its_identifier(before: str, after: str, policy: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert violations(before, after, **policy) == expected


def test_a_failed_run_may_not_read_as_success() -> None:
    before = "compiling\nfatal: no disk\n"
    assert violations(before, "compiling, all tests passed\n", 1, no_verdict=True) == ("no_verdict",)
    assert violations(before, "compiling\n", 1, no_verdict=True) == ("no_verdict",)
    assert violations(before, "fatal: no disk\n", 1, no_verdict=True) == ()
    assert violations(before, "compiling\n", 0, no_verdict=True) == ()


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"max_tokens": -1}, "max_tokens"),
        ({"min_savings_percent": 101.0}, "min_savings_percent"),
        ({"min_savings_percent": float("nan")}, "min_savings_percent"),
        ({"max_growth_percent": -1.0}, "max_growth_percent"),
        ({"must_preserve": ("",)}, "must_preserve"),
        ({"must_preserve_patterns": ("(",)}, "must_preserve_patterns"),
        ({"valid_as": "word"}, "valid_as"),
    ],
)
def test_a_policy_out_of_range_is_refused_by_name(policy: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match=field):
        QualityPolicy(**policy)


def test_a_report_holds_no_content() -> None:
    secret = "sesame-7731"
    result = evaluate(Fixed(secret), f"run {secret}", secret * 5, policy=QualityPolicy(must_preserve=(secret,)))
    report = result.report()
    assert secret not in json.dumps(report) and report["limits"]["must_preserve_count"] == 1
    assert result.output == secret and report["token_estimate"] == {"method": "characters/4"}


@given(st.text(), st.sampled_from([1, 3.3, 4, 10]))
def test_an_estimate_is_a_ceiling(text: str, ratio: float) -> None:
    assert CharacterEstimate(ratio).count(text) * ratio >= len(text)
    assert CharacterEstimate(ratio).count("") == 0


@pytest.mark.parametrize("ratio", [0, -1, float("inf"), float("nan")])
def test_a_ratio_is_positive_and_finite(ratio: float) -> None:
    with pytest.raises(InputError, match="chars_per_token"):
        CharacterEstimate(ratio)


def test_the_engine_is_a_compressor() -> None:
    engine = CompressionEngine([GenericProcessor()], settings={"enabled": True, "min_input_length": 1})
    text = "one line that says nothing new\n" * 40
    result = evaluate(engine, "tool", text, policy=QualityPolicy(min_savings_percent=90, must_preserve=("nothing new",)))
    assert result.passed and result.processor == "generic"


def test_growth_is_a_negative_saving_and_nothing_is_none() -> None:
    assert savings_percent(10, 20) == -100 and savings_percent(0, 0) == 0


PATCH = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("json", '[1, {"a": "ü"}]', "[1,"),
        ("ndjson", '{"a":1}\n{"a":2}\n', '{"a":1}\nmore\n'),
        ("xml", "<a><b/></a>", "<a><b></a>"),
        ("csv", 'a,b\n"1,2",3\n', "a,b\n1\n"),
        ("patch", PATCH, PATCH.replace("-b\n", "")),
    ],
)
def test_formats_are_told_from_what_they_are_not(name: str, good: str, bad: str) -> None:
    assert is_valid(good, name) and not is_valid(bad, name)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="'toml' is no format that can be checked"):
        is_valid("a = 1", "toml")
