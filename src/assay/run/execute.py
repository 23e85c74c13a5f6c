"""A whole run: corpus, suite, answers, numbers, one stored record."""

import hashlib
import platform
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import numpy

from assay.core.errors import UserError
from assay.core.label_space import TWO_LABELS, merged_names
from assay.core.protocols import Adapter, Corpus, Cost, Learner, Model
from assay.core.registry import split_alias
from assay.core.run_record import (
    CorpusReading,
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
from assay.corpora.in_memory import StoredPairs
from assay.models import shipped
from assay.run.build.recipes import generates, recipes_for, without_ladder
from assay.run.build.suite_builder import refuse_twice
from assay.run.build.suite_cache import is_current, places_of, suites_of
from assay.run.diagnose_run import diagnose_run
from assay.run.find_shortcuts import SEARCHED, NewCases, search_run
from assay.run.measure import facts_of_data, facts_of_models, judge_run, measure_run, telling_examples
from assay.run.predict.model_names import OWN, folder_name, is_reference_model
from assay.run.predict.predict_options import Budget, PredictOptions
from assay.run.predict.predict_suites import cost_of, drop_oversized, run_model
from assay.run.predict.windows import Windows
from assay.run.run_options import RunOptions
from assay.run.stored_run import RECORD, StoredRun, open_run
from assay.run.workers.pool import PARTS, WHOLE, Progress, Stage, WorkerPool, quiet
from assay.storage.files import folder_aside, folder_of_work, write_errors, write_whole
from assay.storage.folders import scratch
from assay.storage.remote import stand_in
from assay.storage.suite import Suite, named_suites, slug
from assay.version import __version__

OPEN = ".open"  # a marker in the folder of a run that is not complete yet, for instance because its page is missing

DEFAULT_MODELS = tuple(f"assay:{name}" for name in ("esim", "kim", "minilm", "majority", "overlap", "hypothesis-only"))
"""A few models that are easy to read side by side."""

ALL_MODELS = tuple(
    f"assay:{name}"
    for name in (
        *(name for name in shipped.NAMES if name != "hypothesis-only"),
        *("majority", "overlap", "subsequence", "constituent", "wordnet", "hypothesis-words", "hypothesis-only"),
    )
)

STRESS = "stress"  # the suite that a run builds from a corpus


def run_spec(source: CorpusReading | StoredPairs | None, options: RunOptions, *, models: Sequence[str]) -> RunSpec:
    """The spec of a run whose models are named in full.

    If there is a corpus, its original pairs are always included, because the rest is compared with them.
    """
    refuse_twice(models)
    seed = options.seed
    planned: list[tuple[str, SuiteSpec]] = []
    if source:
        families = options.families or ()
        recipes = recipes_for(families, seed=seed, switches=options.all_switches(), ladder=options.ladder)
        original = recipes_for(["original"], seed=seed)
        built = (each for each in recipes if each != original[0] and not generates(each.transform))
        every = (*original, *built)
        planned.append(
            (STRESS, FromPairs(name=source.name, digest=source.digest, recipes=every))
            if isinstance(source, StoredPairs)
            else (STRESS, FromCorpus(reading=source, recipes=every))
        )
        planned += [
            (each.transform.partition("/")[0], Generated(recipe=each, per_subcase=options.per_subcase))
            for each in without_ladder([each for each in recipes if generates(each.transform)])
        ]
    for name, folder in named_suites(options.suites).items():
        planned.append((name, StoredSuite(folder=folder, digest=Suite.open(folder).manifest.digest)))
    if not planned:
        raise UserError("Nothing to predict: give a corpus or a suite.")
    for name, times in Counter(name for name, _ in planned).items():
        if times > 1:
            raise UserError(
                f"Two suites of the run are called {name!r}.\n  Give one another name: --suite NAME=FOLDER."
            )
    if options.windows:
        Windows.parse(options.windows)  # an error is reported before anything is built
    shared = {name: getattr(options, name) for name in RunSpec.__struct_fields__ if hasattr(options, name)}
    return RunSpec(**{**shared, "suites": dict(planned), "models": tuple(models)})


class InMemoryInputs(NamedTuple):
    """Objects that were passed to a run, which a spec can only name."""

    corpus: Corpus | None = None  # the corpus of a suite that is built from pairs in memory
    models: Mapping[str, Model | Learner | Adapter] = MappingProxyType({})


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

    Of the options, it uses those that do not decide results: the folder, the cache and the budget. If a run is left
    open, the same call continues it instead of starting a new one, until the caller has written everything else and
    calls `close_run`.
    """
    runs = stand_in(options.out)
    created = datetime.now(UTC).replace(microsecond=0)
    started = time.monotonic()
    key = key_of(spec)
    # With a piece of the key, two runs that start in the same second don't use the same folder.
    folder = _free_name(spec, runs, f"{created:%Y%m%d-%H%M%S}", key[:4])
    if leave_open and (found := _left_open(spec, runs, key)):
        tell(f"The run {found.id} was complete except for its report: no model runs again.")
        return found
    places = places_of(spec, cache=options.cache)
    with pool as workers, folder_aside(folder, aside=folder_of_work(runs / key), resumes=True) as aside:
        whole = WholeRun(spec, stage)
        with whole.steps(*whole.building) as step:
            suites = suites_of(spec, aside / "suites", places, corpus=inputs.corpus, pool=workers, stage=step)
        suites, how = prepare_predictions(spec, suites, options, inputs=inputs, tell=tell)
        manifests = {name: suite.manifest for name, suite in suites.items()}
        answers = []
        for number, name in enumerate(spec.models, 1):
            place = aside / "predictions" / folder_name(name)
            model = inputs.models.get(name)
            with whole.steps(whole.running[name]) as step:
                progress = step(f"Running {name}, {number} of {len(spec.models)}", sum(map(len, suites.values())))
                own = run_model(name, suites, place, pool=workers, progress=progress, how=how, given=model)
            answers.append(msgspec.structs.replace(own, reference=is_reference_model(name, inputs.models)))
        if spec.leaves_labels_open and not spec.label_space(manifests).is_binary:
            spec, answers = _in_two_if_scored(spec, answers, aside)
        stored = StoredRun(aside, suites, answers)
        with whole.steps(whole.measuring) as step:
            step("Measuring", None)
            record = _measure_record(stored, spec, name=folder.name, created=created.isoformat())
        if options.find_shortcuts and record.diagnosis:
            tested = [each.model for each in answers if not each.reference]
            ask = NewCases(aside / SEARCHED, spec, how, models=inputs.models, pool=workers, stage=stage)
            diagnosis = search_run(stored, spec, record.diagnosis, ask.predict, models=tested)
            record = msgspec.structs.replace(record, diagnosis=diagnosis)
        record = msgspec.structs.replace(record, seconds=round(time.monotonic() - started, 1))
        record = msgspec.structs.replace(record, examples=tuple(telling_examples(aside, record))).sealed()
        for parts in aside.glob("predictions/*/*.parts"):
            shutil.rmtree(parts, ignore_errors=True)
        stored_record = to_json(record)
        write_whole(aside / RECORD, stored_record)
        if leave_open:
            write_whole(aside / OPEN, b"")
    # As it is stored, with dictionaries in the order of the file: what is shown of it is the same now and later.
    return msgspec.json.decode(stored_record, type=RunRecord).stored_in(folder)


def _measure_record(run: StoredRun, spec: RunSpec, *, name: str, created: str) -> RunRecord:
    """The record of a run, with every number, the judgement and the diagnosis."""
    manifests = {suite: each.manifest for suite, each in run.suites.items()}
    measured = measure_run(run, spec)
    return RunRecord(
        id=name,
        created=created,
        spec=spec,
        suites=manifests,
        models=tuple(run.models),
        estimates=tuple(measured.estimates),
        support=tuple(measured.curves),
        judgement=judge_run(measured.estimates, manifests, spec),
        diagnosis=diagnose_run(run, spec),
        cards=facts_of_data(manifests),
        about=facts_of_models(each.model for each in run.models),
        versions={"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__},
    )


def _in_two_if_scored(spec: RunSpec, answers: list[ModelAnswers], folder: Path) -> tuple[RunSpec, list[ModelAnswers]]:
    """The spec of a run, judged by two labels if a model answers with support scores."""
    scored = []
    for each in answers:
        for file in each.files.values():
            with (folder / file.file).open("rb") as lines:
                if any(b'"threshold":' in line for line in lines):  # a support score comes with its threshold
                    scored.append(each.model)
    if not scored:
        return spec, answers
    why = f"{scored[0]} answers with one support score per pair, so everything is judged by two labels."
    told = [
        msgspec.structs.replace(each, notes=(*each.notes, why)) if each.model == scored[0] else each for each in answers
    ]
    return spec.resize(TWO_LABELS), told


def key_of(spec: RunSpec) -> str:
    """A digest of everything that determines a run, by which it is resumed."""
    return hashlib.sha256(msgspec.json.encode([__version__, spec])).hexdigest()[:16]


def prepare_predictions(
    spec: RunSpec,
    suites: Mapping[str, Suite],
    options: RunOptions,
    *,
    inputs: InMemoryInputs,
    tell: Callable[[str], None],
) -> tuple[dict[str, Suite], PredictOptions]:
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
        scores=spec.may_be_binary,
        budget=Budget(options.budget),
        tell=tell,
    )
    return suites, how


def close_run(folder: Path) -> None:
    """Mark a run that was left open as finished."""
    with write_errors(folder):
        (folder / OPEN).unlink(missing_ok=True)


def _left_open(spec: RunSpec, runs: Path, key: str) -> RunRecord | None:
    """The newest run of the same spec that was left open, unless a corpus has changed since."""
    for mark in sorted(runs.glob(f"*-{key[:4]}*/{OPEN}"), reverse=True):
        with suppress(UserError):  # a damaged run is not a reason to stop
            record = open_run(mark.parent)
            asked = record.spec.resize(spec)  # scores may have decided it
            same = asked == spec and record.versions.get("assay") == __version__
            if same and all(is_current(each, record.suites[name]) for name, each in spec.suites.items()):
                return record
    return None


def _free_name(spec: RunSpec, runs: Path, beginning: str, end: str) -> Path:
    """A folder that does not exist, named after the first source of a run."""
    name, first = next(iter(spec.suites.items()))
    if isinstance(first, FromCorpus | FromPairs):
        name = slug(first.reading.source if isinstance(first, FromCorpus) else first.name)
    folder = runs / f"{beginning}-{name[:40]}-{end}"
    with write_errors(folder):
        others = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
        return next(each for each in chain([folder], others) if not each.exists())


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
        suites = suites_of(spec, home / "suites", places, corpus=inputs.corpus, pool=workers, stage=stage)
        how = PredictOptions(windows=Windows.parse(spec.windows), cache=options.cache)
        return {
            name: cost_of(name, suites, home / folder_name(name), how=how, given=inputs.models.get(name))
            for name in spec.models
        }


FROM_PAIRS, FROM_TEMPLATES = 1.5, 0.2  # milliseconds to build each case, from pairs and from templates
PACES = {"esim": 1.6, "kim": 3.3, "hypothesis-only": 0.5}  # milliseconds per case; proportions matter
TRANSFORMER, BASELINE = 8.0, 0.1  # milliseconds per case of any other model, and of a baseline
MEASURING = 0.35  # milliseconds per case and model to measure and diagnose


class WholeRun:
    """The progress of all steps of a run together."""

    def __init__(self, spec: RunSpec, stage: Stage) -> None:
        self.building = [
            FROM_PAIRS if isinstance(each, FromCorpus | FromPairs) else FROM_TEMPLATES for each in spec.suites.values()
        ]
        self.running = {name: _pace(name) for name in spec.models}
        self.measuring = MEASURING * len(spec.models)
        self._all = sum(self.building) + sum(self.running.values()) + self.measuring
        self._stage = stage
        self._progress: Progress | None = None
        self._done = 0.0
        self._told = 0

    @contextmanager
    def steps(self, *costs: float) -> Iterator[Stage]:
        """A stage for steps with these expected costs; what is left of them afterwards counts as done."""
        end = self._done + sum(costs)
        left = list(costs)

        def stage(name: str, total: int | None) -> Progress:
            cost = left.pop(0) if left else 0.0
            self._tell(end - sum(left) - cost)
            begun, done, progress = self._done, 0, self._stage(name, total)

            def advance(more: int) -> None:
                nonlocal done
                done += more
                progress(more)
                if total:
                    self._tell(begun + cost * min(1.0, done / total))

            return advance

        yield stage
        self._tell(end)

    def _tell(self, done: float) -> None:
        if self._progress is None:  # not earlier: the thread of a progress bar would keep workers from being forked
            self._progress = self._stage(WHOLE, PARTS)
        self._done = max(self._done, done)
        parts = round(PARTS * self._done / self._all)
        if parts > self._told:
            self._progress(parts - self._told)
            self._told = parts


def _pace(model: str) -> float:
    kind, _, name = split_alias(model).model.partition(":")
    if kind != OWN:
        return TRANSFORMER
    known = PACES.get(name.partition("/")[0])
    return known or (BASELINE if is_reference_model(model) else TRANSFORMER)
