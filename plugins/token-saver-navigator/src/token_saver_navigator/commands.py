"""``token-saver nav``: the questions of the navigator on the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Generator

    from token_saver_navigator.answers import Answer
    from token_saver_navigator.navigator import Navigator

_NAME = "name, Class.name, path:name or path:line"


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``nav`` with one command a question."""
    nav = commands.add_parser("nav", help="find and read code by symbol", description="Find and read code by symbol.")
    questions = nav.add_subparsers(title="questions", metavar="QUESTION", required=True)
    _question(questions, "outline", "the definitions of a file", lambda n, o: n.outline(o.path), path="the file")
    symbol = _question(questions, "symbol", "the definition of a name, and its source", _symbol, name=_NAME)
    symbol.add_argument("--no-body", action="store_true", help="leave the source out, print the docstring")
    search = _question(questions, "search", "what words describe best", _search)
    search.add_argument("words", nargs="+", help="what it does, in words")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="how many to print (default: 10)")
    _question(questions, "references", "every place where a name stands", lambda n, o: n.references(o.name), name=_NAME)
    _question(questions, "callers", "who calls it", lambda n, o: n.callers(o.name), name=_NAME)
    _question(questions, "callees", "what it calls", lambda n, o: n.callees(o.name), name=_NAME)
    impact = _question(
        questions, "impact", "what a change reaches, and the tests among it", lambda n, o: n.impact(o.name, ref=o.ref)
    )
    impact.add_argument("name", nargs="?", default="", help=_NAME)
    impact.add_argument("--ref", default="", metavar="COMMIT", help="all that changed since this commit, instead of a name")
    context = _question(questions, "context", "what to read before an edit", lambda n, o: n.context(o.name, o.budget), name=_NAME)
    context.add_argument("--budget", type=int, default=2000, metavar="N", help="tokens at most (default: 2000)")
    changed = _question(questions, "changed", "the symbols that differ from a commit", lambda n, o: n.changed(o.ref))
    changed.add_argument("ref", nargs="?", default="HEAD", help="the commit (default: HEAD)")


def _symbol(navigator: Navigator, options: argparse.Namespace) -> Answer:
    return navigator.symbol(options.name, body=not options.no_body)


def _search(navigator: Navigator, options: argparse.Namespace) -> Answer:
    return navigator.search(" ".join(options.words), limit=options.limit)


def _question(
    questions: argparse._SubParsersAction[Any],
    name: str,
    text: str,
    ask: Callable[[Navigator, argparse.Namespace], Answer],
    /,
    **operands: str,
) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = questions.add_parser(name, help=text, description=f"Print {text}.")
    for operand, meaning in operands.items():
        made.add_argument(operand, help=meaning)
    made.add_argument("--root", default=".", metavar="FOLDER", help="a folder of the project (default: the current one)")
    made.add_argument("--format", choices=("text", "json"), default="text", help="how to print (default: text)")
    made.set_defaults(command=lambda options: _run(options, ask))
    return made


def _run(options: argparse.Namespace, ask: Callable[[Navigator, argparse.Namespace], Answer]) -> int:
    from token_saver.cli import output
    from token_saver_navigator.navigator import Navigator

    bar = _Bar()
    try:
        with Navigator(options.root, progress=bar.show) as navigator:
            answer = ask(navigator, options)
    finally:
        bar.end()
    if options.format == "json":
        output.print_json(answer.as_data())
    else:
        output.write(answer.text + "\n")
    return 0


class _Bar:
    """A bar on stderr while many files are parsed, when somebody sees it."""

    def __init__(self) -> None:
        self._steps = self._drawn() if sys.stderr.isatty() else None
        self._started = False

    def show(self, done: int, total: int) -> None:
        """Draw the state; the first call says how many files there are."""
        if self._steps is None or (total < 100 and not self._started):
            return
        if not self._started:
            next(self._steps)
            self._started = True
        self._steps.send((done, total))

    def end(self) -> None:
        """Take the bar away."""
        if self._steps is not None:
            self._steps.close()

    @staticmethod
    def _drawn() -> Any:
        def draw() -> Generator[None, tuple[int, int], None]:
            from rich.console import Console
            from rich.progress import Progress

            with Progress(console=Console(stderr=True), transient=True) as progress:
                task = progress.add_task("Reading the project", total=None)
                while True:
                    done, total = yield
                    progress.update(task, completed=done, total=total)

        return draw()
