"""Finds the processors: our own families, installed distributions, the user's folder. The only room that uses pluggy.

What is found here is compiled into the registry snapshot (``token_saver.snapshot``); the hot path never comes here.
"""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import os
import pkgutil
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pluggy

import token_saver
from token_saver import hookspecs, processors, snapshot
from token_saver.processor import FALLBACK_NAME, Family, Processor
from token_saver.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import ModuleType

    from token_saver.archive import Module
    from token_saver.settings import Settings

ENTRY_POINT_GROUP = "token_saver"
HOT_PACKAGES = ("processors", "redaction", "shell", "text")
HOT_MODULES = ("engine", "errors", "events", "processor", "recorder", "registry", "telemetry", "telemetry.spool")
"""What an output needs to be shortened and recorded: its code and its regular expressions go into the snapshot."""
ALWAYS_NEEDED = "engine"


class Problem(NamedTuple):
    """A plugin that was left out: its name, and why, without any content of it."""

    plugin: str
    reason: str


class Found(NamedTuple):
    """Everything that was discovered: the processors, the plugins left out, and how each processor is made again.

    An origin is what ``load`` of a row in ``registry.json`` holds; see ``token_saver.snapshot``.
    """

    processors: tuple[Processor, ...]
    problems: tuple[Problem, ...]
    origins: Mapping[str, tuple[str, str, str]]


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
    manager = _manager()
    places = _load_entry_points(manager, problems) if entry_points else {}
    for module, problem in _user_modules(user_folder):
        if problem is not None:
            problems.append(problem)
        elif module is not None:
            manager.register(_FromFile(module), name=module.__name__)
    found = list(builtin_processors())
    origins = {processor.name: _class_origin(processor) for processor in found}
    for implementation, made in _ask(manager.hook.token_saver_processors, problems):
        admitted = list(_admitted(made, implementation.plugin_name, found, problems))
        found += admitted
        origins |= {processor.name: _origin(processor, implementation, places) for processor in admitted}
    return Found(tuple(found), tuple(problems), origins)


def _manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs.Hooks)
    return manager


def extensions(kind: str) -> tuple[list[Any], list[Problem]]:
    """Return what the installed plugins bring of a *kind*, and those that failed.

    *kind* is a hook of ``token_saver.hookspecs`` without its prefix: ``commands``, ``listeners``, ``observers``, ``hosts``,
    ``mcp_tools`` or ``tokenizers``.
    """
    problems: list[Problem] = []
    manager = _manager()
    _load_entry_points(manager, problems)
    hook = getattr(manager.hook, f"{hookspecs.PROJECT}_{kind}")
    return [value for _, made in _ask(hook, problems) for value in made], problems


def _class_origin(processor: Processor) -> tuple[str, str, str]:
    return ("class", type(processor).__module__, type(processor).__qualname__)


def _origin(processor: Processor, implementation: pluggy.HookImpl, places: Mapping[str, str]) -> tuple[str, str, str]:
    place = places.get(implementation.plugin_name)
    if place is None:
        return ("file", str(sys.modules[type(processor).__module__].__file__), type(processor).__qualname__)
    module, _, attribute = place.partition(":")
    return ("hook", module, f"{attribute}.{implementation.function.__name__}".lstrip("."))


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


def _load_entry_points(manager: pluggy.PluginManager, problems: list[Problem]) -> dict[str, str]:
    """Register each entry point by itself, so that a broken one does not take the others with it.

    Returns ``module:object`` by plugin name.
    """
    from importlib.metadata import entry_points

    places: dict[str, str] = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            manager.register(entry.load(), name=entry.name)
            places[entry.name] = entry.value.partition("[")[0].replace(" ", "")
        except Exception as error:
            problems.append(Problem(entry.name, f"cannot be loaded: {type(error).__name__}"))
    return places


def _user_modules(folder: str | None) -> Iterator[tuple[ModuleType | None, Problem | None]]:
    if not folder:
        return
    if not os.path.isdir(os.path.expanduser(folder)):
        yield None, Problem(folder, "the folder of user processors does not exist")
        return
    for path in user_files(folder):
        try:
            yield snapshot.import_file(path), None
        except Exception as error:
            yield None, Problem(os.path.basename(path), f"cannot be imported: {type(error).__name__}")


def user_files(folder: str) -> list[str]:
    """Return the paths of the processor files in the user's *folder*, in order."""
    import glob

    found = sorted(glob.glob(os.path.join(glob.escape(os.path.expanduser(folder)), "*.py")))
    return [path for path in found if not os.path.basename(path).startswith("_")]


def _ask(hook: pluggy.HookCaller, problems: list[Problem]) -> Iterator[tuple[pluggy.HookImpl, list[Any]]]:
    """Call the hook of each plugin apart; one that raises or returns something else is left out."""
    for implementation in hook.get_hookimpls():
        try:
            made: Any = implementation.function()
            yield implementation, list(made)
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


def write_snapshot(environ: Mapping[bytes, bytes] | None = None) -> snapshot.Snapshot:
    """Compile what is found now into the registry snapshot, write it, and return it.

    Raises ``SnapshotError`` when it cannot be written.
    """
    made, packed = compile_snapshot(environ)
    snapshot.write(snapshot.folder(os.environb if environ is None else environ), made.content, packed)
    return made


def compile_snapshot(environ: Mapping[bytes, bytes] | None = None) -> tuple[snapshot.Snapshot, bytes]:
    """Return the registry snapshot of what is found now, and its archive."""
    from token_saver import archive, settings
    from token_saver.text.rx import compile_table

    values = settings.load_user()
    found = discover(str(values.get("user_processors_dir") or "") or None)
    modules = {name: _packable(name) for name in _hot_modules()}
    packed = archive.packed(
        list(modules.values()), _run_order(f"{token_saver.__name__}.{ALWAYS_NEEDED}", modules), compile_table()
    )
    return snapshot.Snapshot(_content(found, values, os.environb if environ is None else environ)), packed


def _hot_modules() -> Iterator[str]:
    for name in HOT_PACKAGES:
        package = importlib.import_module(f"{token_saver.__name__}.{name}")
        yield package.__name__
        yield from (module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."))
    yield from (f"{token_saver.__name__}.{name}" for name in HOT_MODULES)


def _packable(name: str) -> Module:
    """Import a module, so that its regular expressions are known, and return its code without its docstrings."""
    spec: Any = importlib.import_module(name).__spec__
    loader = importlib.machinery.SourceFileLoader(name, spec.origin)
    code = compile(loader.get_data(spec.origin), spec.origin, "exec", dont_inherit=True, optimize=2)
    return name, spec.origin, spec.submodule_search_locations is not None, code


def _run_order(root: str, modules: Mapping[str, Module]) -> list[str]:
    """Return the modules that *root* imports when it is imported, each after those that it imports, and *root*."""
    done: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in modules and name not in done:
            done[name] = None
            for needed in _imported(modules[name][1]):
                visit(needed)
            done[name] = done.pop(name)

    visit(root)
    return list(done)


def _imported(path: str) -> Iterator[str]:
    """Yield what a source file may import when it is run: modules, their packages, and names that may be modules."""
    import ast

    with open(path, encoding="utf-8") as file:
        statements = ast.parse(file.read()).body
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            parts = statement.module.split(".")
            yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)


def _content(found: Found, values: Settings, environ: Mapping[bytes, bytes]) -> snapshot.Content:
    every = Registry(found.processors).ordered
    words = [_words(processor, found.origins[processor.name]) for processor in every]
    folders = _plugin_folders()
    return {
        "schema": snapshot.SCHEMA,
        "version": token_saver.__version__,
        "python": str(sys.implementation.cache_tag),
        "stamps": [[path, snapshot.stamp(path)] for path in _sources(folders, values)],
        "variables": {name: snapshot.variable(environ, name) for name in snapshot.VARIABLES},
        "settings": values.as_dict(),
        "path": folders,
        "processors": [_row(each, found.origins[each.name]) for each in every],
        "decisions": _decisions(words),
        "doubts": _doubts(words),
        "asked": [position for position, known in enumerate(words[:-1]) if known is None],
        "listeners": _places("listeners", lambda each: (each.kind, " ".join(each.tools), *each.place.split(":"))),
        "observers": _places("observers", lambda each: tuple(each.place.split(":"))),
        "hosts": _places("hosts", lambda each: (each.name, each.module)),
    }


def _places(kind: str, fields: Callable[[Any], tuple[str, ...]]) -> list[str]:
    """Return one row for each extension of a *kind*; those that are not what they should be are left out."""
    rows = []
    for each in extensions(kind)[0]:
        try:
            rows.append("\t".join(fields(each)))
        except (AttributeError, TypeError):
            continue
    return rows


def _decides_itself(processor: Processor) -> bool:
    return not isinstance(processor, Family) or type(processor).can_handle is not Family.can_handle


def _words(processor: Processor, origin: tuple[str, str, str]) -> tuple[str, ...] | None:
    """Return the commands that a processor reads at most; None when it must be asked about every command.

    Our own families that decide themselves still read only the programs of their commands (a test holds them to it);
    nothing is known about others.
    """
    if not isinstance(processor, Family) or not processor.commands:
        return None
    if not _decides_itself(processor):
        return processor.commands
    programs = dict.fromkeys(words.partition(" ")[0] for words in processor.commands)
    return tuple(programs) if origin[0] == "class" else None


def _row(processor: Processor, origin: tuple[str, str, str]) -> str:
    return "\t".join((processor.name, *origin, snapshot.ASKS if _decides_itself(processor) else snapshot.KNOWS))


def _decisions(words: list[tuple[str, ...] | None]) -> str:
    listed = [f";{command}={position}" for position, commands in enumerate(words) for command in commands or ()]
    return "".join(listed) + ";"


def _doubts(words: list[tuple[str, ...] | None]) -> str:
    from token_saver.shell.doubts import doubts

    programs = {command.partition(" ")[0] for commands in words for command in commands or ()}
    listed = [(program, found) for program in sorted(programs) if (found := doubts(program))]
    return "".join(f";{program} {' '.join(found)}" for program, found in listed) + ";"


def _plugin_folders() -> list[str]:
    """Return the folders on ``sys.path`` from which plugins can come.

    Not the standard library's, and not the folder that ``python -m`` puts there, where whoever works in it changes files.
    """
    library = os.path.dirname(os.__file__)
    own = {library, os.path.join(library, "lib-dynload")}
    return [path for path in sys.path[_is_of_the_start() :] if os.path.isabs(path) and os.path.isdir(path) and path not in own]


def _is_of_the_start() -> bool:
    """Tell whether the first folder is the one that the interpreter was started in."""
    try:
        return not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]
    except OSError:
        return False


def _sources(folders: list[str], values: Settings) -> list[str]:
    """Return the files and folders whose change makes a snapshot stale.

    A folder changes when a distribution is installed or removed. A family that was edited in a checkout shows in the
    folders of compiled code when it is next imported.
    """
    from token_saver.settings import user_file

    package = snapshot.package()
    modules = {os.path.dirname(str(importlib.import_module(name).__file__)) for name in builtin_modules()}
    compiled = [os.path.join(folder, "__pycache__") for folder in sorted(modules)]
    sources = [*folders, package, *sorted(modules), *compiled, user_file()]
    if folder := str(values.get("user_processors_dir") or ""):
        sources += [os.path.expanduser(folder), *user_files(folder)]
    return sources
