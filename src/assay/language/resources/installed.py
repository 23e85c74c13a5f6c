"""WordNet and the tagger as stored on this machine, and data that a recipe can only name."""

import gc
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from assay.core.errors import BadInputError, ExternalError, UserError
from assay.language.resources.shipped import load_shipped
from assay.language.resources.tagger import SpacyPipeline, Tagger, TaggerData
from assay.language.resources.wordnet_database import WordNet, WordNetData
from assay.storage.files import write_errors, write_whole

T = TypeVar("T")

LAYOUT = "english-1"
"""The folder of the stored resources; a new format gets a new name."""


def resource_folder() -> Path:
    """The folder of stored resources: $ASSAY_DATA, or the user's cache."""
    if own := os.environ.get("ASSAY_DATA"):
        return Path(own) / LAYOUT
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / LAYOUT


@cache
def wordnet() -> WordNet:
    """WordNet, loaded once per process."""
    data, digest = load_resource("wordnet", WordNetData)
    return WordNet(data, digest=digest)


@cache
def spacy_pipeline() -> SpacyPipeline | None:
    """The spaCy model that $ASSAY_SPACY names, loaded once per process; None if there is none."""
    model = os.environ.get("ASSAY_SPACY")
    return SpacyPipeline(model) if model else None


@cache
def tagger() -> Tagger | SpacyPipeline:
    """The part-of-speech tagger, loaded once per process: ours, or that of the spaCy model if the user names one."""
    spacy = spacy_pipeline()
    return spacy if spacy and spacy.has_tags else _load_own_tagger()


@cache
def own_tagger() -> Tagger | None:
    """Our tagger as a second opinion where spaCy's is used; None if ours is the only one."""
    return None if isinstance(tagger(), Tagger) else _load_own_tagger()


@cache
def _load_own_tagger() -> Tagger:
    data, digest = load_resource("tagger", TaggerData)
    return Tagger(data, digest=digest)


def resource_edition(name: str) -> str:
    """Load a resource, and return its edition."""
    if name == "wordnet":
        return f"{wordnet().data.variant}, {_describe_digest(wordnet().digest)}"
    spacy, tags = spacy_pipeline(), tagger()
    if not isinstance(tags, Tagger):
        ours = own_tagger()
        return (
            f"{tags.variant}, second opinion by {ours.variant}, {_describe_digest(ours.digest)}"
            if ours
            else tags.variant
        )
    names_by = f", names by {spacy.variant}" if spacy and spacy.has_names else ""
    return f"{tags.variant}, {_describe_digest(tags.digest)}{names_by}"


def resource_fingerprint(name: str) -> str:
    """A text that changes with the edition of a resource, without loading it; a spaCy model must be loaded."""
    if name != "wordnet" and os.environ.get("ASSAY_SPACY"):
        return resource_edition(name)
    return load_resource_file(name).digest


def _describe_digest(digest: str) -> str:
    return f"SHA-256 {digest[:16]}"


class StoredResource(NamedTuple):
    """A resource as it is stored."""

    data: bytes
    digest: str


def load_resource_file(name: str) -> StoredResource:
    """A resource as it is stored, if it is unchanged; one that is not stored yet is unpacked from the package."""
    path = path_of(name)
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        data = load_shipped(name)
        with suppress(ExternalError):  # a folder that can't be written to only costs time
            store_resource(name, data)
        return StoredResource(data, sha256(data).hexdigest())
    brought, found = digest_path(name), sha256(data).hexdigest()
    if brought.is_file() and brought.read_text() != found:
        raise BadInputError(
            "damaged: it was changed since it was stored (SHA-256)",
            where=str(path),
            hint="Delete it: it is unpacked again when it is needed.",
        )
    return StoredResource(data, found)


def store_resource(name: str, data: bytes) -> Path:
    """Store a resource, with a digest that shows later damage; returns its path."""
    with write_errors(digest_path(name)):
        digest_path(name).unlink(missing_ok=True)  # never that of another file, even if this is interrupted here
    write_whole(path_of(name), data)
    write_whole(digest_path(name), sha256(data).hexdigest().encode())
    return path_of(name)


def path_of(name: str) -> Path:
    """The file of a stored resource."""
    return resource_folder() / f"{name}.msgpack"


def digest_path(name: str) -> Path:
    """The file with the original SHA-256 of a resource."""
    return resource_folder() / f"{name}.sha256"


class LoadedResource(NamedTuple, Generic[T]):
    """A resource and its digest."""

    data: T
    digest: str


def load_resource(name: str, kind: type[T]) -> LoadedResource[T]:
    """A resource, read from disk."""
    data, digest = load_resource_file(name)
    try:
        with without_gc():
            return LoadedResource(msgspec.msgpack.decode(data, type=kind), digest)
    except msgspec.DecodeError as error:
        raise BadInputError(
            f"damaged: {error}", where=str(path_of(name)), hint="Delete it: it is unpacked again when it is needed."
        ) from error


@contextmanager
def without_gc() -> Iterator[None]:
    """Pause garbage collection: hundreds of thousands of new objects would trigger it again and again for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def store_value(folder: str, value: object) -> str:
    """Store a value, such as counts of words; returns the name under which `kept` finds it."""
    data = msgspec.msgpack.encode(value, order="sorted")
    name = hashlib.sha256(data).hexdigest()[:16]
    write_whole(_value_path(folder, name), data)
    return name


def load_stored(folder: str, name: str, kind: type[T], hint: str) -> T:
    """A value that was stored on this machine; `hint` says how to get it if it is missing."""
    try:
        return msgspec.msgpack.decode(_value_path(folder, name).read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError) as error:
        raise UserError(f"No {folder} called {name} on this machine.\n  {hint}") from error


def _value_path(folder: str, name: str) -> Path:
    return resource_folder().parent / folder / f"{name}.msgpack"
