"""Makes the training files that the plans of studies name: `python tools/study_data.py OUT --snli FILE ...`.

Each FILE is an official download in any form that Assay reads. A corpus gets a random part with the label counts of the
files that the published records were made with, and ids of the same form. Pairs that are also in a file named with
`--without` (a development or test set) are left out. The vectors are compressed as they are.

The pairs themselves differ from ours, because which pairs ours has was not recorded by official id.
"""

import argparse
import gzip
import random
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

import assay

LABELS = {
    "snli": {"entailment": 35_766, "neutral": 32_070, "contradiction": 24_887},
    "mnli": {"entailment": 16_328, "neutral": 20_464, "contradiction": 18_271},
    "scitail": {"entailment": 3_898, "neutral": 5_410},
}
"""Pairs of each label in the files of the published records."""
FILES = {
    "snli": "snli/train_subset.jsonl.gz",
    "mnli": "mnli/train_subset.jsonl.gz",
    "scitail": "scitail/subset.jsonl.gz",
}
PREFIXES = {"snli": "snli-train", "mnli": "mnli-train", "scitail": "scitail-subset"}
VECTORS = "vectors/glove.6B.100d.subset.txt.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    for name in FILES:
        parser.add_argument(f"--{name}", metavar="FILE", help=f"official training pairs, for {FILES[name]}")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help=f"glove.6B.100d.txt, for {VECTORS}")
    parser.add_argument("--without", action="append", default=[], metavar="FILE", help="pairs that must not be in it")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    excluded = {_texts(pair) for file in options.without for pair in assay.read(file)}
    for name in FILES:
        if source := getattr(options, name):
            pairs = draw_pairs(assay.read(source), LABELS[name], excluded, seed=options.seed)
            write_pairs(options.out / FILES[name], pairs, PREFIXES[name])
    if options.vectors:
        target = options.out / VECTORS
        target.parent.mkdir(parents=True, exist_ok=True)
        with options.vectors.open("rb") as source_file, gzip.open(target, "wb") as target_file:
            shutil.copyfileobj(source_file, target_file)


def draw_pairs(
    pairs: Iterable[assay.Pair], counts: Mapping[str, int], excluded: set[tuple[str, str]], *, seed: int
) -> list[assay.Pair]:
    """A random part of these pairs with so many of each label, or all of a label that has fewer."""
    by_label: dict[str, list[assay.Pair]] = {label: [] for label in counts}
    for pair in pairs:
        if pair.label is not None and pair.label in by_label and _texts(pair) not in excluded:
            by_label[pair.label].append(pair)
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    drawn = [pair for label, of in by_label.items() for pair in chance.sample(of, min(counts[label], len(of)))]
    chance.shuffle(drawn)
    return drawn


def write_pairs(path: Path, pairs: Iterable[assay.Pair], prefix: str) -> None:
    """One JSON object per line, compressed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wb") as file:
        for number, pair in enumerate(pairs):
            row = {"id": f"{prefix}-{number}", "premise": pair.premise, "hypothesis": pair.hypothesis}
            file.write(msgspec.json.encode({**row, "label": str(pair.label)}) + b"\n")


def _texts(pair: assay.Pair) -> tuple[str, str]:
    return pair.premise, pair.hypothesis


if __name__ == "__main__":
    main()
