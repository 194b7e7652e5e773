"""`token-saver delta show` and `clear`, and outputs that a host hands over after the run."""

from __future__ import annotations

import json
import pathlib
import re
import sqlite3

import pytest
from tests.hosts.hooks import Hook, payload

from token_saver.cli import main
from token_saver.delta import service, snapshots
from token_saver.diagnostics import Diagnostic, Snapshot
from token_saver.settings_keys import KEYS

SETTINGS = {name: key.default for name, key in KEYS.items()}
SECRET = "ghp_" + "x7Kq2Lm9Vb4Rt8Zp1Wc6Ns3Hd5Gf0YjAeUiO"
OS = Diagnostic("F401|a.py|os", "`os` unused", "a.py:3:1: F401 `os` unused", location="a.py:3", name="F401")
TEST = Diagnostic("test_a.py::test_x", "assert 0", f"E  assert 0, token {SECRET}")


@pytest.fixture
def data(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A data folder of its own."""
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def keep(data: pathlib.Path, *diagnostics: Diagnostic) -> None:
    run = Snapshot("ruff", "Found 1 error.", diagnostics, ("test_a.py::test_y",), "context of it")
    service.opened(SETTINGS, str(data)).add("scope", snapshots.encoded(run, 1))


def test_a_kept_run_is_shown_or_the_last_one(data: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    keep(data, OS)
    keep(data, OS, TEST)
    assert main(["delta", "show", "1"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert (
        re.sub(r"\d+ s ago", "now", shown)
        == "run 1: ruff, now, status 1\na.py:3:1: F401 `os` unused\ncontext of it\nFound 1 error.\n"
    )
    assert main(["delta", "show"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert shown.startswith("run 2: ") and SECRET not in shown and "ghp_***" in shown


@pytest.mark.parametrize("name", ["F401|a.py|os", "F401"])
def test_one_finding_can_be_asked_for(data: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes], name: str) -> None:
    keep(data, OS, TEST)
    assert main(["delta", "show", "1", "--diagnostic", name]) == 0
    assert capsysbinary.readouterr().out.decode() == OS.detail + "\n"


def test_a_run_is_shown_to_programs(data: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    keep(data, OS, TEST)
    assert main(["delta", "show", "1", "--format", "json"]) == 0
    shown = json.loads(capsysbinary.readouterr().out)
    assert (shown["schema_version"], shown["run"], shown["status"], shown["family"]) == (1, 1, 1, "ruff")
    assert shown["passed"] == ["test_a.py::test_y"] and SECRET not in json.dumps(shown)
    assert [one["identifier"] for one in shown["diagnostics"]] == [OS.identifier, TEST.identifier]


def test_what_is_not_kept_is_1_and_what_cannot_be_used_is_2(data: pathlib.Path) -> None:
    assert main(["delta", "show"]) == main(["delta", "show", "1"]) == 1
    assert main(["delta", "clear"]) == 0 and not data.exists()
    keep(data, OS)
    assert main(["delta", "show", "2"]) == main(["delta", "show", "1", "--diagnostic", "E711"]) == 1
    path = data / snapshots.FILE
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE kept SET payload = '{}'")
    connection.close()
    assert main(["delta", "show", "1"]) == 2
    path.write_bytes(b"no database at all " * 1000)
    assert main(["delta", "show"]) == main(["delta", "show", "1"]) == main(["delta", "clear"]) == 2
    with pytest.raises(SystemExit) as ended:
        main(["delta", "show", "x"])
    assert ended.value.code == 2


def test_clearing_says_how_many_there_were(data: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    keep(data, OS)
    keep(data, TEST)
    assert main(["delta", "clear"]) == 0
    assert capsysbinary.readouterr().out == b"2 kept runs deleted\n"
    assert main(["delta", "show"]) == 1


def test_after_the_run_a_host_hands_over_the_session_and_the_folder(home: pathlib.Path, tmp_path: pathlib.Path) -> None:
    hook = Hook(home, tmp_path)
    settings = {"TOKEN_SAVER_DATA_DIR": str(tmp_path / "data"), "TOKEN_SAVER_DELTA_ENABLED": "true"}
    lines = [f"cart.py:{line}:1: F401 [*] `os` imported but unused" for line in range(1, 30)]
    event = payload("claude", "post_tool_use")
    event["tool_input"] = {"command": "ruff check --exit-zero --output-format=concise"}
    event["tool_response"] = {**event["tool_response"], "stdout": "\n".join([*lines, "Found 29 errors."]) + "\n", "stderr": ""}
    shown = [str(hook("claude post", {**event, "session_id": name}, **settings)) for name in ("one", "two", "one")]
    assert ["since run" in each for each in shown] == [False, False, True]
