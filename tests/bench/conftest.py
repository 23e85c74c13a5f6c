"""Corpora to run on, and stages that watch or stop the work."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path

import msgspec
import pytest
from tests.conftest import ROOT

import assay
from assay.bench.api import Pairs
from assay.bench.build.recipes import recipes_for
from assay.bench.build.suite import build_suite
from assay.bench.shards import workers as crew_of
from assay.bench.stages import Progress, Stage, quiet
from assay.bench.stored import open_run
from assay.core.files import digest, to_json
from assay.core.pair import Pair
from assay.core.run import RunRecord
from assay.core.suite import Storage, Suite
from assay.corpora.reading import corpus_of

LABELS = ("entailment", "neutral", "contradiction")

WriteCorpus = Callable[..., Path]

BENCH = ("assay:majority", "assay:hypothesis-words", "assay:overlap")

MakeRun = Callable[..., Path]


@pytest.fixture
def write_corpus(tmp_path: Path) -> WriteCorpus:
    """Write so many synthetic pairs, three to a premise; every seventh hypothesis has no word for a clause to join."""

    def write(pairs: int = 250, *, name: str = "corpus.jsonl", word: str = "letters") -> Path:
        path = tmp_path / name
        with path.open("w", encoding="utf-8") as file:
            for i in range(pairs):
                record = {
                    "id": f"s-{i}",
                    "genre": ("news", "talk")[i % 2],
                    "premise": f"Clerk {i // 3} filed {i % 97} {word} « à midi ».",
                    "hypothesis": f"{i}" if i % 7 == 3 else f"Somebody filed {i % 91} {word}.",
                    "label": LABELS[i % 3],
                }
                file.write(json.dumps(record, ensure_ascii=i % 2 == 0) + "\n")
        return path

    return write


def build(
    families: Sequence[str],
    source: Pairs,
    *,
    out: Path,
    batch: int,
    workers: int = 1,
    executor: Executor | None = None,
    seed: int = 0,
    storage: Storage = "jsonl",
    stage: Stage = quiet,
) -> Suite:
    """`assay.build`, in batches of so many pairs."""
    recipes = recipes_for(families, seed=seed)
    with crew_of(workers, executor, batch=batch) as crew:
        return build_suite(corpus_of(source), recipes, out, crew=crew, storage=storage, stage=stage)


def watching(look: Callable[[], None], *, at: str = "") -> Stage:
    """A stage that calls `look` whenever something was finished in a stage whose name begins so."""

    def stage(name: str, _total: int | None) -> Progress:
        return lambda _: look() if name.startswith(at) else None

    return stage


def stopping(*, after: int, at: str = "") -> Stage:
    """A stage that interrupts the work after so many finished parts."""
    done = 0

    def look() -> None:
        nonlocal done
        done += 1
        if done >= after:
            raise KeyboardInterrupt

    return watching(look, at=at)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones too."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def times(parts: Path) -> dict[str, int]:
    """When each finished part was made."""
    return {path.name: path.stat().st_mtime_ns for path in parts.glob("*.part")}


linux_only = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes in /proc")


def killed(work: Callable[..., object], corpus: Path, out: Path, *, at: str = "") -> None:
    """Begin some work with two workers, kill it the hard way after three parts, and wait until its workers are gone."""
    begun = out.with_name("begun")
    code = (
        "from pathlib import Path\n"
        "from tests.bench.conftest import waiting\n"
        f"from {work.__module__} import {work.__name__} as work\n"
        f"stage = waiting(Path({str(begun)!r}), at={at!r})\n"
        f"work(Path({str(corpus)!r}), out=Path({str(out)!r}), workers=2, stage=stage)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    until(lambda: process.poll() is not None or begun.exists())
    assert process.poll() is None, "it ended before it could be killed"
    team = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.wait()
    assert team
    until(lambda: not any(Path(f"/proc/{each}").exists() for each in team))


def waiting(begun: Path, *, at: str) -> Stage:
    """A stage that makes a file when three parts are finished, and waits there to be killed."""
    done = 0

    def look() -> None:
        nonlocal done
        done += 1
        if done == 3:
            begun.touch()
            time.sleep(3600)

    return watching(look, at=at)


def until(true: Callable[[], bool]) -> None:
    """Wait for something, and fail if it does not come."""
    end = time.monotonic() + 600
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three models, made once."""
    folder = tmp_path_factory.mktemp("runs")
    record = assay.run(assay.read("bundled", limit=90), families=["negation"], models=BENCH, out=folder)
    return folder / record.id


@pytest.fixture
def run(made: Path, tmp_path: Path) -> MakeRun:
    """Copies of that run, their models renamed."""

    def copy(name: str = "copy", **models: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(made, folder)
        if models:
            rename(folder, {f"assay:{old.replace('_', '-')}/v1": new for old, new in models.items()})
        return folder

    return copy


def rename(folder: Path, names: Mapping[str, str]) -> None:
    """Give a run's models other names, and leave out those that get none."""
    record = open_run(folder)
    replace = msgspec.structs.replace
    models = tuple(replace(each, model=names[each.model]) for each in record.models if each.model in names)
    estimates = tuple(
        replace(e, slice={**e.slice, "model": names[e.slice["model"]]})
        for e in record.estimates
        if e.slice["model"] in names
    )
    store(folder, replace(record, models=models, estimates=estimates))


def store(folder: Path, record: RunRecord) -> None:
    """Store a record that a test made up, with the digests of the answers as they lie there, and a seal that fits."""
    replace = msgspec.structs.replace
    models = tuple(
        replace(
            each,
            files={name: replace(file, digest=digest(folder / file.file)) for name, file in each.files.items()},
        )
        for each in record.models
    )
    (folder / "record.json").write_bytes(to_json(replace(record, models=models).sealed()))


def read_again(path: Path) -> list[Pair]:
    """The pairs in a file that was exported."""
    return list(assay.read(path))
