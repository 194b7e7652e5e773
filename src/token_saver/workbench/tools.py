"""The engine and the counter of tokens for a measurement, made again from plain values in any process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from token_saver import plugins, tokens
from token_saver.engine import CompressionEngine
from token_saver.errors import InputError
from token_saver.evaluation import CharacterEstimate

if TYPE_CHECKING:
    from token_saver.evaluation import Compressor
    from token_saver.extensions import Tokenizer
    from token_saver.settings import Settings
    from token_saver.settings_keys import Value

ESTIMATE = "estimate"
LINEAR = "linear"
NAMES = (ESTIMATE, LINEAR, *tokens.EXACT)
"""Counters of our own; plugins bring more."""


@dataclass(frozen=True)
class Tools:
    """Makes an engine and a counter; equal values make equal ones, and the values can be pickled."""

    settings: tuple[tuple[str, Value], ...]
    tokenizer: str

    def __call__(self) -> tuple[Compressor, Tokenizer]:
        """Return the engine with all plugins, and the counter. Raises ``InputError`` for a counter that is not there."""
        values = dict(self.settings)
        found = plugins.discover(str(values.get("user_processors_dir") or "") or None)
        return CompressionEngine(found.processors, values), tokenizer(self.tokenizer, values)


def tools(settings: Settings, name: str) -> Tools:
    """Return the tools for these settings and the counter of that *name*."""
    return Tools(tuple(settings.as_dict().items()), name)


def tokenizer(name: str, values: Settings | dict[str, Value]) -> Tokenizer:
    """Return the counter of that *name*: one of ``NAMES`` or one that a plugin brings.

    Raises ``InputError`` naming those there are.
    """
    if name == ESTIMATE:
        ratio = values.get("chars_per_token")
        return CharacterEstimate(float(ratio) if isinstance(ratio, (int, float)) else 4.0)
    if name == LINEAR:
        return tokens.LinearEstimate()
    if name in tokens.EXACT:
        return tokens.ExactCount(name)
    brought: list[Tokenizer] = plugins.extensions("tokenizers")[0]
    for one in brought:
        if one.name == name:
            return one
    known = ", ".join([*NAMES, *(one.name for one in brought)])
    raise InputError(f"{name!r} is no tokenizer; there are {known}")
