"""What it costs to read a corpus and write it as a suite, as a multiple of a bare loop over its JSON."""

import gzip
import json
import sys
import tempfile
import time
from pathlib import Path

import assay

ROUNDS = 7
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"


def bare(source: Path, out: Path) -> None:
    """Parse every line and write it again: the least that anybody does."""
    with gzip.open(source, "rb") as lines, out.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(json.loads(line)) + "\n")


def ours(source: Path, out: Path) -> None:
    """Read pairs, make original cases with provenance, digest, count, write, and rename."""
    assay.build("original", source, out=out)


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a gzipped file of JSON lines.")
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):  # by turns, so that a busy machine slows both
            for name, work in (("bare", bare), ("ours", ours)):
                start = time.perf_counter()
                work(source, Path(folder) / f"{name}-{number}")
                times[name].append(time.perf_counter() - start)
    best = {name: min(each) for name, each in times.items()}
    print(
        f"{source.name}: bare json loop {best['bare'] * 1000:.0f} ms, read and written as a suite "
        f"{best['ours'] * 1000:.0f} ms: {best['ours'] / best['bare']:.2f} times (at most 3)"
    )


if __name__ == "__main__":
    main()
