"""The stages of a pipeline that only choose or cut lines: ``| grep x``, ``| sort``, ``| head -30``."""

from __future__ import annotations

from token_saver.shell.arguments import Arguments
from token_saver.shell.launchers import unwrap
from token_saver.shell.script import Simple, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.shell.script import Compound, Pipeline

_CUTTING = names("head tail cat tee")
_CHOOSING = names("grep egrep fgrep rg sort uniq cut sed")
_NOT_LINES = {
    "tail": names("-f -F --follow --retry"),
    "grep": names("-q --quiet --silent -c --count -l -L -o --only-matching -z -Z --null"),
    "rg": names("-q --quiet -c --count --count-matches -l -o --only-matching --json -0 --pre"),
    "sort": names("-o --output --compress-program -z"),
    "sed": names("-i --in-place -f --file -s"),
}
_SED_PRINTS = frozenset("0123456789,p$;q ")


def producer(pipeline: Pipeline) -> int:
    """Return the stage that makes the output: the first, or the one that ``xargs`` starts."""
    return max((at for at, stage in enumerate(pipeline.commands) if at and _started_by_xargs(stage)), default=0)


def unsafe_filter(pipeline: Pipeline, after: int) -> Simple | Compound | None:
    """Return the first stage behind *after* that does more than choose lines once and cut them; None when there is none."""
    chosen = False
    for stage in pipeline.commands[after + 1 :]:
        name = _name(stage)
        if name in _CHOOSING and not chosen:
            chosen = True
        elif name not in _CUTTING:
            return stage
    return None


def _name(stage: Simple | Compound) -> str:
    """Return the name of a filter that hands on lines as they are; "" for anything else."""
    if not isinstance(stage, Simple) or stage.assignments or not all(word.literal for word in stage.words[:1]):
        return ""
    if any(redirect.operator != ">&" for redirect in stage.redirects) or any(word.scripts for word in stage.words):
        return ""
    launch = unwrap([word.text for word in stage.words])
    name = launch.words[0] if launch.words and not launch.launcher else ""
    arguments = Arguments(name, launch.words[1:])
    plain = "grep" if name in ("egrep", "fgrep") else name
    if arguments.flags & _NOT_LINES.get(plain, frozenset()) or not _STRICT.get(name, _any)(arguments):
        return ""
    return name


def _any(arguments: Arguments) -> bool:
    return True


def _reads_only(arguments: Arguments) -> bool:
    """The second operand of uniq is a file that it writes."""
    return not arguments.operands


def _only_prints(arguments: Arguments) -> bool:
    """``sed -n '1,50p'``; anything else may write files or run programs."""
    return "-n" in arguments.flags and len(arguments.operands) == 1 and _SED_PRINTS.issuperset(arguments.operands[0])


_STRICT = {"sed": _only_prints, "uniq": _reads_only}


def _started_by_xargs(stage: Simple | Compound) -> bool:
    return isinstance(stage, Simple) and unwrap([word.text for word in stage.words]).launcher[:1] == ("xargs",)
