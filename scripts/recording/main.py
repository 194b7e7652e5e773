"""The command line of the recorder."""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from scripts.recording import recipes
from scripts.recording.project import Project, fresh_project
from scripts.recording.recipe import Recipe, RecordingError
from scripts.recording.run import run
from scripts.recording.scrub import scrub
from scripts.recording.store import store


def all_recipes() -> list[Recipe]:
    """Return the recipes of every module in ``recipes``, in order of family and case."""
    modules = [import_module(f"{recipes.__name__}.{module.name}") for module in iter_modules(recipes.__path__)]
    found = [recipe for module in modules for recipe in getattr(module, "RECIPES", ())]
    return sorted(found, key=lambda recipe: recipe.name)


def main(arguments: list[str] | None = None) -> int:
    """Record what was asked for; return 1 when a recording was refused."""
    options = _parser().parse_args(arguments)
    chosen = _chosen(all_recipes(), options.what)
    if options.list:
        for recipe in chosen:
            print(f"{recipe.name:45} {recipe.command}")
        return 0
    refused = 0
    for recipe in chosen:
        try:
            said = _record(recipe, options.tools)
        except (RecordingError, ValueError, subprocess.TimeoutExpired) as error:
            said, refused = f"REFUSED: {error}", refused + 1
        print(f"{recipe.name:45} {said}", flush=True)
    return 1 if refused else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run real tools on small projects and keep what they print.")
    parser.add_argument("what", nargs="*", metavar="FAMILY[/CASE]", help="what to record (default: everything)")
    parser.add_argument("--list", action="store_true", help="print the recipes and stop")
    parser.add_argument("--tools", type=Path, help="virtual environment with the Python tools to record")
    return parser


def _chosen(known: list[Recipe], what: Iterable[str]) -> list[Recipe]:
    wanted = set(what)
    unknown = wanted - {recipe.family for recipe in known} - {recipe.name for recipe in known}
    if unknown:
        sys.exit(f"no recipe is called {', '.join(sorted(unknown))}; --list prints all of them")
    return [recipe for recipe in known if not wanted or {recipe.family, recipe.name} & wanted]


def _record(recipe: Recipe, tools: Path | None) -> str:
    with fresh_project(tools) as project:
        project.locale, project.terminal = recipe.locale, recipe.terminal
        if recipe.locale != "C.UTF-8" and not _has_locale(recipe.locale):
            return f"skipped: the locale {recipe.locale} is not installed"
        if project.which(recipe.program) is None:
            return f"skipped: {recipe.program} is not installed"
        recipe.setup(project)
        made, status = run(recipe.command, project, project.root / recipe.folder)
        capture = scrub(made, project)
        if status != recipe.exit_code:
            raise RecordingError(f"ended with {status}, not {recipe.exit_code}:\n{capture.decode(errors='replace')}")
        version = scrub(_version(recipe.program, project), project).decode(errors="replace")
        return "recorded" if store(recipe, capture, version, _system()) else "unchanged"


def _version(program: str, project: Project) -> bytes:
    asked = subprocess.run([project.which(program) or program, "--version"], env=project.env, capture_output=True)
    return (asked.stdout or asked.stderr).strip().partition(b"\n")[0]


def _has_locale(name: str) -> bool:
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.lower().replace("-", "")
    return name.lower().replace("-", "") in known.split()


def _system() -> str:
    return f"{platform.freedesktop_os_release().get('PRETTY_NAME', platform.system())}, {platform.machine()}"
