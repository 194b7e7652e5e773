"""The snapshot says what the registry says, notices when it is stale, and is read from nobody else's hands."""

from __future__ import annotations

import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import time

import platformdirs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.recorded import SHARED

from token_saver import archive, plugins, snapshot
from token_saver.errors import SnapshotError
from token_saver.processor import as_command
from token_saver.registry import Registry
from token_saver.snapshot import Snapshot
from token_saver.text.rx import compile_table

rx = sys.modules["token_saver.text.rx"]  # the package has a function of this name

FOUND = plugins.discover(entry_points=False)
REGISTRY = Registry(FOUND.processors)
COMPILED, ARCHIVE = plugins.compile_snapshot({})
COMMANDS = sorted({command for processor in REGISTRY for command in getattr(processor, "commands", ())})
FILES = [snapshot.ARCHIVE, snapshot.REGISTRY, snapshot.DOCUMENT]


def environment(home: pathlib.Path, **more: str) -> dict[bytes, bytes]:
    return {name.encode(): value.encode() for name, value in {"HOME": str(home), **more}.items()}


@pytest.fixture
def written(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[bytes, bytes]]:
    """A snapshot in a fresh home: its folder, and the environment it was made for."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    environ = environment(tmp_path)
    plugins.write_snapshot(environ)
    return snapshot.folder(environ), environ


def test_the_folder_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
        expected = platformdirs.user_cache_path("token-saver", appauthor=False)
        assert pathlib.Path(snapshot.folder(os.environb)).parent == expected
    monkeypatch.delenv("HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", " ")
    assert pathlib.Path(snapshot.folder(os.environb)).parent == platformdirs.user_cache_path("token-saver", appauthor=False)


def test_it_is_read_as_it_was_written_and_other_programs_can_read_it_too(written: tuple[str, dict[bytes, bytes]]) -> None:
    place, environ = written
    found = snapshot.read(place)
    assert found is not None and found.is_fresh(environ)
    with open(f"{place}/{snapshot.DOCUMENT}", encoding="utf-8") as file:
        assert json.load(file) == found.content
    assert found.content["schema"] == 2
    assert set(found.content) == set(COMPILED.content)


def test_every_field_is_documented() -> None:
    for field in COMPILED.content:
        assert f"``{field}``" in (snapshot.__doc__ or "")


def test_files_and_folders_are_private(written: tuple[str, dict[bytes, bytes]]) -> None:
    place, _ = written
    assert sorted(os.listdir(place)) == FILES
    for path, mode in ((os.path.dirname(place), 0o700), (place, 0o700), *((f"{place}/{name}", 0o600) for name in FILES)):
        assert stat.S_IMODE(os.stat(path).st_mode) == mode, path


@pytest.mark.parametrize("name", [snapshot.ARCHIVE, snapshot.REGISTRY])
@pytest.mark.parametrize("harm", ["writable", "link", "folder", "pipe", "foreign"])
def test_a_file_that_others_may_have_written_is_not_read(written: tuple[str, dict[bytes, bytes]], name: str, harm: str) -> None:
    path = pathlib.Path(written[0]) / name
    if harm == "writable":
        path.chmod(0o622)
    elif harm == "foreign":
        if os.geteuid() != 0:
            pytest.skip("only root gives files away")
        os.chown(path, 12345, 12345)
    else:
        path.rename(path.with_suffix(".moved"))
        if harm == "link":
            path.symlink_to(path.with_suffix(".moved"))
        elif harm == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
    if name == snapshot.REGISTRY:
        assert snapshot.read(written[0]) is None
    else:
        assert snapshot.use_archive(written[0]) is None


@pytest.mark.parametrize("change", [("schema", 1), ("version", "0.0.0"), ("python", "cpython-27"), ("settings", None)])
def test_a_snapshot_of_another_version_is_not_read(written: tuple[str, dict[bytes, bytes]], change: tuple[str, object]) -> None:
    content = {**COMPILED.content, change[0]: change[1]}
    if change[0] == "settings":
        del content["schema"]
    snapshot.write(written[0], content, b"")  # type: ignore[arg-type]
    assert snapshot.read(written[0]) is None


def test_it_is_stale_when_anything_it_was_made_from_changes(
    written: tuple[str, dict[bytes, bytes]], tmp_path: pathlib.Path
) -> None:
    place, environ = written
    found = snapshot.read(place)
    assert found is not None and found.is_fresh(environ)
    assert not found.is_fresh({**environ, b"HOME": b"/elsewhere"})
    assert not found.is_fresh({**environ, b"XDG_CONFIG_HOME": b"/elsewhere"})
    config = tmp_path / ".config/token-saver/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'user_processors_dir = "{tmp_path}/mine"\n')
    assert not found.is_fresh(environ)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/one.py").write_text("")
    again = plugins.write_snapshot(environ)
    assert again.is_fresh(environ)
    os.utime(tmp_path / "mine/one.py", (time.time() + 5,) * 2)
    assert not again.is_fresh(environ)
    again = plugins.write_snapshot(environ)
    (tmp_path / "mine/two.py").write_text("")
    assert not again.is_fresh(environ)


def test_it_is_stale_when_a_distribution_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    site = tmp_path / "site-packages"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    made, _ = plugins.compile_snapshot(environment(tmp_path))
    assert str(site) in made.content["path"] and made.is_fresh(environment(tmp_path))
    (site / "other-1.0.dist-info").mkdir()
    assert not made.is_fresh(environment(tmp_path))


def test_a_folder_that_cannot_be_written_is_told(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SnapshotError, match="cannot be written: "):
        snapshot.write(f"{tmp_path}/file/cache/place", COMPILED.content, b"")


def check_selection(command: str, disabled: frozenset[str] = frozenset()) -> None:
    line = as_command(command)
    assert COMPILED.select(line, disabled).name == Registry(FOUND.processors, disabled).select(line).name


def test_it_selects_what_the_registry_selects_for_recorded_commands() -> None:
    index = SHARED / "captures/index.json"
    if not index.exists():
        pytest.skip("the shared captures are not here")
    for entry in json.loads(index.read_text()):
        check_selection(entry["command"])


@given(
    st.sampled_from([*COMMANDS, "uv run", "npx", "sudo", "cd x &&", "cat", "unknown"]),
    st.lists(st.sampled_from([*COMMANDS, "-x", "--test", "-C", "/a/b", "|", "&&", "head", "a=b", "'", "--"]), max_size=4),
    st.frozensets(st.sampled_from(sorted(REGISTRY.by_name)), max_size=2),
)
@settings(max_examples=400, deadline=None)
def test_it_selects_what_the_registry_selects(first: str, rest: list[str], disabled: frozenset[str]) -> None:
    check_selection(" ".join([first, *rest]), disabled)


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_it_selects_the_fallback_for_anything_unknown(command: str) -> None:
    check_selection(command)


@pytest.mark.parametrize("command", COMMANDS)
def test_families_that_decide_themselves_read_no_other_programs(command: str) -> None:
    line = as_command(command)
    for processor in REGISTRY:
        if processor is not REGISTRY.fallback and processor.can_handle(line):
            programs = {words.partition(" ")[0] for words in getattr(processor, "commands", ())}
            assert line.program in programs, f"{processor.name} reads {command!r}, which none of its commands names"


def test_processors_of_plugins_are_made_again(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ts_hooked.py").write_text(
        "from token_saver.processor import Processor\n"
        "class Mine(Processor):\n"
        "    name = 'mine'\n"
        "    def can_handle(self, command): return 'mine' in command\n"
        "class plugin:\n"
        "    token_saver_processors = staticmethod(lambda: [Mine()])\n"
    )
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    rows = [
        "mine\thook\tts_hooked\tplugin.token_saver_processors\tasks",
        f"filed\tfile\t{tmp_path}/ts_hooked.py\tMine\tasks",
        COMPILED.content["processors"][-1],
    ]
    made = Snapshot({**COMPILED.content, "processors": rows, "decisions": ";", "asked": [0, 1]})
    assert made.select(as_command("all mine")).name == "mine"
    assert made.select(as_command("all mine"), frozenset({"mine"})).name == "mine"
    assert made.select(as_command("other")).name == "generic"
    assert made.named("nothing") is None
    gone = Snapshot({**made.content, "processors": [rows[0].replace("mine", "gone", 1), rows[2]], "asked": [0]})
    with pytest.raises(SnapshotError, match="'gone' is not where the snapshot says"):
        gone.select(as_command("all mine"))


def test_patterns_from_the_table_are_equal_to_those_that_re_makes() -> None:
    known = {(made.home, made.pattern) for made in rx._known}
    assert len(known) > 100
    rx.use_table(compile_table())
    try:
        unequal = [pattern for home, pattern in known if rx._compile(home, pattern) != re.compile(pattern)]
    finally:
        rx.use_table({})
    assert unequal == []


SERVED = """\
import sys
sys.path.append(sys.argv[1])
from token_saver import snapshot
archive = snapshot.use_archive(sys.argv[2])
import token_saver.processors.ruff, token_saver.engine
from token_saver.text.markers import is_marker
assert is_marker("[… 3 lines]") and "re" not in sys.modules
print(archive.is_whole, sorted(name for name, module in sys.modules.items()
    if name.startswith("token_saver.") and name not in archive._code))
"""


def served(place: str) -> list[str]:
    source = str(pathlib.Path(snapshot.package()).parent)
    argv = [sys.executable, "-I", "-S", "-c", SERVED, source, place]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(" ", 1)


def test_hot_modules_and_patterns_come_from_the_archive(written: tuple[str, dict[bytes, bytes]]) -> None:
    assert served(written[0]) == ["True", "['token_saver.archive', 'token_saver.snapshot']\n"]


@pytest.mark.parametrize("stale", ["token_saver.processors.ruff", "token_saver.engine"])
def test_a_module_whose_source_has_changed_comes_from_the_source(
    written: tuple[str, dict[bytes, bytes]], monkeypatch: pytest.MonkeyPatch, stale: str
) -> None:
    modules = {name: plugins._packable(name) for name in plugins._hot_modules()}
    name, path, is_package, _ = modules[stale]
    modules[stale] = (name, path, is_package, compile("raise RuntimeError('stale code')", path, "exec"))
    real = snapshot.stamp
    monkeypatch.setattr(archive, "_mtime", lambda asked: 1 if asked == path else real(asked))
    packed = archive.packed(list(modules.values()), plugins._run_order("token_saver.engine", modules), compile_table())
    pathlib.Path(written[0], snapshot.ARCHIVE).write_bytes(packed)
    assert served(written[0])[0] == "False"
