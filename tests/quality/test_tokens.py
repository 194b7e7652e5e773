from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts import fit_tokens
from tests.recorded import own_cases

from token_saver import tokens
from token_saver.errors import InputError
from token_saver.tokens_fitted import FITTED, WEIGHTS
from token_saver.workbench.tools import tokenizer

if TYPE_CHECKING:
    import pathlib

TEXT = "Error: readHTTPHeader failed (code 404) at src/main.rs:12\n\n\tnote: 3f9a7c\n    see —\n"


def test_the_features_are_what_they_are_called() -> None:
    assert tokens.features(TEXT) == {
        "words": 13, "letters past seven": 7, "humps": 1, "capitals": 6, "digit groups": 5, "letters beside digits": 5,
        "punctuation": 7, "punctuation runs": 7, "newlines": 4, "blank runs": 1, "tabs": 1, "non-ascii": 1,
    }  # fmt: skip


@given(st.text(), st.text())
def test_the_estimate_is_a_count(one: str, other: str) -> None:
    assert (tokens.linear_estimate(one) == 0) <= (not one or one.isspace())
    together, apart = tokens.linear_estimate(one + " x " + other), tokens.linear_estimate(one) + tokens.linear_estimate(other)
    assert abs(together - apart) <= 8
    assert tokens.linear_estimate(tokens.features(one)) == tokens.linear_estimate(one)


def test_the_weights_fit_recordings_far_better_than_characters_do() -> None:
    pytest.importorskip("rs_bpe")
    exact = tokens.ExactCount("o200k_base")
    texts = [text for case in own_cases() if len(text := case.text) >= 200]
    counts = [exact.count(text) for text in texts]

    def median(guesses: list[float]) -> float:
        errors = sorted(abs(guess / count - 1) for guess, count in zip(guesses, counts, strict=True))
        return errors[len(errors) // 2]

    assert median([tokens.linear_estimate(text) for text in texts]) < 0.07
    assert median([len(text) / 4 for text in texts]) > 0.12


def test_the_fit_finds_the_weights_that_a_count_was_made_of() -> None:
    true = {name: number / 4 for number, name in enumerate(WEIGHTS)}
    samples = []
    for case in own_cases()[:120]:
        counts = tokens.features(case.text)
        features = tuple(counts[name] for name in WEIGHTS)
        if exact := sum(true[name] * counts[name] for name in WEIGHTS):
            samples.append(fit_tokens.Sample(case.family, features, len(case.text), exact))
    fitted = fit_tokens.fit(samples)
    assert all(abs(fitted[name] - true[name]) < 0.1 for name in WEIGHTS), fitted


def test_the_estimate_is_linear_in_time() -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        tokens.features(text)
        return time.process_time() - start

    small = min(seconds(TEXT * 2_000) for _ in range(3))
    assert min(seconds(TEXT * 32_000) for _ in range(3)) < 16 * small * 3


def test_exact_counts_are_those_of_the_encoding() -> None:
    pytest.importorskip("rs_bpe")
    assert tokens.ExactCount("o200k_base").count("hello world") == 2 == tokens.ExactCount("cl100k_base").count("hello world")
    assert tokens.ExactCount("cl100k_base").count("x\udc80y") > 0
    with pytest.raises(InputError, match="'p50k' is no encoding"):
        tokens.ExactCount("p50k")


def test_every_counter_has_a_name_of_its_own() -> None:
    pytest.importorskip("rs_bpe")
    names = {name: tokenizer(name, {"chars_per_token": 3.3}).name for name in ("estimate", "linear", "o200k_base")}
    assert names == {"estimate": "characters/3.3", "linear": f"linear/{FITTED}", "o200k_base": "o200k_base"}


PLUGIN = """
from token_saver.hookspecs import hookimpl

class Letters:
    name = "letters"

    def count(self, text):
        return sum(map(str.isalpha, text))

@hookimpl
def token_saver_tokenizers():
    return [Letters()]
"""


def test_a_plugin_brings_a_counter(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "counts_letters.py").write_text(PLUGIN)
    metadata = tmp_path / "counts_letters-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: counts-letters\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[token_saver]\ncounts_letters = counts_letters\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert tokenizer("letters", {}).count("a1b") == 2
    with pytest.raises(InputError, match=r"'runes' is no tokenizer; there are .*letters"):
        tokenizer("runes", {})
