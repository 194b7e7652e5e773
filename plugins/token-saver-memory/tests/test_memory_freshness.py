"""Whether what is remembered about code still holds: real repositories, real edits, real git."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from token_saver_memory.freshness.symbols import named, symbols_of
from token_saver_memory.memory import Memory
from token_saver_memory.values import AGENT, PERSON, Draft, Scope

from conftest import Repository, git

PARSER = '''\
LIMIT = 10


def parse(text):
    """Read a text."""
    # one part a comma
    return [part.strip() for part in text.split(",")]


class Reader:
    def parse(self, text):
        return parse(text)
'''
BODY = "return [part.strip() for part in text.split(',')]"


@pytest.fixture
def note(memory: Memory, repository: Repository, scope: Scope) -> int:
    """A row about ``parse`` in ``src/parser.py``, committed."""
    repository.commit("first", src__parser_py=PARSER, other_py="X = 1\n")
    saved = memory.save(
        Draft(scope, "warning", "Loses quotes", "it splits inside of them", symbol="parse", file_path="src/parser.py"),
        actor=AGENT,
    )
    return saved.item_id


def verdict(memory: Memory, scope: Scope | None, number: int) -> tuple[str, str]:
    found = memory.check(memory.history(number)[0][-1].row, scope)
    return found.state, found.detail


def edited(old: str, new: str) -> Callable[[Repository], object]:
    assert old in PARSER
    return lambda repository: repository.write(src__parser_py=PARSER.replace(old, new))


def committed(old: str, new: str) -> Callable[[Repository], object]:
    return lambda repository: repository.commit("second", src__parser_py=PARSER.replace(old, new))


def unreadable(path: Path) -> None:
    """Make *path* something that cannot be read, by the superuser neither."""
    path.unlink()
    path.mkdir()


REFORMATTED = PARSER.replace(
    'return [part.strip() for part in text.split(",")]',
    "return [\n        part.strip()\n        for part in text.split(',',)\n    ]",
)

EDITS: dict[str, tuple[Callable[[Repository], object], str, str]] = {
    "nothing": (lambda repository: None, "fresh", ""),
    "the body, committed": (committed('split(",")', 'split(";")'), "changed", "changed since (commit "),
    "the body, not committed": (edited('split(",")', 'split(";")'), "changed", "not committed"),
    "a default": (edited("parse(text):", "parse(text, sep=None):"), "changed", "not committed"),
    "only a comment": (committed("# one part a comma", "# parts are divided by commas"), "fresh", ""),
    "only its form": (lambda repository: repository.commit(src__parser_py=REFORMATTED), "fresh", ""),
    "only its indentation": (lambda repository: repository.write(src__parser_py=PARSER.replace("    ", "  ")), "fresh", ""),
    "lines above": (lambda repository: repository.commit(src__parser_py="import os\n\n\n" + PARSER), "fresh", ""),
    "another symbol": (committed("LIMIT = 10", "LIMIT = 20"), "fresh", ""),
    "a method of the same name": (edited("return parse(text)", "return parse(text + text)"), "fresh", ""),
    "a new caller elsewhere": (
        lambda repository: repository.commit(other_py="from src.parser import parse\nparse('a,b')\n"),
        "fresh",
        "",
    ),
    "renamed": (committed("def parse(text)", "def split_fields(text)"), "missing", "parse is now split_fields"),
    "removed": (
        lambda repository: repository.commit(src__parser_py="LIMIT = 10\n"),
        "missing",
        "parse is gone from src/parser.py (commit ",
    ),
    "file removed": (lambda repository: git(repository.path, "rm", "-q", "src/parser.py"), "missing", "src/parser.py is gone"),
    "no longer valid": (edited("def parse(text):", "def parse(text:"), "unknown", "cannot be parsed"),
    "not to be read": (lambda repository: unreadable(repository.path / "src" / "parser.py"), "unknown", "cannot be read"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_verdict_after_an_edit(memory: Memory, repository: Repository, scope: Scope, note: int, edit: str) -> None:
    change, state, detail = EDITS[edit]
    change(repository)
    found, said = verdict(memory, scope, note)
    assert found == state and detail in said, (found, said)


def test_the_commit_that_changed_it_is_named(memory: Memory, repository: Repository, scope: Scope, note: int) -> None:
    guilty = repository.commit("second", src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    repository.commit("third", other_py="from src.parser import parse\n")
    assert verdict(memory, scope, note)[1].startswith(f"changed since (commit {guilty} of ")


def test_a_moved_file_is_followed(memory: Memory, repository: Repository, scope: Scope, note: int) -> None:
    git(repository.path, "mv", "src/parser.py", "src/reader.py")
    commit = repository.commit("move")
    assert verdict(memory, scope, note) == ("missing", f"src/parser.py is now src/reader.py (commit {commit})")


def test_quarantine_follows_the_code_and_ten_sweeps_change_nothing(
    memory: Memory, repository: Repository, scope: Scope, note: int
) -> None:
    assert memory.sweep(scope) == 0
    repository.commit("second", src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    assert memory.get([note], scope) != []
    assert memory.sweep(scope) == 1
    assert memory.get([note], scope) == [] and "quarantined: changed since (commit " in memory.why_not(note, scope)
    before = dump(memory)
    assert [memory.sweep(scope) for _ in range(10)] == [0] * 10
    assert dump(memory) == before
    git(repository.path, "revert", "--no-edit", "HEAD")
    assert memory.sweep(scope) == 1
    row = memory.get([note], scope)[0]
    assert (row.verdict, row.review, row.verdict_detail) == ("fresh", "unreviewed", "")
    kinds = memory.connection.execute("SELECT kind FROM evidence ORDER BY id").fetchall()
    assert kinds == [("anchor_changed",), ("anchor_same",)]


def dump(memory: Memory) -> str:
    return "\n".join(memory.connection.iterdump())


def test_a_dispute_stays_when_the_code_comes_back(memory: Memory, repository: Repository, scope: Scope, note: int) -> None:
    repository.write(src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    memory.sweep(scope)
    memory.dispute(note, reason="it never did")
    repository.write(src__parser_py=PARSER)
    memory.sweep(scope)
    assert "disputed" in memory.why_not(note, scope)
    memory.confirm(note, scope)
    assert memory.get([note], scope)[0].review == "confirmed"


def test_a_person_confirms_it_about_the_code_as_it_is_now(
    memory: Memory, repository: Repository, scope: Scope, note: int
) -> None:
    memory.confirm(note, scope)
    repository.write(src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    memory.sweep(scope)
    assert memory.get([note], scope) == []
    memory.confirm(note, scope)
    assert memory.check(memory.get([note], scope)[0], scope).state == "fresh"
    repository.write(src__parser_py=PARSER)
    memory.sweep(scope)
    assert memory.get([note], scope) == []
    repository.write(src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    memory.sweep(scope)
    assert memory.get([note], scope)[0].review == "confirmed"


def test_a_rule_stays_visible_with_its_verdict(memory: Memory, repository: Repository, scope: Scope, note: int) -> None:
    rule = memory.save(
        Draft(scope, "guardrail", "Never pass user input to it", symbol="parse", file_path="src/parser.py"), actor=PERSON
    )
    repository.write(src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    memory.sweep(scope)
    assert [(row.id, row.verdict) for row in memory.by_symbol(scope, "parse")] == [(rule.item_id, "changed")]


def test_worktree_and_sub_folder_see_their_own_code(memory: Memory, repository: Repository, note: int, tmp_path: Path) -> None:
    git(repository.path, "worktree", "add", "-q", str(tmp_path / "feature"))
    feature = tmp_path / "feature" / "src" / "parser.py"
    feature.write_text(PARSER.replace('split(",")', 'split(";")'))
    assert verdict(memory, memory.scope(str(tmp_path / "feature" / "src")), note)[0] == "changed"
    assert verdict(memory, memory.scope(str(repository.path / "src")), note)[0] == "fresh"


def test_shallow_clone_decides_by_the_hash(memory: Memory, repository: Repository, note: int, tmp_path: Path) -> None:
    repository.commit("second", src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository.path}", "shallow")
    scope = memory.scope(str(tmp_path / "shallow"))
    saved = memory.save(Draft(scope, "note", "Shallow but anchored", symbol="parse", file_path="src/parser.py"), actor=AGENT)
    assert verdict(memory, scope, saved.item_id)[0] == "fresh"
    (tmp_path / "shallow" / "src" / "parser.py").write_text(PARSER)
    assert verdict(memory, scope, saved.item_id) == ("changed", "changed since, not committed")


def test_without_git_nothing_is_claimed(memory: Memory, tmp_path: Path, repository: Repository, note: int) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "parser.py").write_text(PARSER)
    scope = memory.scope(str(plain))
    saved = memory.save(Draft(scope, "note", "Loses quotes", symbol="parse", file_path="parser.py"), actor=AGENT)
    assert verdict(memory, scope, saved.item_id) == ("unknown", "no git here")
    assert verdict(memory, scope, note) == ("unknown", "of another project")
    assert memory.get([saved.item_id], scope)[0].verdict == "unknown"


def test_without_the_program_git_the_hash_still_decides(
    memory: Memory, repository: Repository, scope: Scope, note: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("second", src__parser_py=PARSER.replace('split(",")', 'split(";")'))
    monkeypatch.setenv("PATH", "/nowhere")
    assert verdict(memory, scope, note) == ("changed", "changed since")


def test_two_symbols_of_one_title_live_side_by_side(memory: Memory, repository: Repository, scope: Scope, note: int) -> None:
    other = memory.save(
        Draft(scope, "warning", "Loses quotes", "it splits inside of them", symbol="Reader.parse", file_path="src/parser.py"),
        actor=AGENT,
    )
    assert other.accepted and other.item_id != note
    assert {row.id for row in memory.by_symbol(scope, "parse")} == {note, other.item_id}
    assert {row.id for row in memory.by_path(scope, "src/parser.py")} == {note, other.item_id}
    assert memory.by_path(scope, "src/xparser.py") == [] == memory.by_symbol(scope, "arse")


def test_rows_that_cite_no_file_are_told_so(memory: Memory, scope: Scope) -> None:
    saved = memory.save(Draft(scope, "note", "Look there first", file_path="src/nowhere.py"), actor=AGENT)
    assert "there is no file src/nowhere.py now" in saved.message


LEVELLED = [
    ("f(a, b,)", "f(a, b)", True),
    ("x = (1,)", "x = (1)", False),
    ("x = [\n    1,\n    2,\n]", "x = [1, 2]", True),
    ("x = (\n    1,\n    2,\n)", "x = (1, 2)", True),
    ("x = 'it'", 'x = "it"', True),
    ("x = 'it'", "x = 'at'", False),
    ("x = f'{a} b'", 'x = f"{a} b"', True),
    ("x = f'{a} b'", "x = f'{c} b'", False),
    ("if a:\n        b()\n        c()", "if a:\n  b()\n  c()", True),
    ("if a:\n    b()\n    c()", "if a:\n    b()\nc()", False),
    ("x = y[1,]", "x = y[1]", False),
]


@pytest.mark.parametrize(("left", "right", "same"), LEVELLED)
def test_form_is_levelled_and_meaning_is_not(left: str, right: str, same: bool) -> None:
    hashes = []
    for body in (left, right):
        source = "def one(a, b, c, y):\n" + "\n".join("    " + line for line in body.splitlines()) + "\n"
        found = symbols_of(source.encode(), "a.py")
        assert found is not None
        hashes.append(named(found, "one")[0].digest)
    assert (hashes[0] == hashes[1]) is same


def test_other_languages_by_an_installed_grammar_and_none_without() -> None:
    shell = b"# a comment\nbuild() {\n  make all\n}\n"
    found = symbols_of(shell, "run.sh")
    assert found is not None and [(symbol.name, symbol.first, symbol.last) for symbol in found] == [("build", 2, 4)]
    spaced = symbols_of(b"build() {\n    # more\n    make   all\n}\n", "run.sh")
    assert spaced is not None and spaced[0].digest == found[0].digest
    changed = symbols_of(b"build() {\n  make some\n}\n", "run.sh")
    assert changed is not None and changed[0].digest != found[0].digest
    assert symbols_of(b"anything", "a.unknown") is None and symbols_of(b"anything", "a.lua") is None


def test_a_closed_database_is_an_error_and_no_verdict(memory: Memory, scope: Scope, note: int, data_folder: Path) -> None:
    row = memory.get([note], scope)[0]
    memory.connection.execute("ALTER TABLE item RENAME TO gone")
    with pytest.raises(sqlite3.Error):
        memory.check(row, scope)
    memory.connection.execute("ALTER TABLE gone RENAME TO item")
