"""From a command and its output to the text the agent reads: gates, select, process, chain, clean, recover, verify, accept.

The engine knows no family by name. Families hand over pieces (``token_saver.text.pieces``), so that the engine itself can
check that no line left the ledger and bring back what matters; any other processor hands over text.
"""

from __future__ import annotations

from _thread import _local

from token_saver.errors import ProcessorError
from token_saver.processor import Family, as_command
from token_saver.redaction import mask
from token_saver.registry import Registry
from token_saver.text.claims import unfounded
from token_saver.text.machine import broken, is_one_document
from token_saver.text.markers import OPEN, has_marker, marker
from token_saver.text.pieces import Recast, count_lines, omissions, render
from token_saver.text.recover import keep_markers, recover, recover_text
from token_saver.text.stream import Reducer
from token_saver.text.terminal import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture, Processor
    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

    class EngineSettings(Protocol):
        """Where the engine reads its thresholds: anything with ``get(key)``."""

        def get(self, key: str, /) -> Any:
            """Return the value of *key*, None when it is not set."""


# What a few redraws drew over stands in the result, and a marker would be longer than what it tells.
_MANY_REDRAWS = 8

_PASSES = 3
# A runner in a runner (make, npm, tsc); a deeper one is read as a whole.
_DEEPEST_INNER = 3
_SLICERS = frozenset({"head", "tail", "tee", "cat", "less", "more"})


class Result:
    """What became of one output. Immutable; ``event()`` is the view that adapters get.

    ``output`` is the text for the agent and ``changed`` tells whether it differs from the input; ``processor`` made it,
    ``attempted`` was asked first. ``redacted``: secrets were masked, so the raw output must not be shown in its place.
    ``mismatch``: the attempted processor broke its contract, for the reason in ``fault``. ``failure_fallback``: it does
    not read failed commands. ``omissions`` are (count, noun) pairs; ``recovered`` counts lines that were brought back.
    """

    __slots__ = (
        "attempted",
        "changed",
        "failure_fallback",
        "fault",
        "omissions",
        "original_len",
        "output",
        "processor",
        "recovered",
        "redacted",
    )

    output: str
    processor: str
    changed: bool
    attempted: str
    redacted: bool
    fault: str
    failure_fallback: bool
    omissions: tuple[tuple[int, str], ...]
    recovered: int
    original_len: int

    def __init__(self, output: str, processor: str, changed: bool, **rest: Any) -> None:
        values = {
            "output": output,
            "processor": processor,
            "changed": changed,
            "attempted": processor,
            "redacted": False,
            "fault": "",
            "failure_fallback": False,
            "omissions": (),
            "recovered": 0,
            "original_len": len(output),
            **rest,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a result cannot be changed")

    @property
    def mismatch(self) -> bool:
        """Whether the processor that was asked first broke its contract."""
        return bool(self.fault)

    @property
    def compressed_len(self) -> int:
        """The length of the output in characters."""
        return len(self.output)

    def event(self) -> Mapping[str, Any]:
        """Return the metadata without any content of the output."""
        return {
            "attempted_processor": self.attempted,
            "result_processor": self.processor,
            "was_compressed": self.changed,
            "is_mismatch": self.mismatch,
            "original_len": self.original_len,
            "compressed_len": self.compressed_len,
            "failure_fallback": self.failure_fallback,
            "redacted": self.redacted,
            "recovered": self.recovered,
            "omissions": [list(pair) for pair in self.omissions],
        }


class _Draft:
    """One processor's attempt, on its way through the steps."""

    __slots__ = ("fault", "lines", "omitted", "pieces", "processor", "read", "recovered", "redacted", "redraws", "text")

    def __init__(self, processor: Processor) -> None:
        self.processor = processor
        self.pieces: list[Piece] | None = None
        self.text = ""
        self.read = ""
        self.lines: list[str] = []
        self.redacted = False
        self.recovered = 0
        self.redraws = 0
        self.omitted: tuple[tuple[int, str], ...] = ()
        self.fault = ""


class CompressionEngine:
    """Chooses a processor for each output and holds its result to the invariants. Many threads may use one engine."""

    def __init__(
        self,
        processors: Iterable[Processor] | None = None,
        settings: EngineSettings | Mapping[str, Any] | None = None,
        *,
        select_inner: Callable[[CommandLine], Processor] | None = None,
    ) -> None:
        """Use exactly *processors* and *settings*; what is None comes from the plugins and the configuration.

        *select_inner* chooses who reads what a runner ran (default: the registry of *processors*).
        Raises ``RegistryError`` when the processors do not make a registry.
        """
        if processors is None or settings is None:
            processors, settings = _defaults(processors, settings)
        self._settings = settings
        self.registry = Registry(processors, self._get("disabled_processors") or ())
        self._select_inner = select_inner or self.registry.select
        self._last = _local()

    @property
    def last_event(self) -> Mapping[str, Any]:
        """The metadata of the last result in this thread; empty before the first."""
        result: Result | None = getattr(self._last, "result", None)
        return {} if result is None else result.event()

    def compress(self, command: str, output: str, exit_code: int | None = None) -> tuple[str, str, bool]:
        """Return (output, processor name, whether it was changed); the input object itself when it was not."""
        result = self.run(command, output, exit_code)
        return result.output, result.processor, result.changed

    def run(self, command: str, output: str, exit_code: int | None = None, *, reduced: bool = False) -> Result:
        """Take *output* through all steps and return the whole result.

        *reduced* says that ``text.stream.Reducer`` took the middle out, so that the markers in it are its own.
        """
        result = self._run(command, output, exit_code, reduced)
        self._last.result = result
        return result

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        """Return the selected processor's diagnostics, of a runner those of what it ran; None when all decline."""
        line = as_command(command)
        return self._observed(self.selected(line, exit_code), line, output, exit_code, _DEEPEST_INNER)

    def _observed(
        self, processor: Processor, command: CommandLine, output: str, exit_code: int | None, depth: int
    ) -> Snapshot | None:
        """Ask *processor*; of a runner, ask the families of its commands and keep what nobody reads as context.

        Of several commands only the last one can have failed, unless the runner goes on; a family that needs to know declines.
        """
        found = processor.diagnostics(command, output, exit_code=exit_code)
        if found is not None or not depth or not isinstance(processor, Family):
            return found
        from token_saver.diagnostics import joined

        capture = processor.capture(command, output, exit_code)
        parts: list[Snapshot | str] = []
        done = 0
        inners = processor.inner(capture)
        for inner in inners:
            line = as_command(inner.command)
            text = capture.part(inner.start, inner.end).text
            status = exit_code if inner is inners[-1] else 0
            part = self._observed(self._select_inner(line), line, text, status, depth - 1)
            parts += [capture.part(done, inner.start).text, text if part is None else part]
            done = inner.end
        return joined(processor.name, [*parts, capture.part(done, len(capture.lines)).text])

    def selected(self, command: CommandLine, exit_code: int | None = None) -> Processor:
        """Return the processor that would read the output of *command*."""
        return self._select(command, exit_code)[0]

    def _run(self, command: str, output: str, exit_code: int | None, reduced: bool) -> Result:
        if not self._may_touch(output, reduced):
            return Result(output, "none", False)
        line = as_command(command)
        first, failure_fallback = self._select(line, exit_code)
        text, masked = self._mask(output)
        text = self._bounded(text)
        draft = self._attempt(first, line, text, exit_code)
        fault = draft.fault
        if (fault or len(draft.text) > len(output)) and not draft.redacted and first is not self.registry.fallback:
            draft = self._attempt(self.registry.fallback, line, text, exit_code)
        self._settle(draft, line, exit_code)
        rest = {"attempted": first.name, "fault": fault, "failure_fallback": failure_fallback, "original_len": len(output)}
        return self._accept(draft, output, text, masked, rest)

    def _may_touch(self, output: str, reduced: bool) -> bool:
        """Step 1, gates: switched off, too short, binary, or shortened before."""
        if self._get("enabled") is False or len(output) < max(1, self._get("min_input_length") or 0):
            return False
        return "\x00" not in output and (reduced or not has_marker(output))

    def _select(self, command: CommandLine, exit_code: int | None) -> tuple[Processor, bool]:
        """Step 2, select: the fallback reads mixed output, filtered output, and failures nobody else reads."""
        programs = {segment.program for segment in command.segments}
        if len(programs) > 1 or any(stage.program not in _SLICERS for stage in command.piped):
            return self.registry.fallback, False
        chosen = self.registry.select(command)
        if exit_code and not chosen.handles_failure and chosen is not self.registry.fallback:
            return self.registry.fallback, True
        return chosen, False

    def _mask(self, output: str) -> tuple[str, int]:
        if self._get("redact") is False:
            return output, 0
        return mask(output, frozenset(self._get("redaction_allowlist") or ()))

    def _bounded(self, text: str) -> str:
        """Reduce the middle of what is too large for a family to read; a document stays one."""
        limit = self._get("family_limit_chars")
        if not limit or len(text) <= limit or is_one_document(text):
            return text
        reducer = Reducer(limit // 8, limit // 8)
        raw = text.encode("utf-8", "surrogateescape")
        for start in range(0, len(raw), 1 << 20):
            reducer.feed(raw[start : start + (1 << 20)])
        return b"".join(reducer.finish()).decode("utf-8", "surrogateescape")

    def _attempt(self, processor: Processor, command: CommandLine, text: str, exit_code: int | None) -> _Draft:
        """Steps 3 to 7 with one processor; whatever goes wrong is its fault, and what was redacted stays redacted."""
        draft = _Draft(processor)
        draft.read = text
        safe = ""
        try:
            redacted = processor.redacted_secrets(command, text)
            self._process(draft, command, text, exit_code)
            if redacted:
                safe = self._shown(draft)
                draft.redacted = True
            self._chain(draft, command, exit_code)
            self._recover(draft, text)
            self._verify(draft, text)
        except Exception as error:
            draft.fault = str(error) if isinstance(error, ProcessorError) else type(error).__name__
            draft.text = safe
        return draft

    def _process(self, draft: _Draft, command: CommandLine, text: str, exit_code: int | None) -> None:
        """Step 3, process: a family's pieces, or another processor's text."""
        processor = draft.processor
        if isinstance(processor, Family):
            capture = processor.capture(command, text, exit_code)
            draft.redraws = capture.redraws
            draft.pieces = self._read(processor, capture, _DEEPEST_INNER)
            if count_lines(draft.pieces) != len(capture.lines):
                raise ProcessorError(f"{processor.name} accounts for {count_lines(draft.pieces)} of {len(capture.lines)} lines")
            draft.redraws = capture.redraws
        else:
            draft.text = _text(processor, command, text, exit_code)

    def _read(self, family: Family, capture: Capture, depth: int) -> list[Piece]:
        """Return the pieces of *capture*, where it names other commands those that their families make of their lines."""
        pieces: list[Piece] = []
        done = 0
        for inner in family.inner(capture) if depth else ():
            command = as_command(inner.command)
            reader = self._select_inner(command)
            if reader is family or reader.name == self.registry.fallback.name or not isinstance(reader, Family):
                continue
            if done < inner.start:
                pieces += family.pieces(capture.part(done, inner.start))
            pieces += self._read(reader, capture.part(inner.start, inner.end, command), depth - 1)
            done = inner.end
        if not done:
            return family.pieces(capture)
        return pieces + family.pieces(capture.part(done, len(capture.lines))) if done < len(capture.lines) else pieces

    def _chain(self, draft: _Draft, command: CommandLine, exit_code: int | None) -> None:
        """Step 4, chain: the processors named by ``chain_to``, bounded, none twice."""
        done = {draft.processor.name}
        waiting = _names(draft.processor.chain_to)
        for _ in range(self._get("max_chain_depth") or 0):
            name = next((name for name in waiting if name not in done and name in self.registry.by_name), None)
            if name is None:
                return
            done.add(name)
            following = self.registry.by_name[name]
            draft.text = _text(following, command, self._shown(draft), exit_code)
            draft.pieces = None
            waiting = [*waiting, *_names(following.chain_to)]

    def _recover(self, draft: _Draft, text: str) -> None:
        """Steps 5 and 6, clean and recover: no terminal control, and failures that vanished come back."""
        most = self._get("recover_critical_lines")
        most = 20 if most is None else most
        if draft.pieces is not None:
            pieces = keep_markers(draft.pieces) if OPEN in text else draft.pieces
            pieces, draft.recovered = recover(pieces, most)
            draft.lines = render(_fitting(pieces, self._get("max_result_tokens"), self._get("chars_per_token")))
            draft.omitted = tuple(omissions(pieces))
            if draft.redraws >= _MANY_REDRAWS:
                draft.lines.append(marker([(draft.redraws, "redraw", "")]))
                draft.omitted += ((draft.redraws, "redraw"),)
            return
        clean, _ = plain(draft.text)
        draft.lines, draft.recovered = recover_text(clean.rstrip("\n").split("\n"), plain(text)[0].split("\n"), most)

    def _verify(self, draft: _Draft, text: str) -> None:
        """Step 7, verify: no claim of success that the capture does not state, and no broken document."""
        draft.text = "\n".join(draft.lines)
        if text.endswith("\n") and draft.text:
            draft.text += "\n"
        claim = unfounded(draft.lines, text)
        if claim is not None:
            raise ProcessorError(f"{draft.processor.name} claims a success that the output does not state")
        if broken(text, draft.text):
            raise ProcessorError(f"{draft.processor.name} broke a document that programs read")

    def _settle(self, draft: _Draft, command: CommandLine, exit_code: int | None) -> None:
        """Make a result without a marker a fixed point: what a second pass would still fold is folded now."""
        for _ in range(_PASSES):
            if draft.fault or draft.redacted or not draft.text or draft.text == draft.read or has_marker(draft.text):
                return
            again = self._attempt(draft.processor, command, draft.text, exit_code)
            if not self._pays(again, draft.text) or any(isinstance(piece, Recast) for piece in again.pieces or ()):
                return
            draft.text, draft.read, draft.omitted = again.text, draft.text, draft.omitted + again.omitted

    def _pays(self, draft: _Draft, output: str) -> bool:
        """Step 8, accept: redacted text always; otherwise only a real gain."""
        if draft.redacted:
            return True
        if draft.fault or (output.strip() and not draft.text.strip()) or draft.text == output.replace("\r\n", "\n"):
            return False
        gain = len(output) - len(draft.text)
        return gain >= max(self._get("min_gain") or 1, (self._get("min_compression_ratio") or 0.0) * len(output))

    def _accept(self, draft: _Draft, output: str, text: str, masked: int, rest: dict[str, Any]) -> Result:
        if self._pays(draft, output):
            rest |= {"omissions": draft.omitted, "recovered": draft.recovered, "redacted": bool(masked) or draft.redacted}
            return Result(draft.text, draft.processor.name, True, **rest)
        if masked:
            return Result(text, draft.processor.name, True, redacted=True, **rest)
        return Result(output, rest["attempted"], False, **rest)

    def _shown(self, draft: _Draft) -> str:
        return draft.text if draft.pieces is None else "\n".join(render(draft.pieces))

    def _get(self, key: str) -> Any:
        return self._settings.get(key)


def _text(processor: Processor, command: CommandLine, text: str, exit_code: int | None) -> str:
    if processor.wants_exit_code:
        made = processor.process(command, text, exit_code=exit_code)  # type: ignore[call-arg]
    else:
        made = processor.process(command, text)
    if not isinstance(made, str):
        raise ProcessorError(f"{processor.name}.process() returned {type(made).__name__}, not str")
    return made


def _names(chain_to: str | Iterable[str] | None) -> list[str]:
    if chain_to is None:
        return []
    return [chain_to] if isinstance(chain_to, str) else list(chain_to)


def _fitting(pieces: list[Piece], tokens: int | None, chars_per_token: float | None) -> list[Piece]:
    """Keep what is worth most within *tokens*; everything when there is no ceiling."""
    if not tokens:
        return pieces
    from token_saver.text.ceiling import within

    return within(pieces, int(tokens * (chars_per_token or 4)))


def _defaults(
    processors: Iterable[Processor] | None, settings: EngineSettings | Mapping[str, Any] | None
) -> tuple[Iterable[Processor], EngineSettings | Mapping[str, Any]]:
    from token_saver.plugins import load_processors
    from token_saver.settings import load

    if settings is None:
        settings = load()
    return (load_processors() if processors is None else processors), settings
