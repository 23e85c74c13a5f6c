"""What a study costs, as a multiple of its trainings and runs by hand, and how it uses two cores best.

`python benchmarks/studies.py [--data DATA] [--sample N] [--system NAME] [--part cost|cores]` runs one plan of four
trainings (two conditions, two seeds). By hand, the same is one `assay train` and one `assay run` per condition. Both
are measured in processor time, one thread each, so that other work on the machine hardly matters (cost).
Then four trainings run two at a time with one thread each, and one at a time with two threads: that is measured by the
clock, and needs two idle cores (cores).
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

DATA = Path(__file__).parents[2] / "shared" / "data"
ASSAY = (sys.executable, "-m", "assay")
TRAIN, DEV, VECTORS = "mnli/train_subset.jsonl.gz", "mnli/dev_matched.jsonl.gz", "vectors/glove.6B.100d.subset.txt.gz"
CONDITIONS = {"as it is": 0, "swapped": 50}
SEEDS = (0, 1)
FAMILIES = ("original", "negation")


def call(*words: object, where: Path) -> None:
    """Run a command of Assay with an empty cache of answers."""
    done = subprocess.run(
        [*ASSAY, *map(str, words), "--quiet"],
        cwd=where,
        env=os.environ | {"XDG_CACHE_HOME": str(where / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")


def processor_seconds() -> float:
    """What all finished children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def plan(args: argparse.Namespace) -> dict[str, object]:
    """The plan of the study."""
    return {
        "title": "What a study costs",
        "data": str(args.data.resolve()),
        "corpora": {"train": {"file": TRAIN}, "dev": {"file": DEV}},
        "vectors": VECTORS,
        "train": {"from": "train", "dev": "dev", "sample": args.sample},
        "systems": [args.system],
        "conditions": {name: {"swap": share} for name, share in CONDITIONS.items()},
        "seeds": list(SEEDS),
        "suites": {"dev": {"from": "dev", "families": list(FAMILIES), "sample": 1000}},
        "tables": [{"title": "Accuracy"}],
    }


def by_study(folder: Path, args: argparse.Namespace, *, workers: int) -> None:
    """The plan, by the command."""
    folder.mkdir()
    (folder / "plan.yaml").write_text(yaml.safe_dump(plan(args)), encoding="utf-8")
    call("study", "run", "plan.yaml", "--workers", workers, where=folder)


def by_hand(folder: Path, args: argparse.Namespace, *, threads: int) -> None:
    """The same trainings and runs, one command after another."""
    folder.mkdir()
    data = args.data.resolve()
    call("build", *FAMILIES, "--from", data / DEV, "--sample", 1000, "--out", "suite", "--workers", 1, where=folder)
    seeds = [word for seed in SEEDS for word in ("--seed", seed)]
    for name, share in CONDITIONS.items():
        trained = name.replace(" ", "-")
        call(
            *("train", args.system, "--from", data / TRAIN, "--sample", args.sample, "--dev", data / DEV),
            *("--vectors", data / VECTORS, "--swap", share, *seeds, "--threads", threads, "--out", trained),
            where=folder,
        )
        call("run", "--suite", "suite", "--model", f"trained:{trained}", "--workers", threads, where=folder)


def cost(folder: Path, args: argparse.Namespace) -> None:
    """A study and the same work by hand, in processor time."""
    start = processor_seconds()
    by_hand(folder / "hand", args, threads=1)
    hand = processor_seconds() - start
    by_study(folder / "one", args, workers=1)
    study = processor_seconds() - start - hand
    print(f"by hand {hand:.0f} processor seconds, as a study {study:.0f}: {study / hand:.3f} times")


def cores(folder: Path, args: argparse.Namespace) -> None:
    """Two cores for two cells, or for two threads of one, by the clock."""
    clock = time.perf_counter()
    by_study(folder / "cells", args, workers=2)
    cells = time.perf_counter() - clock
    by_hand(folder / "threads", args, threads=2)
    threads = time.perf_counter() - clock - cells
    print(f"two cells at a time {cells:.0f} s by the clock, two threads {threads:.0f} s: {threads / cells:.2f} times")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sample", type=int, default=10_000)
    parser.add_argument("--system", default="decomposable-attention")
    parser.add_argument("--part", choices=PARTS, help="One of the two only.")
    args = parser.parse_args()
    print(f"{args.system}, {args.sample:,} pairs, {len(CONDITIONS) * len(SEEDS)} cells")
    for name, part in PARTS.items():
        with tempfile.TemporaryDirectory() as folder:
            if args.part in (None, name):
                part(Path(folder), args)


PARTS = {"cost": cost, "cores": cores}


if __name__ == "__main__":
    main()
