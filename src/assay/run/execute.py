"""A whole run: corpus, suite, answers, figures, one stored record."""

import hashlib
import platform
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import numpy

from assay.core.case import Recipe
from assay.core.errors import BadInputError, UserError
from assay.core.label_space import merged_names
from assay.core.manifest import Manifest
from assay.core.protocols import Adapter, Corpus, Cost, Learner, Model
from assay.core.run_record import (
    FromCorpus,
    FromPairs,
    Generated,
    ModelAnswers,
    RunRecord,
    RunSpec,
    StoredSuite,
    SuiteSpec,
)
from assay.core.serialise import to_json
from assay.corpora.reader import CorpusReader
from assay.run.build.recipes import generated_pairs, prepare
from assay.run.build.suite_builder import build_suite
from assay.run.build.suite_cache import CachedSuite, cache_slot
from assay.run.diagnose_run import diagnose_run
from assay.run.failure_examples import telling_examples
from assay.run.measure import facts_of_data, facts_of_models, judge_run, measure_run
from assay.run.predict.model_names import folder_name, is_reference_model
from assay.run.predict.predict_options import Budget, PredictOptions
from assay.run.predict.predict_suites import cost_of, drop_oversized, run_model
from assay.run.predict.windows import Windows
from assay.run.run_options import RunOptions
from assay.run.spec import slug
from assay.run.stored_run import RECORD, StoredRun, open_run
from assay.run.workers.pool import Stage, WorkerPool, quiet
from assay.storage.files import folder_aside, folder_of_work, write_errors, write_whole
from assay.storage.folders import scratch
from assay.storage.remote import stand_in
from assay.storage.suite import Suite
from assay.version import __version__

OPEN = ".open"
"""A marker in the folder of a run that is not complete yet, for instance because its page is missing."""


class InMemoryInputs(NamedTuple):
    """Objects that were passed to a run, which a spec can only name."""

    corpus: Corpus | None = None
    """The corpus of a suite that is built from pairs in memory."""
    models: Mapping[str, Model | Learner | Adapter] = MappingProxyType({})
    """Models that are objects, by name."""


def execute_run(
    spec: RunSpec,
    options: RunOptions,
    *,
    pool: AbstractContextManager[WorkerPool],
    inputs: InMemoryInputs = InMemoryInputs(),  # noqa: B008 - it is immutable
    leave_open: bool = False,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> RunRecord:
    """Execute a run and store it under `options.out`; an interrupted run continues where it stopped.

    Of the options, it uses those that do not decide results: the folder, the cache and the budget. A run that is left
    open is continued by the same call, instead of starting a new one, until the caller has written everything else and
    calls `close_run`.
    """
    runs = stand_in(options.out)
    created = datetime.now(UTC).replace(microsecond=0)
    started = time.monotonic()
    key = key_of(spec)
    # With a piece of the key, two runs that start in the same second don't use the same folder.
    folder = _free_name(runs / f"{created:%Y%m%d-%H%M%S}-{_title(spec)[:40]}-{key[:4]}")
    if leave_open and (found := _left_open(spec, runs, key)):
        tell(f"The run {found.id} was complete except for its report: no model runs again.")
        return found
    places = places_of(spec, cache=options.cache)
    with pool as workers, folder_aside(folder, aside=folder_of_work(runs / key), resumes=True) as aside:
        suites = suites_of(spec, aside / "suites", places, inputs=inputs, pool=workers, stage=stage)
        suites, how = prepare_predictions(spec, suites, options, inputs=inputs, tell=tell)
        manifests = {name: suite.manifest for name, suite in suites.items()}
        answers = []
        for name in spec.models:
            progress = stage(f"Asking {name}", sum(map(len, suites.values())))
            place = aside / "predictions" / folder_name(name)
            model = inputs.models.get(name)
            own = run_model(name, suites, place, pool=workers, progress=progress, how=how, given=model)
            answers.append(msgspec.structs.replace(own, reference=is_reference_model(name, inputs.models)))
        if spec.two_way is None and not spec.label_space(manifests).is_binary:
            spec, answers = _in_two_if_scored(spec, answers, aside)
        stored = StoredRun(aside, suites, answers)
        measured = measure_run(stored, spec)
        record = RunRecord(
            id=folder.name,
            created=created.isoformat(),
            spec=spec,
            suites=manifests,
            models=tuple(answers),
            estimates=tuple(measured.estimates),
            support=tuple(measured.curves),
            judgement=judge_run(measured.estimates, manifests, spec),
            diagnosis=diagnose_run(stored, spec),
            cards=facts_of_data(manifests),
            about=facts_of_models(each.model for each in answers),
            seconds=round(time.monotonic() - started, 1),
            versions={"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__},
        )
        record = msgspec.structs.replace(record, examples=tuple(telling_examples(aside, record))).sealed()
        for parts in aside.glob("predictions/*/*.parts"):
            shutil.rmtree(parts, ignore_errors=True)
        stored_record = to_json(record)
        write_whole(aside / RECORD, stored_record)
        if leave_open:
            write_whole(aside / OPEN, b"")
    # As it is stored, with dictionaries in the order of the file: what is shown of it is the same now and later.
    return msgspec.json.decode(stored_record, type=RunRecord).stored_in(folder)


def _in_two_if_scored(spec: RunSpec, answers: list[ModelAnswers], folder: Path) -> tuple[RunSpec, list[ModelAnswers]]:
    """The spec of a run that is judged by two labels if a model answers with support scores, which know no more."""
    scored = [each.model for each in answers if any(_has_scores(folder / file.file) for file in each.files.values())]
    if not scored:
        return spec, answers
    why = f"{scored[0]} answers with one support score per pair, so everything is judged by two labels."
    told = [
        msgspec.structs.replace(each, notes=(*each.notes, why)) if each.model == scored[0] else each for each in answers
    ]
    return msgspec.structs.replace(spec, two_way=True), told


def _has_scores(file: Path) -> bool:
    """True if an answer in a file is a support score, which comes with its threshold."""
    with file.open("rb") as lines:
        return any(b'"threshold":' in line for line in lines)


def key_of(spec: RunSpec) -> str:
    """The name of everything that decides a run, under which it is resumed."""
    return hashlib.sha256(msgspec.json.encode([__version__, spec])).hexdigest()[:16]


class PlannedQuestions(NamedTuple):
    """The suites that models are run on."""

    suites: dict[str, Suite]
    """The suites, without cases that a model can't take."""
    how: PredictOptions
    """Settings for running models."""


def prepare_predictions(
    spec: RunSpec,
    suites: Mapping[str, Suite],
    options: RunOptions,
    *,
    inputs: InMemoryInputs,
    tell: Callable[[str], None],
) -> PlannedQuestions:
    """The suites that every model of a run can take, and how predictions are made."""
    suites = dict(suites)
    names = merged_names(suite.manifest.names for suite in suites.values())
    for name, suite, said in drop_oversized(suites, spec.models, inputs.models, names):
        suites[name] = suite
        if said:
            tell(said)
    how = PredictOptions(
        truncate=spec.truncate,
        windows=Windows.parse(spec.windows) if spec.windows else None,
        cache=options.cache,
        names=names,
        scores=spec.two_way is not False,
        budget=Budget(options.budget),
        tell=tell,
    )
    return PlannedQuestions(suites, how)


def places_of(spec: RunSpec, *, cache: bool) -> dict[str, CachedSuite | None]:
    """The place of each suite in the cache; whatever the others need to be built is prepared."""
    places = {name: cache_slot(each) if cache else None for name, each in spec.suites.items()}
    built = [each for name, each in spec.suites.items() if not _is_kept(places[name])]
    prepare([recipe for each in built for recipe in _recipes(each)])
    return places


def suites_of(
    spec: RunSpec,
    folder: Path,
    places: Mapping[str, CachedSuite | None],
    *,
    inputs: InMemoryInputs,
    pool: WorkerPool,
    stage: Stage,
) -> dict[str, Suite]:
    """The suites of a run, each in a folder of its own."""
    return {
        name: _suite(each, folder / name, inputs.corpus, place=places[name], pool=pool, stage=stage)
        for name, each in spec.suites.items()
    }


def close_run(folder: Path) -> None:
    """Mark a run that was left open as finished."""
    with write_errors(folder):
        (folder / OPEN).unlink(missing_ok=True)


def _left_open(spec: RunSpec, runs: Path, key: str) -> RunRecord | None:
    """The newest run of the same spec that was left open, unless a corpus has changed since."""
    for mark in sorted(runs.glob(f"*-{key[:4]}*/{OPEN}"), reverse=True):
        with suppress(UserError):  # a damaged run is not a reason to stop
            record = open_run(mark.parent)
            asked = msgspec.structs.replace(record.spec, two_way=spec.two_way)  # scores may have decided it
            same = asked == spec and record.versions.get("assay") == __version__
            if same and all(_is_current(each, record.suites[name]) for name, each in spec.suites.items()):
                return record
    return None


def _is_current(spec: SuiteSpec, made: Manifest) -> bool:
    """True if a suite would be built from the same corpus again, as far as that can be known."""
    read = made.source.digest
    return not isinstance(spec, FromCorpus) or (bool(read) and CorpusReader(spec.reading).summary().digest == read)


def _recipes(spec: SuiteSpec) -> tuple[Recipe, ...]:
    match spec:
        case FromCorpus() | FromPairs():
            return spec.recipes
        case Generated():
            return (spec.recipe,)
        case StoredSuite():
            return ()


def _is_kept(place: CachedSuite | None) -> bool:
    return place is not None and place.is_whole


def _suite(
    spec: SuiteSpec, folder: Path, given: Corpus | None, *, place: CachedSuite | None, pool: WorkerPool, stage: Stage
) -> Suite:
    """The suite, in the run's folder.

    A suite that an interrupted run had finished, or that is cached, is not built again, unless it is damaged.
    """
    suite = _whole(folder)
    if suite is None or not _is_current(spec, suite.manifest):
        shutil.rmtree(folder, ignore_errors=True)
        if place and place.is_whole and (copy := place.copied(folder)):
            return copy
        suite = _made(spec, folder, given, pool=pool, stage=stage)
    if place and not place.is_whole:
        place.keep(suite)
    return suite


def _made(spec: SuiteSpec, folder: Path, given: Corpus | None, *, pool: WorkerPool, stage: Stage) -> Suite:
    match spec:
        case FromCorpus():
            return build_suite(CorpusReader(spec.reading), spec.recipes, folder, pool=pool, stage=stage)
        case FromPairs():
            assert given is not None  # whoever puts such a suite into a spec has its pairs
            return build_suite(given, spec.recipes, folder, pool=pool, stage=stage)
        case Generated():
            pairs = generated_pairs(spec.recipe, spec.per_subcase)
            return build_suite(pairs, [spec.recipe], folder, pool=pool, stage=stage)
        case StoredSuite():
            return _copied(spec, folder)


def _whole(folder: Path) -> Suite | None:
    """The suite in a folder; None if it is missing or was changed."""
    try:
        suite = Suite.open(folder)
        suite.check()
    except (UserError, OSError):
        return None
    return suite


def _copied(spec: StoredSuite, folder: Path) -> Suite:
    """A full copy of the suite: a run stays readable when the original suite is gone."""
    suite = Suite.open(spec.folder)
    suite.check()
    if suite.manifest.digest != spec.digest:
        raise BadInputError("the suite was changed", where=spec.folder, hint="`assay verify` shows the damage.")
    with folder_aside(folder) as aside:
        shutil.copyfile(suite.folder / "manifest.json", aside / "manifest.json")
        copy = shutil.copytree if suite.cases_file.is_dir() else shutil.copyfile
        copy(suite.cases_file, aside / suite.cases_file.name)
    return Suite.open(folder)


def _title(spec: RunSpec) -> str:
    name, first = next(iter(spec.suites.items()))
    match first:
        case FromCorpus():
            return slug(first.reading.source)
        case FromPairs():
            return slug(first.name)
    return name


def _free_name(folder: Path) -> Path:
    number = 1
    candidate = folder
    with write_errors(folder):
        while candidate.exists():
            number += 1
            candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate


def forecast_run(
    spec: RunSpec,
    options: RunOptions,
    *,
    pool: AbstractContextManager[WorkerPool],
    inputs: InMemoryInputs,
    stage: Stage = quiet,
) -> dict[str, Cost]:
    """The cost of each model of a run, without predictions that are cached already."""
    places = places_of(spec, cache=options.cache)
    with scratch() as home, pool as workers:
        suites = suites_of(spec, home / "suites", places, inputs=inputs, pool=workers, stage=stage)
        how = PredictOptions(windows=Windows.parse(spec.windows), cache=options.cache)
        return {
            name: cost_of(name, suites, home / folder_name(name), how=how, given=inputs.models.get(name))
            for name in spec.models
        }
