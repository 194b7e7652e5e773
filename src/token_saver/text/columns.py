"""Tables told without their padding, their rules and their borders; every cell stays."""

from __future__ import annotations

from token_saver.text.pieces import Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

_RULE = rx(r"[\s\-=+|─━═┌┬┐├┼┤└┴┘╭╮╰╯╞╪╡┏┳┓┡╇┩┣╋┫┗┻┛│┃]*[\-=─━═]{2}[\s\-=+|─━═┌┬┐├┼┤└┴┘╭╮╰╯╞╪╡┏┳┓┡╇┩┣╋┫┗┻┛│┃]*$")
_STARTS = frozenset("-=─━═┌├└╭╰╞┏┡┣┗│┃|+ ")
_SIDES = rx(r"[│┃|]")


def squeeze(line: str) -> str:
    """Return *line* with two blanks where more stood between words, and none at its end."""
    if "  " not in line and "\t" not in line:
        return line.rstrip(" ")
    text = line.lstrip(" \t")
    parts = [part.strip(" ") for part in text.replace("\t", "  ").split("  ")]
    return line[: len(line) - len(text)] + "  ".join([part for part in parts if part])


def is_boxed(line: str) -> bool:
    """Tell whether *line* is a row or a border of a table drawn with lines."""
    return line[:1] in "┌├└│╭╰╞┏┡┣┗┃|+" and len(line) > 2 and line.rstrip()[-1:] in "┐┤┘│╮╯╡┓┩┫┛┃|+"


def tabular(lines: Sequence[str]) -> list[Piece]:
    """Tell an aligned table, or one drawn with lines, in fewer blanks.

    One blank stands between cells when every row is as many words as the header, two otherwise. Rules and borders go with
    the row before them, at the top with the row behind.
    """
    rows: list[tuple[str, list[str]]] = []
    borders: list[str] = []
    for line in lines:
        text = _cells(line) if is_boxed(line) else squeeze(line) if line.strip(" ") else ""
        if line.strip(" ") and (not text or (line[:1] in _STARTS and _RULE.match(line))):
            (rows[-1][1] if rows and rows[-1][0] else borders).append(line)
        elif text:
            rows.append((text, [*borders, line]))
            borders = []
        else:
            rows.append((text, [line]))
    if _is_single([text for text, _ in rows]):
        rows = [(_single(text), own) for text, own in rows]
    return [*(_told(text, own) for text, own in rows), *borders]


def _told(text: str, own: list[str]) -> Piece:
    return own[0] if own == [text] or (len(own) == 1 and not text.strip(" ")) else Recast(text, own)


def _cells(line: str) -> str:
    """Return the cells of a drawn row, two blanks between them; with its sides when one of them is empty."""
    cells = [squeeze(cell.strip(" \t─━═")) for cell in _SIDES.split(line.strip(" ")[1:-1])]
    while cells and not cells[-1]:
        cells.pop()
    text = "  ".join(cells) if all(cells) else squeeze(line)
    return _cells(text) if len(text) < len(line) and is_boxed(text) else text


def _single(line: str) -> str:
    return " ".join([word for word in line.split(" ") if word])


def _is_single(lines: Sequence[str]) -> bool:
    """Tell whether every row is as many words as the header, so that one blank is enough to tell cells apart."""
    rows = [line for line in lines if line.strip(" ")]
    if len(rows) < 2 or rows[0][:1] == " ":
        return False
    words = _single(rows[0]).count(" ")
    return words > 0 and all(_single(line).count(" ") == words for line in rows)
