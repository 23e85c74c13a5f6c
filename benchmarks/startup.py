"""What `assay --help` costs, as a multiple of a Python that imports argparse."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 20


def seconds(*command: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    assay = str(Path(sys.executable).with_name("assay"))
    ours, theirs = [], []
    for _ in range(ROUNDS):  # by turns, so that a busy machine slows both
        ours.append(seconds(assay, "--help"))
        theirs.append(seconds(sys.executable, "-c", "import argparse"))
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"assay --help: {statistics.median(ours) * 1000:.0f} ms, {ratio:.1f} times `import argparse` (at most 6)")


if __name__ == "__main__":
    main()
