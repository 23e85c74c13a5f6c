"""How long 10^8 and 10^10 pairs would take, from rates that are measured here: time, cost, storage, what breaks first.

`python benchmarks/extrapolate.py [--price P] [--mtbf HOURS]` measures, in processor seconds of one core, what each step
takes per pair or case of the bundled corpus with all families, how much parts differ, and how long a worker needs to
start. Then it simulates many workers, of which some are slow by chance and some die: as shards, each with a fixed
share, and as an engine, where whoever is free takes the next part. The price of a core and how often a machine dies are
not measured: they are options.
"""

import argparse
import heapq
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy

import assay
from assay.core.manifest import Storage
from assay.corpora.in_memory import SeenIds
from assay.run.api import planned_build
from assay.run.build.case_builder import Distinct, WordPairLimit, make_cases
from assay.run.build.suite_builder import build_suite, parts_of
from assay.run.measure import measure_run
from assay.run.run_options import BuildOptions
from assay.run.stored_run import StoredRun, run_folder
from assay.run.workers.pool import BATCH, InlineExecutor, WorkerPool, pair_batches
from assay.run.workers.shard import Shard, build_shard, finished_shards, gather_parts

PAIRS, ASKED = 600, 200
SCALES = {10**8: 1_000, 10**10: 10_000}
"""Pairs, and the workers that they are shared among."""
SAMPLE = 50


class Rates(NamedTuple):
    """What was measured; seconds are of one core."""

    cases: float
    """Cases per pair."""
    build: float
    """Seconds per pair to make its cases."""
    spread: float
    """The standard deviation of parts of 1,000 pairs, as a share of their mean."""
    merge: float
    """Seconds per case to put parts together, in one process."""
    ask: float
    """Seconds per case to ask MiniLM."""
    verify: float
    """Seconds per case to prove its label and check it."""
    measure: float
    """Seconds per case to measure one model, in one process."""
    bytes: dict[Storage, float]
    """Bytes per case, by storage."""
    start: float
    """Seconds for a worker to start."""
    id_bytes: float
    """Bytes in memory per id that must not occur twice."""
    word_bytes: float
    """Bytes in memory per case of a family that limits cases per word pair."""


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(folder: Path) -> Rates:
    given = list(assay.read("bundled", limit=PAIRS))
    with planned_build(BuildOptions(families="all", source=given)) as (_, recipes):
        make_cases(next(iter(pair_batches(given[:SAMPLE], SAMPLE))), tuple(recipes))  # loads the language data
        batches = pair_batches(given, SAMPLE)
        taken = [seconds(partial(make_cases, batch, tuple(recipes))) for batch in batches]
    with planned_build(BuildOptions(families="all", source=given)) as (corpus, recipes):
        build_shard(corpus, recipes, folder / "suite", pool=WorkerPool(InlineExecutor(), 1), shard=Shard(1, 1))
    with planned_build(BuildOptions(families="all", source=given)) as (corpus, recipes):
        pool = gather_parts(finished_shards(folder / "suite.shards"), parts_of(folder / "suite"))
        merge = seconds(lambda: build_suite(corpus, recipes, folder / "suite", pool=pool))
    suite = assay.Suite.open(folder / "suite")
    small = assay.build("original", given[:ASKED], out=folder / "small")
    ask = seconds(lambda: assay.run(suites=[small.folder], models=["assay:minilm"], out=folder / "asked", cache=False))
    record = assay.run(suites=[suite.folder], models=["assay:overlap"], out=folder / "runs", cache=False)
    stored = StoredRun.of(run_folder(record), record)
    sizes = {storage: assay.build("all", given, out=folder / storage, storage=storage) for storage in STORAGES}
    return Rates(
        cases=len(suite) / PAIRS,
        build=sum(taken) / PAIRS,
        spread=statistics.stdev(taken) / statistics.mean(taken) * (SAMPLE / BATCH) ** 0.5,
        merge=merge / len(suite),
        ask=ask / ASKED,
        verify=seconds(lambda: assay.verify(suite.folder)) / len(suite),
        measure=seconds(lambda: measure_run(stored, record.spec)) / len(suite),
        bytes={name: bytes_of(made.cases_file) / len(suite) for name, made in sizes.items()},
        start=started(),
        id_bytes=grown(lambda: [seen_ids(200_000)]) / 200_000,
        word_bytes=grown(lambda: [word_pairs(20_000)]) / 20_000,
    )


STORAGES: tuple[Storage, ...] = ("jsonl", "jsonl.zst", "parts")


def bytes_of(place: Path) -> int:
    return sum(path.stat().st_size for path in place.rglob("*")) if place.is_dir() else place.stat().st_size


def started() -> float:
    """Seconds for a process to import what makes cases, and to load WordNet and the tagger."""
    code = (
        "from assay.run.api import planned_build\nfrom assay.run.run_options import BuildOptions\n"
        "with planned_build(BuildOptions(families='all')): pass"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seen_ids(count: int) -> SeenIds:
    seen = SeenIds()
    for number in range(count):
        seen.add(f"pair {number}")
    return seen


def word_pairs(count: int) -> WordPairLimit:
    found = WordPairLimit()
    for line in range(count):
        found.add(line, Distinct(line, f"{line:032x}", "antonymy", "contradiction", "", f"big {line % 500}/small"))
    return found


def grown(make: Callable[[], object]) -> float:
    tracemalloc.start()
    kept = make()
    found = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return found


class Trouble(NamedTuple):
    """What slows workers down."""

    spread: float
    """The standard deviation of a part, as a share of its mean."""
    mtbf: float
    """Seconds between two deaths of a worker."""
    start: float
    """Seconds to start a worker again."""


def as_shards(parts: int, part: float, workers: int, trouble: Trouble, rng: numpy.random.Generator) -> float:
    """Seconds until the slowest of fixed shares is done; a death costs half a part and a start."""
    own = parts / workers
    times = rng.normal(own * part, trouble.spread * part * own**0.5, workers).clip(min=0)
    deaths = rng.poisson(times / trouble.mtbf)
    return float((times + deaths * (part / 2 + trouble.start)).max())


def as_engine(parts: int, part: float, workers: int, trouble: Trouble, rng: numpy.random.Generator) -> float:
    """Seconds until all parts are done, if whoever is free takes the next one; a dead worker's part is made again."""
    sigma = (numpy.log1p(trouble.spread**2)) ** 0.5
    lengths = rng.lognormal(numpy.log(part) - sigma**2 / 2, sigma, parts)
    dies = rng.random(parts) < part / trouble.mtbf
    free = [0.0] * workers
    for length, died in zip(lengths.tolist(), dies.tolist(), strict=True):
        heapq.heapreplace(free, free[0] + length + (length / 2 + trouble.start if died else 0))
    return max(free)


def said(rates: Rates) -> Iterator[str]:
    yield f"{rates.cases:.1f} cases per pair; in processor seconds of one core:"
    yield f"  making cases      {1 / rates.build:10,.0f} pairs a second; parts of 1,000 differ by {rates.spread:.1%}"
    yield f"  proving labels    {1 / rates.verify:10,.0f} cases a second"
    yield f"  asking MiniLM     {1 / rates.ask:10,.0f} cases a second"
    yield f"  merging           {1 / rates.merge:10,.0f} cases a second, in one process"
    yield f"  measuring a model {1 / rates.measure:10,.0f} cases a second, in one process"
    yield f"  starting a worker {rates.start:10.1f} seconds"
    yield f"bytes per case: {', '.join(f'{name} {size:,.0f}' for name, size in rates.bytes.items())}"
    yield f"memory: {rates.id_bytes:.0f} bytes per id, {rates.word_bytes:.0f} per case of antonymy and lexical"


def extrapolated(rates: Rates, pairs: int, workers: int, price: float, mtbf: float) -> Iterator[str]:
    rng = numpy.random.default_rng(0)
    trouble = Trouble(rates.spread, mtbf * 3600, rates.start)
    cases = pairs * rates.cases
    yield f"\n{pairs:.0e} pairs, {cases:.1e} cases, {workers:,} cores; each worker dies every {mtbf:,.0f} hours:"
    steps = {
        "making cases": rates.build * pairs,
        "proving labels": rates.verify * cases,
        "asking MiniLM": rates.ask * cases,
    }
    for name, total in steps.items():
        parts = pairs // BATCH
        shards = as_shards(parts, total / parts, workers, trouble, rng)
        engine = as_engine(parts, total / parts, workers, trouble, rng) if parts <= 10**6 else None
        yield (
            f"  {name:14} {total / 3600:12,.0f} core hours, {total / workers / 3600:8,.1f} hours at best, "
            f"{shards / 3600:8,.1f} as shards"
            + (f", {engine / 3600:8,.1f} by an engine" if engine else "")
            + f", {total / 3600 * price:12,.0f} at {price} per core hour"
        )
    yield f"  merging        {rates.merge * cases / 3600:12,.0f} hours in one process"
    yield f"  measuring      {rates.measure * cases / 3600:12,.0f} hours in one process, per model"
    yield f"  storage        {', '.join(f'{name} {size * cases / 1e12:,.2f} TB' for name, size in rates.bytes.items())}"
    reading, verifying = rates.id_bytes * pairs / 1e9, rates.id_bytes * (cases + pairs) / 1e9
    yield f"  ids in memory  {reading:,.1f} GB when reading, {verifying:,.1f} GB when verifying"
    clash = 1 - numpy.exp(-(pairs**2) / 2 / 2**64)
    yield f"  two of the pairs' ids have the same 64-bit hash with probability {clash:.2g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--price", type=float, default=0.05, help="of a core for an hour; not measured")
    parser.add_argument("--mtbf", type=float, default=1_000, help="hours between two deaths of a worker; not measured")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rates = measured(Path(folder))
    print("\n".join(said(rates)))
    for pairs, workers in SCALES.items():
        print("\n".join(extrapolated(rates, pairs, workers, asked.price, asked.mtbf)))


if __name__ == "__main__":
    main()
