"""make, ninja, cmake and meson: they run other tools and print what those print."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.located import located
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_COMPILE = rx(
    r"(?:\[\d+/\d+\] )?(?:printf .{0,200};)?(?:\S*/)?(?:ccache )?(?:\S*/)?"
    r"(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|ar|ld|javac|libtool|[\w-]+-g(?:cc|\+\+))(?:-\d+)? .{60}"
)
_STEP = rx(r"\[\d+/\d+\] |\[ *\d+%\] ")


class MakeProcessor(Family):
    """Errors whole, the first warnings of each kind, failed targets; steps that went through are counted."""

    name = "make"
    priority = 25
    commands = ("make", "gmake", "ninja", "cmake", "meson", "bear", "xmake", "scons", "waf", "bmake")

    quiet = Rules(
        {
            r"g?make(?:\[\d+\])?: Leaving directory ": "change of directory",
            r"-- (?:The \w+ compiler identification|Detecting|Check for working|Looking for|Performing Test .* - Success)": (
                "line of configuration"
            ),
            r"INFO: (?:autodetecting backend|calculating backend)": "line of configuration",
            r"Scanning dependencies |Consolidate compiler generated dependencies": "line of configuration",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(_counted_steps(_shortened(located(capture.lines))), self.quiet, whole=2)


def _shortened(items: Sequence[Item]) -> Iterator[Item]:
    """Tell a compile command without the words that it shares with the one before."""
    before: list[str] = []
    for item in items:
        if not isinstance(item, str) or not _COMPILE.match(item):
            yield item
            continue
        words = item.split()
        text = _new_words(words, before)
        before = words
        yield Recast(text, [item]) if text else item


def _new_words(words: Sequence[str], before: Sequence[str]) -> str:
    """Return the program and the words that *before* does not hold, with ``…`` where words were left out; "" for no gain."""
    known = set(before)
    if words[:1] != list(before[:1]):
        return ""
    kept: list[str] = []
    for word in words[1:]:
        if word not in known or word in ("-o", "-c") or (kept and kept[-1] in ("-o", "-c")):
            kept.append(word)
        elif not kept or kept[-1] != "…":
            kept.append("…")
    return " ".join([words[0], *kept])


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
