"""Measures the shipped models on whole data sets: `python tools/docs/measure.py MODELS --data DATA [--work FOLDER]`.

MODELS is the folder that `tools/ship.py` packed from: with the seeds of each model, for bands. DATA holds the data sets
in the folders that SETS names. Writes docs/results/NAME.json for each model, of which
`tools/docs/generate.py` makes pages.
Suites and answers are kept in FOLDER and in the user's cache, so that a measurement that was stopped goes on.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from results import FOLDER, Figure, Measured, Set

import assay
from assay.bench.export.model import AGREEMENT, Agreement
from assay.bench.spec import FAMILIES
from assay.bench.training.train import MAKING, Made
from assay.core.files import digest, from_json, to_json, write_whole
from assay.core.results.estimate import Estimate
from assay.core.suite import Suite
from assay.evaluate.band import band
from assay.models.adapters.trained import Trained
from assay.models.shipped import HERE, NAMES


class Source(NamedTuple):
    """A data set, and what is built from it."""

    file: str
    families: tuple[str, ...] = ("original",)


SETS = {
    "snli-test": Source("snli/snli_1.0_test.jsonl.gz", ("original", "swap")),
    "snli-hard": Source("snli/test_hard.jsonl.gz"),
    "mnli-matched": Source("mnli/dev_matched.jsonl.gz"),
    "mnli-mismatched": Source("mnli/dev_mismatched.jsonl.gz"),
    "hans": Source("hans/heuristics_evaluation_set.txt.gz"),
    "breaking-nli": Source("breaking_nli/dataset.jsonl.gz"),
    "stress": Source("mnli/dev_matched.jsonl.gz", ("original", *(f for f in FAMILIES if f != "heuristics"))),
}

KEPT = ("accuracy", "kept", "source", "drop", "holm")
"""Measures that the pages show."""

GROUPS = ({"family"}, {"family", "label"}, {"family", "heuristic", "label"}, {"family", "category"})
"""Slices that the pages show."""


def main() -> None:
    """Measure every model that is packed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("runs/results"))
    parser.add_argument("--limit", type=int, help="pairs of each set, for a trial; writes into --work")
    given = parser.parse_args()
    suites = {name: suite_of(name, source, given) for name, source in SETS.items()}
    for name in NAMES:
        if (HERE / name).is_dir():
            measure(name, suites, given)


def suite_of(name: str, source: Source, given: argparse.Namespace) -> Suite:
    """The suite of a set, built once."""
    folder: Path = given.work / "suites" / f"{name}-{given.limit or 'whole'}"
    if folder.is_dir():
        return Suite.open(folder)
    print(f"building {name}", flush=True)
    return assay.build(source.families, assay.read(str(given.data / source.file), limit=given.limit), out=folder)


def measure(name: str, suites: dict[str, Suite], given: argparse.Namespace) -> None:
    """Ask a model and its seeds, unless the very same was done before."""
    trained = str(given.models / name)
    seeds = [f"{trained}@{seed}" for seed in Trained(what=trained).seeds()] or [trained]
    made = [from_json(Trained(what=seed).folder / MAKING, Made, newest=1) for seed in seeds]
    out = (given.work if given.limit else FOLDER) / f"{name}.json"
    sets = {
        key: Set(cases=len(suite), digest=suite.manifest.digest, source=suite.manifest.source.name)
        for key, suite in suites.items()
    }
    files = {path.name: digest(path) for path in sorted((HERE / name).glob("*.onnx"))}
    if out.is_file():
        before = msgspec.json.decode(out.read_bytes(), type=Measured)
        if (before.files, before.sets, len(before.seeds)) == (files, sets, len(made)):
            print(f"{name}: measured before")
            return
    print(f"{name}: asking", flush=True)
    (found,) = ask([f"onnx:{HERE / name}"], suites, given.work)
    plain = {key: suite for key, suite in suites.items() if key != "stress"}
    of_seeds = ask([f"trained:{seed}" for seed in seeds], plain, given.work) if len(seeds) > 1 else []
    accuracies = [[each for each in figures if each.name == "accuracy"] for figures in of_seeds]
    measured = Measured(
        files=files,
        sets=sets,
        size=sum(path.stat().st_size for path in (HERE / name).rglob("*") if path.is_file()),
        agreement=msgspec.json.decode((HERE / name / AGREEMENT).read_bytes(), type=Agreement),
        seeds=tuple(made),
        figures=tuple(found),
        bands=tuple(_band(figures) for figures in zip(*accuracies, strict=True)),
    )
    write_whole(out, to_json(measured))


def ask(models: list[str], suites: dict[str, Suite], work: Path) -> list[list[Figure]]:
    """Each model's figures on suites."""
    folders = {name: suite.folder for name, suite in suites.items()}
    record = assay.run(suites=folders, models=models, truncate="premise", out=work / "runs")
    shown = [each for each in record.estimates if each.name in KEPT and _is_shown(each)]
    return [[_figure(each) for each in shown if each.slice["model"] == answers.model] for answers in record.models]


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
    """The mean of the seeds, with the lowest and the highest."""
    found = band([each.value or 0.0 for each in figures])
    ends = {"value": round(found.mean, 4), "low": found.low, "high": found.high}
    return msgspec.structs.replace(figures[0], **ends)


if __name__ == "__main__":
    main()
