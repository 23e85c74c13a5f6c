"""Checking a suite or a stored run: whether it is complete and unchanged, its labels hold, and its numbers follow."""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy

from assay.core.case import ORIGINAL, Case
from assay.core.errors import BadInputError, CheckFailedError, UserError
from assay.core.estimate import Estimate
from assay.core.manifest import Manifest
from assay.core.run_record import AnswerFileEntry, RunRecord
from assay.corpora.in_memory import SeenIds
from assay.run.build.case_builder import check_of, step_names, unproven
from assay.run.build.recipes import prepare
from assay.run.diagnose_run import diagnose_run
from assay.run.find_shortcuts import add_findings
from assay.run.measure import judge_run, measure_run
from assay.run.stored_run import RECORD, StoredRun, count_answers, open_run
from assay.run.workers.pool import INLINE, Work, WorkerPool, every, pack_batches, part_folder, parts
from assay.storage.files import digest
from assay.storage.remote import local
from assay.storage.suite import Suite
from assay.version import __version__


class Claims:
    """Counts of a suite's cases, compared with its manifest; cases of one origin come together."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._origins = {msgspec.json.encode(recipe): 0 for recipe in manifest.recipes}
        """Number of pairs each recipe made cases from."""
        self._last: dict[bytes, str] = {}

    def see(self, case: Case) -> str:
        """Count a case, and describe what is wrong with its recipe."""
        made_by = msgspec.json.encode(case.provenance.recipe)
        if made_by not in self._origins:
            return f"{case.id!r} was made by a recipe that the manifest does not have"
        if self._last.get(made_by) != case.origin:
            self._last[made_by] = case.origin
            self._origins[made_by] += 1
        return ""

    def contradictions(self) -> Iterator[str]:
        """Claims of the manifest that its cases, or another of its fields, contradict."""
        manifest, source = self._manifest, self._manifest.source
        for seed in sorted({recipe.seed for recipe in manifest.recipes} - {manifest.seed}):
            yield f"the seed is {manifest.seed}, but its recipes have the seed {seed}"
        if source.labels and sum(source.labels.values()) != source.pairs:
            yield f"the source has {source.pairs:,} pairs, but {sum(source.labels.values()):,} by label"
        if source.labels and source.rows != source.pairs + sum(source.skipped.values()):
            yield f"the source has {source.rows:,} records, but its pairs and skips give another number"
        yield from self._unaccounted()
        for family, slices in () if manifest.slices is msgspec.UNSET else manifest.slices.items():
            labels = sum((Counter(each.cases) for each in slices.values()), Counter[str]())
            if labels != Counter(manifest.counts.get(family)):
                yield f"{family}: the counts of its slices differ from those of the family"

    def _unaccounted(self) -> Iterator[str]:
        """Recipes whose cases and skips do not add up to the number of pairs."""
        recipes: Counter[str] = Counter()
        made: Counter[str] = Counter()
        for key, name in step_names(self._manifest.recipes).items():
            recipes[name] += 1
            made[name] += self._origins[key]
        for name, count in recipes.items():
            pairs, skipped = count * self._manifest.source.pairs, sum(self._manifest.skips.get(name, {}).values())
            found = made[name] + skipped
            if found < pairs or (name == ORIGINAL and found > pairs) or made[name] > pairs:
                yield f"{name}: {made[name]:,} pairs with cases and {skipped:,} skips, of {pairs:,} pairs"


Standing = Literal["proven", "unchecked", "unclaimed"]

MOST_NAMED = 20  # number of damaged lines that are named; the rest are only counted

Damage = tuple[int, str]  # the number of a case, and what is wrong with it


class Proofs(msgspec.Struct, frozen=True, kw_only=True):
    """Results of verifying the labels of a batch."""

    labels: dict[Standing, int]  # the number of labels that hold, by how they were verified
    refuted: list[Damage]


class Verified(NamedTuple):
    """The result of checking a whole suite."""

    damages: list[str]
    labels: Counter[Standing]
    """The number of cases with a verified label, with a label without a check, and without a claimed label."""
    families: frozenset[str] = frozenset()  # the families that the suite has cases of


def damages(folder: str | Path) -> list[str]:
    """Everything that is wrong with a suite, in words; empty if nothing is."""
    return examine(folder).damages


def examine(folder: str | Path, *, pool: WorkerPool = INLINE, proofs: Path | None = None) -> Verified:
    """Look for damage, and prove every label that is claimed; parts that prove labels may already be in `proofs`."""
    labels: Counter[Standing] = Counter()
    try:
        suite = Suite.open(folder)
    except BadInputError as error:
        return Verified([str(error)], labels)
    if not suite.cases_file.exists():
        return Verified([f"{suite.cases_file}: the suite's cases are missing"], labels)
    found = []
    if digest(suite.cases_file) != suite.manifest.file_digest:
        found.append(
            f"{suite.cases_file}: the file has been changed since it was built (SHA-256 differs from the manifest's)"
        )
    try:
        with part_folder(None) as temporary:
            found += _check_cases(suite, labels, proven(suite, folder=proofs or temporary, pool=pool))
    except BadInputError as error:
        found.append(str(error))
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        found.append(f"{suite.cases_file}: can't be read: {error}")
    return Verified(found, labels, frozenset(suite.manifest.counts))


def _check_cases(suite: Suite, labels: Counter[Standing], proofs: Iterable[Proofs]) -> list[str]:
    found: list[Damage] = []
    for proof in proofs:
        labels.update(proof.labels)
        found += proof.refuted
    content = hashlib.sha256()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen, origins = SeenIds(), SeenIds()
    claims = Claims(suite.manifest)
    last_origin: str | None = None
    decode = msgspec.json.Decoder(Case).decode
    total = 0
    for number, line in enumerate(suite.lines(unchecked=True), 1):
        content.update(line + b"\n")
        total += 1
        try:
            case = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            found.append((number, f"not a case: {error}"))
            continue
        counts[case.family][case.compared_with] += 1
        if not seen.add(case.id):
            found.append((number, f"the id {case.id!r} occurs twice"))
        if case.origin != last_origin and not origins.add(case.origin):
            found.append((number, f"the cases of origin {case.origin!r} are not next to each other"))
        last_origin = case.origin
        if wrong := claims.see(case):
            found.append((number, wrong))
    told = [f"{suite.cases_file}:{number}: {text}" for number, text in sorted(found)]
    manifest = suite.manifest
    if total != manifest.cases:
        told.append(f"{suite.cases_file}: {total} cases, but the manifest says {manifest.cases}")
    for family in {**manifest.counts, **counts}:
        said, there = manifest.counts.get(family, {}), {str(label): n for label, n in counts.get(family, {}).items()}
        if said != there:
            told.append(f"{suite.cases_file}: {family}: {there}, but the manifest says {said}")
    told += (f"{suite.folder / 'manifest.json'}: {each}" for each in claims.contradictions())
    if content.hexdigest() != manifest.digest:
        told.append(f"{suite.cases_file}: the cases differ from those that were built (SHA-256 of the content)")
    return _first_few(told)


def proven(suite: Suite, *, folder: Path, pool: WorkerPool, owns: Callable[[int], bool] = every) -> Iterator[Proofs]:
    """Results of verifying the labels of a suite, batch by batch; a shard has only some of the batches."""
    try:
        editions = prepare(suite.manifest.recipes)  # before workers start
    except UserError:  # a recipe is not installed here
        editions = {}
    work = Work(prove_labels, (), key=f"verify {__version__} {editions}")
    numbered = (b"%d %b" % pair for pair in enumerate(suite.lines(unchecked=True), 1))
    batches = (b"\n".join(batch) for batch in pack_batches(numbered, pool.batch))
    decode = msgspec.json.Decoder(Proofs).decode
    yield from map(decode, parts(work, batches, folder=folder, pool=pool, owns=owns))


def prove_labels(batch: bytes) -> bytes:
    """Prove the labels of cases, which are JSON lines after their numbers; runs in a worker."""
    decode = msgspec.json.Decoder(Case).decode
    labels: Counter[Standing] = Counter()
    refuted = []
    for numbered in batch.split(b"\n"):
        number, _, line = numbered.partition(b" ")
        try:
            case = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # whoever reads all lines says so
        if reason := unproven(case):
            refuted.append((int(number), f"the label of {case.id!r} does not hold: {reason}"))
        else:
            labels[_judge_standing(case)] += 1
    return msgspec.json.encode(Proofs(labels=dict(labels), refuted=refuted))


def _judge_standing(case: Case) -> Standing:
    """The status of the label of a valid case."""
    recipe = case.provenance.recipe
    if not recipe.claims_labels or case.expects != "label":
        return "unclaimed"
    return "proven" if check_of(recipe.transform) else "unchecked"


CLOSE = 1e-9  # tolerance between a metric and the stored one: other versions of libraries may sum in a different order


class VerifiedRun(NamedTuple):
    """The result of checking a whole run."""

    damages: list[str]
    suites: dict[str, Verified]
    files: int = 0  # files of answers that were checked
    answers: int = 0
    figures: int | None = None  # figures that were computed again from the answers; None if they were not


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
    suites = {
        name: _examine_suite(folder / "suites" / name, manifest, pool) for name, manifest in record.suites.items()
    }
    files = [file for model in record.models for file in model.files.values()]
    damages = [damage for suite in suites.values() for damage in suite.damages]
    damages += [damage for file in files for damage in _check_answers(folder / file.file, file)]
    figures = None
    if deep and not damages:
        damages = _first_few(_differing_numbers(folder, record))
        figures = len(record.estimates)
    return VerifiedRun(damages, suites, len(files), sum(file.n for file in files), figures)


def _examine_suite(folder: Path, said: Manifest, pool: WorkerPool) -> Verified:
    """Check a suite by itself, and whether it is the one that the run used."""
    found = examine(folder, pool=pool)
    if not found.damages and Suite.open(folder).manifest != said:
        found.damages.append(f"{folder / 'manifest.json'}: it differs from the one in the run's record")
    return found


def _check_answers(path: Path, said: AnswerFileEntry) -> Iterator[str]:
    if not path.is_file():
        yield f"{path}: the answers are missing"
        return
    if digest(path) == said.digest:
        return
    yield f"{path}: the file has been changed since the run (SHA-256 differs from the record's)"
    try:
        there = count_answers(path)
    except BadInputError as error:
        yield str(error)
        return
    if there != said.n:
        yield f"{path}: {there:,} answers, but the record says {said.n:,}"


def _differing_numbers(folder: Path, record: RunRecord) -> Iterator[str]:
    """Every number of the record that differs from the answers, or is missing from the record."""
    where = folder / RECORD
    try:
        measured = measure_run(StoredRun.of(folder, record), record.spec)
    except BadInputError as error:
        yield f"{where}: its numbers can't be computed again: {error}"
        return
    stored, anew = (
        {(each.name, tuple(sorted(each.slice.items()))): each for each in some}
        for some in (record.estimates, measured.estimates)
    )
    if len(stored) != len(record.estimates):
        yield f"{where}: it holds {len(record.estimates) - len(stored):,} numbers more than once"
    differ = [place for place in {**stored, **anew} if not _are_alike(stored.get(place), anew.get(place))]
    for place in differ:
        title = f"{place[0]} of {', '.join(value for _, value in place[1])}"
        said, given = (_show_estimate(found.get(place)) for found in (stored, anew))
        yield f"{where}: {title} is {said}, but its answers give {given}"
    if not differ and judge_run(record.estimates, record.suites, record.spec) != record.judgement:
        yield f"{where}: its verdicts do not match its numbers"
    curves = [sorted(some, key=lambda each: sorted(each.slice.items())) for some in (record.support, measured.curves)]
    if not differ and not _are_alike(*curves):
        yield f"{where}: its threshold curves do not match its answers"
    if record.diagnosis and not differ:
        computed = diagnose_run(StoredRun.of(folder, record), record.spec)
        found = {each.model: each.searched for each in record.diagnosis.profiles}
        profiles = tuple(
            each if (searched := found.get(each.model)) is None else add_findings(each, searched)
            for each in computed.profiles
        )
        if not _are_alike(record.diagnosis, msgspec.structs.replace(computed, profiles=profiles)):
            yield f"{where}: its diagnosis does not match its answers"
    before = {name: record.versions.get(name, "") for name in ("assay", "numpy")}
    if differ and before != (now := {"assay": __version__, "numpy": numpy.__version__}):
        yield (
            f"{where}: it was measured with other versions, which may explain differences: "
            + ", ".join(f"{name} {before[name]} then and {now[name]} now" for name in now)
        )


def _are_alike(one: Any, other: Any) -> bool:
    """True if data is the same, except for the last digits of numbers."""
    one, other = msgspec.to_builtins(one), msgspec.to_builtins(other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_are_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(one == other)


def _first_few(damages: Iterable[str]) -> list[str]:
    """The first few, and how many more there are."""
    found = list(damages)
    return found if len(found) <= MOST_NAMED else [*found[:MOST_NAMED], f"... and {len(found) - MOST_NAMED} more"]


def _show_estimate(estimate: Estimate | None) -> str:
    if estimate is None:
        return "missing"
    interval = f" ({estimate.low} to {estimate.high})" if estimate.low is not None else ""
    return f"{estimate.value}{interval} over {estimate.n:,}"


def verify(folder: str | Path, *, deep: bool = False) -> None:
    """Check a suite or a stored run; the `CheckFailedError` lists all damage.

    With `deep`, every number of a run is computed again from its answers.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     verify(f"{folder}/{record.id}", deep=True)
    """
    folder = local(folder)
    if not is_run(folder) and deep:
        raise UserError(f"{folder} is not a run: only the numbers of a run can be computed again.")
    if found := examine_run(folder, deep=deep).damages if is_run(folder) else damages(folder):
        raise CheckFailedError("\n".join(found))
