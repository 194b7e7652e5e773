"""The ordered processors and their fallback; no input or output happens here."""

from __future__ import annotations

from token_saver.errors import RegistryError
from token_saver.processor import FALLBACK_NAME, FALLBACK_PRIORITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from token_saver.processor import Processor
    from token_saver.shell.command_line import CommandLine


class Registry:
    """Processors in order of (priority, name), with exactly one fallback at the end."""

    def __init__(self, processors: Iterable[Processor], disabled: Collection[str] = ()) -> None:
        """Order *processors* and leave out the *disabled* names; the fallback cannot be disabled.

        Raises ``RegistryError`` when a name is empty or used twice, or when there is not exactly one processor named
        ``generic`` with priority 999 that sorts last.
        """
        every = sorted(processors, key=lambda processor: (processor.priority, processor.name))
        _check_names(every)
        self.fallback = _fallback(every)
        self.ordered = tuple(p for p in every if p.name not in disabled or p is self.fallback)
        self.by_name = {processor.name: processor for processor in self.ordered}

    def __iter__(self) -> Iterator[Processor]:
        return iter(self.ordered)

    def select(self, command: CommandLine) -> Processor:
        """Return the first processor that can handle *command*; the fallback when none can."""
        return next((processor for processor in self.ordered if processor.can_handle(command)), self.fallback)

    def hook_patterns(self) -> tuple[str, ...]:
        """Return the hook patterns of all processors, in their order, each once."""
        return tuple(dict.fromkeys(pattern for processor in self.ordered for pattern in processor.hook_patterns))


def _check_names(processors: list[Processor]) -> None:
    seen: set[str] = set()
    for processor in processors:
        if not processor.name:
            raise RegistryError(f"{type(processor).__qualname__} has no name: set the class attribute `name`")
        if processor.name in seen:
            raise RegistryError(f"two processors are named {processor.name!r}: a name must be unique")
        seen.add(processor.name)


def _fallback(processors: list[Processor]) -> Processor:
    last = processors[-1] if processors else None
    if last is None or last.name != FALLBACK_NAME or last.priority != FALLBACK_PRIORITY:
        raise RegistryError(
            f"the last processor must be {FALLBACK_NAME!r} with priority {FALLBACK_PRIORITY}, found "
            + (f"{last.name!r} with priority {last.priority}" if last else "no processor at all")
        )
    return last
