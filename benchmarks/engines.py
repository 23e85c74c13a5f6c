"""Two Dask workers beside two local processes: building all families, and asking MiniLM; same bytes, same run.

Both are started before the clock runs. A local run asks MiniLM itself, with one thread for each core.

`python benchmarks/engines.py [--pairs N] [--batch N] [--cases N] [--rounds N]` takes turns on a cluster that is running
already, and prints the rates that docs/how-to/scale.md starts from. It reads MultiNLI in ../shared/data, or else the
bundled corpus again and again.
"""

import argparse
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import cycle, islice
from pathlib import Path

import assay
from assay.run.api import planned_build
from assay.run.build.suite_builder import build_suite
from assay.run.run_options import BuildOptions
from assay.run.workers.engines import engine
from assay.run.workers.pool import worker_pool

MNLI = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"
WORKERS = 2

Work = Callable[[Executor, Path], tuple[int, str]]
"""What is raced: it returns the number of cases, and a digest of the result."""


def pairs(count: int) -> list[assay.Pair]:
    """So many pairs with ids of their own."""
    source = assay.read(MNLI) if MNLI.is_file() else assay.read("bundled")
    numbered = enumerate(islice(cycle(list(islice(source, count))), count))
    return [assay.Pair(id=f"p{i}", premise=p.premise, hypothesis=p.hypothesis, label=p.label) for i, p in numbered]


def places(folder: Path) -> Iterator[Path]:
    """Folders that nobody has used."""
    return (folder / str(number) for number in range(10_000))


def build(given: list[assay.Pair], batch: int, executor: Executor, out: Path) -> tuple[int, str]:
    with (
        planned_build(BuildOptions(families="all", source=given)) as (corpus, recipes),
        worker_pool(WORKERS, executor, batch=batch) as pool,
    ):
        suite = build_suite(corpus, recipes, out, pool=pool)
    return len(suite), suite.manifest.file_digest


def ask(suite: Path, executor: Executor, out: Path) -> tuple[int, str]:
    os.environ["ASSAY_CACHE"] = str(out / "cache")  # nothing is known from another round
    record = assay.run(suites=[suite], models=["assay:minilm"], out=out, workers=WORKERS, executor=executor)
    (file,) = record.models[0].files.values()
    return file.n, file.digest


def race(name: str, work: Work, crews: dict[str, Executor], folder: Path, rounds: int) -> None:
    """Print the median of the rounds' ratios: the time of two local processes over that of two Dask workers."""
    free = places(folder / name)
    for executor in crews.values():
        work(executor, next(free))  # workers load what they need, once
    ratios, rates = [], []
    for number in range(rounds):
        taken, digests = {}, set()
        for who in sorted(crews, reverse=bool(number % 2)):
            start = time.perf_counter()
            n, digest = work(crews[who], next(free))
            taken[who] = time.perf_counter() - start
            digests.add(digest)
        if len(digests) != 1:
            raise SystemExit(f"{name}: DIFFERENT BYTES")
        ratios.append(taken["local"] / taken["dask"])
        rates.append(n / taken["local"])
        print(
            f"{name}, round {number + 1}: local {taken['local']:.1f} s, Dask {taken['dask']:.1f} s for {n:,} cases",
            flush=True,
        )
    print(
        f"{name}: two Dask workers reach {statistics.median(ratios):.0%} of two local processes (at least 90%), "
        f"with identical bytes; {statistics.median(rates):,.0f} cases a second locally",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=8_000)
    parser.add_argument("--batch", type=int, default=1_000)
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as place,
        engine("dask", WORKERS) as far,
        ProcessPoolExecutor(WORKERS, mp_context=context) as near,
    ):
        assert far
        folder, crews = Path(place), {"local": near, "dask": far}
        given = pairs(asked.pairs)
        suite = assay.build("original", pairs(asked.cases), out=folder / "suite")
        race(
            "building all families",
            lambda executor, out: build(given, asked.batch, executor, out),
            crews,
            folder,
            asked.rounds,
        )
        race("asking MiniLM", lambda executor, out: ask(suite.folder, executor, out), crews, folder, asked.rounds)


if __name__ == "__main__":
    main()
