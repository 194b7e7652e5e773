"""``token-saver compress LABEL``: shorten what stands on stdin; the label is never run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output, quality
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.engine import Result
    from token_saver.extensions import Tokenizer

_DESCRIPTION = """\
Read the output of a command on stdin and print it shortened. LABEL is the command line as it was typed; it is never run.
With --max-tokens the whole result is printed all the same, and the status is 1 when it is larger."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("compress", help="shorten the output on stdin", description=_DESCRIPTION)
    made.add_argument("label", metavar="LABEL", help="the command that printed it, for example 'git status'")
    made.add_argument("--exit-code", type=int, metavar="N", help="its exit status (default: not known)")
    made.add_argument("--max-tokens", type=quality.count, metavar="N", help="status 1 when the result has more tokens")
    quality.add_tokenizer(made)
    output.add_format(made)
    made.set_defaults(command=_compress)


def _compress(options: argparse.Namespace) -> int:
    from token_saver.engine import CompressionEngine
    from token_saver.workbench.tools import tokenizer

    settings = output.effective_settings()
    counter = tokenizer(options.tokenizer, settings.as_dict())
    if not options.label.strip():
        raise InputError("the label is empty: give the command line that printed the output, for example 'git status'")
    text = quality.read_stdin(int(settings.get("max_output_bytes")))
    result = CompressionEngine(settings=settings).run(options.label, text, options.exit_code)
    tokens = counter.count(result.output)
    over = options.max_tokens is not None and tokens > options.max_tokens
    if options.format == "json":
        output.print_json({"output": _presentable(result.output), **_report(result, text, counter, options.max_tokens)})
    else:
        output.write(result.output)
        if over:
            output.note(
                f"the result has {tokens} tokens ({counter.name}), more than the {options.max_tokens} asked for; nothing was cut"
            )
    return 1 if over else 0


def _report(result: Result, text: str, counter: Tokenizer, max_tokens: int | None) -> dict[str, Any]:
    """Return the metrics, with the names that evaluation reports have."""
    after = counter.count(result.output)
    over = max_tokens is not None and after > max_tokens
    saved = 100 * (1 - result.compressed_len / result.original_len) if result.original_len else 0.0
    return {
        "processor": result.processor,
        "was_compressed": result.changed,
        "redacted": result.redacted,
        "original_chars": result.original_len,
        "compressed_chars": result.compressed_len,
        "original_tokens": counter.count(text),
        "compressed_tokens": after,
        "savings_percent": round(saved, 2),
        "token_estimate": {"method": counter.name},
        "omissions": [{"count": count, "noun": noun} for count, noun in result.omissions],
        "passed": not over,
        "violations": ["max_tokens"] if over else [],
        "limits": {"max_tokens": max_tokens, "min_savings_percent": None, "must_preserve_count": 0},
    }


def _presentable(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
