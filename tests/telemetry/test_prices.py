"""The tables of prices and limits."""

from __future__ import annotations

import pathlib

import pytest

from token_saver.errors import InputError
from token_saver.telemetry import prices


def test_every_price_has_a_source_and_a_date() -> None:
    table = prices.load()
    assert table.default in table.models
    for price in table.models.values():
        assert price.source.startswith("https://")
        assert price.read > "2026"
        assert 0 < price.cache_read < price.input <= price.cache_write


def test_a_table_of_the_users_is_laid_over_ours(tmp_path: pathlib.Path) -> None:
    (tmp_path / prices.OWN).write_text(
        'default = "mine"\n[models.mine]\ninput = 1\ncache_write = 2\ncache_read = 3\nsource = "my contract"\nread = 2026-01-01\n'
    )
    table = prices.load(str(tmp_path))
    assert table.of() == prices.Price("mine", 1.0, 2.0, 3.0, "my contract", "2026-01-01")
    assert table.of("claude-opus-5") == prices.load().of("claude-opus-5")


def test_what_is_no_list_of_prices_is_named(tmp_path: pathlib.Path) -> None:
    (tmp_path / prices.OWN).write_text("[models.mine]\ninput = 1\n")
    with pytest.raises(InputError, match=r"prices\.toml is no list of prices"):
        prices.load(str(tmp_path))


def test_an_unknown_model_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(InputError, match="claude-opus-5"):
        prices.load().of("unheard-of")


def test_the_limits_of_hosts_are_known() -> None:
    assert prices.limits()["claude"] == 30_000
