"""The example plugin as a stranger uses it: built, installed beside a built Token-Saver in a fresh environment, and selected."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import venv

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "plugins" / "token-saver-example"
SOURCE = EXAMPLE / "src" / "token_saver_example" / "__init__.py"
OUTPUT = "checking src/a.c ... ok\nchecking src/b.c ... ok\nchecking src/c.c ... ok\nsrc/d.c:3: unused variable\n1 finding\n"
EXPECTED = "[… 3 files without a finding]\nsrc/d.c:3: unused variable\n1 finding\n"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def fresh_python(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A new environment with built wheels of the core and of the example, and the dependencies of this one."""
    place = tmp_path_factory.mktemp("fresh")
    for project in (ROOT, EXAMPLE):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place / "wheels")], cwd=project, check=True
        )
    venv.create(place / "env", with_pip=False, symlinks=True)
    python = place / "env" / "bin" / "python"
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = pathlib.Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    wheels = [str(path) for path in (place / "wheels").glob("*.whl")]
    installer = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), *wheels]
    subprocess.run(installer, check=True)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def call(python: pathlib.Path, home: pathlib.Path, *words: str, stdin: str = "", **environ: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOKEN_SAVER")}
    environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home), **environ}
    command = [str(python), "-m", "token_saver", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=True, env=environment, cwd=home).stdout


def test_an_installed_plugin_is_found_and_reads_its_tool(fresh_python: pathlib.Path, tmp_path: pathlib.Path) -> None:
    shown = json.loads(call(fresh_python, tmp_path, "processors", "show", "acme_lint", "--format", "json"))
    assert shown["module"] == "token_saver_example" and shown["priority"] == 40
    assert call(fresh_python, tmp_path, "compress", "acme-lint src", stdin=OUTPUT) == EXPECTED


def test_the_core_under_test_is_the_installed_one(fresh_python: pathlib.Path, tmp_path: pathlib.Path) -> None:
    asked = [str(fresh_python), "-c", "import token_saver; print(token_saver.__file__)"]
    place = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.strip()
    assert place.startswith(str(fresh_python.parent.parent))


def test_the_same_file_works_in_the_users_folder(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "processors"
    folder.mkdir()
    shutil.copy(SOURCE, folder / "acme_lint.py")
    python = pathlib.Path(sys.executable)
    made = call(python, tmp_path, "compress", "acme-lint src", stdin=OUTPUT, TOKEN_SAVER_USER_PROCESSORS_DIR=str(folder))
    assert made == EXPECTED


def test_a_broken_file_is_named_and_left_out(tmp_path: pathlib.Path) -> None:
    (tmp_path / "broken.py").write_text("raise RuntimeError('secret')\n")
    shutil.copy(SOURCE, tmp_path / "acme_lint.py")
    environ = {"TOKEN_SAVER_USER_PROCESSORS_DIR": str(tmp_path)}
    listed = json.loads(call(pathlib.Path(sys.executable), tmp_path, "processors", "list", "--format", "json", **environ))
    assert listed["problems"] == [{"plugin": "broken.py", "reason": "cannot be imported: RuntimeError"}]
    assert "acme_lint" in {row["name"] for row in listed["processors"]}
