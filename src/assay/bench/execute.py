"""The whole way: corpus, suite, answers, figures, one stored record."""

import hashlib
import platform
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy

from assay.bench.ask.ask import Asking, ask
from assay.bench.ask.names import folder_name
from assay.bench.build.kept import Kept, kept
from assay.bench.build.recipes import prepare
from assay.bench.build.suite import build_suite
from assay.bench.judge.measure import measure_run
from assay.bench.shards import Crew, workers
from assay.bench.spec import slug
from assay.bench.stages import Stage, quiet
from assay.bench.stored import StoredRun
from assay.core.case import Recipe
from assay.core.errors import BadInputError
from assay.core.files import digest, folder_aside, to_json, write_whole
from assay.core.run import (
    FromCorpus,
    Generated,
    RunRecord,
    RunSpec,
    Stored,
)
from assay.core.suite import Suite
from assay.corpora.reading import Corpus
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.version import __version__


def carry_out(
    spec: RunSpec,
    runs: Path,
    *,
    worker_count: int = 1,
    cache: bool = True,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> RunRecord:
    """Carry out a run and store it under `runs`; an interrupted one goes on where it stopped.

    With the cache, answers of models that can tell what they are outlive the run.
    """
    created = datetime.now(UTC).replace(microsecond=0)
    key = hashlib.sha256(msgspec.json.encode([__version__, spec])).hexdigest()[:16]
    # With a piece of the key, two runs that begin in the same second don't want the same folder.
    folder = _free_name(runs / f"{created:%Y%m%d-%H%M%S}-{_title(spec)[:40]}-{key[:4]}")
    places = {name: kept(each) if cache else None for name, each in spec.suites.items()}
    built = [each for name, each in spec.suites.items() if not _is_there(places[name])]
    prepare([recipe for each in built for recipe in _recipes(each)])
    with workers(worker_count) as crew, folder_aside(folder, aside=runs / f".{key}.partial") as aside:
        suites = {
            name: _suite(each, aside / "suites" / name, place=places[name], crew=crew, stage=stage)
            for name, each in spec.suites.items()
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
            estimates=tuple(measure_run(StoredRun(aside, suites, answers), collapse=spec.collapse)),
            versions={"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__},
        )
        for parts in aside.glob("predictions/*/*.parts"):
            shutil.rmtree(parts, ignore_errors=True)
        write_whole(aside / "record.json", to_json(record))
    return record


def _recipes(spec: FromCorpus | Generated | Stored) -> tuple[Recipe, ...]:
    match spec:
        case FromCorpus():
            return spec.recipes
        case Generated():
            return (spec.recipe,)
        case Stored():
            return ()


def _is_there(place: Kept | None) -> bool:
    return place is not None and place.is_whole


def _suite(
    spec: FromCorpus | Generated | Stored, folder: Path, *, place: Kept | None, crew: Crew, stage: Stage
) -> Suite:
    """The suite, in the run's folder; one that is kept, or that an interrupted run had finished, is not made again."""
    if place and place.is_whole:
        return place.copied(folder)
    suite = _made(spec, folder, crew=crew, stage=stage)
    if place:
        place.keep(suite)
    return suite


def _made(spec: FromCorpus | Generated | Stored, folder: Path, *, crew: Crew, stage: Stage) -> Suite:
    there = Suite.open(folder) if folder.exists() else None
    match spec:
        case FromCorpus():
            source = Path(spec.reading.source)
            read = there.manifest.source.digest if there else ""
            if there and read and source.is_file() and digest(source) == read:
                return there
            return build_suite(Corpus(spec.reading), spec.recipes, folder, crew=crew, overwrite=True, stage=stage)
        case Generated():
            return there or build_suite(_generated(spec), [spec.recipe], folder, crew=crew, stage=stage)
        case Stored():
            return there or _copied(spec, folder)


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
    while candidate.exists():
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate
