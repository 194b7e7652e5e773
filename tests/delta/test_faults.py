"""Whatever is wrong with what is kept, the command's own output and status come through the real wrapper."""

from __future__ import annotations

import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable

import pytest
from tests.hosts.processes import START, environment

from token_saver.delta import snapshots
from token_saver.engine import CompressionEngine
from token_saver.hosts.retained import Retention
from token_saver.settings_keys import KEYS

BIN = pathlib.Path(sys.executable).parent
SOURCE = "import os\nimport re\n\n\ndef total(prices):\n    return missing(prices)\n"
COMMAND = f"{BIN}/ruff check --no-cache --select F cart.py"


class Session:
    """A working directory with findings, and a session in it."""

    def __init__(self, home: pathlib.Path, folder: pathlib.Path) -> None:
        self.home = home
        self.work = folder / "work"
        self.data = folder / "data"
        self.work.mkdir()
        self.write(SOURCE)

    def write(self, text: str) -> None:
        (self.work / "cart.py").write_text(text)

    def run(self, command: str = COMMAND, session: str = "one", limit: int = 0) -> tuple[str, int]:
        """Run it through the wrapper; return what was shown and the status."""
        env = environment(
            self.home,
            TOKEN_SAVER_DATA_DIR=str(self.data),
            TOKEN_SAVER_SESSION=session,
            TOKEN_SAVER_DELTA_ENABLED="true",
        )
        done = subprocess.run(
            [*START, "run", "-c", command],
            cwd=self.work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None,
            timeout=60,
            check=False,
        )
        return done.stdout.decode(), done.returncode


@pytest.fixture
def session(home: pathlib.Path, tmp_path: pathlib.Path) -> Session:
    return Session(home, tmp_path)


def is_difference(shown: tuple[str, int]) -> bool:
    text, status = shown
    return text.startswith("since run ") and status == 1


def test_the_second_run_is_a_difference_and_the_status_is_the_tools(session: Session) -> None:
    text, status = session.run()
    assert status == 1 and "F401" in text and "since run" not in text
    assert is_difference(session.run())
    session.write("")
    assert session.run() == ("All checks passed!\n", 0)


def test_a_finding_that_comes_back_after_a_clean_run_is_shown_in_full(session: Session) -> None:
    session.run()
    session.write("")
    session.run()
    session.write(SOURCE)
    text, status = session.run()
    assert status == 1 and "Undefined name `missing`" in text and "unchanged" not in text


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no compiler is installed")
def test_a_run_that_prints_nothing_counts_as_a_run(session: Session) -> None:
    broken, whole = "int f(void) {\n  return missing;\n}\n", "int f(void) {\n  return 1;\n}\n"
    for source, status in ((broken, 1), (whole, 0), (broken, 1)):
        (session.work / "cart.c").write_text(source)
        shown = session.run("gcc -c -o cart.o cart.c")
        assert shown[1] == status and "unchanged" not in shown[0] and bool(shown[0]) == bool(status)


def test_after_a_run_that_cannot_be_read_nothing_is_compared(session: Session) -> None:
    session.run()
    (session.work / "ruff.toml").write_text("no toml")
    text, status = session.run()
    assert status == 2 and "since run" not in text
    (session.work / "ruff.toml").unlink()
    assert not is_difference(session.run())
    assert is_difference(session.run())


def test_a_folder_that_a_host_names_is_the_real_one(
    engine: CompressionEngine, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    settings = {name: key.default for name, key in KEYS.items()} | {"delta_enabled": True}
    command = "ruff check --output-format=concise"
    text = "".join(f"cart.py:{line}:1: F401 [*] `os` imported but unused\n" for line in range(1, 30)) + "Found 29 errors.\n"
    result = engine.run(command, text, 1)
    retentions = [Retention(settings, "one", str(tmp_path / name), 0.0) for name in ("real", "link")]
    shown = [each.answer(engine, command, text, 1, result) for each in retentions]
    assert shown[0] is None and (shown[1] or "").startswith("since run 1 ")


def test_without_a_session_and_in_another_one_nothing_is_compared(session: Session) -> None:
    session.run()
    assert not is_difference(session.run(session=""))
    assert not is_difference(session.run(session="other"))
    assert is_difference(session.run())


def test_another_working_directory_is_another_scope_and_a_link_to_it_is_not(session: Session, tmp_path: pathlib.Path) -> None:
    session.run()
    real = session.work
    (tmp_path / "link").symlink_to(real)
    session.work = tmp_path / "link"
    assert is_difference(session.run())
    session.work = tmp_path / "copy"
    session.work.mkdir()
    session.write(SOURCE)
    assert not is_difference(session.run())


def test_secrets_are_masked_before_anything_is_kept(session: Session) -> None:
    secret = "ghp_" + "x7Kq2Lm9Vb4Rt8Zp1Wc6Ns3Hd5Gf0YjAeUiO"
    session.write(f"import os\nTOKEN = '{secret}' + missing\n")
    for _ in range(2):
        text, status = session.run()
        assert status == 1 and secret not in text
    for file in session.data.iterdir():
        assert secret.encode() not in file.read_bytes()


def garbage(path: pathlib.Path) -> None:
    path.write_bytes(b"no database at all " * 1000)


def overwritten(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes()[:2048] + b"\xa5" * 8000)


def other_schema(path: pathlib.Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def damaged_run(path: pathlib.Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE kept SET payload = ?", (b'{"schema":1}',))
    connection.close()


def symlink(path: pathlib.Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def hardlink(path: pathlib.Path) -> None:
    path.with_name("elsewhere").hardlink_to(path)


def fifo(path: pathlib.Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder_is_a_file(path: pathlib.Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_text("")


FAULTS: list[Callable[[pathlib.Path], None]] = [
    garbage,
    overwritten,
    other_schema,
    damaged_run,
    symlink,
    hardlink,
    fifo,
    folder_is_a_file,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault.__name__))
def test_what_is_wrong_with_the_file_leaves_the_ordinary_result_and_is_noted(
    session: Session, fault: Callable[[pathlib.Path], None]
) -> None:
    ordinary = session.run()
    fault(session.data / snapshots.FILE)
    logs = list(session.home.rglob("trouble.log"))
    for log in logs:
        log.unlink()
    assert session.run() == ordinary
    (log,) = session.home.rglob("trouble.log")
    assert [line.split(" ", 1)[1] for line in log.read_text().splitlines() if "retention" in line] == ["retention StoreError"]


def test_a_full_disk_leaves_the_ordinary_result(session: Session) -> None:
    ordinary = session.run()
    assert session.run(limit=1) == ordinary
    assert is_difference(session.run())


def test_a_locked_file_leaves_the_ordinary_result_in_time(session: Session) -> None:
    ordinary = session.run()
    with sqlite3.connect(session.data / snapshots.FILE, isolation_level=None) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert session.run() == ordinary
        connection.execute("ROLLBACK")
    connection.close()
    assert is_difference(session.run())


def test_a_run_from_before_the_bound_or_from_the_future_is_no_baseline(session: Session) -> None:
    for change in ("made - 90000", "made + 90000"):
        session.run()
        with sqlite3.connect(session.data / snapshots.FILE) as connection:
            connection.execute(f"UPDATE kept SET made = {change}")
        connection.close()
        assert not is_difference(session.run())


def test_sessions_side_by_side_do_not_disturb_each_other(session: Session) -> None:
    names = [f"session {number}" for number in range(4)]
    env = environment(session.home, TOKEN_SAVER_DATA_DIR=str(session.data), TOKEN_SAVER_DELTA_ENABLED="true")
    for expected in (False, True):
        started = [
            subprocess.Popen(
                [*START, "run", "-c", COMMAND],
                cwd=session.work,
                env={**env, "TOKEN_SAVER_SESSION": name},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
            )
            for name in names
        ]
        shown = [(process.communicate(timeout=60)[0].decode(), process.returncode) for process in started]
        assert [is_difference(one) for one in shown] == [expected] * len(names)


def test_a_project_can_neither_switch_it_on_nor_lengthen_it(session: Session) -> None:
    (session.work / ".token-saver.toml").write_text("delta_enabled = true\nrecall_enabled = true\ndelta_retention_hours = 168\n")
    env = environment(session.home, TOKEN_SAVER_DATA_DIR=str(session.data), TOKEN_SAVER_SESSION="one")
    for _ in range(2):
        done = subprocess.run([*START, "run", "-c", COMMAND], cwd=session.work, env=env, capture_output=True, check=False)
        assert done.returncode == 1 and b"since run" not in done.stdout and b"recall" not in done.stdout
    assert not [file.name for file in session.data.glob("*") if file.name.startswith(("delta", "recall", "repeats"))]
