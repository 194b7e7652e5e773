"""A child process whose output comes through one pipe, in the order in which it was written.

It runs in a process group of its own: signals that are meant to end it go to the whole group, a time limit ends the whole
group, and when we are killed ourselves a watcher ends it. A process that it left behind with the pipe open does not hold
us. A timer does all that is due, a few times a second: a signal that arrives just before a read begins would not be
noticed until the read ends.
"""

from __future__ import annotations

import posix
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Iterator
else:
    import _signal

CHUNK = 65_536
TICK = 0.25
GRACE = 2.0
"""Seconds that a group has between the request to end and being killed."""

_FORWARDED = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM)
_MOST_IN_A_PIPE = 1 << 20
_WATCHER = "read -r _ || kill -s KILL -- -$1"


class Child:
    """A running command.

    ``held`` tells that the pipe was left open behind it, ``ended`` that the time limit ended it, and ``unread`` that
    whoever read our own output is gone.
    """

    def __init__(self, path: str, argv: list[str], *, both: bool) -> None:
        """Start the program at *path*; with *both*, its errors come through the pipe too. Raises OSError."""
        self.held = self.ended = self.unread = False
        self._pid = 0
        self._status: int | None = None
        self._waiting: list[int] = []
        self._deadline = self._killing = 0.0
        self._exit_seen = self._released = self._is_reading = False
        self._spoke = self._silence = 0.0
        self._on_silence: Callable[[], None] | None = None
        self._watched = self._terminal = -1
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        for number in _FORWARDED:
            if _signal.getsignal(number) != _signal.SIG_IGN:
                _signal.signal(number, self._forward)
        self._output = self._start(path, argv, both)
        for waiting in self._waiting:
            self._signal(waiting)

    def _start(self, path: str, argv: list[str], both: bool) -> int:
        read, write = posix.pipe()
        actions = [(posix.POSIX_SPAWN_DUP2, write, 1), *([(posix.POSIX_SPAWN_DUP2, write, 2)] if both else [])]
        # The interpreter ignores these two; a child must not inherit that.
        defaults = (_signal.SIGPIPE, _signal.SIGXFSZ)
        try:
            self._pid = posix.posix_spawn(path, argv, posix.environ, file_actions=actions, setpgroup=0, setsigdef=defaults)
        except OSError:
            posix.close(read)
            raise
        finally:
            posix.close(write)
        return read

    def chunks(self, limit: float = 0, silence: float = 0, on_silence: Callable[[], None] | None = None) -> Iterator[bytes]:
        """Yield what it prints until nobody can print any more; after *limit* seconds (0: never) its group is ended.

        *on_silence* is called each time that it has printed something and then nothing for *silence* seconds (0: never).
        """
        self._on_silence = on_silence if silence else None
        self._silence = silence
        if limit:
            self._deadline = monotonic() + limit
        _signal.signal(_signal.SIGALRM, self._tick)
        _signal.setitimer(_signal.ITIMER_REAL, min(TICK, limit) if limit else TICK, TICK)
        left = _MOST_IN_A_PIPE
        while left > 0 and not self.unread:
            self._is_reading = True
            try:
                chunk = posix.read(self._output, CHUNK)
            except BlockingIOError:
                break
            finally:
                self._is_reading = False
            if not chunk:
                return
            self._spoke = monotonic()
            if self._released:
                # All that was printed before the exit still stands in the pipe; there cannot be more than this of it.
                left -= len(chunk)
            yield chunk
        self.held = not self.unread

    def wait(self) -> int:
        """Return its exit status as a shell has it: 128 and the signal when one ended it."""
        if self.held:
            self._adopt()
        # The timer still runs, and what it does must not meet a descriptor that is closed.
        output, self._output = self._output, -1
        posix.close(output)
        while self._status is None:
            self._reap(0)
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        if self._watched >= 0:
            posix.write(self._watched, b"\n")
            posix.close(self._watched)
        if self._terminal >= 0:
            self._give_terminal(posix.getpgrp())
        code = posix.waitstatus_to_exitcode(self._status)
        return code if code >= 0 else 128 - code

    def _forward(self, number: int, frame: object) -> None:
        if self._pid:
            self._signal(number)
        else:
            self._waiting.append(number)

    def _signal(self, number: int) -> None:
        try:
            posix.killpg(self._pid, number)
        except OSError:
            pass

    def _tick(self, number: int, frame: object) -> None:
        if self._watched < 0:
            self._watch()
        if self._status is None:
            self._reap(posix.WNOHANG | posix.WUNTRACED)
        if self._status is None:
            self._enforce(monotonic())
        elif self._exit_seen:
            self._release()
        else:
            self._exit_seen = True
        if self._is_reading and self._on_silence is not None and 0 < self._spoke < monotonic() - self._silence:
            self._spoke = 0.0
            self._on_silence()
        if not self.unread and _reader_is_gone():
            self.unread = True
            self._release()

    def _reap(self, options: int) -> None:
        try:
            pid, status = posix.waitpid(self._pid, options)
        except ChildProcessError:
            return
        if pid and posix.WIFSTOPPED(status):
            self._go_on(posix.WSTOPSIG(status))
        elif pid:
            self._status = status
            if self.ended:
                self._signal(_signal.SIGKILL)

    def _go_on(self, stopped_by: int) -> None:
        """Let a stopped command have the terminal that it asks for; where the user stopped it, stop as well until we go on."""
        if self._terminal < 0:
            try:
                self._terminal = posix.open("/dev/tty", posix.O_RDWR | posix.O_CLOEXEC)
            except OSError:
                return
            _signal.signal(_signal.SIGTTOU, _signal.SIG_IGN)
        if stopped_by not in (_signal.SIGTTIN, _signal.SIGTTOU):
            self._give_terminal(posix.getpgrp())
            posix.kill(posix.getpid(), _signal.SIGSTOP)
        self._give_terminal(self._pid)
        self._signal(_signal.SIGCONT)

    def _give_terminal(self, group: int) -> None:
        try:
            posix.tcsetpgrp(self._terminal, group)
        except OSError:
            pass

    def _enforce(self, now: float) -> None:
        """End the group when its time is over: ask first, kill later."""
        if self._killing and now >= self._killing:
            self._signal(_signal.SIGKILL)
        elif self._deadline and not self.ended and now >= self._deadline:
            self.ended = True
            self._killing = now + GRACE
            self._signal(_signal.SIGTERM)
            self._signal(_signal.SIGCONT)

    def _release(self) -> None:
        """Let the reader end: what is read from now on does not wait."""
        self._released = True
        if self._output >= 0:
            posix.set_blocking(self._output, False)

    def _watch(self) -> None:
        """Start the watcher: it sees our end of its pipe close without a word when we are killed, and ends the group."""
        self._watched = _spawned_reader(["/bin/sh", "-c", _WATCHER, "sh", str(self._pid)])

    def _adopt(self) -> None:
        """Let something go on reading for a process left behind, which a closed pipe would kill."""
        posix.set_blocking(self._output, True)
        _spawn_apart(["/bin/cat"], self._output)


def _spawned_reader(argv: list[str]) -> int:
    """Start a program that reads a new pipe, and return our end of it."""
    read, write = posix.pipe()
    _spawn_apart(argv, read)
    posix.close(read)
    return write


def _spawn_apart(argv: list[str], stdin: int) -> None:
    """Start a program in a session of its own that reads *stdin* and holds nothing else of ours."""
    null = [(posix.POSIX_SPAWN_OPEN, number, "/dev/null", posix.O_WRONLY, 0) for number in (1, 2)]
    try:
        posix.posix_spawn(argv[0], argv, {}, file_actions=[(posix.POSIX_SPAWN_DUP2, stdin, 0), *null], setsid=True)
    except (OSError, NotImplementedError):
        pass


def _reader_is_gone() -> bool:
    import select

    poll = select.poll()
    poll.register(1, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
