"""What git says in sentences and short rows: states, hints, progress, references, rows of changes.

Words of git are translated; shapes are not. What is known here by its shape alone holds in every language; what is known by
an English word stays whole in others.
"""

from __future__ import annotations

from token_saver.processors.git import _stat
from token_saver.processors.git._budget import length
from token_saver.processors.git._names import told_names
from token_saver.processors.git._newest import told_newest
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from token_saver.text.pieces import Piece

LONG_ADVICE = 4
SEVERAL = 20
NAMES_ROOM = 3000
LIST_ROOM = 6000
PATTERNS_FROM = 8000
SUBJECTS_ROOM = 20_000
UNKNOWN_ROOM = 4000
SAME_REFERENCES = 4

_KIND = rx(
    r"(?P<use>  \(\S+(?: \S+)? \"git .*\)$)"
    r"|(?P<reference> .\ [^|]{3,25}\S +\S+ +-> \S.*|   [0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40} +\S+ +-> \S.*)"
    r"|(?P<mode> (?:create|delete) mode \d{6} \S)"
    r"|(?P<short>[ MTADRCU?!]{2} \S+$)"
    r"|(?P<listed>(?:[MADTUX]|[RC]\d+|\d+\t\d+|-\t-|:\d{6} \d{6} [0-9a-f.]+ [0-9a-f.]+ [A-Z]\d*)\t\S)"
    r"|(?P<subject>[0-9a-f]{7,40} \S)"
    r"|(?P<hint>(?:hint|astuce|Hinweis|consejo|suggerimento|dica|tips|ayuda|подсказка|提示|ヒント|힌트) ?: ?)"
    r"|(?P<progress>(?:remote: )?(?:Enumerating objects|Counting objects|Compressing objects|Delta compression using|"
    r"Finding sources|Writing objects|Unpacking objects|Expanding reachable|Updating files|Removing duplicate|"
    r"Aufzählen von|Zähle Objekte|Komprimiere Objekte|Schreibe Objekte|Énumération des objets|Décompte des objets|"
    r"Compression des objets|Compression par delta|Écriture des objets)\b)"
    r"|(?P<merged>Auto-merging \S)"
    r"|(?P<usage>usage: git |Verwendung: git |utilisation ?: git )"
    r"|(?P<again>running  ?\S)"
    r"|(?P<remote>remote: .*\S {2,}$|remote: *$)"
    r"|(?P<tail>.*\S \([^()\"]{0,40}\"git [^()]*\)$)"
)
_OPTION = rx(r" {4,}|$|   or: |\s+(?:oder|ou) ?: ")
_TRAILING = rx(r" \([^()\"]{0,40}\"git [^()]*\)$")
_OFF = rx(r".*\bgit config\b.*\badvice\.|.*(?:Disable this message|Turn this message off|Désactivez ce message|Deaktivieren)")
_CONFLICT = rx(r"CONFLICT \(.*?\): .* (?:in|dans) (\S+)$")
_SENTENCE = rx(r".*(?:\. |[.:]$)")
_BLANKS = rx(r"(?<=\S)  +")


def told_prose(lines: Sequence[str]) -> list[Piece]:
    """Return the pieces of *lines*; hints and what else goes without saying is counted at the end."""
    reader = _Prose(lines)
    pieces = [piece for run in reader.runs() for piece in run]
    return [*pieces, Fold(reader.merges, "automatic merge", told=True), Fold(reader.hints, "hint", told=True)]


class _Prose:
    """Cuts lines into runs of one kind, each told by the method of that kind."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.hints: list[str] = []
        self.merges: list[str] = []
        self._said: set[str] = set()
        self._conflicts = {found.group(1) for found in map(_CONFLICT.match, lines) if found is not None}
        self._tell: dict[str, Callable[[Sequence[str]], Iterable[Piece]]] = {
            "use": self._use,
            "row": _stat.told_rows,
            "mode": _stat.told_modes,
            "reference": _references,
            "name": self._names,
            "short": lambda run: told_names(run, NAMES_ROOM, patterns=length(run) > PATTERNS_FROM),
            "listed": lambda run: told_names(run, LIST_ROOM, patterns=length(run) > PATTERNS_FROM),
            "subject": lambda run: told_newest(run, SUBJECTS_ROOM, limited=True),
            "": _unknown,
            "hint": self._hint,
            "progress": lambda run: [Fold(run, "line of progress", told=True)],
            "merged": self._merged,
            "usage": _usage,
            "again": self._again,
            "remote": lambda run: [Recast(line.rstrip(), [line]) for line in run],
            "tail": lambda run: [Recast(_TRAILING.sub("", line), [line]) for line in run],
        }

    def runs(self) -> Iterator[Iterable[Piece]]:
        """Yield the pieces of each run of neighbours of one kind."""
        start = 0
        kind = ""
        for at, line in enumerate(self.lines):
            found = kind if kind == "usage" and _OPTION.match(line) else _kind(line)
            if found != kind:
                if at > start:
                    yield self._told(kind, self.lines[start:at])
                start, kind = at, found
        if len(self.lines) > start:
            yield self._told(kind, self.lines[start:])

    def _told(self, kind: str, run: Sequence[str]) -> Iterable[Piece]:
        return self._tell[kind](run)

    def _use(self, run: Sequence[str]) -> Iterable[Piece]:
        self.hints.extend(run)
        return ()

    def _hint(self, run: Sequence[str]) -> Iterable[Piece]:
        """Short advice stays; of long advice the first sentence, which says what is wrong or what to do."""
        end = len(run) if len(run) < LONG_ADVICE else 1 + (_SENTENCE.match(run[0]) is None)
        for at, line in enumerate(run):
            if at < end and not _OFF.match(line):
                yield line
            else:
                self.hints.append(line)

    def _merged(self, run: Sequence[str]) -> Iterable[Piece]:
        """A file that was merged by itself and is named as a conflict below need not be named here, if there are several."""
        several = sum(map(len, self._conflicts)) > SEVERAL
        for line in run:
            if several and line.partition(" ")[2] in self._conflicts:
                self.merges.append(line)
            else:
                yield line

    def _again(self, run: Sequence[str]) -> Iterable[Piece]:
        """``git bisect run`` names its command at every step."""
        for line in run:
            yield Fold([line], "repeated line", told=True) if line in self._said else line
            self._said.add(line)

    def _names(self, run: Sequence[str]) -> Iterable[Piece]:
        if length(run) > NAMES_ROOM:
            return told_names(run, NAMES_ROOM, patterns=length(run) > PATTERNS_FROM)
        return [Recast(_BLANKS.sub(" ", line), [line]) for line in run]


def _kind(line: str) -> str:
    if line[:1] == "\t":
        return "name"
    if line[:1] == " " and " | " in line and _stat.is_row(line):
        return "row"
    found = _KIND.match(line)
    return (found.lastgroup or "") if found is not None else ""


def _references(run: Sequence[str]) -> Iterator[Piece]:
    """Yield references without padding; many of one kind that keep their name share a line."""
    start = 0
    kinds = [_same_name(line) for line in run]
    for at in range(1, len(run) + 1):
        if at < len(run) and kinds[at] and kinds[at] == kinds[start]:
            continue
        block = run[start:at]
        if len(block) >= SAME_REFERENCES and kinds[start]:
            names = ", ".join(line.partition("]")[2].split()[0] for line in block)
            yield Recast(f"{block[0].partition(']')[0]}] {names}", block)
        else:
            yield from (Recast(_BLANKS.sub(" ", line), [line]) for line in block)
        start = at


def _same_name(line: str) -> str:
    """Return the kind (`` * [new tag]``) of a reference that has the same name on both sides, else ""."""
    head, bracket, rest = line.partition("]")
    words = rest.split()
    if not bracket or len(words) != 3 or words[2].rpartition("/")[2] != words[0].rpartition("/")[2]:
        return ""
    return head + words[2].removesuffix(words[0])


def _unknown(run: Sequence[str]) -> Iterable[Piece]:
    """What hooks and other programs say stays, as far as any unknown output does."""
    if length(run) <= UNKNOWN_ROOM:
        return run
    from token_saver.processors.generic import reduce

    return reduce(run)


def _usage(run: Sequence[str]) -> Iterator[Piece]:
    """A synopsis after a mistake: its first line stays, the options are counted."""
    yield run[0]
    yield Fold(run[1:], "line of usage", told=True)
