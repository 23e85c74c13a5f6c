"""Engines: who does the work. Processes of this machine, or the workers of a Dask cluster."""

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from assay.bench.dask_executor import HANGS, RETRIES, DaskExecutor
from assay.core.errors import ExternalError, MissingExtraError, UserError
from assay.core.guard.processes import SAFE_PATH, safe_path
from assay.core.scratch import scratch

LOCAL, DASK = "local", "dask"

PATIENCE = 10
"""Seconds to wait for a scheduler, and for its first worker."""


@contextmanager
def engine(name: str, workers: int, *, hangs: float = HANGS) -> Iterator[Executor | None]:
    """The executor of an engine, for as long as it is needed; None for processes of this machine.

    `local` are processes of this machine, `dask` is a cluster of `workers` processes that is started for this command,
    and anything else is the address of the scheduler of a running cluster. A worker that finishes nothing for `hangs`
    seconds is replaced, unless that is 0.
    """
    if name == LOCAL:
        yield None
        return
    try:
        import dask
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError as error:
        raise MissingExtraError("dask", needed_for=f"The engine {name}") from error
    if name != DASK and ":" not in name:
        raise UserError(f"No engine {name!r}: use {LOCAL}, {DASK} or the address of a scheduler, such as host:8786.")
    logging.getLogger("distributed").setLevel(logging.ERROR)  # it reports every worker that leaves
    try:
        if name == DASK:
            with (
                scratch() as place,  # Dask leaves its locks there
                dask.config.set(
                    {"temporary-directory": str(place), f"distributed.nanny.pre-spawn-environ.{SAFE_PATH}": "1"}
                ),
                _started(
                    LocalCluster,
                    n_workers=workers,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.ERROR,
                ) as cluster,
                Client(cluster) as client,
                DaskExecutor(client, hangs=hangs) as executor,
            ):
                yield executor
        else:
            with _connected(Client, name) as client, DaskExecutor(client, hangs=hangs) as executor:
                yield executor
    except KilledWorker as error:
        raise ExternalError(
            f"Workers died {RETRIES + 1} times over the same part, perhaps because memory ran out.\n"
            "  Run the same command again, with more memory per worker: finished parts are kept."
        ) from error


def _started(cluster: Any, **settings: Any) -> Any:
    """A cluster of this machine. Dask sets what its workers' environment needs in ours, and leaves it there."""
    with safe_path():
        return cluster(**settings)


def _connected(client: Any, address: str) -> Any:
    try:
        found = client(address, timeout=PATIENCE)
        found.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise ExternalError(
            f"No Dask scheduler with a worker at {address}: {error}\n"
            "  Start one with: dask scheduler; then, on each machine: dask worker ADDRESS"
        ) from error
    return found
