"""Asking a model: cases in, a file of predictions out, in the suite's order."""

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from assay.core import registry
from assay.core.case import Case
from assay.core.errors import AssayError, BadInputError, ModelError, UnknownNameError, UserError
from assay.core.files import write_errors, write_whole
from assay.core.prediction import Prediction
from assay.core.protocols import Learner, Model
from assay.core.run import AnswerFile, ModelAnswers
from assay.core.suite import Suite
from assay.run.build import in_batches
from assay.run.shards import BATCH, Crew, Work, parts
from assay.version import __version__

OWN = "assay"
"""The kind of the models that come with Assay or are registered by a package."""


def model_name(name: str) -> str:
    """Kind and versioned name of a model.

    >>> model_name("assay:majority")
    'assay:majority/v1'
    """
    kind, found, what = name.partition(":")
    if not found:
        raise UnknownNameError(f"No model {name!r}: say the kind too, as in 'assay:{name}'. See `assay list models`.")
    if kind != OWN:
        raise UnknownNameError(f"No kind of model {kind!r}; there is {OWN!r}. See `assay list models`.")
    return f"{OWN}:{registry.models.resolve(what)}"


def load_model(name: str, suites: Iterable[Suite]) -> Model:
    """The model, fitted on the suites' original pairs if it learns."""
    kind: Any = registry.models.get(model_name(name).partition(":")[2])
    model = kind()
    if isinstance(model, Learner):
        return model.fit(case for suite in suites for case in suite if case.family == "original")
    return model  # type: ignore[no-any-return]


def ask(
    name: str, suites: Mapping[str, Suite], folder: Path, *, crew: Crew, progress: Callable[[int], None]
) -> ModelAnswers:
    """Have a model answer every case of the suites; its folder gets a file of predictions a suite."""
    frozen = pickle.dumps(load_model(name, suites.values()))
    # A worker reads the model once from a file that is named by its content: it is too much to send with every batch.
    stored = folder / f"{hashlib.sha256(frozen).hexdigest()}.model"
    write_whole(stored, frozen)
    # What a model learned comes from all suites, so a change in one makes all its answers stale.
    asked = " ".join(suite.manifest.digest for suite in suites.values())
    work = Work(answer_batch, (name, stored), key=f"{__version__} {name} {asked}")
    files = {}
    for each, suite in suites.items():
        batches = (b"\n".join(batch) for batch in in_batches(suite.lines(), BATCH))
        made = parts(work, batches, folder=folder / f"{each}.parts", crew=crew)
        files[each] = _merge(made, folder / f"{each}.jsonl", progress=progress)
    stored.unlink()
    return ModelAnswers(model=name, files=files)


def _merge(made: Iterable[Path], out: Path, *, progress: Callable[[int], None]) -> AnswerFile:
    """The parts, in order, as one file."""
    hashed = hashlib.sha256()
    n = 0
    with write_errors(out):
        aside = out.with_suffix(".aside")
        file = aside.open("wb")
    try:
        for path in made:
            data = path.read_bytes()
            hashed.update(data)
            with write_errors(out):
                file.write(data)
            done = data.count(b"\n")
            n += done
            progress(done)
    finally:
        with write_errors(out):
            file.close()
    aside.replace(out)
    return AnswerFile(file=out.relative_to(out.parents[2]).as_posix(), digest=hashed.hexdigest(), n=n)


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


def answer_cases(cases: list[Case], name: str, model: Model) -> list[Prediction]:
    """A model's answers, checked: one a case, in order."""
    try:
        answers = model.predict(cases)
    except AssayError:
        raise
    except Exception as error:  # somebody else's model may fail in any way
        raise ModelError(f"{name} failed: {type(error).__name__}: {error}\n  See it whole with --debug.") from error
    if len(answers) != len(cases):
        raise ModelError(f"{name} gave {len(answers)} answers to {len(cases)} cases.")
    for case, answer in zip(cases, answers, strict=True):
        if answer.id != case.id:
            raise ModelError(f"{name} answered {answer.id!r} where {case.id!r} was asked; answers must keep the order.")
    return answers


def read_answers(path: Path) -> Iterator[Prediction]:
    """The predictions of a stored run."""
    decode = msgspec.json.Decoder(Prediction).decode
    try:
        file = path.open("rb")
    except OSError as error:
        raise UserError(f"No predictions at {path}: {error.strerror}.") from error
    with file:
        for number, line in enumerate(file, 1):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInputError(f"not a prediction: {error}", where=f"{path}:{number}") from error
