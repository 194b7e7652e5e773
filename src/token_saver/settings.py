"""Layered settings: defaults < the user's file < the project's file < environment variables.

Files are TOML with one flat line a key. ``load`` never raises and never writes: what is wrong becomes a ``Problem`` and
the layer below stands. A project file comes with a cloned repository, so it may only leave more of an output untouched
(``Key.allows_in_project``); hiding content, running code and retaining data stay with the user.
"""

from __future__ import annotations

from token_saver.errors import SettingsError
from token_saver.settings_keys import KEYS, LOWER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

    from token_saver.settings_keys import Key, Value

USER_FILE = "config.toml"
PROJECT_FILE = ".token-saver.toml"
SWITCH = "TOKEN_SAVER"
"""The environment variable that switches everything off when it is ``off``."""

_PREFIX = SWITCH + "_"
_MOST_BYTES = 262_144
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a string", tuple: "a list of strings"}


class Source:
    """Where a value comes from: ``layer`` is default, user, project or environment; ``where`` the file or variable."""

    __slots__ = ("layer", "where")

    def __init__(self, layer: str, where: str = "") -> None:
        self.layer = layer
        self.where = where

    def __str__(self) -> str:
        return f"{self.layer} ({self.where})" if self.where else self.layer


class Problem:
    """Something in a layer that was ignored. ``line`` is 0 where no line can be named."""

    __slots__ = ("line", "message", "where")

    def __init__(self, where: str, message: str, line: int = 0) -> None:
        self.where = where
        self.message = message
        self.line = line

    def __str__(self) -> str:
        place = f"{self.where}:{self.line}" if self.line else self.where
        return f"{place}: {self.message}"


class Settings:
    """The value of every key, and where each comes from. Immutable."""

    __slots__ = ("_sources", "_values", "problems")

    _values: dict[str, Value]
    _sources: dict[str, Source]
    problems: tuple[Problem, ...]

    def __init__(self, values: dict[str, Value], sources: dict[str, Source], problems: tuple[Problem, ...]) -> None:
        for slot, content in (("_values", values), ("_sources", sources), ("problems", problems)):
            object.__setattr__(self, slot, content)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"settings are read-only: {name} cannot be set")

    def get(self, key: str) -> Any:
        """Return the value of *key*; raises SettingsError for a key that does not exist."""
        if key not in self._values:
            raise SettingsError(_unknown(key))
        return self._values[key]

    def provenance(self, key: str) -> Source:
        """Return the layer that *key* comes from; raises SettingsError for a key that does not exist."""
        if key not in self._sources:
            raise SettingsError(_unknown(key))
        return self._sources[key]

    def as_dict(self) -> dict[str, Value]:
        """Return a copy of all values, in the order in which they are documented."""
        return dict(self._values)


def load(cwd: str | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read all layers as they stand for *cwd* (default: the working directory) and *environ* (default: ours)."""
    layers = _Layers()
    layers.read_file("user", user_file())
    return _over(layers, cwd, environ)


def load_user() -> Settings:
    """Read the defaults and the user's file alone."""
    layers = _Layers()
    layers.read_file("user", user_file())
    return layers.settings()


def load_over(values: Mapping[str, Any], cwd: str | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the project's file and the environment over the *values* of the user's layer, as the snapshot holds them."""
    layers = _Layers()
    for name, key in KEYS.items():
        value = tuple(values[name]) if key.kind is tuple else values[name]
        if value != key.default:
            layers.set(key, value, Source("user"))
    return _over(layers, cwd, environ)


def _over(layers: _Layers, cwd: str | None, environ: Mapping[str, str] | None) -> Settings:
    import os

    variables = os.environ if environ is None else environ
    project = find_project_file(_here() if cwd is None else cwd, _home(variables))
    if project is not None:
        layers.read_file("project", project)
    layers.read_environment(variables)
    return layers.settings()


def user_file() -> str:
    """Return the path of the user's settings file, which need not exist."""
    from platformdirs import user_config_path

    return str(user_config_path("token-saver", appauthor=False) / USER_FILE)


def find_project_file(cwd: str, home: str) -> str | None:
    """Return the nearest project file at or above *cwd*, up to the root of its git repository or up to *home*.

    Neither the home directory's parents nor a directory above the repository are looked at; outside of both, only
    *cwd* itself is.
    """
    import os

    fitting: str | None = None
    here = directory = os.path.abspath(cwd)
    while True:
        candidate = os.path.join(directory, PROJECT_FILE)
        if fitting is None and os.path.lexists(candidate):
            fitting = candidate
        if directory == home or os.path.lexists(os.path.join(directory, ".git")):
            return fitting
        parent = os.path.dirname(directory)
        if parent == directory:
            return fitting if fitting == os.path.join(here, PROJECT_FILE) else None
        directory = parent


class _Layers:
    """The layers read so far, lowest first."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {name: key.default for name, key in KEYS.items()}
        self.sources = {name: Source("default") for name in KEYS}
        self.problems: list[Problem] = []

    def settings(self) -> Settings:
        return Settings(self.values, self.sources, tuple(self.problems))

    def read_file(self, layer: str, path: str) -> None:
        text = self._text(path)
        for name, value in self._table(path, text).items():
            line = _line_of(text, name)
            try:
                key = _key(name)
                fitting = _checked(key, value)
                if layer == "project":
                    _refuse_unsafe(key, fitting, self.values[name], self.sources[name])
            except SettingsError as error:
                self.problems.append(Problem(path, str(error), line))
            else:
                self.set(key, fitting, Source(layer, path))

    def read_environment(self, environ: Mapping[str, str]) -> None:
        for variable in sorted(environ):
            if not variable.startswith(_PREFIX):
                continue
            try:
                self._read_variable(variable, environ[variable])
            except SettingsError as error:
                self.problems.append(Problem(variable, str(error)))
        self._read_switch(environ.get(SWITCH, "").strip().lower())

    def _read_variable(self, variable: str, text: str) -> None:
        name = variable[len(_PREFIX) :].lower()
        key = KEYS.get(name)
        if key is None:
            # Other programs and other parts of ours have variables of this prefix: only a near miss is a mistake.
            if near := _near(name):
                raise SettingsError(f"unknown variable; did you mean {KEYS[near].variable}?")
        elif text.strip() or key.kind in (str, tuple):
            self.set(key, _checked(key, _parsed(key, text)), Source("environment", variable))

    def _read_switch(self, word: str) -> None:
        if word in _NO:
            self.set(KEYS["enabled"], False, Source("environment", SWITCH))
        elif word and word not in _YES:
            self.problems.append(Problem(SWITCH, "this is neither on nor off; it is ignored"))

    def set(self, key: Key, value: Value, source: Source) -> None:
        self.values[key.name] = value
        self.sources[key.name] = source

    def _text(self, path: str) -> str:
        try:
            return _read(path)
        except FileNotFoundError:
            pass
        except (OSError, UnicodeDecodeError, SettingsError) as error:
            self.problems.append(Problem(path, f"cannot be read: {getattr(error, 'strerror', None) or error}"))
        return ""

    def _table(self, path: str, text: str) -> dict[str, object]:
        if not text:
            return {}
        import tomllib

        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.problems.append(Problem(path, f"not valid TOML: {error}", _line_in(str(error), text)))
        except (RecursionError, ValueError):
            self.problems.append(Problem(path, "not valid TOML: nested too deeply, or a number too long"))
        return {}


def _here() -> str:
    import os

    try:
        return os.getcwd()
    except OSError:
        return os.sep


def _home(environ: Mapping[str, str]) -> str:
    import os

    home = environ.get("USERPROFILE" if os.name == "nt" else "HOME") or os.path.expanduser("~")
    return os.path.abspath(home)


def _read(path: str) -> str:
    """Return the text of a small regular file; a pipe or a device in its place would keep us waiting."""
    import os
    import stat

    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise SettingsError("not a regular file")
    if found.st_size > _MOST_BYTES:
        raise SettingsError(f"larger than {_MOST_BYTES} bytes")
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def _line_of(text: str, name: str) -> int:
    for number, line in enumerate(text.splitlines(), 1):
        head = line.lstrip("[ \t\"'")
        if head.startswith(name) and head[len(name) :].lstrip("\"' \t")[:1] in ("=", ".", "]"):
            return number
    return 0


def _line_in(message: str, text: str) -> int:
    """Return the line that tomllib names in its message: "… (at line 3, column 5)" or "… (at end of document)"."""
    _, _, rest = message.rpartition("(at ")
    digits = rest.removeprefix("line ").partition(",")[0]
    return int(digits) if digits.isdecimal() else text.count("\n") + 1


def _key(name: str) -> Key:
    if name not in KEYS:
        raise SettingsError(_unknown(name))
    return KEYS[name]


def _near(name: str) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), KEYS, n=1, cutoff=0.75)), None)


def _unknown(name: str) -> str:
    near = _near(name)
    hint = f"did you mean {near}?" if near else "`token-saver config show` lists the keys"
    return f"unknown key {name}; {hint}"


def _parsed(key: Key, text: str) -> object:
    """Read the text of a variable as the type of *key*; text that does not fit is handed on as it is."""
    word = text.strip()
    if key.kind is tuple:
        return [item for part in word.split(",") if (item := part.strip())]
    if key.kind is bool:
        lowered = word.lower()
        return True if lowered in _YES else False if lowered in _NO else text
    if key.kind is str:
        return text
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            continue
    return text


def _checked(key: Key, value: object) -> Value:
    """Return *value* as the type of *key*; raises SettingsError for a wrong type or a number out of range."""
    if key.kind is tuple and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if key.kind in (bool, str) and isinstance(value, (bool, str)) and type(value) is key.kind:
        return value
    if key.kind in (int, float) and isinstance(value, (int, float)) and type(value) in (int, key.kind):
        if not key.in_range(value):
            raise SettingsError(f"{key.name} must be {_range(key)}, not {value}; it stays as it was")
        return key.kind(value)
    raise SettingsError(f"{key.name} must be {_KINDS[key.kind]}, not {_shown(value)}; it stays as it was")


def _range(key: Key) -> str:
    between = f"from {key.low:,.15g} to {key.high:,.15g}"
    return between if key.off is None else f"{between}, or {key.off} for no limit"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _refuse_unsafe(key: Key, value: Value, current: Value, source: Source) -> None:
    if not key.project:
        raise SettingsError(f"{key.name} is refused from a project file; set it in your own settings file or as {key.variable}")
    if not key.allows_in_project(value, current):
        verb = "lower" if key.project == LOWER else "raise"
        raise SettingsError(f"{key.name} is refused: a project file may only {verb} it, and it is {current} ({source})")
