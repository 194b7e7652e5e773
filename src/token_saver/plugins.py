"""Finds the processors: our own families, installed distributions, the user's folder. The only room that uses pluggy.

What is found here is an input of the registry snapshot (``token_saver.snapshot``); the hot path never comes here.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import sys
from typing import TYPE_CHECKING, NamedTuple

import pluggy

from token_saver import hookspecs, processors
from token_saver.errors import PluginError
from token_saver.processor import FALLBACK_NAME, Processor
from token_saver.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

ENTRY_POINT_GROUP = "token_saver"


class Problem(NamedTuple):
    """A plugin that was left out: its name, and why, without any content of it."""

    plugin: str
    reason: str


class Found(NamedTuple):
    """Everything that was discovered: the processors, and the plugins that were left out."""

    processors: tuple[Processor, ...]
    problems: tuple[Problem, ...]


def builtin_modules() -> Iterator[str]:
    """Yield the module names of our own families, in order."""
    for module in pkgutil.walk_packages(processors.__path__, processors.__name__ + "."):
        if not module.name.rpartition(".")[2].startswith("_"):
            yield module.name


def concrete(module: ModuleType) -> list[type[Processor]]:
    """Return the processor classes that *module* itself defines and that have a name."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Processor)
        and value.__module__ == module.__name__
        and value.name
        and not value.__name__.startswith("_")
    ]


def builtin_processors() -> tuple[Processor, ...]:
    """Return an instance of each of our own families."""
    classes = [cls for name in builtin_modules() for cls in concrete(importlib.import_module(name))]
    return tuple(cls() for cls in classes)


def discover(user_folder: str | None = None, *, entry_points: bool = True) -> Found:
    """Find every processor; a plugin that raises, or that brings a name already taken, is left out and named.

    *user_folder* is a folder of ``.py`` files that the user put there; files whose name starts with ``_`` are ignored.
    """
    problems: list[Problem] = []
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs.Hooks)
    if entry_points:
        problems += _load_entry_points(manager)
    for module, problem in _user_modules(user_folder):
        if problem is not None:
            problems.append(problem)
        elif module is not None:
            manager.register(_FromFile(module), name=module.__name__)
    found = list(builtin_processors())
    for plugin, made in _ask(manager, problems):
        found += _admitted(made, plugin, found, problems)
    return Found(tuple(found), tuple(problems))


@functools.cache
def default_found() -> Found:
    """Return what the current settings discover; cached for the process."""
    from token_saver.settings import load

    return discover(str(load().get("user_processors_dir") or "") or None)


def load_processors() -> tuple[Processor, ...]:
    """Return the processors of the default discovery."""
    return default_found().processors


@functools.cache
def default_hook_patterns() -> tuple[str, ...]:
    """Return the hook patterns of the enabled processors of the default discovery."""
    from token_saver.settings import load

    return Registry(load_processors(), load().get("disabled_processors") or ()).hook_patterns()


class _FromFile:
    """A user's file as a plugin: the processor classes that it defines."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    @hookspecs.hookimpl
    def token_saver_processors(self) -> list[Processor]:
        return [cls() for cls in concrete(self._module)]


def _load_entry_points(manager: pluggy.PluginManager) -> list[Problem]:
    """Register each entry point by itself, so that a broken one does not take the others with it."""
    from importlib.metadata import entry_points

    problems: list[Problem] = []
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            manager.register(entry.load(), name=entry.name)
        except Exception as error:
            problems.append(Problem(entry.name, f"cannot be loaded: {type(error).__name__}"))
    return problems


def _user_modules(folder: str | None) -> Iterator[tuple[ModuleType | None, Problem | None]]:
    import pathlib

    if not folder:
        return
    place = pathlib.Path(folder).expanduser()
    if not place.is_dir():
        yield None, Problem(str(place), "the folder of user processors does not exist")
        return
    for path in sorted(place.glob("*.py")):
        if path.name.startswith("_"):
            continue
        try:
            yield _import_file(path.stem, str(path)), None
        except Exception as error:
            yield None, Problem(path.name, f"cannot be imported: {type(error).__name__}")


def _import_file(stem: str, path: str) -> ModuleType:
    name = f"token_saver_user.{stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _ask(manager: pluggy.PluginManager, problems: list[Problem]) -> Iterator[tuple[str, list[Processor]]]:
    """Call the hook of each plugin apart; one that raises or returns something else is left out."""
    for implementation in manager.hook.token_saver_processors.get_hookimpls():
        try:
            yield implementation.plugin_name, list(implementation.function())
        except Exception as error:
            problems.append(Problem(implementation.plugin_name, f"failed: {type(error).__name__}"))


def _admitted(made: Iterable[Processor], plugin: str, found: list[Processor], problems: list[Problem]) -> Iterator[Processor]:
    taken = {processor.name for processor in found}
    for processor in made:
        reason = _objection(processor, taken)
        if reason:
            problems.append(Problem(plugin, reason))
            continue
        taken.add(processor.name)
        yield processor


def _objection(processor: Processor, taken: set[str]) -> str:
    """Return why *processor* cannot be admitted, "" when it can."""
    import re

    if not isinstance(processor, Processor):
        return f"{type(processor).__name__} is not a Processor"
    if not processor.name or processor.name in taken:
        return f"the name {processor.name!r} is empty or taken"
    if processor.name == FALLBACK_NAME or not isinstance(processor.priority, int) or processor.priority >= 999:
        return f"{processor.name!r} needs a priority below 999"
    for pattern in processor.hook_patterns:
        try:
            re.compile(pattern)
        except (re.error, TypeError):
            return f"{processor.name!r} has a hook pattern that does not compile"
        if not pattern.startswith("^"):
            return f"{processor.name!r} has a hook pattern that is not anchored with ^"
    return ""
