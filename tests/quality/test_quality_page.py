"""What ``docs/quality.md`` tells is what the commands do."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from token_saver.cli import parser
from token_saver.replay import baseline, manifest
from token_saver.replay.manifest import Case

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "quality.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def commands() -> list[str]:
    steps = [step["run"] for step in yaml.safe_load(blocks("yaml")[0])["jobs"]["replay"]["steps"] if "run" in step]
    return [line for text in [*blocks("sh"), *steps] for line in text.splitlines() if line.startswith("token-saver ")]


@pytest.mark.parametrize("command", commands())
def test_the_commands_are_understood(command: str) -> None:
    options = parser().parse_args(shlex.split(command)[1:])
    assert callable(options.command)


def test_the_manifest_is_one(tmp_path: Path) -> None:
    [text] = blocks("json")
    (tmp_path / "manifest.json").write_text(text)
    assert manifest.read_manifest(tmp_path / "manifest.json").cases[0].exit_code == 2


def test_every_field_and_every_violation_of_the_ratchet_is_told() -> None:
    rows = "\n".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("|"))
    told = set(re.findall(r"`([\w:]+)`", rows))
    assert set(Case.__struct_fields__) <= told
    assert {value for name, value in vars(baseline).items() if name.isupper() and str(value).startswith("baseline:")} <= told
    assert f"{manifest.MAX_MANIFEST_BYTES:,} bytes" in PAGE and f"{manifest.MAX_DEPTH} levels" in " ".join(PAGE.split())
