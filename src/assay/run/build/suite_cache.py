"""The suites of a run: built, copied or cached, under a digest of everything that determines their bytes."""

import hashlib
import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import msgspec

from assay.core import registry
from assay.core.case import Recipe
from assay.core.errors import AssayError, BadInputError, UserError
from assay.core.manifest import Manifest
from assay.core.protocols import Corpus
from assay.core.registry import IN_PROCESS, EntryTarget
from assay.core.run_record import FromCorpus, FromPairs, Generated, RunSpec, StoredSuite, SuiteSpec
from assay.corpora.reader import BUNDLED, CorpusReader
from assay.language.resources import installed
from assay.run.build.recipes import generated_pairs, prepare, uses
from assay.run.build.suite_builder import build_suite
from assay.run.workers.pool import Stage, WorkerPool
from assay.storage.cached_copies import DIGESTS, is_whole_copy, make_room, seal_copy
from assay.storage.files import digest, folder_aside
from assay.storage.folders import cache_folder
from assay.storage.remote import local
from assay.storage.suite import Suite
from assay.version import __version__

LAYOUT = "suites-1"  # the folder of cached suites, next to that of cached answers; a new format gets a new name
MOST_BYTES = 1 << 30  # maximum number of bytes of all cached suites; the least recently used are deleted
OWN = "assay"
BUILDING = ("core", "storage", "language", "corpora", "stress", "evaluate/surface_shortcuts.py", "run/build")
"""The parts of Assay that decide what is built."""


class CachedSuite:
    """The cache entry of one suite."""

    def __init__(self, folder: Path, *, read: str = "", most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder
        self._read = read  # the SHA-256 of the corpus, if it is a file
        self._most_bytes = most_bytes

    @cached_property
    def is_whole(self) -> bool:
        """True if the suite is cached, with every byte as it was built."""
        return is_whole_copy(self.folder)

    def copied(self, folder: Path) -> Suite | None:
        """A copy of the suite in another folder, so that changes there don't reach the cache; None if it is gone."""
        try:
            with folder_aside(folder) as aside:
                shutil.copytree(self.folder, aside, ignore=shutil.ignore_patterns(DIGESTS), dirs_exist_ok=True)
            os.utime(self.folder)
        except OSError:  # another run deleted it; if the disk is full, building will say so
            shutil.rmtree(folder, ignore_errors=True)
            return None
        return Suite.open(folder)

    def keep(self, suite: Suite) -> None:
        """Cache a copy of a suite, unless its corpus changed while it was read.

        If that fails, for instance on a full disk, the next run builds it again.
        """
        if self._read not in ("", suite.manifest.source.digest):
            return
        with suppress(OSError, AssayError):
            shutil.rmtree(self.folder, ignore_errors=True)  # a damaged one
            with folder_aside(self.folder) as aside:
                shutil.copytree(suite.folder, aside, dirs_exist_ok=True)
                seal_copy(aside)
            make_room(self.folder.parent, self._most_bytes)


def cache_slot(spec: SuiteSpec) -> CachedSuite | None:
    """The cache entry of a suite; None if it is not built, or if its bytes can't be known in advance."""
    if isinstance(spec, StoredSuite | FromPairs):
        return None
    read = ""  # the bundled corpus is part of Assay
    if isinstance(spec, FromCorpus) and spec.reading.source != BUNDLED:
        path = local(spec.reading.source)
        if not path.is_file():
            return None
        read = digest(path)
    recipes = _recipes(spec)
    # Everything that may be called while a suite is built: transforms with their checks, and all possible formats.
    targets = map(registry.transforms.target, {recipe.transform for recipe in recipes})
    code = _code_of([*targets, *map(registry.formats.target, registry.formats.names())])
    if code is None:
        return None
    resources = {name: installed.resource_fingerprint(name) for name in uses(recipes)}
    decides = [__version__, platform.python_version(), code, resources, read, spec]
    key = hashlib.sha256(msgspec.json.encode(decides, order="deterministic")).hexdigest()
    return CachedSuite(cache_folder(LAYOUT) / key, read=read)


def _code_of(targets: Sequence[EntryTarget]) -> dict[str, str] | None:
    """A digest of the code of each package involved; None if it has no files, as in a notebook."""
    if any(target.source == IN_PROCESS for target in targets):
        return None
    found = {}
    for package in sorted({target.path.partition(":")[0].partition(".")[0] for target in targets}):
        known = find_spec(package)
        if known is None or known.origin is None:
            return None
        place = Path(known.origin)
        own = [place.parent / part for part in BUILDING] if package == OWN else [place.parent]
        found[package] = _digest_of_files(own if place.name == "__init__.py" else [place])
    return found


def _digest_of_files(places: Sequence[Path]) -> str:
    hashed = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and path.suffix != ".pyc":
                hashed.update(f"{path.name} {digest(path)}\n".encode())
    return hashed.hexdigest()


def places_of(spec: RunSpec, *, cache: bool) -> dict[str, CachedSuite | None]:
    """The cache entry of each suite; the resources of suites that must be built are prepared."""
    places = {name: cache_slot(each) if cache else None for name, each in spec.suites.items()}
    cached = {name for name, place in places.items() if place and place.is_whole}
    prepare([recipe for name, each in spec.suites.items() if name not in cached for recipe in _recipes(each)])
    return places


def suites_of(
    spec: RunSpec,
    folder: Path,
    places: Mapping[str, CachedSuite | None],
    *,
    corpus: Corpus | None,
    pool: WorkerPool,
    stage: Stage,
) -> dict[str, Suite]:
    """The suites of a run, each in a folder of its own."""

    def numbered(number: int) -> Stage:
        return lambda name, total: stage(f"{name}, {number} of {len(spec.suites)}", total)

    return {
        name: _make_suite(each, folder / name, corpus, place=places[name], pool=pool, stage=numbered(number))
        for number, (name, each) in enumerate(spec.suites.items(), 1)
    }


def is_current(spec: SuiteSpec, made: Manifest) -> bool:
    """True if the same corpus would be read again, as far as that can be known."""
    read = made.source.digest
    return not isinstance(spec, FromCorpus) or (bool(read) and CorpusReader(spec.reading).summary().digest == read)


def _recipes(spec: SuiteSpec) -> tuple[Recipe, ...]:
    if isinstance(spec, StoredSuite):
        return ()
    return (spec.recipe,) if isinstance(spec, Generated) else spec.recipes


def _make_suite(
    spec: SuiteSpec, folder: Path, given: Corpus | None, *, place: CachedSuite | None, pool: WorkerPool, stage: Stage
) -> Suite:
    """The suite, in the run's folder.

    A suite that an interrupted run had finished, or that is cached, is not built again, unless it is damaged.
    """
    try:
        suite = Suite.open(folder)
        suite.check()
        is_there = is_current(spec, suite.manifest)
    except (UserError, OSError):
        is_there = False
    if not is_there:
        shutil.rmtree(folder, ignore_errors=True)
        if place and place.is_whole and (copy := place.copied(folder)):
            return copy
        if isinstance(spec, StoredSuite):
            suite = _copy_stored(spec, folder)
        else:
            suite = build_suite(_corpus_of(spec, given), _recipes(spec), folder, pool=pool, stage=stage)
    if place and not place.is_whole:
        place.keep(suite)
    return suite


def _corpus_of(spec: FromCorpus | FromPairs | Generated, given: Corpus | None) -> Corpus:
    match spec:
        case FromCorpus():
            return CorpusReader(spec.reading)
        case Generated():
            return generated_pairs(spec.recipe, spec.per_subcase)
        case FromPairs():
            assert given is not None  # whoever puts such a suite into a spec has its pairs
            return given


def _copy_stored(spec: StoredSuite, folder: Path) -> Suite:
    """A full copy of the suite: a run stays readable when the original suite is gone."""
    suite = Suite.open(spec.folder)
    suite.check()
    if suite.manifest.digest != spec.digest:
        raise BadInputError("the suite was changed", where=spec.folder, hint="`assay verify` shows the damage.")
    with folder_aside(folder) as aside:
        shutil.copyfile(suite.folder / "manifest.json", aside / "manifest.json")
        copy = shutil.copytree if suite.cases_file.is_dir() else shutil.copyfile
        copy(suite.cases_file, aside / suite.cases_file.name)
    return Suite.open(folder)
