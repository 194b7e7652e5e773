"""The documents tell the truth: generated pages are fresh, README's code runs, and links lead somewhere."""

from __future__ import annotations

import pathlib
import re
import shlex
import subprocess
import sys

import pytest

from token_saver.cli import parser
from token_saver.plugins import builtin_processors

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((ROOT / "docs").rglob("*.md"))
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.slow
def test_the_page_of_every_family_is_fresh() -> None:
    script = ROOT / "scripts" / "make_family_pages.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_family_says_in_a_sentence_what_stays() -> None:
    for processor in builtin_processors():
        assert (type(processor).__doc__ or "").partition("\n")[0].endswith("."), processor.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: pathlib.Path) -> None:
    text = re.sub(r"````.*?````|```.*?```", "", page.read_text("utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.S))
def test_the_python_of_the_readme_runs(code: str) -> None:
    exec(compile(code, "README.md", "exec"), {})


def test_the_output_that_the_readme_shows_is_a_recorded_one() -> None:
    case = ROOT / "tests" / "fixtures" / "pytest" / "outcomes"
    shown = re.findall(r"```console\n\$ token-saver run -- pytest -ra\n(.*?)```", README, re.S)
    assert shown == [(case / "expected.txt").read_text("utf-8")]
    assert f"{len((case / 'capture.txt').read_text('utf-8')):,} characters before" in README


def test_the_commands_of_the_readme_exist() -> None:
    known = {name for action in parser()._subparsers._group_actions for name in action.choices}  # type: ignore[union-attr]
    block = "\n".join(re.findall(r"```sh\n(.*?)```", README, re.S))
    used = set(re.findall(r"token-saver (\w+)", re.sub(r"#.*", "", block)))
    assert used and used <= known
    targets = set(re.findall(r"^make (\w+)", block, re.M))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets == {"demo", "test"} and all(f"\n{target}:" in makefile for target in targets)


def test_ci_calls_what_the_readme_tells() -> None:
    lines = [shlex.split(line) for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines() if line.startswith("make")]
    assert lines == [["make", "test"]]


def test_the_version_stands_once() -> None:
    from token_saver import __version__

    assert re.search(r'^version = "', (ROOT / "pyproject.toml").read_text("utf-8"), re.M) is None
    assert __version__.count(".") == 2


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the help of other versions of Python is laid out in another way")
def test_the_reference_says_what_the_code_says() -> None:
    script = ROOT / "scripts" / "make_reference.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
