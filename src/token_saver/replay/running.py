"""Cases become measurements, in order: here, on an executor of processes, or on a cluster; few are ever in flight.

The labels of a manifest never run. Captures are read where they are measured, so a cluster's workers need to see the folder
of the manifest under the same path.
"""

from __future__ import annotations

import functools
import itertools
from collections import deque
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver.errors import InputError
from token_saver.evaluation import evaluate
from token_saver.replay.captures import read_capture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from token_saver.evaluation import Compressor
    from token_saver.extensions import Tokenizer
    from token_saver.replay.manifest import Case

    Tools = Callable[[], tuple[Compressor, Tokenizer]]

BATCH = 16
"""Cases of one task: large enough that handing it over costs little, small enough that a lost worker does."""
AHEAD = 4
"""Tasks in flight for each worker."""


class Work(NamedTuple):
    """What every case has in common. *tools* makes the compressor and the tokenizer, once a process; it can be pickled."""

    folder: str
    most_bytes: int
    tools: Tools


def run(cases: Iterable[Case], work: Work, executor: Executor | None = None, workers: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the report of each case in the order of *cases*: its name and family, metrics and identifiers, no content.

    Without an *executor* the cases are measured here. With one, at most ``AHEAD * workers`` batches are in flight. Raises
    ``InputError`` for a capture that cannot be used, and when a process of the executor died.
    """
    batches = _batches(cases)
    if executor is None:
        for batch in batches:
            yield from measure(work, batch)
        return
    flight: deque[Future[list[dict[str, Any]]]] = deque()
    try:
        for batch in itertools.islice(batches, AHEAD * workers):
            flight.append(executor.submit(measure, work, batch))
        while flight:
            made = flight.popleft().result()
            flight.extend(executor.submit(measure, work, batch) for batch in itertools.islice(batches, 1))
            yield from made
    except BrokenExecutor as error:
        raise InputError("a worker process ended before it answered; was it out of memory? Try fewer --jobs") from error
    finally:
        for waiting in flight:
            waiting.cancel()


def measure(work: Work, batch: tuple[Case, ...]) -> list[dict[str, Any]]:
    """Return the reports of the cases of *batch*; one capture is in memory at a time."""
    compressor, tokenizer = _tools(work.tools)
    return [_measured(case, work, compressor, tokenizer) for case in batch]


def _measured(case: Case, work: Work, compressor: Compressor, tokenizer: Tokenizer) -> dict[str, Any]:
    text = read_capture(work.folder, case.input, work.most_bytes)
    made = evaluate(compressor, case.command, text, exit_code=case.exit_code, policy=case.policy(), tokenizer=tokenizer)
    return {"name": case.name, "family": case.family or made.processor, **made.report()}


@functools.lru_cache(maxsize=1)
def _tools(make: Tools) -> tuple[Compressor, Tokenizer]:
    return make()


def _batches(cases: Iterable[Case]) -> Iterator[tuple[Case, ...]]:
    waiting = iter(cases)
    while batch := tuple(itertools.islice(waiting, BATCH)):
        yield batch
