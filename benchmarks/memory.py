"""The most memory that each verb takes, by the number of synthetic pairs: it should hardly grow.

`python benchmarks/memory.py [PAIRS ...]` inspects, builds, verifies, runs (with a constant model) and reports so many
pairs, by default 10,000, 100,000 and 2 million, each verb in a process of its own with one worker. `run` measures, too.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (10_000, 100_000, 2_000_000)
LABELS = ("entailment", "neutral", "contradiction")
CONSTANT = "def answer(pairs):\n    return ['neutral'] * len(pairs)\n"


def write_corpus(path: Path, pairs: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for i in range(pairs):
            record = {
                "id": f"synthetic-{i}",
                "premise": f"Clerk {i // 3} filed {i % 997} letters in the {i % 13}th drawer before noon.",
                "hypothesis": f"Somebody filed {i % 991} letters.",
                "label": LABELS[i % 3],
            }
            file.write(json.dumps(record) + "\n")


def peak(*command: str, folder: Path) -> tuple[float, float]:
    """Megabytes and seconds that a command took."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, cwd=folder, env={**os.environ, "ASSAY_CACHE": str(folder / "cache")}
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def commands() -> dict[str, tuple[str, ...]]:
    alone = ("--workers", "1", "--quiet")
    model = "python:constant:answer?batch=1000"
    return {
        "data inspect": ("data", "inspect", "corpus.jsonl", "--json"),
        "build": ("build", "original", "--from", "corpus.jsonl", "--out", "suite", *alone),
        "verify suite": ("verify", "suite", *alone),
        "run": ("run", "--suite", "suite", "--model", model, "--out", "runs", *alone),
        "verify run": ("verify", "runs", "--deep", *alone),
        "report": ("report", "runs", "--out", "page.html"),
    }


def main() -> None:
    program = str(Path(sys.executable).with_name("assay"))
    for pairs in [int(each) for each in sys.argv[1:]] or SIZES:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write_corpus(folder / "corpus.jsonl", pairs)
            (folder / "constant.py").write_text(CONSTANT)
            for name, words in commands().items():
                megabytes, seconds = peak(program, *words, folder=folder)
                print(
                    f"{pairs:>9,} pairs, {name:12}: {megabytes:5.0f} MB at most, {seconds:6.1f} s of the processor",
                    flush=True,
                )


if __name__ == "__main__":
    main()
