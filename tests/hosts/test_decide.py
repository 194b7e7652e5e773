"""The fast lane never says anything that the policy does not say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.recorded import SHARED

from token_saver import plugins
from token_saver.command_policy import CommandPolicy
from token_saver.hosts.decide import CLOSER, PASS, WRAP, decide
from token_saver.registry import Registry
from token_saver.settings_keys import KEYS
from token_saver.shell.behaviour_table import TABLE
from token_saver.shell.rewrite import rewrite
from token_saver.snapshot import Snapshot

DEFAULTS = {name: key.default for name, key in KEYS.items()}
REGISTRY = Snapshot({**plugins.compile_snapshot({})[0].content, "settings": DEFAULTS})
POLICY = CommandPolicy(Registry(plugins.builtin_processors()).hook_patterns())
PROGRAMS = sorted({words.split(" ")[0] for words in REGISTRY.content["decisions"].strip(";").replace("=", " ").split(";")})
WORDS = sorted({word.rstrip("*") for text in TABLE.values() for word in text.split() if word not in "?!=*"})


def agrees(command: str) -> str:
    verdict = decide(command, REGISTRY)
    if verdict == WRAP:
        assert rewrite(command, POLICY) == f"token-saver run -- {command}"
    elif verdict == PASS:
        assert not POLICY.is_compressible(command)
    return verdict


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("git status", WRAP),
        ("git log --oneline -20", WRAP),
        ("pytest -q tests/test_a.py", WRAP),
        ("./node_modules/.bin/eslint src", WRAP),
        ("echo done", PASS),
        ("./prepare-everything --prefix=/usr", PASS),
        ("git log | head -3", CLOSER),
        ("git commit -m 'a b'", CLOSER),
        ("GIT_PAGER=cat git log", CLOSER),
        ("git rebase -i HEAD~3", CLOSER),
        ("git push --force", CLOSER),
        ("uv run pytest", CLOSER),
        ("kubectl get pods -w", CLOSER),
        ("token-saver run -- git status", CLOSER),
        ("git status TOKEN_SAVER=off", CLOSER),
        ("", PASS),
        ("  git status", CLOSER),
    ],
)
def test_plain_commands_are_decided_and_others_are_not(command: str, verdict: str) -> None:
    assert agrees(command) == verdict


@given(
    st.sampled_from(PROGRAMS),
    st.lists(st.sampled_from(WORDS) | st.sampled_from(["src", "a.py", "-x", "-rn", "--json", "-v", "HEAD", "list"]), max_size=4),
)
@settings(max_examples=600, deadline=None)
def test_whatever_the_words_the_policy_says_the_same(program: str, words: list[str]) -> None:
    agrees(" ".join([program, *words]))


def test_most_recorded_commands_are_decided_at_once() -> None:
    index = SHARED / "captures/index.json"
    if not index.exists():
        pytest.skip("the shared captures are not here")
    verdicts = [agrees(entry["command"]) for entry in json.loads(index.read_text())]
    assert verdicts.count(CLOSER) < len(verdicts) / 2


def test_with_settings_that_change_the_table_nothing_is_decided() -> None:
    for key, value in (("enabled", False), ("disabled_processors", ["git"])):
        changed = Snapshot({**REGISTRY.content, "settings": {**DEFAULTS, key: value}})
        assert decide("git status", changed) == CLOSER
    asked = Snapshot({**REGISTRY.content, "asked": [0]})
    assert decide("echo", asked) == CLOSER
