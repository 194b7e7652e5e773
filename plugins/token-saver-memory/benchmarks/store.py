"""Search, save and index over a large memory: prints what each takes. ``python benchmarks/store.py [rows]``."""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

from token_saver_memory.memory import Memory, open_memory
from token_saver_memory.text.signature import signature
from token_saver_memory.values import AGENT, Draft, Scope

ROWS = 50_000
PROJECTS = 5
SEARCH_BUDGET_MS = 20.0

_WHAT = [
    "parser",
    "worker",
    "queue",
    "cache",
    "token",
    "session",
    "upload",
    "export",
    "invoice",
    "gateway",
    "balancer",
    "scheduler",
    "index",
    "migration",
    "report",
]
_DOES = [
    "fails",
    "blocks",
    "retries",
    "drops",
    "returns",
    "waits",
    "loses",
    "repeats",
    "rejects",
    "delays",
    "skips",
    "truncates",
    "duplicates",
    "corrupts",
    "leaks",
]
_WHEN = [
    "under load",
    "after a restart",
    "on windows",
    "in the nightly run",
    "with large files",
    "behind the proxy",
    "when offline",
    "in staging",
]
_QUERIES = (
    "why does the invoice export fail after a restart",
    "worker retries",
    "upload 4711 rejected behind the proxy",
    "handle_gateway_12",
    "session token cache queue worker parser export report index",
    "how do I bake bread",
)


def texts(chance: random.Random, number: int) -> tuple[str, str]:
    """Return title and body of a made-up observation."""
    what, does, when = chance.choice(_WHAT), chance.choice(_DOES), chance.choice(_WHEN)
    place = f"handle_{what}_{chance.randrange(500)}"
    body = f"Seen in {place} with {chance.randrange(10_000)} entries; the {chance.choice(_WHAT)} too."
    return f"The {what} {does} {when} in case {number}", body


def fill(memory: Memory, scopes: list[Scope], rows: int) -> None:
    """Write *rows* observations, spread over projects, past the comparison with what is there, which is timed by itself."""
    chance = random.Random(1)
    statement = (
        "INSERT INTO item (uid, project_id, type, title, body, provenance, valid_from, recorded_at, seen_at, "
        "text_hash, values_hash) VALUES (?, ?, 'bugfix', ?, ?, 'agent', 1, ?, 1, ?, ?)"
    )
    with memory.writing(AGENT) as connection:
        for number in range(rows):
            title, body = texts(chance, number)
            mark = signature(title, body)
            project = chance.choice(scopes).project_id
            connection.execute(statement, (str(number), project, title, body, number, mark.text_hash, mark.values_hash))


def timed(action: Callable[[], object], times: int = 25) -> tuple[float, float]:
    """Return the median milliseconds of processor time of *action*, and the shortest by the clock (other work may run)."""
    worked, waited = [], []
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        action()
        waited.append((time.perf_counter() - clock) * 1000)
        worked.append((time.process_time() - processor) * 1000)
    return statistics.median(worked), min(waited)


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder, open_memory(os.path.join(folder, "data", "memory.db")) as memory:
        scopes = []
        for number in range(PROJECTS):
            os.mkdir(os.path.join(folder, f"project{number}"))
            scopes.append(memory.scope(os.path.join(folder, f"project{number}")))
        known = [scope for scope in scopes if scope is not None]
        start = time.perf_counter()
        fill(memory, known, rows)
        print(f"{rows:,} rows in {PROJECTS} projects, written in {time.perf_counter() - start:.1f} s")
        scope = known[0]
        chance = random.Random(2)
        drafts = iter([Draft(scope, "bugfix", *texts(chance, rows + number)) for number in range(100)])
        print(f"save {timed(lambda: memory.save(next(drafts), actor=AGENT))[0]:57.1f} ms")
        slowest = 0.0
        for query in _QUERIES:
            median, shortest = timed(partial(memory.search, scope, query))
            slowest = max(slowest, median)
            print(f"search {query[:48]:48} {median:6.1f} ms (clock {shortest:.1f}), {len(memory.search(scope, query))} rows")
        print(f"index of 30 {timed(partial(memory.index, scope))[0]:49.1f} ms")
        print(f"get of 10   {timed(partial(memory.get, range(1, 11), scope))[0]:49.1f} ms")
    said = "kept" if slowest < SEARCH_BUDGET_MS else "MISSED"
    print(f"slowest search {slowest:.1f} ms of processor time, budget {SEARCH_BUDGET_MS:.0f} ms: {said}")
    return slowest >= SEARCH_BUDGET_MS


if __name__ == "__main__":
    sys.exit(main())
