"""Analyses the shipped models as the papers do: `python tools/docs/analyse.py --data DATA [--work FOLDER]`.

DATA holds the data sets in the folders that SETS and TRAINING name. Writes docs/results/analyses.json, of which
`tools/docs/generate.py` makes docs/results/analyses.md. Suites, runs and trained systems are kept in FOLDER and used
again: give a new FOLDER if models or families have changed. Answers are also kept in the user's cache.

On two idle cores it takes about a quarter of an hour, most of it for MiniLM; `--only NAME` leaves out other models.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from analyses import FILE, Stored

import assay
from assay.core.serialise import to_json
from assay.models.shipped import NAMES
from assay.models.systems.system_card import MAKING
from assay.storage.files import write_whole
from assay.studies.analyses.analysis_result import Analysis
from assay.studies.analyses.antonyms import analyse_antonyms
from assay.studies.analyses.directions import analyse_directions
from assay.studies.analyses.epochs import analyse_epochs
from assay.studies.analyses.error_causes import analyse_errors
from assay.studies.analyses.numbers import analyse_numbers
from assay.studies.analyses.subcases import analyse_subcases
from assay.studies.analyses.swap_training import analyse_swap
from assay.studies.analyses.word_pairs import analyse_frequency, analyse_similarity
from assay.training.train_system import TrainSettings, train_system
from assay.training.training_corpus import TrainSpec


class Source(NamedTuple):
    """A data set, what is built from it, and how much of it is used."""

    file: str
    families: tuple[str, ...] = ("original",)
    fidelity: str = "strict"
    sample: int | None = None
    limit: int | None = None


MATCHED = "mnli/dev_matched.jsonl.gz"
DISTRACTED = ("original", "word-overlap", "negation", "length-mismatch", "spelling:content-word")

SETS = {
    "breaking-nli": Source("breaking_nli/dataset.jsonl.gz"),
    "antonymy": Source(MATCHED, ("antonymy",), "code"),
    "numeracy": Source("aqua_rat/train_subset.json.gz", ("numeracy",), "code", limit=2500),
    "hans": Source("hans/heuristics_evaluation_set.txt.gz", sample=6000),
    "code": Source(MATCHED, DISTRACTED, "code", sample=1500),
    "snli-swap": Source("snli/snli_1.0_test.jsonl.gz", ("original", "swap"), sample=3000),
}

SNLI, SNLI_DEV = "snli/train_subset.jsonl.gz", "snli/snli_1.0_dev.jsonl.gz"
MNLI = "mnli/train_subset.jsonl.gz"
VECTORS = "vectors/glove.6B.100d.subset.txt.gz"

TRAINED = {"cbow": (0, 25, 50, 100), "decomposable-attention": (0,)}
"""Systems that are trained here, with the percentages of swapped pairs."""

PAIRS = 15_000
"""How many pairs they are trained on."""

READERS = tuple(name for name in NAMES if name != "hypothesis-only")
"""Models that see both texts: only these can know antonyms."""


COMPARED = ("decomposable-attention", "minilm")
"""Models whose antonyms are compared. KIM is given WordNet's antonyms, so training does not explain what it knows."""


def main() -> None:
    """Analyse everything."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("runs/analyses"))
    parser.add_argument("--only", choices=NAMES, action="append", help="only this model on MultiNLI; may be repeated")
    given = parser.parse_args()
    found = {}
    for each in analyses(given):
        print(f"{each.name} of {', '.join(each.suites) or 'stored results'}", flush=True)
        found[f"{each.name} {' '.join(each.suites)}".strip()] = rounded(each)
    write_whole(FILE, to_json(Stored(analyses=found)))


def analyses(given: argparse.Namespace) -> Iterator[Analysis]:
    """Every analysis."""
    data: Path = given.data
    code = run("code", given, given.only or NAMES)
    antonymy = run("antonymy", given, READERS)
    breaking = run("breaking-nli", given, NAMES)
    yield analyse_directions(code)
    yield analyse_directions(antonymy)
    yield analyse_antonyms(antonymy, data / MNLI, models=COMPARED)
    yield analyse_numbers(run("numeracy", given, NAMES))
    yield analyse_errors(code)
    yield analyse_similarity(breaking, data / VECTORS)
    yield analyse_frequency(breaking, data / SNLI)
    yield without_templates(analyse_subcases(run("hans", given, NAMES), train=data / MNLI))
    folders = [folder for system in TRAINED for folder in trained(system, given)]
    models = [f"trained:{folder}" for folder in folders if folder.name.startswith("cbow")]
    suites = {name: suite(name, given) for name in ("code", "snli-swap")}
    yield analyse_swap(assay.run(suites=suites, models=models, out=given.work / "swap"))
    yield analyse_epochs(folders, suite("snli-swap", given))


def suite(name: str, given: argparse.Namespace) -> Path:
    """The suite of a set, built once."""
    folder: Path = given.work / "suites" / name
    if not folder.is_dir():
        print(f"building {name}", flush=True)
        source = SETS[name]
        corpus = assay.read(str(given.data / source.file), limit=source.limit, sample=source.sample)
        assay.build(source.families, corpus, switches={"fidelity": source.fidelity}, out=folder)
    return folder


def run(name: str, given: argparse.Namespace, models: tuple[str, ...] | list[str]) -> Path:
    """The run of the shipped models on a set, made once."""
    folder: Path = given.work / "runs" / name
    if not any(folder.glob("*/record.json")):
        print(f"asking about {name}", flush=True)
        asked = [f"assay:{model}" for model in models]
        assay.run(suites={name: suite(name, given)}, models=asked, truncate="premise", out=folder)
    return folder


def trained(system: str, given: argparse.Namespace) -> list[Path]:
    """A system, trained once for each percentage of swapped pairs."""
    found = []
    for percentage in TRAINED[system]:
        folder: Path = given.work / "trained" / f"{system}-{percentage}"
        if not (folder / MAKING).is_file():
            print(f"training {folder.name}", flush=True)
            spec = TrainSpec(
                system=f"{system}/v1",
                switches={"epochs": "3"},
                sources=(assay.read(str(given.data / SNLI)).reading,),
                rates=(1.0,),
                sample=PAIRS,
                dev=assay.read(str(given.data / SNLI_DEV)).reading,
                vectors=str(given.data / VECTORS),
                swap=percentage / 100,
            )
            train_system(spec, folder, TrainSettings(suites=[suite("snli-swap", given)]))
        found.append(folder)
    return found


def without_templates(found: Analysis) -> Analysis:
    """Without the figures of each template, which would fill pages."""
    kept = tuple(each for each in found.estimates if "template" not in each.slice)
    return msgspec.structs.replace(found, estimates=kept)


def rounded(found: Analysis) -> Analysis:
    """With four decimals, and without the names of runs, which say when they were made."""

    def short(value: float | None) -> float | None:
        return None if value is None else round(value, 4)

    estimates = tuple(
        msgspec.structs.replace(each, value=short(each.value), low=short(each.low), high=short(each.high))
        for each in found.estimates
    )
    return msgspec.structs.replace(found, runs=(), estimates=estimates)


if __name__ == "__main__":
    main()
