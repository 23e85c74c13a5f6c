"""Audits data sets and our own suites: `python tools/docs/measure_audits.py --data DATA [--work FOLDER] [--only NAME]`.

DATA holds the data sets in the folders that SETS names. Writes docs/results/audits/NAME.json for each, of which
`tools/docs/generate.py` makes docs/results/audits.md. Suites are kept in FOLDER.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from audits import FOLDER
from measure import STRICT

import assay
from assay.audit.audit_result import Audit, FamilyAudit
from assay.core.serialise import to_json
from assay.corpora.reader import CorpusReader
from assay.storage.files import write_whole

LISTED = 10
"""Words of each family that are stored."""


class Source(NamedTuple):
    """A data set, and the training data that it is compared with."""

    file: str
    train: str


SNLI, MNLI, HANS = "SNLI train, a part", "MultiNLI train, a part", "HANS"
TRAIN = {
    SNLI: "snli/train_subset.jsonl.gz",
    MNLI: "mnli/train_subset.jsonl.gz",
    HANS: "hans/heuristics_evaluation_set.txt.gz",
}
"""Training data, by what the page calls them."""
MATCHED = "mnli/dev_matched.jsonl.gz"

SETS = {
    "snli-test": Source("snli/snli_1.0_test.jsonl.gz", SNLI),
    "mnli-matched": Source(MATCHED, MNLI),
    "mnli-mismatched": Source("mnli/dev_mismatched.jsonl.gz", MNLI),
    "hans": Source(TRAIN[HANS], MNLI),
    "breaking-nli": Source("breaking_nli/dataset.jsonl.gz", SNLI),
}
"""Data sets as they are."""

HALVES, STRESS, HEURISTICS = "hans-halves", "stress", "heuristics"


def main() -> None:
    """Audit every set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("runs/audits"))
    parser.add_argument("--only", action="append", choices=[*SETS, HALVES, STRESS, HEURISTICS])
    given = parser.parse_args()
    for name in given.only or [*SETS, HALVES, STRESS, HEURISTICS]:
        print(f"auditing {name}", flush=True)
        found = audited(name, given.data, given.work)
        families = {key: _brief(family) for key, family in found.families.items()}
        write_whole(FOLDER / f"{name}.json", to_json(msgspec.structs.replace(found, families=families)))


def audited(name: str, data: Path, work: Path) -> Audit:
    """The audit of a set."""
    if name in SETS:
        file, train = SETS[name]
        return assay.audit(data / file, train=training(train, data))
    if name == HALVES:
        return assay.audit(_Half("half of HANS", data, 0), train=[_Half("the other half of HANS", data, 1)])
    folder = work / name
    if not folder.is_dir():
        assay.build(STRICT if name == STRESS else HEURISTICS, data / MATCHED if name == STRESS else None, out=folder)
    return assay.audit(folder, train=training(MNLI if name == STRESS else HANS, data))


def training(name: str, data: Path) -> CorpusReader:
    """Training data under a name that says what they are."""
    corpus = assay.read(data / TRAIN[name])
    corpus.name = name
    return corpus


class _Half:
    """Every other pair of HANS."""

    def __init__(self, name: str, data: Path, first: int) -> None:
        self.name = name
        self._data, self._first = data, first

    def __iter__(self) -> Iterator[assay.Pair]:
        for number, pair in enumerate(assay.read(self._data / TRAIN[HANS])):
            if number % 2 == self._first:
                yield pair


def _brief(family: FamilyAudit) -> FamilyAudit:
    return msgspec.structs.replace(family, giveaways=family.giveaways[:LISTED])


if __name__ == "__main__":
    main()
