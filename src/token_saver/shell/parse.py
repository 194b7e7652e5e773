"""The slow lane: reads a command line with the grammar of bash (tree-sitter-bash) into a ``Script``.

The grammar finds constructs, lists, pipelines and substitutions; words are unquoted by the reader that the fast lane uses.
What the grammar accepts although a shell would not (a subshell as an argument, ``;;`` outside of ``case`` …) is refused.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tree_sitter import Language, Parser
from tree_sitter_bash import language

from token_saver.errors import ShellSyntaxError
from token_saver.shell.ansi_c import decode
from token_saver.shell.heredocs import mask
from token_saver.shell.scan import scan
from token_saver.shell.script import KEYWORDS, Compound, Pipeline, Redirect, Script, Simple, Word, is_odd_time
from token_saver.shell.words import Opaque, TooHardError, WordReader, named_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from token_saver.shell.heredocs import Heredoc

    Command = Simple | Compound
    Item = tuple[Pipeline, str]

_SEPARATORS = frozenset({"&&", "||", ";", "&"})
_COMPOUNDS = {
    "subshell": "subshell",
    "compound_statement": "group",
    "for_statement": "for",
    "c_style_for_statement": "for",
    "while_statement": "while",
    "if_statement": "if",
    "case_statement": "case",
    "function_definition": "function",
    "test_command": "test",
}
_FEWEST_LISTS = {"while": 2, "if": 2}
_CLAUSES = frozenset({"do_group", "elif_clause", "else_clause", "case_item"})
_WITH_HEADER = frozenset({"for_statement", "c_style_for_statement", "case_statement", "case_item", "function_definition"})
_WITHOUT_COMMANDS = frozenset({"[[", "(("})
_ASSIGNMENTS = frozenset({"variable_assignment", "variable_assignments"})
_FLAT = frozenset({"declaration_command", "unset_command"})
_EXPANSIONS = frozenset({"simple_expansion", "expansion", "arithmetic_expansion", "array"})
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_REDIRECTS = frozenset({"file_redirect", "herestring_redirect"})
_OPERATORS = frozenset({">", ">>", ">|", "<", "<>", ">&", "<&", "&>", "&>>", ">&-", "<&-", "<<<"})
_MASKED = {"<<": "<", "<<-": "<"}
_IDENTIFIER = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_DEEPEST = 40
_ASCII = bytes(range(128)) + b"%" * 128
"""The grammar's scanner looks characters up in a table of the C library without asking whether it is that long."""


def parse(text: str) -> Script:
    """Return the reading of *text*. Raises ``ShellSyntaxError`` when it cannot be read with certainty.

    The grammar has faults of its own (it takes ``$ 2>&1`` for ``$2 >& 1``). So the fast lane reads the text once more, with
    a plain word in place of all that only the grammar reads, and must see the same structure.
    """
    script, blanked = read_with_grammar(text)
    twin = scan(blanked)
    if twin is not None and _shape(script) != _shape(twin):
        raise ShellSyntaxError("the command line can be read in two ways")
    return script


def read_with_grammar(text: str) -> tuple[Script, str]:
    """Return the grammar's own reading of *text*, and the text with a plain word in place of what the shell computes."""
    if "\0" in text or "\r" in text:
        raise ShellSyntaxError("a command line holds no NUL and no carriage return")
    masked, heredocs = mask(text)
    try:
        source = masked.encode().translate(_ASCII)
    except UnicodeEncodeError:
        raise ShellSyntaxError("the command line is not valid text") from None
    root = _parser().parse(source).root_node
    if root.has_error:
        raise ShellSyntaxError("the command line is not complete, or not understood")
    reader = _Reader(text, masked, source, heredocs)
    try:
        script = reader.script(root)
    except TooHardError:
        raise ShellSyntaxError("the command line holds a word that is not understood") from None
    except RecursionError:
        raise ShellSyntaxError("the command line is nested too deeply") from None
    if not script.items or reader.heredocs:
        raise ShellSyntaxError("the command line holds no command, or a here-document where none can be")
    return script, reader.blanked()


@cache
def _parser() -> Parser:
    return Parser(Language(language()))


class _Reader:
    """Turns nodes into commands.

    ``typed`` is the command line, ``text`` the same with masked here-documents, which is what the grammar read; ``heredocs``
    are those that no redirection has been found for yet.
    """

    def __init__(self, typed: str, text: str, source: bytes, heredocs: dict[int, Heredoc]) -> None:
        self.typed = typed
        self.text = text
        self.heredocs = dict(heredocs)
        self._offsets = None if text.isascii() else _char_offsets(text)
        self._depth = 0
        self._limit = len(text)
        self._computed: list[tuple[int, int]] = []

    def start(self, node: Node) -> int:
        return node.start_byte if self._offsets is None else self._offsets[node.start_byte]

    def end(self, node: Node) -> int:
        return node.end_byte if self._offsets is None else self._offsets[node.end_byte]

    def blanked(self) -> str:
        """Return the text with a plain word in place of everything that the fast lane does not read."""
        chars = list(self.text)
        for start, end in self._computed:
            chars[start:end] = "_" * (end - start)
        return "".join(chars)

    def children(self, node: Node, *, lines: bool = False) -> list[Node]:
        """Return the children of *node* without comments. Nothing but blanks, and line ends if *lines*, may be between them."""
        found: list[Node] = []
        at = 0 if node.type == "program" else self.start(node)
        for child in node.children:
            gap = self.text[at : self.start(child)].replace("\\\n", "")
            if gap.strip(" \t\n" if lines else " \t"):
                raise ShellSyntaxError("the command line is not understood")
            at = self.end(child)
            if child.type != "comment":
                found.append(child)
        return found

    def script(self, node: Node) -> Script:
        """Read the one list that *node* holds between its brackets."""
        limit = self._limit
        if self.text[self.start(node) : self.start(node) + 1] == "`" and node.type == "command_substitution":
            self._limit = self.end(node) - 1
            if "\\" in self._slice(node):
                raise ShellSyntaxError("a backslash inside of backticks can be read in two ways")
        lists, header = self._lists(node)
        self._limit = limit
        if len(lists) > 1 or header:
            raise ShellSyntaxError(f"a list was expected in a {node.type}")
        return lists[0] if lists else Script(())

    def _lists(self, node: Node) -> tuple[tuple[Script, ...], list[Node]]:
        """Read the lists below *node*, cut at its keywords and brackets; also return what is no statement."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ShellSyntaxError("the command line is nested too deeply")
        header: list[Node] = []
        lists = tuple(self._list(group, end) for group, end in self._groups(node, header))
        self._depth -= 1
        if header and node.type not in _WITH_HEADER:
            raise ShellSyntaxError(f"a {header[0].type} was not expected in a {node.type}")
        return lists, header

    def _groups(self, node: Node, header: list[Node]) -> Iterator[tuple[list[Node], int]]:
        """Yield the statements below *node* with their separators, list by list, and where each list ends (a byte)."""
        group: list[Node] = []
        for child in self.children(node, lines=True):
            statement = child.type in _STATEMENTS and not _is_header(node, child)
            if statement or (child.type in _SEPARATORS and (group or node.type not in _WITH_HEADER)):
                group.append(child)
            elif child.is_named and child.type not in _CLAUSES:
                header.append(child)
            else:
                if node.type == "program":
                    raise ShellSyntaxError(f"{child.type!r} was not expected")
                if group:
                    yield group, child.start_byte
                group = []
                if child.type in _CLAUSES:
                    yield from self._groups(child, header)
        if group:
            yield group, node.end_byte

    def _list(self, nodes: Sequence[Node], end: int) -> Script:
        """Read statements with the separators between them; *end* is the byte at which the list is over."""
        items: list[Item] = []
        for position, node in enumerate(nodes):
            if node.type in _SEPARATORS:
                if not items or items[-1][1]:
                    raise ShellSyntaxError(f"nothing stands before {node.type!r}")
                items[-1] = (items[-1][0], node.type)
                continue
            items += self._items(node)
            if position + 1 == len(nodes) or nodes[position + 1].type not in _SEPARATORS:
                upto = nodes[position + 1].start_byte if position + 1 < len(nodes) else end
                items[-1] = (items[-1][0], self._line_end(node, upto, last=position + 1 == len(nodes)))
        return Script(tuple(items))

    def _line_end(self, node: Node, upto: int, *, last: bool) -> str:
        gap = self.text[self.end(node) : upto if self._offsets is None else self._offsets[upto]]
        if "\n" in gap.replace("\\\n", ""):
            return "\n"
        if not last:
            raise ShellSyntaxError("nothing separates two commands")
        return ""

    def _items(self, node: Node) -> list[Item]:
        """Read *node* as pipelines with the operator that follows each; the last one has none yet.

        The operators of a list bind by their order alone. The grammar nests them in its own way: in ``a && b 2>&1 | c`` it
        gives the redirection and the pipe to the whole list. Reading in the order of the text puts that right.
        """
        reader = _ITEMS.get(node.type)
        if reader is not None:
            return reader(self, node)
        command = self._compound(node) if node.type in _COMPOUNDS else self._simple(node)
        return [(Pipeline((command,), (), False, command.start, command.end), "")]

    def _items_of_list(self, node: Node) -> list[Item]:
        items: list[Item] = []
        for child in self.children(node, lines=True):
            if child.type in ("&&", "||") and items:
                items[-1] = (items[-1][0], child.type)
            else:
                items += self._items(child)
        return items

    def _items_of_pipeline(self, node: Node) -> list[Item]:
        items: list[Item] = []
        joint = ""
        for child in self.children(node, lines=True):
            if child.type in ("|", "|&"):
                joint = child.type
            else:
                found = self._items(child)
                if items:
                    found[0] = (_joined(items.pop()[0], joint, found[0][0]), found[0][1])
                items += found
        return items

    def _items_of_negation(self, node: Node) -> list[Item]:
        _, inner = self.children(node)
        items = self._items(inner)
        first, separator = items[0]
        if first.negated:
            raise ShellSyntaxError("'!' stands twice")
        items[0] = (Pipeline(first.commands, first.joints, True, self.start(node), first.end), separator)
        return items

    def _items_of_redirected(self, node: Node) -> list[Item]:
        body, *redirects = self.children(node)
        if body.type in _REDIRECTS:
            start = self.start(node)
            empty = Pipeline((Simple((), (), (), start, start),), (), False, start, start)
            return self._redirected([(empty, "")], [body, *redirects])
        return self._redirected(self._items(body), redirects)

    def _redirected(self, items: list[Item], nodes: list[Node]) -> list[Item]:
        """Give the redirections to the last command; words that stand behind them are words of the command."""
        pipeline, separator = items[-1]
        last = pipeline.commands[-1]
        for node in nodes:
            redirect, words = self._redirect(node, last.end)
            end = words[-1].end if words else redirect.end
            redirects = (*last.redirects, redirect)
            if isinstance(last, Simple):
                assignments, words = ([], words) if last.words else _leading_assignments(words)
                last = Simple((*last.assignments, *assignments), (*last.words, *words), redirects, last.start, end)
            elif words:
                raise ShellSyntaxError("a word stands behind the redirection of a construct")
            else:
                last = Compound(last.kind, last.bodies, redirects, last.start, end, last.names, last.words)
        commands = (*pipeline.commands[:-1], _checked(last) if isinstance(last, Simple) else last)
        items[-1] = (Pipeline(commands, pipeline.joints, pipeline.negated, pipeline.start, last.end), separator)
        return items

    def _redirect(self, node: Node, before: int) -> tuple[Redirect, list[Word]]:
        """Read one redirection and the words that the grammar took for more targets; *before* is where the last word ended."""
        parts = self.children(node)
        fd = self._slice(parts.pop(0)) if parts[0].type == "file_descriptor" else ""
        sign = parts.pop(0)
        start = self.start(node)
        if sign.type not in _OPERATORS or (start == before and self.text[before - 1] == "}" and not fd):
            raise ShellSyntaxError("a redirection was not understood")
        operator = sign.type
        if operator.endswith("&-"):
            target = Word("-", "-", self.end(sign) - 1)
            return Redirect(fd, operator[:-1], target, start, target.end), []
        target, *words = self._words(parts)
        heredoc = self.heredocs.pop(self.start(sign), None)
        if heredoc is not None:
            operator = heredoc.operator
            target = Word(target.raw, target.text, target.start, literal=not heredoc.expands, quoted=target.quoted)
        return Redirect(fd, operator, target, start, target.end), words

    def _simple(self, node: Node) -> Simple:
        start = self.start(node)
        if node.type in _FLAT or (node.type == "test_command" and node.children[0].type == "["):
            return _checked(Simple((), tuple(self._flat_words(node)), (), start, self.end(node)))
        if node.type in _ASSIGNMENTS:
            nodes = [node] if node.type == "variable_assignment" else self.children(node)
            return Simple(tuple(self._assignments(nodes)), (), (), start, self.end(node))
        if node.type != "command":
            raise ShellSyntaxError(f"a {node.type} was not expected")
        return self._command(node)

    def _command(self, node: Node) -> Simple:
        assignments: list[Node] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        end = self.start(node)
        for child in self.children(node):
            if child.type == "variable_assignment":
                assignments.append(child)
                end = self.end(child)
            elif child.type in _REDIRECTS:
                redirect, more = self._redirect(child, end)
                redirects.append(redirect)
                words += more
                end = more[-1].end if more else redirect.end
            elif self.start(child) >= end:
                words += self._words([child])
                end = words[-1].end
            elif self.end(child) > end:
                raise ShellSyntaxError("a word ends where it should not")
        return _checked(Simple(tuple(self._assignments(assignments)), tuple(words), tuple(redirects), self.start(node), end))

    def _assignments(self, nodes: Sequence[Node]) -> Iterator[tuple[str, Word]]:
        for node in nodes:
            (word,) = self._words([node])
            named = named_value(word)
            if named is None:
                raise ShellSyntaxError("an assignment was not understood")
            yield named

    def _words(self, nodes: Sequence[Node]) -> list[Word]:
        words: list[Word] = []
        end = 0
        for node in nodes:
            if self.start(node) < end:
                continue
            word = self._word(self.start(node), self._opaque(node))
            end = word.end
            if not word.raw or end < self.end(node):
                raise ShellSyntaxError("a word ends where it should not")
            words.append(word)
        if not words:
            raise ShellSyntaxError("a word was expected")
        return words

    def _word(self, at: int, opaque: dict[int, Opaque]) -> Word:
        word = WordReader(self.text, at, opaque, self._limit).read()
        word.raw = self.typed[word.start : word.end]
        return word

    def _flat_words(self, node: Node) -> Iterator[Word]:
        """Read the words of a command whose arguments the grammar takes for more than words."""
        opaque = self._opaque(node)
        at, end = self.start(node), self.end(node)
        while at < end:
            if self.text[at] in " \t":
                at += 1
            elif self.text.startswith("\\\n", at):
                at += 2
            else:
                word = self._word(at, opaque)
                if not word.raw:
                    raise ShellSyntaxError("a word was expected")
                yield word
                at = word.end

    def _opaque(self, node: Node) -> dict[int, Opaque]:
        """Find what the shell computes inside of *node*; a word that is continued on the next line is none of the grammar's."""
        found: dict[int, Opaque] = {}
        waiting = [node]
        while waiting:
            each = waiting.pop()
            part = self._computed_part(each)
            if part is None:
                waiting += each.children
            else:
                found[self.start(each)] = part
                self._computed.append((self.start(each), part.end))
        return found

    def _computed_part(self, node: Node) -> Opaque | None:
        if node.type in _SUBSTITUTIONS:
            return Opaque(self.end(node), self._slice(node), scripts=(self.script(node),))
        if node.type in _EXPANSIONS:
            self._check_substitutions(node)
            return Opaque(self.end(node), self._slice(node), self._names(node), tuple(self._scripts(node)))
        if node.type == "ansi_c_string":
            return Opaque(self.end(node), decode(self._slice(node)))
        return None

    def _check_substitutions(self, node: Node) -> None:
        """The grammar overlooks some substitutions inside of expansions; it must have seen as many as the text has."""
        text = self._slice(node)[2:]
        seen = _count_substitutions(node)
        if "`" in text or text.count("$(") - text.count("$((") != seen:
            raise ShellSyntaxError("a substitution inside of an expansion is not understood")

    def _names(self, node: Node) -> tuple[str, ...]:
        """Return every name in the text of an expansion: the parameters it reads are among them."""
        text = self._slice(node)
        if node.type == "simple_expansion":
            if any(char in " \t\n" for char in text):
                raise ShellSyntaxError("a lone '$' was taken for a parameter")
            return (text[1:],)
        spaced = "".join(char if char in _IDENTIFIER else " " for char in text)
        return tuple(word for word in spaced.split() if not word.isdigit()) or ("",)

    def _scripts(self, node: Node) -> Iterator[Script]:
        waiting = list(node.children)
        while waiting:
            each = waiting.pop()
            if each.type in _SUBSTITUTIONS:
                yield self.script(each)
            else:
                waiting += each.children

    def _compound(self, node: Node) -> Command:
        kind = _COMPOUNDS[node.type]
        opening = node.children[0].type
        if opening == "[":
            return self._simple(node)
        start, end = self.start(node), self.end(node)
        self._computed.append((start, end))
        if opening in _WITHOUT_COMMANDS:
            word = Word(self._slice(node), "", start, literal=False, names=self._names(node), scripts=tuple(self._scripts(node)))
            return Compound("test" if opening == "[[" else "arithmetic", (), (), start, end, words=(word,))
        lists, header = self._lists(node)
        if len(lists) < _FEWEST_LISTS.get(kind, 1):
            raise ShellSyntaxError(f"a {kind} holds no command")
        if any(self._redirect(each, 0)[1] for each in header if each.type in _REDIRECTS):
            raise ShellSyntaxError("a word stands behind the redirection of a construct")
        words = tuple(
            Word(self._slice(each), "", self.start(each), literal=False, scripts=tuple(self._scripts_of(each))) for each in header
        )
        return Compound(kind, lists, (), start, end, self._defined(node), words)

    def _scripts_of(self, node: Node) -> Iterator[Script]:
        if node.type in _SUBSTITUTIONS:
            yield self.script(node)
        else:
            yield from self._scripts(node)

    def _defined(self, node: Node) -> tuple[str, ...]:
        name = node.child_by_field_name("name" if node.type == "function_definition" else "variable")
        return (self._slice(name),) if name is not None else ()

    def _slice(self, node: Node) -> str:
        return self.typed[self.start(node) : self.end(node)]


_ITEMS: dict[str, Callable[[_Reader, Node], list[Item]]] = {
    "list": _Reader._items_of_list,
    "pipeline": _Reader._items_of_pipeline,
    "negated_command": _Reader._items_of_negation,
    "redirected_statement": _Reader._items_of_redirected,
}
_STATEMENTS = frozenset({"command", *_ITEMS, *_FLAT, *_ASSIGNMENTS, *_COMPOUNDS})


def _is_header(node: Node, child: Node) -> bool:
    """Whether *child* is one of the three expressions of ``for ((…; …; …))``."""
    return node.type == "c_style_for_statement" and child.type != "do_group"


def _count_substitutions(node: Node) -> int:
    own = node.type == "command_substitution"
    return own + sum(map(_count_substitutions, node.children))


def _joined(left: Pipeline, joint: str, right: Pipeline) -> Pipeline:
    if right.negated or not joint:
        raise ShellSyntaxError("'!' stands inside of a pipeline")
    return Pipeline((*left.commands, *right.commands), (*left.joints, joint, *right.joints), left.negated, left.start, right.end)


def _leading_assignments(words: list[Word]) -> tuple[list[tuple[str, Word]], list[Word]]:
    """Split off the assignments before the command word; the grammar sees none behind a redirection."""
    assignments: list[tuple[str, Word]] = []
    for position, word in enumerate(words):
        named = named_value(word)
        if named is None:
            return assignments, words[position:]
        assignments.append(named)
    return assignments, []


def _checked(command: Simple) -> Simple:
    if command.words and (command.words[0].raw in KEYWORDS or is_odd_time(command.words)):
        raise ShellSyntaxError(f"{command.words[0].raw!r} was not expected")
    return command


def _shape(script: Script) -> list[object]:
    return [
        (each.start, each.end, each.negated, each.joints, separator, [_outline(command) for command in each.commands])
        for each, separator in script.items
    ]


def _outline(command: Command) -> tuple[object, ...]:
    """Where the parts of *command* begin, and where it ends; a construct counts as one word."""
    redirects = [(each.start, each.fd, _MASKED.get(each.operator, each.operator), each.end) for each in command.redirects]
    if isinstance(command, Compound):
        return redirects, [], [command.start], command.end
    assigned = [(name, value.start, value.end) for name, value in command.assignments]
    return redirects, assigned, [word.start for word in command.words], command.end


def _char_offsets(text: str) -> list[int]:
    """Return for each byte of the encoded *text* (and its end) the character it belongs to."""
    offsets: list[int] = []
    for position, char in enumerate(text):
        offsets += [position] * len(char.encode())
    return [*offsets, len(text)]
