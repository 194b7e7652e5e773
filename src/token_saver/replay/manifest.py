"""The manifest of a replay: which captures there are, under which label each is read, and what must hold for it.

A manifest is JSON, strict: unknown fields, doubled names, values out of range and paths that leave its folder (symbolic links
followed) are refused with the place and the reason. It may include others inside its folder, so that no file has to be large;
one file is in memory at a time.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from token_saver.errors import InputError
from token_saver.evaluation import Format, QualityPolicy
from token_saver.replay.captures import inside

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

SCHEMA_VERSION = 1
MAX_MANIFEST_BYTES = 1_000_000
MAX_DEPTH = 20
MAX_FILES = 10_000
"""Files that one replay may consist of."""

Text = Annotated[str, msgspec.Meta(min_length=1)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f\ufffe\uffff]+\Z")]
"""Shown on terminals and in XML, so without what either cannot hold."""
Count = Annotated[int, msgspec.Meta(ge=0)]
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]

_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One case as the manifest states it: the label, the capture beside the manifest, and what must hold.

    ``family`` groups cases in summaries; ``tool_version`` and ``recorded`` say where the capture comes from.
    """

    name: Name
    command: Text
    input: Text
    exit_code: int | None = None
    family: Name | None = None
    tool_version: str | None = None
    recorded: str | None = None
    max_tokens: Count | None = None
    min_savings_percent: Percent | None = None
    max_growth_percent: Annotated[float, msgspec.Meta(ge=0)] | None = None
    must_preserve: tuple[Text, ...] = ()
    must_not_contain: tuple[Text, ...] = ()
    must_preserve_patterns: tuple[Text, ...] = ()
    no_verdict: bool = False
    valid_as: Format | None = None

    def policy(self) -> QualityPolicy:
        """Return the policy of this case; raises ``InputError`` naming the field that cannot be used."""
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


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A versioned list of cases and of further manifests, with an optional ceiling for all cases together."""

    schema_version: Annotated[int, msgspec.Meta(ge=SCHEMA_VERSION, le=SCHEMA_VERSION)]
    includes: tuple[Text, ...] = ()
    cases: tuple[Case, ...] = ()
    max_total_tokens: Count | None = None


class Summary(NamedTuple):
    """What a manifest and all that it includes amount to."""

    cases: int
    max_total_tokens: int | None


def check(path: pathlib.Path) -> Summary:
    """Read the manifest at *path* and every file it includes; raises ``InputError`` with the place and the reason.

    Nothing of a replay that cannot be completed is reported: everything that can be refused without reading a capture is
    refused here.
    """
    seen: set[str] = set()
    outermost = read_manifest(path)
    for file, manifest in _files(path, outermost):
        for index, case in enumerate(manifest.cases):
            place = f"{file}: $.cases[{index}]"
            if case.name in seen:
                raise InputError(f"{place}.name: {case.name!r} is used twice")
            seen.add(case.name)
            _check_policy(case, place)
    if not seen:
        raise InputError(f"{path}: $.cases: a replay needs one case at least")
    return Summary(len(seen), outermost.max_total_tokens)


def cases(path: pathlib.Path) -> Iterator[Case]:
    """Yield every case in order, own cases before included ones, ``input`` relative to the folder of the manifest *path*."""
    root = os.path.realpath(path.parent)
    for file, manifest in _files(path, read_manifest(path)):
        folder = os.path.relpath(os.path.dirname(os.path.realpath(file)), root)
        for case in manifest.cases:
            yield case if folder == "." else msgspec.structs.replace(case, input=os.path.join(folder, case.input))


def read_manifest(path: pathlib.Path | str) -> Manifest:
    """Read and check the one file at *path*; raises ``InputError`` with the place and the reason."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_MANIFEST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if len(raw) > MAX_MANIFEST_BYTES:
        raise InputError(f"{path}: larger than {MAX_MANIFEST_BYTES:,} bytes: split it and use `includes`")
    if _depth(raw) > MAX_DEPTH:
        raise InputError(f"{path}: nested deeper than {MAX_DEPTH} levels")
    try:
        manifest = msgspec.json.decode(raw, type=Manifest)
        json.loads(raw, object_pairs_hook=_refuse_doubled)
    except (msgspec.DecodeError, UnicodeDecodeError, InputError) as error:
        raise InputError(f"{path}: {error}") from error
    return manifest


def encode(manifest: Manifest) -> bytes:
    """Return *manifest* as the JSON that ``read_manifest`` reads, one field a line."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def _files(path: pathlib.Path, outermost: Manifest) -> Iterator[tuple[str, Manifest]]:
    """Yield each file and what it says: the outermost first, then what it includes, depth first, in order."""
    root = os.path.realpath(path.parent)
    yield str(path), outermost
    done = {os.path.realpath(path)}
    waiting = [(str(path), index, name) for index, name in enumerate(outermost.includes)][::-1]
    while waiting:
        by, index, name = waiting.pop()
        place = f"{by}: $.includes[{index}]"
        try:
            file = inside(root, os.path.dirname(os.path.realpath(by)), name)
        except InputError as error:
            raise InputError(f"{place}: {error}") from error
        if file in done:
            raise InputError(f"{place}: {name} is included twice")
        done.add(file)
        if len(done) > MAX_FILES:
            raise InputError(f"{place}: more than {MAX_FILES:,} files")
        manifest = read_manifest(file)
        if manifest.max_total_tokens is not None:
            raise InputError(f"{file}: $.max_total_tokens: only the outermost manifest may set it")
        yield file, manifest
        waiting += [(file, number, further) for number, further in enumerate(manifest.includes)][::-1]


def _check_policy(case: Case, place: str) -> None:
    try:
        case.policy()
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> None:
    names: set[str] = set()
    for name, _ in pairs:
        if name in names:
            raise InputError(f"the field {name!r} is given twice in one object")
        names.add(name)


def _depth(raw: bytes) -> int:
    """Return how deep brackets nest, at most; those inside strings count too, which only errs on the safe side."""
    depth = deepest = 0
    for byte in raw.translate(None, _NOT_BRACKETS):
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest
