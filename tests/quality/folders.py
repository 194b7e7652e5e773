"""Folders with a manifest and a capture, and what a replay of them says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from token_saver.engine import CompressionEngine
from token_saver.evaluation import CharacterEstimate
from token_saver.processors.generic import GenericProcessor
from token_saver.replay import manifest
from token_saver.replay.running import Work, run

if TYPE_CHECKING:
    import pathlib
    from concurrent.futures import Executor

    from token_saver.evaluation import Compressor
    from token_saver.extensions import Tokenizer

TEXT = "one line that says nothing new\n" * 40 + "fatal: the one line that decides\n"
CASE = {"name": "noise", "command": "touch never-run", "input": "a.txt", "exit_code": 1}


def folder(place: pathlib.Path, *cases: dict[str, Any], **more: Any) -> pathlib.Path:
    """Write the capture ``a.txt`` and a manifest of *cases*; return the manifest's path."""
    (place / "a.txt").write_text(TEXT)
    (place / "manifest.json").write_text(json.dumps({"schema_version": 1, "cases": list(cases), **more}))
    return place / "manifest.json"


def generic() -> tuple[Compressor, Tokenizer]:
    """Return an engine with the fallback alone, and the estimate."""
    engine = CompressionEngine([GenericProcessor()], settings={"enabled": True, "min_input_length": 1})
    return engine, CharacterEstimate()


def outcomes(path: pathlib.Path, executor: Executor | None = None, workers: int = 1) -> list[dict[str, Any]]:
    """Check and replay the manifest *path*."""
    manifest.check(path)
    return list(run(manifest.cases(path), Work(str(path.parent), 100_000, generic), executor, workers))
