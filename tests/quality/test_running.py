from __future__ import annotations

import json
import os
import re
import signal
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import pytest
from tests.quality.folders import CASE, folder, generic, outcomes

from token_saver.cli import main
from token_saver.errors import InputError
from token_saver.replay import manifest
from token_saver.replay.running import AHEAD, BATCH, Work, run
from token_saver.workbench.workers import workers

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable

    from token_saver.evaluation import Compressor
    from token_saver.extensions import Tokenizer


def many(place: pathlib.Path, count: int) -> pathlib.Path:
    return folder(place, *({**CASE, "name": f"case {number}", "max_tokens": number % 40} for number in range(count)))


def test_a_case_passes_when_all_holds(tmp_path: pathlib.Path) -> None:
    case = {**CASE, "must_preserve": ["the one line that decides"], "min_savings_percent": 80, "no_verdict": True}
    [report] = outcomes(folder(tmp_path, case))
    assert report["passed"] and report["original_tokens"] - report["compressed_tokens"] > 200
    assert "decides" not in json.dumps(report) and "never-run" not in json.dumps(report)


def test_a_case_fails_by_name(tmp_path: pathlib.Path) -> None:
    found = outcomes(folder(tmp_path, CASE, {**CASE, "name": "strict", "max_tokens": 1}))
    assert {case["name"]: case["violations"] for case in found} == {"noise": [], "strict": ["max_tokens"]}


def test_any_executor_gives_the_same_in_the_same_order(tmp_path: pathlib.Path) -> None:
    path = many(tmp_path, 150)
    here = outcomes(path)
    with ThreadPoolExecutor(3) as threads:
        assert outcomes(path, threads, 3) == here
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert outcomes(path, processes, 2) == here


class Counting(ThreadPoolExecutor):
    """Counts the tasks that were handed over and whose results nobody took yet."""

    def __init__(self) -> None:
        super().__init__(2)
        self.handed = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.handed += 1
        return super().submit(fn, *args, **kwargs)


def test_few_tasks_are_in_flight(tmp_path: pathlib.Path) -> None:
    path = many(tmp_path, BATCH * 30)
    with Counting() as executor:
        made = run(manifest.cases(path), Work(str(tmp_path), 100_000, generic), executor, 2)
        for taken, _ in enumerate(made):
            assert executor.handed - taken // BATCH <= AHEAD * 2 + 1


def test_an_unusable_capture_ends_a_parallel_replay_too(tmp_path: pathlib.Path) -> None:
    path = folder(tmp_path, CASE, {**CASE, "name": "gone", "input": "gone.txt"})
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes, pytest.raises(InputError, match=r"gone\.txt"):
        outcomes(path, processes)


def killer() -> tuple[Compressor, Tokenizer]:
    """Die as the kernel makes a process die that takes too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    return generic()


def test_a_worker_process_that_dies_is_reported(tmp_path: pathlib.Path) -> None:
    path = many(tmp_path, 40)
    with workers(2, None) as (executor, count), pytest.raises(InputError, match="a worker process ended"):
        list(run(manifest.cases(path), Work(str(tmp_path), 100_000, killer), executor, count))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "foo://x:1", ""])
def test_a_scheduler_that_does_not_answer_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("token_saver.workbench.workers.CONNECT_SECONDS", 1)
    with pytest.raises(InputError, match=f"no Dask scheduler answers at {re.escape(address)}"), workers(1, address):
        pass


def test_a_cluster_that_loses_a_worker_completes_the_same_report(
    tmp_path: pathlib.Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    distributed = pytest.importorskip("distributed")
    path = many(tmp_path, BATCH * 16)
    here = outcomes(path)
    made: list[dict[str, Any]] = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        workers(1, cluster.scheduler_address) as (executor, count),
    ):
        assert count == 2
        for case in run(manifest.cases(path), Work(str(tmp_path), 100_000, generic), executor, count):
            made.append(case)
            if len(made) == len(here) // 2:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        statuses, reports = [], []
        for more in ([], ["--scheduler", cluster.scheduler_address]):
            capfdbinary.readouterr()
            statuses.append(main(["replay", str(path), "--format", "json", *more]))
            reports.append(capfdbinary.readouterr().out)
    assert made == here
    assert statuses == [1, 1] and reports[0] == reports[1] and b'"case 255"' in reports[0]
