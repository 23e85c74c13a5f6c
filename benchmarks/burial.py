"""Building burial: time per pair for two, four and eight times as many pairs; it should stay the same.

`python benchmarks/burial.py [CORPUS]` counts processor time, because the suites are large and disks differ.
"""

import sys
import tempfile
import time
from pathlib import Path

import assay

CORPUS = Path(__file__).parents[2] / "shared" / "data" / "snli" / "snli_1.0_dev.jsonl.gz"
SIZES = (500, 1_000, 2_000, 4_000)


def main() -> None:
    source = Path(sys.argv[1]) if sys.argv[1:] else CORPUS
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a file of pairs.")
    with tempfile.TemporaryDirectory() as folder:
        assay.build("burial", assay.read(source, limit=20), out=Path(folder) / "suite")  # loads the lexicon
        for pairs in SIZES:
            start = time.process_time()
            suite = assay.build("burial", assay.read(source, limit=pairs), out=Path(folder) / "suite", overwrite=True)
            taken = time.process_time() - start
            print(f"{pairs:,} pairs, {len(suite):,} cases: {taken:.1f} s, {1000 * taken / pairs:.2f} ms a pair")


if __name__ == "__main__":
    main()
