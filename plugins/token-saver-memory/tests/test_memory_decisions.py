"""What becomes of a draft: every branch by real texts; forgetting holds; a new value takes the place of the old one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest
from token_saver_memory import decide
from token_saver_memory.memory import Memory, open_memory
from token_saver_memory.values import AGENT, IMPORT, PERSON, TOOL, Draft, Saved, Scope

from conftest import Repository
from token_saver.errors import InputError


class Case(NamedTuple):
    """*before* is saved (and forgotten first where *forgotten*), then *draft*: *decision* is what becomes of it."""

    name: str
    before: tuple[str, str, str]
    draft: tuple[str, str, str]
    decision: str
    by: str = AGENT
    before_by: str = AGENT
    forgotten: bool = False
    extra: dict[str, Any] = {}
    before_extra: dict[str, Any] = {}


PORT = ("config", "Port of payments", "the service listens on 8940")
RULE = ("guardrail", "never force-push", "")
CASES = [
    Case("first of its subject", ("note", "Lockfile is generated", "run make lock"), PORT, "new"),
    Case("the same text", PORT, PORT, "same"),
    Case("case, spaces, punctuation", PORT, ("config", "PORT  of payments!", "The service\n listens on 8940."), "same"),
    Case("other grammar, equal value", PORT, ("config", "Port of the payments", "the service listens at 8940"), "same"),
    Case("another value", PORT, ("config", "Port of payments", "the service listens on 8941"), "superseded"),
    Case(
        "another word as value",
        ("config", "Database of billing", "postgres"),
        ("config", "Database of billing", "mysql"),
        "superseded",
    ),
    Case(
        "turned into its denial",
        ("decision", "Use yarn workspaces", ""),
        ("decision", "Do not use yarn workspaces", ""),
        "superseded",
    ),
    Case("the same text with a reason", PORT, PORT, "superseded", extra={"why": "the balancer expects it"}),
    Case(
        "the same text with another way",
        PORT,
        PORT,
        "superseded",
        extra={"how": "set PORT"},
        before_extra={"how": "edit the unit"},
    ),
    Case(
        "equal value, a reason is added",
        PORT,
        ("config", "Port of the payments", PORT[2]),
        "superseded",
        extra={"why": "history"},
    ),
    Case("equal value, the reason is known", PORT, PORT, "same", extra={"why": "history"}, before_extra={"why": "history"}),
    Case("another kind has other subjects", PORT, ("infra", *PORT[1:]), "new"),
    Case(
        "another symbol",
        ("warning", "Returns None on failure", ""),
        ("warning", "Returns None on failure", ""),
        "near",
        extra={"symbol": "load"},
        before_extra={"symbol": "parse"},
    ),
    Case(
        "a named subject",
        ("note", "We deploy at noon", ""),
        ("note", "The day for it is Friday", ""),
        "superseded",
        extra={"subject": "deploy window"},
        before_extra={"subject": "Deploy  window"},
    ),
    Case(
        "things that happened may share a title",
        ("bugfix", "Fixed flaky test", "the clock was wrong in test_a.py"),
        ("bugfix", "Fixed flaky test", "the port was taken in test_b.py"),
        "new",
    ),
    Case("one word is no subject", ("note", "Deploys", "happen on Friday"), ("note", "Deploys", "need two approvals"), "new"),
    Case(
        "a subject of signs alone is a subject too",
        ("note", "Deploys", "happen on Friday"),
        ("note", "Deploys", "need approvals"),
        "superseded",
        extra={"subject": "?!"},
        before_extra={"subject": "?!"},
    ),
    Case(
        "resembles another subject",
        ("note", "Build the documentation with sphinx before a release", ""),
        ("note", "Build the documentation with sphinx before each release candidate", ""),
        "near",
    ),
    Case(
        "other numbers are another thing",
        ("bugfix", "Retry uploads after error 503 from the storage", ""),
        ("bugfix", "Retry uploads after error 429 from the storage", ""),
        "new",
    ),
    Case("values alone, nothing in common", ("note", "8940", ""), ("note", "8941", ""), "new"),
    Case("values alone, forgotten", ("note", "8940", ""), ("note", "8941", ""), "new", forgotten=True),
    Case("an agent against a person's rule", RULE, ("guardrail", "always force-push", ""), "conflict", before_by=PERSON),
    Case("another kind against a person's rule", RULE, ("note", "force-push is fine", ""), "conflict", before_by=PERSON),
    Case("in favour of a person's rule", RULE, ("note", "never force-push to shared branches", ""), "new", before_by=PERSON),
    Case("beside a person's rule", RULE, ("note", "push tags after the release", ""), "new", before_by=PERSON),
    Case("a person against their own rule", RULE, ("guardrail", "always force-push", ""), "superseded", PERSON, PERSON),
    Case("a person notes the opposite of their rule", RULE, ("note", "force-push is fine", ""), "new", PERSON, PERSON),
    Case("an agent against an agent's rule", RULE, ("guardrail", "always force-push", ""), "superseded"),
    Case(
        "a rule of one word binds nothing",
        ("convention", "No semicolons", ""),
        ("note", "semicolons separate fields", ""),
        "new",
        before_by=PERSON,
    ),
    Case(
        "another comparison", ("warning", "Alert when load", "load > 5"), ("warning", "Alert when load", "load < 5"), "superseded"
    ),
    Case("another sign", ("config", "Offset of the clock", "is 5"), ("config", "Offset of the clock", "is -5"), "superseded"),
    Case("signs alone", ("note", "🚀", ""), ("note", "🎉", ""), "new"),
    Case("the same signs alone", ("note", "🚀", ""), ("note", " 🚀 ", ""), "same"),
    Case("forgotten", PORT, PORT, "refused", forgotten=True),
    Case("forgotten, from a tool", PORT, PORT, "refused", by=TOOL, forgotten=True),
    Case("forgotten, by import", PORT, PORT, "refused", by=IMPORT, forgotten=True),
    Case("forgotten, as another kind", PORT, ("note", *PORT[1:]), "refused", forgotten=True),
    Case(
        "forgotten, other case and signs",
        PORT,
        ("config", "PORT of   payments:", "The Service listens on 8940!"),
        "refused",
        forgotten=True,
    ),
    Case(
        "forgotten, one word replaced",
        ("note", "Restart the worker after changing queue settings", ""),
        ("note", "Restart the worker after editing queue settings", ""),
        "refused",
        forgotten=True,
    ),
    Case("forgotten, another value", PORT, ("config", "Port of payments", "the service listens on 8941"), "new", forgotten=True),
    Case(
        "forgotten, now denied",
        ("decision", "Use yarn workspaces here", ""),
        ("decision", "Never use yarn workspaces here", ""),
        "new",
        forgotten=True,
    ),
    Case(
        "forgotten was something else",
        ("note", "Restart the worker after a change", ""),
        ("note", "Paint the fence green", ""),
        "new",
        forgotten=True,
    ),
]


def carry_out(memory: Memory, scope: Scope, case: Case) -> tuple[Saved, Saved]:
    first = memory.save(Draft(scope, *case.before, **case.before_extra), actor=case.before_by)
    assert first.decision == "new"
    if case.forgotten:
        memory.forget(first.item_id, actor=PERSON, reason="it was wrong")
    return first, memory.save(Draft(scope, *case.draft, **case.extra), actor=case.by)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_decision(memory: Memory, scope: Scope, case: Case) -> None:
    first, saved = carry_out(memory, scope, case)
    assert (saved.decision, saved.accepted) == (case.decision, case.decision != "refused")
    assert (saved.other_id == first.item_id) == (case.decision != "new")
    rows = memory.connection.execute("SELECT count(*) FROM item").fetchone()[0]
    assert rows == (1 if case.decision in ("same", "refused") else 2)
    if case.decision in ("same", "refused"):
        assert f"#{first.item_id}" in saved.message and saved.item_id == first.item_id
    if case.decision == "refused":
        assert "tombstone 1" in saved.message and "it was wrong" in saved.message
        memory.restore(first.item_id, actor=PERSON)
        assert memory.save(Draft(scope, *case.draft, **case.extra), actor=case.by).accepted


def test_every_line_of_the_decision_is_reached_by_the_table(tmp_path: Path) -> None:
    """Coverage by the interpreter's own tracing; ``coverage --branch`` finds all branches reached too."""
    reached: set[int] = set()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != decide.__file__:
            return None
        if event == "line":
            reached.add(frame.f_lineno)
        return trace

    def lines(code: CodeType) -> set[int]:
        inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        own = {line for *_, line in code.co_lines() if line and line != code.co_firstlineno}
        return own.union(*map(lines, inner))

    functions = [member.__code__ for member in vars(decide).values() if isinstance(member, FunctionType)]
    expected = set().union(*(lines(code) for code in functions if code.co_filename == decide.__file__))
    for number, case in enumerate(CASES):
        with open_memory(str(tmp_path / str(number) / "memory.db")) as memory:
            folder = tmp_path / f"project{number}"
            folder.mkdir()
            scope = memory.scope(str(folder))
            before = sys.gettrace()
            sys.settrace(trace)
            try:
                assert scope is not None
                carry_out(memory, scope, case)
            finally:
                sys.settrace(before)
    assert expected and expected - reached == set()


def test_one_current_value_of_a_subject_and_all_of_them_in_its_history(memory: Memory, scope: Scope) -> None:
    for port in (8940, 8941, 8940, 8941):
        saved = memory.save(Draft(scope, "config", "Port of payments", f"listens on {port}"), actor=AGENT)
    assert [row.body for row in memory.search(scope, "payments port")] == ["listens on 8941"]
    versions, changes = memory.history(saved.item_id)
    assert [version.row.body[-4:] for version in versions] == ["8940", "8941", "8940", "8941"]
    assert [version.retired_why for version in versions] == ["superseded", "superseded", "superseded", None]
    for old, new in pairwise(versions):
        assert old.superseded_by == new.row.id and old.valid_to == new.row.valid_from
    assert [change.op for change in changes].count("supersede") == 3
    assert memory.history(1)[0] == versions


def test_the_same_again_is_only_seen_again(memory: Memory, scope: Scope) -> None:
    first = memory.save(Draft(scope, *PORT), actor=AGENT)
    before = memory.get([first.item_id], scope)[0]
    log = memory.connection.execute("SELECT count(*) FROM mutation").fetchone()
    memory.save(Draft(scope, *PORT), actor=AGENT)
    after = memory.get([first.item_id], scope)[0]
    assert after.seen_at > before.seen_at and after.recorded_at == before.recorded_at
    assert memory.connection.execute("SELECT count(*) FROM mutation").fetchone() == log


def test_what_contradicts_a_persons_rule_waits_for_a_person(memory: Memory, scope: Scope) -> None:
    rule = memory.save(Draft(scope, *RULE), actor=PERSON)
    claim = memory.save(Draft(scope, "note", "force-push is fine"), actor=AGENT)
    assert f"#{rule.item_id}" in claim.message
    assert [row.id for row in memory.search(scope, "force push")] == [rule.item_id]
    assert memory.connection.execute("SELECT src, dst, kind FROM link").fetchall() == [
        (claim.item_id, rule.item_id, "contradicts")
    ]
    with pytest.raises(InputError, match="only a person"):
        memory.forget(rule.item_id, actor=AGENT)
    memory.confirm(claim.item_id, scope)
    assert [row.id for row in memory.search(scope, "force push")] == [rule.item_id, claim.item_id]


def test_a_confirmed_rule_counts_as_a_persons(memory: Memory, scope: Scope) -> None:
    rule = memory.save(Draft(scope, *RULE), actor=AGENT)
    memory.confirm(rule.item_id, scope)
    assert memory.save(Draft(scope, "guardrail", "always force-push"), actor=AGENT).decision == "conflict"


def test_a_forgotten_global_row_is_refused_everywhere(
    memory: Memory, scope: Scope, make_repository: Callable[[str], Repository]
) -> None:
    saved = memory.save(Draft(scope, *PORT, is_global=True), actor=AGENT)
    local = memory.save(Draft(scope, "note", "Local tests need docker running"), actor=AGENT)
    memory.forget(saved.item_id, actor=PERSON)
    memory.forget(local.item_id, actor=PERSON)
    other = memory.scope(str(make_repository("beta").path))
    assert memory.save(Draft(other, *PORT), actor=AGENT).decision == "refused"
    assert memory.save(Draft(other, "note", "Local tests need docker running"), actor=AGENT).decision == "new"


def test_what_was_forgotten_is_kept_as_hashes_alone(memory: Memory, scope: Scope) -> None:
    saved = memory.save(Draft(scope, "note", "Kestrel nests on the roof"), actor=AGENT)
    memory.forget(saved.item_id, actor=PERSON)
    stone = memory.connection.execute("SELECT * FROM tombstone").fetchone()
    assert not any(word in str(part).lower() for part in stone for word in ("kestrel", "nest", "roof"))


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (Draft(None, "note", "x y"), "--global"),
        (Draft(None, "notes", "x y", is_global=True), "the kinds are"),
        (Draft(None, "note", "<private>all of it</private>", is_global=True), "nothing to save"),
        (Draft(None, "note", "x", importance=11, is_global=True), "1 to 10"),
        (Draft(None, "note", "x", "y" * 20_001, is_global=True), "20,000"),
    ],
)
def test_drafts_that_cannot_be_kept(memory: Memory, draft: Draft, said: str) -> None:
    with pytest.raises(InputError, match=said):
        memory.save(draft, actor=AGENT)
    assert memory.connection.execute("SELECT count(*) FROM item").fetchone() == (0,)
