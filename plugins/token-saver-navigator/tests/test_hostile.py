"""Files that nobody wrote to be read: the answer is bounded, and says what it is not over."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from navigator_trees import Tree
from token_saver_navigator import index as indexes
from token_saver_navigator import workers
from token_saver_navigator.index import Index, database_path
from token_saver_navigator.navigator import Navigator
from token_saver_navigator.parsing import MOST_SECONDS, parse

from token_saver.errors import InputError, StoreError

GOOD = {"good.py": "def good():\n    return 1\n"}


@pytest.fixture
def hostile(tree: Tree) -> pathlib.Path:
    root = tree(
        GOOD
        | {"broken.py": "def broken(:\n  ))) class\ndef fine():\n    pass\n", "strange.xyz": "?", "notes.md": "# Title\n\ntext\n"}
    )
    with (root / "huge.py").open("wb") as file:
        file.truncate(50 << 20)
    (root / "large.js").write_text("var x = 1;\n" * 300_000)
    (root / "line.js").write_text("var x = [" + "1," * 1_000_000 + "];")
    (root / "line5.py").write_bytes(b"x = '" + b"a" * 5_000_000 + b"'")
    (root / "latin.py").write_bytes("# coding: latin-1\ndef caf\xe9():\n    return 'é'\n".encode("latin-1"))
    (root / "wide.py").write_bytes("def wide(): pass\n".encode("utf-16"))
    (root / "binary.c").write_bytes(bytes(range(256)) * 50)
    (root / "deep.py").write_text("x = " + "[" * 45_000 + "]" * 45_000)
    (root / "unclosed.py").write_text("(" * 90_000)
    (root / "calls.js").write_text("f(" * 30_000 + ")" * 30_000)
    (root / "blocks.c").write_text("void f() " + "{" * 45_000 + "}" * 45_000)
    (root / "empty.go").write_text("")
    (root / "loop").symlink_to(root)
    (root / "self.py").symlink_to(root / "self.py")
    os.mkfifo(root / "pipe.py")
    return root


def test_a_hostile_project_is_answered_with_what_is_not_covered(hostile: pathlib.Path) -> None:
    start = time.process_time()
    with Navigator(str(hostile)) as navigator:
        told = navigator.update()
        assert "return 1" in navigator.symbol("good").text
        assert navigator.symbol("fine", body=False).data["definitions"]
        states = dict(navigator.index.db.execute("SELECT path, state FROM file"))
        reasons = dict(navigator.index.db.execute("SELECT path, reason FROM file"))
    assert time.process_time() - start < 5
    assert states["broken.py"] == states["latin.py"] == "partial" and states["empty.go"] == "ok"
    assert {reasons["huge.py"], reasons["large.js"]} == {"larger than 2 MB"} and "a line of more than" in reasons["line.js"]
    assert reasons["line5.py"] == "larger than 2 MB" and reasons["wide.py"] == reasons["binary.c"] == "not text"
    assert states["unclosed.py"] == "failed" and "nested too deeply" in reasons["unclosed.py"]
    assert "pipe.py" not in states and "self.py" not in states
    assert "6 skipped" in told and "1 .xyz" in told and "2 links" in told
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 600_000


def test_an_outline_of_any_file_says_what_it_is(hostile: pathlib.Path) -> None:
    with Navigator(str(hostile)) as navigator:
        for name in ("huge.py", "line.js", "strange.xyz", "notes.md", "binary.c", "unclosed.py", "empty.go", "deep.py"):
            answer = navigator.outline(name)
            assert answer.notes and len(answer.text) < 20_000, name
        assert "1 # Title" in navigator.outline("notes.md").lines
        assert all("no parser" in navigator.outline(name).text for name in ("strange.xyz", "notes.md"))


def test_a_worker_that_dies_or_hangs_costs_one_file(tree: Tree, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    root = tree({f"m{number}.py": f"def f{number}(): pass\n" for number in range(12)} | {"dies.py": "#", "hangs.py": "#"})
    module = tmp_path / "broken_worker.py"
    module.write_text(
        "import os, sys, time\nfrom token_saver_navigator import worker\nparse = worker.parsed_file\n"
        "def broken(root, path):\n    if path == 'dies.py': os.kill(os.getpid(), 11)\n"
        "    if path == 'hangs.py': time.sleep(60)\n    return parse(root, path)\n"
        "worker.parsed_file = broken\nworker.main(sys.argv[-1])\n"
    )
    start = subprocess.Popen
    monkeypatch.setattr(workers, "_PATIENCE", 1.0)
    monkeypatch.setattr(subprocess, "Popen", lambda words, **more: start((sys.executable, str(module), words[-1]), **more))
    with Index(str(root)) as index:
        coverage = index.update(processes=2)
        assert index.db.execute("SELECT count(*) FROM symbol").fetchone() == (12,)
    assert coverage.indexed == 12 and coverage.failed == {"the parser crashed": 1, "took more than 1 seconds": 1}
    monkeypatch.undo()
    assert subprocess.run(["pgrep", "-f", str(module)], capture_output=True, check=False).returncode == 1


def test_processes_find_what_one_process_finds(tree: Tree) -> None:
    root = tree({f"m{number}.py": f"import os\n\n\ndef f{number}():\n    return os.getcwd()\n" for number in range(30)})

    def rows(processes: int) -> list[tuple[object, ...]]:
        pathlib.Path(database_path(str(root))).unlink(missing_ok=True)
        with Index(str(root)) as index:
            index.update(processes=processes)
            query = "SELECT path, symbol.name, body_hash FROM symbol JOIN file ON file.id = symbol.file ORDER BY 1, 2"
            return index.db.execute(query).fetchall()

    assert rows(0) == rows(2) and len(rows(2)) == 30


def test_unchanged_content_is_not_parsed_again_and_its_rows_stay(tree: Tree) -> None:
    root = tree(GOOD)
    with Index(str(root)) as index:
        index.update()
        before = index.db.execute("SELECT id FROM symbol").fetchall()
        os.utime(root / "good.py")
        index.update()
        assert index.db.execute("SELECT id FROM symbol").fetchall() == before


def test_an_index_of_a_newer_version_is_refused_and_an_older_one_made_anew(tree: Tree) -> None:
    root = tree(GOOD)
    Index(str(root)).close()
    path = database_path(str(root))
    for version in (indexes.SCHEMA + 1, 0):
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
        if version:
            with pytest.raises(StoreError, match="newer"):
                Navigator(str(root))
        else:
            with Navigator(str(root)) as navigator:
                assert "return 1" in navigator.symbol("good").text


def test_the_index_is_private_and_holds_no_secret(tree: Tree, data_folder: pathlib.Path) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    root = tree({"a.py": f'def f(key="{secret}"):\n    """Use {secret}."""\n    return "{secret}"\n'})
    with Navigator(str(root)) as navigator:
        assert secret not in navigator.symbol("f").text
        navigator.index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files = [path for path in data_folder.rglob("*") if path.is_file()]
    assert files and all(path.stat().st_mode & 0o077 == 0 and path.parent.stat().st_mode & 0o077 == 0 for path in files)
    assert all(secret.encode() not in path.read_bytes() and secret.lower().encode() not in path.read_bytes() for path in files)


def test_modules_in_the_project_are_not_imported_by_the_workers(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(GOOD | {"marshal_.py": "", "token_saver_navigator.py": "open('ran', 'w')\n", "json.py": "open('ran', 'w')\n"})
    monkeypatch.chdir(root)
    with Index(str(root)) as index:
        assert index.update(processes=2).indexed == 4
    assert not (root / "ran").exists()


def test_two_processes_may_build_at_once(tree: Tree, data_folder: pathlib.Path) -> None:
    root = tree({f"m{number}.py": f"def f{number}(): pass\n" for number in range(40)})
    code = (
        "import json, sys\nfrom token_saver_navigator.navigator import Navigator\n"
        "with Navigator(sys.argv[1]) as n: print(json.dumps(n.symbol('f7').data['definitions'][0]['path']))"
    )
    running = [subprocess.Popen((sys.executable, "-c", code, str(root)), stdout=subprocess.PIPE) for _ in range(3)]
    assert [json.loads(process.communicate(timeout=60)[0]) for process in running] == ["m7.py"] * 3


def test_an_interrupted_build_leaves_an_index_that_works(tree: Tree) -> None:
    root = tree({f"m{number}.py": f"def f{number}(): pass\n" for number in range(20)})

    def interrupt(done: int, total: int) -> None:
        if done == 5:
            signal.raise_signal(signal.SIGINT)

    with Index(str(root)) as index:
        with pytest.raises(KeyboardInterrupt):
            index.update(interrupt)
        assert index.update().indexed == 20


def test_a_parse_is_bounded_in_time() -> None:
    start = time.monotonic()
    for text in ("(" * 100_000, "a<" * 100_000, "{" * 50_000, "`${" * 20_000, "x=>" * 50_000):
        parse(text.encode(), "typescript")
    assert time.monotonic() - start < 5 * 2 * MOST_SECONDS


def test_an_error_is_an_error(tree: Tree) -> None:
    root = tree(GOOD)
    with Navigator(str(root)) as navigator:
        with pytest.raises(InputError, match="near it: good"):
            navigator.symbol("goood")
        with pytest.raises(InputError, match="no definition"):
            navigator.references("nothing_like_it")
        with pytest.raises(InputError, match="at least 100"):
            navigator.context("good", 5)
        with pytest.raises(InputError, match="is no commit"):
            navigator.changed("HEAD")
    with pytest.raises(InputError, match="is not a folder"):
        Navigator(str(root / "good.py"))


def test_an_index_that_another_process_writes_is_an_error_that_says_so(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(GOOD)
    monkeypatch.setattr(indexes, "_PATIENCE", 0.1)
    with Index(str(root)) as index, Index(str(root)) as other:
        other.db.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process writes it"):
            index.update()
        other.db.execute("ROLLBACK")
        assert index.update().indexed == 1


def test_results_larger_than_a_pipe_come_whole_out_of_a_process(tree: Tree) -> None:
    source = "".join(f"def f{number}():\n    '''{'word ' * 40}'''\n    return g{number}()\n" for number in range(2000))
    with Index(str(tree({"a.py": source, "b.py": source}))) as index:
        assert index.update(processes=2).indexed == 2
        assert index.db.execute("SELECT count(*) FROM symbol").fetchone() == (4000,)
