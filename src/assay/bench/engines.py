"""Engines: who does the work. Processes of this machine, or the workers of a Dask cluster."""

import logging
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from assay.bench.shards import FarExecutor
from assay.core.errors import ExternalError, MissingExtraError, UserError
from assay.language.resources.loaded import fingerprint
from assay.version import __version__

LOCAL, DASK = "local", "dask"

PATIENCE = 10
"""Seconds to wait for a scheduler, and for its first worker."""

RETRIES = 2
"""How often a part is made again if its worker dies."""


class Equipment(NamedTuple):
    """What decides the bytes that a machine makes."""

    assay: str
    """The version of Assay."""
    python: str
    """The version of Python, without its last number."""
    resources: tuple[str, ...]
    """Digests of WordNet and the tagger."""


@cache
def equipment() -> Equipment:
    """What this process has."""
    python = ".".join(platform.python_version_tuple()[:2])
    return Equipment(__version__, python, tuple(map(fingerprint, ("wordnet", "tagger"))))


@contextmanager
def engine(name: str, workers: int) -> Iterator[Executor | None]:
    """The executor of an engine, for as long as it is needed; None for processes of this machine.

    `local` are processes of this machine, `dask` is a cluster of `workers` processes that is started for this command,
    and anything else is the address of the scheduler of a running cluster.
    """
    if name == LOCAL:
        yield None
        return
    try:
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError as error:
        raise MissingExtraError("dask", needed_for=f"The engine {name}") from error
    if name != DASK and ":" not in name:
        raise UserError(f"No engine {name!r}: use {LOCAL}, {DASK} or the address of a scheduler, such as host:8786.")
    logging.getLogger("distributed").setLevel(logging.ERROR)  # it reports every worker that leaves
    try:
        if name == DASK:
            with (
                LocalCluster(
                    n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
                ) as cluster,
                Client(cluster) as client,
            ):
                yield DaskExecutor(client)
        else:
            with _connected(Client, name) as client:
                yield DaskExecutor(client)
    except KilledWorker as error:
        raise ExternalError(
            f"Workers died {RETRIES + 1} times over the same part, perhaps because memory ran out.\n"
            "  Run the same command again, with more memory per worker: finished parts are kept."
        ) from error


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


class DaskExecutor(FarExecutor):
    """Gives work to the workers of a Dask cluster. A part whose worker dies is made again by another one."""

    def __init__(self, client: Any) -> None:
        self._inner = client.get_executor(retries=RETRIES, pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have the function called by a worker that is equipped like this process."""
        future: Future[Any] = self._inner.submit(call_equipped, equipment(), fn, *args, **kwargs)
        return future


def call_equipped(needed: Equipment, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function if this worker would make the same bytes as the machine that asks for it."""
    if equipment() != needed:
        raise ExternalError(
            f"The worker on {platform.node()} has {equipment()}, and this machine has {needed}: results could differ.\n"
            "  Install the same versions on all machines, and start the workers again."
        )
    return fn(*args, **kwargs)
