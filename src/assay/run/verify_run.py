"""Checking a stored run: whether it is complete, and its answers give its numbers."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy

from assay.core.errors import BadInputError
from assay.core.estimate import Estimate
from assay.core.manifest import Manifest
from assay.core.run_record import AnswerFileEntry, RunRecord
from assay.run.diagnose_run import diagnose_run
from assay.run.measure import judge_run, measure_run
from assay.run.stored_run import RECORD, StoredRun, count_answers, open_run
from assay.run.verify_suite import MOST_NAMED, Verified, examine
from assay.run.workers.pool import INLINE, WorkerPool
from assay.storage.files import digest
from assay.storage.suite import Suite
from assay.version import __version__

CLOSE = 1e-9
"""Tolerance between a metric and the stored one: other versions of libraries may sum in a different order."""

Place = tuple[str, tuple[tuple[str, str], ...]]
"""The name of a number, and its slice."""


class VerifiedRun(NamedTuple):
    """The result of checking a whole run."""

    damages: list[str]
    suites: dict[str, Verified]
    files: int = 0
    """Files of answers that were checked."""
    answers: int = 0
    figures: int | None = None
    """Figures that were computed again from the answers; None if they were not."""


def is_run(folder: str | Path) -> bool:
    """True if this is the folder of a run, even if its record is lost."""
    return (Path(folder) / RECORD).is_file() or (Path(folder) / "suites").is_dir()


def examine_run(folder: str | Path, *, deep: bool = False, pool: WorkerPool = INLINE) -> VerifiedRun:
    """Look for damage in the record, the suites and the answers; if deep, compute every number again from the answers.

    A damaged record says nothing about the rest, so the rest is only checked if the seal matches, and numbers only if
    suites and answers are those that were measured.
    """
    folder = Path(folder)
    try:
        record = open_run(folder)
    except BadInputError as error:
        return VerifiedRun([str(error)], {})
    suites = {name: _suite(folder / "suites" / name, manifest, pool) for name, manifest in record.suites.items()}
    files = [file for model in record.models for file in model.files.values()]
    damages = [damage for suite in suites.values() for damage in suite.damages]
    damages += [damage for file in files for damage in _answers(folder / file.file, file)]
    figures = None
    if deep and not damages:
        damages = _named(_figures(folder, record))
        figures = len(record.estimates)
    return VerifiedRun(damages, suites, len(files), sum(file.n for file in files), figures)


def _suite(folder: Path, said: Manifest, pool: WorkerPool) -> Verified:
    """Check a suite by itself, and whether it is the one that the run used."""
    found = examine(folder, pool=pool)
    if not found.damages and Suite.open(folder).manifest != said:
        found.damages.append(f"{folder / 'manifest.json'}: it differs from the one in the run's record")
    return found


def _answers(path: Path, said: AnswerFileEntry) -> Iterator[str]:
    if not path.is_file():
        yield f"{path}: the answers are missing"
        return
    if digest(path) == said.digest:
        return
    yield f"{path}: the file was changed since the run (SHA-256 differs from the record's)"
    try:
        there = count_answers(path)
    except BadInputError as error:
        yield str(error)
        return
    if there != said.n:
        yield f"{path}: {there:,} answers, but the record says {said.n:,}"


def _figures(folder: Path, record: RunRecord) -> Iterator[str]:
    """Every number of the record that the answers do not give, and every number that they give but the record lacks."""
    where = folder / RECORD
    try:
        measured = measure_run(StoredRun.of(folder, record), record.spec)
    except BadInputError as error:
        yield f"{where}: its numbers can't be computed again: {error}"
        return
    stored, anew = ({_place(each): each for each in some} for some in (record.estimates, measured.estimates))
    if len(stored) != len(record.estimates):
        yield f"{where}: it holds {len(record.estimates) - len(stored):,} numbers more than once"
    differ = [place for place in {**stored, **anew} if not _same(stored.get(place), anew.get(place))]
    for place in differ:
        yield f"{where}: {_title(place)} is {_shown(stored.get(place))}, but its answers give {_shown(anew.get(place))}"
    if not differ and judge_run(record.estimates, record.suites, record.spec) != record.judgement:
        yield f"{where}: its verdicts do not match its numbers"
    if not differ and not _alike(msgspec.to_builtins(record.support), msgspec.to_builtins(measured.curves)):
        yield f"{where}: its threshold curves do not match its answers"
    if record.diagnosis and not differ:
        computed = diagnose_run(StoredRun.of(folder, record), record.spec)
        if not _alike(msgspec.to_builtins(record.diagnosis), msgspec.to_builtins(computed)):
            yield f"{where}: its diagnosis does not match its answers"
    before = {name: record.versions.get(name, "") for name in ("assay", "numpy")}
    if differ and before != (now := {"assay": __version__, "numpy": numpy.__version__}):
        yield (
            f"{where}: it was measured with other versions, which may explain differences: "
            + ", ".join(f"{name} {before[name]} then and {now[name]} now" for name in now)
        )


def _alike(one: Any, other: Any) -> bool:
    """True if plain data is the same, except for the last digits of numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(one == other)


def _named(damages: Iterator[str]) -> list[str]:
    """The first few, and how many more there are."""
    found = list(damages)
    return found if len(found) <= MOST_NAMED else [*found[:MOST_NAMED], f"... and {len(found) - MOST_NAMED} more"]


def _place(estimate: Estimate) -> Place:
    return estimate.name, tuple(sorted(estimate.slice.items()))


def _same(one: Estimate | None, other: Estimate | None) -> bool:
    if one is None or other is None or one.n != other.n:
        return False
    pairs = ((one.value, other.value), (one.low, other.low), (one.high, other.high))
    return all(a == b if a is None or b is None else math.isclose(a, b, abs_tol=CLOSE) for a, b in pairs)


def _title(place: Place) -> str:
    name, of = place
    return f"{name} of {', '.join(value for _, value in of)}"


def _shown(estimate: Estimate | None) -> str:
    if estimate is None:
        return "missing"
    interval = f" ({estimate.low} to {estimate.high})" if estimate.low is not None else ""
    return f"{estimate.value}{interval} over {estimate.n:,}"
