"""Executors that a replay may run on: processes of this machine, or a Dask cluster (extra ``dask``)."""

from __future__ import annotations

import importlib
import multiprocessing
from concurrent.futures import CancelledError, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from token_saver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

CONNECT_SECONDS = 10


@contextmanager
def workers(jobs: int, scheduler: str | None) -> Iterator[tuple[Executor | None, int]]:
    """Give an executor and the number of its workers; (None, 1) when the work is to be done here.

    Raises ``InputError`` when the scheduler cannot be reached or when its workers gave up.
    """
    if scheduler is not None:
        with _cluster(scheduler) as made:
            yield made
    elif jobs > 1:
        # A fork would copy the locks of the thread that draws the progress.
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield pool, jobs
    else:
        yield None, 1


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise InputError("--scheduler needs Dask: install token-saver[dask]") from error
    try:
        # A client that was made with an address of no use would wait at the end of the process, and then complain.
        distributed.comm.resolve_address(address)
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}: {type(error).__name__}") from error
    with client:
        try:
            yield client.get_executor(), max(1, sum(client.nthreads().values()))
        except (distributed.KilledWorker, CancelledError) as error:
            raise InputError(f"the workers of {address} ended again and again over the same cases") from error
