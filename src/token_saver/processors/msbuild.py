"""MSBuild and its relatives called by themselves: targets, compiler commands, and every diagnostic twice."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import ERROR, LARGE, WARNING, Finding, report
from token_saver.text.folders import Rules
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# origin : [subcategory] category code : text, https://learn.microsoft.com/visualstudio/msbuild/msbuild-diagnostic-format-for-tasks
_DIAGNOSTIC = rx(
    r"\s*(?:\d+>)?(?P<path>(?:[A-Za-z]:(?=[\\/]))?[^\s:][^:\n(]{0,260}?)(?:\((?P<line>[\d,-]+)\))? ?: (?:[\w ]{0,20} )?"
    r"(?P<level>fatal error|error|warning|Fehler|Warnung|erreur|avertissement|schwerwiegender Fehler)"
    r"(?: (?P<code>[A-Z]{1,10}\d{1,6})| ?:? (?P<late>[A-Z]{2,10}\d{2,6}))? ?: (?P<text>.*)"
)
_PROJECT = rx(r" \[[^\]\n]*proj(?:::[^\]\n]*)?\]$")
_COMMAND = rx(r"\s*(?:\d+>)?\"?[^\"\n]{0,200}?\.(?:exe|dll)\"? +[/@-]")
_OUTPUT = rx(r"\s*(?:\d+>)?(?P<name>\S+) -> \S")
_ERRORS = frozenset(("fatal error", "error", "Fehler", "erreur", "schwerwiegender Fehler"))


class MsbuildProcessor(Family):
    """Each error and the first warnings of each code, the counts and the result; commands, copies and repeats are counted."""

    name = "msbuild"
    priority = 28
    commands = ("msbuild", "xbuild", "devenv", "nmake")
    quiet = Rules(
        {
            r"\s*_{10,}$": "rule",
            r"\s*(?:\d+>)?(?:Copying file from |Deleting file |Creating directory |Removing directory |Did not copy )": (
                "file operation"
            ),
            r"\s*(?:\d+>)?(?:Done (?:B|b)uilding (?:target|[pP]roject) .*\.$|Target \S+:$|Skipping target |_?[A-Z]\w+:$)": (
                "line of targets"
            ),
            r"\s*(?:\d+>)?Project \".*\" (?:\(\d+(?::\d+)?\) )?is building \"(?![^\"]*\.sln\")": "line of targets",
            r"\s*\"[^\"]*\" \([^)]*target\) \([\d:]+\) ->$|\s*\([\w ]+ target\) (?:\([\d:]+\) )?->\s*$": "line of targets",
            r"(?:Microsoft \(R\)|\[Microsoft \.NET Framework|Copyright \(C\))": "line of banner",
            r"\s*(?:Skipping because|Building target \"|Input file |Output file |All outputs are up-to-date|Using shared comp)": (
                "line of targets"
            ),
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(once(_items(capture.lines))), self.quiet, whole=3, share=45 if len(capture.text) > LARGE else 130)


def _items(lines: Sequence[str]) -> Iterator[Item]:
    for line in lines:
        found = _DIAGNOSTIC.match(line) if ": " in line else None
        if found is not None:
            rank = ERROR if found.group("level") in _ERRORS else WARNING
            code = found.group("code") or found.group("late") or ""
            text = _PROJECT.sub("", found.group("text")[-1000:])
            made = Finding([line], found.group("path").strip(), found.group("line") or "", code, text, rank)
            made.noun = "error" if rank == ERROR else "warning"
            made.picked = [0] if rank == ERROR else None
            yield made
        elif len(line) > 200 and _COMMAND.match(line):
            yield Fold([line], "tool command", known=True)
        elif (output := _OUTPUT.match(line)) is not None:
            yield Fold([line], "built project", known=True, names=output.group("name"))
        else:
            yield line


def once(items: Iterable[Item]) -> Iterator[Item]:
    """A build names every diagnostic where it happens, and again before the counts."""
    seen: set[tuple[str, str, str]] = set()
    lines: set[str] = set()
    for item in items:
        if isinstance(item, str) and item.strip():
            key = item.strip()
            if key in lines:
                yield Fold([item], "repeated line", known=True, told=True)
                continue
            lines.add(key)
        if isinstance(item, Finding):
            place = (item.path.rpartition("\\")[2], item.place, item.text)
            if place in seen:
                yield Fold(item.lines, "repeated diagnostic", known=True, told=True)
                continue
            seen.add(place)
        yield item
