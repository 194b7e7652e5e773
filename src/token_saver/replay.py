"""Captured files and a manifest become evaluations; the commands that a manifest names are labels and never run.

A manifest is JSON, strict: unknown fields, doubled names, values out of range and paths that leave its folder (symbolic links
followed) are refused with the place and the reason.
"""

from __future__ import annotations

import gzip
import os
import pathlib
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from token_saver.errors import InputError
from token_saver.evaluation import CharacterEstimate, Evaluation, Format, QualityPolicy, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from token_saver.evaluation import Compressor, Tokenizer

SCHEMA_VERSION = 1
MAX_MANIFEST_BYTES = 1_000_000
MAX_DEPTH = 20
Text = Annotated[str, msgspec.Meta(min_length=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case as the manifest states it: the label, the capture beside the manifest, and what must hold."""

    name: Text
    command: Text
    input: Text
    exit_code: int | None = None
    max_tokens: Count | None = None
    min_savings_percent: Percent | None = None
    max_growth_percent: Annotated[float, msgspec.Meta(ge=0)] | None = None
    must_preserve: tuple[Text, ...] = ()
    must_not_contain: tuple[Text, ...] = ()
    must_preserve_patterns: tuple[Text, ...] = ()
    no_verdict: bool = False
    valid_as: Format | None = None

    def policy(self) -> QualityPolicy:
        """Return the policy of this case."""
        return QualityPolicy(
            max_tokens=self.max_tokens,
            min_savings_percent=self.min_savings_percent,
            must_preserve=self.must_preserve,
            must_not_contain=self.must_not_contain,
            must_preserve_patterns=self.must_preserve_patterns,
            max_growth_percent=self.max_growth_percent,
            no_verdict=self.no_verdict,
            valid_as=self.valid_as,
        )


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A versioned list of cases, with an optional ceiling for all of them together."""

    schema_version: Annotated[int, msgspec.Meta(ge=SCHEMA_VERSION, le=SCHEMA_VERSION)]
    cases: Annotated[tuple[Case, ...], msgspec.Meta(min_length=1)]
    max_total_tokens: Count | None = None


class Outcome(NamedTuple):
    """The evaluation of the case of that name."""

    name: str
    evaluation: Evaluation


def read_manifest(path: pathlib.Path) -> Manifest:
    """Read and check the manifest at *path*; raises ``InputError`` with the place and the reason."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if len(raw) > MAX_MANIFEST_BYTES:
        raise InputError(f"{path}: larger than {MAX_MANIFEST_BYTES:,} bytes")
    if _depth(raw) > MAX_DEPTH:
        raise InputError(f"{path}: nested deeper than {MAX_DEPTH} levels")
    try:
        manifest = msgspec.json.decode(raw, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    _check_names(path, manifest)
    for index, case in enumerate(manifest.cases):
        try:
            case.policy()
        except InputError as error:
            raise InputError(f"{path}: $.cases[{index}]: {error}") from error
    return manifest


def run(
    manifest: Manifest, folder: pathlib.Path, compressor: Compressor, *, most_bytes: int, tokenizer: Tokenizer | None = None
) -> Iterator[Outcome]:
    """Evaluate the cases in order, one capture of at most *most_bytes* in memory at a time."""
    for case in manifest.cases:
        text = read_capture(folder, case.input, most_bytes)
        made = evaluate(
            compressor,
            case.command,
            text,
            exit_code=case.exit_code,
            policy=case.policy(),
            tokenizer=tokenizer or CharacterEstimate(),
        )
        yield Outcome(case.name, made)


def report(manifest: Manifest, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return the report of a replay: names, metrics and identifiers, no content."""
    cases = [{"name": name, **evaluation.report()} for name, evaluation in outcomes]
    before = sum(int(case["original_tokens"]) for case in cases)
    after = sum(int(case["compressed_tokens"]) for case in cases)
    over = manifest.max_total_tokens is not None and after > manifest.max_total_tokens
    failed = sum(1 for case in cases if not case["passed"])
    return {
        "passed": not failed and not over,
        "cases": cases,
        "totals": {
            "cases": len(cases),
            "passed": len(cases) - failed,
            "failed": failed,
            "original_tokens": before,
            "compressed_tokens": after,
            "saved_tokens": before - after,
            "max_total_tokens": manifest.max_total_tokens,
            "violations": ["max_total_tokens"] if over else [],
        },
    }


def read_capture(folder: pathlib.Path, name: str, most_bytes: int) -> str:
    """Return the text of the capture *name* inside *folder* (``.gz`` is unpacked).

    Raises ``InputError`` when the path leaves the folder, is no regular file, is too large or is not UTF-8.
    """
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, name))
    if os.path.isabs(name) or os.path.commonpath([root, path]) != root:
        raise InputError(f"{name}: a capture must lie in the folder of its manifest")
    if not os.path.isfile(path):
        raise InputError(f"{name}: there is no such file beside the manifest")
    try:
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
            raw = file.read(most_bytes + 1)
    except (OSError, EOFError) as error:
        raise InputError(f"{name}: cannot be read: {error}") from error
    if len(raw) > most_bytes:
        raise InputError(f"{name}: larger than max_output_bytes ({most_bytes:,})")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 at byte {error.start:,}") from error


def _check_names(path: pathlib.Path, manifest: Manifest) -> None:
    seen: set[str] = set()
    for index, case in enumerate(manifest.cases):
        if case.name in seen:
            raise InputError(f"{path}: $.cases[{index}].name: {case.name!r} is used twice")
        seen.add(case.name)


def _depth(raw: bytes) -> int:
    """Return how deep brackets nest, at most; those inside strings count too, which only errs on the safe side."""
    depth = deepest = 0
    for byte in raw:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
