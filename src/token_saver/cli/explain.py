"""``token-saver explain CMD``: the parse, the verdict and its reason, the processor, what would be executed; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse

    from rich.tree import Tree

    from token_saver.command_policy import Decision, Part
    from token_saver.processor import Processor
    from token_saver.shell.script import Compound, Pipeline, Script, Simple

_DESCRIPTION = """\
Say what would happen to a command line: how it is read, whether its output would be shortened and why, which processor reads
it, and what a host would execute in its place. Nothing is run."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("explain", help="say what would happen to a command, and why", description=_DESCRIPTION)
    made.add_argument("text", metavar="CMD", help="a command line, quoted as one word")
    output.add_format(made)
    made.set_defaults(command=_explain)


def _explain(options: argparse.Namespace) -> int:
    from token_saver.command_policy import default_policy
    from token_saver.shell.rewrite import rewrite

    policy = default_policy()
    decision = policy.explain_decision(options.text)
    executed = rewrite(options.text, policy) or options.text
    processor = _processor(options.text)
    if options.format == "json":
        output.print_json(_report(decision, processor, executed))
        return 0
    console = output.console()
    console.print("[bold]parse[/]")
    console.print(_tree(decision.script) if decision.script is not None else "  it cannot be read", markup=False)
    console.print(f"[bold]verdict[/]     {'touched' if decision.compressible else 'left alone'}: ", end="")
    console.print(decision.reason, markup=False)
    for part in decision.parts:
        console.print(f"  {part.text}: {part.reason}{_wrapped(part)}", markup=False)
    console.print(f"[bold]processor[/]   {processor.name}")
    console.print("[bold]executed[/]    ", end="")
    console.print(executed, markup=False)
    return 0


def _processor(command: str) -> Processor:
    from token_saver.engine import CompressionEngine
    from token_saver.processor import as_command

    settings = output.effective_settings()
    return CompressionEngine(settings=settings).selected(as_command(command))


def _wrapped(part: Part) -> str:
    if not part.eligible or not isinstance(part.wrapping, str):
        return ""
    return f"; it is not wrapped: {part.wrapping}"


def _report(decision: Decision, processor: Processor, executed: str) -> dict[str, Any]:
    return {
        "command": decision.command,
        "compressible": decision.compressible,
        "rule": decision.rule,
        "reason": decision.reason,
        "decided_by": decision.part,
        "parts": [
            {
                "text": part.text,
                "eligible": part.eligible,
                "rule": part.rule,
                "reason": part.reason,
                "matched_pattern": part.pattern,
                "not_wrapped_because": part.wrapping if isinstance(part.wrapping, str) else None,
            }
            for part in decision.parts
        ],
        "processor": processor.name,
        "processor_hook_patterns": list(processor.hook_patterns),
        "rewritten": executed != decision.command,
        "executed": executed,
    }


def _tree(script: Script) -> Tree:
    """Draw the parse: lists, pipelines and commands with their words."""
    from rich.text import Text
    from rich.tree import Tree

    tree = Tree(Text("list" if len(script.items) > 1 else "line"), guide_style="dim")
    for pipeline, separator in script.items:
        _branch(tree, pipeline, separator)
    return tree


def _branch(tree: Tree, pipeline: Pipeline, separator: str) -> None:
    from rich.text import Text

    after = f"  (then {separator!r})" if separator else ""
    if len(pipeline.commands) > 1:
        tree = tree.add(Text(f"pipeline{after}"))
        after = ""
    for command in pipeline.commands:
        branch = tree.add(Text(f"{_told(command)}{after}"))
        for body in getattr(command, "bodies", ()):
            for inner, following in body.items:
                _branch(branch, inner, following)


def _told(command: Simple | Compound) -> str:
    from token_saver.shell.script import Simple

    if not isinstance(command, Simple):
        return command.kind
    assignments = [f"{name}={value.raw}" for name, value in command.assignments]
    words = " ".join([*assignments, *(word.text for word in command.words)])
    return f"command {words}" + "".join(
        f"  redirection {redirect.fd}{redirect.operator}{redirect.target.raw}" for redirect in command.redirects
    )
