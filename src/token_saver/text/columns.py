"""Tables told without their padding, their rules and their borders; every cell stays."""

from __future__ import annotations

from token_saver.text.pieces import Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

_RULE = rx(r"[\s\-=+|─━═┼┃│╋╇┿]*[\-=─━═]{2}[\s\-=+|─━═┼┃│╋╇┿]*$")
_BORDER = "┌┬┐├┼┤└┴┘╭╮╰╯─━═╞╪╡┏┳┓┡╇┩┣╋┫┗┻┛│┃|+-= "
_SIDES = rx(r"[│┃|]")


def squeeze(line: str) -> str:
    """Return *line* with two blanks where more stood between words, and none at its end."""
    if "  " not in line and "\t" not in line:
        return line.rstrip()
    start = len(line) - len(line.lstrip())
    return line[:start] + "  ".join([part.strip() for part in line[start:].replace("\t", "  ").split("  ") if part.strip()])


def squeezed(lines: Sequence[str]) -> list[Piece]:
    """Tell an aligned table in fewer blanks: one between cells when each row is as many words as the header, else two.

    A rule under the header goes with the header.
    """
    single = _is_single(lines)
    told: list[str | Recast] = []
    for line in lines:
        if told and line[:1] in "-=─━ " and _RULE.match(line):
            head = told.pop()
            text = head if isinstance(head, str) else head.text
            told.append(Recast(text, [head, line] if isinstance(head, str) else [*head.lines, line]))
            continue
        short = " ".join(line.split()) if single else squeeze(line)
        told.append(Recast(short, [line]) if len(short) < len(line) and short else line)
    return list(told)


def _is_single(lines: Sequence[str]) -> bool:
    """Tell whether every row is as many words as the header, so that one blank is enough to tell cells apart."""
    if not lines or lines[0][:1] in " \t":
        return False
    words = len(lines[0].split())
    return words > 1 and all(len(line.split()) == words for line in lines[1:] if line.strip())


def is_boxed(line: str) -> bool:
    """Tell whether *line* is a row or a border of a table drawn with lines."""
    return line[:1] in "┌├└│╭╰╞┏┡┣┗┃|+" and len(line) > 2 and line.rstrip()[-1:] in "┐┤┘│╮╯╡┓┩┫┛┃|+"


def boxed(lines: Sequence[str]) -> list[Piece]:
    """Tell a table drawn with lines as its cells, two blanks between them; borders go with the row they follow."""
    told: list[str | Recast] = []
    borders: list[str] = []
    for line in lines:
        if is_boxed(line) and all(char in _BORDER for char in line):
            borders.append(line)
            continue
        if is_boxed(line):
            cells = [cell.strip() for cell in _SIDES.split(line.strip()[1:-1])]
            told.append(Recast("  ".join(cells).rstrip(), [*borders, line]))
        else:
            told.extend([*borders, line])
        borders = []
    if _is_single([row.text for row in told if isinstance(row, Recast)]):
        told = [Recast(" ".join(row.text.split()), row.lines) if isinstance(row, Recast) else row for row in told]
    last = told[-1] if told else ""
    if borders and isinstance(last, Recast):
        return [*told[:-1], Recast(last.text, [*last.lines, *borders])]
    return [*told, *borders]
