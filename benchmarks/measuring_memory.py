"""The most memory that measuring takes, by the number of cases: it should hardly grow.

`python benchmarks/measuring_memory.py [CASES ...]` writes suites of so many cases, answers of two models (one of them
with probabilities, which need bootstraps), and measures each suite in a process of its own.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

import assay
from assay.core.label import THREE_WAY
from assay.core.run_record import AnswerFileEntry, ModelAnswers
from assay.run.measure import measure
from assay.run.stored_run import StoredRun
from assay.storage.suite import Suite

SIZES = (10_000, 100_000, 500_000, 1_000_000)
FAMILIES = ("original", "word-overlap", "negation", "length-mismatch", "swap")


def pattern(folder: Path) -> Suite:
    """A small suite, whose cases are repeated under other names."""
    pairs = [
        assay.Pair(
            id=f"pair-{number}",
            premise=f"Clerk {number} filed {number + 2} letters in a drawer before noon.",
            hypothesis=f"Somebody filed {number + 2} letters.",
            label=label,
            group={"genre": f"genre {number % 10}"},
        )
        for number, label in enumerate(THREE_WAY * 40)
    ]
    return assay.build(FAMILIES, pairs, out=folder)


def cases(small: Suite, count: int) -> Iterator[dict[str, object]]:
    """So many cases, each source pair with an id of its own."""
    lines = [json.loads(line) for line in small.lines()]
    for number in range(count):
        turn, place = divmod(number, len(lines))
        one = lines[place]
        yield {**one, "id": f"{one['id']}-{turn}", "origin": f"{one['origin']}-{turn}"}


def write(path: Path, rows: Iterator[dict[str, object]]) -> str:
    """The digest of rows that were written as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    hashed = hashlib.sha256()
    with path.open("wb") as file:
        for row in rows:
            line = msgspec.json.encode(row) + b"\n"
            hashed.update(line)
            file.write(line)
    return hashed.hexdigest()


def answers(small: Suite, count: int, *, probable: bool) -> Iterator[dict[str, object]]:
    """Answers that are right two times in three."""
    shares = {"probabilities": dict(zip(THREE_WAY, (0.5, 0.3, 0.2), strict=True))} if probable else {}
    for number, case in enumerate(cases(small, count)):
        yield {"id": case["id"], "label": case["label"] if number % 3 else THREE_WAY[number % 2], **shares}


def stored(folder: Path, small: Suite, count: int) -> StoredRun:
    """A run with so many cases."""
    manifest = msgspec.structs.replace(small.manifest, cases=count, storage="jsonl")
    suite = Suite(folder / "suites" / "stress", manifest)
    write(suite.cases_file, cases(small, count))
    models = []
    for name, probable in (("plain", False), ("probable", True)):
        file = f"predictions/{name}/stress.jsonl"
        digest = write(folder / file, answers(small, count, probable=probable))
        models.append(ModelAnswers(model=name, files={"stress": AnswerFileEntry(file=file, digest=digest, n=count)}))
    return StoredRun(folder, {"stress": suite}, models)


def peak(run: StoredRun) -> tuple[float, float]:
    """Megabytes and processor seconds that measuring takes in a process of its own."""
    child = os.fork()
    if not child:
        measure(run, "stress")
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit("measuring failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as folder:
        small = pattern(Path(folder) / "small")
        for count in sizes:
            run = stored(Path(folder) / str(count), small, count)
            megabytes, seconds = peak(run)
            print(f"{count:>9,} cases: {megabytes:6.1f} MB, {seconds:5.1f} s of the processor", flush=True)


if __name__ == "__main__":
    main()
