"""The corpus of ``smuggling.toml``: nothing in it gets more run, or something else run, than what was typed."""

from __future__ import annotations

import pathlib
import tomllib

import pytest

from token_saver.command_policy import CommandPolicy
from token_saver.processor import hook_pattern
from token_saver.shell.rewrite import rewrite
from token_saver.shell.script import names

CORPUS = tomllib.loads((pathlib.Path(__file__).parent / "smuggling.toml").read_text(encoding="utf-8"))

_PROGRAMS = names(
    "git find aws gcloud az helm pulumi cdktf docker podman psql mysql sqlite3 curl gh rsync kubectl oc "
    "terraform tofu npm cargo twine cat tar rg sort ls grep python vite turbo tail nix-shell bash ssh"
)

POLICY = CommandPolicy(hook_pattern(program) for program in _PROGRAMS)
"""As generous as can be: every program of the corpus is claimed, so that nothing but the rules holds an attempt back."""


@pytest.mark.parametrize("command", [each for group in CORPUS["left_alone"].values() for each in group])
def test_an_attempt_is_left_as_it_was_typed(command: str) -> None:
    assert rewrite(command, POLICY) is None


@pytest.mark.parametrize(("command", "made"), CORPUS["known_part"].items())
def test_the_known_part_alone_gets_the_wrapper(command: str, made: str) -> None:
    assert rewrite(command, POLICY) == made
    assert made.replace("token-saver run -- ", "") == command


@pytest.mark.parametrize("program", ["git", "find", "curl", "cat", "kubectl", "rg"])
def test_the_programs_of_the_corpus_are_claimed(program: str) -> None:
    """Otherwise the corpus would prove nothing."""
    assert rewrite(f"{program} --anything", POLICY) == f"token-saver run -- {program} --anything"
