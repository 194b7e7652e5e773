"""``go test -json`` (test2json): one event a line."""

from __future__ import annotations

from token_saver.text import Fold, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

# https://pkg.go.dev/cmd/test2json: fields in the order in which the go tool writes them.
_EVENT = rx(
    r'\{(?:"Time":"[^"]*",)?"Action":"(?P<action>[\w-]+)"(?:,"Package":"(?P<package>[^"]*)")?(?:,"Test":"(?P<test>(?:[^"\\]|\\.)*)")?'
    r'(?:,"Elapsed":[\d.]+)?(?:,"Output":"(?P<output>(?:[^"\\]|\\.)*)")?'
)
_MOVES = ("=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ")
_SILENT = frozenset(("run", "pause", "cont", "start", "pass"))


def events(lines: Sequence[str]) -> Iterator[Piece]:
    """Keep what failed, was skipped or has no verdict, with its output; events of passing tests are counted."""
    read = [_EVENT.match(line) for line in lines]
    passed = {found.group("package", "test") for found in read if found is not None and found.group("action") == "pass"}
    for line, found in zip(lines, read, strict=True):
        if found is None:
            yield line
            continue
        key = found.group("package", "test")
        action = found.group("action")
        if action == "output":
            said = found.group("output") or ""
            moved = said.startswith(_MOVES)
            if moved or (key in passed and key[1] is not None):
                yield Fold([line], "event of progress" if moved else "event of passing tests", known=True, told=True)
            else:
                yield line
        elif action in _SILENT and not (action == "pass" and key[1] is None):
            yield Fold([line], "event of progress" if action != "pass" else "event of passing tests", known=True)
        else:
            yield line
