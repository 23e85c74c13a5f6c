"""What measuring a stored run costs, as a multiple of a pandas group-by for plain accuracy on the same slices.

`python benchmarks/measuring.py [CORPUS] [--limit N]` builds every family of the corpus, asks two baselines, and then
measures. Both sides read the same stored files. Ours also computes intervals by clusters, drops, paired tests and their
corrections. Models without probabilities need no bootstrap; a model that has them shows what bootstraps add.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pandas

import assay
from assay.run.measure import measure_run
from assay.run.stored_run import StoredRun

ROUNDS = 5
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"
PLAIN = ("assay:majority", "assay:overlap")
WITH_PROBABILITIES = ("assay:hypothesis-words",)


class Case(msgspec.Struct):
    """All that plain accuracy needs of a case."""

    label: str
    family: str
    variant: str
    group: dict[str, str]


class Answer(msgspec.Struct):
    """All that it needs of an answer."""

    label: str


def ours(record: assay.RunRecord) -> int:
    """Every figure of a run."""
    assert record.folder is not None
    return len(measure_run(StoredRun.of(record.folder, record), record.spec))


def by_pandas(record: assay.RunRecord) -> int:
    """Accuracy on every slice that a run has an accuracy for."""
    assert record.folder is not None
    suite = assay.Suite.open(record.folder / "suites" / "stress")
    cases = msgspec.json.Decoder(Case).decode_lines(suite.cases_file.read_bytes())
    wanted = {
        frozenset(e.slice) - {"model", "suite"}
        for e in record.estimates
        if e.name == "accuracy" and "family" in e.slice
    }
    columns: dict[str, Any] = {name: [getattr(case, name) for case in cases] for name in ("family", "variant", "label")}
    for name in {name for names in wanted for name in names} - columns.keys():
        columns[name] = [case.group.get(name.removeprefix("group:")) for case in cases]
    frame = pandas.DataFrame({name: pandas.Categorical(values) for name, values in columns.items()})
    found = 0
    for model in record.models:
        answers = msgspec.json.Decoder(Answer).decode_lines((record.folder / model.files["stress"].file).read_bytes())
        frame["right"] = [answer.label == case.label for answer, case in zip(answers, cases, strict=True)]
        for names in wanted:
            found += len(frame.groupby(sorted(names), observed=True)["right"].agg(["mean", "size"]))
    return found


def cost(work: Callable[[assay.RunRecord], int], record: assay.RunRecord) -> float:
    """Seconds of the processor, the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work(record)
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default=CORPUS, type=Path)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    if not given.corpus.is_file():
        raise SystemExit(f"No corpus at {given.corpus}; name a file of pairs.")
    with tempfile.TemporaryDirectory() as folder:
        corpus = assay.read(given.corpus, limit=given.limit)
        plain, full = (
            assay.run(corpus, families="all", models=models, out=folder, workers=2)
            for models in (PLAIN, WITH_PROBABILITIES)
        )
        cases = sum(manifest.cases for manifest in plain.suites.values())
        mine, theirs = cost(ours, plain), cost(by_pandas, plain)
        one, resampled = mine / len(PLAIN), cost(ours, full)
        print(f"{cases:,} cases, {len(PLAIN)} models without probabilities: {ours(plain):,} figures")
        print(f"ours {mine:.2f} s, pandas with plain accuracy {theirs:.2f} s: {mine / theirs:.2f} times (at most 3)")
        print(f"rate: {cases * len(PLAIN) / mine:,.0f} judgements a second")
        print(f"one model with probabilities, bootstraps included: {resampled:.2f} s, without about {one:.2f} s")


if __name__ == "__main__":
    main()
