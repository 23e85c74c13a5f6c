"""Checking a suite: whether it is complete, and matches its manifest."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from assay.core.case import ORIGINAL, Case, Recipe
from assay.core.errors import BadInputError, UserError
from assay.core.manifest import Manifest
from assay.corpora.in_memory import SeenIds
from assay.run.build.case_builder import check_of, step_names, unproven
from assay.run.build.recipes import prepare
from assay.run.workers.pool import INLINE, Work, WorkerPool, every, pack_batches, part_folder, parts
from assay.storage.files import digest
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
        """Count a case, and return what is wrong with its recipe, in words."""
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
        yield from self._slices()

    def _unaccounted(self) -> Iterator[str]:
        """Every pair gives each recipe a case, or is skipped with a reason."""
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

    def _slices(self) -> Iterator[str]:
        if self._manifest.slices is msgspec.UNSET:
            return
        for family, slices in self._manifest.slices.items():
            labels: Counter[str] = Counter()
            for each in slices.values():
                labels.update(each.cases)
            if labels != Counter(self._manifest.counts.get(family, {})):
                yield f"{family}: the counts of its slices differ from those of the family"


Standing = Literal["proven", "unchecked", "unclaimed"]

MOST_NAMED = 20
"""Number of damaged lines that are named; the rest are only counted."""


class Damage(NamedTuple):
    """Something that is wrong with a case."""

    number: int
    text: str


class Proofs(msgspec.Struct, frozen=True, kw_only=True):
    """Results of verifying the labels of a batch."""

    labels: dict[Standing, int]
    """Number that hold, by what is known about them."""
    refuted: list[Damage]


class Verified(NamedTuple):
    """The result of checking a whole suite."""

    damages: list[str]
    labels: Counter[Standing]
    """Number of cases that have a proven label, a label without a check, and no claimed label."""
    families: frozenset[str] = frozenset()
    """The families that the suite has cases of."""


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
            f"{suite.cases_file}: the file was changed since it was built (SHA-256 differs from the manifest's)"
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
    found = [Damage(number, text) for number, text in _proven(proofs, labels)]
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
            found.append(Damage(number, f"not a case: {error}"))
            continue
        counts[case.family][case.compared_with] += 1
        if not seen.add(case.id):
            found.append(Damage(number, f"the id {case.id!r} occurs twice"))
        if case.origin != last_origin and not origins.add(case.origin):
            found.append(Damage(number, f"the cases of origin {case.origin!r} are not next to each other"))
        last_origin = case.origin
        if wrong := claims.see(case):
            found.append(Damage(number, wrong))
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
    if len(told) > MOST_NAMED:
        told[MOST_NAMED:] = [f"... and {len(told) - MOST_NAMED} more"]
    return told


def proven(suite: Suite, *, folder: Path, pool: WorkerPool, owns: Callable[[int], bool] = every) -> Iterator[Proofs]:
    """Results of verifying the labels of a suite, batch by batch; a shard owns some batches only."""
    work = Work(prove_labels, (), key=f"verify {__version__} {_editions(suite.manifest.recipes)}")
    numbered = (b"%d %b" % pair for pair in enumerate(suite.lines(unchecked=True), 1))
    batches = (b"\n".join(batch) for batch in pack_batches(numbered, pool.batch))
    decode = msgspec.json.Decoder(Proofs).decode
    yield from map(decode, parts(work, batches, folder=folder, pool=pool, owns=owns))


def _editions(recipes: Sequence[Recipe]) -> dict[str, str]:
    """The resources that proofs use, loaded before workers start; none if a recipe is not installed here."""
    try:
        return prepare(recipes)
    except UserError:
        return {}


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
            refuted.append(Damage(int(number), f"the label of {case.id!r} does not hold: {reason}"))
        else:
            labels[_standing(case)] += 1
    return msgspec.json.encode(Proofs(labels=dict(labels), refuted=refuted))


def _proven(proofs: Iterable[Proofs], labels: Counter[Standing]) -> Iterator[Damage]:
    """Add up the labels that hold; what remains are those that don't."""
    for each in proofs:
        labels.update(each.labels)
        yield from each.refuted


def _standing(case: Case) -> Standing:
    """The status of the label of a case that has no problem."""
    recipe = case.provenance.recipe
    if not recipe.claims_labels or case.expects != "label":
        return "unclaimed"
    return "proven" if check_of(recipe.transform) else "unchecked"
