"""How fast `assay study support` looks at pairs, by both definitions, beside reading the same file alone."""

import sys
import time
from pathlib import Path

import assay
from assay.studies.experiments.heuristic_support import heuristics_in

ROUNDS = 5
FOLDER = Path(__file__).parents[2] / "shared" / "data"
CORPORA = (FOLDER / "mnli" / "train_subset.jsonl.gz", FOLDER / "snli" / "snli_1.0_dev.jsonl.gz")


def main() -> None:
    sources = [Path(each) for each in sys.argv[1:]] or [each for each in CORPORA if each.is_file()]
    if not sources:
        sys.exit("No corpus here; name files of pairs.")
    for source in sources:
        reading, looking = [], []
        for _ in range(ROUNDS):
            start = time.process_time()
            pairs = list(assay.read(source))
            middle = time.process_time()
            for pair in pairs:
                heuristics_in(pair)
            reading.append(len(pairs) / (middle - start))
            looking.append(len(pairs) / (time.process_time() - middle))
        print(f"{source.name}: {max(looking):,.0f} pairs a second of processor time, reading them {max(reading):,.0f}")


if __name__ == "__main__":
    main()
