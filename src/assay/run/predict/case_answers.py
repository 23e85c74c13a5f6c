"""Models that look at more of a case than its texts: workers share the cases, one file per batch."""

import hashlib
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from assay.core.case import Case
from assay.core.errors import AssayError
from assay.core.protocols import Foreseeing, Learner, Model
from assay.run.predict.answer_gathering import answer_cases
from assay.run.predict.windows import WindowedModel, Windows
from assay.run.workers.pool import InlineExecutor, Work, WorkerPool, every, pack_batches, parts
from assay.storage.files import write_whole
from assay.storage.suite import Suite
from assay.version import __version__


def fit_model(model: Model, suites: Mapping[str, Suite], windows: Windows | None = None) -> Model:
    """The model, fitted on the suites' original pairs if it learns, and shown all cases if it looks ahead."""
    if isinstance(model, Foreseeing):
        model.foresee(case for suite in suites.values() for case in suite)
    if isinstance(model, Learner):
        model = model.fit(case for suite in suites.values() for case in suite if case.family == "original")
    return WindowedModel(model, windows) if windows else model


def answers_by_case(
    name: str,
    model: Model,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    pool: WorkerPool,
    key: str = "",
    owns: Callable[[int], bool] = every,
) -> Callable[[str], Iterator[bytes]]:
    """The answers of a fitted model to a suite, by name, as JSON lines, in pieces and in order.

    The `key` names what else decides the answers. A shard owns some batches only.
    """
    pool, asked_one = _sent(name, model, folder.absolute(), pool)
    # What a model learned comes from all suites, so a change in one makes all its answers stale.
    asked = " ".join(suite.manifest.digest for suite in suites.values())
    work = Work(answer_batch, (name, asked_one), key=f"{__version__} {name} {key} {asked}")

    def answers(suite: str) -> Iterator[bytes]:
        batches = (b"\n".join(batch) for batch in pack_batches(suites[suite].lines(), pool.batch))
        yield from parts(work, batches, folder=folder / f"{suite}.parts", pool=pool, owns=owns)

    return answers


def _sent(name: str, model: Model, folder: Path, pool: WorkerPool) -> tuple[WorkerPool, Model | Path]:
    """The pool, and the model: the object itself in this process, or the file that workers read it from.

    A worker reads the model once from a file that is named by its content: it is too large to send with every batch.
    """
    if isinstance(pool.executor, InlineExecutor):
        return pool, model
    try:
        frozen = pickle.dumps(model)
        stored = folder / "model.parts" / f"{hashlib.sha256(frozen).hexdigest()}.model"
        write_whole(stored, frozen)
        with suppress(BrokenExecutor):  # which is reported when the work begins
            pool.executor.submit(_try_to_read, stored).result()
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - a user's object may fail to pickle in any way
        warnings.warn(
            f"{name} can't be sent to workers ({type(error).__name__}: {error}), so it runs in this process.",
            RuntimeWarning,
            stacklevel=2,
        )
        return WorkerPool(InlineExecutor(), 1, pool.batch), model
    return pool, stored


def answer_batch(batch: bytes, name: str, model: Model | Path) -> bytes:
    """The answers of a model, given or stored, to cases as JSON lines; runs in a worker."""
    decode = msgspec.json.Decoder(Case).decode
    asked = _stored_model(model) if isinstance(model, Path) else model
    answers = answer_cases([decode(line) for line in batch.split(b"\n")], name, asked)
    encode = msgspec.json.Encoder(order="deterministic").encode
    return b"".join(encode(answer) + b"\n" for answer in answers)


def _try_to_read(path: Path) -> None:
    _stored_model(path)


@lru_cache(maxsize=1)
def _stored_model(path: Path) -> Any:
    return pickle.loads(path.read_bytes())  # noqa: S301 - written by this run
