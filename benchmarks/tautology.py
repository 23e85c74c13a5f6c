"""What building a tautology family costs, as a multiple of building the original pairs from the same rows."""

import sys
import tempfile
import time
from pathlib import Path

import assay

ROUNDS = 15
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"
FAMILIES = ("original", "word-overlap", "negation", "length-mismatch")


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a file of pairs.")
    times: dict[str, list[float]] = {family: [] for family in FAMILIES}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):  # by turns, so that a busy machine slows all
            for family in FAMILIES:
                start = time.perf_counter()
                assay.build(family, source, out=Path(folder) / f"{family}-{number}")
                times[family].append(time.perf_counter() - start)
    best = {family: min(each) for family, each in times.items()}
    for family in FAMILIES[1:]:
        print(
            f"{family}: {best[family] * 1000:.0f} ms, the pairs as they are {best['original'] * 1000:.0f} ms: "
            f"{best[family] / best['original']:.2f} times (at most 2)"
        )


if __name__ == "__main__":
    main()
