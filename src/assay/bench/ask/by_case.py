"""Models that look at more of a case than its texts: workers share the cases, one file per batch."""

import hashlib
import pickle
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

from assay.bench.ask.checks import answer_cases
from assay.bench.shards import BATCH, Crew, Work, in_batches, parts
from assay.core.case import Case
from assay.core.files import write_whole
from assay.core.protocols import Foreseeing, Learner, Model
from assay.core.suite import Suite
from assay.version import __version__


def fitted(model: Model, suites: Mapping[str, Suite]) -> Model:
    """The model, fitted on the suites' original pairs if it learns; one that looks ahead has looked."""
    if isinstance(model, Foreseeing):
        model.foresee(case for suite in suites.values() for case in suite)
    if isinstance(model, Learner):
        return model.fit(case for suite in suites.values() for case in suite if case.family == "original")
    return model


def answers_by_case(
    name: str, model: Model, suites: Mapping[str, Suite], folder: Path, *, crew: Crew
) -> Callable[[str], Iterator[bytes]]:
    """For a suite's name, its answers as JSON lines, in pieces and in order."""
    frozen = pickle.dumps(fitted(model, suites))
    # A worker reads the model once from a file that is named by its content: it is too much to send with every batch.
    stored = folder / "model.parts" / f"{hashlib.sha256(frozen).hexdigest()}.model"
    write_whole(stored, frozen)
    # What a model learned comes from all suites, so a change in one makes all its answers stale.
    asked = " ".join(suite.manifest.digest for suite in suites.values())
    work = Work(answer_batch, (name, stored), key=f"{__version__} {name} {asked}")

    def answers(suite: str) -> Iterator[bytes]:
        batches = (b"\n".join(batch) for batch in in_batches(suites[suite].lines(), BATCH))
        yield from parts(work, batches, folder=folder / f"{suite}.parts", crew=crew)

    return answers


def answer_batch(batch: bytes, name: str, stored: Path) -> bytes:
    """A stored model's answers to JSON lines of cases, as JSON lines; runs in a worker."""
    decode = msgspec.json.Decoder(Case).decode
    answers = answer_cases([decode(line) for line in batch.split(b"\n")], name, _stored_model(stored))
    encode = msgspec.json.Encoder(order="deterministic").encode
    return b"".join(encode(answer) + b"\n" for answer in answers)


@lru_cache(maxsize=1)
def _stored_model(path: Path) -> Model:
    model: Model = pickle.loads(path.read_bytes())  # noqa: S301 - written by this run
    return model
