"""What is done to bring Token-Saver up to date; processes are replaced only where they are started, git runs for real."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from importlib.metadata import PathDistribution

import pytest

from token_saver import __version__, updater
from token_saver.cli import main
from token_saver.errors import InputError

NEWER = "999.1"
PIP = f"token-saver ({NEWER})\nAvailable versions: {NEWER}, {__version__}\n"


@pytest.fixture(autouse=True)
def home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def environment(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An environment of its own, with a distribution in it, and the package outside of any checkout."""
    prefix = tmp_path / "environment"
    information = prefix / "token_saver-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: token-saver\nVersion: 1\n")
    (information / "INSTALLER").write_text("pip\n")
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(updater, "__file__", str(prefix / "lib/token_saver/updater.py"))
    monkeypatch.setattr(updater, "_distribution", lambda: PathDistribution(information))
    return prefix


class Boundary:
    """Stands where processes are started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answer: str | None = "", status: int = 0) -> None:
        self.started: list[tuple[str, ...]] = []
        self.asked: list[tuple[str, ...]] = []
        self.answer, self.status = answer, status
        monkeypatch.setattr(updater, "carried_out", self._carried_out)
        monkeypatch.setattr(updater, "told", self._told)

    def _carried_out(self, command: tuple[str, ...]) -> int:
        self.started.append(command)
        return self.status

    def _told(self, command: tuple[str, ...], patience: float) -> str | None:
        assert patience <= 5
        self.asked.append(command)
        return self.answer


def test_pip(environment: pathlib.Path) -> None:
    found = updater.installation()
    assert found.kind == "pip" and found.commands == ((sys.executable, "-m", "pip", "install", "--upgrade", "token-saver"),)


def test_uv_in_an_environment(environment: pathlib.Path) -> None:
    (environment / "token_saver-1.dist-info/INSTALLER").write_text("uv")
    found = updater.installation()
    assert found.kind == "uv pip" and found.commands[0][:5] == ("uv", "pip", "install", "--python", sys.executable)


@pytest.mark.parametrize(
    ("receipt", "kind", "command"),
    [
        ("pipx_metadata.json", "pipx", ("pipx", "upgrade", "token-saver")),
        ("uv-receipt.toml", "uv tool", ("uv", "tool", "upgrade", "token-saver")),
    ],
)
def test_tools_that_keep_a_receipt(environment: pathlib.Path, receipt: str, kind: str, command: tuple[str, ...]) -> None:
    (environment / receipt).write_text("")
    found = updater.installation()
    assert (found.kind, found.commands) == (kind, (command,))


def test_a_plugin(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updater, "__file__", str(environment / ".claude/plugins/cache/x/src/token_saver/updater.py"))
    found = updater.installation()
    assert found.kind == "plugin" and found.commands == (("claude", "plugin", "update", "token-saver@token-saver"),)


def test_what_the_system_manages_is_left_to_it(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (environment / "EXTERNALLY-MANAGED").write_text("")
    monkeypatch.setattr(sys, "base_prefix", str(environment))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(environment))
    boundary = Boundary(monkeypatch)
    assert updater.installation().kind == "system" and main(["update", "--yes"]) == 2 and boundary.started == []


def test_the_commands_are_shown_asked_about_and_run(
    environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    boundary = Boundary(monkeypatch)
    assert main(["update"]) == 1 and boundary.started == [], "nobody can be asked here"
    assert "-m pip install --upgrade token-saver" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    for answer, status in (("n", 1), ("", 1), ("y", 0)):
        monkeypatch.setattr("builtins.input", lambda prompt, answer=answer: answer)
        assert main(["update"]) == status
    assert boundary.started == [updater.installation().commands[0]]


def test_the_hooks_of_connected_hosts_are_put_in_place_again(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from token_saver.hosts import install, layout

    for host, mode in (("claude", "hybrid"), ("antigravity", "after-tool")):
        install.apply(install.planned(layout.targets(layout.BY_NAME[host], mode)))
    boundary = Boundary(monkeypatch)
    assert main(["update", "--yes"]) == 0
    again = [command[-4:] for command in boundary.started[1:]]
    assert again == [("init", "claude", "--mode", "hybrid"), ("init", "antigravity", "--mode", "after-tool")]


def test_nothing_follows_what_failed(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from token_saver.hosts import install, layout

    install.apply(install.planned(layout.targets(layout.BY_NAME["gemini"], "after-tool")))
    boundary = Boundary(monkeypatch, status=3)
    assert main(["update", "--yes"]) == 1 and len(boundary.started) == 1


def test_a_program_that_is_not_there_is_named_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    boundary = Boundary(monkeypatch)
    with pytest.raises(InputError, match="no-such-program"):
        updater.update(updater.Installation("x", "x", ((sys.executable, "-c", ""), ("no-such-program",))))
    assert boundary.started == []


def test_a_look_tells_what_is_newer_and_is_kept_for_a_day(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boundary = Boundary(monkeypatch, PIP)
    of = updater.installation()
    for now in (1_000.0, 1_000.0 + updater.KEPT - 1):
        assert updater.newer(of, now=iter([now, now]).__next__) == NEWER
    assert len(boundary.asked) == 1
    for now in (1_000.0 + updater.KEPT, 900.0):
        assert updater.newer(of, now=iter([now, now]).__next__) == NEWER
    assert len(boundary.asked) == 3, "an old answer, and one from the future, are not believed"
    assert main(["update", "--check"]) == 1


def test_the_same_version_is_not_newer(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Boundary(monkeypatch, f"token-saver ({__version__})\n")
    assert updater.newer(updater.installation()) is None and main(["update", "--check"]) == 0


@pytest.mark.parametrize("answer", [None, "", "something else\n"])
def test_offline_a_look_is_silent_and_kept_nowhere(
    environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str | None
) -> None:
    boundary = Boundary(monkeypatch, answer)
    assert main(["update", "--check"]) == 0 and main(["update", "--check"]) == 0
    told = capsys.readouterr()
    assert told.out == told.err == "" and len(boundary.asked) == 2


def test_uv_tells_by_what_it_would_install(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (environment / "uv-receipt.toml").write_text("")
    boundary = Boundary(
        monkeypatch, f"Resolved 12 packages in 3ms\nWould install 1 package\n - token-saver==0.1\n + token-saver=={NEWER}\n"
    )
    assert updater.newer(updater.installation()) == NEWER
    boundary.answer = "Audited 1 package in 1ms\n"
    assert updater.newer(updater.installation(), now=lambda: 9e9) is None


@pytest.mark.parametrize("kept", ["", "[]", '{"kind": "pip"}', '{"kind": "pip", "when": "x", "newest": 1}'])
def test_a_damaged_answer_is_asked_for_again(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch, kept: str) -> None:
    path = pathlib.Path(updater._cache())
    path.parent.mkdir(parents=True)
    path.write_text(kept)
    boundary = Boundary(monkeypatch, PIP)
    assert updater.newer(updater.installation()) == NEWER and len(boundary.asked) == 1


def git(folder: pathlib.Path, *words: str) -> str:
    line = ["git", "-c", "user.name=u", "-c", "user.email=u@example.org", "-C", str(folder), *words]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_a_checkout_is_pulled_for_real(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = tmp_path / "origin"
    (origin / "src/token_saver").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main", str(origin))
    for name in ("one", "two"):
        (origin / "src/token_saver/updater.py").write_text(name)
        git(origin, "add", "-A")
        git(origin, "commit", "-qm", name)
        if name == "one":
            git(tmp_path, "clone", "-q", str(origin), "mine")
    mine = tmp_path / "mine"
    monkeypatch.setattr(updater, "__file__", str(mine / "src/token_saver/updater.py"))
    monkeypatch.setattr(updater, "_distribution", lambda: None)
    of = updater.installation()
    assert of.kind == "git" and of.commands == (("git", "-C", str(mine), "pull", "--ff-only"),)
    assert updater.newer(of) == git(origin, "rev-parse", "HEAD").strip()
    assert updater.update(of) == 0
    assert (mine / "src/token_saver/updater.py").read_text() == "two"
    assert updater.newer(of) is None


def test_an_editable_checkout_is_installed_again(environment: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (environment / "token_saver-1.dist-info/direct_url.json").write_text('{"url": "file:///x", "dir_info": {"editable": true}}')
    (environment / ".git").mkdir()
    monkeypatch.setattr(updater, "__file__", str(environment / "src/token_saver/updater.py"))
    of = updater.installation()
    assert of.kind == "git" and len(of.commands) == 2 and of.commands[1][-2:] == ("--editable", str(environment))


def test_what_takes_too_long_or_is_not_there_tells_nothing() -> None:
    assert updater.told((sys.executable, "-c", "import time; time.sleep(60)"), 0.2) is None
    assert updater.told(("/no/such/program",), 1) is None
    assert updater.told((sys.executable, "-c", "print(1); raise SystemExit(3)"), 5) is None
    assert updater.told((sys.executable, "-c", "print(1)"), 5) == "1\n"


def test_nothing_else_imports_it() -> None:
    package = pathlib.Path(__file__).parent.parent / "src/token_saver"
    users = {path.name for path in package.rglob("*.py") if "import updater" in path.read_text(encoding="utf-8")}
    assert users == {"update.py"}
