"""Measure one result against a policy; pure. Works with anything that has ``compress()``.

A policy is checked, never enforced: the text is not cut to make a budget pass. Reports hold metrics and identifiers, and
neither the command, nor the output, nor the strings that had to survive.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from token_saver.errors import InputError
from token_saver.formats import is_valid
from token_saver.text.claims import reads_as_success

if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.extensions import Tokenizer

Format = Literal["json", "ndjson", "xml", "yaml", "csv", "patch"]
FORMATS: tuple[str, ...] = get_args(Format)


class Compressor(Protocol):
    """What an evaluation needs of an engine."""

    def compress(self, command: str, output: str, exit_code: int | None = None) -> tuple[str, str, bool]:
        """Return (output, processor name, whether it was changed)."""


@dataclass(frozen=True, slots=True)
class CharacterEstimate:
    """``ceil(characters / chars_per_token)``: an estimate, neither a model's tokenizer nor a bill."""

    chars_per_token: float = 4

    def __post_init__(self) -> None:
        if not (math.isfinite(self.chars_per_token) and self.chars_per_token > 0):
            raise InputError(f"chars_per_token must be a positive number, not {self.chars_per_token}")

    @property
    def name(self) -> str:
        """The method with its ratio."""
        return f"characters/{self.chars_per_token:g}"

    def count(self, text: str) -> int:
        """Return the estimate for *text*; 0 for the empty text."""
        return math.ceil(len(text) / self.chars_per_token)


@dataclass(frozen=True, slots=True)
class QualityPolicy:
    """What a result must be.

    ``max_tokens`` and ``min_savings_percent`` bound its size, ``max_growth_percent`` how much larger than the input it may be
    (masking secrets can lengthen). Strings of ``must_preserve`` and matches of ``must_preserve_patterns`` stand in the input
    **and** in the result; strings of ``must_not_contain`` in no result. ``no_verdict``: a failed run may not read as a
    success. ``valid_as``: the result parses as that format.
    """

    max_tokens: int | None = None
    min_savings_percent: float | None = None
    must_preserve: tuple[str, ...] = ()
    must_not_contain: tuple[str, ...] = ()
    must_preserve_patterns: tuple[str, ...] = ()
    max_growth_percent: float | None = None
    no_verdict: bool = False
    valid_as: Format | None = None
    _patterns: tuple[re.Pattern[str], ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the ranges; raises ``InputError`` naming the field."""
        if self.max_tokens is not None and self.max_tokens < 0:
            raise InputError(f"max_tokens must be 0 or more, not {self.max_tokens}")
        for name in ("min_savings_percent", "max_growth_percent"):
            value = getattr(self, name)
            most = 100 if name == "min_savings_percent" else math.inf
            if value is not None and not (math.isfinite(value) and 0 <= value <= most):
                raise InputError(f"{name} must be a percentage from 0{' to 100' if most == 100 else ''}, not {value}")
        for name in ("must_preserve", "must_not_contain"):
            if not all(getattr(self, name)):
                raise InputError(f"{name} must not hold an empty string")
        if self.valid_as is not None and self.valid_as not in FORMATS:
            raise InputError(f"valid_as must be one of {', '.join(FORMATS)}, not {self.valid_as!r}")
        object.__setattr__(self, "_patterns", tuple(map(_compiled, self.must_preserve_patterns)))

    def violations(self, before: str, after: str, tokens: int, exit_code: int | None) -> Iterator[str]:
        """Yield an identifier for each way in which *after* (of *tokens*) fails this policy."""
        yield from self._size(before, after, tokens)
        for index, string in enumerate(self.must_preserve):
            yield from _missing(f"must_preserve[{index}]", string in before, string in after)
        for index, pattern in enumerate(self._patterns):
            yield from _missing(
                f"must_preserve_patterns[{index}]", pattern.search(before) is not None, pattern.search(after) is not None
            )
        for index, string in enumerate(self.must_not_contain):
            if string in after:
                yield f"must_not_contain[{index}]"
        if self.no_verdict and exit_code and reads_as_success(after, before):
            yield "no_verdict"
        if self.valid_as is not None and not is_valid(after, self.valid_as):
            yield f"valid_as:{self.valid_as}"

    def limits(self) -> dict[str, Any]:
        """Return the policy without any of its strings."""
        return {
            "max_tokens": self.max_tokens,
            "min_savings_percent": self.min_savings_percent,
            "max_growth_percent": self.max_growth_percent,
            "must_preserve_count": len(self.must_preserve),
            "must_preserve_patterns_count": len(self.must_preserve_patterns),
            "must_not_contain_count": len(self.must_not_contain),
            "no_verdict": self.no_verdict,
            "valid_as": self.valid_as,
        }

    def _size(self, before: str, after: str, tokens: int) -> Iterator[str]:
        if self.max_tokens is not None and tokens > self.max_tokens:
            yield "max_tokens"
        if self.min_savings_percent is not None and savings_percent(len(before), len(after)) < self.min_savings_percent:
            yield "min_savings_percent"
        if self.max_growth_percent is not None and len(after) > len(before) * (1 + self.max_growth_percent / 100):
            yield "max_growth_percent"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One result measured: ``output`` for callers that need it, ``report()`` for everybody else."""

    output: str
    processor: str
    was_compressed: bool
    original_chars: int
    original_tokens: int
    compressed_tokens: int
    token_method: str
    violations: tuple[str, ...]
    policy: QualityPolicy

    @property
    def passed(self) -> bool:
        """Whether nothing was violated."""
        return not self.violations

    def report(self) -> dict[str, Any]:
        """Return metrics and identifiers, no content."""
        return {
            "processor": self.processor,
            "was_compressed": self.was_compressed,
            "original_chars": self.original_chars,
            "compressed_chars": len(self.output),
            "original_tokens": self.original_tokens,
            "compressed_tokens": self.compressed_tokens,
            "savings_percent": round(savings_percent(self.original_chars, len(self.output)), 2),
            "token_estimate": {"method": self.token_method},
            "passed": self.passed,
            "violations": list(self.violations),
            "limits": self.policy.limits(),
        }


def evaluate(
    compressor: Compressor,
    command: str,
    output: str,
    *,
    exit_code: int | None = None,
    policy: QualityPolicy | None = None,
    tokenizer: Tokenizer | None = None,
) -> Evaluation:
    """Compress *output* of *command* (a label, never run) and measure the result against *policy*."""
    policy = QualityPolicy() if policy is None else policy
    tokenizer = CharacterEstimate() if tokenizer is None else tokenizer
    text, processor, changed = compressor.compress(command, output, exit_code)
    tokens = tokenizer.count(text)
    return Evaluation(
        output=text,
        processor=processor,
        was_compressed=changed,
        original_chars=len(output),
        original_tokens=tokenizer.count(output),
        compressed_tokens=tokens,
        token_method=tokenizer.name,
        violations=tuple(policy.violations(output, text, tokens, exit_code)),
        policy=policy,
    )


def savings_percent(before: int, after: int) -> float:
    """Return how much smaller *after* is than *before*, in percent; negative when it grew, 0 for nothing."""
    return 100 * (1 - after / before) if before else 0.0


def _missing(identifier: str, in_input: bool, in_output: bool) -> Iterator[str]:
    if not in_input:
        yield f"{identifier}:missing_in_input"
    elif not in_output:
        yield f"{identifier}:missing_in_output"


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"must_preserve_patterns: {error}") from error
