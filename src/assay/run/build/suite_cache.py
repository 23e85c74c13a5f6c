"""The cache of built suites, each under a digest of everything that decides its bytes."""

import hashlib
import os
import platform
import shutil
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import msgspec

from assay.core import registry
from assay.core.case import Recipe
from assay.core.errors import AssayError
from assay.core.registry import IN_PROCESS, EntryTarget
from assay.core.run_record import FromCorpus, FromPairs, StoredSuite, SuiteSpec
from assay.core.serialise import to_json
from assay.corpora.reader import BUNDLED
from assay.language.resources import installed
from assay.run.build.recipes import uses
from assay.storage.fetch import local
from assay.storage.files import digest, folder_aside
from assay.storage.folders import cache_folder
from assay.storage.suite import Suite
from assay.version import __version__

LAYOUT = "suites-1"
"""The folder of cached suites, next to that of cached answers; a new format gets a new name."""

MOST_BYTES = 1 << 30
"""The most bytes of all cached suites; the least recently used are deleted."""

DIGESTS = "digests.json"
"""The SHA-256 of every file of a cached suite."""

OWN = "assay"
BUILDING = ("core", "storage", "language", "corpora", "stress", "evaluate/surface_shortcuts.py", "run/build")
"""The parts of Assay that decide what is built."""


class CachedSuite:
    """The place of one suite in the cache."""

    def __init__(self, folder: Path, *, read: str = "", most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder
        self._read = read  # the SHA-256 of the corpus, if it is a file
        self._most_bytes = most_bytes

    @cached_property
    def is_whole(self) -> bool:
        """True if the suite is there, with every byte as it was built."""
        try:
            known = msgspec.json.decode((self.folder / DIGESTS).read_bytes(), type=dict[str, str])
            return known == _digests(self.folder)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return False

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
        """Keep a copy of a suite, unless its corpus changed while it was read.

        If that fails, for instance on a full disk, the next run builds it again.
        """
        if self._read not in ("", suite.manifest.source.digest):
            return
        with suppress(OSError, AssayError):
            shutil.rmtree(self.folder, ignore_errors=True)  # a damaged one
            with folder_aside(self.folder) as aside:
                shutil.copytree(suite.folder, aside, dirs_exist_ok=True)
                (aside / DIGESTS).write_bytes(to_json(_digests(aside)))
            _make_room(self.folder.parent, self._most_bytes)


def _digests(folder: Path) -> dict[str, str]:
    return {path.name: digest(path) for path in sorted(folder.iterdir()) if path.name != DIGESTS}


def cache_slot(spec: SuiteSpec) -> CachedSuite | None:
    """The place of a suite; None if it is not built, or nobody can know in advance what its bytes will be."""
    if isinstance(spec, StoredSuite | FromPairs):
        return None
    recipes = spec.recipes if isinstance(spec, FromCorpus) else (spec.recipe,)
    read = _digest_of(spec.reading.source) if isinstance(spec, FromCorpus) else ""
    code = _code_of(_targets(recipes))
    if read is None or code is None:
        return None
    resources = {name: installed.resource_fingerprint(name) for name in uses(recipes)}
    decides = [__version__, platform.python_version(), code, resources, read, spec]
    key = hashlib.sha256(msgspec.json.encode(decides, order="deterministic")).hexdigest()
    return CachedSuite(cache_folder(LAYOUT) / key, read=read)


def _digest_of(source: str) -> str | None:
    """The digest of a corpus; None if it is not a single file. The bundled corpus is part of Assay."""
    if source == BUNDLED:
        return ""
    path = local(source)
    return digest(path) if path.is_file() else None


def _targets(recipes: Sequence[Recipe]) -> list[EntryTarget]:
    """Everything that may be called while a suite is built: transforms with their checks, and all possible formats."""
    names = {recipe.transform for recipe in recipes}
    return [
        *map(registry.transforms.target, names),
        *map(registry.formats.target, registry.formats.names()),
    ]


def _code_of(targets: Sequence[EntryTarget]) -> dict[str, str] | None:
    """A digest of the code of each package involved; None if there are no files to look at, as in a notebook."""
    if any(target.source == IN_PROCESS for target in targets):
        return None
    found = {}
    for package in sorted({target.path.partition(":")[0].partition(".")[0] for target in targets}):
        known = find_spec(package)
        if known is None or known.origin is None:
            return None
        place = Path(known.origin)
        folder = place.parent
        own = [folder / part for part in BUILDING] if package == OWN else [folder]
        found[package] = _digest_of_files(own if place.name == "__init__.py" else [place])
    return found


def _digest_of_files(places: Sequence[Path]) -> str:
    hashed = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and path.suffix != ".pyc":
                hashed.update(f"{path.name} {digest(path)}\n".encode())
    return hashed.hexdigest()


def _make_room(folder: Path, most_bytes: int) -> None:
    """Delete the least recently used suites until the rest fit."""
    suites = sorted((each for each in folder.iterdir() if each.is_dir()), key=lambda each: -each.stat().st_mtime)
    total = 0
    for each in suites:
        total += sum(path.stat().st_size for path in each.rglob("*"))
        if total > most_bytes:
            shutil.rmtree(each, ignore_errors=True)
