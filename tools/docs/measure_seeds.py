"""Trains small systems with several seeds and measures them: `python tools/docs/measure_seeds.py --data DATA`.

The shipped models are one of each system, and the seeds that were trained with them were not asked about stress tests.
So `assay show --table prediction` has little to compare. Here quick systems are trained on a sample of the same data,
with several seeds each. They are asked about the same targets, and about stress tests of a sample of the same pairs.
Writes docs/results/seeds.json, with which `tools/docs/generate.py` makes a part of docs/results/analyses.md. Suites,
systems and runs are kept in `--work`, so that stopped work continues. On one idle core it takes about a quarter
of an hour.
"""

import argparse
from pathlib import Path

from measure import SETS, ask
from measured import PREDICTED, SEEDS, STRESS, Figure, SeededModel, SeededModels

import assay
from assay.core.serialise import from_json, to_json
from assay.models.systems.system_card import MAKING
from assay.storage.files import write_whole
from assay.storage.suite import Suite
from assay.training.train_system import TrainingProvenance, TrainSettings, train_system
from assay.training.training_corpus import TrainSpec

SYSTEMS = ("cbow", "hypothesis-only", "decomposable-attention", "bilstm", "infersent")
NUMBERS = (1, 2, 3)
TRAIN = ("snli/train_subset.jsonl.gz", "mnli/train_subset.jsonl.gz")
DEV = "snli/snli_1.0_dev.jsonl.gz"
VECTORS = "vectors/glove.6B.100d.subset.txt.gz"

PAIRS, DEV_PAIRS = 4_000, 2_000
"""How many pairs of each training corpus and of the development pairs are used."""
EPOCHS = "3"

SAMPLED = {STRESS: 1_000}
"""From how many pairs suites are built; the others are whole."""


def main() -> None:
    """Train and ask every system."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("runs/seeds"))
    given = parser.parse_args()
    suites = {name: suite_of(name, given) for name in (STRESS, *PREDICTED)}
    found: list[SeededModel] = []
    for system in SYSTEMS:
        folder = given.work / "trained" / system
        made = trained(system, folder, given.data)
        print(f"asking {system}", flush=True)
        models = [f"trained:{folder}@{each.seed}" for each in made]
        asked = [ask(models, name, suite, given.work) for name, suite in suites.items()]
        for each, *by_suite in zip(made, *asked, strict=True):
            figures = tuple(figure for own in by_suite for figure in own if is_plain(figure))
            found.append(SeededModel(system=system, seed=each.seed, dev=round(each.accuracy, 4), figures=figures))
        kept = SeededModels(pairs=made[0].data.pairs, epochs=int(EPOCHS), sampled=SAMPLED[STRESS], models=tuple(found))
        write_whole(SEEDS, to_json(kept))


def suite_of(name: str, given: argparse.Namespace) -> Suite:
    """A suite, built once."""
    folder: Path = given.work / "suites" / name
    if folder.is_dir():
        return Suite.open(folder)
    source = SETS[name]
    corpus = assay.read(str(given.data / source.file), sample=SAMPLED.get(name))
    return assay.build(source.families, corpus, out=folder)


def is_plain(figure: Figure) -> bool:
    """Whether a figure is the accuracy of a whole family."""
    return figure.name == "accuracy" and {*figure.slice} == {"family"}


def trained(system: str, folder: Path, data: Path) -> list[TrainingProvenance]:
    """A system, trained once with each seed."""
    folders = [folder / f"seed-{seed}" for seed in NUMBERS]
    if all((each / MAKING).is_file() for each in folders):
        return [from_json(each / MAKING, TrainingProvenance, newest=1) for each in folders]
    print(f"training {system}", flush=True)
    spec = TrainSpec(
        system=f"{system}/v1",
        switches={"epochs": EPOCHS},
        sources=tuple(assay.read(str(data / each)).reading for each in TRAIN),
        rates=(1.0, 1.0),
        sample=PAIRS,
        dev=assay.read(str(data / DEV), limit=DEV_PAIRS).reading,
        vectors=str(data / VECTORS),
    )
    return train_system(spec, folder, TrainSettings(threads=1), seeds=NUMBERS)


if __name__ == "__main__":
    main()
