"""Engines: processes of this machine, or the workers of a Dask cluster."""

import logging
import os
import platform
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import ExitStack, contextmanager
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from assay.core.errors import ExternalError, MissingExtraError, UserError
from assay.language.resources.installed import resource_fingerprint
from assay.run.workers.pool import LOCAL, FarExecutor, WorkerPool, worker_pool
from assay.storage.files import SAFE_PATH, safe_path
from assay.storage.folders import scratch
from assay.version import __version__


class Equipment(NamedTuple):
    """Versions that determine the bytes that a machine produces."""

    assay: str
    python: str  # the version of Python, without its last number
    resources: tuple[str, ...]  # digests of WordNet and the tagger


@cache
def equipment() -> Equipment:
    """The versions of Assay, Python and the resources in this process."""
    python = ".".join(platform.python_version_tuple()[:2])
    return Equipment(__version__, python, tuple(map(resource_fingerprint, ("wordnet", "tagger"))))


RETRIES = 2  # attempts to make a part again if its worker dies
HANGS = 600.0  # seconds without a finished part after which a worker counts as hanging


class DaskExecutor(FarExecutor):
    """Gives work to the workers of a Dask cluster.

    A part whose worker dies is made again by another one. A worker that finishes nothing for `hangs` seconds is
    replaced, and its parts are made again once; with 0, workers may take as long as they like.
    """

    def __init__(self, client: Any, *, hangs: float = HANGS) -> None:
        self._client = client
        self._hangs = hangs
        self._under_way: dict[str, tuple[Any, Future[Any]]] = {}
        self._standings: dict[str, tuple[frozenset[str], float]] = {}
        """The tasks of each worker when it last finished something, and the time."""
        self._hung: Counter[str] = Counter()
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look_after, daemon=True)
        if hangs:
            self._watch.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have the function called by a worker that is equipped like this process."""
        there = self._client.submit(call_equipped, equipment(), fn, *args, pure=False, retries=RETRIES, **kwargs)
        here: Future[Any] = Future()
        self._under_way[there.key] = (there, here)
        there.add_done_callback(self._take)
        return here

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - the standard's own
        """Stop looking after workers; the cluster stays."""
        self._ended.set()

    def _take(self, there: Any) -> None:
        """Hand over the result of a part."""
        _, here = self._under_way.pop(there.key, (None, None))
        if here is None or not here.set_running_or_notify_cancel():
            return
        try:
            here.set_result(there.result())
        except CancelledError:
            here.set_exception(
                ExternalError("The Dask scheduler is gone.\n  Start it, and run the same command again.")
            )
        except Exception as error:  # noqa: BLE001 - whatever happened there is raised here
            here.set_exception(error)

    def _look_after(self) -> None:
        while not self._ended.wait(self._hangs / 10):
            for worker in self.hanging(self._client.processing(), monotonic()):
                self._replace(worker)

    def hanging(self, processing: dict[str, Any], now: float) -> list[str]:
        """The workers that have finished nothing for too long, given the current work of each."""
        found = []
        for worker, keys in processing.items():
            own = frozenset(map(str, keys)) & self._under_way.keys()
            before, since = self._standings.get(worker, (frozenset[str](), now))
            if not own or before - own or not before:  # it is idle, has finished something, or just begins
                self._standings[worker] = own, now
            elif now - since >= self._hangs:
                found.append(worker)
        return found

    def _replace(self, worker: str) -> None:
        """Kill a worker, so that others take its parts; parts that hung before are given up."""
        keys, _ = self._standings.pop(worker)
        self._hung.update(keys)
        for key in [key for key in keys if self._hung[key] > 1]:
            if key not in self._under_way:
                continue
            there, here = self._under_way.pop(key)
            there.cancel()
            here.set_exception(
                ExternalError(
                    f"Two workers did not finish the same part within {self._hangs:.0f} seconds.\n"
                    "  Run the same command again: finished parts are stored."
                )
            )
        self._client.restart_workers([worker], raise_for_error=False)


def call_equipped(needed: Equipment, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function if this worker would produce the same bytes as the calling machine."""
    if equipment() != needed:
        raise ExternalError(
            f"The worker on {platform.node()} has {equipment()}, and this machine has {needed}: results could differ.\n"
            "  Install the same versions on all machines, and start the workers again."
        )
    return fn(*args, **kwargs)


DASK = "dask"

PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker


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
        with ExitStack() as stack:
            if name == DASK:
                stack.enter_context(_restore_variable(SAFE_PATH))
                place = stack.enter_context(scratch())  # Dask leaves its locks there
                stack.enter_context(
                    dask.config.set(
                        {"temporary-directory": str(place), f"distributed.nanny.pre-spawn-environ.{SAFE_PATH}": "1"}
                    )
                )
                with safe_path():
                    cluster = LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.ERROR,
                    )
                client = stack.enter_context(Client(stack.enter_context(cluster)))
            else:
                client = stack.enter_context(_connect(Client, name))
            yield stack.enter_context(DaskExecutor(client, hangs=hangs))
    except KilledWorker as error:
        raise ExternalError(
            f"Workers died {RETRIES + 1} times over the same part, perhaps because memory ran out.\n"
            "  Run the same command again, with more memory per worker: finished parts are stored."
        ) from error


@contextmanager
def engine_pool(name: str, workers: int, executor: Executor | WorkerPool | None = None) -> Iterator[WorkerPool]:
    """The workers of an engine, or those of the caller's executor, which stays open."""
    with ExitStack() as stack:
        found = stack.enter_context(engine(name, workers)) if executor is None else executor
        yield stack.enter_context(worker_pool(workers, found))


@contextmanager
def _restore_variable(name: str) -> Iterator[None]:
    """Restore an environment variable at the end: Dask sets what new workers need in our own environment."""
    before = os.environ.get(name)
    try:
        yield
    finally:
        os.environ.pop(name, None)
        os.environ.update({} if before is None else {name: before})


def _connect(client: Any, address: str) -> Any:
    try:
        found = client(address, timeout=PATIENCE)
        found.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise ExternalError(
            f"No Dask scheduler with a worker at {address}: {error}\n"
            "  Start one with: dask scheduler; then, on each machine: dask worker ADDRESS"
        ) from error
    return found
