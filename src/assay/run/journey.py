"""The whole way: corpus, suite, answers, figures, one stored record."""

import hashlib
import platform
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy

from assay.core import registry
from assay.core.case import Recipe
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.files import digest, folder_aside, from_json, to_json, write_whole
from assay.core.run import (
    RECORD_SCHEMA,
    FromCorpus,
    Generated,
    ModelAnswers,
    Reading,
    RunRecord,
    RunSpec,
    Stored,
)
from assay.core.suite import Suite
from assay.corpora.reading import Corpus
from assay.evaluate.band import bands
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse
from assay.models import shipped
from assay.run.answers import Asking, ask, read_answers
from assay.run.asking.long_input import Truncate
from assay.run.asking.names import folder_name, model_name, seeds_of
from assay.run.build import Stage, build_suite, quiet, refuse_twice
from assay.run.recipes import prepare, recipes_for
from assay.run.shards import Crew, workers
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.version import __version__

FAMILIES = (
    *("antonymy", "numeracy", "lexical", "word-overlap", "negation", "length-mismatch", "spelling", "swap"),
    "heuristics",
)
"""What a run does when nothing else is asked."""

MODELS = (
    *("assay:majority", "assay:hypothesis-words", "assay:overlap"),
    *(f"assay:{name}" for name in shipped.NAMES),
)
"""Who is on the bench when nobody else is named."""

STRESS = "stress"
"""The suite that a run builds from a corpus."""

PER_SUBCASE = 30
"""Generated pairs of each subcase: a sample that keeps a run quick."""


def run_spec(
    reading: Reading | None,
    *,
    families: Sequence[str],
    suites: Mapping[str, str | Path],
    models: Sequence[str],
    seed: int,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = PER_SUBCASE,
    truncate: Truncate = "error",
    collapse: Collapse = "argmax",
) -> RunSpec:
    """The spec with every name resolved.

    Where there is a corpus, its original pairs always come along, as what the rest is compared with.
    """
    names = [model_name(seed) for name in models for seed in seeds_of(name)]
    refuse_twice(names)
    planned: list[tuple[str, FromCorpus | Generated | Stored]] = []
    if reading:
        recipes = recipes_for(families, seed=seed, switches=switches, ladder=ladder)
        original = recipes_for(["original"], seed=seed)
        built = (each for each in recipes if each != original[0] and not _is_generated(each))
        planned.append((STRESS, FromCorpus(reading=reading, recipes=(*original, *built))))
        planned += [
            (each.transform.partition("/")[0], Generated(recipe=each, per_subcase=per_subcase))
            for each in recipes
            if _is_generated(each)
        ]
    for name, folder in suites.items():
        planned.append((name, Stored(folder=str(folder), digest=Suite.open(folder).manifest.digest)))
    if not planned:
        raise UserError("Nothing to ask: give a corpus or a suite.")
    for name, count in Counter(name for name, _ in planned).items():
        if count > 1:
            raise UserError(
                f"Two suites of the run are called {name!r}.\n  Give one another name: --suite NAME=FOLDER."
            )
    return RunSpec(suites=dict(planned), models=tuple(names), seed=seed, truncate=truncate, collapse=collapse)


def named_suites(given: Iterable[str | Path]) -> dict[str, Path]:
    """Folders of suites by name: the folder's own, or the one given as `NAME=FOLDER`.

    >>> named_suites(["work/My suite", "hans=work/heuristics"])
    {'my-suite': PosixPath('work/My suite'), 'hans': PosixPath('work/heuristics')}
    """
    found: dict[str, Path] = {}
    for each in map(str, given):
        name, named, folder = each.partition("=")
        path = Path(folder if named and not Path(each).exists() else each)
        name = _slug(name if str(path) == folder else path.absolute().name)
        if name in found:
            raise UserError(f"Two suites are called {name!r}: {found[name]} and {path}.\n  Say NAME=FOLDER for one.")
        found[name] = path
    return found


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
    prepare([recipe for each in spec.suites.values() for recipe in _recipes(each)])
    with workers(worker_count) as crew, folder_aside(folder, aside=runs / f".{key}.partial") as aside:
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
        )
        for parts in aside.glob("predictions/*/*.parts"):
            shutil.rmtree(parts, ignore_errors=True)
        write_whole(aside / "record.json", to_json(record))
    return record


def measure_run(
    suites: Mapping[str, Suite], answers: Sequence[ModelAnswers], folder: Path, *, collapse: Collapse = "argmax"
) -> list[Estimate]:
    """Every figure of a run in a folder."""
    found: list[Estimate] = []
    for name, suite in suites.items():
        files = {each.model: folder / each.files[name].file for each in answers}
        found += measure(suite, files, name=name, collapse=collapse)
    return found + bands(found)


def measure(suite: Suite, answers: Mapping[str, Path], *, name: str, collapse: Collapse = "argmax") -> list[Estimate]:
    """Every model's figures, from one pass over the suite and the stored answers."""
    boards = [Board(model=model, suite=name, collapse=collapse) for model in answers]
    streams = [read_answers(path) for path in answers.values()]
    for case, *predictions in zip(suite, *streams, strict=True):
        for board, prediction in zip(boards, predictions, strict=True):
            if prediction.id != case.id:
                raise BadInputError(f"answers {prediction.id!r} where the suite asks {case.id!r}", where=board.model)
            board.add(case, prediction)
    return [estimate for board in boards for estimate in board.estimates()]


def open_run(folder: str | Path) -> RunRecord:
    """The record of a stored run."""
    folder = Path(folder)
    if not (folder / "record.json").is_file():
        raise BadInputError(
            "no run here: it has no record.json", where=str(folder), hint="`assay list runs` shows the stored runs."
        )
    return from_json(folder / "record.json", RunRecord, oldest=RECORD_SCHEMA, newest=RECORD_SCHEMA)


def _is_generated(recipe: Recipe) -> bool:
    return getattr(registry.transforms.get(recipe.transform), "generated", False)


def _recipes(spec: FromCorpus | Generated | Stored) -> tuple[Recipe, ...]:
    match spec:
        case FromCorpus():
            return spec.recipes
        case Generated():
            return (spec.recipe,)
        case Stored():
            return ()


def _suite(spec: FromCorpus | Generated | Stored, folder: Path, *, crew: Crew, stage: Stage) -> Suite:
    """The suite, in the run's folder; one that an interrupted run had finished is not made again."""
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
    return _slug(first.reading.source) if isinstance(first, FromCorpus) else name


def _slug(text: str) -> str:
    name = Path(text).name if "/" in text and ":" not in text else text
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.partition(".")[0].lower())
    return "-".join(part for part in kept.split("-") if part) or "input"


def _free_name(folder: Path) -> Path:
    number = 1
    candidate = folder
    while candidate.exists():
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate
