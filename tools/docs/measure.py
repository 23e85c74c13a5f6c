"""Measures the shipped models on whole data sets: `python tools/docs/measure.py [MODELS] --data DATA [--work FOLDER]`.

MODELS is the folder that `tools/ship.py` packed from: with the seeds of each model, for bands. Without it, the bands of
models and sets that have not changed are kept, and the others are left out. DATA holds the data sets in the folders
that SETS names. Writes docs/results/NAME.json for each model, of which `tools/docs/generate.py` makes pages.

Each set is measured and stored on its own, and a set that has not changed is not measured again. Suites and answers are
kept in FOLDER and in the user's cache, so that a stopped measurement continues. `--only NAME` measures one model, and
`--set SET` one set; both may be repeated. `--again` measures them even if nothing changed, for new intervals.
"""

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from measured import (
    AQUA,
    AQUA_CODE,
    CODE,
    CODE_MISMATCHED,
    CONJNLI,
    FOLDER,
    LOGIC,
    MED,
    STRESS,
    Figure,
    Measured,
    Set,
)

import assay
from assay.core.case import DEFAULT_FAMILIES
from assay.core.estimate import Estimate
from assay.core.serialise import from_json, to_json
from assay.evaluate.seeds import band
from assay.export.export_model import AGREEMENT, ExportAgreement
from assay.models.adapters.trained import Trained
from assay.models.shipped import HERE, NAMES
from assay.models.systems.system_card import MAKING
from assay.storage.files import digest, write_whole
from assay.storage.suite import Suite
from assay.stress.logic.template_family import logic_family
from assay.training.train_system import TrainingProvenance


class Source(NamedTuple):
    """A data set, and what is built from it; without a file, pairs are generated."""

    file: str
    families: tuple[str, ...] = ("original",)
    fidelity: str = "strict"


MATCHED, MISMATCHED, PROBLEMS = (
    "mnli/dev_matched.jsonl.gz",
    "mnli/dev_mismatched.jsonl.gz",
    "aqua_rat/train_subset.json.gz",
)
TYPOS = tuple(f"spelling:{each}" for each in ("content-word", "function-word", "adjacent-swap", "keyboard"))
STRICT = ("original", *(each for each in DEFAULT_FAMILIES if each not in ("heuristics", *LOGIC)))
RELEASED = ("original", "word-overlap", "negation", "length-mismatch", "antonymy", *TYPOS)

SETS = {
    "snli-test": Source("snli/snli_1.0_test.jsonl.gz", ("original", "swap")),
    "snli-hard": Source("snli/test_hard.jsonl.gz"),
    "mnli-matched": Source(MATCHED),
    "mnli-mismatched": Source(MISMATCHED),
    "hans": Source("hans/heuristics_evaluation_set.txt.gz"),
    "breaking-nli": Source("breaking_nli/dataset.jsonl.gz"),
    STRESS: Source(MATCHED, STRICT),
    CODE: Source(MATCHED, RELEASED, "code"),
    CODE_MISMATCHED: Source(MISMATCHED, RELEASED, "code"),
    AQUA: Source(PROBLEMS, ("numeracy",)),
    AQUA_CODE: Source(PROBLEMS, ("numeracy",), "code"),
    **{family: Source("", (family,)) for family in LOGIC},
    MED: Source("logic/MED.tsv.gz"),
    "pmonli": Source("logic/pmonli.jsonl.gz"),
    "nmonli-train": Source("logic/nmonli_train.jsonl.gz"),
    "nmonli-test": Source("logic/nmonli_test.jsonl.gz"),
    CONJNLI: Source("logic/conj_dev.tsv.gz"),
}

GENERATED = 1_200
"""How many pairs of a family are generated, about: the same number of each subcase."""

BUILT = (STRESS, CODE, CODE_MISMATCHED, AQUA, AQUA_CODE, *LOGIC)
"""Sets that seeds are not asked, because they are large."""

KEPT = ("accuracy", "kept", "source", "drop", "holm", "answers")
"""Measures that the pages show."""

GROUPS = (
    {"family"},
    {"family", "label"},
    {"family", "variant"},
    {"family", "heuristic", "label"},
    {"family", "category"},
    {"family", "subcase"},
    {"family", "monotonicity"},
    {"family", "label", "answer"},
)
"""Slices that the pages show."""


def main() -> None:
    """Measure every model that is packed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", type=Path, nargs="?")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("runs/results"))
    parser.add_argument("--limit", type=int, help="pairs of each set, for a trial; writes into --work")
    parser.add_argument("--only", choices=NAMES, action="append", help="only this model; may be repeated")
    parser.add_argument("--set", dest="sets", choices=[*SETS], action="append", help="only this set; may be repeated")
    parser.add_argument("--again", action="store_true", help="measure what has not changed too")
    given = parser.parse_args()
    suites = {name: suite_of(name, source, given) for name, source in SETS.items() if name in (given.sets or SETS)}
    for name in given.only or NAMES:
        if (HERE / name).is_dir():
            measure(name, suites, given)


def suite_of(name: str, source: Source, given: argparse.Namespace) -> Suite:
    """The suite of a set, built once."""
    folder: Path = given.work / "suites" / f"{name}-{given.limit or 'whole'}"
    if folder.is_dir():
        return Suite.open(folder)
    print(f"building {name}", flush=True)
    if not source.file:
        (family,) = source.families
        subcases = len({each.subcase for each in logic_family(family).templates})
        return assay.build(family, assay.generated((given.limit or GENERATED) // subcases, family=family), out=folder)
    corpus = assay.read(str(given.data / source.file), limit=given.limit)
    return assay.build(source.families, corpus, switches={"fidelity": source.fidelity}, out=folder)


class Part(NamedTuple):
    """What is known about a model on one set."""

    set: Set
    figures: Sequence[Figure] = ()
    bands: Sequence[Figure] = ()


def measure(name: str, suites: Mapping[str, Suite], given: argparse.Namespace) -> None:
    """Ask a model and its seeds about every set that they were not asked before; each set is stored when it is done."""
    out = (given.work if given.limit else FOLDER) / f"{name}.json"
    files = {path.name: digest(path) for path in sorted((HERE / name).glob("*.onnx"))}
    before = before_of(out, files)
    made = seeds_of(name, given.models, before)
    parts = parts_of(before) if before else {}
    for key, suite in suites.items():
        asked = Set(cases=len(suite), digest=content_digest(suite), source=suite.manifest.source.name)
        part = parts[key] if key in parts and parts[key].set == asked else Part(asked)
        if given.again or not is_complete(key, part.figures):
            print(f"{name}: asking {key}", flush=True)
            (own,) = ask([f"onnx:{HERE / name}"], key, suite, given.work)
            part = part._replace(figures=own)
        if given.models and len(made) > 1 and key not in BUILT and not part.bands:
            seeds = [f"trained:{given.models / name}@{each.seed}" for each in made]
            part = part._replace(bands=bands_of(ask(seeds, key, suite, given.work)))
        parts[key] = part
        ordered = [parts[each] for each in SETS if each in parts]
        measured = Measured(
            files=files,
            sets={each: parts[each].set for each in SETS if each in parts},
            size=sum(path.stat().st_size for path in (HERE / name).rglob("*") if path.is_file()),
            agreement=msgspec.json.decode((HERE / name / AGREEMENT).read_bytes(), type=ExportAgreement),
            seeds=made,
            figures=tuple(figure for each in ordered for figure in each.figures),
            bands=tuple(figure for each in ordered for figure in each.bands),
        )
        write_whole(out, to_json(measured))


def parts_of(measured: Measured) -> dict[str, Part]:
    """What was measured, by set."""
    return {
        key: Part(
            each,
            [figure for figure in measured.figures if figure.set == key],
            [figure for figure in measured.bands if figure.set == key],
        )
        for key, each in measured.sets.items()
    }


def content_digest(suite: Suite) -> str:
    """SHA-256 of texts and labels; of a swapped pair, the label that answers are compared with."""
    hashed = hashlib.sha256()
    for case in suite:
        label = case.label or case.provenance.label
        hashed.update(f"{case.premise}\0{case.hypothesis}\0{label}\n".encode())
    return hashed.hexdigest()


def is_complete(key: str, figures: Sequence[Figure]) -> bool:
    """Whether all figures of a set are there, including the tests of swapped pairs and the answers to built cases."""
    wanted = {"accuracy", *(["holm"] if "swap" in SETS[key].families else []), *(["answers"] if key in BUILT else [])}
    return wanted <= {each.name for each in figures}


def before_of(out: Path, files: Mapping[str, str]) -> Measured | None:
    """What was measured for a model before, if it is still the same model."""
    if not out.is_file():
        return None
    before = msgspec.json.decode(out.read_bytes(), type=Measured)
    return before if before.files == files else None


def seeds_of(name: str, models: Path | None, before: Measured | None) -> tuple[TrainingProvenance, ...]:
    """How each seed was trained: from their folder, as stored before, or the shipped one alone."""
    if models:
        trained = str(models / name)
        seeds = [f"{trained}@{seed}" for seed in Trained(what=trained).seeds()] or [trained]
        return tuple(from_json(Trained(what=seed).folder / MAKING, TrainingProvenance, newest=1) for seed in seeds)
    return before.seeds if before else (from_json(HERE / name / MAKING, TrainingProvenance, newest=1),)


def ask(models: list[str], key: str, suite: Suite, work: Path) -> list[list[Figure]]:
    """Each model's figures on a suite."""
    record = assay.run(suites={key: suite.folder}, models=models, truncate="premise", out=work / "runs")
    shown = [each for each in record.estimates if each.name in KEPT and _is_shown(each)]
    return [[_figure(each) for each in shown if each.slice["model"] == answers.model] for answers in record.models]


def bands_of(of_seeds: Sequence[Sequence[Figure]]) -> list[Figure]:
    """The mean accuracies of the seeds, with the lowest and the highest."""
    accuracies = [[each for each in figures if each.name == "accuracy"] for figures in of_seeds]
    return [_band(figures) for figures in zip(*accuracies, strict=True)]


def _is_shown(estimate: Estimate) -> bool:
    return {*estimate.slice} - {"model", "suite"} in GROUPS


def _figure(estimate: Estimate) -> Figure:
    where = {name: value for name, value in estimate.slice.items() if name not in ("model", "suite")}
    ends = (estimate.value, estimate.low, estimate.high)
    digits = 8 if estimate.name == "holm" else 4  # a p must not be rounded across the level
    value, low, high = (None if end is None else round(end, digits) for end in ends)
    return Figure(
        set=estimate.slice["suite"], name=estimate.name, slice=where, value=value, low=low, high=high, n=estimate.n
    )


def _band(figures: Sequence[Figure]) -> Figure:
    found = band([each.value or 0.0 for each in figures])
    ends = {"value": round(found.mean, 4), "low": found.low, "high": found.high}
    return msgspec.structs.replace(figures[0], **ends)


if __name__ == "__main__":
    main()
