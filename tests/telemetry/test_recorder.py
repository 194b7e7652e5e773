"""What is stored of a command line, and how two of them are told apart."""

from __future__ import annotations

import sys
import types

import pytest
from tests.telemetry.records import SETTINGS

from token_saver import plugins
from token_saver.events import Outcome
from token_saver.recorder import checked, delivered, named
from token_saver.snapshot import Snapshot


@pytest.fixture(scope="module")
def registry() -> Snapshot:
    """The registry as it is compiled here."""
    return plugins.compile_snapshot()[0]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("git log --oneline -5", "git log"),
        ("git -C /secret/place status", "git status"),
        ("/usr/bin/git diff", "git diff"),
        ("cd web && npm test", "npm test"),
        ("cd web; API_KEY=hunter2 npm run build", "npm run"),
        ("pytest tests/test_secret.py -k hunter2", "pytest"),
        ("grep hunter2 file", "grep"),
        ("echo hunter2", "echo"),
        ("sudo docker ps -a", "docker ps"),
        ("for x in a b; do git status; done", "git status"),
        ("ls | grep hunter2", "ls"),
        ("unheard-of hunter2", "unheard-of"),
        ("ghp_" + "R4kZ9vQ1xT7mB3nW8sLdY6pC2jH5fG0aEuKo", "ghp_***"),
        ("'$(cat hunter2)'", "cat"),
        ("x" * 300, "?"),
        ("", "?"),
    ],
)
def test_nothing_that_a_user_made_up_is_stored(registry: Snapshot, label: str, expected: str) -> None:
    assert named(label, registry) == expected


def test_what_asks_for_more_is_the_same_command() -> None:
    plain, more = checked("pytest -q tests")
    assert more == 0
    for label in (
        "pytest -q tests -vv",
        "pytest -q tests | tail -5",
        "TOKEN_SAVER=off pytest -q tests",
        "pytest --tb=long -q tests",
    ):
        assert checked(label) == (plain, 1)
    assert checked("pytest -q test")[0] != plain
    assert 0 <= plain < 65_536


def test_observers_are_told_and_one_that_fails_hinders_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("observing")
    told: list[str] = []
    module.fails = lambda outcome: 1 / 0  # type: ignore[attr-defined]
    module.listens = lambda outcome: told.append(outcome.label)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "observing", module)
    registry = Snapshot({"observers": ["observing\tfails", "observing\tlistens"]})  # type: ignore[typeddict-item]
    outcome = Outcome("git log", processor="git", original=2, shown=1, exit_code=0)
    with pytest.raises(ZeroDivisionError):
        delivered(outcome, {**SETTINGS, "telemetry_enabled": False}, registry)
    assert told == ["git log"]
