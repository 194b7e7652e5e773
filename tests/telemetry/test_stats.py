"""``token-saver stats``: what people, programs and tables get."""

from __future__ import annotations

import csv
import io
import json
import pathlib
import sqlite3
import stat
from contextlib import closing

import pytest
from tests.telemetry.records import append, run

from token_saver import cli
from token_saver.telemetry.tracker import FILE

KEYS = {
    *("schema_version", "since", "basis", "scopes", "detailed", "families", "commands", "days", "least_effective"),
    *("prices", "mismatches", "recalls"),
}
FIGURES = {
    *("commands", "shortened", "original", "shown", "gross", "host_cut", "repeats", "escapes", "recalls", "net"),
    *("gross_percent", "net_percent", "original_tokens", "shown_tokens", "net_tokens", "net_usd", "seconds"),
}


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A data folder that the command looks into, with two records in the spool."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(tmp_path / "data"))
    for name in ("XDG_CONFIG_HOME", "TOKEN_SAVER_SESSION", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    append(
        tmp_path / "data",
        run(-9, original=10_000, shown=1_000, folder=str(tmp_path)),
        run(-5, session="two", original=80, shown=80),
    )
    return tmp_path


def test_people_get_the_net_saving_and_how_it_comes_about(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats"]) == 0
    shown = capsys.readouterr().out
    lines = {" ".join(line.split()[:-3]): line.split()[-3:] for line in shown.splitlines()}
    assert lines["net saving"] == ["9,000", "9,000", "9,000"]
    assert lines["net, tokens"] == ["2,250", "2,250", "2,250"]
    assert "█" in shown
    assert "\x1b" not in shown


def test_programs_get_a_stable_object(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--json", "--session", "two"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report) == KEYS
    assert (report["schema_version"], report["detailed"]) == (1, "session")
    assert set(report["scopes"]) == {"today", "session", "project", "all"}
    for row in report["scopes"].values():
        assert set(row) == FIGURES
    for name in ("families", "commands", "days"):
        assert [set(row) for row in report[name]] == [FIGURES | {"name"}]
    assert report["scopes"]["session"]["original"] == 80


def test_no_session_is_no_figures_of_one(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scopes"]["session"] is None
    assert cli.main(["stats", "--session"]) == 2
    assert "no session is known here" in capsys.readouterr().err


def test_tables_get_rows_with_a_head(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--csv", "families"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["name"], row["commands"], row["net"]) for row in rows] == [("pytest", "2", "9000")]
    assert cli.main(["stats", "--csv", "mismatches"]) == 0
    assert capsys.readouterr().out == ""


def test_a_page_is_private(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--html", str(folder / "page.html")]) == 0
    assert "9,000" in (folder / "page.html").read_text(encoding="utf-8")
    assert stat.S_IMODE((folder / "page.html").stat().st_mode) == 0o600
    assert cli.main(["stats", "--html", str(folder / "nowhere/page.html")]) == 2


def test_a_model_and_turns_change_the_price_alone(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--json", "--model", "claude-opus-5", "--turns", "10"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["scopes"]["all"]["net_usd"] == pytest.approx(2_250 * (6.25 + 10 * 0.5) / 1_000_000, abs=1e-6)
    [haiku] = [row for row in report["prices"] if row["model"] == "claude-haiku-4-5"]
    assert haiku == {"model": "claude-haiku-4-5", "input_usd": 0.00225, "cache_write_usd": 0.002812, "cache_read_usd": 0.000225}
    assert cli.main(["stats", "--model", "unheard-of"]) == 2


def test_nothing_recorded_is_said(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(tmp_path / "data"))
    assert cli.main(["stats"]) == 0
    assert "Nothing is recorded yet" in capsys.readouterr().out


def test_clearing_forgets_everything(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--clear"]) == 0
    assert cli.main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scopes"]["all"]["commands"] == 0


def test_a_locked_database_is_read_without_the_newest_records(folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", "--json"]) == 0
    append(folder / "data", run(original=5, shown=5))
    with closing(sqlite3.connect(folder / "data" / FILE, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        capsys.readouterr()
        assert cli.main(["stats", "--json"]) == 0
        done = capsys.readouterr()
        assert "the newest records are missing" in done.err
        assert json.loads(done.out)["scopes"]["all"]["commands"] == 2
    assert cli.main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scopes"]["all"]["commands"] == 3
