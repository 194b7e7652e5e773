"""make, ninja, cmake, meson and their relatives: they run other tools and print what those print."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.processors._runner import spans
from token_saver.text.compiled import compiled
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture, Inner
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# A compiler, an archiver or a linker called by a recipe; redis and ninja put something before it.
_COMPILE = rx(
    r"(?:\[\d+/\d+\] )?(?:printf .{0,200};|@)?(?:(?:\S*/)?ccache )?(?:\S*/)?"
    r"(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ar|ranlib|ld|javac|libtool|[\w-]+-g(?:cc|\+\+))(?:-\d+)? .{20}"
)
_SOURCE = rx(r".* ([^\s'\"]+\.(?:c|cc|cpp|cxx|C|m|mm|s|S|java|f90|cu))$")
_OUTPUT = rx(r".* -o +(\S+)")
# ninja and cmake number their steps; kbuild and automake name a kind and a file; scons and xmake say what they do.
_STEP = rx(
    r"(?:\[\d+/\d+\] |\[ *\d+%\] )(?!.*(?:[Ww]arning|WARN|[Ff]ail|FAIL|[Ee]rror\b|ERROR))"
    r"|  [A-Z][A-Z0-9_+]{1,9}(?: \[M\])? {1,}\S+$"
)
# A recipe's command that is no compiler's: its program and a word that only commands have.
_ECHO = rx(
    r"@?(?P<command>(?:[\w./-]+/)?[a-z][\w.-]* (?:-{1,2}\w|\S+ -{1,2}\w|run |test |check |build |-m |\S*[./]\S*$|\S+$).*)$"
)
_ECHO_END = rx(r"(?:g?make|bmake)(?:\[\d+\])? ?: |ninja: ")
_ECHOING = ("make", "gmake", "bmake")
FEW = 3


class MakeProcessor(Family):
    """Errors whole, the first warnings of each kind, failed targets; steps and compile commands that went through are counted."""

    name = "make"
    priority = 25
    commands = ("make", "gmake", "ninja", "cmake", "meson", "bear", "configure", "xmake", "scons", "waf", "bmake", "samu")

    quiet = Rules(
        {
            r"g?make(?:\[\d+\])? ?: (?:Leaving directory |on quitte le |se sale del |Verzeichnis .* wird verlassen)": (
                "change of directory"
            ),
            r"-- (?:The \w+ compiler identification|Detecting|Check for working|Looking for|Check size of|Performing Test|"
            r"Check if the system|Found \S+: .*found version)(?!.*(?:not found|Failed|NO$))": "line of configuration",
            r"checking (?:for|whether|if|how|that|build|host|target|command) .*\.\.\. (?:\(cached\) )?"
            r"(?!(?:no|none|failed|missing|error|unknown|unsupported)\b)\S+$|"
            r"config\.status: (?:creating|executing|linking) ": "line of configuration",
            r"INFO: (?:autodetecting backend|calculating backend)": "line of configuration",
            r"(?:Program|Compiler for|Library|Header|Checking|Configuring|Found|Message:) \S.*(?:: YES|using configuration)": (
                "line of configuration"
            ),
            r"(?:Host|Build) machine cpu|C(?:\+\+)? (?:compiler|linker) for the|The Meson build system|Version: |Build type: ": (
                "line of configuration"
            ),
            r"Scanning dependencies |Consolidate compiler generated dependencies": "line of configuration",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        items = _counted_commands(compiled(capture.lines), capture.failed)
        return report(_counted_steps(items), self.quiet, whole=2)

    def inner(self, capture: Capture) -> Sequence[Inner]:
        command = capture.command
        if command.program not in _ECHOING or command.has("-n", "--dry-run", "--just-print", "--recon"):
            return ()
        if any(map(_COMPILE.match, capture.lines)):
            return ()
        return spans(capture.lines, _ECHO, _ECHO_END)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._compilers import observe_build

        return observe_build(self.capture(as_command(command), output, exit_code))


def _counted_commands(items: Sequence[Item], failed: bool) -> Iterator[Item]:
    """Tell a compile command without the words it shares with the one before; after the first few count it."""
    before: list[str] = []
    seen = 0
    for index, item in enumerate(items):
        if not isinstance(item, str) or not _COMPILE.match(item):
            yield item
            continue
        words = item.split()
        seen += 1
        new = _new_words(words, before)
        if seen > FEW and _is_like(new) and not (failed and _is_talk(items, index + 1)):
            yield Fold([item], "compile command like it", known=True, names=_made(item))
        else:
            text = " ".join(new)
            yield Recast(text, [item]) if text else item
        before = words


def _is_talk(items: Sequence[Item], index: int) -> bool:
    """Tell whether something else than a command follows: the one before may be why."""
    if index >= len(items):
        return True
    item = items[index]
    return not (isinstance(item, str) and (_COMPILE.match(item) or _STEP.match(item)))


def _made(command: str) -> str:
    """Return the file that a compile command made or read."""
    found = _SOURCE.match(command) or _OUTPUT.match(command)
    return str(found.group(1)) if found is not None else ""


def _is_like(new: Sequence[str]) -> bool:
    """Tell whether a command differs from the one before only in the files it compiles, not in its flags, and links nothing."""
    return "-c" in new and not any(word[:1] == "-" and word not in ("-o", "-c") and "." not in word for word in new)


def _new_words(words: Sequence[str], before: Sequence[str]) -> list[str]:
    """Return the program and the words that *before* does not hold, with ``…`` where words were left out; [] for no gain."""
    known = set(before)
    if words[:1] != list(before[:1]):
        return []
    kept: list[str] = []
    for word in words[1:]:
        if word not in known or word in ("-o", "-c") or (kept and kept[-1] in ("-o", "-c")):
            kept.append(word)
        elif not kept or kept[-1] != "…":
            kept.append("…")
    return [words[0], *kept]


def _counted_steps(items: Iterable[Item]) -> list[Item]:
    """Of numbered steps in a row keep the last one: it is where the build stood when something else was printed."""
    made: list[Item] = []
    for item in items:
        if _is_step(item) and made and _is_step(made[-1]):
            made[-1] = Fold(list(_lines(made[-1])), "step", known=True)
        made.append(item)
    return made


def _is_step(item: Item) -> bool:
    return isinstance(item, (str, Recast)) and _STEP.match(next(iter(_lines(item)))) is not None


def _lines(item: Item) -> Sequence[str]:
    return [item] if isinstance(item, str) else item.lines
