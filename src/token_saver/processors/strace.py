"""strace, ltrace and their kin."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text import Rules, allowance, narrowed, sieve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


_PID = r"(?:\[pid +\d+\] )?"
_ROUTINE = "call of routine"


class StraceProcessor(Family):
    """Calls that failed, programs, files, sockets and what was written; calls of loading and memory are counted."""

    name = "strace"
    priority = 45
    commands = ("strace", "ltrace", "truss", "dtruss")

    quiet = Rules(
        {
            _PID
            + r"(?:mmap|munmap|mprotect|brk|madvise|mremap|arch_prctl|set_tid_address|set_robust_list|rseq|prlimit64|getrandom|"
            r"rt_sigaction|rt_sigprocmask|sigaltstack|futex|clock_gettime|gettimeofday|getpid|gettid|getuid|geteuid|getgid|getegid|"
            r"sched_\w+|lseek|close|fcntl|ioctl|pread64|uname|sysinfo|dup2?|poll|epoll_\w+|select|nanosleep)"
            r"\(.*\) += [^-]": _ROUTINE,
            _PID + r"(?:openat|open)\(.*\.so[.\d]*\", .*\) += \d": "library",
            _PID + r"(?:openat|access|newfstatat|readlink)\(.*"
            r"(?:/etc/ld\.so|/usr/lib/locale|/usr/share/locale|gconv|/proc/self)": "library",
            _PID + r"(?:read|newfstatat|fstat|statx)\(\d+,.*\) += \d": _ROUTINE,
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return narrowed(list(sieve(capture.lines, self.quiet)), allowance(len(capture.text)), "call", _worth)


def _worth(line: str) -> int:
    if line.startswith("+++") or not line[:1].isalpha() or "write(1," in line or "write(2," in line or "execve(" in line:
        return 4
    if " = -1 E" in line:
        return 2 if "ENOENT" in line else 3
    return 3 if "O_CREAT" in line or "connect(" in line or "rename" in line or "unlink" in line else 1
