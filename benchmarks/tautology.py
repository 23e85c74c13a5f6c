"""What building a tautology family costs, as a multiple of building the original pairs from the same rows.

All are built by turns in one process, in processor time; the ratio is the median of the rounds' ratios.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import assay

ROUNDS = 9
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
                start = time.process_time()
                assay.build(family, source, out=Path(folder) / f"{family}-{number}")
                times[family].append(time.process_time() - start)
    for family in FAMILIES[1:]:
        ratio = statistics.median([mine / plain for mine, plain in zip(times[family], times["original"], strict=True)])
        taken, plain = (1000 * min(times[name]) for name in (family, "original"))
        print(f"{family}: {taken:.0f} ms, the pairs as they are {plain:.0f} ms: {ratio:.2f} times (at most 2)")


if __name__ == "__main__":
    main()
