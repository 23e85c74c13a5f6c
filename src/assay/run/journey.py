"""The whole way: corpus, suite, answers, figures, one stored record."""

import hashlib
import platform
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import numpy

from assay.core import registry
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.files import digest, folder_aside, from_json, to_json, write_whole
from assay.core.run import RECORD_SCHEMA, Reading, RunRecord, RunSpec
from assay.core.suite import Suite
from assay.corpora.reading import Corpus
from assay.evaluate.accuracy import Accuracy
from assay.run.answers import ask, model_name, read_answers
from assay.run.build import Stage, build_suite, quiet, refuse_twice
from assay.run.recipes import prepare, recipes_for
from assay.run.shards import Crew, workers
from assay.version import __version__

FAMILIES = ("antonymy", "numeracy", "word-overlap", "negation", "length-mismatch", "spelling")
"""What a run does when nothing else is asked."""

MODELS = ("assay:majority", "assay:hypothesis-only", "assay:overlap")
"""Who is on the bench when nobody else is named."""


def run_spec(
    reading: Reading,
    *,
    families: Sequence[str],
    models: Sequence[str],
    seed: int,
    switches: Mapping[str, str] | None = None,
) -> RunSpec:
    """The spec with every name resolved; the original pairs always come along, as what the rest is compared with."""
    recipes = recipes_for(families, seed=seed, switches=switches)
    for recipe in recipes:
        if getattr(registry.transforms.get(recipe.transform), "generated", False):
            raise UserError(
                f"{recipe.transform} is generated, not made of a corpus.\n"
                "  Build it as a suite with `assay build heuristics --out SUITE`, and score answers with `assay score`."
            )
    original = recipes_for(["original"], seed=seed)
    names = [model_name(name) for name in models]
    refuse_twice(names)
    rest = (recipe for recipe in recipes if recipe.transform != original[0].transform)
    return RunSpec(reading=reading, recipes=(*original, *rest), models=tuple(names), seed=seed)


def carry_out(spec: RunSpec, runs: Path, *, worker_count: int = 1, stage: Stage = quiet) -> RunRecord:
    """Carry out a run and store it under `runs`; an interrupted one goes on where it stopped."""
    created = datetime.now(UTC).replace(microsecond=0)
    key = hashlib.sha256(msgspec.json.encode([__version__, spec])).hexdigest()[:16]
    # With a piece of the key, two runs that begin in the same second don't want the same folder.
    folder = _free_name(runs / f"{created:%Y%m%d-%H%M%S}-{_slug(spec.reading.source)[:40]}-{key[:4]}")
    prepare(spec.recipes)
    with workers(worker_count) as crew, folder_aside(folder, aside=runs / f".{key}.partial") as aside:
        suite = _suite(spec, aside / "suite", crew=crew, stage=stage)
        answers = []
        for name in spec.models:
            file = aside / "predictions" / f"{_slug(name)}.jsonl"
            progress = stage(f"Asking {name}", len(suite))
            answers.append(ask(name, suite, file, crew=crew, progress=progress))
        record = RunRecord(
            id=folder.name,
            created=created.isoformat(),
            spec=spec,
            suite=suite.manifest,
            models=tuple(answers),
            estimates=tuple(measure(suite, {a.model: aside / a.file for a in answers})),
            versions={"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__},
        )
        for each in answers:
            shutil.rmtree((aside / each.file).with_suffix(".parts"), ignore_errors=True)
        write_whole(aside / "record.json", to_json(record))
    return record


def measure(suite: Suite, answers: Mapping[str, Path]) -> list[Estimate]:
    """Every model's figures, from one pass over the suite and the stored answers."""
    boards = [Accuracy(model=model) for model in answers]
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
    return from_json(folder / "record.json", RunRecord, newest=RECORD_SCHEMA)


def _suite(spec: RunSpec, folder: Path, *, crew: Crew, stage: Stage) -> Suite:
    source = Path(spec.reading.source)
    if folder.exists():
        suite = Suite.open(folder)
        if suite.manifest.source.digest and source.is_file() and digest(source) == suite.manifest.source.digest:
            return suite  # an interrupted run had finished it
    return build_suite(Corpus(spec.reading), spec.recipes, folder, crew=crew, overwrite=True, stage=stage)


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
