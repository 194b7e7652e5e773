"""``token-saver run`` and ``token-saver raw``: run a command, show its output, end with its own status.

    run [--timeout S] -- WORDS…             no shell stands between
    run [--timeout S] [--shell PATH] -c TEXT    the text is read by the shell that the host uses
    raw …                                   the same command line, byte for byte as it comes

The command is started before anything is imported that it does not need, and never a second time, whatever fails: then
its output is shown as it came. Nothing but the output goes to stdout.
"""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeVar

    from token_saver.hosts.child import Child
    from token_saver.hosts.intake import Intake
    from token_saver.hosts.shorten import Shortener

    Made = TypeVar("Made")
else:
    import _signal

USAGE = "usage: token-saver run [--timeout S] [--shell PATH] (-- CMD… | -c 'SHELL TEXT'), token-saver raw (-- CMD… | -c TEXT)"
USAGE_STATUS = 2
NOT_EXECUTABLE = 126
NOT_FOUND = 127
TIME_LIMIT_STATUS = 124
BROKEN_PIPE_STATUS = 128 + 13
AFTERWARDS = 2.0
"""Seconds that recording and observers may take when the output is out."""
PATIENCE = 20.0
"""Seconds after which an output is shown as it came, whatever is still at work on it."""

_FOLLOWS = 1.0
"""Seconds after which a command that still prints may be one that never ends."""

_OFF = frozenset({"off", "0", "no", "false"})
_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "ksh93", "mksh", "sh", "zsh"})
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+")
_DEFAULT_PATH = "/usr/bin:/bin"
_NO_ENTRY, _NO_PROGRAM = 2, 8  # ENOENT and ENOEXEC; the module errno is no part of the interpreter everywhere
_KIND = 0o170000
_PIPE, _SOCKET, _REGULAR, _DIRECTORY = 0o010000, 0o140000, 0o100000, 0o040000


class Request:
    """What is asked for: a command as words or as text for a shell, and how to run it."""

    __slots__ = ("exact", "limit", "shell", "text", "words")
    mode = "wrap"

    def __init__(self, exact: bool) -> None:
        self.exact = exact
        self.words: list[str] = []
        self.text = ""
        self.shell = ""
        self.limit = 0.0

    @property
    def argv(self) -> list[str]:
        """The words that are started."""
        return self.words or [self.shell or users_shell(), "-c", self.text]

    @property
    def label(self) -> str:
        """The command line as it would be typed."""
        return self.text or " ".join(map(quoted, self.words))

    @property
    def says_off(self) -> bool:
        """Whether the command itself says that its output is not to be touched."""
        return any(
            word.lower() in ("token_saver=off", "token_saver=0") for word in self.words or self.text.replace(";", " ").split()
        )


def start() -> NoReturn:
    """Be the whole process, and end it without the interpreter's own farewell, which costs a tenth of a start-up."""
    posix._exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Do what *arguments*, from ``run`` or ``raw`` on, ask for, and return the exit status.

    Raises SystemExit, with the status that a shell would have, when there is nothing that can be started.
    """
    request = parse(arguments)
    exact = request.exact or request.says_off or is_switched_off() or not is_captured()
    if exact and not request.limit:
        become(request.argv)
    return run(request, exact)


def parse(arguments: list[str]) -> Request:
    """Read the arguments; raises SystemExit when they cannot be understood."""
    request = Request(arguments[0] == "raw")
    rest = arguments[1:]
    while rest:
        option = rest.pop(0)
        if option == "-c" and len(rest) == 1:
            request.text = rest.pop()
        elif option == "--timeout" and rest:
            request.limit = _seconds(rest.pop(0))
        elif option == "--shell" and rest:
            request.shell = rest.pop(0)
        elif option == "--" or not option.startswith("-"):
            request.words = rest if option == "--" else [option, *rest]
            rest = []
        else:
            _refuse(f"{option} is not understood here; {USAGE}", USAGE_STATUS)
    if not request.words and not request.text:
        _refuse(f"no command; {USAGE}", USAGE_STATUS)
    return request


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        _refuse(f"--timeout needs a number of seconds, not {text}", USAGE_STATUS)
    return seconds


def users_shell() -> str:
    """Return the shell that the host uses: $SHELL where it reads what a POSIX shell reads, else /bin/sh."""
    path = _environment("SHELL")
    usable = path.startswith("/") and path.rpartition("/")[2] in _SHELLS and posix.access(path, posix.X_OK)
    return path if usable else "/bin/sh"


def find_program(name: str) -> str:
    """Return the path of the program that a shell would start for *name*; ends as a shell does where there is none."""
    if "/" in name:
        return _checked(name)
    refused = False
    for folder in (_environment("PATH") or _DEFAULT_PATH).split(":"):
        path = f"{folder or '.'}/{name}"
        if _is_file(path):
            if posix.access(path, posix.X_OK):
                return path
            refused = True
    if refused:
        return _refuse(f"{name}: Permission denied", NOT_EXECUTABLE)
    return _refuse(f"{name}: command not found", NOT_FOUND)


def _checked(path: str) -> str:
    try:
        kind = posix.stat(path).st_mode & _KIND
    except OSError as error:
        _refuse_start(path, error)
    if kind == _DIRECTORY or not posix.access(path, posix.X_OK):
        _refuse(f"{path}: {'Is a directory' if kind == _DIRECTORY else 'Permission denied'}", NOT_EXECUTABLE)
    return path


def _is_file(path: str) -> bool:
    try:
        return posix.stat(path).st_mode & _KIND != _DIRECTORY
    except OSError:
        return False


def _refuse_start(name: str, error: OSError) -> NoReturn:
    _refuse(f"{name}: {error.strerror}", NOT_FOUND if error.errno == _NO_ENTRY else NOT_EXECUTABLE)


def _refuse(message: str, status: int) -> NoReturn:
    _say(message)
    raise SystemExit(status)


def become(argv: list[str]) -> NoReturn:
    """Let the command take the place of this process, so that nothing stands between it and the host."""
    path = find_program(argv[0])
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)
    try:
        posix.execv(path, argv)
    except OSError as error:
        if error.errno == _NO_PROGRAM:
            posix.execv("/bin/sh", ["/bin/sh", path, *argv[1:]])
        _refuse_start(argv[0], error)


def run(request: Request, exact: bool) -> int:
    """Run what is asked for, show its output, shortened unless it is to be *exact*, and return its status."""
    child = _started(request.argv, both=not exact and _errors_join_output())
    shortener = None if exact else _attempt(lambda: _shortener(request.label, request.mode))
    status = 0
    try:
        intake = _collected(child, shortener, request.limit)
        status = child.wait()
        if intake is not None:
            _show(intake, shortener, status, child.held)
        elif shortener is not None and shortener.keeps:
            _attempt(lambda: shortener.shown(b"", status, reduced=False))
    except BrokenPipeError:
        return BROKEN_PIPE_STATUS
    except OSError as error:
        _say(f"the output cannot be written: {error.strerror}")
        return status or 1
    if child.ended:
        _say("the command was ended by its time limit")
        return TIME_LIMIT_STATUS
    return status


def _started(argv: list[str], both: bool) -> Child:
    from token_saver.hosts.child import Child

    path = find_program(argv[0])
    try:
        return Child(path, argv, both=both)
    except OSError as error:
        if error.errno == _NO_PROGRAM:
            return Child("/bin/sh", ["/bin/sh", path, *argv[1:]], both=both)
        _refuse_start(argv[0], error)


def _shortener(label: str, mode: str) -> Shortener:
    from token_saver import snapshot
    from token_saver.hosts.shorten import Shortener

    place = snapshot.folder(posix.environ)
    registry = snapshot.read(place)
    if registry is None or not registry.is_fresh(posix.environ):
        from token_saver.hosts.refresh import made_anew

        registry = made_anew(posix.environ, isolated=bool(sys.flags.no_site))
    shortener = Shortener(label, registry, place)
    shortener.mode = mode
    return shortener


def _collected(child: Child, shortener: Shortener | None, limit: float) -> Intake | None:
    """Take in what the child prints, None when it prints nothing; what only this command needs is imported at its first words."""
    from time import monotonic

    intake = None
    is_asked = False
    began = 0.0
    settings = {} if shortener is None else shortener.settings

    def is_silent() -> None:
        if intake is not None and shortener is not None and not intake.is_large:
            _show_what_waits(intake, shortener)

    try:
        limit = limit or float(settings.get("wrap_timeout", 0))
        for chunk in child.chunks(limit, float(settings.get("show_after_silence", 0)), is_silent):
            if intake is None:
                intake = _intake(settings)
                began = monotonic()
            if shortener is not None and not is_asked and (intake.is_too_much(chunk) or monotonic() > began + _FOLLOWS):
                is_asked = True
                _let_through_what_never_ends(intake, shortener)
            try:
                intake.take(chunk)
            except OSError:
                raise
            except Exception:
                intake.pass_through()
            if shortener is not None and not intake.passed:
                _attempt(shortener.prepare)
        if intake is not None:
            intake.end()
    except BrokenPipeError:
        child.unread = True
    return intake


def _show_what_waits(intake: Intake, shortener: Shortener) -> None:
    """Show what a command printed that now waits, and from now on every line: somebody may wait for its first words."""
    if not intake.passed:
        intake.let_through(shortener.masked)


def _let_through_what_never_ends(intake: Intake, shortener: Shortener) -> None:
    """Show what streams while it comes: whoever reads it may wait for no more than the beginning, and would wait for ever."""
    if not intake.passed and _attempt(shortener.never_ends):
        intake.let_through(shortener.masked)


def _intake(settings: dict[str, Any]) -> Intake:
    from token_saver.hosts.intake import Intake

    most = int(settings.get("max_output_bytes", 0))
    return Intake(min(most, int(settings.get("family_limit_chars", 0))), most, passed=not settings)


def _show(intake: Intake, shortener: Shortener | None, status: int, held: bool) -> None:
    """Write the result, or what was printed as it came, and say so when a process left behind may print more."""
    from token_saver.hosts.intake import write_all

    end = b"\n"
    shown = None
    reader = None if intake.passed else shortener
    if reader is not None:
        raw = intake.text()
        _be_patient(PATIENCE)
        shown = _attempt(lambda: reader.shown(raw, status, reduced=intake.reduced, whole=intake.whole))
        _be_patient(0)
        if shown is None:
            intake.pass_through()
        else:
            write_all(shown)
        end = (raw if shown is None else shown)[-1:] or b"\n"
    if held:
        from token_saver.text.markers import marker

        mark = marker([(1, "process left behind that still holds the output", "")]) + "\n"
        write_all((b"" if end == b"\n" else b"\n") + mark.encode())
    if reader is not None:
        _be_patient(AFTERWARDS)
        _attempt(lambda: reader.report(shown, status, original=intake.characters))
        _be_patient(0)


def _be_patient(seconds: float) -> None:
    """Let whatever takes longer than this from now on fail; 0 for any time."""
    _signal.signal(_signal.SIGALRM, _fail)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _fail(number: int, frame: object) -> NoReturn:
    raise TimeoutError


def _attempt(act: Callable[[], Made]) -> Made | None:
    """Return what *act* returns; None when anything of ours fails, which must not cost any output."""
    try:
        return act()
    except Exception:
        return None


def is_switched_off() -> bool:
    """Tell whether the environment says that nothing is to be touched."""
    return any(_environment(name).lower() in _OFF for name in ("TOKEN_SAVER", "TOKEN_SAVER_ENABLED"))


def is_captured() -> bool:
    """Tell whether somebody reads stdout from a pipe or a file; on a terminal nothing is shortened."""
    try:
        return posix.fstat(1).st_mode & _KIND in (_PIPE, _SOCKET, _REGULAR)
    except OSError:
        return False


def _errors_join_output() -> bool:
    """Tell whether stderr is read by whoever reads stdout; where it was sent elsewhere, it is none of ours.

    Two pipes are two readers: a filter in the same line reads one of them. Two sockets are one host that reads both, since a
    shell makes none.
    """
    try:
        output, errors = posix.fstat(1), posix.fstat(2)
    except OSError:
        return False
    same = (output.st_dev, output.st_ino) == (errors.st_dev, errors.st_ino)
    return same or output.st_mode & _KIND == errors.st_mode & _KIND == _SOCKET


def _environment(name: str) -> str:
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def quoted(word: str) -> str:
    """Return *word* as one word for a shell, as it is where it may stand so."""
    return word if word and _PLAIN.issuperset(word) else "'" + word.replace("'", "'\"'\"'") + "'"


def _say(message: str) -> None:
    try:
        posix.write(2, f"token-saver: {message}\n".encode("utf-8", "surrogateescape"))
    except OSError:
        pass
