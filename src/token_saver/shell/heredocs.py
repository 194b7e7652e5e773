"""Here-documents, put out of the grammar's way.

The grammar of tree-sitter-bash nests what follows ``<<WORD`` on its line into the here-document and fails on several of the
shapes that agents type. So each here-document is masked by something of the same length that reads the same: ``<<WORD``
becomes an input redirection, the lines of the body become comments. No position changes.
"""

from __future__ import annotations

from token_saver.errors import ShellSyntaxError

_DELIMITER_ENDS = frozenset(" \t\n|&;<>()")


class Heredoc:
    """One here-document: where ``<<`` stands, whether tabs are stripped, whether its body is expanded, the body's place."""

    __slots__ = ("begin", "delimiter", "end", "expands", "operator", "start")

    def __init__(self, start: int, operator: str, delimiter: str, expands: bool) -> None:
        self.start = start
        self.operator = operator
        self.delimiter = delimiter
        self.expands = expands
        self.begin = self.end = 0


def mask(text: str) -> tuple[str, dict[int, Heredoc]]:
    """Return *text* with its here-documents masked, and these by the position of their operator.

    Raises ``ShellSyntaxError`` when a here-document does not end.
    """
    if "<<" not in text:
        return text, {}
    found = _Finder(text).find()
    chars = list(text)
    for heredoc in found:
        for at in range(heredoc.start + 1, heredoc.start + len(heredoc.operator)):
            chars[at] = " "
        for at in range(heredoc.begin, heredoc.end):
            if chars[at] != "\n":
                chars[at] = "#"
    return "".join(chars), {heredoc.start: heredoc for heredoc in found}


class _Finder:
    """Walks over *text* with the quotes in mind; ``opened`` holds the closing character of each construct around."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.opened: list[str] = []
        self.pending: list[tuple[Heredoc, int]] = []
        self.found: list[Heredoc] = []

    def find(self) -> list[Heredoc]:
        while self.at < len(self.text):
            if self.opened and self.opened[-1] == '"':
                self._in_double_quotes()
            else:
                self._in_code()
        if self.pending:
            raise ShellSyntaxError("a here-document has no lines")
        return self.found

    def _in_double_quotes(self) -> None:
        text = self.text
        if text[self.at] == "\\":
            self.at += 2
        elif text[self.at] == '"':
            self.opened.pop()
            self.at += 1
        else:
            self._substitution()

    def _in_code(self) -> None:
        text = self.text
        char = text[self.at]
        if char == "\\":
            self.at += 2
        elif char == "'":
            self._single_quotes()
        elif char == '"':
            self.opened.append('"')
            self.at += 1
        elif char == "#" and (self.at == 0 or text[self.at - 1] in " \t\n;&|("):
            end = text.find("\n", self.at)
            self.at = len(text) if end < 0 else end
        elif text.startswith("<<", self.at):
            self._operator()
        elif char == "\n":
            self.at += 1
            self._bodies()
        elif char == ")" and self.opened and self.opened[-1] == ")":
            self.opened.pop()
            self.at += 1
        else:
            self._substitution()

    def _substitution(self) -> None:
        """Step over one character; a parenthesis or a backtick opens, and the backtick also closes."""
        char = self.text[self.at]
        quoted = bool(self.opened) and self.opened[-1] == '"'
        if char == "`":
            if self.opened and self.opened[-1] == "`":
                self.opened.pop()
            else:
                self.opened.append("`")
        elif char == "(" and (not quoted or self.text[self.at - 1] == "$"):
            self.opened.append(")")
        self.at += 1

    def _single_quotes(self) -> None:
        ansi = self.at > 0 and self.text[self.at - 1] == "$"
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != "'":
            self.at += 2 if ansi and self.text[self.at] == "\\" else 1
        self.at += 1

    def _operator(self) -> None:
        if self.text.startswith("<<<", self.at):
            self.at += 3
            return
        start = self.at
        operator = "<<-" if self.text.startswith("<<-", start) else "<<"
        self.at += len(operator)
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        delimiter, quoted = self._delimiter()
        self.pending.append((Heredoc(start, operator, delimiter, not quoted), len(self.opened)))

    def _delimiter(self) -> tuple[str, bool]:
        text = self.text
        parts: list[str] = []
        quoted = False
        while self.at < len(text) and text[self.at] not in _DELIMITER_ENDS:
            char = text[self.at]
            quoted = quoted or char in "'\"\\"
            if char in "'\"":
                end = text.find(char, self.at + 1)
                parts.append(text[self.at + 1 : end] if end > 0 else "\n")
                self.at = end + 1 if end > 0 else len(text)
            else:
                parts.append(text[self.at + 1 : self.at + 2] if char == "\\" else char)
                self.at += 2 if char == "\\" else 1
        delimiter = "".join(parts)
        if not delimiter or any(char in delimiter for char in "\n$`\\"):
            raise ShellSyntaxError("a here-document has no plain delimiter")
        return delimiter, quoted

    def _bodies(self) -> None:
        """Take the bodies of the here-documents that were announced on the line that just ended."""
        waiting, self.pending = self.pending, []
        for heredoc, depth in waiting:
            if depth != len(self.opened):
                raise ShellSyntaxError("a here-document begins inside a construct that its line opens")
            heredoc.begin = self.at
            self._body(heredoc)
            self.found.append(heredoc)

    def _body(self, heredoc: Heredoc) -> None:
        text = self.text
        while self.at < len(text):
            end = text.find("\n", self.at)
            end = len(text) if end < 0 else end
            line = text[self.at : end]
            if (line.lstrip("\t") if heredoc.operator == "<<-" else line) == heredoc.delimiter:
                heredoc.end = end
                heredoc.expands = heredoc.expands and any(char in text[heredoc.begin : self.at] for char in "$`\\")
                self.at = min(end + 1, len(text))
                return
            self.at = end + 1
        raise ShellSyntaxError(f"the here-document {heredoc.delimiter!r} does not end")
