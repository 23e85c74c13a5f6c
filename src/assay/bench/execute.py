"""The whole way: corpus, suite, answers, figures, one stored record."""

import hashlib
import platform
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy

from assay.bench.ask.ask import Asking, ask
from assay.bench.ask.names import folder_name
from assay.bench.build.recipes import prepare
from assay.bench.build.suite import build_suite
from assay.bench.judge.measure import measure_run
from assay.bench.shards import Crew, workers
from assay.bench.spec import slug
from assay.bench.stages import Stage, quiet
from assay.bench.stored import open_run
from assay.core.case import Recipe
from assay.core.errors import BadInputError, UserError
from assay.core.files import digest, folder_aside, to_json, write_errors, write_whole
from assay.core.run import (
    FromCorpus,
    Generated,
    RunRecord,
    RunSpec,
    Stored,
)
from assay.core.suite import Manifest, Suite
from assay.corpora.reading import Corpus
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.version import __version__

OPEN = ".open"
"""Lies in the folder of a run to which something is still to be written, such as its page."""


def carry_out(
    spec: RunSpec,
    runs: Path,
    *,
    worker_count: int = 1,
    cache: bool = True,
    leave_open: bool = False,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> RunRecord:
    """Carry out a run and store it under `runs`; an interrupted one goes on where it stopped.

    With the cache, answers of models that can tell what they are outlive the run. A run that is left open is taken up
    by the same call, instead of a new one, until its caller has written what else belongs to it and calls `close_run`.
    """
    created = datetime.now(UTC).replace(microsecond=0)
    key = hashlib.sha256(msgspec.json.encode([__version__, spec])).hexdigest()[:16]
    # With a piece of the key, two runs that begin in the same second don't want the same folder.
    folder = _free_name(runs / f"{created:%Y%m%d-%H%M%S}-{_title(spec)[:40]}-{key[:4]}")
    if leave_open and (found := _left_open(spec, runs, key)):
        tell(f"The run {found.id} had everything but its report: nothing is asked again.")
        return found
    prepare([recipe for each in spec.suites.values() for recipe in _recipes(each)])
    with workers(worker_count) as crew, folder_aside(folder, aside=runs / f".{key}.partial", resumes=True) as aside:
        suites = {
            name: _suite(each, aside / "suites" / name, crew=crew, stage=stage) for name, each in spec.suites.items()
        }
        answers = []
        for name in spec.models:
            progress = stage(f"Asking {name}", sum(map(len, suites.values())))
            place = aside / "predictions" / folder_name(name)
            how = Asking(truncate=spec.truncate, cache=cache, tell=tell)
            answers.append(ask(name, suites, place, crew=crew, progress=progress, how=how))
        record = RunRecord(
            id=folder.name,
            created=created.isoformat(),
            spec=spec,
            suites={name: suite.manifest for name, suite in suites.items()},
            models=tuple(answers),
            estimates=tuple(measure_run(suites, answers, aside, collapse=spec.collapse)),
            versions={"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__},
        ).sealed()
        for parts in aside.glob("predictions/*/*.parts"):
            shutil.rmtree(parts, ignore_errors=True)
        write_whole(aside / "record.json", to_json(record))
        if leave_open:
            write_whole(aside / OPEN, b"")
    return record


def close_run(folder: Path) -> None:
    """Note that a run which was left open is finished."""
    with write_errors(folder):
        (folder / OPEN).unlink(missing_ok=True)


def _left_open(spec: RunSpec, runs: Path, key: str) -> RunRecord | None:
    """The newest run of the same spec that was left open, unless a corpus has changed since."""
    for mark in sorted(runs.glob(f"*-{key[:4]}*/{OPEN}"), reverse=True):
        with suppress(UserError):  # a damaged run is no reason to stop
            record = open_run(mark.parent)
            same = record.spec == spec and record.versions.get("assay") == __version__
            if same and all(_is_current(each, record.suites[name]) for name, each in spec.suites.items()):
                return record
    return None


def _is_current(spec: FromCorpus | Generated | Stored, made: Manifest) -> bool:
    """Whether a suite would be made of the same corpus again, as far as that can be told."""
    read = made.source.digest
    return not isinstance(spec, FromCorpus) or (bool(read) and Corpus(spec.reading).summary().digest == read)


def _recipes(spec: FromCorpus | Generated | Stored) -> tuple[Recipe, ...]:
    match spec:
        case FromCorpus():
            return spec.recipes
        case Generated():
            return (spec.recipe,)
        case Stored():
            return ()


def _suite(spec: FromCorpus | Generated | Stored, folder: Path, *, crew: Crew, stage: Stage) -> Suite:
    """The suite, in the run's folder; one that an interrupted run had finished is not made again, unless damaged."""
    if (there := _whole(folder)) and _is_current(spec, there.manifest):
        return there
    shutil.rmtree(folder, ignore_errors=True)
    match spec:
        case FromCorpus():
            return build_suite(Corpus(spec.reading), spec.recipes, folder, crew=crew, stage=stage)
        case Generated():
            return build_suite(_generated(spec), [spec.recipe], folder, crew=crew, stage=stage)
        case Stored():
            return _copied(spec, folder)


def _whole(folder: Path) -> Suite | None:
    """The suite in a folder; None if it is not there, or not as it was written."""
    try:
        suite = Suite.open(folder)
        intact = suite.manifest == suite.manifest.sealed() and digest(suite.cases_file) == suite.manifest.file_digest
    except (UserError, OSError):
        return None
    return suite if intact else None


def _generated(spec: Generated) -> GeneratedPairs:
    options: dict[str, Any] = dict(spec.recipe.options)
    return GeneratedPairs(spec.per_subcase, seed=spec.recipe.seed, **options)


def _copied(spec: Stored, folder: Path) -> Suite:
    """The suite, whole: a run can be read when its suites are gone from where they were."""
    suite = Suite.open(spec.folder)
    if suite.manifest.digest != spec.digest or digest(suite.cases_file) != suite.manifest.file_digest:
        raise BadInputError("the suite was changed", where=spec.folder, hint="`assay verify` names the damage.")
    with folder_aside(folder) as aside:
        for path in (suite.folder / "manifest.json", suite.cases_file):
            shutil.copyfile(path, aside / path.name)
    return Suite.open(folder)


def _title(spec: RunSpec) -> str:
    name, first = next(iter(spec.suites.items()))
    return slug(first.reading.source) if isinstance(first, FromCorpus) else name


def _free_name(folder: Path) -> Path:
    number = 1
    candidate = folder
    with write_errors(folder):
        while candidate.exists():
            number += 1
            candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate
