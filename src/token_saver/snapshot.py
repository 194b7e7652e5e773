"""The compiled registry: everything that a hot process has to know, in files that it reads instead of looking.

``token_saver.plugins.write_snapshot`` makes them in a folder of the user's cache, one folder for each interpreter and
installation. ``registry.json`` is a plain document for other programs; ``registry`` holds the same, a digest and then the
content marshalled, because the scanner of JSON costs a thirtieth of a start-up:

=============  =============================================================================================
``schema``     2; a reader refuses any other
``version``    the Token-Saver that wrote it
``python``     the cache tag of the interpreter, for example ``cpython-311``
``stamps``     ``[path, mtime in ns]`` of every file and folder it was made from, 0 where there is none
``variables``  the environment variables on which those places depend, null where one is not set
``settings``   the value of every setting, from the defaults and the user's file
``path``       the folders from which plugins and other distributions are imported
``processors`` in the order in which they are asked, each one string of fields with tabs between them: name, kind, place,
               attribute, ``asks`` or ``knows``. The kinds: ``class``, a module and a class in it; ``hook``, a module and
               the hook in it; ``file``, a path and a class. One that asks must be asked even about a
               command that it is listed for
``decisions``  one string: ``;COMMAND=POSITION`` for every command that a processor reads, a program alone or with a
               subcommand, and a last ``;``. Positions count in ``processors``, from 0
``doubts``     one string: ``;PROGRAM WORD WORD…`` for every known program with words that are worth a closer look before
               it is wrapped (``token_saver.shell.doubts``), and a last ``;``
``asked``      positions of those that must be asked about every command
``listeners``  who wants an event of a host, each one string with tabs: kind, tools with blanks between them (none: all),
               module, function (``token_saver.extensions.Listener``)
``observers``  who wants to know what became of every command: module and function with a tab between them
``hosts``      further hosts: name and module with a tab between them
=============  =============================================================================================

``hot`` is the archive of code and regular expressions (``token_saver.archive``). All files are private to the user, and
files that are not are not read.
"""

from __future__ import annotations

import marshal
import posix
import sys

from token_saver import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypedDict

    from token_saver.archive import Archive
    from token_saver.processor import Processor
    from token_saver.shell.command_line import CommandLine

    class Content(TypedDict):
        """The whole of ``registry.json``."""

        schema: int
        version: str
        python: str
        stamps: list[list[Any]]
        variables: dict[str, str | None]
        settings: dict[str, Any]
        path: list[str]
        processors: list[str]
        decisions: str
        doubts: str
        asked: list[int]
        listeners: list[str]
        observers: list[str]
        hosts: list[str]


SCHEMA = 2
REGISTRY = "registry"
DOCUMENT = "registry.json"
ARCHIVE = "hot"
ASKS, KNOWS = "asks", "knows"
VARIABLES = ("HOME", "XDG_CONFIG_HOME")
_DIGEST = 16
_WRITABLE_BY_OTHERS = 0o022
_REGULAR = 0o100000
_KIND = 0o170000


class Snapshot:
    """The content of ``registry.json``, and what is asked of it."""

    __slots__ = ("content",)

    def __init__(self, content: Content) -> None:
        self.content = content

    @property
    def settings(self) -> dict[str, Any]:
        """The value of every setting, before a project file and the environment."""
        return self.content["settings"]

    def knows(self, program: str) -> bool:
        """Tell whether some processor reads commands of this program."""
        decisions = self.content["decisions"]
        return f";{program}=" in decisions or f";{program} " in decisions

    def claims(self, program: str, words: list[str]) -> bool:
        """Tell whether some processor reads this command for certain; *words* follow the program."""
        for command, position in self._listed(program):
            subcommands = command.split(" ")[1:]
            if words[: len(subcommands)] == subcommands and not self.content["processors"][position].endswith(ASKS):
                return True
        return False

    def doubts(self, program: str) -> list[str]:
        """Return the words of *program* that are worth a closer look before it is wrapped."""
        listed = self.content["doubts"]
        found = listed.find(f";{program} ")
        return listed[found + 1 : listed.index(";", found + 1)].split(" ")[1:] if found >= 0 else []

    def is_fresh(self, environ: Mapping[bytes, bytes]) -> bool:
        """Tell whether everything it was made from is still as it was."""
        content = self.content
        return all(variable(environ, name) == value for name, value in content["variables"].items()) and all(
            stamp(path) == found for path, found in content["stamps"]
        )

    def extend_path(self) -> None:
        """Let plugins and other distributions be imported, which an isolated interpreter does not find."""
        sys.path += [folder for folder in self.content["path"] if folder not in sys.path]

    def select(self, command: CommandLine, disabled: frozenset[str] = frozenset()) -> Processor:
        """Return the processor that a registry without the *disabled* ones selects; it alone is imported."""
        for row in self._candidates(command):
            name, *_, asks = row.split("\t")
            if name not in disabled:
                processor = self._load(row)
                if asks == KNOWS or processor.can_handle(command):
                    return processor
        return self.fallback()

    def fallback(self) -> Processor:
        """Return the processor that reads what no other one does."""
        return self._load(self.content["processors"][-1])

    def named(self, name: str) -> Processor | None:
        """Return the processor of that name, None when there is none."""
        return next((self._load(row) for row in self.content["processors"] if row.startswith(name + "\t")), None)

    def _load(self, row: str) -> Processor:
        name, kind, place, attribute, _ = row.split("\t")
        made = _LOADERS[kind](place, attribute, name)
        if made is None:
            from token_saver.errors import SnapshotError

            raise SnapshotError(f"the processor {name!r} is not where the snapshot says: {place}")
        return made

    def _candidates(self, command: CommandLine) -> Iterator[str]:
        positions = {position for words, position in self._listed(command.program) if command.starts(words)}
        for position in sorted(positions.union(self.content["asked"])):
            yield self.content["processors"][position]

    def _listed(self, program: str) -> Iterator[tuple[str, int]]:
        """Yield the commands of a program that are decided, and the position of the processor that reads them."""
        decisions = self.content["decisions"]
        for end in ("=", " "):
            found = decisions.find(f";{program}{end}")
            while found >= 0:
                stop = decisions.find(";", found + 1)
                words, _, position = decisions[found + 1 : stop].rpartition("=")
                yield words, int(position)
                found = decisions.find(f";{program}{end}", stop)


def _from_class(module: str, attribute: str, name: str) -> Processor | None:
    made: Processor = getattr(__import__(module, fromlist=[attribute]), attribute)()
    return made


def _from_hook(module: str, attribute: str, name: str) -> Processor | None:
    hook: Any = __import__(module, fromlist=["*"])
    for part in attribute.split("."):
        hook = getattr(hook, part)
    return next((made for made in hook() if made.name == name), None)


def _from_file(path: str, attribute: str, name: str) -> Processor | None:
    made: Processor = getattr(import_file(path), attribute)()
    return made


_LOADERS = {"class": _from_class, "hook": _from_hook, "file": _from_file}


def import_file(path: str) -> Any:
    """Import a file of the user's processor folder; raises whatever it raises."""
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import spec_from_file_location

    name = "token_saver_user." + path.rpartition("/")[2].removesuffix(".py")
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        from token_saver.errors import SnapshotError

        raise SnapshotError(f"{path} is not a Python file")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def folder(environ: Mapping[bytes, bytes]) -> str:
    """Return where the files of this interpreter and installation are, whether they are there or not."""
    home = variable(environ, "HOME") or _home()
    if sys.platform == "darwin":
        cache = home + "/Library/Caches"
    else:
        cache = (variable(environ, "XDG_CACHE_HOME") or "").strip() or home + "/.cache"
    installation = f"{sys.executable}\0{package()}".encode("utf-8", "surrogateescape")
    return f"{cache}/token-saver/{sys.implementation.cache_tag}-{_digest(installation)}"


def package() -> str:
    """Return the folder of this package."""
    return __file__.rpartition("/")[0]


def _home() -> str:
    import pwd

    return pwd.getpwuid(posix.getuid()).pw_dir


def _digest(data: bytes) -> str:
    """Return a short name for *data*: the rest by a prime, which needs no import."""
    return f"{int.from_bytes(data, 'little') % ((1 << 61) - 1):016x}"


def sealed(data: bytes) -> bytes:
    """Return *data* with its digest in front."""
    return _digest(data).encode() + data


def verified(data: bytes) -> bytes:
    """Return what was sealed; raises ValueError when it is damaged, which ``marshal`` does not always notice in time."""
    if _digest(data[_DIGEST:]).encode() != data[:_DIGEST]:
        raise ValueError("damaged")
    return data[_DIGEST:]


def variable(environ: Mapping[bytes, bytes], name: str) -> str | None:
    """Return an environment variable as text, None when it is not set."""
    found = environ.get(name.encode())
    return None if found is None else found.decode("utf-8", "surrogateescape")


def stamp(path: str) -> int:
    """Return when *path* was last changed, in ns; 0 when it is not there."""
    try:
        return posix.stat(path).st_mtime_ns
    except OSError:
        return 0


def read(place: str) -> Snapshot | None:
    """Return the snapshot in the folder *place*, fresh or not; None when there is none that this Token-Saver reads."""
    try:
        content: Content = marshal.loads(verified(_private(place + "/" + REGISTRY)))
        ours = (content["schema"], content["version"], content["python"])
        return Snapshot(content) if ours == (SCHEMA, __version__, sys.implementation.cache_tag) else None
    except (ValueError, EOFError, KeyError, TypeError):
        return None


def use_archive(place: str) -> Archive | None:
    """Serve modules and regular expressions from the archive in the folder *place*; None when there is none that fits."""
    from token_saver.archive import Archive

    descriptor = _open_private(place + "/" + ARCHIVE)
    try:
        archive = Archive(descriptor)
    except (OSError, ValueError, EOFError, TypeError):
        return None
    archive.preload()
    sys.meta_path.insert(0, archive)
    from token_saver.text.rx import use_table

    use_table(archive)
    return archive


def discard(place: str) -> None:
    """Remove the snapshot in the folder *place*, so that the next process makes it anew."""
    try:
        posix.unlink(place + "/" + REGISTRY)
    except OSError:
        pass


def _private(path: str) -> bytes:
    """Return what a file holds that only its owner, who is us, can have written; b"" when there is no such file."""
    descriptor = _open_private(path)
    if descriptor < 0:
        return b""
    try:
        return posix.read(descriptor, posix.fstat(descriptor).st_size)
    finally:
        posix.close(descriptor)


def _open_private(path: str) -> int:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except OSError:
        return -1
    found = posix.fstat(descriptor)
    if found.st_uid == posix.geteuid() and not found.st_mode & _WRITABLE_BY_OTHERS and found.st_mode & _KIND == _REGULAR:
        return descriptor
    posix.close(descriptor)
    return -1


class _Context:
    """What the scanner of ``json`` is told; see ``json.decoder.JSONDecoder``."""

    strict = True
    object_hook = object_pairs_hook = parse_constant = None
    parse_float = float
    parse_int = int


def parsed(text: str) -> Any:
    """Read a JSON document with the scanner behind ``json``, whose own import costs most of a start-up.

    Raises ValueError, or StopIteration where the document ends too soon.
    """
    try:
        from _json import make_scanner
    except ImportError:
        import json

        return json.loads(text)
    return make_scanner(_Context)(text, 0)[0]  # type: ignore[arg-type]


def write(place: str, content: Content, archive: bytes) -> None:
    """Write all files into the folder *place*, each in one step, for the user alone (not on the hot path).

    Raises SnapshotError when the folder cannot be written.
    """
    import json

    try:
        make_folder(place)
        _replace(place + "/" + ARCHIVE, archive)
        document = json.dumps(content)
        _replace(place + "/" + DOCUMENT, (document + "\n").encode())
        _replace(place + "/" + REGISTRY, sealed(marshal.dumps(json.loads(document))))
    except OSError as error:
        from token_saver.errors import SnapshotError

        raise SnapshotError(f"{place} cannot be written: {error.strerror}") from error


def make_folder(place: str) -> None:
    """Make the folder *place* and those above it where they are missing; raises OSError."""
    import os

    os.makedirs(os.path.dirname(os.path.dirname(place)), exist_ok=True)
    for directory in (os.path.dirname(place), place):
        os.makedirs(directory, mode=0o700, exist_ok=True)


def _replace(path: str, data: bytes) -> None:
    """Write a file beside *path* and move it there, so that no reader sees half of it."""
    import os

    beside = f"{path}.{os.getpid()}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
