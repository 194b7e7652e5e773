"""pip, uv, poetry, npm, pnpm and yarn: installing, listing, checking, and what they say when it does not work out."""

from __future__ import annotations

import json
import subprocess
from functools import partial

from scripts.recording.advisories import serve_advisories
from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_packages = partial(Recipe, "packages")

_REQUIREMENTS = "jinja2==3.1.4\nclick==8.1.7\nrich==13.7.1\n"
_BROKEN_SETUP = """\
from setuptools import setup

raise SystemExit("press needs libink 2.0 or newer, found 1.4")
setup()
"""


def _venv(project: Project, *installed: str) -> None:
    project.shell("python -m venv .venv")
    if installed:
        project.shell("pip install -q " + " ".join(f"'{one}'" for one in installed))


def _requirements(project: Project) -> None:
    _venv(project)
    project.write({"requirements.txt": _REQUIREMENTS})


def _satisfied(project: Project) -> None:
    _requirements(project)
    project.shell("pip install -q -r requirements.txt")


def _old_packages(project: Project) -> None:
    _venv(project, "jinja2==3.1.2", "click==8.1.3", "rich==13.5.0", "attrs==23.1.0")


def _broken_packages(project: Project) -> None:
    _venv(project, "jinja2==3.1.4", "rich==13.7.1")
    project.shell("pip uninstall -q -y markupsafe && pip install -q --no-deps 'pygments==2.5.2'")


def _unbuildable(project: Project) -> None:
    _venv(project, "setuptools", "wheel")
    project.write({"press/setup.py": _BROKEN_SETUP, "press/README.md": "# Press\n"})


def _uv_project(project: Project, *needed: str) -> None:
    listed = ", ".join(f'"{one}"' for one in needed or ("jinja2==3.1.4", "rich==13.7.1"))
    text = f'[project]\nname = "press"\nversion = "0.4.0"\nrequires-python = ">=3.11"\ndependencies = [{listed}]\n'
    project.write({"pyproject.toml": text})


def _uv_synced(project: Project) -> None:
    _uv_project(project)
    project.shell("uv sync -q")


def _uv_drifted(project: Project) -> None:
    _uv_project(project)
    project.shell("uv lock -q")
    project.edit("pyproject.toml", "rich==13.7.1", "rich==13.8.0")


def _poetry_project(project: Project, *needed: str) -> None:
    _uv_project(project, *needed)
    asked = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    index = subprocess.run(["python", "-c", asked], env=project.env, capture_output=True, text=True, check=True).stdout.strip()
    source = f'\n[tool.poetry]\npackage-mode = false\n\n[[tool.poetry.source]]\nname = "mirror"\nurl = "{index}"\n'
    project.write({"pyproject.toml": (project.root / "pyproject.toml").read_text() + source})
    project.shell("poetry config virtualenvs.in-project true")


def _unversioned(project: Project) -> None:
    project.write({"pyproject.toml": '[project]\nname = "press"\nversion = "x.y"\n'})


def _poetry_installed(project: Project) -> None:
    _poetry_project(project)
    project.shell("poetry install -q")


def _node_project(project: Project, needed: dict[str, str], **more: object) -> None:
    package = {"name": "map-tiles", "version": "1.2.0", "private": True, "dependencies": needed, **more}
    project.write({"package.json": json.dumps(package, indent=2) + "\n", ".npmrc": "audit=false\nfund=false\n"})


def _express(project: Project) -> None:
    _node_project(project, {"express": "4.18.2", "chalk": "4.1.2"})


def _express_installed(project: Project) -> None:
    _express(project)
    project.shell("npm install")


def _peer_conflict(project: Project) -> None:
    _node_project(project, {"react": "18.2.0", "react-dom": "17.0.2"})


def _lock_mismatch(project: Project) -> None:
    _node_project(project, {"ms": "2.1.2"})
    project.shell("npm install")
    project.edit("package.json", "2.1.2", "2.1.3")


def _missing_installed(project: Project) -> None:
    _node_project(project, {"ms": "2.1.2", "chalk": "4.1.2"})
    project.shell("npm install && rm -r node_modules/ms")
    project.write({"node_modules/is-odd/package.json": '{"name": "is-odd", "version": "3.0.1"}\n'})


def _audited(project: Project) -> None:
    _node_project(project, {"mkdirp": "0.5.1", "ms": "1.0.0", "chalk": "4.1.2"})
    project.shell("npm install")
    asked = subprocess.run(
        ["npm", "config", "get", "registry"], env=project.env, cwd=project.root, capture_output=True, text=True
    )
    project.write({".npmrc": f"registry={serve_advisories(asked.stdout.strip())}\n"})


def _failing_script(project: Project) -> None:
    build = "console.log('drawing 12 sheets');\nthrow new Error('sheet 7 has no border');\n"
    _node_project(project, {}, scripts={"build": "node build.js", "lint": "exit 0"})
    project.write({"build.js": build})


def _pnpm_installed(project: Project) -> None:
    _express(project)
    project.shell("pnpm install")


def _pnpm_drifted(project: Project) -> None:
    _pnpm_installed(project)
    project.edit("package.json", "4.18.2", "4.19.2")


def _yarn_installed(project: Project) -> None:
    _express(project)
    project.shell("yarn install")


_OLD = ("attrs", "23.1.0", "click", "8.1.3", "Jinja2", "3.1.2", "rich", "13.5.0")

_PIP = (
    _packages(
        "pip-install",
        "pip install -r requirements.txt",
        ("Successfully installed", "click-8.1.7", "jinja2-3.1.4", "rich-13.7.1"),
        _requirements,
    ),
    _packages(
        "pip-install-terminal",
        "pip install -r requirements.txt",
        ("Successfully installed", "jinja2-3.1.4"),
        _requirements,
        terminal=True,
        notes="progress bars in colour",
    ),
    _packages(
        "pip-install-satisfied", "pip install -r requirements.txt", ("Requirement already satisfied: jinja2==3.1.4",), _satisfied
    ),
    _packages(
        "pip-install-no-version",
        "pip install 'click==99.0'",
        ("No matching distribution found for click==99.0", "8.1.7"),
        _venv,
        exit_code=1,
    ),
    _packages(
        "pip-install-conflict",
        "pip install 'jinja2==3.1.4' 'markupsafe<2'",
        ("ResolutionImpossible", "jinja2 3.1.4 depends on MarkupSafe>=2.0", "The user requested markupsafe<2"),
        _venv,
        exit_code=1,
    ),
    _packages(
        "pip-install-breaks-others",
        "pip install 'pygments==2.5.2'",
        (
            "Successfully installed pygments-2.5.2",
            "rich 13.5.0 requires pygments<3.0.0,>=2.13.0, but you have pygments 2.5.2 which is incompatible.",
        ),
        _old_packages,
        notes="an error in a run that ends with 0",
    ),
    _packages(
        "pip-install-unbuildable",
        "pip install --no-build-isolation ./press",
        ("press needs libink 2.0 or newer, found 1.4", "error: metadata-generation-failed"),
        _unbuildable,
        exit_code=1,
    ),
    _packages(
        "pip-install-missing-file",
        "pip install -r requirements-dev.txt",
        ("No such file or directory: 'requirements-dev.txt'",),
        _venv,
        exit_code=1,
    ),
    _packages("pip-install-verbose", "pip install -v 'click==8.1.7'", ("Successfully installed click-8.1.7",), _venv),
    _packages("pip-list", "pip list", _OLD, _old_packages),
    _packages("pip-list-json", "pip list --format=json", ('"name": "attrs", "version": "23.1.0"',), _old_packages),
    _packages("pip-outdated", "pip list --outdated", _OLD, _old_packages),
    _packages("pip-freeze", "pip freeze", ("attrs==23.1.0", "rich==13.5.0"), _old_packages),
    _packages(
        "pip-show", "pip show rich", ("Name: rich", "Version: 13.5.0", "Requires: markdown-it-py, pygments"), _old_packages
    ),
    _packages("pip-check", "pip check", ("No broken requirements found.",), _old_packages),
    _packages(
        "pip-check-broken",
        "pip check",
        (
            "jinja2 3.1.4 requires markupsafe, which is not installed.",
            "rich 13.7.1 has requirement pygments<3.0.0,>=2.13.0, but you have pygments 2.5.2.",
        ),
        _broken_packages,
        exit_code=1,
    ),
    _packages("pip-uninstall", "pip uninstall -y rich", ("Successfully uninstalled rich-13.5.0",), _old_packages),
)

_UV = (
    _packages("uv-sync", "uv sync", ("+ jinja2==3.1.4", "+ rich==13.7.1", "Resolved 7 packages"), _uv_project),
    _packages("uv-sync-nothing", "uv sync", ("Resolved 7 packages",), _uv_synced),
    _packages("uv-sync-drifted", "uv sync --locked", ("lockfile", "needs to be updated"), _uv_drifted, exit_code=1),
    _packages(
        "uv-add-conflict",
        "uv add 'markupsafe<2'",
        ("No solution found when resolving dependencies", "markupsafe<2", "jinja2==3.1.4"),
        _uv_project,
        exit_code=1,
    ),
    _packages("uv-tree", "uv tree", ("press v0.4.0", "jinja2 v3.1.4", "rich v13.7.1"), _uv_synced),
    _packages("uv-pip-install", "uv pip install 'click==8.1.7' 'jinja2==3.1.4'", ("+ click==8.1.7", "+ jinja2==3.1.4"), _venv),
    _packages("uv-pip-list", "uv pip list", _OLD[1::2], _old_packages),
    _packages(
        "uv-pip-unbuildable", "uv pip install ./press", ("press needs libink 2.0 or newer, found 1.4",), _unbuildable, exit_code=1
    ),
    _packages("uv-run-missing", "uv run pressd", ("error: Failed to spawn: pressd",), _uv_synced, exit_code=2),
)

_POETRY = (
    _packages("poetry-install", "poetry install", ("Installing jinja2 (3.1.4)", "Installing rich (13.7.1)"), _poetry_project),
    _packages("poetry-install-nothing", "poetry install", ("No dependencies to install or update",), _poetry_installed),
    _packages("poetry-show", "poetry show", ("jinja2", "3.1.4", "rich", "13.7.1"), _poetry_installed),
    _packages("poetry-show-tree", "poetry show --tree", ("jinja2 3.1.4", "rich 13.7.1"), _poetry_installed),
    _packages(
        "poetry-add-conflict",
        "poetry add 'markupsafe<2'",
        ("version solving failed", "markupsafe"),
        _poetry_installed,
        exit_code=1,
    ),
    _packages(
        "poetry-check-fails",
        "poetry check",
        ("The Poetry configuration is invalid:", "project.version must match pattern"),
        _unversioned,
        exit_code=1,
    ),
)

_NPM = (
    _packages("npm-install", "npm install", ("added ",), _express),
    _packages("npm-install-nothing", "npm install", ("up to date",), _express_installed),
    _packages("npm-install-terminal", "npm install", ("added ",), _express, terminal=True, notes="a spinner"),
    _packages(
        "npm-install-eresolve",
        "npm install",
        ("npm error code ERESOLVE", 'react@"18.2.0"', "react-dom@17.0.2"),
        _peer_conflict,
        exit_code=1,
    ),
    _packages(
        "npm-install-404",
        "npm install @harbor/map-tiles-that-do-not-exist",
        ("npm error code E404", "@harbor/map-tiles-that-do-not-exist"),
        _express,
        exit_code=1,
    ),
    _packages("npm-install-no-version", "npm install ms@99.0.0", ("npm error code ETARGET", "ms@99.0.0"), _express, exit_code=1),
    _packages("npm-ci-mismatch", "npm ci", ("npm error code EUSAGE", "ms@2.1.3"), _lock_mismatch, exit_code=1),
    _packages("npm-ls", "npm ls", ("express@4.18.2", "chalk@4.1.2"), _express_installed),
    _packages("npm-ls-all", "npm ls --all", ("express@4.18.2", "accepts@1.3.8", "debug@2.6.9"), _express_installed),
    _packages("npm-ls-json", "npm ls --json", ('"express"', '"version": "4.18.2"'), _express_installed),
    _packages(
        "npm-ls-problems",
        "npm ls",
        ("npm error code ELSPROBLEMS", "missing: ms@2.1.2", "extraneous: is-odd@3.0.1"),
        _missing_installed,
        exit_code=1,
    ),
    _packages("npm-outdated", "npm outdated", ("express", "4.18.2", "chalk", "4.1.2"), _express_installed, exit_code=1),
    _packages(
        "npm-audit",
        "npm audit",
        ("minimist", "Prototype pollution in minimist", "critical", "Slow regular expression in ms"),
        _audited,
        exit_code=1,
        notes="the advisories are invented, the client is real",
    ),
    _packages(
        "npm-run-fails",
        "npm run build",
        ("Error: sheet 7 has no border", "drawing 12 sheets", "build.js:2"),
        _failing_script,
        exit_code=1,
    ),
    _packages("npm-run-unknown", "npm run biuld", ('Missing script: "biuld"',), _failing_script, exit_code=1),
    _packages("npm-run-list", "npm run", ("node build.js",), _failing_script),
)

_OTHERS = (
    _packages("pnpm-install", "pnpm install", ("+ express 4.18.2", "+ chalk 4.1.2"), _express),
    _packages(
        "pnpm-install-frozen",
        "pnpm install --frozen-lockfile",
        ("ERR_PNPM_OUTDATED_LOCKFILE", "4.19.2"),
        _pnpm_drifted,
        exit_code=1,
    ),
    _packages(
        "pnpm-install-404",
        "pnpm add @harbor/map-tiles-that-do-not-exist",
        (
            "ERR_PNPM_PACKAGE_MANAGER_ADD_RESOLVE_LATEST",
            "Failed to resolve the latest version of @harbor/map-tiles-that-do-not-",
            "404 Not",
        ),
        _express,
        exit_code=1,
    ),
    _packages("pnpm-list", "pnpm list", ("express", "4.18.2"), _pnpm_installed),
    _packages("pnpm-outdated", "pnpm outdated", ("express", "4.18.2", "chalk", "4.1.2"), _pnpm_installed, exit_code=1),
    _packages("pnpm-run-fails", "pnpm run build", ("Error: sheet 7 has no border",), _failing_script, exit_code=1),
    _packages("yarn-install", "yarn install", ("Saved lockfile", "Done in"), _express),
    _packages("yarn-list", "yarn list --depth=0", ("express@4.18.2", "chalk@4.1.2"), _yarn_installed),
    _packages("yarn-outdated", "yarn outdated", ("express", "4.18.2", "chalk", "4.1.2"), _yarn_installed, exit_code=1),
    _packages(
        "yarn-add-404",
        "yarn add @harbor/map-tiles-that-do-not-exist",
        ("@harbor/map-tiles-that-do-not-exist", "error"),
        _express,
        exit_code=1,
    ),
    _packages(
        "yarn-run-fails",
        "yarn build",
        ("Error: sheet 7 has no border", "error Command failed with exit code 1."),
        _failing_script,
        exit_code=1,
    ),
)

RECIPES = (*_PIP, *_UV, *_POETRY, *_NPM, *_OTHERS)
