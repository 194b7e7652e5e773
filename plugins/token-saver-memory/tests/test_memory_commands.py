"""``token-saver memory`` as a person types it, and Markdown that comes back as it went."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from token_saver_memory import transfer
from token_saver_memory.memory import open_memory
from token_saver_memory.records import versions
from token_saver_memory.values import AGENT, PERSON, Draft, Scope

from conftest import Repository
from token_saver.cli import main
from token_saver.errors import InputError


@pytest.fixture
def run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Return what runs a command in the repository: status, stdout, stderr."""
    monkeypatch.chdir(repository.path)
    for name in ("TOKEN_SAVER_SESSION", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)

    def runs(*words: str) -> tuple[int, str, str]:
        status = main(["memory", *words])
        return (status, *capsys.readouterr())

    return runs


Run = Callable[..., tuple[int, str, str]]


def test_a_life_of_a_row(run: Run) -> None:
    assert run("save", "Port of payments", "--type", "config", "--body", "is 8940") == (0, "#1 saved\n", "")
    assert run("save", "Port of payments", "--type", "config", "--body", "is 8940")[1] == "same as #1\n"
    assert run("save", "Port of payments", "--type", "config", "--body", "is 8941")[1] == "#2 saved; it takes the place of #1\n"
    assert run("search", "payments", "port")[:2] == (0, "#2 config: Port of payments (~6 tokens)\n")
    assert run("search", "kestrel")[:2] == (1, "no match\n")
    history = run("history", "1")[1].splitlines()
    assert "is 8940 [superseded," in history[0] and "is 8941 [current," in history[1] and len(history) == 5
    assert "body: is 8941" in run("show", "memory://item/2")[1]
    assert "superseded by #2" in run("show", "1")[1]
    assert run("forget", "#2", "--reason", "service gone")[0] == 0
    assert run("list")[1] == "nothing\n"
    status, said, _ = run("save", "Port of payments", "--type", "config", "--body", "is 8941", "--as", "agent")
    assert status == 1 and "service gone" in said and "tombstone 1" in said
    assert run("restore", "2")[0] == 0 and run("dispute", "2", "--reason", "never was")[0] == 0
    assert "[disputed]" in run("list", "--hidden")[1] and run("list")[1] == "nothing\n"
    assert run("confirm", "2")[0] == 0 and run("global", "2")[0] == 0
    assert "[confirmed; everywhere]" in run("list")[1]
    assert run("purge", "2")[:2] == (0, "#2 is erased\n")
    assert run("list")[1] == "nothing\n"


def test_what_cannot_be_done_is_said_with_status_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, said in [
        (("forget", "1"), "there is no #1"),
        (("show", "x"), "names no row"),
        (("history", "7"), "there is no #7"),
        (("calibrate",), "too few"),
        (("import", "nowhere.md"), "cannot be read"),
        (("relocate", "/never/seen", "."), "nothing is remembered"),
    ]:
        status, out, err = run(*words)
        assert (status, out) == (2, "") and said in err
    monkeypatch.chdir("/")
    status, _, err = run("save", "At the root")
    assert status == 2 and "--global" in err
    assert run("save", "At the root", "--global")[0] == 0
    assert run("list")[1].startswith("#1 note: At the root [everywhere]")
    assert run("stats")[0] == 2 and run("stats", "--all")[0] == 0


def test_json_for_programs(run: Run) -> None:
    saved = json.loads(run("save", "Kestrel feeder", "--body", "needs warm seed", "--format", "json")[1])
    assert (saved["decision"], saved["id"], saved["schema_version"]) == ("new", 1, 1)
    (row,) = json.loads(run("search", "feeder", "--format", "json")[1])["rows"]
    assert row["body"] == "needs warm seed" and row["uri"] == "memory://item/1" and row["score"] > 0
    stats = json.loads(run("stats", "--format", "json")[1])["stats"]
    assert stats["current"] == 1 and stats["lists"] is None and stats["outcomes"] is None
    assert "lists: no data" in run("stats")[1]
    assert json.loads(run("history", "1", "--format", "json")[1])["changes"][0]["op"] == "create"
    assert json.loads(run("show", "1", "--format", "json")[1])["row"]["code"] == "unknown"
    assert all(finding["well"] for finding in json.loads(run("doctor", "--format", "json")[1])["findings"])


def test_a_row_about_code_says_what_the_code_says(run: Run, repository: Repository) -> None:
    repository.commit(src__a_py="def parse():\n    return 1\n")
    run("save", "Returns one", "--symbol", "parse", "--file", "src/a.py")
    assert "code: fresh" in run("show", "1")[1]
    repository.write(src__a_py="def parse():\n    return 2\n")
    assert "code: changed (changed since, not committed)" in run("show", "1")[1]


def test_the_command_is_there_in_a_process_of_its_own(repository: Repository) -> None:
    def command(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "token_saver", "memory", *words],
            cwd=repository.path,
            capture_output=True,
            text=True,
            input="from stdin",
        )

    assert command("save", "Read from a pipe", "--body", "-").returncode == 0
    shown = command("show", "1")
    assert shown.returncode == 0 and "body: from stdin" in shown.stdout and shown.stderr == ""


def test_calibration_keeps_a_record_that_searches_use(run: Run, scope: Scope) -> None:
    from token_saver_memory.calibration import Record, record_of

    notes = (Path(__file__).parent / "retrieval" / "pairs.tsv").read_text().splitlines()
    with open_memory() as memory:
        for line in notes[:60]:
            _, title, body, _ = line.split("\t")
            memory.save(Draft(scope, "note", title, body), actor=AGENT)
        status, said, _ = run("calibrate")
        record = record_of(memory.connection)
        assert status == 0 and record is not None and f"floor {record.floor:.2f}" in said
        assert record.rows == 60 and record.queries == 120 and record.leaked <= 0.05 and record.kept >= 0.95
        query = "integration tests with docker on the new kubernetes cluster"
        assert memory.search(scope, query) != []
        with memory.writing(PERSON) as connection:
            connection.execute("UPDATE calibration SET floor = 0.9")
        assert memory.search(scope, query) == []
        with memory.writing(PERSON) as connection:
            connection.execute("UPDATE calibration SET model = 'words 0'")
        assert memory.search(scope, query) != [] and record_of(memory.connection) is None
        assert isinstance(record, Record)


TRICKY = [
    Draft(None, "note", "Plain", is_global=True),
    Draft(
        None,
        "config",
        'Port: "8941" — übermäßig #1',
        "is 8941\n\n---\n# not a title\nname: 1",
        is_global=True,
        subject="port of it",
    ),
    Draft(
        None,
        "warning",
        "Marks",
        "a\n<!-- why -->\nb\n<!-- \\how -->",
        "<!-- why -->",
        "\n\nfirst\n",
        is_global=True,
        importance=9,
    ),
    Draft(
        None, "decision", "测试数据库", "  indented\n\ttab", "why\n<!-- how -->", is_global=True, valid_from=5.5, valid_to=1e11
    ),
    Draft(None, "guardrail", "../../etc/passwd is no file name", is_global=True, symbol="a::b", file_path="src/ü b.rs"),
]


def test_markdown_comes_back_as_it_went(tmp_path: Path) -> None:
    fields = "uid, type, title, body, why, how, symbol, file_path, importance, is_global, valid_from, valid_to, expires_at"
    with open_memory(str(tmp_path / "a" / "memory.db")) as first:
        for draft in TRICKY:
            assert first.save(draft, actor=PERSON).decision == "new"
        before = first.connection.execute(f"SELECT {fields} FROM item ORDER BY uid").fetchall()
        files = transfer.export(first.connection, None, str(tmp_path / "notes"))
    assert len(files) == len(TRICKY) and {Path(file).parent for file in files} == {tmp_path / "notes"}
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "notes").iterdir()} == {0o600}
    with open_memory(str(tmp_path / "b" / "memory.db")) as second:
        done = list(transfer.take_in(second, None, [str(tmp_path / "notes")]))
        assert [saved.decision for _, saved in done] == ["new"] * len(TRICKY)
        assert second.connection.execute(f"SELECT {fields} FROM item ORDER BY uid").fetchall() == before
        assert {version.row.provenance for version in versions(second.connection, "1", ())} == {"import"}
        again = [saved.decision for _, saved in transfer.take_in(second, None, [str(tmp_path / "notes")])]
        assert again == ["same"] * len(TRICKY)


def test_import_does_not_bring_back_what_was_forgotten(run: Run, tmp_path: Path) -> None:
    run("save", "Restart the worker after a change", "--body", "of the queue settings")
    assert run("export", str(tmp_path / "notes"))[0] == 0
    run("forget", "1", "--reason", "no longer so")
    status, out, _ = run("import", str(tmp_path / "notes"))
    assert status == 1 and "no longer so" in out and "1 refused" in out
    run("restore", "1")
    assert run("import", str(tmp_path / "notes"))[:2] == (0, "1 same\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# only a title\n", "no head"),
        ("---\nformat: 1\n", "no head"),
        ("---\nformat: 9\n---\n# t\n", "format 9"),
        ("---\nformat: 1\ntype: note\n---\n# t\n", "no value in JSON"),
        ("---\nformat: 1\nrubbish\n---\n# t\n", "no 'name: value'"),
        ('---\nformat: 1\ntype: "note"\n---\nno title\n', "no title"),
        ('---\nformat: 1\ntype: "essay"\n---\n# t\n', "no kind 'essay'"),
        ('---\nformat: 1\ntype: "note"\nimportance: "much"\n---\n# t\n', "invalid literal"),
        ('---\nformat: 1\ntype: "note"\n---\n# t\n', "this folder is none"),
    ],
)
def test_files_that_are_no_export_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.md").write_text(text)
    with open_memory() as memory, pytest.raises(InputError, match=said):
        list(transfer.take_in(memory, None, [str(tmp_path / "a.md")]))
