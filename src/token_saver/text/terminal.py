"""What a terminal would have shown: control sequences, carriage returns and redrawn progress taken away.

Sequences are those of ECMA-48 and xterm: CSI (private modes and colon colours included), OSC (hyperlinks, titles; ended by
BEL or ST), DCS/PM/APC strings, character set selections and the two-character escapes.
"""

from __future__ import annotations

from token_saver.text.rx import rx

_CURSOR = rx(r"\x1b\[\d*[ABEFGH]|\x1b\[\d+;\d+[Hf]|\x1b[78DEM]|\x1b\[[su]")
_ESCAPE = rx(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[PX^_][^\x1b\n]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
# An escape that begins no sequence goes too: without the stray character behind it, it might begin one.
_STRAY = rx(r"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]")
_PROGRESS = rx(
    r"\s*$"
    r"|.*(?:\d%|\d\s?/\s?\d|[█▏▎▍▌▋▊▉░▒▓━╸╺⠀-⣿◐◓◑◒⣾⣽⣻]|\[[=#>. -]{3,}\]|\.\.\.\s*$|…\s*$|\b\d+(?:\.\d+)? ?[KMG]i?B)|\s*[-\\|/]\s"
)
_KEPT_END = "\ue00d"
"""Stands for a carriage return that is content: a character of the private use area."""
_CONTROL = ("\x1b", "\r", "\x9b", "\x08", "\x07", "\x0c", "\x0b")


def plain(text: str, *, line_ends: bool = False) -> tuple[str, int]:
    """Return *text* as a reader of the terminal would see it, and how many redrawn frames were dropped.

    ``\\r\\n`` becomes ``\\n``. Where a lone carriage return (or a cursor move) redraws a line, frames that were
    overwritten drop out when they are blank or look like progress; any other frame becomes a line of its own, because tools
    also print messages behind a carriage return. With *line_ends* a text of mixed line ends keeps them: there they are
    content, as in a difference between two files.
    """
    if not any(mark in text for mark in _CONTROL):
        return text, 0
    if line_ends and 0 < text.count("\r\n") < text.count("\n"):
        made, dropped = plain(text.replace("\r\n", _KEPT_END + "\n"))
        return made.replace(_KEPT_END, "\r"), dropped
    if "\x1b" in text or "\x9b" in text:
        text = _CURSOR.sub("\r", text)
        text = _ESCAPE.sub("", text)
    text = _line_ends(text)
    dropped = 0
    if "\r" in text:
        text, dropped = _redraw(text)
    if "\x08" in text:
        text = _backspace(text)
    return _STRAY.sub("", text), dropped


def _line_ends(text: str) -> str:
    while "\r\r" in text:
        text = text.replace("\r\r", "\r")
    return text.replace("\r\n", "\n")


def _redraw(text: str) -> tuple[str, int]:
    lines: list[str] = []
    dropped = 0
    for line in text.split("\n"):
        if "\r" not in line:
            lines.append(line)
            continue
        frames = line.split("\r")
        last = len(frames) - 1
        while last and not frames[last].strip():
            last -= 1
        for frame in frames[:last]:
            if _PROGRESS.match(frame):
                dropped += 1 if frame.strip() else 0
            else:
                lines.append(frame)
        lines.append(frames[last])
    return "\n".join(lines), dropped


def _backspace(text: str) -> str:
    out: list[str] = []
    for part in text.split("\x08"):
        if out and out[-1] and not out[-1].endswith("\n"):
            out[-1] = out[-1][:-1]
        out.append(part)
    return "".join(out)
