"""The audit journal: lazy, UTF-8, turned over when full; its errors say what failed and never what was to be written."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import subprocess
import sys

import pytest
from tests.telemetry.records import run

from token_saver.errors import StoreError
from token_saver.telemetry.journal import Journal


def test_it_is_opened_by_its_first_record(tmp_path: pathlib.Path) -> None:
    journal = Journal(str(tmp_path / "data/audit.jsonl"))
    assert list(tmp_path.iterdir()) == []
    journal.add(run(command="größe", session="s"))
    text = (tmp_path / "data/audit.jsonl").read_text(encoding="utf-8")
    assert "größe" in text
    entry = json.loads(text)
    assert (entry["command"], entry["session"], entry["kind"], entry["status"]) == ("größe", "s", "run", 0)
    assert stat.S_IMODE((tmp_path / "data/audit.jsonl").stat().st_mode) == 0o600


def test_it_is_turned_over_before_a_line_that_has_no_room(tmp_path: pathlib.Path) -> None:
    journal = Journal(str(tmp_path / "audit.jsonl"), most=1_000, kept=2)
    for number in range(20):
        journal.add(run(original=number))
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {"audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"}
    assert max(sizes.values()) <= 1_000
    text = "".join((tmp_path / name).read_text() for name in ("audit.jsonl.2", "audit.jsonl.1", "audit.jsonl"))
    numbers = [json.loads(line)["original"] for line in text.splitlines()]
    assert numbers == list(range(20 - len(numbers), 20))


@pytest.mark.slow
def test_many_processes_write_whole_lines_while_it_is_turned_over(tmp_path: pathlib.Path) -> None:
    code = (
        "import sys\nfrom token_saver.telemetry import spool\nfrom token_saver.telemetry.journal import Journal\n"
        "journal = Journal(sys.argv[1], most=3000, kept=400)\n"
        "for number in range(50): journal.add(spool.Record('run', number, original=number))"
    )
    path = str(tmp_path / "audit.jsonl")
    processes = [subprocess.Popen([sys.executable, "-c", code, path]) for _ in range(8)]
    assert [process.wait(60) for process in processes] == [0] * 8
    lines = [line for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
    assert sorted(json.loads(line)["original"] for line in lines) == sorted(list(range(50)) * 8)


@pytest.mark.parametrize("fault", ["opening", "writing", "turning over"])
def test_what_fails_is_told_without_the_record(tmp_path: pathlib.Path, fault: str) -> None:
    journal = Journal(str(tmp_path / "audit.jsonl"), most=100, kept=1)
    if fault == "opening":
        (tmp_path / "audit.jsonl").mkdir()
    elif fault == "writing":
        os.symlink("/dev/full", tmp_path / "audit.jsonl")
    else:
        journal.add(run())
        (tmp_path / "audit.jsonl.1").mkdir()
        (tmp_path / "audit.jsonl.1/inside").mkdir()
    with pytest.raises(StoreError) as caught:
        journal.add(run(command="hunter2-in-a-command"))
    assert str(caught.value).startswith("the audit journal cannot be ")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None
